/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a guard prints in place of a record: one line for each rule of the file
 * system that it saw broken, and nothing where none is.
 */
#ifndef FSRATIO_FINDING_H
#define FSRATIO_FINDING_H

#include "bench.h"

#define FINDINGS_MAX 1000 /* lines; further findings are only counted */

/* Prints one finding on stdout, from any worker thread; the run goes on. */
__attribute__((format(printf, 1, 2))) void finding(const char *fmt, ...);

/*
 * A guard's bench.report: ends the run with exit status 0 before a record is
 * printed.
 */
void finding_report(struct record *r, const struct worker *w, unsigned int n);

#endif
