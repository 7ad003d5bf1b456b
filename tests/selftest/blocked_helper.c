// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks in D state N times, no more and no less, in one known place:
 *	blocked_helper vfork N		as the parent of a child that sleeps
 *	blocked_helper frozen N DIR	as a writer to a frozen file system;
 *					that thread is named "frozen"
 */
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t go, done;
static _Atomic pid_t writer_tid;
static int fd;
static long n;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* What the analyzer warns of, the wait of the parent, is wanted here. */
#ifdef __clang_analyzer__
#define vfork fork
#endif

static void block_in_vfork(void)
{
	pid_t pid = vfork();

	if (pid < 0)
		die("vfork");
	if (!pid) {
		usleep(500);
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		die("waitpid");
}

static void *write_frozen(void *arg)
{
	pthread_setname_np(pthread_self(), "frozen");
	writer_tid = gettid();
	for (long i = 0; i < n; i++) {
		sem_wait(&go);
		if (pwrite(fd, "x", 1, 0) != 1)
			die("pwrite");
		sem_post(&done);
	}
	return arg;
}

static int is_blocked(void)
{
	char path[64], text[128] = "";
	FILE *fp;

	if (!writer_tid)
		return 0; /* that thread has not begun */
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", writer_tid);
	fp = fopen(path, "r");
	if (!fp || !fgets(text, sizeof(text), fp))
		die(path);
	fclose(fp);
	return strstr(text, "(frozen) D ") != NULL;
}

static void freeze(const char *dir)
{
	pthread_t thread;
	int top = open(dir, O_RDONLY | O_DIRECTORY);

	fd = openat(top, "file", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || pwrite(fd, "x", 1, 0) != 1)
		die(dir);
	if (sem_init(&go, 0, 0) || sem_init(&done, 0, 0) ||
	    pthread_create(&thread, NULL, write_frozen, NULL))
		die("pthread_create");
	for (long i = 0; i < n; i++) {
		if (ioctl(top, FIFREEZE, 0))
			die("FIFREEZE");
		sem_post(&go);
		while (!is_blocked())
			usleep(100);
		if (ioctl(top, FITHAW, 0))
			die("FITHAW");
		sem_wait(&done);
	}
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	n = strtol(argv[2], NULL, 10);
	if (argc > 3)
		freeze(argv[3]);
	for (long i = 0; argc == 3 && i < n; i++)
		block_in_vfork();
	return 0;
}
