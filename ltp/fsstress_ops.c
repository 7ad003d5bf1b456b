// SPDX-License-Identifier: GPL-2.0
/*
 * The operations of fsstress, and the names that a process of it has made: see
 * fsstress.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../src/bench.h"
#include "fsstress.h"

#define IO_MAX 65536u /* bytes of one call, what a pipe holds */
#define ALIGN_MIN 4096u /* of direct I/O, of mappings, of ranges of blocks */
#define NAME_BYTES 8192u /* what a name costs: its inode, entry, attributes */
#define DEPTH_MAX 8u /* of directories that get new names */

/* Of a name; what an operation works on. */
enum kind { FILES, DIRS, LINKS, KINDS, ANY = KINDS, NOTHING };

/* The letter that a name starts with; its hexadecimal number follows. */
static const char letters[] = "fdl";

/* A file, which may have several names. */
struct inode {
	uint64_t reach; /* no byte at or above it has a block */
	unsigned int links;
};

struct entry {
	enum kind kind;
	uint64_t number;
	struct entry *parent; /* NULL = pN itself */
	struct inode *inode;
	size_t at; /* place in its list */
};

struct list {
	struct entry **e;
	size_t n, room;
};

/* What an operation works on: a name, and where it opens that, some bytes. */
struct target {
	struct entry *e;
	const char *path;
	char buf[PATH_MAX];
	int fd;
	uint64_t size, at, len;
};

struct op {
	const char *name;
	void (*run)(const struct op *op, struct target *t);
	unsigned int freq;
	bool writes; /* -R takes these away, -w the others */
	enum kind on;
	int flags; /* of open; 0 = it is not opened */
	int arg; /* of its call */
	unsigned int unit; /* of its bytes */
};

/* Of one process */
static struct list lists[KINDS];
static struct stats *stats;
static uint64_t rand_state, op_number, next_number, held_bytes, file_bytes;
static unsigned int proc, align;
static const char *op_name;
static unsigned char *io_buf;
static sigjmp_buf fault;

/* A number from 0 to n - 1. */
static uint64_t pick(uint64_t n)
{
	return bench_rand(&rand_state) % n;
}

static bool is_unsupported(int error)
{
	return error == EOPNOTSUPP || error == ENOSYS || error == ENOTTY;
}

/* May a random operation rightly meet this error? */
static bool is_expected(int error)
{
	/* Btrfs (6.18) says EAGAIN of a write where there is no room, too. */
	static const int expected[] = { EAGAIN,	      EBUSY,	 EDQUOT,
					EEXIST,	      EISDIR,	 ELOOP,
					EMLINK,	      ENODATA,	 ENOENT,
					ENOSPC,	      EXDEV,	 ENOTDIR,
					ENAMETOOLONG, ENOTEMPTY, ETXTBSY };
	size_t i;

	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (error == expected[i])
			return true;
	/* So say some that they lack it, or cannot with this file. */
	if (error == EINVAL)
		return strstr(
			" clonerange collapse copyrange deduperange dread "
			"dwrite insert rename rexchange rnoreplace ",
			op_name);
	return is_unsupported(error) || (error == EINTR && stress_stop);
}

/*
 * Takes the result of a call on what fmt says: true = it went well, false = it
 * failed as it may, and is counted.  Any other failure ends the run.
 */
