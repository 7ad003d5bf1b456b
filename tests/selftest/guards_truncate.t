#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# xfs/104 fails where a layer does not zero what a cut leaves, or not for good.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use Test::More;

guard_plan('xfs/104-clone-truncate-data', 'truncate_layer.c');

my $at = qr/f\d{5}: offset \d+/;

guard_passes({});
guard_fails(@$_, ['metadump.gz']) for (
	[skip => qr/$at: 00 behind EOF expected, found 5a/],
	[extend => qr/$at: 00 expected, found 5a/],
	[memory => qr/$at: 00 behind EOF expected, found 5a/],
	# Where it is cloned from again, too.
	[shared => qr/(?:source: offset \d+|$at): [0-9a-f]{2} expected, found 00/],
	[crash => qr/$at: 00 expected, found 5a/],
	[size => qr/f\d{5}: size 98304, \d+ or \d+ expected, found \d+/],
);

done_testing();
