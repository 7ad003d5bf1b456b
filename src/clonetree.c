// SPDX-License-Identifier: GPL-2.0
/*
 * Files that share blocks: see clonetree.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clonetree.h"
#include "finding.h"
#include "xfsag.h"

/* A range of an operation, in blocks. */
struct range {
	unsigned int file, at, n;
};

static void *buffer; /* of one file, never changed */

void clonetree_init(struct clonetree *t, unsigned int files,
		    unsigned int blocks, unsigned int ags, uint64_t ag_bytes,
		    const char *log)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned int f;

	t->files = files;
	t->blocks = blocks;
	t->ags = ags;
	t->block_bytes = page > 4096 ? (uint64_t)page : 4096;
	t->device_bytes = ags * ag_bytes;
	t->map = sharemap_new(files, blocks, t->block_bytes, ag_bytes);
	t->log_fd = -1;
	if (log)
		t->log_fd = bench_open(O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
				       "%s", log);
	xfsag_make_dirs(bench_config.dir, ags, ags, t->dir_of);
	for (f = 0; f < files; f++)
		pthread_mutex_init(&t->file[f].lock, NULL);
	if (posix_memalign(&buffer, 4096, blocks * t->block_bytes))
		bench_broken("no memory for a file");
	memset(buffer, 0x5a, blocks * t->block_bytes);
}

static void path_of(const struct clonetree *t, unsigned int file, char *path)
{
	snprintf(path, PATH_MAX, "%s/d%05u/f%04u", bench_config.dir,
		 t->dir_of[file % t->ags], file);
}

int clonetree_open(const struct clonetree *t, unsigned int file, int flags)
{
	char path[PATH_MAX];

	path_of(t, file, path);
	return open(path, flags | O_CLOEXEC, 0644);
}

/* Before the call, so that the log has the one that never came back, too. */
static void note(const struct clonetree *t, const struct worker *w,
		 const char *what, const struct range *r)
{
	if (t->log_fd >= 0 &&
	    dprintf(t->log_fd, "w%u %s f%04u at %llu bytes %llu\n", w->id, what,
		    r->file, (unsigned long long)(r->at * t->block_bytes),
		    (unsigned long long)(r->n * t->block_bytes)) < 0)
		bench_die("write the log");
}

/* A call failed: the machine's fault, or a finding.  False. */
static bool failed(const char *what, unsigned int file)
{
	if (errno == EOPNOTSUPP || errno == ENOTTY)
		bench_skip("%s: not supported here", what);
	if (errno == ENOSPC || errno == ENOMEM || errno == EMFILE)
		bench_die("%s f%04u", what, file);
	finding("file f%04u: %s: success expected, found errno %d (%s)", file,
		what, errno, strerror(errno));
	return false;
}

static bool write_range(struct clonetree *t, int fd, const struct range *r)
{
	size_t bytes = r->n * t->block_bytes;

	errno = EIO; /* what a short write is here */
	if (pwrite(fd, buffer, bytes, (off_t)(r->at * t->block_bytes)) !=
	    (ssize_t)bytes)
		return failed("pwrite", r->file);
	sharemap_write(t->map, r->file, r->at, r->n);
	return true;
}

/* Opens a file, made and written where it is not there. */
static int open_there(struct clonetree *t, struct worker *w, unsigned int file,
		      int flags)
{
	struct range whole = { file, 0, t->blocks };
	int fd;

	if (t->file[file].there)
		return clonetree_open(t, file, O_RDWR | flags);
	note(t, w, "create", &whole);
	fd = clonetree_open(t, file, O_RDWR | O_CREAT | O_EXCL | flags);
	/* Of its size from the start: nothing is allocated beyond EOF. */
	if (fd < 0 || ftruncate(fd, (off_t)(t->blocks * t->block_bytes)))
		return -1;
	t->file[file].there = true;
	return write_range(t, fd, &whole) ? fd : -1;
}

static bool clone_range(struct clonetree *t, struct worker *w,
			const struct range *from, const struct range *to)
{
	int src = open_there(t, w, from->file, 0);
	int fd = src < 0 ? -1 : open_there(t, w, to->file, 0);
	struct file_clone_range clone = {
		.src_fd = src,
		.src_offset = from->at * t->block_bytes,
		.src_length = from->n * t->block_bytes,
		.dest_offset = to->at * t->block_bytes,
	};

	if (fd < 0)
		return failed("open", to->file);
	note(t, w, "clone from", from);
	note(t, w, "clone to", to);
	if (ioctl(fd, FICLONERANGE, &clone))
		return failed("FICLONERANGE", to->file);
	sharemap_clone(t->map, from->file, from->at, to->file, to->at, to->n);
	return !close(src) && !close(fd) ? true : failed("close", to->file);
}

static bool allocate(struct clonetree *t, struct worker *w, int fd,
		     const struct range *r, bool punch)
{
	int mode = punch ? FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE :
			   FALLOC_FL_UNSHARE_RANGE;

	note(t, w, punch ? "punch" : "funshare", r);
	if (fallocate(fd, mode, (off_t)(r->at * t->block_bytes),
		      (off_t)(r->n * t->block_bytes)))
		return failed(punch ? "punch" : "funshare", r->file);
	(punch ? sharemap_punch : sharemap_unshare)(t->map, r->file, r->at,
						    r->n);
	return true;
}

static bool remove_file(struct clonetree *t, struct worker *w, struct range *r)
{
	char path[PATH_MAX];

	if (!t->file[r->file].there)
		return true;
	note(t, w, "delete", r);
	path_of(t, r->file, path);
	if (unlink(path))
		return failed("unlink", r->file);
	t->file[r->file].there = false;
	sharemap_delete(t->map, r->file);
	return true;
}

/* An operation on one file; of 100, less than 60 at random. */
static bool change(struct clonetree *t, struct worker *w, struct range *r,
		   unsigned int kind)
{
	bool done;
	int fd;

	if (kind >= 48)
		return remove_file(t, w, r);
	fd = open_there(t, w, r->file, kind < 12 ? O_DIRECT : 0);
	if (fd < 0)
		return failed("open", r->file);
	if (kind < 24)
		note(t, w, kind < 12 ? "write direct" : "write", r);
	done = kind < 24 ? write_range(t, fd, r) :
			   allocate(t, w, fd, r, kind >= 40);
	return (!close(fd) || failed("close", r->file)) && done;
}

bool clonetree_step(struct clonetree *t, struct worker *w)
{
	struct range a, b;
	unsigned int kind = (unsigned int)(bench_rand(&w->rand) % 100);
	pthread_mutex_t *first, *second;
	bool done;

	a.file = (unsigned int)(bench_rand(&w->rand) % t->files);
	b.file = (unsigned int)(bench_rand(&w->rand) % (t->files - 1));
	b.file += b.file >= a.file;
	a.n = b.n = 1 + (unsigned int)(bench_rand(&w->rand) % (t->blocks / 2));
	a.at = (unsigned int)(bench_rand(&w->rand) % (t->blocks - a.n + 1));
	b.at = (unsigned int)(bench_rand(&w->rand) % (t->blocks - b.n + 1));
	first = &t->file[a.file < b.file ? a.file : b.file].lock;
	second = &t->file[a.file < b.file ? b.file : a.file].lock;
	if (kind < 60) {
		pthread_mutex_lock(&t->file[a.file].lock);
		done = change(t, w, &a, kind);
		pthread_mutex_unlock(&t->file[a.file].lock);
		return done;
	}
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	done = clone_range(t, w, &a, &b);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return done;
}
