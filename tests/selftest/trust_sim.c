// SPDX-License-Identifier: GPL-2.0
/*
 * How often the judge is wrong on the rounds of a recording: resamples them
 * into sequences of rounds, has the judge's own code judge each, and counts.
 * One record a case and limit that decides or is a control; the cases:
 *
 * inforce: the limit as it is, rounds by circular block bootstrap.
 * labels: the same, num and den of each round exchanged by a fair coin, which
 *   is what two arms that differ by name alone show beside such noise (A/A).
 * segments: the limit as it is, rounds as they came, from each round that has
 *   as many behind it as a series; these overlap.
 * test: all limits as they are, on the same rounds by circular block bootstrap;
 *   wrong where one that decides is, else undecided where any is not settled,
 *   or a control does not pass.
 * moved: the limit moved until a fifth of the rounds is on the wrong side.
 * independent: the same, each round drawn by itself; then design= is exact.
 *
 * A kernel with the fault is expected to fail, one without to pass, a control
 * to pass on both.  wrong, undecided and right are words of a first series;
 * final= counts opposite words that are left once a fail was measured again.
 *
 * Block length: ceil((6 r^2 n / (1 - r^2)^2)^(1/3)) for n rounds of lag-1
 * correlation r, n / 4 at most, 1 at least: the best for an AR(1) process
 * (Politis and White, Econometric Reviews 23, 2004, with Patton's correction,
 * ibid. 28, 2009).  r is that of ln ratio, or of the sides of the moved limit
 * where that is greater.
 */
#define main judge_main
int judge_main(int argc, char **argv);
#include "judge.c"
#undef main

#define SEGMENTS_MIN 200 /* rounds from which segments are judged */
#define SHARE .2 /* of the rounds, on the wrong side of a moved limit */
#define SHARE_OFF .05 /* where ties allow no better */
#define DISTINCT 1e-9 /* so far apart in ln ratio are two rounds */
#define SEED UINT64_C(20240229) /* of each limit: the same text every time */

static struct round recording[ROUNDS_MAX];
static unsigned int n_recorded;
static uint64_t state;

/* What is known of a limit and its rounds. */
struct subject {
	unsigned int i; /* the limit */
	enum word expect; /* PASS or FAIL */
	unsigned int counted[ROUNDS_MAX], n; /* rounds that count */
	unsigned int n_wrong; /* of these, on the wrong side */
	double lag1;
	unsigned int block;
};