__attribute__((format(printf, 3, 4))) static bool
went(long ret, const char *call, const char *fmt, ...)
{
	int error = ret < 0 ? errno : 0;
	char what[2 * PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (stress.verbose)
		printf("# %u/%" PRIu64 ": %s %s %d\n", proc, op_number, call,
		       what, error);
	if (!error)
		return true;
	errno = error;
	if (!is_expected(error))
		die("p%u: operation %" PRIu64 " of seed %" PRIu64 ": %s %s",
		    proc, op_number, stress.seed, call, what);
	stats->errors++;
	stats->enospc += error == ENOSPC || error == EDQUOT;
	stats->unsupported += is_unsupported(error);
	return false;
}

/* The same, of a call on the bytes of a file. */
static bool range_went(long ret, const struct target *t)
{
	return went(ret, op_name, "%s %" PRIu64 " %" PRIu64, t->path, t->at,
		    t->len);
}

/* The path of an entry below pN; NULL = pN itself. */
static const char *path_of(const struct entry *e, char path[PATH_MAX])
{
	size_t at = PATH_MAX - 1;
	char name[32];
	int len;

	path[at] = '\0';
	for (; e; e = e->parent) {
		len = snprintf(name, sizeof(name), "%c%" PRIx64 "%s",
			       letters[e->kind], e->number,
			       path[at] ? "/" : "");
		/* Too long for a call: what is left names nothing. */
		if (at < (size_t)len)
			break;
		at -= (size_t)len;
		memcpy(path + at, name, (size_t)len);
	}
	return path[at] ? path + at : ".";
}

static bool has_room(uint64_t bytes)
{
	return held_bytes + bytes <= stress.max_bytes;
}

static void set_reach(struct inode *inode, uint64_t reach)
{
	held_bytes += reach - inode->reach;
	inode->reach = reach;
}

/* A name that no entry has; inode is that of a file with other names. */
static struct entry *entry_new(enum kind kind, struct entry *parent,
			       struct inode *inode)
{
	struct entry *e = calloc(1, sizeof(*e));

	if (!inode)
		inode = calloc(1, sizeof(*inode));
	if (!e || !inode)
		die("memory");
	*e = (struct entry){ kind, next_number++, parent, inode, 0 };
	inode->links++;
	return e;
}

static void entry_free(struct entry *e)
{
	if (!--e->inode->links) {
		held_bytes -= e->inode->reach;
		free(e->inode);
	}
	free(e);
}

/* Adds what a call made, or forgets it. */
static void entry_settle(struct entry *e, bool made)
{
	struct list *l = &lists[e->kind];

	if (!made) {
		entry_free(e);
		return;
	}
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 256;
		l->e = realloc(l->e, l->room * sizeof(struct entry *));
		if (!l->e)
			die("memory");
	}
	e->at = l->n;
	l->e[l->n++] = e;
	held_bytes += NAME_BYTES;
}

/* It has no name any more. */
static void entry_remove(struct entry *e)
{
	struct list *l = &lists[e->kind];

	l->e[e->at] = l->e[--l->n];
	l->e[e->at]->at = e->at;
	held_bytes -= NAME_BYTES;
	entry_free(e);
}

/* A directory to make a name in. */
static struct entry *pick_parent(void)
{
	uint64_t i = pick(lists[DIRS].n + 1);
	struct entry *parent = i ? lists[DIRS].e[i - 1] : NULL, *e;
	unsigned int depth = 0;

	for (e = parent; e; e = e->parent)
		depth++;
	return depth < DEPTH_MAX ? parent : NULL;
}

/* Makes a name; where there is no room for one, tries one that is there. */
static void make(enum kind kind, const char *call, const struct target *from)
{
	bool made, is_new = has_room(NAME_BYTES) || !lists[kind].n;
	struct entry *e = is_new ? entry_new(kind, pick_parent(),
					     from ? from->e->inode : NULL) :
				   lists[kind].e[pick(lists[kind].n)];
	char buf[PATH_MAX], text[1024];
	const char *path = path_of(e, buf);
	size_t len = 1 + pick(pick(4) ? 40 : sizeof(text) - 1);
	int ret;

	memset(text, 'x', len);
	text[len] = '\0';
	if (from)
		ret = link(from->path, path);
	else if (kind == FILES)
		ret = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC,
			   0666);
	else
		ret = kind == DIRS ? mkdir(path, 0777) : symlink(text, path);
	made = went(ret, call, "%s %s", from ? from->path : "", path);
	if (made && kind == FILES && !from) {
		if (close(ret))
			die("p%u: close %s", proc, path);
		set_reach(e->inode, 0);
	}
	if (is_new)
		entry_settle(e, made);
}

/* Fills t by one that is there, made first where none is; false = none. */
static bool pick_target(struct target *t, enum kind kind, int flags)
{
	static const char *const calls[] = { "creat", "mkdir", "symlink" };
	uint64_t i;
	struct stat st;

	if (kind == ANY) {
		i = pick(lists[FILES].n + lists[DIRS].n + lists[LINKS].n + 1);
		for (kind = FILES; kind < ANY && i >= lists[kind].n; kind++)
			i -= lists[kind].n;
		kind = kind == ANY ? FILES : kind;
	}
	if (!lists[kind].n)
		make(kind, calls[kind], NULL);
	if (!lists[kind].n)
		return false;
	t->e = lists[kind].e[pick(lists[kind].n)];
	t->path = path_of(t->e, t->buf);
	t->fd = -1;
	if (!flags)
		return true;
	t->fd = open(t->path, (flags & ~O_CREAT) | O_CLOEXEC);
	if (t->fd < 0)
		return went(-1, "open", "%s", t->path);
	if (fstat(t->fd, &st))
		die("p%u: fstat %s", proc, t->path);
	t->size = (uint64_t)st.st_size;
	return true;
}

