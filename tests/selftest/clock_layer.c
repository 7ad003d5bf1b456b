// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a machine whose clock is set back by a day
 * when CLOCK_MONOTONIC has reached CLOCK_BACK_AT_S.  The clocks that nobody
 * sets are as they are.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DAY_S 86400

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	const char *at = getenv("CLOCK_BACK_AT_S");
	struct timespec now;

	if (syscall(SYS_clock_gettime, clock, ts))
		return -1;
	if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
		return 0;
	if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now))
		return -1;
	if (at && now.tv_sec >= strtoll(at, NULL, 10))
		ts->tv_sec -= DAY_S;
	return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &ts))
		return -1;
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *t)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_REALTIME, &ts))
		return -1;
	if (t)
		*t = ts.tv_sec;
	return ts.tv_sec;
}
