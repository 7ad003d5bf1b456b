# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Pictures by gnuplot, one process for all of them, as SVG that stands in a page:
# without fixed colours, sizes, names and text of gnuplot's own.  It never sees a
# text that is not ours, not even where it is: TEXT[3] stands for the fourth of a
# picture's texts, and it writes to where it was started.
package Gnuplot;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Html qw(escape);
use Record;

our @EXPORT_OK = qw(colour);

# colour($class): a colour of a gnuplot script; in the page it is what the class
# fNUMBER (of fills) or sNUMBER (of strokes) has.
sub colour
{
	my ($class) = @_;

	return sprintf("rgb '#0102%02x'", $class);
}

# start(): a gnuplot that waits for pictures; undef where there is none.
sub start
{
	my ($program) = grep { -f && -x } map { "$_/gnuplot" }
		grep { m{\A/} } split(/:/, $ENV{PATH} // '') or return;
	require File::Temp;
	my $dir = File::Temp::tempdir('fsratio.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $pid = open(my $in, '|-') // die "gnuplot: $!\n";

	if (!$pid) {
		no warnings 'exec';
		open(STDOUT, '>', '/dev/null') && open(STDERR, '>', "$dir/errors") && chdir($dir) &&
			# As a file: it reads - byte by byte.
			(exec($program, '-d', '/dev/stdin') || print STDERR "$program: $!\n");
		close(STDERR);
		require POSIX;
		POSIX::_exit(127);
	}
	my $gnuplot = {dir => $dir, in => $in, pictures => []};
	print $in "set encoding utf8\n";
	return $gnuplot;
}

# draw($gnuplot, {width, height, script, texts => [...], title, text}): draw it;
# how svg() knows it.
sub draw
{
	my ($gnuplot, $picture) = @_;
	my $number = push(@{$gnuplot->{pictures}}, {map { $_ => $picture->{$_} }
		qw(width height texts title text)}) - 1;
	my $in = $gnuplot->{in};

	local $SIG{PIPE} = 'IGNORE';
	print $in "reset\nset term svg size $picture->{width},$picture->{height} ",
		"dynamic noenhanced font 'sans-serif,12'\n",
		"set output '$number.svg'\n$picture->{script}";
	return $number;
}

# finish($gnuplot): wait until all are drawn; '', or what gnuplot complained of.
sub finish
{
	my ($gnuplot) = @_;

	local $SIG{PIPE} = 'IGNORE';
	return '' if close($gnuplot->{in});
	open(my $errors, '<', "$gnuplot->{dir}/errors") or return 'it did not start';
	my ($line) = grep { /\S/ && !/\A\s*\^/ } map { Record::text(s/\s+\z//r) } <$errors>;
	return $line // 'it ended early';
}

# svg($gnuplot, $number): the picture; '' where it was not drawn.
sub svg
{
	my ($gnuplot, $number) = @_;
	my $picture = $gnuplot->{pictures}[$number];

	open(my $file, '<', "$gnuplot->{dir}/$number.svg") or return '';
	my $svg = do { local $/; <$file> } // '';
	close($file);
	unlink("$gnuplot->{dir}/$number.svg");
	$svg =~ m{</defs>(.*)</g>\s*</svg>\s*\z}s or return '';
	my $body = tidied($1);
	$body =~ s/TEXT\[(\d+)\]/escape($picture->{texts}[$1] \/\/ '')/ge;
	return qq{<svg viewBox="0 0 $picture->{width} $picture->{height}" role="img" } .
		qq{aria-labelledby="p$number"><title id="p$number">} .
		escape("$picture->{title}. $picture->{text}") . "</title>\n$body</svg>";
}

# The same lines and points in a quarter of the bytes: with classes for colours,
# with neither groups that hold nothing nor what the style sheet says anyway.
sub tidied
{
	my ($svg) = @_;
	my $number = qr/-?[\d.]+/;
	my $colour = qr/rgb\(\s*1,\s*2,\s*(\d+)\)/;
	my $default = qr/fill="none"|stroke=["']currentColor["']|stroke-width="1\.00"/;

	$svg =~ s{<title>.*?</title>}{}gs;
	$svg =~ s{ (?:id|class)="[^"]*"}{}g;
	$svg =~ s{<use[ ]xlink:href='\#gpPt(\d+)'[ ]
		transform='translate\(($number),($number)\)[ ]scale\(($number)\)'[ ]
		color='$colour'/>}{point($1, $2, $3, $4, $5)}gex;
	$svg =~ s{fill\s*=\s*'$colour'}{class="f$1"}g;
	$svg =~ s{stroke\s*=\s*(["'])$colour\1}{class="s$2"}g;
	$svg =~ s{(["'])black\1}{"currentColor"}g;
	$svg =~ s{ (?:color|font-family|font-size|stroke-line\w+)="[^"]*"}{}g;
	$svg =~ s{ $default(?=[ >])}{}g;
	$svg =~ s{<g[ ]transform="translate\(($number),($number)\)"[ ]stroke="none"[ ]
		fill="currentColor"\s+text-anchor="(\w+)">\s*<text>(.*?)</text>\s*</g>}
		{<text x="$1" y="$2" class="$3">$4</text>}gsx;
	$svg =~ s{(?<=\d)\.00(?=[ ,"'])}{}g;
	$svg =~ s{[ \t]*\n\s*}{\n}g;
	1 while $svg =~ s{<g[^>]*>\s*</g>\n?}{}g;
	1 while $svg =~ s{<g\s*>((?:(?!</?g[ >]).)*)</g>\n?}{$1}gs;
	return $svg =~ s{\A\s+}{}r;
}

# Even numbers of gnuplot's are solid circles, odd ones are rings.
sub point
{
	my ($type, $x, $y, $scale, $colour) = @_;
	my $class = ($type % 2 ? 's' : 'f') . $colour;

	return qq{<circle cx="$x" cy="$y" r="$scale" class="$class"/>};
}

1;
