#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# hist: quantiles within the error that hist.h states (hist_test.c).
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun;
use Test::More;

my $program = work_dir() . '/hist_test';

build($program, ['-lcmocka'], 'tests/selftest/hist_test.c', 'src/hist.c')
	or BAIL_OUT('hist_test.c does not compile');
system($program);
exit($? >> 8);
