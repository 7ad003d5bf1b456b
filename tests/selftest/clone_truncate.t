#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# clone_truncate: the files that each mode leaves, what is shared of them, which
# calls are made and counted, and what is refused.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT fails sample);
use Test::More;

my $missing = loop_missing(qw(mkfs.xfs mkfs.ext4 filefrag));
plan(skip_all => $missing) if $missing;

my ($dir) = make_fs('mkfs.xfs', 512, qw(-b size=4096 -m reflink=1));
my ($ext4) = make_fs('mkfs.ext4', 64, '-q');
my $mib = 1 << 20;

# Blocks of 4 KiB that are shared with another file.
sub shared_blocks
{
	my ($path) = @_;
	my $blocks = 0;

	for (`filefrag -v $path`) {
		$blocks += $1 if /^\s*\d+:[ \d.]+:[ \d.]+:\s*(\d+):.*\bshared\b/;
	}
	return $blocks;
}

sub files_of { return map { s{^\Q$_[0]\E/}{}r } glob("$_[0]/d*/*") }

for my $mode (qw(write write-trunc clone-tail clone-trunc clone-noop clone-osync ficlone)) {
	for my $size (1000, 5000, 65536, 90000, $mib + 1) {
		my ($up, $down) = (int(($size + 4095) / 4096) * 4096, int($size / 4096) * 4096);
		my @run = ('clone_truncate', '--mode', $mode, '--size', $size, $dir);
		my $bytes = $mode =~ /noop|osync/ ? $up : $size;
		# A new last block may be a block of its own, or not.
		my ($least, $most) = ($down / 4096) x 2;
		$most = $up / 4096 if $mode =~ /^clone-(trunc|osync)/;
		($least, $most) = ($up / 4096) x 2 if $mode =~ /noop|ficlone/;
		($least, $most) = (0, 0) if $mode =~ /^write/;

		if ($mode eq 'clone-osync' && $up == $size) {
			fails(2, '--mode clone-osync, expected --size not n * 4096', @run, '--ops', 1);
			next;
		}
		for my $how ([], ['--prepare']) {
			my $r = sample(@run, @$how, qw(--ops 3 --dirs 2 --keep));

			is_deeply([@{$r}{qw(ops size_bytes block_bytes dirs)}], [3, $size, 4096, 2], 'its record');
			is(join(' ', files_of($dir)), 'd00000/f0000000 d00000/f0000002 d00001/f0000001', 'its files');
			my $source = $mode eq 'ficlone' ? $size : $up > $mib ? $up : $mib;
			my $want = substr(slurp("$dir/source.$source"), 0, $bytes);
			is(length($want), $bytes, 'the source is there');
			for my $file (files_of($dir)) {
				ok(slurp("$dir/$file") eq $want, "$file: $bytes bytes of the source");
				my $shared = shared_blocks("$dir/$file");
				ok($shared >= $least && $shared <= $most, "$shared blocks are shared, $least to $most");
			}
		}
	}
}
# No two blocks of a source are equal, nor a block of two sources.
my %seen;
for my $path (glob("$dir/source.*")) {
	my $text = slurp($path);
	$seen{substr($text, 4096 * $_, 4096)}++ for 0 .. int(length($text) / 4096) - 1;
}
is_deeply([grep { $_ > 1 } values(%seen)], [], 'no two blocks of the sources are equal');
like(join(' ', glob("$dir/source.*")), qr{/source\.1048576 .*/source\.90000\b}, 'the sources stay');

# What an earlier run left is no obstacle, and nothing is left in the end.
my $before = slurp("$dir/source.$mib");
sample('clone_truncate', qw(--ops 3 --dirs 2), $dir);
is(join(' ', files_of($dir)), '', 'no file is left');
for my $how ([qw(--threads 3)], [qw(--threads 3 --prepare)], [qw(--threads 3 --processes)]) {
	my $r = sample('clone_truncate', qw(--ops 100 --dirs 7 --latency), @$how, $dir);

	is_deeply([@{$r}{qw(ops threads dirs)}], [100, 3, 7], 'its record');
	is(join(' ', files_of($dir)), '', 'no file is left');
	cmp_ok($r->{"${_}_p50_ns"}, '>', 0, "$_ is timed") for qw(truncate close);
	is($r->{write_p50_ns}, 0, 'write, which is not called, is not');
	is($r->{clone_p50_ns} > 0, "@$how" !~ /prepare/, 'clone is, where it is not before the clock');
	is(exists($r->{sync_ns}), "@$how" !~ /prepare/, 'so is syncfs');
}
sample('clone_truncate', '--ops', 3000, '--prepare', $dir);	# more than the usual 1024
ok(slurp("$dir/source.$mib") eq $before, 'the source is what it was');

