// SPDX-License-Identifier: GPL-2.0
/*
 * Asynchronous I/O: see aio.h.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "aio.h"
#include "bench.h"

aio_context_t aio_start(void)
{
	aio_context_t aio = 0;

	if (!syscall(SYS_io_setup, 1, &aio))
		return aio;
	if (errno == ENOSYS)
		bench_skip("this kernel has no asynchronous I/O");
	bench_die("io_setup");
}

void aio_end(aio_context_t aio)
{
	if (syscall(SYS_io_destroy, aio))
		bench_die("io_destroy");
}

int64_t aio_call(aio_context_t aio, struct iocb *call)
{
	struct io_event end;

	if (syscall(SYS_io_submit, aio, 1, &call) != 1)
		return -1;
	while (syscall(SYS_io_getevents, aio, 1, 1, &end, NULL) != 1)
		if (errno != EINTR)
			bench_die("io_getevents");
	if (end.res >= 0)
		return end.res;
	errno = (int)-end.res;
	return -1;
}
