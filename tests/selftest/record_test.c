// SPDX-License-Identifier: GPL-2.0
/*
 * record.c: what it writes, what it reads, and all that it refuses.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record.h"

/* A string of n times c, in memory of its own. */
static char *repeat(char c, size_t n)
{
	char *s = malloc(n + 1);

	assert_non_null(s);
	memset(s, c, n);
	s[n] = '\0';
	return s;
}

/* What record_write puts into a file, or NULL and errno. */
static char *written(const struct record *r)
{
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);
	int rc;

	assert_non_null(fp);
	rc = record_write(r, fp);
	fclose(fp);
	if (!rc)
		return text;
	assert_int_equal(size, 0);
	free(text);
	return NULL;
}

static void test_write(void **state)
{
	struct record r;
	char *text;

	(void)state;
	record_begin(&r, "sample");
	assert_int_equal(record_add_str(&r, "helper", "spin"), 0);
	assert_int_equal(record_add_u64(&r, "zero", 0), 0);
	assert_int_equal(record_add_u64(&r, "p99_ns", INT64_MAX), 0);
	assert_int_equal(record_add_str(&r, "frames", "down;a+0x1/0x2[m]"), 0);
	assert_int_equal(record_add_str(&r, "help", "\303\244"), 0);
	text = written(&r);
	assert_string_equal(text, "sample helper=spin zero=0 "
				  "p99_ns=9223372036854775807 "
				  "frames=down;a+0x1/0x2[m] help=\303\244\n");
	free(text);
}

static void refused(const char *key, const char *value, int err)
{
	struct record r;

	record_begin(&r, "sample");
	assert_int_equal(record_add_str(&r, "ok", "1"), 0);
	errno = 0;
	assert_int_equal(record_add_str(&r, key, value), -1);
	assert_int_equal(errno, err);
	assert_int_equal(r.overflow, 1);
	/* and the rest is never taken for the whole */
	assert_int_equal(record_add_str(&r, "later", "1"), 0);
	errno = 0;
	assert_null(written(&r));
	assert_int_equal(errno, EINVAL);
}

static void test_refused(void **state)
{
	static const char *const keys[] = { "",	   "A",	  "1a",	 "_a",
					    "a-b", "a b", "a=b", "aB",
					    "a\n", " a",  "\303" };
	static const char *const values[] = { "",     " ",    "a b", "a=b",
					      "=",    "a\n",  "\t",  "a\r",
					      "\x7f", "a\001" };
	struct record r;

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		refused(keys[i], "1", EINVAL);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		refused("k", values[i], EINVAL);
	refused("ok", "2", EEXIST);
	record_begin(&r, "sample");
	errno = 0;
	assert_int_equal(record_add_u64(&r, "k", UINT64_C(1) << 63), -1);
	assert_int_equal(errno, ERANGE);
	errno = 0;
	assert_null(written(&r));
	assert_int_equal(errno, EINVAL);
	record_begin(&r, "Sample");
	assert_null(written(&r));
	record_begin(&r, "");
	assert_null(written(&r));
}

/* A key that begins or ends as another is another. */
static void test_similar_keys(void **state)
{
	static const char *const keys[] = { "ops", "op", "opss", "xops", "s" };
	struct record r;

	(void)state;
	record_begin(&r, "ops");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_int_equal(record_add_str(&r, keys[i], "ops"), 0);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		errno = 0;
		assert_int_equal(record_add_str(&r, keys[i], "1"), -1);
		assert_int_equal(errno, EEXIST);
	}
}

/* The longest record there is can be read again, a longer one not written. */
static void test_room(void **state)
{
	/* "k a=" and the newline and NUL stand beside the value */
	char *fits = repeat('v', RECORD_MAX - 6), *text, key[8], why[64];
	char *over = repeat('v', RECORD_MAX - 5), *line_over;
	struct record_line line;
	struct record r;

	(void)state;
	record_begin(&r, "k");
	assert_int_equal(record_add_str(&r, "a", fits), 0);
	text = written(&r);
	assert_int_equal(strlen(text), RECORD_MAX - 1);
	assert_int_equal(record_parse(text, &line, why, sizeof(why)), 0);
	assert_string_equal(record_get(&line, "a"), fits);
	free(text);
	record_begin(&r, "k");
	errno = 0;
	assert_int_equal(record_add_str(&r, "a", over), -1);
	assert_int_equal(errno, ENOSPC);
	assert_null(written(&r));

	assert_int_equal(asprintf(&line_over, "k a=%s\n", over), RECORD_MAX);
	assert_int_equal(record_parse(line_over, &line, why, sizeof(why)), -1);
	free(line_over);

	record_begin(&r, "k");
	for (int i = 0; i < RECORD_KEYS_MAX; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		assert_int_equal(record_add_u64(&r, key, 7), 0);
	}
	text = written(&r);
	assert_int_equal(record_parse(text, &line, why, sizeof(why)), 0);
	assert_int_equal(line.n, RECORD_KEYS_MAX);
	free(text);
	errno = 0;
	assert_int_equal(record_add_u64(&r, "more", 7), -1);
	assert_int_equal(errno, ENOSPC);

	over[RECORD_MAX - 7] = '\0';
	record_begin(&r, over);
	assert_non_null(text = written(&r));
	free(text);
	free(over);
	over = repeat('k', RECORD_MAX);
	record_begin(&r, over);
	assert_null(written(&r));
	free(over);
	free(fits);
}

