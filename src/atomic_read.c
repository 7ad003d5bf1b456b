// SPDX-License-Identifier: GPL-2.0
/*
 * atomic_read: one writer rewrites DIR/range, by one buffered pwrite of all of
 * it each time, and all other workers read it, by one pread.  XFS promises what
 * POSIX says and few others keep: a read is all of one write, of none older
 * than the last that had returned, and of none that had not begun.  Prints
 * findings.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "stamp.h"

static uint64_t bytes = 1 << 20;
static atomic_uint begun, returned; /* generations */
static int fd;

static void write_range(char *buf)
{
	struct stamp s = { .file = 1 };
	ssize_t got;

	s.generation = atomic_load(&begun) + 1;
	if (s.generation == STAMP_GENERATIONS)
		bench_broken("more than %u writes", STAMP_GENERATIONS);
	stamp_fill(buf, bytes, s, 0);
	atomic_store(&begun, s.generation);
	got = pwrite(fd, buf, bytes, 0);
	if (got < 0)
		bench_die("write range");
	if ((uint64_t)got != bytes)
		bench_broken("write range: %zd of %" PRIu64 " bytes done", got,
			     bytes);
	atomic_store(&returned, s.generation);
}

static void read_range(char *buf)
{
	unsigned int oldest = atomic_load(&returned), newest;
	struct stamp s;
	char expected[64];
	ssize_t got;
	size_t i;

	got = pread(fd, buf, bytes, 0);
	newest = atomic_load(&begun);
	if (got < 0)
		bench_die("read range");
	if ((uint64_t)got != bytes) {
		finding("range: %" PRIu64 " bytes expected, %zd read", bytes,
			got);
		return;
	}
	snprintf(expected, sizeof(expected), "generation %u to %u", oldest,
		 newest);
	if (stamp_read(buf, bytes, 0, 0, &s) || s.generation < oldest ||
	    s.generation > newest) {
		stamp_finding("range", expected, buf, bytes, 0, 0);
		return;
	}
	i = stamp_differs(buf, bytes, s, 0, 0);
	snprintf(expected, sizeof(expected), "generation %u as at offset 0",
		 s.generation);
	if (i < bytes)
		stamp_finding("range", expected, buf, bytes, i, 0);
}

static void atomic_op(struct worker *w, uint64_t index)
{
	(void)index;
	if (w->id == 0)
		write_range(w->priv);
	else
		read_range(w->priv);
}

/* Touched: a fault of the buffer in mid-copy would make a call longer. */
static void atomic_worker_setup(struct worker *w)
{
	w->priv = malloc(bytes);
	if (!w->priv)
		bench_die("memory of worker %u", w->id);
	memset(w->priv, 1, bytes);
}

static void atomic_worker_teardown(struct worker *w)
{
	free(w->priv);
}

static void atomic_setup(void)
{
	char *buf = malloc(bytes);

	if (bench_config.threads < 2 || bench_config.processes || bytes % 8)
		bench_usage("expected --threads 2 or more, no --processes, "
			    "--bytes n * 8");
	if (!buf)
		bench_die("memory");
	fd = bench_open(O_RDWR | O_CREAT | O_TRUNC, "%s/range",
			bench_config.dir);
	write_range(buf);
	free(buf);
}

static void atomic_finish(void)
{
	unsigned int writes = atomic_load(&returned);

	fprintf(stderr, "%u writes of %" PRIu64 " bytes\n", writes, bytes);
	if (close(fd))
		bench_die("close range");
}

static const struct bench_option options[] = {
	OPT_U64("bytes", "N", &bytes, 8, 16 << 20, "of the range (1 MiB)"),
	OPT_END
};

static const struct bench atomic_read = {
	.name = "atomic_read",
	.desc = "buffered reads of a range that is rewritten; all old or new",
	.args = "DIR",
	.modes = BENCH_DURATION,
	.options = options,
	.setup = atomic_setup,
	.worker_setup = atomic_worker_setup,
	.worker_teardown = atomic_worker_teardown,
	.op = atomic_op,
	.finish = atomic_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&atomic_read, argc, argv);
}
