// SPDX-License-Identifier: GPL-2.0
/*
 * hist against exact quantiles of the same values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../src/bench.h"

#define VALUES 20000

static struct hist h, other;
static uint64_t value[VALUES];

static const struct {
	uint64_t num, den;
} quantiles[] = {
	{ 1, 2 },      { 9, 10 },     { 99, 100 },
	{ 999, 1000 }, { 1, 100000 }, { 1, 1 },
};
#define QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int reset(void **state)
{
	(void)state;
	memset(&h, 0, sizeof(h));
	memset(&other, 0, sizeof(other));
	return 0;
}

/* The smallest value with at least num/den of all not above it. */
static uint64_t exact(size_t n, uint64_t num, uint64_t den)
{
	return value[(n * num + den - 1) / den - 1];
}

/* Sorts the first n values and compares all quantiles within 1/128. */
static void compare(size_t n)
{
	uint64_t want, got, error;
	size_t i;

	qsort(value, n, sizeof(value[0]), by_size);
	assert_int_equal(h.count, n);
	assert_int_equal(h.max, value[n - 1]);
	for (i = 0; i < QUANTILES; i++) {
		want = exact(n, quantiles[i].num, quantiles[i].den);
		got = hist_quantile(&h, quantiles[i].num, quantiles[i].den);
		error = got > want ? got - want : want - got;
		assert_true(error <= want / (2 * HIST_SUB));
	}
	assert_int_equal(hist_quantile(&h, 1, 1), value[n - 1]);
}

static void small_values_are_exact(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 0; i < 2 * HIST_SUB; i++) {
		memset(&h, 0, sizeof(h));
		hist_add(&h, i);
		hist_add(&h, UINT64_MAX);
		assert_int_equal(hist_quantile(&h, 1, 2), i);
	}
}

/* Each power of two, its neighbours and the ends of the range. */
static void every_bucket_holds_its_error(void **state)
{
	unsigned int bit, last = 0;
	uint64_t v, got;
	int step;

	(void)state;
	for (bit = 0; bit < 64; bit++)
		for (step = -1; step <= 1; step++) {
			v = ((uint64_t)1 << bit) + (uint64_t)step;
			if (!bit && step)
				continue;
			assert_true(hist_index(v) < HIST_BUCKETS);
			memset(&h, 0, sizeof(h));
			hist_add(&h, v);
			hist_add(&h, UINT64_MAX);
			got = hist_quantile(&h, 1, 2);
			got = got > v ? got - v : v - got;
			assert_true(got <= v / (2 * HIST_SUB));
		}
	assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
	/* Buckets follow each other without a gap, from below. */
	for (v = 0; v < 1 << 20; v++) {
		assert_true(hist_index(v) - last <= 1);
		last = hist_index(v);
	}
}

static void quantiles_of_random_values(void **state)
{
	uint64_t seed, rand;
	size_t i, n;

	(void)state;
	for (seed = 0; seed < 40; seed++) {
		memset(&h, 0, sizeof(h));
		rand = seed;
		n = seed < 20 ? seed + 1 : VALUES;
		for (i = 0; i < n; i++) {
			/* Of all sizes alike, and heavy in the tail. */
			value[i] = bench_rand(&rand);
			value[i] >>= bench_rand(&rand) % 64;
			hist_add(&h, value[i]);
		}
		compare(n);
	}
}

static void equal_values(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < VALUES; i++) {
		value[i] = 123456789;
		hist_add(&h, value[i]);
	}
	compare(VALUES);
	/* Never above the largest value, though the bucket's middle is. */
	assert_true(hist_quantile(&h, 1, 2) <= 123456789);
}

static void one_outlier_in_a_thousand(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		hist_add(&h, i == 500 ? 1000000 : 100);
	assert_int_equal(hist_quantile(&h, 999, 1000), 100);
	assert_int_equal(hist_quantile(&h, 1, 1), 1000000);
	hist_add(&h, 1000000);
	assert_int_equal(hist_quantile(&h, 999, 1000), 1000000);
}

static void empty_is_zero(void **state)
{
	(void)state;
	assert_int_equal(hist_quantile(&h, 1, 2), 0);
	assert_int_equal(hist_quantile(&h, 1, 1), 0);
	hist_merge(&h, &other);
	assert_int_equal(h.count, 0);
}

static void merge_is_the_hist_of_all(void **state)
{
	uint64_t rand = 7, v;
	static struct hist all;
	size_t i;

	(void)state;
	for (i = 0; i < VALUES; i++) {
		v = bench_rand(&rand) >> (i % 64);
		hist_add(i % 3 ? &h : &other, v);
		hist_add(&all, v);
	}
	hist_merge(&h, &other);
	assert_memory_equal(&h, &all, sizeof(h));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(small_values_are_exact, reset),
		cmocka_unit_test_setup(every_bucket_holds_its_error, reset),
		cmocka_unit_test_setup(quantiles_of_random_values, reset),
		cmocka_unit_test_setup(equal_values, reset),
		cmocka_unit_test_setup(one_outlier_in_a_thousand, reset),
		cmocka_unit_test_setup(empty_is_zero, reset),
		cmocka_unit_test_setup(merge_is_the_hist_of_all, reset),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
