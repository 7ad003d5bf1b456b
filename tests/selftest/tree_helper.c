// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the paths of a tree in the order that tree.c lists them in, or in
 * the random order of SEED:	tree_helper DIR [SEED]
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../src/tree.h"

int main(int argc, char **argv)
{
	static struct tree tree;
	char path[PATH_MAX];
	size_t i;

	if (argc < 2)
		return 2;
	tree_list(&tree, argv[1]);
	if (argc > 2)
		tree_shuffle(&tree, strtoull(argv[2], NULL, 10));
	for (i = 0; i < tree.files; i++) {
		tree_path(&tree, i, path);
		puts(path);
	}
	return 0;
}
