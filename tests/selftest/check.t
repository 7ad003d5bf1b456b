#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What check prints and how it exits, over the cases beside this file.  Its
# whole output stands in check.golden; "check.t --update" writes that anew.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
my $golden = "$FindBin::Bin/check.golden";
my @cases = ('--timeout', 2, 'selftest/00*', 'selftest/01*', 'selftest/02*', 'selftest/03*');

my ($out, $status, $results) = run_check({}, @cases);
my $text = normalise($out, $results);
if (@ARGV && $ARGV[0] eq '--update') {
	spew($golden, $text);
	exit 0;
}
is($status, 1, 'all cases together: a fail weighs most');
is($text, slurp($golden), 'and the output is the golden one');
is(processes_left($results), '', 'no process is left of them');
my $log = slurp("$results/check.log");
like($log, qr/^FSTYP .*^PLATFORM .*^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \d{4}\nRan: /ms,
	'check.log has header and date');
is(join("\n", grep { /^(Ran|Not run|Undecided|Broken|Failures|Failed)/ } split /\n/, $log),
	join("\n", grep { /^(Ran|Not run|Undecided|Broken|Failures|Failed)/ } split /\n/, $out),
	'and the summary');
like(slurp("$results/check.time"), qr/^selftest\/001-pass \d+$/m, 'check.time the seconds of a pass');
unlike(slurp("$results/check.time"), qr/005-crash/, 'and not those of a broken test');

# The word of each case alone gives the exit status; then the same for bisect.
for my $case (
	['001', 'pass', 0, 0], ['002', 'fail', 1, 1], ['003', 'fail', 1, 1], ['004', 'notrun', 3, 125],
	['005', 'broken', 2, 128], ['007', 'broken', 2, 128], ['008', 'broken', 2, 128],
	['009', 'broken', 2, 128], ['010', 'pass', 0, 0], ['020', 'pass', 0, 0], ['021', 'fail', 1, 1],
	['022', 'undecided', 3, 125], ['023', 'undecided', 3, 125], ['024', 'undecided', 3, 125],
	['025', 'broken', 2, 128], ['026', 'broken', 2, 128], ['030', 'broken', 2, 128],
	['032', 'broken', 2, 128], ['033', 'broken', 2, 128], ['034', 'broken', 2, 128],
	['035', 'broken', 2, 128], ['036', 'notrun', 3, 125], ['037', 'pass', 0, 0],
	['038', 'undecided', 3, 125], ['039', 'notrun', 3, 125], ['040', 'fail', 1, 1],
) {
	my ($number, $word, $plain, $bisect) = @$case;

	($out, $status) = run_check({}, "selftest/$number");
	is($status, $plain, "selftest/$number, $word: exit status");
	($out, $status) = run_check({BISECT => 1}, "selftest/$number");
	is($status, $bisect, "selftest/$number, $word: with BISECT=1");
	my @runs = $out =~ /^(selftest\/\S+)\s/mg;
	is(scalar(grep { /^selftest\/$number/ } @runs), $word =~ /undecided|notrun/ ? 2 : 1,
		"selftest/$number, $word: runs with BISECT=1");
}
for my $case (
	[1, '001', '002', '005', '022'], [2, '001', '005', '022'], [3, '001', '022'], [0, '001', '004'],
	[3, '004', '036'], [0, '001', '020'],
) {
	my ($want, @numbers) = @$case;

	($out, $status) = run_check({}, map { "selftest/$_" } @numbers);
	is($status, $want, "@numbers together: exit status $want");
}
($out, $status) = run_check({BISECT => 1}, 'selftest/001', 'selftest/004');
is($status, 125, 'a pass and a notrun say nothing certain to bisect');
($out, $status) = run_check({BISECT => 0}, 'selftest/005');
is($status, 2, 'BISECT=0 is off');

# A bisect wants a surer verdict.
($out, $status, $results) = run_check({BISECT => 1}, 'selftest/020');
like(slurp("$results/selftest/020-judged-pass.verdict"), qr/ n=6 /, 'with BISECT=1 six rounds ahead are asked for');

# Options that change what is measured.
($out, $status, $results) = run_check({}, '--no-confirm', 'selftest/023');
is($status, 1, '--no-confirm: one series is enough to fail');
like($out, qr/^    slowdown: fail, ratio 4\.00 \(4\.00 to 4\.00\) in 5 rounds, limit at most 2, not confirmed$/m,
	'and the verdict says so');
($out, $status, $results) = run_check({}, '--rounds', 7, 'selftest/022');
like(slurp("$results/selftest/022-undecided.verdict"), qr/ n=7 .*reason=cap/, '--rounds is the cap');
($out, $status, $results) = run_check({}, '--record', 'selftest/020');
my $samples = slurp("$results/selftest/020-judged-pass.samples");
is(scalar(() = $samples =~ /^sample series=1 arm=bad round=\d+ /mg), 40, '--record: 40 rounds, no early stop');
unlike($samples, qr/series=2/, 'one series');
like($samples, qr/^# kernel \S+, \d{4}-\d\d-\d\d, by \.\/check --record selftest\/020-judged-pass\nenv kernel=/,
	'headed by the kernel and the command');
my @orders;
push @{$orders[$2 - 1]}, $1 while $samples =~ /^sample series=1 arm=(\w+) round=(\d+) /mg;
my %orders = map { join(' ', @$_) => 1 } @orders;
is(scalar(keys %orders), 6, 'rounds run the three arms in all orders');
($out, $status, $results) = run_check({STANDIN => 'plain'}, '--record', 'selftest/020');
like(slurp("$results/selftest/020-judged-pass.samples"), qr/^# stand-in plain, kernel \S+, \S+, by STANDIN=plain \.\/check --record selftest\/020/,
	'a stand-in is named in the recording');
