/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gate before the measured interval, in memory that all workers, threads
 * or processes, share.
 *
 * It has two stages.  At the first, a barrier, a worker sleeps until all are
 * set up.  All awake, they spin at the second until the last to come has read
 * the counters and opens it: so none begins with a wake-up still to come, and
 * what a worker uses is read behind the gate.  Set-up, the sleep at the barrier
 * and the spin are in no number.
 */
#ifndef FSRATIO_GATE_H
#define FSRATIO_GATE_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include "bench.h"
#include "blkstat.h"

struct gate {
	_Alignas(BENCH_LINE) atomic_uint awake;
	atomic_bool open;
	unsigned int workers;
	pthread_barrier_t all;
	sem_t opened; /* posted once */
	const struct fsdev *fs;
	const char *name; /* of the helper, for messages */
	struct blkstat before, after;
};

/* Makes the gate, of zeroes, for so many workers; counters are those of fs. */
void gate_init(struct gate *g, unsigned int workers, const struct fsdev *fs,
	       const char *name);

/* A worker passes: g->before has been read, tracepoints are counted. */
void gate_pass(struct gate *g);

/* Reads the counters into g->after. */
void gate_read_after(struct gate *g);

#endif
