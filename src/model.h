/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file and, in memory, all the bytes that it must have.  Each operation is
 * done to both, or to the memory alone, which so can be had again for a file of
 * an earlier run.  What is wrong is a finding, what fails ends the run.
 */
#ifndef FSRATIO_MODEL_H
#define FSRATIO_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include "stamp.h"

#define MODEL_BYTES (128u << 10) /* of a file, at most */
#define MODEL_BLOCK 4096u /* clones are of multiples of it */

struct model {
	char name[32]; /* below the directory measured */
	int fd; /* -1: the memory alone */
	size_t size;
	unsigned char bytes[MODEL_BYTES];
	char log[512]; /* the operations, as text */
};

/* Opens the file with these flags; size 0.  Flags -1: the memory alone. */
__attribute__((format(printf, 3, 4))) void
model_open(struct model *m, int flags, const char *fmt, ...);

/* Opens the file for the memory that there is. */
void model_reopen(struct model *m, int flags);

/* FICLONERANGE of [at, at + len) of another file to offset 0 of an empty one.
 */
void model_clone(struct model *m, const struct model *from, size_t at,
		 size_t len);

/* ftruncate, to less or to more. */
void model_truncate(struct model *m, size_t size);

/* pwrite of a stamp's bytes; may end behind EOF or begin there. */
void model_write(struct model *m, struct stamp s, size_t at, size_t len);

/* By mmap, which shows what is behind EOF in its page: that is zeros. */
void model_check_tail(const struct model *m);

/* Size and all bytes of the file. */
void model_check(const struct model *m);

/* Closes the file, after fsync. */
void model_close(struct model *m);

#endif
