/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The samples of a test, boiled down to what its limits ask for.
 */
#ifndef FSRATIO_SAMPLES_H
#define FSRATIO_SAMPLES_H

#include "limits.h"
#include "signtest.h"

/* Masks of arms and of limits, and ln of the ratio of each limit. */
struct round {
	unsigned long line; /* of its last sample */
	uint64_t seen; /* arms that have a sample */
	uint64_t unfit; /* arms that waited for a CPU though there was one */
	uint32_t unsupported; /* limits whose metric this kernel lacks */
	double ln_ratio[LIMITS_MAX];
};

struct samples {
	const char *path;
	unsigned int n_series, n_rounds[2];
	struct round round[2][ROUNDS_MAX];
};

/*
 * Reads a file of samples into zeroes; exits 1 as recfile.h says.  An env
 * record with debug_kernel=1 or emulated_cpu=1 makes the limits on time info,
 * its fs= those that are for other file systems, its cpus= those that need
 * more.
 */
void samples_read(struct samples *sm, struct limits *ls, const char *path);

/* Exits 1 unless each round of series 0 or 1 has the arms of the limit. */
void samples_need(const struct samples *sm, const struct limits *ls,
		  const struct limit *l, unsigned int series);

#endif
