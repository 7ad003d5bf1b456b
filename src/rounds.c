// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that wait for each other: see rounds.h.
 */
#include <errno.h>
#include <inttypes.h>
#include "bench.h"
#include "rounds.h"

void rounds_init(struct rounds *r, uint64_t threads)
{
	errno = pthread_barrier_init(&r->all, NULL, (unsigned int)threads);
	if (errno)
		bench_die("pthread_barrier_init of %" PRIu64 " threads",
			  threads);
}

void rounds_meet(struct rounds *r)
{
	pthread_barrier_wait(&r->all);
}
