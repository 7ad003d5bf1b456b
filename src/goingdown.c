// SPDX-License-Identifier: GPL-2.0
/*
 * XFS_IOC_GOINGDOWN: see goingdown.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "bench.h"
#include "goingdown.h"

/* As xfs_fs.h of xfsprogs has them; ext4 has the same. */
#define XFS_IOC_GOINGDOWN _IOR('X', 125, uint32_t)
#define LOG_FLUSH 1u /* XFS_FSOP_GOING_FLAGS_LOGFLUSH */
#define NO_LOG_FLUSH 2u /* XFS_FSOP_GOING_FLAGS_NOLOGFLUSH */

void goingdown(bool flush_log)
{
	int fd = bench_open(O_RDONLY | O_DIRECTORY, "%s", bench_config.dir);
	uint32_t flags = flush_log ? LOG_FLUSH : NO_LOG_FLUSH;

	if (ioctl(fd, XFS_IOC_GOINGDOWN, &flags)) {
		if (errno == ENOTTY || errno == EOPNOTSUPP)
			bench_skip("%s: no XFS_IOC_GOINGDOWN here",
				   bench_config.dir);
		bench_die("XFS_IOC_GOINGDOWN %s", bench_config.dir);
	}
	close(fd);
}
