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
use POSIX qw(strftime);
use lib dirname(__FILE__) . '/../lib';
use Arms qw(arms latencies quantity rows scaling unit);
use Charts qw(limit_chart row_chart scaling_chart);
use Command qw(repeat_command);
use Gnuplot;
use Html qw(bar escape page_end page_start table);
use Ratios qw(ratios);
use Record;
use Results;
use Samples;
use Sentences qw(limit_sentence test_sentence);
use Stacks qw(read_stacks);

our $FILE = 'result.html';
our @OPTIONS;

# The worst first.
my @WORDS = qw(fail broken undecided fixed known pass notrun);
my $EXCERPT_BYTES = 4000;
my $METRICS_MAX = 3;
my $STACKS_MAX = 8;
my $SENTENCE_LENGTH = 400;

# picture($gnuplot, $chart, $title, $text): where it will stand, and '' without.
sub picture
{
	my ($gnuplot, $chart, $title, $text) = @_;

	return '' if !$gnuplot || !$chart;
	return "\0" . Gnuplot::draw($gnuplot, {%$chart, title => $title, text => $text}) . "\0";
}

sub word
{
	my ($word) = @_;

	return '<b class="word ' . escape($word) . '">' . escape($word eq 'fixed' ? 'fixed?' : $word) . '</b>';
}

sub figure
{
	my ($picture, $caption) = @_;

	return "<figure>\n<figcaption>$caption</figcaption>\n$picture</figure>\n";
}

sub details
{
	my ($summary, $html) = @_;

	return '<details><summary>' . escape($summary) . "</summary>\n$html</details>\n";
}

# The ratios of each series on a line, and what they are of.
sub limit_rounds
{
	my ($limit, $rounds) = @_;
	my %mark = (counted => '', unfit => ' (busy)', late => ' (after)');
	my $marks = '';
	my %lines;

	for my $round (@$rounds) {
		push(@{$lines{$round->{series}}}, Arms::number($round->{ratio}) . $mark{$round->{state}});
		$marks .= $round->{state};
	}
	my $missing = sum0(@{$limit->{rounds}}, @{$limit->{unfit}}) - grep { $_->{state} ne 'late' } @$rounds;
	my $text = join('', map { "<p>series " . escape("$_: " . join(', ', @{$lines{$_}})) . "</p>\n" }
		sort(keys(%lines)));
	$text .= "<p>busy: other work kept an arm from the CPUs, and the round does not count</p>\n"
		if $marks =~ /unfit/;
	$text .= "<p>after: measured for other limits, when this one was settled</p>\n" if $marks =~ /late/;
	$text .= "<p>$missing rounds more were judged; no samples of them are left</p>\n" if $missing > 0;
	return details('Each round', $text);
}

sub limit_figure
{
	my ($gnuplot, $limit, $read) = @_;
	my $rounds = $read ? ratios($limit, $read) : [];
	my $record = $limit->{record};
	my $text = limit_sentence($limit);
	my $role = $limit->{role} && $limit->{role} ne $limit->{word} ? " ($limit->{role})" : '';
	my $of = $record && join(' ', 'of', Record::text($record->{of}) . ':',
		map({ join(' * ', split(/,/, Record::text($_))) } $record->{num}), 'over',
		map({ join(' * ', split(/,/, Record::text($_))) } $record->{den})) .
		($record->{floor} ? ", $record->{floor} at least" : '');

	return figure(@$rounds ? picture($gnuplot, limit_chart($limit, $rounds),
			"$limit->{name}, round by round", "$limit->{word}$role: $text") : '',
		word($limit->{word}) . '<b>' . escape($limit->{name}) . '</b>' . escape("$role: $text") .
		($of ? '<div class="small">' . escape($of) . '</div>' : '') .
		(@$rounds ? limit_rounds($limit, $rounds) : ''));
}

