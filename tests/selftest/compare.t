#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/compare: its statistics, held to published tables and examples and to all ways
# to deal small samples out; its words, over results that are written here; what it
# refuses.

use strict;
use warnings;
use FindBin;
use File::Path qw(make_path);
use lib $FindBin::Bin, 'tools/lib';
use CheckRun;
use Recorded;
use RankTest qw(holm median_interval rank_test shift_interval);
use Test::More;

my $top = results_dir();

sub rounded
{
	return [map { defined($_) ? sprintf('%.4g', $_) + 0 : undef } @_];
}

# Critical values of U, two-sided, 5 % (Milton, J. Am. Stat. Assoc. 59, 1964): the
# greatest U that is significant; so many differences are left out at either end.
my %critical = ('4 4' => 0, '5 5' => 2, '5 6' => 3, '5 7' => 5, '5 8' => 6, '5 10' => 8, '6 6' => 5,
	'7 7' => 8, '8 8' => 13, '9 9' => 17, '10 10' => 23, '12 12' => 37, '15 15' => 64);
for my $sizes (sort(keys(%critical))) {
	my ($n, $m) = split(/ /, $sizes);

	is(RankTest::critical($n, $m) - 1, $critical{$sizes}, "n $n, m $m: the critical value of the tables");
	is(RankTest::critical($m, $n) - 1, $critical{$sizes}, 'either way round');
}
is(RankTest::critical(3, 3), 0, 'of three and three no U is significant');
# Beyond the exact ones: 127 for 20 and 20, in the same tables.
is(RankTest::critical(20, 20) - 1, 127, 'n 20, m 20: by the normal distribution');

# Hollander and Wolfe, table 4.1: permeability of membranes.
my @at_term = (0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46);
my @early = (1.15, 0.88, 0.90, 0.74, 1.21);
is_deeply(rounded((rank_test(\@at_term, \@early))[0, 1]), [35, 0.2544], 'their example: U and p');
is_deeply(rounded(shift_interval(\@early, \@at_term)), [0.305, -0.15, 0.76], 'shift and interval');

# brute($x, $y): p by all ways to deal the values out.
sub brute
{
	my ($x, $y) = @_;
	my @all = (@$x, @$y);
	my $u = sub {
		my ($in) = @_;
		my $sum = 0;
		for my $i (grep { $in >> $_ & 1 } 0 .. $#all) {
			$sum += ($all[$i] <=> $all[$_]) / 2 + .5 for grep { !($in >> $_ & 1) } 0 .. $#all;
		}
		return $sum;
	};
	my ($ours, $mean) = ($u->((1 << @$x) - 1), @$x * @$y / 2);
	my ($ways, $as_far) = (0, 0);

	for my $in (grep { unpack('%32b*', pack('N', $_)) == @$x } 0 .. (1 << @all) - 1) {
		$ways++;
		$as_far++ if abs($u->($in) - $mean) >= abs($ours - $mean);
	}
	return [$ours, sprintf('%.6f', $as_far / $ways)];
}
for my $case (
	[[1, 2, 3], [4, 5, 6]], [[1, 5, 2], [4, 3, 6, 7]], [[1, 1, 1], [1, 1]], [[1, 1, 2], [2, 3, 3, 3]],
	[[0, 0, 5], [0, 0, 0, 0]], [[3], [1, 2]], [[1, 2, 2, 2, 9], [2, 2, 3, 4]], [[-1.5, 0, 7, 7], [7, 7, -2, 8, 9]],
) {
	my ($u, $p, $how) = rank_test(@$case);

	is_deeply([$u, sprintf('%.6f', $p)], brute(@$case), join(' | ', map { "@$_" } @$case) . ': as by all ways');
	is($how, 'exact', 'exactly');
	is_deeply(rounded((rank_test(reverse(@$case)))[0, 1]), rounded(@{$case->[0]} * @{$case->[1]} - $u, $p), 'either way round');
}
my @many = map { ($_ * 37) % 101 } 1 .. 20;
is_deeply([(rank_test(\@many, \@many))[1, 2]], [1, 'normal'], 'many of the same: p 1');
is_deeply([(rank_test([(4) x 20], [(4) x 20]))[1, 2]], [1, 'normal'], 'all of them ties');
{
	my @x = map { ($_ * 7) % 15 } 1 .. 15;
	my @y = map { $_ + 4.5 } @x;
	my (undef, $exact) = rank_test(\@x, \@y);
	local $RankTest::EXACT_MAX = 0;
	my (undef, $p, $how) = rank_test(\@x, \@y);

	is($how, 'normal', 'the normal distribution');
	cmp_ok(abs($p - $exact), '<', .005, 'is near the exact one at 15 and 15');
}

