// SPDX-License-Identifier: GPL-2.0
/*
 * A model of reflink: see sharemap.h.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include "bench.h"
#include "finding.h"
#include "sharemap.h"

struct place {
	uint64_t physical;
	uint32_t number;
	unsigned int file, block;
};

struct sharemap {
	unsigned int files, blocks;
	uint64_t block_bytes, ag_bytes;
	atomic_uint next; /* number */
	uint32_t *number; /* of block b of file f at f * blocks + b; 0: none */
	uint32_t *shared; /* the number that it had when it was last shared */
	bool *cloned; /* files that shared something at an earlier point */
	uint32_t *owners; /* of a number, at this quiet point */
	uint64_t *physical; /* of the blocks of a file */
	struct place *place;
	unsigned int places;
	uint64_t points;
	unsigned int findings; /* at this point */
	const char *said; /* expected of extent said_extent, the last finding */
	unsigned int said_extent;
	struct sharemap_shapes seen;
};

static uint32_t *at_block(struct sharemap *m, unsigned int file, unsigned int b)
{
	return &m->number[(size_t)file * m->blocks + b];
}

struct sharemap *sharemap_new(unsigned int files, unsigned int blocks,
			      uint64_t block_bytes, uint64_t ag_bytes)
{
	struct sharemap *m = bench_shared(sizeof(*m));
	size_t all = (size_t)files * blocks;

	m->files = files;
	m->blocks = blocks;
	m->block_bytes = block_bytes;
	m->ag_bytes = ag_bytes;
	atomic_init(&m->next, 1);
	m->number = bench_shared(all * sizeof(*m->number));
	m->shared = bench_shared(all * sizeof(*m->shared));
	m->cloned = bench_shared(files * sizeof(*m->cloned));
	m->place = bench_shared(all * sizeof(*m->place));
	m->physical = bench_shared(blocks * sizeof(*m->physical));
	return m;
}

void sharemap_write(struct sharemap *m, unsigned int file, unsigned int at,
		    unsigned int n)
{
	for (; n--; at++)
		*at_block(m, file, at) = atomic_fetch_add(&m->next, 1);
}

void sharemap_unshare(struct sharemap *m, unsigned int file, unsigned int at,
		      unsigned int n)
{
	for (; n--; at++)
		if (*at_block(m, file, at))
			sharemap_write(m, file, at, 1);
}

void sharemap_punch(struct sharemap *m, unsigned int file, unsigned int at,
		    unsigned int n)
{
	for (; n--; at++)
		*at_block(m, file, at) = 0;
}

void sharemap_delete(struct sharemap *m, unsigned int file)
{
	sharemap_punch(m, file, 0, m->blocks);
	m->cloned[file] = false;
}

void sharemap_clone(struct sharemap *m, unsigned int from, unsigned int from_at,
		    unsigned int to, unsigned int to_at, unsigned int n)
{
	for (; n--; from_at++, to_at++)
		*at_block(m, to, to_at) = *at_block(m, from, from_at);
}

void sharemap_begin(struct sharemap *m)
{
	size_t i, all = (size_t)m->files * m->blocks;

	m->points++;
	m->places = m->findings = 0;
	m->owners = calloc(atomic_load(&m->next), sizeof(*m->owners));
	if (!m->owners)
		bench_die("calloc");
	for (i = 0; i < all; i++)
		m->owners[m->number[i]]++;
	m->owners[0] = 0; /* what has no data is nobody's */
}

/* Notes the shapes in a file; physical: where its blocks are. */
static void note_shapes(struct sharemap *m, unsigned int file,
			const uint64_t *physical)
{
	enum { NONE, PLAIN, MIDDLE } run = NONE;
	unsigned int b;
	bool any = false;

	for (b = 0; b < m->blocks; b++) {
		uint32_t number = *at_block(m, file, b);
		uint32_t *was = &m->shared[(size_t)file * m->blocks + b];
		bool is = m->owners[number] > 1;

		if (physical[b] == UINT64_MAX ||
		    (b && physical[b - 1] + m->block_bytes != physical[b]))
			run = NONE;
		m->seen.middle += run == MIDDLE && !is;
		if (physical[b] != UINT64_MAX && !is)
			run = PLAIN;
		else if (run == PLAIN && is)
			run = MIDDLE;
		m->seen.last_sharer += number && *was == number && !is;
		*was = is ? number : 0;
		if (is && physical[b] / m->ag_bytes < SHAREMAP_AGS)
			m->seen.ag[physical[b] / m->ag_bytes]++;
		any |= is;
	}
	m->seen.flag_only += m->cloned[file] && !any;
	m->cloned[file] |= any;
}

