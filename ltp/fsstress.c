// SPDX-License-Identifier: GPL-2.0
/*
 * Random operations on names and data by several processes, each in a directory
 * of its own, DIR/p0, DIR/p1 ...: a load beside a measurement, or to age a file
 * system.  Options and operations that fstests' fsstress has, too, mean the
 * same.
 *
 * Operation N of process P is drawn from the seed, P and N alone, so a seed
 * repeats a run.  What it works on is picked among what is there; where nothing
 * is, it makes one first.  A process stays below --max-bytes: where it is full,
 * creations meet names that exist, and writes stay inside of their file.
 *
 * Errors that a random operation may rightly meet (EEXIST, ENOTEMPTY, ENOSPC
 * ...) are counted; any other ends the run.  SIGTERM ends it in good order.
 *
 * Exit: 0 one record printed, 1 broken, 2 usage.
 */
#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/fsdev.h"
#include "../src/record.h"
#include "fsstress.h"

#define PROCESSES_MAX 1024
#define KILL_NS 500000000 /* SIGKILL so long after SIGTERM */

struct stress stress = { .max_bytes = 64 << 20, .owners = 32 };
volatile sig_atomic_t stress_stop;

static const char *top_dir;
static uint64_t ops_wanted = 1, processes = 1, loops = 1, duration_s;
static bool clean_after;
static struct stats *stats; /* of all processes */

static const char help[] =
	"usage: fsstress -d DIR [options]\n"
	"Random operations on names and data, in DIR/p0, DIR/p1 ...\n"
	"\n"
	"  -d DIR           where; made if it is not there\n"
	"  -n N             operations of a process (1)\n"
	"  -p N             processes (1)\n"
	"  -l N             loops, each of -n operations; 0 = without end (1)\n"
	"  --duration S     run for so many seconds, whatever -n and -l say\n"
	"  -s N             seed (from the clock; it is in the record)\n"
	"  -f OP=N          how often an operation comes, among all\n"
	"  -z               none, but those that a later -f names\n"
	"  -w               none that only reads\n"
	"  -R               none that writes\n"
	"  -m N             ids below N for chown (32)\n"
	"  --max-bytes N    space of a process (67108864)\n"
	"  -c               remove what was made, after each loop\n"
	"  -v               print each call: # PROCESS/OPERATION: CALL ARGS ERRNO\n"
	"  -S c|t           print the frequencies, as options or as a table\n"
	"  -H, --help       print this\n";

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void end(int status, const char *fmt, ...)
{
	char line[2 * PATH_MAX + 512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fflush(stdout);
	fprintf(stderr, "fsstress: %s\n", line);
	_exit(status);
}

static void on_term(int sig)
{
	(void)sig;
	stress_stop = 1;
}

static void handle(int sig, void (*handler)(int))
{
	/* No SA_RESTART: a call that waits is to end. */
	struct sigaction sa = { .sa_handler = handler };

	if (sigaction(sig, &sa, NULL))
		die("sigaction");
}

/* Process i: pI, and the operations in it, from number first on. */
__attribute__((noreturn)) static void child(unsigned int i, pid_t parent,
					    uint64_t first)
{
	uint64_t next = first;
	sigset_t none;
	char dir[32];

	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		die("prctl");
	if (getppid() != parent)
		end(BENCH_BROKEN, "p%u: the parent is gone", i);
	/* What ends all comes from the parent, as SIGTERM. */
	handle(SIGHUP, SIG_IGN);
	handle(SIGINT, SIG_IGN);
	handle(SIGQUIT, SIG_IGN);
	handle(SIGTERM, on_term);
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL))
		die("sigprocmask");
	snprintf(dir, sizeof(dir), "p%u", i);
	if (chdir(dir))
		die("%s/%s", top_dir, dir);
	op_begin(i, &stats[i]);
	while (!stress_stop && (!ops_wanted || next - first < ops_wanted))
		op_run(next++);
	if (fflush(stdout))
		die("write stdout");
	_exit(0);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)at;
	if (type == FTW_DP ? rmdir(path) : unlink(path))
		die("remove %s/%s", top_dir, path);
	return 0;
}

/* Makes DIR/p0, DIR/p1 ..., which must be new, or removes them. */
static void set_dirs(bool wanted)
{
	uint64_t i;
	char dir[32];

	for (i = 0; i < processes; i++) {
		snprintf(dir, sizeof(dir), "p%" PRIu64, i);
		if (wanted && mkdir(dir, 0777))
			die("mkdir %s/%s", top_dir, dir);
		if (!wanted && nftw(dir, remove_one, 64, FTW_DEPTH | FTW_PHYS))
			die("remove %s/%s", top_dir, dir);
	}
}

