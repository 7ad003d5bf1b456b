// SPDX-License-Identifier: GPL-2.0
/*
 * Unlinked files that are open: see orphans.h.
 */
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "orphans.h"

static int ring[ORPHANS_WORKERS][ORPHANS]; /* -1 = none */

void orphans_init(void)
{
	for (unsigned int i = 0; i < ORPHANS_WORKERS * ORPHANS; i++)
		ring[i / ORPHANS][i % ORPHANS] = -1;
}

int orphans_put(unsigned int worker, uint64_t number, int fd)
{
	int *slot = &ring[worker][number % ORPHANS], old = *slot;

	*slot = fd;
	return old < 0 ? 0 : close(old);
}

/* Counts the file in; false where its data is not what was written. */
static bool look_at(unsigned int worker, int fd, uint64_t block_bytes,
		    uint64_t *blocks)
{
	struct stat st;
	char byte = 0;

	if (fstat(fd, &st))
		bench_die("fstat");
	*blocks += (uint64_t)st.st_blocks * 512 / block_bytes;
	if (!st.st_size) {
		finding("inode %llu, unlinked and open: data expected, found "
			"none",
			(unsigned long long)st.st_ino);
		return false;
	}
	if (pread(fd, &byte, 1, st.st_size - 1) == 1 &&
	    byte == (char)(worker + 1))
		return true;
	finding("inode %llu, unlinked and open: at %lld of %lld: %02x expected, "
		"found %02x",
		(unsigned long long)st.st_ino, (long long)st.st_size - 1,
		(long long)st.st_size, worker + 1, (unsigned char)byte);
	return false;
}

bool orphans_check(const struct space *start)
{
	uint64_t blocks = 0, inodes = 0;
	struct space now;
	bool right = true;

	bench_syncfs(); /* what is delayed counts as used, but is in no file */
	for (unsigned int i = 0; i < ORPHANS_WORKERS * ORPHANS; i++) {
		int fd = ring[i / ORPHANS][i % ORPHANS];

		if (fd < 0)
			continue;
		right &= look_at(i / ORPHANS, fd, start->block_bytes, &blocks);
		inodes++;
	}
	if (!inodes)
		bench_broken("premise: no unlinked file is open");
	space_now(&now);
	if (now.free_blocks + blocks <= start->free_blocks &&
	    now.used_inodes >= start->used_inodes + inodes)
		return right;
	finding("%llu unlinked files of %llu blocks are open: at most %llu free "
		"blocks and at least %llu used inodes expected, found %llu and "
		"%llu",
		(unsigned long long)inodes, (unsigned long long)blocks,
		(unsigned long long)(start->free_blocks - blocks),
		(unsigned long long)(start->used_inodes + inodes),
		(unsigned long long)now.free_blocks,
		(unsigned long long)now.used_inodes);
	return false;
}
