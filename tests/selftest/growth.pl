#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# How the cost of the suite grows with what it is given: each thing at the sizes n,
# 4n and 16n, and the exponent p of size^p by the differences, from which what a
# start costs is gone: log4((c16 - c4) / (c4 - c1)).  1 is linear, 2 quadratic; what
# is promised is 1.3 at most.  The cost is CPU time of all processes, which a busy
# machine moves little; the best of three runs where one takes under a second.
# Printed, never asserted.
#
# Usage: growth.pl [PATTERN], of what is to be measured
# GROWTH_FILES (160000): files at the largest size, 5 KiB each
# GROWTH_DIR (/dev/shm): where these are, in an image
# GROWTH_TESTS (1024): tests that are run, at the largest size

use strict;
use warnings;
use Cwd qw(getcwd);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use POSIX ();

my $here = getcwd();
my $dir = tempdir('fsratio-growth.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
my $files = $ENV{GROWTH_FILES} // 160000;
# Lines that are wanted, a pattern
my $only = $ARGV[0] // '';
my $tests = $ENV{GROWTH_TESTS} // 1024;
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }
$SIG{$_} = sub { exit 130 } for qw(HUP INT PIPE TERM);
delete @ENV{qw(BISECT FSTYP MKFS_OPTIONS MOUNT_OPTIONS TEST_DEV SCRATCH_DEV)};
$ENV{RESULT_BASE} = "$dir/results";
$ENV{HOST_OPTIONS} = '/dev/null';
$| = 1;

sub spew
{
	my ($path, @text) = @_;

	open(my $out, '>', $path) or die "$path: $!";
	print $out @text;
	close($out) or die "$path: $!";
}

# cpu_s(COMMAND, STATUS...): CPU seconds of it and all its children; dies where it
# ends with none of these (0).
sub cpu_s
{
	my ($command, @ok) = @_;
	my $before = (times)[2] + (times)[3];

	system("{ $command; } >$dir/out 2>&1");
	my $status = $? >> 8;
	grep { $_ == $status } (@ok ? @ok : 0)
		or die "growth: $command: exit $status\n" . `tail -5 $dir/out`;
	return (times)[2] + (times)[3] - $before;
}

# grow(WHAT, LARGEST, sub (SIZE) -> CPU seconds): a line of the table.
sub grow
{
	my ($what, $largest, $cost) = @_;
	my @cost;

	return if $what !~ /$only/;
	for my $size (map { POSIX::ceil($largest / $_) } 16, 4, 1) {
		my $best = $cost->($size);

		for (2 .. 3) {
			last if $best > 1;
			my $again = $cost->($size);
			$best = $again if $again < $best;
		}
		push @cost, $best;
	}
	my ($low, $high) = ($cost[1] - $cost[0], $cost[2] - $cost[1]);
	my $p = $high < .05 ? 'flat' : $low < .01 ? '?' :
		sprintf('%.2f', log($high / $low) / log(4));
	printf "%-48s %8d %6s  %s\n", $what, $largest, $p,
		join(' ', map { sprintf '%.2f', $_ } @cost);
}

die "growth: must be run as root\n" if $> != 0;
printf "%-48s %8s %6s  %s\n", 'what', 'largest', 'p', 'CPU s at 1/16, 1/4, 1';

# make_tree(N): a tree of N tests that do nothing; its directory.
sub make_tree
{
	my ($n) = @_;
	my $tree = "$dir/tree.$n";

	return $tree if -e $tree;
	make_path("$tree/tests/selftest");
	symlink "$here/$_", "$tree/$_" or die "$_: $!"
		for qw(check common src tools);
	for my $name (map { sprintf('%04d-pass', $_) } 1 .. $n) {
		spew("$tree/tests/selftest/$name", "#! /bin/bash\n",
			". ./common/preamble\n_begin_fstest selftest quick\n",
			"echo Silence is golden\n_exit 0\n");
		chmod 0755, "$tree/tests/selftest/$name" or die "$name: $!";
		spew("$tree/tests/selftest/$name.out",
			"QA output created by $name\nSilence is golden\n");
	}
	return $tree;
}

