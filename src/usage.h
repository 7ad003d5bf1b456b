/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one thread used between two moments: clock, rusage, schedstat.
 */
#ifndef FSRATIO_USAGE_H
#define FSRATIO_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct usage {
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t user_ns, sys_ns; /* RUSAGE_THREAD */
	uint64_t vcsw, ivcsw; /* voluntary, involuntary context switches */
	uint64_t run_delay_ns; /* runnable, but without a CPU */
	bool delay_known; /* false: this kernel has no schedstat */
};

/* Begins an interval of the calling thread; its clock is read last. */
void usage_begin(struct usage *u);

/* Ends it: the clock is read first, then u holds the differences. */
void usage_end(struct usage *u);

/*
 * What of an interval that ended the thread spent off its CPU, waiting for one
 * or for anything else; at least 0, for the clocks differ in grain.
 */
uint64_t usage_off_cpu_ns(const struct usage *u);

#endif
