// SPDX-License-Identifier: GPL-2.0
/*
 * The copy of the file in memory: see shadow.h.
 */
#include <string.h>
#include "../src/bench.h"
#include "shadow.h"

#define WORD_BITS 24 /* of a file's words of 8 bytes */

uint64_t shadow_size_after(const struct call *c)
{
	switch (c->op) {
	case WRITE:
	case MAPWRITE:
	case FALLOC:
		return max_u64(c->before, c->offset + c->length);
	case ZERO:
		if (c->flags & KEEP_SIZE)
			return c->before;
		return max_u64(c->before, c->offset + c->length);
	case CLONE:
	case COPY:
		return max_u64(c->before, c->to + c->length);
	case TRUNCATE:
		return c->to;
	case COLLAPSE:
		return c->before - c->length;
	case INSERT:
		return c->before + c->length;
	default:
		return c->before;
	}
}

/* Source and target are in the file, or end there; they do not overlap. */
static bool pair_fits(const struct shadow *s, const struct call *c)
{
	uint64_t end = c->offset + c->length, to_end = c->to + c->length;

	return end <= s->size && (end <= c->to || to_end <= c->offset) &&
	       to_end <= (c->op == DEDUPE ? s->size : s->max_bytes);
}

static bool range_fits(const struct shadow *s, const struct call *c)
{
	uint64_t end = c->offset + c->length;

	switch (c->op) {
	case READ: /* may ask for more than there is */
	case TRUNCATE:
	case NONE:
	case FSYNC:
	case DROP:
		return true;
	case MAPREAD:
	case UNSHARE:
		return c->length && end <= s->size;
	case COLLAPSE:
		return c->length && end < s->size;
	case INSERT:
		return c->length && c->offset < s->size;
	case CLONE:
	case DEDUPE:
	case COPY:
		return c->length && pair_fits(s, c);
	default:
		return c->length && end <= s->max_bytes;
	}
}

bool shadow_fits(const struct shadow *s, const struct call *c)
{
	return c->offset <= s->max_bytes && c->length <= s->max_bytes &&
	       c->to <= s->max_bytes && c->before == s->size &&
	       range_fits(s, c) && shadow_size_after(c) <= s->max_bytes &&
	       shadow_size_after(c) == c->after;
}

/*
 * The 8 bytes that operation n writes at word w of the file.  bench_mix is a
 * bijection: no two operations or words have the same, and they tell which.
 */
static uint64_t word_of(const struct shadow *s, uint64_t n, uint64_t w)
{
	return bench_mix((n << WORD_BITS | w) ^ bench_mix(s->seed));
}

/* The x of bench_mix(x): its steps backwards, by the inverse factors */
static uint64_t unmix(uint64_t x)
{
	x = (x ^ (x >> 31) ^ (x >> 62)) * 0x319642b2d24d8ec3;
	x = (x ^ (x >> 27) ^ (x >> 54)) * 0x96de1b173f119089;
	x = x ^ (x >> 30) ^ (x >> 60);
	return x - 0x9e3779b97f4a7c15;
}

bool shadow_writer(const struct shadow *s, uint64_t last, const char *p,
		   const char *begin, const char *end, uint64_t *n,
		   uint64_t *offset)
{
	const char *q = p - begin < 7 ? begin : p - 7;
	uint64_t word, id;

	/* Collapse, insert and copy move words to any offset. */
	for (; q <= p && end - q >= 8; q++) {
		memcpy(&word, q, 8);
		id = unmix(word) ^ bench_mix(s->seed);
		*n = id >> WORD_BITS;
		*offset =
			(id & ((1u << WORD_BITS) - 1)) * 8 + (uint64_t)(p - q);
		if (*n && *n <= last && *offset < s->max_bytes)
			return true;
	}
	return false;
}

static void fill(struct shadow *s, const struct call *c)
{
	uint64_t at = c->offset, end = c->offset + c->length, part, word;

	for (; at < end; at += part) {
		word = word_of(s, c->n, at / 8);
		part = min_u64(8 - at % 8, end - at);
		memcpy(s->bytes + at, (char *)&word + at % 8, part);
	}
}

void shadow_apply(struct shadow *s, const struct call *c)
{
	uint64_t end = c->offset + c->length;
	char *p = s->bytes + c->offset;

	switch (c->op) {
	case WRITE:
	case MAPWRITE:
		fill(s, c);
		break;
	case TRUNCATE:
		if (c->to < s->size)
			memset(s->bytes + c->to, 0, s->size - c->to);
		break;
	case PUNCH:
	case ZERO:
		memset(p, 0, c->length);
		break;
	case COLLAPSE:
		memmove(p, s->bytes + end, s->size - end);
		memset(s->bytes + c->after, 0, c->length);
		break;
	case INSERT:
		memmove(s->bytes + end, p, s->size - c->offset);
		memset(p, 0, c->length);
		break;
	case DEDUPE:
		if (c->flags & PREPARE)
			memcpy(s->bytes + c->to, p, c->length);
		break;
	case CLONE:
	case COPY:
		memcpy(s->bytes + c->to, p, c->length);
		break;
	default:
		break;
	}
	s->size = c->after;
}
