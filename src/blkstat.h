/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the block device under a file system and XFS itself count:
 * /sys/dev/block/M:N/stat and /sys/fs/xfs/NAME/stats/stats.
 */
#ifndef FSRATIO_BLKSTAT_H
#define FSRATIO_BLKSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include "fsdev.h"
#include "record.h"

#define BLKSTAT_KEYS_MAX 32

/* Counters at one moment; known[] says which the kernel has. */
struct blkstat {
	uint64_t value[BLKSTAT_KEYS_MAX];
	bool known[BLKSTAT_KEYS_MAX];
};

/*
 * Reads all counters that fs has.  why (static text, NULL = nothing to say)
 * tells what a block device does not count.  0, or -1 with errno.
 */
int blkstat_read(const struct fsdev *fs, struct blkstat *out, const char **why);

/* Adds the differences to a record: read_ios ... flush_ios, xfs_*. */
void blkstat_record(struct record *r, const struct blkstat *before,
		    const struct blkstat *after);

#endif
