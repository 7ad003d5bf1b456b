#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/report over results recorded in results/ beside this file: all of each
# format ("report.t --update" writes report.FORMAT.golden anew), read back by
# readers that are not ours; any bytes in names and reasons; what it refuses; and
# what check -R leaves.

use strict;
use warnings;
use Fcntl qw(:flock);
use File::Copy qw(copy);
use File::Path qw(make_path);
use FindBin;
use JSON::PP;
use lib $FindBin::Bin, 'tools/lib';
use CheckRun;
use Record;
use Recorded;
use Results;
use Samples;
use TAP::Parser;
use Test::More;

my $schema = "$FindBin::Bin/kcidb.schema.json";
my @formats = qw(ktap kcidb lava jsonl);
my $top = results_dir();
delete(@ENV{grep { /^KCIDB_/ } keys(%ENV)});

# report(@arguments): (stdout, stderr, exit status), in at most 128 MiB.
sub report
{
	my $arguments = join(' ', map { "'" . s/'/'\\''/gr . "'" } @_);
	my $status = system("ulimit -v 131072; tools/report $arguments >$top/out 2>$top/err");

	return (slurp("$top/out"), slurp("$top/err"), $status >> 8);
}

# The report of results that can be read.
sub text_of
{
	my ($out, $err, $status) = report(@_);

	is($status, 0, "report @_") or diag($err);
	return $out;
}

# changed($file, $from, $to): in a fresh copy of the recorded words; where it is.
sub changed
{
	my ($file, $from, $to) = @_;
	my $dir = copied('words');
	my $text = slurp("$dir/$file");

	$text =~ s/$from/$to/ or die "$file: no $from";
	spew("$dir/$file", $text);
	return $dir;
}

# tap($text): [ok, description, directive, explanation] of each line of results.
sub tap
{
	my ($text) = @_;
	my $parser = TAP::Parser->new({tap => $text});
	my @tests;

	while (my $result = $parser->next) {
		push(@tests, [$result->is_actual_ok ? 'ok' : 'not ok', $result->description,
			$result->directive, $result->explanation]) if $result->is_test;
	}
	is_deeply([$parser->parse_errors], [], 'TAP::Parser finds no fault');
	return @tests;
}

# shell_cases($text): what a shell makes of lava-test-case lines, [arguments]...
sub shell_cases
{
	my ($text) = @_;

	spew("$top/lava", "lava_test_case() { printf '%s\\n' \"\$*\"; }\n" .
		$text =~ s/^lava-test-case /lava_test_case /mgr);
	return map { [split(/ /)] } split(/\n/, `sh $top/lava`);
}

# What each format makes of the recorded runs.
my @goldens = ((map { ["report.$_.golden", $_, "$recorded/words"] } @formats),
	(map { ["report.$_.golden", 'ktap', "$recorded/$_"] } '6.18', '6.1'),
	['report.signals.golden', '--signals', '--no-unknown', 'lava', "$recorded/words"]);
for my $case (@goldens) {
	my ($golden, @arguments) = @$case;
	my ($text) = report(@arguments);

	if (@ARGV && $ARGV[0] eq '--update') {
		spew("$FindBin::Bin/$golden", $text);
		next;
	}
	is($text, slurp("$FindBin::Bin/$golden"), "@arguments: as in $golden");
}
exit(0) if @ARGV && $ARGV[0] eq '--update';

# The words, by other readers.
my %ok = (pass => 'ok', fail => 'not ok', undecided => 'ok', notrun => 'ok', broken => 'not ok');
my %status = (pass => 'PASS', fail => 'FAIL', undecided => 'DONE', notrun => 'SKIP', broken => 'ERROR');
my %lava = (pass => 'pass', fail => 'fail', undecided => 'unknown', notrun => 'skip', broken => 'unknown');
my @words = ([qw(001-pass pass)], [qw(002-mismatch fail)], [qw(005-crash broken)],
	[qw(020-judged-pass pass)], [qw(021-judged-fail fail)], [qw(022-undecided undecided)],
	[qw(024-unfit undecided)], [qw(025-control broken)], [qw(036-notsupported notrun)],
	[qw(037-debug-kernel pass)]);

