// SPDX-License-Identifier: GPL-2.0
/*
 * freed_read: direct reads of DIR/own, whose blocks are freed by hole punching
 * or by truncate, and are taken by DIR/other at once, since hardly any others
 * are free.  Worker 0 changes the one file, 1 the other, and all others read
 * and check own, see partfile.h.  Prints findings.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "partfile.h"

#define CHUNK_MAX ((uint64_t)1 << 30)
/* Left free: half of what both files may have. */
#define ROOM_BYTES (PARTFILE_PARTS * PARTFILE_PART)

static bool by_truncate;
static struct partfile own, other;

static void freed_op(struct worker *w, uint64_t index)
{
	uint64_t number = bench_rand(&w->rand);

	(void)index;
	if (w->id == 0)
		partfile_change(&own, (unsigned int)(number % PARTFILE_PARTS),
				by_truncate);
	else if (w->id == 1)
		partfile_change(&other, (unsigned int)(number % PARTFILE_PARTS),
				false);
	else
		partfile_read(&own,
			      (unsigned int)(number % (PARTFILE_PARTS -
						       PARTFILE_READ + 1)),
			      w->priv);
}

static void freed_worker_setup(struct worker *w)
{
	w->priv = bench_shared((size_t)PARTFILE_READ * PARTFILE_PART);
}

/* Allocates nearly all that is free, then gives back the room. */
static void fill(void)
{
	int room = bench_open(O_WRONLY | O_CREAT | O_TRUNC, "%s/room",
			      bench_config.dir);
	int rest = bench_open(O_WRONLY | O_CREAT | O_TRUNC, "%s/rest",
			      bench_config.dir);
	uint64_t chunk = CHUNK_MAX, end = 0;

	if (fallocate(room, 0, 0, ROOM_BYTES)) {
		if (errno == EOPNOTSUPP)
			bench_skip("%s: no fallocate here", bench_config.dir);
		bench_die("fallocate room");
	}
	while (chunk >= PARTFILE_PART) {
		if (!fallocate(rest, 0, (off_t)end, (off_t)chunk))
			end += chunk;
		else if (errno == ENOSPC)
			chunk /= 2;
		else
			bench_die("fallocate rest");
	}
	if (close(rest) || ftruncate(room, 0) || fsync(room) || close(room))
		bench_die("close room");
}

static void freed_setup(void)
{
	if (bench_config.threads < 3 || bench_config.processes)
		bench_usage("expected --threads 3 or more, no --processes");
	fill();
	partfile_make(&own, "own", 1);
	partfile_make(&other, "other", 2);
}

static void freed_finish(void)
{
	fprintf(stderr, "%u and %u writes, no space for %u and %u\n",
		own.writes, other.writes, own.no_space, other.no_space);
	if (!own.writes || !other.writes)
		bench_broken("premise: no space for own or other at all");
	if (close(own.fd) || close(other.fd))
		bench_die("close");
}

static const struct bench_option options[] = {
	OPT_FLAG("truncate", &by_truncate, "own is truncated, not punched"),
	OPT_END
};

static const struct bench freed_read = {
	.name = "freed_read",
	.desc = "direct reads of blocks that are freed and taken by another",
	.args = "DIR",
	.modes = BENCH_DURATION,
	.options = options,
	.setup = freed_setup,
	.worker_setup = freed_worker_setup,
	.op = freed_op,
	.finish = freed_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&freed_read, argc, argv);
}
