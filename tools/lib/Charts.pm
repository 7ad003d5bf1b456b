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
my ($FG, $GOOD, $BAD, $LIMIT, $BAND, $FAINT, $FIRST, $COLOURS) = (0 .. 6, 6);
my $NAME_LENGTH = 52;

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
		return @tics > 6 ? @tics[grep { $_ % int((@tics + 5) / 6) == 0 } 0 .. $#tics] : @tics
			if @tics >= 3;
	}
	my $step = 10 ** int(log(($high - $low) / 3) / log(10) - 1);
	($step) = grep { ($high - $low) / $_ <= 5 } map { $_ * $step } 1, 2, 5, 10, 20, 50, 100;
	return map { $_ * $step } int($low / $step) + 1 .. int($high / $step);
}

# What stands at a tic.
sub tic
{
	my ($value) = @_;
	my ($divisor, $sign) = $value >= 1e6 ? (1e6, 'M') : $value >= 1e4 ? (1e3, 'k') : (1, '');

	return sprintf('%g%s', $value / $divisor, $sign);
}

# log_axis($axis, @values): the commands for a logarithmic axis with room for all
# of the values.
sub log_axis
{
	my ($axis, @values) = @_;
	my ($low, $high) = (min(@values), max(@values));
	my $room = max(1.08, ($high / $low) ** .06, (1.5 * $low / $high) ** .5);

	$low /= $room;
	$high *= $room;
	return sprintf("set logscale %s\nset %srange [%.6g:%.6g]\nset %stics (%s) out scale .5 nomirror%s\n",
		$axis, $axis, $low, $high, $axis,
		join(',', map { sprintf("'%s' %.6g", tic($_), $_) } log_tics($low, $high)),
		$axis eq 'x' ? ' offset 0,.4' : '');
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
		'$d' . $number++ . " << E\n" . join('', map { sprintf("%.6g %.6g\n", @$_) } @{$_->[0]}) . "E\n";
	} @plots);

	$number = 0;
	return $data . 'plot ' . join(', ', map { '$d' . $number++ . " $_->[1]" } @plots) . "\n";
}

