// SPDX-License-Identifier: GPL-2.0
/*
 * Direct I/O: see dio.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "aio.h"
#include "bench.h"
#include "dio.h"

int dio_open(const char *name, uint64_t bytes)
{
	int fd = bench_open(O_RDWR, "%s/%s", bench_config.dir, name);
	struct stat st;

	if (fstat(fd, &st))
		bench_die("stat %s", name);
	if ((uint64_t)st.st_size != bytes ||
	    (uint64_t)st.st_blocks * 512 < bytes)
		bench_broken("premise: %s has %" PRIu64 " bytes, %" PRIu64
			     " of them written, expected all of %" PRIu64,
			     name, (uint64_t)st.st_size,
			     (uint64_t)st.st_blocks * 512, bytes);
	if (fcntl(fd, F_SETFL, O_DIRECT)) {
		if (errno == EINVAL)
			bench_skip("%s: no O_DIRECT here", bench_config.dir);
		bench_die("fcntl %s", name);
	}
	return fd;
}

/* What a call on len bytes came to. */
static void check(const char *call, ssize_t got, size_t len, uint64_t at)
{
	if (got < 0)
		bench_die("%s of %zu bytes at %" PRIu64, call, len, at);
	if ((size_t)got != len)
		bench_broken("%s of %zu bytes at %" PRIu64 ": %zd were done",
			     call, len, at, got);
}

void dio_read(int fd, size_t len, uint64_t at)
{
	static char buf[DIO_PART] __attribute__((aligned(DIO_BLOCK)));

	check("read", pread(fd, buf, len, (off_t)at), len, at);
}

/* len bytes as parts that are all the same buffer; how many. */
static int fill_parts(struct iovec *iov, size_t len)
{
	static char buf[DIO_PART] __attribute__((aligned(DIO_BLOCK)));
	int n = 0;

	for (; len; len -= iov[n++].iov_len) {
		iov[n].iov_base = buf;
		iov[n].iov_len = len < DIO_PART ? len : DIO_PART;
	}
	return n;
}

void dio_write(int fd, size_t len, uint64_t at)
{
	struct iovec iov[DIO_WRITE_MAX / DIO_PART];
	int n = fill_parts(iov, len);

	check("write", pwritev(fd, iov, n, (off_t)at), len, at);
}

void dio_aio_write(int fd, size_t len, uint64_t at)
{
	static aio_context_t aio;
	struct iovec iov[DIO_WRITE_MAX / DIO_PART];
	struct iocb call = { .aio_lio_opcode = IOCB_CMD_PWRITEV,
			     .aio_fildes = (uint32_t)fd,
			     .aio_buf = (uintptr_t)iov,
			     .aio_nbytes = (unsigned int)fill_parts(iov, len),
			     .aio_offset = (int64_t)at };

	if (!aio)
		aio = aio_start();
	check("asynchronous write", aio_call(aio, &call), len, at);
}

void dio_punch(int fd, size_t len, uint64_t at)
{
	int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;

	if (!fallocate(fd, mode, (off_t)at, (off_t)len))
		return;
	if (errno == EOPNOTSUPP)
		bench_skip("%s: no FALLOC_FL_PUNCH_HOLE here",
			   bench_config.dir);
	bench_die("punch %zu bytes at %" PRIu64, len, at);
}

void dio_restore(int fd, uint64_t bytes, uint64_t at, uint64_t len)
{
	uint64_t end = at + len;

	if (ftruncate(fd, (off_t)bytes))
		bench_die("ftruncate to %" PRIu64 " bytes", bytes);
	for (; at < end; at += DIO_PART)
		dio_write(fd, DIO_PART, at);
	bench_syncfs();
}
