# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of the helpers: run one and read its record, build C
# programs, and make file systems on loop devices of the test's own.
package HelperRun;

use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Temp qw(tempdir);
use POSIX ();
use Test::More;

our @EXPORT = qw(helper path start_helper end_helper record build library helpers
	work_dir slurp until_true loop_missing make_loop mount_new
	make_fs);
# Asked for by name: some tests have forms of their own.
our @EXPORT_OK = qw(fails listed sample);

my $src = abs_path($ENV{FSRATIO_SRC} // 'src');
my $top = abs_path('tests/selftest/../..');
my $work;
my (@loops, @mounts);

# work_dir(): this test's own directory; gone at its end.
sub work_dir
{
	$work //= tempdir('fsratio-selftest.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
	return $work;
}

sub slurp
{
	my ($path) = @_;

	open(my $fh, '<', $path) or die "$path: $!";
	local $/;
	return scalar(<$fh>) // '';
}

# until_true($what): polls; 1, or 0 after 20 s.
sub until_true
{
	my ($what) = @_;

	for my $try (1 .. 1000) {
		return 1 if $what->();
		select(undef, undef, undef, .02);
	}
	return 0;
}

# path($name): of a helper of the suite.
sub path
{
	return "$src/$_[0]";
}

# start_helper($name, @args): {pid, out, err}.  A $name with a slash is a path.
my $started = 0;
sub start_helper
{
	my ($name, @args) = @_;
	my $run = work_dir() . '/run' . $started++;
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		open(STDIN, '<', '/dev/null');
		open(STDOUT, '>', "$run.out") or POSIX::_exit(99);
		open(STDERR, '>', "$run.err") or POSIX::_exit(99);
		exec($name =~ m{/} ? $name : path($name), @args) or POSIX::_exit(99);
	}
	return { pid => $pid, out => "$run.out", err => "$run.err" };
}

# end_helper($run): (exit status or "signal N", stdout, stderr).
sub end_helper
{
	my ($run) = @_;

	# One that hangs is killed: the test goes on and fails.
	local $SIG{ALRM} = sub { kill 'KILL', $run->{pid} };
	alarm(120);
	waitpid($run->{pid}, 0) == $run->{pid} or waitpid($run->{pid}, 0);
	alarm(0);
	my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
	my @said = map { slurp($_) } @{$run}{qw(out err)};
	unlink @{$run}{qw(out err)};
	return ($status, @said);
}

# helper($name, @args): the same, of a whole run.
sub helper
{
	return end_helper(start_helper(@_));
}

# record($text): the keys of the one sample in it; dies on anything else.
sub record
{
	my ($text) = @_;
	my %key;

	$text =~ /\Asample( [a-z][a-z0-9_]*=[^\s=]+)+\n\z/ or die "no record: '$text'";
	for my $field ($text =~ /(\S+=\S+)/g) {
		my ($key, $value) = split /=/, $field;
		die "repeated key $key: $text" if exists $key{$key};
		$key{$key} = $value;
	}
	return \%key;
}

# listed($list): its names in Makefile.in, as paths of C files in src/.
sub listed
{
	slurp("$top/Makefile.in") =~ /^$_[0] = \\\n((?:\t\w+ ?\\?\n)+)/m
		or die "Makefile.in: no $_[0]";
	return map { "$top/src/$_.c" } $1 =~ /(\w+)/g;
}

# library(): what every helper is linked with; helpers(): the helpers.
sub library { return listed('LIBBENCH') }
sub helpers { return listed('HELPERS') }

# build($program, \@flags, @sources): true, or false with a diagnosis.
sub build
{
	my ($program, $flags, @sources) = @_;
	my $cc = $ENV{CC} // 'gcc';
	my $said = work_dir() . '/build';

	return 1 if system("$cc -std=gnu11 -O1 -g -Wall -Wextra -D_GNU_SOURCE -pthread " .
		"-o '$program' @sources @$flags >$said 2>&1") == 0;
	diag(slurp($said));
	return 0;
}

# loop_missing(@tools): the reason why make_fs cannot work here, or undef.
sub loop_missing
{
	return 'needs root' if $>;
	for my $tool ('losetup', @_) {
		return "needs $tool"
			if !grep { -x "$_/$tool" } split(/:/, $ENV{PATH}), qw(/sbin /usr/sbin);
	}
	my $image = work_dir() . '/probe';
	open(my $fh, '>', $image) or return "$image: $!";
	truncate($fh, 1 << 20) or return "$image: $!";
	chomp(my $loop = `losetup -f --show $image 2>/dev/null`);
	return 'needs loop devices' if !$loop;
	system("losetup -d $loop");
	return undef;
}

# make_loop($mib): a loop device on an image of its own, gone at the test's end.
sub make_loop
{
	my ($mib) = @_;
	my $image = work_dir() . '/image' . @loops;

	open(my $fh, '>', $image) or die "$image: $!";
	truncate($fh, $mib << 20) or die "$image: $!";
	close($fh);
	chomp(my $loop = `losetup -P -f --show $image`);
	$loop or die "losetup $image";
	push @loops, $loop;
	return $loop;
}

# mount_new($mkfs, $device, @options): make and mount a file system; where.
sub mount_new
{
	my ($mkfs, $device, @options) = @_;
	my $mount = work_dir() . '/mnt' . @mounts;

	system("$mkfs @options $device >/dev/null 2>&1") == 0 or die "$mkfs @options $device";
	mkdir $mount or die "$mount: $!";
	system("mount $device $mount") == 0 or die "mount $device";
	push @mounts, $mount;
	return $mount;
}

# make_fs($mkfs, $mib, @options): both; ($mount_point, $device).
sub make_fs
{
	my ($mkfs, $mib, @options) = @_;
	my $loop = make_loop($mib);

	return (mount_new($mkfs, $loop, @options), $loop);
}

my $owner = $$;
sub clean_up
{
	return if $$ != $owner;
	# A program that died may have left one frozen, which would outlive its umount.
	system("fsfreeze -u $_ 2>/dev/null; umount $_") for reverse splice(@mounts);
	system("losetup -d $_") for splice(@loops);
}
$SIG{INT} = $SIG{TERM} = $SIG{HUP} = sub { exit 130 };
END { my $status = $?; clean_up(); $? = $status }

# Ends with this status, nothing on stdout, this one line on stderr.
sub fails
{
	my ($status, $line, $name, @args) = @_;
	my ($got, $out, $err) = helper($name, @args);

	$name =~ s{.*/}{};
	is_deeply([$got, $out, $err], [$status, '', "$name: $line\n"],
		"$name @args: exit $status");
}

# The record of a run that must end well and say nothing else.
sub sample
{
	my ($status, $out, $err) = helper(@_);

	is_deeply([$status, $err], [0, ''], "@_: ends well");
	return record($out);
}

1;
