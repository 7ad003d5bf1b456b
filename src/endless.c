// SPDX-License-Identifier: GPL-2.0
/*
 * The workers of a run whose operation never returns: worker.h for test cases
 * in will-it-scale's form, in place of worker.c.
 *
 * A task counts what it does in a cache line of its own.  This process sleeps
 * beside the tasks, reads their counters while they run, which ends the
 * interval, and then stops each by a signal, in whose handler it tells what
 * it used and stays.  It is never taken out of the call that it is in.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "affinity.h"
#include "gate.h"
#include "process.h"
#include "tracepoint.h"
#include "wis.h"
#include "worker.h"

struct task {
	unsigned long long iterations;
	pid_t pid, tid;
} __attribute__((aligned(BENCH_LINE)));

/* Shared by all threads and processes of the run. */
static struct run {
	atomic_bool dying;
	sem_t ended; /* of each task that was stopped */
	struct gate gate;
	struct worker worker[];
} * run;

static struct task *tasks; /* shared, too */
static const struct bench *bench;
static __thread struct worker *self;

static int stop_signal(void)
{
	return SIGRTMAX - 1; /* that a case hardly uses itself */
}

bool worker_first_to_die(void)
{
	return !run || !atomic_exchange(&run->dying, true);
}

static void stop(int number)
{
	(void)number;
	usage_end(&self->used);
	sem_post(&run->ended);
	for (;;)
		pause();
}

static void *work(void *arg)
{
	struct sigaction act = { .sa_handler = stop };
	struct task *t;
	sigset_t chld;

	self = arg;
	t = &tasks[self->id];
	t->pid = getpid();
	t->tid = (pid_t)syscall(SYS_gettid);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigfillset(&act.sa_mask);
	if (sigaction(stop_signal(), &act, NULL) ||
	    sigprocmask(SIG_UNBLOCK, &chld, NULL))
		bench_die("sigaction");
	if (bench_config.affinity)
		affinity_spread(self->id);
	gate_pass(&run->gate);
	usage_begin(&self->used);
	testcase(&t->iterations, self->id);
	bench_broken("testcase() of task %u returned", self->id);
}

/* A task process that has ended, for none may. */
static void check_children(void)
{
	siginfo_t info = { 0 };

	if (!bench_config.processes ||
	    waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ||
	    !info.si_pid)
		return;
	if (info.si_code == CLD_EXITED && info.si_status) {
		process_kill(); /* and has said why */
		_exit(info.si_status);
	}
	if (info.si_code == CLD_EXITED)
		bench_broken("task process %d left by exit(0)", info.si_pid);
	bench_broken("task process %d was killed by signal %d", info.si_pid,
		     info.si_status);
}

/* Waits for a sem, beside tasks that may die. */
static void await(sem_t *sem)
{
	struct timespec t;

	for (;;) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec++;
		if (!sem_timedwait(sem, &t))
			return;
		check_children();
	}
}

/* Sleeps until --duration-ms are over, or a task has died. */
static void sleep_beside(void)
{
	uint64_t end = bench_now_ns() + bench_config.duration_ms * 1000000;
	sigset_t chld;
	uint64_t now;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	while ((now = bench_now_ns()) < end) {
		struct timespec t = { (time_t)((end - now) / 1000000000),
				      (long)((end - now) % 1000000000) };

		if (sigtimedwait(&chld, NULL, &t) == SIGCHLD)
			check_children();
	}
}

/* The end of the interval: all numbers, then the tasks are stopped. */
static void end_run(unsigned int n)
{
	uint64_t now;
	unsigned int i;

	for (i = 0; i < n; i++)
		run->worker[i].ops =
			__atomic_load_n(&tasks[i].iterations, __ATOMIC_RELAXED);
	now = bench_now_ns();
	tracepoint_disable();
	for (i = 0; i < n; i++)
		if (syscall(SYS_tgkill, tasks[i].pid, tasks[i].tid,
			    stop_signal()))
			bench_die("stop task %u", i);
	for (i = 0; i < n; i++)
		await(&run->ended);
	gate_read_after(&run->gate);
	for (i = 0; i < n; i++)
		run->worker[i].used.end_ns = now;
	process_kill();
}

static void start_tasks(unsigned int n)
{
	sigset_t chld;
	pthread_t tid;
	unsigned int i;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &chld, NULL))
		bench_die("sigprocmask");
	/* One that is stopped in malloc keeps its arena locked. */
	mallopt(M_ARENA_MAX, BENCH_THREADS_MAX + 1);
	for (i = 0; i < n; i++) {
		run->worker[i].id = i;
		if (bench_config.processes) {
			process_start(work, &run->worker[i]);
			continue;
		}
		errno = pthread_create(&tid, NULL, work, &run->worker[i]);
		if (errno)
			bench_die("pthread_create task %u", i);
	}
}

const struct worker *worker_run(const struct bench *b, const struct fsdev *fs,
				struct blkstat *before, struct blkstat *after)
{
	unsigned int n = (unsigned int)bench_config.threads;

	bench = b;
	run = bench_shared(sizeof(*run) + n * sizeof(run->worker[0]));
	tasks = bench_shared(n * sizeof(*tasks));
	gate_init(&run->gate, n, fs, b->name);
	if (sem_init(&run->ended, 1, 0))
		bench_die("sem_init");
	start_tasks(n);
	await(&run->gate.opened);
	sleep_beside();
	end_run(n);
	if (testcase_cleanup)
		testcase_cleanup();
	*before = run->gate.before;
	*after = run->gate.after;
	return run->worker;
}
