// SPDX-License-Identifier: GPL-2.0
/*
 * fiemap_guard: FIEMAP_EXTENT_SHARED against a model, at quiet points.
 *
 * Threads clone, overwrite, unshare and punch ranges of files and delete files,
 * each under the locks of its files alone, while scanners map any file.  Then
 * all rest, all is written back and inactivated, and the map of every file is
 * compared.  The first quiet point with a finding is the last.
 */
#include <stdatomic.h>
#include <stdio.h>
#include "bench.h"
#include "clonemap.h"
#include "clonetree.h"
#include "finding.h"
#include "rounds.h"

#define FILES 48
#define BLOCKS 64
#define STEPS 8 /* operations a mutator before a quiet point */

static uint64_t ags = 4, ag_bytes = 256 << 20;
static uint64_t points = 300, points_min = 20, limit_ms = 30000;
static uint64_t scanners = 2, mutators;
static const char *log_name;
static struct clonetree tree;
static struct rounds all;
static atomic_uint moving; /* mutators that are not at the barrier */
static atomic_bool found; /* a finding: end at this point */
static uint64_t begin_ns, done; /* quiet points */
static bool last_point;

static void guard_op(struct worker *w, uint64_t index)
{
	uint64_t i;

	do {
		for (i = 0; index < mutators && i < STEPS && !found; i++)
			if (!clonetree_step(&tree, w))
				found = true;
		if (index < mutators)
			atomic_fetch_sub(&moving, 1);
		while (index >= mutators && atomic_load(&moving))
			if (!clonemap_scan(&tree, w, done))
				found = true;
		rounds_meet(&all);
		if (index == 0) {
			done++;
			/* After a call that failed the model says nothing. */
			if (!found && !clonemap_compare(&tree, done))
				found = true;
			atomic_store(&moving, (unsigned int)mutators);
			last_point = found || done == points ||
				     bench_now_ns() - begin_ns >
					     limit_ms * 1000000;
		}
		rounds_meet(&all);
	} while (!last_point);
}

static void guard_setup(void)
{
	if (bench_config.processes)
		bench_usage("--processes: expected threads");
	mutators = bench_config.threads;
	bench_config.threads = bench_config.ops = mutators + scanners;
	clonetree_init(&tree, FILES, BLOCKS, (unsigned int)ags, ag_bytes,
		       log_name);
	rounds_init(&all, bench_config.threads);
	moving = (unsigned int)mutators;
	begin_ns = bench_now_ns();
}

/* Where all was right, it must have been asked. */
static void guard_report(struct record *r, const struct worker *w,
			 unsigned int n)
{
	const struct sharemap_shapes *seen = sharemap_seen(tree.map);
	unsigned int ag;

	fprintf(stderr,
		"%llu points, %llu scans; blocks shared in the middle "
		"only %llu, last sharers gone %llu, files that share "
		"nothing any more %llu\n",
		(unsigned long long)done,
		(unsigned long long)bench_sum(w, n, CLONEMAP_SCANS),
		(unsigned long long)seen->middle,
		(unsigned long long)seen->last_sharer,
		(unsigned long long)seen->flag_only);
	if (!found && done < points_min)
		bench_broken("premise: %llu quiet points in %llu ms, expected "
			     "%llu",
			     (unsigned long long)done,
			     (unsigned long long)limit_ms,
			     (unsigned long long)points_min);
	if (!found && !(seen->middle && seen->last_sharer && seen->flag_only))
		bench_broken("premise: a shape never came");
	for (ag = 0; ag < ags; ag++)
		if (!found && !seen->ag[ag])
			bench_broken("premise: no shared block in AG %u", ag);
	finding_report(r, w, n);
}

static const struct bench_option options[] = {
	OPT_U64("ags", "N", &ags, 1, SHAREMAP_AGS, "AGs there are (4)"),
	OPT_U64("ag-bytes", "N", &ag_bytes, 1 << 20, UINT64_C(1) << 40,
		"size of an AG (256 MiB)"),
	OPT_U64("points", "N", &points, 1, 1000000, "quiet points (300)"),
	OPT_U64("points-min", "N", &points_min, 1, 1000000,
		"broken with less (20)"),
	OPT_U64("limit-ms", "N", &limit_ms, 1, 3600000,
		"no further point after that (30000)"),
	OPT_U64("scanners", "N", &scanners, 0, 1024,
		"threads that map meanwhile (2)"),
	OPT_TEXT("log", "FILE", &log_name, "write the operations there"),
	OPT_END
};

static const struct bench fiemap_guard = {
	.name = "fiemap_guard",
	.desc = "FIEMAP's shared flag against a model; prints findings",
	.args = "DIR",
	.options = options,
	.setup = guard_setup,
	.op = guard_op,
	.report = guard_report,
};

int main(int argc, char **argv)
{
	return bench_main(&fiemap_guard, argc, argv);
}
