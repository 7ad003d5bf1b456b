#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# latency: calls by the millisecond (latency_test.c).
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun;
use Test::More;

my $program = work_dir() . '/latency_test';

build($program, ['-lcmocka'], 'tests/selftest/latency_test.c', library())
	or BAIL_OUT('latency_test.c does not compile');
system($program);
exit($? >> 8);
