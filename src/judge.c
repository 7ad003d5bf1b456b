// SPDX-License-Identifier: GPL-2.0
/*
 * Judges samples by limits: one truncated sequential sign test (signtest.h) a
 * limit and series.  Nothing else in the suite decides.  Pure: no clock, no
 * /proc, no randomness, so the same files give the same text.
 *
 * Exit: 0 decided, 3 more rounds wanted, 1 broken input, 2 usage.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define UNFIT_MAX 10 /* rounds that end a limit as undecided */
#define TIE 1e-12 /* this near the threshold, in ln, is the good side */

/* In the order in which one outweighs another. */
enum word { INFO, PASS, UNDECIDED, BROKEN, FAIL, OPEN };
static const char *const word_names[] = { "info",   "pass", "undecided",
					  "broken", "fail", "open" };

/*
 * What a limit came to in a series.  The numbers reach up to its latch, those
 * of an info limit over all rounds.
 */
struct outcome {
	enum word word; /* OPEN: more rounds wanted */
	const char *reason; /* or NULL */
	bool unconfirmed; /* a fail in one series, and no second one */
	unsigned int n, unfit; /* rounds counted, and not */
	bool unfit_ever; /* also after the latch */
	struct walk walk;
	struct summary ln; /* of the ratios, where n > 0 */
};

static struct {
	unsigned int bound, rounds, lag1_percent;
	int final, no_confirm, info, check, table;
} opt = { .bound = 5, .rounds = 40 };
static struct limits limits;
static struct samples samples;

/* Whether a round with this ln ratio lies beyond the threshold. */
static bool is_bad(const struct limit *l, double ln)
{
	return (l->is_max ? ln - l->ln_threshold : l->ln_threshold - ln) > TIE;
}

/* Judges limit i in series 0 or 1. */
static struct outcome judge_series(unsigned int i, unsigned int series)
{
	const struct limit *l = &limits.l[i];
	struct outcome o = { l->is_info ? INFO : OPEN, .reason = l->reason };
	unsigned int n = samples.n_rounds[series];
	double ln_ratio[ROUNDS_MAX];

	samples_need(&samples, &limits, l, series);
	for (unsigned int r = 0; r < n && r < opt.rounds; r++) {
		const struct round *round = &samples.round[series][r];
		bool unfit = round->unfit & (l->num | l->den);
		double ln = round->ln_ratio[i];
		int end = 0;

		o.unfit_ever |= unfit;
		if (o.word != OPEN && o.word != INFO)
			continue;
		if (round->unsupported >> i & 1) {
			o.reason = "unsupported";
		} else if (unfit && !l->fit_any) {
			o.unfit++;
		} else {
			ln_ratio[o.n++] = ln;
			end = walk_add(&o.walk, is_bad(l, ln), opt.bound);
		}
		if (o.word == OPEN && end)
			o.word = end > 0 ? FAIL : PASS;
		if (o.word == OPEN && o.unfit == UNFIT_MAX) {
			o.word = UNDECIDED;
			o.reason = "unfit_machine";
		}
	}
	if (o.word == OPEN && (n >= opt.rounds || opt.final)) {
		o.word = UNDECIDED;
		o.reason = n >= opt.rounds ? "cap" : "budget";
	}
	if (o.n)
		o.ln = summarise(ln_ratio, o.n);
	return o;
}

/* A ratio with three significant digits and without an exponent. */
static void print_ratio(const char *key, double ln)
{
	int decimals = 2 - (int)floor(ln / M_LN10 + 1e-9);

	printf(" %s=%.*f", key, decimals > 0 ? decimals : 0, exp(ln));
}

/* Two decimals, and never -0.00. */
static void print_small(const char *key, double v)
{
	printf(" %s=%.2f", key, fabs(v) < .005 ? 0 : v);
}

