// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a file of records for the judge; see recfile.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "recfile.h"

void recfile_broken(const struct recfile *f, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	/* it shows bytes of a file that may be anything */
	for (char *c = what; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	fprintf(stderr, "judge: %s:%lu: %s\n", f->path, f->line, what);
	exit(1);
}

bool recfile_next(struct recfile *f)
{
	char why[256];
	ssize_t len;
	int kind;

	if (!f->fp)
		f->fp = fopen(f->path, "re");
	while (f->fp && (len = getline(&f->buf, &f->size, f->fp)) > 0) {
		f->line++;
		if (strlen(f->buf) != (size_t)len)
			recfile_broken(f, "a NUL byte, expected text");
		/* a helper or a disk that gave up in the middle */
		if (f->buf[len - 1] != '\n')
			recfile_broken(f, "the last line has no newline, "
					  "expected a whole line");
		kind = record_parse(f->buf, &f->rec, why, sizeof(why));
		if (kind < 0)
			recfile_broken(f, "%s", why);
		if (kind == 0)
			return true;
	}
	if (!f->fp || !feof(f->fp))
		recfile_broken(f, "%s, expected a readable file",
			       strerror(errno));
	fclose(f->fp);
	free(f->buf);
	f->buf = NULL;
	return false;
}

const char *recfile_str(const struct recfile *f, const char *key)
{
	const char *v = record_get(&f->rec, key);

	if (!v)
		recfile_broken(f, "no key %s, expected %s=...", key, key);
	return v;
}

uint64_t recfile_u64(const struct recfile *f, const char *key)
{
	char why[256];
	uint64_t v;

	if (record_get_u64(&f->rec, key, &v, why, sizeof(why)))
		recfile_broken(f, "%s", why);
	return v;
}

double recfile_decimal(const struct recfile *f, const char *key)
{
	static const char digits[] = "0123456789";
	const char *v = recfile_str(f, key);
	size_t len = strspn(v, digits), part = 0;
	double d = strtod(v, NULL);

	if (v[len] == '.')
		part = 1 + strspn(v + len + 1, digits);
	if (!len || part == 1 || v[len + part] || !(d > 0) || d > 1e18)
		recfile_broken(f,
			       "%s=%.40s, expected a decimal above 0, to 1e18",
			       key, v);
	return d;
}
