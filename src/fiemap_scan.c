// SPDX-License-Identifier: GPL-2.0
/*
 * fiemap_scan: open, FS_IOC_FIEMAP and close of every file of a tree.
 *
 * The files are listed before the clock starts.  Their indexes are handed out
 * one by one: in order "seq" all workers are at neighbouring files.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "bench.h"
#include "fifo.h"
#include "tree.h"

#define EXTENTS 64 /* a call */
#define MAP_BYTES \
	(sizeof(struct fiemap) + EXTENTS * sizeof(struct fiemap_extent))
#define OPEN_FLAGS (O_RDONLY | O_NOFOLLOW | O_CLOEXEC)

enum { N_EXTENTS, N_SHARED, N_SHARED_FILES };
static const char *const counters[] = { "extents", "shared_extents",
					"shared_files", NULL };

static unsigned int order, expect_shared; /* order: 1 = shuffle */
enum { SHARED_ANY, SHARED_ALL, SHARED_NONE };
static bool serialise;
static struct fifo *one; /* --serialise: round every ioctl */
static struct tree tree;

/* Counts the extents and shared extents of a file.  0, or -1 with errno. */
static int map_file(int fd, uint64_t *extents, uint64_t *shared)
{
	uint64_t buf[MAP_BYTES / 8], start = 0;
	struct fiemap *map = (void *)buf;
	uint32_t i, flags = 0;
	int ret;

	do {
		memset(map, 0, sizeof(*map));
		map->fm_start = start;
		map->fm_length = FIEMAP_MAX_OFFSET - start;
		map->fm_extent_count = EXTENTS;
		if (one)
			fifo_lock(one);
		ret = ioctl(fd, FS_IOC_FIEMAP, map);
		if (one)
			fifo_unlock(one);
		if (ret)
			break;
		for (i = 0; i < map->fm_mapped_extents; i++) {
			flags = map->fm_extents[i].fe_flags;
			*shared += !!(flags & FIEMAP_EXTENT_SHARED);
			start = map->fm_extents[i].fe_logical +
				map->fm_extents[i].fe_length;
		}
		*extents += i;
	} while (i && !(flags & FIEMAP_EXTENT_LAST));
	return ret;
}

/* Only its owner and root may leave a file's access time alone. */
static int open_file(const char *path)
{
	int fd = open(path, OPEN_FLAGS | O_NOATIME);

	return fd < 0 && errno == EPERM ? open(path, OPEN_FLAGS) : fd;
}

static void fiemap_op(struct worker *w, uint64_t index)
{
	uint64_t extents = 0, shared = 0;
	char path[PATH_MAX];
	int fd;

	tree_path(&tree, index, path);
	fd = open_file(path);
	if (fd < 0) {
		bench_error(w, "open %s", path);
		return;
	}
	if (map_file(fd, &extents, &shared)) {
		if (errno == EOPNOTSUPP || errno == ENOTTY)
			bench_skip("%s: no FS_IOC_FIEMAP here", path);
		bench_error(w, "FS_IOC_FIEMAP %s", path);
	}
	close(fd);
	w->n[N_EXTENTS] += extents;
	w->n[N_SHARED] += shared;
	w->n[N_SHARED_FILES] += shared > 0;
}

static void fiemap_setup(void)
{
	tree_list(&tree, bench_config.dir);
	if (!tree.files)
		bench_broken("premise: no file with blocks in %s",
			     *bench_config.args);
	bench_config.ops = tree.files;
	if (order)
		tree_shuffle(&tree, bench_config.seed);
	if (serialise)
		one = bench_shared(sizeof(*one));
}

static void fiemap_report(struct record *r, const struct worker *w,
			  unsigned int n)
{
	uint64_t shared = bench_sum(w, n, N_SHARED_FILES), expected[] = {
		[SHARED_ANY] = shared,
		[SHARED_ALL] = tree.files,
		[SHARED_NONE] = 0,
	};

	if (shared != expected[expect_shared])
		bench_broken("premise: %llu of %zu files have shared extents, "
			     "expected %llu",
			     (unsigned long long)shared, tree.files,
			     (unsigned long long)expected[expect_shared]);
	bench_put_str(r, "order", order ? "shuffle" : "seq");
	bench_put_u64(r, "files", tree.files);
}

static const struct bench_option options[] = {
	OPT_CHOICE("order", "seq|shuffle", &order, "order of files (seq)"),
	OPT_FLAG("serialise", &serialise, "one lock round the ioctl"),
	OPT_CHOICE("expect-shared", "any|all|none", &expect_shared,
		   "files that must have shared extents (any)"),
	OPT_END
};

static const struct bench fiemap_scan = {
	.name = "fiemap_scan",
	.desc = "open, map by FS_IOC_FIEMAP and close each file of a tree",
	.args = "DIR",
	.options = options,
	.counters = counters,
	.setup = fiemap_setup,
	.op = fiemap_op,
	.report = fiemap_report,
};

int main(int argc, char **argv)
{
	return bench_main(&fiemap_scan, argc, argv);
}
