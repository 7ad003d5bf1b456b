// SPDX-License-Identifier: GPL-2.0
/*
 * The worker processes of a run: see process.h.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"
#include "process.h"

static pid_t pids[BENCH_THREADS_MAX]; /* 0 = reaped */
static unsigned int started;
static pid_t parent;

void process_start(void *(*work)(void *), void *arg)
{
	pid_t pid;

	parent = getpid();
	pid = fork();
	if (pid < 0)
		bench_die("fork worker %u", started);
	if (pid) {
		pids[started++] = pid;
		return;
	}
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		bench_die("prctl PR_SET_PDEATHSIG");
	if (getppid() != parent) /* it died before that */
		_exit(BENCH_BROKEN);
	work(arg);
	_exit(0);
}

void process_kill(void)
{
	unsigned int i;

	if (getpid() != parent)
		return;
	for (i = 0; i < started; i++)
		if (pids[i])
			kill(pids[i], SIGKILL);
	for (i = 0; i < started; i++)
		while (pids[i] && waitpid(pids[i], NULL, 0) < 0 &&
		       errno == EINTR)
			;
}

void process_join(void)
{
	unsigned int left = started, i;
	int status;
	pid_t pid;

	while (left) {
		pid = waitpid(-1, &status, 0);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			bench_die("waitpid");
		for (i = 0; i < started && pids[i] != pid; i++)
			;
		if (i == started) /* a child of what exec'ed this program */
			continue;
		pids[i] = 0;
		left--;
		if (WIFSIGNALED(status))
			bench_broken("worker %u was killed by signal %d", i,
				     WTERMSIG(status));
		if (WEXITSTATUS(status)) { /* and has said why */
			process_kill();
			_exit(WEXITSTATUS(status));
		}
	}
}
