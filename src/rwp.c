// SPDX-License-Identifier: GPL-2.0
/*
 * rwp: a reader, a writer and a hole puncher of DIR/shared: direct reads of
 * 4 KiB at random in [0, 64) MiB, direct writes that append from 577 MiB on,
 * and 4 KiB holes in [64, 576) MiB, each once.  The last write ends the run,
 * and all is undone.  overlap_ppm, hist_ms: see overlap.h and latency.h.
 */
#include <sched.h>
#include "bench.h"
#include "dio.h"
#include "fifo.h"
#include "latency.h"

#define HOLES_AT (64u << 20) /* the reads end here */
#define HOLES_END (576u << 20)
#define APPEND_AT (577u << 20)

enum { READS, WRITES, PUNCHES, BLOCKED_NS };
static const char *const counters[] = { "reads", "writes", "punches",
					"read_blocked_ns", NULL };
static const char *const calls[] = { "read", "write", "punch", NULL };
static const uint64_t room[] = { 1u << 23, OVERLAP_CALLS_MAX,
				 (HOLES_END - HOLES_AT) / DIO_BLOCK };
static struct span *spans[3]; /* of each call, in the order of time */
static struct state {
	atomic_uint arrived, done;
	struct fifo one; /* --serialise: round each call */
} * state;

static uint64_t bytes = 256 << 20, writes, duration_ms;
static bool aio, apart, histogram, punch, serialise;
static int read_fd, write_fd;

static void one_call(struct worker *w, unsigned int call, uint64_t at)
{
	struct span *s = &spans[call][w->n[call]];

	if (w->n[call]++ == room[call])
		bench_broken("no room for more %s", counters[call]);
	s->begin = bench_now_ns();
	if (serialise)
		fifo_lock(&state->one);
	if (call == READS)
		dio_read(read_fd, DIO_BLOCK, at);
	else if (call == WRITES)
		(aio ? dio_aio_write : dio_write)(write_fd, bytes, at);
	else
		dio_punch(write_fd, DIO_BLOCK, at);
	if (serialise)
		fifo_unlock(&state->one);
	s->end = bench_now_ns();
	if (bench_config.latency)
		hist_add(&w->hist[call], s->end - s->begin);
}

static void write_all(struct worker *w)
{
	uint64_t end_ns = bench_now_ns() + duration_ms * 1000000;

	do
		one_call(w, WRITES, APPEND_AT + w->n[WRITES] * bytes);
	while (w->n[WRITES] < writes &&
	       (!duration_ms || bench_now_ns() < end_ns));
	atomic_store(&state->done, 1);
}

static void read_all(struct worker *w)
{
	const uint64_t blocks = HOLES_AT / DIO_BLOCK;
	struct usage u;

	usage_begin(&u);
	do
		one_call(w, READS, bench_rand(&w->rand) % blocks * DIO_BLOCK);
	while (!atomic_load(&state->done));
	usage_end(&u);
	w->n[BLOCKED_NS] = usage_off_cpu_ns(&u);
}

static void punch_all(struct worker *w)
{
	while (w->n[PUNCHES] < room[PUNCHES] && !atomic_load(&state->done))
		one_call(w, PUNCHES, HOLES_AT + w->n[PUNCHES] * DIO_BLOCK);
}

/* A worker has one operation, its role, and waits till each has its own. */
static void rwp_op(struct worker *w, uint64_t index)
{
	atomic_fetch_add(&state->arrived, 1);
	while (atomic_load(&state->arrived) < bench_config.threads)
		sched_yield();
	(index == 0 ? write_all : index == 1 ? read_all : punch_all)(w);
}

static void rwp_setup(void)
{
	if (bytes % DIO_BLOCK || bench_config.threads != 1)
		bench_usage("expected --write-bytes n * 4096, no --threads");
	bench_config.threads = bench_config.ops = punch ? 3 : 2;
	writes = writes ? writes : duration_ms ? OVERLAP_CALLS_MAX : 8;
	state = bench_shared(sizeof(*state));
	for (unsigned int i = 0; i < 3; i++)
		spans[i] = bench_shared(room[i] * sizeof(**spans));
	write_fd = dio_open("shared", APPEND_AT);
	read_fd = apart ? dio_open("apart", HOLES_AT) : write_fd;
}

static void rwp_report(struct record *r, const struct worker *w, unsigned int n)
{
	uint64_t reads = bench_sum(w, n, READS);
	uint64_t holes = bench_sum(w, n, PUNCHES) * DIO_BLOCK;

	bench_put_u64(r, "write_bytes", bytes);
	bench_put_u64(r, "overlap_ppm",
		      overlap_ppm(spans[WRITES], bench_sum(w, n, WRITES),
				  spans[READS], reads));
	if (histogram)
		latency_put(r, spans[READS], reads);
	dio_restore(write_fd, APPEND_AT, HOLES_AT, holes);
}

static const struct bench_option options[] = {
	OPT_FLAG("aio", &aio, "the writer writes by asynchronous I/O"),
	OPT_FLAG("apart", &apart, "the reader reads DIR/apart, of 64 MiB"),
	OPT_U64("duration-ms", "N", &duration_ms, 1, 3600000, "at most"),
	OPT_FLAG("histogram", &histogram, "reads by the millisecond"),
	OPT_FLAG("punch", &punch, "with the hole puncher"),
	OPT_FLAG("serialise", &serialise, "one lock round each call"),
	OPT_U64("write-bytes", "N", &bytes, 1 << 20, DIO_WRITE_MAX, "a call"),
	OPT_U64("writes", "N", &writes, 1, OVERLAP_CALLS_MAX,
		"at most (8; with --duration-ms 1000)"),
	OPT_END
};

static const struct bench rwp = {
	.name = "rwp",
	.desc = "read, append and punch holes at once, never the same bytes",
	.args = "DIR",
	.options = options,
	.counters = counters,
	.calls = calls,
	.setup = rwp_setup,
	.op = rwp_op,
	.report = rwp_report,
};

int main(int argc, char **argv)
{
	return bench_main(&rwp, argc, argv);
}