like($out, qr/^STANDIN       -- plain: these verdicts do not speak of this kernel$/m, 'and in the header');

# Display options.
($out, $status) = run_check({}, '-T', 'selftest/001');
like($out, qr/^selftest\/001-pass\t \[\d\d:\d\d:\d\d\] \[\d\d:\d\d:\d\d\] 0s$/m, '-T: time stamps');
($out, $status) = run_check({}, '-d', 'selftest/001');
like($out, qr/QA output created by 001-pass\nSilence is golden\n/, '-d: the output of the test');
($out, $status) = run_check({}, '-b', 'selftest/001');
unlike($out, qr/^Ran:/m, '-b: brief');
($out, $status) = run_check({}, '-i', 3, 'selftest/001');
is(scalar(() = $out =~ /^selftest\/001-pass/mg), 3, '-i 3: three times');
($out, $status) = run_check({}, '-n', 'selftest/00[12]*');
is($out, "selftest/001-pass\nselftest/002-mismatch\n", '-n: shows, in order');
is($status, 0, '-n: exit 0');
($out, $status) = run_check({}, '--list');
like($out, qr/^xfs\/001-fiemap-threads\s+.*\bquick\b/m, '--list: tests with their groups');
is($status, 0, '--list: exit 0');
for my $help ('-h', '-?', '--help') {
	($out, $status) = run_check({}, $help);
	like($out, qr/^Usage: check /, "$help: usage");
	is($status, 0, "$help: exit 0");
}

# Selection.
for my $case (
	[['selftest/001'], 'selftest/001-pass'], [['selftest/001-pass'], 'selftest/001-pass'],
	[['tests/selftest/001-pass'], 'selftest/001-pass'], [['selftest/00[13]*'], 'selftest/001-pass selftest/003-fail'],
	[['selftest/003', 'selftest/001', 'selftest/001'], 'selftest/001-pass selftest/003-fail'],
	[['-g', 'perf_contention', '-x', 'nosuchgroup'], 'xfs/001-fiemap-threads'],
	[['-g', 'xfs/quick'], 'xfs/001-fiemap-threads'],
) {
	my ($args, $want) = @$case;

	($out, $status) = run_check({}, '-n', @$args);
	my @got = grep { !m{^(?:generic/|xfs/(?!001))} } split(' ', $out);
	is("@got", $want, "@$args selects $want");
}

# Wrong calls: one line, exit 2 (128 for bisect), no result touched.
for my $case (
	[['--nosuch'], "unknown option '--nosuch' (--help shows all)"],
	[['-g'], "option -g takes GROUP[,GROUP...], found ''"],
	[['-g', 'nosuch'], "group 'nosuch' is unknown or has no tests for xfs (--list shows all tests and groups)"],
	[['-g', 'a b'], "option -g takes GROUP[,GROUP...], found 'a b'"],
	[['-i', '0', 'selftest/001'], "option -i takes a whole number from 1 to 999999, found '0'"],
	[['-i', 'x', 'selftest/001'], "option -i takes a whole number from 1 to 999999, found 'x'"],
	[['--rounds', '-4', 'selftest/001'], "option --rounds takes a whole number from 1 to 999999, found '-4'"],
	[['--timeout'], "option --timeout takes a whole number from 1 to 999999, found ''"],
	[['xfs/999'], "unknown test 'xfs/999' (--list shows all tests)"],
	[['selftest/001', 'nosuch'], "unknown test 'nosuch' (--list shows all tests)"],
	[['-g', 'selftest/selftest', '-x', 'selftest', 'selftest/001'], 'no tests are selected'],
) {
	my ($args, $message) = @$case;
	my $dir = results_dir();

	($out, $status) = run_check({RESULT_BASE => "$dir/results"}, @$args);
	is($status, 2, "@$args: exit 2");
	is($out, "check: $message\n", "@$args: one line");
	ok(!-e "$dir/results", "@$args: no results are made");
	($out, $status) = run_check({RESULT_BASE => "$dir/results", BISECT => 1}, @$args);
	is($status, 128, "@$args: 128 with BISECT=1");
}
# Called from elsewhere, through a link, with an environment that bash minds.
my $here = $ENV{PWD};
my $elsewhere = results_dir();
symlink "$here/check", "$elsewhere/link" or die "link: $!";
for my $call ("$here/check", "$elsewhere/link", "cd $here/.. && " . ($here =~ s{.*/}{}r) . '/check',
	"cd $here && bash check") {
	my $text = `env HOST_OPTIONS=/dev/null RESULT_BASE='$elsewhere/r' CDPATH=/tmp:/ BASH_ENV=/nosuch MEASURE_ROUNDS=x sh -c '$call selftest/001 selftest/020' 2>&1`;

	is($? >> 8, 0, "$call") or diag($text);
}
my $piped = `HOST_OPTIONS=/dev/null RESULT_BASE='$elsewhere/p' ./check selftest/00* 2>&1 | head -n 1`;
like($piped, qr/^FSTYP/, 'a pipe that closes early');
is(processes_left("$elsewhere/p"), '', 'leaves no process');

($out, $status) = run_check({FSTYP => 'btrfs'}, 'xfs/001');
is($status, 3, 'a test of another file system is not run: exit 3');
like($out, qr/^xfs\/001-fiemap-threads\t\[not run\] not suitable for this filesystem type: btrfs$/m, 'with its reason');
done_testing();
