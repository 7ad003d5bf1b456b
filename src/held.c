// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "bench.h"
#include "held.h"

struct held {
	uint64_t n, max;
	int fd[];
};

struct held *held_start(uint64_t max)
{
	struct held *h = calloc(1, sizeof(*h) + max * sizeof(h->fd[0]));
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim))
		bench_die("getrlimit");
	lim.rlim_cur = lim.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &lim))
		bench_die("setrlimit");
	if (!h)
		bench_die("memory of %llu descriptors",
			  (unsigned long long)max);
	h->max = max;
	return h;
}

static void close_all(struct held *h)
{
	while (h->n)
		if (close(h->fd[--h->n]))
			bench_die("close");
}

void held_add(struct held *h, int fd)
{
	struct sched_param fifo = { .sched_priority = 1 }, other = { 0 };

	h->fd[h->n++] = fd;
	if (h->n < h->max)
		return;
	if (sched_setscheduler(0, SCHED_FIFO, &fifo))
		bench_skip("SCHED_FIFO: %s", strerror(errno));
	close_all(h);
	if (sched_setscheduler(0, SCHED_OTHER, &other))
		bench_die("SCHED_OTHER");
}

void held_end(struct held *h)
{
	close_all(h);
	free(h);
}
