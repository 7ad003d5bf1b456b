#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# lanes.pl [TEST...]: the suite's own tests, all of them without arguments, as
# prove runs them, in two lanes side by side.  Tests that run check or make loop devices
# stay in one lane: each would find in the kernel log what another one plants there, or
# its devices.  Before both, alone, those whose verdict a busy machine would leave
# undecided.

use strict;
use warnings;
use TAP::Harness;

my $dir = 'tests/selftest';
my @alone = ("$dir/live.t");

# in_lane($test): whether it loads one of the modules that run check, or makes loop
# devices.
sub in_lane
{
	my ($test) = @_;

	open(my $fh, '<', $test) or die "lanes.pl: $test: $!\n";
	return scalar grep {
		m{^use (?:Check|Config|Fault|Guard)Run\b|\bmake_fs\b|\blosetup\b}
	} <$fh>;
}

# A signal that is ignored here, as beneath nohup, no test could set a trap for.
$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM);
my @tests = map { -d $_ ? sort glob("$_/*.t") : $_ } @ARGV ? @ARGV : $dir;
my @check = grep { in_lane($_) } @tests;
my $harness = TAP::Harness->new({
	jobs => 2,
	timer => 1,
	# Lanes are taken in this order, single tests would be before them.
	rules => { seq => [@alone,
		{ par => [{ seq => \@check }, { par => ['**'] }] }] },
});
my $result = $harness->runtests(@tests);
exit($result->all_passed ? 0 : 1);
