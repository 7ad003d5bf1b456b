# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The arms of a test side by side: what each took in all of its rounds, by how many
# threads, and how long single operations took.
package Arms;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use List::Util qw(max);
use lib dirname(__FILE__);
use Ratios qw(metric);
use Record qw(text);
use Samples qw(median);

our @EXPORT_OK = qw(arms latencies quantity rows scaling unit);

# What helpers record of single operations (src/hist.c), without what is in front.
our @PERCENTILES = qw(p50_ns p99_ns p999_ns max_ns);
my @time_units = ([1, 'ns'], [1e3, "\x{b5}s"], [1e6, 'ms'], [1e9, 's']);
my @byte_units = ([1, 'bytes'], [1 << 10, 'KiB'], [1 << 20, 'MiB'], [1 << 30, 'GiB']);

# arms($read): [{name, samples => [...]}...] of what read_samples gave, by name.
sub arms
{
	my ($read) = @_;
	my %arms;

	push(@{$arms{$_->{arm}}}, $_) for @{$read->{samples}};
	return map { {name => text($_), samples => $arms{$_}} } sort(keys(%arms));
}

# unit($of, @values): [divisor, name] that suits values of a metric KEY or KEY/KEY.
sub unit
{
	my ($of, @values) = @_;
	my ($key, $per) = split(m{/}, $of);
	my $units = $key =~ /_ns\z/ ? \@time_units : $key =~ /bytes\z/ ? \@byte_units :
		[[1, $key]];
	my $max = max(0, @values);
	my ($unit) = grep { $_ == $units->[0] || $max >= $_->[0] } reverse(@$units);

	return [$unit->[0], defined($per) ? "$unit->[1]/$per" : $unit->[1]];
}

# number($value): with three significant digits at least, and no exponent.
sub number
{
	my ($value) = @_;

	return sprintf('%.0f', $value) if abs($value) >= 100 || $value == 0;
	return sprintf('%.3g', $value) if abs($value) >= 1e-4;
	return sprintf('%.7f', $value);
}

# quantity($of, $value): in the unit that suits it.
sub quantity
{
	my ($of, $value) = @_;
	my $unit = unit($of, $value);

	return number($value / $unit->[0]) . ($unit->[1] eq $of ? '' : " $unit->[1]");
}

# rows($record, @arms): {name, values, median} of each arm that has the metric of a
# limit, or of {of => KEY}.
sub rows
{
	my ($record, @arms) = @_;

	return map {
		my @values = grep { defined } map { metric($record, $_) } @{$_->{samples}};
		@values ? {name => $_->{name}, values => \@values, median => median(@values)} : ();
	} @arms;
}

# scaling(@arms): {name, points => [[threads, operations a second]...]} of those of
# one name but for the last part, as shared_1 and shared_many, by threads.
sub scaling
{
	my (@arms) = @_;
	my %lines;

	for my $arm (@arms) {
		my ($name) = $arm->{name} =~ /\A(.+)_[^_]+\z/ or next;
		my ($rate) = rows({of => 'ops/elapsed_ns'}, $arm) or next;
		my ($threads) = rows({of => 'threads'}, $arm) or next;

		push(@{$lines{$name}}, [$threads->{median}, 1e9 * $rate->{median}]);
	}
	return map {
		my %points = map { $_->[0] => $_ } @{$lines{$_}};
		keys(%points) > 1 ? {name => $_, points => [map { $points{$_} }
			sort { $a <=> $b } keys(%points)]} : ();
	} sort(keys(%lines));
}

# latencies(@arms): ['truncate_', {name, values => medians of @PERCENTILES}...] for
# each kind of operation that was timed one by one; '' where a helper has but one.
sub latencies
{
	my (@arms) = @_;
	my %kinds = map { map { /\A(\w*?)p50_ns\z/ ? ($1 => 1) : () }
		keys(%{$_->{samples}[0]}) } @arms;

	return map {
		my $kind = $_;
		my @rows = map {
			my $arm = $_;
			my @values = map { $_->{median} } map { rows($_, $arm) }
				map { {of => "$kind$_", floor => 1} } @PERCENTILES;
			# All 0: it did nothing of the kind.
			@values == @PERCENTILES && $values[-1] > 1 ?
				{name => $arm->{name}, values => \@values} : ();
		} @arms;
		@rows ? [$kind, @rows] : ();
	} sort(keys(%kinds));
}

1;
