#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# overlap: the part of a call that a wait took (overlap_test.c).
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun;
use Test::More;

my $program = work_dir() . '/overlap_test';

build($program, ['-lcmocka'], 'tests/selftest/overlap_test.c', 'src/overlap.c')
	or BAIL_OUT('overlap_test.c does not compile');
system($program);
exit($? >> 8);
