// SPDX-License-Identifier: GPL-2.0
/*
 * dirty_truncate: one ftruncate of a file whose data, and whose size, is on
 * disk or is not; or an fsync, which must write; or an fstat, which cannot.
 *
 * The data that is to be dirty is written right before the call: what lies
 * longer may be written back by the kernel, or by a sync of somebody else.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "fileset.h"

/* fresh: neither is on disk; dirty: the size is, the data is new; clean: both
 */
enum { FRESH, DIRTY, CLEAN };
enum { NOOP, SHRINK, EXTEND, ZERO, FSYNC, FSTAT };
#define CALLS "noop|shrink|extend|zero|fsync|fstat"
enum { TIME_WRITE, TIME_CALL };
static const char *const calls[] = { "write", "call", NULL };

static unsigned int state, call;
static uint64_t size = 90000, change = 5000, bytes; /* bytes: in the end */
static struct fileset set = { .dirs = 1 };
static char *data;

static int make_file(struct worker *w, uint64_t i)
{
	int fd = fileset_create(&set, i, 0);

	(void)w;
	if (state != FRESH)
		fileset_write(fd, data, size, 0);
	return fd;
}

static void truncate_op(struct worker *w, uint64_t index)
{
	uint64_t begin = bench_call_begin();
	int fd = set.fd[index], ret;
	struct stat st;

	if (state != CLEAN) {
		fileset_write(fd, data, size, 0);
		bench_call_end(w, TIME_WRITE, begin);
	}
	begin = bench_call_begin();
	if (call == FSYNC)
		ret = fsync(fd);
	else if (call == FSTAT)
		ret = fstat(fd, &st);
	else
		ret = ftruncate(fd, (off_t)bytes);
	if (ret)
		bench_die("--call of %" PRIu64 " bytes", size);
	bench_call_end(w, TIME_CALL, begin);
}

static void truncate_setup(void)
{
	if (call == SHRINK && change >= size)
		bench_usage("--change %" PRIu64 ", expected less than --size",
			    change);
	bytes = call == SHRINK ? size - change :
		call == EXTEND ? size + change :
		call == ZERO   ? 0 :
				 size;
	fileset_begin(&set);
	data = calloc(1, size);
	if (!data)
		bench_die("memory for %" PRIu64 " bytes", size);
	fileset_hold(&set, make_file);
	if (state != FRESH)
		bench_syncfs();
}

static void truncate_report(struct record *r, const struct worker *w,
			    unsigned int n)
{
	(void)w, (void)n;
	bench_put_u64(r, "size_bytes", size);
	for (uint64_t i = 0; i < set.files; i++)
		if (close(set.fd[i]))
			bench_die("close file %" PRIu64, i);
	fileset_end(&set, r, bytes);
}

static const struct bench_option options[] = {
	OPT_CHOICE("state", "fresh|dirty|clean", &state, "of the data (fresh)"),
	OPT_CHOICE("call", CALLS, &call, "(noop)"),
	OPT_U64("size", "N", &size, 1, 1 << 26, "bytes a file (90000)"),
	OPT_U64("change", "N", &change, 1, 1 << 26,
		"bytes that shrink and extend make of it (5000)"),
	OPT_U64("dirs", "N", &set.dirs, 1, 99999, "of the files (1)"),
	OPT_FLAG("keep", &set.keep, "leave the files"),
	OPT_END
};

static const struct bench dirty_truncate = {
	.name = "dirty_truncate",
	.desc = "ftruncate of --ops files, with data that is on disk or is not",
	.args = "DIR",
	.modes = BENCH_OPS,
	.options = options,
	.calls = calls,
	.setup = truncate_setup,
	.op = truncate_op,
	.report = truncate_report,
};

int main(int argc, char **argv)
{
	return bench_main(&dirty_truncate, argc, argv);
}
