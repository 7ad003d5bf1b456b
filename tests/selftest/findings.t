#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# A line in the kernel log that may be another run's is no test's fail.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs /dev/kmsg' if !-w '/dev/kmsg';

my $plant = "echo 'WARNING: planted by findings.t' >/dev/kmsg\necho 'Silence is golden'\n_exit 0";
# By no run that there can be.
my $none = 1 + slurp('/proc/sys/kernel/pid_max');

$CheckRun::tree = own_tree('001-alone' => $plant,
	'002-beside' => "echo 'fsratio.$none.1 2 run xfs/001-x' >/dev/kmsg\n$plant",
	'003-probe' => "echo 'fsratio.$none.1 1 run probe' >/dev/kmsg\n$plant");

# log_mark($pid, $start): as check of this process writes it before a test.
sub log_mark
{
	my ($pid, $start) = @_;

	open(my $log, '>', '/dev/kmsg') or die "/dev/kmsg: $!";
	syswrite($log, "fsratio.$pid.$start 1 run xfs/001-x\n");
}

# ends($test, $status, $reason): check's exit status, and its line.
sub ends
{
	my ($test, $status, $reason, $what) = @_;
	my ($out, $got) = run_check({}, "selftest/$test");

	like($out, qr/^selftest\/$test\S*\t- output mismatch \($reason\)$/m, $what);
	is($got, $status, 'exit status');
}

my $found = qr/kernel log: WARNING: planted by findings\.t \(see \S+\.dmesg\)/;
my $unclear = qr/broken: $found, while process (\d+) ran tests, too/;

log_mark($none, 1);
ends('001', 1, $found, 'a run that is over has not written it');
ends('003', 1, $found, 'nor one that ran no test yet');
ends('002', 2, $unclear, 'one that began a test meanwhile may have');

# Another that is still at work.
my $pid = open(my $other, '|-', 'cat >/dev/null') or die "cat: $!";
my ($start) = slurp("/proc/$pid/stat") =~ /.*\) (?:\S+ ){19}(\d+)/s;
log_mark($pid, $start + 1);
ends('001', 1, $found, 'nor has one whose number another process has by now');
log_mark($pid, $start);
ends('001', 2, $unclear, 'one that began before may have');
close($other);
ends('001', 1, $found, 'once it has ended it has not');

done_testing();
