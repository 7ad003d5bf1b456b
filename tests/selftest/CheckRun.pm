# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of check: run it with results of its own and read what it
# said without what differs between machines and runs.
package CheckRun;

use strict;
use warnings;
use Cwd qw(getcwd);
use Exporter qw(import);
use File::Temp qw(tempdir);
use Test::More ();

our @EXPORT = qw(run_check start_check end_check normalise slurp spew
	ours_left own_tree processes_left results_dir run_ok wait_for);

# The tree whose check is run.
our $tree = '.';

# own_tree(%cases): a tree of its own with these tests in tests/selftest, NAME =>
# body; with limits where the body measures.  Its golden output is that of pass.
sub own_tree
{
	my (%cases) = @_;
	my $dir = results_dir();
	my $here = getcwd();

	symlink "$here/$_", "$dir/$_" or die "$_: $!" for qw(check common ltp src);
	mkdir $_ or die "$_: $!" for "$dir/tests", "$dir/tests/selftest";
	for my $name (keys %cases) {
		my $test = "$dir/tests/selftest/$name";
		my $judged = $cases{$name} =~ /_judge|slowdown/;

		spew($test, "#! /bin/bash\n. ./common/preamble\n_begin_fstest selftest\n$cases{$name}\n");
		chmod 0755, $test or die "$test: $!";
		spew("$test.out", "QA output created by $name\n" . ($judged ? "slowdown: pass\n" : "Silence is golden\n"));
		spew("$test.limits", "limit name=slowdown num=bad den=one of=elapsed_ns max=2\n") if $judged;
	}
	return $dir;
}

# results_dir(): a fresh directory for RESULT_BASE.
sub results_dir
{
	return tempdir("fsratio-selftest.XXXXXX", TMPDIR => 1, CLEANUP => 1);
}

# start_check(\%env, @args): start ./check in a session of its own, its output
# in a file; returns {pid, out, results}.  A key with an undef value is unset;
# devices and configuration of the caller never reach it.
sub start_check
{
	my ($env, @args) = @_;
	my $results = $env->{RESULT_BASE} // results_dir();
	my $dir = results_dir();
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		setpgrp(0, 0);
		chdir($tree) or die "$tree: $!";
		delete @ENV{qw(TEST_DEV TEST_DIR SCRATCH_DEV SCRATCH_MNT FSTYP
			MKFS_OPTIONS MOUNT_OPTIONS BISECT STANDIN IMAGE_DIR)};
		$ENV{HOST_OPTIONS} = '/dev/null';
		$ENV{MEASURE_TRACE} = $ENV{MEASURE_AA} = 'no';
		$ENV{RESULT_BASE} = $results;
		for my $key (keys %$env) {
			if (defined $env->{$key}) {
				$ENV{$key} = $env->{$key};
			} else {
				delete $ENV{$key};
			}
		}
		open(STDIN, '<', '/dev/null') or die "stdin: $!";
		open(STDOUT, '>', "$dir/out") or die "stdout: $!";
		open(STDERR, '>&', \*STDOUT) or die "stderr: $!";
		exec('./check', @args) or die "exec ./check: $!";
	}
	return {pid => $pid, out => "$dir/out", results => $results};
}

# end_check($run): wait for it; returns (output, exit status as a shell shows).
sub end_check
{
	my ($run) = @_;

	waitpid($run->{pid}, 0);
	my $status = $?;
	return (slurp($run->{out}),
		$status & 127 ? 128 + ($status & 127) : $status >> 8);
}

# run_check(\%env, @args): both; returns (output, exit status, results).
sub run_check
{
	my $run = start_check(@_);

	return (end_check($run), $run->{results});
}

# run_ok($command): a command that must succeed, as a test of its own; its output.
sub run_ok
{
	my ($command) = @_;
	my $out = `$command 2>&1`;

	Test::More::is($?, 0, $command) or Test::More::diag($out);
	chomp($out);
	return $out;
}

# wait_for($seconds, $what): wait until $what->() is true; its value.
sub wait_for
{
	my ($seconds, $what) = @_;
	my $value;

	for (1 .. $seconds * 20) {
		$value = $what->() and return $value;
		select(undef, undef, undef, 0.05);
	}
	return $value;
}

# normalise($output, $results): without paths, platform, process ids, times.
sub normalise
{
	my ($text, $results) = @_;
	my $here = getcwd();

	$text =~ s/\Q$results\E/RESULTS/g;
	$text =~ s/\Q$here\E/HERE/g;
	$text =~ s/^PLATFORM .*/PLATFORM/m;
	$text =~ s/pid \d+/pid PID/g;
	$text =~ s/(line \d+:) +\d+ Killed +.*?(?=\)?$)/$1 Killed/mg;
	$text =~ s/(\t|\.\.\. ) \d+s$/$1 Ns/mg;
	$text =~ s/^(\S+) \d+s \.\.\. /$1\t/mg;
	$text =~ s/\/dev\/loop\d+/LOOP/g;
	$text =~ s/\S+\/fsratio\.\d+\.\d+/DEVICES/g;
	return $text;
}

sub slurp
{
	my ($file) = @_;

	open(my $fh, '<', $file) or return undef;
	local $/;
	return <$fh> // '';
}

sub spew
{
	my ($file, $text) = @_;

	open(my $fh, '>', $file) or die "$file: $!";
	print $fh $text or die "$file: $!";
	close($fh) or die "$file: $!";
}

# processes_left($results): command lines of the processes of a run with these
# results that are still there; '' = none.
sub processes_left
{
	my ($results) = @_;
	my $left = '';

	for my $file (glob '/proc/[0-9]*/environ') {
		my $environ = slurp($file) // next;
		next if $environ !~ /(^|\0)RESULT_BASE=\Q$results\E(\0|$)/;
		$file =~ s/environ$/cmdline/;
		my $args = slurp($file) // next;
		$args =~ tr/\0/ /;
		$left .= "$args\n";
	}
	return $left;
}

# ours_left($dir): loop devices, mounts and directories of a run in $dir
# (default /dev/shm) that are still there; '' = none.
sub ours_left
{
	my $dir = $_[0] // '/dev/shm';
	my $left = '';

	for my $file (glob '/sys/class/block/loop*/loop/backing_file') {
		my $image = slurp($file) // next;
		$left .= "loop $image" if $image =~ m{^\Q$dir\E/fsratio\.};
	}
	for my $line (split /\n/, slurp('/proc/self/mountinfo')) {
		$left .= "mount $line\n" if $line =~ m{ \Q$dir\E/fsratio\.};
	}
	$left .= "directory $_\n" for glob "$dir/fsratio.*";
	return $left;
}

1;
