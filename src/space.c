// SPDX-License-Identifier: GPL-2.0
/*
 * Free space: see space.h.
 */
#include <stdio.h>
#include <sys/statfs.h>
#include <time.h>
#include "bench.h"
#include "finding.h"
#include "inodegc.h"
#include "space.h"

#define POLL_NS 10000000

void space_now(struct space *s)
{
	struct statfs fs;

	if (statfs(bench_config.dir, &fs))
		bench_die("statfs %s", bench_config.dir);
	s->free_blocks = (uint64_t)fs.f_bfree;
	s->used_inodes = (uint64_t)fs.f_files - (uint64_t)fs.f_ffree;
	s->block_bytes = (uint64_t)fs.f_bsize;
}

void space_settled(struct space *s)
{
	bench_syncfs();
	inodegc_flush();
	space_now(s);
}

bool space_returns(const struct space *start, uint64_t wait_ms,
		   const char *when)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	uint64_t begin_ns = bench_now_ns(), waited_ms;
	struct space now;
	bool right;

	bench_syncfs();
	do {
		space_now(&now);
		right = now.free_blocks == start->free_blocks &&
			now.used_inodes == start->used_inodes;
		waited_ms = (bench_now_ns() - begin_ns) / 1000000;
	} while (!right && waited_ms < wait_ms && !nanosleep(&pause, NULL));
	fprintf(stderr,
		"%s: %llu free blocks, %llu used inodes after %llu ms\n", when,
		(unsigned long long)now.free_blocks,
		(unsigned long long)now.used_inodes,
		(unsigned long long)waited_ms);
	if (!right)
		finding("%s: %llu free blocks and %llu used inodes expected "
			"within %llu ms, found %llu and %llu",
			when, (unsigned long long)start->free_blocks,
			(unsigned long long)start->used_inodes,
			(unsigned long long)wait_ms,
			(unsigned long long)now.free_blocks,
			(unsigned long long)now.used_inodes);
	return right;
}
