// SPDX-License-Identifier: GPL-2.0
/*
 * fsx: random operations on one file, each judged against a copy in memory.
 *
 * Letters and defaults are those of fstests' fsx where it has them.  What an
 * operation does follows from the seed, its number and the size of the file;
 * what it writes, from the first two.  Before it runs, it is a line of the log,
 * and --replay-ops does again what a log says.
 *
 * A finding is bytes, a size, a count or an errno that no sequence of these
 * calls may lead to.  It goes to stdout, all else to stderr.  Kept are then
 * FILE.fsxbad (as the file reads), FILE.fsxgood (as it should) and FILE.fsxops,
 * the log.  Every --epoch operations the file and the log are begun anew, so
 * that a log stays short enough to be replayed and read.
 *
 * Exit status: 0 no finding; 1 broken; 2 usage; 77 not supported here; 3 a
 * finding.  (fstests' fsx does not part the last from broken; a guard must:
 * only a finding speaks of the kernel.)
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "../src/bench.h"
#include "fsx_draw.h"
#include "fsx_options.h"

#define FINDING 3 /* exit status */
#define SHOWN 16 /* bytes of a mismatch */

/* Does it; the copy is already as it is to be afterwards. */
typedef void (*run_fn)(const struct call *c);

static char log_path[PATH_MAX];
static int fd = -1, log_fd = -1;

static struct shadow good;
static char *buf; /* of a read or write, aligned for direct I/O */
static uint64_t counts[OPS]; /* of this run */
static uint64_t polluted_page = UINT64_MAX; /* may hold bytes behind EOF */
static const struct call *current; /* the operation that runs */
static uint64_t last; /* number of the last that began */
static bool probing;
static jmp_buf probe_failed;

#define die(...) fsx_quit(BENCH_BROKEN, errno, __VA_ARGS__)
#define usage(...) fsx_quit(BENCH_USAGE, 0, __VA_ARGS__)

/* FILE.fsxbad and so on, in -P's directory if there is one */
static void evidence_path(char *out, const char *suffix)
{
	const char *base = strrchr(opt.path, '/');
	int n;

	if (opt.evidence_dir)
		n = snprintf(out, PATH_MAX, "%s/%s%s", opt.evidence_dir,
			     base ? base + 1 : opt.path, suffix);
	else
		n = snprintf(out, PATH_MAX, "%s%s", opt.path, suffix);
	if (n >= PATH_MAX)
		usage("%s%s: the name is too long", opt.path, suffix);
}

static void log_write(const char *text, size_t len)
{
	if (write(log_fd, text, len) != (ssize_t)len)
		die("write %s", log_path);
}

static void log_name(void)
{
	int n;

	if (!opt.record_path) {
		evidence_path(log_path, ".fsxops");
		return;
	}
	n = snprintf(log_path, PATH_MAX, "%s", opt.record_path);
	if (n >= PATH_MAX)
		usage("--record-ops: the name is too long");
}

