// SPDX-License-Identifier: GPL-2.0
/*
 * A file that grows while it is held open: see growfile.h.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "growfile.h"

#define MAPPED 16 /* extents behind EOF, at most */

void growfile_make(struct growfile *f, const char *kind, unsigned int number,
		   unsigned int file)
{
	snprintf(f->name, sizeof(f->name), "%s.%u", kind, number);
	f->stamp = (struct stamp){ .file = file };
	f->bytes = 0;
	f->fd = bench_open(O_RDWR | O_CREAT | O_EXCL, "%s/%s", bench_config.dir,
			   f->name);
}

void growfile_append(struct growfile *f)
{
	char buf[GROWFILE_PART];

	stamp_fill(buf, sizeof(buf), f->stamp, f->bytes);
	if (pwrite(f->fd, buf, sizeof(buf), (off_t)f->bytes) != sizeof(buf))
		bench_die("write %s at %" PRIu64, f->name, f->bytes);
	if (sync_file_range(f->fd, (off_t)f->bytes, sizeof(buf),
			    SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER))
		bench_die("sync_file_range %s", f->name);
	f->bytes += sizeof(buf);
}

void growfile_read(const struct growfile *f, uint64_t at)
{
	int fd = bench_open(O_RDONLY, "%s/%s", bench_config.dir, f->name);
	char buf[4096];

	if (pread(fd, buf, sizeof(buf), (off_t)at) < 0)
		bench_die("read %s", f->name);
	if (close(fd))
		bench_die("close %s", f->name);
}

/*
 * Fills map with at most room extents from start on, or only counts them where
 * room is 0; gives how many.
 */
static unsigned int map_extents(int fd, uint64_t start, uint64_t length,
				struct fiemap *map, unsigned int room)
{
	*map = (struct fiemap){ .fm_start = start,
				.fm_length = length,
				.fm_flags = FIEMAP_FLAG_SYNC,
				.fm_extent_count = room };
	if (ioctl(fd, FS_IOC_FIEMAP, map))
		bench_die("FS_IOC_FIEMAP");
	return map->fm_mapped_extents;
}

unsigned int growfile_extents(const struct growfile *f)
{
	struct fiemap map;

	return map_extents(f->fd, 0, f->bytes, &map, 0);
}

uint64_t growfile_prealloc_end(const struct growfile *f, int fd)
{
	uint64_t buf[(sizeof(struct fiemap) +
		      MAPPED * sizeof(struct fiemap_extent)) /
		     8];
	struct fiemap *map = (void *)buf;
	struct fiemap_extent *last;
	unsigned int n;

	n = map_extents(fd, f->bytes, FIEMAP_MAX_OFFSET - f->bytes, map,
			MAPPED);
	if (!n)
		return 0;
	last = &map->fm_extents[n - 1];
	return last->fe_logical + last->fe_length;
}

/* Size and all bytes. */
static void check_content(const struct growfile *f, int fd)
{
	char buf[GROWFILE_PART];
	struct stat st;
	uint64_t at;
	ssize_t got;
	size_t i;

	if (fstat(fd, &st))
		bench_die("stat %s", f->name);
	if ((uint64_t)st.st_size != f->bytes)
		finding("%s: size %" PRIu64 " expected, found %" PRIu64,
			f->name, f->bytes, (uint64_t)st.st_size);
	for (at = 0; at < f->bytes; at += sizeof(buf)) {
		got = pread(fd, buf, sizeof(buf), (off_t)at);
		if (got < 0)
			bench_die("read %s at %" PRIu64, f->name, at);
		if (got != sizeof(buf))
			finding("%s: offset %" PRIu64 ": %zu bytes expected, "
				"%zd read",
				f->name, at, sizeof(buf), got);
		i = stamp_differs(buf, (size_t)got, f->stamp, at, 0);
		if (i < (size_t)got)
			stamp_finding(f->name, "what was written", buf,
				      (size_t)got, i, at);
	}
}

void growfile_close(const struct growfile *f)
{
	uint64_t end;
	int fd;

	if (close(f->fd))
		bench_die("close %s", f->name);
	fd = bench_open(O_RDONLY, "%s/%s", bench_config.dir, f->name);
	end = growfile_prealloc_end(f, fd);
	if (end)
		finding("%s: no block behind EOF %" PRIu64 " expected after "
			"the close, found up to %" PRIu64,
			f->name, f->bytes, end);
	check_content(f, fd);
	if (close(fd))
		bench_die("close %s", f->name);
}
