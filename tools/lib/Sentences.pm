# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What came of a test or of a limit, in words for a person.
package Sentences;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Results;

our @EXPORT_OK = qw(limit_sentence test_sentence);

# Reasons of the judge, README "How it decides".
my %reasons = (cap => 'the rounds allowed did not settle it',
	budget => 'the time allowed did not settle it',
	unfit_machine => 'other work kept the machine too busy',
	unconfirmed => 'it failed, but not again after a second set-up',
	control => 'its control did not come out right',
	unsupported => 'this kernel does not count that',
	few_cpus => 'it takes more CPUs to decide', other_fs => 'it decides on other file systems',
	emulated_cpu => 'times on CPUs that are emulated say nothing',
	'debug_kernel' => 'times of a kernel built for debugging say nothing');

# reason($limit): of the judge, in words; '' where it gives none.
sub reason
{
	my ($limit) = @_;

	return $reasons{$limit->{reason}} // $limit->{reason} =~ tr/_/ /r;
}

# limit_sentence($limit): its ratio, interval and rounds, and what it may be.
sub limit_sentence
{
	my ($limit) = @_;
	my %numbers = @{$limit->{numbers}};
	my ($ratio, $lo, $hi, $max, $min) = @numbers{qw(ratio lo hi max min)};
	my $conf = 100 * ($numbers{conf} // .95);
	my $unfit = 0;

	$unfit += $_ for @{$limit->{unfit} // []};
	return join(', ', defined($ratio) ? "ratio $ratio" . (defined($lo) && defined($hi) ?
			" ($lo to $hi, $conf %)" : '') : 'no ratio',
		'in ' . (join(' + ', @{$limit->{rounds}}) || 0) . ' rounds' .
			($unfit ? " and $unfit that do not count" : ''),
		defined($max) ? "limit at most $max" : (),
		defined($min) ? "limit at least $min" : (),
		length($limit->{reason}) ? reason($limit) : (),
		$limit->{confirmed} eq 'no' ? 'not confirmed' : ());
}

# brief($limit): the same in a sentence on its test.
sub brief
{
	my ($limit) = @_;
	my %numbers = @{$limit->{numbers}};
	my ($ratio, $lo, $hi) = @numbers{qw(ratio lo hi)};
	my $side = defined($numbers{max}) ? 'max' : 'min';

	return "$limit->{name} has no ratio" if !defined($ratio);
	return "$limit->{name} is $ratio" .
		(defined($lo) && defined($hi) ? " ($lo to $hi)" : '') .
		(defined($numbers{$side}) ? ', where ' . ($side eq 'max' ? 'at most' : 'at least') .
		" $numbers{$side} is good" : '');
}

# test_sentence($test): why it has its word, without the word and its name.
sub test_sentence
{
	my ($test) = @_;
	my ($word, $reason) = @{$test}{qw(word reason)};
	my @decide = grep { !$_->{role} && $_->{word} ne 'info' } @{$test->{limits}};
	my ($control) = grep { $_->{role} eq 'control' && $_->{word} eq $word &&
		$word =~ /\A(?:broken|undecided)\z/ } @{$test->{limits}};
	my $limit = Results::decisive($test);
	my $why = length($test->{why}) ? "; $test->{why}" : '';
	my $known = length($test->{known} // '') ? "; known: $test->{known}" : '';

	return 'its control ' . brief($control) . ($word eq 'broken' ?
		': what is bad on every kernel was not seen to be' : '; ' . reason($control)) if $control;
	return ($reason || 'no reason was recorded') . $known
		if $word =~ /\A(?:notrun|broken)\z/ || (!$limit && $word ne 'pass');
	return 'its output is the golden one' if !$limit;
	# A fault that the checker or the kernel log shows is of no limit.
	return $reason . $known if $word eq 'fail' && $limit->{word} ne 'fail' && $reason;
	my $more = grep { $_ != $limit && $_->{word} eq $limit->{word} } @decide;
	my $text = brief($limit);
	$text .= '; ' . reason($limit) if $word eq 'undecided' && length($limit->{reason});
	$text .= ", and $more more " . ($more > 1 ? 'are' : 'is') . ' so, too' if $more;
	return $text . $why . $known;
}

1;
