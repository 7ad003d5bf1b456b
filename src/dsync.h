/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes that a kernel thread completes and that wait, on every kernel.
 *
 * An asynchronous O_DIRECT | O_DSYNC write that makes a file longer is made
 * durable behind the data's end of I/O: a kworker calls the file system's fsync
 * and sleeps in it.  A count of blocked kworkers that stays at 0 counts
 * nothing.
 */
#ifndef FSRATIO_DSYNC_H
#define FSRATIO_DSYNC_H

#define DSYNC_BYTES 4096 /* a write: a block that direct I/O takes */

/* Of one worker.  NULL is never given: ends the run where it cannot be had. */
struct dsync *dsync_start(void);
void dsync_end(struct dsync *d);

/*
 * Makes a new file of DSYNC_BYTES by one such write and waits for it; its
 * descriptor, for writing.  No O_DIRECT here ends the run as unsupported, an
 * error as broken.
 */
int dsync_create(struct dsync *d, const char *path);

#endif