/* Begins the log with operation first. */
static void log_begin(uint64_t first)
{
	char text[OPLOG_LINE];

	if (log_fd < 0)
		log_fd = open(log_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (log_fd < 0 || ftruncate(log_fd, 0) ||
	    lseek(log_fd, 0, SEEK_SET) < 0)
		die("open %s", log_path);
	opt.log.first = first;
	log_write(text, oplog_print_head(text, sizeof(text), &opt.log));
}

static void keep(const char *suffix, const char *data, uint64_t len)
{
	char name[PATH_MAX];
	int out;

	evidence_path(name, suffix);
	out = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (out < 0 || write(out, data, len) != (ssize_t)len || close(out))
		fprintf(stderr, "fsx: %s is lost: %s\n", name, strerror(errno));
}

/* Keeps the evidence and ends; what fails here leaves the finding one. */
__attribute__((noreturn)) static void end_by_finding(void)
{
	int in = open(opt.path, O_RDONLY | O_CLOEXEC);
	ssize_t n = in < 0 ? -1 : pread(in, buf, opt.log.max_bytes, 0);

	if (n < 0)
		fprintf(stderr, "fsx: read %s: %s\n", opt.path,
			strerror(errno));
	else
		keep(".fsxbad", buf, (uint64_t)n);
	keep(".fsxgood", good.bytes, good.size);
	fprintf(stderr,
		"fsx: seed %" PRIu64 ", again: fsx --replay-ops %s %s\n",
		opt.log.seed, opt.replay_path ? opt.replay_path : log_path,
		opt.path);
	if (fflush(stdout))
		die("write stdout");
	exit(FINDING);
}

static void begin_finding(void)
{
	const struct call *c = current;
	char flags[96];

	if (!c) {
		printf("fsx: after operation %" PRIu64 ": ", last);
		return;
	}
	op_flags_text(flags, sizeof(flags), c->flags);
	printf("fsx: operation %" PRIu64 " (%s offset %#" PRIx64
	       " length %#" PRIx64 " to %#" PRIx64 " size %#" PRIx64
	       " -> %#" PRIx64 " flags %s): ",
	       c->n, op_names[c->op], c->offset, c->length, c->to, c->before,
	       c->after, flags);
}

__attribute__((noreturn, format(printf, 1, 2))) static void
finding(const char *fmt, ...)
{
	va_list ap;

	begin_finding();
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	end_by_finding();
}

/* Some bytes, and where the first came from */
static void print_bytes(const char *what, const char *p, const char *begin,
			const char *end)
{
	uint64_t n, offset;
	int i;

	printf("%s", what);
	for (i = 0; i < SHOWN && p + i < end; i++)
		printf(" %02x", (unsigned char)p[i]);
	if (shadow_writer(&good, last, p, begin, end, &n, &offset))
		printf(" (operation %" PRIu64 " wrote it at %#" PRIx64 ")", n,
		       offset);
}

/* Bytes [offset, offset + length) as found are those of the copy. */
static void compare(const char *found, uint64_t offset, uint64_t length,
		    const char *how)
{
	const char *want = good.bytes + offset;
	uint64_t i, first = UINT64_MAX, end = 0, n = 0;

	if (!memcmp(found, want, length))
		return;
	for (i = 0; i < length; i++) {
		if (found[i] == want[i])
			continue;
		first = min_u64(first, i);
		end = i;
		n++;
	}
	begin_finding();
	printf("%s: first differing byte %#" PRIx64 ", %" PRIu64
	       " differ up to %#" PRIx64,
	       how, offset + first, n, offset + end);
	print_bytes(": expected", want + first, want, want + length);
	print_bytes("; found", found + first, found, found + length);
	printf("\n");
	end_by_finding();
}

/* No room for what an operation may need: the fault of the set-up */
static bool fs_full(void)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) &&
	       fs.f_bavail * (uint64_t)fs.f_bsize < 16 * opt.log.max_bytes;
}

/*
 * A call of an operation failed, as none may: what the file system lacks was
 * left out at the start.  A log may have it all the same.
 */
__attribute__((noreturn)) static void call_failed(const char *what)
{
	int err = errno;

	if (probing)
		longjmp(probe_failed, err);
	if (err == EOPNOTSUPP && opt.replay_path)
		fsx_quit(BENCH_UNSUPPORTED, 0,
			 "%s: operation %" PRIu64 ", %s: not supported here",
			 opt.replay_path, last, what);
	if (err == EDQUOT || (err == ENOSPC && fs_full()))
		fsx_quit(BENCH_BROKEN, err, "%s: %s", opt.path, what);
	finding("%s: %s", what, strerror(err));
}

/* A mapped page could not be read or, for want of space, written. */
static void on_sigbus(int sig)
{
	(void)sig;
	if (fs_full())
		fsx_quit(BENCH_BROKEN, ENOSPC, "%s: mapping", opt.path);
	/* Raised by our own access, never in the midst of stdio. */
	finding("SIGBUS in a mapping of the file");
}

static void file_open(int flags)
{
	fd = open(opt.path,
		  O_RDWR | O_CLOEXEC | flags | (opt.log.direct ? O_DIRECT : 0),
		  0644);
	if (fd < 0 && errno == EINVAL && opt.log.direct)
		fsx_quit(BENCH_UNSUPPORTED, 0, "%s: no direct I/O here",
			 opt.path);
	if (fd < 0)
		die("open %s", opt.path);
}

