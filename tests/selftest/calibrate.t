#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/calibrate says of known samples what noise, dependence and smallest effect
# they have; and what check says is to blame for an undecided test, and leaves alone.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Cwd qw(getcwd);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
delete(@ENV{qw(BISECT STANDIN MEASURE_AA)});
my $here = getcwd();
my $dir = results_dir();

# A kernel that logs nothing of other tests, and a warning while the file is there
my ($dmesg) = grep { -x } map { "$_/dmesg" } split(/:/, $ENV{PATH});
spew("$dir/dmesg", "#! /bin/sh\n$dmesg | grep -E 'fsratio[0-9.]+ [0-9]+ run (probe|selftest/[0-9]+-aa-)'\n[ ! -e \"\$LOGGED\" ] || echo '[ 1.0] WARNING: said by a self-test'\n");
chmod(0755, "$dir/dmesg") or die;
@ENV{qw(LOGGED PATH)} = ("$dir/logged", "$dir:$ENV{PATH}");

# What an arm says; in an A/A run copy is _aa in the copies.
my $canned = <<'END';
. ./common/measure
canned()
{
	echo "sample fs=none dev=0:0 threads=1 ops=100 run_delay_ns=${2:-0}" \
		"elapsed_ns=$1"
}
is_copy() { [[ $arm == *_aa ]]; }
odd() { [ $((measure_round % 2)) = 1 ]; }
setup() { :; }
one() { canned 1000; }
END
my $end = "_interleave setup one bad\n_judge\n_exit 0\n";

# tree(NAME => [bad() and more, limits]...): own_tree with these tests.
sub tree
{
	my (%cases) = @_;
	my $tree = own_tree(map { $_ => "$canned$cases{$_}[0]\n$end" } keys %cases);

	symlink("$here/tools", "$tree/tools") or die "tools: $!";
	for my $name (grep { defined($cases{$_}[1]) } keys %cases) {
		spew("$tree/tests/selftest/$name.limits", $cases{$name}[1]);
	}
	return $tree;
}

# calibrate(\%env, @args): (table, what check said, status, results)
sub calibrate
{
	my ($env, @args) = @_;
	my $results = results_dir();
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		%ENV = (%ENV, HOST_OPTIONS => '/dev/null', RESULT_BASE => $results, %$env);
		chdir($CheckRun::tree) or die;
		open(STDOUT, '>', "$results/table") or die;
		open(STDERR, '>', "$results/said") or die;
		exec('tools/calibrate', @args) or die;
	}
	waitpid($pid, 0);
	return (slurp("$results/table"), slurp("$results/said"),
		$? & 127 ? 128 + ($? & 127) : $? >> 8, $results);
}

# rows($table): {NAME => its cells without blanks}
sub rows
{
	return map { /^(?:  )?(\S+)(.*)/ ? ($1 => join(' ', split(' ', $2))) : () }
		split(/\n/, $_[0]);
}

my $limit = "limit name=slowdown num=bad den=one of=elapsed_ns";
$CheckRun::tree = tree(
	# 2 and 8 in turn: median 4, sigma 1.4826 ln 2; 20 runs of 20 rounds, 10 bad:
	# 1 - 19 * 20 / 200.  At p = .2 the effect is exp(.8416 1.03).  The copies are
	# twice and half of them, A/A is .5 and 2.
	'001-aa-turns' => ['bad() { if is_copy; then canned 4000; elif odd; then canned 2000; ' .
		'else canned 8000; fi; }', "$limit max=20\n"],
	# The same in pairs: 1 - 9 * 20 / 200 = .1, weighed by 10 / 12 it is .083, where p
	# is .15 (judge_table.t has the table): exp(1.0364 1.03).
	'011-aa-pairs' => ['bad() { is_copy && canned 4000 && return; ' .
		'canned $(((measure_round - 1) / 2 % 2 ? 8000 : 2000)); }', "$limit max=20\n"],
	# In blocks of five: 1 - 3 * 20 / 200 = .7, too much for the rule.
	'002-aa-blocks' => ['bad() { is_copy && canned 4000 && return; ' .
		'canned $(((measure_round - 1) / 5 % 2 ? 8000 : 2000)); }', "$limit max=20\n"],
	# No sigma, but a tail: 5 rounds of 20 at 3, of which the rule may lose 4.
	'003-aa-tail' => ['bad() { is_copy && canned 1000 && return; ' .
		'canned $((measure_round % 4 ? 1000 : 3000)); }',
		"$limit max=2\nlimit name=shown role=info num=bad den=one of=elapsed_ns max=2\n"],
	# A limit below 1, a control that is bad on every kernel, one of 1.
	'004-aa-sides' => ['bad() { canned 500; }', "# A comment\n\n$limit\tmin=0.25\n \n" .
		"limit name=control role=control num=one den=bad of=elapsed_ns min=1.5\n" .
		"limit name=middle num=bad den=one of=elapsed_ns max=1.0\n" .
		"limit name=other num=bad den=one of=elapsed_ns max=2 fs=ext4\n"],
	'005-aa-busy' => ['bad() { canned 4000 2000; }', "$limit max=2\n"],
	# Five rounds say how large the ratio is, and not what noise it has.
	'012-aa-rest' => ['bad() { canned 4000 $((measure_round > 5 ? 2000 : 0)); }', "$limit max=2\n"],
	# A/A does not pass: .5 and 8.
	'006-aa-noise' => ['bad() { if is_copy; then canned 1000; elif odd; then canned 500; ' .
		'else canned 8000; fi; }', "$limit max=2\n"],
	'007-aa-slow' => ["setup() { sleep 2.5; }\nbad() { canned 1000; }", "$limit max=2\n"],
	'008-aa-broken' => ['bad() { echo gone >&2; return 1; }', "$limit max=2\n"],
	'009-aa-notrun' => ['_require_program nosuch; bad() { canned 1; }', "$limit max=2\n"],
	'010-aa-none' => ['_exit 0; : _judge'],
);
unlink("$CheckRun::tree/tests/selftest/010-aa-none.limits");