static void print_verdict(const struct limit *l, const char *series,
			  const struct outcome *o)
{
	printf("verdict limit=%s series=%s", l->name, series);
	if (o->n) {
		print_ratio("ratio", o->ln.median);
		print_ratio("lo", o->ln.lo);
		print_ratio("hi", o->ln.hi);
		if (o->ln.conf < .95)
			print_small("conf", o->ln.conf);
	}
	printf(" n=%u bad=%u unfit=%u", o->n, o->walk.bad, o->unfit);
	if (o->n) {
		print_small("sigma", o->ln.sigma);
		print_small("lag1", walk_lag1(&o->walk));
	}
	printf(" %s=%s", l->is_max ? "max" : "min", l->text);
	if (l->role != ROLE_DECIDE)
		printf(" role=%s", role_names[l->role]);
	if (o->reason)
		printf(" reason=%s", o->reason);
	if (o->unconfirmed)
		printf(" confirmed=no");
	printf(" verdict=%s\n", word_names[o->word]);
}

/* What a control says of the suite; its fail says nothing of the kernel. */
static struct outcome settle_control(struct outcome o)
{
	if (o.word == FAIL) {
		o.word = o.unfit_ever ? UNDECIDED : BROKEN;
		o.reason = o.unfit_ever ? "unfit_machine" : NULL;
	}
	return o;
}

/*
 * The outcome of a limit over both series; two is NULL where it was not judged
 * again.  The numbers are those of the series that settled it.
 */
static struct outcome combine(const struct limit *l, const struct outcome *one,
			      const struct outcome *two)
{
	struct outcome o = two ? *two : *one;

	if (l->role == ROLE_CONTROL) {
		struct outcome first = settle_control(*one);

		o = settle_control(o);
		return first.word > o.word ? first : o;
	}
	if (one->word == FAIL && (two ? o.word != FAIL : !opt.no_confirm)) {
		o.word = UNDECIDED;
		o.reason = "unconfirmed";
	}
	o.unconfirmed = o.word == FAIL && !two;
	return o;
}

/*
 * What the controls say of a limit.  One that is broken voids every limit of
 * the test; an undecided one those of its own metric, which alone it vouches
 * for, and those whose metric has no control.
 */
static enum word control_of(const struct limit *l, const struct outcome *o)
{
	enum word own = INFO, any = PASS;

	for (unsigned int i = 0; i < limits.n; i++) {
		const struct limit *c = &limits.l[i];

		if (c->role != ROLE_CONTROL)
			continue;
		if (o[i].word > any)
			any = o[i].word;
		if (!strcmp(c->of, l->of) && !strcmp(c->per, l->per) &&
		    o[i].word > own)
			own = o[i].word;
	}
	return any == BROKEN || own == INFO ? any : own;
}

/* one and two are the outcomes of the series, by limit; two[i] may be NULL. */
static void print_final(const struct outcome *one,
			const struct outcome *const *two)
{
	struct outcome o[LIMITS_MAX];
	unsigned int lack = limits_lack_cpus(&limits);
	enum word test = INFO;

	for (unsigned int i = 0; i < limits.n; i++) {
		o[i] = combine(&limits.l[i], &one[i], two[i]);
		if (limits.l[i].role == ROLE_CONTROL && o[i].word == BROKEN)
			test = BROKEN;
	}
	for (unsigned int i = 0; i < limits.n; i++) {
		bool decides = limits.l[i].role == ROLE_DECIDE;
		enum word control = control_of(&limits.l[i], o);

		if (decides && o[i].word != INFO && control > PASS) {
			o[i].word = control;
			o[i].reason = "control";
			o[i].unconfirmed = false;
		}
		if (decides && o[i].word > test)
			test = o[i].word;
		print_verdict(&limits.l[i], "final", &o[i]);
	}
	/* with no limit left to decide nothing was settled, or even asked */
	if (test == INFO && lack)
		printf("verdict test=final min_cpus=%u verdict=notrun\n", lack);
	else
		printf("verdict test=final verdict=%s\n",
		       word_names[test == INFO ? UNDECIDED : test]);
}

