/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CPU a worker runs on.
 */
#ifndef FSRATIO_AFFINITY_H
#define FSRATIO_AFFINITY_H

/*
 * Puts the calling thread, which may still run where the helper may, on the
 * id-th of these CPUs, round and round.  Never fails.
 */
void affinity_spread(unsigned int id);

#endif