my @known = ('selftest/011', 'selftest/012', map { "selftest/00$_" } 1 .. 6);
my ($table, $said, $status, $results) = calibrate({}, @known, 'selftest/010');
is($status, 1, 'unfit for some: exit status 1');
my %rows = rows($table);
is($rows{test}, undef, 'the head is no test');
my ($head) = $table =~ /^(test, .*)\n/;
is(join(' ', split(' ', $head)), 'test, limit ratio limit sigma lag1 tells A/A sigma fit', 'the head');
like($table, qr/^selftest\/00$_-\S+$/m, "00$_ is there") for 1 .. 6;
my %by;
my $test = '';
for my $line (split(/\n/, $table)) {
	if ($line =~ /^(selftest\S+)/) {
		$test = $1;
	} elsif ($line =~ /^  (\S.*)/) {
		push(@{$by{$test}}, join(' ', split(' ', $1)));
	}
}
is_deeply(\%by, {
	'selftest/001-aa-turns' => ['slowdown 4.00 max=20 1.03 -0.90 2.38 1.00 pass 1.03 yes'],
	'selftest/002-aa-blocks' => ['slowdown 4.00 max=20 1.03 0.70 - 1.00 pass 1.03 no: neighbouring rounds are too much alike'],
	'selftest/011-aa-pairs' => ['slowdown 4.00 max=20 1.03 0.10 2.91 1.00 pass 1.03 yes'],
	'selftest/003-aa-tail' => ['slowdown 1.00 max=2 0.00 -0.20 3.00 1.00 pass 0.00 no: noise reaches to the limit',
		'shown (info) 1.00 max=2 0.00 -0.20 3.00 1.00 info 0.00 -'],
	'selftest/004-aa-sides' => ['slowdown 0.500 min=0.25 0.00 0.00 1.00 1.00 pass 0.00 yes',
		'control (control) 2.00 min=1.5 0.00 0.00 1.00 1.00 pass 0.00 yes',
		'middle 0.500 max=1.0 0.00 0.00 1.00 1.00 info 0.00 yes',
		'other 0.500 max=2 0.00 0.00 1.00 1.00 info 0.00 -'],
	'selftest/005-aa-busy' => ['slowdown - max=2 - - - - undecided - no: other work keeps arms from the CPUs ' .
		'in 20 of 20 rounds: bad waits 50 % of its time'],
	'selftest/012-aa-rest' => ['slowdown 4.00 max=2 0.00 0.00 - 1.00 pass 0.00 no: other work keeps arms from the CPUs ' .
		'in 15 of 20 rounds: bad waits 50 % of its time'],
	'selftest/006-aa-noise' => ['slowdown 2.00 max=2 2.06 -0.90 5.66 2.00 undecided 2.06 no: noise reaches to the limit'],
}, 'what known samples come to');
like($said, qr/^CALIBRATION   -- each arm beside its own copy, results in \Q$results\E\/calibration$/m,
	'check says what it does, on standard error');
