// SPDX-License-Identifier: GPL-2.0
/*
 * The one record of a run: see sample.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "sample.h"
#include "tracepoint.h"

/* The quantiles of one call, of one role or (NULL) of all workers. */
static void put_call(struct record *r, const struct worker *w, unsigned int n,
		     const char *role, unsigned int number, const char *call,
		     unsigned int which)
{
	static const struct {
		const char *key;
		uint64_t num, den;
	} quantile[] = { { "p50_ns", 1, 2 },
			 { "p99_ns", 99, 100 },
			 { "p999_ns", 999, 1000 },
			 { "max_ns", 1, 1 } };
	static struct hist sum;
	char key[96];
	size_t i;

	memset(&sum, 0, sizeof(sum));
	for (i = 0; i < n; i++)
		if (!role || w[i].role == number)
			hist_merge(&sum, &w[i].hist[which]);
	for (i = 0; i < sizeof(quantile) / sizeof(quantile[0]); i++) {
		snprintf(key, sizeof(key), "%s%s%s%s%s", role ? role : "",
			 role ? "_" : "", call ? call : "", call ? "_" : "",
			 quantile[i].key);
		bench_put_u64(r, key,
			      hist_quantile(&sum, quantile[i].num,
					    quantile[i].den));
	}
}

static void put_role(struct record *r, const struct bench *b,
		     const struct worker *w, const char *role,
		     unsigned int number)
{
	unsigned int i, n = (unsigned int)bench_config.threads;
	uint64_t ops = 0;
	char key[64];

	for (i = 0; i < n; i++)
		ops += w[i].role == number ? w[i].ops : 0;
	if (role) {
		snprintf(key, sizeof(key), "%s_ops", role);
		bench_put_u64(r, key, ops);
	}
	if (!bench_config.latency)
		return;
	for (i = 0; b->calls && b->calls[i]; i++)
		put_call(r, w, n, role, number, b->calls[i], i);
	if (!b->calls)
		put_call(r, w, n, role, number, NULL, 0);
}

/* Any error voids the sample; the first one is named. */
static void check_errors(const struct worker *w, unsigned int n)
{
	const struct worker *first = NULL;
	uint64_t errors = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		errors += w[i].errors;
		if (w[i].errors && (!first || w[i].error_ns < first->error_ns))
			first = &w[i];
	}
	if (!first)
		return;
	errno = first->error;
	bench_die("%llu errors, the first: %s", (unsigned long long)errors,
		  first->error_text);
}

static void put_common(struct record *r, const struct bench *b,
		       const struct worker *w, unsigned int n)
{
	uint64_t first = UINT64_MAX, end = 0, ops = 0;
	struct usage sum = { .delay_known = true };
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct usage *u = &w[i].used;

		ops += w[i].ops;
		first = u->start_ns < first ? u->start_ns : first;
		end = u->end_ns > end ? u->end_ns : end;
		sum.user_ns += u->user_ns;
		sum.sys_ns += u->sys_ns;
		sum.vcsw += u->vcsw;
		sum.ivcsw += u->ivcsw;
		sum.run_delay_ns += u->run_delay_ns;
		sum.delay_known &= u->delay_known;
	}
	if (!bench_config.duration_ms && ops != bench_config.ops)
		bench_broken("%llu operations done, %llu asked for",
			     (unsigned long long)ops,
			     (unsigned long long)bench_config.ops);
	bench_put_str(r, "mode", bench_config.processes ? "process" : "thread");
	bench_put_u64(r, "threads", n);
	bench_put_str(r, "affinity", bench_config.affinity ? "spread" : "none");
	bench_put_u64(r, "seed", bench_config.seed);
	bench_put_u64(r, "ops", ops);
	bench_put_u64(r, "errors", 0);
	bench_put_u64(r, "elapsed_ns", end - first);
	bench_put_u64(r, "user_ns", sum.user_ns);
	bench_put_u64(r, "sys_ns", sum.sys_ns);
	bench_put_u64(r, "vcsw", sum.vcsw);
	bench_put_u64(r, "ivcsw", sum.ivcsw);
	if (sum.delay_known)
		bench_put_u64(r, "run_delay_ns", sum.run_delay_ns);
	else
		fprintf(stderr,
			"%s: run_delay_ns left out: "
			"this kernel has no /proc/PID/schedstat\n",
			b->name);
}

void sample_print(const struct bench *b, const struct worker *w,
		  const struct fsdev *fs, const struct blkstat *before,
		  const struct blkstat *after)
{
	unsigned int i, n = (unsigned int)bench_config.threads;
	static struct record r;
	char dev[32];

	check_errors(w, n);
	record_begin(&r, "sample");
	bench_put_str(&r, "helper", b->name);
	bench_put_str(&r, "fs", fs->fs);
	snprintf(dev, sizeof(dev), "%u:%u", fs->major, fs->minor);
	bench_put_str(&r, "dev", dev);
	put_common(&r, b, w, n);
	for (i = 0; b->counters && b->counters[i]; i++)
		bench_put_u64(&r, b->counters[i], bench_sum(w, n, i));
	if (b->report)
		b->report(&r, w, n);
	for (i = 0; b->roles && b->roles[i]; i++)
		put_role(&r, b, w, b->roles[i], i);
	if (!b->roles)
		put_role(&r, b, w, NULL, 0);
	blkstat_record(&r, before, after);
	tracepoint_record(&r);
	if (record_write(&r, stdout))
		bench_die("write stdout");
}