/* Writes back all and drops the cache, so that the next read is the disk's. */
static void file_flush(void)
{
	if (fsync(fd))
		call_failed("fsync");
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (errno)
		call_failed("posix_fadvise");
}

static void file_reopen(void)
{
	if (close(fd))
		call_failed("close");
	file_open(0);
}

/* The pages of [offset, offset + length); p is where offset lies. */
struct map {
	char *base, *p;
	size_t bytes;
};

static struct map map_range(uint64_t offset, uint64_t length, int prot)
{
	uint64_t in = offset % opt.page_bytes;
	struct map m = { .bytes = in + length };

	m.base =
		mmap(NULL, m.bytes, prot, MAP_SHARED, fd, (off_t)(offset - in));
	if (m.base == MAP_FAILED)
		call_failed("mmap");
	m.p = m.base + in;
	return m;
}

static void unmap(struct map m)
{
	if (munmap(m.base, m.bytes))
		call_failed("munmap");
}

/* What a read gives: all that there is, and as it should be. */
static void read_back(uint64_t offset, uint64_t length)
{
	uint64_t want =
		offset < good.size ? min_u64(length, good.size - offset) : 0;
	ssize_t got = pread(fd, buf, length, (off_t)offset);

	if (got < 0)
		call_failed("pread");
	compare(buf, offset, min_u64((uint64_t)got, want), "read");
	if ((uint64_t)got != want)
		finding("read: %zd bytes, expected %" PRIu64, got, want);
}

/* Behind EOF a page holds zeroes, unless somebody wrote there. */
static void map_back(uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length, i;
	struct map m;

	if (!length)
		return;
	m = map_range(offset, length, PROT_READ);
	compare(m.p, offset, length, "mapped read");
	if (end == good.size && polluted_page != end / opt.page_bytes)
		for (i = length; (offset + i) % opt.page_bytes; i++)
			if (m.p[i])
				finding("mapped read: byte %#" PRIx64
					" behind EOF is %02x, expected 00",
					offset + i, (unsigned char)m.p[i]);
	unmap(m);
}

static void check_size(void)
{
	struct stat st;

	if (opt.no_size_check)
		return;
	if (fstat(fd, &st))
		call_failed("fstat");
	if ((uint64_t)st.st_size != good.size)
		finding("fstat: size %#" PRIx64 ", expected %#" PRIx64,
			(uint64_t)st.st_size, good.size);
}

/* Asks for more than there is; direct I/O as in pick_read(). */
static void check_whole(void)
{
	check_size();
	read_back(0, opt.log.direct ? round_up(good.size, opt.read_align) :
				      opt.log.max_bytes + 1);
}

/* All of it by both ways, of the cache and of the disk */
static void check_end(void)
{
	current = NULL;
	check_whole();
	map_back(0, good.size);
	file_flush();
	file_reopen();
	check_whole();
	map_back(0, good.size);
}

static void run_none(const struct call *c)
{
	(void)c;
}

static void run_read(const struct call *c)
{
	read_back(c->offset, c->length);
}

static void run_mapread(const struct call *c)
{
	map_back(c->offset, c->length);
}

static void write_range(uint64_t offset, uint64_t length)
{
	ssize_t n;

	memcpy(buf, good.bytes + offset, length);
	n = pwrite(fd, buf, length, (off_t)offset);
	if (n < 0)
		call_failed("pwrite");
	if ((uint64_t)n != length)
		finding("pwrite: %zd bytes, expected %" PRIu64, n, length);
}

static void run_write(const struct call *c)
{
	write_range(c->offset, c->length);
}

static void run_mapwrite(const struct call *c)
{
	struct map m;

	if (c->after > c->before && ftruncate(fd, (off_t)c->after))
		call_failed("ftruncate");
	m = map_range(c->offset, c->length, PROT_READ | PROT_WRITE);
	memcpy(m.p, good.bytes + c->offset, c->length);
	if (c->flags & MSYNC && msync(m.base, m.bytes, MS_SYNC))
		call_failed("msync");
	unmap(m);
}

