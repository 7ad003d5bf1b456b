// SPDX-License-Identifier: GPL-2.0
/*
 * clone_truncate: FICLONERANGE of whole blocks, then ftruncate to the size
 * that is wanted, as a program does that clones part of a file; and its rivals.
 *
 * An operation makes one file.  With --prepare all are made before the clock,
 * and an operation is what then is left: truncate, or a write, and close.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "bench.h"
#include "fileset.h"

#define SOURCE_BYTES (UINT64_C(1) << 20) /* at least; the report's */

enum { CALL_CLONE, CALL_WRITE, CALL_TRUNCATE, CALL_CLOSE };
static const char *const calls[] = { "clone", "write", "truncate", "close",
				     NULL };
/* clang-format off */
enum { WRITE, WRITE_TRUNC, CLONE_TAIL, CLONE_TRUNC, CLONE_NOOP, CLONE_OSYNC,
	FICLONE_ALL };
#define MODES "write|write-trunc|clone-tail|clone-trunc|clone-noop|" \
	"clone-osync|ficlone"
/* clang-format on */

/* What a mode does: clone or write, then truncate, or write up to the end. */
static struct plan {
	bool clones, truncates;
	uint64_t first, tail, bytes; /* made first; written from; in the end */
} plan;
static unsigned int mode = CLONE_TRUNC;
static uint64_t size = 90000, block_bytes;
static bool prepare;
static struct fileset set = { .dirs = 1 };
static int source;
static char *data; /* its first bytes */

/* One call, timed; to is what it clones or truncates to, or writes up to. */
static void one_call(struct worker *w, unsigned int call, int fd, uint64_t from,
		     uint64_t to)
{
	uint64_t begin = bench_call_begin();

	if (call == CALL_CLONE)
		fileset_clone(fd, source, mode == FICLONE_ALL ? 0 : to);
	else if (call == CALL_WRITE)
		fileset_write(fd, data + from, to - from, from);
	else if (call == CALL_TRUNCATE ? ftruncate(fd, (off_t)to) : close(fd))
		bench_die("%s of %" PRIu64 " bytes", calls[call], to);
	bench_call_end(w, call, begin);
}

static int begin_file(struct worker *w, uint64_t i)
{
	int fd = fileset_create(&set, i, mode == CLONE_OSYNC ? O_SYNC : 0);

	if (plan.first)
		one_call(w, plan.clones ? CALL_CLONE : CALL_WRITE, fd, 0,
			 plan.first);
	return fd;
}

static void clone_op(struct worker *w, uint64_t index)
{
	int fd = set.fd ? set.fd[index] : begin_file(w, index);

	if (plan.truncates)
		one_call(w, CALL_TRUNCATE, fd, 0, plan.bytes);
	else if (plan.tail < plan.bytes)
		one_call(w, CALL_WRITE, fd, plan.tail, plan.bytes);
	one_call(w, CALL_CLOSE, fd, 0, plan.bytes);
}

static void clone_setup(void)
{
	struct statfs fs;
	uint64_t down, up;

	if (statfs(bench_config.dir, &fs))
		bench_die("statfs %s", bench_config.dir);
	block_bytes = (uint64_t)fs.f_bsize;
	down = size / block_bytes * block_bytes;
	up = size > down ? down + block_bytes : down;
	const struct plan plans[] = {
		[WRITE] = { false, false, size, size, size },
		[WRITE_TRUNC] = { false, true, up, size, size },
		[CLONE_TAIL] = { true, false, down, down, size },
		[CLONE_TRUNC] = { true, true, up, size, size },
		[CLONE_NOOP] = { true, true, up, up, up },
		[CLONE_OSYNC] = { true, false, up, size, up },
		[FICLONE_ALL] = { true, false, size, size, size },
	};
	plan = plans[mode];
	if (mode == CLONE_OSYNC && up == size)
		bench_usage(
			"--mode clone-osync, expected --size not n * %" PRIu64,
			block_bytes);
	fileset_begin(&set);
	up = up > SOURCE_BYTES ? up : SOURCE_BYTES;
	source = fileset_source(mode == FICLONE_ALL ? size : up, &data);
	if (prepare)
		fileset_hold(&set, begin_file);
}

static void clone_report(struct record *r, const struct worker *w,
			 unsigned int n)
{
	uint64_t begin = bench_now_ns();

	(void)w, (void)n;
	if (!prepare) {
		bench_syncfs();
		bench_put_u64(r, "sync_ns", bench_now_ns() - begin);
	}
	bench_put_u64(r, "size_bytes", size);
	bench_put_u64(r, "block_bytes", block_bytes);
	fileset_end(&set, r, plan.bytes);
}

static const struct bench_option options[] = {
	OPT_CHOICE("mode", MODES, &mode, "(clone-trunc)"),
	OPT_U64("size", "N", &size, 1, 1 << 26, "bytes a file (90000)"),
	OPT_U64("dirs", "N", &set.dirs, 1, 99999, "of the files (1)"),
	OPT_FLAG("prepare", &prepare, "create and clone before the clock"),
	OPT_FLAG("keep", &set.keep, "leave the files"),
	OPT_END
};

static const struct bench clone_truncate = {
	.name = "clone_truncate",
	.desc = "clone or write --ops files, to a size within a block; "
		"sync_ns is that of syncfs after, without --prepare",
	.args = "DIR",
	.modes = BENCH_OPS,
	.options = options,
	.calls = calls,
	.setup = clone_setup,
	.op = clone_op,
	.report = clone_report,
};

int main(int argc, char **argv)
{
	return bench_main(&clone_truncate, argc, argv);
}
