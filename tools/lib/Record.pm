# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The one record format, KIND KEY=VALUE..., and text of unknown origin.  README
# says what a record is.  What is malformed dies with one line, "FILE:LINE: what
# is there, expected what\n".
package Record;

use strict;
use warnings;
use Exporter qw(import);
use Fcntl qw(O_NOFOLLOW O_NONBLOCK O_RDONLY);

our @EXPORT_OK = qw(each_record excerpt expected open_file record text wrong);

# Nothing that check writes comes near these.
my $FILE_BYTES_MAX = 64 << 20;
my $LINE_BYTES_MAX = 200_000;

# Patterns of values, each with its words in a message: for expected().
our @INTEGER = (qr/\A(?:0|[1-9]\d{0,18})\z/, 'an integer from 0');
our @SECONDS = (qr/\A(?:0|[1-9]\d{0,10})\z/, 'seconds since 1970');
our @NUMBER = (qr/\A-?(?:0|[1-9]\d*)(?:\.\d+)?\z/, 'a decimal number');
# No value is empty.
our @ANY = (undef, 'a value');

# text($bytes): as text of one line.
sub text
{
	my ($text) = @_;

	return $text if $text !~ /[^ -~]/;
	# Few have any, and it takes as long to load as all of ours.
	require Encode;
	# What is text already may stand in a line with what is none.
	$text = Encode::decode('UTF-8', $text) if !utf8::is_utf8($text);
	$text =~ s/[\t\n\r\x{85}\x{2028}\x{2029}]+/ /g;
	$text =~ s/[\x00-\x1f\x7f-\x9f\x{fffe}\x{ffff}]/\x{fffd}/g;
	return $text;
}

# open_file($file): to read its bytes; undef where there is none.  Results may be a
# stranger's: what is no file (a link leads anywhere, a FIFO has no end) dies with one
# line and is not opened.
sub open_file
{
	my ($file) = @_;

	lstat($file) or return undef;
	-f _ or die text("$file: " . (-l _ ? 'a symbolic link' : 'a directory, FIFO or device') .
		', expected a file') . "\n";
	sysopen(my $in, $file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
		or die text("$file: $!") . "\n";
	# What stood there was put in its place just now.
	die text("$file: no file any more") . "\n" if !-f $in;
	return $in;
}

# excerpt($file, $bytes): the last whole lines of a file of any size and content,
# $bytes at most, as text with line ends, or why not; '' where there is no such file.
sub excerpt
{
	my ($file, $bytes) = @_;
	my $in = eval { open_file($file) } // return $@;

	my $cut = -s $in > $bytes;
	seek($in, -$bytes, 2) if $cut;
	read($in, my $content, $bytes) // die text("$file: $!") . "\n";
	$content =~ s/\A[^\n]*\n// if $cut;
	return join('', map { text($_) . "\n" } split(/\n/, $content));
}

# record($line): (kind, {key => value}) of one record, bytes as they are; or
# (undef, what is wrong with it).
sub record
{
	my ($line) = @_;
	my ($kind, @fields) = split(/[ =]/, $line);
	my %key;

	# Most are right; one look at all of it says so.
	if ($line =~ /\A[a-z]+(?: [a-z][a-z0-9_]*=[^\s=]{1,32000})+\z/) {
		%key = @fields;
		return ($kind, \%key) if keys(%key) * 2 == @fields;
	}
	%key = ();
	($kind, @fields) = split(/ /, $line);
	for my $field (@fields) {
		my ($key, $value) = $field =~ /\A([a-z][a-z0-9_]*)=([^\s=]{1,32000})\z/
			or return (undef, "'$field', expected KEY=VALUE");
		return (undef, "$key= twice, expected once") if exists($key{$key});
		$key{$key} = $value;
	}
	return (undef, "'$line', expected KIND KEY=VALUE...");
}

# each_record($file, $sub, torn): $sub->(kind, keys) for each record, and
# $sub->('#', comment) for each comment.  What $sub returns, where it is true, is
# wrong with the record.  With torn a last line without its end is no fault: it
# is left out.  False where there is no such file.
sub each_record
{
	my ($file, $sub, $torn) = @_;

	my $in = open_file($file) or return 0;
	my $size = -s $in;
	die text("$file: $size bytes, expected at most $FILE_BYTES_MAX") . "\n"
		if $size > $FILE_BYTES_MAX;
	while (my $line = <$in>) {
		my $wrong = $torn ? '' : 'no line end, expected a whole line';
		if (length($line) > $LINE_BYTES_MAX) {
			$wrong = length($line) . " bytes, expected at most $LINE_BYTES_MAX";
		} elsif (chomp($line)) {
			my ($kind, $keys) = $line =~ /\A#/ ? ('#', $line) :
				record($line);
			$wrong = $kind ? $sub->($kind, $keys) : $keys;
		}
		next if !$wrong;
		$wrong = substr($wrong, 0, 300) . ' ...' if length($wrong) > 304;
		die text("$file:$.: $wrong") . "\n";
	}
	return 1;
}

# expected(KEY => [pattern, words]...): what wrong() holds the keys of a record to.
# A key with ? in front may be missing.
sub expected
{
	my (%expected) = @_;

	return [map { [s/\A\?//r, !!/\A\?/, @{$expected{$_}}] } sort(keys(%expected))];
}

# wrong($keys, $expected): what is wrong with the keys of a record, undef = nothing.
sub wrong
{
	my ($keys, $expected) = @_;

	for my $key (@$expected) {
		my ($name, $optional, $pattern, $words) = @$key;
		my $value = $keys->{$name};
		next if $optional && !defined($value);
		return "no $name=, expected it" if !defined($value);
		return "$name=$value, expected $words"
			if $pattern && $value !~ $pattern;
	}
	return;
}

1;
