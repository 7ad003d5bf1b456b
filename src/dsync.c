// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "aio.h"
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
	d->aio = aio_start();
	return d;
}

void dsync_end(struct dsync *d)
{
	aio_end(d->aio);
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
	int64_t written;

	if (fd < 0 && errno == EINVAL)
		bench_skip("%s: no O_DIRECT here", path);
	if (fd < 0)
		bench_die("open %s", path);
	written = aio_call(d->aio, &cb);
	if (written >= 0)
		errno = EIO; /* of a short write */
	if (written != DSYNC_BYTES)
		bench_die("asynchronous write %s", path);
	return fd;
}
