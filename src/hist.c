// SPDX-License-Identifier: GPL-2.0
/*
 * Log-linear histogram: see hist.h for its error.
 */
#include "hist.h"

/* The middle of a bucket, rounded down. */
static uint64_t hist_middle(unsigned int index)
{
	unsigned int shift;
	uint64_t low;

	if (index < 2 * HIST_SUB)
		return index;
	shift = (index >> HIST_SUB_BITS) - 1;
	low = (uint64_t)(HIST_SUB + index % HIST_SUB) << shift;
	return low + (((uint64_t)1 << shift) - 1) / 2;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	unsigned int i;

	into->count += from->count;
	if (from->max > into->max)
		into->max = from->max;
	for (i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

/* ceil(count * num / den) without a product that could overflow. */
static uint64_t hist_rank(uint64_t count, uint64_t num, uint64_t den)
{
	return count / den * num + (count % den * num + den - 1) / den;
}

uint64_t hist_quantile(const struct hist *h, uint64_t num, uint64_t den)
{
	uint64_t rank = hist_rank(h->count, num, den), seen = 0;
	unsigned int i;

	if (rank == h->count) /* exact; 0 where there is none */
		return h->max;
	for (i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			break;
	}
	return hist_middle(i) < h->max ? hist_middle(i) : h->max;
}