like($said, qr/^selftest\/010-aa-none\t\[expunged\]$/m, 'a test without limits is left out');
is(join(' ', map { s/.*\///r } glob("$results/* $results/.lock")), 'calibration said table .lock', 'no other results are touched');

my $records = slurp("$results/calibration/selftest/001-aa-turns.calibration");
like($records, qr/\A# kernel \S+, \S+, by .\/check --calibrate selftest\/001-aa-turns\nenv kernel=\S+ .* copies=yes\ncalibration .*\n\z/,
	'a record a limit, below what it is of');
like($records, qr/^calibration limit=slowdown role=decide max=20 ratio=4.00 n=20 unfit=0 sigma=1.03 lag1=-0.90 rounds=40 effect=2.38 wait_arm=bad wait_share=0.00 aa_ratio=1.00 aa_lo=0.500 aa_hi=2.00 aa_n=20 aa_bad=0 aa_sigma=1.03 aa=pass fit=yes$/m,
	'with all numbers');
is(slurp("$results/calibration/selftest/004-aa-sides.limits"),
	"limit name=slowdown of=elapsed_ns num=bad,one_aa den=bad_aa,one min=0.25\n" .
	"limit name=control of=elapsed_ns num=one,bad_aa den=one_aa,bad max=1.5\n" .
	"limit name=middle of=elapsed_ns num=bad,one_aa den=bad_aa,one max=1.0 role=info\n" .
	"limit name=other of=elapsed_ns fs=ext4 num=bad,one_aa den=bad_aa,one max=2\n",
	'limits of A/A are as far from 1, on the side that they were on');
my @samples = slurp("$results/calibration/selftest/001-aa-turns.samples") =~ /^(sample .*)$/mg;
is(scalar(@samples), 80, '20 rounds of two arms and their copies');
my %orders = map { join(' ', map { /arm=(\S+)/ } @samples[$_ * 4 .. $_ * 4 + 3]) => 1 } 0 .. 19;
cmp_ok(scalar(keys %orders), '>', 5, 'in fresh orders, copies among the others');
is(join(' ', sort(map { split / / } (keys %orders)[0])), 'bad bad_aa one one_aa', 'each once');

# Other ends.
($table, $said, $status, $results) = calibrate({}, '-o', "$CheckRun::tree/o", '--rounds', 8, 'selftest/001');
is($status, 0, 'fit: exit status 0');
like(slurp("$CheckRun::tree/o/selftest/001-aa-turns.calibration"), qr/ n=8 /, '-o: where the records go; --rounds is kept to');
ok(!-e "$results/calibration/selftest/001-aa-turns.calibration", 'and they are nowhere else');
spew("$dir/config", "[one]\nFSTYP=xfs\n[two]\nFSTYP=xfs\n");
($table, $said, $status) = calibrate({HOST_OPTIONS => "$dir/config"}, '-o', "$CheckRun::tree/o", '--rounds', 6,
	'-i', 2, 'selftest/001');
is(join(' ', sort($table =~ /^\w+\/selftest\S+/mg)), 'one/selftest/001-aa-turns two/selftest/001-aa-turns',
	'sections: each once');
ok(-s "$CheckRun::tree/o/$_/selftest/001-aa-turns.calibration", "$_: its records") for qw(one two);
($table, $said, $status) = calibrate({}, '--rounds', 6, '--time-budget', 1, 'selftest/007');
like($table, qr/^  slowdown .* no: too few rounds in the time$/m, 'a budget of too few rounds');
is($status, 1, 'is unfit');
($table, $said, $status) = calibrate({}, '--rounds', 6, 'selftest/008', 'selftest/009');
is($table, "selftest/008-aa-broken is broken: arm bad, round 1: exit 1: gone\n" .
	"selftest/009-aa-notrun is notrun: nosuch utility required, skipped this test\n", 'no table');
is($status, 2, 'broken: exit status 2');
($table, $said, $status) = calibrate({}, 'selftest/009');
is($status, 1, 'not run: exit status 1');
for my $call (
	[{}, ['selftest/010'], qr/^calibrate: no test has limits, expected one that has$/m],
	[{}, ['nosuch/001'], qr/^check: unknown test 'nosuch\/001'/m],
	[{}, ['-n'], qr/^calibrate: option -n measures nothing/m],
	[{}, ['-o'], qr/^calibrate: option -o takes a directory, found none$/m],
	[{}, ['-o', '-x', 'y'], qr/^calibrate: option -o takes a directory, found '-x'$/m],
	[{}, ['--record', 'selftest/001'], qr/^check: --calibrate excludes --record, /m],
	[{}, ['--no-confirm', 'selftest/001'], qr/^check: --calibrate excludes /m],
	[{}, ['-L', 2, 'selftest/001'], qr/^check: --calibrate excludes /m],
	[{BISECT => 1}, ['selftest/001'], qr/^check: --calibrate excludes /m],
) {
	my ($env, $args, $line) = @$call;

	($table, $said, $status) = calibrate($env, @$args);
	is("$table$status", 2, "@$args: refused");
	like($said, $line, "@$args: by one line");
}
($table, $said, $status) = calibrate({}, '--help');
like($table, qr/^Usage: tools\/calibrate .*Exit status: 0 fit/s, '--help');

# Undecided: what is to blame.  own_tree's limit is slowdown, at most 2.
my $turns = 'if odd; then canned 4000; else canned 1000; fi';
my %blamed = (
	'near' => "bad() { $turns; }",
	'noisy' => "bad() { if is_copy; then canned 1000; else $turns; fi; }",
	'busy' => 'bad() { canned 4000 2000; }',
	'apart' => 'bad() { canned $((measure_series == 1 ? 4000 : 1000)); }',
	'broken' => "bad() { ! is_copy || return 9; $turns; }",
	'hang' => "setup() { [ -z \"\${MEASURE_COPIES:-}\" ] || sleep 600; }\nbad() { $turns; }",
	'logs' => "bad() { ! is_copy || : >\"\$LOGGED\"; $turns; }",
	'scratch' => <<"END",
_require_scratch
setup()
{
	_scratch_mkfs || _fail 'no mkfs'
	_scratch_mount
}
real() { echo "sample \${machine_mounts[0]} elapsed_ns=\$1"; }
one() { : >"\$SCRATCH_MNT/\$arm"; real 1000; }
bad() { if odd; then real 4000; else real 1000; fi; }
END
	'fails' => "bad() { if is_copy; then canned 100; else $turns; fi; }",
);
my $number = 0;
my %name = map { $_ => sprintf('%03d-aa-%s', ++$number, $_) } sort keys %blamed;
$CheckRun::tree = tree(map { $name{$_} => [$blamed{$_}] } keys %blamed);
mkdir("$CheckRun::tree/images") or die;
my %env = (MEASURE_AA => 'yes');

my $numbers = 'ratio=2.00 lo=1.00 hi=4.00 n=10 bad=5 unfit=0 sigma=1.03 lag1=-0.80 max=2 reason=cap';
my %expected = (
	near => "slowdown: $numbers; to blame: nearness to the limit (slowdown: A/A pass in 5 rounds, ratio 1.00, sigma 0.00)",
	noisy => "slowdown: $numbers; to blame: the machine (slowdown: A/A undecided in 10 rounds, ratio 2.00, sigma 1.03)",
	fails => "slowdown: $numbers; to blame: the machine (slowdown: A/A fail in 5 rounds, ratio 40.0, sigma 0.00)",
	busy => 'slowdown: n=0 bad=0 unfit=10 max=2 reason=unfit_machine; to blame: the machine ' .
		'(slowdown: other work kept it from the CPUs in 10 rounds)',
	apart => 'slowdown: ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=2 ' .
		'reason=unconfirmed; to blame: neither (slowdown: two set-ups came out apart; A/A pass in 5 rounds, ratio 1.00, sigma 0.00)',
	broken => "slowdown: $numbers; to blame: not known (slowdown: A/A is broken: arm bad_aa, round 1: exit 9: no message)",
);
my @rounds = ('--rounds', 10);
my @order = sort keys %expected;
my ($out, $plain);
($out, $status, $results) = run_check(\%env, @rounds, map { "selftest/$name{$_}" } @order);
is($status, 3, 'undecided, whatever is to blame');
for my $case (@order) {
	my $path = "$results/selftest/$name{$case}";

	like($out, qr/^Undecided: selftest\/\Q$name{$case}: $expected{$case}\E$/m, "$case: in the summary");
	like($out, qr/^selftest\/\Q$name{$case}\E\t\[not run\] undecided: \Q$expected{$case}\E$/m, "$case: and on its line");
	my ($blame) = $expected{$case} =~ /(to blame: .*)/;
	like(slurp("$path.full"), qr/^# \Q$blame\E$/m, "$case: in NNN.full");
	like(slurp("$path.record"), qr/ word=undecided .*to%20blame:/, "$case: in NNN.record");
	unlike(slurp("$path.samples"), qr/_aa |copies=/, "$case: the samples are those of the run");
	unlike(slurp("$path.verdict"), qr/_aa/, "$case: so are the verdicts");
	my $copies = slurp("$results/undecided/selftest/$name{$case}.samples") // '';
	is($copies =~ /arm=bad_aa / ? 1 : 0, $case =~ /busy|broken/ ? 0 : 1,
		"$case: A/A has files of its own, where it was needed");
}
is(processes_left($results), '', 'no process is left');

# A later run that decides leaves no old A/A beside it.
spew("$CheckRun::tree/tests/selftest/$name{near}", slurp("$CheckRun::tree/tests/selftest/$name{near}") =~ s/4000/1000/r);
($out, $status) = run_check({%env, RESULT_BASE => $results}, "selftest/$name{near}");
is($status, 0, 'a pass');
is(join(' ', glob("$results/undecided/selftest/$name{near}.*")), '', 'and what was undecided is gone');

# On file systems, which the checker sees after both
($out, $status, $results) = run_check({%env, IMAGE_DIR => "$CheckRun::tree/images"}, @rounds, "selftest/$name{scratch}");
is($status, 3, 'a test with a file system');
like($out, qr/\Q$numbers\E; to blame: nearness to the limit \(slowdown: A\/A pass in 5 rounds, ratio 1.00, sigma 0.00\)$/m,
	'has an A/A on one, too');
like(slurp("$results/undecided/selftest/$name{scratch}.samples"), qr/arm=one_aa round=1 fs=xfs dev=/, 'which was made anew');
is(ours_left("$CheckRun::tree/images"), '', 'nothing of it is left');

# Where it is left out, and how often it is made.
my $noisy = "selftest/$name{noisy}";
for my $call ([{MEASURE_AA => 'no'}], [{}, '--record'], [{}, '--background-load']) {
	my ($more, @options) = @$call;

	($out, $status, $results) = run_check({%env, %$more}, @rounds, @options, $noisy);
	is($status, 3, "@{[%$more, @options]}: undecided");
	unlike($out, qr/to blame/, 'and nobody is to blame');
	ok(!-e "$results/undecided", 'no A/A is made');
}
($out, $status, $results) = run_check({%env, BISECT => 1}, @rounds, $noisy);
is($status, 125, 'BISECT=1: cannot tell');
is(join(' ', map { /to blame/ ? 'blamed' : 'not' } $out =~ /^($noisy.*)/mg), 'not blamed', 'A/A after the second try alone');

# The longest that an A/A takes
unlink("$CheckRun::tree/common");
system("cp -r $here/common $CheckRun::tree/common") == 0 or die;
sub timeout
{
	my $file = "$CheckRun::tree/common/calibration";

	spew($file, slurp($file) =~ s/^(CALIBRATION_TIMEOUT_S)=\d+/$1=$_[0]/mr);
}

# One that has no end, one that warns, one that is interrupted.
timeout(2);
($out, $status, $results) = run_check(\%env, @rounds, "selftest/$name{hang}");
like($out, qr/; to blame: not known \(slowdown: A\/A is broken: no end after 2 s \(see \Q$results\E\/undecided\/selftest\/$name{hang}.stuck\)\)$/m,
	'A/A without an end is ended');
is($status, 3, 'the test is undecided');
is(processes_left($results), '', 'no process of it is left');
($out, $status, $results) = run_check(\%env, @rounds, "selftest/$name{logs}");
is($status, 1, 'a warning of the kernel in A/A is a fail, as in any run');
like($out, qr/^selftest\/$name{logs}\t- output mismatch \(in an A\/A run: kernel log: WARNING: said by a self-test \(see \Q$results\E\/undecided\/selftest\/$name{logs}.dmesg\)\)$/m,
	'and says where it was');
unlink($ENV{LOGGED}) or die;
timeout(60);
my $run = start_check(\%env, @rounds, "selftest/$name{hang}");
ok(wait_for(20, sub { slurp("$run->{results}/undecided/selftest/$name{hang}.full") }), 'A/A runs');
kill('TERM', $run->{pid});
($out, $status) = end_check($run);
is($status, 143, 'a signal in A/A: 128 + its number');
like($out, qr/^Interrupted!\nRan: selftest\/$name{hang}\nNot run: selftest\/$name{hang}\nUndecided: selftest\/$name{hang}: slowdown: \Q$numbers\E$/m,
	'the word that was found is kept');
ok(-s "$run->{results}/check.log", 'the log is where it belongs');
like(slurp("$run->{results}/selftest/$name{hang}.record"), qr/ word=undecided /, 'and the record');
is(processes_left($run->{results}), '', 'no process is left');
done_testing();
