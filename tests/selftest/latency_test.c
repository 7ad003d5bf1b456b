// SPDX-License-Identifier: GPL-2.0
/*
 * latency_put on calls whose lengths stand at the edges of a millisecond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../src/bench.h"
#include "../../src/latency.h"

static struct span calls[2000];

static void expect(uint64_t n, const char *keys)
{
	static struct record r;

	record_begin(&r, "sample");
	latency_put(&r, calls, n);
	assert_string_equal(r.buf, keys);
}

static void length(unsigned int i, uint64_t ns)
{
	calls[i].begin = 7;
	calls[i].end = 7 + ns;
}

static void edges(void **state)
{
	static const uint64_t ns[] = { 0,	   999999,     1000000,
				       99999999,   100000000,  999999999,
				       1000000000, 60000000000 };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		length(i, ns[i]);
	expect(1, "sample longest_ns=0 over_100ms=0 hist_ms=0:1");
	expect(2, "sample longest_ns=999999 over_100ms=0 hist_ms=0:2");
	expect(4, "sample longest_ns=99999999 over_100ms=0 "
		  "hist_ms=0:2,1:1,99:1");
	expect(8, "sample longest_ns=60000000000 over_100ms=4 "
		  "hist_ms=0:2,1:1,99:1,100:1,999:1,1000:2");
}

/* One call of each length, the longest text that single calls can give. */
static void all_lengths(void **state)
{
	static struct record r;
	unsigned int i;

	(void)state;
	for (i = 0; i < 1100; i++)
		length(i, i * (uint64_t)1000000);
	record_begin(&r, "sample");
	latency_put(&r, calls, 1100);
	assert_false(r.overflow);
	assert_non_null(strstr(r.buf, " hist_ms=0:1,1:1,2:1,"));
	assert_non_null(strstr(r.buf, ",998:1,999:1,1000:100"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges),
		cmocka_unit_test(all_lengths),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
