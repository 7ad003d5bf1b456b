#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What check shows on a terminal while a test runs, and that it shows nothing
# elsewhere; script(1) is the terminal.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs script(1)' if system('script --version >/dev/null 2>&1');
my $dir = results_dir();
my $results = results_dir();
my $esc = "\e[K";

# terminal($columns, $command): (what it was sent, exit status).
sub terminal
{
	my ($columns, $command) = @_;

	spew("$dir/run", "#! /bin/bash\nstty cols $columns rows 24\nexport HOST_OPTIONS=/dev/null MEASURE_TRACE=no MEASURE_AA=no " .
		"RESULT_BASE=$results TMPDIR=$dir\n$command\n");
	my $status = system("TERM=xterm script -qe -c 'bash $dir/run' $dir/typescript </dev/null >/dev/null 2>&1");
	my $out = slurp("$dir/typescript") =~ s/\r\n/\n/gr =~ s/\AScript started.*\n//r =~ s/\n?\nScript done .*\n\z//r;

	return ($out, $status >> 8);
}

# left($out): what stays on the lines of a terminal: each carriage return starts
# over, and the sequence removes the rest.
sub left
{
	my ($out) = @_;

	return join("\n", map { s/.*\r\Q$esc\E//r } split(/\n/, $out));
}

# What is shown.
my @tests = map { "selftest/$_" } qw(001 021 022);
my ($out, $status) = terminal(120, "./check --rounds 12 --exact-order @tests selftest/004");
is($status, 1, 'check says what it says');
like($out, qr/\rselftest\/001-pass  test 1\/4\Q$esc\E\r\Q$esc\Eselftest\/001-pass\t 0s\n/, 'a test that measures nothing: which');
my @shown = map { s/ \d+ s left/ N s left/r } $out =~ /\r(selftest\/021[^\r\n]*?)\Q$esc\E/g;
is_deeply(\@shown, ['selftest/021-judged-fail  test 2/4',
	"selftest/021-judged-fail  test 2/4, round 1/12, N s left",
	(map { "selftest/021-judged-fail  test 2/4, round $_/12, N s left, slowdown +" . ($_ - 1) . '/5 and 1 more' } 2 .. 5),
	'selftest/021-judged-fail  test 2/4, again, round 1/12, N s left',
	(map { "selftest/021-judged-fail  test 2/4, again, round $_/12, N s left, slowdown +" . ($_ - 1) . '/5 and 1 more' } 2 .. 5)],
	'rounds, the count of the rule, and both series');
my ($torn) = $out =~ /\r(selftest\/022[^\r\n]*round 3\/12[^\r\n]*?)\Q$esc\E/;
like($torn, qr{^selftest/022-undecided  test 3/4, round 3/12, (\d+) s left, slowdown 0/5$}, 'a count that goes up and down');
like($torn, qr/ (?:[1-5]?\d|60) s left/, 'and what is left of 60 s');
($out) = terminal(40, "./check selftest/021");
my ($widest) = sort { $b <=> $a } map { length } $out =~ /\r(selftest\/021[^\r\n]*?)\Q$esc\E/g;
is($widest, 39, 'no wider than the terminal');
($out) = terminal(120, "./check --record --rounds 6 selftest/026");
like($out, qr{\rselftest/026-record  test 1/1, round 6/6\Q$esc\E}, 'a recording has neither budget nor count');
($out) = terminal(120, "./check -i 2 --time-budget 7 selftest/020 selftest/001");
is_deeply([map { s/^\S+ +//r } $out =~ /\r(\S+ +test \d\/\d)\Q$esc\E/g], [('test 1/2', 'test 2/2') x 2], 'each iteration counts anew');
like($out, qr/round 1\/40, [67] s left/, 'and what --time-budget gives');
($out) = terminal(120, "MEASURE_AA=yes ./check --rounds 6 selftest/022");
like($out, qr{\rselftest/022-undecided  test 1/1, A/A, round 5/6, \d+ s left, slowdown -4/5\Q$esc\E}, 'A/A after an undecided one');

# What stays is what is printed elsewhere.
for my $arguments ("--exact-order @tests selftest/004", '-T selftest/001', 'selftest/001') {
	my ($elsewhere) = run_check({RESULT_BASE => $results}, split(/ /, $arguments));
	($out) = terminal(100, "./check $arguments");
	my ($there, $here) = map { normalise($_, $results) =~ s/\d\d:\d\d:\d\d/TIME/gr =~ s/ +\n/\n/gr } "$elsewhere", left($out) . "\n";
	is($here, $there, "$arguments: the same lines stay");
}

# And where nothing is.
($out) = run_check({}, @tests);
unlike($out, qr/[\r\e]/, 'no progress in a file');
for my $case (["./check selftest/021 | cat", 'in a pipe'], ["./check -d selftest/021", 'with -d'],
		["TERM=dumb ./check selftest/021", 'on a dumb terminal'], ['./check -n selftest/021', 'with -n'],
		["MEASURE_PROGRESS='80 x' MEASURE_PROGRESS_FIFO=$dir/trap ./check selftest/021 | cat", 'from the environment']) {
	my ($command, $what) = @$case;

	($out) = terminal(100, $command);
	unlike($out, qr/[\r\e]/, "none $what");
	like($out, qr/^selftest\/021/m, 'but the rest');
}
ok(!-e "$dir/trap", 'and nothing is written where the environment says');

# Nothing waits for a terminal that stops who writes to it, and nothing is left.
($out, $status) = terminal(100, "stty tostop\n./check selftest/021");
is($status, 1, 'a terminal that stops what writes in the background');
($out, $status) = terminal(100, "./check selftest/006 & pid=\$!\nuntil grep -q ^start $results/check.records; do sleep .1; done; " .
	"sleep .3; kill -TERM \$pid; wait \$pid");
is($status, 143, 'a signal');
like(left($out), qr/^selftest\/006-hang.*\nInterrupted!$/m, 'and the line is whole');
is(join(' ', glob("$dir/fsratio.*")), '', 'no FIFO is left');
is(processes_left($results), '', 'nor a process');
done_testing();
