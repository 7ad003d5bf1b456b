# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The ratios of single rounds, from samples and the limit that they were judged
# by: as src/samples.c has them, which alone judges.  tests/selftest/ratios.t
# holds the two together.
package Ratios;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Record;

our @EXPORT_OK = qw(metric ratios waited);

# Of an arm's time, spent waiting for a CPU; src/samples.c says where from.
my $UNFIT_SHARE = .25;
my $STARVED_SHARE = .40;

my $integer = $Record::INTEGER[0];
# KEY/KEY => [KEY, KEY], of the limits seen.
my %keys;

# metric($record, $sample): KEY or KEY/KEY of a sample, as a limit's of= has it and
# at least its floor=; undef where it has none or it is 0.
sub metric
{
	my ($record, $sample) = @_;
	my ($of, $per) = @{$keys{$record->{of}} //= [split(m{/}, $record->{of})]};
	my $value = $sample->{$of} // '';

	return if $value !~ $integer;
	if (defined($per)) {
		my $divisor = $sample->{$per} // '';

		return if $divisor !~ $integer || $divisor == 0;
		$value /= $divisor;
	}
	$value = $record->{floor} if defined($record->{floor}) && $value < $record->{floor};
	return $value > 0 ? $value : undef;
}

# integers($sample, @keys): those of a sample; none where one is missing or none.
sub integers
{
	my ($sample, @keys) = @_;
	my @values = map { $_ // '' } @{$sample}{@keys};

	return if grep { $_ !~ $integer } @values;
	return @values;
}

# waited($sample, $cpus): the share of its time that each thread of an arm waited for a
# CPU, where there is one for each; undef where there is not, or where none is known.
sub waited
{
	my ($sample, $cpus) = @_;
	my ($elapsed, $threads, $waited) = integers($sample,
		qw(elapsed_ns threads run_delay_ns)) or return undef;

	return $elapsed && $threads && $threads <= $cpus ? $waited / $threads / $elapsed : undef;
}

# Whether other work kept an arm from the CPUs.
sub is_unfit
{
	my ($sample, $cpus) = @_;
	my ($elapsed, $threads, $waited) = integers($sample,
		qw(elapsed_ns threads run_delay_ns)) or return 0;

	return 0 if !$threads;
	return $waited / $threads > $UNFIT_SHARE * $elapsed if $threads <= $cpus;
	my ($user, $sys) = integers($sample, qw(user_ns sys_ns)) or return 0;
	return $waited / $threads > $STARVED_SHARE * $elapsed &&
		$elapsed - ($user + $sys) / $cpus > $STARVED_SHARE * $elapsed;
}

# ratios($limit, $read): what a limit of Results.pm came to in each round of what
# Samples::read_samples gave: [{series, round, ratio, state}...], in their order.
# state is counted, unfit (the machine was busy) or late (the limit was settled
# before).  None where the results do not say what the limit was, or what its arms
# measured.
sub ratios
{
	my ($limit, $read) = @_;
	my $record = $limit->{record} or return [];
	my ($cpus) = ($read->{env}{cpus} // '') =~ /\A([1-9]\d{0,5})\z/ or return [];
	my %sign = ((map { $_ => 1 } split(/,/, $record->{num})),
		map { $_ => -1 } split(/,/, $record->{den}));
	my (@rounds, %round, @left);

	for my $i (0 .. $#{$read->{samples}}) {
		my $sample = $read->{samples}[$i];
		my $sign = $sign{$sample->{arm}} or next;
		my $value = metric($record, $sample) or next;
		my ($series, $number) = integers($sample, qw(series round)) or next;
		my $round = $round{"$series $number"} //= do {
			push(@rounds, {series => $series, round => $number});
			$rounds[-1];
		};

		$round->{arms}++;
		$round->{ln} += $sign * log($value);
		# The same for all limits.
		$round->{unfit} ||= $read->{unfit}[$i] //= is_unfit($sample, $cpus);
	}
	@rounds = grep { delete($_->{arms}) == keys(%sign) } @rounds;
	for my $i (0 .. $#{$limit->{rounds}}) {
		$left[$i + 1] = $limit->{rounds}[$i] + $limit->{unfit}[$i];
	}
	for my $round (@rounds) {
		my $unfit = delete($round->{unfit}) && ($record->{fit} // '') ne 'any';
		my $series = $round->{series} =~ /\A[12]\z/ ? $round->{series} : 0;

		$round->{ratio} = exp(delete($round->{ln}));
		$round->{state} = !$left[$series] || $left[$series]-- <= 0 ? 'late' :
			$unfit ? 'unfit' : 'counted';
	}
	return \@rounds;
}

1;
