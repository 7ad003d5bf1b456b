/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What XFS does to unlinked inodes in the background.
 */
#ifndef FSRATIO_INODEGC_H
#define FSRATIO_INODEGC_H

/*
 * Waits until every inode of the directory measured whose last reference is
 * gone was inactivated, and what was preallocated beyond EOF and for copies on
 * write is given back: XFS_IOC_FREE_EOFBLOCKS, which ends in
 * xfs_inodegc_flush().  On a kernel before 5.14 the close did that itself.
 * Where there is no such call the run ends as unsupported.
 */
void inodegc_flush(void);

#endif
