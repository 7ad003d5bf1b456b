#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Devices that were given: used, left attached, and refused with one sentence
# and exit 2, before anything is written, where they serve somebody else.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Cwd qw(realpath);
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

my $dir = tempdir("fsratio-refusals.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }

# loop($name, $megabytes, @options): a loop device over a new sparse image.
sub loop
{
	my ($name, $megabytes, @options) = @_;

	run_ok("truncate -s ${megabytes}M $dir/$name.img");
	my $loop = run_ok("losetup -f --show @options $dir/$name.img");
	unshift @cleanup, "losetup -d $loop";
	return $loop;
}

sub mount_on
{
	my ($loop, $mnt) = @_;

	mkdir $mnt or die "$mnt: $!";
	run_ok("mount $loop $mnt");
	unshift @cleanup, "umount $mnt";
}

# refused($why, \%env, $message): one line, exit 2, no result, nothing changed.
sub refused
{
	my ($why, $env, $message) = @_;
	my $results = results_dir();
	my %before = map { $_ => scalar(sum($_)) } grep { -b } values %$env;
	my ($out, $status) = run_check({%$env, RESULT_BASE => "$results/r"}, 'selftest/050');

	is($status, 2, "$why: exit 2");
	is($out, "check: $message\n", "$why: one line");
	ok(!-e "$results/r", "$why: no results are made");
	is(scalar(sum($_)), $before{$_}, "$why: $_ is as it was") for sort keys %before;
}

sub sum
{
	my ($device) = @_;

	return scalar(`head -c 4M $device 2>&1 | sha256sum; tail -c 1M $device 2>&1 | sha256sum`);
}

my $test = loop('test', 400);
my $scratch = loop('scratch', 400);
run_ok("mkfs.xfs -q $test");
my %given = (TEST_DEV => $test, SCRATCH_DEV => $scratch);

# Used as they are.
mkdir "$dir/t" or die;
mkdir "$dir/s" or die;
my ($out, $status) = run_check({%given, TEST_DIR => "$dir/t", SCRATCH_MNT => "$dir/s"}, 'selftest/050');
is($status, 0, 'given devices are used') or diag($out);
like($out, qr/^MOUNT_OPTIONS -- \Q$scratch $dir\E\/s$/m, 'and named');
like(`losetup $test; losetup $scratch`, qr/test\.img.*scratch\.img/s, 'and left attached');
unlike(slurp('/proc/self/mountinfo'), qr/ \Q$dir\E\/[ts] /, 'and unmounted');
run_ok("mount $test $dir/t");
is(slurp("$dir/t/file"), "test\n", 'the test used TEST_DEV, which was not formatted');
run_ok("umount $dir/t");
($out, $status) = run_check(\%given, 'selftest/050');
is($status, 0, 'without mount points of their own too') or diag($out);
($out, $status) = run_check({SCRATCH_DEV => $scratch}, 'selftest/050');
is($status, 0, 'one given, one our own') or diag($out);
run_ok("mount $test $dir/t");
($out, $status) = run_check({%given, TEST_DIR => "$dir/t"}, 'selftest/050');
is($status, 0, 'TEST_DEV mounted on TEST_DIR already') or diag($out);
like(slurp('/proc/self/mountinfo'), qr/ \Q$dir\E\/t /, 'and it stays mounted');
run_ok("umount $dir/t");

# Not what they seem.
symlink $test, "$dir/link" or die;
refused('one device by two names', {%given, SCRATCH_DEV => "$dir/link"},
	"TEST_DEV $test and SCRATCH_DEV $dir/link are the same device");
refused('no device', {%given, TEST_DEV => '/dev/nosuch'}, 'TEST_DEV /dev/nosuch does not exist');
refused('no block device', {%given, SCRATCH_DEV => '/dev/zero'}, 'SCRATCH_DEV /dev/zero is not a block device');
my $small = loop('small', 100);
refused('too small', {%given, SCRATCH_DEV => $small},
	"SCRATCH_DEV $small has 100 MiB (expected: 320 MiB or more)");
my $readonly = loop('readonly', 400, '-r');
refused('read-only', {%given, SCRATCH_DEV => $readonly}, "SCRATCH_DEV $readonly is read-only");

refused('an external log for another file system',
	{%given, FSTYP => 'ext4', USE_EXTERNAL => 'yes', SCRATCH_LOGDEV => $small},
	'SCRATCH_LOGDEV is for FSTYP=xfs alone, found ext4; set USE_EXTERNAL=no');

# In use.
my $busy = loop('busy', 400);
run_ok("mkfs.xfs -q $busy");
mount_on($busy, "$dir/busy");
refused('TEST_DEV mounted elsewhere', {%given, TEST_DEV => $busy},
	"TEST_DEV $busy is mounted on $dir/busy (expected: not mounted, or on TEST_DIR)");
refused('SCRATCH_DEV mounted elsewhere', {%given, SCRATCH_DEV => $busy},
	"SCRATCH_DEV $busy is mounted on $dir/busy (expected: not mounted, or on SCRATCH_MNT)");
refused('a mount point in use', {%given, SCRATCH_MNT => "$dir/busy"},
	"SCRATCH_MNT $dir/busy is the mount point of another file system");
refused('one directory for both', {%given, TEST_DIR => "$dir/t", SCRATCH_MNT => "$dir/t"},
	'TEST_DIR and SCRATCH_MNT are the same directory');
refused('no mount point', {%given, TEST_DIR => "$dir/nosuch"}, "TEST_DIR $dir/nosuch is not a directory");
my $swap = loop('swap', 400);
run_ok("mkswap $swap");
refused('a swap signature', {%given, SCRATCH_DEV => $swap},
	"SCRATCH_DEV $swap holds a swap signature; wipefs it if it is free");
SKIP: {
	skip 'no swap here', 1 if system("swapon $swap 2>/dev/null") != 0;
	refused('in use as swap', {%given, SCRATCH_DEV => $swap}, "SCRATCH_DEV $swap is in use as swap");
	run_ok("swapoff $swap");
}
my $luks = loop('luks', 400);
open(my $fh, '+<', $luks) or die "$luks: $!";
print $fh "LUKS\xba\xbe\x00\x01" . "\0" x 504 or die;
close($fh) or die "$luks: $!";
refused('a member of another device', {%given, SCRATCH_DEV => $luks},
	"SCRATCH_DEV $luks holds a crypto_LUKS signature; wipefs it if it is free");
my $lower = loop('lower', 400);
my $upper = run_ok("losetup -f --show $lower");
unshift @cleanup, "losetup -d $upper";
refused('the device below another', {%given, SCRATCH_DEV => $lower},
	'SCRATCH_DEV ' . $lower . ' backs ' . ($upper =~ s{/dev/}{}r));
run_ok("losetup -d $upper");
SKIP: {
	skip 'no mkfs.btrfs', 1 if system('command -v mkfs.btrfs >/dev/null') != 0;
	my ($one, $two) = map { loop("btrfs$_", 400) } 1, 2;

	run_ok("mkfs.btrfs -q $one $two");
	mount_on($one, "$dir/btrfs");
	refused('a member of a mounted btrfs', {%given, SCRATCH_DEV => $two},
		"SCRATCH_DEV $two is a member of a mounted btrfs");
}
SKIP: {
	my $disk = loop('disk', 800, '-P');

	system("printf 'label: gpt\\nsize=380M\\nsize=380M\\n' | sfdisk -q $disk >/dev/null 2>&1");
	my $found = wait_for(3, sub { -b "${disk}p2" });
	skip 'no partitions on loop devices', 1 if !$found;
	refused('a disk and its partition', {TEST_DEV => "${disk}p1", SCRATCH_DEV => $disk},
		"TEST_DEV ${disk}p1 and SCRATCH_DEV $disk are a disk and a partition of it");
	run_ok("mkfs.xfs -q ${disk}p2");
	mount_on("${disk}p2", "$dir/p2");
	refused('a disk with a mounted partition', {%given, SCRATCH_DEV => $disk},
		"SCRATCH_DEV $disk has a mounted partition, " . ("${disk}p2" =~ s{/dev/}{}r));
	($out, $status) = run_check({%given, SCRATCH_DEV => "${disk}p1"}, 'selftest/050');
	is($status, 0, 'a partition beside a mounted one is free') or diag($out);
}

# Two runs, one device.
my $locked = start_check(\%given, '--timeout', 60, 'selftest/050', 'selftest/006');
wait_for(10, sub { (slurp($locked->{out}) // '') =~ /006-hang/ });
for my $name (qw(TEST_DEV SCRATCH_DEV)) {
	my $dev = $given{$name};

	refused("$name in use by another run", {$name => $dev}, "$name $dev is in use by another run");
}
kill 'TERM', $locked->{pid};
end_check($locked);
($out, $status) = run_check(\%given, 'selftest/050');
is($status, 0, 'and free again when that has ended') or diag($out);
done_testing();
