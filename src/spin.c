// SPDX-License-Identifier: GPL-2.0
/*
 * spin: a workload of known cost, for the suite's own tests.
 *
 * An operation is COST rounds of the same integer work, about 20 us each on
 * a machine of 2020; the rounds are counted as work=.  With --block-every K
 * a worker sleeps once in each K of its operations: blocks= says how often,
 * and each is one voluntary context switch.
 */
#include <errno.h>
#include <time.h>
#include "bench.h"

#define STEPS 7000 /* dependent steps a round */

enum { WORK, BLOCKS, CHECKSUM };

static uint64_t cost = 1, block_every;

static void spin_op(struct worker *w, uint64_t index)
{
	struct timespec nap = { 0, 200000 };
	uint64_t x = index, i;

	for (i = 0; i < cost * STEPS; i++)
		x = bench_mix(x);
	w->n[CHECKSUM] ^= x;
	w->n[WORK] += cost;
	if (!block_every || (w->ops + 1) % block_every)
		return;
	while (nanosleep(&nap, &nap))
		if (errno != EINTR)
			bench_die("nanosleep");
	w->n[BLOCKS]++;
}

static const struct bench_option options[] = {
	OPT_U64("cost", "N", &cost, 1, 1000000,
		"rounds of work an operation (1)"),
	OPT_U64("block-every", "K", &block_every, 1, UINT32_MAX,
		"sleep once in K operations of a worker"),
	OPT_END
};

/* CHECKSUM has no name: it keeps the work from being optimised away. */
static const char *const counters[] = { "work", "blocks", NULL };

static const struct bench spin = {
	.name = "spin",
	.desc = "integer work of a known cost, to test the suite itself",
	.args = "[DIR]",
	.modes = BENCH_OPS | BENCH_DURATION,
	.options = options,
	.counters = counters,
	.op = spin_op,
};

int main(int argc, char **argv)
{
	return bench_main(&spin, argc, argv);
}
