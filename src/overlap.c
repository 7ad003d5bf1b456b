// SPDX-License-Identifier: GPL-2.0
/*
 * Overlaps of calls and waits: see overlap.h.
 */
#include <stdlib.h>
#include "overlap.h"

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The waits from *wait on; those that ended before the call are left behind. */
static uint64_t longest(const struct span *call, const struct span **wait,
			const struct span *waits_end)
{
	uint64_t begin, end, most = 0;
	const struct span *w;

	while (*wait < waits_end && (*wait)->end <= call->begin)
		++*wait;
	for (w = *wait; w < waits_end && w->begin < call->end; w++) {
		begin = w->begin;
		end = w->end;
		begin = begin > call->begin ? begin : call->begin;
		end = end < call->end ? end : call->end;
		if (end > begin && end - begin > most)
			most = end - begin;
	}
	return most;
}

uint64_t overlap_ppm(const struct span *calls, uint64_t n,
		     const struct span *waits, uint64_t n_waits)
{
	const struct span *wait = waits, *waits_end = waits + n_waits;
	uint64_t ppm[OVERLAP_CALLS_MAX] = { 0 }, i;

	for (i = 0; i < n; i++) {
		double call_ns = (double)(calls[i].end - calls[i].begin);
		double most_ns = (double)longest(&calls[i], &wait, waits_end);

		ppm[i] = (uint64_t)(most_ns / call_ns * 1e6);
	}
	qsort(ppm, n, sizeof(*ppm), by_size);
	return (ppm[(n - 1) / 2] + ppm[n / 2]) / 2;
}
