// SPDX-License-Identifier: GPL-2.0
/*
 * Builds, writes and parses records.  See record.h for the grammar.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "record.h"

/* Bytes of a found word that a message shows. */
#define SHOWN 40

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* Whether s is [a-z][a-z0-9_]*: not by isalpha, which follows the locale. */
static bool is_name(const char *s)
{
	if (*s < 'a' || *s > 'z')
		return false;
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool is_value(const char *s)
{
	const char *start = s;

	while (*s && *s != '=' && !is_blank(*s) && !is_control(*s))
		s++;
	return s > start && *s == '\0';
}

/* A word cut to SHOWN bytes, what does not print as '?': messages are lines. */
static const char *shown(const char *s, char out[SHOWN + 4])
{
	size_t i;

	for (i = 0; i < SHOWN && s[i]; i++)
		out[i] = s[i] < 0x20 || s[i] > 0x7e ? '?' : s[i];
	strcpy(out + i, s[i] ? "..." : "");
	return out;
}

__attribute__((format(printf, 3, 4))) static int
broken(char *why, size_t why_size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (why_size)
		vsnprintf(why, why_size, fmt, ap);
	va_end(ap);
	return -1;
}

static int refuse(struct record *r, int err)
{
	r->overflow = 1;
	errno = err;
	return -1;
}

void record_begin(struct record *r, const char *kind)
{
	size_t len = strlen(kind);

	r->len = 0;
	r->overflow = 0;
	r->buf[0] = '\0';
	if (!is_name(kind) || len + 2 > RECORD_MAX) {
		r->overflow = 1;
		return;
	}
	memcpy(r->buf, kind, len + 1);
	r->len = len;
}

/* Whether the record has the key; *n gets the number of its fields. */
static bool has_key(const struct record *r, const char *key, size_t *n)
{
	size_t len = strlen(key);
	const char *p = r->buf;

	*n = 0;
	while ((p = strchr(p, ' '))) {
		p++;
		++*n;
		if (!strncmp(p, key, len) && p[len] == '=')
			return true;
	}
	return false;
}

int record_add_str(struct record *r, const char *key, const char *value)
{
	size_t klen = strlen(key), vlen = strlen(value), n;

	if (!is_name(key) || !is_value(value))
		return refuse(r, EINVAL);
	if (has_key(r, key, &n))
		return refuse(r, EEXIST);
	/* blank, '=', and at the end newline and NUL */
	if (n >= RECORD_KEYS_MAX || r->len + klen + vlen + 4 > RECORD_MAX)
		return refuse(r, ENOSPC);
	r->buf[r->len++] = ' ';
	memcpy(r->buf + r->len, key, klen);
	r->len += klen;
	r->buf[r->len++] = '=';
	memcpy(r->buf + r->len, value, vlen + 1);
	r->len += vlen;
	return 0;
}

int record_add_u64(struct record *r, const char *key, uint64_t value)
{
	char digits[24];

	if (value > INT64_MAX)
		return refuse(r, ERANGE);
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return record_add_str(r, key, digits);
}

int record_write(const struct record *r, FILE *fp)
{
	char line[RECORD_MAX];

	if (r->overflow || !r->len) {
		errno = EINVAL;
		return -1;
	}
	memcpy(line, r->buf, r->len);
	line[r->len] = '\n';
	if (fwrite(line, 1, r->len + 1, fp) != r->len + 1 || fflush(fp))
		return -1;
	return ferror(fp) ? -1 : 0;
}

/* Cuts the next word out of *p; NULL at the end of the line. */
static char *next_word(char **p)
{
	char *word = *p;

	while (is_blank(*word))
		word++;
	if (*word == '\0')
		return NULL;
	for (*p = word; **p && !is_blank(**p); ++*p)
		;
	if (**p)
		*(*p)++ = '\0';
	return word;
}

int record_parse(char *line, struct record_line *out, char *why,
		 size_t why_size)
{
	char *p = line, *word, *value, show[SHOWN + 4];
	size_t len = strlen(line);

	out->kind = NULL;
	out->n = 0;
	if (len && line[len - 1] == '\n')
		line[--len] = '\0';
	while (is_blank(*p))
		p++;
	if (*p == '\0' || *p == '#')
		return 1;
	if (len > RECORD_MAX - 2)
		return broken(why, why_size,
			      "a line of %zu bytes, expected at most %d", len,
			      RECORD_MAX - 2);
	word = next_word(&p);
	if (!is_name(word))
		return broken(why, why_size, "'%s', expected a record's kind",
			      shown(word, show));
	out->kind = word;
	while ((word = next_word(&p))) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (!value || !is_name(word))
			return broken(why, why_size, "'%s', expected KEY=VALUE",
				      shown(word, show));
		if (!is_value(value))
			return broken(why, why_size,
				      "%.40s='%s', expected a plain value",
				      word, shown(value, show));
		if (record_get(out, word))
			return broken(why, why_size,
				      "key %.40s twice, expected it once",
				      word);
		if (out->n == RECORD_KEYS_MAX)
			return broken(why, why_size, "more than %d keys",
				      RECORD_KEYS_MAX);
		out->f[out->n].key = word;
		out->f[out->n++].value = value;
	}
	return 0;
}

const char *record_get(const struct record_line *r, const char *key)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (!strcmp(r->f[i].key, key))
			return r->f[i].value;
	return NULL;
}

int record_get_u64(const struct record_line *r, const char *key,
		   uint64_t *value, char *why, size_t why_size)
{
	const char *text = record_get(r, key), *s;
	char show[SHOWN + 4];
	uint64_t v = 0;

	if (!text)
		return broken(why, why_size, "no key %.40s, expected %.40s=N",
			      key, key);
	for (s = text; *s >= '0' && *s <= '9'; s++) {
		if (v > (INT64_MAX - (uint64_t)(*s - '0')) / 10)
			return broken(why, why_size,
				      "%.40s=%s, expected at most %" PRId64,
				      key, shown(text, show), INT64_MAX);
		v = v * 10 + (uint64_t)(*s - '0');
	}
	if (s == text || *s)
		return broken(why, why_size,
			      "%.40s=%s, expected an integer from 0", key,
			      shown(text, show));
	*value = v;
	return 0;
}
