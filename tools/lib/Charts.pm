# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What pictures there are: each is what Gnuplot::draw() takes.  They are 400 units
# wide, which a phone shows as they are.
package Charts;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use List::Util qw(max min);
use lib dirname(__FILE__);
use Gnuplot qw(colour);

our @EXPORT_OK = qw(limit_chart row_chart scaling_chart);

my $WIDTH = 400;
# Classes of colours, as Html.pm has them.
my ($FG, $GOOD, $BAD, $LIMIT, $BAND, $FAINT) = 0 .. 5;
# Of the first of several lines.
our $FIRST = 6;
my $NAME_LENGTH = 52;
# Of a text, as parts of a picture of rounds.
my ($LETTER_WIDTH, $LABEL_HEIGHT) = (.021, .14);

# log_tics($low, $high): values to write on a logarithmic axis.
sub log_tics
{
	my ($low, $high) = @_;
	my @tics;

	for my $steps ([1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]) {
		my @decades = map { 10 ** $_ } int(log($low) / log(10)) - 1 ..
			int(log($high) / log(10)) + 1;

		@tics = grep { $_ >= $low && $_ <= $high } map {
			my $decade = $_;
			map { $decade * $_ } @$steps;
		} @decades;
		next if @tics < 3;
		my $each = int((@tics + 5) / 6);
		return @tics[grep { $_ % $each == 0 } 0 .. $#tics];
	}
	my $step = 10 ** int(log(($high - $low) / 3) / log(10) - 1);
	($step) = grep { ($high - $low) / $_ <= 5 } map { $_ * $step }
		1, 2, 5, 10, 20, 50, 100;
	return map { $_ * $step } int($low / $step) + 1 .. int($high / $step);
}

# What stands at a tic.
sub tic
{
	my ($value) = @_;
	my ($divisor, $sign) = $value >= 1e6 ? (1e6, 'M') : $value >= 1e4 ? (1e3, 'k') : (1, '');

	return sprintf('%g%s', $value / $divisor, $sign);
}

# log_range(@values): the ends of a logarithmic axis with room for all of the values.
sub log_range
{
	my ($low, $high) = (min(@_), max(@_));
	my $room = max(1.08, ($high / $low) ** .06, (1.5 * $low / $high) ** .5);

	return ($low / $room, $high * $room);
}

# log_axis($axis, @values): the commands for one.
sub log_axis
{
	my ($axis, @values) = @_;
	my ($low, $high) = log_range(@values);

	return sprintf("set logscale %s\nset %srange [%.6g:%.6g]\nset %stics (%s) %s\n",
		$axis, $axis, $low, $high, $axis,
		join(',', map { sprintf("'%s' %.6g", tic($_), $_) } log_tics($low, $high)),
		'out scale .5 nomirror' . ($axis eq 'x' ? ' offset 0,.4' : ''));
}

# frame($height, left, right, top, bottom margins): commands.
sub frame
{
	my ($height, $left, $right, $top, $bottom) = @_;

	return sprintf("unset key\nset border 3 lw .75\nset lmargin at screen %.4f\n" .
		"set rmargin at screen %.4f\nset tmargin at screen %.4f\n" .
		"set bmargin at screen %.4f\n", $left / $WIDTH, 1 - $right / $WIDTH,
		1 - $top / $height, $bottom / $height);
}

# plot([points, commands]...): those that have points; [x, y] each.
sub plot
{
	my @plots = grep { @{$_->[0]} } @_;
	my $number = 0;
	my $data = join('', map {
		'$d' . $number++ . " << E\n" .
			join('', map { sprintf("%.6g %.6g\n", @$_) } @{$_->[0]}) . "E\n";
	} @plots);

	$number = 0;
	return $data . 'plot ' . join(', ', map { '$d' . $number++ . " $_->[1]" } @plots) . "\n";
}

# area($from_x, $from_y, $to_x, $to_y, $opacity, $class): a filled one behind all;
# places as gnuplot has them, "graph 0" or "first 2.5".
sub area
{
	my ($from_x, $from_y, $to_x, $to_y, $opacity, $class) = @_;

	return "set object rect from $from_x,$from_y to $to_x,$to_y behind " .
		"fs solid $opacity noborder fc " . colour($class) . "\n";
}

# line($from_x, $from_y, $to_x, $to_y, $style, $class)
sub line
{
	my ($from_x, $from_y, $to_x, $to_y, $style, $class) = @_;

	return "set arrow from $from_x,$from_y to $to_x,$to_y nohead $style lc " .
		colour($class) . "\n";
}

# at($value): a place on an axis.
sub at
{
	my ($value) = @_;

	return sprintf('first %.6g', $value);
}

# drawable(@values): whether there are some, and an axis has room for all.
sub drawable
{
	return @_ && !grep { !($_ > 1e-30 && $_ < 1e30) } @_;
}

# label_place($length, $at, @points): the place, but for that of the line, of a text of
# so many letters at a line $at high that hides the fewest points; all from 0 to 1.
sub label_place
{
	my ($length, $at, @points) = @_;
	my ($place, $fewest);

	for my $right (1, 0) {
		# First where there is more room.
		for my $above ($at < .5 ? (1, 0) : (0, 1)) {
			my $bottom = $above ? $at : $at - $LABEL_HEIGHT;
			my $hidden = grep {
				my ($x, $y) = @$_;
				($right ? 1 - $x : $x) < $length * $LETTER_WIDTH && $y > $bottom &&
					$y < $bottom + $LABEL_HEIGHT;
			} @points;

			$hidden += @points if $bottom < 0 || $bottom + $LABEL_HEIGHT > 1;
			($fewest, $place) = ($hidden, ($right ? 'graph 1,%s right offset -.5,' :
				'graph 0,%s left offset .5,') . ($above ? '.55' : '-.6'))
				if !defined($fewest) || $hidden < $fewest;
		}
	}
	return $place;
}

# limit_line($numbers, \@ratios, @values): the limit itself, and the ground beyond it,
# in a picture of the ratios of all rounds on an axis for the values.
sub limit_line
{
	my ($numbers, $ratios, @values) = @_;
	my ($side) = grep { defined($numbers->{$_}) } qw(max min) or return '';
	my $limit = $numbers->{$side};
	my $place = at($limit);
	my $label = 'limit: at ' . ($side eq 'max' ? 'most' : 'least') . " $limit";
	my ($low, $high) = log_range(@values);
	my ($height, @y) = map { log($_ / $low) / log($high / $low) } $limit, @$ratios;
	my @points = map { [($_ + .5) / @y, $y[$_]] } 0 .. $#y;

	return area('graph 0', $place, 'graph 1', $side eq 'max' ? 'graph 1' : 'graph 0',
			.1, $BAD) . line('graph 0', $place, 'graph 1', $place, 'lw 1.5', $LIMIT) .
		sprintf("set label '$label' at " . label_place(length($label), $height, @points) . "\n", $place);
}

# is_bad($numbers, $ratio): as src/judge.c has it.
sub is_bad
{
	my ($numbers, $ratio) = @_;

	return $ratio > $numbers->{max} * (1 + 1e-12) if defined($numbers->{max});
	return defined($numbers->{min}) && $ratio < $numbers->{min} * (1 - 1e-12);
}

# limit_chart($limit, $rounds): the ratio of every round against the limit, with the
# interval; $rounds as Ratios::ratios gives them.  Rings are rounds that do not
# count.  undef: nothing to draw, as of the other charts.
sub limit_chart
{
	my ($limit, $rounds) = @_;
	my %numbers = @{$limit->{numbers}};
	my @interval = grep { defined } @numbers{qw(lo hi ratio)};
	my @values = ((map { $_->{ratio} } @$rounds), @interval,
		grep { defined } @numbers{qw(max min)});
	my $step = int((@$rounds + 11) / 12);
	my (%points, @tics, @breaks, $from, $to);
	my ($x, $height) = (0, 196);

	drawable(@values) or return undef;
	for my $round (@$rounds) {
		my $counted = $round->{state} eq 'counted' ? 'counted' : 'not';
		my $bad = is_bad(\%numbers, $round->{ratio}) ? 'bad' : 'good';

		push(@breaks, $x + .5) if $x++ &&
			$round->{series} != $rounds->[$x - 2]{series};
		# The interval is that of the series that settled the limit.
		($from, $to) = ($breaks[-1] // .5, $x + .5) if $counted eq 'counted';
		push(@tics, "'$round->{round}' $x") if ($round->{round} - 1) % $step == 0;
		push(@{$points{"$counted $bad"}}, [$x, $round->{ratio}]);
	}
	my $script = frame($height, 46, 12, 20, 40) . log_axis('y', @values) .
		"set xrange [.5:$x.5]\nset xtics (" . join(',', @tics) .
		") out scale .5 nomirror offset 0,.4\n" .
		"set label 'round' at screen .545,screen .035 center\n" .
		limit_line(\%numbers, [map { $_->{ratio} } @$rounds], @values);
	if (@interval == 3 && defined($from)) {
		my ($lo, $hi, $ratio) = map { at($_) } @interval;

		$script .= area(at($from), $lo, at($to), $hi, .2, $BAND) .
			line(at($from), $ratio, at($to), $ratio, 'lw 1.5', $BAND);
	}
	for my $break (map { at($_) } @breaks) {
		$script .= line($break, 'graph 0', $break, 'graph 1', 'dt 2', $FAINT) .
			"set label 'set up again' at $break,graph 1.06 left\n";
	}
	return {width => $WIDTH, height => $height, texts => [], script => $script . plot(map {
		[$points{$_->[0]} // [], "with points pt $_->[1] ps .6 lc " . colour($_->[2])]
	} ['counted good', 7, $GOOD], ['counted bad', 7, $BAD], ['not good', 6, $GOOD],
		['not bad', 6, $BAD])};
}

# row_chart($unit, {name, points, marks}...): a row each on one logarithmic axis:
# points with a tick at the first mark, or a line from the first to the last mark.
sub row_chart
{
	my ($unit, @rows) = @_;
	my @values = map { @{$_->{points}}, @{$_->{marks}} } @rows;
	my $height = 46 + 30 * @rows;
	my (@points, @marks, @texts);

	drawable(@values) or return undef;
	my $script = frame($height, 22, 22, 2, 38) . log_axis('x', @values) .
		"set border 1\nunset ytics\nset yrange [" . @rows . ":0]\n" .
		'set grid xtics lw .5 lc ' . colour($FAINT) . "\n" .
		sprintf("set label 'TEXT[%d]' at screen .5,screen %.4f center\n",
			scalar(@rows), 7 / $height);
	for my $row (@rows) {
		my $top = @texts;
		my ($middle, $from, $to) = ($top + .72, map { at($_) } @{$row->{marks}}[0, -1]);

		$script .= sprintf("set label 'TEXT[%d]' at graph 0,%s left offset .2,0\n",
			$top, at($top + .28));
		push(@texts, length($row->{name}) > $NAME_LENGTH ?
			substr($row->{name}, 0, $NAME_LENGTH) . "\x{2026}" : $row->{name});
		push(@points, map { [$_, $middle] } @{$row->{points}});
		if (@{$row->{points}}) {
			$script .= line($from, at($middle - .2), $from, at($middle + .2),
				'front lw 2.5', $FG);
		} else {
			$script .= line($from, at($middle), $to, at($middle), 'lw 1.5', $BAND);
			push(@marks, map { [$_, $middle] } @{$row->{marks}});
		}
	}
	return {width => $WIDTH, height => $height, texts => [@texts, $unit],
		script => $script . plot(
		[\@points, 'with points pt 6 ps .5 lc ' . colour($BAND)],
		[\@marks, 'with points pt 7 ps .55 lc ' . colour($BAND)])};
}

# scaling_chart({name, points => [[threads, operations a second]...]}...): a line
# each; as many as there are colours.
sub scaling_chart
{
	my (@lines) = @_;
	my @points = map { @{$_->{points}} } @lines;
	my @rates = map { $_->[1] } @points;
	my %threads = map { $_->[0] => 1 } @points;
	my @threads = sort { $a <=> $b } keys(%threads);
	my ($number, $height) = (0, 200);

	drawable(@rates, @threads) or return undef;
	return {width => $WIDTH, height => $height, texts => [], script =>
		frame($height, 58, 14, 8, 40) . log_axis('y', @rates) .
		sprintf("set logscale x\nset xrange [%.6g:%.6g]\n", $threads[0] * .9,
			$threads[-1] * 1.1) . 'set xtics (' .
		join(',', map { "'$_' $_" } @threads) . ") out scale .5 nomirror offset 0,.4\n" .
		"set label 'threads' at screen .55,screen .035 center\n" . plot(map {
		[$_->{points}, sprintf('with linespoints lw 1.75 dt %d pt 7 ps .6 lc %s',
			$number + 1, colour($FIRST + $number++))]
	} @lines)};
}

1;
