// SPDX-License-Identifier: GPL-2.0
/*
 * populate: makes a tree of files, and a reflink copy of it.
 *
 * Names, sizes and content depend on the seed and a file's number alone.  All
 * directories are made first, since XFS gives each the next allocation group;
 * an operation is then one directory, whose files one worker makes in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "bench.h"

#define NEW_FILE (O_WRONLY | O_CREAT | O_EXCL)
#define BLOCK 4096
#define CHUNK (256 * 1024) /* bytes a write, at most */

enum { N_FILES, N_BYTES, N_CLONED };
static const char *const counters[] = { "files", "bytes", "cloned_files",
					NULL };

static uint64_t files = 1000, dir_files = 1000, dirs;
static uint64_t min_bytes = BLOCK, max_bytes = 8 * BLOCK;
static const char *clone_to;

/* The last directory written lets the second pass begin. */
static _Atomic uint64_t *written;
static sem_t *may_clone;

static int open_file(const char *top, uint64_t number, int flags)
{
	return bench_open(flags, "%s/d%04" PRIu64 "/f%07" PRIu64, top,
			  number / dir_files, number);
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
	int fd = open_file(bench_config.dir, number, NEW_FILE);

	w->n[N_BYTES] += left;
	for (; left; left -= want) {
		want = left < CHUNK ? left : CHUNK;
		for (i = 0; i < want / 8; i++)
			buf[i] = bench_mix(at++);
		errno = ENOSPC; /* what a short write says */
		if (write(fd, buf, want) != (ssize_t)want)
			bench_die("write f%07" PRIu64, number);
	}
	if (close(fd))
		bench_die("close f%07" PRIu64, number);
}

/* Makes one open file share the extents of another, and closes both. */
static void clone_fd(int from, int to)
{
	if (!ioctl(to, FICLONE, from) && !close(from) && !close(to))
		return;
	if (errno == EOPNOTSUPP || errno == ENOTTY)
		bench_skip("%s: no FICLONE here", clone_to);
	bench_die("FICLONE %s to %s", bench_config.dir, clone_to);
}

static void populate_op(struct worker *w, uint64_t index)
{
	uint64_t number = index % dirs * dir_files, i;
	uint64_t end = files - number < dir_files ? files : number + dir_files;
	bool clone = index >= dirs;

	if (clone && sem_wait(may_clone))
		bench_die("sem_wait");
	w->n[clone ? N_CLONED : N_FILES] += end - number;
	for (; number < end; number++)
		if (clone)
			clone_fd(open_file(bench_config.dir, number, O_RDONLY),
				 open_file(clone_to, number, NEW_FILE));
		else
			write_file(w, number);
	if (clone || atomic_fetch_add(written, 1) + 1 < dirs || !clone_to)
		return;
	bench_syncfs();
	for (i = 0; i < dirs; i++)
		if (sem_post(may_clone))
			bench_die("sem_post");
}

static void populate_setup(void)
{
	if (min_bytes % BLOCK || max_bytes % BLOCK || min_bytes > max_bytes)
		bench_usage("--min-bytes, --max-bytes: expected n * 4096, "
			    "the first not above the second");
	dirs = (files + dir_files - 1) / dir_files;
	bench_config.ops = clone_to ? 2 * dirs : dirs;
	written = bench_shared(sizeof(*written));
	may_clone = bench_shared(sizeof(*may_clone));
	if (sem_init(may_clone, 1, 0))
		bench_die("sem_init");
	bench_mkdir(bench_config.dir);
	if (clone_to) {
		bench_mkdir(clone_to);
		/* Nameless: where it is not supported, no file is left. */
		clone_fd(bench_open(O_TMPFILE | O_RDWR, "%s", bench_config.dir),
			 bench_open(O_TMPFILE | O_RDWR, "%s", clone_to));
	}
	bench_make_dirs(bench_config.dir, dirs);
	if (clone_to)
		bench_make_dirs(clone_to, dirs);
}

static const struct bench_option options[] = {
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
	.options = options,
	.counters = counters,
	.setup = populate_setup,
	.op = populate_op,
	.finish = bench_syncfs,
};

int main(int argc, char **argv)
{
	return bench_main(&populate, argc, argv);
}
