// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of fsx: see fsx_options.h.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../src/bench.h"
#include "fsx_options.h"

#define usage(...) fsx_quit(BENCH_USAGE, 0, __VA_ARGS__)

struct fsx_options opt = {
	.log = { .seed = 1, .max_bytes = 256 << 10, .first = 1 },
	.weights = { [READ] = 10,
		     [MAPREAD] = 6,
		     [WRITE] = 10,
		     [MAPWRITE] = 6,
		     [TRUNCATE] = 4,
		     [FALLOC] = 3,
		     [KEEPSIZE] = 2,
		     [PUNCH] = 4,
		     [ZERO] = 4,
		     [COLLAPSE] = 2,
		     [INSERT] = 2,
		     [CLONE] = 4,
		     [DEDUPE] = 3,
		     [COPY] = 4,
		     [UNSHARE] = 1,
		     [FSYNC] = 1,
		     [DROP] = 1 },
	.op_bytes = 64 << 10,
	.read_align = 1,
	.write_align = 1,
	.trunc_align = 1,
	.ops = UINT64_MAX,
	.epoch_ops = 100000,
};

/* Short ones are those of fstests' fsx, with its meaning. */
static const char help[] =
	"usage: fsx [options] FILE\n"
	"random operations on FILE, each judged against a copy in memory\n"
	"\n"
	"  -N N             operations (no end)\n"
	"  --duration S     or: go on for S seconds\n"
	"  -S N             seed (1); 0 takes one from the clock\n"
	"  -l BYTES         of the file, at most (256k)\n"
	"  -o BYTES         of an operation, at most (64k)\n"
	"  -O               always as many as -o says\n"
	"  -r BYTES         reads begin at multiples of it (1)\n"
	"  -w BYTES         writes do (1)\n"
	"  -t BYTES         truncates are to multiples of it (1)\n"
	"  -u BYTES         unit of collapse and insert (a block)\n"
	"  -Z               direct I/O; then -r and -w are of lengths, too\n"
	"  -R -W            no mapped reads, writes\n"
	"  -F -H -z -C -I   no preallocation, punch, zero, collapse, insert\n"
	"  -J -B -E         no clone, dedupe, copy_file_range\n"
	"  -K               no preallocation that keeps the size\n"
	"  --weight OP=N    chance of OP, or of all, among the weights of all\n"
	"  -c N             1 in N operations closes and opens the file\n"
	"  -e 0|1           1: write behind EOF by mmap before the file grows\n"
	"  -f               write back and drop the cache after each operation\n"
	"  -y               fdatasync after each operation\n"
	"  -X               read the whole file after each operation\n"
	"  -n               do not check the size\n"
	"  -d               print each operation\n"
	"  -p N             say so after N operations each\n"
	"  -q               no summary\n"
	"  -P DIR           for what is kept of a finding (that of FILE)\n"
	"  --epoch N        operations of one file and log (100000)\n"
	"  --record-ops[=LOG]  keep the log without a finding, too\n"
	"  --replay-ops LOG    do what LOG says; with -d -n -p -P -q -X alone\n"
	"  --help           print this\n"
	"operations:";

void fsx_quit(int status, int err, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "fsx: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, err ? ": %s\n" : "\n", strerror(err));
	exit(status);
}

static void print_help(void)
{
	enum op op;

	printf("%s", help);
	for (op = READ; op < OPS; op++)
		printf(" %s=%u", op_names[op], (unsigned int)opt.weights[op]);
	printf("\n");
	if (fflush(stdout))
		fsx_quit(BENCH_BROKEN, errno, "write stdout");
	exit(0);
}

/* A number with k or m behind it, low to high, of the option by this name. */
static uint64_t number(const char *name, const char *text, uint64_t low,
		       uint64_t high)
{
	unsigned int shift = 0;
	uint64_t n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (*end == 'k' || *end == 'm')
		shift = *end++ == 'k' ? 10 : 20;
	if (!isdigit((unsigned char)text[0]) || *end || errno ||
	    n > high >> shift || n << shift < low)
		usage("%s '%s': expected a whole number, %llu to %llu", name,
		      text, (unsigned long long)low, (unsigned long long)high);
	return n << shift;
}

static void take_weight(const char *text)
{
	size_t len = strcspn(text, "=");
	enum op op = op_find(text, len), i;
	bool all = len == 3 && !strncmp(text, "all", 3);
	uint64_t n;

	if (!text[len] || op == NONE || (op == OPS && !all))
		usage("--weight '%s': expected OP=N, OP of --help or all",
		      text);
	n = number("--weight", text + len + 1, 0, 1000000);
	for (i = READ; i < OPS; i++)
		if (i == op || all)
			opt.weights[i] = n;
}

