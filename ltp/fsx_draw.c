// SPDX-License-Identifier: GPL-2.0
/*
 * Drawing the operations of fsx: see fsx_draw.h.
 */
#include "../src/bench.h"
#include "fsx_draw.h"
#include "fsx_options.h"

#define TRIES 8 /* draws of an operation until one is possible */

/* Draws what an operation needs; false = not possible on the file as it is. */
typedef bool (*pick_fn)(struct call *c, uint64_t *rnd);

static const struct shadow *good; /* the file */

static uint64_t below(uint64_t *rnd, uint64_t n)
{
	return bench_rand(rnd) % n;
}

static uint64_t draw_length(uint64_t *rnd)
{
	return opt.fixed_length ? opt.op_bytes : 1 + below(rnd, opt.op_bytes);
}

/* A range of [0, limit), its begin aligned; whole: its length, too. */
static bool draw_range(struct call *c, uint64_t *rnd, uint64_t limit,
		       uint64_t align, bool whole)
{
	if (!limit)
		return false;
	c->offset = below(rnd, limit) / align * align;
	c->length = min_u64(draw_length(rnd), limit - c->offset);
	if (whole)
		c->length = c->length / align * align;
	return c->length > 0;
}

/*
 * Some reads ask for more than there is.  Direct ones do so in the last sector
 * alone: XFS (6.18) answers EIO where a read meets delayed allocation behind
 * EOF, which buffered writes leave there in fragmented free space.
 */
static bool pick_read(struct call *c, uint64_t *rnd)
{
	bool direct = opt.log.direct && c->op == READ;
	bool beyond = !direct && c->op == READ && !below(rnd, 4);

	if (!draw_range(c, rnd, beyond ? opt.log.max_bytes : good->size,
			opt.read_align, false))
		return false;
	if (direct)
		c->length = round_up(c->length, opt.read_align);
	return true;
}

static bool pick_write(struct call *c, uint64_t *rnd)
{
	if (c->op == MAPWRITE && below(rnd, 2))
		c->flags |= MSYNC;
	return draw_range(c, rnd, opt.log.max_bytes, opt.write_align,
			  opt.log.direct && c->op == WRITE);
}

static bool pick_truncate(struct call *c, uint64_t *rnd)
{
	c->to = below(rnd, opt.log.max_bytes + 1) / opt.trunc_align *
		opt.trunc_align;
	return true;
}

/* Ranges of fallocate; a hole or zeroes may lie over EOF. */
static bool pick_falloc(struct call *c, uint64_t *rnd)
{
	if (c->op == ZERO && !opt.no_keep_size && below(rnd, 2))
		c->flags |= KEEP_SIZE;
	return draw_range(c, rnd,
			  c->op == UNSHARE ? good->size : opt.log.max_bytes, 1,
			  false);
}

static bool pick_collapse(struct call *c, uint64_t *rnd)
{
	return draw_range(c, rnd, good->size, opt.cluster_bytes, true);
}

static bool pick_insert(struct call *c, uint64_t *rnd)
{
	if (!draw_range(c, rnd, good->size, opt.cluster_bytes, false))
		return false;
	c->length = min_u64(draw_length(rnd), opt.log.max_bytes - good->size) /
		    opt.cluster_bytes * opt.cluster_bytes;
	return c->length > 0;
}

/* Blocks; the last one as far as the file goes, if it is its last again. */
static bool pick_clone(struct call *c, uint64_t *rnd)
{
	uint64_t limit = c->op == CLONE ? opt.log.max_bytes : good->size;

	if (!draw_range(c, rnd, good->size, opt.block_bytes, false))
		return false;
	if (c->op == DEDUPE || c->offset + c->length < good->size)
		c->length = c->length / opt.block_bytes * opt.block_bytes;
	if (!c->length)
		return false;
	c->to = below(rnd, limit - c->length + 1) / opt.block_bytes *
		opt.block_bytes;
	/* Of four, three are the same; one is to be refused. */
	if (c->op == DEDUPE && below(rnd, 4))
		c->flags |= PREPARE;
	return !(c->length % opt.block_bytes) ||
	       c->to + c->length >= good->size;
}

static bool pick_copy(struct call *c, uint64_t *rnd)
{
	uint64_t align =
		opt.log.direct ? max_u64(opt.read_align, opt.write_align) : 1;

	if (!draw_range(c, rnd, good->size, align, opt.log.direct))
		return false;
	c->to = below(rnd, opt.log.max_bytes - c->length + 1) / align * align;
	return true;
}

static bool pick_plain(struct call *c, uint64_t *rnd)
{
	(void)c, (void)rnd;
	return true;
}

static const pick_fn picks[OPS] = {
	[NONE] = pick_plain,	    [READ] = pick_read,
	[MAPREAD] = pick_read,	    [WRITE] = pick_write,
	[MAPWRITE] = pick_write,    [TRUNCATE] = pick_truncate,
	[FALLOC] = pick_falloc,	    [KEEPSIZE] = pick_falloc,
	[PUNCH] = pick_falloc,	    [ZERO] = pick_falloc,
	[COLLAPSE] = pick_collapse, [INSERT] = pick_insert,
	[CLONE] = pick_clone,	    [DEDUPE] = pick_clone,
	[COPY] = pick_copy,	    [UNSHARE] = pick_falloc,
	[FSYNC] = pick_plain,	    [DROP] = pick_plain,
};

uint64_t fsx_weights(void)
{
	uint64_t sum = 0;
	enum op op;

	for (op = 0; op < OPS; op++)
		sum += opt.weights[op];
	return sum;
}

static enum op draw_op(uint64_t *rnd)
{
	uint64_t at = below(rnd, fsx_weights());
	enum op op;

	for (op = 0; at >= opt.weights[op]; op++)
		at -= opt.weights[op];
	return op;
}

struct call fsx_draw(const struct shadow *shadow, uint64_t n)
{
	uint64_t rnd = bench_mix(opt.log.seed) ^ bench_mix(n);
	struct call c;
	int i;

	good = shadow;
	for (i = 0; i < TRIES; i++) {
		c = (struct call){ .op = draw_op(&rnd), .before = good->size };
		if (!picks[c.op](&c, &rnd))
			continue;
		c.after = shadow_size_after(&c);
		if (shadow_fits(good, &c))
			break;
	}
	if (i == TRIES)
		c = (struct call){ .before = good->size, .after = good->size };
	c.n = n;
	if (opt.pollute && c.after > good->size &&
	    good->size % opt.page_bytes && below(&rnd, 2))
		c.flags |= POLLUTE;
	if (opt.reopen_one_in && !below(&rnd, opt.reopen_one_in))
		c.flags |= REOPEN;
	c.flags |= opt.flags;
	return c;
}
