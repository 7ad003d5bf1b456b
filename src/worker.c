// SPDX-License-Identifier: GPL-2.0
/*
 * The workers of a run: see worker.h.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include "affinity.h"
#include "gate.h"
#include "process.h"
#include "tracepoint.h"
#include "worker.h"

/* Shared by all threads and processes of the run. */
static struct run {
	_Alignas(BENCH_LINE) _Atomic uint64_t next; /* index to hand out */
	_Alignas(BENCH_LINE) atomic_bool stop;
	_Alignas(BENCH_LINE) atomic_uint running;
	atomic_bool dying;
	struct gate gate;
	struct worker worker[];
} * run;

static const struct bench *bench;

static inline void one_op(struct worker *w, uint64_t index)
{
	uint64_t begin;

	if (bench->calls) {
		bench->op(w, index);
	} else {
		begin = bench_call_begin();
		bench->op(w, index);
		bench_call_end(w, 0, begin);
	}
	w->ops++;
}

static void all_ops(struct worker *w)
{
	uint64_t batch = bench->batch ? bench->batch : 1;
	uint64_t i, end, ops = bench_config.ops;

	if (bench_config.duration_ms) {
		while (!atomic_load_explicit(&run->stop, memory_order_relaxed))
			one_op(w, w->ops);
		return;
	}
	while ((i = atomic_fetch_add_explicit(&run->next, batch,
					      memory_order_relaxed)) < ops) {
		end = ops - i < batch ? ops : i + batch;
		for (; i < end; i++)
			one_op(w, i);
	}
}

static void *work(void *arg)
{
	struct worker *w = arg;
	bool last;

	if (bench_config.affinity)
		affinity_spread(w->id);
	if (bench->worker_setup)
		bench->worker_setup(w);
	gate_pass(&run->gate);
	usage_begin(&w->used);
	all_ops(w);
	last = atomic_fetch_sub(&run->running, 1) == 1;
	if (last && bench->finish)
		bench->finish();
	usage_end(&w->used);
	if (last) {
		tracepoint_disable();
		gate_read_after(&run->gate);
	}
	/* No teardown beside a worker that is still measured. */
	pthread_barrier_wait(&run->gate.all);
	if (bench->worker_teardown)
		bench->worker_teardown(w);
	return NULL;
}

/* Ends a run of --duration-ms from beside the workers: none of them polls. */
static void *keep_time(void *arg)
{
	uint64_t ms = bench_config.duration_ms;
	struct timespec t = { (time_t)(ms / 1000),
			      (long)(ms % 1000) * 1000000 };

	while (sem_wait(&run->gate.opened) && errno == EINTR)
		;
	while (nanosleep(&t, &t) && errno == EINTR)
		;
	atomic_store(&run->stop, true);
	return arg;
}

bool worker_first_to_die(void)
{
	return !run || !atomic_exchange(&run->dying, true);
}

static void run_threads(void)
{
	static pthread_t tid[BENCH_THREADS_MAX];
	unsigned int i, n = (unsigned int)bench_config.threads;

	for (i = 0; i < n; i++) {
		errno = pthread_create(&tid[i], NULL, work, &run->worker[i]);
		if (errno)
			bench_die("pthread_create worker %u", i);
	}
	for (i = 0; i < n; i++)
		pthread_join(tid[i], NULL);
}

static void init_run(const struct fsdev *fs)
{
	unsigned int i, n = (unsigned int)bench_config.threads;

	run = bench_shared(sizeof(*run) + n * sizeof(run->worker[0]));
	gate_init(&run->gate, n, fs, bench->name);
	atomic_store(&run->running, n);
	for (i = 0; i < n; i++) {
		run->worker[i].id = i;
		run->worker[i].rand = bench_mix(bench_config.seed) + i;
	}
}

const struct worker *worker_run(const struct bench *b, const struct fsdev *fs,
				struct blkstat *before, struct blkstat *after)
{
	pthread_t timer;
	unsigned int i;

	bench = b;
	init_run(fs);
	for (i = 0; bench_config.processes && i < bench_config.threads; i++)
		process_start(work, &run->worker[i]);
	/* Not before the forks: a forked copy of a thread's locks is stuck. */
	if (bench_config.duration_ms) {
		errno = pthread_create(&timer, NULL, keep_time, NULL);
		if (errno)
			bench_die("pthread_create timer");
		pthread_detach(timer);
	}
	if (bench_config.processes)
		process_join();
	else
		run_threads();
	*before = run->gate.before;
	*after = run->gate.after;
	return run->worker;
}
