// SPDX-License-Identifier: GPL-2.0
/*
 * shell1_loop: the work of UnixBench's "Shell Scripts (1 concurrent)".
 *
 * An operation is what its script does once, by fork and exec as in a shell:
 *
 *	sort <sort.src >sort.ID
 *	od sort.ID | sort -n -k 1 >od.ID
 *	grep the sort.ID | tee grep.ID | wc >wc.ID
 *	rm sort.ID grep.ID od.ID wc.ID
 *
 * All workers are in one directory, as the copies of the benchmark are.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "bench.h"
#include "fifo.h"
#include "pipeline.h"

#define LINES 32 /* of sort.src */
#define WRITE (O_WRONLY | O_CREAT | O_TRUNC)

static char source[PATH_MAX];
static bool serialise;
static struct fifo *one; /* --serialise: round a loop */

struct copy {
	struct pipeline run;
	char sort[PATH_MAX], od[PATH_MAX], grep[PATH_MAX], wc[PATH_MAX];
};

static void shell1_op(struct worker *w, uint64_t index)
{
	struct copy *c = w->priv;
	struct pipeline *run = &c->run;
	int p[2], q[2];

	(void)index;
	if (one)
		fifo_lock(one);
	PIPELINE_START(run, bench_open(O_RDONLY, "%s", source),
		       bench_open(WRITE, "%s", c->sort), "sort");
	pipeline_wait(run);
	pipeline_pipe(p);
	PIPELINE_START(run, -1, p[1], "od", c->sort);
	PIPELINE_START(run, p[0], bench_open(WRITE, "%s", c->od), "sort", "-n",
		       "-k", "1");
	pipeline_wait(run);
	pipeline_pipe(p);
	pipeline_pipe(q);
	PIPELINE_START(run, -1, p[1], "grep", "the", c->sort);
	PIPELINE_START(run, p[0], q[1], "tee", c->grep);
	PIPELINE_START(run, q[0], bench_open(WRITE, "%s", c->wc), "wc");
	pipeline_wait(run);
	PIPELINE_START(run, -1, -1, "rm", c->sort, c->grep, c->od, c->wc);
	pipeline_wait(run);
	if (one)
		fifo_unlock(one);
}

static void shell1_worker_setup(struct worker *w)
{
	const char *dir = bench_config.dir;
	struct copy *c = calloc(1, sizeof(*c));

	if (!c)
		bench_die("memory of worker %u", w->id);
	snprintf(c->sort, PATH_MAX, "%s/sort.%u", dir, w->id);
	snprintf(c->od, PATH_MAX, "%s/od.%u", dir, w->id);
	snprintf(c->grep, PATH_MAX, "%s/grep.%u", dir, w->id);
	snprintf(c->wc, PATH_MAX, "%s/wc.%u", dir, w->id);
	w->priv = c;
}

static void shell1_worker_teardown(struct worker *w)
{
	free(w->priv);
}

/* sort.src: lines in no order, half of them with "the". */
static void shell1_setup(void)
{
	unsigned int i;
	int fd;

	snprintf(source, PATH_MAX, "%s/sort.src", bench_config.dir);
	if (setenv("LC_ALL", "C", 1))
		bench_die("setenv");
	fd = bench_open(WRITE, "%s", source);
	for (i = 0; i < LINES; i++)
		if (dprintf(fd, "%016llx %s line of a small file\n",
			    (unsigned long long)bench_mix(i),
			    i % 2 ? "the" : "an ") < 0)
			bench_die("write %s", source);
	if (close(fd))
		bench_die("close %s", source);
	one = serialise ? bench_shared(sizeof(*one)) : NULL;
}

static const struct bench_option options[] = {
	OPT_FLAG("serialise", &serialise, "one lock round the loop"), OPT_END
};

static const struct bench shell1_loop = {
	.name = "shell1_loop",
	.desc = "fork and exec sort, od, grep, tee, wc and rm on small files",
	.args = "DIR",
	.modes = BENCH_OPS | BENCH_DURATION,
	.options = options,
	.setup = shell1_setup,
	.worker_setup = shell1_worker_setup,
	.worker_teardown = shell1_worker_teardown,
	.op = shell1_op,
};

int main(int argc, char **argv)
{
	return bench_main(&shell1_loop, argc, argv);
}
