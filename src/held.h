/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Descriptors that are kept and closed many at once, with no other task but
 * interrupts on that CPU between two closes: what the last close of a file
 * leaves to a kworker of this CPU piles up until its file system makes closes
 * wait.
 */
#ifndef FSRATIO_HELD_H
#define FSRATIO_HELD_H

#include <stdint.h>

struct held;

/* For one worker, of max descriptors; ends the run where there is no memory. */
struct held *held_start(uint64_t max);

/*
 * Keeps fd, or closes all, fd among them, where it is number max.  Ends the run
 * as unsupported where it may not be SCHED_FIFO for the time of that.
 */
void held_add(struct held *h, int fd);

/* Closes what is left, one by one. */
void held_end(struct held *h);

#endif
