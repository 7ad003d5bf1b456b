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

/*
 * Opens the file name of the directory measured for direct reads and writes.
 * It is of so many bytes, and all of them have been written.
 */
int dio_open(const char *name, uint64_t bytes);

/* A buffer of size bytes, filled. */
void *dio_buffer(size_t size);

/* pread and pwrite of all len bytes by one call. */
void dio_read(int fd, void *buf, size_t len, uint64_t at);
void dio_write(int fd, const void *buf, size_t len, uint64_t at);

/* fallocate that makes a hole and keeps the size. */
void dio_punch(int fd, size_t len, uint64_t at);

#endif
