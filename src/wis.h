/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test case in will-it-scale's form, as src/wis/NAME.c defines it.
 */
#ifndef FSRATIO_WIS_H
#define FSRATIO_WIS_H

extern char *testcase_description;

/*
 * The workload of task nr, from 0; never returns.  It counts what it has done
 * in *iterations, which it alone writes.
 */
void testcase(unsigned long long *iterations, unsigned long nr);

/* Once before all tasks, and once after; a case may lack them. */
void testcase_prepare(unsigned long nr_tasks) __attribute__((weak));
void testcase_cleanup(void) __attribute__((weak));

#endif
