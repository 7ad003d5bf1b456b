// SPDX-License-Identifier: GPL-2.0
/*
 * Reads samples; see samples.h.  A number that is missing, zero or no number
 * is never taken for a fast one: it ends in a message.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "recfile.h"
#include "samples.h"

/*
 * Of an arm's time, spent waiting for a CPU.  Idle machines showed up to .21,
 * machines with a busy neighbour .31 and more.
 */
#define UNFIT_SHARE .25
/* The same for more threads than CPUs, and of the CPUs' time lost to others. */
#define STARVED_SHARE .40

static bool is_time(const char *key)
{
	size_t len = strlen(key);

	return len > 3 && !strcmp(key + len - 3, "_ns");
}

/* Whether a list "xfs,ext4" has the name. */
static bool has_name(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, name, len) &&
		    (list[len] == ',' || !list[len]))
			return true;
	}
	return false;
}

/* What an env record may say with KEY=1. */
static bool flag(const struct recfile *f, const char *key)
{
	uint64_t value = 0;

	if (record_get(&f->rec, key))
		value = recfile_u64(f, key);
	if (value > 1)
		recfile_broken(f, "%s=%" PRIu64 ", expected 0 or 1", key,
			       value);
	return value;
}

static uint64_t parse_env(const struct recfile *f, struct limits *ls)
{
	uint64_t cpus = recfile_u64(f, "cpus");
	const char *no_times = NULL;

	if (!cpus)
		recfile_broken(f, "cpus=0, expected at least 1");
	if (flag(f, "emulated_cpu"))
		no_times = "emulated_cpu";
	if (flag(f, "debug_kernel"))
		no_times = "debug_kernel";
	for (unsigned int i = 0; i < ls->n; i++) {
		struct limit *l = &ls->l[i];

		if (l->is_info)
			continue;
		if (cpus < l->min_cpus)
			l->reason = "few_cpus";
		else if (no_times && (is_time(l->of) || is_time(l->per)))
			l->reason = no_times;
		else if (*l->fs && !has_name(l->fs, recfile_str(f, "fs")))
			l->reason = "other_fs";
		l->is_info = l->reason;
	}
	return cpus;
}

static double ln_metric(const struct recfile *f, const struct limit *l)
{
	uint64_t of = recfile_u64(f, l->of), per = 1;
	double v;

	if (*l->per)
		per = recfile_u64(f, l->per);
	if (!per)
		recfile_broken(f, "%s=0, expected at least 1 to divide %s by",
			       l->per, l->of);
	v = (double)of / (double)per;
	if (v < l->floor)
		v = l->floor;
	if (!(v > 0))
		recfile_broken(f, "%s=0, expected at least 1 (no floor= in %s)",
			       l->of, l->name);
	return log(v);
}

static bool is_unsupported(const struct recfile *f, const char *key)
{
	const char *v = record_get(&f->rec, key);

	return v && !strcmp(v, "unsupported");
}

/*
 * Whether other work kept the arm from the CPUs.  Threads that have a CPU each
 * should hardly wait for one.  More threads than CPUs wait anyway, but then all
 * CPUs are theirs: when they wait and the CPUs work for others, they are
 * huddled on few of these, no longer overlap, and a lock they fight for looks
 * free.  Seen with 8 on 2 CPUs: they wait .44 to .64 of their time and lose up
 * to .13 of the CPUs' idle, .05 to .35 and .6 beside two hogs with 1 switch in
 * 5 files; beside a guest of 2 CPUs and a compiler .65 to .82 and .50 to .79,
 * with none.
 */
static bool is_unfit(const struct recfile *f, uint64_t cpus)
{
	double threads, elapsed_ns, waited, lost;

	if (!record_get(&f->rec, "run_delay_ns"))
		return false;
	elapsed_ns = (double)recfile_u64(f, "elapsed_ns");
	threads = (double)recfile_u64(f, "threads");
	if (threads < 1)
		recfile_broken(f, "threads=0, expected at least 1");
	waited = (double)recfile_u64(f, "run_delay_ns") / threads;
	if (threads <= (double)cpus)
		return waited > UNFIT_SHARE * elapsed_ns;
	if (!record_get(&f->rec, "user_ns") || !record_get(&f->rec, "sys_ns"))
		return false;
	lost = elapsed_ns - ((double)recfile_u64(f, "user_ns") +
			     (double)recfile_u64(f, "sys_ns")) /
				    (double)cpus;
	return waited > STARVED_SHARE * elapsed_ns &&
	       lost > STARVED_SHARE * elapsed_ns;
}

