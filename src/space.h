/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What statfs says is free, and when it comes back.
 */
#ifndef FSRATIO_SPACE_H
#define FSRATIO_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct space {
	uint64_t free_blocks; /* f_bfree */
	uint64_t used_inodes; /* f_files - f_ffree, which XFS counts */
	uint64_t block_bytes;
};

/*
 * Of the directory measured, now.  statfs of XFS starts what is to be done for
 * unlinked inodes, and does not wait for it.  Never fails.
 */
void space_now(struct space *s);

/* The same when all is written back and nothing waits for inactivation. */
void space_settled(struct space *s);

/* The option of a helper for the wait_ms of space_returns, and its default. */
#define SPACE_WAIT_MS 10000
#define SPACE_WAIT_OPTION(wait_ms)                  \
	OPT_U64("wait-ms", "N", wait_ms, 0, 600000, \
		"until all space is back (10000)")

/*
 * After a syncfs, does all come back within wait_ms?  XFS starts to inactivate
 * one clock tick after a close, and a thousand inodes take it milliseconds: a
 * bound of seconds is for the machine, not for XFS.  False after a finding;
 * "when" is its beginning ("after the last close").
 */
bool space_returns(const struct space *start, uint64_t wait_ms,
		   const char *when);

#endif
