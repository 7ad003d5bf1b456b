# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Tables of Markdown.
package Markdown;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(escape head natural row);

# escape($text): as it stands, in a table too.
sub escape
{
	return $_[0] =~ s/([|\\`*<>\[\]#])/\\$1/gr;
}

# row(@cells): a row of a table.
sub row
{
	return '| ' . join(' | ', map { escape($_ // '') } @_) . " |\n";
}

# head(@cells): the first row, and what belongs below it.
sub head
{
	return row(@_) . '|---' x @_ . "|\n";
}

# natural($text): a key that sorts numbers within the text by their value.
sub natural
{
	return $_[0] =~ s/(\d+)/sprintf('%09d', $1)/ger;
}

1;
