/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one record of a run.
 */
#ifndef FSRATIO_SAMPLE_H
#define FSRATIO_SAMPLE_H

#include "bench.h"
#include "blkstat.h"

/* Puts together and prints the sample of a run that ended well. */
void sample_print(const struct bench *b, const struct worker *w,
		  const struct fsdev *fs, const struct blkstat *before,
		  const struct blkstat *after);

#endif