static void run_truncate(const struct call *c)
{
	if (ftruncate(fd, (off_t)c->to))
		call_failed("ftruncate");
}

static void run_falloc(const struct call *c)
{
	static const int modes[OPS] = {
		[KEEPSIZE] = FALLOC_FL_KEEP_SIZE,
		[PUNCH] = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		[ZERO] = FALLOC_FL_ZERO_RANGE,
		[COLLAPSE] = FALLOC_FL_COLLAPSE_RANGE,
		[INSERT] = FALLOC_FL_INSERT_RANGE,
		[UNSHARE] = FALLOC_FL_UNSHARE_RANGE,
	};
	int keep_size = c->flags & KEEP_SIZE ? FALLOC_FL_KEEP_SIZE : 0;

	if (fallocate(fd, modes[c->op] | keep_size, (off_t)c->offset,
		      (off_t)c->length))
		call_failed("fallocate");
}

static void run_clone(const struct call *c)
{
	struct file_clone_range r = { .src_fd = fd,
				      .src_offset = c->offset,
				      .src_length = c->length,
				      .dest_offset = c->to };

	if (ioctl(fd, FICLONERANGE, &r))
		call_failed("FICLONERANGE");
}

/* FIDEDUPERANGE of what is left; the number of bytes, 0 = they differ. */
static uint64_t dedupe_some(const struct call *c, uint64_t done)
{
	union {
		struct file_dedupe_range r;
		char room[sizeof(struct file_dedupe_range) +
			  sizeof(struct file_dedupe_range_info)];
	} d = { .r = { .src_offset = c->offset + done,
		       .src_length = c->length - done,
		       .dest_count = 1 } };
	struct file_dedupe_range_info *to = d.r.info;

	to->dest_fd = fd;
	to->dest_offset = c->to + done;
	if (ioctl(fd, FIDEDUPERANGE, &d))
		call_failed("FIDEDUPERANGE");
	if (to->status < 0) {
		errno = -to->status;
		call_failed("FIDEDUPERANGE, status");
	}
	if (to->status == FILE_DEDUPE_RANGE_DIFFERS)
		return 0;
	if (!to->bytes_deduped || to->bytes_deduped > c->length - done)
		finding("FIDEDUPERANGE: %" PRIu64 " bytes of %" PRIu64,
			(uint64_t)to->bytes_deduped, c->length - done);
	return to->bytes_deduped;
}

static void run_dedupe(const struct call *c)
{
	uint64_t done = 0, n = 1;
	bool same;

	if (c->flags & PREPARE)
		write_range(c->to, c->length);
	same = !memcmp(good.bytes + c->offset, good.bytes + c->to, c->length);
	for (; n && done < c->length; done += n)
		n = dedupe_some(c, done);
	if (same == (done == c->length))
		return;
	check_whole(); /* the file may differ, and the kernel be right */
	finding("FIDEDUPERANGE: ranges that %s are said to %s",
		same ? "are equal" : "differ", same ? "differ" : "be equal");
}

/* A copy may be short, and is gone on with; none before EOF is an error. */
static void run_copy(const struct call *c)
{
	off_t in = (off_t)c->offset, out = (off_t)c->to;
	uint64_t left = c->length;
	ssize_t n;

	while (left) {
		n = copy_file_range(fd, &in, fd, &out, left, 0);
		if (n < 0)
			call_failed("copy_file_range");
		if (!n || (uint64_t)n > left)
			finding("copy_file_range: %zd bytes of %" PRIu64, n,
				left);
		left -= (uint64_t)n;
	}
}

static void run_fsync(const struct call *c)
{
	(void)c;
	if (fsync(fd))
		call_failed("fsync");
}

static void run_drop(const struct call *c)
{
	(void)c;
	file_flush();
}

