# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What k events in n independent trials tell of their probability: the bounds of
# Clopper and Pearson (Biometrika 26, 1934), which hold for every n, 0 events too.
package Binomial;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(interval lower_bound upper_bound);

# at_most($k, $n, $p): the probability of $k events or fewer, 0 < $p < 1.
sub at_most
{
	my ($k, $n, $p) = @_;
	my $odds = log($p) - log(1 - $p);
	my $term = $n * log(1 - $p);
	my $sum = 0;

	for my $i (0 .. $k) {
		$sum += exp($term);
		$term += log(($n - $i) / ($i + 1)) + $odds if $i < $n;
	}
	return $sum;
}

# solve($k, $n, $target): the p with at_most($k, $n, p) = $target.
sub solve
{
	my ($k, $n, $target) = @_;
	my ($low, $high) = (0, 1);

	for (1 .. 60) {
		my $p = ($low + $high) / 2;

		if (at_most($k, $n, $p) > $target) {
			$low = $p;
		} else {
			$high = $p;
		}
	}
	return $high;
}

# upper_bound($k, $n, $confidence): the probability is below it, with that
# confidence (.95: one-sided 95 %).
sub upper_bound
{
	my ($k, $n, $confidence) = @_;

	return $k < $n ? solve($k, $n, 1 - $confidence) : 1;
}

# lower_bound($k, $n, $confidence): it is above this one.
sub lower_bound
{
	my ($k, $n, $confidence) = @_;

	return $k > 0 ? solve($k - 1, $n, $confidence) : 0;
}

# interval($k, $n, $confidence): both, each with half of what is left of it.
sub interval
{
	my ($k, $n, $confidence) = @_;

	return map { $_->($k, $n, (1 + $confidence) / 2) } \&lower_bound,
		\&upper_bound;
}

1;
