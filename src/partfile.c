// SPDX-License-Identifier: GPL-2.0
/*
 * A file whose parts are written and freed: see partfile.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "partfile.h"
#include "stamp.h"

#define PART PARTFILE_PART
#define CHUNK_MAX ((uint64_t)1 << 30)
#define UNKNOWN UINT32_MAX /* generation after a change that failed */

/* Allocates nearly all that is free, then gives back the room. */
void partfile_leave_room(void)
{
	int room = bench_open(O_WRONLY | O_CREAT | O_TRUNC, "%s/room",
			      bench_config.dir);
	int rest = bench_open(O_WRONLY | O_CREAT | O_TRUNC, "%s/rest",
			      bench_config.dir);
	uint64_t chunk = CHUNK_MAX, end = 0;

	if (fallocate(room, 0, 0, PARTFILE_PARTS * PART)) {
		if (errno == EOPNOTSUPP)
			bench_skip("%s: no fallocate here", bench_config.dir);
		bench_die("fallocate room");
	}
	while (chunk >= PART) {
		if (!fallocate(rest, 0, (off_t)end, (off_t)chunk))
			end += chunk;
		else if (errno == ENOSPC)
			chunk /= 2;
		else
			bench_die("fallocate rest");
	}
	if (close(rest) || ftruncate(room, 0) || fsync(room) || close(room))
		bench_die("close room");
}

void partfile_make(struct partfile *f, const char *name, unsigned int file)
{
	f->name = name;
	f->file = file;
	f->buf = bench_shared(PART);
	f->fd = bench_open(O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, "%s/%s",
			   bench_config.dir, name);
	f->cached_fd = bench_open(O_RDWR, "%s/%s", bench_config.dir, name);
}

static void begin_change(struct part *p)
{
	atomic_fetch_add(&p->changes, 1);
}

static void end_change(struct part *p, unsigned int generation)
{
	atomic_store(&p->generation, generation);
	atomic_fetch_add(&p->changes, 1);
}

void partfile_dirty(struct partfile *f, unsigned int n)
{
	struct stamp s = { .file = f->file };

	for (; n < PARTFILE_PARTS; n++) {
		s.generation = atomic_load(&f->part[n].generation);
		if (!s.generation || s.generation == UNKNOWN)
			continue;
		stamp_fill(f->buf, PART, s, (uint64_t)n * PART);
		if (pwrite(f->cached_fd, f->buf, PART, (off_t)n * PART) != PART)
			bench_die("write %s part %u", f->name, n);
	}
}

/* To make a hole may need a block of the extent map, and find no space, too. */
void partfile_free(struct partfile *f, unsigned int n, bool by_truncate)
{
	int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, rc;
	off_t at = (off_t)n * PART;
	unsigned int i;

	for (i = n; i < PARTFILE_PARTS; i++)
		begin_change(&f->part[i]);
	rc = by_truncate ? ftruncate(f->fd, at) :
			   fallocate(f->fd, mode, at,
				     (off_t)PARTFILE_PARTS * PART - at);
	if (rc && errno != ENOSPC)
		bench_die("free %s from %u on", f->name, n * PART);
	f->no_space += rc != 0;
	for (i = n; i < PARTFILE_PARTS; i++)
		end_change(&f->part[i], rc ? UNKNOWN : 0);
}

bool partfile_write(struct partfile *f, unsigned int n)
{
	struct stamp s = { .file = f->file, .generation = f->writes + 1 };
	uint64_t at = (uint64_t)n * PART;
	ssize_t got;

	stamp_fill(f->buf, PART, s, at);
	begin_change(&f->part[n]);
	got = pwrite(f->fd, f->buf, PART, (off_t)at);
	if (got < 0 && errno != ENOSPC)
		bench_die("write %s at %" PRIu64, f->name, at);
	end_change(&f->part[n], got == PART ? s.generation : UNKNOWN);
	f->writes += got == PART;
	f->no_space += got != PART;
	return got == PART;
}

/* The first byte that is neither zero nor of this file and place. */
static size_t foreign(const struct partfile *f, const char *buf, uint64_t at)
{
	struct stamp s;
	uint64_t word;
	size_t i;

	for (i = 0; i < PART; i += sizeof(word)) {
		memcpy(&word, buf + i, sizeof(word));
		if (word && (stamp_read(buf, PART, i, at, &s) != at + i ||
			     s.file != f->file))
			break;
	}
	return i;
}

static void check_part(const struct partfile *f, unsigned int n,
		       const char *buf, unsigned int changes,
		       unsigned int generation)
{
	struct stamp s = { .file = f->file, .generation = generation };
	const char *expected = "the last write";
	uint64_t at = (uint64_t)n * PART;
	size_t i;

	if (changes % 2 || changes != atomic_load(&f->part[n].changes) ||
	    generation == UNKNOWN) {
		expected = "own byte or 00";
		i = foreign(f, buf, at);
	} else if (generation) {
		i = stamp_differs(buf, PART, s, at, 0);
	} else {
		expected = "00";
		i = stamp_nonzero(buf, PART);
	}
	if (i < PART)
		stamp_finding(f->name, expected, buf, PART, i, at);
}

/* Behind EOF nothing is read: that is a hole, too. */
void partfile_read(struct partfile *f, unsigned int n, char *buf)
{
	unsigned int changes[PARTFILE_READ], generation[PARTFILE_READ], i;
	size_t len = (size_t)PARTFILE_READ * PART;
	ssize_t got;

	for (i = 0; i < PARTFILE_READ; i++) {
		changes[i] = atomic_load(&f->part[n + i].changes);
		generation[i] = atomic_load(&f->part[n + i].generation);
	}
	got = pread(f->fd, buf, len, (off_t)n * PART);
	if (got < 0)
		bench_die("read %s part %u", f->name, n);
	memset(buf + got, 0, len - (size_t)got);
	for (i = 0; i < PARTFILE_READ; i++)
		check_part(f, n + i, buf + i * PART, changes[i], generation[i]);
}

void partfile_close(struct partfile *f)
{
	if (close(f->fd) || close(f->cached_fd))
		bench_die("close %s", f->name);
}
