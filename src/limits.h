/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The limits of a test: which ratio of which arms, and how far it may go.
 */
#ifndef FSRATIO_LIMITS_H
#define FSRATIO_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#define LIMITS_MAX 32 /* bits of a mask */
#define ARMS_MAX 64 /* that limits name; bits of a mask */
#define NAME_SIZE 64

/* ROLE_INFO is reported and decides nothing. */
enum role { ROLE_DECIDE, ROLE_CONTROL, ROLE_INFO };
extern const char *const role_names[];

/*
 * The product of metric of/per (or of alone, per empty) over the arms in num,
 * divided by that over the arms in den, is bad beyond the threshold: above it
 * (is_max) or below.  A metric below floor counts as floor.
 */
struct limit {
	char name[NAME_SIZE], of[NAME_SIZE], per[NAME_SIZE];
	char text[NAME_SIZE]; /* the threshold as written */
	char fs[NAME_SIZE]; /* "xfs,ext4": decides on these alone; or empty */
	unsigned int min_cpus; /* decides on so many CPUs and more */
	bool fit_any; /* rounds of a busy machine count */
	double ln_threshold, floor;
	bool is_max;
	uint64_t num, den;
	enum role role;
	bool is_info; /* by its role or for another reason */
	const char *reason; /* that reason, or NULL */
};

struct limits {
	unsigned int n, n_arms;
	struct limit l[LIMITS_MAX];
	char arms[ARMS_MAX][NAME_SIZE];
	unsigned long arm_line[ARMS_MAX]; /* that names the arm first */
};

/* Reads a file of limits into zeroes; exits 1 as recfile.h says. */
void limits_read(struct limits *ls, const char *path);

/* The number of an arm that a limit names, or -1. */
int limits_arm(const struct limits *ls, const char *name);

/*
 * 0 where all arms that the limits of path ask for are among arms, which ends
 * in NULL; else 1, with a line on stderr.
 */
int limits_check_arms(const struct limits *ls, const char *path, char **arms);

/*
 * How many CPUs a limit would decide on, where none does for want of them and
 * for no other reason; else 0.
 */
unsigned int limits_lack_cpus(const struct limits *ls);

#endif
