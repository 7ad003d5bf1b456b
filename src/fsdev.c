// SPDX-License-Identifier: GPL-2.0
/*
 * The file system and the device under a path: see fsdev.h.
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
#include "fsdev.h"

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
static void fs_fill(struct fsdev *fs, const struct mount *m)
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

uint64_t fsdev_mount(int fd)
{
#ifdef STATX_MNT_ID
	struct statx stx;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) &&
	    stx.stx_mask & STATX_MNT_ID)
		return stx.stx_mnt_id;
#endif
	return 0 * (uint64_t)fd;
}

int fsdev_find(const char *path, struct fsdev *out)
{
	int fd = open(path, O_PATH | O_CLOEXEC), ret = -1, err;
	FILE *fp = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *real = realpath(path, NULL);
	uint64_t id = fd < 0 ? 0 : fsdev_mount(fd);
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

bool fsdev_same(const struct fsdev *a, const struct fsdev *b)
{
	return !strcmp(a->fs, b->fs) && a->major == b->major &&
	       a->minor == b->minor;
}
