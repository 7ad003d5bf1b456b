#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# xfs/103 fails on each rule of unlinked files that a layer breaks.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use Test::More;

guard_plan('xfs/103-inodegc-space', 'inodegc_layer.c');

# What is never right needs no long wait.
my %soon = (GUARD_WAIT_MS => 500);
my $counts = qr/\d+ free blocks and \d+ used inodes/;
my $back = qr/$counts expected within 500 ms, found \d+ and \d+/;
my $held = qr/\d+ unlinked files of \d+ blocks are open: at most \d+ free blocks/;
my $enospc = qr/round [1-3]: (?:open|write|fsync) at \d+: success expected, found ENOSPC/;

guard_passes({});
guard_fails(@$_, ['metadump.gz'], \%soon) for
	[leak => qr/after the last close: $back/],
	[early => qr/inode \d+, unlinked and open: data expected, found none/],
	[inode => qr/$held and at least \d+ used inodes expected, found \d+ and \d+/],
	[hide => qr/$held and at least \d+ used inodes expected, found \d+ and \d+/],
	[late => qr/file \d+ of \d+ of thread \d+, $enospc/],
	[never => qr/after the last unlink: $back/],
	[lost => qr/after recovery \(logflush\): $back/];

done_testing();