static const run_fn runs[OPS] = {
	[NONE] = run_none,	   [READ] = run_read,
	[MAPREAD] = run_mapread,   [WRITE] = run_write,
	[MAPWRITE] = run_mapwrite, [TRUNCATE] = run_truncate,
	[FALLOC] = run_falloc,	   [KEEPSIZE] = run_falloc,
	[PUNCH] = run_falloc,	   [ZERO] = run_falloc,
	[COLLAPSE] = run_falloc,   [INSERT] = run_falloc,
	[CLONE] = run_clone,	   [DEDUPE] = run_dedupe,
	[COPY] = run_copy,	   [UNSHARE] = run_falloc,
	[FSYNC] = run_fsync,	   [DROP] = run_drop,
};

/*
 * Writes through a mapping, from EOF to the end of its page, what no growth of
 * the file may bring to light.
 */
static void pollute_eof(void)
{
	uint64_t eof = good.size,
		 length = opt.page_bytes - eof % opt.page_bytes;
	struct map m = map_range(eof, length, PROT_READ | PROT_WRITE);

	memset(m.p, 0xee, length);
	unmap(m);
	polluted_page = eof / opt.page_bytes;
}

static void perform(const struct call *c)
{
	char text[OPLOG_LINE];
	size_t len = oplog_print_call(text, sizeof(text), c);

	current = c;
	last = c->n;
	if (log_fd >= 0)
		log_write(text, len);
	if (opt.debug)
		fwrite(text, 1, len, stderr);
	if (c->flags & POLLUTE)
		pollute_eof();
	shadow_apply(&good, c);
	if (polluted_page != good.size / opt.page_bytes)
		polluted_page = UINT64_MAX;
	runs[c->op](c);
	counts[c->op]++;
	if (c->flags & SYNC && fdatasync(fd))
		call_failed("fdatasync");
	if (c->flags & FLUSH)
		file_flush();
	if (c->flags & REOPEN)
		file_reopen();
	check_size();
	if ((c->flags | opt.flags) & COMPARE)
		check_whole();
	if (opt.progress_ops && !(c->n % opt.progress_ops))
		fprintf(stderr, "fsx: %" PRIu64 " operations\n", c->n);
}

static uint64_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec;
}

/*
 * One operation on a file of zeroes, a quarter of them written, for a hole
 * would bear any alignment; its errno, or 0.  The jump leaves calls of ours
 * alone.
 */
static int probe_one(enum op op)
{
	struct call c = { .op = op,
			  .length = FSX_ALIGN_MAX,
			  .to = 2 * FSX_ALIGN_MAX };
	int err;

	if (op == READ || op == WRITE)
		c.offset = c.length = op == READ ? opt.read_align :
						   opt.write_align;
	if (op == COLLAPSE || op == INSERT)
		c.length = opt.cluster_bytes;
	c.before = c.after = good.size = 4 * FSX_ALIGN_MAX;
	memset(buf, 0, FSX_ALIGN_MAX);
	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)good.size) ||
	    pwrite(fd, buf, FSX_ALIGN_MAX, 0) != FSX_ALIGN_MAX)
		die("write %s", opt.path);
	err = setjmp(probe_failed);
	if (!err)
		runs[op](&c);
	return err;
}

/* Leaves out, with a word, what the file system lacks. */
static void probe(void)
{
	enum op op;
	int err;

	probing = true;
	for (op = READ; op < OPS; op++) {
		err = opt.weights[op] ? probe_one(op) : 0;
		if (!err)
			continue;
		if (err == EINVAL && opt.log.direct &&
		    (op == READ || op == WRITE))
			usage("-%c: expected what direct I/O takes on %s",
			      op == READ ? 'r' : 'w', opt.path);
		if (err != EOPNOTSUPP && err != ENOTTY && err != ENOSYS &&
		    err != ENODEV)
			fsx_quit(BENCH_BROKEN, err, "%s: first %s", opt.path,
				 op_names[op]);
		opt.weights[op] = 0;
		fprintf(stderr, "fsx: %s: no %s here, left out\n", opt.path,
			op_names[op]);
	}
	probing = false;
	good.size = 0;
	if (!fsx_weights())
		fsx_quit(BENCH_UNSUPPORTED, 0, "%s: no operation is left",
			 opt.path);
}

