/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The worker processes of a run: all end well, or the run ends.
 */
#ifndef FSRATIO_PROCESS_H
#define FSRATIO_PROCESS_H

/* Forks a process that calls work(arg), then exits 0; it dies with us. */
void process_start(void *(*work)(void *), void *arg);

/* Waits for all; one that was killed or failed ends all and this one. */
void process_join(void);

/* Kills and reaps all, if called by their parent. */
void process_kill(void);

#endif