static void do_make(const struct op *op, struct target *t)
{
	make((enum kind)op->arg, op->name, op->on == FILES ? t : NULL);
}

static void do_remove(const struct op *op, struct target *t)
{
	if (went(t->e->kind == DIRS ? rmdir(t->path) : unlink(t->path),
		 op->name, "%s", t->path))
		entry_remove(t->e);
}

/* renameat2(2) with the flags arg, to a new name or to one that is there. */
static void do_rename(const struct op *op, struct target *t)
{
	bool replace = op->arg & RENAME_EXCHANGE || !pick(4), moved;
	struct entry *e = t->e, old = *e;
	struct entry *to = replace ? lists[e->kind].e[pick(lists[e->kind].n)] :
				     entry_new(e->kind, pick_parent(), NULL);
	char buf[PATH_MAX];
	const char *path = path_of(to, buf);

	moved = went(renameat2(AT_FDCWD, t->path, AT_FDCWD, path,
			       (unsigned int)op->arg),
		     op->name, "%s %s", t->path, path);
	/* Of two names of one file, as of a name and itself, none goes. */
	moved &= e != to && (e->inode != to->inode || op->arg);
	if (moved) {
		e->parent = to->parent;
		e->number = to->number;
		to->parent = old.parent;
		to->number = old.number;
	}
	if (!replace)
		entry_free(to);
	else if (moved && !(op->arg & RENAME_EXCHANGE))
		entry_remove(to);
}

static void do_stat(const struct op *op, struct target *t)
{
	struct stat st;

	if (went(lstat(t->path, &st), op->name, "%s", t->path) &&
	    t->e->kind == FILES && st.st_nlink != t->e->inode->links)
		end(BENCH_BROKEN, "p%u: %s has %ju links, expected %u", proc,
		    t->path, (uintmax_t)st.st_nlink, t->e->inode->links);
}

static void do_readlink(const struct op *op, struct target *t)
{
	went(readlink(t->path, (char *)io_buf, IO_MAX), op->name, "%s",
	     t->path);
}

static void do_getdents(const struct op *op, struct target *t)
{
	DIR *dir = opendir(path_of(pick_parent(), t->buf));

	errno = dir ? 0 : errno;
	while (dir && readdir(dir))
		;
	went(errno ? -1 : 0, op->name, "%s", path_of(NULL, t->buf));
	if (dir && closedir(dir))
		die("p%u: closedir", proc);
}

static void do_chmod(const struct op *op, struct target *t)
{
	/* It stays ours to use, for we need not be root. */
	mode_t mode = (mode_t)(0700 | pick(0100));

	went(chmod(t->path, mode), op->name, "%s %o", t->path, mode);
}

static void do_chown(const struct op *op, struct target *t)
{
	uid_t uid = (uid_t)pick(stress.owners),
	      gid = (gid_t)pick(stress.owners);

	/* Who is not root can give to nobody but himself. */
	if (geteuid()) {
		uid = geteuid();
		gid = getegid();
	}
	went(lchown(t->path, uid, gid), op->name, "%s %u %u", t->path, uid,
	     gid);
}

/* Bytes to read, in whole units: from below the end of the file. */
static void range_read(struct target *t, unsigned int unit)
{
	t->len = 1 + pick(pick(2) ? IO_MAX : ALIGN_MIN);
	t->len = (t->len + unit - 1) / unit * unit;
	t->at = pick(t->size + 1) / unit * unit;
}

/*
 * Bytes to write, in whole units: within file_bytes, and where the process is
 * full, within what the file has; false = it has nothing.
 */
static bool range_write(struct target *t, unsigned int unit)
{
	struct inode *inode = t->e->inode;
	uint64_t old = inode->reach;

	range_read(t, unit);
	t->at = pick((old > t->size ? old : t->size) + IO_MAX) / unit * unit;
	if (t->at + t->len > file_bytes)
		t->at = (file_bytes - t->len) / unit * unit;
	if (t->at + t->len <= old)
		return true;
	if (has_room(t->at + t->len - old)) {
		set_reach(inode, t->at + t->len);
		return true;
	}
	if (t->len > old)
		t->len = old / unit * unit;
	t->at = (old - t->len) / unit * unit;
	stats->full += !t->len;
	return t->len || !went(0, "full", "%s", t->path);
}

