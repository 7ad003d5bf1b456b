// SPDX-License-Identifier: GPL-2.0
/*
 * populate: makes a tree of files, and a reflink copy of it.
 *
 * Names, sizes and content depend on the seed and a file's number alone.  The
 * directories are made first, in order; an operation is then one directory,
 * whose files one worker makes in order.  XFS gives each new directory the
 * next allocation group and keeps its files there, so the layout does not
 * depend on the number of workers either.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"

#define BLOCK 4096
#define CHUNK (256 * 1024) /* bytes a write, at most */

enum { N_FILES, N_BYTES, N_CLONED };
static const char *const populate_counters[] = { "files", "bytes",
						 "cloned_files", NULL };

static uint64_t files = 1000, dir_files = 1000, dirs;
static uint64_t min_bytes = BLOCK, max_bytes = 8 * BLOCK;
static const char *clone_to;

/* Between the passes: the last directory of the first releases the second. */
static struct pass {
	_Atomic uint64_t done;
	sem_t clone;
} * pass;

static int open_file(const char *top, uint64_t number, int flags)
{
	return bench_open(flags, "%s/d%04u/f%07u", top,
			  (unsigned int)(number / dir_files),
			  (unsigned int)number);
}

/*
 * Each 8 bytes are bench_mix of a position that no other 8 bytes of the tree
 * have: nothing compresses, and no two blocks are equal.
 */
static void write_file(struct worker *w, uint64_t number)
{
	static _Thread_local uint64_t buf[CHUNK / 8];
	uint64_t seed = bench_mix(bench_config.seed);
	uint64_t sizes = (max_bytes - min_bytes) / BLOCK + 1;
	uint64_t left = min_bytes + bench_mix(~seed ^ number) % sizes * BLOCK;
	uint64_t at = seed + number * (max_bytes / 8), want, i;
	int fd = open_file(bench_config.dir, number,
			   O_WRONLY | O_CREAT | O_EXCL);

	w->n[N_FILES]++;
	w->n[N_BYTES] += left;
	for (; left; left -= want) {
		want = left < CHUNK ? left : CHUNK;
		for (i = 0; i < want / 8; i++)
			buf[i] = bench_mix(at++);
		errno = ENOSPC; /* what a short write says */
		if (write(fd, buf, want) != (ssize_t)want)
			bench_die("write f%07u", (unsigned int)number);
	}
	if (close(fd))
		bench_die("close f%07u", (unsigned int)number);
}

static void clone_file(struct worker *w, uint64_t number)
{
	int from = open_file(bench_config.dir, number, O_RDONLY);
	int to = open_file(clone_to, number, O_WRONLY | O_CREAT | O_EXCL);

	if (ioctl(to, FICLONE, from) || close(to) || close(from))
		bench_die("FICLONE f%07u", (unsigned int)number);
	w->n[N_CLONED]++;
}

static void populate_op(struct worker *w, uint64_t index)
{
	uint64_t number = index % dirs * dir_files, i;
	uint64_t end = files - number < dir_files ? files : number + dir_files;
	bool clone = index >= dirs;

	while (clone && sem_wait(&pass->clone))
		if (errno != EINTR)
			bench_die("sem_wait");
	for (; number < end; number++)
		clone ? clone_file(w, number) : write_file(w, number);
	if (clone || atomic_fetch_add(&pass->done, 1) + 1 < dirs || !clone_to)
		return;
	bench_syncfs();
	for (i = 0; i < dirs; i++)
		if (sem_post(&pass->clone))
			bench_die("sem_post");
}

static void populate_check(void)
{
	if (min_bytes % BLOCK || max_bytes % BLOCK || min_bytes > max_bytes)
		bench_usage("--min-bytes, --max-bytes: expected multiples of "
			    "4096, the first not above the second");
}

static void make_dirs(const char *top)
{
	unsigned int d;

	for (d = 0; d < dirs; d++)
		bench_mkdir("%s/d%04u", top, d);
}

/* Asks before anything has a name: "not supported" leaves nothing behind. */
static void probe_clone(void)
{
	int from = bench_open(O_TMPFILE | O_RDWR, "%s", bench_config.dir);
	int to = bench_open(O_TMPFILE | O_RDWR, "%s", clone_to);

	if (ioctl(to, FICLONE, from)) {
		if (errno == EOPNOTSUPP || errno == ENOTTY)
			bench_skip("%s: no FICLONE here", clone_to);
		bench_die("FICLONE %s to %s", bench_config.dir, clone_to);
	}
	close(from);
	close(to);
}

static void populate_setup(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	dirs = (files + dir_files - 1) / dir_files;
	bench_config.ops = clone_to ? 2 * dirs : dirs;
	pass = bench_shared(sizeof(*pass));
	if (sem_init(&pass->clone, 1, 0))
		bench_die("sem_init");
	if (clone_to) {
		if (mkdir(clone_to, 0755) && errno != EEXIST)
			bench_die("mkdir %s", clone_to);
		probe_clone();
		make_dirs(clone_to);
	}
	make_dirs(bench_config.dir);
}

static const struct bench_option populate_options[] = {
	OPT_U64("files", "N", &files, 1, UINT32_MAX, "files in all (1000)"),
	OPT_U64("dir-files", "N", &dir_files, 1, UINT32_MAX,
		"files a directory (1000)"),
	OPT_U64("min-bytes", "N", &min_bytes, BLOCK, 1 << 30,
		"smallest file, a multiple of 4096 (4096)"),
	OPT_U64("max-bytes", "N", &max_bytes, BLOCK, 1 << 30,
		"largest file, a multiple of 4096 (32768)"),
	OPT_TEXT("clone-to", "DIR2", &clone_to,
		 "then make DIR2 a reflink copy of DIR"),
	OPT_END
};

static const struct bench populate = {
	.name = "populate",
	.desc = "make a tree of files; an operation is one directory of it",
	.args = "DIR",
	.min_args = 1,
	.max_args = 1,
	.create_dir = true,
	.options = populate_options,
	.counters = populate_counters,
	.check = populate_check,
	.setup = populate_setup,
	.op = populate_op,
	.finish = bench_syncfs,
};

int main(int argc, char **argv)
{
	return bench_main(&populate, argc, argv);
}
