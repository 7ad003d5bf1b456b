// SPDX-License-Identifier: GPL-2.0
/*
 * unlink_loop: what a shell script with temporary files does to a file system.
 *
 * An operation is one loop: four small files are created, written, read and
 * unlinked, all workers in one directory or each in its own.
 *
 * --hold and --aio-dsync make waits that come with no contention: a burst of
 * last closes of unlinked files, which fills a queue of deferred inactivation,
 * and a write of the first file whose end a kworker waits for.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "bench.h"
#include "dsync.h"
#include "held.h"
#include "xfsag.h"

#define FILES 4 /* a loop */
#define BYTES 1024 /* a file */

static const char *const names[FILES] = { "sort", "od", "grep", "wc" };
static unsigned int own;
static uint64_t hold, ags;
static bool aio_dsync;
static unsigned int dir_of[BENCH_THREADS_MAX]; /* of each worker */
static char data[BYTES];

struct loop {
	char path[FILES][PATH_MAX];
	struct dsync *dsync; /* NULL = plain writes */
	struct held *held; /* descriptors of files; NULL = none */
	int fd[FILES]; /* those of this loop */
};

static void make_file(struct loop *l, int i)
{
	int fd;

	if (l->dsync && !i) {
		fd = dsync_create(l->dsync, l->path[i]);
	} else {
		fd = bench_open(O_CREAT | O_EXCL | O_WRONLY, "%s", l->path[i]);
		if (write(fd, data, BYTES) != BYTES)
			bench_die("write %s", l->path[i]);
	}
	l->fd[i] = fd;
	if (!l->held && close(fd))
		bench_die("close %s", l->path[i]);
}

static void loop_op(struct worker *w, uint64_t index)
{
	struct loop *l = w->priv;
	char buf[BYTES];
	int i, fd;

	(void)index;
	for (i = 0; i < FILES; i++)
		make_file(l, i);
	for (i = 0; i < FILES; i++) {
		fd = bench_open(O_RDONLY, "%s", l->path[i]);
		if (read(fd, buf, BYTES) != BYTES || close(fd))
			bench_die("read %s", l->path[i]);
	}
	for (i = 0; i < FILES; i++)
		if (unlink(l->path[i]))
			bench_die("unlink %s", l->path[i]);
	for (i = 0; l->held && i < FILES; i++)
		held_add(l->held, l->fd[i]);
}

static void loop_worker_setup(struct worker *w)
{
	struct loop *l = calloc(1, sizeof(*l));
	int i;

	if (!l)
		bench_die("memory of worker %u", w->id);
	l->held = hold ? held_start(hold) : NULL;
	l->dsync = aio_dsync ? dsync_start() : NULL;
	for (i = 0; i < FILES; i++)
		snprintf(l->path[i], PATH_MAX, "%s/d%05u/%s.%u",
			 bench_config.dir, dir_of[w->id], names[i], w->id);
	w->priv = l;
}

static void loop_worker_teardown(struct worker *w)
{
	struct loop *l = w->priv;

	if (l->held)
		held_end(l->held);
	if (l->dsync)
		dsync_end(l->dsync);
	free(l);
}

static void loop_setup(void)
{
	unsigned int i;

	if (own) {
		ags = xfsag_make_dirs(bench_config.dir, bench_config.threads,
				      ags, dir_of);
		return;
	}
	if (ags)
		bench_usage("--ags, expected --dirs own with it");
	ags = xfsag_make_dirs(bench_config.dir, 1, 0, dir_of);
	for (i = 1; i < bench_config.threads; i++)
		dir_of[i] = dir_of[0];
}

static void loop_report(struct record *r, const struct worker *w,
			unsigned int n)
{
	(void)w, (void)n;
	bench_put_str(r, "dirs", own ? "own" : "shared");
	bench_put_u64(r, "ags", ags);
}

static const struct bench_option options[] = {
	OPT_CHOICE("dirs", "shared|own", &own, "of the workers (shared)"),
	OPT_U64("ags", "N", &ags, 1, UINT32_MAX, "own ones on N AGs (all)"),
	OPT_U64("hold", "N", &hold, 1, 65536, "last closes, N at once"),
	OPT_FLAG("aio-dsync", &aio_dsync, "sort by a write that kworkers end"),
	OPT_END
};

static const struct bench unlink_loop = {
	.name = "unlink_loop",
	.desc = "create, write, read and unlink small files in a loop",
	.args = "DIR",
	.modes = BENCH_OPS | BENCH_DURATION,
	.options = options,
	.setup = loop_setup,
	.worker_setup = loop_worker_setup,
	.worker_teardown = loop_worker_teardown,
	.op = loop_op,
	.report = loop_report,
};

int main(int argc, char **argv)
{
	return bench_main(&unlink_loop, argc, argv);
}
