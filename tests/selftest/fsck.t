#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The checker after a test, where a copy of its mount in another mount namespace
# keeps the file system up: it waits, and then says nothing of the file system.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
plan skip_all => 'needs unshare' if system('unshare -m true 2>/dev/null');

my $images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
local $CheckRun::tree = own_tree('901-held' => <<'EOT');
_require_scratch
_scratch_mkfs && _scratch_mount || _fail "no scratch"
mkdir "$SCRATCH_MNT"/{1..200} || _fail "cannot make"
touch "$SCRATCH_MNT"/{1..200}/{1..9} || _fail "cannot touch"
echo ready >>"$seqres.full"
for ((i = 0; i < 600; i++)); do
	[ ! -e "$RESULT_DIR/go" ] || break
	sleep 0.05
done
echo "Silence is golden"
_exit 0
EOT

for my $case (
	['xfs', 3, 0, qr/^selftest\/901-held\t \d+s$/m],
	['xfs', 60, 2, qr/broken: the checker of xfs could not run \(see /],
	['ext4', 3, 0, qr/^selftest\/901-held\t \d+s$/m],
	['btrfs', 3, 0, qr/^selftest\/901-held\t \d+s$/m],
) {
	my ($fs, $seconds, $wanted, $says) = @$case;
	SKIP: {
		skip "needs mkfs.$fs", 1 if !grep { -x "$_/mkfs.$fs" } split(/:/, $ENV{PATH}), '/sbin', '/usr/sbin';
		my $run = start_check({IMAGE_DIR => $images, FSTYP => $fs}, 'selftest/901');
		my $full = "$run->{results}/selftest/901-held.full";

		ok(wait_for(30, sub { (slurp($full) // '') =~ /^ready$/m }), "$fs: is mounted");
		my $holder = fork() // die "fork: $!";
		if (!$holder) {
			exec(qw(unshare -m --propagation private sleep), $seconds) or die "unshare: $!";
		}
		wait_for(10, sub { (readlink("/proc/$holder/ns/mnt") // '') ne readlink('/proc/self/ns/mnt') });
		spew("$run->{results}/selftest/go", '');
		# Long enough for check, not for us.
		if ($seconds == 60) {
			my $fsck = "$run->{results}/selftest/901-held.fsck";
			wait_for(40, sub { -s $fsck });
			like(slurp($fsck) // '', qr{^/dev/loop\d+ is still mounted, in another mount namespace$}m, 'says why');
			kill 'KILL', $holder;
		}
		my ($out, $status) = end_check($run);
		waitpid($holder, 0);
		is($status, $wanted, "$fs: held for $seconds s: exit $wanted") or diag($out);
		like($out, $says, "$fs: held for $seconds s: says so");
		is(ours_left($images), '', "$fs: nothing is left");
	}
}
done_testing();
