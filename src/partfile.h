/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of parts that one thread writes and frees, by direct I/O, while others
 * read it: what each part must be, as far as it can be known.  What is wrong is
 * a finding, what fails ends the run.
 */
#ifndef FSRATIO_PARTFILE_H
#define FSRATIO_PARTFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define PARTFILE_PART (64u << 10) /* bytes */
#define PARTFILE_PARTS 64u /* of a file */
#define PARTFILE_READ 4u /* parts of a read */

struct partfile {
	const char *name;
	unsigned int file; /* of its stamps */
	int fd;
	char *buf; /* of the thread that writes */
	unsigned int writes, no_space;
	struct part {
		atomic_uint changes; /* odd: one is under way */
		atomic_uint generation; /* 0 = a hole */
	} part[PARTFILE_PARTS];
};

/* Makes DIR/NAME, of no bytes. */
void partfile_make(struct partfile *f, const char *name, unsigned int file);

/*
 * Writes part n where it is a hole.  Where there is no space for it, or where
 * it is written already, frees it: by a hole, or by truncate of all that
 * follows.
 */
void partfile_change(struct partfile *f, unsigned int n, bool by_truncate);

/*
 * Reads parts n, n + 1, ... of PARTFILE_READ by one call into buf and checks
 * them.  What changes meanwhile may be zeros and any of the file's own bytes of
 * that place; what does not is the last write or a hole.
 */
void partfile_read(struct partfile *f, unsigned int n, char *buf);

#endif
