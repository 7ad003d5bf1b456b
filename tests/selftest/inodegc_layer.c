// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a file system between the helpers of
 *xfs/103 and the kernel that breaks one rule of unlinked files, GUARD_FAULT:
 *
 * leak		unlink_storm: one close in 50 keeps the file open
 * early	unlink_storm: an unlinked file loses its data though it is open
 * inode	unlink_storm: statfs counts no inode that has no name
 * hide		unlink_storm: statfs says what it said at first
 * late		refill: an unlinked file keeps its blocks for 2 s
 * never	refill: it keeps them
 * lost		unlink_storm --shutdown: one unlink in 50 moves the file out of
 *		sight, as one that recovery leaves on the unlinked list
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVERY 50
#define LATE_S 2

static atomic_uint calls;

/* Only in the helper, though check and its tools load this, too. */
static bool broken(const char *program, const char *fault)
{
	const char *asked = getenv("GUARD_FAULT");

	return asked && !strcmp(asked, fault) &&
	       !strcmp(program_invocation_short_name, program);
}

static bool shuts_down(void)
{
	char line[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line));

	if (n < 0 || syscall(SYS_close, fd))
		abort();
	return memmem(line, (size_t)n, "--shutdown", 10) != NULL;
}

int close(int fd)
{
	struct stat st;

	if (broken("unlink_storm", "leak") && !fstat(fd, &st) &&
	    S_ISREG(st.st_mode) && !st.st_nlink && ++calls % EVERY == 0 &&
	    fcntl(fd, F_DUPFD_CLOEXEC, 0) < 0)
		return -1;
	return (int)syscall(SYS_close, fd);
}

int statfs(const char *path, struct statfs *out)
{
	static struct statfs first;

	if (syscall(SYS_statfs, path, out))
		return -1;
	if (!first.f_bsize)
		first = *out;
	if (broken("unlink_storm", "hide"))
		*out = first;
	if (broken("unlink_storm", "inode"))
		out->f_ffree = out->f_files - (first.f_files - first.f_ffree);
	return 0;
}

static void *close_late(void *fd)
{
	sleep(LATE_S);
	syscall(SYS_close, (int)(intptr_t)fd);
	return NULL;
}

/* Keeps the file's blocks beyond the unlink that follows. */
static void hold(const char *path, bool forever)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	pthread_t thread;

	if (fd < 0)
		abort();
	if (forever)
		return;
	if (pthread_create(&thread, NULL, close_late, (void *)(intptr_t)fd))
		abort();
	pthread_detach(thread);
}

/* From TOP/d00001/f7 to TOP/lost.1. */
static int lose(const char *path)
{
	char to[PATH_MAX];
	const char *top = strstr(path, "/d0");

	if (!top)
		abort();
	snprintf(to, sizeof(to), "%.*s/lost.%d.%u", (int)(top - path), path,
		 (int)getpid(), (unsigned int)calls);
	return rename(path, to);
}

int unlink(const char *path)
{
	if (broken("unlink_storm", "early") && truncate(path, 0))
		return -1;
	if (broken("unlink_storm", "lost") && shuts_down() &&
	    ++calls % EVERY == 0)
		return lose(path);
	if (broken("refill", "late") || broken("refill", "never"))
		hold(path, broken("refill", "never"));
	return (int)syscall(SYS_unlink, path);
}
