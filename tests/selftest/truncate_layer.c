// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system that cuts clones fast and
 * wrong, GUARD_FAULT:
 *
 * skip		clone_shrink: the rest of the block behind a cut stays
 * extend	clone_shrink: and an extension brings it to light
 * memory	clone_shrink: it is zeroed in memory, and not on the disk
 * shared	clone_shrink: zeroed is the block of the source
 * crash	shrink_crash: an extension's bytes were never zeroed
 * size		shrink_crash: a size that no call asked for
 */
#include <sys/mman.h>
#include "layer.h"

#define STALE 0x5a

/* Bytes from an offset to the end of its block, 0 at the start of one. */
static size_t rest_of(off_t at)
{
	return (size_t)(LAYER_BLOCK - at % LAYER_BLOCK) % LAYER_BLOCK;
}

/* As the page is that nobody zeroed. */
static void leave_behind(int fd, off_t eof)
{
	size_t rest = rest_of(eof), block = LAYER_BLOCK - rest;
	char *p;

	if (!rest)
		return;
	p = mmap(NULL, LAYER_BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 eof - (off_t)block);
	layer_must(p != MAP_FAILED);
	memset(p + block, STALE, rest);
	layer_must(!munmap(p, LAYER_BLOCK));
}

/*
 * What an extension from the offset at has in the block that it begins in.  EIO
 * is that of a file system that is down.
 */
static void write_stale(int fd, off_t at, off_t end)
{
	char stale[LAYER_BLOCK];
	size_t len = rest_of(at);

	if ((off_t)len > end - at)
		len = (size_t)(end - at);
	memset(stale, STALE, sizeof(stale));
	layer_must(layer_pwrite(fd, stale, len, at) == (ssize_t)len ||
		   errno == EIO);
}

static void spoil_source(int fd, off_t at)
{
	char path[PATH_MAX], zeros[LAYER_BLOCK] = "";
	size_t rest = rest_of(at);
	int source;

	layer_must(layer_is(fd, "f", path));
	strcpy(strrchr(path, '/'), "/source");
	source = open(path, O_WRONLY | O_CLOEXEC);
	layer_must(source >= 0 &&
		   layer_pwrite(source, zeros, rest, at) == (ssize_t)rest &&
		   !close(source));
}

/* Below the file system, so that its memory does not have it. */
static void spoil_disk(int fd)
{
	static char block[LAYER_BLOCK] __attribute__((aligned(LAYER_BLOCK)));
	off_t eof = layer_size(fd), begin = eof - eof % LAYER_BLOCK, at;
	struct fiemap_extent e;
	int device;

	if (!rest_of(eof) || !layer_extent(fd, begin, &e) ||
	    !layer_on_device(&e) || e.fe_flags & FIEMAP_EXTENT_SHARED ||
	    (off_t)e.fe_logical > begin)
		return;
	at = (off_t)e.fe_physical + begin - (off_t)e.fe_logical;
	device = layer_device(fd);
	layer_must(layer_pread(device, block, LAYER_BLOCK, at) == LAYER_BLOCK);
	memset(block + eof % LAYER_BLOCK, STALE, rest_of(eof));
	layer_must(layer_pwrite(device, block, LAYER_BLOCK, at) ==
			   LAYER_BLOCK &&
		   !close(device));
}

int fsync(int fd)
{
	char path[PATH_MAX];
	int ret = (int)syscall(SYS_fsync, fd);

	if (!ret && layer_breaks("clone_shrink", "memory") &&
	    layer_is(fd, "f", path))
		spoil_disk(fd);
	return ret;
}

int ftruncate(int fd, off_t size)
{
	struct stat st;
	off_t before;

	/* Not of a file system that is down */
	if (fstat(fd, &st))
		return -1;
	before = st.st_size;
	if (layer_breaks("shrink_crash", "size") && size < before && size > 1)
		size--;
	if (syscall(SYS_ftruncate, fd, size))
		return -1;
	if (size < before && layer_breaks("clone_shrink", "skip"))
		leave_behind(fd, size);
	if (size < before && layer_breaks("clone_shrink", "shared"))
		spoil_source(fd, size);
	if (size > before && (layer_breaks("clone_shrink", "extend") ||
			      layer_breaks("shrink_crash", "crash")))
		write_stale(fd, before, size);
	return 0;
}
