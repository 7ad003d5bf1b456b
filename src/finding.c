// SPDX-License-Identifier: GPL-2.0
/*
 * Lines about broken rules: see finding.h.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "finding.h"

static atomic_uint findings;

/* A line is one write: those of two threads do not mix. */
void finding(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (atomic_fetch_add(&findings, 1) >= FINDINGS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (dprintf(STDOUT_FILENO, "%s\n", text) < 0)
		bench_die("write stdout");
}

void finding_report(struct record *r, const struct worker *w, unsigned int n)
{
	unsigned int count = atomic_load(&findings);

	(void)r;
	(void)w;
	(void)n;
	if (count > FINDINGS_MAX &&
	    dprintf(STDOUT_FILENO, "%u findings in all\n", count) < 0)
		bench_die("write stdout");
	exit(0);
}
