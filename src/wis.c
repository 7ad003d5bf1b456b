// SPDX-License-Identifier: GPL-2.0
/*
 * wis: the main of a test case in will-it-scale's form, src/wis/NAME.c, which
 * becomes the helper wis_NAME without a change.
 *
 * Such cases make their files in /tmp.  So DIR is mounted there, in a mount
 * namespace that this process and its tasks have to themselves.  Where mounts
 * are shared, what others unmount goes from there, too.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>
#include "bench.h"
#include "wis.h"

static void mount_dir(void)
{
	const char *dir = bench_config.dir;

	if (unshare(CLONE_NEWNS)) {
		if (errno == EPERM || errno == ENOSYS)
			bench_skip("%s cannot be put at /tmp: may not mount",
				   dir);
		bench_die("unshare CLONE_NEWNS");
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		bench_die("keep mounts to ourselves");
	if (mount(dir, "/tmp", NULL, MS_BIND, NULL))
		bench_die("mount %s at /tmp", dir);
	if (chdir("/tmp"))
		bench_die("chdir /tmp");
	bench_config.dir = "/tmp"; /* DIR may lie below the old one */
}

static void wis_setup(void)
{
	if (bench_config.latency)
		bench_usage("--latency: a loop that never returns has no "
			    "operations to time, expected it left out");
	mount_dir();
	if (testcase_prepare)
		testcase_prepare(bench_config.threads);
}

int main(int argc, char **argv)
{
	const struct bench helper = {
		.name = program_invocation_short_name,
		.desc = testcase_description,
		.args = "DIR",
		.modes = BENCH_DURATION,
		.setup = wis_setup,
	};

	return bench_main(&helper, argc, argv);
}
