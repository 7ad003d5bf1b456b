/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands that run at once, as those of one line of a shell script.
 */
#ifndef FSRATIO_PIPELINE_H
#define FSRATIO_PIPELINE_H

#include <sys/types.h>

#define PIPELINE_MAX 4 /* commands at once */

/* All zero has none. */
struct pipeline {
	struct {
		pid_t pid;
		const char *name;
	} child[PIPELINE_MAX];
	int n;
};

/* pipeline_start(P, IN, OUT, COMMAND, ARG...) */
#define PIPELINE_START(p, in, out, ...) \
	pipeline_start(p, in, out, (const char *const[]){ __VA_ARGS__, NULL })

/*
 * Starts a command, sought in PATH, with these descriptors as its input and
 * output, -1 = ours, and closes both here.  One that cannot be started ends the
 * run.
 */
void pipeline_start(struct pipeline *p, int in, int out,
		    const char *const *argv);

/* Waits for all; one that did not exit with 0 ends the run as broken. */
void pipeline_wait(struct pipeline *p);

/* A pipe whose ends no command inherits: [0] is read, [1] written. */
void pipeline_pipe(int end[2]);

#endif
