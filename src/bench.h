/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bench: what all helpers share, so that a helper is one operation.
 *
 * A helper describes itself in a static const struct bench and its main is
 * `return bench_main(&helper, argc, argv);`.  bench owns the command line,
 * the workers (threads or processes), the start gate, the clock, the counters
 * before and after, and the one record that goes to stdout.
 *
 * Exit status: 0 record printed; 1 broken; 2 usage; 77 not supported here.
 */
#ifndef FSRATIO_BENCH_H
#define FSRATIO_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hist.h"
#include "record.h"
#include "usage.h"

#define BENCH_COUNTERS 16 /* private counters a worker */
#define BENCH_CALLS 4 /* calls of an operation that are timed apart */
#define BENCH_THREADS_MAX 4096
#define BENCH_BROKEN 1 /* exit statuses */
#define BENCH_USAGE 2
#define BENCH_UNSUPPORTED 77
#define BENCH_LINE 128 /* two cache lines: the adjacent one is prefetched */

/* One worker; on cache lines of its own, shared with the parent process. */
struct worker {
	unsigned int id; /* from 0 */
	unsigned int role; /* index of bench.roles; worker_setup sets it */
	void *priv; /* the helper's, private to the worker */
	uint64_t rand; /* state for bench_rand, seeded from --seed and id */
	uint64_t n[BENCH_COUNTERS]; /* the helper's; see bench.counters */
	uint64_t ops; /* done; bench's own from here on */
	struct usage used;
	uint64_t errors, error_ns; /* first error: when, errno, what */
	int error;
	char error_text[256];
	struct hist hist[BENCH_CALLS];
} __attribute__((aligned(BENCH_LINE)));

/* An option --name ARG.  The variable's own value is its default. */
struct bench_option {
	const char *name, *arg, *help;
	enum bench_option_type {
		BENCH_FLAG,
		BENCH_U64,
		BENCH_CHOICE,
		BENCH_TEXT,
		BENCH_EACH
	} type;
	union {
		bool *flag;
		uint64_t *u64; /* min to max */
		unsigned int *choice; /* index into arg, "a|b|c" */
		const char **text;
		/* Called each time; NULL, or what was expected. */
		const char *(*each)(const char *text);
	} to;
	uint64_t min, max;
	unsigned int modes; /* bench's own: modes that have it, 0 = all */
};

/* clang-format off */
#define BENCH_OPT(n, a, kind, member, var, h) .name = (n), .arg = (a), \
	.help = (h), .type = BENCH_##kind, .to.member = (var)
#define OPT_FLAG(n, var, h) { BENCH_OPT(n, NULL, FLAG, flag, var, h) }
#define OPT_U64(n, a, var, lo, hi, h) \
	{ BENCH_OPT(n, a, U64, u64, var, h), .min = (lo), .max = (hi) }
#define OPT_CHOICE(n, a, var, h) { BENCH_OPT(n, a, CHOICE, choice, var, h) }
#define OPT_TEXT(n, a, var, h) { BENCH_OPT(n, a, TEXT, text, var, h) }
#define OPT_EACH(n, a, fn, h) { BENCH_OPT(n, a, EACH, each, fn, h) }
#define OPT_END { .name = NULL }
/* clang-format on */

/* What ends a run; neither: setup puts the count in bench_config.ops. */
#define BENCH_OPS 1u /* --ops N in all, handed out to whoever is free */
#define BENCH_DURATION 2u /* --duration-ms N; index counts a worker's own */

struct bench {
	const char *name, *desc;
	const char *args; /* positional: "DIR", "DIR FILE", "[DIR]" may miss */
	unsigned int modes;
	unsigned int batch; /* indexes handed out at once, 0 = 1 */
	const struct bench_option *options; /* ended by a NULL name */
	const char *const *counters; /* names of n[0], n[1] ..., NULL at end */
	const char *const *roles; /* keys ROLE_ops, ROLE_p50_ns ... */
	const char *const *calls; /* op times these itself: CALL_p50_ns ... */

