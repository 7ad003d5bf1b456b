/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FSRATIO_JUDGE_ENTRY_H
#define FSRATIO_JUDGE_ENTRY_H

/* Judges the files L and S; gives the exit status, or calls exit. */
int judge_entry(unsigned int bits);

#endif