/* Can the bytes be read through the page cache, and written back? */
static bool is_readable(const struct target *t)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);
	bool readable = fd >= 0 && !fsync(fd) &&
			pread(fd, io_buf, t->len, (off_t)t->at) >= 0;

	if (fd >= 0)
		close(fd);
	/* As it was before, where the answer is no. */
	errno = EIO;
	return readable;
}

/* Reads or writes at once, or in two parts (arg 1). */
static void do_io(const struct op *op, struct target *t)
{
	struct iovec iov[2];
	size_t first;
	long ret;

	if (!op->writes)
		range_read(t, op->unit);
	else if (!range_write(t, op->unit))
		return;
	first = op->arg ? 1 + pick(t->len) : t->len;
	iov[0] = (struct iovec){ io_buf, first };
	iov[1] = (struct iovec){ io_buf + first, t->len - first };
	if (op->writes)
		memset(io_buf, (int)(op_number & 0xff), t->len);
	ret = op->writes ? pwritev(t->fd, iov, 1 + op->arg, (off_t)t->at) :
			   preadv(t->fd, iov, 1 + op->arg, (off_t)t->at);
	/*
	 * XFS says EIO of direct I/O that meets delayed allocation, too; then
	 * there is nothing wrong with the file.
	 */
	if (ret < 0 && errno == EIO && op->flags & O_DIRECT && is_readable(t))
		errno = EBUSY;
	if (range_went(ret, t))
		*(op->writes ? &stats->written_bytes : &stats->read_bytes) +=
			(uint64_t)ret;
}

/*
 * Where there is no room, or no device, a touch of a mapping is a signal. Btrfs
 * may have no room for fsync, either.
 */
static int touch(const struct target *t, unsigned char *map, bool writes)
{
	if (sigsetjmp(fault, 1)) {
		errno = writes && (!fsync(t->fd) || errno == ENOSPC) ? ENOSPC :
								       EIO;
		return -1;
	}
	if (writes)
		memset(map, (int)(op_number & 0xff), t->len);
	else
		memcpy(io_buf, map, t->len);
	return 0;
}

static void do_map(const struct op *op, struct target *t)
{
	struct inode *inode = t->e->inode;
	uint64_t start;
	unsigned char *map;

	range_read(t, 1);
	/* Beyond the end there is nothing to touch. */
	if (t->len > t->size - t->at)
		t->len = t->size - t->at;
	/* A hole that is written to takes blocks. */
	if (op->writes && t->at + t->len > inode->reach) {
		if (has_room(t->at + t->len - inode->reach))
			set_reach(inode, t->at + t->len);
		else
			t->len = 0;
	}
	if (!t->len) {
		range_went(0, t);
		return;
	}
	start = t->at / ALIGN_MIN * ALIGN_MIN;
	map = mmap(NULL, t->at + t->len - start,
		   PROT_READ | (op->writes ? PROT_WRITE : 0), MAP_SHARED, t->fd,
		   (off_t)start);
	if (map == MAP_FAILED)
		die("p%u: mmap %s", proc, t->path);
	if (range_went(touch(t, map + t->at - start, op->writes), t))
		*(op->writes ? &stats->written_bytes : &stats->read_bytes) +=
			t->len;
	if (munmap(map, t->at + t->len - start))
		die("p%u: munmap %s", proc, t->path);
}

static void do_truncate(const struct op *op, struct target *t)
{
	(void)op;
	t->at = pick(pick(2) ? t->size + 1 : file_bytes + 1);
	if (range_went(ftruncate(t->fd, (off_t)t->at), t) &&
	    t->at < t->e->inode->reach)
		set_reach(t->e->inode, t->at);
}

