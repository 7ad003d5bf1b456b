// SPDX-License-Identifier: GPL-2.0
/* A process may leave its session and its group, but not its descent. */
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "descendants.h"

#define PAUSE_MS 10

struct task {
	char comm[32], state;
	pid_t ppid;
};

/* Fills t from the stat file in dir, /proc/PID or a task's; 0 = it is gone. */
static int read_task(const char *dir, struct task *t)
{
	char path[64], buf[256], *end;
	FILE *fp;

	snprintf(path, sizeof(path), "%s/stat", dir);
	fp = fopen(path, "re");
	if (!fp)
		return 0;
	buf[fread(buf, 1, sizeof(buf) - 1, fp)] = '\0';
	fclose(fp);
	end = strrchr(buf, ')'); /* the name itself may hold ')' and blanks */
	if (!end || sscanf(end, ") %c %d", &t->state, &t->ppid) != 2)
		return 0;
	*end = '\0';
	snprintf(t->comm, sizeof(t->comm), "%.31s", strchr(buf, '(') + 1);
	return 1;
}

static int descends(pid_t pid)
{
	struct task t = { .ppid = pid };
	char dir[32];

	do {
		snprintf(dir, sizeof(dir), "/proc/%d", t.ppid);
		if (!read_task(dir, &t))
			return 0;
	} while (t.ppid > 1 && t.ppid != getpid());
	return t.ppid == getpid();
}

static void copy_lines(FILE *to, const char *dir, const char *name,
		       const char *prefix)
{
	char path[64], line[256];
	int lines = 0;
	FILE *fp;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fp = fopen(path, "re");
	for (; fp && fgets(line, sizeof(line), fp); lines++)
		fprintf(to, "%s%.*s\n", prefix, (int)strcspn(line, "\n"), line);
	if (!lines)
		fprintf(to, "%s(none)\n", prefix);
	if (fp)
		fclose(fp);
}

/* A thread may live, and be stuck, after its process's leader is a zombie. */
static int live_threads(pid_t pid, FILE *notes)
{
	int live = 0, tid;
	char pattern[32];
	struct task t;
	glob_t g = { 0 };
	size_t i;

	snprintf(pattern, sizeof(pattern), "/proc/%d/task/*", pid);
	glob(pattern, 0, NULL, &g);
	for (i = 0; i < g.gl_pathc; i++) {
		if (!read_task(g.gl_pathv[i], &t) || strchr("ZX", t.state))
			continue;
		live++;
		if (!notes || !sscanf(g.gl_pathv[i], "/proc/%*d/task/%d", &tid))
			continue;
		fprintf(notes, "# pid=%d ", pid);
		if (tid != pid)
			fprintf(notes, "tid=%d ", tid);
		fprintf(notes, "comm=%s state=%c", t.comm, t.state);
		copy_lines(notes, g.gl_pathv[i], "wchan", " wchan=");
		copy_lines(notes, g.gl_pathv[i], "stack", "#   ");
	}
	globfree(&g);
	return live;
}

static int walk(int sig, FILE *notes)
{
	glob_t g = { 0 };
	int processes = 0;
	pid_t pid;
	size_t i;

	glob("/proc/[1-9]*", 0, NULL, &g);
	for (i = 0; i < g.gl_pathc; i++) {
		if (sscanf(g.gl_pathv[i], "/proc/%d", &pid) != 1 ||
		    !descends(pid) || !live_threads(pid, notes))
			continue;
		processes++;
		kill(pid, sig);
	}
	globfree(&g);
	return processes;
}

int descendants_note(FILE *notes)
{
	return walk(0, notes);
}

int descendants_wait(int ms)
{
	struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };
	pid_t pid;

	for (;; ms -= PAUSE_MS) {
		while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
			;
		if (pid < 0 || ms <= 0)
			return pid < 0;
		nanosleep(&pause, NULL);
	}
}

int descendants_kill(int ms, FILE *notes)
{
	int pause = 0;

	for (; !descendants_wait(pause); ms -= pause) {
		if (ms <= 0) {
			fprintf(notes, "# not ended by SIGKILL:\n");
			return walk(0, notes);
		}
		walk(SIGKILL, NULL);
		pause = ms / 20 + PAUSE_MS;
	}
	return 0;
}
