# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What was measured in a test: PATH.samples, arm by arm.
package Samples;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Record qw(each_record expected text wrong);

our @EXPORT_OK = qw(arms_of median read_samples samples_of);

# The judge holds 200 rounds of a series, of which there are two; a test has some 20
# arms.
my $SAMPLES_MAX = 20_000;
my $ROUNDS_MAX = 400;
my $expected = expected(map { $_ => \@Record::ANY } qw(series arm round));
# What samples_of keeps: several formats of a report read the same, and those of 1000
# tests have no room in memory.
my $KEPT_MAX = 4000;

# read_samples($path): {env => {kernel => ...}, samples => [{series, arm, round,
# elapsed_ns, ...}...]} of PATH.samples, values as they stand there; undef where
# nothing was measured.  Dies with "FILE:LINE: ...\n".
sub read_samples
{
	my ($path) = @_;
	my $read = {env => {}, samples => []};
	my %rounds;

	each_record("$path.samples", sub {
		my ($kind, $keys) = @_;

		$read->{env} = {map { $_ => text($keys->{$_}) } keys(%$keys)}
			if $kind eq 'env';
		return if $kind ne 'sample';
		push(@{$read->{samples}}, $keys);
		return "one sample more, expected at most $SAMPLES_MAX"
			if @{$read->{samples}} > $SAMPLES_MAX;
		my $wrong = wrong($keys, $expected);
		return $wrong if $wrong;
		return $rounds{$keys->{arm}}++ < $ROUNDS_MAX ? undef :
			"one round more of $keys->{arm}, expected at most $ROUNDS_MAX";
	}, 'torn') or return;
	return $read;
}

# samples_of($test): read_samples of a test of Results.pm, undef for one that did not
# end; kept for the next call.
my $kept = 0;
sub samples_of
{
	my ($test) = @_;

	return if $test->{missing};
	return $test->{samples} if $test->{samples};
	my $read = read_samples($test->{path}) or return;
	my $n = @{$read->{samples}};

	return $read if $kept + $n > $KEPT_MAX;
	$kept += $n;
	return $test->{samples} = $read;
}

# median(@numbers): the middle one, or the mean of the two there.
sub median
{
	my @sorted = sort { $a <=> $b } @_;
	my $middle = int(@sorted / 2);

	return @sorted % 2 ? $sorted[$middle] :
		($sorted[$middle - 1] + $sorted[$middle]) / 2;
}

my $one = qr/\A( (?:0|[1-9]\d{0,18}))\g1*\z/;
my $several = qr/\A(?: (?:0|[1-9]\d{0,18}))+\z/;

# arms_of($read): what read_samples gave, by arm and series, in the order in
# which they first ran: [{arm, series, rounds, medians => {elapsed_ns => ...}}...].
# Medians are those of all metrics that are integers in every round.
sub arms_of
{
	my ($read) = @_;
	my (@arms, %arm);

	for my $sample (@{$read->{samples}}) {
		my $key = "$sample->{series} $sample->{arm}";

		push(@arms, $arm{$key} = {arm => text($sample->{arm}),
			series => text($sample->{series}), all => []}) if !$arm{$key};
		push(@{$arm{$key}{all}}, $sample);
	}
	for my $arm (@arms) {
		my $all = delete($arm->{all});
		my %medians = %{$all->[0]};

		delete(@medians{qw(arm series round)});
		for my $key (keys(%medians)) {
			my @values = map { $_->{$key} // '' } @$all;
			my $text = " @values";

			# Most are 0 in all rounds, or another constant.
			next if $text =~ $one;
			if ($text =~ $several) {
				$medians{$key} = median(@values);
			} else {
				delete($medians{$key});
			}
		}
		@{$arm}{qw(rounds medians)} = (scalar(@$all), \%medians);
	}
	return \@arms;
}

1;