/* fallocate(2) with the mode arg; collapse and insert move whole blocks. */
static void do_fallocate(const struct op *op, struct target *t)
{
	bool collapse = op->arg & FALLOC_FL_COLLAPSE_RANGE;
	bool insert = op->arg & FALLOC_FL_INSERT_RANGE;
	struct inode *inode = t->e->inode;
	int mode = op->arg;

	if (collapse || insert || mode & FALLOC_FL_PUNCH_HOLE)
		range_read(t, collapse || insert ? align : 1);
	else if (!range_write(t, 1))
		return;
	else
		mode |= pick(2) ? FALLOC_FL_KEEP_SIZE : 0;
	if (collapse && t->at + t->len >= t->size)
		t->at = t->len = t->size > 2 * align ? align : t->len;
	if (insert &&
	    ((t->size > inode->reach ? t->size : inode->reach) + t->len >
		     file_bytes ||
	     !has_room(t->len))) {
		stats->full++;
		went(0, "full", "%s", t->path);
		return;
	}
	if (!range_went(fallocate(t->fd, mode, (off_t)t->at, (off_t)t->len), t))
		return;
	if (insert && t->at < inode->reach)
		set_reach(inode, inode->reach + t->len);
	/* Some of it may have been a hole behind the last block. */
	if (collapse && inode->reach > t->at + t->len)
		set_reach(inode, inode->reach - t->len);
}

static void do_fiemap(const struct op *op, struct target *t)
{
	union {
		struct fiemap map;
		char room[sizeof(struct fiemap) +
			  64 * sizeof(struct fiemap_extent)];
	} u = { .map = { .fm_length = FIEMAP_MAX_OFFSET,
			 .fm_flags = pick(4) ? 0 : FIEMAP_FLAG_SYNC,
			 .fm_extent_count = 64 } };

	went(ioctl(t->fd, FS_IOC_FIEMAP, &u.map), op->name, "%s", t->path);
}

/* fsync, fdatasync, syncfs: by arg. */
static void do_sync(const struct op *op, struct target *t)
{
	int (*const calls[])(int fd) = { fsync, fdatasync, syncfs };

	went(calls[op->arg](t->fd), op->name, "%s", t->path);
}

/* set, get, remove, list one of a file's attributes: by arg. */
static void do_attr(const struct op *op, struct target *t)
{
	size_t len = 1 + pick(512);
	char attr[16];
	long ret;

	snprintf(attr, sizeof(attr), "user.a%d", (int)pick(4));
	memset(io_buf, 'a', len);
	if (op->arg == 's')
		ret = setxattr(t->path, attr, io_buf, len, 0);
	else if (op->arg == 'g')
		ret = getxattr(t->path, attr, io_buf, IO_MAX);
	else if (op->arg == 'r')
		ret = removexattr(t->path, attr);
	else
		ret = listxattr(t->path, (char *)io_buf, IO_MAX);
	went(ret, op->name, "%s %s %zu", t->path, attr, len);
}

static long clone_range(const struct target *from, const struct target *to)
{
	struct file_clone_range range = { from->fd, from->at, to->len, to->at };

	return ioctl(to->fd, FICLONERANGE, &range);
}

static long dedupe_range(const struct target *from, const struct target *to)
{
	union {
		struct file_dedupe_range range;
		char room[sizeof(struct file_dedupe_range) +
			  sizeof(struct file_dedupe_range_info)];
	} u = { .range = { from->at, to->len, .dest_count = 1 } };
	struct file_dedupe_range_info *info = u.range.info;

	info->dest_fd = to->fd;
	info->dest_offset = to->at;
	if (ioctl(from->fd, FIDEDUPERANGE, &u.range))
		return -1;
	/* What differs is not shared, and no error. */
	errno = info->status < 0 ? -info->status : 0;
	return info->status < 0 ? -1 : 0;
}

static long splice_range(const struct target *from, const struct target *to)
{
	off_t in = (off_t)from->at, out = (off_t)to->at;
	int ends[2], error;
	long ret;

	if (pipe2(ends, O_CLOEXEC))
		die("pipe2");
	ret = splice(from->fd, &in, ends[1], NULL, to->len, 0);
	if (ret > 0)
		ret = splice(ends[0], NULL, to->fd, &out, (size_t)ret, 0);
	error = errno;
	close(ends[0]);
	close(ends[1]);
	errno = error;
	return ret;
}

/* A range of one file, cloned, deduped, copied, spliced to another or itself.
 */
