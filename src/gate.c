// SPDX-License-Identifier: GPL-2.0
/*
 * The gate: see gate.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include "gate.h"
#include "tracepoint.h"

void gate_init(struct gate *g, unsigned int workers, const struct fsdev *fs,
	       const char *name)
{
	pthread_barrierattr_t attr;

	g->workers = workers;
	g->fs = fs;
	g->name = name;
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	errno = pthread_barrier_init(&g->all, &attr, workers);
	if (errno || sem_init(&g->opened, 1, 0))
		bench_die("initialise the gate of %u workers", workers);
}

static void read_counters(struct gate *g, struct blkstat *out)
{
	const char *why;

	if (blkstat_read(g->fs, out, &why))
		bench_die("read counters of %u:%u", g->fs->major, g->fs->minor);
	if (why && out == &g->before)
		fprintf(stderr, "%s: %s\n", g->name, why);
}

void gate_pass(struct gate *g)
{
	unsigned int spins;

	pthread_barrier_wait(&g->all);
	if (atomic_fetch_add(&g->awake, 1) + 1 == g->workers) {
		read_counters(g, &g->before);
		tracepoint_enable();
		atomic_store(&g->open, true);
		sem_post(&g->opened);
		return;
	}
	/* With more workers than CPUs the one that opens needs a CPU too. */
	for (spins = 0; !atomic_load(&g->open); spins++)
		if (spins > 2000)
			sched_yield();
}

void gate_read_after(struct gate *g)
{
	read_counters(g, &g->after);
}
