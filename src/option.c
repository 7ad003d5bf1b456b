// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a helper: see option.h.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "option.h"
#include "tracepoint.h"

#define OPTIONS_MAX 40

static bool help_wanted;

/* clang-format off */
static const struct bench_option common[] = {
	{ BENCH_OPT("ops", "N", U64, u64, &bench_config.ops,
		    "operations in all"),
	  .min = 1, .max = INT64_MAX, .modes = BENCH_OPS },
	{ BENCH_OPT("duration-ms", "N", U64, u64, &bench_config.duration_ms,
		    "or: go on for so long"),
	  .min = 1, .max = 86400000, .modes = BENCH_DURATION },
	OPT_U64("threads", "N", &bench_config.threads, 1, BENCH_THREADS_MAX,
		"workers (1)"),
	OPT_FLAG("processes", &bench_config.processes,
		 "workers are processes, not threads"),
	OPT_CHOICE("affinity", "none|spread", &bench_config.affinity,
		   "spread: worker i on the i-th CPU allowed (none)"),
	OPT_U64("seed", "N", &bench_config.seed, 0, INT64_MAX,
		"seed of all that is random (1)"),
	OPT_FLAG("latency", &bench_config.latency,
		 "record p50_ns p99_ns p999_ns max_ns of an operation"),
	OPT_EACH("count", "KEY=SYSTEM:EVENT[:FILTER]", tracepoint_add,
		 "count a tracepoint on all CPUs; may be repeated"),
	OPT_EACH("count-task", "KEY=SYSTEM:EVENT[:FILTER]", tracepoint_add_task,
		 "the same, of what the workers do themselves"),
	OPT_FLAG("help", &help_wanted, "print this"),
	OPT_END
};
/* clang-format on */

/* The options that this helper takes, its own first.  Their number. */
static int gather(const struct bench *b, const struct bench_option **all)
{
	const struct bench_option *o;
	int n = 0;

	for (o = b->options; o && o->name; o++)
		all[n++] = o;
	for (o = common; o->name; o++)
		if (!o->modes || o->modes & b->modes)
			all[n++] = o;
	return n;
}

static void help(const struct bench *b, const struct bench_option **all, int n)
{
	char left[64];
	int i;

	printf("usage: %s [options] %s\n%s\n\n", b->name, b->args, b->desc);
	for (i = 0; i < n; i++) {
		snprintf(left, sizeof(left), "--%s %s", all[i]->name,
			 all[i]->arg ? all[i]->arg : "");
		printf("  %-22s %s%s\n", left,
		       strlen(left) > 22 ? "\n\t\t\t " : "", all[i]->help);
	}
	if (fflush(stdout))
		bench_die("write stdout");
	exit(0);
}

/* The index of text among "a|b|c", or -1. */
static int choice(const char *set, const char *text)
{
	size_t len;
	int i;

	for (i = 0; *set; i++, set += len + (set[len] == '|')) {
		len = strcspn(set, "|");
		if (strlen(text) == len && !strncmp(set, text, len))
			return i;
	}
	return -1;
}

static void number(const struct bench_option *o, const char *text)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno ||
	    value < o->min || value > o->max)
		bench_usage("--%s '%s': expected a whole number, %llu to %llu",
			    o->name, text, (unsigned long long)o->min,
			    (unsigned long long)o->max);
	*o->to.u64 = value;
}

static void take(const struct bench_option *o, const char *text)
{
	const char *expected;
	int i;

	switch (o->type) {
	case BENCH_FLAG:
		*o->to.flag = true;
		break;
	case BENCH_U64:
		number(o, text);
		break;
	case BENCH_CHOICE:
		i = choice(o->arg, text);
		if (i < 0)
			bench_usage("--%s '%s': expected %s", o->name, text,
				    o->arg);
		*o->to.choice = (unsigned int)i;
		break;
	case BENCH_TEXT:
		*o->to.text = text;
		break;
	case BENCH_EACH:
		expected = o->to.each(text);
		if (expected)
			bench_usage("--%s '%s': expected %s", o->name, text,
				    expected);
		break;
	}
}

int option_parse(const struct bench *b, int argc, char **argv)
{
	const struct bench_option *all[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1] = { 0 };
	int c, i, n = gather(b, all), min_args = 0, max_args = 0;
	const char *arg;

	for (i = 0; i < n; i++)
		longs[i] = (struct option){ all[i]->name, all[i]->arg != NULL,
					    NULL, 256 + i };
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
		if (c == ':')
			bench_usage("'%s': expected a value after it",
				    argv[optind - 1]);
		if (c < 256)
			bench_usage(
				"unknown option '%s': expected one of --help",
				argv[optind - 1]);
		take(all[c - 256], optarg);
		if (help_wanted)
			help(b, all, n);
	}
	for (arg = b->args; *arg; arg += strspn(arg, " ")) {
		min_args += *arg != '[';
		max_args++;
		arg += strcspn(arg, " ");
	}
	if (argc - optind < min_args || argc - optind > max_args)
		bench_usage("%d arguments: expected %s", argc - optind,
			    b->args);
	if (b->modes && !bench_config.ops == !bench_config.duration_ms)
		bench_usage("expected %s%s%s",
			    b->modes & BENCH_OPS ? "--ops N" : "",
			    b->modes == (BENCH_OPS | BENCH_DURATION) ?
				    " or --duration-ms N, not both" :
				    "",
			    b->modes == BENCH_DURATION ? "--duration-ms N" :
							 "");
	return optind;
}
