/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File contents that say of every byte who wrote it, when and where: each
 * aligned 8 bytes of a file are a stamp of file, generation and offset.  Each
 * byte of a stamp has its top bit set, so that none of it is taken for a zero.
 */
#ifndef FSRATIO_STAMP_H
#define FSRATIO_STAMP_H

#include <stdint.h>
#include <sys/types.h>

#define STAMP_FILES (1u << 6)
#define STAMP_GENERATIONS (1u << 24)
#define STAMP_BYTES (1u << 29) /* largest file offset */

struct stamp {
	unsigned int file, generation;
};

/* Fills buf with what the file has at [at, at + len), at of any alignment. */
void stamp_fill(void *buf, size_t len, struct stamp s, uint64_t at);

/*
 * The first byte of buf, read at offset at, that is not s's; zeros are right,
 * too, where zero_ok.  len = none.
 */
size_t stamp_differs(const void *buf, size_t len, struct stamp s, uint64_t at,
		     int zero_ok);

/* The first byte of buf that is not zero; len = none. */
size_t stamp_nonzero(const void *buf, size_t len);

/*
 * Takes the stamp at buf + i apart, i < len; buf is what was read at offset at.
 * Gives the offset that it says, or UINT64_MAX where no stamp is.
 */
uint64_t stamp_read(const void *buf, size_t len, size_t i, uint64_t at,
		    struct stamp *s);

/*
 * One finding (finding.h): "FILE: offset 90000: EXPECTED expected, found d3
 * (file 1 generation 7 offset 90000)", of the byte buf[i] read at offset at.
 */
void stamp_finding(const char *file, const char *expected, const void *buf,
		   size_t len, size_t i, uint64_t at);

#endif