# How often an interval holds the shift, over all ways that 4 and 4 ranks fall: the
# interval leaves 0 out as often as p is at most .05.
my ($out_of, $left_out) = (0, 0);
for my $in (grep { unpack('%32b*', pack('N', $_)) == 4 } 0 .. 255) {
	my @x = grep { $in >> $_ & 1 } 0 .. 7;
	my @y = grep { !($in >> $_ & 1) } 0 .. 7;
	my (undef, $lo, $hi) = shift_interval(\@x, \@y);
	my (undef, $p) = rank_test(\@x, \@y);

	$out_of++ if ($lo > 0 || $hi < 0) != ($p <= .05);
	$left_out++ if $lo > 0 || $hi < 0;
}
is_deeply([$out_of, $left_out], [0, 2], 'interval and test agree in all 70 ways; two are significant');
is_deeply([shift_interval([1, 2, 3], [2, 3, 4])], [1], 'too few for an interval');

# Order statistics: Hollander and Wolfe, table A.2; six are the fewest.
is_deeply([median_interval(reverse(1 .. 5))], [3], 'median of five');
is_deeply([median_interval(reverse(1 .. 6))], [3.5, 1, 6], 'of six');
is_deeply([median_interval(1 .. 15)], [8, 4, 12], 'of 15');
is_deeply([median_interval(1 .. 20)], [10.5, 6, 15], 'of 20');
is_deeply(rounded(holm(.01, .04, .03, .005)), [.03, .06, .06, .02], 'Holm, out of order');
is_deeply([holm(.5, .6, .7)], [1, 1, 1], 'at most 1, and never less than a smaller one');
is_deeply([holm()], [], 'of nothing');

