// SPDX-License-Identifier: GPL-2.0
/*
 * The regular files of a tree: see tree.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "fsdev.h"
#include "tree.h"

/* Room for one more of size; what is there moves, if it must, by mremap. */
static void *grow(void *array, size_t need, size_t *room, size_t size)
{
	if (need <= *room)
		return array;
	*room = need > *room * 3 / 2 ? need + 1024 : *room * 3 / 2;
	array = realloc(array, *room * size);
	if (!array)
		bench_die("realloc %zu bytes", *room * size);
	return array;
}

static uint32_t add_text(struct tree *t, const char *s)
{
	size_t at = t->text_used, len = strlen(s) + 1;

	if (at + len > UINT32_MAX)
		bench_broken("more than 4 GiB of file names");
	t->text = grow(t->text, at + len, &t->text_room, 1);
	memcpy(t->text + at, s, len);
	t->text_used += len;
	return (uint32_t)at;
}

static uint32_t add_dir(struct tree *t, const char *path)
{
	t->dir = grow(t->dir, t->dirs + 1, &t->dir_room, sizeof(*t->dir));
	t->dir[t->dirs].path = add_text(t, path);
	t->dir[t->dirs].len = (uint32_t)strlen(path);
	return (uint32_t)t->dirs++;
}

static void add_file(struct tree *t, uint32_t dir, const char *name)
{
	t->file = grow(t->file, t->files + 1, &t->file_room, sizeof(*t->file));
	t->file[t->files].dir = dir;
	t->file[t->files++].name = add_text(t, name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list(struct tree *t, const char *path, int flags, uint64_t mount)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	DIR *dp = fd < 0 ? NULL : fdopendir(fd);
	uint32_t dir = add_dir(t, path);
	char **sub = NULL, below[PATH_MAX];
	size_t subs = 0, room = 0, i;
	struct dirent *de;
	struct stat st;

	if (!dp)
		bench_die("opendir %s", path);
	if (fsdev_mount(fd) != mount)
		bench_broken("%s: another file system is mounted there", path);
	while (errno = 0, (de = readdir(dp))) {
		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, ".."))
			continue;
		if (fstatat(fd, de->d_name, &st, AT_SYMLINK_NOFOLLOW))
			bench_die("stat %s/%s", path, de->d_name);
		if (snprintf(below, sizeof(below), "%s/%s", path, de->d_name) >=
		    (int)sizeof(below))
			bench_broken("%s/%s: path too long", path, de->d_name);
		if (S_ISREG(st.st_mode) && st.st_blocks)
			add_file(t, dir, de->d_name);
		if (!S_ISDIR(st.st_mode))
			continue;
		sub = grow(sub, subs + 1, &room, sizeof(*sub));
		sub[subs] = strdup(below);
		if (!sub[subs++])
			bench_die("strdup");
	}
	if (errno)
		bench_die("readdir %s", path);
	closedir(dp);
	if (subs)
		qsort(sub, subs, sizeof(*sub), by_name);
	for (i = 0; i < subs; i++) {
		list(t, sub[i], O_NOFOLLOW, mount);
		free(sub[i]);
	}
	free(sub);
}

void tree_list(struct tree *t, const char *top)
{
	int fd = open(top, O_PATH | O_CLOEXEC);

	if (fd < 0)
		bench_die("open %s", top);
	list(t, top, 0, fsdev_mount(fd));
	close(fd);
}

void tree_shuffle(struct tree *t, uint64_t seed)
{
	uint64_t state = bench_mix(seed);
	struct tree_file swap;
	size_t i, other;

	for (i = t->files; i > 1; i--) {
		other = bench_rand(&state) % i;
		swap = t->file[i - 1];
		t->file[i - 1] = t->file[other];
		t->file[other] = swap;
	}
}

void tree_path(const struct tree *t, size_t i, char *path)
{
	const struct tree_dir *dir = &t->dir[t->file[i].dir];

	memcpy(path, t->text + dir->path, dir->len);
	path[dir->len] = '/';
	strcpy(path + dir->len + 1, t->text + t->file[i].name);
}
