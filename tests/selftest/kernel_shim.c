// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD in the self-tests: a kernel that lacks something, or shows
 * how many are inside a call at once.  FSRATIO_SHIM is a list of words:
 *
 * statx	statx does not exist
 * schedstat	/proc/thread-self/schedstat does not exist
 * FILE		(a path) FS_IOC_FIEMAP takes 1 ms, and the most that were in it
 *		at once, over all threads and processes, is kept in FILE
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct inside {
	atomic_int now, most;
};

static struct inside *inside;

static int asked(const char *word)
{
	const char *list = getenv("FSRATIO_SHIM");

	return list && strstr(list, word) != NULL;
}

__attribute__((constructor)) static void map_file(void)
{
	const char *path = getenv("FSRATIO_SHIM");
	void *p;
	int fd;

	if (!path || path[0] != '/')
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*inside)))
		abort();
	p = mmap(NULL, sizeof(*inside), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	if (p == MAP_FAILED)
		abort();
	close(fd);
	inside = p;
}

int statx(int dirfd, const char *path, int flags, unsigned int mask,
	  struct statx *buf)
{
	if (!asked("statx"))
		return (int)syscall(SYS_statx, dirfd, path, flags, mask, buf);
	errno = ENOSYS;
	return -1;
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	if (!asked("schedstat") || !strstr(path, "schedstat"))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	errno = ENOENT;
	return -1;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct timespec nap = { 0, 1000000 };
	va_list ap;
	void *arg;
	int now, most, ret;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!inside || request != FS_IOC_FIEMAP)
		return (int)syscall(SYS_ioctl, fd, request, arg);
	now = atomic_fetch_add(&inside->now, 1) + 1;
	most = atomic_load(&inside->most);
	while (now > most &&
	       !atomic_compare_exchange_weak(&inside->most, &most, now))
		;
	nanosleep(&nap, NULL);
	ret = (int)syscall(SYS_ioctl, fd, request, arg);
	atomic_fetch_sub(&inside->now, 1);
	return ret;
}
