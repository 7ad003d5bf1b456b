#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The judge's readers under libFuzzer, with the sanitizers: FUZZ_SECONDS (10) of
# inputs grown from tests/selftest/corpus.

use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $dir = tempdir('fsratio-fuzz-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $here = 'tests/selftest';
my $seconds = $ENV{FUZZ_SECONDS} // 10;
my @flags = (qw(-std=gnu11 -O1 -g -Wall -Wextra -D_GNU_SOURCE -Isrc),
	'-fsanitize=fuzzer,address,undefined', '-fno-sanitize-recover=all');
# glibc's own getline is an inline function otherwise.
my @hooks = ('-D__NO_INLINE__', map { "-D$_=fuzz_$_" } qw(exit fclose fopen getline fprintf));

plan(skip_all => "FUZZ_SECONDS is '$seconds', expected a whole number from 1 on")
	if $seconds !~ /^[1-9]\d*$/;

sub spew
{
	my ($path, $text) = @_;

	open(my $fh, '>', $path) or die "$path: $!";
	print $fh $text or die "$path: $!";
	close($fh) or die "$path: $!";
}

sub slurp
{
	my ($path) = @_;

	open(my $fh, '<:raw', $path) or die "$path: $!";
	local $/;
	return scalar <$fh> // '';
}

# build($name, $src): the target with the readers in this directory; (status,
# output).
sub build
{
	my ($name, $src) = @_;
	my @sources = map { "$src/$_.c" } qw(limits samples recfile record);
	my $out = `clang @flags @hooks -I$src -o $dir/$name $here/judge_fuzz.c @sources -lm 2>&1`;

	return ($?, $out);
}

# fuzz($name, @options): run it; (status, output).
sub fuzz
{
	my ($name, @options) = @_;
	my $out = `$dir/$name -max_len=8400 -timeout=20 -rss_limit_mb=1024 -artifact_prefix=$dir/ @options 2>&1`;

	return ($?, $out);
}

spew("$dir/try.c", <<'END');
#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	return data && size > 9000;
}
END
plan(skip_all => 'needs clang with libFuzzer and the sanitizers')
	if system("clang @flags -o $dir/try $dir/try.c >/dev/null 2>&1");

my ($status, $out) = build('judge_fuzz', 'src');
is($status, 0, 'builds') or BAIL_OUT($out);
is($out, '', 'without a warning');
($status, $out) = fuzz('judge_fuzz', '-runs=0', "$here/corpus");
is($status, 0, 'takes the corpus') or diag(substr($out, -4000));

# The target sees what it is for: readers with a fault do not get through the
# corpus.
for my $fault (
	['limits', qr/strlen\(v\) >= NAME_SIZE/, '0', 'the length of a name is not looked at',
		qr/judge_fuzz: a long name/],
	['limits', qr/ls->n == LIMITS_MAX/, '0', 'the number of limits is not',
		qr/runtime error: index 32 out of bounds/],
	['limits', qr/ls->n_arms == ARMS_MAX/, '0', 'that of arms is not',
		qr/runtime error: index 64 out of bounds/],
	['samples', qr/!\(v > 0\)/, '0', 'the logarithm of 0 is taken',
		qr/judge_fuzz: a ratio/],
	['samples', qr/if \(!per\)/, 'if (0)', 'a division by 0 is done',
		qr/judge_fuzz: a ratio/],
	['recfile', qr/exit\(1\)/, 'exit(2)', 'the exit status is another',
		qr/judge_fuzz: exit status/],
	['recfile', qr/%s:%lu: %s\\n/, '%s:%lu: %s', 'a message has no end',
		qr/judge_fuzz: no message of one line/],
	['record', qr/if \(v > \(INT64_MAX/, 'if (!v && v > (INT64_MAX', 'a number may be beyond 2^63-1',
		qr/judge_fuzz: a number/],
) {
	my ($file, $from, $to, $what, $shown) = @$fault;
	system('rm', '-rf', "$dir/src");
	mkdir("$dir/src") or die "$dir/src: $!";
	system("cp src/*.[ch] $dir/src/") and die 'cp';
	my $text = slurp("$dir/src/$file.c");
	$text =~ s/$from/$to/ or die "$file.c has no $from";
	spew("$dir/src/$file.c", $text);
	($status, $out) = build('faulty', "$dir/src");
	is($status, 0, "builds where $what") or diag($out);
	($status, $out) = fuzz('faulty', '-runs=0', "$here/corpus");
	isnt($status, 0, 'and the corpus does not get through');
	like($out, $shown, 'for that reason');
}

# New inputs go to the first directory
mkdir("$dir/new") or die "$dir/new: $!";
($status, $out) = fuzz('judge_fuzz', "-max_total_time=$seconds", '-print_final_stats=1',
	"-dict=$here/judge_fuzz.dict", "$dir/new", "$here/corpus");
is($status, 0, "nothing found in $seconds s") or do {
	diag(substr($out, -6000));
	for my $file (glob("$dir/crash-* $dir/leak-* $dir/oom-* $dir/timeout-*")) {
		diag("$file: " . slurp($file) =~ s/([^ -~\n])/sprintf('\\x%02x', ord($1))/ger);
	}
};
my ($runs) = $out =~ /^stat::number_of_executed_units: +(\d+)/m;
my @corpus = glob("$here/corpus/*");
cmp_ok($runs // 0, '>', 2 * @corpus, 'and it goes on after a reader has ended');
ok(scalar(glob("$dir/new/*")), 'from inputs of its own');
done_testing();