enum { DURATION = 256, WEIGHT, EPOCH, RECORD, REPLAY, HELP };
static const struct option longs[] = {
	{ "duration", required_argument, NULL, DURATION },
	{ "weight", required_argument, NULL, WEIGHT },
	{ "epoch", required_argument, NULL, EPOCH },
	{ "record-ops", optional_argument, NULL, RECORD },
	{ "replay-ops", required_argument, NULL, REPLAY },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

/* Options with a number of their own range */
static const struct number_option {
	int letter;
	const char *name;
	uint64_t *to, low, high;
} numbers[] = {
	{ 'N', "-N", &opt.ops, 1, INT64_MAX },
	{ 'S', "-S", &opt.log.seed, 0, INT64_MAX },
	{ 'l', "-l", &opt.log.max_bytes, 1, OPLOG_MAX_BYTES },
	{ 'o', "-o", &opt.op_bytes, 1, OPLOG_MAX_BYTES },
	{ 'r', "-r", &opt.read_align, 1, FSX_ALIGN_MAX },
	{ 'w', "-w", &opt.write_align, 1, FSX_ALIGN_MAX },
	{ 't', "-t", &opt.trunc_align, 1, FSX_ALIGN_MAX },
	{ 'u', "-u", &opt.cluster_bytes, 1, FSX_ALIGN_MAX },
	{ 'c', "-c", &opt.reopen_one_in, 1, INT64_MAX },
	{ 'e', "-e", &opt.pollute, 0, 1 },
	{ 'p', "-p", &opt.progress_ops, 1, INT64_MAX },
	{ DURATION, "--duration", &opt.duration_s, 1, 86400 * 7 },
	{ EPOCH, "--epoch", &opt.epoch_ops, 1, 100000000 },
};

/* Options that take operations away */
static const struct {
	int letter;
	enum op op;
} without[] = {
	{ 'R', MAPREAD },  { 'W', MAPWRITE }, { 'F', FALLOC },
	{ 'F', KEEPSIZE }, { 'K', KEEPSIZE }, { 'H', PUNCH },
	{ 'z', ZERO },	   { 'C', COLLAPSE }, { 'I', INSERT },
	{ 'J', CLONE },	   { 'B', DEDUPE },   { 'E', COPY },
};

static void take(int c)
{
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].letter == c)
			*numbers[i].to = number(numbers[i].name, optarg,
						numbers[i].low,
						numbers[i].high);
	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (without[i].letter == c)
			opt.weights[without[i].op] = 0;
	switch (c) {
	case 'Z':
		opt.log.direct = 1;
		break;
	case 'K':
		opt.no_keep_size = true;
		break;
	case 'O':
		opt.fixed_length = true;
		break;
	case 'f':
		opt.flags |= FLUSH;
		break;
	case 'y':
		opt.flags |= SYNC;
		break;
	case 'X':
		opt.flags |= COMPARE;
		break;
	case 'n':
		opt.no_size_check = true;
		break;
	case 'd':
		opt.debug = true;
		break;
	case 'q':
		opt.quiet = true;
		break;
	case 'P':
		opt.evidence_dir = optarg;
		break;
	case RECORD:
		opt.record = true;
		opt.record_path = optarg;
		break;
	case REPLAY:
		opt.replay_path = optarg;
		break;
	case WEIGHT:
		take_weight(optarg);
		break;
	}
}

/* A seed that can be given by -S again: not 0 */
static uint64_t clock_seed(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) >> 1 | 1;
}

void fsx_parse(int argc, char **argv)
{
	int c, drawing = 0;

	opterr = 0;
	while ((c = getopt_long(argc, argv,
				":BCEFHIJKN:OP:RS:WXZc:de:fl:no:p:qr:t:u:w:yz",
				longs, NULL)) != -1) {
		if (c == HELP)
			print_help();
		if (c == ':')
			usage("'%s': expected a value after it",
			      argv[optind - 1]);
		if (c == '?' && optopt && optopt < 256)
			usage("unknown option '-%c': expected one of --help",
			      optopt);
		if (c == '?')
			usage("unknown option '%s': expected one of --help",
			      argv[optind - 1]);
		take(c);
		if (!drawing && c != REPLAY &&
		    (c > 255 || !strchr("dnpPqX", c)))
			drawing = c;
	}
	if (opt.replay_path && drawing > 255)
		usage("--replay-ops: expected no --%s with it",
		      longs[drawing - DURATION].name);
	if (opt.replay_path && drawing)
		usage("--replay-ops: expected no -%c with it", drawing);
	if (argc - optind != 1)
		usage("%d arguments: expected FILE", argc - optind);
	opt.path = argv[optind];
	if (opt.op_bytes > opt.log.max_bytes)
		opt.op_bytes = opt.log.max_bytes;
	if (!opt.log.seed && !opt.replay_path)
		opt.log.seed = clock_seed();
}
