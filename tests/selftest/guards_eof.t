#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# generic/101 fails where a layer frees or keeps what is preallocated behind EOF
# at the wrong time.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use GuardRun;
use Test::More;

guard_plan('generic/101-eof-preallocation', 'eof_layer.c');

my $file = qr/(?:plain|read)\.\d/;

guard_passes({});
guard_fails(@$_, ['metadump.gz']) for (
	[kept => qr/$file: no block behind EOF \d+ expected after the close, found up to \d+/],
	[freed => qr/read\.\d: blocks behind EOF \d+ expected while it is held open, found none/],
	[freed => qr/extents of 4 files: at most \d+ expected beside readers, found \d+ \(\d+ without\)/],
	[lost => qr/$file: offset \d+: what was written expected, found 00/],
);

done_testing();
