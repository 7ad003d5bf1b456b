# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# KTAP version 1 (Documentation/dev-tools/ktap.rst): a test a line, a subtest a
# limit with its numbers as key=value above.  Undecided is SKIP, and broken is
# not ok with ERROR: nothing but a pass counts as one.  So a known fail is SKIP,
# too: ok with XFAIL, as kselftest has it, is a pass to most readers.
package Format::ktap;

use strict;
use warnings;

our $FILE = 'result.ktap';
our @OPTIONS;

my %result = (pass => 'ok', fail => 'not ok', undecided => 'ok', notrun => 'ok',
	info => 'ok', broken => 'not ok', known => 'ok', fixed => 'ok');
my %directive = (undecided => ' # SKIP undecided', notrun => ' # SKIP',
	info => ' # SKIP decides nothing', broken => ' # ERROR', known => ' # SKIP known');

# A name cannot hold the sign that ends it.
sub name
{
	return $_[0] =~ s/#/%23/gr;
}

sub print_result
{
	my ($out, $indent, $number, $name, $word, $reason) = @_;
	my $directive = $directive{$word} // '';

	$directive .= ($word eq 'notrun' || $word eq 'broken' ? ' ' : ': ') . $reason
		if $directive && length($reason);
	print $out $indent, "$result{$word} $number ", name($name), "$directive\n";
}

sub print_limits
{
	my ($out, $test, $name) = @_;
	my $number = 0;

	print $out "  KTAP version 1\n  # Subtest: ", name($name), "\n",
		'  1..', scalar(@{$test->{limits}}), "\n";
	for my $limit (@{$test->{limits}}) {
		my @numbers = @{$limit->{numbers}};

		print $out '  # ', name($limit->{name}), ':';
		print $out ' ', join('=', splice(@numbers, 0, 2)) while @numbers;
		print $out " rounds=", join('+', @{$limit->{rounds}});
		print $out " $_=$limit->{$_}"
			for grep { length($limit->{$_}) } qw(role reason confirmed);
		print $out "\n";
		print_result($out, '  ', ++$number, $limit->{name}, $limit->{word},
			$limit->{reason} =~ tr/_/ /r);
	}
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, undef, @runs) = @_;
	my $number = 0;

	print $out "KTAP version 1\n1..", eval { my $n = 0; $n += @{$_->{tests}} for @runs; $n }, "\n";
	for my $run (@runs) {
		print $out '#', (map { " $_=$run->{facts}{$_}" } grep {
			length($run->{facts}{$_} // '') } qw(kernel arch cpus
			mem_kb fstyp suite_version section host)), "\n";
		for my $test (@{$run->{tests}}) {
			my $name = Results::full_name($run, $test);

			print_limits($out, $test, $name) if @{$test->{limits}};
			print $out '# ', name($name), ": elapsed_ms=$test->{elapsed_ms}\n"
				if defined($test->{elapsed_ms});
			print $out '# ', name($name), ": $_\n" for grep { length }
				$test->{word} eq 'fail' ? $test->{reason} : '', $test->{why},
				$test->{word} eq 'fixed' ? join(' ', 'fixed?', $test->{known} // ()) : '';
			print_result($out, '', ++$number, $name, $test->{word},
				$test->{reason});
		}
	}
}

1;
