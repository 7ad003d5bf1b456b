// SPDX-License-Identifier: GPL-2.0
/*
 * For judge_fuzz.c: the judge as a call, with options of a number's bits.
 */
#include "judge.c"

#include "judge_entry.h"

int judge_entry(unsigned int bits)
{
	memset(&limits, 0, sizeof(limits));
	memset(&samples, 0, sizeof(samples));
	opt.final = bits & 1;
	opt.no_confirm = bits >> 1 & 1;
	opt.info = !(bits >> 2 & 7);
	opt.bound = 1 + (bits >> 5 & 7);
	opt.rounds = opt.bound + (bits >> 8 & 63);
	return judge("L", "S");
}
