// SPDX-License-Identifier: GPL-2.0
/*
 * overlap_ppm on calls and waits whose overlaps are plain to see.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../../src/overlap.h"

#define PPM(calls, waits)                                           \
	overlap_ppm(calls, sizeof(calls) / sizeof(*(calls)), waits, \
		    sizeof(waits) / sizeof(*(waits)))

static const struct span one[] = { { 1000, 2000 } };

static void one_wait(void **state)
{
	static const struct {
		struct span wait;
		uint64_t ppm;
	} cases[] = {
		{ { 0, 999 }, 0 },	     { { 0, 1000 }, 0 },
		{ { 2000, 3000 }, 0 },	     { { 1400, 1600 }, 200000 },
		{ { 0, 1250 }, 250000 },     { { 1250, 9000 }, 750000 },
		{ { 1000, 2000 }, 1000000 }, { { 0, 9000 }, 1000000 },
		{ { 1000, 1001 }, 1000 },    { { 1999, 2000 }, 1000 },
		{ { 1500, 1500 }, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(overlap_ppm(one, 1, &cases[i].wait, 1),
				 cases[i].ppm);
	assert_int_equal(overlap_ppm(one, 1, NULL, 0), 0);
}

static void longest_wait(void **state)
{
	static const struct span waits[] = { { 0, 1100 },
					     { 1100, 1400 },
					     { 1500, 1700 },
					     { 1900, 9000 },
					     { 9000, 99999 } };

	(void)state;
	assert_int_equal(PPM(one, waits), 300000);
}

/* A wait counts for each call that it is beside, and the median is taken. */
static void many_calls(void **state)
{
	static const struct span waits[] = { { 0, 1500 }, { 1600, 3100 } };
	static const struct span odd[] = { { 0, 1000 },
					   { 1000, 2000 },
					   { 3000, 4000 } };
	static const struct span even[] = {
		{ 0, 1000 }, { 1000, 2000 }, { 3000, 4000 }, { 5000, 6000 }
	};

	(void)state;
	assert_int_equal(PPM(odd, waits), 500000);
	assert_int_equal(PPM(even, waits), 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_wait),
		cmocka_unit_test(longest_wait),
		cmocka_unit_test(many_calls),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
