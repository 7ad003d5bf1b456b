# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests that damage what is read: the same damage for the same seed and
# number, how long to go on, and what becomes of a finding.
#
#	FUZZ_SECONDS	for each target, for hours of it; short without
#	FUZZ_SEED	another number gives other damage
#	FUZZ_KEEP	a directory for findings, else one in TMPDIR
package FuzzRun;

use strict;
use warnings;
use CheckRun qw(spew);
use Exporter qw(import);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use HelperRun qw(slurp);
use Test::More ();

our @EXPORT = qw(damage fuzz_seconds keep_finding one_line pick read_archive
	seed_case show_speed slurp spew work_dir write_archive write_tree);

our $seed = $ENV{FUZZ_SEED} // 20260101;
# libFuzzer's are of 32 bits; 0 would be a random one.
die "FUZZ_SEED is '$seed', expected 1 to 4294967295\n"
	if $seed !~ /\A[1-9]\d{0,9}\z/ || $seed > 4_294_967_295;

# What a shell, a terminal, a page or a number parser would take for more than text; X
# is a file that none of them may make.
our @hostile = ('$(>X)', '`>X`', ';>X', '|>X', '>X', '|touch X', '&& >X', "\n>X\n", '<X', '${X:=1}', '$((X=1))',
	'"', "'", '\\', '<b>', '</pre>', ']]>', '&amp;', '&#0;', '<!--', '%', '%s%n', '%0A', '%00', '%0', '%FF', '%C2%85',
	'%1B[31m', '%E2%80%AE', "\0", "\r", "\e[2J", "\x{7f}", "\xff", "\xc3\xa4", "\xe2\x80\xae", "\xef\xbf\xbf", "\xed\xa0\x80",
	' ', "\t", '=', '==', ' =', '#', '# ', ' # SKIP', '/', '../', '../../../../etc/passwd', '/etc/passwd', '--help', '-', '*',
	'[a]', '{a,b}', '~', ',', ',,', ';', '0', '-0', '00', '-1', '1e9', '0x10', '1.', '.5', '0.0000000000000000001', 'nan', 'inf',
	'18446744073709551615', '9223372036854775807', '9999999999999999999', '1' . '0' x 320, 'x' x 300, 'y ' x 4000,
	'pass', 'fail', 'final', 'elapsed_ns', 'elapsed_ns/ops', 'ops/ops', 'TEXT[0]', 'E', '$d0 << E');

# work_dir(): a fresh directory, gone at the end.
sub work_dir
{
	return tempdir('fsratio-fuzz.XXXXXX', TMPDIR => 1, CLEANUP => 1);
}

# seed_case($number): what random numbers follow depends on it and the seed alone.
sub seed_case
{
	srand(($seed * 1_000_003 + $_[0]) % 4_294_967_291);
}

sub pick
{
	return $_[rand(@_)];
}

# fuzz_seconds($short): for how long to go on.
sub fuzz_seconds
{
	my $seconds = $ENV{FUZZ_SECONDS} // $_[0];

	die "FUZZ_SECONDS is '$seconds', expected a whole number from 1 on\n" if $seconds !~ /\A[1-9]\d{0,6}\z/;
	return $seconds;
}

