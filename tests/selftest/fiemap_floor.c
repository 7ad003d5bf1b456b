// SPDX-License-Identifier: GPL-2.0
/*
 * fiemap_floor: the three calls of fiemap_scan in a bare loop, as the floor
 * that `make bench` holds fiemap_scan against.
 *
 *	fiemap_floor DIR THREADS
 *
 * All paths are ready as strings, nothing is handed to a library, and the
 * clock runs from the first thread's start to the last one's end.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define EXTENTS 64
#define THREADS_MAX 256

static char **paths;
static size_t files, room;
static atomic_size_t next;
static pthread_barrier_t gate;

struct thread {
	pthread_t tid;
	unsigned long long start_ns, end_ns, extents;
} __attribute__((aligned(128)));

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (unsigned long long)t.tv_sec * 1000000000 +
	       (unsigned long long)t.tv_nsec;
}

static int keep(const char *path, const struct stat *st, int type,
		struct FTW *ftw)
{
	(void)ftw;
	if (type != FTW_F || !S_ISREG(st->st_mode) || !st->st_blocks)
		return 0;
	if (files == room) {
		room = room * 2 + 1024;
		paths = realloc(paths, room * sizeof(*paths));
		if (!paths)
			die("realloc");
	}
	paths[files] = strdup(path);
	if (!paths[files++])
		die("strdup");
	return 0;
}

static void *scan(void *arg)
{
	uint64_t buf[(sizeof(struct fiemap) +
		      EXTENTS * sizeof(struct fiemap_extent)) /
		     8];
	struct fiemap *map = (void *)buf;
	struct thread *t = arg;
	size_t i;
	int fd;

	pthread_barrier_wait(&gate);
	t->start_ns = now_ns();
	while ((i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed)) <
	       files) {
		fd = open(paths[i],
			  O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOATIME);
		if (fd < 0)
			die(paths[i]);
		memset(map, 0, sizeof(*map));
		map->fm_length = FIEMAP_MAX_OFFSET;
		map->fm_extent_count = EXTENTS;
		if (ioctl(fd, FS_IOC_FIEMAP, map))
			die(paths[i]);
		t->extents += map->fm_mapped_extents;
		close(fd);
	}
	t->end_ns = now_ns();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct thread thread[THREADS_MAX];
	unsigned long long first = ~0ULL, last = 0, extents = 0;
	unsigned long i, n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (!n || n > THREADS_MAX) {
		fprintf(stderr, "fiemap_floor: expected DIR THREADS\n");
		return 2;
	}
	if (nftw(argv[1], keep, 32, FTW_PHYS))
		die(argv[1]);
	errno = pthread_barrier_init(&gate, NULL, (unsigned int)n);
	if (errno)
		die("pthread_barrier_init");
	for (i = 0; i < n; i++) {
		errno = pthread_create(&thread[i].tid, NULL, scan, &thread[i]);
		if (errno)
			die("pthread_create");
	}
	for (i = 0; i < n; i++) {
		pthread_join(thread[i].tid, NULL);
		if (thread[i].start_ns < first)
			first = thread[i].start_ns;
		if (thread[i].end_ns > last)
			last = thread[i].end_ns;
		extents += thread[i].extents;
	}
	printf("sample helper=fiemap_floor threads=%lu ops=%zu elapsed_ns=%llu "
	       "extents=%llu\n",
	       n, files, last - first, extents);
	return ferror(stdout) || fflush(stdout);
}
