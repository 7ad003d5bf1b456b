// SPDX-License-Identifier: GPL-2.0
/*
 * clone_shrink: files cloned from DIR/source by whole blocks, then cut, written
 * to and extended, some times each, by all workers at once, against a model of
 * their bytes.  Behind EOF the last page is zeros before any extension, and the
 * source stays as it was.  With --verify all that again for an earlier run of
 * the same --ops and --seed, as it has come from the disk.  Prints findings.
 */
#include <fcntl.h>
#include <stdlib.h>
#include "bench.h"
#include "finding.h"
#include "model.h"

#define CHANGES_MAX 5 /* of a file, after the clone */
#define GROW_MAX 9000 /* bytes; two blocks and some */

static struct model source;
static bool verify;

/* A write within the file or from its end on, with a gap where it is behind. */
static void write_some(struct model *m, uint64_t *rand, struct stamp s)
{
	size_t at = bench_rand(rand) % (m->size + GROW_MAX);
	size_t len = 1 + bench_rand(rand) % GROW_MAX;

	if (at + len > MODEL_BYTES)
		len = MODEL_BYTES - at;
	if (at < MODEL_BYTES)
		model_write(m, s, at, len);
}

static void extend(struct model *m, uint64_t *rand)
{
	size_t size = m->size + 1 + bench_rand(rand) % GROW_MAX;

	if (size <= MODEL_BYTES)
		model_truncate(m, size);
}

/* The operations on file number n follow from it and from the seed alone. */
static void change_file(struct model *m, uint64_t n)
{
	uint64_t rand = bench_mix(bench_config.seed) + n;
	size_t blocks = 1 + bench_rand(&rand) % 22;
	size_t at = bench_rand(&rand) % (32 - blocks + 1);
	unsigned int i,
		changes = 1 + (unsigned int)(bench_rand(&rand) % CHANGES_MAX);
	struct stamp s = { .file = 2 + (unsigned int)(n % (STAMP_FILES - 2)) };

	model_clone(m, &source, at * MODEL_BLOCK, blocks * MODEL_BLOCK);
	for (i = 0; i < changes; i++) {
		s.generation = i + 1;
		/* Cut first, and most often: that is what the others show. */
		if (i == 0 || bench_rand(&rand) % 2)
			model_truncate(m,
				       1 + bench_rand(&rand) %
						       (m->size ? m->size : 1));
		else if (bench_rand(&rand) % 2)
			write_some(m, &rand, s);
		else
			extend(m, &rand);
		if (m->fd >= 0)
			model_check_tail(m);
	}
}

static void make_file(struct model *m, uint64_t n)
{
	model_open(m, O_RDWR | O_CREAT | O_EXCL, "f%05u", (unsigned int)n);
	change_file(m, n);
	model_check(m);
	model_close(m);
}

/* What is on the disk; then what an extension brings to light. */
static void verify_file(struct model *m, uint64_t n)
{
	model_open(m, -1, "f%05u", (unsigned int)n);
	change_file(m, n);
	model_reopen(m, O_RDWR);
	model_check_tail(m);
	model_check(m);
	model_truncate(m, m->size < MODEL_BYTES - GROW_MAX ?
				  m->size + GROW_MAX :
				  MODEL_BYTES);
	model_check(m);
	model_close(m);
}

static void clone_shrink_op(struct worker *w, uint64_t index)
{
	(verify ? verify_file : make_file)(w->priv, index);
}

static void clone_shrink_worker_setup(struct worker *w)
{
	w->priv = malloc(sizeof(struct model));
	if (!w->priv)
		bench_die("memory of worker %u", w->id);
}

static void clone_shrink_worker_teardown(struct worker *w)
{
	free(w->priv);
}

static void clone_shrink_setup(void)
{
	struct stamp s = { .file = 1, .generation = 1 };

	if (bench_config.processes)
		bench_usage("expected no --processes");
	model_open(&source, verify ? -1 : O_RDWR | O_CREAT | O_EXCL, "source");
	model_write(&source, s, 0, MODEL_BYTES);
	if (verify)
		model_reopen(&source, O_RDONLY);
	else
		bench_syncfs();
}

static void clone_shrink_finish(void)
{
	model_check(&source);
	model_close(&source);
}

static const struct bench_option options[] = {
	OPT_FLAG("verify", &verify, "look at what an earlier run has left"),
	OPT_END
};

static const struct bench clone_shrink = {
	.name = "clone_shrink",
	.desc = "clone, cut, write and extend files; check each byte",
	.args = "DIR",
	.modes = BENCH_OPS,
	.options = options,
	.setup = clone_shrink_setup,
	.worker_setup = clone_shrink_worker_setup,
	.op = clone_shrink_op,
	.worker_teardown = clone_shrink_worker_teardown,
	.finish = clone_shrink_finish,
	.report = finding_report,
};

int main(int argc, char **argv)
{
	return bench_main(&clone_shrink, argc, argv);
}
