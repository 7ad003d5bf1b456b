/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The maps of a clonetree's files, as FIEMAP gives them: what is wrong is a
 * finding.
 */
#ifndef FSRATIO_CLONEMAP_H
#define FSRATIO_CLONEMAP_H

#include <stdbool.h>
#include "clonetree.h"

enum { CLONEMAP_SCANS }; /* of worker.n: maps that were scanned */

/*
 * Beside operations: the map of a file at random is of any moment, and may only
 * be malformed.  point: the quiet point before.  False after a finding.
 */
bool clonemap_scan(struct clonetree *t, struct worker *w, uint64_t point);

/*
 * Between operations: writes all back, waits for inodes that are gone, and
 * compares the maps of all files with the model.  False after a finding.
 */
bool clonemap_compare(struct clonetree *t, uint64_t point);

#endif
