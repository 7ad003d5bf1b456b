#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tools/flip: recordings are written where a test fails on the bad kernel and passes
# on the good one by the rule for recordings, both or none.  The guest is a stand-in
# that brings results made here; the judge is the real one.
use strict;
use warnings;
use Cwd qw(getcwd realpath);
use File::Temp qw(tempdir);
use Test::More;
use lib 'tests/selftest';
use CheckRun;

my $top = getcwd();
my $dir = realpath(tempdir('fsratio-flip-XXXXXX', TMPDIR => 1, CLEANUP => 1));
my $src = $ENV{FSRATIO_SRC} // "$top/src";
my $test = 'selftest/001-x';
my $limit = "limit name=x num=a den=b of=elapsed_ns max=2\n";
my $control = "limit name=c role=control num=c den=b of=elapsed_ns min=2\n";
my @call = ('selftest/001', '--bad', 'b-1', '--good', 'g-2');
my $help = '(--help shows all)';
delete @ENV{qw(BISECT STANDIN HOST_OPTIONS)};
%ENV = (%ENV, DIR => $dir, SRC => $src, RESULT_BASE => "$dir/results",
	PATH => "$dir/bin:$ENV{PATH}");

mkdir("$dir/$_") or die "$_: $!" for qw(bin out suite suite/tools suite/tests
	suite/tests/selftest);
symlink("$top/$_", "$dir/suite/$_") or die "$_: $!" for qw(check common);
symlink($src, "$dir/suite/src") or die "src: $!";
symlink("$top/tools/$_", "$dir/suite/tools/$_") or die "$_: $!" for qw(flip lib);

sub script
{
	my ($path, $text) = @_;
	spew("$dir/$path", "#! /bin/bash\n$text");
	chmod(0755, "$dir/$path") or die "$path: $!";
}

script("suite/tests/$_", ". ./common/preamble\n_begin_fstest selftest\n")
	for $test, 'selftest/002-y';
