#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Hist triggers on real kernels, in guests without bpftrace: what blocks is counted,
# what others have set in tracefs stays as it is, and nothing is left behind.
# Downloads packages into the cache: make selftest-guest.
# GUEST_KERNELS: other kernels than the last of 6.1 and 6.12
use strict;
use warnings;
use Test::More;
use lib 'tests/selftest';
use CheckRun;
use GuestRun;
use HelperRun qw(build);

my $dir = guest_plan();
ok(build("$dir/tree/src/blocked_helper", [],
	'tests/selftest/blocked_helper.c'), 'the known workload builds');

# What is typed in the guest.  Its last lines are of the triggers of somebody else.
my $typed = <<'END';
mkdir -p results /tmp/bin; ln -s /usr/bin/* /usr/sbin/* /tmp/bin/ 2>/dev/null
rm /tmp/bin/bpftrace; mount -t tracefs tracefs /sys/kernel/tracing
cat >/tmp/blocked <<'X'
set -u
_register_cleanup() { trap "$1" EXIT; }; _cleanup() { :; }
tmp=/tmp/trace seqres=/suite/results/blocked FSTYP=xfs measure_round=0 test_stdout=1
_slices_sync() { :; }
. ./common/blocked
worker() { src/blocked_helper vfork 500; }
# One that was killed, and one that is not ours.
mkdir /sys/kernel/tracing/instances/fsratio.4194304 /sys/kernel/tracing/instances/other
echo hist:keys=next_pid >/sys/kernel/tracing/events/sched/sched_switch/trigger
_blocked_trace worker || echo "$blocked_why"
ls /sys/kernel/tracing/instances >results/instances
grep -v '^#' /sys/kernel/tracing/events/sched/sched_switch/trigger >results/trigger
X
PATH=/tmp/bin bash /tmp/blocked >results/out 2>&1
PATH=/tmp/bin ./check --no-confirm generic/001
exit 0
END

for my $kernel ($ENV{GUEST_KERNELS} ? split(' ', $ENV{GUEST_KERNELS}) :
		map { last_kernel($_) // () } qw(6.1 6.12)) {
	my ($status, $out, $err) = guest($typed, '--kernel', $kernel,
		'--timeout 900 --shell');
	is($status, 0, "$kernel: a guest") or diag($err);

	my ($results) = map { s{/console\.log$}{}r }
		glob("$dir/results/guest/*/console.log");
	is(slurp("$results/out"), '', "$kernel: hist triggers can be used");
	my ($count, $other) = (0, 0);
	for (split(/\n/, slurp("$results/blocked.stacks"))) {
		/^stack arm=worker comm=blocked_helper count=(\d+) blocked_ns=0 wait=lock lock=wait_for_completion\w* reason=kernel_clone /
			and $count += $1 or $other++;
	}
	ok($count == 1000 || $count == 500, "$kernel: each wait for a vfork is counted")
		or diag("$count\n", slurp("$results/blocked.stacks"));
	is(slurp("$results/instances"), "other\n", "$kernel: no instance of ours is left");
	like(slurp("$results/trigger"), qr/\Ahist:keys=next_pid:.*\[active\]\n\z/,
		"$kernel: and the trigger of somebody else is");
	my ($verdict) = glob("$results/generic/001-*.verdict");
	like(slurp($verdict), qr/^# reason: \d+ % of blocked switches wait in xfs_ilock/m,
		"$kernel: why generic/001 fails") if slurp($verdict) =~ /^verdict test=final verdict=fail/m;
	system("rm -rf $dir/results") == 0 or die;
}
done_testing();
