#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The options of check with the meanings of fstests: exclude lists, order,
# repeats, differences.  Those of selection and display are in check.t.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
my $dir = results_dir();

# lines($out): the lines of tests, without results.
sub tests_of
{
	my ($out) = @_;

	return join ' ', map { s/^selftest\/(\d+)\S*\s*(\[expunged\])?.*/$1 . ($2 ? 'x' : '')/er }
		grep { /^selftest\// } split /\n/, $out;
}

# Exclude lists.
spew("$dir/list", "# a comment\nselftest/002\n\n  selftest/003-fail # why\nxfs/999\nselftest/001x\n");
spew("$dir/empty", '');
my ($out, $status, $results) = run_check({}, '-E', "$dir/list", 'selftest/00[1-3]*');
is(tests_of($out), '001 002x 003x', '-E: a list of dir/NNN and dir/NNN-name');
like($out, qr/^selftest\/002-mismatch\t\[expunged\]$/m, 'in the words of fstests');
is($status, 0, 'what is expunged does not count');
like($out, qr/^Ran: selftest\/001-pass\nPassed all 1 tests$/m, 'nor is it in the summary');
($out, $status) = run_check({}, '-e', 'selftest/001,selftest/003-fail', '-e', 'selftest/002', 'selftest/00[1-3]*');
is(tests_of($out), '001x 002x 003x', '-e: a comma list, repeatable');
is($status, 3, 'all expunged: nothing passed');
($out, $status) = run_check({}, '-e', 'selftest/002 selftest/003', 'selftest/00[1-3]*');
is(tests_of($out), '001 002x 003x', '-e: a blank list');
spew('tests/selftest/exclude.test-list', "001 # flaky\n003-fail\n");
END { unlink 'tests/selftest/exclude.test-list' }
($out, $status) = run_check({}, '-X', 'exclude.test-list', 'selftest/00[1-3]*');
is(tests_of($out), '001x 002 003x', '-X: a file in each directory of tests');
($out, $status) = run_check({}, '-X', 'nosuch-list', 'selftest/001');
is($status, 0, '-X: a file that is in no directory excludes nothing, as in fstests');
($out, $status) = run_check({}, '-E', "$dir/empty", 'selftest/001');
is($status, 0, '-E: an empty list');
($out, $status) = run_check({}, '-n', '-e', 'selftest/001', 'selftest/00[12]*');
is($out, "selftest/001-pass\t[expunged]\nselftest/002-mismatch\n", '-n shows what is expunged');

# Order.
($out) = run_check({}, '-n', '--exact-order', 'selftest/003', 'selftest/001', 'selftest/002');
is(tests_of($out), '003 001 002', '--exact-order: as on the command line');
($out) = run_check({}, '-n', 'selftest/003', 'selftest/001', 'selftest/002');
is(tests_of($out), '001 002 003', 'sorted without it');
my (%orders, %sets);
for (1 .. 12) {
	($out) = run_check({}, '-n', '-r', 'selftest/00[1-6]*');
	$orders{tests_of($out)} = 1;
	$sets{join ' ', sort split / /, tests_of($out)} = 1;
}
is(join(',', keys %sets), '001 002 003 004 005 006', '-r: the same tests');
cmp_ok(scalar(keys %orders), '>', 1, '-r: in another order now and then');

# Repeats.
($out, $status) = run_check({}, '-i', 2, 'selftest/001', 'selftest/002');
is(tests_of($out), '001 002 001 002', '-i 2: the list twice');
($out, $status) = run_check({}, '-I', 3, 'selftest/001', 'selftest/002');
is(tests_of($out), '001 002', '-I 3: not again after a fail');
($out, $status) = run_check({}, '-I', 3, 'selftest/001', 'selftest/005');
is(tests_of($out), '001 005 001 005 001 005', '-I 3: a broken test is no fail');
unlink "$dir/flaky";
($out, $status, $results) = run_check({FLAKY_FILE => "$dir/flaky"}, '-L', 3, 'selftest/077', 'selftest/001');
is(tests_of($out), '001 077 077 077 077 077', '-L 3: a failed test three times more, and only that');
like($out, qr/^selftest\/077-flaky aggregate results across 4 runs: pass=2 \(50\.0%\), fail=2 \(50\.0%\)$/m,
	'and how often it did');
is($status, 1, 'it counts as failed');
like($out, qr/^Failures: selftest\/077-flaky$/m, 'in the summary too');
ok(-s "$results/selftest/077-flaky.out.bad.rerun$_", "what run $_ printed is kept") for 0, 2;
ok(!-e "$results/selftest/077-flaky.out.bad.rerun$_", "run $_ passed") for 1, 3;
for my $quiet ('selftest/001', 'selftest/004', 'selftest/005', 'selftest/022') {
	($out) = run_check({}, '-L', 2, $quiet);
	unlike($out, qr/aggregate/, "-L repeats fails only: $quiet");
}
unlink "$dir/flaky";
($out) = run_check({FLAKY_FILE => "$dir/flaky"}, '-L', 2, 'selftest/077');
like($out, qr/across 3 runs: pass=1 \(33\.3%\), fail=2 \(66\.7%\)$/m, 'shares are rounded');

# Differences.
($out) = run_check({}, '-l', 'selftest/002');
like($out, qr/^    2c2\n    < 4 blocks\n    ---\n    > 3 blocks$/m, '-l: a plain diff');
like($out, qr/\(Run 'diff tests\/selftest/, 'and how to see all of it');
($out) = run_check({}, '-l', '-udiff', 'selftest/002');
like($out, qr/^    -4 blocks\n    \+3 blocks$/m, '-udiff: unified');

# Wrong calls: one line, exit 2, nothing touched.
my $formats = join(', ', map { m{([^/]+)\.pm\z} } sort(glob('tools/formats/*.pm')));
for my $case (
	[['-E', "$dir/nosuch"], "option -E takes a file that can be read, found '$dir/nosuch'"],
	[['-E'], "option -E takes a file that can be read, found ''"],
	[['-E', $dir], "option -E takes a file that can be read, found '$dir'"],
	[['-X', 'a/b'], "option -X takes a file name that is looked up in each directory of tests/, found 'a/b'"],
	[['-X'], "option -X takes a file name that is looked up in each directory of tests/, found ''"],
	[['-e'], "option -e takes TEST[,TEST...], found ''"],
	[['-r', '--exact-order', 'selftest/001'], '-r and --exact-order exclude each other'],
	[['--exact-order', '-r', 'selftest/001'], '-r and --exact-order exclude each other'],
	[['-I', '0', 'selftest/001'], "option -I takes a whole number from 1 to 999999, found '0'"],
	[['-L', 'x', 'selftest/001'], "option -L takes a whole number from 1 to 999999, found 'x'"],
	[['-L', '1234567890', 'selftest/001'], "option -L takes a whole number from 1 to 999999, found '1234567890'"],
	[['-R', 'junit', 'selftest/001'], "unknown report format 'junit'; known are: xunit, xunit-quiet, $formats"],
	[['-R', 'xunit,../lib/Json', 'selftest/001'], "option -R takes FORMAT[,FORMAT...], found 'xunit,../lib/Json'"],
	[['-R'], "option -R takes FORMAT[,FORMAT...], found ''"],
	[['-s', 'nosuch', 'selftest/001'], "unknown section 'nosuch'; known are: none"],
	[['-S', 'nosuch', 'selftest/001'], "unknown section 'nosuch'; known are: none"],
	[['-s'], "option -s takes SECTION[,SECTION...], found ''"],
	[['-nfs', 'selftest/001'], "unknown option '-nfs' (--help shows all)"],
) {
	my ($args, $message) = @$case;

	($out, $status) = run_check({RESULT_BASE => "$dir/r"}, @$args);
	is($status, 2, "@$args: exit 2");
	is($out, "check: $message\n", "@$args: one line");
	ok(!-e "$dir/r", "@$args: no results are made");
}
my ($help) = run_check({}, '--help');
like($help, qr/^  \Q$_\E[ ,\[]/m, "--help tells of $_") for qw(-g -x -X -E -e --known -s -S -r --exact-order -n --list -i -I
	-L --rounds --time-budget --no-confirm --record --background-load --timeout -T -d -b -l -udiff -R --keep --matrix --tsv -h);
done_testing();