# The metrics to show arms by: the time, and those of the limits that decide.
sub metrics
{
	my ($test) = @_;
	my %seen;
	my @records = grep { !$seen{$_->{of}}++ } {of => 'elapsed_ns'}, map { $_->{record} // () }
		grep { $_->{role} ne 'info' } @{$test->{limits}};

	return splice(@records, 0, $METRICS_MAX);
}

sub arms_figure
{
	my ($gnuplot, $record, @arms) = @_;
	my @rows = rows($record, @arms) or return '';
	my $of = Record::text($record->{of});
	my $unit = unit($of, map { @{$_->{values}} } @rows);
	my $what = $of eq 'elapsed_ns' ? 'elapsed' : $of;
	my $title = "Arms by $what";
	my $axis = $of eq $unit->[1] ? $of =~ tr/_/ /r : "$what, $unit->[1]" =~ tr/_/ /r;
	my @sorted = map { [sort { $a <=> $b } @{$_->{values}}] } @rows;

	return figure(picture($gnuplot, row_chart($axis, map { {name => $_->{name},
			points => [map { $_ / $unit->[0] } @{$_->{values}}], marks => [$_->{median} / $unit->[0]]} } @rows),
			$title, join(', ', map { "$_->{name} " . quantity($of, $_->{median}) } @rows)),
		'<b>' . escape($title) . '</b>' . table(['arm', 'median', 'least', 'most', 'rounds'],
		map { [$rows[$_]{name}, quantity($of, $rows[$_]{median}), quantity($of, $sorted[$_][0]),
			quantity($of, $sorted[$_][-1]), scalar(@{$sorted[$_]})] } 0 .. $#rows));
}

sub scaling_figure
{
	my ($gnuplot, @arms) = @_;
	my @lines = grep { @{$_->{points}} } scaling(@arms) or return '';
	my $title = 'Operations a second by threads';
	my @rows = map { my $name = $_->{name}; map { [$name, $_->[0], Arms::number($_->[1])] } @{$_->{points}} } @lines;

	@lines = splice(@lines, 0, 6);
	return figure(picture($gnuplot, scaling_chart(@lines), $title, join(', ', map { "$_->[0] by $_->[1]: $_->[2]" } @rows)),
		'<b>' . escape($title) . '</b>' . ($gnuplot ? '<div>' . join(' ', map {
			'<span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4" class="f' . ($_ + 6) . '"/></svg>' .
			escape($lines[$_]{name}) . '</span>' } 0 .. $#lines) . '</div>' : '') .
		table(['arms', 'threads', 'operations/s'], @rows));
}

sub latency_figure
{
	my ($gnuplot, $kind, @rows) = @_;
	my $unit = unit('p50_ns', map { $_->{values}[-1] } @rows);
	my $what = Record::text($kind) =~ s/_\z//r =~ tr/_/ /r || 'operation';
	my $title = "Latency of one $what";

	return figure(picture($gnuplot, row_chart($unit->[1], map { {name => $_->{name}, points => [],
			marks => [map { $_ / $unit->[0] } @{$_->{values}}]} } @rows), $title,
			'from the median to the greatest: ' . join(', ', map { "$_->{name} " . quantity('p50_ns', $_->{values}[0]) .
			' to ' . quantity('p50_ns', $_->{values}[-1]) } @rows)),
		'<b>' . escape($title) . '</b>, medians of all rounds; points: 50, 99, 99.9 % and the greatest' .
		details('Numbers', table(['arm', '50 %', '99 %', '99.9 %', 'greatest'],
			map { [$_->{name}, map { quantity('p50_ns', $_) } @{$_->{values}}] } @rows)));
}

# wait_html($wait, $share): a bar, and what it is of.
sub wait_html
{
	my ($wait, $share) = @_;

	return '<li>' . bar($share) . escape(sprintf('%.0f %% in %s for %s%s: %d switches, %s, %s of %s',
		100 * $share, @{$wait}{qw(lock reason)}, length($wait->{work}) ? " of $wait->{work}" : '',
		$wait->{count}, quantity('blocked_ns', $wait->{blocked_ns}),
		map { join(', ', @$_) } @{$wait}{qw(comms arms)})) .
		details('Stack', '<pre>' . escape(join("\n", @{$wait->{frames}})) . "</pre>\n") . "</li>\n";
}

# Shares are of the waits for locks, or of those for I/O, as in the reason of a fail.
sub stacks_html
{
	my ($test) = @_;
	my $waits = eval { read_stacks($test->{path}) };
	my $html = '';

	return '<p class="small">' . escape($@ =~ s/\n\z//r) . "</p>\n" if $@;
	for my $kind (['lock', 'locks'], ['io', 'I/O']) {
		my @all = grep { $_->{wait} eq $kind->[0] } @{$waits // []};
		my $total = sum0(map { $_->{count} } @all) or next;
		my @top = splice(@all, 0, $STACKS_MAX);

		$html .= "<h3>Blocked, waiting for $kind->[1]</h3>\n<ul>\n" .
			join('', map { wait_html($_, $_->{count} / $total) } @top) .
			(@all ? '<li class="small">and ' . @all . " more</li>\n" : '') . "</ul>\n";
	}
	return $html;
}

sub facts_html
{
	my ($facts) = @_;

	return table(undef, map { [$_ =~ tr/_/ /r, $facts->{$_}] } sort(keys(%$facts)));
}

sub sentence
{
	my ($test) = @_;
	my $text = test_sentence($test);

	return length($text) > $SENTENCE_LENGTH ? substr($text, 0, $SENTENCE_LENGTH) . "\x{2026}" : $text;
}

sub section
{
	my ($gnuplot, $run, $test, $id) = @_;
	my $read = $test->{missing} ? undef : eval { Samples::read_samples($test->{path}) };
	my $damaged = $@;
	my @arms = $read ? arms($read) : ();
	my @figures = map { limit_figure($gnuplot, $_, $read) } @{$test->{limits}};
	my $env = $read ? $read->{env} : {};
	my @facts = (defined($test->{start_s}) ? strftime('%Y-%m-%d %H:%M:%S UTC', gmtime($test->{start_s})) : (),
		defined($test->{elapsed_ms}) ? sprintf('%.1f s', $test->{elapsed_ms} / 1000) : (),
		map { "$_=$env->{$_}" } sort(keys(%$env)));
	my $html = qq{<section id="t$id">\n<h2>} . word($test->{word}) . escape(Results::full_name($run, $test)) . "</h2>\n" .
		'<p>' . escape(test_sentence($test)) . ".</p>\n" .
		(@facts ? '<p class="small">' . escape(join(' ', @facts)) . "</p>\n" : '') .
		'<p>To repeat: <code>' . escape(repeat_command($run, $test, $env)) . "</code></p>\n";

	$html .= '<p class="small">' . escape($damaged =~ s/\n\z//r) . "</p>\n" if $damaged;
	if ($test->{word} =~ /\A(?:fail|broken)\z/ && !$test->{missing}) {
		for my $kind (qw(dmesg out.bad)) {
			my $text = Record::excerpt("$test->{path}.$kind", $EXCERPT_BYTES);
			$html .= details($kind eq 'dmesg' ? 'Kernel log' : 'Output', '<pre>' . escape($text) . "</pre>\n") if length($text);
		}
	}
	$html .= "<h3>Limits</h3>\n<div class=\"pictures\">\n" . join('', @figures) . "</div>\n" if @figures;
	my @measured = grep { length } (map { arms_figure($gnuplot, $_, @arms) } metrics($test)), scaling_figure($gnuplot, @arms),
		map { latency_figure($gnuplot, @$_) } latencies(@arms);
	$html .= "<h3>Arms</h3>\n<div class=\"pictures\">\n" . join('', @measured) . "</div>\n" if @measured;
	return $html . stacks_html($test) . "</section>\n";
}

# The words and how often each came out, the worst first.
sub counts
{
	my (@tests) = @_;
	my %count;

	$count{$_->{word}}++ for @tests;
	return join(', ', map { $count{$_} ? "$count{$_} " . ($_ eq 'fixed' ? 'fixed?' : $_) : () } @WORDS) || 'no test';
}

# print_report($out, \%options, @runs): the report of these runs.
sub print_report
{
	my ($out, undef, @runs) = @_;
	my $gnuplot = Gnuplot::start();
	my $number = 0;
	my @tests = map { my $run = $_; map { {run => $run, test => $_, id => ++$number} } @{$run->{tests}} } @runs;
	my %rank = map { $WORDS[$_] => $_ } 0 .. $#WORDS;
	my @ordered = sort { $rank{$a->{test}{word}} <=> $rank{$b->{test}{word}} || $a->{id} <=> $b->{id} } @tests;
	my @sections = map { section($gnuplot, @{$_}{qw(run test id)}) } @ordered;
	my $error = $gnuplot ? Gnuplot::finish($gnuplot) : 'gnuplot was not found';
	my %kernels = map { ($_->{facts}{kernel} // 'unknown') => 1 } @runs;
	my $counts = counts(map { $_->{test} } @tests);

	print $out page_start("$counts: fsratio on " . join(', ', sort(keys(%kernels)))),
		'<h1>', escape($counts), "</h1>\n";
	for my $run (@runs) {
		my $facts = $run->{facts};

		print $out '<p>', escape(join(', ', grep { length } 'fsratio on kernel ' . ($facts->{kernel} // 'unknown'),
			($facts->{arch} // '') . ($facts->{cpus} ? " with $facts->{cpus} CPUs" : ''), $facts->{fstyp} // '',
			$facts->{host} // '', length($run->{section}) ? "section $run->{section}" : '',
			$facts->{start_s} ? strftime('%Y-%m-%d %H:%M UTC', gmtime($facts->{start_s})) : '')),
			defined($run->{end_s}) ? '' : '; <b>the run was cut off</b>: what it did not end is broken', "</p>\n";
	}
	print $out '<p class="small">No pictures: ', escape($error), ". All numbers are in the text.</p>\n" if $error;
	print $out "<ul>\n", (map { '<li>' . word($_->{test}{word}) . qq{<a href="#t$_->{id}">} .
		escape(Results::full_name($_->{run}, $_->{test})) . '</a>: ' . escape(sentence($_->{test})) . ".</li>\n" } @ordered), "</ul>\n";
	for my $section (@sections) {
		print $out $section =~ s/\0(\d+)\0/Gnuplot::svg($gnuplot, $1)/ger;
		undef($section);
	}
	print $out "<section>\n<h2>Environment</h2>\n", (map { (length($_->{section}) ? '<h3>' . escape($_->{section}) . "</h3>\n" : '') .
		'<p>The whole run: <code>' . escape('./check' . (length($_->{facts}{check_options} // '') ? " $_->{facts}{check_options}" : '')) .
		"</code></p>\n" . facts_html($_->{facts}) } @runs), "</section>\n", page_end();
}

1;
