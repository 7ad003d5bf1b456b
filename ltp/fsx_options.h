/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of fsx.
 */
#ifndef FSRATIO_FSX_OPTIONS_H
#define FSRATIO_FSX_OPTIONS_H

#include "oplog.h"

#define FSX_ALIGN_MAX (1u << 20)

struct fsx_options {
	struct oplog log; /* seed, size of the file, direct I/O */
	uint64_t weights[OPS]; /* of drawing an operation; 0 = never */
	uint64_t op_bytes; /* of an operation, at most */
	uint64_t read_align, write_align, trunc_align; /* bytes */
	uint64_t cluster_bytes; /* of collapse and insert; 0 = a block */
	uint64_t block_bytes, page_bytes; /* found, not given */
	uint64_t ops; /* UINT64_MAX = no end */
	uint64_t duration_s; /* 0 = no end */
	uint64_t epoch_ops; /* of one file and log */
	uint64_t reopen_one_in, progress_ops; /* 0 = never */
	uint64_t pollute; /* 1: before the file grows */
	bool fixed_length; /* always op_bytes */
	bool no_keep_size, no_size_check;
	unsigned int flags; /* of every operation */
	bool debug, quiet;
	const char *evidence_dir; /* NULL = that of the file */
	bool record; /* keep the log, in record_path or by its own name */
	const char *record_path, *replay_path;
	const char *path; /* the file */
};
extern struct fsx_options opt;

/* "fsx: TEXT" on stderr, ": strerror(err)" where err is one; ends by status. */
__attribute__((noreturn, format(printf, 3, 4))) void
fsx_quit(int status, int err, const char *fmt, ...);

/*
 * Fills in opt.  Prints the help and exits 0, or says what was expected and
 * exits 2, where that is what argv says.
 */
void fsx_parse(int argc, char **argv);

#endif
