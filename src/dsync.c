// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"
#include "dsync.h"

struct dsync {
	aio_context_t aio;
	void *data;
};

struct dsync *dsync_start(void)
{
	struct dsync *d = calloc(1, sizeof(*d));

	if (!d || !(d->data = aligned_alloc(DSYNC_BYTES, DSYNC_BYTES)))
		bench_die("memory of an asynchronous write");
	memset(d->data, 'x', DSYNC_BYTES);
	if (syscall(SYS_io_setup, 1, &d->aio)) {
		if (errno == ENOSYS)
			bench_skip("this kernel has no asynchronous I/O");
		bench_die("io_setup");
	}
	return d;
}

void dsync_end(struct dsync *d)
{
	if (syscall(SYS_io_destroy, d->aio))
		bench_die("io_destroy");
	free(d->data);
	free(d);
}

int dsync_create(struct dsync *d, const char *path)
{
	int fd = open(path,
		      O_WRONLY | O_CREAT | O_EXCL | O_DIRECT | O_DSYNC |
			      O_CLOEXEC,
		      0644);
	struct iocb cb = { .aio_lio_opcode = IOCB_CMD_PWRITE,
			   .aio_fildes = (uint32_t)fd,
			   .aio_buf = (uintptr_t)d->data,
			   .aio_nbytes = DSYNC_BYTES };
	struct iocb *list = &cb;
	struct io_event end;

	if (fd < 0 && errno == EINVAL)
		bench_skip("%s: no O_DIRECT here", path);
	if (fd < 0)
		bench_die("open %s", path);
	if (syscall(SYS_io_submit, d->aio, 1, &list) != 1)
		bench_die("io_submit %s", path);
	while (syscall(SYS_io_getevents, d->aio, 1, 1, &end, NULL) != 1)
		if (errno != EINTR)
			bench_die("io_getevents %s", path);
	errno = end.res < 0 ? (int)-end.res : EIO;
	if (end.res != DSYNC_BYTES)
		bench_die("asynchronous write %s", path);
	return fd;
}
