// SPDX-License-Identifier: GPL-2.0
/*
 * bench: the main of every helper, see bench.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "blkstat.h"
#include "option.h"
#include "process.h"
#include "sample.h"
#include "tracepoint.h"
#include "worker.h"

struct bench_config bench_config = { .threads = 1, .seed = 1 };

static const char *name = "bench";

/* Says one line by one write, for all that fail at once. */
__attribute__((format(printf, 2, 0))) static void say(int err, const char *fmt,
						      va_list ap)
{
	char text[1024];
	size_t len, room = sizeof(text) - 1;

	/* Of many that fail at once, one speaks; it ends the others. */
	while (!worker_first_to_die())
		pause();
	len = (size_t)snprintf(text, room, "%s: ", name);
	len += (size_t)vsnprintf(text + len, room - len, fmt, ap);
	if (len < room && err)
		len += (size_t)snprintf(text + len, room - len, ": %s",
					strerror(err));
	if (len >= room)
		len = room - 1;
	text[len++] = '\n';
	if (write(STDERR_FILENO, text, len) < 0)
		errno = 0; /* nobody is left to tell; the status still says it
			    */
}

/* Ends all workers and this process. */
__attribute__((noreturn)) static void quit(int status)
{
	process_kill();
	_exit(status);
}

void bench_die(const char *fmt, ...)
{
	int err = errno;
	va_list ap;

	va_start(ap, fmt);
	say(err, fmt, ap);
	va_end(ap);
	quit(BENCH_BROKEN);
}

void bench_broken(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(0, fmt, ap);
	va_end(ap);
	quit(BENCH_BROKEN);
}

void bench_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(0, fmt, ap);
	va_end(ap);
	quit(BENCH_USAGE);
}

void bench_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(0, fmt, ap);
	va_end(ap);
	quit(BENCH_UNSUPPORTED);
}

void bench_error(struct worker *w, const char *fmt, ...)
{
	int err = errno;
	va_list ap;

	if (w->errors++)
		return;
	w->error_ns = bench_now_ns();
	w->error = err;
	va_start(ap, fmt);
	vsnprintf(w->error_text, sizeof(w->error_text), fmt, ap);
	va_end(ap);
}

void *bench_shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bench_die("mmap %zu bytes", size);
	return p;
}

int bench_open(int flags, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int fd;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	fd = open(path, flags | O_CLOEXEC, 0644);
	if (fd < 0)
		bench_die("open %s", path);
	return fd;
}

void bench_mkdir(const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		bench_die("mkdir %s", path);
}

void bench_make_dirs(const char *top, uint64_t n)
{
	char path[PATH_MAX];
	unsigned int d;

	for (d = 0; d < n; d++) {
		snprintf(path, sizeof(path), "%s/d%04u", top, d);
		if (mkdir(path, 0755))
			bench_die("mkdir %s", path);
	}
}

void bench_syncfs(void)
{
	int fd = bench_open(O_RDONLY | O_DIRECTORY, "%s", bench_config.dir);

	if (syncfs(fd) || close(fd))
		bench_die("syncfs %s", bench_config.dir);
}

void bench_put_u64(struct record *r, const char *key, uint64_t value)
{
	if (record_add_u64(r, key, value))
		bench_die("record %s=%llu", key, (unsigned long long)value);
}

void bench_put_str(struct record *r, const char *key, const char *value)
{
	if (record_add_str(r, key, value))
		bench_die("record %s=%s", key, value);
}

uint64_t bench_sum(const struct worker *w, unsigned int n, unsigned int i)
{
	uint64_t sum = 0;

	while (n--)
		sum += w[n].n[i];
	return sum;
}

/*
 * A closed descriptor 1 would be given to the next file opened, and the
 * record written into that file.
 */
static void check_stdio(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (fd == STDOUT_FILENO)
			bench_die("stdout");
		if (open("/dev/null", O_RDWR) != fd)
			bench_die("open /dev/null");
	}
	signal(SIGPIPE, SIG_IGN); /* a reader that is gone: exit 1, as said */
}

static void find_dir(struct fsdev *fs)
{
	struct stat st;

	snprintf(fs->fs, sizeof(fs->fs), "none");
	if (!bench_config.dir)
		return;
	if (stat(bench_config.dir, &st))
		bench_die("stat %s", bench_config.dir);
	errno = ENOTDIR;
	if (!S_ISDIR(st.st_mode) || fsdev_find(bench_config.dir, fs))
		bench_die("find the file system of %s", bench_config.dir);
}

static void check_dir(const struct fsdev *before)
{
	struct fsdev after;

	if (!bench_config.dir)
		return;
	if (fsdev_find(bench_config.dir, &after))
		bench_die("find the file system of %s", bench_config.dir);
	if (!fsdev_same(before, &after))
		bench_broken("%s moved from %s %u:%u to %s %u:%u",
			     bench_config.dir, before->fs, before->major,
			     before->minor, after.fs, after.major, after.minor);
}

int bench_main(const struct bench *b, int argc, char **argv)
{
	static struct blkstat before, after;
	struct fsdev fs = { 0 };
	const struct worker *w;

	name = b->name;
	check_stdio();
	bench_config.args = argv + option_parse(b, argc, argv);
	bench_config.dir = bench_config.args[0];
	if (b->setup)
		b->setup();
	find_dir(&fs);
	tracepoint_open(name);
	w = worker_run(b, &fs, &before, &after);
	check_dir(&fs);
	sample_print(b, w, &fs, &before, &after);
	return 0;
}
