// SPDX-License-Identifier: GPL-2.0
/*
 * refill: is ENOSPC reported while freed space waits?
 *
 * Threads fill a part of the free space with files, unlink them, and at once
 * write as much again: the space is theirs, whether or not the unlinked inodes
 * were inactivated.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "rounds.h"
#include "space.h"
#include "xfsag.h"

#define WRITE_BYTES ((size_t)1 << 20)
#define FILE_BYTES ((uint64_t)4 << 20)
#define THREADS_MAX 64

static uint64_t percent = 90, rounds = 3, wait_ms = SPACE_WAIT_MS;
static unsigned int dir_of[THREADS_MAX];
static uint64_t share; /* files a thread */
static struct space start;
static struct rounds all;
static atomic_bool over; /* after a finding */

static void path_of(const struct worker *w, uint64_t number, char path[4096])
{
	snprintf(path, 4096, "%s/d%05u/f%llu", bench_config.dir, dir_of[w->id],
		 (unsigned long long)number);
}

/* Writes a file of full size; false after a finding. */
static bool fill(const struct worker *w, uint64_t round, uint64_t number)
{
	const char *what = "open";
	uint64_t at = 0;
	char path[4096];
	int fd;

	path_of(w, number, path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	/* Its size first: nothing is allocated beyond EOF in advance. */
	if (fd >= 0 && !ftruncate(fd, (off_t)FILE_BYTES))
		for (what = "write"; at < FILE_BYTES; at += WRITE_BYTES)
			if (pwrite(fd, w->priv, WRITE_BYTES, (off_t)at) !=
			    (ssize_t)WRITE_BYTES)
				break;
	if (at == FILE_BYTES) {
		what = "fsync";
		if (!fsync(fd) && !close(fd))
			return true;
	}
	if (errno != ENOSPC)
		bench_die("%s %s", what, path);
	if (!round)
		bench_broken("premise: ENOSPC while %llu %% are filled",
			     (unsigned long long)percent);
	finding("file %llu of %llu of thread %u, round %llu: %s at %llu: "
		"success expected, found ENOSPC",
		(unsigned long long)number, (unsigned long long)share, w->id,
		(unsigned long long)round, what, (unsigned long long)at);
	if (fd >= 0 && (close(fd) || unlink(path)))
		bench_die("unlink %s", path);
	return false;
}

static void unlink_all(const struct worker *w, uint64_t n)
{
	char path[4096];

	while (n--) {
		path_of(w, n, path);
		if (unlink(path))
			bench_die("unlink %s", path);
	}
}

/* Round 0 meets no freed space. */
static void refill_op(struct worker *w, uint64_t index)
{
	uint64_t round, made = 0;

	w->priv = malloc(WRITE_BYTES);
	if (!w->priv)
		bench_die("malloc");
	memset(w->priv, 0x5a, WRITE_BYTES);
	for (round = 0; round <= rounds && !atomic_load(&over); round++) {
		unlink_all(w, made);
		for (made = 0; made < share && fill(w, round, made);)
			made++;
		if (made < share)
			atomic_store(&over, true);
		/* All is full before anybody frees again. */
		rounds_meet(&all);
	}
	unlink_all(w, made);
	rounds_meet(&all);
	if (!index)
		space_returns(&start, wait_ms, "after the last unlink");
	free(w->priv);
}

static void refill_setup(void)
{
	uint64_t room;

	if (bench_config.threads > THREADS_MAX || bench_config.processes)
		bench_usage("expected at most %u --threads, no --processes",
			    THREADS_MAX);
	bench_config.ops = bench_config.threads;
	xfsag_make_dirs(bench_config.dir, bench_config.threads, 0, dir_of);
	rounds_init(&all, bench_config.threads);
	space_settled(&start);
	room = start.free_blocks * start.block_bytes / 100 * percent;
	share = room / FILE_BYTES / bench_config.threads;
	if (!share)
		bench_broken("premise: no room for a file a thread");
}

static const struct bench_option options[] = {
	OPT_U64("percent", "N", &percent, 51, 95,
		"of the free space that is filled (90)"),
	OPT_U64("rounds", "N", &rounds, 1, 1000000,
		"how often it is unlinked and filled again (3)"),
	SPACE_WAIT_OPTION(&wait_ms), OPT_END
};

static const struct bench refill = {
	.name = "refill",
	.desc = "fill, unlink and fill again; prints findings",
	.args = "DIR",
	.options = options,
	.setup = refill_setup,
	.op = refill_op,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&refill, argc, argv);
}
