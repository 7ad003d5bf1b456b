// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"
#include "fifo.h"

/* A waiter is woken by the bit of its ticket, so that few wake in vain. */
static unsigned int ticket_bit(unsigned int ticket)
{
	return 1U << (ticket % 32);
}

void fifo_lock(struct fifo *f)
{
	unsigned int ticket = atomic_fetch_add(&f->next, 1), now;

	while ((now = atomic_load(&f->serving)) != ticket) {
		if (syscall(SYS_futex, &f->serving, FUTEX_WAIT_BITSET, now,
			    NULL, NULL, ticket_bit(ticket)) &&
		    errno != EAGAIN && errno != EINTR)
			bench_die("futex wait");
	}
}

void fifo_unlock(struct fifo *f)
{
	unsigned int ticket = atomic_fetch_add(&f->serving, 1) + 1;

	/* Nobody has drawn this ticket: spare the call. */
	if (atomic_load(&f->next) == ticket)
		return;
	if (syscall(SYS_futex, &f->serving, FUTEX_WAKE_BITSET, INT_MAX, NULL,
		    NULL, ticket_bit(ticket)) < 0)
		bench_die("futex wake");
}