/* The round that a sample belongs to: the last one, or one begun by it. */
static struct round *find_round(struct samples *sm, const struct recfile *f)
{
	uint64_t series = recfile_u64(f, "series");
	uint64_t round = recfile_u64(f, "round");
	unsigned int last = sm->n_series ? sm->n_rounds[sm->n_series - 1] : 0;

	if (series == sm->n_series + 1 && series <= 2 && round == 1) {
		sm->n_series++;
		sm->n_rounds[series - 1] = 1;
	} else if (series == sm->n_series && last && round == last + 1 &&
		   round <= ROUNDS_MAX) {
		sm->n_rounds[series - 1]++;
	} else if (series != sm->n_series || !last || round != last) {
		recfile_broken(f,
			       "series=%" PRIu64 " round=%" PRIu64 "%s %u %u"
			       ", expected 1 1, 1 2 ... 1 %d, 2 1, 2 2 ...",
			       series, round, " after series and round",
			       sm->n_series, last, ROUNDS_MAX);
	}
	return &sm->round[series - 1][round - 1];
}

static void parse_sample(struct samples *sm, const struct limits *ls,
			 const struct recfile *f, uint64_t cpus)
{
	struct round *r = find_round(sm, f);
	int arm = limits_arm(ls, recfile_str(f, "arm"));
	uint64_t bit;

	r->line = f->line;
	if (arm < 0)
		return;
	bit = UINT64_C(1) << arm;
	if (r->seen & bit)
		recfile_broken(f, "arm %s twice in a round, expected it once",
			       ls->arms[arm]);
	r->seen |= bit;
	if (is_unfit(f, cpus))
		r->unfit |= bit;
	for (unsigned int i = 0; i < ls->n; i++) {
		const struct limit *l = &ls->l[i];

		if (!((l->num | l->den) & bit))
			continue;
		if (l->is_info &&
		    (is_unsupported(f, l->of) || is_unsupported(f, l->per)))
			r->unsupported |= UINT32_C(1) << i;
		else if (l->num & bit)
			r->ln_ratio[i] += ln_metric(f, l);
		else
			r->ln_ratio[i] -= ln_metric(f, l);
	}
}

void samples_read(struct samples *sm, struct limits *ls, const char *path)
{
	struct recfile f = { .path = path };
	uint64_t cpus = 0;

	sm->path = path;
	while (recfile_next(&f)) {
		bool is_env = !strcmp(f.rec.kind, "env");

		if (!is_env && strcmp(f.rec.kind, "sample"))
			recfile_broken(&f, "'%.40s', expected env or sample",
				       f.rec.kind);
		if (is_env == !!cpus)
			recfile_broken(&f, "%s, expected env once and first",
				       f.rec.kind);
		if (is_env)
			cpus = parse_env(&f, ls);
		else
			parse_sample(sm, ls, &f, cpus);
	}
	if (!cpus)
		recfile_broken(&f, "no env, expected env cpus=N ...");
}

void samples_need(const struct samples *sm, const struct limits *ls,
		  const struct limit *l, unsigned int series)
{
	for (unsigned int i = 0; i < sm->n_rounds[series]; i++) {
		const struct round *r = &sm->round[series][i];
		const struct recfile f = { .path = sm->path, .line = r->line };
		uint64_t missing = (l->num | l->den) & ~r->seen;

		if (missing)
			recfile_broken(&f,
				       "series=%u round=%u ends without arm %s"
				       ", expected one sample for limit %s",
				       series + 1, i + 1,
				       ls->arms[__builtin_ctzll(missing)],
				       l->name);
	}
}
