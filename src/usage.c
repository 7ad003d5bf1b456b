// SPDX-License-Identifier: GPL-2.0
/*
 * What one thread used between two moments: see usage.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "bench.h"
#include "usage.h"

uint64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * Fields of schedstat: time on a CPU, time waiting for one, times it got one.
 * A kernel without scheduler information prints 0 0 0, or has no such file.
 */
static void read_delay(struct usage *u)
{
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	unsigned long long delay = 0, slices = 0;
	char text[96] = "";

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) > 0 &&
		    sscanf(text, "%*u %llu %llu", &delay, &slices) != 2)
			slices = 0;
		close(fd);
	}
	u->run_delay_ns = delay;
	u->delay_known = slices > 0;
}

static uint64_t tv_ns(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * 1000000000 + (uint64_t)tv.tv_usec * 1000;
}

/* A worker process has one thread: this is right for both kinds. */
static void read_rusage(struct usage *u)
{
	struct rusage ru;

	if (getrusage(RUSAGE_THREAD, &ru))
		bench_die("getrusage RUSAGE_THREAD");
	u->user_ns = tv_ns(ru.ru_utime);
	u->sys_ns = tv_ns(ru.ru_stime);
	u->vcsw = (uint64_t)ru.ru_nvcsw;
	u->ivcsw = (uint64_t)ru.ru_nivcsw;
}

/* The outer reading, of schedstat, costs calls that the inner must not see. */
void usage_begin(struct usage *u)
{
	read_delay(u);
	read_rusage(u);
	u->start_ns = bench_now_ns();
}

void usage_end(struct usage *u)
{
	struct usage end;

	u->end_ns = bench_now_ns();
	read_rusage(&end);
	read_delay(&end);
	u->user_ns = end.user_ns - u->user_ns;
	u->sys_ns = end.sys_ns - u->sys_ns;
	u->vcsw = end.vcsw - u->vcsw;
	u->ivcsw = end.ivcsw - u->ivcsw;
	u->run_delay_ns = end.run_delay_ns - u->run_delay_ns;
	u->delay_known = end.delay_known && u->delay_known;
}

uint64_t usage_off_cpu_ns(const struct usage *u)
{
	uint64_t elapsed_ns = u->end_ns - u->start_ns;
	uint64_t cpu_ns = u->user_ns + u->sys_ns;

	return elapsed_ns > cpu_ns ? elapsed_ns - cpu_ns : 0;
}
