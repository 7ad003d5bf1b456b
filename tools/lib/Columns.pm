# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Plain text for people: tables in columns, and paragraphs.
package Columns;

use strict;
use warnings;
use Exporter qw(import);
use Text::Wrap ();

our @EXPORT_OK = qw(columns continued wrapped);

# columns([cell...]...): rows of cells, as lines; a column whose cells below the first
# row all begin with a digit, or are empty, stands to the right.
sub columns
{
	my (@rows) = @_;
	my (@width, @text);

	for my $row (@rows) {
		for my $i (0 .. $#$row) {
			$width[$i] = length($row->[$i]) if length($row->[$i]) >= ($width[$i] // 0);
			$text[$i] ||= $row != $rows[0] && $row->[$i] !~ /\A(?:\d|\z)/;
		}
	}
	return map {
		my $row = $_;
		join('  ', map { sprintf($text[$_] ? '%-*s' : '%*s', $width[$_], $row->[$_]) }
			0 .. $#$row) =~ s/ +\z//r;
	} @rows;
}

# wrapped($width, $indent, $text): as lines of at most that many columns, but for
# words that are longer.
sub wrapped
{
	my ($width, $indent, $text) = @_;

	local $Text::Wrap::columns = $width + 1;
	local $Text::Wrap::huge = 'overflow';
	local $Text::Wrap::unexpand = 0;
	return split(/\n/, Text::Wrap::wrap($indent, $indent, $text));
}

# continued($width, $indent, $command): a command for a shell in lines of at most that
# many columns, where its words are not longer; all but the last end in a backslash.
# Blanks within quotes are no ends of words.
sub continued
{
	my ($width, $indent, $command) = @_;
	my @words = $command =~ /\G((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|\S+)\s*/g;
	my @lines = ('');

	for my $word (@words) {
		push(@lines, '    ') if $lines[-1] =~ /\S/ &&
			length("$indent$lines[-1] $word \\") > $width;
		$lines[-1] .= ($lines[-1] =~ /\S\z/ ? ' ' : '') . $word;
	}
	return map { $indent . $lines[$_] . ($_ < $#lines ? ' \\' : '') } 0 .. $#lines;
}

1;
