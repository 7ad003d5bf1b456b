/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XFS_IOC_GOINGDOWN: a crash of the file system alone.
 */
#ifndef FSRATIO_GOINGDOWN_H
#define FSRATIO_GOINGDOWN_H

#include <stdbool.h>

/*
 * Shuts down the file system of the directory measured, for good until it is
 * unmounted.  What is in memory is lost, the log's part of it too unless it is
 * to be flushed.  Ends the run where that cannot be.
 */
void goingdown(bool flush_log);

#endif
