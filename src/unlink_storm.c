// SPDX-License-Identifier: GPL-2.0
/*
 * unlink_storm: is all space back after a storm of unlinks?
 *
 * Threads create, write, unlink and close files, each in a directory of its
 * own, most of them unlinked while open and held for a while.  After each wave
 * all rest: what is held has its blocks, its inode and its data still; then it
 * is closed, and statfs must say what it said before.  Or the file system is
 * shut down in the middle of the last wave, and nothing is asked after that.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "bench.h"
#include "finding.h"
#include "orphans.h"
#include "rounds.h"
#include "space.h"
#include "xfsag.h"

#define GOINGDOWN _IOR('X', 125, uint32_t) /* of xfs_fs.h */
#define BLOCK 4096
#define BLOCKS_MAX 16 /* a file */

static uint64_t files = 300, waves = 3, wait_ms = SPACE_WAIT_MS;
static unsigned int shutdown_by; /* 0 = no; else the flag of the ioctl */
static unsigned int dir_of[ORPHANS_WORKERS];
static struct space start;
static struct rounds all;
static atomic_bool down; /* the file system: calls may fail */
static bool over; /* after a finding */

static void shut_down(void)
{
	int fd = bench_open(O_RDONLY | O_DIRECTORY, "%s", bench_config.dir);
	uint32_t flag = shutdown_by;

	atomic_store(&down, true);
	if (ioctl(fd, GOINGDOWN, &flag))
		bench_die("XFS_IOC_GOINGDOWN");
	close(fd);
}

/* What a call gave, that fails while the file system is down alone. */
static bool did(int ret, const char *what)
{
	if (ret < 0 && !atomic_load(&down))
		bench_die("%s", what);
	return ret >= 0;
}

/* The life of a file, as far as it comes. */
static void one_file(struct worker *w, uint64_t number)
{
	size_t bytes = BLOCK * (1 + bench_rand(&w->rand) % BLOCKS_MAX);
	bool orphan = bench_rand(&w->rand) % 4; /* unlinked while open */
	char path[4096], buf[BLOCK * BLOCKS_MAX];
	int fd;

	memset(buf, (int)(w->id + 1), bytes);
	snprintf(path, sizeof(path), "%s/d%05u/f%llu", bench_config.dir,
		 dir_of[w->id], (unsigned long long)number);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (!did(fd, path))
		return;
	/* Some have blocks on the device, some in memory alone. */
	if (!did(pwrite(fd, buf, bytes, 0) == (ssize_t)bytes ? 0 : -1, path) ||
	    !did(number % 4 ? 0 : fdatasync(fd), path) ||
	    (orphan && !did(unlink(path), path)))
		close(fd);
	else if (orphan)
		did(orphans_put(w->id, number, fd), "close");
	else if (did(close(fd), path))
		did(unlink(path), path);
}

static void storm_op(struct worker *w, uint64_t index)
{
	uint64_t wave, i, at = shutdown_by && !index ? files / 2 : files;

	for (wave = 0; wave < waves && !over; wave++) {
		for (i = 0; i < files && !atomic_load(&down); i++) {
			if (wave + 1 == waves && i == at)
				shut_down();
			one_file(w, i);
		}
		rounds_meet(&all);
		if (!index && !down && !orphans_check(&start))
			over = true;
		rounds_meet(&all);
		for (i = 0; i < ORPHANS; i++)
			did(orphans_put(w->id, i, -1), "close");
		rounds_meet(&all);
		if (!index && !down &&
		    !space_returns(&start, wait_ms, "after the last close"))
			over = true;
		rounds_meet(&all);
	}
}

static void storm_setup(void)
{
	if (bench_config.threads > ORPHANS_WORKERS || bench_config.processes)
		bench_usage("expected at most %u --threads, no --processes",
			    ORPHANS_WORKERS);
	bench_config.ops = bench_config.threads;
	xfsag_make_dirs(bench_config.dir, bench_config.threads, 0, dir_of);
	orphans_init();
	rounds_init(&all, bench_config.threads);
	space_settled(&start);
}

static void storm_report(struct record *r, const struct worker *w,
			 unsigned int n)
{
	if (shutdown_by && !atomic_load(&down) && !over)
		bench_broken("premise: the file system was not shut down");
	finding_report(r, w, n);
}

static const struct bench_option options[] = {
	OPT_U64("files", "N", &files, ORPHANS, 1000000,
		"files a thread and wave (300)"),
	OPT_U64("waves", "N", &waves, 1, 1000000, "waves (3)"),
	SPACE_WAIT_OPTION(&wait_ms),
	OPT_CHOICE("shutdown", "no|logflush|nologflush", &shutdown_by,
		   "in the middle of the last wave (no)"),
	OPT_END
};

static const struct bench unlink_storm = {
	.name = "unlink_storm",
	.desc = "free space after a storm of unlinks; prints findings",
	.args = "DIR",
	.options = options,
	.setup = storm_setup,
	.op = storm_op,
	.report = storm_report,
};

int main(int argc, char **argv)
{
	return bench_main(&unlink_storm, argc, argv);
}
