#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Disks that run full or become read-only where results, temporary files and images
# go, before a run and in its middle; and a clock that is set back.  Nothing of it is
# ever a pass, nor a fail of the kernel.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use FaultRun;
use HelperRun ();
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

my $place = results_dir();
my $disk = "$place/disk";
mkdir $disk or die "$disk: $!";
my $fill = "head -c 300M /dev/zero >>$disk/fill 2>/dev/null; :";

$CheckRun::tree = own_tree(
	'960-plain' => scratch_case(),
	'961-fill' => scratch_case($fill),
	'962-readonly' => scratch_case("mount --bind $disk $disk && mount -o remount,bind,ro $disk"),
	'963-fill-late' => scratch_case('', $fill),
	'964-silent' => "$fill\necho 'Silence is golden'\n_exit 0",
	'965-hang' => "sleep 100",
);

# disk($options): a small tmpfs on $disk, empty.
sub disk
{
	my ($options) = @_;

	system("while umount $disk; do :; done 2>/dev/null");
	run_ok("mount -t tmpfs -o $options none $disk");
}
on_cleanup("while umount $disk; do :; done");

# is_broken($case, $why, \%env, $what): broken for this reason, exit 2, nothing left.
sub is_broken
{
	my ($case, $why, $env, $what) = @_;
	my ($out, $status, $results) = run_check({%fault_env, %$env}, "selftest/$case");
	my ($word, $reason) = word_of($out, "selftest/$case");

	is($word, 'broken', "$what: broken") or diag($out);
	like($reason, $why, "$what: says why");
	is($status, 2, "$what: exit 2");
	is(left_over($results), '', "$what: nothing is left");
}

my $lost = qr/; cannot write \S+\.out\.bad$/;
my ($out, $status, $results) = run_check(\%fault_env, 'selftest/960');
is($status, 0, 'the test passes on a sound machine') or diag($out);

# Where results go.
disk('size=2M,mode=755');
is_broken('961', $lost, {RESULT_BASE => "$disk/r"}, 'results run full in mid-run');
disk('size=2M,mode=755');
is_broken('963', $lost, {RESULT_BASE => "$disk/r"}, 'results run full before the verdict');
disk('size=2M,mode=755');
($out, $status) = run_check({%fault_env, RESULT_BASE => "$disk/r"}, 'selftest/964');
is($status, 2, 'results run full in a test without limits: exit 2') or diag($out);
disk('size=2M,mode=755');
is_broken('962', $lost, {RESULT_BASE => "$disk/r"}, 'results become read-only in mid-run');
($out, $status) = run_check({%fault_env, RESULT_BASE => "$disk/r"}, 'selftest/960');
is($status, 2, 'results that are read-only: exit 2');
is($out, "check: cannot write in RESULT_BASE $disk/r\n", 'one line');
is(ours_left($images), '', 'nothing was made');
($out, $status) = run_check({%fault_env, RESULT_BASE => "$disk/new/r"}, 'selftest/960');
is($status, 2, 'and where there are none yet: exit 2');
is($out, "check: cannot make RESULT_BASE $disk/new/r\n", 'one line');
disk('size=2M,mode=755');
($out, $status) = run_check({%fault_env, RESULT_BASE => "$disk/r"}, 'selftest/960');
is($status, 0, 'with room again it passes') or diag($out);

# Where temporary files go.
disk('size=2M,mode=755');
is_broken('961', qr/./, {TMPDIR => $disk}, 'TMPDIR runs full in mid-run');
unlink "$disk/fill";
is(join(' ', map { s{.*/}{}r } glob "$disk/*"), '', 'nothing is left there');
($out, $status) = run_check({%fault_env, TMPDIR => $disk}, 'selftest/960');
is($status, 0, 'with room again it passes') or diag($out);

# Where images go: somebody else fills it.
my %small = (IMAGE_DIR => $disk, TEST_IMAGE_BYTES => 320 << 20, SCRATCH_IMAGE_BYTES => 320 << 20);
disk('size=256M,mode=755');
is_broken('961', qr/^\Q$disk\E is full: image files had no room$/, \%small, 'images run full in mid-run');
($out, $status) = run_check({%fault_env, %small}, 'selftest/960');
is($status, 2, 'images where there is no room: exit 2');
like($out, qr/\Acheck: no room for image files: \Q$disk\E have less than 213 MiB free; .*\n\z/, 'one line');
is(ours_left($disk), '', 'nothing is left there');
unlink "$disk/fill";
($out, $status) = run_check({%fault_env, %small}, 'selftest/960');
is($status, 0, 'with room again it passes') or diag($out);
is(ours_left($disk), '', 'and leaves nothing');

# A clock that is set back by a day in mid-run.
my $layer = HelperRun::work_dir() . '/clock.so';
HelperRun::build($layer, ['-shared', '-fPIC'], "$FindBin::Bin/clock_layer.c") or die;
my ($uptime_s) = slurp('/proc/uptime') =~ /^(\d+)/;
is(scalar(`LD_PRELOAD=$layer CLOCK_BACK_AT_S=0 date +%s` < time() - 80000), 1, 'date goes back');
# Right away, and when the second test runs; check reads its time before and after.
for my $at ($all_faults ? 0 : (), $uptime_s + 2) {
	my %clock = (%fault_env, LD_PRELOAD => $layer, CLOCK_BACK_AT_S => $at);

	($out, $status, $results) = run_check(\%clock, '--timeout', 3, '-R', 'xunit',
		map { "selftest/$_" } 960, 965);
	is($status, 2, 'a clock that is set back: exit status') or diag($out);
	like($out, qr/^selftest\/960-plain\t+ ?\d+s$/m, 'a test passes');
	like($out, qr/^selftest\/965-hang\t- output mismatch \(broken: no end after 3 s /m, 'the deadline comes');
	unlike($out, qr/-\d+s\b/, 'no time is negative');
	is(left_over($results), '', 'nothing is left');
	my $xml = slurp("$results/result.xml");
	unlike($xml, qr/time="-/, 'nor in a report');
	ok($xml =~ /965-hang\S* [^>]*time="(\d+)/ && $1 >= 2, 'the report has the time that the test took') or diag($xml);
}
done_testing();
