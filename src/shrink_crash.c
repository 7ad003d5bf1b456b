// SPDX-License-Identifier: GPL-2.0
/*
 * shrink_crash: clones of DIR/source that have been synced are cut, and some
 * extended again, by all workers at once; after a quarter of them one syncfs,
 * after half of them a shutdown, with all others on their way.  With --verify,
 * after recovery, for the same --ops and --seed: see cutfile.h.  Prints
 * findings.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include "bench.h"
#include "cutfile.h"
#include "finding.h"
#include "goingdown.h"
#include "model.h"

static struct model source;
static bool verify, flush_log;
static atomic_uint done;
static atomic_bool down;
static atomic_uint found[CUTFILE_SIZES + 1];

/* Calls fail, and rightly so, once the file system is down. */
static void cut_file(uint64_t n)
{
	unsigned int count;

	if (atomic_load(&down))
		return;
	if (cutfile_cut(n) && !atomic_load(&down))
		bench_die("truncate of file %u", (unsigned int)n);
	count = atomic_fetch_add(&done, 1) + 1;
	if (count == bench_config.ops / 4)
		bench_syncfs();
	if (count == bench_config.ops / 2) {
		atomic_store(&down, true);
		goingdown(flush_log);
	}
}

static void crash_op(struct worker *w, uint64_t index)
{
	if (verify)
		atomic_fetch_add(&found[cutfile_check(&source, w->priv, index)],
				 1);
	else
		cut_file(index);
}

static void crash_worker_setup(struct worker *w)
{
	w->priv = bench_shared(sizeof(struct model));
}

static void crash_setup(void)
{
	struct stamp s = { .file = 1, .generation = 1 };
	uint64_t n;

	if (bench_config.processes || bench_config.ops < 4)
		bench_usage("expected --ops 4 or more, no --processes");
	model_open(&source, verify ? -1 : O_RDWR | O_CREAT | O_EXCL, "source");
	model_write(&source, s, 0, MODEL_BYTES);
	if (verify)
		return;
	for (n = 0; n < bench_config.ops; n++)
		cutfile_make(&source, n);
	bench_syncfs();
}

/* Without files of both kinds the crash was not in the middle of anything. */
static void crash_finish(void)
{
	if (!verify)
		return;
	fprintf(stderr, "old size %u, cut %u, extended %u\n",
		found[CUTFILE_OLD], found[CUTFILE_CUT],
		found[CUTFILE_EXTENDED]);
	if (!found[CUTFILE_SIZES] &&
	    (!found[CUTFILE_OLD] || !found[CUTFILE_CUT]))
		bench_broken("premise: a shutdown in mid-way, but %u files of "
			     "the old size and %u that were cut",
			     found[CUTFILE_OLD], found[CUTFILE_CUT]);
}

static const struct bench_option options[] = {
	OPT_FLAG("flush-log", &flush_log, "of the shutdown: keep the log"),
	OPT_FLAG("verify", &verify, "look at what recovery has left"), OPT_END
};

static const struct bench shrink_crash = {
	.name = "shrink_crash",
	.desc = "cut clones until a shutdown; check each byte after it",
	.args = "DIR",
	.modes = BENCH_OPS,
	.options = options,
	.setup = crash_setup,
	.worker_setup = crash_worker_setup,
	.op = crash_op,
	.finish = crash_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&shrink_crash, argc, argv);
}
