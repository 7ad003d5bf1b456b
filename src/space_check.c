// SPDX-License-Identifier: GPL-2.0
/*
 * space_check: is as much free as at another time, before a new mount for one?
 *
 * Two operations that need each other: --save writes what is free, settled,
 * into a file, and --expect waits until it is that again.
 */
#include <inttypes.h>
#include <stdio.h>
#include "bench.h"
#include "finding.h"
#include "space.h"

static const char *save, *expect, *when = "now";
static uint64_t wait_ms = SPACE_WAIT_MS;

static void save_start(void)
{
	struct space s;
	FILE *f;

	space_settled(&s);
	f = fopen(save, "w");
	if (!f ||
	    fprintf(f, "free_blocks=%" PRIu64 " used_inodes=%" PRIu64 "\n",
		    s.free_blocks, s.used_inodes) < 0 ||
	    fclose(f))
		bench_die("write %s", save);
}

static void check_op(struct worker *w, uint64_t index)
{
	struct space s;
	FILE *f;

	(void)w;
	(void)index;
	if (save) {
		save_start();
		return;
	}
	f = fopen(expect, "r");
	if (!f)
		bench_die("open %s", expect);
	if (fscanf(f, "free_blocks=%" SCNu64 " used_inodes=%" SCNu64,
		   &s.free_blocks, &s.used_inodes) != 2)
		bench_broken("%s:1: expected free_blocks=N used_inodes=N",
			     expect);
	fclose(f);
	space_returns(&s, wait_ms, when);
}

static void check_setup(void)
{
	if (!save == !expect || bench_config.threads != 1)
		bench_usage("expected --save FILE or --expect FILE, not both, "
			    "no --threads");
	bench_config.ops = 1;
}

static const struct bench_option options[] = {
	OPT_TEXT("save", "FILE", &save, "write what is free there"),
	OPT_TEXT("expect", "FILE", &expect, "what is to be free again"),
	OPT_TEXT("when", "TEXT", &when, "how a finding begins (now)"),
	SPACE_WAIT_OPTION(&wait_ms), OPT_END
};

static const struct bench space_check = {
	.name = "space_check",
	.desc = "free space at two times; prints findings",
	.args = "DIR",
	.options = options,
	.setup = check_setup,
	.op = check_op,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&space_check, argc, argv);
}
