# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What a LAVA test shell runs (lava-test-case lines) or prints (signals): a line
# a test with its seconds, a line a limit with its ratio.  Undecided and broken
# are unknown; KernelCI takes no unknown, for which they are skip and fail.  A fail
# that is known is skip.
package Format::lava;

use strict;
use warnings;

our $FILE = 'result.lava';
our @OPTIONS = (
	['signals', '', 'lava: signals to print, no lines to run'],
	['no-unknown', '', 'lava: skip for undecided, fail for broken'],
);

my %result = (pass => 'pass', fail => 'fail', notrun => 'skip', info => 'skip',
	undecided => 'unknown', broken => 'unknown', known => 'skip', fixed => 'pass');
my %known = (%result, undecided => 'skip', broken => 'fail');

# Names and units may not have blanks, and a shell is to read them.
sub name
{
	return $_[0] =~ s{/}{-}gr =~ s/[^A-Za-z0-9_.-]/_/gr;
}

sub print_case
{
	my ($out, $options, $name, $word, $value, $units) = @_;
	my $result = ($options->{'no-unknown'} ? \%known : \%result)->{$word};

	if ($options->{signals}) {
		print $out "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=$name RESULT=$result",
			defined($value) ? " UNITS=$units MEASUREMENT=$value" : '', ">\n";
	} else {
		print $out "lava-test-case $name --result $result",
			defined($value) ? " --measurement $value --units $units" : '', "\n";
	}
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, $options, @runs) = @_;

	for my $run (@runs) {
		for my $test (@{$run->{tests}}) {
			my $name = name(Results::full_name($run, $test));
			my $ms = $test->{elapsed_ms};

			print_case($out, $options, $name, $test->{word},
				defined($ms) ? sprintf('%.3f', $ms / 1000) : undef, 'seconds');
			print_case($out, $options, "$name." . name($_->{name}), $_->{word},
				Results::number($_, 'ratio'), 'ratio') for @{$test->{limits}};
		}
	}
}

1;
