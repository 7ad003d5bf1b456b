// SPDX-License-Identifier: GPL-2.0
/*
 * A file and its bytes in memory: see model.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "model.h"

void model_open(struct model *m, int flags, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->name, sizeof(m->name), fmt, ap);
	va_end(ap);
	m->size = 0;
	memset(m->bytes, 0, sizeof(m->bytes));
	m->log[0] = 0;
	m->fd = -1;
	if (flags != -1)
		model_reopen(m, flags);
}

void model_reopen(struct model *m, int flags)
{
	m->fd = bench_open(flags, "%s/%s", bench_config.dir, m->name);
}

static void note(struct model *m, const char *what, size_t at, size_t len)
{
	size_t used = strlen(m->log);

	snprintf(m->log + used, sizeof(m->log) - used, " %s %zu+%zu", what, at,
		 len);
}

void model_clone(struct model *m, const struct model *from, size_t at,
		 size_t len)
{
	struct file_clone_range range = { .src_fd = from->fd,
					  .src_offset = at,
					  .src_length = len };

	note(m, "clone", at, len);
	memcpy(m->bytes, from->bytes + at, len);
	m->size = len;
	if (m->fd < 0 || !ioctl(m->fd, FICLONERANGE, &range))
		return;
	if (errno == EOPNOTSUPP)
		bench_skip("%s: no FICLONERANGE here", bench_config.dir);
	bench_die("clone %zu bytes at %zu to %s", len, at, m->name);
}

void model_truncate(struct model *m, size_t size)
{
	note(m, "truncate", size, 0);
	/* What is cut off is zeros when the file grows again. */
	if (size < m->size)
		memset(m->bytes + size, 0, m->size - size);
	m->size = size;
	if (m->fd >= 0 && ftruncate(m->fd, (off_t)size))
		bench_die("truncate %s to %zu", m->name, size);
}

void model_write(struct model *m, struct stamp s, size_t at, size_t len)
{
	note(m, "write", at, len);
	stamp_fill(m->bytes + at, len, s, at);
	if (at + len > m->size)
		m->size = at + len;
	if (m->fd >= 0 &&
	    pwrite(m->fd, m->bytes + at, len, (off_t)at) != (ssize_t)len)
		bench_die("write %zu bytes at %zu of %s", len, at, m->name);
}

/* A finding on the byte found[i], of a file that is read from offset 0. */
static void tell(const struct model *m, const char *where,
		 const unsigned char *found, size_t len, size_t i)
{
	char expected[64];

	snprintf(expected, sizeof(expected), "%02x%s", m->bytes[i], where);
	stamp_finding(m->name, expected, found, len, i, 0);
	fprintf(stderr, "%s:%s\n", m->name, m->log);
}

void model_check_tail(const struct model *m)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	size_t end = (m->size + page - 1) / page * page;
	unsigned char *p;

	if (!m->size)
		return;
	p = mmap(NULL, end, PROT_READ, MAP_SHARED, m->fd, 0);
	if (p == MAP_FAILED)
		bench_die("mmap %s", m->name);
	i = m->size + stamp_nonzero(p + m->size, end - m->size);
	if (i < end)
		tell(m, " behind EOF", p, end, i);
	if (munmap(p, end))
		bench_die("munmap %s", m->name);
}

void model_check(const struct model *m)
{
	unsigned char found[MODEL_BYTES];
	struct stat st;
	ssize_t got;
	size_t i;

	if (fstat(m->fd, &st))
		bench_die("stat %s", m->name);
	got = pread(m->fd, found, sizeof(found), 0);
	if (got < 0)
		bench_die("read %s", m->name);
	if ((size_t)st.st_size != m->size || (size_t)got != m->size) {
		finding("%s: %zu bytes expected, size %" PRIu64 ", %zd read",
			m->name, m->size, (uint64_t)st.st_size, got);
		fprintf(stderr, "%s:%s\n", m->name, m->log);
		return;
	}
	for (i = 0; i < m->size && found[i] == m->bytes[i]; i++)
		;
	if (i < m->size)
		tell(m, "", found, m->size, i);
}

void model_close(struct model *m)
{
	if (m->fd >= 0 && (fsync(m->fd) || close(m->fd)))
		bench_die("close %s", m->name);
	m->fd = -1;
}