static void do_pair(const struct op *op, struct target *to)
{
	unsigned int unit = op->unit == ALIGN_MIN ? align : 1;
	off_t in, out;
	struct target from;
	long ret;

	if (!pick_target(&from, FILES, O_RDONLY | O_CREAT))
		return;
	range_read(&from, unit);
	if (from.at + from.len > from.size)
		from.at = 0;
	if (from.len > from.size)
		from.len = from.size / unit * unit;
	if (range_write(to, unit) && from.len) {
		if (to->len > from.len)
			to->len = from.len;
		in = (off_t)from.at;
		out = (off_t)to->at;
		if (op->arg == 'c')
			ret = clone_range(&from, to);
		else if (op->arg == 'd')
			ret = dedupe_range(&from, to);
		else if (op->arg == 's')
			ret = splice_range(&from, to);
		else
			ret = copy_file_range(from.fd, &in, to->fd, &out,
					      to->len, 0);
		went(ret, op->name, "%s %" PRIu64 " %s %" PRIu64 " %" PRIu64,
		     from.path, from.at, to->path, to->at, to->len);
		stats->written_bytes += ret > 0 ? (uint64_t)ret : 0;
	}
	if (close(from.fd))
		die("p%u: close %s", proc, from.path);
}

/* A file without a name, which then gets one or goes as it was. */
static void do_tmpfile(const struct op *op, struct target *t)
{
	struct entry *e = entry_new(FILES, pick_parent(), NULL);
	size_t len = 1 + pick(ALIGN_MIN);
	const char *path = path_of(e->parent, t->buf);
	bool made = false;
	char self[64];
	int fd = open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	if (went(fd, op->name, "%s", path) && has_room(NAME_BYTES + len)) {
		memset(io_buf, (int)(op_number & 0xff), len);
		set_reach(e->inode, len);
		went(write(fd, io_buf, len), "write", "%s %zu", path, len);
		snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
		path = path_of(e, t->buf);
		if (pick(2))
			made = went(linkat(AT_FDCWD, self, AT_FDCWD, path,
					   AT_SYMLINK_FOLLOW),
				    "linkat", "%s", path);
	}
	entry_settle(e, made);
	if (fd >= 0 && close(fd))
		die("p%u: close %s", proc, path);
}

/* O_CREAT, which is left out, makes 0 of O_RDONLY another than "not opened". */
#define RO (O_RDONLY | O_CREAT)
#define WO O_WRONLY
#define RW O_RDWR
#define KEEP FALLOC_FL_KEEP_SIZE

/* clang-format off */
static struct op ops[] = {
	{ "chmod", do_chmod, 1, true, FILES, 0, 0, 0 },
	{ "chown", do_chown, 1, true, ANY, 0, 0, 0 },
	{ "clonerange", do_pair, 2, true, FILES, RW, 'c', ALIGN_MIN },
	{ "collapse", do_fallocate, 1, true, FILES, WO,
	  FALLOC_FL_COLLAPSE_RANGE, 0 },
	{ "copyrange", do_pair, 2, true, FILES, RW, 0, 1 },
	{ "creat", do_make, 6, true, NOTHING, 0, FILES, 0 },
	{ "deduperange", do_pair, 1, true, FILES, RW, 'd', ALIGN_MIN },
	{ "dread", do_io, 3, false, FILES, RO | O_DIRECT, 0, ALIGN_MIN },
	{ "dwrite", do_io, 3, true, FILES, WO | O_DIRECT, 0, ALIGN_MIN },
	{ "fallocate", do_fallocate, 2, true, FILES, WO, 0, 0 },
	{ "fdatasync", do_sync, 1, true, FILES, WO, 1, 0 },
	{ "fiemap", do_fiemap, 1, false, FILES, RO, 0, 0 },
	{ "fsync", do_sync, 1, true, FILES, WO, 0, 0 },
	{ "getdents", do_getdents, 1, false, NOTHING, 0, 0, 0 },
	{ "getfattr", do_attr, 1, false, FILES, 0, 'g', 0 },
	{ "insert", do_fallocate, 1, true, FILES, WO,
	  FALLOC_FL_INSERT_RANGE, 0 },
	{ "link", do_make, 2, true, FILES, 0, FILES, 0 },
	{ "listfattr", do_attr, 1, false, FILES, 0, 'l', 0 },
	{ "mkdir", do_make, 2, true, NOTHING, 0, DIRS, 0 },
	{ "mread", do_map, 2, false, FILES, RO, 0, 0 },
	{ "mwrite", do_map, 2, true, FILES, RW, 0, 0 },
	{ "punch", do_fallocate, 2, true, FILES, WO,
	  FALLOC_FL_PUNCH_HOLE | KEEP, 0 },
	{ "read", do_io, 3, false, FILES, RO, 0, 1 },
	{ "readlink", do_readlink, 1, false, LINKS, 0, 0, 0 },
	{ "readv", do_io, 1, false, FILES, RO, 1, 1 },
	{ "removefattr", do_attr, 1, true, FILES, 0, 'r', 0 },
	{ "rename", do_rename, 3, true, ANY, 0, 0, 0 },
	{ "rexchange", do_rename, 1, true, ANY, 0, RENAME_EXCHANGE, 0 },
	{ "rmdir", do_remove, 2, true, DIRS, 0, 0, 0 },
	{ "rnoreplace", do_rename, 1, true, ANY, 0, RENAME_NOREPLACE, 0 },
	{ "setfattr", do_attr, 2, true, FILES, 0, 's', 0 },
	{ "splice", do_pair, 1, true, FILES, RW, 's', 1 },
	{ "stat", do_stat, 2, false, ANY, 0, 0, 0 },
	{ "symlink", do_make, 2, true, NOTHING, 0, LINKS, 0 },
	{ "syncfs", do_sync, 1, true, FILES, WO, 2, 0 },
	{ "tmpfile", do_tmpfile, 1, true, NOTHING, 0, 0, 0 },
	{ "truncate", do_truncate, 2, true, FILES, WO, 0, 0 },
	{ "unlink", do_remove, 6, true, FILES, 0, 0, 0 },
	{ "write", do_io, 6, true, FILES, WO, 0, 1 },
	{ "writev", do_io, 2, true, FILES, WO, 1, 1 },
	{ "zero", do_fallocate, 1, true, FILES, WO, FALLOC_FL_ZERO_RANGE, 0 },
};
/* clang-format on */

