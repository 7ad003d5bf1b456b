# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What became of limits and arms between two results directories.  Rounds of
# different runs are never paired: RankTest.pm compares them, on the natural log of
# what was measured.  A change is a factor.
package Comparison;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use RankTest qw(holm median_interval rank_test shift_interval);
use Ratios qw(metric ratios waited);
use Results;
use Samples qw(median samples_of);

our @EXPORT_OK = qw(compared machine_differences);

# The p, corrected for the number of rows, that a change is told from.
our $P_MAX = .05;
# By how much more of its time an arm may wait for a CPU before the machine was busier.
# Work beside runs of one kernel moved the overlap of generic/002 from 10 to 7; it did so
# by .2 at least.
my $BUSIER_SHARE = .15;
# The kernel keeps some memory for itself, each another part of it.
my $MEMORY_SHARE = .05;

# tests_of(@runs): ([full name, test]..., in the order of the runs), of the runs of a
# results directory.
sub tests_of
{
	return map { my $run = $_; map { [Results::full_name($run, $_), $_] }
		@{$run->{tests}} } @_;
}

# machine_differences(\@runs, \@runs): what tells that two results are not of one
# machine, ["cpus 2 and 4"...].
sub machine_differences
{
	my ($from, $to) = map { $_->[0]{facts} } @_;
	my @differences;

	for my $key (qw(host arch cpus cpu_model mem_kb)) {
		my ($a, $b) = map { $_->{$key} // '' } $from, $to;

		next if $a eq $b || !length($a) || !length($b);
		next if $key eq 'mem_kb' && "$a $b" =~ /\A\d+ \d+\z/ &&
			abs($a - $b) <= $MEMORY_SHARE * ($a > $b ? $a : $b);
		push(@differences, "$key $a and $b");
	}
	return \@differences;
}

# The logs of the ratios of a limit, of all rounds that count, also of those after
# it was settled.
sub limit_logs
{
	my ($limit, $read) = @_;
	my $all = {%$limit, rounds => [(9 ** 9) x 2], unfit => [0, 0]};

	return map { $_->{state} eq 'counted' ? log($_->{ratio}) : () }
		@{$read ? ratios($all, $read) : []};
}

# summary(@logs): {n, median, lo, hi}, lo and hi where there are enough.
sub summary
{
	my (@logs) = @_;
	my ($median, $lo, $hi) = @logs ? median_interval(@logs) : ();

	return {n => scalar(@logs), map { defined($_->[1]) ? ($_->[0] => exp($_->[1])) : () }
		[median => $median], [lo => $lo], [hi => $hi]};
}

# change(\@from, \@to): {p, factor, lo, hi} of what was measured in both.
sub change
{
	my ($from, $to) = @_;

	return if !@$from || !@$to;
	my ($shift, $lo, $hi) = shift_interval($from, $to);
	my (undef, $p) = rank_test($from, $to);

	return {p => $p, factor => exp($shift),
		defined($lo) ? (lo => exp($lo), hi => exp($hi)) : ()};
}

# Correct the p of the changes of rows, where there is one.
sub correct
{
	my @changes = grep { $_ } map { $_->{change} } @_;
	my @p = holm(map { $_->{p} } @changes);

	$changes[$_]{holm_p} = $p[$_] for 0 .. $#changes;
}

# What two limits of one name differ in: they are not of one thing.
sub definition
{
	my ($limit) = @_;
	my $record = $limit->{record} or return '';

	return join(' ', map { "$_=" . ($record->{$_} // '') } qw(num den of floor fit));
}

# busier($from, $to): in which of two samples of a test other work kept some arm from the
# CPUs for longer; '' = in none.
sub busier
{
	my (@read) = @_;
	my %waited;

	for my $i (0, 1) {
		my ($cpus) = ($read[$i]{env}{cpus} // '') =~ /\A([1-9]\d{0,5})\z/ or return '';

		for my $sample (@{$read[$i]{samples}}) {
			my $waited = waited($sample, $cpus) // next;

			push(@{$waited{$sample->{arm}}[$i]}, $waited);
		}
	}
	my ($most) = sort { abs($b) <=> abs($a) } map { median(@{$_->[1]}) - median(@{$_->[0]}) }
		grep { $_->[0] && $_->[1] } values(%waited);

	return '' if abs($most // 0) <= $BUSIER_SHARE;
	return $most > 0 ? 'second' : 'first';
}

# settle($row, $margin): give a row its word.  Limits are where no work beside a test
# carries a ratio across; short of that it moves some.
sub settle
{
	my ($row, $margin) = @_;
	my ($busier, $at) = delete(@{$row}{qw(busier at)});

	$row->{word} = word($row, $margin);
	return if $row->{word} !~ /better|worse/ || !length($busier // '');
	return if ($row->{from}{median} <= $at) != ($row->{to}{median} <= $at);
	@{$row}{qw(word why)} = ('cannot tell', "the machine was busier in the $busier");
}

# word($row, $margin): better, worse, same or cannot tell.  The interval of the change
# lies as a whole beyond the margin (1.1: a tenth either way), or within it.
sub word
{
	my ($row, $margin) = @_;
	my $change = $row->{change};
	my ($lo, $hi) = $change ? @{$change}{qw(lo hi)} : ();

	return 'cannot tell' if !defined($lo);
	return 'same' if $lo >= 1 / $margin && $hi <= $margin;
	return 'cannot tell' if $change->{holm_p} > $P_MAX;
	return $row->{side} eq 'max' ? 'worse' : 'better' if $lo > $margin;
	return $row->{side} eq 'max' ? 'better' : 'worse' if $hi < 1 / $margin;
	return 'cannot tell';
}

# limit_rows($name, \%tests, \%read): a row a limit of the tests {from, to} of that name
# with their samples.
sub limit_rows
{
	my ($name, $tests, $read) = @_;
	my (@rows, %rows);

	for my $side (qw(from to)) {
		my $test = $tests->{$side} or next;

		for my $limit (grep { $_->{role} ne 'control' } @{$test->{limits}}) {
			my $row = $rows{$limit->{name}} //= do {
				my ($side) = grep { defined(Results::number($limit, $_)) } qw(max min);

				push(@rows, {test => $name, limit => $limit->{name}, role => '',
					side => $side // '', at => Results::number($limit, $side // '')});
				$rows[-1];
			};
			$row->{logs}{$side} = [limit_logs($limit, $read->{$side})];
			$row->{definition}{$side} = definition($limit);
			# The judge takes for info what a machine cannot decide.
			$row->{role} ||= $limit->{word} eq 'info' ? 'info' : $limit->{role};
		}
	}
	my $busier = $read->{from} && $read->{to} ? busier(@{$read}{qw(from to)}) : '';
	for my $row (@rows) {
		my ($logs, $definition) = delete(@{$row}{qw(logs definition)});

		$row->{$_} = summary(@{$logs->{$_} // []}) for qw(from to);
		$row->{why} = !$logs->{from} ? 'not in the first' : !$logs->{to} ? 'not in the second' :
			$definition->{from} ne $definition->{to} ? 'another limit of that name' :
			!$row->{from}{n} || !$row->{to}{n} ? 'no rounds that count' : '';
		$row->{change} = change(@{$logs}{qw(from to)}) if !length($row->{why});
		$row->{busier} = $busier;
	}
	return @rows;
}

# Metrics of the raw arms: the time of an operation (or of a round, of what counts
# none), and what the limits count.
sub arm_metrics
{
	my ($test, $read) = @_;
	my $counted = grep { ($_->{ops} // 0) > 0 } @{$read->{samples}};
	my %metrics = map { $_->{record} ? ($_->{record}{of} => 1) : () } @{$test->{limits}};

	delete(@metrics{qw(elapsed_ns elapsed_ns/ops ops/elapsed_ns)});
	return ($counted ? 'elapsed_ns/ops' : 'elapsed_ns', sort(keys(%metrics)));
}

# arm_logs($read, $of): {arm => [logs]} of the rounds that have the metric.
sub arm_logs
{
	my ($read, $of) = @_;
	my %logs;

	for my $sample (@{$read->{samples}}) {
		my $value = metric({of => $of}, $sample) or next;

		push(@{$logs{$sample->{arm}}}, log($value));
	}
	return \%logs;
}

# arm_rows($name, $test, \%read): a row an arm and metric that is above 0 in both.
sub arm_rows
{
	my ($name, $test, $read) = @_;

	return map {
		my $of = $_;
		my ($a, $b) = map { arm_logs($_, $of) } @{$read}{qw(from to)};

		map { {test => $name, arm => Record::text($_), of => $of,
			from => summary(@{$a->{$_}}), to => summary(@{$b->{$_}}),
			change => change($a->{$_}, $b->{$_})} } sort(grep { $b->{$_} } keys(%$a));
	} arm_metrics($test, $read->{from});
}

# compared(\@from, \@to, $margin, $with_arms): the runs of two results directories, test
# by test, whose samples are read once:
# limits	a row a test and limit of either, controls left out: {test, limit, role,
#		side => max or min, from and to => summary, change, word, why => where
#		there is no change}
# arms		with them, a row a test, arm and metric that is above 0 in both: {test,
#		arm, of, from and to => summary, change}
sub compared
{
	my ($from, $to, $margin, $with_arms) = @_;
	my @from = tests_of(@$from);
	my @to = tests_of(@$to);
	my %from = map { @$_ } @from;
	my %to = map { @$_ } @to;
	my (@limits, @arms);

	for my $name ((map { $_->[0] } @from), grep { !$from{$_} } map { $_->[0] } @to) {
		my %tests = (from => $from{$name}, to => $to{$name});
		my %read;

		for my $side (grep { $tests{$_} } keys(%tests)) {
			# Damaged ones are as none.
			$read{$side} = eval { samples_of($tests{$side}) };
		}
		push(@limits, limit_rows($name, \%tests, \%read));
		push(@arms, arm_rows($name, $from{$name}, \%read))
			if $with_arms && $read{from} && $read{to};
	}
	# What decides nothing takes no part in the correction of what does.
	correct(grep { !length($_->{role}) } @limits);
	correct(grep { length($_->{role}) } @limits);
	correct(@arms);
	settle($_, $margin) for @limits;
	return {limits => \@limits, arms => \@arms};
}

1;
