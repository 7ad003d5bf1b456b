#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# ./new: what it writes runs, is refused by make lint until the author has done
# his part, and is accepted then; nothing is overwritten or half written.
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 'tests/selftest';
use CheckRun;
use Test::More;

my $top = abs_path('tests/selftest/../..');
my $programs = $ENV{FSRATIO_SRC} // abs_path('src');
my $dir = results_dir();
my $todo = 'TO' . 'DO';
my @parts = ('', '.out', '.limits');

# sh($line): (status, output) of a command line in the tree.
sub sh
{
	my ($line) = @_;
	my $out = `cd $dir && { $line; } 2>&1 </dev/null`;

	return ($? >> 8, $out);
}

# files(): all below tests/, with their contents.
sub files
{
	return run_ok("cd $dir && find tests ! -type d -exec cksum {} + | sort");
}

# lint(): what it says of new, the test and its groups; the rest takes long.
sub lint
{
	run_ok("cd $dir && rm -rf lint && mkdir -p lint/tests/xfs && cp -R new doc " .
		".shellcheckrc lint && cp tests/xfs/003* lint/tests/xfs");
	return sh("$top/tools/lint lint");
}

run_ok("cd $top && cp -R check new common doc .shellcheckrc $dir && " .
	"mkdir -p $dir/tests/xfs $dir/tests/generic $dir/src");
symlink("$programs/$_", "$dir/src/$_") for qw(judge spin supervise);
spew("$dir/tests/xfs/$_", "#! /bin/bash\n") for qw(001-a 002-b 101-guard);

my ($status, $out) = sh('./new xfs demo-test');
is($status, 0, 'a new test');
is($out, join('', map { "tests/xfs/003-demo-test$_\n" } @parts),
	'the next number that is free, and what was written');
