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
use Record qw(each_record text wrong);

our @EXPORT_OK = qw(arms_of median read_samples);

# The judge holds 200 rounds of a series, of which there are two; a test has some 20
# arms.
my $SAMPLES_MAX = 20_000;
my $ROUNDS_MAX = 400;
my %keys = map { $_ => \@Record::ANY } qw(series arm round);

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
		my $wrong = wrong($keys, %keys);
		return $wrong if $wrong;
		return $rounds{$keys->{arm}}++ < $ROUNDS_MAX ? undef :
			"one round more of $keys->{arm}, expected at most $ROUNDS_MAX";
	}, 'torn') or return;
	return $read;
}

# median(@numbers): the middle one, or the mean of the two there.
sub median
{
	my @sorted = sort { $a <=> $b } @_;
	my $middle = int(@sorted / 2);

	return @sorted % 2 ? $sorted[$middle] :
		($sorted[$middle - 1] + $sorted[$middle]) / 2;
}

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
			series => text($sample->{series}), rounds => 0, all => {}})
			if !$arm{$key};
		$arm{$key}{rounds}++;
		push(@{$arm{$key}{all}{$_}}, $sample->{$_}) for keys(%$sample);
	}
	for my $arm (@arms) {
		my $all = delete($arm->{all});

		delete(@{$all}{qw(arm series round)});
		$arm->{medians} = {map { $_ => median(@{$all->{$_}}) } grep {
			@{$all->{$_}} == $arm->{rounds} &&
			!grep { $_ !~ $Record::INTEGER[0] } @{$all->{$_}}
		} keys(%$all)};
	}
	return \@arms;
}

1;
