// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation groups of XFS: see xfsag.h.  An inode number is the AG, the block
 * in it and the inode in that, each in as many bits as its greatest value needs
 * (XFS_INO_TO_AGNO of the kernel).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "xfsag.h"

#define DIRS_MAX 65536

/* struct xfs_fsop_geom_v1, which every kernel answers; see xfs_fs.h. */
struct geometry {
	uint32_t blocksize, rtextsize, agblocks, agcount, logblocks, sectsize;
	uint32_t inodesize, imaxpct;
	uint64_t datablocks, rtblocks, rtextents, logstart;
	uint8_t uuid[16];
	uint32_t sunit, swidth;
	int32_t version;
	uint32_t flags, logsectsize, rtsectsize, dirblocksize;
};
#define GET_GEOMETRY _IOR('X', 100, struct geometry)

/* The least n with 2^n >= value. */
static unsigned int log2_up(uint64_t value)
{
	unsigned int n = 0;

	while (n < 63 && UINT64_C(1) << n < value)
		n++;
	return n;
}

/* The number of AGs; bits of an inode number below the AG's to *shift. */
static uint64_t count_ags(const char *top, unsigned int *shift)
{
	int fd = bench_open(O_RDONLY | O_DIRECTORY, "%s", top);
	struct geometry g = { .agcount = 1 };
	bool is_xfs = !ioctl(fd, GET_GEOMETRY, &g);

	if (!is_xfs && errno != ENOTTY && errno != EOPNOTSUPP)
		bench_die("XFS_IOC_FSGEOMETRY %s", top);
	close(fd);
	*shift = 63;
	if (is_xfs && g.inodesize)
		*shift = log2_up(g.agblocks) +
			 log2_up(g.blocksize / g.inodesize);
	return g.agcount;
}

uint64_t xfsag_make_dirs(const char *top, uint64_t n, uint64_t ags,
			 unsigned int *dir_of)
{
	uint64_t left = n, count, at, w;
	unsigned int d, shift;
	char path[PATH_MAX];
	struct stat st;

	count = count_ags(top, &shift);
	if (ags > count)
		bench_broken("premise: %llu AGs in %s, expected %llu",
			     (unsigned long long)count, top,
			     (unsigned long long)ags);
	ags = ags ? ags : count;
	/* XFS puts each new directory into the next AG. */
	for (d = 1; left && d < DIRS_MAX; d++) {
		snprintf(path, sizeof(path), "%s/d%05u", top, d);
		bench_mkdir(path);
		if (stat(path, &st))
			bench_die("stat %s", path);
		at = (uint64_t)st.st_ino >> shift;
		for (w = at; w < n && dir_of[w]; w += ags)
			;
		if (at < ags && w < n) {
			dir_of[w] = d;
			left--;
		}
	}
	if (left)
		bench_broken("premise: %llu workers without a directory in %s",
			     (unsigned long long)left, top);
	return ags < n ? ags : n;
}
