#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# The judge's text and exit status for canned samples: every word, every reason,
# every kind of broken input.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $judge = abs_path(($ENV{FSRATIO_SRC} // 'src') . '/judge');
my $dir = tempdir('fsratio-judge-XXXXXX', TMPDIR => 1, CLEANUP => 1);

-x $judge or BAIL_OUT('src/judge is not built');
chdir($dir) or BAIL_OUT("chdir $dir: $!");	# messages name L and S alone

sub spew
{
	my ($path, $text) = @_;
	open(my $fh, '>', $path) or die "$path: $!";
	print $fh $text;
	close($fh) or die "$path: $!";
}

sub slurp
{
	my ($path) = @_;
	open(my $fh, '<', $path) or die "$path: $!";
	local $/;
	return scalar <$fh> // '';
}

# Exit status, stdout, stderr.
sub run
{
	my (@args) = @_;
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', "$dir/out");
		open(STDERR, '>', "$dir/err");
		exec($judge, @args) or die;
	}
	waitpid($pid, 0);
	return ($? & 127 ? "signal $?" : $? >> 8, slurp("$dir/out"),
		slurp("$dir/err"));
}

# Judges limits and samples (texts); the whole answer must be as expected.
sub judged
{
	my ($name, $limits, $samples, $status, $text, @options) = @_;
	spew('L', $limits);
	spew('S', $samples);
	my ($rc, $out, $err) = run(@options, 'L', 'S');
	is("$rc\n$out$err", "$status\n$text", $name);
}

# The same with --final, and only the lines of the end.
sub final
{
	my ($name, $limits, $samples, $text, @options) = @_;
	spew('L', $limits);
	spew('S', $samples);
	my ($rc, $out, $err) = run('--final', @options, 'L', 'S');
	$out = join('', grep { / (series|test)=final / } split(/^/, $out));
	is("$rc\n$out$err", "0\n$text", $name);
}

# Nothing on stdout, one line on stderr, exit 1.
sub broken
{
	my ($name, $limits, $samples, $message) = @_;
	judged($name, $limits, $samples, 1, "judge: $message\n");
}

my $env = "env cpus=2\n";

# A series of samples: arm => [elapsed_ns, or text of the record].
sub series
{
	my ($series, %arms) = @_;
	my ($text, $n) = ('', 0);
	for my $values (values %arms) {
		$n = @$values if @$values > $n;
	}
	for my $round (1 .. $n) {
		for my $arm (sort keys %arms) {
			my $v = $arms{$arm}[$round - 1] // next;
			$v = "elapsed_ns=$v" if $v =~ /^\d+$/;
			$text .= "sample series=$series arm=$arm " .
				"round=$round $v\n";
		}
	}
	return $text;
}

# Series 1 (or the given one) of arm a by thousandths of arm b: ratios.
sub ratios
{
	my ($series, @ratios) = @_;
	return series($series, a => [map { $_ * 1000 } @ratios],
		b => [(1000) x @ratios]);
}

my $max = "limit name=x num=a den=b of=elapsed_ns max=1.50\n";
my $min = "limit name=x num=a den=b of=elapsed_ns min=1.50\n";

# --- the words of one series