sub names
{
	return map { sprintf('selftest/%04d', $_) } 1 .. $_[0];
}

# A command that is run in the tree of that many tests
sub in_tree
{
	my ($n, $command, @ok) = @_;

	return cpu_s('cd ' . make_tree($n) . " && $command", @ok);
}

# What tests a command line means
grow('check -n: tests of a group', 4096, sub {
	in_tree($_[0], './check -n -g selftest/all');
});
grow('check -n: tests by name', 4096, sub {
	in_tree($_[0], './check -n ' . join(' ', names($_[0])));
});
grow('check -n: an exclude list', 4096, sub {
	spew("$dir/list", map { "$_\n" } names($_[0]));
	in_tree($_[0], "./check -n -g selftest/all -E $dir/list");
});
grow('check -n: a list of known fails', 4096, sub {
	spew("$dir/list", map { "$_ * why\n" } names($_[0]));
	in_tree($_[0], "./check -n -g selftest/all --known $dir/list");
});

# Sections of a configuration, in a tree of one test
for my $case (['sections', ''], ['sections, by name', '-s'],
		['sections, all but']) {
	my ($what, $option) = @$case;

	grow("check -n: $what", 1024, sub {
		my @sections = map { "s$_" } 1 .. $_[0];
		my $args = defined($option) ? $option && join(' ',
			map { "-s $_" } @sections) : join(' ', map { "-S $_" }
			@sections[1 .. $#sections]);

		spew("$dir/config", map { "[$_]\nRESULT_BASE=$dir/results.$_[0]\n" }
			@sections);
		in_tree(1, "HOST_OPTIONS=$dir/config ./check -n $args selftest/0001");
	});
}
grow('check: sections that are run', 64, sub {
	spew("$dir/config", map { "[s$_]\nRESULT_BASE=$dir/results.s\n" } 1 .. $_[0]);
	in_tree(1, "HOST_OPTIONS=$dir/config ./check selftest/0001");
});

# Runs, and what is made of their results
grow('check: tests that are run', $tests, sub {
	in_tree($_[0], "RESULT_BASE=$dir/run.$_[0] ./check -g selftest/all");
});
grow('check: tests that are run, by name', $tests, sub {
	in_tree($_[0], './check ' . join(' ', names($_[0])));
});
grow('check: iterations', 64, sub { in_tree(1, "./check -i $_[0] selftest/0001") });

# make_results(N): of N tests with samples; its directory.
sub make_results
{
	my ($n) = @_;
	my $from = "$here/tests/selftest/results/words";
	my $to = "$dir/reports.$n";

	return $to if -e $to;
	make_path("$to/selftest");
	open(my $in, '<', "$from/check.records") or die "check.records: $!";
	my ($run) = grep { /^run / } <$in>;
	my @all = map { sprintf('%04d-judged-fail', $_) } 1 .. $n;

	spew("$to/check.records", $run, map({ "plan name=selftest/$_\n" } @all),
		map({ "start name=selftest/$_ start_s=1796054955\n" } @all),
		"end end_s=1796054958\n");
	for my $file (glob("$from/selftest/021-judged-fail.*")) {
		open(my $one, '<', $file) or die "$file: $!";
		my $text = do { local $/; <$one> };
		my ($kind) = $file =~ /judged-fail\.(.*)/;

		spew("$to/selftest/$_.$kind", $text =~ s/021-judged-fail/$_/gr)
			for @all;
	}
	return $to;
}
for my $format (map { m{(\w+)\.pm$} } glob('tools/formats/*.pm')) {
	grow("report: $format", 1024, sub {
		cpu_s("tools/report $format " . make_results($_[0]));
	});
}
grow('compare', 1024, sub {
	my $results = make_results($_[0]);

	cpu_s("tools/compare $results $results", 0, 1);
});
for my $case (['arms', 8, 1], ['rounds', 3, 200]) {
	my ($what, $arms, $rounds) = @$case;

	grow("judge: $what", 192, sub {
		my $n = $_[0];
		my ($a, $r) = $what eq 'arms' ? (48, 200) : ($arms, $n);
		my $text = "env cpus=2\n";

		($a, $r) = (POSIX::ceil($n / 4), 200) if $what eq 'arms';
		for my $round (1 .. $r) {
			$text .= "sample series=1 arm=a$_ round=$round fs=xfs " .
				'dev=7:0 threads=1 ops=1 run_delay_ns=0 elapsed_ns=' .
				(1000 + ($_ == 1 ? $round % 2 : 0)) . "\n" for 1 .. $a;
		}
		spew("$dir/samples", $text);
		spew("$dir/limits", map { "limit name=l$_ num=a1 den=a$_ " .
			"of=elapsed_ns max=1\n" } 2 .. ($a < 30 ? $a : 30));
		cpu_s("for i in 1 2 3 4 5 6 7 8 9 10; do src/judge --rounds 200 " .
			"$dir/limits $dir/samples; done", 0, 3);
	});
}

# Files, tasks and allocation groups on a memory-backed loop device
# of 512 AGs, each large enough for a log
my $bytes = 512 * 96 << 20;
my $image = tempdir('fsratio-growth.XXXXXX', DIR => $ENV{GROWTH_DIR} // '/dev/shm',
	CLEANUP => 1) . '/image';
cpu_s("truncate -s $bytes $image");
chomp(my $loop = `losetup -f --show $image`);
die "growth: no loop device\n" if !$loop;
push @cleanup, "umount $dir/mnt", "losetup -d $loop";
mkdir "$dir/mnt" or die "$dir/mnt: $!";

# A new file system, with these options of mkfs.xfs
sub fresh
{
	# Others look at all mounts, and hold them meanwhile.
	for (1 .. 100) {
		last if system("! mountpoint -q $dir/mnt || umount $dir/mnt " .
			"2>/dev/null") == 0;
		select(undef, undef, undef, .1);
	}
	cpu_s("mkfs.xfs -f -q @_ $loop && mount $loop $dir/mnt");
}
my %scan;
grow('populate: files', $files, sub {
	my ($n) = @_;

	fresh('-m reflink=1');
	my $cost = cpu_s("src/populate --files $n --max-bytes 4096 $dir/mnt/a");
	$scan{$n} = cpu_s("src/fiemap_scan $dir/mnt/a");
	return $cost;
});
grow('fiemap_scan: files', $files, sub { $scan{$_[0]} });
for my $kind ('', ' --processes') {
	grow("open_read_close: tasks,$kind", 256, sub {
		fresh() if $_[0] == 16;
		cpu_s("for i in 1 2 3 4 5 6 7 8 9 10; do src/open_read_close$kind " .
			"--threads $_[0] --ops 1000 $dir/mnt; done");
	});
}
grow('supervise: children that are left', 1024, sub {
	cpu_s("src/supervise --timeout-s 60 --result $dir/supervised -- bash -c " .
		"'for ((i = 0; i < $_[0]; i++)); do sleep 100 & done'");
});
grow('unlink_loop --dirs own: AGs', 512, sub {
	my ($n) = @_;

	fresh("-d agcount=$n");
	cpu_s("for i in 1 2 3 4 5 6; do src/unlink_loop --dirs own --threads $n " .
		"--ops 2000 $dir/mnt; done");
});

# A test of its own for each number of slices
grow('check: slices', 64, sub {
	my ($n) = @_;
	my $name = sprintf('1%03d-slices', $n);
	my $test = make_tree(1) . "/tests/selftest/$name";

	spew($test, "#! /bin/bash\n. ./common/preamble\n_begin_fstest selftest\n",
		". ./common/slices\n_require_scratch\n",
		"_scratch_slices $n\n",
		"for ((i = 0; i < $n; i++)); do\n",
		"\t_slice_mkfs_geometry \$i agcount=4\n\t_slice_mount \$i\ndone\n",
		"_slices_sync\n_exit 0\n");
	chmod 0755, $test or die "$test: $!";
	spew("$test.out", "QA output created by $name\n");
	fresh(); # and unmount it
	system("umount $dir/mnt");
	in_tree(1, "SCRATCH_DEV=$loop SCRATCH_MNT=$dir/mnt ./check selftest/$name");
});
