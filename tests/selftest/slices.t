#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Slices of SCRATCH_DEV: equal, apart, past the page cache, checked after the test
# and removed on every way out, while a given SCRATCH_DEV stays as it was.  And
# logs on devices of their own.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

# All images of these runs live in a directory of our own, so that runs of
# others are neither counted nor disturbed.
my $images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my $given = tempdir("fsratio-given.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my %env = (IMAGE_DIR => $images);
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }

# loop($name, $mib): a loop device over a sparse file in $given.
sub loop
{
	my ($name, $mib, @options) = @_;

	system("truncate -s ${mib}M $given/$name") == 0 or die;
	chomp(my $loop = `losetup -f --show @options $given/$name`);
	die "losetup: $?" if $? || $loop !~ m{^/dev/loop\d+$};
	push @cleanup, "losetup -d $loop";
	return $loop;
}

# stacked($dev): loop devices over the block device; '' = none.
sub stacked
{
	my ($dev) = @_;

	return join ' ', grep { slurp($_) eq "$dev\n" }
		grep { defined slurp($_) } glob '/sys/class/block/loop*/loop/backing_file';
}

# hang(\%env): start the test that hangs; its process, once its slices are up.
sub hang
{
	my ($env) = @_;
	my $run = start_check({%env, %$env}, '--timeout', 60, 'selftest/063');
	my $ready = wait_for(20, sub {
		(slurp("$run->{results}/selftest/063-slices-hang.full") // '') =~ /^hanging$/m;
	});

	ok($ready, 'the test has its slices') or diag(slurp($run->{out}));
	($run->{test}) = map { /fsratio\.(\d+)\./ } glob "$images/fsratio.*/slices";
	is(scalar(() = slurp('/proc/self/mountinfo') =~ m{ \Q$images\E/fsratio\.\d+\.\d+/slice[01] }g),
		2, 'two of them are mounted');
	return $run;
}

# What they are.
for my $case (
	['060', 'two file systems of different geometry'],
	['061', 'three slices are disjoint, adjacent and end where they should'],
	['062', 'an fsync on one writes nothing of another'],
	['066', 'a file system of a size, a remount'],
) {
	my ($test, $what) = @$case;
	my ($out, $status) = run_check(\%env, "selftest/$test");

	is($status, 0, $what) or diag($out);
	is(ours_left($images), '', "$what: nothing is left");
}
my ($out, $status, $results) = run_check(\%env, 'selftest/060');
my $full = slurp("$results/selftest/060-slices.full");
like($full, qr/^slice 0 0 4294967296 1 $/m, 'slice 0: offset 0, half the device, direct I/O');
like($full, qr/^slice 1 4294967296 4294967296 1 $/m, 'slice 1: the other half');

# An inconsistent slice, beside one that is not.
($out, $status, $results) = run_check(\%env, 'selftest/064');
is($status, 1, 'an inconsistent slice is a fail');
like($out, qr/output mismatch \(xfs on slice 0 of \/dev\/loop\d+ is inconsistent \(see \Q$results\E\/selftest\/064-slices-corrupt\.fsck\)\)$/m,
	'which says which one it is, and no other') or diag($out);
like(slurp("$results/selftest/064-slices-corrupt.fsck"), qr/agi_count|would|bad/i,
	'the findings of the checker are kept');
is(ours_left($images), '', 'nothing is left of it');

# What the user set and slices cannot have.
my $log = loop('log.img', 512);
for my $case (
	[{MKFS_OPTIONS => '-d size=1g'}, 'MKFS_OPTIONS says size=1g for -d, slices have a size of their own'],
	[{MKFS_OPTIONS => '-d agcount=3'}, 'MKFS_OPTIONS says agcount=3 for -d, this test needs 2'],
	[{USE_EXTERNAL => 'yes', SCRATCH_LOGDEV => $log}, "slices cannot share SCRATCH_LOGDEV $log"],
) {
	my ($user, $reason) = @$case;
	my $why = join ' ', map { "$_=$user->{$_}" } sort keys %$user;

	($out, $status) = run_check({%env, %$user}, 'selftest/060');
	is($status, 3, "$why: not run");
	like($out, qr/^selftest\/060-slices\t\[not run\] \Q$reason\E$/m, "$why: says so") or diag($out);
	is(ours_left($images), '', "$why: nothing is left");
}
($out, $status) = run_check(\%env, 'selftest/067');
like($out, qr/\[not run\] SCRATCH_DEV has 8388608 KiB, this test needs 1099511627776 KiB$/m,
	'a file system larger than SCRATCH_DEV: not run');

# External logs; one that is given without USE_EXTERNAL is not used.
($out, $status) = run_check({%env, USE_EXTERNAL => 'yes', SCRATCH_LOGDEV => $log}, 'selftest/065');
is($status, 0, 'the log of SCRATCH_DEV is external') or diag($out);
($out, $status) = run_check({%env, USE_EXTERNAL => 'yes', TEST_LOGDEV => $log}, 'selftest/068');
is($status, 0, 'the log of TEST_DEV is external') or diag($out);
($out, $status) = run_check({%env, SCRATCH_LOGDEV => $log}, 'selftest/060');
is($status, 0, 'without USE_EXTERNAL it is not') or diag($out);
is(stacked($log), '', 'the log device is as it was');

# On our own devices and on a given one: signals, and kill -9 of the test or of
# check.
my $dev = loop('scratch.img', 2048);
for my $user ({}, {SCRATCH_DEV => $dev}) {
	my $why = $user->{SCRATCH_DEV} ? 'given SCRATCH_DEV' : 'own SCRATCH_DEV';

	if ($user->{SCRATCH_DEV}) {
		($out, $status) = run_check({%env, %$user}, 'selftest/060');
		is($status, 0, "$why: pass") or diag($out);
		is(ours_left($images) . stacked($dev), '', "$why: nothing is left");
	}
	for my $signal (qw(TERM INT)) {
		my $run = hang($user);

		kill $signal, $run->{pid};
		($out, $status) = end_check($run);
		is($status, {TERM => 143, INT => 130}->{$signal}, "$why: SIG$signal to check");
		is(ours_left($images) . stacked($dev), '', "$why, SIG$signal: nothing is left");
	}
	for my $signal (qw(TERM KILL)) {
		my $run = hang($user);

		# All of it, for bash waits for the end of a command before its trap.
		kill "-$signal", $run->{test};
		($out, $status) = end_check($run);
		is($status, 2, "$why: SIG$signal to the test");
		my $log = slurp("$run->{results}/selftest/063-slices-hang.fsck");
		is($log, undef, "$why, SIG$signal to the test: the slices are consistent");
		unlike($out, qr/inconsistent|cannot/, "$why, SIG$signal to the test: no other finding");
		is(ours_left($images) . stacked($dev), '',
			"$why, SIG$signal to the test: nothing is left");
	}
	my $run = hang($user);

	kill 'KILL', $run->{pid};
	end_check($run);
	wait_for(10, sub { !kill 0, $run->{test} });
	like(ours_left($images), qr/^mount .*\/slice0 .*^mount .*\/slice1 /ms,
		"$why: kill -9 of check leaves slices");
	for my $args (['-n', 'selftest/060'], ['--list'], ['--nosuch']) {
		run_check({%env, %$user}, @$args);
		like(ours_left($images), qr/\/slice0 /, "$why: check @$args removes nothing");
	}
	($out, $status) = run_check({%env, %$user}, 'selftest/060');
	is($status, 0, "$why: the next run passes") or diag($out);
	is(ours_left($images) . stacked($dev), '', "$why: and removes them");
}

# A run without the given device removes what a killed one left on it.
my $run = hang({SCRATCH_DEV => $dev});
kill 'KILL', $run->{pid};
end_check($run);
wait_for(10, sub { !kill 0, $run->{test} });
isnt(stacked($dev), '', 'kill -9 of check leaves loop devices on a given one');
($out, $status) = run_check(\%env, 'selftest/050');
is($status, 0, 'a run on other devices passes') or diag($out);
is(ours_left($images) . stacked($dev), '', 'and removes them');
is(`losetup -O BACK-FILE -n $dev`, "$given/scratch.img\n", 'the given device is attached as before');

# A loop device of the user over the given device, and a list that does not fit
# it: refused, and left alone.
chomp(my $users = `losetup -f --show --offset 1048576 --sizelimit 1048576 $dev`);
push @cleanup, "losetup -d $users";
chomp(my $number = `lsblk -dno MAJ:MIN $dev`);
$number =~ s/\s//g;
my $dead = "$images/fsratio.999999.1";
# Whoever opened it would wait.
run_ok("mkfifo $given/fifo");
for my $line ("$users $number 0 1048576", "$users $number 1048576 2097152",
		"$users 999:1 1048576 1048576", "$users", "", "/dev/nosuch 7:0 0 0", "x x x x x",
		"$given/fifo 7:0 0 0") {
	mkdir $dead or die;
	spew("$dead/slices", "$line\n");
	($out, $status) = run_check({%env, SCRATCH_DEV => $dev}, 'selftest/060');
	is($status, 2, "a loop device of the user, listed as '$line': refused");
	is($out, "check: SCRATCH_DEV $dev backs " . $users =~ s{/dev/}{}r . "\n", 'with one line');
	($out, $status) = run_check(\%env, 'selftest/050');
	is($status, 0, 'a run on other devices passes') or diag($out);
	isnt(stacked($dev), '', 'and left alone');
	is(ours_left($images), '', 'the list is removed');
}
# A slice that somebody detaches while it is mounted goes with its unmount; another must
# not have its number before we are done with it.
{
	local $CheckRun::tree = own_tree('964-detached' => <<'END');
. ./common/slices
_require_scratch
_exclude_fs ext4
_exclude_fs btrfs
_scratch_slices 1 $((400 << 20))
_slice_mkfs_geometry 0 agcount=4
_slice_mount 0
losetup -d "${SLICE_DEVS[0]}" || _fail "cannot detach it"
umount()
{
	command umount "$@" || return
	: >"$FAULT_NEXT.unmounted"
	! losetup "${SLICE_DEVS[0]}" "$FAULT_NEXT" 2>/dev/null || : >"$FAULT_NEXT.given"
}
echo 'Silence is golden'
_exit 0
END
	my $next = "$given/next.img";
	run_ok("truncate -s 1M $next");
	my ($out, $status) = run_check({%env, FAULT_NEXT => $next}, 'selftest/964');
	is($status, 0, 'a slice that was detached while mounted') or diag($out);
	ok(-e "$next.unmounted" && !-e "$next.given", 'its number is nobody else\'s before the end');
	is(ours_left($images), '', 'and nothing is left of it');
}

# What a test undoes is undone, in whatever order it was asked for.
{
	my $mounts = slurp('/proc/mounts');
	my ($out, $status) = run_check(\%env, 'selftest/069');
	is($status, 0, 'clean-ups of several makers') or diag($out);
	is(slurp('/proc/mounts'), $mounts, 'all mounts are as before');
}

done_testing();
