# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# One page for a person: a sentence a test, then each test with its limits round by
# round, its arms side by side, where it was blocked, and how to repeat it.
# Pictures are of gnuplot, where it is there; all that they show is in words, too.
package Format::html;

use strict;
use warnings;
use File::Basename qw(dirname);
use List::Util qw(sum0);
use lib dirname(__FILE__) . '/../lib';
use Arms qw(quantity);
use Command qw(repeat_command);
use Figures qw(arm_figures limit_figure);
use Gnuplot;
use Html qw(bar details escape page_end page_start table word);
use Record;
use Results;
use Samples;
use Sentences qw(test_sentence);
use Stacks qw(percent read_stacks);

our $FILE = 'result.html';
our @OPTIONS;

# The worst first.
my @WORDS = qw(fail broken undecided fixed known pass notrun);
my $EXCERPT_BYTES = 4000;
my $STACKS_MAX = 8;
my $SENTENCE_LENGTH = 400;

# wait_html($wait, $share): a bar, and what it is of.
sub wait_html
{
	my ($wait, $share) = @_;
	my $text = sprintf('%s in %s for %s%s: %d switches, %s, %s of %s',
		percent($share), @{$wait}{qw(lock reason)},
		length($wait->{work}) ? " of $wait->{work}" : '', $wait->{count},
		quantity('blocked_ns', $wait->{blocked_ns}),
		map { join(', ', @$_) } @{$wait}{qw(comms arms)});

	return '<li>' . bar($share) . escape($text) . details('Stack', '<pre>' .
		escape(join("\n", @{$wait->{frames}})) . "</pre>\n") . "</li>\n";
}

