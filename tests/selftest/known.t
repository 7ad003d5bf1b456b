#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# check --known FILE: which fails count no more, what is made of them in the summary,
# the exit status and each report, and what of a file is refused.

use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib $FindBin::Bin, 'tools/lib';
use CheckRun;
use Results;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
my $dir = results_dir();
my $file = "$dir/known";

# check_known($lines, @arguments): (output, exit status, results).
sub check_known
{
	my ($lines, @arguments) = @_;

	spew($file, $lines);
	return run_check({}, '--known', $file, @arguments);
}

# What is known, and what is made of it.
my @tests = map { "selftest/$_" } qw(001 002 020 021);
my ($out, $status, $results) = check_known("# a comment\n\nselftest/021 slowdown https://a.example/x#3 a lock # why\n" .
	"selftest/002-mismatch * four blocks\nselftest/020 slowdown is as slow\nselftest/001 * was wrong",
	'-R', 'xunit,ktap,kcidb,lava,jsonl', @tests);
is($status, 0, 'fails that are known leave the exit status alone');
like($out, qr/^selftest\/021-judged-fail\t\[not run\] known: https:\/\/a\.example\/x#3 a lock$/m, 'they are shown as known');
like($out, qr/^    slowdown: fail \(known\), ratio 4\.00 /m, 'by limit, with the number');
like($out, qr/^selftest\/002-mismatch\t\[not run\] known: four blocks$/m, 'also without limits');
like($out, qr/^selftest\/020-judged-pass\t \d+s\n    slowdown: pass \(fixed\?\), ratio 1\.10 .*\n.*\n    fixed\? it was known to fail: is as slow$/m,
	'one that passes is fixed?');
is($out =~ /^Ran: .*\n((?:.*\n)*)\z/m ? $1 : $out, <<'END', 'all of it in the summary');
Not run: selftest/002-mismatch selftest/021-judged-fail
Fixed?: selftest/001-pass: was wrong
Known: selftest/002-mismatch: four blocks
Fixed?: selftest/020-judged-pass: is as slow
Known: selftest/021-judged-fail: https://a.example/x#3 a lock
Passed all 2 tests
END
like(slurp("$results/check.log"), qr/^Fixed\?: selftest\/001-pass: was wrong$/m, 'and in check.log');

my ($run) = Results::read_runs($results);
is_deeply([map { $_->{word} } @{$run->{tests}}], [qw(fixed known fixed known)], 'the records have the words');
is_deeply([map { my $t = $_; map { "$_->{name} $_->{word}" } @{$t->{limits}} } @{$run->{tests}}],
	['slowdown fixed', 'control pass', 'slowdown known', 'control pass'], 'of limits, too');
is_deeply([map { $_->{known} } @{$run->{tests}}],
	['was wrong', 'four blocks', 'is as slow', 'https://a.example/x#3 a lock'], 'and why');
my $xml = slurp("$results/result.xml");
like($xml, qr/ tests="4" failures="0" skipped="2" /, 'xunit: no failure');
like($xml, qr/<skipped message="known: four blocks"\/>/, 'but skipped, with the reason');
my $ktap = slurp("$results/result.ktap");
like($ktap, qr/^ok 4 selftest\/021-judged-fail # SKIP known: https:\/\/a\.example\/x#3 a lock$/m, 'ktap: skipped');
like($ktap, qr/^  ok 1 slowdown # SKIP known$/m, 'and the limit');
like($ktap, qr/^# selftest\/001-pass: fixed\? was wrong\nok 1 selftest\/001-pass$/m, 'and what is fixed');
my %lava = map { /^lava-test-case (\S+) --result (\S+)/ ? ($1 => $2) : () } split(/\n/, slurp("$results/result.lava"));
is_deeply([@lava{map { "selftest-$_" } qw(001-pass 002-mismatch 020-judged-pass 021-judged-fail 021-judged-fail.slowdown)}],
	[qw(pass skip pass skip skip)], 'lava: skip');
my %node = map { $_->{path} => $_ } @{decode_json(slurp("$results/result.kcidb.json"))->{tests}};
is_deeply([map { my $n = $node{"fsratio.selftest.$_"}; [@{$n}{qw(status)}, $n->{misc}{known}] } qw(002-mismatch 020-judged-pass)],
	[['FAIL', 'four blocks'], ['PASS', 'is as slow']], 'kcidb: a fail, and why it is known');
my @jsonl = map { decode_json($_) } split(/\n/, slurp("$results/result.jsonl"));
is_deeply([map { "$_->{word}: $_->{known}" } @jsonl[0, 1]], ['fixed: was wrong', 'known: four blocks'], 'jsonl: these words');

# What is not known counts as ever.
for my $case (
	['selftest/001 * x', ['selftest/002', 'selftest/021'], 1, 'other tests'],
	['selftest/021 * x', ['selftest/021'], 0, '* is all limits of a test'],
	['selftest/021 * x since=2.6', ['selftest/021'], 0, 'since an older kernel'],
	['selftest/021 * x until=9999.0.1', ['selftest/021'], 0, 'until a newer one'],
	['selftest/021 * x since=9999.1', ['selftest/021'], 1, 'since a newer one'],
	['selftest/021 * x since=2.6 until=3.0.5', ['selftest/021'], 1, 'until an older one'],
	["selftest/021 * old until=3.0\nselftest/021 * new since=3.0", ['selftest/021'], 0, 'a line for a range of kernels'],
	['selftest/022 * x', ['selftest/022'], 3, 'undecided is not known'],
	['selftest/025 * x', ['selftest/025'], 2, 'nor is broken'],
	['selftest/004 * x', ['selftest/004'], 3, 'nor notrun'],
	['selftest/003 * x', ['selftest/003', 'selftest/005'], 2, 'nor is broken beside it'],
	['', ['selftest/002'], 1, 'an empty file'],
) {
	my ($lines, $tests, $expected, $what) = @$case;

	($out, $status) = check_known("$lines\n", @$tests);
	is($status, $expected, $what) or diag($out);
}
my ($release) = slurp('/proc/sys/kernel/osrelease') =~ /^(\d+\.\d+(?:\.\d+)?)/;
($out, $status) = check_known("selftest/021 * x since=$release\n", 'selftest/021');
is($status, 0, "since=$release: this kernel is meant");
($out, $status) = check_known("selftest/021 * x until=$release\n", 'selftest/021');
is($status, 1, "until=$release: this one no more");
($out, $status, $results) = check_known("selftest/002 * x\n", '-i', 2, '-L', 2, 'selftest/002');
is($status, 0, 'over iterations');
unlike($out, qr/aggregate/, '-L does not repeat it');

# A test of two limits that fail, and one with an undecided beside it.
$CheckRun::tree = own_tree('001-two' => <<'END', '002-finding' => "echo 'WARNING: planted by known.t' >/dev/kmsg\necho x");
. ./common/measure
setup() { :; }
sample() { echo "sample fs=none dev=0:0 threads=1 ops=100 vcsw=0 run_delay_ns=0 elapsed_ns=$1"; }
one() { sample 1000; }
bad() { sample 4000; }
torn() { sample $((measure_round % 2 ? 1000 : 4000)); }
_interleave setup one bad torn
_judge
_exit 0
END
symlink("$FindBin::Bin/../../tools", "$CheckRun::tree/tools") or die "tools: $!";
my $test = "$CheckRun::tree/tests/selftest/001-two";
my @limits = map { "limit name=$_ num=bad den=one of=elapsed_ns max=2\n" } qw(slowdown other);
spew("$test.limits", join('', @limits));
spew("$test.out", "QA output created by 001-two\nslowdown: pass\nother: pass\n");
($out, $status, $results) = check_known("selftest/001 slowdown x\n", 'selftest/001');
is($status, 1, 'another limit that fails is a fail');
like($out, qr/^    slowdown: fail \(known\), .*\n    other: fail, /m, 'and both are told apart');
($run) = Results::read_runs($results);
is_deeply([map { $_->{word} } @{$run->{tests}[0]{limits}}], [qw(known fail)], 'in the records, too');
($out, $status) = check_known("selftest/001 slowdown x\nselftest/001 other y\n", 'selftest/001');
is($status, 0, 'both are known');
like($out, qr/^Known: selftest\/001-two: x; y$/m, 'with both reasons');
spew("$test.limits", $limits[0] . 'limit name=other num=torn den=one of=elapsed_ns max=2' . "\n");
($out, $status) = check_known("selftest/001 slowdown x\n", '--rounds', 12, 'selftest/001');
is($status, 3, 'an undecided limit beside it makes the test undecided');
like($out, qr/^Undecided: selftest\/001-two: beside the known fail of slowdown$/m, 'and says so');
($out, $status) = check_known("selftest/002 * x\n", 'selftest/002');
is($status, 1, 'a line in the kernel log is never known');
$CheckRun::tree = '.';

# Refused by file and line, before anything is done.
my $three = 'TEST LIMIT REASON [since=VERSION] [until=VERSION]';
for my $case (
	["# x\nselftest/021\n", "$file:2: 'selftest/021', expected $three"],
	["selftest/021 slowdown\n", "$file:1: 'selftest/021 slowdown', expected $three"],
	["selftest/999 * x\n", "$file:1: 'selftest/999', expected a test (--list shows all)"],
	["selftest/* * x\n", "$file:1: 'selftest/*', expected a test (--list shows all)"],
	["selftest/021 nosuch x\n", "$file:1: 'nosuch', expected a limit of selftest/021-judged-fail that decides: slowdown or *"],
	["selftest/021 control x\n", "$file:1: 'control', expected a limit of selftest/021-judged-fail that decides: slowdown or *"],
	["selftest/001 slowdown x\n", "$file:1: 'slowdown', expected a limit of selftest/001-pass that decides: *"],
	["selftest/021 * since=6.1\n", "$file:1: no reason, expected one, or a link"],
	["selftest/021 * x since=6\n", "$file:1: 'since=6', expected since= with a version such as 6.1"],
	["selftest/021 * x until=v6.1\n", "$file:1: 'until=v6.1', expected until= with a version such as 6.1"],
	["selftest/021 * x since=6.1 since=6.2\n", "$file:1: since= twice, expected it once"],
	["selftest/021 * x since=6.2 until=6.2\n", "$file:1: until=6.2, expected a version after since=6.2"],
	["selftest/021 * x since=6.1 and so on\n", "$file:1: 'and', expected no reason behind since= or until="],
	["selftest/021 * x\nselftest/021 * y\n", "$file:2: selftest/021-judged-fail * again, expected one line for a kernel"],
) {
	my ($lines, $message) = @$case;

	spew($file, $lines);
	($out, $status) = run_check({RESULT_BASE => "$dir/r"}, '--known', $file, 'selftest/021');
	is_deeply([$out, $status], ["check: $message\n", 2], "refused: $message");
}
spew($file, "selftest/021 * x\n");
for my $case (
	[{}, ['--known', "$dir/nosuch"], "option --known takes a file that can be read, found '$dir/nosuch'", 2],
	[{}, ['--known'], "option --known takes a file that can be read, found ''", 2],
	[{}, ['--known', $file, '--record', 'selftest/021'], '--known excludes --record', 2],
	[{BISECT => 1}, ['--known', $file, 'selftest/021'], '--known excludes BISECT', 128],
) {
	my ($env, $arguments, $message, $expected) = @$case;

	($out, $status) = run_check({%$env, RESULT_BASE => "$dir/r"}, @$arguments);
	is_deeply([$out, $status], ["check: $message\n", $expected], "refused: $message");
}
ok(!-e "$dir/r", 'nothing is done');

# The list that we keep is one.
($out, $status) = run_check({}, '--known', 'configs/known/mainline', '-n', 'selftest/001');
is_deeply([$out, $status], ["selftest/001-pass\n", 0], 'configs/known/mainline is read');
done_testing();
