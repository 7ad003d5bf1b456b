// SPDX-License-Identifier: GPL-2.0
/*
 * The file system under a path and its counters: see blkstat.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
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

/* Undoes the \ooo of mountinfo in place. */
static void unescape(char *s)
{
	char *to = s, oct[4] = "";

	for (; *s; s++) {
		if (*s == '\\' && strspn(s + 1, "01234567") >= 3) {
			memcpy(oct, s + 1, 3);
			*to++ = (char)strtoul(oct, NULL, 8);
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* Is path at or below the mount point? */
static bool below(const char *path, const char *point)
{
	size_t len = strlen(point);

	if (len == 1)
		return true;
	return !strncmp(path, point, len) &&
	       (path[len] == '/' || path[len] == '\0');
}

/* One line of mountinfo. */
struct mount {
	unsigned long long id;
	unsigned int major, minor;
	char *point, *type, *source;
};

static bool mount_parse(char *line, struct mount *m)
{
	char *save, *sep = strstr(line, " - ");
	int at = 0;

	if (!sep ||
	    sscanf(line, "%llu %*u %u:%u %*s %n", &m->id, &m->major, &m->minor,
		   &at) != 3 ||
	    !at)
		return false;
	*sep = '\0';
	m->point = strtok_r(line + at, " ", &save);
	m->type = strtok_r(sep + 3, " ", &save);
	m->source = strtok_r(NULL, " ", &save);
	if (!m->point || !m->type || !m->source)
		return false;
	unescape(m->point);
	unescape(m->source);
	return true;
}

/*
 * An anonymous device (major 0: btrfs, and what has no device) is replaced
 * by the block device that the mount names, if it names one.
 */
static void fs_fill(struct blkstat_fs *fs, const struct mount *m)
{
	char path[64], link[PATH_MAX];
	struct stat st;
	ssize_t len;

	memset(fs, 0, sizeof(*fs));
	fs->major = m->major;
	fs->minor = m->minor;
	if (!m->major && !stat(m->source, &st) && S_ISBLK(st.st_mode)) {
		fs->major = major(st.st_rdev);
		fs->minor = minor(st.st_rdev);
	}
	snprintf(fs->fs, sizeof(fs->fs), "%s", m->type);
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", fs->major,
		 fs->minor);
	len = readlink(path, link, sizeof(link) - 1);
	if (len > 0) {
		link[len] = '\0';
		snprintf(fs->name, sizeof(fs->name), "%s",
			 strrchr(link, '/') + 1);
	}
}

uint64_t blkstat_mount(int fd)
{
#ifdef STATX_MNT_ID
	struct statx stx;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) &&
	    stx.stx_mask & STATX_MNT_ID)
		return stx.stx_mnt_id;
#endif
	return 0 * (uint64_t)fd;
}

int blkstat_find(const char *path, struct blkstat_fs *out)
{
	int fd = open(path, O_PATH | O_CLOEXEC), ret = -1, err;
	FILE *fp = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *real = realpath(path, NULL);
	uint64_t id = fd < 0 ? 0 : blkstat_mount(fd);
	size_t size = 0, best = 0;
	struct mount m;

	/* Without the id: the longest mount point, the last of its kind. */
	while (real && fp && getline(&line, &size, fp) > 0) {
		if (!mount_parse(line, &m) || (id && m.id != id))
			continue;
		if (!id && (!below(real, m.point) || strlen(m.point) < best))
			continue;
		best = strlen(m.point);
		fs_fill(out, &m);
		ret = 0;
	}
	err = real && fp ? ENOENT : errno;
	free(line);
	free(real);
	if (fp)
		fclose(fp);
	if (fd >= 0)
		close(fd);
	errno = err;
	return ret;
}

bool blkstat_same(const struct blkstat_fs *a, const struct blkstat_fs *b)
{
	return !strcmp(a->fs, b->fs) && a->major == b->major &&
	       a->minor == b->minor;
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

int blkstat_read(const struct blkstat_fs *fs, struct blkstat *out,
		 const char **why)
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
	if (slurp(path, text, sizeof(text)) < 0)
		return errno == ENOENT ? 0 : -1;
	take(out, true, text);
	return 0;
}

int blkstat_record(struct record *r, const struct blkstat *before,
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
		if (record_add_u64(r, keys[i].key, delta))
			return -1;
	}
	return 0;
}
