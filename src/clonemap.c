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

/* Maps a file; NULL, or what is wrong in extent *which. */
static const char *map_file(const struct clonetree *t, int fd,
			    unsigned int per_call, struct extents *x,
			    unsigned int *which)
{
	*which = 0;
	if (!extents_read(fd, per_call, x))
		return extents_fault(x, t->blocks * t->block_bytes,
				     t->device_bytes, which);
	if (errno == EOPNOTSUPP || errno == ENOTTY)
		bench_skip("FS_IOC_FIEMAP: not supported here");
	return strerror(errno);
}

bool clonemap_scan(struct clonetree *t, struct worker *w, uint64_t point)
{
	static _Thread_local struct extents x;
	unsigned int f = (unsigned int)(bench_rand(&w->rand) % t->files), which;
	unsigned int per_call = 1u << bench_rand(&w->rand) % 7; /* 1 to 64 */
	int fd = clonetree_open(t, f, O_RDONLY);
	const char *fault;

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0)
		bench_die("open f%04u", f);
	fault = map_file(t, fd, per_call, &x, &which);
	if (fault)
		finding("race after point %llu: file f%04u: extent %u: %s",
			(unsigned long long)point, f, which, fault);
	close(fd);
	w->n[CLONEMAP_SCANS]++;
	return !fault;
}

bool clonemap_compare(struct clonetree *t, uint64_t point)
{
	static struct extents x;
	const char *fault;
	unsigned int f, which;
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
		fault = map_file(t, fd, EXTENTS_CALL_MAX, &x, &which);
		if (fault)
			finding("point %llu: file f%04u: extent %u: %s",
				(unsigned long long)point, f, which, fault);
		if (fault || sharemap_compare(t->map, f, &x))
			right = false;
		close(fd);
	}
	return !sharemap_end(t->map) && right;
}
