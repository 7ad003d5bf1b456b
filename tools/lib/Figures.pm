# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What was measured, as figures of a page: a picture, where there is a gnuplot to
# draw it, and the same numbers in words.
package Figures;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use List::Util qw(sum0);
use lib dirname(__FILE__);
use Arms qw(arms latencies quantity rows scaling unit);
use Charts qw(limit_chart row_chart scaling_chart);
use Gnuplot;
use Html qw(details escape table word);
use Ratios qw(ratios);
use Record qw(text);
use Sentences qw(limit_sentence);

our @EXPORT_OK = qw(arm_figures limit_figure);

my $METRICS_MAX = 3;
my $LINES_MAX = 6;

# picture($gnuplot, $chart, $title, $text): the mark of where it will stand; ''
# where there is no gnuplot, or nothing to draw.
sub picture
{
	my ($gnuplot, $chart, $title, $text) = @_;

	return '' if !$gnuplot || !$chart;
	return "\0" . Gnuplot::draw($gnuplot, {%$chart, title => $title,
		text => $text}) . "\0";
}

sub figure
{
	my ($picture, $caption) = @_;

	return "<figure>\n<figcaption>$caption</figcaption>\n$picture</figure>\n";
}

# The ratios of each series on a line, and what to know of them.
sub limit_rounds
{
	my ($limit, $rounds) = @_;
	my %mark = (counted => '', unfit => ' (busy)', late => ' (after)');
	my %state = map { $_->{state} => 1 } @$rounds;
	my $missing = sum0(@{$limit->{rounds}}, @{$limit->{unfit}}) -
		grep { $_->{state} ne 'late' } @$rounds;
	my (%series, @lines);

	for my $round (@$rounds) {
		push(@{$series{text($round->{series})}},
			Arms::number($round->{ratio}) . $mark{$round->{state}});
	}
	@lines = map { "series $_: " . join(', ', @{$series{$_}}) } sort(keys(%series));
	push(@lines, 'busy: other work kept an arm from the CPUs; the round does not count')
		if $state{unfit};
	push(@lines, 'after: measured for other limits, when this one was settled')
		if $state{late};
	push(@lines, "$missing rounds more were judged; no samples of them are left")
		if $missing > 0;
	return details('Each round', join('', map { '<p>' . escape($_) . "</p>\n" } @lines));
}

# product($arms): of a limit, in words.
sub product
{
	my ($arms) = @_;

	return join(' * ', split(/,/, text($arms)));
}

# limit_figure($gnuplot, $limit, $read): a limit of Results.pm, with what
# read_samples gave, or undef.
sub limit_figure
{
	my ($gnuplot, $limit, $read) = @_;
	my ($name, $record) = @{$limit}{qw(name record)};
	my $rounds = $read ? ratios($limit, $read) : [];
	my $text = limit_sentence($limit);
	my ($of, $picture) = ('', '');

	$text = ($limit->{role} && $limit->{role} ne $limit->{word} ?
		" ($limit->{role})" : '') . ": $text";
	if ($record) {
		$of = 'of ' . text($record->{of}) . ': ' . product($record->{num}) .
			' over ' . product($record->{den}) .
			($record->{floor} ? ", $record->{floor} at least" : '');
		$of = '<div class="small">' . escape($of) . '</div>';
	}
	$picture = picture($gnuplot, limit_chart($limit, $rounds),
		"$name, round by round", "$limit->{word}$text") if @$rounds;
	return figure($picture, word($limit->{word}) . '<b>' . escape($name) . '</b>' .
		escape($text) . $of . (@$rounds ? limit_rounds($limit, $rounds) : ''));
}

