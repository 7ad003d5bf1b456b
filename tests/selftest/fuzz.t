#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The judge and its readers under libFuzzer, with the sanitizers: FUZZ_SECONDS (5)
# of inputs grown from tests/selftest/corpus/judge.  FUZZ_COVERAGE=1 says which
# part of the lines they reach.

use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib $FindBin::Bin;
use FuzzRun;
use Test::More;

my $dir = work_dir();
my $here = 'tests/selftest';
my $src = abs_path("$here/../..") . '/src';
my $corpus = "$here/corpus/judge";
my $seconds = fuzz_seconds(5);
our @flags = (qw(-std=gnu11 -O1 -g -Wall -Wextra -D_GNU_SOURCE),
	'-fsanitize=fuzzer,address,undefined', '-fno-sanitize-recover=all');
# glibc's own getline is an inline function otherwise.
my @hooks = ('-D__NO_INLINE__', '-Dmain=judge_main',
	map { "-D$_=fuzz_$_" } qw(exit fclose fopen getline fprintf));
my @readers = qw(limits samples recfile record signtest);

# compile($out, $file, @more): (status, output).
sub compile
{
	my ($out, $file, @more) = @_;
	my @output = $file =~ /judge_entry/ ? "-Dprintf=fuzz_printf" : ();
	my $said = `clang @flags @hooks @output @more -I$src -c -o $out $file 2>&1`;

	return ($?, $said);
}

# build($name, %instead): the target of the objects, some of them others; (status,
# output).
sub build
{
	my ($name, %instead) = @_;
	my @objects = map { $instead{$_} // "$dir/$_.o" } qw(judge_fuzz judge_entry), @readers;
	my $said = `clang @flags -o $dir/$name @objects -lm 2>&1`;

	return ($?, $said);
}

# fuzz($name, @options): run it; (status, output).
sub fuzz
{
	my ($name, @options) = @_;
	my $out = `$dir/$name -max_len=8400 -timeout=20 -rss_limit_mb=1024 -artifact_prefix=$dir/$name- @options 2>&1`;

	return ($?, $out);
}

# Lines of each source that the inputs reach, of a build of its own.
sub show_coverage
{
	my @sources = map { "$src/$_.c" } 'judge', @readers;
	my @objects = map { "$dir/covered_$_.o" } qw(judge_fuzz judge_entry), @readers;
	local @flags = (@flags, qw(-fprofile-instr-generate -fcoverage-mapping));

	for my $object (@objects) {
		my ($name) = $object =~ /covered_(\w+)/;
		my ($status, $said) = compile($object, $name =~ /^judge/ ? "$here/$name.c" : "$src/$name.c");

		return diag("no coverage: $said") if $status;
	}
	my $said = `clang @flags -o $dir/covered @objects -lm 2>&1` .
		`LLVM_PROFILE_FILE=$dir/raw $dir/covered -runs=0 $dir/new $corpus 2>&1`;
	my $report = `llvm-profdata merge -o $dir/profile $dir/raw 2>&1` .
		`llvm-cov report $dir/covered -instr-profile=$dir/profile @sources 2>&1`;
	# Regions, functions, lines: each count, missed, share.
	my @lines = map { m{^(?:\S*/)?(\w+\.c) .*?(?:\s+\S+){3}(?:\s+\S+){3}\s+(\d+)\s+(\d+)\s+(\S+%)}m ?
		"$1 $4 of $2 lines" : () } split(/\n/, $report);
	diag(@lines ? join(', ', @lines) : "no coverage: $said$report");
}

open(my $try, '>', "$dir/try.c") or die "$dir/try.c: $!";
print $try <<'END';
#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	return data && size > 9000;
}
END
close($try) or die "$dir/try.c: $!";
plan(skip_all => 'needs clang with libFuzzer and the sanitizers')
	if system("clang @flags -o $dir/try $dir/try.c >/dev/null 2>&1");

my ($status, $out) = (0, '');
for my $file ((map { "$here/$_.c" } qw(judge_fuzz judge_entry)), map { "$src/$_.c" } @readers) {
	my ($failed, $said) = compile("$dir/" . $file =~ s{.*/(\w+)\.c}{$1.o}r, $file);

	$status ||= $failed;
	$out .= $said;
}
is($status, 0, 'compiles') or BAIL_OUT($out);
is($out, '', 'without a warning');
($status, $out) = build('judge_fuzz');
is($status, 0, 'and links') or BAIL_OUT($out);
($status, $out) = fuzz('judge_fuzz', '-runs=0', $corpus);
is($status, 0, 'takes the corpus') or diag(substr($out, -4000));

# The target sees what it is for: readers with a fault do not get through the
# corpus, nor does a judge.
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
	['judge', qr/\tif \(opt\.final\)\n\t\tprint_final\([^\n]*\n/, '', 'the test gets no word',
		qr/judge_fuzz: the word of the test/],
) {
	my ($name, $from, $to, $what, $shown) = @$fault;
	my $text = slurp("$src/$name.c");

	$text =~ s/$from/$to/ or die "$name.c has no $from";
	spew("$dir/$name.c", $text);
	# The judge is part of another file, which finds this one first.
	my $object = $name eq 'judge' ? 'judge_entry' : $name;
	($status, $out) = compile("$dir/faulty.o", $name eq 'judge' ? "$here/judge_entry.c" : "$dir/$name.c", "-I$dir");
	($status, $out) = build('faulty', $object => "$dir/faulty.o") if !$status;
	is($status, 0, "builds where $what") or diag($out);
	($status, $out) = fuzz('faulty', '-runs=0', $corpus);
	isnt($status, 0, 'and the corpus does not get through');
	like($out, $shown, 'for that reason');
	unlink("$dir/$name.c");
}

# New inputs go to the first directory
mkdir("$dir/new") or die "$dir/new: $!";
($status, $out) = fuzz('judge_fuzz', "-max_total_time=$seconds", "-seed=$FuzzRun::seed", '-print_final_stats=1',
	"-dict=$here/judge_fuzz.dict", "$dir/new", $corpus);
for my $file (glob("$dir/judge_fuzz-*")) {
	keep_finding('judge', $file =~ s{.*/judge_fuzz-}{}r, substr($out, -6000), slurp($file));
}
is($status, 0, "nothing found in $seconds s, seed $FuzzRun::seed");
my ($runs) = $out =~ /^stat::number_of_executed_units: +(\d+)/m;
my ($reached) = reverse($out =~ /\b(cov: \d+ ft: \d+)/g);
my @inputs = glob("$corpus/*");
cmp_ok($runs // 0, '>', 2 * @inputs, 'and it goes on after a reader has ended');
ok(scalar(glob("$dir/new/*")), 'from inputs of its own');
show_speed('judge', $runs // 0, $seconds, $reached);
show_coverage() if $ENV{FUZZ_COVERAGE};
done_testing();
