#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# kill -9 at random moments of a run: of check, of what watches over the test, of the
# test and of its helpers.  The next run finds all that was left and undoes it, and
# touches nothing else.
#
# FAULT_POINTS (200)	moments
# FAULT_SEED		of the random numbers, to repeat a run

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use FaultRun;
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
plan skip_all => 'needs /run' if !-w '/run';

my $points = $ENV{FAULT_POINTS} || 200;
my $seed = $ENV{FAULT_SEED} // int(time()) % 1000000;
my @victims = qw(check group supervise shell helper);
my $bpftrace = grep { -x "$_/bpftrace" } split(/:/, $ENV{PATH});
my $case = 'selftest/950';

srand($seed);
diag("FAULT_SEED=$seed");
foreign_make();
$CheckRun::tree = own_tree(
	'950-whole' => whole_case(),
	'951-next' => "_require_scratch\necho 'Silence is golden'\n_exit 0",
);
my $results = results_dir();
my %env = (%fault_env, RESULT_BASE => $results);

# victims($check, $kind): the processes to kill.
sub victims
{
	my ($check, $kind) = @_;

	return $check if $kind eq 'check';
	return -$check if $kind eq 'group';
	my %of_check = children_of($check);
	my ($supervise) = grep { $of_check{$_} eq 'supervise' } keys(%of_check);
	return if !$supervise;
	return $supervise if $kind eq 'supervise';
	my %of_supervise = children_of($supervise);
	my ($shell) = sort { $a <=> $b } keys(%of_supervise);
	return $shell // () if $kind eq 'shell' || !$shell;
	my %below = children_of($shell, 1);
	my @below = sort(keys(%below));
	return @below ? $below[rand(@below)] : ();
}

# How long it takes, with and without a tracer.
my @length;
for my $tracer ('', $bpftrace ? 'yes' : ()) {
	my $start = time();
	my ($out, $status) = run_check({%env, FAULT_TRACER => $tracer}, $case);

	is($status, 0, 'a whole run' . ($tracer && ', traced')) or diag($out);
	is(left_over($results), '', 'leaves nothing');
	push @length, time() - $start;
}

my (%tried, %words);
my $bad = '';
for my $point (1 .. $points) {
	my $traced = $bpftrace && $point % 4 == 0;
	my $kind = $victims[$point % @victims];
	my $delay = rand($length[$traced ? 1 : 0]);
	my $run = start_check({%env, FAULT_TRACER => $traced ? 'yes' : ''}, $case);

	sleep($delay);
	my @pids = victims($run->{pid}, $kind);
	# There is no test yet, or no longer.
	($kind, @pids) = ('check', $run->{pid}) if !@pids;
	$tried{$kind}++;
	my $at = sprintf('point %d, %s after %.3f s', $point, $kind, $delay);
	kill('KILL', @pids);
	my ($out, $status) = end_check($run);

	if ($kind ne 'check' && $kind ne 'group') {
		# check has seen it all: it says so, and leaves nothing itself.
		my ($word, $why) = word_of($out, $case);

		$words{$word}++;
		$bad .= "$at: exit $status, $word $why\n" if $status != 2 && $status != 0;
		my $still = left_over($results);
		$bad .= "$at: check left $still" if $still;
	}
	my %was = knobs_set();
	($out, $status) = run_check(\%env, 'selftest/951');
	$bad .= "$at: the next run: exit $status, $out" if $status != 0;
	my $left = left_over($results, \%was) .
		foreign_missing($point % 20 == 0 || $point == $points);
	$bad .= "$at: after the next run: $left" if $left;
	last if $bad =~ tr/\n// > 20;
}
is($bad, '', 'each next run passes, all is undone, and nothing else');
diag('kill points tried: ' . join(', ', map { ($tried{$_} // 0) . " $_" } @victims) .
	'; of what it outlived, check said ' .
	join(', ', map { "$words{$_} $_" } sort(keys(%words))));
done_testing();
