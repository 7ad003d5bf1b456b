/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which file system a directory lies on, and which device is under it.
 */
#ifndef FSRATIO_FSDEV_H
#define FSRATIO_FSDEV_H

#include <stdbool.h>
#include <stdint.h>

struct fsdev {
	char fs[32]; /* type: xfs, btrfs ...; none where there is no path */
	unsigned int major, minor; /* of the device the mount was made from */
	char name[64]; /* the kernel's name of it, "" where it is no device */
};

/*
 * Finds the file system that holds path, by the mount, not by stat: btrfs
 * answers stat with an anonymous device.  0, or -1 with errno.
 */
int fsdev_find(const char *path, struct fsdev *out);

/* The same type and device?  (Checked before and after every run.) */
bool fsdev_same(const struct fsdev *a, const struct fsdev *b);

/* The number of the mount an open file is on; 0 on a kernel before 5.8. */
uint64_t fsdev_mount(int fd);

#endif