/* A stream whose first write fails: what came before the record is lost. */
static ssize_t write_once_failing(void *cookie, const char *buf, size_t size)
{
	int *calls = cookie;

	(void)buf;
	if (++*calls > 1)
		return (ssize_t)size;
	errno = EIO;
	return 0;
}

static void test_stream_had_failed(void **state)
{
	int calls = 0;
	FILE *fp = fopencookie(
		&calls, "w",
		(cookie_io_functions_t){ .write = write_once_failing });
	struct record r;

	(void)state;
	assert_non_null(fp);
	fputs("lost", fp);
	assert_int_equal(fflush(fp), EOF);
	record_begin(&r, "sample");
	assert_int_equal(record_write(&r, fp), -1);
	assert_int_not_equal(calls, 1);
	fclose(fp);
}

static void test_stream(void **state)
{
	FILE *fp = fopen("/dev/full", "w");
	struct record r;

	(void)state;
	if (!fp)
		skip();
	record_begin(&r, "sample");
	assert_int_equal(record_add_u64(&r, "ops", 1), 0);
	errno = 0;
	assert_int_equal(record_write(&r, fp), -1);
	assert_int_equal(errno, ENOSPC);
	fclose(fp);
}

static void parsed(const char *text, int rc, const char *expect)
{
	char *copy = strdup(text), why[256] = "";
	struct record_line line;

	assert_non_null(copy);
	assert_int_equal(record_parse(copy, &line, why, sizeof(why)), rc);
	assert_string_equal(why, expect);
	if (rc == 1) {
		assert_null(line.kind);
		assert_int_equal(line.n, 0);
	}
	free(copy);
}

static void test_parse(void **state)
{
	char text[] = " \tsample  a=1\tb_2=x,y;/[]+\302\265  cc=-5 \n", why[64];
	struct record_line line;
	uint64_t v = 99;

	(void)state;
	assert_int_equal(record_parse(text, &line, why, sizeof(why)), 0);
	assert_string_equal(line.kind, "sample");
	assert_int_equal(line.n, 3);
	assert_string_equal(record_get(&line, "a"), "1");
	assert_string_equal(record_get(&line, "b_2"), "x,y;/[]+\302\265");
	assert_string_equal(record_get(&line, "cc"), "-5");
	assert_string_equal(line.f[2].key, "cc");
	assert_null(record_get(&line, "b"));
	assert_null(record_get(&line, "sample"));
	assert_int_equal(record_get_u64(&line, "a", &v, why, sizeof(why)), 0);
	assert_int_equal(v, 1);

	parsed("", 1, "");
	parsed("\n", 1, "");
	parsed(" \t\n", 1, "");
	parsed("# a=1 ===\001\n", 1, "");
	parsed("  #\n", 1, "");
	parsed("env\n", 0, "");
	parsed("Env a=1\n", -1, "'Env', expected a record's kind");
	parsed("a=1\n", -1, "'a=1', expected a record's kind");
	parsed("env a=1 text\n", -1, "'text', expected KEY=VALUE");
	parsed("env =1\n", -1, "'', expected KEY=VALUE");
	parsed("env 1=1\n", -1, "'1', expected KEY=VALUE");
	parsed("env a=1 # why\n", -1, "'#', expected KEY=VALUE");
	parsed("env a=\n", -1, "a='', expected a plain value");
	parsed("env a=b=c\n", -1, "a='b=c', expected a plain value");
	parsed("env a=1\r\n", -1, "a='1?', expected a plain value");
	parsed("env a=1\nenv b=1\n", -1, "a='1?env', expected a plain value");
	parsed("env a=1 a=1\n", -1, "key a twice, expected it once");
	parsed("env a=\x1b[2J\n", -1, "a='?[2J', expected a plain value");
	parsed("env x\303\244y=1\n", -1, "'x?\?y', expected KEY=VALUE");
}

