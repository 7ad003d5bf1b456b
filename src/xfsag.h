/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories spread over the allocation groups of an XFS: files go to the AG
 * of their directory.
 */
#ifndef FSRATIO_XFSAG_H
#define FSRATIO_XFSAG_H

#include <stdint.h>

/*
 * Makes directories in top until each of n workers has one of its own, that of
 * worker i in AG i % ags, and puts its number, from 1, into dir_of[i]: 1 is
 * top/d00001.  On one file system each call of the same n and ags comes to the
 * same directories.  ags = 0 is all AGs; on another file system than XFS, which
 * has no AGs, all directories count as one's.  The number of AGs that is used.
 * Ends the run as broken if there are fewer AGs or an AG gets no directory.
 */
uint64_t xfsag_make_dirs(const char *top, uint64_t n, uint64_t ags,
			 unsigned int *dir_of);

#endif
