/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that a helper makes, works on and removes, of helpers alone: nothing
 * here returns a failure, all end by bench_die and the like.
 *
 * File i is DIR/dNNNNN/fNNNNNNN of the directory measured, NNNNN = i % dirs.
 */
#ifndef FSRATIO_FILESET_H
#define FSRATIO_FILESET_H

#include <stdbool.h>
#include <stdint.h>
#include "bench.h"

struct fileset {
	uint64_t files, dirs;
	bool keep; /* fileset_end leaves them */
	int *fd; /* of each file, where they are held open; else NULL */
};

/*
 * --ops files, one an operation: makes the directories, and removes the files
 * that an earlier run left there.
 */
void fileset_begin(struct fileset *s);

/*
 * Before the clock: makes all files by make, which gives a descriptor, and
 * holds them open.  What make does to its worker is in no number.
 */
void fileset_hold(struct fileset *s, int (*make)(struct worker *w, uint64_t i));

/* Makes a file that is not there yet, for reads and writes, with flags too. */
int fileset_create(const struct fileset *s, uint64_t i, int flags);

/*
 * A file of so many bytes on disk, no two blocks equal: DIR/source.BYTES.
 * Sets data to its content, which is nobody's to free.
 */
int fileset_source(uint64_t bytes, char **data);

/* pwrite of all len bytes by one call. */
void fileset_write(int fd, const char *data, uint64_t len, uint64_t at);

/*
 * Makes fd share the first len bytes of source, by FICLONERANGE; all of it, by
 * FICLONE, where len is 0.  bench_skip where there is no reflink.
 */
void fileset_clone(int fd, int source, uint64_t len);

/*
 * After the clock: each file has so many bytes, or the run is broken; adds
 * dirs= to the record.  Directories and sources stay.
 */
void fileset_end(const struct fileset *s, struct record *r, uint64_t bytes);

#endif
