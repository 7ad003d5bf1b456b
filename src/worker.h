/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The workers of a run: threads or processes, the gate, the interval.
 */
#ifndef FSRATIO_WORKER_H
#define FSRATIO_WORKER_H

#include "bench.h"
#include "blkstat.h"

/*
 * Runs b->op from bench_config.threads workers and waits for all of them.
 * Counters of fs are read by the worker that opens the gate and by the one
 * that ends last; they are put in before and after.  Gives the workers.
 */
const struct worker *worker_run(const struct bench *b, const struct fsdev *fs,
				struct blkstat *before, struct blkstat *after);

/* True for the first caller in all threads and processes of the run. */
bool worker_first_to_die(void);

#endif
