// SPDX-License-Identifier: GPL-2.0
/*
 * Latencies by the millisecond: see latency.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include "bench.h"
#include "latency.h"

#define MS_NS 1000000u

void latency_put(struct record *r, const struct span *calls, uint64_t n)
{
	uint64_t count[LATENCY_MS_MAX + 1] = { 0 };
	uint64_t i, ns, longest = 0, over = 0;
	char text[RECORD_MAX];
	size_t len = 0;

	for (i = 0; i < n; i++) {
		ns = calls[i].end - calls[i].begin;
		longest = ns > longest ? ns : longest;
		over += ns >= 100 * MS_NS;
		ns /= MS_NS;
		count[ns < LATENCY_MS_MAX ? ns : LATENCY_MS_MAX]++;
	}
	for (i = 0; i <= LATENCY_MS_MAX; i++) {
		if (!count[i])
			continue;
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%" PRIu64 ":%" PRIu64,
					len ? "," : "", i, count[i]);
		/* Needs thousands of slow calls of all lengths. */
		if (len >= sizeof(text))
			bench_broken("hist_ms has no room in a record");
	}
	bench_put_u64(r, "longest_ns", longest);
	bench_put_u64(r, "over_100ms", over);
	bench_put_str(r, "hist_ms", text);
}
