// SPDX-License-Identifier: GPL-2.0
/*
 * Clones that are cut: see cutfile.h.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"
#include "cutfile.h"
#include "finding.h"

#define OLD_BYTES (24u * MODEL_BLOCK)

/* They follow from n and the seed; the cut is not at a block's end. */
static void sizes_of(uint64_t n, size_t *cut, size_t *extended)
{
	uint64_t rand = bench_mix(bench_config.seed) + n;

	*cut = bench_rand(&rand) % (OLD_BYTES / MODEL_BLOCK) * MODEL_BLOCK + 1 +
	       bench_rand(&rand) % (MODEL_BLOCK - 1);
	*extended = *cut + 1 + bench_rand(&rand) % (2 * MODEL_BLOCK);
	if (*extended == OLD_BYTES)
		(*extended)++;
}

void cutfile_make(const struct model *source, uint64_t n)
{
	static struct model m;

	model_open(&m, O_RDWR | O_CREAT | O_EXCL, "f%05u", (unsigned int)n);
	model_clone(&m, source, 0, OLD_BYTES);
	if (close(m.fd))
		bench_die("close %s", m.name);
}

int cutfile_cut(uint64_t n)
{
	size_t cut, extended;
	char path[PATH_MAX];
	int fd, rc;

	sizes_of(n, &cut, &extended);
	snprintf(path, sizeof(path), "%s/f%05u", bench_config.dir,
		 (unsigned int)n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = ftruncate(fd, (off_t)cut);
	if (!rc && n % 2)
		rc = ftruncate(fd, (off_t)extended);
	return close(fd) ? -1 : rc;
}

/*
 * XFS logs the cut size at once.  To extend, it writes the zeros back first,
 * and their end, that of a block, becomes the size until the transaction
 * follows.
 */
static enum cutfile_size size_of(const struct model *m, uint64_t n, size_t cut,
				 size_t extended, size_t *size)
{
	struct stat st;

	if (fstat(m->fd, &st))
		bench_die("stat %s", m->name);
	*size = (size_t)st.st_size;
	if (*size == OLD_BYTES)
		return CUTFILE_OLD;
	if (*size == cut)
		return CUTFILE_CUT;
	if (n % 2 && (*size == extended || (*size > cut && *size < extended &&
					    *size % MODEL_BLOCK == 0)))
		return CUTFILE_EXTENDED;
	finding("%s: size %u, %zu or %zu expected, found %zu", m->name,
		OLD_BYTES, cut, n % 2 ? extended : cut, *size);
	return CUTFILE_SIZES;
}

/* The rest of the block may be zeros before the file is cut; stamps never are.
 */
static void check_rest(struct model *m, size_t cut)
{
	char byte;

	if (pread(m->fd, &byte, 1, (off_t)cut) != 1)
		bench_die("read %s", m->name);
	if (!byte)
		memset(m->bytes + cut, 0, MODEL_BLOCK - cut % MODEL_BLOCK);
}

enum cutfile_size cutfile_check(const struct model *source, struct model *m,
				uint64_t n)
{
	size_t cut, extended, bytes;
	enum cutfile_size size;
	int fd;

	sizes_of(n, &cut, &extended);
	model_open(m, O_RDWR, "f%05u", (unsigned int)n);
	size = size_of(m, n, cut, extended, &bytes);
	/* In memory alone, as the file is found. */
	fd = m->fd;
	m->fd = -1;
	model_clone(m, source, 0, OLD_BYTES);
	if (size == CUTFILE_CUT || size == CUTFILE_EXTENDED)
		model_truncate(m, cut);
	if (size == CUTFILE_EXTENDED)
		model_truncate(m, bytes);
	m->fd = fd;
	if (size == CUTFILE_OLD)
		check_rest(m, cut);
	if (size != CUTFILE_SIZES) {
		model_check(m);
		model_truncate(m, m->size + MODEL_BLOCK);
		model_check(m);
	}
	model_close(m);
	return size;
}
