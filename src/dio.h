/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files and buffers for direct I/O, of helpers alone: nothing here returns a
 * failure, all end by bench_die, bench_broken or bench_skip.
 */
#ifndef FSRATIO_DIO_H
#define FSRATIO_DIO_H

#include <stddef.h>
#include <stdint.h>

#define DIO_BLOCK 4096 /* lengths and offsets are multiples of it */
#define DIO_PART ((size_t)1 << 20)
#define DIO_WRITE_MAX ((size_t)1 << 30) /* IOV_MAX parts */

/*
 * Opens the file name of the directory measured for direct reads and writes.
 * It is of so many bytes, and all of them have been written.
 */
int dio_open(const char *name, uint64_t bytes);

/* pread of all len bytes, DIO_PART at most, by one call; nobody sees them. */
void dio_read(int fd, size_t len, uint64_t at);

/*
 * One pwritev of len bytes, DIO_WRITE_MAX at most: the same buffer of DIO_PART
 * again and again, so that a large write needs no large memory.
 */
void dio_write(int fd, size_t len, uint64_t at);

/* The same by asynchronous I/O, and waited for; of one thread a process. */
void dio_aio_write(int fd, size_t len, uint64_t at);

/* fallocate that makes a hole and keeps the size. */
void dio_punch(int fd, size_t len, uint64_t at);

/*
 * Makes the file again what dio_open wants: cuts it to so many bytes, writes
 * the len of them from at on, in whole parts of DIO_PART, and syncs all.
 */
void dio_restore(int fd, uint64_t bytes, uint64_t at, uint64_t len);

#endif
