# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Two samples that are not paired, by ranks alone: Mann and Whitney's test (Ann.
# Math. Stat. 18, 1947), Hodges and Lehmann's shift with the interval that belongs to
# it (Hollander and Wolfe, Nonparametric Statistical Methods, ch. 4), and Holm's
# correction for many tests (Scand. J. Stat. 6, 1979).
package RankTest;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use List::Util qw(min sum0);
use POSIX qw(erfc floor);
use lib dirname(__FILE__);
use Samples qw(median);

our @EXPORT_OK = qw(holm median_interval rank_test shift_interval);

# Up to so many values in both together the distribution is the exact one; the
# normal one is right to two digits there.
our $EXACT_MAX = 30;
# The normal quantile of a two-sided 95 %.
my $Z = 1.959963985;

# subset_sums($n, @weights): how many subsets of $n of the weights, integers from 1 on,
# have each sum: {sum => count}.
sub subset_sums
{
	my ($n, @weights) = @_;
	my @counts = ([1], map { [] } 1 .. $n);
	my $taken = 0;

	for my $weight (@weights) {
		$taken++;
		for my $size (reverse(1 .. min($n, $taken))) {
			my ($from, $to) = @counts[$size - 1, $size];

			$from->[$_] and $to->[$_ + $weight] += $from->[$_] for 0 .. $#$from;
		}
	}
	my $last = $counts[$n];
	return {map { $last->[$_] ? ($_ => $last->[$_]) : () } 0 .. $#$last};
}

# null_sums($n, @ranks): subset_sums of twice the ranks, kept for the next call.
my %null_sums;
sub null_sums
{
	my ($n, @ranks) = @_;

	return $null_sums{"$n @ranks"} //= subset_sums($n, @ranks);
}

# doubled_ranks(@values): twice the rank of each; that of a tie is their mean.
sub doubled_ranks
{
	my (@values) = @_;
	my @order = sort { $values[$a] <=> $values[$b] } 0 .. $#values;
	my @ranks;

	for (my $i = 0; $i < @order;) {
		my $j = $i;

		$j++ while $j < $#order && $values[$order[$j + 1]] == $values[$order[$i]];
		$ranks[$order[$_]] = $i + $j + 2 for $i .. $j;
		$i = $j + 1;
	}
	return @ranks;
}

# rank_test(\@x, \@y): (U of x, two-sided p, 'exact' or 'normal'); p is that of all
# ways to deal the values out, ties and all, or by the normal distribution with the
# corrections for ties and for continuity.
sub rank_test
{
	my ($x, $y) = @_;
	my ($n, $m) = (scalar(@$x), scalar(@$y));
	my @ranks = doubled_ranks(@$x, @$y);
	my $mean = $n * ($n + $m + 1);
	my $sum = sum0(@ranks[0 .. $n - 1]);
	my $off = abs($sum - $mean);
	my $u = ($sum - $n * ($n + 1)) / 2;

	if ($n + $m <= $EXACT_MAX) {
		my $sums = null_sums($n, sort { $a <=> $b } @ranks);

		return ($u, sum0(map { abs($_ - $mean) >= $off ? $sums->{$_} : () }
			keys(%$sums)) / sum0(values(%$sums)), 'exact');
	}
	my %ties;
	$ties{$_}++ for @ranks;
	my $variance = $n * $m / 12 * ($n + $m + 1 -
		sum0(map { $_ ** 3 - $_ } values(%ties)) / (($n + $m) * ($n + $m - 1)));
	my $z = $off / 2 - .5;

	return ($u, $z <= 0 || $variance <= 0 ? 1 : min(1, erfc($z / sqrt(2 * $variance))), 'normal');
}

# Of how many of the sorted differences of $n and $m values an end of the 95 % interval
# is the last: the greatest k with P(U < k) <= .025; 0 = there is no such interval.
sub critical
{
	my ($n, $m) = @_;

	return floor($n * $m / 2 + .5 - $Z * sqrt($n * $m * ($n + $m + 1) / 12))
		if $n + $m > $EXACT_MAX;
	my $sums = null_sums($n, map { 2 * $_ } 1 .. $n + $m);
	my ($total, $below, $k) = (sum0(values(%$sums)), 0, 0);

	$k++ while ($below += $sums->{2 * $k + $n * ($n + 1)} // 0) <= .025 * $total;
	return $k;
}

# shift_interval(\@x, \@y): (shift, lo, hi): by how much y lies above x, and its interval of
# 95 % at least; without lo and hi where there are too few values for one.
sub shift_interval
{
	my ($x, $y) = @_;
	my @differences = sort { $a <=> $b } map { my $from = $_; map { $_ - $from } @$y } @$x;
	my $k = critical(scalar(@$x), scalar(@$y));

	return (median(@differences), $k < 1 ? () : @differences[$k - 1, -$k]);
}

# median_interval(@values): (median, lo, hi): between the order statistics that hold
# it with 95 % at least; without lo and hi where there are fewer than six values.
sub median_interval
{
	my @sorted = sort { $a <=> $b } @_;
	my $n = @sorted;
	my ($below, $term, $k) = (0, .5 ** $n, 0);

	while (($below += $term) <= .025) {
		$term *= ($n - $k) / ($k + 1);
		$k++;
	}
	return (median(@sorted), $k < 1 ? () : @sorted[$k - 1, $n - $k]);
}

# holm(@p): each corrected for that there are so many of them.
sub holm
{
	my (@p) = @_;
	my @order = sort { $p[$a] <=> $p[$b] } 0 .. $#p;
	my ($left, $least) = (scalar(@p), 0);
	my @corrected;

	for my $i (@order) {
		my $p = min(1, $p[$i] * $left--);

		$least = $p if $p > $least;
		$corrected[$i] = $least;
	}
	return @corrected;
}

1;