	/* Once, first of all: may refuse options and change bench_config. */
	void (*setup)(void);
	/* In the worker, before the gate and after the clock. */
	void (*worker_setup)(struct worker *w);
	void (*worker_teardown)(struct worker *w);
	/* The operation; never returns when it fails (bench_die). */
	void (*op)(struct worker *w, uint64_t index);
	/* Once, by the worker that ends last, inside the measured interval. */
	void (*finish)(void);
	/* Once, after all workers: checks, and keys of the helper's own. */
	void (*report)(struct record *r, const struct worker *w,
		       unsigned int n);
};

/* The command line; read only for helpers, but for setup. */
extern struct bench_config {
	uint64_t threads, ops, duration_ms, seed;
	bool processes, latency;
	unsigned int affinity; /* 0 none, 1 spread */
	char **args; /* positional, NULL after the last */
	const char *dir; /* the first of them: measured; NULL = none */
} bench_config;

int bench_main(const struct bench *b, int argc, char **argv);

/*
 * One line "NAME: text" on stderr and the whole run ends, from any worker,
 * thread or process; nothing goes to stdout, no worker is left.
 *
 * bench_die	a call failed: ": strerror(errno)" is added; exit 1
 * bench_broken	set-up or premise is not as it must be; exit 1
 * bench_usage	the command line is wrong; exit 2
 * bench_skip	the kernel or file system lacks it; exit 77
 */
#define BENCH_PRINTF __attribute__((format(printf, 2, 3)))
#define BENCH_END __attribute__((noreturn, format(printf, 1, 2)))
BENCH_END void bench_die(const char *fmt, ...);
BENCH_END void bench_broken(const char *fmt, ...);
BENCH_END void bench_usage(const char *fmt, ...);
BENCH_END void bench_skip(const char *fmt, ...);

/*
 * Counts a call that failed, errno says why; the run goes on, to count all of
 * them, and is broken at its end by the first.
 */
BENCH_PRINTF void bench_error(struct worker *w, const char *fmt, ...);

/* Zeroed memory that worker threads and worker processes share; never NULL. */
void *bench_shared(size_t size);

/* open(2) with O_CLOEXEC, mode 0644; the path is printf's.  Never fails. */
BENCH_PRINTF int bench_open(int flags, const char *fmt, ...);

/* Makes a directory, mode 0755, where there is none.  Never fails. */
void bench_mkdir(const char *path);

/* Makes n directories top/d0000, top/d0001 ... that are not there yet. */
void bench_make_dirs(const char *top, uint64_t n);

/* syncfs(2) of the directory measured; fits bench.finish.  Never fails. */
void bench_syncfs(void);

/* Adds a key to the record; a key that cannot be added is broken. */
void bench_put_u64(struct record *r, const char *key, uint64_t value);
void bench_put_str(struct record *r, const char *key, const char *value);

/* Sum of one private counter. */
uint64_t bench_sum(const struct worker *w, unsigned int n, unsigned int i);

/* CLOCK_MONOTONIC_RAW in ns. */
uint64_t bench_now_ns(void);

/*
 * For an op with bench.calls: --latency of call number i, begun when
 * bench_call_begin was called.  Without --latency both cost nothing.
 */
static inline uint64_t bench_call_begin(void)
{
	return bench_config.latency ? bench_now_ns() : 0;
}

static inline void bench_call_end(struct worker *w, unsigned int i,
				  uint64_t begin)
{
	if (bench_config.latency)
		hist_add(&w->hist[i], bench_now_ns() - begin);
}

/*
 * SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).  bench_mix is a bijection: it
 * gives different numbers for different x.
 */
static inline uint64_t bench_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

/* The next number of a stream; state is any number. */
static inline uint64_t bench_rand(uint64_t *state)
{
	uint64_t x = bench_mix(*state);

	*state += 0x9e3779b97f4a7c15;
	return x;
}

#endif