static int judge(const char *limits_path, const char *samples_path)
{
	static struct outcome outcomes[2][LIMITS_MAX];
	const struct outcome *judged[2][LIMITS_MAX] = { 0 };
	unsigned int n_series;
	int status = 0;

	limits_read(&limits, limits_path);
	for (unsigned int i = 0; opt.info && i < limits.n; i++)
		limits.l[i].is_info = true;
	samples_read(&samples, &limits, samples_path);
	n_series = samples.n_series ? samples.n_series : 1;
	/* all is judged, and found whole, before a word is printed */
	for (unsigned int s = 0; s < n_series; s++) {
		for (unsigned int i = 0; i < limits.n; i++) {
			bool control = limits.l[i].role == ROLE_CONTROL;

			if (s && outcomes[0][i].word != FAIL &&
			    (!control || limits.l[i].is_info))
				continue;
			outcomes[s][i] = judge_series(i, s);
			judged[s][i] = &outcomes[s][i];
			if (s == n_series - 1 && outcomes[s][i].word == OPEN)
				status = 3;
		}
	}
	for (unsigned int s = 0; s < n_series; s++)
		for (unsigned int i = 0; i < limits.n; i++)
			if (judged[s][i])
				print_verdict(&limits.l[i], s ? "2" : "1",
					      judged[s][i]);
	if (opt.final)
		print_final(outcomes[0], judged[1]);
	return status;
}

static const char usage[] =
	"[--bound N] [--rounds N] [--final] [--no-confirm] [--info] LIMITS SAMPLES, "
	"--check LIMITS ARM..., or --table [--bound N] [--rounds N] "
	"[--lag1 PERCENT]";

_Noreturn static void usage_error(const char *what, const char *found)
{
	fprintf(stderr, "judge: %s%s, expected %s\n", what, found, usage);
	exit(2);
}

/* The number of an option, 1 to ROUNDS_MAX. */
static unsigned int parse_count(const char *text)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !n || n > ROUNDS_MAX)
		usage_error("not a count of 1 to 200: ", text);
	return (unsigned int)n;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "bound", required_argument, NULL, 'b' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "lag1", required_argument, NULL, 'l' },
		{ "final", no_argument, &opt.final, 1 },
		{ "no-confirm", no_argument, &opt.no_confirm, 1 },
		{ "info", no_argument, &opt.info, 1 },
		{ "check", no_argument, &opt.check, 1 },
		{ "table", no_argument, &opt.table, 1 },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c, status = 0, n_args, flags;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (c == 'h') {
			printf("usage: judge %s\n", usage);
			return 0;
		}
		if (c == 'b')
			opt.bound = parse_count(optarg);
		else if (c == 'r')
			opt.rounds = parse_count(optarg);
		else if (c == 'l')
			opt.lag1_percent = parse_count(optarg);
		else if (c)
			usage_error("bad option ", argv[optind - 1]);
	}
	n_args = argc - optind;
	flags = opt.final + opt.no_confirm + opt.info;
	if (opt.bound > opt.rounds)
		usage_error("more bound than rounds", "");
	if (opt.lag1_percent > 99)
		usage_error("more lag1 than 99", "");
	if (opt.lag1_percent && !opt.table)
		usage_error("these arguments do not go together", "");
	if (opt.check + opt.table > 1 || (opt.check + opt.table && flags) ||
	    (opt.check && n_args < 2) || (opt.table && n_args) ||
	    (!opt.check && !opt.table && n_args != 2))
		usage_error("these arguments do not go together", "");
	argv += optind;
	if (opt.check) {
		limits_read(&limits, argv[0]);
		status = limits_check_arms(&limits, argv[0], argv + 1);
	} else if (opt.table) {
		oc_print(opt.bound, opt.rounds, opt.lag1_percent);
	} else {
		status = judge(argv[0], argv[1]);
	}
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "judge: stdout: %s\n", strerror(errno));
		return 1;
	}
	return status;
}
