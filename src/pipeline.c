// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"
#include "pipeline.h"

void pipeline_start(struct pipeline *p, int in, int out,
		    const char *const *argv)
{
	posix_spawn_file_actions_t io;
	int fd[2] = { in, out }, i;
	pid_t pid = 0;

	if (p->n == PIPELINE_MAX)
		bench_broken("no more than %d commands at once", PIPELINE_MAX);
	errno = posix_spawn_file_actions_init(&io);
	for (i = 0; i < 2 && !errno; i++)
		if (fd[i] >= 0)
			errno = posix_spawn_file_actions_adddup2(&io, fd[i], i);
	if (errno)
		bench_die("descriptors of %s", argv[0]);
	/* Nothing writes to the strings; the type is older than const. */
	errno = posix_spawnp(&pid, argv[0], &io, NULL,
			     (char *const *)(uintptr_t)argv, environ);
	if (errno)
		bench_die("exec %s", argv[0]);
	posix_spawn_file_actions_destroy(&io);
	p->child[p->n].pid = pid;
	p->child[p->n++].name = argv[0];
	for (i = 0; i < 2; i++)
		if (fd[i] >= 0 && close(fd[i]))
			bench_die("close");
}

void pipeline_wait(struct pipeline *p)
{
	int i, status;

	for (i = 0; i < p->n; i++) {
		while (waitpid(p->child[i].pid, &status, 0) < 0)
			if (errno != EINTR)
				bench_die("waitpid %s", p->child[i].name);
		if (status)
			bench_broken("%s ended with wait status 0x%x",
				     p->child[i].name, (unsigned int)status);
	}
	p->n = 0;
}

void pipeline_pipe(int end[2])
{
	if (pipe2(end, O_CLOEXEC))
		bench_die("pipe");
}
