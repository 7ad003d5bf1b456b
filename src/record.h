/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one record format of the suite: "KIND KEY=VALUE KEY=VALUE ...", one
 * record a line.  Helpers write it, measure adds keys, the judge reads it.
 *
 * KIND and KEY are [a-z][a-z0-9_]*.  VALUE is not empty and has no blank, no
 * '=' and no control character.  A measured value is an integer from 0 to
 * 2^63-1.  Fields are separated by blanks (space or tab).  A line whose first
 * character after blanks is '#' is a comment.
 */
#ifndef FSRATIO_RECORD_H
#define FSRATIO_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the longest record, its newline and a NUL included. */
#define RECORD_MAX 8192
/* Most fields of one record. */
#define RECORD_KEYS_MAX 128

/*
 * A record being built.  overflow is set by any call that failed: a record
 * that lost a field is never written.
 */
struct record {
	char buf[RECORD_MAX];
	size_t len;
	int overflow;
};

/* Starts an empty record.  A kind that is none is reported by record_write. */
void record_begin(struct record *r, const char *kind);

/*
 * Adds KEY=VALUE.  0, or -1 with errno EINVAL (bad key; blank, '=', control
 * character or nothing in value), EEXIST (the key is there already) or ENOSPC
 * (no room, or RECORD_KEYS_MAX fields).
 */
int record_add_str(struct record *r, const char *key, const char *value);

/* The same for a number; above INT64_MAX is ERANGE. */
int record_add_u64(struct record *r, const char *key, uint64_t value);

/*
 * Writes the record as one line by one fwrite and flushes it.  0, or -1 with
 * errno: of the stream, or EINVAL when an earlier call on the record failed.
 */
int record_write(const struct record *r, FILE *fp);

struct record_field {
	const char *key, *value;
};

/* A parsed record; its strings lie in the line that was parsed. */
struct record_line {
	const char *kind;
	size_t n;
	struct record_field f[RECORD_KEYS_MAX];
};

/*
 * Parses a line in place (a newline at its end is cut off).  0 = a record,
 * 1 = blank or comment (out is empty), -1 = broken: why says what was found
 * and what was expected, printable and never longer than why_size.
 */
int record_parse(char *line, struct record_line *out, char *why,
		 size_t why_size);

/* The value of a key; NULL = not there. */
const char *record_get(const struct record_line *r, const char *key);

/*
 * The value of a key as an integer, 0 to INT64_MAX, decimal digits alone.
 * 0, or -1 (not there, no integer, negative, too large) with why filled in.
 */
int record_get_u64(const struct record_line *r, const char *key,
		   uint64_t *value, char *why, size_t why_size);

#endif
