/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <stdio.h>

/*
 * All live descendants of the caller, whatever their session and process
 * group.  The caller is a subreaper (PR_SET_CHILD_SUBREAPER): else orphans are
 * out of its sight.  A note (to NULL: none) has for each live thread
 *	# pid=12 [tid=13] comm=NAME state=D wchan=SYMBOL
 *	#   a line for each frame of its kernel stack
 */

/* Notes them; gives the number of processes. */
int descendants_note(FILE *notes);

/* Reaps children until none is left (1) or ms milliseconds are over (0). */
int descendants_wait(int ms);

/*
 * Kills them, again and again, until none is left or ms milliseconds are over.
 * Gives the number of processes that SIGKILL did not end, and notes those.
 */
int descendants_kill(int ms, FILE *notes);

#endif
