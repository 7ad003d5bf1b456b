// SPDX-License-Identifier: GPL-2.0
/*
 * The log of operations: see oplog.h.
 */
#include <inttypes.h>
#include <string.h>
#include "../src/record.h"
#include "oplog.h"

const char *const op_names[OPS] = {
	"none",	  "read",     "mapread", "write",   "mapwrite", "truncate",
	"falloc", "keepsize", "punch",	 "zero",    "collapse", "insert",
	"clone",  "dedupe",   "copy",	 "unshare", "fsync",	"drop",
};

static const char *const flag_names[] = { "pollute", "prepare", "keep_size",
					  "msync",   "sync",	"flush",
					  "reopen",  "compare", NULL };

enum op op_find(const char *text, size_t len)
{
	enum op op;

	for (op = 0; op < OPS; op++)
		if (strlen(op_names[op]) == len &&
		    !strncmp(op_names[op], text, len))
			break;
	return op;
}

void op_flags_text(char *out, size_t room, unsigned int flags)
{
	size_t len = 0;
	int i;

	snprintf(out, room, "none");
	for (i = 0; flag_names[i]; i++)
		if (flags & 1u << i)
			len += (size_t)snprintf(out + len, room - len, "%s%s",
						len ? "," : "", flag_names[i]);
}

/* The flags that a text names, or -1. */
static int flags_of(const char *text)
{
	size_t len;
	int flags = 0, i;

	if (!strcmp(text, "none"))
		return 0;
	for (; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		for (i = 0; flag_names[i]; i++)
			if (strlen(flag_names[i]) == len &&
			    !strncmp(flag_names[i], text, len))
				break;
		if (!flag_names[i])
			return -1;
		flags |= 1 << i;
	}
	return flags;
}

size_t oplog_print_head(char *out, size_t room, const struct oplog *log)
{
	return (size_t)snprintf(out, room,
				"fsx version=1 seed=%" PRIu64
				" max_bytes=%" PRIu64 " direct=%" PRIu64
				" first=%" PRIu64 "\n",
				log->seed, log->max_bytes, log->direct,
				log->first);
}

size_t oplog_print_call(char *out, size_t room, const struct call *c)
{
	char flags[96];

	op_flags_text(flags, sizeof(flags), c->flags);
	return (size_t)snprintf(out, room,
				"op n=%" PRIu64 " do=%s offset_bytes=%" PRIu64
				" length_bytes=%" PRIu64 " to_bytes=%" PRIu64
				" before_bytes=%" PRIu64 " after_bytes=%" PRIu64
				" flags=%s\n",
				c->n, op_names[c->op], c->offset, c->length,
				c->to, c->before, c->after, flags);
}

static bool parse(char *line, const char *kind, struct record_line *r,
		  char *why, size_t room)
{
	int rc = record_parse(line, r, why, room);

	if (rc < 0)
		return false;
	if (!rc && !strcmp(r->kind, kind))
		return true;
	snprintf(why, room, "expected a record '%s KEY=VALUE ...'", kind);
	return false;
}

bool oplog_parse_head(char *line, struct oplog *log, char *why, size_t room)
{
	struct record_line r;
	uint64_t version;

	if (!parse(line, "fsx", &r, why, room) ||
	    record_get_u64(&r, "version", &version, why, room) ||
	    record_get_u64(&r, "seed", &log->seed, why, room) ||
	    record_get_u64(&r, "max_bytes", &log->max_bytes, why, room) ||
	    record_get_u64(&r, "direct", &log->direct, why, room) ||
	    record_get_u64(&r, "first", &log->first, why, room))
		return false;
	if (version == 1 && log->max_bytes && log->direct <= 1 &&
	    log->max_bytes <= OPLOG_MAX_BYTES && log->first)
		return true;
	snprintf(why, room,
		 "expected version=1, max_bytes=1 to %u, direct=0 or 1, "
		 "first=1 or more",
		 OPLOG_MAX_BYTES);
	return false;
}

bool oplog_parse_call(char *line, struct call *c, char *why, size_t room)
{
	struct record_line r;
	const char *op, *flags;

	if (!parse(line, "op", &r, why, room) ||
	    record_get_u64(&r, "n", &c->n, why, room) ||
	    record_get_u64(&r, "offset_bytes", &c->offset, why, room) ||
	    record_get_u64(&r, "length_bytes", &c->length, why, room) ||
	    record_get_u64(&r, "to_bytes", &c->to, why, room) ||
	    record_get_u64(&r, "before_bytes", &c->before, why, room) ||
	    record_get_u64(&r, "after_bytes", &c->after, why, room))
		return false;
	op = record_get(&r, "do");
	flags = record_get(&r, "flags");
	c->op = op ? op_find(op, strlen(op)) : OPS;
	if (c->op == OPS || !flags || flags_of(flags) < 0) {
		snprintf(why, room,
			 "expected do= an operation, flags= its own");
		return false;
	}
	c->flags = (unsigned int)flags_of(flags);
	return true;
}