spew("$dir/suite/tests/$_.out", "x\n") for $test, 'selftest/002-y';
script('bin/qemu-system-x86_64', "echo 'QEMU emulator version 7.2.22 (Debian)'\n");
# Results as a guest brings them back: $DIR/KERNEL.samples, and the word of the
# judge, or $DIR/KERNEL.word
script('suite/tools/guest', <<'END');
printf '%s\n' "BISECT=${BISECT:-} $*" >>"$DIR/calls"
kernel=$2 results=$RESULT_BASE/guest/${2##*/}
! [ -e "$DIR/do" ] || . "$DIR/do"
mkdir -p "$results/selftest" && cp "$DIR/$kernel.samples" \
	"$results/selftest/001-x.samples" || exit 2
cd "$DIR/suite" && src/judge --final --no-confirm tests/selftest/001-x.limits \
	"$DIR/$kernel.samples" >"$results/selftest/001-x.verdict" || exit 2
word=$(sed -n 's/.* test=final verdict=//p' "$results/selftest/001-x.verdict")
! [ -e "$DIR/$kernel.word" ] || word=$(<"$DIR/$kernel.word")
printf '%s\n' "run records=1 id=1 start_s=1" "test name=selftest/001-x \
word=${word%% *} start_s=1 elapsed_ms=5 limits=yes${word#"${word%% *}"}" \
	>"$results/selftest/001-x.record"
echo "guest: no kernel boots under /dev/kvm here, so TCG, which is slow" >&2
echo "selftest/001-x says $word"
echo "guest: its /suite/results is $results here" >&2
END

# 40 rounds of arms a, b, c: thousandths of a and c; the last $n of a are $other.
sub samples
{
	my ($kernel, $a, $n, $other, %opt) = @_;
	my $text = ($opt{head} // "# kernel $kernel, 2026-01-01, by ./check " .
		"--record $test") . "\nenv cpus=2\n";
	my $rounds = $opt{rounds} // 40;

	for my $round (1 .. $rounds) {
		my %ns = (a => $round > $rounds - $n ? $other : $a, b => 1000,
			c => $opt{c} // 4000);
		$text .= "sample series=1 arm=$_ round=$round elapsed_ns=$ns{$_}" .
			($opt{more} // '') . "\n" for sort keys %ns;
	}
	spew("$dir/$kernel.samples", $text);
	return $text;
}

# flip({ENV}, ARGUMENT...): (status, stdout, stderr)
sub flip
{
	my ($env, @args) = @_;

	unlink("$dir/calls");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		$ENV{$_} = $env->{$_} for keys %$env;
		chdir($dir) or die "chdir: $!";
		open(STDIN, '<', '/dev/null') or die;
		open(STDOUT, '>', "$dir/stdout") or die;
		open(STDERR, '>', "$dir/stderr") or die;
		exec("$dir/suite/tools/flip", @args) or die;
	}
	waitpid($pid, 0);
	return ($? & 127 ? 128 + ($? & 127) : $? >> 8, slurp("$dir/stdout"),
		slurp("$dir/stderr"));
}

# The recordings beside the test, and in out/
sub written
{
	return join(' ', map { s{^\Q$dir\E/}{}r }
		glob("$dir/suite/tests/selftest/*.{good,bad,new}"),
		glob("$dir/out/*"));
}

# What flip says of its own, but for the table
sub says
{
	return join("\n", grep { !m{^(?:bad|good): [bg]-\d$} }
		$_[0] =~ /^flip: (.*)$/mg);
}

# Ok
spew("$dir/suite/tests/$test.limits", $limit . $control);
my %samples = map { $_->[0] => samples(@$_) } ['b-1', 4000, 3, 1000],
	['g-2', 1000, 3, 5000];
my ($status, $out, $err) = flip({}, @call, '--dry-run');
is("$status$err", 0, 'a test that flips, in a dry run');
is(says($out), 'ok', 'is ok');
is(written(), '', 'and nothing is written');
($status, $out, $err) = flip({}, @call);
is("$status$err", 0, 'a test that flips');
is(says($out), "wrote $dir/suite/tests/$test.bad\nwrote " .
	"$dir/suite/tests/$test.good\nok", 'is ok');
like($out, qr/^selftest\/001-x says fail$/m, 'the guest is heard');
like($out, qr/^x +max=2 +2 +1\.00 \(3 of 40\) +4\.00 \(3 of 40\)$/m,
	'the limit, the one that is suggested, medians, rounds on the wrong side');
like($out, qr/^c \(control\) +min=2 +- +4\.00 \(\d+ of 40\)/m, 'and of the control');
is(slurp("$dir/calls"), join('', map { "BISECT= --kernel $_ -- --record $test\n" }
	qw(b-1 g-2)), 'two guests ran');
for my $case (['bad', 'b-1'], ['good', 'g-2']) {
	my ($side, $kernel) = @$case;
	my ($head, $rest) = split(/(?<=\n)/, $samples{$kernel}, 2);
	is(slurp("$dir/suite/tests/$test.$side"), "$head# by tools/flip: $kernel " .
		"in a guest, by QEMU 7.2.22 TCG\n$rest", "the recording: $side");
}
unlink(glob("$dir/suite/tests/selftest/*.{good,bad}"));
($status, $out, $err) = flip({BISECT => 1}, @call, '--output', 'out',
	qw(--guest-args --cpus 4 --accel tcg -- --timeout 9));
is("$status$err", 0, '--output');
is(written(), 'out/001-x.bad out/001-x.good', 'writes there alone');
is(slurp("$dir/calls"), join('', map { "BISECT= --kernel $_ --cpus 4 --accel tcg " .
	"-- --record --timeout 9 $test\n" } qw(b-1 g-2)), 'arguments go along');
like(slurp("$dir/out/001-x.bad"), qr/^# by tools\/flip: b-1 in a guest --cpus 4 /m,
	'and into the recording');
unlink(glob("$dir/out/*"));

# Suggestions: never further than 4 times off the good median
for my $case (['max=2', 4000, 1000, '2'], ['max=3', 9000, 1000, '3'],
		['max=3', 100_000, 1000, '4'], ['min=2', 1000, 4000, '2'],
		['min=0.5', 100, 1000, '0.316'], ['min=0.5', 10, 1000, '0.25']) {
	my ($side, $bad, $good, $suggested) = @$case;
	spew("$dir/suite/tests/$test.limits", $limit =~ s/max=2/$side/r);
	samples('b-1', $bad, 0, 0);
	samples('g-2', $good, 0, 0);
	($status, $out, $err) = flip({}, @call, '--output', 'out');
	is("$status$err", 0, "$side, bad $bad, good $good");
	like($out, qr/^x +$side +\Q$suggested\E +\d/m, "$suggested is suggested");
	unlink(glob("$dir/out/*"));
}

# Not ok
spew("$dir/out/001-x.$_", "old\n") for qw(bad good);
for my $case (
	['a bad one that passes', [1000, 0, 0], [1000, 0, 0],
		['bad: is pass, expected fail', 'bad: x: pass, expected fail',
		'bad: x: 40 of 40 rounds on the wrong side, expected 3 at most']],
	['a good one that fails', [4000, 0, 0], [4000, 0, 0],
		['good: is fail, expected pass', 'good: x: fail, expected pass',
		'good: x: 40 of 40 rounds on the wrong side, expected 3 at most']],
	['too much noise', [4000, 4, 1000], [1000, 5, 5000],
		['bad: x: 4 of 40 rounds on the wrong side, expected 3 at most',
		'good: x: 5 of 40 rounds on the wrong side, expected 3 at most']],
	['a short one', [4000, 0, 0, rounds => 39], [1000, 0, 0],
		['bad: x: 39 rounds, expected 40', 'bad: c: 39 rounds, expected 40']],
	['one of a busy machine', [4000, 0, 0], [1000, 0, 0,
		more => ' threads=1 run_delay_ns=1001'],
		['good: is undecided, expected pass', 'good: x: 40 rounds do not ' .
		'count, as the machine was busy; expected 9 at most',
		'good: x: undecided, expected pass', 'good: c: 40 rounds do not ' .
		'count, as the machine was busy; expected 9 at most',
		'good: c: control is undecided, expected pass']],
	['a limit too far from the good one', [90_000, 0, 0], [300, 0, 0],
		['x: 2 is more than 4 times off the good median 0.300']],
) {
	my ($name, $bad, $good, $faults) = @$case;
	spew("$dir/suite/tests/$test.limits", $limit . $control);
	samples('b-1', @$bad);
	samples('g-2', @$good);
	($status, $out, $err) = flip({}, @call, '--output', 'out');
	is("$status$err", 1, $name);
	is(says($out), join("\n", @$faults,
		'not ok: no recordings were written'), 'what is wrong with it');
	is(join('', map { slurp("$dir/out/001-x.$_") } qw(bad good)), "old\nold\n",
		'and nothing is written');
}
for my $word (qw(notrun undecided)) {
	samples('b-1', 4000, 0, 0);
	samples('g-2', 1000, 0, 0);
	spew("$dir/g-2.word", "$word reason=needs%2064%20CPUs\n");
	($status, $out, $err) = flip({}, @call, '--output', 'out');
	is("$status$err", 1, "$word");
	like(says($out), qr/^good: is $word: needs 64 CPUs, expected pass$/m,
		'with its reason');
}

# Trouble
spew("$dir/g-2.word", "broken reason=arm%20x\n");
($status, $out, $err) = flip({}, @call, '--output', 'out');
is($status, 2, 'a broken test');
is($err, "flip: good: $test is broken: arm x\n", 'says so');
unlink("$dir/g-2.word");
spew("$dir/do", "echo 'guest: 6.1: does not boot' >&2; exit 2\n");
($status, $out, $err) = flip({}, @call, '--output', 'out');
is($status, 2, 'a kernel that does not boot');
like($out, qr/^guest: 6\.1: does not boot$/m, 'says tools/guest');
is($err, "flip: bad: tools/guest ended with 2 and without results\n", 'and flip');
is((slurp("$dir/calls") =~ tr/\n//), 1, 'the other kernel is not booted');
unlink("$dir/do");
samples('g-2', 1000, 0, 0, head => 'env x=1');
($status, $out, $err) = flip({}, @call, '--output', 'out');
is($status, 2, 'samples without their head');
is(join('', map { slurp("$dir/out/001-x.$_") } qw(bad good)), "old\nold\n",
	'nothing was written, either');
samples('g-2', 1000, 0, 0);
unlink(glob("$dir/out/*"));
mkdir("$dir/out/001-x.good.new") or die;
($status, $out, $err) = flip({}, @call, '--output', 'out');
is($status, 2, 'recordings that cannot be written');
rmdir("$dir/out/001-x.good.new") or die;
is(written(), '', 'are not there by half');

# Calls
for my $case (
	['', "expected a test $help"],
	['selftest/001', "--bad KERNEL is missing $help"],
	['selftest/001 --bad x', "--good KERNEL is missing $help"],
	['selftest/001 --bad', "option --bad takes a value $help"],
	['selftest/001 --bad --good x', "option --bad takes a value $help"],
	['selftest/001 x', "unknown argument 'x' $help"],
	['selftest/001 --bogus', "unknown argument '--bogus' $help"],
	['selftest/001 --bad x --good y --guest-args', 'option --guest-args takes ' .
		'those of tools/guest, found none'],
	['selftest/001 --bad x --good y --output none',
		"option --output takes a directory, found 'none'"],
	['selftest/00* --bad x --good y', "expected one test, found " .
		"'selftest/00*', which is $test, selftest/002-y"],
	['selftest/9 --bad x --good y', "check: unknown test 'selftest/9' (--list " .
		"shows all tests)\nflip: 'selftest/9' is no test"],
	['selftest/002 --bad x --good y', 'tests/selftest/002-y.limits: not there; ' .
		'a test without limits has no recordings'],
) {
	my ($args, $message) = @$case;
	$message = "flip: $message" if $message !~ /^check/;
	is_deeply([flip({}, split(' ', $args))], [2, '', "$message\n"],
		"flip $args");
	ok(!-e "$dir/calls", 'and no guest ran');
}
is((flip({STANDIN => 'plain'}, @call))[2], "flip: STANDIN=plain would take the " .
	"place of both kernels\n", 'a stand-in');
spew("$dir/suite/installed", '');
is((flip({}, @call))[2], "flip: --output DIR is missing: an installed tree is not " .
	"written to\n", 'an installed tree');
unlink("$dir/suite/installed");
($status, $out, $err) = flip({}, '--help');
is("$status$err", 0, '--help');
like($out, qr/\AUsage: tools\/flip TEST/, 'usage');

# Signals
spew("$dir/do", "echo \$\$ >\$DIR/pid.new; mv \$DIR/pid.new \$DIR/pid; exec sleep 60");
for my $case ([INT => 130], [TERM => 143], [KILL => 137]) {
	my ($signal, $expected) = @$case;
	unlink("$dir/pid");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', '/dev/null') or die;
		exec("$dir/suite/tools/flip", @call) or die;
	}
	ok(wait_for(30, sub { -e "$dir/pid" }), "a guest runs, for SIG$signal");
	my $guest = slurp("$dir/pid") + 0;
	kill($signal, $pid);
	waitpid($pid, 0);
	is($? & 127 ? 128 + ($? & 127) : $? >> 8, $expected, "SIG$signal");
	ok(wait_for(20, sub { !kill(0, $guest) }), 'the guest is gone');
}

done_testing();
