#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# fsratio(1) never falls behind: its options are those of check, its variables
# those that are read somewhere, its report files those of the formats.
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 'tests/selftest';
use CheckRun;
use Test::More;

my $man = slurp('doc/fsratio.1') // '';

# names($list): one a line, to be compared.
sub names
{
	my %seen = map { $_ => 1 } @_;

	return join("\n", sort keys %seen);
}

# section($name): the text of a .Sh, or a .Ss in it.
sub section
{
	my ($name) = @_;

	return $man =~ /^\.S[hs] \Q$name\E\n(.*?)(?=^\.S[hs] |\z)/ms ? $1 : '';
}

# options_of($text): -x and --long of the lines that start with them.
sub options_of
{
	my ($text) = @_;

	return map { /(--?[?\w][\w-]*)/g } $text =~ /^  (-.*?)(?:  |$)/mg;
}

my ($help) = run_check({}, '--help');
my @man = map { s/\\&//r } map { "-$_" } map { /\bFl (\S+)/g }
	$man =~ /^\.It (Fl .*)$/mg;
is(names(@man), names(options_of($help)), 'the options are those of --help');
my ($parse) = slurp('common/options') =~ /^_options_parse\(\)\n(.*?)^\}/ms;
my @parsed = map { s/\\//r } grep { !/\*/ } map { split(/\|/) }
	$parse =~ /^\t\t(-\S+?)\)/mg;
is(names(@man), names(@parsed), 'and those that are parsed');
for my $option (@man) {
	my ($arg) = $help =~ /^  (?:.*[ ,])?\Q$option\E ([A-Z]+)/m;
	my $fl = 'Fl ' . substr($option, 1);
	my ($line) = $man =~ /^\.It (?:.* )?(\Q$fl\E(?: .*)?)$/m;
	next if !defined($line);
	is($line =~ /^\Q$fl\E Ar/ ? 1 : 0, $arg ? 1 : 0,
		"$option: with an argument, or without one");
}

# Numbers that --help states by themselves
for my $option ('rounds', 'time-budget', 'timeout') {
	my ($number) = $help =~ /^  --$option .*\((\d+)\)$/m;
	my ($item) = $man =~ /^\.It Fl -$option Ar .*\n((?:(?!\.It).*\n)*)/m;
	ok($item =~ /\($number\)/, "--$option: $number by default, too");
}

# Variables
my $environment = section('ENVIRONMENT');
my ($configured, $others) = split(/^Not for the configuration:$/m, $environment);
my @named = map { /\b([A-Z][A-Z_0-9]+)\b/g } grep { /Ev/ } map { s/\.Xc.*//sr }
	$configured =~ /^\.It (.*)$/mg;
my ($keys) = slurp('common/keys') =~ /^CONFIG_KEYS=\((.*?)\)/ms;
is(names(@named), names(split(' ', $keys)), 'all keys of the configuration');
my @others = $others =~ /\b([A-Z][A-Z_]{3,})\b/g;
my $source = join('', map { slurp($_) // '' } 'check', glob('common/* tools/* ' .
	'tools/*/* tests/xfs/* tests/generic/*'));
like($source, qr/\$\{?$_\b|['{]$_\b|"$_"/, "$_ is read somewhere") for
	grep { !/^KCIDB/ } @others;
my %matrix;
for my $file (glob('tests/*/*.matrix')) {
	$matrix{$_} = 1 for grep { !/^(?:FSTYP|HOME|SCRATCH|MATRIX|TABLE|LC_)/ }
		slurp($file) =~ /\$\{?([A-Z][A-Z_]{3,})\b/g;
}
my %known = map { $_ => 1 } @others;
ok($known{$_}, "$_ of a table is here") for sort keys %matrix;
my %kcidb = map { uc("kcidb_$_") =~ tr/-/_/r => 1 }
	slurp('tools/formats/kcidb.pm') =~ /\['(origin|build-id|checkout-id)'/g;
ok($known{$_}, "$_ is here") for sort keys %kcidb;
cmp_ok(scalar(keys %kcidb), '>=', 3, 'those of kcidb were found');

# Formats and their files
my ($formats) = $man =~ /^\.It Fl R .*\n(?:\S.*\n)*?\.Cm (xunit.*) \.$/m;
my @formats = ('xunit', 'xunit-quiet',
	map { m{([^/]+)\.pm\z} } glob('tools/formats/*.pm'));
is(names(split(/ , /, $formats // '')), names(@formats), 'the formats of -R');
for my $module (glob('tools/formats/*.pm')) {
	my ($file) = slurp($module) =~ /\bFILE\s*=\s*'([^']+)'/;
	like(section('FILES'), qr/\b\Q$file\E\b/, "the file of $module");
}

# The results that README has
# A build directory has no README.
my $readme = slurp(abs_path('tests/selftest/../..') . '/README');
my ($results) = $readme =~ /^Results\n-+\n(.*?)^Reports\n/ms;
my @results = map { /^(.*)\{(.*)\}$/ ? map { "$1$_" } split(/,/, $2) : $_ }
	$results =~ m{^\tresults/((?:xfs/)?[\w-]+\.[\w.{},]+)}mg;
cmp_ok(scalar(@results), '>=', 10, 'README lists results');
like(section('FILES'), qr/\b\Q$_\E(?!\S)/, "$_ is here") for @results;

# Exit statuses: those that --help has, too
my ($exit) = $help =~ /^(Exit status: .*)\z/ms;
my @statuses = section('EXIT STATUS') =~ /^\.It (\d+)$/mg;
is(names(@statuses), names(grep { $_ ne '=1' } $exit =~ /(?<!=)\b(\d+)\b/g),
	'the exit statuses');

SKIP: {
	skip('needs mandoc', 1) if system('command -v mandoc >/dev/null');
	my $said = `mandoc -T lint -W style doc/fsratio.1 2>&1`;
	# Which other pages this machine has is not our matter.
	is(join('', grep { !/mandoc\.db|referenced manual not found/ }
		map { "$_\n" } split(/\n/, $said)), '', 'mandoc -T lint');
}
done_testing();
