#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The helpers of xfs/101 and xfs/103 by themselves: under the sanitizers of the
# compiler, where they are not supported, called wrongly, and asked of a premise
# that does not hold.  guards_*.t show that they find what is broken.

use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT fails);
use Test::More;

# A sanitizer ends the program by this status when it has found something.
my $found = 66;
$ENV{ASAN_OPTIONS} = "exitcode=$found:detect_leaks=1:detect_stack_use_after_return=1";
$ENV{LSAN_OPTIONS} = "exitcode=$found";
$ENV{TSAN_OPTIONS} = "exitcode=$found:halt_on_error=1";

my $dir = work_dir();
my %kinds = (asan => '-fsanitize=address,undefined -fno-sanitize-recover=all', tsan => '-fsanitize=thread');
my $ag = 128 << 20;

fails(2, "unknown option '--what': expected one of --help", $_, '--what', $dir)
	for qw(fiemap_guard unlink_storm refill space_check);
fails(2, '--processes: expected threads', 'fiemap_guard', '--processes', $dir);
fails(2, 'expected at most 64 --threads, no --processes', $_, qw(--threads 65), $dir)
	for qw(unlink_storm refill);
fails(2, 'expected --save FILE or --expect FILE, not both, no --threads', 'space_check', @$_, $dir)
	for [], ['--save', "$dir/a", '--expect', "$dir/a"], ['--save', "$dir/a", '--threads', 2];

# Not XFS: it cannot be asked there.
mkdir "$dir/tmpfs" or die;
fails(77, 'XFS_IOC_FREE_EOFBLOCKS: not supported here', 'unlink_storm', "$dir/tmpfs");

my $missing = loop_missing('mkfs.xfs');
SKIP: {
	skip($missing, 1) if $missing;
	my ($xfs) = make_fs('mkfs.xfs', 512, qw(-d agcount=4 -b size=4096 -m reflink=1));
	my ($plain) = make_fs('mkfs.xfs', 512, qw(-d agcount=4 -b size=4096 -m reflink=0));
	my @points = ('--ag-bytes', $ag, qw(--threads 3 --points));

	fails(77, 'FICLONERANGE: not supported here', 'fiemap_guard', @points, 20, $plain);
	my ($status, $out, $err) = helper('fiemap_guard', @points, 2, '--points-min', 3, $xfs);
	is_deeply([$status, $out], [1, ''], 'fiemap_guard: too few quiet points');
	like($err, qr/^fiemap_guard: premise: 2 quiet points in 30000 ms, expected 3$/m, 'says so');

	# What it counts is what statfs counts.
	($status, $out, $err) = helper('space_check', '--save', "$dir/start", $xfs);
	is_deeply([$status, $out, $err], [0, '', ''], 'space_check --save');
	my ($blocks, $inodes) = slurp("$dir/start") =~ /\Afree_blocks=(\d+) used_inodes=(\d+)\n\z/;
	is(`stat -f -c %f $xfs`, "$blocks\n", 'free blocks');
	is(`df --output=iused $xfs | tail -n 1` + 0, $inodes, 'used inodes');
	($status, $out) = helper('space_check', '--expect', "$dir/start", $xfs);
	is_deeply([$status, $out], [0, ''], 'space_check --expect: the same');
	open(my $fh, '>', "$xfs/one") or die;
	print $fh 'x' x 5000;
	close($fh) or die;
	($status, $out) = helper('space_check', '--expect', "$dir/start", qw(--when then --wait-ms 50), $xfs);
	is_deeply([$status, $out], [0, "then: $blocks free blocks and $inodes used inodes expected within 50 ms, found " .
		($blocks - 2) . ' and ' . ($inodes + 1) . "\n"], 'space_check --expect: a file more');
	open($fh, '>', "$dir/bad") or die;
	print $fh "free_blocks=x\n";
	close($fh) or die;
	fails(1, "$dir/bad:1: expected free_blocks=N used_inodes=N", 'space_check', '--expect', "$dir/bad", $xfs);

	my @fixed = system('setarch -R true 2>/dev/null') ? () : qw(setarch -R);
	for my $kind (sort keys %kinds) {
		my $run = sub {
			my ($name, @args) = @_;
			my ($source) = grep { m{/\Q$name\E\.c$} } helpers();
			my $top = "$xfs/$kind.$name";

			mkdir $top or die "$top: $!";
			ok(build("$dir/$kind.$name", [$kinds{$kind}, "-Wl,-rpath,$dir"], $source, "$dir/lib$kind.so"),
				"$kind: $name") or return;
			($status, $out, $err) = helper('/usr/bin/env', @fixed, "$dir/$kind.$name", @args, $top);
			is_deeply([$status, $out], [0, ''], "$kind: $name ends well") or diag($err);
		};
		open(my $probe, '>', "$dir/probe.c") or die;
		print $probe "int main(void) { return 0; }\n";
		close($probe) or die;
		skip("$kind: this compiler has it not", 1)
			if system("\${CC:-gcc} -pthread $kinds{$kind} -o $dir/probe $dir/probe.c >/dev/null 2>&1");
		ok(build("$dir/lib$kind.so", [$kinds{$kind}, qw(-shared -fPIC)], library()), "$kind: the library");
		$run->('fiemap_guard', @points, 20, '--log', "$dir/log");
		$run->('unlink_storm', qw(--threads 3 --waves 2 --files 100));
		$run->('refill', qw(--threads 3 --rounds 1));
		$run->('space_check', '--save', "$dir/$kind.start");
	}
}

done_testing();
