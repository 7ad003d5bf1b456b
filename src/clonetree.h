/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of one size, spread over the AGs of an XFS, that are cloned in part,
 * overwritten, unshared, punched and deleted; a sharemap follows.
 */
#ifndef FSRATIO_CLONETREE_H
#define FSRATIO_CLONETREE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "bench.h"
#include "sharemap.h"

#define CLONETREE_FILES 1024

struct clonetree {
	unsigned int files, blocks, ags;
	uint64_t block_bytes; /* of the model: the size of a page */
	uint64_t device_bytes;
	struct sharemap *map;
	int log_fd; /* a line an operation; -1 = none */
	unsigned int dir_of[SHAREMAP_AGS];
	struct clonetree_file {
		pthread_mutex_t lock;
		bool there;
	} file[CLONETREE_FILES];
};

/*
 * Makes the directories in the directory measured, no file yet.  ags of
 * ag_bytes, at most SHAREMAP_AGS; log = a file's name or NULL.  Never fails.
 */
void clonetree_init(struct clonetree *t, unsigned int files,
		    unsigned int blocks, unsigned int ags, uint64_t ag_bytes,
		    const char *log);

/* Opens a file; -1 with errno. */
int clonetree_open(const struct clonetree *t, unsigned int file, int flags);

/*
 * One operation at random, of the worker's stream, with its files locked; a
 * file that is not there is written first.  False after a finding: a call
 * failed as none may, and the model no longer holds.
 */
bool clonetree_step(struct clonetree *t, struct worker *w);

#endif
