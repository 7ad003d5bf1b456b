#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# check --background-load: fsstress runs on what is measured, in the first series
# alone, and is gone on every way out; no verdict is turned round by it.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

# Images of our own, so that runs of others are neither counted nor disturbed.
my $images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my $load = '--background-load';
my $line = qr/^LOAD          -- fsstress on what is measured, beside each measurement$/m;

# fsstresses(): process ids of those on file systems of these runs.
sub fsstresses
{
	return grep { (slurp("/proc/$_/cmdline") // '') =~ /fsstress\0-d\0\Q$images\E/ }
		map { m{(\d+)} } glob('/proc/[0-9]*');
}

# run(\%env, @args): a run that must leave nothing; (output, status, results).
sub run
{
	my ($env, @args) = @_;
	my ($out, $status, $results) = run_check({IMAGE_DIR => $images, %$env}, @args);

	is(join(' ', fsstresses()) . ours_left($images), '', "@args: nothing is left");
	return ($out, $status, $results);
}

# series($results): "series loaded?" of each round, as the case saw it.
sub series
{
	my $full = slurp("$_[0]/selftest/081-load.full");

	return join ' ', $full =~ /^(?:# series|loaded:) (\w+)/mg;
}

my ($out, $status, $results) = run({}, 'selftest/081');
is($status, 0, 'without the load') or diag($out);
unlike($out, $line, 'the header says nothing of it');
is(series($results), '1 no no no no no', 'and there is none');
like(slurp("$results/selftest/081-load.samples"), qr/^env .* load=none/m, 'nor is it in the samples');

for my $case (
	['pass', 0, '1 yes yes yes yes yes', qr/^    slowdown: pass, /m],
	['fail', 1, '1 yes yes yes yes yes 2 no no no no no', qr/^    slowdown: fail, .* in 5 \+ 5 rounds/m],
	# Slow by the load alone: it does not come again without it.
	['slow', 3, '1 yes yes yes yes yes 2 no no no no no', qr/\[not run\] undecided: slowdown: /],
	['lost', 2, undef, qr/broken: the load ended by itself \(see \S+\.full\)/],
) {
	my ($name, $wanted, $rounds, $says) = @$case;

	($out, $status, $results) = run({LOAD_CASE => $name}, $load, 'selftest/081');
	is($status, $wanted, "beside the load, $name: exit $wanted") or diag($out);
	like($out, $says, "$name: says so");
	like($out, $line, "$name: the header tells of the load");
	is(series($results), $rounds, "$name: in the first series alone") if $rounds;
	like(slurp("$results/selftest/081-load.samples"), qr/^env .* load=fsstress/m, "$name: the samples, too");
	unlike($out, qr/inconsistent|kernel log/, "$name: the file system is well");
}
for my $fs (qw(ext4 btrfs)) {
	SKIP: {
		skip "needs mkfs.$fs", 1 if !grep { -x "$_/mkfs.$fs" } split(/:/, $ENV{PATH});
		($out, $status, $results) = run({FSTYP => $fs}, $load, 'selftest/081');
		is($status, 0, "on $fs") or diag($out);
		is(series($results), '1 yes yes yes yes yes', "on $fs it runs");
	}
}

# What only the tasks of the test do may pass; a control that was not bad says
# that the load hid something.
my $body = slurp('tests/selftest/081-load') =~ s/.*?_begin_fstest selftest\n//sr =~ s/elapsed_ns=\$1/elapsed_ns=\$1 events=\$1/r;
my $control = "limit name=control role=control num=bad den=one of=elapsed_ns min=2\n";
local $CheckRun::tree = own_tree(
	'901-count' => $body, '902-task' => $body, '903-control' => $body);
my $limits = "$CheckRun::tree/tests/selftest";
spew("$limits/901-count.limits", "limit name=slowdown num=bad den=one of=events/ops max=2\n");
spew("$limits/902-task.limits", "limit name=slowdown num=bad den=one of=elapsed_ns/ops max=2\n" .
	"limit name=more role=info num=bad den=one of=events max=2\n");
spew("$limits/902-task.out", "QA output created by 902-task\nslowdown: pass\nmore: info\n");
spew("$limits/903-control.limits", slurp("$limits/902-task.limits") =~ s/limit name=more.*/$control/sr);
for my $case (
	['901', 3, qr/\[not run\] undecided: events counts what the load does, too$/m],
	['902', 0, qr/^    slowdown: pass, /m],
	['903', 3, qr/\[not run\] undecided: beside the load: control: /],
) {
	my ($test, $wanted, $says) = @$case;

	($out, $status) = run({}, $load, "selftest/$test");
	is($status, $wanted, "$test: exit $wanted") or diag($out);
	like($out, $says, "$test: says so");
}
$CheckRun::tree = '.';

# Ends of another kind.
for my $end ('TERM to check', 'KILL to check', 'KILL to the test') {
	my ($signal, $whom) = split / to /, $end;
	my $run = start_check({IMAGE_DIR => $images, LOAD_CASE => 'hang'}, $load, 'selftest/081');
	my $full = "$run->{results}/selftest/081-load.full";

	ok(wait_for(60, sub { (slurp($full) // '') =~ /^hanging$/m }), "$end: the test hangs");
	is(scalar(fsstresses()), 3, "$end: the load runs") or diag(slurp($full));
	is(scalar(grep { slurp("/proc/$_/cmdline") !~ /\0-f\0syncfs=0\0/ } fsstresses()), 0,
		"$end: it writes back nothing of what is measured");
	my %load = map { $_ => 1 } fsstresses();
	my ($test) = grep { !$load{$_} } map { (slurp("/proc/$_/status") // '') =~ /^PPid:\t(\d+)/m } keys %load;
	$test = $run->{pid} if $whom eq 'check';
	kill $signal, $test;
	($out, $status) = end_check($run);
	is($status, {'TERM to check' => 143, 'KILL to check' => 137, 'KILL to the test' => 2}->{$end}, "$end: status") or diag($out);
	ok(wait_for(30, sub { !fsstresses() }), "$end: the load is gone");
	unlike($out, qr/inconsistent|cannot/, "$end: no other finding");
}
run({}, $load, 'selftest/081');

# What it excludes.
my $dir = results_dir();
for my $args ([$load, '--record'], ['--no-confirm', $load]) {
	($out, $status) = run_check({RESULT_BASE => "$dir/r"}, @$args, 'selftest/081');
	is($status, 2, "@$args: exit 2");
	is($out, "check: --background-load excludes --record and --no-confirm\n", "@$args: one line");
	ok(!-e "$dir/r", "@$args: no results are made");
}
done_testing();
