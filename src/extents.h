/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The whole extent map of a file by FS_IOC_FIEMAP, and whether it is
 * well-formed.
 */
#ifndef FSRATIO_EXTENTS_H
#define FSRATIO_EXTENTS_H

#include <linux/fiemap.h>
#include <stdbool.h>
#include <stdint.h>

#define EXTENTS_MAX 1024
#define EXTENTS_CALL_MAX 64

struct extents {
	unsigned int n;
	bool saw_end; /* of the file: the last call had room for more */
	struct fiemap_extent e[EXTENTS_MAX];
};

/*
 * Reads the map of fd, without FIEMAP_FLAG_SYNC, by calls of per_call extents
 * (1 to EXTENTS_CALL_MAX), each from where the one before ended.  0, or -1 with
 * errno; E2BIG is a map of more than EXTENTS_MAX extents.
 */
int extents_read(int fd, unsigned int per_call, struct extents *x);

/*
 * What no map may be, whatever changes the file meanwhile: NULL, or what extent
 * *which is: not after the one before it, of no length, out of the file (whose
 * end is at file_bytes) or out of the device, after one that says it is the
 * last, or the last without saying so.
 */
const char *extents_fault(const struct extents *x, uint64_t file_bytes,
			  uint64_t device_bytes, unsigned int *which);

#endif
