# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# One JSON object a line: a test with its limits, the medians of its arms, and
# what machine, kernel and options they are of.
package Format::jsonl;

use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../lib';
use Json qw(json number numbers);
use Results;
use Samples;

our $FILE = 'result.jsonl';
our @OPTIONS;

# Text that is an integer as a number, all other as it is.
sub plain
{
	my ($text) = @_;

	return $text =~ $Record::INTEGER[0] ? number($text) : $text;
}

sub limit
{
	my ($limit) = @_;
	my %numbers = @{$limit->{numbers}};

	return {name => $limit->{name}, word => $limit->{word},
		rounds => [map { number($_) } @{$limit->{rounds}}],
		(map { length($limit->{$_}) ? ($_ => $limit->{$_}) : () }
			qw(role reason confirmed)),
		%{numbers(\%numbers)}};
}

sub arm
{
	my ($arm) = @_;

	return {arm => $arm->{arm}, series => plain($arm->{series}),
		rounds => number($arm->{rounds}),
		medians => numbers($arm->{medians})};
}

# The keys that what was measured adds; why not, where its samples are damaged.
sub measured
{
	my ($test) = @_;
	my $read = eval { Samples::samples_of($test) };

	return (samples_error => $@ =~ s/\n\z//r) if $@;
	return if !$read;
	return (arms => [map { arm($_) } @{Samples::arms_of($read)}],
		env => {map { $_ => plain($read->{env}{$_}) } keys(%{$read->{env}})});
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, undef, @runs) = @_;

	for my $run (@runs) {
		my $facts = json({map { $_ => plain($run->{facts}{$_}) }
			keys(%{$run->{facts}})});

		for my $test (@{$run->{tests}}) {
			print $out json({
				test => $test->{name}, word => $test->{word},
				(map { length($test->{$_} // '') ? ($_ => $test->{$_}) : () }
					qw(reason known why missing)),
				(map { defined($test->{$_}) ? ($_ => number($test->{$_})) : () }
					qw(start_s elapsed_ms)),
				limits => [map { limit($_) } @{$test->{limits}}],
				run => \$facts, $test->{missing} ? () : measured($test),
			}), "\n";
		}
	}
}

1;
