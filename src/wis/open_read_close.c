// SPDX-License-Identifier: GPL-2.0
/*
 * One file, opened, read and closed by all tasks: src/open_read_close.c in
 * will-it-scale's form, as reporters send their workloads.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES 1024

static char path[] = "/tmp/willitscale.XXXXXX";

char *testcase_description = "Open, read and close of one file";

void testcase_prepare(unsigned long nr_tasks)
{
	char buf[FILE_BYTES];
	int fd = mkstemp(path);

	assert(fd >= 0);
	memset(buf, 'A', sizeof(buf));
	assert(write(fd, buf, sizeof(buf)) == sizeof(buf));
	close(fd);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char buf[FILE_BYTES];

	for (;;) {
		int fd = open(path, O_RDONLY);

		assert(fd >= 0);
		assert(read(fd, buf, sizeof(buf)) == sizeof(buf));
		close(fd);
		(*iterations)++;
	}
}

void testcase_cleanup(void)
{
	unlink(path);
}
