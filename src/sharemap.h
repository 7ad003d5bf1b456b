/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which blocks of which files are one and the same: a model of reflink that
 * follows the operations, and asks the file system nothing.
 *
 * A block with data has a number; one that is cloned keeps it, one that is
 * written or unshared gets a new one.  So it is shared where its number is
 * another block's, too.  Operations on different files may run at once; those
 * on one are the caller's to keep apart.
 */
#ifndef FSRATIO_SHAREMAP_H
#define FSRATIO_SHAREMAP_H

#include <stdint.h>
#include "extents.h"

#define SHAREMAP_AGS 64

/* What was seen so far at quiet points. */
struct sharemap_shapes {
	uint64_t middle; /* runs of blocks shared in the middle only */
	uint64_t last_sharer; /* blocks whose other owners all went */
	uint64_t flag_only; /* files that were cloned, and share nothing now */
	uint64_t ag[SHAREMAP_AGS]; /* shared blocks there */
};

struct sharemap;

/* A model of files of blocks of block_bytes, all of them holes. */
struct sharemap *sharemap_new(unsigned int files, unsigned int blocks,
			      uint64_t block_bytes, uint64_t ag_bytes);

/* Blocks [at, at + n) of a file are written. */
void sharemap_write(struct sharemap *m, unsigned int file, unsigned int at,
		    unsigned int n);

/* They are unshared: what is a hole stays without data. */
void sharemap_unshare(struct sharemap *m, unsigned int file, unsigned int at,
		      unsigned int n);

/* They become holes. */
void sharemap_punch(struct sharemap *m, unsigned int file, unsigned int at,
		    unsigned int n);

/* The file is gone. */
void sharemap_delete(struct sharemap *m, unsigned int file);

/* Blocks [from_at, from_at + n) of a file are cloned to those of another. */
void sharemap_clone(struct sharemap *m, unsigned int from, unsigned int from_at,
		    unsigned int to, unsigned int to_at, unsigned int n);

/*
 * A quiet point: nothing runs and nothing is dirty.  Begin, then compare the
 * map of each file that there is, then end; each difference is a finding, and
 * both give the number of them.
 *
 * compare: is each block with data mapped, and do its flags say whether it is
 * shared?  end: do the physical addresses of all files tell the same story: one
 * number at one address, and one address of one number?
 */
void sharemap_begin(struct sharemap *m);
unsigned int sharemap_compare(struct sharemap *m, unsigned int file,
			      const struct extents *x);
unsigned int sharemap_end(struct sharemap *m);

const struct sharemap_shapes *sharemap_seen(const struct sharemap *m);

#endif
