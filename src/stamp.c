// SPDX-License-Identifier: GPL-2.0
/*
 * Contents that say who wrote them: see stamp.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "finding.h"
#include "stamp.h"

#define WORD sizeof(uint64_t)
#define TOP_BITS 0x8080808080808080

/*
 * 56 bits, 6 of the file, 24 of the generation and 26 of the offset, go to the
 * lower 7 bits of each byte: halved three times, the upper half moves up.
 */
static uint64_t word_of(struct stamp s, uint64_t at)
{
	uint64_t x = (uint64_t)(s.file % STAMP_FILES) << 50 |
		     (uint64_t)(s.generation % STAMP_GENERATIONS) << 26 |
		     at % STAMP_BYTES / WORD;

	x = (x & 0x00fffffff0000000) << 4 | (x & 0x000000000fffffff);
	x = (x & 0x0fffc0000fffc000) << 2 | (x & 0x00003fff00003fff);
	x = (x & 0x3f803f803f803f80) << 1 | (x & 0x007f007f007f007f);
	return x | TOP_BITS;
}

/* One word at a time where it is aligned, and what is left by bytes. */
static size_t part(size_t len, size_t done, uint64_t at)
{
	size_t n = WORD - (size_t)(at + done) % WORD;

	return n < len - done ? n : len - done;
}

void stamp_fill(void *buf, size_t len, struct stamp s, uint64_t at)
{
	size_t n, done;

	for (done = 0; done < len; done += n) {
		uint64_t word = word_of(s, at + done);

		n = part(len, done, at);
		memcpy((char *)buf + done, (char *)&word + (at + done) % WORD,
		       n);
	}
}

/* Without a call for each word: readers must be as fast as the writers. */
size_t stamp_differs(const void *buf, size_t len, struct stamp s, uint64_t at,
		     int zero_ok)
{
	const unsigned char *p = buf, *w;
	uint64_t word, found;
	size_t n, i, done;

	for (done = 0; done < len; done += n) {
		n = part(len, done, at);
		word = word_of(s, at + done);
		if (n == WORD) {
			memcpy(&found, p + done, WORD);
			if (found == word || (zero_ok && !found))
				continue;
		}
		w = (unsigned char *)&word + (at + done) % WORD;
		for (i = 0; i < n; i++)
			if (p[done + i] != w[i] && (!zero_ok || p[done + i]))
				return done + i;
	}
	return len;
}

size_t stamp_nonzero(const void *buf, size_t len)
{
	const unsigned char *p = buf;
	size_t i;

	for (i = 0; i < len && !p[i]; i++)
		;
	return i;
}

uint64_t stamp_read(const void *buf, size_t len, size_t i, uint64_t at,
		    struct stamp *s)
{
	size_t into = (size_t)(at + i) % WORD;
	uint64_t word, packed = 0;
	unsigned int k;

	if (into > i || i - into + WORD > len)
		return UINT64_MAX;
	memcpy(&word, (const char *)buf + i - into, WORD);
	if ((word & TOP_BITS) != TOP_BITS)
		return UINT64_MAX;
	for (k = 0; k < WORD; k++)
		packed |= (word >> (8 * k) & 0x7f) << (7 * k);
	s->file = (unsigned int)(packed >> 50);
	s->generation = (unsigned int)(packed >> 26) % STAMP_GENERATIONS;
	return packed % (STAMP_BYTES / WORD) * WORD + into;
}

void stamp_finding(const char *file, const char *expected, const void *buf,
		   size_t len, size_t i, uint64_t at)
{
	uint64_t offset;
	struct stamp s;
	unsigned int byte = ((const unsigned char *)buf)[i];

	offset = stamp_read(buf, len, i, at, &s);
	if (offset == UINT64_MAX)
		finding("%s: offset %" PRIu64 ": %s expected, found %02x", file,
			at + i, expected, byte);
	else
		finding("%s: offset %" PRIu64
			": %s expected, found %02x (file %u generation %u "
			"offset %" PRIu64 ")",
			file, at + i, expected, byte, s.file, s.generation,
			offset);
}