# The metrics to show arms by: the time, and those of the limits that decide.
sub metrics
{
	my ($test) = @_;
	my %seen;
	my @records = grep { !$seen{$_->{of}}++ } {of => 'elapsed_ns'},
		map { $_->{record} // () } grep { $_->{role} ne 'info' } @{$test->{limits}};

	return splice(@records, 0, $METRICS_MAX);
}

sub metric_figure
{
	my ($gnuplot, $record, @arms) = @_;
	my @rows = rows($record, @arms) or return;
	my $of = text($record->{of});
	my $unit = unit($of, map { @{$_->{values}} } @rows);
	my $what = $of eq 'elapsed_ns' ? 'elapsed' : $of;
	my $title = "Arms by $what";
	my (@points, @cells);

	for my $row (@rows) {
		my @sorted = sort { $a <=> $b } @{$row->{values}};

		push(@points, {name => $row->{name}, marks => [$row->{median} / $unit->[0]],
			points => [map { $_ / $unit->[0] } @sorted]});
		push(@cells, [$row->{name}, (map { quantity($of, $_) }
			$row->{median}, $sorted[0], $sorted[-1]), scalar(@sorted)]);
	}
	my $axis = ($unit->[1] eq $of ? $of : "$what, $unit->[1]") =~ tr/_/ /r;
	return figure(picture($gnuplot, row_chart($axis, @points), $title,
			join(', ', map { "$_->[0] $_->[1]" } @cells)),
		'<b>' . escape($title) . '</b>' .
		table(['arm', 'median', 'least', 'most', 'rounds'], @cells));
}

# key(@lines): which colour is which line.
sub key
{
	my (@lines) = @_;
	my $class = $Charts::FIRST;

	return '<div>' . join(' ', map {
		'<span class="key"><svg viewBox="0 0 10 10" aria-hidden="true">' .
			'<circle cx="5" cy="5" r="4" class="f' . $class++ . '"/></svg>' .
			escape($_->{name}) . '</span>'
	} @lines) . "</div>\n";
}

sub scaling_figure
{
	my ($gnuplot, @arms) = @_;
	my @lines = scaling(@arms) or return;
	my $title = 'Operations a second by threads';
	my @cells;

	for my $line (@lines) {
		push(@cells, map { [$line->{name}, $_->[0], Arms::number($_->[1])] }
			@{$line->{points}});
	}
	@lines = splice(@lines, 0, $LINES_MAX);
	return figure(picture($gnuplot, scaling_chart(@lines), $title,
			join(', ', map { "$_->[0] by $_->[1]: $_->[2]" } @cells)),
		'<b>' . escape($title) . '</b>' . ($gnuplot ? key(@lines) : '') .
		table(['arms', 'threads', 'operations/s'], @cells));
}

sub latency_figure
{
	my ($gnuplot, $kind, @rows) = @_;
	my $unit = unit('p50_ns', map { $_->{values}[-1] } @rows);
	my $title = 'Latency of one ' .
		(text($kind) =~ s/_\z//r =~ tr/_/ /r || 'operation');
	my (@points, @cells);

	for my $row (@rows) {
		push(@points, {name => $row->{name}, points => [],
			marks => [map { $_ / $unit->[0] } @{$row->{values}}]});
		push(@cells, [$row->{name}, map { quantity('p50_ns', $_) } @{$row->{values}}]);
	}
	return figure(picture($gnuplot, row_chart($unit->[1], @points), $title,
			'from the median to the greatest: ' .
			join(', ', map { "$_->[0] $_->[1] to $_->[-1]" } @cells)),
		'<b>' . escape($title) . '</b>, medians of all rounds; points: 50, 99, ' .
		'99.9 % and the greatest' . details('Numbers',
		table(['arm', '50 %', '99 %', '99.9 %', 'greatest'], @cells)));
}

# arm_figures($gnuplot, $test, $read): the arms of a test of Results.pm by each of
# its metrics, by threads, and by the latency of single operations.
sub arm_figures
{
	my ($gnuplot, $test, $read) = @_;
	my @arms = arms($read);

	return ((map { metric_figure($gnuplot, $_, @arms) } metrics($test)),
		scaling_figure($gnuplot, @arms),
		map { latency_figure($gnuplot, @$_) } latencies(@arms));
}

1;
