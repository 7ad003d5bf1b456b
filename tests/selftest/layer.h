/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the layers of the self-tests, libraries between a guard's helper and the
 * kernel: which rule to break, and what they need beside the call they change.
 */
#ifndef FSRATIO_LAYER_H
#define FSRATIO_LAYER_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LAYER_BLOCK 4096

/* GUARD_FAULT in this program alone: check and its tools load a layer, too. */
static inline bool layer_breaks(const char *program, const char *fault)
{
	const char *asked = getenv("GUARD_FAULT");

	return asked && !strcmp(asked, fault) &&
	       !strcmp(program_invocation_short_name, program);
}

/* A layer that cannot do its work makes its test fail, by a broken helper. */
static inline void layer_must(bool done)
{
	if (!done)
		abort();
}

/* The path of an open file; true where its name begins like this. */
static inline bool layer_is(int fd, const char *name, char path[PATH_MAX])
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, PATH_MAX - 1);
	layer_must(len > 0);
	path[len] = 0;
	return !strncmp(strrchr(path, '/') + 1, name, strlen(name));
}

static inline ssize_t layer_pread(int fd, void *buf, size_t len, off_t at)
{
	return syscall(SYS_pread64, fd, buf, len, at);
}

static inline ssize_t layer_pwrite(int fd, const void *buf, size_t len,
				   off_t at)
{
	return syscall(SYS_pwrite64, fd, buf, len, at);
}

static inline off_t layer_size(int fd)
{
	struct stat st;

	layer_must(!fstat(fd, &st));
	return st.st_size;
}

/* The block device below a file, for direct I/O beside the file system. */
static inline int layer_device(int fd)
{
	char link[64], path[PATH_MAX] = "", dev[PATH_MAX];
	struct stat st;
	int device;

	layer_must(!fstat(fd, &st));
	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(st.st_dev),
		 minor(st.st_dev));
	layer_must(readlink(link, path, sizeof(path) - 1) > 0);
	snprintf(dev, sizeof(dev), "/dev%s", strrchr(path, '/'));
	device = open(dev, O_RDWR | O_DIRECT | O_CLOEXEC);
	layer_must(device >= 0);
	return device;
}

/*
 * The extent of a file that holds the byte at an offset, or the next one behind
 * it; false = there is none.
 */
static inline bool layer_extent(int fd, off_t at, struct fiemap_extent *e)
{
	uint64_t buf[(sizeof(struct fiemap) + sizeof(*e)) / 8];
	struct fiemap *map = (void *)buf;

	memset(buf, 0, sizeof(buf));
	map->fm_start = (uint64_t)at;
	map->fm_length = FIEMAP_MAX_OFFSET - map->fm_start;
	map->fm_extent_count = 1;
	layer_must(!syscall(SYS_ioctl, fd, FS_IOC_FIEMAP, map));
	*e = map->fm_extents[0];
	return map->fm_mapped_extents;
}

/* Whether an extent is on the device, and not read as zeros. */
static inline bool layer_on_device(const struct fiemap_extent *e)
{
	return !(e->fe_flags &
		 (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_UNWRITTEN));
}

#endif