static void test_parse_long(void **state)
{
	char *word = repeat('x', 100), *text = repeat('y', 20000), *line;
	char why[256], small[8], key[32];
	struct record_line out;

	(void)state;
	/* a message stays short, whatever the word, and whatever its room */
	assert_int_equal(asprintf(&line, "env %s\n", word), 105);
	assert_int_equal(record_parse(line, &out, why, sizeof(why)), -1);
	word[40] = '\0';
	assert_string_equal(why + 1 + 40, "...', expected KEY=VALUE");
	free(line);
	assert_int_equal(asprintf(&line, "env %s\n", word), 45);
	assert_int_equal(record_parse(line, &out, small, sizeof(small)), -1);
	assert_string_equal(small, "'xxxxxx");
	assert_int_equal(record_parse(line, &out, NULL, 0), 0);
	free(line);

	assert_int_equal(asprintf(&line, "env a=%s\n", text), 20007);
	assert_int_equal(record_parse(line, &out, why, sizeof(why)), -1);
	assert_string_equal(why,
			    "a line of 20006 bytes, expected at most 8190");
	free(line);
	/* a comment may be as long as it likes */
	*text = '#';
	assert_int_equal(record_parse(text, &out, why, sizeof(why)), 1);

	strcpy(text, "env");
	for (int i = 0; i <= RECORD_KEYS_MAX; i++) {
		snprintf(key, sizeof(key), " k%d=1", i);
		strcat(text, key);
	}
	assert_int_equal(record_parse(text, &out, why, sizeof(why)), -1);
	assert_string_equal(why, "more than 128 keys");
	free(text);
	free(word);
}

static void number(const char *value, uint64_t expect, const char *message)
{
	char text[160], why[128] = "";
	struct record_line line;
	uint64_t v = 99;

	snprintf(text, sizeof(text), "env n=%s\n", value);
	assert_int_equal(record_parse(text, &line, why, sizeof(why)), 0);
	assert_int_equal(record_get_u64(&line, "n", &v, why, sizeof(why)),
			 message ? -1 : 0);
	assert_string_equal(why, message ? message : "");
	assert_int_equal(v, message ? 99 : expect);
}

static void test_numbers(void **state)
{
	struct record_line line = { .kind = "env" };
	char why[64];
	uint64_t v;

	(void)state;
	number("0", 0, NULL);
	number("007", 7, NULL);
	number("9223372036854775807", INT64_MAX, NULL);
	number("9223372036854775808", 0,
	       "n=9223372036854775808, expected at most 9223372036854775807");
	number("9223372036854775810", 0,
	       "n=9223372036854775810, expected at most 9223372036854775807");
	number("18446744073709551616", 0,
	       "n=18446744073709551616, expected at most 9223372036854775807");
	number("99999999999999999999999999999999999999999", 0,
	       "n=9999999999999999999999999999999999999999..., expected at most 9223372036854775807");
	number("-1", 0, "n=-1, expected an integer from 0");
	number("+1", 0, "n=+1, expected an integer from 0");
	number("1.0", 0, "n=1.0, expected an integer from 0");
	number("1e3", 0, "n=1e3, expected an integer from 0");
	number("0x1", 0, "n=0x1, expected an integer from 0");
	number("1ns", 0, "n=1ns, expected an integer from 0");
	number("unsupported", 0, "n=unsupported, expected an integer from 0");
	assert_int_equal(record_get_u64(&line, "n", &v, why, sizeof(why)), -1);
	assert_string_equal(why, "no key n, expected n=N");
}

/* What is written is read again, for many records. */
static void test_round_trip(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct record r;
		struct record_line line;
		uint64_t value[20], v;
		char key[16], why[64], *text;
		int n = i % 20;

		record_begin(&r, "sample");
		for (int k = 0; k < n; k++) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			value[k] = seed >> (1 + seed % 63);
			snprintf(key, sizeof(key), "k%d_ns", k);
			assert_int_equal(record_add_u64(&r, key, value[k]), 0);
		}
		text = written(&r);
		assert_int_equal(record_parse(text, &line, why, sizeof(why)),
				 0);
		assert_int_equal(line.n, n);
		for (int k = 0; k < n; k++) {
			snprintf(key, sizeof(key), "k%d_ns", k);
			assert_int_equal(record_get_u64(&line, key, &v, why,
							sizeof(why)),
					 0);
			assert_int_equal(v, value[k]);
		}
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_similar_keys),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_stream_had_failed),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_long),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
