// SPDX-License-Identifier: GPL-2.0
/*
 * A libFuzzer target for what reads limits, samples and records, and for the
 * judge.  The input is a file of limits and, after a line "# samples", one of
 * samples.
 *
 * They are built with -Dexit=fuzz_exit and so on: where they end the
 * process, this comes back here, looks at the message, and goes on.
 */
#undef exit
#undef fclose
#undef fopen
#undef getline
#undef fprintf
#undef printf

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "judge_entry.h"
#include "record.h"
#include "samples.h"

#define MARK "\n# samples\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void fuzz_exit(int status) __attribute__((noreturn));
FILE *fuzz_fopen(const char *path, const char *mode);
int fuzz_fclose(FILE *fp);
ssize_t fuzz_getline(char **line, size_t *size, FILE *fp);
int fuzz_fprintf(const FILE *fp, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int fuzz_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The file that is read, and what its reader has in hand. */
static struct {
	const char *path, *text;
	size_t size;
	FILE *fp;
	char *line;
	char message[4096];
	jmp_buf end;
} now;

/* The two files of an input, and what the judge printed of them. */
static struct {
	const char *text[2];
	size_t size[2];
	char *said;
	size_t said_size;
	FILE *out;
} judged;

static struct limits limits;
static struct samples samples;

static void require(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "judge_fuzz: %s\n%s\n", what, now.message);
	abort();
}

static int is_printable(const char *s)
{
	while (*s >= ' ' && *s <= '~')
		s++;
	return !*s;
}

FILE *fuzz_fopen(const char *path, const char *mode)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (judged.out) {
		unsigned int i = !strcmp(path, "S");

		now.path = path;
		now.text = judged.text[i];
		now.size = judged.size[i];
	}
	require(!strcmp(path, now.path) && !strcmp(mode, "re"), "fopen");
	require(fd >= 0, "memfd_create");
	require(write(fd, now.text, now.size) == (ssize_t)now.size, "write");
	require(!lseek(fd, 0, SEEK_SET), "lseek");
	now.fp = fdopen(fd, "r");
	require(!!now.fp, "fdopen");
	return now.fp;
}

/* The reader is through with its file, and frees the line itself. */
int fuzz_fclose(FILE *fp)
{
	require(fp == now.fp, "fclose");
	now.fp = NULL;
	now.line = NULL;
	return fclose(fp);
}

ssize_t fuzz_getline(char **line, size_t *size, FILE *fp)
{
	ssize_t len = getline(line, size, fp);

	now.line = *line;
	return len;
}

int fuzz_fprintf(const FILE *fp, const char *fmt, ...)
{
	va_list ap;
	int len;

	require(fp == stderr && !*now.message, "more than one message");
	va_start(ap, fmt);
	len = vsnprintf(now.message, sizeof(now.message), fmt, ap);
	va_end(ap);
	require(len > 0 && len < (int)sizeof(now.message), "a long message");
	return len;
}

/* What the judge says on stdout. */
int fuzz_printf(const char *fmt, ...)
{
	va_list ap;
	int len;

	require(!!judged.out, "output of a reader");
	va_start(ap, fmt);
	len = vfprintf(judged.out, fmt, ap);
	va_end(ap);
	return len;
}

/* Status 1 and "judge: PATH:LINE: found, expected", one line of ASCII. */
void fuzz_exit(int status)
{
	char *end = strchr(now.message, '\n'), *rest;
	char start[64];
	int len = snprintf(start, sizeof(start), "judge: %s:", now.path);

	require(status == 1, "exit status");
	require(end && !end[1], "no message of one line");
	*end = '\0';
	require(is_printable(now.message), "bytes in a message");
	require(!strncmp(now.message, start, (size_t)len), "no path");
	strtoul(now.message + len, &rest, 10);
	require(rest > now.message + len && rest[0] == ':' && rest[1] == ' ' &&
			isgraph((unsigned char)rest[2]),
		"no line or no text");
	longjmp(now.end, 1);
}

/* Reads a text by the reader given; 1 = it took it. */
static int try_read(const char *path, const char *text, size_t size)
{
	int done = 0;

	now.path = path;
	now.text = text;
	now.size = size;
	now.message[0] = '\0';
	now.fp = NULL;
	now.line = NULL;
	if (setjmp(now.end)) {
		if (now.fp)
			fclose(now.fp);
		free(now.line);
		return 0;
	}
	if (!strcmp(path, "L"))
		limits_read(&limits, path);
	else
		samples_read(&samples, &limits, path);
	done = 1;
	require(!*now.message && !now.fp, "a message or a file, and no end");
	return done;
}

static void check_limits(void)
{
	unsigned int i, n_decide = 0;
	uint64_t arms = limits.n_arms < ARMS_MAX ?
				(UINT64_C(1) << limits.n_arms) - 1 :
				UINT64_MAX;

	require(limits.n >= 1 && limits.n <= LIMITS_MAX, "limits");
	require(limits.n_arms >= 2 && limits.n_arms <= ARMS_MAX, "arms");
	for (i = 0; i < limits.n; i++) {
		const struct limit *l = &limits.l[i];

		require(*l->name && *l->of && *l->text, "an empty name");
		require(strlen(l->name) < NAME_SIZE &&
				strlen(l->text) < NAME_SIZE,
			"a long name");
		require(l->num && l->den && !(l->num & l->den) &&
				!((l->num | l->den) & ~arms),
			"arms of a limit");
		require(isfinite(l->ln_threshold) && isfinite(l->floor) &&
				l->floor >= 0,
			"a number");
		require(l->is_info == (l->role == ROLE_INFO), "a role");
		n_decide += l->role == ROLE_DECIDE;
	}
	require(n_decide, "no limit decides");
	for (i = 0; i < limits.n_arms; i++)
		require(limits_arm(&limits, limits.arms[i]) == (int)i,
			"an arm");
}

