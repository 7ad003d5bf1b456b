// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system that breaks a rule on what is
 * preallocated behind EOF, GUARD_FAULT, in eof_prealloc:
 *
 * kept		the close of a writer frees nothing
 * freed	each close of a reader frees what writers have (XFS before 6.12)
 * lost		now and then the last block of an append is not written
 */
#include <linux/falloc.h>
#include <stdatomic.h>
#include "layer.h"

#define GUARD "eof_prealloc"
#define EVERY 50
#define KEPT_BYTES (1 << 20)

/* As xfs_fs.h of xfsprogs has them. */
struct eof_blocks {
	uint32_t version, flags, uid, gid, prid, pad32;
	uint64_t min_file_size, pad64[12];
};
#define XFS_IOC_FREE_EOFBLOCKS _IOR('X', 58, struct eof_blocks)
#define EOFBLOCKS_VERSION 1
#define EOF_FLAGS_SYNC 1

static atomic_uint writes;

static void allocate_again(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	layer_must(fd >= 0 &&
		   !fallocate(fd, FALLOC_FL_KEEP_SIZE, layer_size(fd),
			      KEPT_BYTES) &&
		   !syscall(SYS_close, fd));
}

static void free_all(int fd)
{
	struct eof_blocks all = { .version = EOFBLOCKS_VERSION,
				  .flags = EOF_FLAGS_SYNC };

	layer_must(!ioctl(fd, XFS_IOC_FREE_EOFBLOCKS, &all));
}

int close(int fd)
{
	bool kept = layer_breaks(GUARD, "kept");
	bool freed = layer_breaks(GUARD, "freed");
	char path[PATH_MAX];
	bool ours, writer;
	int ret;

	if (!kept && !freed)
		return (int)syscall(SYS_close, fd);
	ours = layer_is(fd, "plain.", path) || layer_is(fd, "read.", path);
	writer = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
	if (ours && freed && !writer)
		free_all(fd);
	ret = (int)syscall(SYS_close, fd);
	if (ours && kept && writer)
		allocate_again(path);
	return ret;
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t at)
{
	if (++writes % EVERY || !layer_breaks(GUARD, "lost"))
		return layer_pwrite(fd, buf, len, at);
	layer_must(layer_pwrite(fd, buf, len - LAYER_BLOCK, at) ==
			   (ssize_t)len - LAYER_BLOCK &&
		   (at + (off_t)len <= layer_size(fd) ||
		    !ftruncate(fd, at + (off_t)len)));
	return (ssize_t)len;
}
