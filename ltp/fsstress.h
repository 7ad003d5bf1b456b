/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fsstress in two parts: fsstress.c has the command line and the processes,
 * fsstress_ops.c what one of them does in its directory.
 */
#ifndef FSRATIO_FSSTRESS_H
#define FSRATIO_FSSTRESS_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../src/bench.h"

/* What a process did; shared with the parent. */
struct stats {
	uint64_t ops; /* operations, with those that failed as they may */
	uint64_t errors; /* calls that failed as they may */
	uint64_t enospc, unsupported; /* of these, for want of space, of support
				       */
	uint64_t full; /* operations left out to keep below max_bytes */
	uint64_t read_bytes, written_bytes;
};

/* The command line; read only for a process. */
extern struct stress {
	uint64_t seed;
	uint64_t max_bytes; /* of a process */
	uint64_t owners; /* user and group ids of chown are below it */
	bool verbose; /* print each call */
} stress;

/* Set by SIGTERM: no further operation begins. */
extern volatile sig_atomic_t stress_stop;

/* Prints "fsstress: TEXT" on stderr and ends this process with status. */
__attribute__((noreturn, format(printf, 2, 3))) void end(int status,
							 const char *fmt, ...);

/* The same, exit 1, where a call failed: errno says why. */
#define die(fmt, ...) \
	end(BENCH_BROKEN, fmt ": %s", ##__VA_ARGS__, strerror(errno))

/* Sets how often an operation comes, among all; false = no such name. */
bool op_set_freq(const char *name, size_t len, unsigned int freq);

/* Takes away operations that write, or others. */
void op_clear(bool of_writes, bool of_others);

/* Prints all frequencies: a table, or as options. */
void op_print(bool as_table);

/* The sum of all frequencies. */
uint64_t op_freq_sum(void);

/* Process number process is about to run operations in its current directory.
 */
void op_begin(unsigned int process, struct stats *of);

/* Operation number number, counted in stats; ends the process if it is broken.
 */
void op_run(uint64_t number);

#endif
