// SPDX-License-Identifier: GPL-2.0
/*
 * Files of a helper: see fileset.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "fileset.h"

static void file_path(const struct fileset *s, uint64_t i, char *path)
{
	snprintf(path, PATH_MAX, "%s/d%05" PRIu64 "/f%07" PRIu64,
		 bench_config.dir, i % s->dirs, i);
}

void fileset_begin(struct fileset *s)
{
	char path[PATH_MAX];
	uint64_t i;

	if (!s->dirs)
		bench_broken("files in no directory");
	s->files = bench_config.ops;
	for (i = 0; i < s->dirs; i++) {
		snprintf(path, sizeof(path), "%s/d%05" PRIu64, bench_config.dir,
			 i);
		bench_mkdir(path);
	}
	for (i = 0; i < s->files; i++) {
		file_path(s, i, path);
		if (unlink(path) && errno != ENOENT)
			bench_die("unlink %s", path);
	}
}

void fileset_hold(struct fileset *s, int (*make)(struct worker *w, uint64_t i))
{
	static struct worker nobody;
	struct rlimit lim;
	uint64_t i;

	/* The last close of a file would be that of the parent. */
	if (bench_config.processes)
		bench_usage("--processes, expected threads: files are held "
			    "open from before the clock");
	if (getrlimit(RLIMIT_NOFILE, &lim))
		bench_die("getrlimit RLIMIT_NOFILE");
	lim.rlim_cur = lim.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &lim))
		bench_die("setrlimit RLIMIT_NOFILE");
	s->fd = calloc(s->files, sizeof(*s->fd));
	if (!s->fd)
		bench_die("memory for %" PRIu64 " descriptors", s->files);
	for (i = 0; i < s->files; i++)
		s->fd[i] = make(&nobody, i);
}

int fileset_create(const struct fileset *s, uint64_t i, int flags)
{
	char path[PATH_MAX];

	file_path(s, i, path);
	return bench_open(O_RDWR | O_CREAT | O_EXCL | flags, "%s", path);
}

void fileset_write(int fd, const char *data, uint64_t len, uint64_t at)
{
	ssize_t got = pwrite(fd, data, len, (off_t)at);

	if (got < 0)
		bench_die("write of %" PRIu64 " bytes at %" PRIu64, len, at);
	if ((uint64_t)got != len)
		bench_broken("write of %" PRIu64 " bytes at %" PRIu64
			     ": %zd were done",
			     len, at, got);
}

void fileset_clone(int fd, int source, uint64_t len)
{
	struct file_clone_range range = { .src_fd = source, .src_length = len };

	if (!(len ? ioctl(fd, FICLONERANGE, &range) :
		    ioctl(fd, FICLONE, source)))
		return;
	if (errno == EOPNOTSUPP || errno == ENOTTY)
		bench_skip("%s: no reflink here", bench_config.dir);
	bench_die("clone %" PRIu64 " bytes", len);
}

/* Words that no other source has; its blocks are not equal, either. */
static char *make_data(uint64_t bytes)
{
	uint64_t words = (bytes + 7) / 8, at = bench_mix(bytes), i;
	uint64_t *data = calloc(words, 8);

	if (!data)
		bench_die("memory for %" PRIu64 " bytes", bytes);
	for (i = 0; i < words; i++)
		data[i] = bench_mix(at++);
	return (char *)data;
}

int fileset_source(uint64_t bytes, char **data)
{
	int fd = bench_open(O_RDWR | O_CREAT, "%s/source.%" PRIu64,
			    bench_config.dir, bytes);
	struct stat st;

	*data = make_data(bytes);
	if (fstat(fd, &st))
		bench_die("stat source.%" PRIu64, bytes);
	/* One of this size has all its bytes: a write makes it, to its end. */
	if ((uint64_t)st.st_size == bytes)
		return fd;
	fileset_write(fd, *data, bytes, 0);
	if (ftruncate(fd, (off_t)bytes) || fsync(fd))
		bench_die("make source.%" PRIu64, bytes);
	return fd;
}

void fileset_end(const struct fileset *s, struct record *r, uint64_t bytes)
{
	char path[PATH_MAX];
	struct stat st;
	uint64_t i;

	bench_put_u64(r, "dirs", s->dirs);
	for (i = 0; i < s->files; i++) {
		file_path(s, i, path);
		if (stat(path, &st))
			bench_die("stat %s", path);
		if ((uint64_t)st.st_size != bytes)
			bench_broken("%s has %" PRIu64
				     " bytes, expected %" PRIu64,
				     path, (uint64_t)st.st_size, bytes);
		if (!s->keep && unlink(path))
			bench_die("unlink %s", path);
	}
}
