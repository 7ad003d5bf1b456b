#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# local.config: what it may say and what each line means; it is read, never
# executed.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

my $dir = results_dir();

# load($text, %env): read the file in a clean bash; (keys as text, stderr, status).
sub load
{
	my ($text, %env) = @_;

	spew("$dir/config", $text);
	my $set = join ' ', map { "$_='$env{$_}'" } sort keys %env;
	my $script = 'set -u; here=/here; EXIT_MISUSE=2; . common/config; _config_load; '
		. 'for k in "${CONFIG_KEYS[@]}"; do [ -z "${!k}" ] || printf "%s=%s\n" "$k" "${!k}"; done';
	my $out = `env -i PATH="\$PATH" HOST_OPTIONS='$dir/config' $set bash -c '$script' 2>'$dir/err'`;

	return ($out, slurp("$dir/err"), $? >> 8);
}

my $defaults = "RESULT_BASE=/here/results\nSCRATCH_IMAGE_BYTES=8589934592\nTEST_IMAGE_BYTES=1073741824\n";

# merged($keys): the defaults with these keys, in the order of CONFIG_KEYS.
sub merged
{
	my %keys = map { split /=/, $_, 2 } split /\n/, "FSTYP=xfs\n$defaults$_[0]";
	my @order = qw(TEST_DEV TEST_DIR SCRATCH_DEV SCRATCH_MNT FSTYP MKFS_OPTIONS MOUNT_OPTIONS
		TEST_FS_MOUNT_OPTS RESULT_BASE IMAGE_DIR SCRATCH_IMAGE_BYTES TEST_IMAGE_BYTES);
	return join '', map { "$_=$keys{$_}\n" } grep { defined $keys{$_} } @order;
}

for my $good (
	['', ''],
	["# a comment\n\n   \n", ''],
	["TEST_DEV=/dev/vdb\n", "TEST_DEV=/dev/vdb"],
	["export TEST_DEV=/dev/vdb\n", "TEST_DEV=/dev/vdb"],
	["  TEST_DEV=/dev/vdb  \n", "TEST_DEV=/dev/vdb"],
	["TEST_DEV=/dev/vdb", "TEST_DEV=/dev/vdb"],
	["TEST_DEV=/dev/vdb # the second disk\n", "TEST_DEV=/dev/vdb"],
	["MKFS_OPTIONS=\"-m reflink=1 -d agcount=4\"\n", "MKFS_OPTIONS=-m reflink=1 -d agcount=4"],
	["MKFS_OPTIONS='-m reflink=1'  # why\n", "MKFS_OPTIONS=-m reflink=1"],
	["MKFS_OPTIONS=\n", ''],
	["MKFS_OPTIONS=\"\"\n", ''],
	["MKFS_OPTIONS=-mreflink=1\n", "MKFS_OPTIONS=-mreflink=1"],
	["FSTYP=ext4\nFSTYP=btrfs\n", "FSTYP=btrfs"],
	["TEST_DEV=/dev/a\nSCRATCH_DEV=\${TEST_DEV}1\n", "TEST_DEV=/dev/a\nSCRATCH_DEV=/dev/a1"],
	["TEST_DEV=/dev/a\nSCRATCH_DEV=\"\$TEST_DEV\"\n", "TEST_DEV=/dev/a\nSCRATCH_DEV=/dev/a"],
	["TEST_DIR=\${NOWHERE:-/mnt/test}\n", "TEST_DIR=/mnt/test"],
	["TEST_DIR=\${NOWHERE-/mnt/test}\n", "TEST_DIR=/mnt/test"],
	["TEST_DIR=\${NOWHERE}/mnt\n", "TEST_DIR=/mnt"],
	["TEST_DIR='\${NOWHERE}'\n", "TEST_DIR=\${NOWHERE}"],
	["MOUNT_OPTIONS=\"-o noatime,logbsize=256k\"\n", "MOUNT_OPTIONS=-o noatime,logbsize=256k"],
	["TEST_IMAGE_BYTES=400000000\n", "TEST_IMAGE_BYTES=400000000"],
) {
	my ($text, $keys) = @$good;
	my ($out, $err, $status) = load($text);

	is($err, '', "accepted: $text");
	is($out, merged($keys), "its value: $text");
}
my ($out) = load("FSTYP=\${FSTYP:-btrfs}\n", FSTYP => 'ext4');
is($out, merged('FSTYP=ext4'), 'the environment wins where the file asks for it');
($out) = load("FSTYP=btrfs\n", FSTYP => 'ext4');
is($out, merged('FSTYP=btrfs'), 'else the file does, as in fstests');

