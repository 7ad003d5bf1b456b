#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tools/kernels-table: a cell a test and kernel, from the results of guests alone;
# doc/kernels.md is one of its tables.
use strict;
use warnings;
use Cwd qw(getcwd);
use Test::More;
use lib 'tests/selftest';
use CheckRun;

my $top = getcwd();
my $dir = results_dir();
my $runs = 0;
my $day = 1_796_000_000;	# 2026-11-30, 00:53 UTC

# A result of a kernel's guest; %opt: keys of its record, and verdict records
sub result
{
	my ($release, $name, $word, %opt) = @_;
	my ($where) = "guest/$release/$name" =~ m{(.*)/};
	my $start_s = $opt{start_s} // $day;

	system('mkdir', '-p', "$dir/$where") and die;
	spew("$dir/guest/$release/$name.record", "run records=1 id=" .
		++$runs . " start_s=$start_s cpus=2 fstyp=" . ($opt{fstyp} // 'xfs') .
		' suite_version=' . ($opt{suite} // '1a2b3c4d5e6f') .
		"\ntest name=$name word=$word start_s=$start_s elapsed_ms=9" .
		($opt{reason} ? " reason=$opt{reason}" : '') .
		($opt{verdict} ? " limits=yes\n" : "\n"));
	spew("$dir/guest/$release/$name.verdict", $opt{verdict}) if $opt{verdict};
}

sub verdict
{
	my ($name, $numbers, $word) = @_;

	return "verdict limit=$name series=1 n=5 verdict=$word\n" .
		"verdict limit=$name series=final $numbers verdict=$word\n";
}

# table(ARGUMENT...): (status, stdout, stderr)
sub table
{
	my $out = qx{'$top/tools/kernels-table' @_ 2>$dir/err};

	return ($? >> 8, $out, slurp("$dir/err"));
}

my $end = 'verdict test=final verdict';
my $control = verdict('c', 'ratio=9 lo=8 hi=10 role=control', 'pass');
result('6.12.9', 'xfs/001-a', 'pass', suite => 'aaa', start_s => $day + 86400,
	verdict => $control . verdict('x', 'ratio=1.02 lo=0.990 hi=1.10', 'pass') .
	verdict('y', 'ratio=3 lo=2 hi=4', 'pass') . "$end=pass\n");
result('6.1.10', 'xfs/001-a', 'fail', verdict => $control .
	verdict('x', 'ratio=1 lo=1 hi=1', 'pass') .
	verdict('y', 'ratio=31.6 lo=27.6 hi=37.6', 'fail') . "$end=fail\n" .
	"# reason: 98 % wait in a_lock for b|c\n");
result('6.12.9', 'generic/101-g', 'pass', fstyp => 'ext4');
result('6.1.9', 'xfs/002-n', 'notrun', reason => 'needs%20a%20*_*%20<x>');
result('6.1.9', 'generic/101-g', 'undecided', reason => 'unfit%20machine',
	verdict => verdict('z', 'ratio=2.00 n=40', 'undecided') .
	"$end=undecided\n# reason: where another try was blocked\n");
result('6.1.10', 'generic/102-g', 'fail', reason => 'output%20mismatch');
result('6.1.9', 'selftest/001-pass', 'pass');
# What else lies there
spew("$dir/guest/.lock.6.1.9", '');
spew("$dir/guest/6.1.9/check.log", '');
result('6.1.10', 'xfs/003-cut', 'pass', verdict => "verdict limit=x\n");
my $expected = <<'END';
<!-- SPDX-License-Identifier: GPL-2.0 -->
# Tests and kernels

Made by tools/kernels-table from the results of tools/guest, not by hand.  An empty
cell: not asked.

| test | 6.1.9 | 6.1.10 | 6.12.9 |
|---|---|---|---|
| generic/101-g | undecided |  | pass (ext4) |
| generic/102-g |  | fail |  |
| xfs/001-a |  | fail | pass |
| xfs/002-n | notrun |  |  |
| xfs/003-cut |  | broken |  |

## The kernels

- 6.1.9: 2 CPUs, 2026-11-30, suite 1a2b3c4d5e6f
- 6.1.10: 2 CPUs, 2026-11-30, suite 1a2b3c4d5e6f
- 6.12.9: 2 CPUs, 2026-11-30 to 2026-12-01, suite 1a2b3c4d5e6f and aaa

## The limits that the words come from

| test | kernel | word | limit | ratio | interval |
|---|---|---|---|---|---|
| generic/101-g | 6.1.9 | undecided | z | 2.00 |  |
| xfs/001-a | 6.1.10 | fail | y | 31.6 | 27.6 to 37.6 |
| xfs/001-a | 6.12.9 | pass | x | 1.02 | 0.990 to 1.10 |

## Why

- generic/101-g on 6.1.9, undecided: unfit machine
- xfs/001-a on 6.1.10, fail: 98 % wait in a_lock for b\|c
- xfs/002-n on 6.1.9, notrun: needs a \*_\* \<x\>
END
my ($status, $out, $err) = table("$dir/guest");
is("$status$err", 0, 'a table');
my ($cut) = $out =~ /^(- xfs\/003-cut on 6\.1\.10, broken: .*\n)/m;
like($cut, qr/003-cut\.verdict/, 'a verdict that is cut off');
$out =~ s/^- xfs\/003-cut .*\n//m;
is($out, $expected, 'all of it');
{
	local $ENV{RESULT_BASE} = $dir;
	is_deeply([(table())[1] =~ /^(\|.*)/mg], [$expected =~ /^(\|.*)/mg],
		'RESULT_BASE/guest is the default');
}

# Calls and damage
mkdir("$dir/empty") or die;
for my $case (
	["$dir/empty", "$dir/empty: no results of guests, expected files " .
		'RELEASE/DIRECTORY/TEST.record'],
	["$dir/none", "$dir/none: No such file or directory"],
	['a b', "expected one directory, found 'a b' (--help shows all)"],
	['--bogus', "expected one directory, found '--bogus' (--help shows all)"],
) {
	my ($args, $message) = @$case;
	is_deeply([table($args)], [2, '', "kernels-table: $message\n"],
		"kernels-table $args");
}
spew("$dir/guest/6.1.9/xfs/002-n.record", "run records=9 id=1 start_s=1\n");
($status, $out, $err) = table("$dir/guest");
is("$status$out", 2, 'a record of a newer suite');
like($err, qr{^kernels-table: \S+/002-n\.record:1: records=9, expected 1 }, 'says so');
is((table('--help'))[0], 0, '--help');

# That of the suite: the tests in it are there
my $doc = slurp("$top/doc/kernels.md");
SKIP: {
	skip('no doc/kernels.md', 2) if !defined($doc);
	is_deeply([grep { !-e "$top/tests/$_" } $doc =~ m{^\| ([^ |]+/[^ |]+) \|}mg],
		[], 'doc/kernels.md names tests that exist');
	is(($doc =~ /\A([^|]*)/)[0], ($expected =~ /\A([^|]*)/)[0],
		'and starts like any of them');
}

done_testing();
