// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system between fiemap_guard and the
 * kernel that breaks one rule of FIEMAP or of reflink, GUARD_FAULT:
 *
 * drop		no extent is shared: no lookup
 * inode	all extents are shared once one of the file was: the inode's
 * flag stale	a block is shared or not as it was when it was first asked for
 * funshare	FALLOC_FL_UNSHARE_RANGE does nothing
 * keep		a file that is unlinked keeps its blocks
 * remap	a clone copies: its blocks are its own
 * overlap	an extent begins in the middle of the one before
 * range	an extent lies behind the end of the file
 * device	an extent lies behind the end of the device
 * last		the last extent does not say so
 * errno	now and then FIEMAP fails with EIO
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCKS (1u << 20) /* of 4 KiB that the device may have */
#define INODES (1u << 20)
#define MALFORMED_EVERY 1000 /* maps of several extents */

static atomic_char answer[BLOCKS]; /* of a block, the first; + 1 */
static atomic_bool was_shared[INODES]; /* by a hash of the inode number */
static atomic_uint maps;

/* Only in the guard itself, though check and its tools load this, too. */
static bool broken(const char *fault)
{
	const char *asked = getenv("GUARD_FAULT");

	return asked && !strcmp(asked, fault) &&
	       !strcmp(program_invocation_short_name, "fiemap_guard");
}

static void from_inode(int fd, struct fiemap *map)
{
	struct stat st;
	uint32_t i;

	if (fstat(fd, &st))
		abort();
	for (i = 0; i < map->fm_mapped_extents; i++)
		if (map->fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED)
			was_shared[st.st_ino % INODES] = true;
	for (i = 0;
	     was_shared[st.st_ino % INODES] && i < map->fm_mapped_extents; i++)
		map->fm_extents[i].fe_flags |= FIEMAP_EXTENT_SHARED;
}

static void from_cache(struct fiemap_extent *e)
{
	atomic_char *first = &answer[e->fe_physical / 4096 % BLOCKS];
	char unknown = 0, now = 1 + !!(e->fe_flags & FIEMAP_EXTENT_SHARED);

	atomic_compare_exchange_strong(first, &unknown, now);
	e->fe_flags &= ~(uint32_t)FIEMAP_EXTENT_SHARED;
	if (*first == 2)
		e->fe_flags |= FIEMAP_EXTENT_SHARED;
}

/* Changes an answer of the kernel. */
static int change(int fd, struct fiemap *map)
{
	struct fiemap_extent *e = map->fm_extents;
	uint32_t i, n = map->fm_mapped_extents;

	if (broken("inode"))
		from_inode(fd, map);
	for (i = 0; i < n; i++) {
		if (broken("drop"))
			e[i].fe_flags &= ~(uint32_t)FIEMAP_EXTENT_SHARED;
		if (broken("stale"))
			from_cache(&e[i]);
	}
	if (n < 2 || (maps++ + 1) % MALFORMED_EVERY)
		return 0;
	if (broken("overlap"))
		e[1].fe_logical = e[0].fe_logical + e[0].fe_length / 2;
	if (broken("range"))
		e[n - 1].fe_logical += 1u << 30;
	if (broken("device"))
		e[n - 1].fe_physical += UINT64_C(1) << 40;
	if (broken("last") && n < map->fm_extent_count)
		e[n - 1].fe_flags &= ~(uint32_t)FIEMAP_EXTENT_LAST;
	errno = EIO;
	return broken("errno") ? -1 : 0;
}

/* What FICLONERANGE does not do. */
static int copy(int to, const struct file_clone_range *r)
{
	off_t in = (off_t)r->src_offset, out = (off_t)r->dest_offset;
	char *buf = malloc(r->src_length);
	int ret = -1;

	if (buf &&
	    pread((int)r->src_fd, buf, r->src_length, in) ==
		    (ssize_t)r->src_length &&
	    pwrite(to, buf, r->src_length, out) == (ssize_t)r->src_length)
		ret = 0;
	free(buf);
	return ret;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;
	int ret;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == FICLONERANGE && broken("remap"))
		return copy(fd, arg);
	ret = (int)syscall(SYS_ioctl, fd, request, arg);
	return ret || request != FS_IOC_FIEMAP ? ret : change(fd, arg);
}

int fallocate(int fd, int mode, off_t at, off_t bytes)
{
	if (mode == FALLOC_FL_UNSHARE_RANGE && broken("funshare"))
		return 0;
	return (int)syscall(SYS_fallocate, fd, mode, at, bytes);
}

int unlink(const char *path)
{
	if (broken("keep") && open(path, O_RDONLY | O_CLOEXEC) < 0)
		return -1;
	return (int)syscall(SYS_unlink, path);
}