struct tally {
	unsigned int sequences, wrong, undecided, right, final;
	uint64_t rounds;
};

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw_u64(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static unsigned int draw_below(unsigned int n)
{
	return (unsigned int)((draw_u64() >> 32) * n >> 32);
}

/* A series of blocks of rounds, each from anywhere on. */
static void fill_blocks(unsigned int series, unsigned int block)
{
	unsigned int from = 0, left = 0;

	for (unsigned int r = 0; r < opt.rounds; r++) {
		if (!left) {
			from = draw_below(n_recorded);
			left = block;
		}
		samples.round[series][r] = recording[from];
		from = from + 1 < n_recorded ? from + 1 : 0;
		left--;
	}
}

static void fill_segment(unsigned int series, unsigned int from)
{
	for (unsigned int r = 0; r < opt.rounds; r++)
		samples.round[series][r] = recording[(from + r) % n_recorded];
}

static void fill_independent(unsigned int series, const struct subject *s)
{
	for (unsigned int r = 0; r < opt.rounds; r++)
		samples.round[series][r] =
			recording[s->counted[draw_below(s->n)]];
}

static void exchange_labels(unsigned int series, unsigned int i)
{
	for (unsigned int r = 0; r < opt.rounds; r++)
		if (draw_u64() >> 63)
			samples.round[series][r].ln_ratio[i] *= -1;
}

enum how { INFORCE, LABELS, SEGMENTS, MOVED, INDEPENDENT, TEST };
static const char *const how_names[] = { "inforce", "labels",	   "segments",
					 "moved",   "independent", "test" };

static void fill(unsigned int series, enum how how, const struct subject *s,
		 unsigned int sequence)
{
	if (how == SEGMENTS)
		fill_segment(series, sequence + series * n_recorded / 2);
	else if (how == INDEPENDENT)
		fill_independent(series, s);
	else
		fill_blocks(series, s->block);
	if (how == LABELS)
		exchange_labels(series, s->i);
}

static bool is_opposite(const struct subject *s, enum word word)
{
	return word == (s->expect == PASS ? FAIL : PASS);
}

static struct tally simulate(enum how how, const struct subject *s,
			     unsigned int sequences)
{
	struct tally t = { .sequences = sequences };

	samples.n_series = 2;
	samples.n_rounds[0] = samples.n_rounds[1] = opt.rounds;
	for (unsigned int n = 0; n < sequences; n++) {
		struct outcome one, two, last;

		fill(0, how, s, n);
		one = judge_series(s->i, 0);
		if (one.word == FAIL) {
			fill(1, how, s, n);
			two = judge_series(s->i, 1);
		}
		last = combine(&limits.l[s->i], &one,
			       one.word == FAIL ? &two : NULL);
		t.rounds += one.n + one.unfit;
		t.right += one.word == s->expect;
		t.undecided += one.word == UNDECIDED;
		t.wrong += is_opposite(s, one.word);
		/* a control that came out wrong makes its test broken */
		t.final += s->expect == FAIL ?
				   last.word == PASS :
				   last.word == FAIL || last.word == BROKEN;
	}
	return t;
}

static void print_case(enum how how, const struct subject *s,
		       const struct tally *t)
{
	const struct limit *l = &limits.l[s->i];

	printf("sim case=%s limit=%s role=%s expect=%s", how_names[how],
	       how == TEST ? "*" : l->name, role_names[l->role],
	       word_names[s->expect]);
	printf(" rounds=%u unfit=%u wrong_rounds=%u lag1=%.2f block=%u",
	       n_recorded, n_recorded - s->n, s->n_wrong,
	       fabs(s->lag1) < .005 ? 0 : s->lag1,
	       how == INDEPENDENT ? 1 : s->block);
	printf(" sequences=%u wrong=%u undecided=%u right=%u final=%u",
	       t->sequences, t->wrong, t->undecided, t->right, t->final);
	printf(" rounds_sum=%" PRIu64, t->rounds);
	if (how == INDEPENDENT)
		printf(" design=%.7f", oc_compute((double)s->n_wrong / s->n,
						  opt.bound, opt.rounds, true)
					       .fail);
	printf("\n");
}

static bool is_wrong(const struct subject *s, unsigned int round)
{
	const struct limit *l = &limits.l[s->i];

	return is_bad(l, recording[round].ln_ratio[s->i]) ==
	       (s->expect == PASS);
}

/* Rounds on the wrong side, and the lag-1 dependence of the sides. */
static double count_wrong(struct subject *s)
{
	struct walk w = { 0 };

	for (unsigned int r = 0; r < s->n; r++)
		walk_add(&w, is_wrong(s, s->counted[r]), ROUNDS_MAX);
	s->n_wrong = w.bad;
	return walk_lag1(&w);
}

static double lag1_of_ratios(const struct subject *s)
{
	double x[ROUNDS_MAX], mean = 0, square = 0, product = 0;

	for (unsigned int r = 0; r < s->n; r++)
		mean += x[r] = recording[s->counted[r]].ln_ratio[s->i];
	mean /= s->n;
	for (unsigned int r = 0; r < s->n; r++) {
		square += (x[r] - mean) * (x[r] - mean);
		if (r)
			product += (x[r] - mean) * (x[r - 1] - mean);
	}
	return square > s->n * DISTINCT * DISTINCT ? product / square : 0;
}

static unsigned int block_length(double lag1, unsigned int n)
{
	double r2 = lag1 * lag1;
	double block = ceil(cbrt(6 * r2 * n / ((1 - r2) * (1 - r2))));

	if (block > n / 4)
		block = n / 4;
	return block < 1 ? 1 : (unsigned int)block;
}

/* The middle between a round's ln ratio and the next greater one; or NAN. */
static double gap_above(const struct subject *s, double x)
{
	double next = INFINITY;

	for (unsigned int r = 0; r < s->n; r++) {
		double y = recording[s->counted[r]].ln_ratio[s->i];

		if (y > x + DISTINCT && y < next)
			next = y;
	}
	return isinf(next) ? NAN : (x + next) / 2;
}

/*
 * Moves the limit to where the share of rounds on the wrong side is nearest to
 * SHARE, between two rounds that differ, and says how the sides depend; NAN
 * where none is near enough.
 */
static double move_limit(struct subject *s)
{
	struct limit *l = &limits.l[s->i];
	double best = NAN, distance = 1, lag1;

	for (unsigned int r = 0; r < s->n; r++) {
		double t =
			gap_above(s, recording[s->counted[r]].ln_ratio[s->i]);
		double off;

		if (isnan(t))
			continue;
		l->ln_threshold = t;
		count_wrong(s);
		off = fabs((double)s->n_wrong / s->n - SHARE);
		if (off < distance) {
			distance = off;
			best = t;
		}
	}
	l->ln_threshold = best;
	lag1 = count_wrong(s);
	return distance <= SHARE_OFF ? lag1 : NAN;
}

/* What the limit's rounds are; false where it does not decide on them. */
static bool look_at(struct subject *s, bool is_bad_kernel)
{
	const struct limit *l = &limits.l[s->i];

	if (l->is_info)
		return false;
	s->expect = is_bad_kernel && l->role == ROLE_DECIDE ? FAIL : PASS;
	for (unsigned int r = 0; r < n_recorded; r++)
		if (l->fit_any || !(recording[r].unfit & (l->num | l->den)))
			s->counted[s->n++] = r;
	if (!s->n)
		return false;
	s->lag1 = lag1_of_ratios(s);
	return true;
}

static void run(enum how how, const struct subject *s, unsigned int sequences)
{
	struct tally t = simulate(how, s, sequences);

	print_case(how, s, &t);
}

/* All cases of limit s->i alone; what its rounds are stays in s. */
static void run_limit(struct subject *s, unsigned int sequences,
		      unsigned int independent)
{
	struct limit *l = &limits.l[s->i];
	double in_force = l->ln_threshold, lag1;
	struct subject moved = *s;

	count_wrong(s);
	lag1 = move_limit(&moved);
	if (fabs(lag1) > fabs(s->lag1))
		s->lag1 = lag1;
	s->block = block_length(s->lag1, s->n);
	moved.lag1 = s->lag1;
	moved.block = s->block;

	if (!isnan(lag1)) {
		run(MOVED, &moved, sequences);
		run(INDEPENDENT, &moved, independent);
	}
	l->ln_threshold = in_force;
	run(INFORCE, s, sequences);
	if (s->expect == PASS && l->role == ROLE_DECIDE)
		run(LABELS, s, sequences);
	if (n_recorded >= SEGMENTS_MIN)
		run(SEGMENTS, s, n_recorded - opt.rounds + 1);
}

/* One sequence of a test with these n limits, drawn in blocks. */
static void add_test(struct tally *t, const struct subject *s, unsigned int n,
		     unsigned int block)
{
	bool wrong = false, undecided = false, final = false;
	unsigned int rounds = 0;

	fill_blocks(0, block);
	fill_blocks(1, block);
	for (unsigned int i = 0; i < n; i++) {
		const struct limit *l = &limits.l[s[i].i];
		struct outcome one = judge_series(s[i].i, 0), two, last;

		if (one.word == FAIL)
			two = judge_series(s[i].i, 1);
		last = combine(l, &one, one.word == FAIL ? &two : NULL);
		if (one.n + one.unfit > rounds)
			rounds = one.n + one.unfit;
		undecided |= one.word != s[i].expect;
		if (l->role == ROLE_DECIDE) {
			wrong |= is_opposite(&s[i], one.word);
			final |= is_opposite(&s[i], last.word);
		}
	}
	t->rounds += rounds;
	t->wrong += wrong;
	t->undecided += undecided && !wrong;
	t->right += !undecided;
	t->final += final;
}

/* The test of these n limits, the blocks as long as the longest of theirs. */
static void run_test(const struct subject *s, unsigned int n,
		     unsigned int sequences)
{
	struct tally t = { .sequences = sequences };
	struct subject all = { 0 };
	unsigned int block = 1;

	for (unsigned int i = 0; i < n; i++) {
		if (s[i].block > block)
			block = s[i].block;
		if (limits.l[s[i].i].role == ROLE_DECIDE &&
		    (!all.n || s[i].n_wrong > all.n_wrong))
			all = s[i];
	}
	if (!all.n)
		return;
	all.block = block;
	for (unsigned int i = 0; i < sequences; i++)
		add_test(&t, s, n, block);
	print_case(TEST, &all, &t);
}

/* A number of sequences, 1 to 10 million. */
static unsigned int parse_sequences(const char *text)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !n || n > 10000000) {
		fprintf(stderr, "trust_sim: '%s', expected 1 to 10000000\n",
			text);
		exit(2);
	}
	return (unsigned int)n;
}

