# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# KCIDB I/O schema 5.3: a node a test, below it a node a limit with its ratio as
# its number; the test has that of the limit that its word comes from.  Undecided
# is DONE, a measurement without a verdict; what never ran is MISS.  A known fail
# is FAIL, since the kernel is at fault, with why it is known in misc.
package Format::kcidb;

use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../lib';
use Json qw(json number);
use Record;
use Results;

our $FILE = 'result.kcidb.json';
our @OPTIONS = (
	['origin', 'NAME', 'kcidb: the CI that reports (KCIDB_ORIGIN, fsratio)'],
	['checkout-id', 'ID', 'kcidb: of the kernel (KCIDB_CHECKOUT_ID, ORIGIN:RELEASE)'],
	['build-id', 'ID', 'kcidb: of the kernel (KCIDB_BUILD_ID, ORIGIN:RELEASE)'],
);

my %status = (pass => 'PASS', fail => 'FAIL', undecided => 'DONE', info => 'DONE',
	notrun => 'SKIP', broken => 'ERROR', known => 'FAIL', fixed => 'PASS');
# Bytes of the kernel log and of the output; the schema takes 16384 characters.
my $EXCERPT_BYTES = 8000;

# check_options(\%options): complete them from the environment; dies where one is
# none.
sub check_options
{
	my ($options) = @_;

	for my $name (qw(origin build-id checkout-id)) {
		my $variable = 'KCIDB_' . uc($name =~ tr/-/_/r);

		$options->{$name} //= $ENV{$variable};
		delete($options->{$name}) if ($options->{$name} // '') eq '';
	}
	$options->{origin} //= 'fsratio';
	die "kcidb: origin '$options->{origin}', expected [a-z0-9_]+\n"
		if $options->{origin} !~ /\A[a-z0-9_]+\z/;
	for my $name (grep { defined($options->{$_}) } qw(build-id checkout-id)) {
		die "kcidb: $name '$options->{$name}', expected ORIGIN:ID\n"
			if $options->{$name} !~ /\A[a-z0-9_]+:[!-~]+\z/;
	}
}

# ids(\%options, $run): (origin, checkout id, build id).
sub ids
{
	my ($options, $run) = @_;
	my ($origin, $checkout, $build) = @{$options}{qw(origin checkout-id build-id)};
	my $release = "$origin:" . encoded($run->{facts}{kernel} // 'unknown');

	# Of a build that is only named, the checkout is known where it is.
	$checkout //= $release if !defined($build);
	return ($origin, $checkout, $build // $release);
}

# The last part of an id: no two texts give the same.
sub encoded
{
	my ($text) = @_;

	utf8::encode($text);
	return $text =~ s/([^A-Za-z0-9_.-])/sprintf('%%%02X', ord($1))/ger;
}

# A node of the tree of tests.
sub path
{
	return join('.', map { s/[^A-Za-z0-9_-]/_/gr } @_);
}

sub timestamp
{
	my ($seconds) = @_;

	my ($second, $minute, $hour, $day, $month, $year) = gmtime($seconds);
	return sprintf('%d-%02d-%02dT%02d:%02d:%02d+00:00', $year + 1900, $month + 1, $day,
		$hour, $minute, $second);
}

# The number of a node, where its status may have one.
sub measured
{
	my ($limit, $status) = @_;
	my $ratio = $limit && Results::number($limit, 'ratio');

	return if !defined($ratio) || $status =~ /\A(?:SKIP|MISS)\z/;
	return (number => {value => number($ratio)});
}

sub limit_node
{
	my ($limit, $node, @path) = @_;
	my %numbers = @{$limit->{numbers}};
	my $status = $status{$limit->{word}};

	return {%$node, id => "$node->{id}." . encoded($limit->{name}),
		path => path(@path, $limit->{name}), status => $status,
		measured($limit, $status), misc => {
			word => $limit->{word},
			rounds => [map { number($_) } @{$limit->{rounds}}],
			(map { length($limit->{$_}) ? ($_ => $limit->{$_}) : () }
				qw(role reason confirmed)),
			map { $_ => number($numbers{$_}) } keys(%numbers),
		}};
}

# The nodes of a test, and of its limits.
sub test_nodes
{
	my ($run, $test, $environment, $origin, $build) = @_;
	my @path = ('fsratio', length($run->{section}) ? $run->{section} : (),
		split(m{/}, $test->{name}));
	my $missed = ($test->{missing} // '') eq 'not reached';
	my $status = $missed ? 'MISS' : $status{$test->{word}};
	my %node = (origin => $origin, build_id => $build, environment => $environment,
		id => join('.', "$origin:" . encoded($run->{facts}{host} // 'localhost'),
			map { encoded($_) } $run->{id}, Results::full_name($run, $test)));
	my $excerpt = $test->{word} =~ /\A(?:fail|broken)\z/ && !$test->{missing} ?
		join('', map { Record::excerpt("$test->{path}.$_", $EXCERPT_BYTES) }
			qw(dmesg out.bad)) : '';

	$node{start_time} = timestamp($test->{start_s}) if defined($test->{start_s});
	my $top = {%node, path => path(@path), status => $status,
		measured(Results::decisive($test), $status),
		misc => {word => $test->{word}, map { length($test->{$_}) ?
			($_ => $test->{$_}) : () } grep { defined($test->{$_}) }
				qw(reason known why)}};
	$top->{comment} = $test->{reason} if length($test->{reason});
	$top->{duration} = number($test->{elapsed_ms} / 1000)
		if defined($test->{elapsed_ms});
	$top->{log_excerpt} = $excerpt if length($excerpt);
	return ($top, map { limit_node($_, \%node, @path) } @{$test->{limits}});
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, $options, @runs) = @_;
	my (@tests, %checkouts, %builds);

	for my $run (@runs) {
		my ($origin, $checkout, $build) = ids($options, $run);
		my $arch = lc($run->{facts}{arch} // '') =~ s/[^a-z0-9_]/_/gr;
		my $environment = json({comment => $run->{facts}{platform},
			misc => $run->{facts}});

		# What another CI has checked out or built is only referred to.
		$checkouts{$checkout} = {id => $checkout, origin => $origin,
			comment => $run->{facts}{kernel}}
			if defined($checkout) && $checkout =~ /\A$origin:/;
		$builds{$build} = {id => $build, origin => $origin, checkout_id => $checkout,
			architecture => $arch}
			if defined($checkout) && $build =~ /\A$origin:/;
		push(@tests, map { json($_) } map { test_nodes($run, $_,
			\$environment, $origin, $build) } @{$run->{tests}});
	}
	print $out '{"version":{"major":5,"minor":3}', map({
		my ($key, @nodes) = @$_;
		@nodes ? ",\n\"$key\":[\n" . join(",\n", @nodes) . "\n]" : ();
	} ['checkouts', map { json($checkouts{$_}) } sort(keys(%checkouts))],
		['builds', map { json($builds{$_}) } sort(keys(%builds))],
		['tests', @tests]), "}\n";
}

1;