/* The file and the copy of it, empty; the file is ours, and new. */
static void file_create(void)
{
	size_t room = 4 * FSX_ALIGN_MAX + opt.log.max_bytes;
	struct statfs fs;
	struct stat st;

	if (!stat(opt.path, &st) && !S_ISREG(st.st_mode))
		usage("%s: expected a regular file", opt.path);
	file_open(O_CREAT | O_TRUNC);
	if (fstatfs(fd, &fs))
		die("statfs %s", opt.path);
	opt.block_bytes = (uint64_t)fs.f_bsize;
	if (!opt.cluster_bytes)
		opt.cluster_bytes = opt.block_bytes;
	if (opt.block_bytes > FSX_ALIGN_MAX)
		fsx_quit(BENCH_UNSUPPORTED, 0,
			 "%s: blocks of %" PRIu64 " bytes, expected at most %u",
			 opt.path, opt.block_bytes, FSX_ALIGN_MAX);
	good = (struct shadow){ .bytes = calloc(1, room),
				.max_bytes = opt.log.max_bytes,
				.seed = opt.log.seed };
	if (posix_memalign((void **)&buf, FSX_ALIGN_MAX, room) || !good.bytes)
		die("memory of %zu bytes", room);
}

/* The same again; the log begins with operation first. */
static void begin_anew(uint64_t first)
{
	if (close(fd) || unlink(opt.path))
		die("unlink %s", opt.path);
	file_open(O_CREAT | O_EXCL);
	memset(good.bytes, 0, good.max_bytes);
	good.size = 0;
	polluted_page = UINT64_MAX;
	log_begin(first);
}

static void run_drawn(void)
{
	uint64_t end_s = opt.duration_s + now_s(), n;
	struct call c;

	probe();
	begin_anew(1);
	for (n = 1; n <= opt.ops; n++) {
		if (n > 1 && (n - 1) % opt.epoch_ops == 0) {
			check_end();
			begin_anew(n);
		}
		c = fsx_draw(&good, n);
		perform(&c);
		if (opt.duration_s && now_s() >= end_s)
			break;
	}
	check_end();
	if (close(log_fd) || (!opt.record && unlink(log_path)))
		die("unlink %s", log_path);
}

static void run_replay(void)
{
	char line[OPLOG_LINE], why[256];
	FILE *log = fopen(opt.replay_path, "re");
	uint64_t number = 1;
	struct call c;

	if (!log)
		die("open %s", opt.replay_path);
	if (!fgets(line, sizeof(line), log))
		usage("%s:1: expected the log of fsx", opt.replay_path);
	if (!oplog_parse_head(line, &opt.log, why, sizeof(why)))
		usage("%s:1: %s", opt.replay_path, why);
	file_create();
	while (fgets(line, sizeof(line), log)) {
		number++;
		if (!oplog_parse_call(line, &c, why, sizeof(why)))
			usage("%s:%" PRIu64 ": %s", opt.replay_path, number,
			      why);
		if (c.n != opt.log.first + number - 2 ||
		    !shadow_fits(&good, &c))
			usage("%s:%" PRIu64 ": expected operation %" PRIu64
			      ", on a file of %" PRIu64 " bytes",
			      opt.replay_path, number,
			      opt.log.first + number - 2, good.size);
		perform(&c);
	}
	if (ferror(log) || fclose(log))
		die("read %s", opt.replay_path);
	check_end();
}

static void summary(void)
{
	enum op op;

	fprintf(stderr, "fsx: seed %" PRIu64 ", %" PRIu64 " operations,",
		opt.log.seed, last);
	for (op = 0; op < OPS; op++)
		if (counts[op])
			fprintf(stderr, " %s=%" PRIu64, op_names[op],
				counts[op]);
	fprintf(stderr, ", no finding\n");
}

int main(int argc, char **argv)
{
	struct sigaction bus = { .sa_handler = on_sigbus };

	fsx_parse(argc, argv);
	opt.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	if (sigaction(SIGBUS, &bus, NULL))
		die("sigaction SIGBUS");
	if (opt.replay_path) {
		run_replay();
	} else {
		file_create();
		log_name();
		run_drawn();
	}
	if (close(fd))
		die("close %s", opt.path);
	if (!opt.quiet)
		summary();
	free(good.bytes);
	free(buf);
	return 0;
}