# results(\%facts, NAME => {limits => [record...], arms => {arm => [elapsed_ns...]},
# more => text of each sample}...): a results directory; rounds are series 1.
my $written = 0;
sub results
{
	my ($facts, %tests) = @_;
	my $dir = "$top/r" . ++$written;
	my %all = (host => 'vm', kernel => '6.1.0', cpus => 2, arch => 'x86_64', mem_kb => 1000000, fstyp => 'xfs', %$facts);
	my $run = "run records=1 id=1.2.3 start_s=1" . join('', map { " $_=$all{$_}" } sort(keys(%all))) . "\n";

	make_path("$dir/xfs");
	spew("$dir/check.records", $run . join('', map { "plan name=xfs/$_\n" } sort(keys(%tests))) . "end end_s=2\n");
	for my $name (keys(%tests)) {
		my $test = $tests{$name};
		my ($n) = map { scalar(@$_) } values(%{$test->{arms}});
		my $samples = "env kernel=6.1.0 cpus=2\n";

		spew("$dir/xfs/$name.record", $run . "test name=xfs/$name word=pass start_s=1 elapsed_ms=5 limits=yes\n");
		spew("$dir/xfs/$name.verdict", join('', map { "limit $_\n" } @{$test->{limits}}) . join('', map {
			my ($limit) = /name=(\S+)/;
			my ($role) = /(role=\S+ )/;
			my ($side) = /((?:max|min)=\S+)/;
			map { "verdict limit=$limit series=$_ ratio=1.00 n=$n bad=0 unfit=0 $side " . ($role // '') . "verdict=" . ($test->{word} // 'pass') . "\n" } 1, 'final';
		} @{$test->{limits}}) . "verdict test=final verdict=pass\n");
		for my $i (0 .. $n - 1) {
			$samples .= "sample series=1 arm=$_ round=" . ($i + 1) . " threads=1 ops=10 run_delay_ns=" .
				($test->{delay}[$i] // 0) . " vcsw=5 elapsed_ns=$test->{arms}{$_}[$i]\n" for sort(keys(%{$test->{arms}}));
		}
		spew("$dir/xfs/$name.samples", $samples);
	}
	return $dir;
}

# compare(@arguments): (stdout, stderr, exit status).
sub compare
{
	my $arguments = join(' ', map { "'" . s/'/'\\''/gr . "'" } @_);
	my $status = system("ulimit -v 131072; tools/compare $arguments >$top/out 2>$top/err");

	my $err = slurp("$top/err");

	# One line, or none; no warning of perl.
	like($err, qr/\A(?:compare: .*\n)?\z/, 'no warning') or diag($err);
	return (slurp("$top/out"), $err, $status >> 8);
}

# words($out): {limit => [factor, word]} of the text.
sub words
{
	my ($out) = @_;

	return {map { /^xfs\/\S+  +(\S+)  .* n \d+\)  .*(?:x (\S+) \(.*\)|-)  +(?:[\d.<]+ ?[\d.]*|-)  +(\S.*)$/ ? ($1 => [$2, $3]) : () } split(/\n/, $out)};
}

# Ten rounds of about this, a hundredth or so apart.
sub about
{
	my ($value, $spread) = @_;

	return [map { int($value * (1 + ($spread // .002) * ($_ * 7 % 10 - 4.5))) } 1 .. 10];
}
my $max = 'num=bad den=one of=elapsed_ns max=2';
my @limits = ("name=up $max", "name=down num=down den=one of=elapsed_ns max=2", "name=still num=still den=one of=elapsed_ns max=2",
	"name=noisy num=noisy den=one of=elapsed_ns max=2", "name=min num=bad den=one of=elapsed_ns min=2",
	"name=info role=info $max", "name=control role=control num=bad den=one of=elapsed_ns min=2");
my %from = (limits => \@limits, arms => {one => about(1e6), bad => about(1e6), down => about(4e6), still => about(2e6),
	noisy => about(2e6, .1)});
my %to = (limits => \@limits, arms => {one => about(1e6), bad => about(4e6), down => about(1e6), still => about(2.04e6),
	noisy => about(2.6e6, .1)});
my ($a, $b) = (results({}, '001-x' => \%from), results({kernel => '6.2.0'}, '001-x' => \%to));
my ($out, $err, $status) = compare($a, $b);
is($status, 1, 'a row is worse') or diag($err);
my $words = words($out);
is_deeply({map { $_ => $words->{$_}[1] } keys(%$words)}, {up => 'worse', down => 'better', still => 'same',
	noisy => 'cannot tell', min => 'better', info => '(worse)'}, 'the words; controls are left out');
is_deeply([map { sprintf('%.1f', $words->{$_}[0]) } qw(up down still min)], ['4.0', '0.2', '1.0', '4.0'], 'and the factors')
	or diag($out);
like($out, qr/^A: \Q$a\E, kernel 6\.1\.0, xfs, host vm\n\nB: \Q$b\E, kernel 6\.2\.0, xfs, host vm\n\nA against B\n/, 'what they are');
like($out, qr/^A change that hits all arms of a test alike does not move a ratio\./m, 'what no ratio shows');
like($out, qr/^xfs\/001-x  bad    elapsed_ns\/ops +100 \(99\.3 to 101, n 10\) +400 \(397 to 403, n 10\)  \x{c2}\x{b5}s\/ops  x 4 \(3\.98 to 4\.02\) +\*$/m, 'a raw arm that changed');
like($out, qr/^xfs\/001-x  one    elapsed_ns\/ops  .* x 1 \(0\.99\d to 1\.\d+\)$/m, 'and one that did not');
($out, undef, $status) = compare($b, $a);
is($status, 1, 'the other way round');
is(words($out)->{up}[1], 'better', 'worse is better');
($out, undef, $status) = compare($a, $a);
is($status, 0, 'nothing is worse than itself');
is_deeply([grep { $_->[1] !~ /\A\(?(?:same|cannot tell)\)?\z/ } values(%{words($out)})], [], 'but the same, or one cannot tell');
($out, undef, $status) = compare('--margin', 1, $a, $b);
is(words($out)->{still}[1], 'worse', '--margin 1: a change of 2 % is one');
($out, undef, $status) = compare($a, $a, $b);
is($status, 1, 'three directories: the first against each');
like($out, qr/^A against B\n.*^A against C\n/ms, 'in two tables');

# What hits all arms alike, other machines, other limits, too little.
my %slow = (%from, arms => {map { $_ => [map { $_ * 3 } @{$from{arms}{$_}}] } keys(%{$from{arms}})});
($out, undef, $status) = compare($a, results({}, '001-x' => \%slow));
is($status, 0, 'all arms three times as slow: no ratio is worse');
is(() = $out =~ /  x 3 \(.*\) +\*$/mg, 5, 'but each raw arm has a star');
for my $case ([{cpus => 4}, 'cpus 2 and 4'], [{host => 'other'}, 'host vm and other'], [{arch => 'aarch64'}, 'arch x86_64 and aarch64'],
		[{mem_kb => 2000000}, 'mem_kb 1000000 and 2000000']) {
	my ($facts, $what) = @$case;

	($out) = compare($a, results($facts, '001-x' => \%to));
	like($out =~ s/\n(?=\S)/ /gr, qr/^ ?These are different machines \(\Q$what\E\): only ratios can be compared\.$/m, "other machine: $what");
	unlike($out, qr/elapsed_ns\/ops/, 'ratios only');
	is(words($out)->{up}[1], 'worse', 'which are compared');
}
($out) = compare($a, results({mem_kb => 990000}, '001-x' => \%to));
unlike($out, qr/different machines/, 'a kernel that keeps some memory more is on the same machine');
for my $case (
	['another definition', {%to, limits => ["name=up num=bad den=one of=elapsed_ns floor=3 max=2"]}, 'cannot tell: another limit of that name'],
	['another threshold', {%to, limits => ["name=up num=bad den=one of=elapsed_ns max=3"]}, 'worse'],
	['one round', {%to, arms => {map { $_ => [$to{arms}{$_}[0]] } keys(%{$to{arms}})}}, 'cannot tell'],
	['no round that counts', {%to, delay => [(9e6) x 10]}, 'cannot tell: no rounds that count'],
	['five of ten rounds on a busy machine', {%to, delay => [(9e6) x 5]}, 'worse'],
) {
	my ($what, $test, $word) = @$case;
	my $from = results({}, '001-x' => {%from, limits => [$limits[0]]});

	($out) = compare($from, results({}, '001-x' => {%$test, limits => [$test->{limits}[0]]}));
	like($out, qr/^xfs\/001-x  up  .*  \Q$word\E$/m, "$what: $word");
}
($out, undef, $status) = compare($a, results({}, '002-y' => \%to));
is($status, 0, 'no test in both');
like($out, qr/^xfs\/001-x  up .*  cannot tell: not in the second$/m, 'a test that the second has not');
like($out, qr/^xfs\/002-y  up .*  cannot tell: not in the first$/m, 'and one that the first has not');
like($out, qr/^There are no raw arms of a test in both\.$/m, 'nor arms');
# Two rows of 40 that a change of one in 30 in p would make significant.
my @rows = map { "name=l$_ num=bad den=one of=elapsed_ns max=2" } 1 .. 40;
my %few = (limits => \@rows, arms => {one => [(1e6) x 5], bad => [1e6 .. 1e6 + 4]});
my %more = (limits => \@rows, arms => {one => [(1e6) x 5], bad => [2e6 .. 2e6 + 4]});
($out, undef, $status) = compare(map { results({}, '001-x' => $_) } \%few, \%more);
is($status, 0, 'five rounds of each settle one row, and not forty');
$_->{limits} = [$rows[0]] for \%few, \%more;
($out, undef, $status) = compare(map { results({}, '001-x' => $_) } \%few, \%more);
is($status, 1, 'but one');

# Real runs, of which one was cut off: a row a limit, and no word that its verdicts do
# not allow.
my @real = map { "$recorded/$_" } '6.1', '6.18';
($out, undef, $status) = compare(@real);
my %ran = map { $_->[0] => 1 } map { recorded_tests($_) } '6.1', '6.18';
my @both;
for my $test (sort(keys(%ran))) {
	my ($old, $new) = map { +{map { $_->{name} => $_->{word} } grep { $_->{role} ne 'control' }
		recorded_limits($_, $test)} } '6.1', '6.18';

	for my $limit (sort(keys(%{{%$old, %$new}}))) {
		my ($word) = $out =~ /^\Q$test\E +\Q$limit\E .*  (\(?(?:same|better|worse|cannot tell)\b.*)$/m;

		push(@both, "$test $limit " . join(', ', $old->{$limit} // 'none', $new->{$limit} // 'none', $word // 'no row'));
	}
}
is(() = $out =~ /^(?:generic|xfs)\/.*  \(?(?:same|better|worse|cannot tell)\b.*$/mg, @both, 'real runs: a row a limit');
is_deeply([grep { /no row|fail, pass, \(?worse|pass, fail, \(?better/ } @both], [],
	'with a word that fits') or diag($out);
is($status, (grep { /, worse/ } @both) ? 1 : 0, 'the exit status says whether one is worse');
like($out =~ s/\n(?=\S)/ /gr, qr/^A: .*, cut off$/m, 'that one was cut off is said');
($out, undef, $status) = compare(@real[1, 1]);
is($status, 0, 'a real run is no worse than itself');
unlike($out, qr/  \(?(?:better|worse)(?:\)|$)/m, 'nor better');

# Other work beside one of the runs moves a ratio, but carries none across its limit.
for my $case ([3e6, 4e6, 2e5, 'cannot tell: the machine was busier in the second', 'both beyond the limit'],
		[4e6, 3e6, 2e5, 'cannot tell: the machine was busier in the second', 'either way'],
		[1e6, 1.5e6, 2e5, 'cannot tell: the machine was busier in the second', 'or before it'],
		[3e6, 4e6, 1e5, 'worse', 'not much busier'], [1e6, 4e6, 2e5, 'worse', 'across the limit']) {
	my ($from, $to, $delay, $word, $what) = @$case;
	my @dirs = map { my ($value, $delay) = @$_; results({}, '001-x' => {limits => [$limits[0]], delay => [($delay) x 10],
		arms => {one => about(1e6), bad => about($value)}}) } [$from, 0], [$to, $delay];

	($out) = compare(@dirs);
	is(words($out)->{up}[1], $word, "a busier machine: $what");
	($out) = compare(reverse(@dirs));
	is(words($out)->{up}[1] =~ s/first/second/r, $word =~ s/worse/better/r, 'and in the first');
}

# What the judge took for info, on times of emulated CPUs say, decides nothing here.
my %emulated = (%to, word => 'info');
($out, undef, $status) = compare(results({}, '001-x' => {%from, limits => [$limits[0]]}),
	results({}, '001-x' => {%emulated, limits => [$limits[0]]}));
is(words($out)->{up}[1], '(worse)', 'what one run did not decide is in brackets');
is($status, 0, 'and leaves the exit status alone');

# Formats.
($out, undef, $status) = compare('--markdown', $a, $b);
is($status, 1, '--markdown');
like($out, qr/^\| test \| limit \| A \| B \| change \| p \| word \|\n\|( --- \|){7}\n\| xfs\/001-x \| up \| /m, 'is a table of it');
($out, undef, $status) = compare('--html', $a, $b);
is($status, 1, '--html');
like($out, qr/\A<!DOCTYPE html>\n.*<td>xfs\/001-x<\/td><td>up<\/td>.*<\/html>\n\z/s, 'is a page of it');
SKIP: {
	skip('needs xmllint', 1) if system('xmllint --version 2>/dev/null');
	spew("$top/page", $out);
	is(`xmllint --noout $top/page 2>&1`, '', 'and well-formed');
}
my $odd = results({host => '%3Cb%3E|x'}, '001-x' => \%to);
($out) = compare('--html', $odd, $odd);
like($out, qr/host &lt;b&gt;\|x/, 'text is text in html');
($out) = compare('--markdown', $odd, $odd);
like($out, qr/host \\<b\\>\\\|x/, 'and in markdown');

# Refused.
for my $case (
	[[], "expected two results directories or more, found none"],
	[[$a], "expected two results directories or more, found '$a'"],
	[['--margin', '0', $a, $b], "option --margin takes a percentage above 0, at most 100, found '0'"],
	[['--margin', 'x', $a, $b], "option --margin takes a percentage above 0, at most 100, found 'x'"],
	[['--markdown', '--html', $a, $b], '--markdown and --html exclude each other'],
	[['--nosuch', $a, $b], 'unknown option: nosuch (--help shows all)'],
	[[$a, "$top/nosuch"], "$top/nosuch: no directory, expected a results directory"],
	[[$a, '/'], '/: no check.records, expected a results directory'],
) {
	my ($arguments, $said) = @$case;

	is_deeply([compare(@$arguments)], ['', "compare: $said\n", 2], "refused: $said");
}
is(system("tools/compare $a $b >/dev/full 2>$top/err") >> 8, 2, 'a full disk behind stdout');
is(slurp("$top/err"), "compare: cannot write to stdout: No space left on device\n", 'is told');
($out) = compare('--help');
like($out, qr/^  \Q$_\E\b/m, "--help tells of $_") for qw(--margin --markdown --html -h);
done_testing();
