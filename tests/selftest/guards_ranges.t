#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# generic/102 fails where a layer mixes up the ranges of a file.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use Test::More;

guard_plan('generic/102-read-beside-write-data', 'ranges_layer.c');

my $at = qr/shared: offset \d+/;
my $wrong = qr/$at: what was written expected, found/;
my $of = qr/\(file 1 generation \d+ offset \d+\)/;

guard_passes({});
guard_fails(@$_, [qw(shared metadump.gz)]) for (
	[write => qr/$wrong [0-9a-f]{2} $of/],
	[punch => qr/$wrong 00|$at: 00 expected, found [0-9a-f]{2} $of/],
	[read => qr/$wrong (?:00|[0-9a-f]{2} $of)|$at: 00 expected, found [0-9a-f]{2} $of/],
	[late => qr/$wrong 00|$at: \d+ bytes expected, \d+ read/],
);

done_testing();
