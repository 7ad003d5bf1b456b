// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system that mixes up the ranges of
 * range_pattern, now and then, GUARD_FAULT:
 *
 * write	an append goes to the reader's range, too
 * punch	a hole is made in the reader's range
 * read		a read gets what another range has
 * late		an append is there when the next one is made
 */
#include <linux/falloc.h>
#include <stdatomic.h>
#include "layer.h"

#define GUARD "range_pattern"
#define EVERY 100
#define OFTEN 4
#define SETUP_WRITES 64
#define OTHER_RANGE (4 << 20)

static atomic_uint reads, writes, punches;
static char held[128 << 10] __attribute__((aligned(LAYER_BLOCK)));
static off_t held_at;

ssize_t pwrite(int fd, const void *buf, size_t len, off_t at)
{
	unsigned int n = ++writes;

	if (held_at)
		layer_must(layer_pwrite(fd, held, len, held_at) ==
			   (ssize_t)len);
	held_at = 0;
	if (n > SETUP_WRITES && n % EVERY == 0) {
		if (layer_breaks(GUARD, "write"))
			layer_must(layer_pwrite(fd, buf, len, 1 << 20) ==
				   (ssize_t)len);
	}
	if (n > SETUP_WRITES && n % OFTEN == 0 && layer_breaks(GUARD, "late")) {
		layer_must(len <= sizeof(held));
		memcpy(held, buf, len);
		held_at = at;
		return (ssize_t)len;
	}
	return layer_pwrite(fd, buf, len, at);
}

ssize_t pread(int fd, void *buf, size_t len, off_t at)
{
	if (++reads % EVERY == 0 && layer_breaks(GUARD, "read"))
		at ^= OTHER_RANGE;
	return layer_pread(fd, buf, len, at);
}

int fallocate(int fd, int mode, off_t at, off_t len)
{
	if (mode & FALLOC_FL_PUNCH_HOLE && ++punches % EVERY == 0 &&
	    layer_breaks(GUARD, "punch"))
		at -= OTHER_RANGE;
	return (int)syscall(SYS_fallocate, fd, mode, at, len);
}
