// SPDX-License-Identifier: GPL-2.0
/*
 * Run one command and leave nothing of it behind: all that descends from it is
 * killed when it ends, at the deadline, at a signal to supervise and at the
 * death of supervise's parent.  What outlives SIGKILL is counted as stuck.
 * Exit: the command's status, 128 + signal, 124 timeout, 125..127 as env(1).
 *
 * The result, in FILE (written at the end, under its name all at once) or on
 * stderr, is the record
 *	supervise elapsed_ms=N how=exit|signal|timeout code=N leftover=N stuck=N
 * and, after a timeout or where some are stuck, the notes of descendants.h.
 * code is the exit status, the signal that ended the command or came to
 * supervise, or 124; leftover counts processes alive after the command's end.
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "descendants.h"

#define USAGE                                                 \
	"[--timeout-s N] [--kill-grace-s N] [--result FILE] " \
	"[--keep-fd N]... -- CMD [ARG]..."

enum { TIMEOUT = 124, FAILED = 125 }; /* exit statuses */
enum { TERM_MS = 2000, SETTLE_MS = 100, DAYS_S = 1000000 };

static const struct option options[] = {
	{ "timeout-s", required_argument, NULL, 't' },
	{ "kill-grace-s", required_argument, NULL, 'g' },
	{ "result", required_argument, NULL, 'r' },
	{ "keep-fd", required_argument, NULL, 'k' },
	{ NULL, 0, NULL, 0 },
};

static int number(const char *name, const char *arg, int min, int max)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (!isdigit((unsigned char)*arg) || *end || n < min || n > max)
		errx(FAILED, "--%s %s: expected %d to %d", name, arg, min, max);
	return (int)n;
}

/* Sees to it that we hear of our parent's death, and orphans become ours. */
static pid_t watch_family(void)
{
	pid_t parent = getppid();

	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		err(FAILED, "PR_SET_CHILD_SUBREAPER");
	if (prctl(PR_SET_PDEATHSIG, SIGTERM))
		err(FAILED, "PR_SET_PDEATHSIG");
	if (getppid() != parent)
		errx(FAILED, "parent %d is gone", parent);
	return parent;
}

/* Runs argv, writes the result to out; gives the exit status. */
static int supervise(char **argv, int timeout_s, int grace_s, FILE *out)
{
	int end, code = TIMEOUT, status = TIMEOUT, leftover = 0, stuck;
	const char *how = "timeout";
	pid_t parent = watch_family();
	struct command c;
	char *text;
	size_t size;
	FILE *notes = open_memstream(&text, &size);

	if (!notes || command_start(&c, argv))
		err(FAILED, "%s: start", argv[0]);
	end = command_wait(&c, timeout_s);
	if (end == COMMAND_DEADLINE) {
		fprintf(notes, "# at the deadline:\n");
		descendants_note(notes);
	} else if (!end && !descendants_wait(SETTLE_MS)) {
		leftover = descendants_note(NULL);
	} else if (end && getppid() == parent) {
		kill(-c.pid, SIGTERM);
		kill(-c.pid, SIGCONT);
		descendants_wait(TERM_MS);
	}
	stuck = descendants_kill(grace_s * 1000, notes);
	if (end > 0 || (!end && WIFSIGNALED(c.status))) {
		how = "signal";
		code = end > 0 ? end : WTERMSIG(c.status);
		status = 128 + code;
	} else if (!end) {
		how = "exit";
		code = status = WEXITSTATUS(c.status);
	}
	if (fclose(notes))
		err(FAILED, "notes");
	fprintf(out, "supervise elapsed_ms=%lld how=%s code=%d ", c.elapsed_ms,
		how, code);
	fprintf(out, "leftover=%d stuck=%d\n%s", leftover, stuck, text);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	int timeout_s = 0, grace_s = 5, status, opt;
	char *result = NULL, *tmp = NULL;
	FILE *out = stderr;

	if (command_hide_fds())
		errx(FAILED, "/proc/self/fd cannot be read");
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (opt == 't')
			timeout_s = number("timeout-s", optarg, 0, DAYS_S);
		else if (opt == 'g')
			grace_s = number("kill-grace-s", optarg, 1, DAYS_S);
		else if (opt == 'r')
			result = optarg;
		else if (opt != 'k')
			errx(FAILED, "%s: expected " USAGE, argv[optind - 1]);
		else if (command_show_fd(number("keep-fd", optarg, 0, INT_MAX)))
			err(FAILED, "--keep-fd %s", optarg);
	}
	if (optind == argc)
		errx(FAILED, "no command: expected " USAGE);
	if (result) {
		if (unlink(result) && errno != ENOENT)
			err(FAILED, "%s", result);
		if (asprintf(&tmp, "%s.tmp", result) < 0)
			err(FAILED, "memory");
		out = fopen(tmp, "we");
		if (!out)
			err(FAILED, "%s", tmp);
	}
	status = supervise(argv + optind, timeout_s, grace_s, out);
	if (fflush(out) || ferror(out) || (tmp && rename(tmp, result)))
		err(FAILED, "%s", result ? result : "result");
	free(tmp);
	return status;
}
