# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What keeps a machine busy beside a measurement.  Each load runs below
# src/supervise, by which it ends with its owner, however that one ends.  Called in
# the tree of the suite.
package Loads;

use strict;
use warnings;
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use POSIX qw(WNOHANG _exit);

# Paths that a self-test replaces.
our $cgroup_root = '/sys/fs/cgroup';

# name => [what it is, sub of {images} that gives its command, or undef where it
# has none, what it needs]
my %loads = (
	quiet => ['nothing else', sub { }],
	cpu => ['stress-ng --cpu, a worker a CPU', sub { stress('cpu') }, 'stress-ng'],
	vm => ['stress-ng --vm, a worker a CPU, of 256 MiB each', sub {
		stress('vm'), '--vm-bytes', '256M' }, 'stress-ng'],
	io => ['stress-ng --io (sync), a worker a CPU', sub { stress('io') },
		'stress-ng'],
	neighbour => ['mkfs, writes and rm on an image of its own, beside those ' .
		'that are measured', sub { ('unshare', '--mount', 'tools/lib/neighbour',
		$_[0]) }, 'mkfs.xfs'],
	quota => ['the CPU quota of check, half a CPU for .3 s, then none for .3 s',
		\&flap],
);
my @order = qw(quiet cpu vm io neighbour quota);

sub names { return @order }

# describe($name): in words.
sub describe { return $loads{$_[0]}[0] }

sub stress
{
	my ($kind) = @_;

	return ('stress-ng', "--$kind", '0', '--temp-path', $ENV{TMPDIR} // '/tmp');
}

# missing($name): why it cannot be had here; undef = it can.
sub missing
{
	my ($name) = @_;
	my $tool = $loads{$name}[2];

	return "needs $tool" if $tool && !grep { -x "$_/$tool" } split(/:/, $ENV{PATH});
	return 'needs images of check, not devices' if $name eq 'neighbour' &&
		length($ENV{SCRATCH_DEV} // '');
	return 'needs a cgroup with cpu.max, or cpu.cfs_quota_us, to write to'
		if $name eq 'quota' && !cgroup_parent();
	return;
}

# cgroup_parent(): (directory for cgroups with a CPU quota, the file in them, its
# value with half a CPU, and with no limit); of version 2 first, () = none here.
sub cgroup_parent
{
	for my $dir ($cgroup_root, "$cgroup_root/unified") {
		my $given = read_line("$dir/cgroup.subtree_control") // next;

		return ($dir, 'cpu.max', '50000 100000', 'max 100000')
			if $given =~ /\bcpu\b/ && -w $dir;
	}
	my $dir = "$cgroup_root/cpu";

	return ($dir, 'cpu.cfs_quota_us', '50000', '-1')
		if -e "$dir/cpu.cfs_quota_us" && -w $dir;
	return;
}

sub read_line
{
	my ($file) = @_;

	open(my $in, '<', $file) or return;
	return scalar(<$in>);
}

sub write_line
{
	my ($file, $value) = @_;

	open(my $out, '>', $file) or die "$file: $!\n";
	print $out "$value\n" or die "$file: $!\n";
	close($out) or die "$file: $!\n";
}

# reap($pattern, $remove): what owners that are gone left at PATTERN.PID or
# PATTERN.PID.XXXXXX.
sub reap
{
	my ($pattern, $remove) = @_;

	for my $left (glob("$pattern.*")) {
		$left =~ /\.(\d+)(?:\.\w+)?\z/ && !-d "/proc/$1" or next;
		lstat($left) && -d _ && -o _ and $remove->($left);
	}
}

# start($name, $images): start it, with $images a directory for image files;
# {name, pid or undef, ...} for the other calls.  Dies with a line where it does
# not start.
sub start
{
	my ($name, $images) = @_;
	my $load = {name => $name};

	if ($name eq 'neighbour') {
		reap("$images/fsratio-neighbour", \&remove_tree);
		$load->{dir} = tempdir("fsratio-neighbour.$$.XXXXXX", DIR => $images);
	}
	if ($name eq 'quota') {
		my ($parent) = cgroup_parent();

		reap("$parent/fsratio-trust", sub { rmdir($_[0]) });
		$load->{cgroup} = "$parent/fsratio-trust.$$";
		mkdir($load->{cgroup}) or die "$load->{cgroup}: $!\n";
	}
	my @command = $loads{$name}[1]->($load->{dir} // $load->{cgroup}) or
		return $load;
	$load->{pid} = fork() // die "fork: $!\n";
	if (!$load->{pid}) {
		$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM);
		setpgrp(0, 0);
		open(STDIN, '<', '/dev/null') or _exit(125);
		open(STDOUT, '>', '/dev/null') or _exit(125);
		open(STDERR, '>&', \*STDOUT) or _exit(125);
		exec('src/supervise', '--', @command) or _exit(125);
	}
	select(undef, undef, undef, 1);
	is_running($load) or die "the load $name does not run here\n";
	return $load;
}

# flap($cgroup): the command that changes its quota.
sub flap
{
	my ($cgroup) = @_;
	my (undef, $file, $half, $none) = cgroup_parent();

	return ('bash', '-c', 'while :; do echo "$2" >"$1" && sleep .3 && ' .
		'echo "$3" >"$1" && sleep .3 || exit 1; done', 'flap',
		"$cgroup/$file", $half, $none);
}

# enter($load): the calling process, and what it starts, is under it from now on.
sub enter
{
	my ($load) = @_;

	write_line("$load->{cgroup}/cgroup.procs", $$) if $load->{cgroup};
}

# is_running($load): whether it still runs; what has none does.
sub is_running
{
	my ($load) = @_;

	return !$load->{died} if !$load->{pid};
	return 1 if waitpid($load->{pid}, WNOHANG) == 0;
	undef($load->{pid});
	$load->{died} = 1;
	return 0;
}

# stop($load): end it, and leave nothing of it.
sub stop
{
	my ($load) = @_;

	if ($load->{pid}) {
		kill('TERM', $load->{pid});
		waitpid($load->{pid}, 0);
	}
	remove_tree($load->{dir}) if $load->{dir};
	return if !$load->{cgroup};
	# A process that has ended leaves its cgroup a little later.
	for (1 .. 100) {
		return if rmdir($load->{cgroup});
		select(undef, undef, undef, .05);
	}
	die "$load->{cgroup}: $!\n";
}

1;
