/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sleeping lock that is handed over in order of arrival, as a semaphore of
 * the kernel is.  Once callers queue, each of them sleeps: a mutex, which a
 * running thread may take over the head of the queue, hides how many wait.
 */
#ifndef FSRATIO_FIFO_H
#define FSRATIO_FIFO_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * All zero is unlocked.  In memory that processes share it works between them.
 * At most 2^31 callers may wait at once.
 */
struct fifo {
	atomic_uint next; /* ticket of the next caller */
	_Alignas(64) atomic_uint serving; /* ticket of the holder */
};

/* Waits for its turn; a wait is one voluntary switch or more. */
void fifo_lock(struct fifo *f);
/* Hands the lock to the longest waiter. */
void fifo_unlock(struct fifo *f);

#endif