static void kill_all(const pid_t *pids, int sig)
{
	uint64_t i;

	for (i = 0; i < processes; i++)
		if (pids[i])
			kill(pids[i], sig);
}

/* Takes those that have ended; false = one did not end well, nor by us. */
static bool reap(pid_t *pids, uint64_t *left, bool killed)
{
	int status;
	bool good = true;
	uint64_t i;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		killed &= WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		good &= !status || killed;
		for (i = 0; pids[i] != pid; i++)
			;
		pids[i] = 0;
		--*left;
		if (WIFSIGNALED(status) && !killed)
			fprintf(stderr,
				"fsstress: p%" PRIu64 ": ended by signal %d\n",
				i, WTERMSIG(status));
	}
	return good;
}

/*
 * Waits for all processes; ends them at until_ns (0 = never), at a signal, or
 * when one fails.  false = one failed.
 */
static bool wait_all(pid_t *pids, const sigset_t *watched, uint64_t until_ns)
{
	bool ended = false, killed = false, good = true;
	uint64_t now, left = processes;
	struct timespec t;
	int sig = SIGCHLD;

	while (good &= reap(pids, &left, killed), left) {
		now = now_ns();
		if (!ended && (!good || (until_ns && now >= until_ns) ||
			       (sig > 0 && sig != SIGCHLD))) {
			ended = true;
			stress_stop = 1;
			until_ns = now + KILL_NS;
			kill_all(pids, SIGTERM);
		} else if (ended && now >= until_ns) {
			killed = true;
			until_ns = now + KILL_NS;
			kill_all(pids, SIGKILL);
		}
		/* A second, too, finds who ended before the signal could tell.
		 */
		now = until_ns ? until_ns - now : 1000000000;
		t.tv_sec = (time_t)(now / 1000000000);
		t.tv_nsec = (long)(now % 1000000000);
		sig = sigtimedwait(watched, NULL, &t);
	}
	return good;
}

/* All processes once, from operation number first on; false = one failed. */
static bool run(uint64_t first, uint64_t until_ns, const sigset_t *watched)
{
	static pid_t pids[PROCESSES_MAX];
	pid_t parent = getpid();
	unsigned int i;

	fflush(stdout);
	for (i = 0; i < processes; i++) {
		pids[i] = fork();
		if (!pids[i])
			child(i, parent, first);
		if (pids[i] < 0) {
			fprintf(stderr, "fsstress: fork: %s\n",
				strerror(errno));
			pids[i] = 0;
			kill_all(pids, SIGKILL);
			exit(BENCH_BROKEN);
		}
	}
	return wait_all(pids, watched, until_ns);
}

static uint64_t number(const char *option, const char *text, uint64_t min,
		       uint64_t max)
{
	unsigned long long value;
	char *rest;

	errno = 0;
	value = strtoull(text, &rest, 10);
	if (!isdigit((unsigned char)text[0]) || *rest || errno || value < min ||
	    value > max)
		end(BENCH_USAGE,
		    "%s '%s': expected a whole number, %" PRIu64 " to %" PRIu64,
		    option, text, min, max);
	return value;
}

/* -f OP=N */
static void set_freq(const char *text)
{
	const char *equal = strchr(text, '=');

	if (!equal)
		end(BENCH_USAGE, "-f '%s': expected OP=N", text);
	if (!op_set_freq(text, (size_t)(equal - text),
			 (unsigned int)number("-f", equal + 1, 0, 1000000)))
		end(BENCH_USAGE, "-f '%s': expected an operation of -S t",
		    text);
}

/* Prints for who asked, and ends. */
__attribute__((noreturn)) static void show(const char *what)
{
	if (!what)
		fputs(help, stdout);
	else if (strcmp(what, "c") && strcmp(what, "t"))
		end(BENCH_USAGE, "-S '%s': expected c or t", what);
	else
		op_print(*what == 't');
	if (fflush(stdout))
		die("write stdout");
	exit(0);
}

