// SPDX-License-Identifier: GPL-2.0
/*
 * Maps against a model: see clonemap.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "clonemap.h"
#include "extents.h"
#include "finding.h"
#include "inodegc.h"

/* Maps file f and closes it; false after a finding, which says when. */
static bool map_file(const struct clonetree *t, unsigned int f, int fd,
		     unsigned int per_call, struct extents *x, const char *when,
		     uint64_t point)
{
	const char *fault = NULL;
	unsigned int which = 0;

	if (!extents_read(fd, per_call, x))
		fault = extents_fault(x, t->blocks * t->block_bytes,
				      t->device_bytes, &which);
	else if (errno == EOPNOTSUPP || errno == ENOTTY)
		bench_skip("FS_IOC_FIEMAP: not supported here");
	else
		fault = strerror(errno);
	if (fault)
		finding("%s %llu: file f%04u: extent %u: %s", when,
			(unsigned long long)point, f, which, fault);
	close(fd);
	return !fault;
}

bool clonemap_scan(struct clonetree *t, struct worker *w, uint64_t point)
{
	static _Thread_local struct extents x;
	unsigned int f = (unsigned int)(bench_rand(&w->rand) % t->files);
	unsigned int per_call = 1u << bench_rand(&w->rand) % 7; /* 1 to 64 */
	int fd = clonetree_open(t, f, O_RDONLY);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0)
		bench_die("open f%04u", f);
	w->n[CLONEMAP_SCANS]++;
	return map_file(t, f, fd, per_call, &x, "race after point", point);
}

bool clonemap_compare(struct clonetree *t, uint64_t point)
{
	static struct extents x;
	unsigned int f;
	bool right = true;
	int fd;

	if (t->log_fd >= 0 &&
	    dprintf(t->log_fd, "point %llu\n", (unsigned long long)point) < 0)
		bench_die("write the log");
	bench_syncfs();
	inodegc_flush(); /* unlinked files give their blocks back */
	sharemap_begin(t->map);
	for (f = 0; f < t->files; f++) {
		if (!t->file[f].there)
			continue;
		fd = clonetree_open(t, f, O_RDONLY);
		if (fd < 0)
			bench_die("open f%04u", f);
		if (!map_file(t, f, fd, EXTENTS_CALL_MAX, &x, "point", point) ||
		    sharemap_compare(t->map, f, &x))
			right = false;
	}
	return !sharemap_end(t->map) && right;
}
