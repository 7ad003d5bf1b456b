/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The copy in memory that says what a file holds after each operation.
 */
#ifndef FSRATIO_SHADOW_H
#define FSRATIO_SHADOW_H

#include "oplog.h"

struct shadow {
	char *bytes; /* max_bytes of them, zeroes from size on */
	uint64_t size, max_bytes;
	uint64_t seed; /* of the data */
};

/* The size after an operation on a file of c->before bytes. */
uint64_t shadow_size_after(const struct call *c);

/*
 * May the operation be done on the file as it is?  False where it would lead
 * out of the copy or is an error by its man page, and where its sizes are not
 * those of the copy.
 */
bool shadow_fits(const struct shadow *s, const struct call *c);

/* Does an operation that fits. */
void shadow_apply(struct shadow *s, const struct call *c);

/*
 * Where the byte at p, found among [begin, end), came from: the number of an
 * operation up to last that wrote it, and at which offset; false = from none.
 */
bool shadow_writer(const struct shadow *s, uint64_t last, const char *p,
		   const char *begin, const char *end, uint64_t *n,
		   uint64_t *offset);

#endif