my $keys = 'known are TEST_DEV TEST_DIR SCRATCH_DEV SCRATCH_MNT FSTYP MKFS_OPTIONS MOUNT_OPTIONS TEST_FS_MOUNT_OPTS RESULT_BASE IMAGE_DIR SCRATCH_IMAGE_BYTES TEST_IMAGE_BYTES';
my $command = 'commands are not run here; write the value itself or ${VAR} or ${VAR:-default}';
my $quotes = 'expected one pair of quotes round the whole value, found';
for my $bad (
	["TEST_DEV\n", 1, "expected KEY=value, found 'TEST_DEV'"],
	["\nTEST_DEV = /dev/a\n", 2, "expected KEY=value, found 'TEST_DEV = /dev/a'"],
	["echo hello\n", 1, "expected KEY=value, found 'echo hello'"],
	["if true; then\n", 1, "expected KEY=value, found 'if true; then'"],
	["touch $dir/executed\n", 1, "expected KEY=value, found 'touch $dir/executed'"],
	["# x\nNOSUCH=1\n", 2, "unknown key 'NOSUCH'; $keys"],
	["PATH=/tmp\n", 1, "unknown key 'PATH'; $keys"],
	["[xfs_4k]\n", 1, "sections are not supported here; write plain KEY=value lines"],
	["TEST_DEV=\$(touch $dir/executed)\n", 1, $command],
	["TEST_DEV=`touch $dir/executed`\n", 1, $command],
	["TEST_DEV=\"\$(touch $dir/executed)\"\n", 1, $command],
	["TEST_DIR=\${NOWHERE:-\$(touch $dir/executed)}\n", 1, $command],
	["TEST_DIR=\${NOWHERE:=/mnt}\n", 1, $command],
	["TEST_DIR=\${NOWHERE\n", 1, $command],
	["TEST_DIR=\"/mnt\n", 1, "$quotes \"/mnt"],
	["TEST_DIR='/mnt\n", 1, "$quotes '/mnt"],
	["TEST_DIR=\"/mnt\"/x\n", 1, "$quotes \"/mnt\"/x"],
	["TEST_DEV=/dev/a; touch $dir/executed\n", 1,
		"expected quotes round a value with blanks or ; & | < >, found /dev/a; touch $dir/executed"],
	["MKFS_OPTIONS=-m reflink=1\n", 1,
		"expected quotes round a value with blanks or ; & | < >, found -m reflink=1"],
	["FSTYP=reiserfs\n", 0, "FSTYP is 'reiserfs'; expected xfs, ext4 or btrfs"],
	["TEST_IMAGE_BYTES=-1\n", 0, "TEST_IMAGE_BYTES is '-1'; expected a number of bytes"],
	["TEST_IMAGE_BYTES=0\n", 0, "TEST_IMAGE_BYTES is '0'; expected a number of bytes"],
	["SCRATCH_IMAGE_BYTES=99999999999999999999\n", 0,
		"SCRATCH_IMAGE_BYTES is '99999999999999999999'; expected a number of bytes"],
) {
	my ($text, $line, $message) = @$bad;
	my ($out, $err, $status) = load($text);

	is($status, 2, "refused: $text");
	is($err, "check: $dir/config:" . ($line ? "$line:" : '') . " $message\n", "its line: $text");
	is($out, '', "and nothing is set: $text");
}
ok(!-e "$dir/executed", 'nothing was ever executed');
done_testing();