my $test = "$dir/tests/xfs/003-demo-test";
ok(-x $test, 'it can be run');
ok(!-x "$test$_", "$_ cannot") for '.out', '.limits';
like(slurp($test), qr{^# FS Perf Test xfs/003$}m, 'its number stands in it');
my ($year) = (localtime)[5] + 1900;
like(slurp($test), qr{^# Copyright \(c\) $year }m, 'and the year');
is((split(/\n/, slurp("$test.out")))[0], 'QA output created by 003-demo-test',
	'the golden output begins as fstests has it');
unlink(glob("$dir/tests/xfs/{001,002,101}*"));

# From elsewhere, and into the other directory
($status, $out) = sh('cd / && ' . $dir . '/new generic 2nd');
is($out, join('', map { "tests/generic/001-2nd$_\n" } @parts), 'from elsewhere');
unlink(map { "$dir/tests/generic/001-2nd$_" } @parts);

# What lint says: all that says so in the three parts, and no more but what the
# author has to bring
SKIP: {
	skip('needs shellcheck', 4) if
		system('command -v shellcheck >/dev/null');
	($status, $out) = lint();
	is($status, 1, 'lint refuses it');
	for my $part ('', '.limits') {
		my $n = 0;
		my @lines = grep { $_ } map { $n++; /\b$todo\b/ ? $n : 0 }
			split(/\n/, slurp("$test$part"));
		is(join(' ', $out =~ m{^tests/xfs/003-demo-test\Q$part\E:(\d+): $todo is left to be done$}mg),
			"@lines", "each $todo of 003-demo-test$part");
		cmp_ok(scalar(@lines), '>', 3, 'of which there are some');
	}
	is(join("\n", grep { !/ is left to be done$| no "| is missing$/ }
		split(/\n/, $out)), '',
		'and has nothing to say of what the template wrote');
}

# What the author does
SKIP: {
	skip('needs root', 3) if $> != 0;
	($out, $status) = do { local $CheckRun::tree = $dir;
		run_check({RESULT_BASE => "$dir/res"}, '--record', 'xfs/003') };
	ok(-s "$dir/res/xfs/003-demo-test.samples", 'it can be recorded') or diag($out);
	run_ok("cp $dir/res/xfs/003-demo-test.samples $test.$_") for qw(good bad);
	my $text = slurp($test) =~ s/ ?# ?$todo.*//gr =~ s/\n\n+/\n\n/gr;
	spew($test, $text);
	$text = slurp("$test.limits") =~ s/^# $todo.*\n//mgr;
	$text =~ s/^# date: $todo/# date: 2026-11-30/m;
	$text =~ s/median good $todo, median bad $todo, sigma $todo/median good 1.0, median bad 4.0, sigma 0.1/;
	$text =~ s/$todo/described/g;
	spew("$test.limits", $text);
	SKIP: {
		skip('needs shellcheck', 1) if
			system('command -v shellcheck >/dev/null');
		is(join('', lint()), '0', 'then lint accepts it');
	}
	($out, $status) = do { local $CheckRun::tree = $dir;
		run_check({RESULT_BASE => "$dir/res"}, 'xfs/003') };
	# A busy machine may leave it open; it never says another word.
	like("$status " . (slurp("$dir/res/xfs/003-demo-test.record") // ''),
		qr/^(?:0 (?s:.*)word=pass|3 (?s:.*)word=undecided)/, 'and it runs') or diag($out);
	is(ours_left(), '', 'nothing is left') if $status == 0;
}

# Bad input: one clear line, exit 2, and nothing is written.
my $before = files();
for my $case (
	['', 'expected DIR NAME, found 0 arguments (--help shows more)'],
	['xfs', 'expected DIR NAME, found 1 arguments (--help shows more)'],
	['xfs a b', 'expected DIR NAME, found 3 arguments (--help shows more)'],
	['ext4 demo', "DIR is xfs or generic, found 'ext4'"],
	['../xfs demo', "DIR is xfs or generic, found '../xfs'"],
	["'' demo", "DIR is xfs or generic, found ''"],
	map({ ["xfs '$_'", "NAME has the letters a to z, digits and single -, found '$_'"] }
		'', 'Demo', 'a_b', 'a.out', '-a', 'a-', 'a--b', 'a/b', 'a b', "a\nb", "\xc3\xa4"),
) {
	my ($args, $message) = @$case;

	($status, $out) = sh("./new $args");
	is("$status $out", "2 new: $message\n", "./new $args" =~ tr/\n/ /r);
}
is(files(), $before, 'none of them wrote anything');
($status, $out) = sh('./new --help');
is($status, 0, '--help');
like($out, qr{^Usage: \./new DIR NAME$}m, 'says how');

# In the way: a part of an older test, a directory that is not there
spew("$dir/tests/generic/001-x.limits", "of somebody\n");
($status, $out) = sh('./new generic x');
is($out, "tests/generic/002-x\ntests/generic/002-x.out\ntests/generic/002-x.limits\n",
	'a number of which but a part is there is not free');
mkdir("$dir/tests/moved") or die;
rename("$dir/tests/generic", "$dir/tests/moved/generic") or die;
($status, $out) = sh('./new generic x');
is("$status $out", "2 new: there is no tests/generic here\n", 'no directory');
rename("$dir/tests/moved/generic", "$dir/tests/generic") or die;
for my $i (1 .. 999) {
	my $file = sprintf("$dir/tests/generic/%03d-x", $i);
	spew($file, '') if !-e $file;
}
($status, $out) = sh('./new generic x');
is("$status $out", "2 new: tests/generic has no number left\n", 'all numbers taken');
SKIP: {
	skip('needs root', 2) if $> != 0;
	# Two names fit and the third does not: the disk is full.
	unlink("$dir/tests/generic/500-x");
	$before = files();
	($status, $out) = sh("unshare -m sh -c 'mount -t tmpfs -o nr_inodes=3 none tests/xfs && " .
		"./new xfs x; echo \$? && ls tests/xfs'");
	is($out, "new: cannot make tests/xfs/001-x.limits\n2\n", 'no half of a test is left');
	is(files(), $before, 'and elsewhere nothing changed');
}
done_testing();