static void check_samples(void)
{
	require(samples.n_series <= 2, "series");
	for (unsigned int s = 0; s < 2; s++) {
		require(samples.n_rounds[s] <= ROUNDS_MAX &&
				!samples.n_rounds[s] == (s >= samples.n_series),
			"rounds");
		for (unsigned int r = 0; r < samples.n_rounds[s]; r++)
			for (unsigned int i = 0; i < limits.n; i++)
				require(isfinite(
						samples.round[s][r].ln_ratio[i]),
					"a ratio");
	}
}

/* A record, written again from its parts, is the same record. */
static void check_record(const struct record_line *a)
{
	static struct record w;
	struct record_line b;
	char why[256];

	record_begin(&w, a->kind);
	for (size_t i = 0; i < a->n; i++) {
		uint64_t v = UINT64_MAX;

		require(!record_add_str(&w, a->f[i].key, a->f[i].value),
			"a field that was read and cannot be written");
		require(record_get_u64(a, a->f[i].key, &v, why, sizeof(why)) ?
				*why && is_printable(why) :
				v <= INT64_MAX,
			"a number");
	}
	require(!w.overflow && !record_parse(w.buf, &b, why, sizeof(why)),
		"a record that was written and cannot be read");
	require(!strcmp(a->kind, b.kind) && a->n == b.n, "another record");
	for (size_t i = 0; i < a->n; i++)
		require(!strcmp(a->f[i].key, b.f[i].key) &&
				!strcmp(a->f[i].value, b.f[i].value),
			"another field");
}

/* Each line alone, in memory of just its size; why of each size. */
static void try_lines(const char *text, size_t size)
{
	struct record_line rec;
	char why[256];

	for (size_t len; size; text += len, size -= len) {
		const char *end = memchr(text, '\n', size);
		char *line;
		size_t room;
		int kind;

		len = end ? (size_t)(end - text) + 1 : size;
		line = strndup(text, len);
		require(!!line, "strndup");
		room = 1 + len % sizeof(why);
		memset(why, 'x', sizeof(why));
		kind = record_parse(line, &rec, why, room);
		require(kind >= -1 && kind <= 1, "record_parse");
		if (kind == 0)
			check_record(&rec);
		if (kind < 0)
			require(memchr(why, '\0', room) && is_printable(why),
				"why");
		free(line);
	}
}

/* What was judged is whole verdicts, and with final one of the test at last. */
static void check_verdicts(int is_final)
{
	char *line = judged.said, *end;
	struct record_line rec;
	char why[256];
	const char *test = NULL;

	for (; *line; line = end + 1) {
		const char *word;

		end = strchr(line, '\n');
		require(!!end, "a verdict without its end");
		*end = '\0';
		require(!record_parse(line, &rec, why, sizeof(why)) &&
				!strcmp(rec.kind, "verdict"),
			"no verdict");
		word = record_get(&rec, "verdict");
		require(word && (is_final || strcmp(word, "fail") ||
				 record_get(&rec, "n")),
			"a verdict without its word");
		test = record_get(&rec, "test");
	}
	require(!!test == !!is_final, "the word of the test");
}

/* The judge over both files, with options that follow from their size. */
static void try_judge(const char *text, size_t n_limits, size_t size)
{
	unsigned int bits = (unsigned int)(size * 2654435761u >> 7);
	int status;

	judged.text[0] = text;
	judged.size[0] = n_limits;
	judged.text[1] = text + n_limits;
	judged.size[1] = size - n_limits;
	judged.out = open_memstream(&judged.said, &judged.said_size);
	require(!!judged.out, "open_memstream");
	now.message[0] = '\0';
	now.fp = NULL;
	now.line = NULL;
	if (setjmp(now.end)) {
		/* All was read before; what is missing is of one limit. */
		fclose(judged.out);
		require(!judged.said_size, "words beside a refusal");
	} else {
		status = judge_entry(bits);
		fclose(judged.out);
		require(status == 0 || (status == 3 && !(bits & 1)), "status");
		check_verdicts(bits & 1);
	}
	judged.out = NULL;
	free(judged.said);
	judged.said = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* libFuzzer's empty input is NULL */
	const char *text = size ? (const char *)data : "";
	const char *mark = memmem(text, size, MARK, strlen(MARK));
	size_t n_limits = mark ? (size_t)(mark - text) + 1 : size;

	now.message[0] = '\0';
	try_lines(text, size);
	memset(&limits, 0, sizeof(limits));
	if (!try_read("L", text, n_limits))
		return 0;
	check_limits();
	memset(&samples, 0, sizeof(samples));
	if (!try_read("S", text + n_limits, size - n_limits))
		return 0;
	check_samples();
	try_judge(text, n_limits, size);
	return 0;
}
