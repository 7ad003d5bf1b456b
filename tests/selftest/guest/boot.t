#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Real guests: kernels of Debian from before and after the fix of generic/001, a
# shell, and those that do not get there.  Downloads packages into the cache, and
# takes minutes without KVM: make selftest-guest.
# GUEST_KERNEL_BAD, GUEST_KERNEL_GOOD: other kernels than the last of 6.1 and 6.12
use strict;
use warnings;
use Test::More;
use lib 'tests/selftest';
use CheckRun;
use GuestRun;

my $dir = guest_plan();
my $bad = $ENV{GUEST_KERNEL_BAD} // last_kernel('6.1');
my $good = $ENV{GUEST_KERNEL_GOOD} // last_kernel('6.12');
plan(skip_all => 'apt-cache lists no cloud kernels') if !$bad || !$good;

my ($status, $out, $err) = guest("echo x >results/typed; exit 7\n", '--kernel',
	$good, '--shell');
is($status, 7, 'a shell ends with the status of exit');
is(slurp((glob("$dir/results/guest/*/typed"))[0]), "x\n", 'and results');

# A tmpfs larger than the memory, and a kernel that loads no modules
($status, $out, $err) = guest("mount -o remount,size=2G /dev/shm; " .
	"head -c 1G /dev/zero >/dev/shm/x; exit 0\n", '--kernel', $good,
	'--shell --mem 256M');
is($status, 2, 'no memory left');
like($err, qr/^guest: 6\.12\.\S+: runs out of memory/m, 'its message');
($status, $out, $err) = guest("echo c >/proc/sysrq-trigger\n", '--kernel',
	$good, '--shell');
is($status, 2, 'a kernel that panics');
like($err, qr/^guest: 6\.12\.\S+: panics: sysrq triggered crash /m,
	'its message');
like($err, qr/^    .*sysrq_handle_crash/m, 'the trace');
# A test in which it panics, after one that ends
unlink("$dir/tree/tests") && mkdir("$dir/tree/tests") or die "tests: $!";
system('cp', '-R', glob('tests/*'), "$dir/tree/tests") and die 'cp';
my $panic = "$dir/tree/tests/selftest/990-panic";
spew($panic, slurp('tests/selftest/001-pass') =~
	s/^echo .*/[ "\$(uname -n)" = guest ] || _fail "not in a guest"
sleep 3
echo c >\/proc\/sysrq-trigger/mr);
spew("$panic.out", "QA output created by 990-panic\n");
chmod(0755, $panic) or die "$panic: $!";
($status, $out, $err) = guest('', '--kernel', $good, '--timeout 600 --',
	'selftest/001 selftest/990');
is($status, 2, 'a test in which the kernel panics');
like($err, qr{^guest: 6\.12\.\S+ in selftest/990-panic: panics: sysrq triggered crash }m,
	'which one');
my ($results) = $err =~ /^guest: what had ended by then is in (\S+)$/m;
my $ktap = `$dir/tree/tools/report ktap $results 2>/dev/null`;
like($ktap, qr/^ok 1 selftest\/001-pass$/m, 'what had ended can be reported');
like($ktap, qr/^not ok 2 selftest\/990-panic # ERROR/m, 'the other is broken');
unlink(glob("$panic*"));

my ($image) = `$dir/tree/tools/guest-kernel $good` =~ /(.*)/;
($status, $out, $err) = guest('', '--kernel', "$image/bzImage",
	'--timeout 300 -- selftest/001');
is($status, 2, 'a kernel without its modules');
like($err, qr/^guest: 6\.12\.\S+: does not boot: no disks \(CONFIG_VIRTIO_/m,
	'its message');
($status, $out, $err) = guest('', '--kernel', $good, '--accel tcg --timeout 1',
	'-- selftest/001');
is($status, 2, 'a kernel that is not given the time');
like($err, qr/^guest: 6\.12\.\S+: does not boot: no init after 1 s/m,
	'its message');

# The word may be undecided beside other work, and is never the opposite.
for my $case ([$bad, 1, 0], [$good, 0, 1]) {
	my ($kernel, $right, $wrong) = @$case;
	($status, $out, $err) = guest('', '--kernel', $kernel,
		'--cpus 2 --timeout 900 -- --time-budget 120 generic/001');
	isnt($status, $wrong, "generic/001 on $kernel: never the opposite");
	isnt($status, 2, 'and not broken');
	diag("generic/001 on $kernel: exit status $status, expected $right\n$out")
		if $status != $right;
	like($out, qr/blocked switches wait in xfs_ilock/, 'with its reason')
		if $status == 1;
}

done_testing();
