// SPDX-License-Identifier: GPL-2.0
/*
 * The background work of XFS on unlinked inodes: see inodegc.h.
 */
#include <stdint.h>
#include <sys/ioctl.h>
#include "inodegc.h"

/* struct xfs_fs_eofblocks of xfs_fs.h. */
struct eofblocks {
	uint32_t version, flags, uid, gid, prid, pad32;
	uint64_t min_file_size, pad64[12];
};
#define FREE_EOFBLOCKS _IOR('X', 58, struct eofblocks)
#define EOF_VERSION 1
#define EOF_SYNC 1u /* wait for inodes that are busy */

int inodegc_flush(int fd)
{
	struct eofblocks request = { .version = EOF_VERSION,
				     .flags = EOF_SYNC };

	return ioctl(fd, FREE_EOFBLOCKS, &request);
}