my $ktap = text_of('ktap', "$recorded/words");
my @tests = tap($ktap);
is_deeply([map { [$_->[1] =~ s/ # .*//r, $_->[0]] } @tests],
	[map { ["selftest/$_->[0]", $ok{$_->[1]}] } @words], 'ktap: each test and its word');
is_deeply([map { "$_->[2] $_->[3]" } @tests[5, 8]],
	['SKIP undecided: slowdown: ratio=2.00 lo=1.00 hi=4.00 n=40 bad=20 unfit=0 ' .
	'sigma=1.03 lag1=-0.95 max=2 reason=cap', 'SKIP helper: FIEMAP is not supported'],
	'undecided and notrun are skipped, with the reason');
my $nested = join('', map { s/^  //r . "\n" } grep { /^  / } split(/\n/, $ktap));
my @subtests = map { [tap($_)] } $nested =~ /(KTAP version 1\n(?:(?!KTAP).*\n)*)/g;
is(scalar(@subtests), 6, 'a plan of subtests for each test that was judged');
is_deeply($subtests[1], [['not ok', 'slowdown', '', ''], ['ok', 'control', '', '']],
	'a subtest is a limit');
is_deeply($subtests[5], [['ok', 'slowdown', 'SKIP', 'decides nothing: debug kernel'],
	['ok', 'switches', '', '']], 'and one that decides nothing is skipped');
like(`prove --exec cat -v $FindBin::Bin/report.ktap.golden 2>&1`,
	qr{Failed 4/10 subtests}, 'prove counts the same');

my $kcidb = decode_json(text_of('kcidb', "$recorded/words"));
my %node = map { $_->{path} =~ s/^fsratio\.selftest\.//r => $_ } @{$kcidb->{tests}};
is_deeply([map { $node{$_->[0]}{status} } @words], [map { $status{$_->[1]} } @words],
	'kcidb: the status of each test');
is_deeply([map { $node{"021-judged-fail.$_"}{status} } qw(slowdown control)], [qw(FAIL PASS)],
	'and of its limits');
is_deeply([map { $node{$_}{number} } qw(021-judged-fail 022-undecided.slowdown 024-unfit 036-notsupported)],
	[{value => 4}, {value => 2}, undef, undef], 'a number where there is one');
is_deeply($node{'020-judged-pass.slowdown'}{misc}, {word => 'pass', rounds => [5], ratio => 1.1,
	lo => 1.1, hi => 1.1, conf => .94, n => 5, bad => 0, unfit => 0, sigma => 0, lag1 => 0, max => 2},
	'with all that the judge said of it');
is($node{'002-mismatch'}{log_excerpt}, "QA output created by 002-mismatch\n3 blocks\n", 'the output that differed');
my %ids = map { $_->{id} => 1 } @{$kcidb->{tests}};
is(scalar(keys(%ids)), scalar(@{$kcidb->{tests}}), 'no id twice');

my @lava = shell_cases(text_of('lava', "$recorded/words"));
my %case = map { $_->[0] =~ s/^selftest-//r => [@{$_}[1 .. $#$_]] } @lava;
is_deeply([map { $case{$_->[0]}[1] } @words], [map { $lava{$_->[1]} } @words], 'lava: the result of each test');
is_deeply($case{'021-judged-fail.slowdown'}, [qw(--result fail --measurement 4.00 --units ratio)],
	'a limit with its ratio');
is_deeply([map { "@$_" } grep { $_->[4] !~ /^\d+(\.\d+)?$/ } grep { @$_ > 3 } @lava], [], 'all of it numbers');

# And by LAVA itself: the script that a device runs, and what reads its signals.  It
# draws in half a distribution; unpacked is enough (apt-get download lava-dispatcher,
# dpkg -x), where LAVA_DISPATCHER says.
SKIP: {
	my $dispatcher = $ENV{LAVA_DISPATCHER} // '/usr/lib/python3/dist-packages/lava_dispatcher';

	skip('needs lava-dispatcher', 4) if !-e "$dispatcher/connection.py" || system('python3 -c ""');
	mkdir("$top/lava-bin") or die;
	spew("$top/lava-bin/$_", "#! /bin/sh\n" . slurp("$dispatcher/lava_test_shell/$_")) for qw(lava-test-case lava-common-functions);
	chmod(0755, glob("$top/lava-bin/*"));
	spew("$top/read.py", <<'END');
import ast, decimal, re, sys
class JobError(Exception): pass
class TestError(Exception): pass
class InternalObject: pass
for file, name in (('actions/test/shell.py', 'handle_testcase'), ('connection.py', 'SignalMatch')):
    tree = ast.parse(open(sys.argv[1] + '/' + file).read())
    tree.body = [node for node in tree.body if getattr(node, 'name', '') == name]
    exec(compile(tree, file, 'exec'))
for line in open(sys.argv[2]):
    signal = re.fullmatch(r'<LAVA_SIGNAL_TESTCASE ([^>]+)>\n', line)
    case = SignalMatch().match(handle_testcase(signal.group(1).split()))
    print(case['test_case_id'], case['result'], *(['%g' % case['measurement']] if 'measurement' in case else []))
END
	for my $name (qw(words 6.18)) {
		spew("$top/lava", text_of('lava', "$recorded/$name"));
		my $signals = `PATH=$top/lava-bin:\$PATH LAVA_RESULT_DIR=$top/lava-results sh $top/lava 2>&1`;
		is($signals, text_of('--signals', 'lava', "$recorded/$name"), "$name: LAVA's own script makes signals of it, as --signals has them");
		spew("$top/signals", $signals);
		is_deeply([split(/\n/, `python3 $top/read.py $dispatcher $top/signals 2>&1`)], [map {
			join(' ', @{$_}[0, 2], map { defined($_) ? sprintf('%g', $_) : () } $_->[4]) }
			shell_cases(slurp("$top/lava"))], 'and reads them');
	}
}

my @jsonl = map { decode_json($_) } split(/\n/, text_of('jsonl', "$recorded/words"));
is_deeply([map { [$_->{test}, $_->{word}] } @jsonl], [map { ["selftest/$_->[0]", $_->[1]] } @words],
	'jsonl: the word of each test');
is_deeply($jsonl[4]{limits}[0], {name => 'slowdown', word => 'fail', rounds => [5, 5], ratio => 4, lo => 4,
	hi => 4, conf => .94, n => 5, bad => 5, unfit => 0, sigma => 0, lag1 => 0, max => 2}, 'a limit');
my ($arm) = grep { $_->{arm} eq 'bad' && $_->{series} == 2 } @{$jsonl[4]{arms}};
is_deeply($arm, {arm => 'bad', series => 2, rounds => 3, medians => {threads => 1, ops => 100, vcsw => 0,
	run_delay_ns => 0, elapsed_ns => 4000}}, 'an arm');
is($jsonl[4]{env}{cpus}, 2, 'the machine that was measured');
is($jsonl[0]{run}{fstyp}, 'xfs', 'and what the run was of');
is_deeply([map { Samples::median(@$_) } [3], [10, 9, 2], [4, 1, 3, 2]], [3, 9, 2.5], 'medians, by number');

# validate($text, $what): by the schema, where there is a validator.
sub validate
{
	my ($text, $what) = @_;

	spew("$top/json", $text);
	SKIP: {
		skip('needs jsonschema of python3', 1) if system('python3 -c "import jsonschema" 2>/dev/null');
		my $said = `python3 -W ignore - $schema $top/json <<'END' 2>&1
import json, sys, jsonschema
schema, data = (json.load(open(f)) for f in sys.argv[1:])
cls = jsonschema.validators.validator_for(schema, jsonschema.Draft201909Validator)
cls.check_schema(schema)
for error in cls(schema).iter_errors(data):
    print(error.json_path, error.message)
END`;
		is($said, '', "$what: valid by the schema of KCIDB");
	}
}
validate(text_of('kcidb', "$recorded/words"), 'recorded');

# Whose kernel it is.
my $build = "$recorded/words";
$kcidb = decode_json(text_of('--origin', 'our_ci', 'kcidb', $build));
is_deeply([map { [$_->{id}, $_->{origin}] } @{$kcidb->{checkouts}}, @{$kcidb->{builds}}],
	[(['our_ci:6.18.44-fc-v657', 'our_ci']) x 2], 'the kernel by its release');
$kcidb = decode_json(text_of('--origin', 'our_ci', '--build-id', 'maestro:b1', 'kcidb', $build));
is_deeply([sort(keys(%$kcidb))], [qw(tests version)], 'a build of another is only named');
is($kcidb->{tests}[0]{build_id}, 'maestro:b1', 'by the tests');
{
	local @ENV{qw(KCIDB_ORIGIN KCIDB_CHECKOUT_ID KCIDB_BUILD_ID)} = ('our_ci', 'maestro:c1', 'our_ci:b1');
	my $text = text_of('kcidb', $build);
	$kcidb = decode_json($text);
	validate($text, 'ids from the environment');
}
is_deeply([$kcidb->{checkouts}, map { @{$_}{qw(id checkout_id)} } @{$kcidb->{builds}}],
	[undef, 'our_ci:b1', 'maestro:c1'], 'a build of our own on a checkout of another');

# Real runs, one of which was cut off half-way.
my ($out, $err, $status);
for my $name ('6.18', '6.1') {
	my @ran = recorded_tests($name);
	my %short = map { $_->[0] => $_->[0] =~ tr{/}{-}r } @ran;
	my %limits = map { $_->[0] => [recorded_limits($name, $_->[0])] } @ran;

	@tests = tap(text_of('ktap', "$recorded/$name"));
	is_deeply([map { [$_->[1] =~ s/ # .*//r, $_->[0]] } @tests], [map { [$_->[0], $ok{$_->[1]}] } @ran],
		"$name, ktap: each test and its word");
	($out, $err, $status) = report('kcidb', "$recorded/$name");
	is($err, (grep { $_->[2] } @ran) ? "report: $recorded/$name: the run was cut off; what it did not end is broken\n" : '',
		'whether it was cut off');
	validate($out, $name);
	%node = map { $_->{path} => $_ } @{decode_json($out)->{tests}};
	is_deeply([map { $node{'fsratio.' . $_->[0] =~ tr{/}{.}r}{status} } @ran],
		[map { $_->[2] eq 'before it' ? 'MISS' : $status{$_->[1]} } @ran], 'kcidb: the status, and what it missed');
	is(keys(%node) - @ran, scalar(map { @$_ } values(%limits)), 'and a node a limit');
	%case = map { $_->[0] => $_ } shell_cases(text_of('lava', "$recorded/$name"));
	is_deeply([map { $case{$short{$_->[0]}}[2] } @ran], [map { $lava{$_->[1]} } @ran], 'lava: the result');
	@jsonl = map { decode_json($_) } split(/\n/, text_of('jsonl', "$recorded/$name"));
	is_deeply([map { [$_->{test}, $_->{word}, map { "$_->{name} $_->{word}" } @{$_->{limits}}] } @jsonl],
		[map { my $test = $_->[0]; [@{$_}[0, 1], map { "$_->{name} $_->{word}" } @{$limits{$test}}] } @ran],
		'jsonl: the words of tests and limits');
	my %ratios = map { my $test = $_; map { ("$test $_->{name}" => $_->{ratio}) } @{$limits{$test}} } keys(%limits);
	is_deeply({map { my ($test, $limit) = split(/ /); ($_ => $node{'fsratio.' . $test =~ tr{/}{.}r . ".$limit"}{number}{value}) }
		keys(%ratios)}, {map { $_ => defined($ratios{$_}) ? $ratios{$_} + 0 : undef } keys(%ratios)}, 'ratios of limits, in kcidb');
	is_deeply({map { my ($test, $limit) = split(/ /); ($_ => $case{"$short{$test}.$limit"}[4]) } keys(%ratios)}, \%ratios,
		'and in lava');
	is_deeply([grep { !$_->{elapsed_ms} || !$_->{run}{kernel} } grep { !$_->{missing} } @jsonl], [], 'with what is known of it');
}
is_deeply([map { $_->{missing} // '' } @jsonl], [map { {'' => '', 'while it ran' => 'started', 'before it' => 'not reached'}->{$_->[2]} }
	recorded_tests('6.1')], 'what was cut off is told apart');
my ($whole, $died, $later) = map { my $when = $_; (grep { $_->[2] eq $when } recorded_tests('6.1'))[0] }
	'', 'while it ran', 'before it';
ok($whole && $died && $later, 'by all three');
my $dir = copied('6.1');
my $is = [map { $ok{$_->[1]} } recorded_tests('6.1')];
spew("$dir/check.records", slurp("$dir/check.records") . 'start name=selft');
spew("$dir/$died->[0].record", '');
is_deeply([map { $_->[0] } tap(text_of('ktap', $dir))], $is,
	'nor does half a line or an empty file matter, as a panic leaves them');
$dir = copied('6.1');
spew("$dir/$died->[0].record", slurp("$dir/$whole->[0].record") =~ s/ id=\S+/ id=1.2.3/r =~
	s/(?<=name=)\Q$whole->[0]\E/$died->[0]/r =~ s/ word=\w+ (.*) limits=yes/ word=pass $1/r);
like(text_of('ktap', $dir), qr/^not ok \d+ \Q$died->[0]\E # ERROR the run was cut off while it ran$/m,
	'what an older run left is not taken for this one\'s');
is(Results::read_test($dir, $died->[0])->{word}, 'pass', 'but can be asked for');

# A directory a section.
$dir = results_dir();
for my $section (qw(4k 64k)) {
	mkdir("$dir/$section") or die;
	system("cp -r $recorded/words/. $dir/$section") == 0 or die 'cp';
	my $text = slurp("$dir/$section/check.records");
	spew("$dir/$section/check.records", $text =~ s/ host=/ section=$section host=/r);
}
@tests = tap(text_of('ktap', $dir));
is(scalar(@tests), 20, 'two sections: the tests of both');
is_deeply([map { $_->[1] } @tests[0, 10]], ['4k/selftest/001-pass', '64k/selftest/001-pass'], 'in one plan');
$out = text_of('kcidb', $dir);
validate($out, 'two sections');
$kcidb = decode_json($out);
%ids = map { $_->{id} => $_->{path} } @{$kcidb->{tests}};
is(scalar(keys(%ids)), 40, 'no id is twice');
is($kcidb->{tests}[20]{path}, 'fsratio.64k.selftest.001-pass', 'the section is in the path');

# Any bytes.
my $all = join('', map { chr } 1 .. 255);
spew("$top/driver", '. ./common/encode; IFS= read -r -d "" text; _encode_text "$text"; ' .
	'printf "%s" "$encode_value"');
spew("$top/bytes", "$all\0");
my $encoded = `LC_ALL=C.UTF-8 bash $top/driver <$top/bytes`;
unlike($encoded, qr/[^!-~]|=/, 'what check writes has no blank and no =');
is($encoded =~ s/%([0-9A-F]{2})/chr(hex($1))/ger, $all, 'and says all of it');
is(Record::text("a\xe2\x82\xacb\xff\x01\tc\xc0\x80d"), "a\x{20ac}b\x{fffd}\x{fffd} c\x{fffd}d",
	'text: UTF-8 as it is, other bytes are marked');

sub encode
{
	return $_[0] =~ s/([^!-~]|[=%])/sprintf('%%%02X', ord($1))/ger;
}
my @hostile = ('<&"]]>', "\x01\x02\x7f\x1b[2J", "\xff\xfe\xed\xa0\x80", "a b # SKIP x", '$(touch pwned)`;\'\\', "\xe2\x82\xac",
	"new\nline ok 7\r", '%41=%');
$dir = copied('words');
make_path("$dir/selftest");
my ($run) = slurp("$dir/check.records") =~ /\A(.*\n)/;
my $plan = '';
for my $i (0 .. $#hostile) {
	my $name = "selftest/9$i-$hostile[$i]";
	my $reason = "why: $hostile[$i]\n1..3\nnot ok 5\n";
	$plan .= 'plan name=' . encode($name) . "\n";
	spew("$dir/$name.record", $run . 'test name=' . encode($name) . ' word=' . ('fail', 'undecided', 'broken', 'notrun')[$i % 4] .
		' start_s=1 elapsed_ms=1 limits=yes reason=' . encode($reason) . "\n");
	spew("$dir/$name.verdict", 'verdict limit=' . $hostile[$i] =~ s/[\s=]/_/gr .
		" series=final ratio=1.00 n=5 max=2 verdict=pass\nverdict test=final verdict=pass\n# reason: " . $hostile[$i] =~ tr/\n//dr . "\n");
	spew("$dir/$name.samples", 'env x=' . $hostile[$i] =~ s/[\s=]/_/gr . "\n");
	spew("$dir/$name.out.bad", "$all\n" x 100);
	spew("$dir/$name.dmesg", $all x 100);
}
spew("$dir/check.records", "$run${plan}end end_s=2\n");
@tests = tap(text_of('ktap', $dir));
is_deeply([map { $_->[0] } @tests], [('not ok', 'ok', 'not ok', 'ok') x 2], 'hostile bytes: ktap has no line more');
$out = text_of('kcidb', $dir);
validate($out, 'hostile bytes');
$kcidb = decode_json($out);
is(scalar(@{$kcidb->{tests}}), 16, 'kcidb has all nodes');
is((grep { $_->{status} eq 'SKIP' } @{$kcidb->{tests}})[0]{misc}{reason}, 'why: a b # SKIP x 1..3 not ok 5 ', 'and the reason');
is((grep { /%E2%82%AC$/ } map { $_->{id} } @{$kcidb->{tests}})[0] =~ s/.*\.//r, 'selftest%2F95-%E2%82%AC', 'and the name, in the id');
@jsonl = map { decode_json($_) } split(/\n/, text_of('jsonl', $dir));
is_deeply([map { $_->{test} } @jsonl[0, 4, 5]], ['selftest/90-<&"]]>', 'selftest/94-$(touch pwned)`;\'\\', "selftest/95-\x{20ac}"],
	'jsonl: names as they are');
@lava = shell_cases(text_of('lava', $dir));
is(scalar(@lava), 16, 'lava has all lines');
is($lava[8][0], 'selftest-94-__touch_pwned_____', 'with nothing that a shell would run');
@lava = text_of('--signals', 'lava', $dir) =~ /^(<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=[\w.-]+ RESULT=\w+ UNITS=\w+ MEASUREMENT=[\d.]+>)$/mg;
is(scalar(@lava), 16, 'nor more than a signal');

# Large: a log and an output of 1 000 000 lines, and 1000 tests.
$dir = copied('words');
for my $kind (qw(full out.bad dmesg)) {
	system("yes '0123456789 a line <&' | head -n 1000000 >$dir/selftest/002-mismatch.$kind") == 0 or die;
}
$kcidb = decode_json(text_of('kcidb', $dir));
my ($large) = map { $_->{log_excerpt} } grep { $_->{path} =~ /002-mismatch$/ } @{$kcidb->{tests}};
cmp_ok(length($large), '<=', 16384, 'of a million lines the last');
like($large, qr/\A(?:0123456789 a line <&\n){600,}\z/, 'in whole lines');
($run, $plan) = (slurp("$dir/check.records") =~ /\A(.*\n)/, '');
for my $i (1 .. 1000) {
	my $name = sprintf('selftest/%04d-x', $i);
	for my $kind (qw(verdict samples)) {
		copy("$recorded/words/selftest/021-judged-fail.$kind", "$dir/$name.$kind") or die "copy: $!";
	}
	spew("$dir/$name.record", "${run}test name=$name word=fail start_s=1 elapsed_ms=1 limits=yes reason=x\n");
	$plan .= "plan name=$name\n";
}
spew("$dir/check.records", "$run${plan}end end_s=2\n");
($out, $err, $status) = report('--write', join(',', @formats), $dir);
is_deeply([$out, $err, $status], ['', '', 0], '1000 tests, all formats at once in 128 MiB');
is(scalar(() = slurp("$dir/result.jsonl") =~ /\n/g), 1000, 'a line each');
is(scalar(@{decode_json(slurp("$dir/result.kcidb.json"))->{tests}}), 3000, 'and all nodes');

# What is damaged behind the back of check.
my $gone = copied('words');
unlink("$gone/selftest/020-judged-pass.verdict") or die;
for my $case (
	[changed('selftest/020-judged-pass.verdict', qr/ratio=1.10/, 'ratio=x'), ':3: ratio=x, expected a decimal number'],
	[changed('selftest/020-judged-pass.verdict', qr/ lo=1.10/, ' lo=1.10 lo=1.10'), ':3: lo= twice, expected once'],
	[changed('selftest/020-judged-pass.verdict', qr/verdict=pass/, 'verdict=good'),
		':3: verdict=good, expected pass, fail, undecided, broken or info'],
	[changed('selftest/020-judged-pass.verdict', qr/verdict test.*\n/, ''), ' is cut off'],
	[changed('selftest/020-judged-pass.verdict', qr/=pass\n\z/, '=p'), ':7: no line end, expected a whole line'],
	[changed('selftest/020-judged-pass.verdict', qr/\A/, "<html>\n"), ":1: '<html>', expected KIND KEY=VALUE..."],
	[$gone, ' is missing'],
) {
	my ($where, $what) = @$case;
	my $text = text_of('ktap', $where);

	like($text, qr{^not ok 4 selftest/020-judged-pass # ERROR \Q$where/selftest/020-judged-pass.verdict$what\E$}m,
		"a verdict$what: its test is broken");
	is(scalar(() = $text =~ /^not ok /mg), 5, 'and no other');
}
$dir = changed('selftest/020-judged-pass.samples', qr/ops=100/, 'ops 100');
@jsonl = map { decode_json($_) } split(/\n/, text_of('jsonl', $dir));
is($jsonl[3]{samples_error}, "$dir/selftest/020-judged-pass.samples:3: 'ops', expected KEY=VALUE", 'damaged samples are said to be');
is($jsonl[3]{word}, 'pass', 'and change no word');

# What it refuses: one line, exit 2, nothing written.
my $empty = results_dir();
my $busy = copied('6.1');
open(my $lock, '>>', "$busy/.lock") or die;
flock($lock, LOCK_EX) or die;
for my $case (
	[['ktap', "$empty/nosuch"], "$empty/nosuch: no directory, expected a results directory"],
	[['ktap', $empty], "$empty: no check.records, expected a results directory"],
	[['ktap', $busy], "$busy/check.records: check still writes to it, expected a run that has ended"],
	(map { my ($file, $from, $to, $what) = @$_; my $where = changed($file, $from, $to);
		[['--write', 'ktap,kcidb', $where], "$where/$file:$what"] }
		['check.records', qr/records=1/, 'records=2', '1: records=2, expected 1 (that of a newer suite is read by that suite alone)'],
		['check.records', qr/ start_s=\d+/, '', '1: no start_s=, expected it'],
		['check.records', qr/\A.*\n/, '', '1: a plan record, expected one run record, as the first'],
		['check.records', qr/\n(?=plan)/, "\nplan\n", '2: \'plan\', expected KIND KEY=VALUE...'],
		['check.records', qr/\A.*/s, '', '1: nothing, expected a run record'],
		['check.records', qr/name=selftest\/001-pass/, 'name=001-pass', '2: name=001-pass, expected DIRECTORY/TEST'],
		['check.records', qr/end_s=/, 'end_s=-', '22: end_s=-' . (slurp("$recorded/words/check.records") =~ /end_s=(\d+)/)[0] .
			', expected seconds since 1970'],
		['selftest/001-pass.record', qr/word=pass/, 'word=ok', '2: word=ok, expected pass, fail, notrun, undecided, broken, known or fixed'],
		['selftest/001-pass.record', qr/word=pass/, 'word', '2: \'word\', expected KEY=VALUE'],
		['selftest/001-pass.record', qr/records=1/, 'records=7', '1: records=7, expected 1 (that of a newer suite is read by that suite alone)'],
		['selftest/001-pass.record', qr/test .*\n/, '', '1: expected a run and a test record'],
		['selftest/001-pass.record', qr/001-pass/, '002-mismatch', '2: name=selftest/002-mismatch, expected selftest/001-pass'],
	),
	[['junit', $empty], "unknown format 'junit'; known are: html, jsonl, kcidb, ktap, lava"],
	[['ktap,', $empty], "unknown format ''; known are: html, jsonl, kcidb, ktap, lava"],
	[['ktap,lava', "$recorded/words"], 'several formats on stdout cannot be told apart; --write writes files'],
	[['ktap'], "expected FORMAT[,FORMAT...] RESULTS-DIR, found 'ktap'"],
	[['ktap', $empty, 'x'], "expected FORMAT[,FORMAT...] RESULTS-DIR, found 'ktap $empty x'"],
	[['--nosuch', 'ktap', $empty], 'unknown option: nosuch (--help shows all)'],
	[['--origin', 'Our CI', 'kcidb', "$recorded/words"], "kcidb: origin 'Our CI', expected [a-z0-9_]+"],
	[['--build-id', 'b1', 'kcidb', "$recorded/words"], "kcidb: build-id 'b1', expected ORIGIN:ID"],
	[['--check', 'kcidb', $empty], "expected FORMAT[,FORMAT...] RESULTS-DIR, found 'kcidb $empty'"],
) {
	my ($arguments, $message) = @$case;

	is_deeply([report(@$arguments)], ['', "report: $message\n", 2], "refused: $message");
	is(join(' ', glob("$arguments->[-1]/result.*")), '', 'and nothing is written');
}
close($lock);
$dir = copied('words');
spew("$dir/result.ktap", "old\n");
symlink('/dev/full', "$dir/full") or die;
mkdir("$dir/result.lava.new") or die;
is_deeply([(report('--write', 'lava', $dir))[0, 2]], ['', 2], 'what cannot be written');
like($err = slurp("$top/err"), qr{\Areport: cannot write \Q$dir\E/result\.lava: .*\n\z}, 'is one line');
is(text_of('--write', 'ktap', $dir), '', '--write prints nothing');
is(slurp("$dir/result.ktap"), slurp("$FindBin::Bin/report.ktap.golden"), 'and replaces what was there');
is(system("tools/report ktap $dir >/dev/full 2>$top/err") >> 8, 2, 'a full disk behind stdout');
is(slurp("$top/err"), "report: cannot write to stdout: No space left on device\n", 'is told');
my ($help) = report('--help');
like($help, qr/^  \Q$_\E\b/m, "--help tells of $_") for @formats, qw(--write --check --signals --no-unknown --origin --build-id --checkout-id);

# From check itself.
SKIP: {
	skip('needs root', 1) if $>;
	my $files = join(',', @formats);
	my $results;

	($out, $status, $results) = run_check({}, '-R', "xunit,$files", map { "selftest/$_" } qw(001 002 020));
	is($status, 1, 'check -R with all formats');
	for my $format (@formats) {
		my ($file) = glob("$results/result.$format*");

		is(slurp($file), text_of($format, $results), "$file is what tools/report prints later");
	}
	ok(-s "$results/result.xml", 'beside result.xml');
	is_deeply([map { $_->[0] } tap(slurp("$results/result.ktap"))], ['ok', 'not ok', 'ok'], 'with the words of check');
	my ($read) = Results::read_runs($results);
	is_deeply([map { $_->{word} } @{$read->{tests}}], [qw(pass fail pass)], 'as the records have them');
	is($read->{facts}{check_options}, "-R xunit,$files selftest/001 selftest/002 selftest/020", 'and the command');

	($out, $status) = run_check({RESULT_BASE => $results}, '-R', 'ktap', 'selftest/004');
	is_deeply([map { $_->[1] } tap(slurp("$results/result.ktap"))], ['selftest/004-notrun'], 'a report is of the last run');

	my $check = start_check({}, '-R', $files, 'selftest/001', 'selftest/006', 'selftest/020');
	wait_for(20, sub { (slurp("$check->{results}/check.records") // '') =~ /^start name=selftest\/006/m });
	is_deeply([report('ktap', $check->{results})], ['', "report: $check->{results}/check.records: check still writes to it, " .
		"expected a run that has ended\n", 2], 'while check runs there is no report');
	kill('TERM', $check->{pid});
	($out, $status) = end_check($check);
	is($status, 143, 'check is told to stop');
	is_deeply([map { "$_->[0] $_->[1]" } tap(slurp("$check->{results}/result.ktap"))], ['ok selftest/001-pass',
		'not ok selftest/006-hang # ERROR the run was cut off while it ran',
		'not ok selftest/020-judged-pass # ERROR the run was cut off before it'], 'and says what it did not end');
	is(scalar(@{decode_json(slurp("$check->{results}/result.kcidb.json"))->{tests}}), 3, 'in each format');

	unlink("$top/flaky");
	($out, $status, $results) = run_check({FLAKY_FILE => "$top/flaky"}, '-R', 'ktap', '-L', 1, 'selftest/077');
	is_deeply([map { $_->[0] } tap(slurp("$results/result.ktap"))], ['not ok'], 'of several runs of a test the worst');

	$results = results_dir();
	make_path("$results/check.records", "$results/selftest/001-pass.record");
	($out, $status) = run_check({RESULT_BASE => $results}, 'selftest/001');
	like($out, qr/^check: cannot write \Q$results\E\/$_$/m, "no room for $_ is told")
		for 'check.records', 'selftest/001-pass.record';
	is($status, 2, 'and nothing is passed that a report would not show');

	# A machine without perl, and one with half of it.
	mkdir("$top/bin") or die;
	for my $tool (map { glob("$_/*") } grep { -d } split(/:/, $ENV{PATH})) {
		symlink($tool, "$top/bin/" . $tool =~ s{.*/}{}r) if $tool !~ m{/perl\z};
	}
	($out, $status) = run_check({PATH => "$top/bin", RESULT_BASE => "$top/r"}, '-R', 'xunit,ktap', 'selftest/001');
	is_deeply([$out, $status], ["check: -R ktap needs perl, which is not in PATH\n", 2], 'without perl: refused');
	($out, $status) = run_check({PERL5OPT => '-Mnosuch::Module', RESULT_BASE => "$top/r"}, '-R', 'ktap', 'selftest/001');
	like($out, qr/\Acheck: -R ktap: Can't locate nosuch\/Module.pm .*\n\z/, 'with half a perl: why');
	is($status, 2, 'and refused');
	ok(!-e "$top/r", 'before anything is done');
	($out, $status) = run_check({PATH => "$top/bin"}, '-R', 'xunit', 'selftest/001');
	is($status, 0, 'xunit needs none');
	($out, $status) = run_check({KCIDB_ORIGIN => 'Our CI'}, '-R', 'kcidb', 'selftest/001');
	is_deeply([$out, $status], ["check: -R kcidb: report: kcidb: origin 'Our CI', expected [a-z0-9_]+\n", 2],
		'so is a wrong id in the environment');
}
done_testing();
