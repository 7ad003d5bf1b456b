#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What the suite itself costs, as medians of five whole processes (or of the
# clocked part, where it says so).  Printed, never asserted: machines differ.
# The second column is the number that design and README promise on 2 CPUs.

use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $runs = 5;
my $here = getcwd();
my $dir = tempdir("fsratio-bench.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }
$SIG{$_} = sub { exit 130 } for qw(HUP INT PIPE TERM);
$ENV{RESULT_BASE} = "$dir/results";
$ENV{HOST_OPTIONS} = '/dev/null';
$| = 1;

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return $sorted[@sorted / 2];
}

# seconds($command): of the whole process; dies where it fails.
sub seconds
{
	my ($command, @ok) = @_;
	my $start = clock_gettime(CLOCK_MONOTONIC);

	system("$command >$dir/out 2>&1");
	my $status = $? >> 8;
	grep { $_ == $status } (@ok ? @ok : 0)
		or die "bench: $command: exit $status\n" . `cat $dir/out`;
	return clock_gettime(CLOCK_MONOTONIC) - $start;
}

sub forks
{
	open(my $fh, '<', '/proc/stat') or die "/proc/stat: $!";
	my ($forks) = map { /^processes (\d+)/ ? $1 : () } <$fh>;
	return $forks;
}

# clocked($command): elapsed_ns of the helper's own record, in milliseconds.
sub clocked
{
	my ($command) = @_;
	my $record = `$command`;

	$record =~ / elapsed_ns=(\d+)/ or die "bench: $command: no record\n";
	return $1 / 1e6;
}

sub row
{
	my ($what, $promise, $format, @values) = @_;

	printf "%-52s %-10s $format\n", $what, $promise, @values;
}

die "bench: must be run as root\n" if $> != 0;
printf "%-52s %-10s %s\n", 'what', 'promised', 'seen';

# check itself, in a tree of its own with 21 tests that do nothing: the difference
# between all of them and one.
mkdir "$dir/tree" or die "tree: $!";
mkdir "$dir/tree/tests" or die "tree/tests: $!";
mkdir "$dir/tree/tests/selftest" or die "tree/tests/selftest: $!";
symlink "$here/$_", "$dir/tree/$_" or die "$_: $!" for qw(check common src);
for my $n (1 .. 21) {
	my $test = sprintf "%s/tree/tests/selftest/%03d-pass", $dir, $n;

	system('cp', "$here/tests/selftest/001-pass", $test) == 0 or die "cp: $?";
	open(my $out, '>', "$test.out") or die "$test.out: $!";
	printf $out "QA output created by %03d-pass\nSilence is golden\n", $n;
	close($out) or die "$test.out: $!";
}
my (@cost, @forks, @startup);
for (1 .. $runs) {
	my $before = forks();
	my $one = seconds("$dir/tree/check selftest/001");
	my $between = forks();
	my $many = seconds("$dir/tree/check 'selftest/*'");
	my $after = forks();

	push @startup, $one;
	push @cost, ($many - $one) / 20;
	push @forks, (($after - $between) - ($between - $before)) / 20;
}
row('check, a test that does nothing', '< 20 ms', '%.1f ms', 1000 * median(@cost));
row('  forks', '< 15', '%.1f', median(@forks));
row('check, start to end of one such test', '< 300 ms', '%.0f ms', 1000 * median(@startup));

# A memory-backed loop device with the trees of xfs/001.
sub must
{
	my ($command) = @_;

	system("$command >$dir/out 2>&1") == 0 or die "bench: $command\n" . `cat $dir/out`;
}
must("truncate -s 8G $dir/bench.img");
chomp(my $loop = `losetup -f --show $dir/bench.img`);
die "bench: no loop device\n" if !$loop;
push @cleanup, "umount $dir/mnt", "losetup -d $loop";
mkdir "$dir/mnt" or die "$dir/mnt: $!";
my $cpus = `nproc` + 0;
my @populate;
for (1 .. $runs) {
	system("umount $dir/mnt 2>/dev/null");
	must("mkfs.xfs -f -q -m reflink=1 $loop");
	must("mount $loop $dir/mnt");
	mkdir "$dir/mnt/plain" or die "plain: $!";
	push @populate, seconds("src/populate --files 20000 --threads $cpus $dir/mnt/plain");
}
row('populate, 20 000 files of 4 to 32 KiB', '< 3 s', '%.2f s', median(@populate));

