/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where threads of an operation wait for each other, between rounds of it.
 */
#ifndef FSRATIO_ROUNDS_H
#define FSRATIO_ROUNDS_H

#include <pthread.h>
#include <stdint.h>

struct rounds {
	pthread_barrier_t all;
};

/* Before the threads begin, by the set-up: so many will meet. */
void rounds_init(struct rounds *r, uint64_t threads);

/* Returns when all have called it; what each wrote before all can read. */
void rounds_meet(struct rounds *r);

#endif
