/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asynchronous I/O of the kernel (io_submit), one call at a time, of helpers
 * alone.  The caller waits for its end, but, unlike in a synchronous call, with
 * no lock of the file system held.
 */
#ifndef FSRATIO_AIO_H
#define FSRATIO_AIO_H

#include <linux/aio_abi.h>
#include <stdint.h>

/* A context of one call; a kernel without ends the run as unsupported. */
aio_context_t aio_start(void);
void aio_end(aio_context_t aio);

/*
 * Submits the call and waits for its end: what it came to, as the synchronous
 * call would return it; -1 with errno.
 */
int64_t aio_call(aio_context_t aio, struct iocb *call);

#endif
