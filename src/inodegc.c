// SPDX-License-Identifier: GPL-2.0
/*
 * The background work of XFS on unlinked inodes: see inodegc.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "bench.h"
#include "inodegc.h"

/* struct xfs_fs_eofblocks of xfs_fs.h. */
struct eofblocks {
	uint32_t version, flags, uid, gid, prid, pad32;
	uint64_t min_file_size, pad64[12];
};
#define FREE_EOFBLOCKS _IOR('X', 58, struct eofblocks)
#define EOF_VERSION 1
#define EOF_SYNC 1u /* wait for inodes that are busy */

void inodegc_flush(void)
{
	struct eofblocks request = { .version = EOF_VERSION,
				     .flags = EOF_SYNC };
	int fd = bench_open(O_RDONLY | O_DIRECTORY, "%s", bench_config.dir);

	if (ioctl(fd, FREE_EOFBLOCKS, &request)) {
		if (errno == ENOTTY || errno == EOPNOTSUPP)
			bench_skip(
				"XFS_IOC_FREE_EOFBLOCKS: not supported here");
		bench_die("XFS_IOC_FREE_EOFBLOCKS");
	}
	close(fd);
}
