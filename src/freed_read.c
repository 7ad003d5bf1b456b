// SPDX-License-Identifier: GPL-2.0
/*
 * freed_read: direct reads of DIR/own, whose blocks are freed by hole punching
 * or by truncate, and are taken by DIR/other at once, since no others are free.
 * Worker 0 changes the one file, 1 the other, and all others read and check
 * own, see partfile.h.  Prints findings.
 *
 * By turns: own is written; part of it is freed while the others begin to read,
 * into memory that takes its time (coldmem.h); other takes what is free, and
 * gives it back.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include "bench.h"
#include "coldmem.h"
#include "finding.h"
#include "partfile.h"

/* A read begins so long after the call that frees, at most. */
#define DELAY_MAX_NS 1000000

enum turn { TURN_WRITE, TURN_FREE, TURN_TAKE };

static bool by_truncate;
static struct partfile own, other;
static atomic_uint turn; /* turns so far */
static atomic_uint reads;

static void change_own(uint64_t number)
{
	static unsigned int next;

	if (atomic_load(&turn) % 3 != TURN_WRITE) {
		sched_yield();
	} else if (next == PARTFILE_PARTS || !partfile_write(&own, next)) {
		next = (unsigned int)(number % (PARTFILE_PARTS / 2));
		partfile_dirty(&own, PARTFILE_PARTS / 2);
		atomic_fetch_add(&turn, 1);
		partfile_free(&own, next, by_truncate);
		atomic_fetch_add(&turn, 1);
	} else {
		next++;
	}
}

static void change_other(void)
{
	static unsigned int next;

	if (atomic_load(&turn) % 3 != TURN_TAKE) {
		sched_yield();
	} else if (next == PARTFILE_PARTS || !partfile_write(&other, next)) {
		partfile_free(&other, 0, false);
		next = 0;
		atomic_fetch_add(&turn, 1);
	} else {
		next++;
	}
}

/* It waits with its memory cold, for to make it so takes longer than a turn. */
static void read_own(struct worker *w, uint64_t number)
{
	uint64_t begin_ns = bench_now_ns();

	if (!w->priv) {
		w->priv = coldmem_chill(w->id);
	} else if (atomic_load(&turn) % 3 != TURN_FREE) {
		sched_yield();
	} else {
		while (bench_now_ns() - begin_ns < number % DELAY_MAX_NS)
			;
		partfile_read(&own,
			      (unsigned int)(number % (PARTFILE_PARTS / 2)),
			      w->priv);
		w->priv = NULL;
		atomic_fetch_add(&reads, 1);
	}
}

static void freed_op(struct worker *w, uint64_t index)
{
	uint64_t number = bench_rand(&w->rand);

	(void)index;
	if (w->id == 0)
		change_own(number);
	else if (w->id == 1)
		change_other();
	else
		read_own(w, number);
}

static void freed_setup(void)
{
	if (bench_config.threads < 3 || bench_config.processes)
		bench_usage("expected --threads 3 or more, no --processes");
	coldmem_make((unsigned int)bench_config.threads,
		     (size_t)PARTFILE_READ * PARTFILE_PART);
	partfile_leave_room();
	partfile_make(&own, "own", 1);
	partfile_make(&other, "other", 2);
}

static void freed_finish(void)
{
	fprintf(stderr,
		"%u turns, %u reads, %u and %u writes, no space for %u and "
		"%u\n",
		atomic_load(&turn), atomic_load(&reads), own.writes,
		other.writes, own.no_space, other.no_space);
	if (!own.writes || !other.writes)
		bench_broken("premise: no space for own or other at all");
	if (!atomic_load(&reads))
		bench_broken("premise: no read while blocks were freed");
	partfile_close(&own);
	partfile_close(&other);
	coldmem_end();
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
	.op = freed_op,
	.finish = freed_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&freed_read, argc, argv);
}
