/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long calls took, by the millisecond, as a record's keys: exact, unlike
 * the quantiles of hist.h, for a reader who counts waits.
 */
#ifndef FSRATIO_LATENCY_H
#define FSRATIO_LATENCY_H

#include "overlap.h"
#include "record.h"

/*
 * Adds longest_ns, over_100ms (calls of 100 ms and more) and hist_ms, which is
 * MS:COUNT[,MS:COUNT...] in order, MS whole milliseconds rounded down and
 * LATENCY_MS_MAX for all that took as long and longer.  n > 0.
 */
#define LATENCY_MS_MAX 1000
void latency_put(struct record *r, const struct span *calls, uint64_t n);

#endif
