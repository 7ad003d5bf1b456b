#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# dirty_truncate: the files that each state and call leaves, what is on disk at
# the call, and what is refused.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT fails sample);
use Test::More;

my $missing = loop_missing(qw(mkfs.xfs mkfs.ext4));
plan(skip_all => $missing) if $missing;

sub files_of { return map { s{^\Q$_[0]\E/}{}r } glob("$_[0]/d*/*") }

my ($dir) = make_fs('mkfs.xfs', 512);
my ($ext4) = make_fs('mkfs.ext4', 64, '-q');
my %bytes = (noop => 90000, shrink => 85000, extend => 95000, zero => 0, fsync => 90000, fstat => 90000);
for my $where ($dir, $ext4) {
	for my $state (qw(fresh dirty clean)) {
		for my $call (sort keys %bytes) {
			my $r = sample('dirty_truncate', '--state', $state, '--call', $call,
				qw(--ops 3 --dirs 2 --keep), $where);
			is_deeply([@{$r}{qw(ops size_bytes dirs)}], [3, 90000, 2], 'its record');
			is(join(' ', map { "$_=" . -s "$where/$_" } files_of($where)),
				join(' ', map { "$_=$bytes{$call}" } qw(d00000/f0000000 d00000/f0000002 d00001/f0000001)),
				'its files');
		}
	}
	sample('dirty_truncate', qw(--ops 3 --dirs 2), $where);
	is(join(' ', files_of($where)), '', 'no file is left');
}
for (['--change', 1, 89999], ['--change', 89999, 1], ['--size', 4096 * 3, 4096 * 3 - 5000]) {
	my ($option, $value, $bytes) = @$_;

	sample('dirty_truncate', qw(--call shrink --ops 2 --keep --threads 2), $option, $value, $dir);
	is(join(' ', map { -s "$dir/$_" } files_of($dir)), "$bytes $bytes", "$option $value: $bytes bytes are left");
}

# The order of calls on each file: what is written and synced before.
SKIP: {
	my $trace = work_dir() . '/trace';
	my %calls = (fresh => 'pwrite64', dirty => 'pwrite64 syncfs pwrite64', clean => 'pwrite64 syncfs');
	skip('needs strace', 18) if system("strace -o $trace true 2>/dev/null");
	for my $state (sort keys %calls) {
		for my $call (sort keys %bytes) {
			my (%path, %did);
			my $name = $call =~ /^fs/ ? $call : 'ftruncate';

			helper('/usr/bin/env', 'strace', '-f', '-o', $trace, '-e', 'trace=openat,ftruncate,pwrite64,syncfs,' .
				'fsync,fstat,newfstatat,close', path('dirty_truncate'), '--state', $state, '--call', $call,
				'--ops', 2, $dir);
			for (split(/\n/, slurp($trace))) {
				$path{$2} = $1 if m{openat\(.*/(f\d+)",.* = (\d+)$};
				next if !/^\d+ +(\w+)\((\d+)(?:, (""))?/ || !$path{$2} && $1 ne 'syncfs';
				my $did = $3 ? 'fstat' : $1;
				$did{$_} .= " $did" for $did eq 'syncfs' ? values(%path) : $path{$2};
				delete($path{$2}) if $did eq 'close';
			}
			is_deeply(\%did, {map { ("f000000$_" => " $calls{$state} $name close") } 0, 1}, "$state $call");
		}
	}
}

# What the task asks of the block layer within the call.
SKIP: {
	my $mount = -e '/sys/kernel/tracing/events' ? '' : 'mount -t tracefs nodev /sys/kernel/tracing && ';
	for (['fresh', 'fstat', 0, 0], ['dirty', 'fstat', 0, 0], ['fresh', 'fsync', 1, 100], ['dirty', 'fsync', 1, 100]) {
		my ($state, $call, $least, $most) = @$_;
		my ($status, $out, $err) = helper('/usr/bin/env', 'unshare', '-m', '/bin/sh', '-c',
			"$mount exec \"\$@\"", 'sh', path('dirty_truncate'), '--state', $state, '--call', $call,
			'--ops', 16, '--count-task', 'writes=block:block_bio_queue:rwbs ~ "*W*"', $dir);
		my $r = record($out);
		skip("needs perf's tracepoints", 1) if $r->{writes} eq 'unsupported';
		ok($r->{writes} >= 16 * $least && $r->{writes} <= 16 * $most, "$state, $call: $r->{writes} writes");
	}
}

my $u64 = 'expected a whole number,';
fails(2, @$_) for (
	['expected --ops N', 'dirty_truncate', $dir],
	["--state 'wet': expected fresh|dirty|clean", 'dirty_truncate', '--state', 'wet', $dir],
	["--call '': expected noop|shrink|extend|zero|fsync|fstat", 'dirty_truncate', '--call', '', $dir],
	["--size '0': $u64 1 to 67108864", 'dirty_truncate', '--size', 0, $dir],
	["--change '0': $u64 1 to 67108864", 'dirty_truncate', '--change', 0, $dir],
	['--change 5000, expected less than --size', 'dirty_truncate', qw(--ops 1 --call shrink --size 5000), $dir],
	['--processes, expected threads: files are held open from before the clock',
		'dirty_truncate', qw(--ops 1 --processes), $dir],
);
fails(1, "mkdir $dir/none/d00000: No such file or directory", 'dirty_truncate', '--ops', 1, "$dir/none");
done_testing();
