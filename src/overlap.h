/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of a call that blocks others was one wait of another task.
 *
 * Neither the speed of the device nor a busy machine moves it much: both
 * stretch the call and what waits for it alike.
 */
#ifndef FSRATIO_OVERLAP_H
#define FSRATIO_OVERLAP_H

#include <stdint.h>

/* When a call began and ended; bench_now_ns. */
struct span {
	uint64_t begin, end;
};

/* Most calls of overlap_ppm. */
#define OVERLAP_CALLS_MAX 1000

/*
 * For each of n calls the longest part of it that a single wait lasted, in
 * millionths of the call (a wait may begin before it and outlive it); of these
 * the median, 0 to 1000000.  Calls and waits lie in the order of time, those of
 * a kind follow each other, and no call is empty.
 * 1 <= n <= OVERLAP_CALLS_MAX; n_waits may be 0.
 */
uint64_t overlap_ppm(const struct span *calls, uint64_t n,
		     const struct span *waits, uint64_t n_waits);

#endif
