/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that grows by parts while it is held open, what is allocated for it
 * behind its end (EOF), and what its bytes must be.  What is wrong is a
 * finding, what fails ends the run.
 */
#ifndef FSRATIO_GROWFILE_H
#define FSRATIO_GROWFILE_H

#include <stdint.h>
#include "stamp.h"

#define GROWFILE_PART (64u << 10) /* bytes; a multiple of the block size */

struct growfile {
	char name[32];
	int fd;
	struct stamp stamp;
	uint64_t bytes; /* its size */
};

/* Makes DIR/KIND.NUMBER, which must not be there; file is its stamps'. */
void growfile_make(struct growfile *f, const char *kind, unsigned int number,
		   unsigned int file);

/*
 * Appends one part and has it written back, as where memory is short: then its
 * blocks are allocated, and those behind EOF with them.
 */
void growfile_append(struct growfile *f);

/* What a reader does: open, pread at an offset, close. */
void growfile_read(const struct growfile *f, uint64_t at);

/* The number of extents up to EOF. */
unsigned int growfile_extents(const struct growfile *f);

/* Where the blocks behind EOF end, by descriptor fd of the file; 0 = none. */
uint64_t growfile_prealloc_end(const struct growfile *f, int fd);

/*
 * The first close of the writer, with nobody else there: checks that it frees
 * what is behind EOF, the size, and all bytes.
 */
void growfile_close(const struct growfile *f);

#endif
