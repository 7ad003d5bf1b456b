/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clones of DIR/source that are cut within a block and some of them extended
 * again, and what each may be after a crash in the middle of that.  What is
 * wrong is a finding, what fails ends the run.
 */
#ifndef FSRATIO_CUTFILE_H
#define FSRATIO_CUTFILE_H

#include <stdint.h>
#include "model.h"

enum cutfile_size { CUTFILE_OLD, CUTFILE_CUT, CUTFILE_EXTENDED, CUTFILE_SIZES };

/* Makes file n, DIR/f%05u, of the old size. */
void cutfile_make(const struct model *source, uint64_t n);

/* Cuts file n, and extends it where n is odd; 0, or -1 with errno. */
int cutfile_cut(uint64_t n);

/*
 * Checks file n after recovery, and gives the size that it was found with: the
 * old one, the cut one or the extended one, and no byte that was not there
 * then.
 */
enum cutfile_size cutfile_check(const struct model *source, struct model *m,
				uint64_t n);

#endif
