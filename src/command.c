// SPDX-License-Identifier: GPL-2.0
/*
 * Start a command in a known state, so that nothing of what the caller happens
 * to have inherited (descriptors, signal mask, dispositions) reaches it, and
 * wait for it, a deadline or a signal.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

enum { CANNOT_SET_UP = 125, CANNOT_EXEC = 126, NOT_FOUND = 127 };

static sigset_t waited;

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

int command_hide_fds(void)
{
	size_t i;
	glob_t g;
	int fd;

	if (glob("/proc/self/fd/*", 0, NULL, &g))
		return -1;
	/* glob's own is listed too, but closed by now */
	for (i = 0; i < g.gl_pathc; i++)
		if (sscanf(g.gl_pathv[i], "/proc/self/fd/%d", &fd) == 1 &&
		    fd > 2)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	globfree(&g);
	return 0;
}

int command_show_fd(int fd)
{
	return fcntl(fd, F_SETFD, 0);
}

/* Blocks what command_wait waits for.  Under nohup, SIGHUP stays ignored. */
static int block_signals(void)
{
	struct sigaction hup;

	sigemptyset(&waited);
	sigaddset(&waited, SIGCHLD);
	sigaddset(&waited, SIGINT);
	sigaddset(&waited, SIGTERM);
	sigaddset(&waited, SIGQUIT);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(&waited, SIGHUP);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would leave no status */
	return sigprocmask(SIG_SETMASK, &waited, NULL);
}

static void exec_child(char **argv, pid_t parent)
{
	sigset_t none;
	int sig, error;

	/* Where the parent died before prctl no signal comes: hence getppid */
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    getppid() != parent) {
		warn("%s: process group or parent-death signal", argv[0]);
		_exit(CANNOT_SET_UP);
	}
	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(argv[0], argv);
	error = errno;
	warn("%s", argv[0]);
	_exit(error == ENOENT ? NOT_FOUND : CANNOT_EXEC);
}

int command_start(struct command *c, char **argv)
{
	pid_t self = getpid();

	if (block_signals())
		return -1;
	c->start_ms = now_ms();
	c->pid = fork();
	if (!c->pid)
		exec_child(argv, self);
	if (c->pid < 0)
		return -1;
	setpgid(c->pid, c->pid); /* if it did not come to it yet itself */
	return 0;
}

int command_wait(struct command *c, int timeout_s)
{
	long long deadline_ms = c->start_ms + timeout_s * 1000LL, left_ms;
	struct timespec ts;
	int status = 0, sig;
	pid_t pid;

	for (;;) {
		while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
			if (pid == c->pid)
				break;
		c->elapsed_ms = now_ms() - c->start_ms;
		c->status = status;
		if (pid > 0)
			return 0;
		left_ms = timeout_s ? deadline_ms - now_ms() : INT_MAX;
		if (left_ms <= 0)
			return COMMAND_DEADLINE;
		ts.tv_sec = left_ms / 1000;
		ts.tv_nsec = left_ms % 1000 * 1000000;
		sig = sigtimedwait(&waited, NULL, &ts);
		if (sig > 0 && sig != SIGCHLD)
			return sig;
	}
}