static void parse(int argc, char **argv)
{
	enum { DURATION = 256, MAX_BYTES };
	static const struct option longs[] = {
		{ "duration", required_argument, NULL, DURATION },
		{ "help", no_argument, NULL, 'H' },
		{ "max-bytes", required_argument, NULL, MAX_BYTES },
		{ NULL, 0, NULL, 0 },
	};
	const char *frequencies = NULL;
	bool seeded = false;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":cd:f:Hl:m:n:p:Rs:S:vwz", longs,
				NULL)) != -1) {
		switch (c) {
		case 'c':
			clean_after = true;
			break;
		case 'd':
			top_dir = optarg;
			break;
		case 'f':
			set_freq(optarg);
			break;
		case 'H':
			show(NULL);
		case 'l':
			loops = number("-l", optarg, 0, INT32_MAX);
			break;
		case 'm':
			stress.owners = number("-m", optarg, 1, INT32_MAX);
			break;
		case 'n':
			ops_wanted = number("-n", optarg, 1, INT32_MAX);
			break;
		case 'p':
			processes = number("-p", optarg, 1, PROCESSES_MAX);
			break;
		case 'R':
			op_clear(true, false);
			break;
		case 's':
			stress.seed = number("-s", optarg, 0, INT64_MAX);
			seeded = true;
			break;
		case 'S':
			frequencies = optarg;
			break;
		case 'v':
			stress.verbose = true;
			break;
		case 'w':
			op_clear(false, true);
			break;
		case 'z':
			op_clear(true, true);
			break;
		case DURATION:
			duration_s = number("--duration", optarg, 1, 86400);
			break;
		case MAX_BYTES:
			stress.max_bytes = number("--max-bytes", optarg,
						  1 << 20, INT64_MAX);
			break;
		case ':':
			end(BENCH_USAGE, "'%s': expected a value after it",
			    argv[optind - 1]);
		default:
			end(BENCH_USAGE,
			    "unknown option '%s': expected one of --help",
			    argv[optind - 1]);
		}
	}
	if (frequencies)
		show(frequencies);
	if (optind < argc)
		end(BENCH_USAGE, "'%s': expected nothing but options",
		    argv[optind]);
	if (!top_dir)
		end(BENCH_USAGE, "expected -d DIR");
	if (!op_freq_sum())
		end(BENCH_USAGE, "no operation is left: expected -f OP=N");
	if (!seeded)
		stress.seed = now_ns() ^ (uint64_t)getpid() << 32;
	stress.seed &= INT64_MAX;
}

static void report(uint64_t elapsed_ns)
{
	struct stats all = { 0 };
	struct record r;
	struct fsdev fs;
	char dev[32];
	uint64_t i;

	for (i = 0; i < processes; i++) {
		all.ops += stats[i].ops;
		all.errors += stats[i].errors;
		all.enospc += stats[i].enospc;
		all.unsupported += stats[i].unsupported;
		all.full += stats[i].full;
		all.read_bytes += stats[i].read_bytes;
		all.written_bytes += stats[i].written_bytes;
	}
	if (fsdev_find(".", &fs))
		die("%s: find its mount", top_dir);
	snprintf(dev, sizeof(dev), "%u:%u", fs.major, fs.minor);
	record_begin(&r, "sample");
	record_add_str(&r, "fs", fs.fs);
	record_add_str(&r, "dev", dev);
	record_add_u64(&r, "processes", processes);
	record_add_u64(&r, "seed", stress.seed);
	record_add_u64(&r, "ops", all.ops);
	record_add_u64(&r, "errors", all.errors);
	record_add_u64(&r, "enospc", all.enospc);
	record_add_u64(&r, "unsupported", all.unsupported);
	record_add_u64(&r, "full", all.full);
	record_add_u64(&r, "read_bytes", all.read_bytes);
	record_add_u64(&r, "written_bytes", all.written_bytes);
	record_add_u64(&r, "elapsed_ns", elapsed_ns);
	/* It fails where one of these did. */
	if (record_write(&r, stdout))
		die("write stdout");
}

int main(int argc, char **argv)
{
	uint64_t start, loop = 0;
	sigset_t watched;

	parse(argc, argv);
	if (duration_s) {
		ops_wanted = 0;
	} else if (!clean_after) {
		/* One loop after the other on the same names. */
		ops_wanted *= loops;
		loops = 1;
	}
	if (mkdir(top_dir, 0777) && errno != EEXIST)
		die("mkdir %s", top_dir);
	if (chdir(top_dir))
		die("%s", top_dir);
	stats = mmap(NULL, processes * sizeof(*stats), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stats == MAP_FAILED)
		die("memory");
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGHUP);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGQUIT);
	sigaddset(&watched, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &watched, NULL))
		die("sigprocmask");
	setvbuf(stdout, NULL, _IOLBF, 0);
	start = now_ns();
	do {
		set_dirs(true);
		if (!run(loop * ops_wanted,
			 duration_s ? start + duration_s * 1000000000 : 0,
			 &watched))
			return BENCH_BROKEN;
		if (clean_after)
			set_dirs(false);
	} while (++loop != loops && !stress_stop);
	report(now_ns() - start);
	return 0;
}
