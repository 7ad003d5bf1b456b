#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# xfs/105 fails where a layer reads without the lock that XFS takes, and its
# helper fails on a file system that makes no such promise.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use HelperRun;
use Test::More;

guard_plan('xfs/105-read-write-atomic', 'atomic_layer.c');

my $byte = qr/[0-9a-f]{2}/;
my $torn = qr/range: offset \d+: generation (\d+) as at offset 0 expected, found $byte \(file 1 generation (?!\1 )\d+ offset \d+\)/;

guard_passes({});
# Freed blocks are read when the other file has them, or own at another place.
guard_fails(@$_) for (
	[tear => $torn, [qw(range metadump.gz)]],
	[old => qr/range: offset 0: generation \d+ to \d+ expected, found $byte \(file 1 generation \d+ offset 0\)/,
		[qw(range metadump.gz)]],
	[unlocked => qr/own: offset \d+: (?:own byte or 00|the last write|00) expected, found $byte \(file [12] generation \d+ offset \d+\)/,
		[qw(own other metadump.gz)]],
);

# btrfs copies page by page under no lock that a reader takes.
SKIP: {
	my $missing = loop_missing('mkfs.btrfs');
	skip($missing, 3) if $missing;
	my ($dir) = make_fs('mkfs.btrfs', 256);
	my ($status, $out, $err) = helper('atomic_read', qw(--threads 3 --duration-ms 2000), $dir);
	is($status, 0, 'atomic_read on btrfs runs to its end');
	like($err, qr/\A(?:.*\n)?\d+ writes of 1048576 bytes\n\z/, 'and wrote');
	like($out, qr/^$torn$/m, 'and finds torn reads');
}

done_testing();
