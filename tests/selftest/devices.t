#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The devices of check: made, used, removed on every way out; what a killed run
# left is removed by the next, and nothing else is touched.

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
my %env = (IMAGE_DIR => $images);
my @cleanup;

# A foreign loop device with a mounted file system, which must outlive all.
my $foreign = tempdir("fsratio-foreign.XXXXXX", TMPDIR => 1, CLEANUP => 1);
mkdir "$foreign/mnt" or die;
run_ok("truncate -s 320M $foreign/fsratio.img");
my $loop = run_ok("losetup -f --show $foreign/fsratio.img");
push @cleanup, "umount $foreign/mnt", "losetup -d $loop";
run_ok("mkfs.xfs -q $loop");
run_ok("mount $loop $foreign/mnt");
spew("$foreign/mnt/file", "mine\n");
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }

sub foreign_is_there
{
	my ($why) = @_;

	is(slurp("$foreign/mnt/file"), "mine\n", "$why: the foreign mount is there");
	like(`losetup $loop`, qr/\Q$foreign\E/, "$why: its loop device too");
}

# The ordinary way.
my ($out, $status, $results) = run_check(\%env, 'selftest/050');
is($status, 0, 'a test on our own devices passes') or diag($out);
is(ours_left($images), '', 'nothing is left of it');
foreign_is_there('ordinary end');

# A failed check of the file system, a stuck process.
($out, $status, $results) = run_check(\%env, 'selftest/051');
is($status, 1, 'an inconsistent file system is a fail');
like($out, qr/^selftest\/051-corrupt\t- output mismatch \(xfs on \S+ is inconsistent \(see \Q$results\E\/selftest\/051-corrupt\.fsck\)\)$/m,
	'which names the log of the checker') or diag($out);
like(slurp("$results/selftest/051-corrupt.fsck"), qr/agi_count|inconsistent|would|bad/i,
	'which holds its findings');
is(ours_left($images), '', 'nothing is left of it');