int main(int argc, char **argv)
{
	static struct subject subjects[LIMITS_MAX];
	bool is_bad_kernel = argc == 6 && !strcmp(argv[2], "bad");
	unsigned int sequences, independent, n = 0;

	if (argc != 6 || (!is_bad_kernel && strcmp(argv[2], "good"))) {
		fprintf(stderr, "trust_sim: expected LIMITS good|bad SAMPLES "
				"SEQUENCES INDEPENDENT-SEQUENCES\n");
		return 2;
	}
	sequences = parse_sequences(argv[4]);
	independent = parse_sequences(argv[5]);
	limits_read(&limits, argv[1]);
	samples_read(&samples, &limits, argv[3]);
	for (unsigned int i = 0; i < limits.n; i++)
		if (!limits.l[i].is_info)
			samples_need(&samples, &limits, &limits.l[i], 0);
	n_recorded = samples.n_rounds[0];
	memcpy(recording, samples.round[0], sizeof(recording));
	if (n_recorded < opt.rounds) {
		fprintf(stderr, "trust_sim: %s: %u rounds, expected %u\n",
			argv[3], n_recorded, opt.rounds);
		return 1;
	}
	for (unsigned int i = 0; i < limits.n; i++) {
		struct subject *s = &subjects[n];

		s->i = i;
		if (!look_at(s, is_bad_kernel))
			continue;
		state = SEED + 2 * i + is_bad_kernel;
		run_limit(s, sequences, independent);
		n++;
	}
	run_test(subjects, n, sequences);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "trust_sim: stdout: %s\n", strerror(errno));
		return 1;
	}
	return 0;
}
