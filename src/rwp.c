// SPDX-License-Identifier: GPL-2.0
/*
 * rwp: a reader, a writer and a hole puncher of DIR/shared: direct reads of
 * 4 KiB at random in [0, 64) MiB, direct writes that append from 577 MiB on,
 * and 4 KiB holes in [64, 576) MiB, each once.  The last write ends the run,
 * and all is undone.  overlap_ppm: what one read took of a write, see
 * overlap.h.
 */
#include <sched.h>
#include <unistd.h>
#include "bench.h"
#include "dio.h"
#include "fifo.h"
#include "overlap.h"

#define HOLES_AT (64u << 20) /* the reads end here */
#define HOLES_END (576u << 20)
#define APPEND_AT (577u << 20)
#define READS_MAX (1u << 23)

enum { READS, WRITES, PUNCHES, BLOCKED_NS };
static const char *const counters[] = { "reads", "writes", "punches",
					"read_blocked_ns", NULL };
static const char *const calls[] = { "read", "write", "punch", NULL };
static struct state {
	atomic_uint arrived, done;
	struct fifo one; /* --serialise: round each call */
	struct span writes[OVERLAP_CALLS_MAX], reads[READS_MAX];
} * state;

static uint64_t bytes = 256 << 20, writes = 8;
static bool apart, punch, serialise;
static char read_buf[DIO_BLOCK] __attribute__((aligned(DIO_BLOCK)));
static int read_fd, write_fd;

/* One call of a role, and when it was. */
static struct span one_call(struct worker *w, unsigned int call, uint64_t at)
{
	struct span s = { .begin = bench_now_ns() };

	if (serialise)
		fifo_lock(&state->one);
	if (call == READS)
		dio_read(read_fd, read_buf, DIO_BLOCK, at);
	else if (call == WRITES)
		dio_write(write_fd, bytes, at);
	else
		dio_punch(write_fd, DIO_BLOCK, at);
	if (serialise)
		fifo_unlock(&state->one);
	s.end = bench_now_ns();
	if (bench_config.latency)
		hist_add(&w->hist[call], s.end - s.begin);
	w->n[call]++;
	return s;
}

static void write_all(struct worker *w)
{
	for (uint64_t i = 0; i < writes; i++)
		state->writes[i] = one_call(w, WRITES, APPEND_AT + i * bytes);
	atomic_store(&state->done, 1);
}

static void read_all(struct worker *w)
{
	uint64_t at, i = 0;
	struct usage u;

	usage_begin(&u);
	do {
		if (i == READS_MAX)
			bench_broken("more than %u reads", READS_MAX);
		at = bench_rand(&w->rand) % (HOLES_AT / DIO_BLOCK) * DIO_BLOCK;
		state->reads[i++] = one_call(w, READS, at);
	} while (!atomic_load(&state->done));
	usage_end(&u);
	if (u.end_ns - u.start_ns > u.user_ns + u.sys_ns)
		w->n[BLOCKED_NS] = u.end_ns - u.start_ns - u.user_ns - u.sys_ns;
}

static void punch_all(struct worker *w)
{
	uint64_t at = HOLES_AT;

	for (; at < HOLES_END && !atomic_load(&state->done); at += DIO_BLOCK)
		one_call(w, PUNCHES, at);
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
	state = bench_shared(sizeof(*state));
	write_fd = dio_open("shared", APPEND_AT);
	read_fd = apart ? dio_open("apart", HOLES_AT) : write_fd;
}

static void rwp_report(struct record *r, const struct worker *w, unsigned int n)
{
	uint64_t reads = bench_sum(w, n, READS), at;
	uint64_t end = HOLES_AT + bench_sum(w, n, PUNCHES) * DIO_BLOCK;

	bench_put_u64(r, "write_bytes", bytes);
	bench_put_u64(r, "overlap_ppm",
		      overlap_ppm(state->writes, writes, state->reads, reads));
	if (ftruncate(write_fd, APPEND_AT))
		bench_die("ftruncate");
	for (at = HOLES_AT; at < end; at += 1 << 20)
		dio_write(write_fd, 1 << 20, at);
	bench_syncfs();
}

static const struct bench_option options[] = {
	OPT_FLAG("apart", &apart, "the reader reads DIR/apart, of 64 MiB"),
	OPT_FLAG("punch", &punch, "with the hole puncher"),
	OPT_FLAG("serialise", &serialise, "one lock round each call"),
	OPT_U64("write-bytes", "N", &bytes, 1 << 20, DIO_WRITE_MAX,
		"a write (256 MiB)"),
	OPT_U64("writes", "N", &writes, 1, OVERLAP_CALLS_MAX, "how many (8)"),
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