($out, $status, $results) = run_check(\%env, '--timeout', 2, 'selftest/052');
is($status, 2, 'a test that cannot be killed is broken');
like($out, qr/^selftest\/052-frozen\t- output mismatch \(broken: no end after 2 s, 1 tasks cannot be killed \(see/m,
	'says so');
like(slurp("$results/selftest/052-frozen.stuck"),
	qr/comm=touch state=D .*\n#   \[<0>\] .*(percpu_rwsem|sb_start_write|vfs|mnt_want_write|open)/,
	'and shows the kernel stack of what is stuck');
is(ours_left($images), '', 'nothing is left of it');

($out, $status) = run_check(\%env, 'selftest/053');
is($status, 2, 'another geometry than the test named is broken');
like($out, qr/^Broken: selftest\/053-geometry: geometry: agcount is '2' after mkfs, this test needs 4$/m,
	'says which');
($out, $status) = run_check(\%env, 'selftest/054');
is($status, 2, 'an arm on another file system is broken') or diag($out);
like($out, qr/^Broken: selftest\/054-unmounted: arm \w+, round 2 worked on another file system than fs=xfs dev=7:\d+/m,
	'says where it worked');
is(ours_left($images), '', 'nothing is left of it');

# Signals, at several moments.
for my $case (['INT', 130], ['TERM', 143], ['HUP', 129]) {
	my ($signal, $want) = @$case;

	for my $delay (0.02, 0.1, 0.3, 0.8) {
		my $run = start_check(\%env, '--timeout', 60, qw(selftest/050 selftest/006));
		select(undef, undef, undef, $delay);
		kill $signal, $run->{pid};
		($out, $status) = end_check($run);
		is($status, $want, "SIG$signal after $delay s: exit status");
		is(ours_left($images), '', "SIG$signal after $delay s: nothing is left");
	}
}
my $run = start_check(\%env, qw(selftest/006));
wait_for(10, sub { (slurp($run->{out}) // '') =~ /006-hang/ });
select(undef, undef, undef, 0.3);
kill 'TERM', $run->{pid};
($out, $status) = end_check($run);
is($status, 143, 'SIGTERM in a test: 143');
like($out, qr/^Interrupted!\nPassed all 0 tests\n\z/m, 'and a summary, with nothing behind it');
is(processes_left($run->{results}), '', 'and no process of the test is left');

# kill -9 leaves all behind; the next run removes it, and only that.
for my $delay (0.1, 0.5, 1) {
	$run = start_check(\%env, '--timeout', 60, qw(selftest/050 selftest/052));
	wait_for(10, sub { -s $run->{out} });
	select(undef, undef, undef, $delay);
	kill 'KILL', $run->{pid};
	($out, $status) = end_check($run);
	is($status, 137, "SIGKILL $delay s after the start");
	isnt(ours_left($images), '', 'leaves devices behind');
	for my $args (['-n'], ['--list'], ['xfs/999'], ['--nosuch'], ['-g', 'nosuch']) {
		run_check(\%env, @$args, $args->[0] eq '-n' ? 'selftest/050' : ());
		isnt(ours_left($images), '', "check @$args removes nothing");
	}
	($out, $status) = run_check(\%env, 'selftest/050');
	is($status, 0, 'the next run passes') or diag($out);
	is(ours_left($images), '', 'and removes them');
	foreign_is_there('after kill -9');
}

# A frozen file system would outlive its umount.
$run = start_check(\%env, '--timeout', 60, 'selftest/070');
wait_for(20, sub { (slurp("$run->{results}/selftest/070-frozen-idle.full") // '') =~ /^frozen$/m });
kill 'KILL', $run->{pid};
end_check($run);
run_check(\%env, 'selftest/050');
is(ours_left($images), '', 'kill -9 beside a frozen file system: the next run removes all');
$run = start_check(\%env, '--timeout', 60, 'selftest/070');
wait_for(20, sub { (slurp("$run->{results}/selftest/070-frozen-idle.full") // '') =~ /^frozen$/m });
kill 'TERM', $run->{pid};
end_check($run);
is(ours_left($images), '', 'SIGTERM beside it: nothing is left');

# At any moment: kill -9, and the next run must find it all.
for my $step (0 .. 19) {
	$run = start_check(\%env, '--timeout', 60, qw(selftest/050));
	select(undef, undef, undef, 0.01 + $step * 0.012);
	kill 'KILL', $run->{pid};
	end_check($run);
}
run_check(\%env, 'selftest/050');
is(ours_left($images), '', 'kill -9 at twenty moments: the next run removes all');

# A loop device over an image that is gone, as a kill in mid-removal leaves it.
mkdir "$images/fsratio.999999.1" or die;
run_ok("truncate -s 1M $images/fsratio.999999.1/test.img");
my $stray = run_ok("losetup -f --show $images/fsratio.999999.1/test.img");
unlink "$images/fsratio.999999.1/test.img" or die;
rmdir "$images/fsratio.999999.1" or die;
isnt(ours_left($images), '', 'a loop device over a removed image');
run_check(\%env, 'selftest/050');
is(ours_left($images), '', 'is detached by the next run');
system("losetup -d $stray 2>/dev/null");

# Two runs find what a third left, and the first of them is done before the second
# comes to detach it: its number must not be another's by then.
my $tools = "$foreign/bin";
mkdir $tools or die;
my ($losetup) = grep { -x } map { "$_/losetup" } split(/:/, $ENV{PATH});
run_ok("truncate -s 1M $foreign/next.img");
spew("$tools/losetup", <<"TOOL");
#!/bin/sh
if [ "\$1" = -d ] && mkdir $tools/first 2>/dev/null; then
	$losetup -d "\$2"
	$losetup "\$2" $foreign/next.img 2>/dev/null && echo "\$2" >$tools/given
fi
exec $losetup "\$@"
TOOL
chmod 0755, "$tools/losetup" or die;
mkdir "$images/fsratio.999999.1" or die;
run_ok("truncate -s 1M $images/fsratio.999999.1/test.img");
$stray = run_ok("losetup -f --show $images/fsratio.999999.1/test.img");
push @cleanup, "losetup -d $stray";
($out, $status) = run_check({%env, PATH => "$tools:$ENV{PATH}"}, 'selftest/050');
ok(-d "$tools/first", 'a device that another run detaches, too');
is(slurp("$tools/given"), undef, 'is not given to a third before we are done');
is($status, 0, 'the run passes') or diag($out);
unlike($out, qr/cannot detach/, 'and complains of nothing');
is(ours_left($images), '', 'and nothing is left');
pop @cleanup;
# Or it is another's already.
$stray = run_ok("losetup -f --show $foreign/next.img");
push @cleanup, "losetup -d $stray";
is(run_ok("bash -c '. ./common/devices; . ./common/loops; lock_closers= loops_mounted=; " .
	"_loops_undo $stray _loops_is_over $images/fsratio.999999.1/test.img'; losetup -j $foreign/next.img") =~ s/:.*//rs,
	$stray, 'a device whose number another has by now is left alone');
run_ok(pop @cleanup);

# Another run that is alive keeps its own.
$run = start_check(\%env, '--timeout', 60, qw(selftest/052));
my $alive = wait_for(10, sub { ours_left($images) =~ m{/scratch } && ours_left($images) });
($out, $status) = run_check(\%env, 'selftest/050');
is($status, 0, 'a second run beside a live one passes');
is(ours_left($images), $alive, 'and leaves the devices of the first alone');
($out, $status) = run_check({%env, RESULT_BASE => $run->{results}}, 'selftest/050');
is($status, 2, 'two runs with one RESULT_BASE: the second is refused');
is($out, "check: another check writes its results to $run->{results}\n", 'with one line');
kill 'TERM', $run->{pid};
end_check($run);
is(ours_left($images), '', 'nothing is left of both');

# Directories that only look like ours.
mkdir "$images/fsratio.1.2x" or die;
symlink $foreign, "$images/fsratio.999999.1" or die;
($out, $status) = run_check(\%env, 'selftest/050');
is($status, 0, 'a run beside strange names passes');
ok(-d "$images/fsratio.1.2x" && -l "$images/fsratio.999999.1" && -d "$foreign/mnt",
	'and leaves them alone');
rmdir "$images/fsratio.1.2x";
unlink "$images/fsratio.999999.1";

# Bad devices and directories: one line each, exit 2, nothing touched.
# state(): the mounts and loop devices of this test; others may run beside it.
sub state
{
	return join '', grep { /\Q$images\E|\Q$foreign\E/ } split /^/m, slurp('/proc/self/mountinfo') . `losetup -a`;
}
my $before = state();
for my $case (
	[{TEST_DEV => '/dev/nosuch'}, 'TEST_DEV /dev/nosuch does not exist'],
	[{TEST_DEV => '/dev/null'}, 'TEST_DEV /dev/null is not a block device'],
	[{SCRATCH_DEV => '/dev/nosuch'}, 'SCRATCH_DEV /dev/nosuch does not exist'],
	[{TEST_DEV => $loop}, "TEST_DEV $loop is mounted on $foreign/mnt (expected: not mounted, or on TEST_DIR)"],
	[{SCRATCH_DEV => $loop}, "SCRATCH_DEV $loop is mounted on $foreign/mnt (expected: not mounted, or on SCRATCH_MNT)"],
	[{TEST_DEV => $loop, TEST_DIR => "$foreign/mnt", SCRATCH_DEV => $loop, SCRATCH_MNT => "$foreign/mnt"},
		"TEST_DEV $loop and SCRATCH_DEV $loop are the same device"],
	[{IMAGE_DIR => '/nosuch'}, 'no room for image files: /nosuch have less than 3072 MiB free; set IMAGE_DIR, or TEST_DEV and SCRATCH_DEV'],
	[{FSTYP => 'vfat'}, "environment: FSTYP is 'vfat'; expected xfs, ext4 or btrfs"],
	[{SCRATCH_IMAGE_BYTES => '8g'}, "environment: SCRATCH_IMAGE_BYTES is '8g'; expected a number of bytes"],
) {
	my ($bad, $message) = @$case;
	my $why = join ' ', map { "$_=$bad->{$_}" } sort keys %$bad;

	($out, $status) = run_check({%env, %$bad}, 'selftest/050');
	is($status, 2, "$why: exit 2");
	is($out, "check: $message\n", "$why: one line");
}
is(state(), $before, 'no mount and no loop device was touched');
is(ours_left($images), '', 'nothing is left of them');

# An image directory that runs full in mid-test.
mkdir "$foreign/small" or die;
run_ok("mount -t tmpfs -o size=64M none $foreign/small");
unshift @cleanup, "umount $foreign/small";
($out, $status) = run_check({IMAGE_DIR => "$foreign/small", TEST_IMAGE_BYTES => 320 << 20,
	SCRATCH_IMAGE_BYTES => 320 << 20}, 'selftest/050');
is($status, 2, 'an image directory without room: exit 2');
like($out, qr/^check: no room for image files: \S+ have less than 213 MiB free;/, 'one line');
run_ok("mount -o remount,size=256M $foreign/small");
($out, $status) = run_check({IMAGE_DIR => "$foreign/small", TEST_IMAGE_BYTES => 320 << 20,
	SCRATCH_IMAGE_BYTES => 320 << 20}, 'selftest/055');
is($status, 2, 'an image directory that runs full in mid-test: broken') or diag($out);
like($out, qr/^Broken: selftest\/055-fill: \Q$foreign\E\/small is full: image files had no room$/m,
	'which says why');
is(ours_left("$foreign/small"), '', 'nothing is left of it');

foreign_is_there('at the end');
done_testing();
