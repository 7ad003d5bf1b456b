// SPDX-License-Identifier: GPL-2.0
/*
 * What a block device and XFS count: see blkstat.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "blkstat.h"

/*
 * Field `field` (from 0) of the line that begins with `line`; "" is the one
 * line of a block device's stat (Documentation/block/stat.rst).  XFS's
 * counters are 32 bits wide and wrap (fs/xfs/xfs_stats.h).
 */
static const struct blkstat_key {
	const char *key, *line;
	unsigned int field, scale;
} keys[] = {
	{ "read_ios", "", 0, 1 },
	{ "read_bytes", "", 2, 512 },
	{ "write_ios", "", 4, 1 },
	{ "written_bytes", "", 6, 512 },
	{ "flush_ios", "", 15, 1 },
	{ "xfs_extent_alloc", "extent_alloc", 0, 1 },
	{ "xfs_extent_free", "extent_alloc", 2, 1 },
	{ "xfs_trans_sync", "trans", 0, 1 },
	{ "xfs_trans_async", "trans", 1, 1 },
	{ "xfs_trans_empty", "trans", 2, 1 },
	{ "xfs_log_writes", "log", 0, 1 },
	{ "xfs_log_blocks", "log", 1, 1 },
	{ "xfs_log_noiclogs", "log", 2, 1 },
	{ "xfs_log_force", "log", 3, 1 },
	{ "xfs_log_force_sleep", "log", 4, 1 },
	{ "xfs_ail_sleep_logspace", "push_ail", 1, 1 },
	{ "xfs_write_calls", "rw", 0, 1 },
	{ "xfs_read_calls", "rw", 1, 1 },
	{ "xfs_inode_reclaims", "ig", 5, 1 },
	{ "xfs_buf_get", "buf", 0, 1 },
	{ "xfs_buf_get_locked_waited", "buf", 3, 1 },
	{ "xfs_buf_busy_locked", "buf", 4, 1 },
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))
#define FLUSH_KEY 4
_Static_assert(KEYS <= BLKSTAT_KEYS_MAX, "BLKSTAT_KEYS_MAX is too small");

/* Reads a small file whole, NUL at its end.  Its length, or -1 with errno. */
static ssize_t slurp(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	ssize_t n, len = 0;

	if (fd < 0)
		return -1;
	while ((n = read(fd, buf + len, size - 1 - (size_t)len)) > 0)
		len += n;
	err = errno;
	close(fd);
	buf[len] = '\0';
	errno = err;
	return n < 0 ? -1 : len;
}

/* Takes the values of one text; a line that is not there stays unknown. */
static void take(struct blkstat *out, bool xfs, char *text)
{
	char *line, *word, *lines, *words;
	size_t i;
	unsigned int n;

	for (line = strtok_r(text, "\n", &lines); line;
	     line = strtok_r(NULL, "\n", &lines)) {
		const char *name = xfs ? strtok_r(line, " ", &words) : "";

		word = strtok_r(xfs ? NULL : line, " ", &words);
		for (n = 0; word; n++, word = strtok_r(NULL, " ", &words))
			for (i = 0; i < KEYS; i++) {
				if (keys[i].field != n ||
				    strcmp(keys[i].line, name))
					continue;
				out->value[i] = strtoull(word, NULL, 10) *
						keys[i].scale;
				out->known[i] = true;
			}
	}
}

int blkstat_read(const struct fsdev *fs, struct blkstat *out, const char **why)
{
	char dir[64], path[128], text[8192];
	bool part;

	*why = NULL;
	memset(out, 0, sizeof(*out));
	if (!fs->name[0])
		return 0;
	snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", fs->major,
		 fs->minor);
	snprintf(path, sizeof(path), "%s/stat", dir);
	if (slurp(path, text, sizeof(text)) < 0)
		return -1;
	take(out, false, text);

	/* A counter that stands still is left out: it would read as none. */
	snprintf(path, sizeof(path), "%s/partition", dir);
	part = !access(path, F_OK);
	if (part) {
		out->known[FLUSH_KEY] = false;
		*why = "flush_ios left out: no kernel counts a partition's";
	} else if (!out->known[FLUSH_KEY]) {
		*why = "flush_ios left out: this kernel does not count them";
	}
	snprintf(path, sizeof(path), "%s%s/queue/iostats", dir,
		 part ? "/.." : "");
	if (slurp(path, text, sizeof(text)) > 0 && text[0] == '0') {
		memset(out->known, 0, sizeof(out->known));
		*why = "block counters left out: queue/iostats is 0";
	}
	if (strcmp(fs->fs, "xfs"))
		return 0;
	snprintf(path, sizeof(path), "/sys/fs/xfs/%s/stats/stats", fs->name);
	if (slurp(path, text, sizeof(text)) < 0) {
		*why = "xfs_* left out: this kernel has no XFS statistics";
		return errno == ENOENT ? 0 : -1;
	}
	take(out, true, text);
	return 0;
}

void blkstat_record(struct record *r, const struct blkstat *before,
		    const struct blkstat *after)
{
	uint64_t delta;
	size_t i;

	for (i = 0; i < KEYS; i++) {
		if (!before->known[i] || !after->known[i])
			continue;
		delta = after->value[i] - before->value[i];
		if (keys[i].line[0])
			delta = (uint32_t)delta;
		bench_put_u64(r, keys[i].key, delta);
	}
}
