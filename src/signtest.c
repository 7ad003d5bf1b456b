// SPDX-License-Identifier: GPL-2.0
/*
 * The sequential sign test; signtest.h has the rule, its sources and errors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signtest.h"

double walk_lag1(const struct walk *w)
{
	double bad = w->bad, good = w->good;

	if (!w->bad || !w->good)
		return 0;
	return 1 - (w->runs - 1) * (bad + good) / (2 * bad * good);
}

unsigned int walk_bound(const struct walk *w, unsigned int bound)
{
	double rarer = w->bad < w->good ? w->bad : w->good;
	double r = walk_lag1(w) * rarer / (rarer + 2);

	if (r <= 0)
		return bound;
	/* a rounding error is not worth a round */
	return (unsigned int)ceil(bound * (1 + r) / (1 - r) - 1e-9);
}

int walk_add(struct walk *w, bool is_bad, unsigned int bound)
{
	unsigned int distance;

	if (!w->runs || w->last_bad != is_bad)
		w->runs++;
	w->last_bad = is_bad;
	if (is_bad)
		w->bad++;
	else
		w->good++;
	distance = (unsigned int)abs((int)w->bad - (int)w->good);
	if (distance < walk_bound(w, bound))
		return 0;
	return w->bad > w->good ? 1 : -1;
}

struct oc oc_compute_lag1(double p, double lag1, unsigned int bound,
			  unsigned int n_rounds, bool raise)
{
	static double prob[2][ROUNDS_MAX + 1][ROUNDS_MAX + 1][2];
	struct oc oc = { 0 };

	prob[0][0][0][0] = 1;
	for (unsigned int n = 0; n < n_rounds; n++) {
		double(*from)[ROUNDS_MAX + 1][2] = prob[n % 2];
		double(*to)[ROUNDS_MAX + 1][2] = prob[(n + 1) % 2];

		memset(to, 0, (n + 2) * sizeof(*to));
		for (unsigned int i = 0; i < (n + 1) * (n + 1) * 4; i++) {
			bool last = i & 2, is_bad = i & 1;
			unsigned int bad = i / 4 / (n + 1);
			struct walk w = { .bad = bad,
					  .good = n - bad,
					  .runs = i / 4 % (n + 1),
					  .last_bad = last };
			double q = from[bad][w.runs][last], p_bad = p;
			int end;

			if (n)
				p_bad += lag1 * (last ? 1 - p : -p);
			q *= is_bad ? p_bad : 1 - p_bad;
			if (!(q > 0))
				continue;
			oc.mean_rounds += q;
			end = walk_add(&w, is_bad, bound);
			if (!raise)
				end = ((int)w.bad - (int)w.good) / (int)bound;
			if (end)
				*(end > 0 ? &oc.fail : &oc.pass) += q;
			else if (n + 1 == n_rounds)
				oc.undecided += q;
			else
				to[w.bad][w.runs][is_bad] += q;
		}
	}
	return oc;
}

struct oc oc_compute(double p, unsigned int bound, unsigned int n_rounds,
		     bool raise)
{
	return oc_compute_lag1(p, 0, bound, n_rounds, raise);
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sort_median(double *x, unsigned int n)
{
	qsort(x, n, sizeof(*x), compare_double);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

struct summary summarise(double *x, unsigned int n)
{
	/* P(exactly k of n fair coins), and up to k */
	double term = exp2(-(double)n), tail = term;
	struct summary s = { .median = sort_median(x, n) };
	unsigned int k;

	for (k = 0; k + 1 < n; k++) {
		term *= (double)(n - k) / (k + 1);
		if (2 * (tail + term) > .05)
			break;
		tail += term;
	}
	s.conf = 1 - 2 * tail;
	s.lo = x[k];
	s.hi = x[n - 1 - k];
	for (unsigned int i = 0; i < n; i++)
		x[i] = fabs(x[i] - s.median);
	s.sigma = 1.4826 * sort_median(x, n);
	return s;
}

static void print_table(unsigned int bound, unsigned int n_rounds, double lag1,
			bool raise)
{
	printf("#  p         fail         pass    undecided  mean rounds\n");
	for (int percent = 0; percent <= 100; percent += 5) {
		int p = percent == 0 ? 2 : percent == 100 ? 98 : percent;
		struct oc oc =
			oc_compute_lag1(p / 100., lag1, bound, n_rounds, raise);

		printf("0.%02d %.9f  %.9f  %.9f  %11.3f\n", p, oc.fail, oc.pass,
		       oc.undecided, oc.mean_rounds);
	}
}

void oc_print(unsigned int bound, unsigned int n_rounds,
	      unsigned int lag1_percent)
{
	double lag1 = lag1_percent / 100.;

	printf("# Operating characteristic of one limit in one series, exact, for ");
	if (lag1_percent)
		printf("rounds with a\n# lag-1 correlation of %.2f.\n# Here ",
		       lag1);
	else
		printf("independent\n# rounds.  ");
	printf("p is the probability that a round lies on the bad side of the limit.\n"
	       "# As judged: fail at +%u, pass at -%u, undecided after %u rounds, the bound raised\n"
	       "# where the sides come in runs.\n",
	       bound, bound, n_rounds);
	print_table(bound, n_rounds, lag1, true);
	printf("# The same with the bound never raised.\n");
	print_table(bound, n_rounds, lag1, false);
}
