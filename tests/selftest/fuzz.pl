#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For "make fuzz": all tests that damage what is read, FUZZ_JOBS (one a CPU) at a time.
# What fuzz_reports.t tries one after the other are tests of their own here, so that
# no more than FUZZ_SECONDS of each target decide how long it takes.

use strict;
use warnings;
use TAP::Harness;

my $dir = 'tests/selftest';
my $reports = "$dir/fuzz_reports.t";
chomp(my $jobs = $ENV{FUZZ_JOBS} // `nproc`);
die "fuzz.pl: FUZZ_JOBS is '$jobs', expected a number from 1 on\n" if $jobs !~ /\A[1-9]\d{0,3}\z/;
my @targets = split(/\n/, `$^X $reports --list`);
die "fuzz.pl: $reports --list fails\n" if $? || !@targets;

# A signal that is ignored here, as beneath nohup, no test could set a trap for.
$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM);
my %arguments = map { ("$reports, $_" => [$_]) } @targets;
my @others = grep { $_ ne $reports } sort glob("$dir/*fuzz*.t");
$arguments{$_} = [] for @others;
my $harness = TAP::Harness->new({jobs => $jobs, timer => 1, test_args => \%arguments});
my $result = $harness->runtests((map { [$_, $_] } @others),
	map { [$reports, "$reports, $_"] } @targets);
exit($result->all_passed ? 0 : 1);
