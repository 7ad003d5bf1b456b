/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which file system a directory lies on, and what its block device and XFS
 * itself counted: /sys/dev/block/M:N/stat and /sys/fs/xfs/NAME/stats/stats.
 */
#ifndef FSRATIO_BLKSTAT_H
#define FSRATIO_BLKSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include "record.h"

#define BLKSTAT_KEYS_MAX 32

/* A mounted file system; all zero, fs "none", where no directory was given. */
struct blkstat_fs {
	char fs[32]; /* type: xfs, btrfs ... */
	unsigned int major, minor; /* of the device the mount was made from */
	char name[64]; /* the kernel's name of it, "" where it is no device */
};

/* Counters at one moment; missing where value is unknown. */
struct blkstat {
	uint64_t value[BLKSTAT_KEYS_MAX];
	bool known[BLKSTAT_KEYS_MAX];
};

/*
 * Finds the file system that holds path, by the mount, not by stat: btrfs
 * answers stat with an anonymous device.  0, or -1 with errno.
 */
int blkstat_find(const char *path, struct blkstat_fs *out);

/* The number of the mount an open file is on; 0 on a kernel before 5.8. */
uint64_t blkstat_mount(int fd);

/* The same type and device?  (Checked before and after every run.) */
bool blkstat_same(const struct blkstat_fs *a, const struct blkstat_fs *b);

/*
 * Reads all counters that fs has.  why (static text, NULL = nothing to say)
 * tells what a block device does not count.  0, or -1 with errno.
 */
int blkstat_read(const struct blkstat_fs *fs, struct blkstat *out,
		 const char **why);

/* Adds the differences to a record: read_ios ... flush_ios, xfs_*. */
int blkstat_record(struct record *r, const struct blkstat *before,
		   const struct blkstat *after);

#endif
