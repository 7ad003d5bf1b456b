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
#define PARTFILE_READ 16u /* parts of a read */

struct partfile {
	const char *name;
	unsigned int file; /* of its stamps */
	int fd;
	int cached_fd; /* the same by way of the page cache */
	char *buf; /* of the thread that writes */
	unsigned int writes, no_space;
	struct part {
		atomic_uint changes; /* odd: one is under way */
		atomic_uint generation; /* 0 = a hole */
	} part[PARTFILE_PARTS];
};

/* Fills the file system, but for what all parts of one file take. */
void partfile_leave_room(void);

/* Makes DIR/NAME, of no bytes. */
void partfile_make(struct partfile *f, const char *name, unsigned int file);

/* Writes part n; false where there was no space for all of it. */
bool partfile_write(struct partfile *f, unsigned int n);

/*
 * Writes part n and all that follow again, as they are, and leaves that in the
 * page cache: to free them waits first for direct reads, then for the write,
 * and other reads may begin meanwhile.
 */
void partfile_dirty(struct partfile *f, unsigned int n);

/* Frees part n and all that follow, by a hole or by truncate. */
void partfile_free(struct partfile *f, unsigned int n, bool by_truncate);

/*
 * Reads parts n, n + 1, ... of PARTFILE_READ by one call into buf and checks
 * them.  What changes meanwhile may be zeros and any of the file's own bytes of
 * that place; what does not is the last write or a hole.
 */
void partfile_read(struct partfile *f, unsigned int n, char *buf);

void partfile_close(struct partfile *f);

#endif