static void differs(struct sharemap *m, unsigned int file, unsigned int extent,
		    uint64_t at, const char *expected, const char *found)
{
	m->findings++;
	if (m->said == expected && m->said_extent == extent)
		return; /* once an extent, not once a block */
	m->said = expected;
	m->said_extent = extent;
	finding("point %llu: file f%04u: extent %u at %llu: %s expected, "
		"found %s",
		(unsigned long long)m->points, file, extent,
		(unsigned long long)at, expected, found);
}

/* One block of extent i; where it is, UINT64_MAX = nowhere. */
static uint64_t compare_block(struct sharemap *m, unsigned int file,
			      unsigned int b, const struct fiemap_extent *e,
			      unsigned int i)
{
	uint32_t number = *at_block(m, file, b), owners = m->owners[number];
	bool shared = e->fe_flags & FIEMAP_EXTENT_SHARED;
	uint64_t at = b * m->block_bytes;

	if (e->fe_flags & (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC)) {
		differs(m, file, i, at, "a place on the device",
			"none after syncfs");
		return UINT64_MAX;
	}
	if (shared != (owners > 1))
		differs(m, file, i, at, owners > 1 ? "shared" : "not shared",
			shared ? "shared" : "not shared");
	at = e->fe_physical + at - e->fe_logical;
	m->place[m->places++] = (struct place){ at, number, file, b };
	return at;
}

unsigned int sharemap_compare(struct sharemap *m, unsigned int file,
			      const struct extents *x)
{
	unsigned int before = m->findings;
	uint64_t at;
	unsigned int b, i = 0;

	m->said = NULL;
	for (b = 0; b < m->blocks; b++) {
		at = b * m->block_bytes;
		while (i < x->n && x->e[i].fe_logical + x->e[i].fe_length <= at)
			i++;
		m->physical[b] = UINT64_MAX;
		if (i < x->n && x->e[i].fe_logical <= at)
			m->physical[b] = compare_block(m, file, b, &x->e[i], i);
		else if (*at_block(m, file, b))
			differs(m, file, i, at, "data", "a hole");
	}
	note_shapes(m, file, m->physical);
	return m->findings - before;
}

static int by_number(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int by_physical(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->physical > y->physical) - (x->physical < y->physical);
}

static void say_places(struct sharemap *m, const struct place *p,
		       const char *what)
{
	m->findings++;
	finding("point %llu: file f%04u at %llu and file f%04u at %llu: %s "
		"(at %llu and %llu of the device)",
		(unsigned long long)m->points, p[0].file,
		(unsigned long long)(p[0].block * m->block_bytes), p[1].file,
		(unsigned long long)(p[1].block * m->block_bytes), what,
		(unsigned long long)p[0].physical,
		(unsigned long long)p[1].physical);
}

unsigned int sharemap_end(struct sharemap *m)
{
	unsigned int i, before = m->findings;

	qsort(m->place, m->places, sizeof(*m->place), by_number);
	for (i = 1; i < m->places; i++)
		if (m->place[i].number &&
		    !by_number(&m->place[i - 1], &m->place[i]) &&
		    by_physical(&m->place[i - 1], &m->place[i]))
			say_places(m, &m->place[i - 1],
				   "one block expected, found two");
	qsort(m->place, m->places, sizeof(*m->place), by_physical);
	for (i = 1; i < m->places; i++)
		if (!by_physical(&m->place[i - 1], &m->place[i]) &&
		    (!m->place[i].number ||
		     by_number(&m->place[i - 1], &m->place[i])))
			say_places(m, &m->place[i - 1],
				   "two blocks expected, found one");
	free(m->owners);
	return m->findings - before;
}

const struct sharemap_shapes *sharemap_seen(const struct sharemap *m)
{
	return &m->seen;
}