judged('five on the good side pass', $max, $env . ratios(1, (1) x 5), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('five on the bad side fail', $max,
	$env . ratios(1, 3.81, 3.45, 4.2, 3.5, 4), 0,
	'verdict limit=x series=1 ratio=3.81 lo=3.45 hi=4.20 conf=0.94 n=5 ' .
	"bad=5 unfit=0 sigma=0.13 lag1=0.00 max=1.50 verdict=fail\n");
judged('four want a fifth', $max, $env . ratios(1, 2, 2, 2, 2), 3,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.88 n=4 ' .
	"bad=4 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=open\n");
judged('no round yet', $max, $env, 3,
	"verdict limit=x series=1 n=0 bad=0 unfit=0 max=1.50 verdict=open\n");
judged('the time ended before the first round', $max, $env, 0,
	'verdict limit=x series=1 n=0 bad=0 unfit=0 max=1.50 reason=budget ' .
	"verdict=undecided\n" .
	'verdict limit=x series=final n=0 bad=0 unfit=0 max=1.50 ' .
	"reason=budget verdict=undecided\n" .
	"verdict test=final verdict=undecided\n", '--final');
judged('with min= the good side is above', $min, $env . ratios(1, (2) x 5), 0,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 min=1.50 verdict=pass\n");
judged('and the bad side below', $min, $env . ratios(1, (1) x 5), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=5 unfit=0 sigma=0.00 lag1=0.00 min=1.50 verdict=fail\n");
judged('undecided at the cap', $max, $env . ratios(1, (1, 2) x 3), 0,
	'verdict limit=x series=1 ratio=1.41 lo=1.00 hi=2.00 n=6 bad=3 ' .
	'unfit=0 sigma=0.51 lag1=-0.67 max=1.50 reason=cap ' .
	"verdict=undecided\n", '--rounds', 6);
judged('rounds beyond the cap are not heard', $max,
	$env . ratios(1, (1, 2) x 3, (2) x 9), 0,
	'verdict limit=x series=1 ratio=1.41 lo=1.00 hi=2.00 n=6 bad=3 ' .
	'unfit=0 sigma=0.51 lag1=-0.67 max=1.50 reason=cap ' .
	"verdict=undecided\n", '--rounds', 6);
judged('rounds beyond the latch neither, nor counted', $max,
	$env . ratios(1, (1.25) x 5, (9) x 12), 0,
	'verdict limit=x series=1 ratio=1.25 lo=1.25 hi=1.25 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('--bound 2', $max, $env . ratios(1, 2, 2), 0,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.50 n=2 ' .
	"bad=2 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=fail\n",
	'--bound', 2);
judged('--bound 6 waits for the sixth', $max, $env . ratios(1, (2) x 5), 3,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.94 n=5 ' .
	"bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=open\n",
	'--bound', 6);

# --- ties, and numbers

for my $limit ("$max", "$min") {
	judged('the limit itself is on the good side of ' . $limit, $limit,
		$env . ratios(1, (1.5) x 5), 0,
		'verdict limit=x series=1 ratio=1.50 lo=1.50 hi=1.50 ' .
		'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 ' .
		($limit eq $max ? 'max' : 'min') . "=1.50 verdict=pass\n");
}

# 1e-13 beyond the limit is a tie, 1e-11 is not.
for my $case ([150000000000015, 'pass', 0], [150000000001500, 'fail', 5]) {
	my ($ns, $word, $bad) = @$case;
	judged("$ns to 1e14 is $word", $max, $env . series(1, a => [($ns) x 5],
		b => [(100000000000000) x 5]), 0,
		'verdict limit=x series=1 ratio=1.50 lo=1.50 hi=1.50 ' .
		"conf=0.94 n=5 bad=$bad unfit=0 sigma=0.00 lag1=0.00 " .
		"max=1.50 verdict=$word\n");
}
for my $case ([1, 1000000, '0.00000100'], [123, 1000, '0.123'], [1, 1, '1.00'],
	[9999, 1000, '10.00'], [10, 1, '10.0'], [12344, 10, '1234'],
	[1234567, 1, '1234567']) {
	my ($a, $b, $text) = @$case;
	judged("$a / $b is $text", "limit name=x num=a den=b of=n max=9999999\n",
		$env . series(1, a => [("n=$a") x 5], b => [("n=$b") x 5]), 0,
		"verdict limit=x series=1 ratio=$text lo=$text hi=$text " .
		'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 ' .
		"max=9999999 verdict=pass\n");
}
judged('the largest number there is', $max, $env . series(1,
	a => [('9223372036854775807') x 5], b => [('9223372036854775807') x 5]),
	0, 'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 ' .
	"n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");

# --- several arms, quotients, floors

my $did = "limit name=d num=sn,p1 den=s1,pn of=elapsed_ns max=1.9\n";
judged('a ratio of ratios', $did, $env . series(1, sn => [(3000) x 5],
	s1 => [(1500) x 5], pn => [(500) x 5], p1 => [(1000) x 5],
	other => [(1) x 5]), 0,
	'verdict limit=d series=1 ratio=4.00 lo=4.00 hi=4.00 conf=0.94 n=5 ' .
	"bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.9 verdict=fail\n");
judged('1 is written as 1.00 whatever the rounding of its logarithms', $did,
	$env . series(1, p1 => [(2) x 5], pn => [(1) x 5], s1 => [(10) x 5],
	sn => [(5) x 5]), 0,
	'verdict limit=d series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.9 verdict=pass\n");
my $floor = "limit name=f num=a den=b of=vcsw/ops floor=0.001 max=20\n";
judged('a floor stands for what is below it, 0 too, in every arm', $floor,
	$env . series(1, a => [('vcsw=600 ops=20000') x 5],
	b => ['vcsw=0 ops=20000', ('vcsw=3 ops=20000') x 4]), 0,
	'verdict limit=f series=1 ratio=30.0 lo=30.0 hi=30.0 conf=0.94 n=5 ' .
	"bad=5 unfit=0 sigma=0.00 lag1=0.00 max=20 verdict=fail\n");
judged('and for nothing above it', $floor,
	$env . series(1, a => [('vcsw=600 ops=20000') x 5],
	b => [('vcsw=40 ops=20000') x 5]), 0,
	'verdict limit=f series=1 ratio=15.0 lo=15.0 hi=15.0 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=20 verdict=pass\n");

# --- several limits latch one by one, in the order of the file

my $two = "# comment\n\nlimit name=first num=a den=b of=elapsed_ns max=1.5\n" .
	"  limit\tname=second num=c den=b of=elapsed_ns max=1.5\n";
my @c = (1000, 1000, 2000, 1000, 1000, 1000, 1000);
judged('one limit is open, the other has latched', $two,
	$env . series(1, a => [(2000) x 6], b => [(1000) x 6],
	c => [@c[0 .. 5]]), 3,
	'verdict limit=first series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.94 ' .
	'n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 verdict=fail' . "\n" .
	'verdict limit=second series=1 ratio=1.00 lo=1.00 hi=2.00 n=6 bad=1 ' .
	"unfit=0 sigma=0.00 lag1=-0.20 max=1.5 verdict=open\n");
judged('both have latched', $two, $env . series(1,
	a => [(2000) x 6, 1000], b => [(1000) x 7], c => \@c), 0,
	'verdict limit=first series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.94 ' .
	'n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 verdict=fail' . "\n" .
	'verdict limit=second series=1 ratio=1.00 lo=1.00 hi=2.00 n=7 bad=1 ' .
	"unfit=0 sigma=0.00 lag1=-0.17 max=1.5 verdict=pass\n");

# --- the bound is raised where the sides come in runs: 2 good ones, then bad
#     ones: r = 1 - 1 / (2*2*b/(2+b)), times 2/4; S = b - 2 >= 5 (1+r)/(1-r)
#     first holds for b = 13: r = .35577, 10.52.

judged('a clump is not believed at the bound', $max,
	$env . ratios(1, 1, 1, (2) x 12), 3,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 n=14 bad=12 ' .
	"unfit=0 sigma=0.00 lag1=0.71 max=1.50 verdict=open\n");
judged('but later', $max, $env . ratios(1, 1, 1, (2) x 13), 0,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 n=15 bad=13 ' .
	"unfit=0 sigma=0.00 lag1=0.71 max=1.50 verdict=fail\n");
judged('sides that alternate are no reason to wait', $max,
	$env . ratios(1, 2, 1, 2, 1, 2, 2, 2, 2, 2), 0,
	'verdict limit=x series=1 ratio=2.00 lo=1.00 hi=2.00 n=9 bad=7 ' .
	"unfit=0 sigma=0.00 lag1=-0.29 max=1.50 verdict=fail\n");

# --- fitness: threads <= cpus and a delay of more than 25 %

# $n records of $ns ns that waited for $share ns of it, with $threads threads.
sub waited
{
	my ($n, $ns, $delay_ns, $threads) = @_;
	return ("elapsed_ns=$ns threads=$threads run_delay_ns=$delay_ns") x $n;
}

judged('25 % is fit', $max, $env . series(1, a => [waited(5, 1000, 500, 2)],
	b => [waited(5, 1000, 250, 1)]), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('one ns more is not, and such rounds are not counted', $max,
	$env . series(1, a => [waited(1, 1000000, 500001, 2),
	waited(5, 1000, 0, 2)], b => [waited(6, 1000, 250, 1)]), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=0 unfit=1 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('more threads than CPUs wait for each other', $max,
	$env . series(1, a => [waited(5, 1000, 900, 3)],
	b => [waited(5, 1000, 0, 1)]), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('another arm that waited is no matter', $max, $env . series(1,
	a => [(1000) x 5], b => [(1000) x 5], c => [waited(5, 1000, 999, 1)]),
	0, 'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 ' .
	"n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n");
judged('two arms that waited, each in a limit of its own', $two,
	$env . series(1, a => [waited(1, 1000, 251, 1)], b => [1000],
	c => [waited(1, 1000, 251, 1)]), 3,
	"verdict limit=first series=1 n=0 bad=0 unfit=1 max=1.5 verdict=open\n" .
	"verdict limit=second series=1 n=0 bad=0 unfit=1 max=1.5 " .
	"verdict=open\n");
judged('nine unfit rounds are waited out', $max,
	$env . series(1, a => [waited(9, 1000, 251, 1)], b => [(1000) x 9]), 3,
	"verdict limit=x series=1 n=0 bad=0 unfit=9 max=1.50 verdict=open\n");
judged('the tenth ends the limit, which no later round changes', $max,
	$env . series(1, a => [2000, waited(10, 1000, 251, 1), (2000) x 9],
	b => [(1000) x 20]), 0,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.00 n=1 ' .
	'bad=1 unfit=10 sigma=0.00 lag1=0.00 max=1.50 reason=unfit_machine ' .
	"verdict=undecided\n");
judged('the cap counts unfit rounds too', $max, $env . series(1,
	a => [(2000) x 4, waited(2, 1000, 251, 1)], b => [(1000) x 6]), 0,
	'verdict limit=x series=1 ratio=2.00 lo=2.00 hi=2.00 conf=0.88 n=4 ' .
	'bad=4 unfit=2 sigma=0.00 lag1=0.00 max=1.50 reason=cap ' .
	"verdict=undecided\n", '--rounds', 6);

# A limit that no wait for a CPU moves.
my @busy = (a => [waited(5, 1000, 251, 1)], b => [(1000) x 5]);
judged('with fit=any rounds of a busy machine count',
	$max =~ s{$}{ fit=any}r . $max =~ s{=x}{=n}r, $env . series(1, @busy),
	3, "verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 " .
	"bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass\n" .
	"verdict limit=n series=1 n=0 bad=0 unfit=5 max=1.50 verdict=open\n");
for my $case ([251, "undecided", "reason=unfit_machine "], [250, "broken", ""]) {
	my ($delay_ns, $word, $reason) = @$case;
	final("a control with fit=any that fails, $delay_ns of 1000 ns waited",
		$max =~ s{=x}{=n}r =~ s{=a }{=c }r . $max =~
		s{max=\S+}{min=1.50 role=control fit=any}r, $env . series(1,
		a => [waited(5, 1000, $delay_ns, 1)], b => [(1000) x 5],
		c => [(1000) x 5]),
		line("final", "1.00", "reason=control verdict=$word") =~ s{=x}{=n}r =~ s{bad=5}{bad=0}r .
		"verdict limit=x series=final ratio=1.00 lo=1.00 hi=1.00 conf=0.94 " .
		"n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 min=1.50 role=control " .
		"${reason}verdict=$word\n" . test_word($word));
}

# More threads than CPUs (2): huddled on few of them beside other work they do not
# overlap, so a counter of theirs says nothing.
sub starved
{
	my ($n, $delay_ns, $cpu_ns) = @_;
	return ("elapsed_ns=1000 threads=8 run_delay_ns=$delay_ns " .
		"user_ns=100 sys_ns=" . ($cpu_ns - 100)) x $n;
}

for my $case (
	['idle, not blocking: they wait, but have the CPUs', 5500, 1950, 0],
	['idle, blocking: the CPUs are idle, but they hardly wait', 600, 900, 0],
	['beside two hogs', 5000, 1300, 0],
	['at the edge of both', 3200, 1200, 0],
	['huddled: more than 40 % waited and 40 % of the CPUs lost', 3201, 1199, 5],
	['as seen beside a guest', 6200, 990, 5],
) {
	my ($name, $delay_ns, $cpu_ns, $unfit) = @$case;

	spew('L', $max);
	spew('S', $env . series(1, a => [starved(5, $delay_ns, $cpu_ns)],
		b => [starved(5, 5500, 1950)]));
	my ($rc, $out) = run('L', 'S');
	like($out, qr/ unfit=$unfit /, "more threads than CPUs: $name");
	is($rc, $unfit ? 3 : 0, "$name: " . ($unfit ? 'not counted' : 'counted'));
}
broken('no threads', $max, $env . series(1,
	a => ['elapsed_ns=1 threads=0 run_delay_ns=0'], b => [1]),
	'S:2: threads=0, expected at least 1') if 1;

# --- info, controls, series and the last word

my $info = "limit name=i role=info num=c den=b of=elapsed_ns max=1.5\n";
judged('an info limit waits for nothing and is told over all rounds',
	$max . $info, $env . series(1, a => [(1000) x 7], b => [(1000) x 7],
	c => [1000, 1100, 1200, 1300, 1400, 1600, 1700]), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	'bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass' . "\n" .
	'verdict limit=i series=1 ratio=1.30 lo=1.00 hi=1.70 n=7 bad=2 ' .
	"unfit=0 sigma=0.25 lag1=0.65 max=1.5 role=info verdict=info\n");
judged('what this kernel cannot count is no fault of an info limit',
	$max . "limit name=i role=info num=a den=b of=kworker_blocks/ops " .
	"floor=1 max=2\n", $env . series(1, a =>
	[('elapsed_ns=7 ops=1 kworker_blocks=unsupported') x 5],
	b => [('elapsed_ns=7 ops=1 kworker_blocks=3') x 5]), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 ' .
	'bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.50 verdict=pass' . "\n" .
	'verdict limit=i series=1 n=0 bad=0 unfit=0 max=2 role=info ' .
	"reason=unsupported verdict=info\n");
judged('--info: every limit is told, none decides', $max,
	$env . ratios(1, (1) x 7, (2) x 3), 0,
	'verdict limit=x series=1 ratio=1.00 lo=1.00 hi=2.00 n=10 bad=3 ' .
	"unfit=0 sigma=0.00 lag1=0.76 max=1.50 verdict=info\n", '--info');

# The line of limit x over five equal rounds.
sub line
{
	my ($series, $ratio, $end) = @_;
	return "verdict limit=x series=$series ratio=$ratio lo=$ratio " .
		"hi=$ratio conf=0.94 n=5 bad=" . ($ratio > 1.5 ? 5 : 0) .
		" unfit=0 sigma=0.00 lag1=0.00 max=1.50 $end\n";
}

sub test_word
{
	return "verdict test=final verdict=$_[0]\n";
}

final('pass', $max, $env . ratios(1, (1) x 5),
	line('final', '1.00', 'verdict=pass') . test_word('pass'));
final('fail without a second series is not confirmed', $max,
	$env . ratios(1, (2) x 5), line('final', '2.00', 'reason=unconfirmed ' .
	'verdict=undecided') . test_word('undecided'));
final('unless that was not wanted, and it says so', $max,
	$env . ratios(1, (2) x 5), line('final', '2.00', 'confirmed=no ' .
	'verdict=fail') . test_word('fail'), '--no-confirm');
final('fail and fail', $max, $env . ratios(1, (2) x 5) . ratios(2, (3) x 5),
	line('final', '3.00', 'verdict=fail') . test_word('fail'));
final('fail and fail with --no-confirm', $max,
	$env . ratios(1, (2) x 5) . ratios(2, (3) x 5),
	line('final', '3.00', 'verdict=fail') . test_word('fail'),
	'--no-confirm');
final('fail and pass', $max, $env . ratios(1, (2) x 5) . ratios(2, (1) x 5),
	line('final', '1.00', 'reason=unconfirmed verdict=undecided') .
	test_word('undecided'));
final('fail and pass with --no-confirm', $max,
	$env . ratios(1, (2) x 5) . ratios(2, (1) x 5),
	line('final', '1.00', 'reason=unconfirmed verdict=undecided') .
	test_word('undecided'), '--no-confirm');
final('fail, then the time was up', $max,
	$env . ratios(1, (2) x 5) . ratios(2, 2),
	'verdict limit=x series=final ratio=2.00 lo=2.00 hi=2.00 conf=0.00 ' .
	'n=1 bad=1 unfit=0 sigma=0.00 lag1=0.00 max=1.50 ' .
	"reason=unconfirmed verdict=undecided\n" . test_word('undecided'));
final('undecided', $max, $env . ratios(1, 1, 2),
	'verdict limit=x series=final ratio=1.41 lo=1.00 hi=2.00 conf=0.50 ' .
	'n=2 bad=1 unfit=0 sigma=0.51 lag1=0.00 max=1.50 reason=budget ' .
	"verdict=undecided\n" . test_word('undecided'));
final('info decides nothing, so nothing is decided', $max,
	$env . ratios(1, (1) x 5), line('final', '1.00', 'verdict=info') .
	test_word('undecided'), '--info');

judged('the second series judges again what failed, and is asked for more',
	$two, $env . series(1, a => [(2000) x 5], b => [(1000) x 5],
	c => [(1000) x 5]) . series(2, a => [2000], b => [1000], c => [9000]),
	3, 'verdict limit=first series=1 ratio=2.00 lo=2.00 hi=2.00 ' .
	'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=fail\n" .
	'verdict limit=second series=1 ratio=1.00 lo=1.00 hi=1.00 ' .
	'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=pass\n" .
	'verdict limit=first series=2 ratio=2.00 lo=2.00 hi=2.00 ' .
	'conf=0.00 n=1 bad=1 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=open\n");
judged('it needs no arm of the others', $two, $env . series(1,
	a => [(2000) x 5], b => [(1000) x 5], c => [(1000) x 5]) .
	ratios(2, (1) x 5), 0,
	'verdict limit=first series=1 ratio=2.00 lo=2.00 hi=2.00 ' .
	'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=fail\n" .
	'verdict limit=second series=1 ratio=1.00 lo=1.00 hi=1.00 ' .
	'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=pass\n" .
	'verdict limit=first series=2 ratio=1.00 lo=1.00 hi=1.00 ' .
	'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=pass\n");
judged('what the first left open is no matter then', $two, $env . series(1,
	a => [(2000) x 5], b => [(1000) x 5], c => [1000, 2000, (1000) x 3]) .
	ratios(2, (2) x 5), 0,
	'verdict limit=first series=1 ratio=2.00 lo=2.00 hi=2.00 ' .
	'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=fail\n" .
	'verdict limit=second series=1 ratio=1.00 lo=1.00 hi=2.00 ' .
	'conf=0.94 n=5 bad=1 unfit=0 sigma=0.00 lag1=-0.25 max=1.5 ' .
	"verdict=open\n" .
	'verdict limit=first series=2 ratio=2.00 lo=2.00 hi=2.00 ' .
	'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=1.5 ' .
	"verdict=fail\n");
judged('with nothing to confirm it has no line', $max,
	$env . ratios(1, (1) x 5) . ratios(2, 1), 0,
	line(1, '1.00', 'verdict=pass'));

# The words of a test with two deciding limits a/b and c/b.
my %rank = (fail => 2000, pass => 1000);
for my $case (['fail', 'pass', 'fail'], ['pass', 'fail', 'fail'],
	['pass', 'pass', 'pass'], ['fail', 'fail', 'fail']) {
	my ($a, $c, $word) = @$case;
	my @text = map { series($_, a => [($rank{$a}) x 5], b => [(1000) x 5],
		c => [($rank{$c}) x 5]) } 1, 2;
	spew('L', $two);
	spew('S', $env . join('', $word eq 'pass' ? $text[0] : @text));
	my ($rc, $out) = run('--final', 'L', 'S');
	like($out, qr/^verdict test=final verdict=$word\n\z/m,
		"$a and $c are $word");
}
{
	spew('L', $two);
	for my $a (1000, 2000) {
		my $text = join('', map { series($_, a => [($a) x 6],
			b => [(1000) x 6], c => [(1000, 2000) x 3]) } 1, 2);
		spew('S', $env . $text);
		my $word = $a == 1000 ? 'undecided' : 'fail';
		my ($rc, $out) = run('--final', '--rounds', 6, 'L', 'S');
		like($out, qr/^verdict test=final verdict=$word\n\z/m,
			"undecided beside $a is $word");
	}
}

# A control beside a limit that fails.  name: series 1 and 2 of the control.
my $control = $max .
	"limit name=c role=control num=c den=b of=elapsed_ns min=1.5\n";

sub with_control
{
	my ($name, $one, $second, $x, $c, $word) = @_;
	my $text = $env . series(1, a => [(2000) x @$one], b => [(1000) x @$one],
		c => $one);
	$text .= series(2, a => [(2000) x @$second], b => [(1000) x @$second],
		c => $second) if $second;
	final($name, $control, $text, line('final', '2.00', $x) .
		"verdict limit=c series=final $c\n" . test_word($word));
}

with_control('a control that passes lets a fail stand', [(2000) x 5],
	[(3000) x 5], 'verdict=fail', 'ratio=3.00 lo=3.00 hi=3.00 conf=0.94 ' .
	'n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 min=1.5 role=control ' .
	'verdict=pass', 'fail');
with_control('a control that fails breaks the test and voids its limits',
	[(1000) x 5], undef, 'reason=control verdict=broken',
	'ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 ' .
	'lag1=0.00 min=1.5 role=control verdict=broken', 'broken');
with_control('in the first series too', [(1000) x 5], [(2000) x 5],
	'reason=control verdict=broken',
	'ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 ' .
	'lag1=0.00 min=1.5 role=control verdict=broken', 'broken');
with_control('and in the second', [(2000) x 5], [(1000) x 5],
	'reason=control verdict=broken',
	'ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 ' .
	'lag1=0.00 min=1.5 role=control verdict=broken', 'broken');
with_control('an undecided control leaves all undecided', [(2000) x 5],
	[(1000, 2000) x 3], 'reason=control verdict=undecided',
	'ratio=1.41 lo=1.00 hi=2.00 n=6 bad=3 unfit=0 sigma=0.51 lag1=-0.67 ' .
	'min=1.5 role=control reason=budget verdict=undecided', 'undecided');
with_control('a control that fails beside an unfit round is undecided',
	[(1000) x 5, waited(1, 1000, 999, 1)], undef,
	'reason=control verdict=undecided',
	'ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 ' .
	'lag1=0.00 min=1.5 role=control reason=unfit_machine ' .
	'verdict=undecided', 'undecided');
judged('a control is asked for its rounds, and its own line is raw', $control,
	$env . series(1, a => [(1000) x 5], b => [(1000) x 5],
	c => [2000, (1000) x 4]), 3, line(1, '1.00', 'verdict=pass') .
	'verdict limit=c series=1 ratio=1.00 lo=1.00 hi=2.00 conf=0.94 n=5 ' .
	'bad=4 unfit=0 sigma=0.00 lag1=0.38 min=1.5 role=control ' .
	"verdict=open\n");
# A control vouches for its own metric: $c is the ratio of the one on time in
# each round, and the counter, which has a control of its own unless $bare,
# fails throughout.
sub with_two_controls
{
	my ($name, $c, $bare, $word) = @_;
	my $text = $env;

	for my $s (1, 2) {
		my $round = 0;

		for my $ratio (@$c) {
			$round++;
			$text .= "sample series=$s arm=$_->[0] round=$round " .
				"ops=10 vcsw=$_->[1] elapsed_ns=$_->[2]\n" for
				['a', 90, 1000], ['b', 10, 1000],
				['c', 90, 1000 * $ratio];
		}
	}
	spew('L', "limit name=s num=a den=b of=vcsw/ops max=2\n" .
		"limit name=c role=control num=c den=b of=elapsed_ns min=1.5\n" .
		($bare ? '' : "limit name=sc role=control num=c den=b " .
			"of=vcsw/ops min=2\n"));
	spew('S', $text);
	my ($rc, $out) = run('--final', '--rounds', 6, 'L', 'S');
	like($out, qr/^verdict limit=s series=final .* verdict=$word\n/m, $name);
	like($out, qr/^verdict test=final verdict=$word\n\z/m, "$name: the test");
}

with_two_controls('an undecided control of another metric leaves a counter ' .
	'with its own control alone', [(1, 2) x 3], 0, 'fail');
with_two_controls('but not a counter without one', [(1, 2) x 3], 1,
	'undecided');
with_two_controls('a broken control of another metric voids it', [(1) x 6], 0,
	'broken');
with_two_controls('two good controls', [(2) x 6], 0, 'fail');
final('--no-confirm does not outweigh a control', $control,
	$env . series(1, a => [(2000) x 5], b => [(1000) x 5],
	c => [(1000) x 5]), line('final', '2.00',
	'reason=control verdict=broken') . 'verdict limit=c series=final ' .
	'ratio=1.00 lo=1.00 hi=1.00 conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 ' .
	"lag1=0.00 min=1.5 role=control verdict=broken\n" .
	test_word('broken'), '--no-confirm');

# --- a kernel built for debugging

my $counter = "limit name=n num=a den=b of=vcsw/ops floor=0.5 max=2\n";
my $debug = "env cpus=2 debug_kernel=1\n";
for my $key (qw(debug_kernel emulated_cpu)) {
	final("with $key a limit on time is info, a counter decides",
		$max . $counter, "env cpus=2 $key=1\n" . series(1, a =>
		[('elapsed_ns=2000 vcsw=1 ops=1') x 5], b =>
		[('elapsed_ns=1000 vcsw=1 ops=1') x 5]),
		line('final', '2.00', "reason=$key verdict=info") .
		'verdict limit=n series=final ratio=1.00 lo=1.00 hi=1.00 ' .
		'conf=0.94 n=5 bad=0 unfit=0 sigma=0.00 lag1=0.00 max=2 ' .
		"verdict=pass\n" . test_word('pass'));
	final("$key=0 is none", $max,
		"env cpus=2 $key=0\n" . ratios(1, (1) x 5),
		line('final', '1.00', 'verdict=pass') . test_word('pass'));
}
{
	my @text = map { series($_, a => [('elapsed_ns=9 vcsw=9 ops=1') x 5],
		b => [('elapsed_ns=9 vcsw=1 ops=1') x 5],
		c => [('elapsed_ns=9') x 5]) } 1, 2;
	my $c = "limit name=c role=control num=c den=b of=elapsed_ns min=1.5\n";
	my @n = map { "verdict limit=n series=$_ ratio=9.00 lo=9.00 hi=9.00 " .
		'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 max=2 ' .
		"verdict=fail\n" } 1, 2, 'final';
	my @c = map { "verdict limit=c series=$_ ratio=1.00 lo=1.00 hi=1.00 " .
		'conf=0.94 n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 min=1.5 ' .
		"role=control reason=debug_kernel verdict=info\n" } 1, 'final';
	judged('a control on time is info there too, and not judged again',
		$counter . $c, $debug . join('', @text), 0, $n[0] . $c[0] .
		$n[1] . $n[2] . $c[1] . test_word('fail'), '--final');
}
final('with limits on time alone nothing is decided', $control,
	$debug . series(1, a => [(2000) x 5], b => [(1000) x 5],
	c => [(1000) x 5]),
	line('final', '2.00', 'reason=debug_kernel verdict=info') .
	'verdict limit=c series=final ratio=1.00 lo=1.00 hi=1.00 conf=0.94 ' .
	'n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 min=1.5 role=control ' .
	"reason=debug_kernel verdict=info\n" . test_word('undecided'));

# --- limits of some file systems alone

my $other = $max =~ s/=x/=n/r;
for my $list ('xfs', 'ext4,xfs', 'xfs,ext4', 'btrfs,xfs,ext4') {
	for my $fs ('xfs', 'xf', 'xfs2', 'fs') {
		my ($word, $reason) = $fs eq 'xfs' ? ('fail', '') :
			('info', 'reason=other_fs ');
		final("a limit of $list on $fs", $other . $max =~ s/$/ fs=$list/r,
			"env cpus=2 fs=$fs\n" . ratios(1, (2) x 5),
			line('final', '2.00', 'confirmed=no verdict=fail') =~
			s/=x/=n/r . line('final', '2.00', $reason .
			($reason ? '' : 'confirmed=no ') . "verdict=$word") .
			test_word('fail'), '--no-confirm');
	}
}
broken('an env without fs', $max =~ s/$/ fs=xfs/r, $env . ratios(1, 1),
	'S:1: no key fs, expected fs=...');

# --- limits of large machines alone

my $large = $max =~ s/$/ min_cpus=16/r;
my $few = line('final', '2.00', 'reason=few_cpus verdict=info');
for my $cpus (1, 2, 15) {
	judged("on $cpus CPUs of 16 nothing is asked, and a round is enough",
		$large, "env cpus=$cpus\n" . ratios(1, 2), 0,
		join('', map { line($_, '2.00', 'reason=few_cpus verdict=info') =~
		s/0\.94 n=5 bad=5/0.00 n=1 bad=1/r } 1, 'final') .
		"verdict test=final min_cpus=16 verdict=notrun\n", '--final');
}
for my $cpus (16, 17, 4096) {
	final("on $cpus it decides", $large, "env cpus=$cpus\n" .
		ratios(1, (2) x 5), line('final', '2.00',
		'confirmed=no verdict=fail') . test_word('fail'),
		'--no-confirm');
}
final('the least number that one of the limits needs', $large .
	$large =~ s/=x/=n/r =~ s/=16/=8/r, "env cpus=2\n" .
	ratios(1, (2) x 5), $few . $few =~ s/=x/=n/r .
	"verdict test=final min_cpus=8 verdict=notrun\n");
final('another limit decides', $large . $max =~ s/=x/=n/r,
	"env cpus=2\n" . ratios(1, (1) x 5),
	line('final', '1.00', 'reason=few_cpus verdict=info') .
	line('final', '1.00', 'verdict=pass') =~ s/=x/=n/r .
	test_word('pass'));
final('an info limit does not', $large . $max =~ s/=x/=n/r =~
	s/$/ role=info/r, "env cpus=2\n" . ratios(1, (2) x 5), $few .
	line('final', '2.00', 'role=info verdict=info') =~ s/=x/=n/r .
	"verdict test=final min_cpus=16 verdict=notrun\n");
final('CPUs are not all that one lacks', $large . $max =~ s/=x/=n/r =~
	s/$/ fs=ext4/r, "env cpus=2 fs=xfs\n" . ratios(1, (2) x 5), $few .
	line('final', '2.00', 'reason=other_fs verdict=info') =~ s/=x/=n/r .
	test_word('undecided'));
final('a control that came out wrong is broken on any machine', $large .
	$max =~ s/=x/=n/r =~ s/max=\S+/min=1.50 role=control/r,
	"env cpus=2\n" . ratios(1, (1) x 5),
	line('final', '1.00', 'reason=few_cpus verdict=info') .
	'verdict limit=n series=final ratio=1.00 lo=1.00 hi=1.00 conf=0.94 ' .
	'n=5 bad=5 unfit=0 sigma=0.00 lag1=0.00 min=1.50 role=control ' .
	"verdict=broken\n" . test_word('broken'));
for my $value (0, 1, 65537) {
	broken("limits: min_cpus=$value", $max =~ s/$/ min_cpus=$value/r,
		$env . ratios(1, 1),
		"L:1: min_cpus=$value, expected 2 to 65536");
}
for my $value (qw(all 1 anyone)) {
	broken("limits: fit=$value", $max =~ s{$}{ fit=$value}r,
		$env . ratios(1, 1), "L:1: fit=$value, expected any");
}
broken('limits: min_cpus=few', $max =~ s/$/ min_cpus=few/r,
	$env . ratios(1, 1), 'L:1: min_cpus=few, expected an integer from 0');

# --- broken limits

my $good = $env . ratios(1, (1) x 5);
my $rest = 'num=a den=b of=elapsed_ns max=1.5';

broken('limits: none', "# nothing\n", $good,
	'L:1: no limit decides, expected at least one');
broken('limits: an empty file', '', $good,
	'L:0: no limit decides, expected at least one');
broken('limits: no deciding one', $info, $good,
	'L:1: no limit decides, expected at least one');
for my $key (qw(name num den of)) {
	broken("limits: no $key", "\n" . ($max =~ s/ \b$key=\S+//r), $good,
		"L:2: no key $key, expected $key=...");
}
broken('limits: neither max nor min', $max =~ s/ max=\S+//r, $good,
	'L:1: neither max= and min=, expected one of them');
broken('limits: both', $max =~ s/$/ min=1/r, $good,
	'L:1: both max= and min=, expected one of them');
for my $key ('flor=1', 'ma=1', 'm=1', 'max_=1') {
	broken("limits: unknown key $key", $max =~ s/$/ $key/r, $good,
		'L:1: key ' . ($key =~ s/=.*//r) . ', expected one of ' .
		'name num den of max min floor role fs min_cpus fit');
}
broken('limits: a repeated key', $max =~ s/$/ max=2/r, $good,
	'L:1: key max twice, expected it once');
broken('limits: a repeated name', $max . $max, $good,
	'L:2: limit x twice, expected it once');
broken('limits: another kind', "sample name=x $rest\n", $good,
	"L:1: a record 'sample', expected limit");
for my $value (split(/ /, '0 0.0 -1 1e3 inf nan .5 1. 1.5x 0x1 1,5 ' .
	'1000000000000000999')) {
	for my $key (qw(max min floor)) {
		my $text = $max . "limit name=y num=a den=b of=n $key=$value" .
			($key eq 'floor' ? ' max=1' : '') . "\n";
		broken("limits: $key=$value", $text, $good,
			"L:2: $key=$value, expected a decimal above 0, to 1e18");
	}
}
broken('limits: a long threshold', $max =~ s/1.50/'9' x 400/er, $good,
	'L:1: max=' . '9' x 40 . '..., expected at most 63 bytes');
broken('limits: a long floor', $max =~ s/$/' floor=' . '9' x 400/er, $good,
	'L:1: floor=' . '9' x 40 . ', expected a decimal above 0, to 1e18');
broken('limits: a long name', $max =~ s/=x/'=' . 'x' x 64/er, $good,
	'L:1: name=' . 'x' x 40 . '..., expected at most 63 bytes');
broken('limits: a long arm', $max =~ s/=a/'=' . 'a' x 64/er, $good,
	"L:1: num=...'" . 'a' x 40 . "', expected arms");
broken('limits: an unknown role', $max =~ s/$/ role=maybe/r, $good,
	'L:1: role=maybe, expected decide, control or info');
for my $of ('A', 'a/', '/a', 'a/b/c', 'a-b', 'a' x 64, '1a', 'a/_b') {
	broken("limits: of=$of", $max =~ s/of=\S+/of=$of/r, $good,
		"L:1: of=" . substr($of, 0, 40) . ', expected KEY or KEY/KEY');
}
for my $arms ([',', ','], ['a,', ''], ['a,,c', ',c'], [',a', ',a']) {
	broken("limits: num=$$arms[0]", $max =~ s/num=\S+/num=$$arms[0]/r,
		$good, "L:1: num=...'$$arms[1]', expected arms");
}
broken('limits: an arm on both sides', $max =~ s/num=a/num=a,b/r, $good,
	'L:1: arm b twice, expected it once');
broken('limits: an arm twice on one', $max =~ s/num=a/num=a,a/r, $good,
	'L:1: arm a twice, expected it once');
broken('limits: unknown text', $max =~ s/$/ text/r, $good,
	"L:1: 'text', expected KEY=VALUE");
broken('limits: a comment behind a record', $max =~ s/$/ # 4/r, $good,
	"L:1: '#', expected KEY=VALUE");
broken('limits: cut off', $max =~ s/\n//r, $good,
	'L:1: the last line has no newline, expected a whole line');
broken('limits: too many', join('', map { "limit name=x$_ $rest\n" } 1 .. 33),
	$good, 'L:33: more than 32 limits');
broken('limits: too many arms', join('', map { "limit name=x$_ num=a$_ " .
	"den=b$_,c$_ of=n max=1\n" } 1 .. 22), $good, 'L:22: more than 64 arms');
unlink('L');
is_deeply([run('L', 'S')], [1, '', 'judge: L:0: No such file or directory, ' .
	"expected a readable file\n"], 'limits: no such file');
is_deeply([run('.', 'S')], [1, '', 'judge: .:0: Is a directory, ' .
	"expected a readable file\n"], 'limits: a directory');

# --- broken samples

my $s = "sample series=1 arm=a round=1 elapsed_ns=10\n";
my $b1 = "sample series=1 arm=b round=1 elapsed_ns=10\n";

broken('samples: an empty file', $max, '',
	'S:0: no env, expected env cpus=N ...');
broken('samples: no env', $max, $s, 'S:1: sample, expected env once and first');
broken('samples: two env', $max, $env . $s . $env,
	'S:3: env, expected env once and first');
broken('samples: env without cpus', $max, "env kernel=6.18\n",
	'S:1: no key cpus, expected cpus=N');
broken('samples: no cpu', $max, "env cpus=0\n",
	'S:1: cpus=0, expected at least 1');
broken('samples: debug_kernel=2', $max, "env cpus=1 debug_kernel=2\n",
	'S:1: debug_kernel=2, expected 0 or 1');
broken('samples: emulated_cpu=2', $max, "env cpus=1 emulated_cpu=2\n",
	'S:1: emulated_cpu=2, expected 0 or 1');
for my $kind (qw(verdict limit stack other)) {
	broken("samples: a record $kind", $max, "$env$kind a=1\n",
		"S:2: '$kind', expected env or sample");
}
broken('samples: no kind', $max, "${env}series=1 arm=a\n",
	"S:2: 'series=1', expected a record's kind");
broken('samples: an empty value', $max, $env . ($s =~ s/10/10 x=/r),
	"S:2: x='', expected a plain value");
broken('samples: a second =', $max, $env . ($s =~ s/10/1=0/r),
	"S:2: elapsed_ns='1=0', expected a plain value");
broken('samples: a control character', $max, $env . ($s =~ s/10/1\r0/r),
	"S:2: elapsed_ns='1?0', expected a plain value");
broken('samples: a NUL byte', $max, $env . ($s =~ s/10/1\x000/r),
	'S:2: a NUL byte, expected text');
broken('samples: a NUL byte in a comment', $max, "# \0\n$env",
	'S:1: a NUL byte, expected text');
broken('samples: cut off within the last line', $max,
	$env . substr($s, 0, -1),
	'S:2: the last line has no newline, expected a whole line');
broken('samples: a long line', $max, $env . ($s =~ s/\n/ x=/r) . 'y' x 9000 .
	"\n", 'S:2: a line of 9046 bytes, expected at most 8190');
broken('samples: many keys', $max, $env . ($s =~ s/\n//r) .
	join('', map { " k$_=1" } 1 .. 125) . "\n", 'S:2: more than 128 keys');
for my $key (qw(series arm round elapsed_ns)) {
	my $expect = $key eq 'arm' ? '...' : 'N';
	broken("samples: no $key", $max, $env . ($s =~ s/ $key=\S+//r),
		"S:2: no key $key, expected $key=$expect");
	broken("samples: $key twice", $max, $env . ($s =~ s/$/ $key=1/r),
		"S:2: key $key twice, expected it once");
}
for my $value (qw(-1 1.5 1e3 unsupported 0x10 10ns +1)) {
	broken("samples: elapsed_ns=$value", $max,
		$env . ($s =~ s/_ns=10/_ns=$value/r),
		"S:2: elapsed_ns=$value, expected an integer from 0");
}
for my $value ('9223372036854775808', '18446744073709551617', '9' x 90) {
	broken("samples: elapsed_ns=$value", $max,
		$env . ($s =~ s/_ns=10/_ns=$value/r), 'S:2: elapsed_ns=' .
		(length($value) > 40 ? '9' x 40 . '...' : $value) .
		', expected at most 9223372036854775807');
}
broken('samples: 0 without a floor', $max, $env . ($s =~ s/=10/=0/r),
	'S:2: elapsed_ns=0, expected at least 1 (no floor= in x)');
broken('samples: 0 in a quotient without a floor',
	"limit name=q num=a den=b of=vcsw/ops max=1\n",
	"${env}sample series=1 arm=a round=1 vcsw=0 ops=5\n",
	'S:2: vcsw=0, expected at least 1 (no floor= in q)');
broken('samples: a division by 0, floor or not', $floor,
	"${env}sample series=1 arm=a round=1 vcsw=1 ops=0\n",
	'S:2: ops=0, expected at least 1 to divide vcsw by');
broken('samples: no divisor', $floor,
	"${env}sample series=1 arm=a round=1 vcsw=1\n",
	'S:2: no key ops, expected ops=N');
broken('samples: unsupported where it decides', $counter,
	"${env}sample series=1 arm=a round=1 vcsw=unsupported ops=1\n",
	'S:2: vcsw=unsupported, expected an integer from 0');
broken('samples: a delay without threads', $max,
	$env . ($s =~ s/$/ run_delay_ns=5/r),
	'S:2: no key threads, expected threads=N');
broken('samples: a delay that is no number', $max,
	$env . ($s =~ s/$/ threads=1 run_delay_ns=x/r),
	'S:2: run_delay_ns=x, expected an integer from 0');
broken('samples: a sample twice', $max, $env . $s . $b1 . $s,
	'S:4: arm a twice in a round, expected it once');
broken('samples: the last round lacks an arm', $max, $env . $s,
	'S:2: series=1 round=1 ends without arm b, expected one sample for ' .
	'limit x');
broken('samples: a round in the middle lacks one', $max, $env . $s . $b1 .
	($s =~ s/round=1/round=2/r) . ratios(1, 1) =~ s/round=1/round=3/rg,
	'S:4: series=1 round=2 ends without arm b, expected one sample for ' .
	'limit x');
broken('samples: the first series ends in mid-round', $max,
	$env . $s . ratios(2, (1) x 5),
	'S:2: series=1 round=1 ends without arm b, expected one sample for ' .
	'limit x');
broken('samples: the second series lacks an arm of the limit that failed',
	$max, $env . ratios(1, (2) x 5) . ($s =~ s/series=1/series=2/r),
	'S:12: series=2 round=1 ends without arm b, expected one sample for ' .
	'limit x');
for my $first ('1 2', '0 1', '2 1', '1 0') {
	my ($series, $round) = split(/ /, $first);
	broken("samples: begin with $first", $max,
		"${env}sample series=$series arm=a round=$round elapsed_ns=1\n",
		"S:2: series=$series round=$round after series and round 0 0, " .
		'expected 1 1, 1 2 ... 1 200, 2 1, 2 2 ...');
}
for my $next ('1 3', '3 1', '2 2', '1 0', '0 1',
	'1 18446744073709551') {
	my ($series, $round) = split(/ /, $next);
	broken("samples: $next after 1 1", $max, "$env$s${b1}sample " .
		"series=$series arm=a round=$round elapsed_ns=1\n",
		"S:4: series=$series round=$round after series and round 1 1, " .
		'expected 1 1, 1 2 ... 1 200, 2 1, 2 2 ...');
}
broken('samples: back to series 1', $max,
	$env . ratios(1, (2) x 5) . ratios(2, 2) . $s,
	'S:14: series=1 round=1 after series and round 2 1, expected 1 1, ' .
	'1 2 ... 1 200, 2 1, 2 2 ...');
broken('samples: a third series', $max, $env . ratios(1, (2) x 5) .
	ratios(2, (2) x 5) . ratios(3, 2), 'S:22: series=3 round=1 after ' .
	'series and round 2 5, expected 1 1, 1 2 ... 1 200, 2 1, 2 2 ...');
broken('samples: back to round 1', $max, $env . ratios(1, 1, 1) . $s,
	'S:6: series=1 round=1 after series and round 1 2, expected 1 1, ' .
	'1 2 ... 1 200, 2 1, 2 2 ...');
broken('samples: more rounds than there is room for', $max,
	$env . ratios(1, (1) x 201), 'S:402: series=1 round=201 after ' .
	'series and round 1 200, expected 1 1, 1 2 ... 1 200, 2 1, 2 2 ...');
is_deeply([(run('--final', 'L', 'S'))[0, 1]], [1, ''],
	'--final says no word of broken samples');

# --- --check

spew('L', $did . $info);
is_deeply([run('--check', 'L', qw(s1 sn p1 pn b c more))], [0, '', ''],
	'--check: the arms are those');
is_deeply([run('--check', 'L', qw(s1 sn p1 pn b))], [1, '',
	"judge: L:2: arm c, expected one of the arms that are run\n"],
	'--check: one is not run');
is_deeply([run('--check', 'L', qw(s1 sn p1 b c pnn))], [1, '',
	"judge: L:1: arm pn, expected one of the arms that are run\n"],
	'--check: one is misspelt');
spew('L', $did . "nonsense\n");
is_deeply([run('--check', 'L', qw(s1 sn p1 pn))], [1, '',
	"judge: L:2: a record 'nonsense', expected limit\n"],
	'--check: a file that is broken');

# --- usage

my $usage = '[--bound N] [--rounds N] [--final] [--no-confirm] [--info] ' .
	'LIMITS SAMPLES, --check LIMITS ARM..., or --table [--bound N] ' .
	"[--rounds N] [--lag1 PERCENT]\n";
my $together = 'these arguments do not go together';

spew('L', $max);
spew('S', $good);
for my $case ([[], $together], [['L'], $together], [[qw(L S T)], $together],
	[[qw(--lag1 5 L S)], $together], [[qw(--lag1 5 --check L a)], $together],
	[[qw(--table --lag1 100)], 'more lag1 than 99'],
	[[qw(--table --lag1 0)], 'not a count of 1 to 200: 0'],
	[['--check'], $together], [[qw(--check L)], $together],
	[[qw(--check --final L a b)], $together], [[qw(--table L)], $together],
	[[qw(--table --check L a)], $together],
	[[qw(--table --no-confirm)], $together],
	[[qw(--bogus L S)], 'bad option --bogus'],
	[[qw(-x L S)], 'bad option -x'], [[qw(L S --bound)], $together],
	[[qw(--bound)], 'bad option --bound'],
	[[qw(--bound 0 L S)], 'not a count of 1 to 200: 0'],
	[[qw(--bound -5 L S)], 'not a count of 1 to 200: -5'],
	[[qw(--bound 5x L S)], 'not a count of 1 to 200: 5x'],
	[['--bound', '', 'L', 'S'], 'not a count of 1 to 200: '],
	[[qw(--rounds 201 L S)], 'not a count of 1 to 200: 201'],
	[[qw(--rounds 99999999999999999999 L S)],
		'not a count of 1 to 200: 99999999999999999999'],
	[[qw(--bound 7 --rounds 6 L S)], 'more bound than rounds']) {
	my ($args, $found) = @$case;
	is_deeply([run(@$args)], [2, '', "judge: $found, expected $usage"],
		"usage: @$args");
}
is_deeply([run('--help')], [0, "usage: judge $usage", ''], '--help');

SKIP: {
	-w '/dev/full' or skip('no /dev/full', 1);
	my $err = `'$judge' L S 2>&1 >/dev/full`;
	is(($? >> 8) . " $err", "1 judge: stdout: No space left on device\n",
		'a verdict that cannot be written is no verdict');
}

done_testing();