# Which calls, and how often.
SKIP: {
	my $trace = work_dir() . '/trace';
	my @case = ([write => 'pwrite64 close'], ['write-trunc' => 'pwrite64 ftruncate close'],
		['clone-tail' => 'FICLONERANGE pwrite64 close'], ['clone-trunc' => 'FICLONERANGE ftruncate close'],
		['clone-osync' => 'FICLONERANGE pwrite64 close'], ['ficlone' => 'FICLONE close']);
	skip('needs strace', scalar(@case)) if system("strace -o $trace true 2>/dev/null");
	for (@case) {
		my ($mode, $calls) = @$_;
		my (%path, %calls);

		# strace has older names for the two.
		my %ioctl = (BTRFS_IOC_CLONE => 'FICLONE', BTRFS_IOC_CLONE_RANGE => 'FICLONERANGE');
		helper('/usr/bin/env', 'strace', '-f', '-o', $trace, '-e', 'trace=openat,ioctl,ftruncate,pwrite64,close',
			path('clone_truncate'), '--mode', $mode, '--ops', 4, $dir);
		for (split(/\n/, slurp($trace))) {
			$path{$2} = $1 if m{openat\(.*/(f\d+)",.* = (\d+)$};
			next if !/^\d+ +(\w+)\((\d+)(?:, ([A-Z]\w+))?/ || !$path{$2};
			$calls{$path{$2}} .= ' ' . ($3 ? $ioctl{$3} // $3 : $1);
			delete($path{$2}) if $1 eq 'close';
		}
		is_deeply(\%calls, {map { ("f000000$_" => " $calls") } 0 .. 3}, "$mode: $calls");
	}
}

# What the task asks of the block layer from the truncate on.
SKIP: {
	my $mount = -e '/sys/kernel/tracing/events' ? '' : 'mount -t tracefs nodev /sys/kernel/tracing && ';
	for (['ficlone', 0, 0], ['clone-osync', 1, 1000]) {
		my ($mode, $least, $most) = @$_;
		my ($status, $out, $err) = helper('/usr/bin/env', 'unshare', '-m', '/bin/sh', '-c',
			"$mount exec \"\$@\"", 'sh', path('clone_truncate'), '--mode', $mode, qw(--ops 16 --prepare),
			'--count-task', 'ios=block:block_bio_queue', $dir);
		my $r = record($out);
		skip("needs perf's tracepoints", 1) if $r->{ios} eq 'unsupported';
		ok($r->{ios} >= 16 * $least && $r->{ios} <= 16 * $most, "$mode: $r->{ios} block requests");
	}
}

my $u64 = 'expected a whole number,';
fails(77, "$ext4: no reflink here", 'clone_truncate', '--ops', 1, @$_, $ext4) for [], ['--prepare'], [qw(--mode ficlone)];
sample('clone_truncate', '--ops', 2, '--mode', $_, $ext4) for qw(write write-trunc);
fails(2, @$_) for (
	['expected --ops N', 'clone_truncate', $dir],
	['0 arguments: expected DIR', 'clone_truncate', '--ops', 1],
	["--size '0': $u64 1 to 67108864", 'clone_truncate', '--size', 0, $dir],
	["--size '67108865': $u64 1 to 67108864", 'clone_truncate', '--size', 67108865, $dir],
	["--dirs '0': $u64 1 to 99999", 'clone_truncate', '--dirs', 0, $dir],
	["--mode 'clone': expected write|write-trunc|clone-tail|clone-trunc|clone-noop|clone-osync|ficlone",
		'clone_truncate', '--mode', 'clone', $dir],
	['--processes, expected threads: files are held open from before the clock',
		'clone_truncate', qw(--ops 1 --prepare --processes), $dir],
);
fails(1, "statfs $dir/none: No such file or directory", 'clone_truncate', '--ops', 1, "$dir/none");
fails(1, "unlink $dir/d00000/f0000000: Read-only file system", 'clone_truncate', '--ops', 1, $dir)
	if !system("mount -o remount,ro $dir");
done_testing();
