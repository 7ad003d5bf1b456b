/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of a helper: bench's options and the helper's own.
 */
#ifndef FSRATIO_OPTION_H
#define FSRATIO_OPTION_H

#include "bench.h"

/*
 * Parses all options into bench_config and the helper's variables.  Prints
 * the help and exits 0, or ends by bench_usage, where that is what argv says.
 * Gives the index of the first positional argument.
 */
int option_parse(const struct bench *b, int argc, char **argv);

#endif