#define OPS (sizeof(ops) / sizeof(*ops))

bool op_set_freq(const char *name, size_t len, unsigned int freq)
{
	size_t i;

	for (i = 0; i < OPS; i++) {
		if (strlen(ops[i].name) != len ||
		    strncmp(ops[i].name, name, len))
			continue;
		ops[i].freq = freq;
		return true;
	}
	return false;
}

void op_clear(bool of_writes, bool of_others)
{
	size_t i;

	for (i = 0; i < OPS; i++)
		if (ops[i].writes ? of_writes : of_others)
			ops[i].freq = 0;
}

void op_print(bool as_table)
{
	size_t i;

	printf(as_table ? "" : "-z");
	for (i = 0; i < OPS; i++)
		if (as_table)
			printf("%-12s %u %s\n", ops[i].name, ops[i].freq,
			       ops[i].writes ? "write" : "read");
		else if (ops[i].freq)
			printf(" -f %s=%u", ops[i].name, ops[i].freq);
	printf(as_table ? "" : "\n");
}

uint64_t op_freq_sum(void)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < OPS; i++)
		sum += ops[i].freq;
	return sum;
}

static void on_fault(int sig)
{
	siglongjmp(fault, sig);
}

void op_begin(unsigned int process, struct stats *of)
{
	struct sigaction sa = { .sa_handler = on_fault };
	struct stat st;

	proc = process;
	stats = of;
	if (sigaction(SIGBUS, &sa, NULL))
		die("sigaction");
	if (stat(".", &st))
		die("p%u", proc);
	align = st.st_blksize > ALIGN_MIN && st.st_blksize <= IO_MAX ?
			(unsigned int)st.st_blksize :
			ALIGN_MIN;
	file_bytes = stress.max_bytes / 8 > 16 << 20 ? 16 << 20 :
						       stress.max_bytes / 8;
	io_buf = aligned_alloc(ALIGN_MIN, 2 * IO_MAX);
	if (!io_buf)
		die("memory");
}

void op_run(uint64_t number)
{
	const struct op *op = ops;
	struct target t = { .fd = -1 };
	enum kind kind;
	uint64_t i;

	op_number = number;
	rand_state = bench_mix(bench_mix(stress.seed + ((uint64_t)proc << 40)) ^
			       number);
	for (i = pick(op_freq_sum()); i >= op->freq; op++)
		i -= op->freq;
	op_name = op->name;
	/* Some unlinks are of symbolic links, which nothing else takes away. */
	kind = op->run == do_remove && op->on == FILES && lists[LINKS].n &&
			       !pick(4) ?
		       LINKS :
		       op->on;
	if (kind == NOTHING || pick_target(&t, kind, op->flags))
		op->run(op, &t);
	if (t.fd >= 0 && close(t.fd))
		went(-1, "close", "%s", t.path);
	stats->ops++;
}
