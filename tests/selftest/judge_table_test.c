// SPDX-License-Identifier: GPL-2.0
/*
 * Runs simulated sequences of rounds through the judge's own rule, and through
 * the plain walk whose bound is never raised, on the same numbers.  Prints a
 * line a case: NAME, then of plain and of judged wrong, equal, undecided
 * (shares of the sequences) and mean rounds.  wrong: fail, as every kernel here
 * is on the good side; equal: wrong by rounds that are all on the bad side.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "signtest.h"

#define SEQUENCES 100000
#define ROUNDS 40
#define BOUND 5

static uint64_t state = 20240229;

/* Uniform in (0, 1): splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static double uniform(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 11) + .5) / 9007199254740992.;
}

/* Standard normal (Box and Muller). */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

struct tally {
	unsigned int wrong, equal, undecided, rounds;
};

static void add(struct tally *t, const bool *bad, bool raise)
{
	struct walk w = { 0 };
	int end = 0, s = 0, n = 0;

	while (!end && n < ROUNDS) {
		end = walk_add(&w, bad[n], BOUND);
		s += bad[n++] ? 1 : -1;
		if (!raise)
			end = s / BOUND;
	}
	t->rounds += (unsigned int)n;
	t->wrong += end > 0;
	t->equal += end > 0 && s == n;
	t->undecided += !end;
}

static void print(const struct tally *t)
{
	printf(" %.5f %.5f %.5f %.3f", (double)t->wrong / SEQUENCES,
	       (double)t->equal / SEQUENCES, (double)t->undecided / SEQUENCES,
	       (double)t->rounds / SEQUENCES);
}

/*
 * Noise of sigma 1 with lag-1 correlation rho about the quantile z, where a
 * round above 0 is bad; step: z becomes 0 (p = .5) at a round of 2 to 21.
 */
static void simulate(const char *name, double z, double rho, bool step)
{
	struct tally plain = { 0 }, judged = { 0 };
	bool bad[ROUNDS];

	for (int i = 0; i < SEQUENCES; i++) {
		double noise = normal();
		int from = step ? 1 + (int)(20 * uniform()) : ROUNDS;

		for (int r = 0; r < ROUNDS; r++) {
			if (r)
				noise = rho * noise +
					sqrt(1 - rho * rho) * normal();
			bad[r] = (r < from ? z : 0) + noise > 0;
		}
		add(&plain, bad, false);
		add(&judged, bad, true);
	}
	printf("%s", name);
	print(&plain);
	print(&judged);
	printf("\n");
}

int main(void)
{
	const double z_05 = -1.6448536269514722, z_10 = -1.2815515655446004,
		     z_20 = -.8416212335729143, z_30 = -.5244005127080407;

	simulate("independent_10", z_10, 0, false);
	simulate("independent_20", z_20, 0, false);
	simulate("independent_30", z_30, 0, false);
	simulate("ar1_05", z_05, .5, false);
	simulate("ar1_10", z_10, .5, false);
	simulate("ar1_20", z_20, .5, false);
	simulate("step_10", z_10, 0, true);
	simulate("step_20", z_20, 0, true);
	return 0;
}