# Shares are of the waits for locks, or of those for I/O, as in the reason of a fail.
sub stacks_html
{
	my ($test) = @_;
	my $waits = eval { read_stacks($test->{path}) };
	my $html = '';

	return small($@ =~ s/\n\z//r) if $@;
	for my $kind (['lock', 'locks'], ['io', 'I/O']) {
		my @all = grep { $_->{wait} eq $kind->[0] } @{$waits // []};
		my $total = sum0(map { $_->{count} } @all) or next;
		my @top = splice(@all, 0, $STACKS_MAX);

		$html .= "<h3>Blocked, waiting for $kind->[1]</h3>\n<ul>\n" .
			join('', map { wait_html($_, $_->{count} / $total) } @top) .
			(@all ? '<li class="small">and ' . @all . " more</li>\n" : '') .
			"</ul>\n";
	}
	return $html;
}

# small($text): a paragraph of what is less than the rest.
sub small
{
	my ($text) = @_;

	return length($text) ? '<p class="small">' . escape($text) . "</p>\n" : '';
}

# What a test printed, and the kernel, where that may be why.
sub excerpts
{
	my ($test) = @_;
	my $html = '';

	return '' if $test->{missing} || $test->{word} !~ /\A(?:fail|broken)\z/;
	for my $file (['dmesg', 'Kernel log'], ['out.bad', 'Output']) {
		my $text = Record::excerpt("$test->{path}.$file->[0]", $EXCERPT_BYTES);

		$html .= details($file->[1], '<pre>' . escape($text) . "</pre>\n")
			if length($text);
	}
	return $html;
}

# pictures($title, @figures): side by side, where there is room.
sub pictures
{
	my ($title, @figures) = @_;

	return '' if !@figures;
	return "<h3>$title</h3>\n<div class=\"pictures\">\n" . join('', @figures) .
		"</div>\n";
}

sub date
{
	my ($seconds) = @_;

	my (undef, $minute, $hour, $day, $month, $year) = gmtime($seconds);
	return sprintf('%d-%02d-%02d %02d:%02d UTC', $year + 1900, $month + 1, $day, $hour, $minute);
}

# section($gnuplot, $run, $test, $id): all of a test.
sub section
{
	my ($gnuplot, $run, $test, $id) = @_;
	my $read = eval { Samples::samples_of($test) };
	my $damaged = $@ =~ s/\n\z//r;
	my $env = $read ? $read->{env} : {};
	my @facts = map { "$_=$env->{$_}" } sort(keys(%$env));

	unshift(@facts, sprintf('%.1f s', $test->{elapsed_ms} / 1000))
		if defined($test->{elapsed_ms});
	unshift(@facts, date($test->{start_s})) if defined($test->{start_s});
	return qq{<section id="t$id">\n<h2>} . word($test->{word}) .
		escape(Results::full_name($run, $test)) . "</h2>\n<p>" .
		escape(test_sentence($test)) . ".</p>\n" . small(join(' ', @facts)) .
		'<p>To repeat: <code>' . escape(repeat_command($run, $test, $env)) .
		"</code></p>\n" . small($damaged) . excerpts($test) .
		pictures('Limits', map { limit_figure($gnuplot, $_, $read) }
			@{$test->{limits}}) .
		($read ? pictures('Arms', arm_figures($gnuplot, $test, $read)) : '') .
		stacks_html($test) . "</section>\n";
}

# The words and how often each came out, the worst first.
sub counts
{
	my (@tests) = @_;
	my %count;

	$count{$_->{word}}++ for @tests;
	return join(', ', map { "$count{$_} " . ($_ eq 'fixed' ? 'fixed?' : $_) }
		grep { $count{$_} } @WORDS) || 'no test';
}

# What a run was of.
sub head
{
	my ($run) = @_;
	my $facts = $run->{facts};
	my @parts = ('fsratio on kernel ' . ($facts->{kernel} // 'unknown'),
		($facts->{arch} // '') . ($facts->{cpus} ? " with $facts->{cpus} CPUs" : ''),
		$facts->{fstyp} // '', $facts->{host} // '',
		length($run->{section}) ? "section $run->{section}" : '',
		$facts->{start_s} ? date($facts->{start_s}) : '');

	return '<p>' . escape(join(', ', grep { length } @parts)) . (defined($run->{end_s}) ?
		'' : '; <b>the run was cut off</b>: what it did not end is broken') . "</p>\n";
}

sub sentence
{
	my ($run, $test, $id) = @_;
	my $text = test_sentence($test);

	$text = substr($text, 0, $SENTENCE_LENGTH) . "\x{2026}"
		if length($text) > $SENTENCE_LENGTH;
	return '<li>' . word($test->{word}) . qq{<a href="#t$id">} .
		escape(Results::full_name($run, $test)) . '</a>: ' . escape($text) .
		".</li>\n";
}

sub environment
{
	my ($run) = @_;
	my $facts = $run->{facts};
	my $command = join(' ', './check', grep { length } $facts->{check_options} // '');

	return (length($run->{section}) ? '<h3>' . escape($run->{section}) . "</h3>\n" : '') .
		'<p>The whole run: <code>' . escape($command) . "</code></p>\n" .
		table(undef, map { [tr/_/ /r, $facts->{$_}] } sort(keys(%$facts)));
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, undef, @runs) = @_;
	my $gnuplot = Gnuplot::start();
	my %rank = map { $WORDS[$_] => $_ } 0 .. $#WORDS;
	my %kernels = map { ($_->{facts}{kernel} // 'unknown') => 1 } @runs;
	my @tests = map { my $run = $_; map { [$run, $_] } @{$run->{tests}} } @runs;
	my $counts = counts(map { $_->[1] } @tests);

	push(@{$tests[$_]}, $_ + 1) for 0 .. $#tests;
	@tests = sort { $rank{$a->[1]{word}} <=> $rank{$b->[1]{word}} ||
		$a->[2] <=> $b->[2] } @tests;
	my @sections = map { section($gnuplot, @$_) } @tests;
	my $error = $gnuplot ? Gnuplot::finish($gnuplot) : 'gnuplot was not found';

	print $out page_start("$counts: fsratio on " . join(', ', sort(keys(%kernels)))),
		'<h1>', escape($counts), "</h1>\n", map { head($_) } @runs;
	print $out small("No pictures: $error. All numbers are in the text.") if $error;
	print $out "<ul>\n", (map { sentence(@$_) } @tests), "</ul>\n";
	for my $section (@sections) {
		print $out $section =~ s/\0(\d+)\0/Gnuplot::svg($gnuplot, $1)/ger;
		undef($section);
	}
	print $out "<section>\n<h2>Environment</h2>\n", (map { environment($_) } @runs),
		"</section>\n", page_end();
}

1;
