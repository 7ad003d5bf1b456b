// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system whose readers do not lock,
 * GUARD_FAULT:
 *
 * tear		atomic_read: a read is two, with a moment in between
 * old		atomic_read: now and then a read gets what one before it got
 * unlocked	freed_read: a direct read looks up its extents, waits a moment,
 *		and reads these blocks of the device, whosever they are by then
 */
#include <sched.h>
#include <time.h>
#include "layer.h"

#define EVERY 10

/* Long enough for a write of another thread to come in between. */
static void let_others(long ms)
{
	struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

static ssize_t tear(int fd, char *buf, size_t len, off_t at)
{
	size_t half = len / 2;

	layer_must(layer_pread(fd, buf, half, at) == (ssize_t)half);
	let_others(2);
	layer_must(layer_pread(fd, buf + half, len - half, at + (off_t)half) ==
		   (ssize_t)(len - half));
	return (ssize_t)len;
}

static ssize_t repeat(int fd, char *buf, size_t len, off_t at)
{
	static __thread char *before;
	static __thread unsigned int n;

	if (!before)
		before = malloc(len);
	layer_must(before);
	if (++n % EVERY == 0) {
		memcpy(buf, before, len);
		return (ssize_t)len;
	}
	layer_must(layer_pread(fd, buf, len, at) == (ssize_t)len);
	if (n % EVERY == 1)
		memcpy(before, buf, len);
	return (ssize_t)len;
}

/* The whole extent from at on, as far as it is within len. */
static void read_device(int device, char *buf, off_t at, size_t len,
			const struct fiemap_extent *e)
{
	uint64_t from = e->fe_logical, to = from + e->fe_length;
	uint64_t begin = (uint64_t)at, end = begin + len;

	from = from > begin ? from : begin;
	to = to < end ? to : end;
	if (from < to && layer_on_device(e))
		layer_must(layer_pread(device, buf + (from - begin), to - from,
				       (off_t)(e->fe_physical + from -
					       e->fe_logical)) ==
			   (ssize_t)(to - from));
}

static ssize_t unlocked(int fd, char *buf, size_t len, off_t at)
{
	static int device;
	struct fiemap_extent e[64];
	off_t size = layer_size(fd), from = at;
	unsigned int n = 0, i;

	if (!device)
		device = layer_device(fd);
	while (n < 64 && from < at + (off_t)len &&
	       layer_extent(fd, from, &e[n]) &&
	       (off_t)e[n].fe_logical < at + (off_t)len) {
		from = (off_t)(e[n].fe_logical + e[n].fe_length);
		n++;
	}
	let_others(30);
	memset(buf, 0, len); /* holes */
	for (i = 0; i < n; i++)
		read_device(device, buf, at, len, &e[i]);
	if (size <= at)
		return 0;
	return size - at < (off_t)len ? size - at : (off_t)len;
}

ssize_t pread(int fd, void *buf, size_t len, off_t at)
{
	if (layer_breaks("atomic_read", "tear"))
		return tear(fd, buf, len, at);
	if (layer_breaks("atomic_read", "old"))
		return repeat(fd, buf, len, at);
	if (layer_breaks("freed_read", "unlocked"))
		return unlocked(fd, buf, len, at);
	return layer_pread(fd, buf, len, at);
}
