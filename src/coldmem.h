/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is not there: a private mapping of a file, out of the page cache.
 * A direct read into it looks up its blocks, then pins the memory, a read of
 * the disk a page, and only then asks for the blocks.  Whoever frees them must
 * wait for all that.
 */
#ifndef FSRATIO_COLDMEM_H
#define FSRATIO_COLDMEM_H

#include <stddef.h>

/* Makes DIR/memory, of so many bytes for each of n workers, and maps it. */
void coldmem_make(unsigned int n, size_t bytes);

/* That of worker id; what was there is lost, and its pages are gone. */
char *coldmem_chill(unsigned int id);

/* Closes and unmaps it. */
void coldmem_end(void);

#endif
