/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of tracepoints over the measured interval, of the whole machine or of
 * the workers alone, by perf_event_open: no stacks, no samples, the kernel
 * adds 1.
 */
#ifndef FSRATIO_TRACEPOINT_H
#define FSRATIO_TRACEPOINT_H

#include "record.h"

#define TRACEPOINT_MAX 8

/*
 * Takes KEY=SYSTEM:EVENT[:FILTER] (the string is kept, not copied).  NULL, or
 * a static text that says what was expected.
 */
const char *tracepoint_add(const char *spec);

/*
 * The same, for what the workers do themselves: nothing else that runs on the
 * machine is in it, nor what kernel threads do for them.
 */
const char *tracepoint_add_task(const char *spec);

/*
 * Opens all that were added, disabled; to be called by the thread that starts
 * the workers, before it does.  One that cannot be had (no tracefs,
 * no such event, filter refused, not permitted) is said on stderr and stays
 * "unsupported"; it never counts 0.
 */
void tracepoint_open(const char *name);

/* Start and end of the interval; any worker, thread or process, may call. */
void tracepoint_enable(void);
void tracepoint_disable(void);

/* Adds KEY=count or KEY=unsupported. */
void tracepoint_record(struct record *r);

#endif
