// SPDX-License-Identifier: GPL-2.0
/*
 * The operation of src/open_read_close.c in will-it-scale's form, as reporters
 * send their workloads: every task opens, reads and closes one file.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static char shared_file[] = "/tmp/open-read-close-XXXXXX";
static char content[1024];

char *testcase_description = "Open, read and close of one file";

void testcase_prepare(unsigned long nr_tasks)
{
	int fd = mkstemp(shared_file);
	ssize_t written = write(fd, content, sizeof(content));

	(void)nr_tasks;
	assert(written == (ssize_t)sizeof(content));
	close(fd);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char buf[sizeof(content)];

	for ((void)nr;; ++*iterations) {
		int fd = open(shared_file, O_RDONLY | O_CLOEXEC);
		ssize_t got = read(fd, buf, sizeof(buf));

		assert(got == (ssize_t)sizeof(buf));
		close(fd);
	}
}

void testcase_cleanup(void)
{
	unlink(shared_file);
}
