/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log-linear histogram of unsigned 64-bit values, nanoseconds as a rule.
 *
 * Values below 2 * HIST_SUB are exact.  Above, each power of two is cut into
 * HIST_SUB buckets of equal width, and a bucket stands for its middle: what
 * a quantile reports differs from the exact one by at most 1 / (2 * HIST_SUB)
 * of it (1/128, 0.8 %).  The count and the largest value are exact.
 */
#ifndef FSRATIO_HIST_H
#define FSRATIO_HIST_H

#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_SUB (1u << HIST_SUB_BITS)
#define HIST_BUCKETS ((64 - HIST_SUB_BITS + 1) * HIST_SUB)

/* All zero is an empty histogram. */
struct hist {
	uint64_t count;
	uint64_t max;
	uint64_t bucket[HIST_BUCKETS];
};

/* The bucket that holds value: 0 to HIST_BUCKETS - 1. */
static inline unsigned int hist_index(uint64_t value)
{
	unsigned int shift;

	if (value < HIST_SUB)
		return (unsigned int)value;
	shift = 63 - HIST_SUB_BITS - (unsigned int)__builtin_clzll(value);
	return (shift << HIST_SUB_BITS) + (unsigned int)(value >> shift);
}

/* Counts one value.  Here, since it runs between measured operations. */
static inline void hist_add(struct hist *h, uint64_t value)
{
	h->count++;
	h->bucket[hist_index(value)]++;
	if (value > h->max)
		h->max = value;
}

/* Adds all values of from to into. */
void hist_merge(struct hist *into, const struct hist *from);

/*
 * The num/den quantile by nearest rank: the smallest value such that at least
 * num/den of all values are not above it, within the bucket error, never above
 * the largest value, and that itself at 1/1.  0 for an empty histogram.
 * 0 < num <= den <= 2^20.
 */
uint64_t hist_quantile(const struct hist *h, uint64_t num, uint64_t den);

#endif
