/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The regular files of a tree, listed once and kept compactly: 8 bytes a file
 * and its name, and each directory's path once.
 */
#ifndef FSRATIO_TREE_H
#define FSRATIO_TREE_H

#include <stddef.h>
#include <stdint.h>

struct tree_dir {
	uint32_t path, len; /* offset in text, strlen */
};

struct tree_file {
	uint32_t dir, name; /* index of a directory, offset in text */
};

struct tree {
	char *text; /* all strings, one after the other, NUL after each */
	size_t text_used, text_room;
	struct tree_dir *dir;
	size_t dirs, dir_room;
	struct tree_file *file;
	size_t files, file_room;
};

/*
 * Lists the files under top that have blocks: a directory's files in the
 * order of readdir, then its subdirectories by name.  No symbolic link is
 * followed below top; another mount below it is broken.
 */
void tree_list(struct tree *t, const char *top);

/* A random order, the same for the same seed (Fisher and Yates). */
void tree_shuffle(struct tree *t, uint64_t seed);

/* Puts the path of file i into path[PATH_MAX]. */
void tree_path(const struct tree *t, size_t i, char *path);

#endif