# damage($bytes, @pieces): with one or a few faults in it, of what stands in @hostile
# and @pieces, or of its own.
sub damage
{
	my ($bytes, @pieces) = @_;

	@pieces = (@hostile, @pieces);
	for (0 .. int(rand(3))) {
		my $at = int(rand(length($bytes) + 1));
		my $kind = int(rand(13));

		if ($kind < 2) {
			substr($bytes, $at, 0, pick(@pieces));
		} elsif ($kind < 4) {
			# The value of a key
			my @values = $bytes =~ /=\K[^\s=]+/g or next;
			my $old = pick(@values);
			my $new = rand() < .5 ? pick(@pieces) : $old . pick(@pieces);
			# As a record holds it, where it will be read.
			$new =~ s/([^A-Za-z0-9_.,\/-])/sprintf('%%%02X', ord($1))/ge if rand() < .6;
			my @found;
			push(@found, $-[0]) while $bytes =~ /(?<==)\Q$old\E(?=\s|\z)/g;
			@found = (pick(@found)) if @found && rand() < .5;
			substr($bytes, $_, length($old), $new) for reverse(@found);
		} elsif ($kind == 4) {
			substr($bytes, $at, 1 + int(rand(12)), '');
		} elsif ($kind == 5) {
			substr($bytes, $at, 1, chr(int(rand(256))));
		} elsif ($kind == 6) {
			substr($bytes, $at, 0, substr($bytes, rand(length($bytes) + 1), rand(60)));
		} elsif ($kind == 7) {
			my @lines = split(/^/, $bytes) or next;
			splice(@lines, rand(@lines), rand(3), map { pick(@lines) } 0 .. rand(3));
			$bytes = join('', @lines);
		} elsif ($kind == 8) {
			substr($bytes, $at) = '' if rand() < .3;
		} elsif ($kind < 12) {
			# A key less, or one with the value of another
			my @fields;
			push(@fields, [$-[0], $+[0] - $-[0]]) while $bytes =~ / [a-z]\w*=[^\s=]+/g;
			@fields or next;
			my ($from, $to) = map { pick(@fields) } 0, 1;
			my $key = substr($bytes, $from->[0], $from->[1]) =~ s/=.*/=/sr;
			my $value = substr($bytes, $to->[0], $to->[1]) =~ s/.*?=//sr;
			substr($bytes, $from->[0], $from->[1], $kind == 10 ? '' : "$key$value");
		} else {
			# A number of it
			my @numbers;
			push(@numbers, [$-[0], $+[0] - $-[0]]) while $bytes =~ /(?<![\w.])\d[\d.]*/g;
			@numbers or next;
			my $number = pick(@numbers);
			substr($bytes, $number->[0], $number->[1], pick(qw(0 1 -1 2 3 1000000000000),
				int(rand(1000)), rand(10), '9' x 19));
		}
	}
	return substr($bytes, 0, 300_000);
}

# read_archive($file): {path => bytes}: a directory as one file, of "@ PATH LENGTH"
# lines each with the bytes and a line end behind it.
sub read_archive
{
	my ($file) = @_;
	my %files;

	open(my $in, '<:raw', $file) or die "$file: $!";
	while (my $line = <$in>) {
		my ($path, $length) = $line =~ /\A@ (.+) (\d+)\n\z/s or die "$file:$.: no path";
		read($in, $files{$path}, $length) == $length && read($in, my $end, 1) == 1
			or die "$file: $path is cut off";
	}
	return \%files;
}

sub write_archive
{
	my ($file, $files) = @_;

	spew($file, join('', map { "\@ $_ " . length($files->{$_}) . "\n$files->{$_}\n" } sort(keys(%$files))));
}

# write_tree($dir, \%files): make $dir anew from these.
sub write_tree
{
	my ($dir, $files) = @_;

	no warnings 'newline';
	remove_tree($dir);
	mkdir($dir) or die "$dir: $!";
	for my $path (keys(%$files)) {
		my $made = $path =~ s{/[^/]+\z}{}r;

		make_path("$dir/$made") if $made ne $path && !-d "$dir/$made";
		spew("$dir/$path", $files->{$path});
	}
}

# one_line($text, $start): '' where it is that one clear line, else what is wrong.
sub one_line
{
	my ($text, $start) = @_;

	return "not one line that starts with '$start': $text" if $text !~ /\A\Q$start\E[^\n]+\n\z/;
	return "a message of perl or bash: $text" if $text =~ / at \S+ line \d+|\bline \d+: |HASH\(|unbound variable/;
	return "bytes that are no text: $text" if $text =~ /[\x00-\x09\x0b-\x1f\x7f]/;
	return 'a line of ' . length($text) . ' bytes' if length($text) > 20_000;
	return '';
}

# keep_finding($name, $number, $what, $content): keep it, and fail a test that says how to
# come to it again.
sub keep_finding
{
	my ($name, $number, $what, $content) = @_;
	my $dir = $ENV{FUZZ_KEEP} // tempdir('fsratio-findings.XXXXXX', TMPDIR => 1);
	my $file = "$dir/$name-$seed-$number";

	make_path($dir);
	ref($content) ? write_archive($file, $content) : spew($file, $content);
	Test::More::fail("$name: case $number of seed $seed");
	Test::More::diag("$what\nkept in $file");
}

# show_speed($name, $runs, $seconds, $more): for the eyes of who asked for FUZZ_SECONDS.
sub show_speed
{
	my ($name, $runs, $seconds, $more) = @_;
	my $line = sprintf('%-16s %8d executions, %7.1f a second%s', $name, $runs, $runs / ($seconds || 1),
		length($more // '') ? ", $more" : '');

	$ENV{FUZZ_SECONDS} ? Test::More::diag($line) : Test::More::note($line);
}

1;
