// SPDX-License-Identifier: GPL-2.0
/*
 * A layer with the faults that fsx is there to find, for LD_PRELOAD: what
 * FSX_FAULT names goes wrong in a third of the calls, on the real file.  Which
 * third depends on what a call is given alone, so that a replay meets the same.
 * It acts in the program fsx alone.
 *
 *	stale_tail	what a truncate cut off is back when the file grows
 *	lost_punch	a hole is not made
 *	wrong_clone	a clone is of the block before
 *	short_copy	half is copied, all is said to be
 *	lost_mmap	what is written by a shared mapping never arrives
 *	no_eof_zero	a page's bytes behind EOF are no zeroes when the file
 *grows
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static char stale[1 << 20]; /* what the last truncate cut off */
static off_t stale_at, stale_bytes;

static bool acts(void)
{
	return !strcmp(program_invocation_short_name, "fsx");
}

static bool faulty(const char *fault, uint64_t a, uint64_t b)
{
	const char *wanted = getenv("FSX_FAULT");

	if (!wanted || strcmp(wanted, fault) || !acts())
		return false;
	a = (a + b * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
	return (a >> 40) % 3 == 0;
}

__attribute__((noreturn)) static void give_up(const char *what)
{
	fprintf(stderr, "fsx_faults: %s: %s\n", what, strerror(errno));
	_exit(1);
}

/* The same file without direct I/O */
static int open_again(int fd)
{
	char path[64];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR | O_CLOEXEC);
	if (again < 0)
		give_up(path);
	return again;
}

static off_t size_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		give_up("fstat");
	return st.st_size;
}

static void put(int fd, const char *bytes, off_t at, off_t end)
{
	int again;

	if (at >= end)
		return;
	again = open_again(fd);
	if (REAL(pwrite)(again, bytes, (size_t)(end - at), at) != end - at)
		give_up("pwrite");
	close(again);
}

static void cut(int fd, off_t from, off_t to)
{
	int again = open_again(fd);
	ssize_t n;

	if (to - from > (off_t)sizeof(stale))
		to = from + (off_t)sizeof(stale);
	n = pread(again, stale, (size_t)(to - from), from);
	if (n < 0)
		give_up("pread");
	stale_at = from;
	stale_bytes = n;
	close(again);
}

/* The file grew: [from, to) are to read as zeroes. */
static void grown(int fd, off_t from, off_t to)
{
	char garbage[PAGE];
	off_t page_end = (from + PAGE - 1) / PAGE * PAGE;

	if (to <= from)
		return;
	if (faulty("stale_tail", (uint64_t)from, 0) && stale_at == from)
		put(fd, stale, from,
		    to - from < stale_bytes ? to : from + stale_bytes);
	memset(garbage, 0xbd, sizeof(garbage));
	if (faulty("no_eof_zero", (uint64_t)from, 0))
		put(fd, garbage, from, to < page_end ? to : page_end);
}

int ftruncate(int fd, off_t length)
{
	off_t before;
	int rc;

	if (!acts())
		return REAL(ftruncate)(fd, length);
	before = size_of(fd);
	if (length < before)
		cut(fd, length, before);
	rc = REAL(ftruncate)(fd, length);
	if (!rc)
		grown(fd, before, length);
	return rc;
}

ssize_t pwrite(int fd, const void *buf, size_t bytes, off_t offset)
{
	off_t before = acts() ? size_of(fd) : 0;
	ssize_t rc = REAL(pwrite)(fd, buf, bytes, offset);

	if (rc > 0 && acts())
		grown(fd, before, offset);
	return rc;
}

int fallocate(int fd, int mode, off_t offset, off_t length)
{
	off_t before = acts() ? size_of(fd) : 0;
	int rc;

	if (mode & FALLOC_FL_PUNCH_HOLE &&
	    faulty("lost_punch", (uint64_t)offset, (uint64_t)length))
		return 0;
	rc = REAL(fallocate)(fd, mode, offset, length);
	if (!rc && acts() && (!mode || mode == FALLOC_FL_ZERO_RANGE))
		grown(fd, before, offset + length);
	return rc;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct file_clone_range *r, wrong;
	va_list ap;
	void *arg;

	va_start(ap, request);
	r = arg = va_arg(ap, void *);
	va_end(ap);
	if (request == FICLONERANGE && acts() && r->src_offset >= PAGE &&
	    faulty("wrong_clone", r->src_offset, r->dest_offset)) {
		wrong = *r;
		wrong.src_offset -= PAGE;
		if (!REAL(ioctl)(fd, request, &wrong))
			return 0;
	}
	return REAL(ioctl)(fd, request, arg);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at,
			size_t bytes, unsigned int flags)
{
	size_t done = bytes;
	ssize_t rc;

	if (at && to_at && faulty("short_copy", (uint64_t)*at, bytes))
		done = bytes / 2 / PAGE * PAGE;
	if (done == bytes || !done)
		return REAL(copy_file_range)(from, at, to, to_at, bytes, flags);
	rc = REAL(copy_file_range)(from, at, to, to_at, done, flags);
	// cppcheck-suppress knownConditionTrueFalse ; it is not seen to fail
	if (rc < 0)
		return rc;
	*at += (off64_t)bytes - rc;
	*to_at += (off64_t)bytes - rc;
	if (size_of(to) < *to_at && REAL(ftruncate)(to, *to_at))
		give_up("ftruncate");
	return (ssize_t)bytes;
}

void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	if (flags == MAP_SHARED && prot & PROT_WRITE &&
	    faulty("lost_mmap", bytes, (uint64_t)offset))
		flags = MAP_PRIVATE;
	return REAL(mmap)(addr, bytes, prot, flags, fd, offset);
}
