#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Devices that vanish in mid-run, file systems that are shut down, made read-only or
# frozen, and memory that runs out: broken, since none of it speaks of the kernel.
# The next run on the same device works.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use FaultRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
plan skip_all => 'needs xfs_io' if !grep { -x "$_/xfs_io" } split(/:/, $ENV{PATH});

my $golden = "echo 'Silence is golden'\n_exit 0";
my $cut = 'truncate -s 0 "$(cat "/sys/block/${SCRATCH_DEV#/dev/}/loop/backing_file")"; sync -f "$SCRATCH_MNT"';
my $shutdown = 'xfs_io -x -c shutdown "$SCRATCH_MNT" >>"$seqres.full" 2>&1';
my $readonly = 'mount -o remount,ro "$SCRATCH_MNT"';
my $group = '/sys/fs/cgroup/memory';

$CheckRun::tree = own_tree(
	'970-plain' => scratch_case(),
	'971-detach' => scratch_case('losetup -d "$SCRATCH_DEV"'),
	'976-free' => scratch_case('losetup -d "$SCRATCH_DEV"; umount "$SCRATCH_MNT"; ' .
		'! losetup "$SCRATCH_DEV" "$FAULT_NEXT" 2>>"$seqres.full" || : >"$FAULT_NEXT.given"'),
	'972-cut' => scratch_case($cut),
	'973-shutdown' => scratch_case($shutdown),
	'974-shutdown-late' => scratch_case('', $shutdown),
	'975-readonly' => scratch_case($readonly),
	'977-memory' => scratch_case('( ulimit -v 20000; head -c 64M /dev/zero | tail -n 1 >/dev/null; exit "${PIPESTATUS[1]}" )'),
	'978-limit' => scratch_case('( ulimit -v 1000; "$here/src/spin" --ops 1 )'),
	'979-group' => scratch_case('( echo "$BASHPID" >"$FAULT_GROUP/cgroup.procs" || exit 1; ' .
		'head -c 128M /dev/zero | tail -n 1 >/dev/null; exit "${PIPESTATUS[1]}" )'),
	'980-freeze-write' => scratch_case('fsfreeze -f "$SCRATCH_MNT"; for i in 1 2 3; do ' .
		'dd if=/dev/zero of="$SCRATCH_MNT/w$i" bs=1M count=1 2>/dev/null & done; wait'),
	'990-next' => "_require_scratch\n_scratch_mkfs || _fail mkfs\n_scratch_mount\n$golden",
);

# A device that was given, on a file of this test.
my $place = results_dir();
my $given;
sub give
{
	run_ok("truncate -s 0 $place/given.img && truncate -s 400M $place/given.img");
	$given //= run_ok("losetup -f --show $place/given.img");
	run_ok("losetup $given $place/given.img") if (slurp("/sys/block/${\ substr($given, 5)}/loop/backing_file") // '') eq '';
	mkdir "$place/mnt";
	return (SCRATCH_DEV => $given, SCRATCH_MNT => "$place/mnt");
}
END { my $status = $?; system("umount $place/mnt 2>/dev/null; losetup -d $given 2>/dev/null") if $given; $? = $status }

# are_broken(\%env, $gone, \@args, NAME => [$what, $why]...): one run of these tests and
# another behind them, and the next run.  Each is broken for its reason; the one behind
# passes, or with $gone is broken: it has no device.
sub are_broken
{
	my ($env, $gone, $args, %case) = @_;
	my @names = sort keys(%case);
	my ($out, $status, $results) = run_check({%fault_env, %$env}, @$args,
		map { "selftest/$_" } @names, 990);

	for my $name (@names) {
		my ($what, $why) = @{$case{$name}};
		my ($word, $reason) = word_of($out, "selftest/$name");

		is($word, 'broken', "$what: broken") or diag($out);
		like($reason, $why, "$what: says why");
		is($status, 2, "$what: exit 2");
		is(left_over($results), '', "$what: nothing is left");
	}
	is((word_of($out, 'selftest/990'))[0], $gone ? 'broken' : 'pass',
		'the next test' . ($gone ? ' has no device' : ' passes')) or diag($out);
	$env = {%$env, give()} if $env->{SCRATCH_DEV} && $gone;
	($out, $status, $results) = run_check({%fault_env, %$env}, 'selftest/970');
	is($status, 0, 'the next run passes') or diag($out);
	is(left_over($results), '', 'and leaves nothing');
}

my $lost = qr/^SCRATCH_DEV \S+ is not what it was: detached, cut or taken away$/;
my $died = qr/^arm bad, round 2: exit \d+: /;

are_broken({}, 1, [], 971 => ['our device, detached', $lost]) if $all_faults;
# Its number is not given to another, whose device the next mkfs would find there.
run_ok("truncate -s 1M $place/next.img");
are_broken({FAULT_NEXT => "$place/next.img"}, 1, [], 976 => ['our device, detached and unmounted', $lost]);
ok(!-e "$place/next.img.given", 'and nobody else gets its number');
are_broken({}, 1, [], 972 => ['our device, its image cut', $lost]);
are_broken({give()}, 1, [], 971 => ['a given device, detached', $lost]);
are_broken({give()}, 0, [],
	973 => ['a shutdown in mid-arm', $died],
	974 => ['a shutdown behind the last arm', qr/^\S+ was shut down \(see \S+\.fsck\)$/],
	975 => ['read-only in mid-arm', $died],
	977 => ['no memory for a program', $died],
	978 => ['no memory for a helper', $died],
);
are_broken({FAULT_USE => 'read'}, 0, [],
	975 => ['read-only beside arms that only read', qr/^\S+ has become read-only$/]);
are_broken({}, 0, ['--timeout', 3], 980 => ['writers asleep in a frozen file system',
	qr/^no end after 3 s, \d+ tasks cannot be killed /]) if $all_faults;

SKIP: {
	skip('needs a control group for memory', 7) if !-w "$group/cgroup.procs";
	my $mine = "$group/fsratio-selftest.$$";
	mkdir $mine or skip("$mine: $!", 7);
	spew("$mine/memory.limit_in_bytes", 16 << 20);
	are_broken({FAULT_GROUP => $mine}, 0, [],
		979 => ['a control group out of memory', qr/^arm bad, round 2: exit 137: /]);
	rmdir $mine or diag("$mine: $!");
}
done_testing();