# limit_chart($limit, $rounds): the ratio of every round against the limit, with the
# interval; $rounds as Ratios::ratios gives them, not empty.
sub limit_chart
{
	my ($limit, $rounds) = @_;
	my %numbers = @{$limit->{numbers}};
	my ($side) = grep { defined($numbers{$_}) && $numbers{$_} > 0 } qw(max min);
	my $at = $side ? $numbers{$side} : undef;
	my (%points, @tics, @breaks, $x, $from, $to);
	my $step = int((@$rounds + 11) / 12);

	for my $round (@$rounds) {
		my $bad = defined($at) && ($side eq 'max' ? $round->{ratio} > $at * (1 + 1e-12) :
			$round->{ratio} < $at * (1 - 1e-12));

		push(@breaks, $x + .5) if $x++ && $round->{series} ne $rounds->[$x - 2]{series};
		# The interval is that of the series that settled the limit.
		($from, $to) = ($breaks[-1] // .5, $x + .5) if $round->{state} eq 'counted';
		push(@tics, $x) if ($round->{round} - 1) % $step == 0;
		push(@{$points{($round->{state} eq 'counted' ? '' : 'not ') .
			($bad ? 'bad' : 'good')}}, [$x, $round->{ratio}]);
	}
	my $height = 196;
	my @interval = grep { defined && $_ > 0 } @numbers{qw(lo hi ratio)};
	my @values = ((map { $_->{ratio} } @$rounds), @interval, $at // ());
	my $script = frame($height, 46, 12, 20, 40) . log_axis('y', @values) .
		sprintf("set xrange [.5:%d.5]\nset xtics (%s) out scale .5 nomirror offset 0,.4\n", $x,
			join(',', map { "'$rounds->[$_ - 1]{round}' $_" } @tics)) .
		"set label 'round' at screen .545,screen .035 center\n";
	if (defined($at)) {
		$script .= sprintf("set object rect from graph 0,first %.6g to graph 1,graph %d behind fs solid .1 noborder fc %s\n",
			$at, $side eq 'max' ? 1 : 0, colour($BAD)) .
			sprintf("set arrow from graph 0,first %.6g to graph 1,first %.6g nohead lw 1.5 lc %s\n", $at, $at, colour($LIMIT)) .
			sprintf("set label 'limit: at %s %s' at graph 1,first %.6g right offset -.5,%s\n",
				$side eq 'max' ? 'most' : 'least', $numbers{$side}, $at,
				$at ** 2 < min(@values) * max(@values) ? '.55' : '-.6');
	}
	if (@interval == 3 && defined($from)) {
		$script .= sprintf("set object rect from first %.6g,first %.6g to first %.6g,first %.6g behind fs solid .2 noborder fc %s\n",
			$from, $interval[0], $to, $interval[1], colour($BAND)) .
			sprintf("set arrow from first %.6g,first %.6g to first %.6g,first %.6g nohead lw 1.5 lc %s\n",
				$from, $interval[2], $to, $interval[2], colour($BAND));
	}
	$script .= sprintf("set arrow from first %.6g,graph 0 to first %.6g,graph 1 nohead dt 2 lc %s\n" .
		"set label 'set up again' at first %.6g,graph 1.06 left\n", $_, $_, colour($FAINT), $_) for @breaks;
	return {width => $WIDTH, height => $height, texts => [], script => $script . plot(
		[$points{good} // [], 'with points pt 7 ps .6 lc ' . colour($GOOD)],
		[$points{bad} // [], 'with points pt 7 ps .6 lc ' . colour($BAD)],
		[$points{'not good'} // [], 'with points pt 6 ps .6 lc ' . colour($GOOD)],
		[$points{'not bad'} // [], 'with points pt 6 ps .6 lc ' . colour($BAD)])};
}

# row_chart($unit, {name, points, marks}...): a row each on one logarithmic axis:
# points (or a line from the first mark to the last), and marks: the first a tick
# where there are points; undef where no row has one.
sub row_chart
{
	my ($unit, @rows) = @_;
	my @values = map { @{$_->{points}}, @{$_->{marks}} } @rows;
	my $height = 46 + 30 * @rows;
	my (@points, @marks, @texts);

	@values or return;
	my $script = frame($height, 22, 22, 2, 38) . log_axis('x', @values) .
		sprintf("set border 1\nunset ytics\nset yrange [%d:0]\nset grid xtics lw .5 lc %s\n", scalar(@rows), colour($FAINT)) .
		sprintf("set label 'TEXT[%d]' at screen .5,screen %.4f center\n", scalar(@rows), 7 / $height);
	for my $row (@rows) {
		my $y = @texts;
		my ($from, $to) = @{$row->{marks}}[0, -1];

		$script .= sprintf("set label 'TEXT[%d]' at graph 0,first %.6g left offset .2,0\n", $y, $y + .28);
		push(@texts, length($row->{name}) > $NAME_LENGTH ?
			substr($row->{name}, 0, $NAME_LENGTH) . "\x{2026}" : $row->{name});
		push(@points, map { [$_, $y + .72] } @{$row->{points}});
		if (@{$row->{points}} && defined($from)) {
			$script .= sprintf("set arrow from first %.6g,first %.6g to first %.6g,first %.6g nohead lw 2.5 lc %s front\n",
				$from, $y + .52, $from, $y + .92, colour($FG));
		} elsif (defined($from)) {
			$script .= sprintf("set arrow from first %.6g,first %.6g to first %.6g,first %.6g nohead lw 1.5 lc %s\n",
				$from, $y + .72, $to, $y + .72, colour($BAND));
			push(@marks, map { [$_, $y + .72] } @{$row->{marks}});
		}
	}
	push(@texts, $unit);
	return {width => $WIDTH, height => $height, texts => \@texts, script => $script .
		plot([\@points, 'with points pt 6 ps .5 lc ' . colour($BAND)],
			[\@marks, 'with points pt 7 ps .55 lc ' . colour($BAND)])};
}

# scaling_chart({name, points => [[threads, operations a second]...]}...): a line
# each; at most as many as there are colours.
sub scaling_chart
{
	my (@lines) = @_;
	my $height = 200;
	my @points = map { @{$_->{points}} } @lines;
	my %threads = map { $_->[0] => 1 } @points;
	my ($low, $high) = (min(keys(%threads)), max(keys(%threads)));
	my $number = 0;

	return {width => $WIDTH, height => $height, texts => [], script =>
		frame($height, 58, 14, 8, 40) . log_axis('y', map { $_->[1] } @points) .
		sprintf("set logscale x\nset xrange [%.6g:%.6g]\nset xtics (%s) out scale .5 nomirror offset 0,.4\n",
			$low * .9, $high * 1.1, join(',', map { "'$_' $_" } sort { $a <=> $b } keys(%threads))) .
		"set label 'threads' at screen .55,screen .035 center\n" .
		plot(map { [$_->{points}, sprintf('with linespoints lw 1.75 dt %d pt 7 ps .6 lc %s',
			$number + 1, colour($FIRST + $number++ % $COLOURS))] } @lines)};
}

1;
