// SPDX-License-Identifier: GPL-2.0
/*
 * range_pattern: a reader, a writer and a hole puncher of DIR/shared, as in
 * rwp, nowhere at the same bytes; the reader checks each byte, see rangefile.h.
 * Prints findings, see finding.h.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include "bench.h"
#include "finding.h"
#include "rangefile.h"

enum { WRITER, PUNCHER, READER, ROLES };
static atomic_uint done; /* roles that have ended */
static bool direct, verify;
static uint64_t writes = 256;

static void append_all(void)
{
	uint64_t i;

	for (i = 0; i < writes; i++)
		rangefile_append();
}

/* RANGE_HOLES is a power of 2: any odd number times i permutes them. */
static void punch_all(uint64_t number)
{
	unsigned int i;

	for (i = 0; i < RANGE_HOLES; i++)
		rangefile_punch((unsigned int)(i * (number | 1)) % RANGE_HOLES);
}

/* A worker has one operation, its role; the reader is the last to begin. */
static void range_op(struct worker *w, uint64_t index)
{
	if (index == READER) {
		while (atomic_load(&done) < READER)
			rangefile_read(&w->rand);
		return;
	}
	if (index == WRITER)
		append_all();
	else
		punch_all(bench_rand(&w->rand));
	atomic_fetch_add(&done, 1);
}

static void range_finish(void)
{
	rangefile_check();
	rangefile_close();
}

static void range_setup(void)
{
	int flags = direct ? O_DIRECT : 0;

	if (bench_config.threads != 1 || bench_config.processes)
		bench_usage("expected no --threads, no --processes");
	if (!verify) {
		flags |= O_CREAT | O_TRUNC;
		bench_config.threads = bench_config.ops = ROLES;
	}
	rangefile_open("shared", flags, (unsigned int)writes);
}

static const struct bench_option options[] = {
	OPT_FLAG("direct", &direct, "O_DIRECT, of all three"),
	OPT_FLAG("verify", &verify, "look at what an earlier run has left"),
	OPT_U64("writes", "N", &writes, 1, 4000, "of 128 KiB (256)"), OPT_END
};

static const struct bench range_pattern = {
	.name = "range_pattern",
	.desc = "read, append and punch holes at once; check each byte",
	.args = "DIR",
	.options = options,
	.setup = range_setup,
	.op = range_op,
	.finish = range_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&range_pattern, argc, argv);
}
