# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# JSON from what Results.pm gives.  JSON::PP, the module of perl itself, takes 1 s
# for the results of 1000 tests, and a number read as text it writes as a string;
# the self-tests read with it what is written here.
package Json;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(json number numbers);

my %short = ("\n" => '\n', '"' => '\"', '\\' => '\\\\');

# number($text): what json() writes as it stands; a decimal number is one of JSON.
sub number
{
	my ($text) = @_;

	return \$text;
}

# numbers(\%texts): number() of each.
sub numbers
{
	my ($texts) = @_;

	return {map { $_ => \$texts->{$_} } keys(%$texts)};
}

my %name;

# json($value): a hash (keys sorted, without those of undef), array, number() or
# text as one line.
sub json
{
	my ($value) = @_;
	my $type = ref($value);

	# Most of a report is names and numbers.
	return '{' . join(',', map {
		my $of = $value->{$_};
		($name{$_} //= string($_) . ':') . (ref($of) eq 'SCALAR' ? $$of : json($of));
	} sort(grep { defined($value->{$_}) } keys(%$value))) . '}' if $type eq 'HASH';
	return '[' . join(',', map { json($_) } @$value) . ']' if $type eq 'ARRAY';
	return $$value if $type eq 'SCALAR';
	return string($value);
}

sub string
{
	my ($text) = @_;

	$text =~ s{([\x00-\x1f"\\\x7f])}{$short{$1} // sprintf('\\u%04x', ord($1))}ge
		if $text =~ /[^ !#-\[\]-~]/;
	return "\"$text\"";
}

1;
