// SPDX-License-Identifier: GPL-2.0
/*
 * A file of three ranges: see rangefile.h.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>
#include "finding.h"
#include "rangefile.h"
#include "stamp.h"

enum { NOT_YET, BEING_PUNCHED, PUNCHED };
static const char *file;
static int fd;
static char *write_buf, *read_buf; /* aligned for direct I/O */
static atomic_uint appended; /* writes that returned */
static atomic_uint hole[RANGE_HOLES];

/* Generation 1 is the set-up, 2, 3, ... are the appending writes. */
static struct stamp stamp_of(uint64_t at)
{
	struct stamp s = { .file = 1, .generation = 1 };

	if (at >= RANGE_APPEND_AT)
		s.generation += 1 + (unsigned int)((at - RANGE_APPEND_AT) /
						   RANGE_WRITE_BYTES);
	return s;
}

static void write_at(uint64_t at)
{
	ssize_t got;

	stamp_fill(write_buf, RANGE_WRITE_BYTES, stamp_of(at), at);
	got = pwrite(fd, write_buf, RANGE_WRITE_BYTES, (off_t)at);
	if (got < 0)
		bench_die("write %s at %" PRIu64, file, at);
	if (got != RANGE_WRITE_BYTES)
		bench_broken("write %s at %" PRIu64 ": %zd of %u bytes done",
			     file, at, got, RANGE_WRITE_BYTES);
}

void rangefile_open(const char *name, int flags, unsigned int writes)
{
	uint64_t at;
	size_t i;

	file = name;
	write_buf = bench_shared(RANGE_WRITE_BYTES);
	read_buf = bench_shared(RANGE_READ_BLOCKS * DIO_BLOCK);
	fd = bench_open(flags | O_RDWR, "%s/%s", bench_config.dir, name);
	if (flags & O_CREAT) {
		for (at = 0; at < RANGE_APPEND_AT; at += RANGE_WRITE_BYTES)
			write_at(at);
		return;
	}
	atomic_store(&appended, writes);
	for (i = 0; i < RANGE_HOLES; i++)
		atomic_store(&hole[i], PUNCHED);
}

/* Where the next write goes. */
static uint64_t append_end(void)
{
	return RANGE_APPEND_AT +
	       (uint64_t)atomic_load(&appended) * RANGE_WRITE_BYTES;
}

void rangefile_append(void)
{
	write_at(append_end());
	atomic_fetch_add(&appended, 1);
}

void rangefile_punch(unsigned int n)
{
	atomic_store(&hole[n], BEING_PUNCHED);
	dio_punch(fd, DIO_BLOCK, RANGE_HOLES_AT + n * DIO_BLOCK);
	atomic_store(&hole[n], PUNCHED);
}

static unsigned int hole_at(uint64_t at)
{
	if (at < RANGE_HOLES_AT || at >= RANGE_APPEND_AT)
		return NOT_YET;
	return atomic_load(&hole[(at - RANGE_HOLES_AT) / DIO_BLOCK]);
}

/*
 * A block that was read at offset at; before is hole_at() before the read.
 * While it is punched its bytes may be what they were or zeros.
 */
static void check_block(const char *p, uint64_t at, unsigned int before)
{
	size_t i;

	if (before == PUNCHED)
		i = stamp_nonzero(p, DIO_BLOCK);
	else
		i = stamp_differs(p, DIO_BLOCK, stamp_of(at), at,
				  hole_at(at) != NOT_YET);
	if (i < DIO_BLOCK)
		stamp_finding(file,
			      before == PUNCHED ? "00" : "what was written", p,
			      DIO_BLOCK, i, at);
}

/* n blocks at an offset, all of them in the file. */
static void read_at(size_t n, uint64_t at)
{
	unsigned int before[RANGE_READ_BLOCKS];
	ssize_t got;
	size_t i;

	for (i = 0; i < n; i++)
		before[i] = hole_at(at + i * DIO_BLOCK);
	got = pread(fd, read_buf, n * DIO_BLOCK, (off_t)at);
	if (got < 0)
		bench_die("read %s at %" PRIu64, file, at);
	if ((size_t)got != n * DIO_BLOCK)
		finding("%s: offset %" PRIu64 ": %zu bytes expected, %zd read",
			file, at, n * DIO_BLOCK, got);
	for (i = 0; i < (size_t)got / DIO_BLOCK; i++)
		check_block(read_buf + i * DIO_BLOCK, at + i * DIO_BLOCK,
			    before[i]);
}

/* Of what is appended each other read is of the newest. */
void rangefile_read(uint64_t *rand)
{
	const uint64_t bounds[] = { 0, RANGE_HOLES_AT, RANGE_APPEND_AT,
				    append_end() };
	uint64_t r = bench_rand(rand) % 4, newest = r == 3;
	uint64_t n = 1 + bench_rand(rand) % RANGE_READ_BLOCKS;
	uint64_t blocks, first;

	r -= newest;
	blocks = (bounds[r + 1] - bounds[r]) / DIO_BLOCK;
	if (blocks < n)
		return;
	first = newest ? blocks - n : bench_rand(rand) % (blocks - n + 1);
	read_at(n, bounds[r] + first * DIO_BLOCK);
}

void rangefile_check(void)
{
	uint64_t end = append_end(), at;
	struct stat st;

	if (fstat(fd, &st))
		bench_die("stat %s", file);
	if ((uint64_t)st.st_size != end)
		finding("%s: size %" PRIu64 " expected, found %" PRIu64, file,
			end, (uint64_t)st.st_size);
	for (at = 0; at < end; at += RANGE_READ_BLOCKS * DIO_BLOCK)
		read_at(RANGE_READ_BLOCKS, at);
}

void rangefile_close(void)
{
	if (fsync(fd) || close(fd))
		bench_die("fsync %s", file);
}
