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

static uint64_t longest(const struct span *call, const struct span *waits,
			uint64_t n_waits)
{
	uint64_t begin, end, most = 0, i;

	for (i = 0; i < n_waits && waits[i].begin < call->end; i++) {
		begin = waits[i].begin;
		end = waits[i].end;
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
	uint64_t ppm[OVERLAP_CALLS_MAX], i;

	for (i = 0; i < n; i++) {
		double call_ns = (double)(calls[i].end - calls[i].begin);
		double most_ns = (double)longest(&calls[i], waits, n_waits);

		ppm[i] = (uint64_t)(most_ns / call_ns * 1e6);
	}
	qsort(ppm, n, sizeof(*ppm), by_size);
	return (ppm[(n - 1) / 2] + ppm[n / 2]) / 2;
}
