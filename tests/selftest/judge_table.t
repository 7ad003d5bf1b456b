#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# The error rates that the judge states: its table against two computations
# that share nothing with it, its rule on simulated noise, and its numbers on
# random samples against the formulas written out again.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use List::Util qw(max min sum0);
use POSIX qw(ceil floor);
use Test::More;

my $src = abs_path($ENV{FSRATIO_SRC} // 'src');
my $here = abs_path('.');
my $dir = tempdir('fsratio-table-XXXXXX', TMPDIR => 1, CLEANUP => 1);

-x "$src/judge" or BAIL_OUT('src/judge is not built');

# Rows of judge --table: (as judged, never raised), p => [fail, pass, undecided,
# mean rounds].
sub table
{
	my (@args) = @_;
	my @tables;
	open(my $fh, '-|', "$src/judge", '--table', @args) or die "judge: $!";
	while (<$fh>) {
		push(@tables, {}) if /^# *p /;
		next if /^#/;
		/^(0\.\d\d)((?: +\d+\.\d+){4})$/ or die "row: $_";
		$tables[-1]{$1} = [split(' ', $2)];
	}
	close($fh) or die "judge --table: $?";
	return @tables;
}

# The rule once more, from the words of signtest.h: the distance needed after
# $bad and $good rounds that changed sides $changes times.
sub needed
{
	my ($bad, $good, $changes, $bound) = @_;
	my $m = min($bad, $good) or return $bound;
	my $r = (1 - $changes * ($bad + $good) / (2 * $bad * $good)) *
		$m / ($m + 2);
	return $r <= 0 ? $bound : ceil($bound * (1 + $r) / (1 - $r) - 1e-9);
}

# How many sequences end as fail, pass or at the last round after n rounds of
# which b were bad: {end}{n}{b} = number.  The counts do not know of p.
sub count_ends
{
	my ($bound, $rounds, $raise) = @_;
	my (%ends, %now);
	%now = ('0 0 -' => 1);
	for my $n (1 .. $rounds) {
		my %next;
		for my $state (keys %now) {
			my ($bad, $changes, $last) = split(/ /, $state);
			for my $side (0, 1) {
				my $b = $bad + $side;
				my $c = $changes +
					($last ne '-' && $last != $side);
				my $s = 2 * $b - $n;
				my $need = !$raise || abs($s) < $bound ? $bound :
					needed($b, $n - $b, $c, $bound);
				my $end = abs($s) >= $need ?
					$s > 0 ? 'fail' : 'pass' :
					$n == $rounds ? 'undecided' : undef;
				$ends{$end}{$n}{$b} += $now{$state} if $end;
				$next{"$b $c $side"} += $now{$state} if !$end;
			}
		}
		%now = %next;
	}
	return \%ends;
}

# Every sequence of sides there is, one by one, read as a string.
sub enumerate
{
	my ($bound, $rounds) = @_;
	my %ends;
	for my $i (0 .. 2 ** $rounds - 1) {
		my $sides = sprintf("%0${rounds}b", $i);
		my $end = 'undecided';
		my $n = 0;
		while ($n < $rounds) {
			my $seen = substr($sides, 0, ++$n);
			my $bad = ($seen =~ tr/1//);
			my $good = $n - $bad;
			my $changes = () = $seen =~ /0(?=1)|1(?=0)/g;
			next if abs($bad - $good) <
				needed($bad, $good, $changes, $bound);
			$end = $bad > $good ? 'fail' : 'pass';
			last;
		}
		my $bad = (substr($sides, 0, $n) =~ tr/1//);
		# of the 2^(rounds - n) that begin so, each counts its share
		$ends{$end}{$n}{$bad} += 2 ** ($n - $rounds);
	}
	return \%ends;
}

sub compare
{
	my ($name, $table, $ends) = @_;
	my @wrong;
	is(join(' ', sort keys %$table), join(' ', map { sprintf('%.2f', $_) }
		.02, (map { $_ / 20 } 1 .. 19), .98), "$name: every p");
	for my $p (sort keys %$table) {
		my %sum;
		for my $end (keys %$ends) {
			for my $n (keys %{$ends->{$end}}) {
				for my $b (keys %{$ends->{$end}{$n}}) {
					my $q = $ends->{$end}{$n}{$b} *
						$p ** $b * (1 - $p) ** ($n - $b);
					$sum{$end} += $q;
					$sum{rounds} += $n * $q;
				}
			}
		}
		my @expect = (map({ sprintf('%.9f', $sum{$_} // 0) }
			qw(fail pass undecided)), sprintf('%.3f', $sum{rounds}));
		for my $i (0 .. 3) {
			# the last digit is rounded
			push(@wrong, "p=$p: $table->{$p}[$i] not $expect[$i]")
				if abs($table->{$p}[$i] - $expect[$i]) >
				($i == 3 ? .0011 : 1.1e-9);
		}
	}
	is("@wrong", '', "$name: every number");
}

my ($judged, $plain) = table();
for my $case ([5, 40], [6, 40], [5, 20]) {
	my ($bound, $rounds) = @$case;
	my @t = table('--bound', $bound, '--rounds', $rounds);
	compare("bound $bound, $rounds rounds, raised", $t[0],
		count_ends($bound, $rounds, 1));
	compare("bound $bound, $rounds rounds, never raised", $t[1],
		count_ends($bound, $rounds, 0));
}
for my $case ([2, 11], [3, 13]) {
	my ($bound, $rounds) = @$case;
	my ($t) = table('--bound', $bound, '--rounds', $rounds);
	compare("bound $bound, $rounds rounds, one by one", $t,
		enumerate($bound, $rounds));
}

# Rounds that depend on the one before: the probability of every sequence, side by
# side, of the chain that signtest.h names.
for my $case ([2, 10, 30], [3, 12, 59], [3, 8, 1]) {
	my ($bound, $rounds, $percent) = @$case;
	my ($t) = table('--bound', $bound, '--rounds', $rounds, '--lag1', $percent);
	my ($r, @wrong) = ($percent / 100);

	for my $p (qw(0.02 0.20 0.55)) {
		my %sum = map { $_ => 0 } qw(fail pass undecided rounds);
		# Sequences that go on: [bad, good, changes, last side, probability]
		my @open = ([0, 0, 0, undef, 1]);
		for my $n (1 .. $rounds) {
			my @next;
			for my $walk (@open) {
				my ($bad, $good, $changes, $last, $q) = @$walk;
				my $stay = defined($last) ? $r : 0;
				for my $side (0, 1) {
					my $share = $side ? $p : 1 - $p;
					my $q2 = $q * ($share * (1 - $stay) +
						($stay && $side == $last ? $stay : 0));
					my @w = ($bad + $side, $good + 1 - $side, $changes +
						(defined($last) && $side != $last ? 1 : 0));
					my $done = abs($w[0] - $w[1]) >= needed(@w, $bound) ?
						$w[0] > $w[1] ? 'fail' : 'pass' :
						$n == $rounds ? 'undecided' : undef;
					push(@next, [@w, $side, $q2]) if !$done;
					$sum{$done} += $q2 if $done;
					$sum{rounds} += $n * $q2 if $done;
				}
			}
			@open = @next;
		}
		my @expect = @sum{qw(fail pass undecided rounds)};
		for my $i (0 .. 3) {
			push(@wrong, "p=$p: $t->{$p}[$i] not $expect[$i]")
				if abs($t->{$p}[$i] - $expect[$i]) > ($i == 3 ? .0011 : 1.1e-9);
		}
	}
	is("@wrong", '', "bound $bound, $rounds rounds, lag-1 dependence $r");
}

# What README and signtest.h say.
is_deeply([map { sprintf('%.3f %.1f', 100 * $plain->{$_}[0], $plain->{$_}[3]) }
	qw(0.10 0.20 0.30)], ['0.002 6.2', '0.098 8.3', '1.414 12.1'],
	'the stated error rates of the plain test');
is_deeply([map { sprintf('%.2f', $judged->{$_}[3] - $plain->{$_}[3]) }
	qw(0.02 0.05 0.10 0.20)], [qw(0.04 0.13 0.30 0.76)],
	'the stated cost of the raised bound');
is(scalar(grep { my $p = $_; grep { $judged->{$p}[$_] > $plain->{$p}[$_] }
	$p < .5 ? 0 : $p > .5 ? 1 : (0, 1) } keys %$judged), 0,
	'a raised bound is wrong more often nowhere');
cmp_ok((table('--bound', 6))[1]{'0.20'}[0], '<', .000245,
	'bound 6 is wrong in 0.024 % at p = .2');

# --- never fewer rounds, and what the raise is for typical sequences

is_deeply([map { needed(@$_, 5) } [5, 0, 0], [6, 1, 2], [6, 1, 1], [9, 2, 1],
	[13, 2, 1], [9, 4, 1], [20, 10, 20]], [5, 5, 7, 11, 11, 18, 5],
	'the bound for some walks, computed by hand');

# --- simulated noise through the judge's own function

SKIP: {
	my $cc = $ENV{CC} // 'gcc';
	my @cmd = (split(' ', $cc), qw(-std=gnu11 -O2 -Wall -Wextra -Werror
		-D_GNU_SOURCE -I), "$here/src", '-o', "$dir/simulate",
		"$here/tests/selftest/judge_table_test.c",
		"$here/src/signtest.c", '-lm');
	skip("no compiler $cc", 1) if system("command -v $cmd[0] >/dev/null");
	is(system(@cmd), 0, 'the simulation builds') or last SKIP;
	my %s = map { my ($name, @v) = split; $name => \@v }
		split(/\n/, `$dir/simulate`);
	is(join(' ', sort keys %s), 'ar1_05 ar1_10 ar1_20 independent_10 ' .
		'independent_20 independent_30 step_10 step_20',
		'every case was simulated');

	# Independent rounds: what the table says, within 4.5 standard errors.
	for my $p (10, 20, 30) {
		my @got = @{$s{"independent_$p"}};
		for my $case ([$plain, @got[0, 2, 3]], [$judged, @got[4, 6, 7]]) {
			my ($table, $wrong, $undecided, $rounds) = @$case;
			my ($fail, undef, $open, $mean) = @{$table->{"0.$p"}};
			for my $pair ([$wrong, $fail], [$undecided, $open]) {
				my $error = sqrt($$pair[1] / 100000);
				cmp_ok(abs($$pair[0] - $$pair[1]), '<=',
					4.5 * $error + 1e-5,
					"p=.$p: $$pair[0] as $$pair[1]");
			}
			cmp_ok(abs($rounds - $mean), '<', .1,
				"p=.$p: $rounds rounds as $mean");
		}
	}

	# Wrong shares, plain and judged, at most and at least as signtest.h
	# says (its figures are of four million sequences).
	my %stated = (
		ar1_05 => [.00040, .00030, .85], ar1_10 => [.00295, .00215, .8],
		ar1_20 => [.0257, .0173, .75], step_10 => [.0541, .0446, .87],
		step_20 => [.0840, .0712, .9]);
	for my $name (sort keys %stated) {
		my ($plain_wrong, $equal, $plain_open, undef, $wrong, $same,
			$open) = @{$s{$name}};
		my ($was, $is, $factor) = @{$stated{$name}};
		for my $pair ([$plain_wrong, $was], [$wrong, $is]) {
			cmp_ok(abs($$pair[0] - $$pair[1]), '<=',
				4.5 * sqrt($$pair[1] / 100000) + 1e-5,
				"$name: $$pair[0] as the stated $$pair[1]");
		}
		cmp_ok($wrong, '<', $factor * $plain_wrong,
			"$name: wrong less often than $factor times as before");
		is($same, $equal, "$name: rounds all on one side, no evidence");
		cmp_ok($open - $plain_open, '<', .045,
			"$name: not many more are undecided");
	}
	# At p = .2 the half that is left are those; the other half is halved.
	my ($was, $equal, undef, undef, $is) = @{$s{ar1_20}};
	cmp_ok(($is - $equal) / ($was - $equal), '<', .56,
		'the raise halves the wrong verdicts that it can see');
	cmp_ok($s{ar1_20}[6] - $s{ar1_20}[2], '<', .015,
		'and leaves 1 % undecided for it');
}

# --- the judge's numbers on random samples

# Of n fair coins, at most k: from Pascal's triangle.
sub at_most
{
	my ($k, $n) = @_;
	my @row = (1);
	@row = (1, (map { $row[$_ - 1] + $row[$_] } 1 .. $#row), 1) for 1 .. $n;
	return sum0(@row[0 .. $k]) / 2 ** $n;
}

sub median
{
	my @x = sort { $a <=> $b } @_;
	return ($x[$#x / 2] + $x[@x / 2]) / 2;
}

sub ratio_text
{
	my ($v) = @_;
	return sprintf('%.*f', max(0, 2 - floor(log($v) / log(10))), $v);
}

sub small_text
{
	my ($v) = @_;
	return sprintf('%.2f', abs($v) < .005 ? 0 : $v);
}

# The whole line for ratios of max=1.5, in the order of rounds.
sub expected
{
	my (@ratios) = @_;
	my ($bad, $good, $changes, @seen, $last) = (0, 0, 0);
	my $word = 'open';
	for my $ratio (@ratios) {
		my $side = $ratio > 1.5;
		push(@seen, log($ratio));
		$changes++ if defined $last && $side ne $last;
		$last = $side;
		$side ? $bad++ : $good++;
		next if abs($bad - $good) < needed($bad, $good, $changes, 5);
		$word = $bad > $good ? 'fail' : 'pass';
		last;
	}
	my $n = @seen;
	my $k = 0;
	$k++ while $n >= 6 && 2 * at_most($k + 1, $n) <= .05;
	my @x = sort { $a <=> $b } @seen;
	my $median = median(@x);
	my $sigma = 1.4826 * median(map { abs($_ - $median) } @x);
	my $lag1 = $bad && $good ?
		1 - $changes * $n / (2 * $bad * $good) : 0;
	return sprintf('verdict limit=x series=1 ratio=%s lo=%s hi=%s%s n=%d ' .
		'bad=%d unfit=0 sigma=%s lag1=%s max=1.5%s verdict=%s',
		(map { ratio_text(exp($_)) } $median, $x[$k], $x[-1 - $k]),
		$n < 6 ? ' conf=' . small_text(1 - 2 * at_most(0, $n)) : '', $n,
		$bad, small_text($sigma), small_text($lag1),
		$word eq 'open' && @ratios == 40 ? ' reason=cap' : '',
		$word eq 'open' && @ratios == 40 ? 'undecided' : $word);
}

my @differ;
my %words;
my $seed = 4711;
open(my $limits, '>', "$dir/L") or die "L: $!";
print $limits "limit name=x num=a den=b of=elapsed_ns max=1.5\n";
close($limits) or die "L: $!";
for my $try (1 .. 300) {
	my (@ratios, $text);
	my $n = $try % 4 ? 40 : $try % 40 + 1;
	my $width = (.2, 1, 3)[$try % 3];
	$text = "env cpus=1\n";
	for my $round (1 .. $n) {
		# Park and Miller's generator
		$seed = $seed * 48271 % 2147483647;
		my $ns = int(1e6 * 1.5 * exp($width *
			($seed / 2147483647 - .25 - .0017 * $try)));
		push(@ratios, $ns / 1e6);
		$text .= "sample series=1 arm=a round=$round elapsed_ns=$ns\n" .
			"sample series=1 arm=b round=$round elapsed_ns=1000000\n";
	}
	open(my $fh, '>', "$dir/S") or die "S: $!";
	print $fh $text;
	close($fh) or die "S: $!";
	my $got = `$src/judge $dir/L $dir/S`;
	my $expect = expected(@ratios) . "\n";
	$words{$1}++ if $expect =~ /verdict=(\w+)$/;
	push(@differ, "$got     $expect") if $got ne $expect;
}
is("@differ", '', 'random samples: every line is as computed again');
is(join(' ', sort keys %words), 'fail open pass undecided',
	'and every word was among them');

done_testing();
