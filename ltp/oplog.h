/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An operation of fsx, and the log of operations: records, one a line.
 *
 *	fsx version=1 seed=7 max_bytes=262144 direct=0 first=1
 *	op n=1 do=write offset_bytes=0 length_bytes=9 to_bytes=0 before_bytes=0
 *	    after_bytes=9 flags=sync,reopen
 */
#ifndef FSRATIO_OPLOG_H
#define FSRATIO_OPLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPLOG_LINE 512 /* bytes of the longest line, its NUL too */
#define OPLOG_MAX_BYTES (64u << 20) /* of a file that a log may be of */

enum op {
	NONE,
	READ,
	MAPREAD,
	WRITE,
	MAPWRITE,
	TRUNCATE,
	FALLOC,
	KEEPSIZE,
	PUNCH,
	ZERO,
	COLLAPSE,
	INSERT,
	CLONE,
	DEDUPE,
	COPY,
	UNSHARE,
	FSYNC,
	DROP,
	OPS
};
extern const char *const op_names[OPS];

/* What belongs to an operation; names in the log are these in small. */
enum op_flag {
	POLLUTE = 1, /* first write behind EOF, in its page, by a mapping */
	PREPARE = 2, /* first write the same bytes there: dedupe finds some */
	KEEP_SIZE = 4, /* FALLOC_FL_KEEP_SIZE */
	MSYNC = 8, /* of a mapped write */
	SYNC = 16, /* fdatasync after it */
	FLUSH = 32, /* fsync after it, and drop the page cache */
	REOPEN = 64, /* close and open after it */
	COMPARE = 128, /* the whole file after it */
};

/* On bytes [offset, offset + length), and [to, to + length) of the file. */
struct call {
	enum op op;
	unsigned int flags;
	uint64_t n; /* its number, from 1 */
	uint64_t offset, length;
	uint64_t to; /* TRUNCATE: the new size */
	uint64_t before, after; /* sizes of the file */
};

/* What all operations of a log share. */
struct oplog {
	uint64_t seed, max_bytes; /* of the data; of the file */
	uint64_t direct; /* 1: opened with O_DIRECT */
	uint64_t first; /* number of the first operation, on an empty file */
};

/* The index of text in op_names, or OPS. */
enum op op_find(const char *text, size_t len);

/* "reopen,compare", or "none", of at most 96 bytes. */
void op_flags_text(char *out, size_t room, unsigned int flags);

/* One line, with its newline; their length. */
size_t oplog_print_head(char *out, size_t room, const struct oplog *log);
size_t oplog_print_call(char *out, size_t room, const struct call *c);

/*
 * Parses the head, or one call, from a line (in place).  False: why says what
 * was expected.
 */
bool oplog_parse_head(char *line, struct oplog *log, char *why, size_t room);
bool oplog_parse_call(char *line, struct call *c, char *why, size_t room);

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t round_up(uint64_t x, uint64_t align)
{
	return (x + align - 1) / align * align;
}

#endif
