// SPDX-License-Identifier: GPL-2.0
/*
 * A helper that uses all that bench offers and fails in all the ways there
 * are, for bench.t.
 *
 * before_ns= is the time from the end of the last worker's set-up to the
 * begin of the first worker's end; within_ns= from the begin of the first
 * operation to the end of the last.  elapsed_ns lies between the two.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "../../src/bench.h"
#include "../../src/fifo.h"

enum {
	NONE,
	DIE,
	BROKEN,
	ERROR,
	SKIP,
	KILL,
	REPEAT,
	BADVALUE,
	STUCK,
};

static unsigned int fault;
static uint64_t fault_at = 5, naps;

/* In shared memory, since the parent reports what worker processes saw. */
static struct seen {
	uint64_t ready, first, last, leave; /* CLOCK_MONOTONIC_RAW */
	uint64_t finished, torn_down;
	struct fifo lock;
} * seen;

enum { SUM, MISPLACED, RANDOM };
static const char *const counters[] = { "sum", "misplaced", NULL };
static const char *const roles[] = { "even", "odd", NULL };
static const char *const calls[] = { "lock", "rest", NULL };

static void self_setup(void)
{
	seen = bench_shared(sizeof(*seen));
	seen->first = seen->leave = UINT64_MAX;
}

static void nap(void)
{
	struct timespec t = { 0, 100000 };

	nanosleep(&t, NULL);
}

static void self_worker(struct worker *w)
{
	uint64_t i;

	w->role = w->id % 2;
	w->priv = malloc(16);
	for (i = 0; i < naps * (w->id + 1); i++)
		nap();
	fifo_lock(&seen->lock);
	seen->ready = bench_now_ns();
	fifo_unlock(&seen->lock);
}

static void misbehave(struct worker *w)
{
	errno = EIO;
	switch (fault) {
	case DIE:
		bench_die("read %s", "a thing");
	case BROKEN:
		bench_broken("premise: %d", 5);
	case SKIP:
		bench_skip("no such call");
	case ERROR:
		bench_error(w, "unlink %s", "a file");
		break;
	case KILL:
		kill(getpid(), SIGKILL);
		break;
	case STUCK:
		pause();
		break;
	default:
		break;
	}
}

static void self_op(struct worker *w, uint64_t index)
{
	uint64_t now = bench_now_ns(), begin = bench_call_begin();

	fifo_lock(&seen->lock);
	seen->first = now < seen->first ? now : seen->first;
	fifo_unlock(&seen->lock);
	bench_call_end(w, 0, begin);
	begin = bench_call_begin();
	if (index >= fault_at)
		misbehave(w);
	w->n[SUM] += index;
	w->n[MISPLACED] += (unsigned int)sched_getcpu() !=
			   w->id % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	if (w->ops == 0)
		w->n[RANDOM] = bench_rand(&w->rand) >> 8;
	bench_call_end(w, 1, begin);
	now = bench_now_ns();
	fifo_lock(&seen->lock);
	seen->last = now > seen->last ? now : seen->last;
	fifo_unlock(&seen->lock);
}

static void self_finish(void)
{
	seen->finished++;
}

static void self_worker_end(struct worker *w)
{
	uint64_t now = bench_now_ns();

	free(w->priv);
	fifo_lock(&seen->lock);
	seen->leave = now < seen->leave ? now : seen->leave;
	seen->torn_down++;
	fifo_unlock(&seen->lock);
}

static void self_report(struct record *r, const struct worker *w,
			unsigned int n)
{
	bench_put_u64(r, "before_ns", seen->leave - seen->ready);
	bench_put_u64(r, "within_ns", seen->last - seen->first);
	bench_put_u64(r, "finished", seen->finished);
	bench_put_u64(r, "torn_down", seen->torn_down);
	bench_put_u64(r, "random", bench_sum(w, n, RANDOM));
	if (fault == REPEAT)
		bench_put_u64(r, "ops", 1);
	if (fault == BADVALUE)
		bench_put_str(r, "word", "two words");
}

static const struct bench_option options[] = {
	OPT_CHOICE("fault",
		   "none|die|broken|error|skip|kill|repeat|value|stuck", &fault,
		   "what goes wrong"),
	OPT_U64("fault-at", "N", &fault_at, 0, UINT32_MAX, "from which index"),
	OPT_U64("naps", "N", &naps, 0, 1000, "sleeps in the set-up"), OPT_END
};

static const struct bench self = {
	.name = "bench_helper",
	.desc = "for the tests of bench",
	.args = "[DIR]",
	.modes = BENCH_OPS | BENCH_DURATION,
	.batch = 7,
	.options = options,
	.counters = counters,
	.roles = roles,
	.calls = calls,
	.setup = self_setup,
	.worker_setup = self_worker,
	.op = self_op,
	.finish = self_finish,
	.worker_teardown = self_worker_end,
	.report = self_report,
};

int main(int argc, char **argv)
{
	return bench_main(&self, argc, argv);
}
