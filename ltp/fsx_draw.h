/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which operation comes next: by the seed, its number, the size of the file and
 * the options, and by nothing else.
 */
#ifndef FSRATIO_FSX_DRAW_H
#define FSRATIO_FSX_DRAW_H

#include "shadow.h"

/* The sum of all weights; 0 = there is nothing to draw. */
uint64_t fsx_weights(void);

/* Operation n on this file; NONE, where all that were drawn are impossible. */
struct call fsx_draw(const struct shadow *shadow, uint64_t n);

#endif
