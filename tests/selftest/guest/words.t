#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# One boot of a real kernel, with a pass and a fail: what quickstart shows of
# guests.  Downloads what is not in the cache.
# GUEST_KERNEL_GOOD: another kernel than the last of 6.12
use strict;
use warnings;
use Test::More;
use lib 'tests/selftest';
use CheckRun;
use GuestRun;

my $dir = guest_plan();
my $kernel = $ENV{GUEST_KERNEL_GOOD} // last_kernel('6.12');
plan(skip_all => 'apt-cache lists no cloud kernels') if !$kernel;

my ($status, $out, $err) = guest('', '--kernel', $kernel, '--timeout 600 --',
	'selftest/001 selftest/003');
is($status, 1, "$kernel: a pass and a fail");
diag($err) if $status != 1;
like($out, qr{^PLATFORM      -- Linux/x86_64 guest 6\.12\.}m, 'on this kernel');
like($out, qr{^selftest/001-pass\t \d+s$}m, 'the pass');
like($out, qr{^selftest/003-fail\t- output mismatch}m, 'the fail');
like(slurp((glob("$dir/results/guest/*/check.log"))[0]),
	qr{^Failures: selftest/003-fail$}m, 'their results');

done_testing();