must("\${CC:-gcc} -O2 -std=gnu11 -D_GNU_SOURCE -pthread -o $dir/floor tests/selftest/fiemap_floor.c");
for my $threads (1, $cpus) {
	my (@ours, @floor);

	# Interleaved, and more than elsewhere: 2 % is to be seen.
	for (1 .. 15) {
		push @ours, clocked("src/fiemap_scan --threads $threads $dir/mnt/plain");
		push @floor, clocked("$dir/floor $dir/mnt/plain $threads");
	}
	row("fiemap_scan, $threads threads, against a bare loop", '+- 2 %',
		'%+.1f %% (%.1f ms, %.1f ms; medians of 15)',
		100 * (median(@ours) / median(@floor) - 1), median(@ours), median(@floor));
}

# The judge on 40 rounds of 8 arms.
open(my $fh, '>', "$dir/samples") or die "samples: $!";
print $fh "env cpus=$cpus\n";
for my $round (1 .. 40) {
	for my $arm (1 .. 8) {
		print $fh "sample series=1 arm=a$arm round=$round fs=xfs dev=7:0 threads=1 ops=20000 run_delay_ns=0",
			map({ " key${_}=123456789" } 1 .. 30),
			" elapsed_ns=", 1000000 + 1000 * $arm + ($arm == 1 && $round % 2 ? 2000 : 0), "\n";
	}
}
close($fh) or die "samples: $!";
open($fh, '>', "$dir/limits") or die "limits: $!";
print $fh "limit name=l$_ num=a1 den=a$_ of=elapsed_ns max=1\n" for 2 .. 8;
close($fh) or die "limits: $!";
row('judge, 40 rounds of 8 arms', '< 5 ms', '%.1f ms',
	1000 * median(map { seconds("src/judge $dir/limits $dir/samples", 0, 3) } 1 .. 21));

# Reports of many tests, each a recorded one.
sub recorded_run
{
	my ($to, $count) = @_;
	my $from = 'tests/selftest/results/words';
	my $run = `head -n 1 $from/check.records`;
	my $plan = '';

	mkdir($to) && mkdir("$to/selftest") or die "$to: $!";
	for my $name (map { sprintf('selftest/%04d-x', $_) } 1 .. $count) {
		system("cp $from/selftest/021-judged-fail.$_ $to/$name.$_") == 0 or die "cp: $?" for qw(verdict samples);
		open(my $out, '>', "$to/$name.record") or die "$name: $!";
		print $out "${run}test name=$name word=fail start_s=1 elapsed_ms=1 limits=yes reason=x\n";
		close($out) or die "$name: $!";
		$plan .= "plan name=$name\n";
	}
	open(my $out, '>', "$to/check.records") or die "$to: $!";
	print $out "$run${plan}end end_s=2\n";
	close($out) or die "$to: $!";
}
recorded_run("$dir/ten", 10);
recorded_run("$dir/thousand", 1000);
my $all = 'ktap,kcidb,lava,jsonl,html';
row('all formats of tools/report, 10 tests', '< 0.3 s', '%.2f s', median(map {
	seconds("tools/report --check $all") + seconds("tools/report --write $all $dir/ten") } 1 .. $runs));
for my $format (split(/,/, $all)) {
	row("$format, 1000 tests", $format eq 'html' ? '< 10 s' : '< 2 s', '%.2f s',
		median(map { seconds("tools/report --write $format $dir/thousand") } 1 .. $runs));
}
row('compare, 1000 tests', '< 2 s', '%.2f s',
	median(map { seconds("tools/compare $dir/thousand $dir/thousand") } 1 .. $runs));

# Undecided is of a busy machine, and has taken all the time there is.
my $busy = 0;
my @verdict = map {
	my $s = seconds('./check xfs/001', 0, 1, 3);

	$busy++ if `cat $dir/out` =~ /^Undecided: /m;
	$s;
} 1 .. $runs;
row('xfs/001 to a confirmed verdict', '<= 30 s', '%.1f s%s', median(@verdict),
	$busy ? ", $busy of $runs undecided" : '');
