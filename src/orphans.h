/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unlinked files that are held open, a ring of them for each worker.  The last
 * byte of each is the worker's number plus one.
 */
#ifndef FSRATIO_ORPHANS_H
#define FSRATIO_ORPHANS_H

#include <stdbool.h>
#include "space.h"

#define ORPHANS 64 /* a worker */
#define ORPHANS_WORKERS 64

/* Before the first call: all rings are empty. */
void orphans_init(void);

/* Closes the file in slot number % ORPHANS and puts fd there, -1 = none.  0, or
 * -1 with errno. */
int orphans_put(unsigned int worker, uint64_t number, int fd);

/*
 * While nothing runs: have all still their data, their blocks and their inodes,
 * by what statfs said at the start?  False after a finding.
 */
bool orphans_check(const struct space *start);

#endif
