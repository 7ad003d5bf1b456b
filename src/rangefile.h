/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of three ranges and what each byte of it must be at any time: [0, 4)
 * MiB never change, [4, 8) MiB become holes of 4 KiB, and what is appended from
 * 8 MiB on is there once its write has returned.  One thread may write, one
 * punch and one read; what is wrong is a finding, what fails ends the run.
 */
#ifndef FSRATIO_RANGEFILE_H
#define FSRATIO_RANGEFILE_H

#include "bench.h"
#include "dio.h"

#define RANGE_HOLES_AT (4u << 20)
#define RANGE_APPEND_AT (8u << 20)
#define RANGE_HOLES ((RANGE_APPEND_AT - RANGE_HOLES_AT) / DIO_BLOCK)
#define RANGE_WRITE_BYTES (128u << 10)
#define RANGE_READ_BLOCKS 16 /* of a read, at most */

/*
 * Opens the file name of the directory measured with these flags.  With O_CREAT
 * it is made anew; else it is one that has all its holes and so many appended
 * writes.
 */
void rangefile_open(const char *name, int flags, unsigned int writes);

/* Appends the next RANGE_WRITE_BYTES. */
void rangefile_append(void);

/* Makes hole number n of RANGE_HOLES. */
void rangefile_punch(unsigned int n);

/* Reads and checks a random part of a random range. */
void rangefile_read(uint64_t *rand);

/* Checks all of the file and its size, when no other thread is at it. */
void rangefile_check(void);

/* fsync and close */
void rangefile_close(void);

#endif
