// SPDX-License-Identifier: GPL-2.0
/*
 * open_read_close: open, read and close of one file by all workers.
 *
 * The file is DIR/one, made and written back where it is not there yet.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "fifo.h"

#define FILE_BYTES 1024 /* read whole by each operation */

static bool serialise;
static struct fifo *one; /* --serialise: round all three calls */
static char path[PATH_MAX];

static void open_read_close(struct worker *w, uint64_t index)
{
	char buf[FILE_BYTES];
	ssize_t got;
	int fd;

	if (one)
		fifo_lock(one);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		bench_die("open %s", path);
	got = read(fd, buf, sizeof(buf));
	if (got < 0)
		bench_die("read %s", path);
	if (got != FILE_BYTES)
		bench_broken("%s: operation %llu of worker %u read %zd bytes, "
			     "expected %d",
			     path, (unsigned long long)index, w->id, got,
			     FILE_BYTES);
	if (close(fd))
		bench_die("close %s", path);
	if (one)
		fifo_unlock(one);
}

static void make_file(void)
{
	char buf[FILE_BYTES];
	int fd;

	snprintf(path, sizeof(path), "%s/one", bench_config.dir);
	if (!access(path, R_OK))
		return;
	if (errno != ENOENT)
		bench_die("access %s", path);
	memset(buf, 'A', sizeof(buf));
	fd = bench_open(O_WRONLY | O_CREAT | O_EXCL, "%s", path);
	if (write(fd, buf, sizeof(buf)) != FILE_BYTES || fsync(fd) || close(fd))
		bench_die("write %s", path);
}

static void open_read_close_setup(void)
{
	make_file();
	if (serialise)
		one = bench_shared(sizeof(*one));
}

static const struct bench_option options[] = {
	OPT_FLAG("serialise", &serialise, "one lock round the operation"),
	OPT_END
};

static const struct bench helper = {
	.name = "open_read_close",
	.desc = "open, read and close of one file by all workers",
	.args = "DIR",
	.modes = BENCH_OPS | BENCH_DURATION,
	.batch = 64,
	.options = options,
	.setup = open_read_close_setup,
	.op = open_read_close,
};

int main(int argc, char **argv)
{
	return bench_main(&helper, argc, argv);
}
