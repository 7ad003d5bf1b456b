#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# xfs/101 fails on each rule of FIEMAP and reflink that a layer breaks.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use Test::More;

guard_plan('xfs/101-fiemap-shared', 'fiemap_layer.c');

my $at = qr/point \d+: file f\d{4}: extent \d+ at \d+/;
my $extent = qr/(?:race after )?point \d+: file f\d{4}: extent \d+/;
my @flags = (
	[drop => qr/$at: shared expected, found not shared/],
	[inode => qr/$at: not shared expected, found shared/],
	[stale => qr/$at: (?:not )?shared expected, found (?:not )?shared/],
	[funshare => qr/$at: not shared expected, found shared/],
	[keep => qr/$at: not shared expected, found shared/],
	[remap => qr/$at: shared expected, found not shared/],
);
my @form = (
	[overlap => qr/$extent: is not behind the one before/],
	[range => qr/$extent: is out of the file/],
	[device => qr/$extent: is out of the device/],
	[last => qr/$extent: is the last, but does not say so/],
	[errno => qr{$extent: Input/output error}],
);

guard_passes({});
guard_fails(@$_, [qw(ops metadump.gz)]) for @flags, @form;

done_testing();
