/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMMAND_H
#define COMMAND_H

#include <sys/types.h>

struct command {
	pid_t pid;
	int status; /* of wait(2), once command_wait gave 0 */
	long long start_ms, elapsed_ms; /* CLOCK_MONOTONIC */
};

/*
 * What is open now above descriptor 2 stays out of the command; then, what is
 * given to it all the same.  Both give 0, or -1 with errno.
 */
int command_hide_fds(void);
int command_show_fd(int fd);

/*
 * Starts argv in a process group of its own, with every signal at its default
 * and unblocked, whatever the caller inherited (bash ignores SIGINT for its
 * background jobs), and with a SIGKILL at the caller's death.  0, or -1 with
 * errno.  Where exec fails the child says why and exits as env(1) does: 127 if
 * there is no such command, else 126.
 */
int command_start(struct command *c, char **argv);

/*
 * Waits for its end (0), the deadline, timeout_s after its start (0 = none), or
 * a signal to the caller: COMMAND_DEADLINE, or the signal's number.  Reaps
 * orphans meanwhile.  Sets elapsed_ms.
 */
enum { COMMAND_DEADLINE = -1 };
int command_wait(struct command *c, int timeout_s);

#endif
