/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The truncated sequential sign test: its rule, its operating characteristic,
 * and the numbers that are printed beside it.
 *
 * A round lies on the bad or on the good side of a limit.  The walk bad - good
 * ends as fail at +bound, as pass at -bound and as undecided at the last round:
 * Wald's sequential probability ratio test of p = .2 against p = .8 on signs
 * (Wald, Ann. Math. Stat. 16, 1945), with the error 1 / (1 + ((1-p)/p)^bound)
 * where there is no last round: .00098 with bound 5 at p = .2.
 *
 * That holds for independent rounds.  On a real machine a neighbour stays for
 * some rounds, so the bound is raised where the sides come in runs:
 *
 * Dependence: where the order of n rounds, a of them bad and b good, says
 * nothing, they change sides 2ab/n times on average (Wald and Wolfowitz, Ann.
 * Math. Stat. 11, 1940).  r = 1 - changes / (2ab/n) estimates the lag-1
 * correlation of a two-state Markov chain.
 *
 * Significance: all that can be learnt of r is where the rarer side stands.
 * One odd round says little, five in a row much.  So r is weighed by
 * m / (m + 2), m = min(a, b): as if two more had been seen that say r = 0.
 *
 * Bound: r multiplies the variance of the walk by (1 + r) / (1 - r) (Gabriel,
 * Biometrika 46, 1959), and the odds of the end hang on bound x drift over
 * variance.  So it needs ceil(bound (1 + r) / (1 - r)); with r <= 0 it is
 * bound, never less.  This is computed afresh in each round that finds the walk
 * at bound or beyond.
 *
 * What it costs where rounds are independent (bound 5 of 40 rounds, exact, see
 * judge --table): .05 / .13 / .30 / .76 rounds more on average at p = .02 / .05
 * / .1 / .2.  A bound of 6 for all would cost 1.04 / 1.11 / 1.25 / 1.68.  What
 * it gives (simulated, tests/selftest/judge_table.t): with AR(1) noise of lag-1
 * .5 wrong verdicts fall from 2.6 to 1.7 % at p = .2 and from .30 to .21 % at
 * p = .1, undecided ones rise by 1.1 and .04 %.  Where a neighbour comes in
 * round 2 to 21 and takes p from .1 to .5, wrong ones fall from 5.4 to 4.5 %.
 *
 * What is left: rounds that all lie on one side have no order and no evidence
 * of dependence, and end the test at the bound itself.  They are half of the
 * wrong verdicts that remain: .87 of the 1.7 %, .14 of the .21 %.  A fail must
 * come out again after a second set-up; a pass need not.  The sides of the
 * median instead of the limit would catch a third of these, for .7 rounds more
 * at p = .05 (simulated), which is no bargain.
 */
#ifndef FSRATIO_SIGNTEST_H
#define FSRATIO_SIGNTEST_H

#include <stdbool.h>

#define ROUNDS_MAX 200 /* oc_compute's memory grows with its square */

/* A walk: rounds on each side, and runs of rounds on one side. */
struct walk {
	unsigned int bad, good, runs;
	bool last_bad;
};

/*
 * Adds a round to a walk, which starts as zeroes.  -1: the test ends as pass,
 * 1: as fail, 0: neither yet.
 */
int walk_add(struct walk *w, bool is_bad, unsigned int bound);

/* The distance that the walk needs now in order to end: bound or more. */
unsigned int walk_bound(const struct walk *w, unsigned int bound);

/* The lag-1 dependence of the sides, below 1; 0 where all are equal. */
double walk_lag1(const struct walk *w);

/* What comes of a test: three probabilities, and its length. */
struct oc {
	double fail, pass, undecided, mean_rounds;
};

/*
 * The operating characteristic where a round is bad with probability p and
 * rounds are independent: exact, by dynamic programming over (bad rounds, runs,
 * last side).  raise: as judged, else the bound is never raised.  bound and
 * n_rounds are 1 to ROUNDS_MAX.
 */
struct oc oc_compute(double p, unsigned int bound, unsigned int n_rounds,
		     bool raise);

/*
 * The same of rounds that are a two-state Markov chain with this lag-1
 * correlation, 0 to below 1, of their sides.
 */
struct oc oc_compute_lag1(double p, double lag1, unsigned int bound,
			  unsigned int n_rounds, bool raise);

/*
 * Prints oc_compute_lag1 for p = .02 to .98, as judged and with no raised
 * bound.
 */
void oc_print(unsigned int bound, unsigned int n_rounds,
	      unsigned int lag1_percent);

/*
 * What n >= 1 numbers show.  lo and hi are the distribution-free interval of
 * the median: the shortest pair of order statistics that covers it with a
 * probability conf of 95 % or more (binomial), with n < 6 the least and the
 * greatest, which cover it with less.  sigma is 1.4826 times the median
 * absolute deviation, which is the standard deviation where noise is normal.
 * All are descriptive: the sequential test has chosen n.
 */
struct summary {
	double median, lo, hi, conf, sigma;
};

/* Sorts x, and overwrites it. */
struct summary summarise(double *x, unsigned int n);

#endif
