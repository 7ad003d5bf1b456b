// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that comes from the disk: see coldmem.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bench.h"
#include "coldmem.h"

static int fd;
static char *memory;
static size_t worker_bytes, all_bytes;

void coldmem_make(unsigned int n, size_t bytes)
{
	char page[4096];
	size_t at;

	worker_bytes = bytes;
	all_bytes = n * bytes;
	memset(page, 1, sizeof(page));
	fd = bench_open(O_RDWR | O_CREAT | O_TRUNC, "%s/memory",
			bench_config.dir);
	for (at = 0; at < all_bytes; at += sizeof(page))
		if (write(fd, page, sizeof(page)) != sizeof(page))
			bench_die("write memory");
	if (fsync(fd))
		bench_die("fsync memory");
	memory = mmap(NULL, all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
		      0);
	/* Each page by itself: no readahead. */
	if (memory == MAP_FAILED || madvise(memory, all_bytes, MADV_RANDOM))
		bench_die("mmap memory");
}

char *coldmem_chill(unsigned int id)
{
	size_t at = id * worker_bytes;

	if (madvise(memory + at, worker_bytes, MADV_DONTNEED))
		bench_die("madvise memory");
	errno = posix_fadvise(fd, (off_t)at, (off_t)worker_bytes,
			      POSIX_FADV_DONTNEED);
	if (errno)
		bench_die("fadvise memory");
	return memory + at;
}

void coldmem_end(void)
{
	if (munmap(memory, all_bytes) || close(fd))
		bench_die("close memory");
}
