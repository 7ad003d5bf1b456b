// SPDX-License-Identifier: GPL-2.0
/*
 * The extent map of a file: see extents.h.
 */
#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include "extents.h"

#define CALL_BYTES               \
	(sizeof(struct fiemap) + \
	 EXTENTS_CALL_MAX * sizeof(struct fiemap_extent))

int extents_read(int fd, unsigned int per_call, struct extents *x)
{
	uint64_t buf[CALL_BYTES / 8], start = 0;
	struct fiemap *map = (void *)buf;
	const struct fiemap_extent *last;

	x->n = 0;
	do {
		memset(buf, 0, sizeof(buf));
		map->fm_start = start;
		map->fm_length = FIEMAP_MAX_OFFSET - start;
		map->fm_extent_count = per_call;
		if (ioctl(fd, FS_IOC_FIEMAP, map))
			return -1;
		errno = E2BIG;
		if (map->fm_mapped_extents > per_call ||
		    x->n + map->fm_mapped_extents > EXTENTS_MAX)
			return -1;
		if (!map->fm_mapped_extents)
			break;
		memcpy(x->e + x->n, map->fm_extents,
		       map->fm_mapped_extents * sizeof(x->e[0]));
		x->n += map->fm_mapped_extents;
		last = &x->e[x->n - 1];
		if (last->fe_logical + last->fe_length <= start)
			break; /* goes nowhere: extents_fault says why */
		start = last->fe_logical + last->fe_length;
	} while (map->fm_mapped_extents == per_call &&
		 !(last->fe_flags & FIEMAP_EXTENT_LAST));
	/* A call that was not filled saw the end of the file. */
	x->saw_end = map->fm_mapped_extents &&
		     map->fm_mapped_extents < per_call;
	return 0;
}

const char *extents_fault(const struct extents *x, uint64_t file_bytes,
			  uint64_t device_bytes, unsigned int *which)
{
	uint64_t end = 0;
	unsigned int i;

	for (i = 0; i < x->n; i++) {
		const struct fiemap_extent *e = &x->e[i];

		*which = i;
		if (e->fe_logical < end)
			return "is not behind the one before";
		if (!e->fe_length)
			return "has no length";
		if (e->fe_length > file_bytes ||
		    e->fe_logical > file_bytes - e->fe_length)
			return "is out of the file";
		if (!(e->fe_flags & FIEMAP_EXTENT_UNKNOWN) &&
		    (e->fe_length > device_bytes ||
		     e->fe_physical > device_bytes - e->fe_length))
			return "is out of the device";
		if (i + 1 < x->n && e->fe_flags & FIEMAP_EXTENT_LAST)
			return "says that it is the last, but is not";
		if (i + 1 == x->n && x->saw_end &&
		    !(e->fe_flags & FIEMAP_EXTENT_LAST))
			return "is the last, but does not say so";
		end = e->fe_logical + e->fe_length;
	}
	return NULL;
}
