// SPDX-License-Identifier: GPL-2.0
/*
 * eof_prealloc: what appending writers have preallocated behind the end of file
 * (EOF).  Files that are held open grow beside each other, DIR/plain.N with
 * nobody else there, then DIR/read.N beside readers that open, read and close
 * them: how many extents they get, what is behind EOF before and after a close
 * of a reader and of the writer, and all their bytes.  Prints findings.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include "finding.h"
#include "growfile.h"
#include "rounds.h"

#define FILES 4
#define READERS 4
#define PARTS 67 /* of a file: EOF is not where what is kept ends */

enum { PLAIN, READ, KINDS };
static struct growfile file[KINDS][FILES];
static struct rounds all, appenders;
static atomic_uint ended; /* appenders that have */
static bool prealloc;

/* The files by turns, so that what one does not keep another takes. */
static void grow(struct growfile *f)
{
	unsigned int i;

	for (i = 0; i < PARTS; i++) {
		rounds_meet(&appenders);
		growfile_append(f);
	}
}

static void grow_plain(struct growfile *f)
{
	grow(f);
	if (prealloc && !growfile_prealloc_end(f, f->fd))
		bench_broken("premise: %s has no blocks behind EOF", f->name);
}

static void eof_op(struct worker *w, uint64_t index)
{
	if (index < FILES)
		grow_plain(&file[PLAIN][index]);
	rounds_meet(&all);
	if (index < FILES) {
		grow(&file[READ][index]);
		atomic_fetch_add(&ended, 1);
		return;
	}
	while (atomic_load(&ended) < FILES)
		growfile_read(&file[READ][bench_rand(&w->rand) % FILES], 0);
}

/*
 * What is kept behind EOF doubles with a file: log2(parts) extents and one, or
 * fewer by luck; freed at each close of a reader nearly as many as parts.  The
 * order of allocations is the scheduler's: no worse is twice the larger of log2
 * and of the plain files.
 */
static void check_extents(void)
{
	unsigned int n[KINDS] = { 0 }, fair = 0, k, i;

	for (k = 0; k < KINDS; k++)
		for (i = 0; i < FILES; i++)
			n[k] += growfile_extents(&file[k][i]);
	for (i = PARTS; i; i /= 2)
		fair += FILES;
	fair = 2 * (n[PLAIN] > fair ? n[PLAIN] : fair);
	fprintf(stderr, "extents: %u, beside readers %u\n", n[PLAIN], n[READ]);
	if (n[READ] > fair)
		finding("extents of %u files: at most %u expected beside "
			"readers, found %u (%u without)",
			FILES, fair, n[READ], n[PLAIN]);
}

/* What a writer holds open keeps what is behind its EOF. */
static void check_held(const struct growfile *f)
{
	uint64_t before = growfile_prealloc_end(f, f->fd), after;
	unsigned int i;

	if (prealloc && !before)
		finding("%s: blocks behind EOF %" PRIu64 " expected while it "
			"is held open, found none",
			f->name, f->bytes);
	for (i = 0; i < 100; i++)
		growfile_read(f, 0);
	after = growfile_prealloc_end(f, f->fd);
	if (before != after)
		finding("%s: blocks up to %" PRIu64 " expected after readers' "
			"closes, found up to %" PRIu64 " (EOF %" PRIu64 ")",
			f->name, before, after, f->bytes);
}

static void eof_finish(void)
{
	unsigned int k, i;

	check_extents();
	for (i = 0; i < FILES; i++)
		check_held(&file[READ][i]);
	for (k = 0; k < KINDS; k++)
		for (i = 0; i < FILES; i++)
			growfile_close(&file[k][i]);
}

static void eof_setup(void)
{
	unsigned int i;

	if (bench_config.threads != 1 || bench_config.processes)
		bench_usage("expected no --threads, no --processes");
	bench_config.threads = bench_config.ops = FILES + READERS;
	rounds_init(&all, FILES + READERS);
	rounds_init(&appenders, FILES);
	for (i = 0; i < FILES; i++) {
		growfile_make(&file[PLAIN][i], "plain", i, 1 + i);
		growfile_make(&file[READ][i], "read", i, 1 + FILES + i);
	}
}

static const struct bench_option options[] = {
	OPT_FLAG("prealloc", &prealloc, "this file system preallocates"),
	OPT_END
};

static const struct bench eof_prealloc = {
	.name = "eof_prealloc",
	.desc = "append beside readers; check what is behind EOF, and all bytes",
	.args = "DIR",
	.options = options,
	.setup = eof_setup,
	.op = eof_op,
	.finish = eof_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&eof_prealloc, argc, argv);
}
