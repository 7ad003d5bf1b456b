/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of records as the judge reads it.  Whatever is wrong with it ends the
 * process: one line "judge: FILE:LINE: found, expected" and exit status 1.
 */
#ifndef FSRATIO_RECFILE_H
#define FSRATIO_RECFILE_H

#include <stdbool.h>

#include "record.h"

/* Start with the path and zeroes. */
struct recfile {
	const char *path;
	unsigned long line; /* of the record; 0 before the first */
	struct record_line rec; /* its strings last until the next one */
	FILE *fp;
	char *buf;
	size_t size;
};

/* Reports a fault in line and exits. */
__attribute__((format(printf, 2, 3), noreturn)) void
recfile_broken(const struct recfile *f, const char *fmt, ...);

/* Reads the next record into f->rec; false at the end of the file. */
bool recfile_next(struct recfile *f);

/* The value of a key that must be there. */
const char *recfile_str(const struct recfile *f, const char *key);

/* The same as an integer, 0 to 2^63-1. */
uint64_t recfile_u64(const struct recfile *f, const char *key);

/* The same as a decimal above 0, [0-9]+(.[0-9]+)?: neither 1e3 nor inf. */
double recfile_decimal(const struct recfile *f, const char *key);

#endif
