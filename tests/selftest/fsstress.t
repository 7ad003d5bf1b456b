#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# ltp/fsstress: what a seed repeats, what is counted and what ends it, how it ends,
# and that file systems bear it.

use strict;
use warnings;
use lib 'tests/selftest';
use Cwd qw(abs_path);
use HelperRun qw(:DEFAULT);
use Test::More;

my $program = abs_path(path('..')) . '/ltp/fsstress';
my $run = 0;

# A directory that no run had before.
sub fresh
{
	return work_dir() . '/d' . $run++;
}

# stress(@args): (exit status, calls of -v, record or undef, stderr).
sub stress
{
	my ($status, $out, $err) = helper($program, @_);
	my @calls = grep { /^#/ } split /\n/, $out;

	$out =~ s/^#.*\n//mg;
	return ($status, \@calls, $out eq '' ? undef : record($out), $err);
}

# refused($line, @args): exit 2, one line, nothing made.
sub refused
{
	my ($line, @args) = @_;
	my $dir = fresh();
	my ($status, $out, $err) = helper($program, '-d', $dir, @args);

	is_deeply([$status, $out, $err], [2, '', "fsstress: $line\n"], "@args: refused");
	ok(!-e $dir, "@args: nothing is made");
}

# kinds(\@calls): how often each call was made.
sub kinds
{
	my %n;

	$n{(split / /)[2]}++ for @{$_[0]};
	return \%n;
}

# entries($dir): all that is below it.
sub entries
{
	return split /\n/, `find $_[0] -mindepth 1`;
}

# A seed is a run.
my @same = (qw(-p 3 -n 400 -v -s));
my $dir = fresh();
my ($status, $calls, $record, $err) = stress('-d', $dir, @same, 5);
is_deeply([$status, $err], [0, ''], 'a run ends well');
my @first = sort @$calls;
is($record->{ops}, 1200, '-n is exact, for each of -p');
is($record->{processes}, 3, 'which is in the record');
is($record->{seed}, 5, 'as the seed is');
is($record->{errors}, scalar(grep { !/ 0$/ } @first), 'errors are those of the calls');
like($record->{fs}, qr/^\w+$/, 'the file system, too');
is(join(' ', sort map { m{([^/]*)$} } glob("$dir/*")), 'p0 p1 p2', 'a directory for each');
(undef, $calls) = stress('-d', fresh(), @same, 5);
is_deeply([sort @$calls], \@first, 'the same seed: the same calls with the same results');
(undef, $calls) = stress('-d', fresh(), qw(-p 1 -n 400 -v -s 5));
is_deeply([sort @$calls], [grep { m{^# 0/} } @first], 'process 0 does the same alone');
(undef, $calls) = stress('-d', fresh(), @same, 6);
isnt(join("\n", sort @$calls), join("\n", @first), 'another seed: others');
my %seeds = map { (stress('-d', fresh()))[2]{seed} => 1 } 1, 2;
is(scalar(keys %seeds), 2, 'without -s a seed of its own, in the record');
($status, $calls) = stress('-d', fresh(), qw(-n 200 -l 2 -v -s 5 -p 3));
is_deeply([sort @$calls], \@first, '-l 2 -n 200 is -n 400');

# Frequencies.
my %of = (
	creat => [qw(creat)], mkdir => [qw(mkdir)], symlink => [qw(symlink)],
	'mkdir=1 -f rmdir' => [qw(mkdir rmdir)], link => [qw(creat link)], unlink => [qw(creat unlink)],
	write => [qw(creat write)], read => [qw(creat read)], truncate => [qw(creat truncate)],
	rename => [qw(creat rename)], rexchange => [qw(creat rexchange)], readlink => [qw(readlink symlink)],
	setfattr => [qw(creat setfattr)], getdents => [qw(getdents)], fsync => [qw(creat fsync)],
	mwrite => [qw(creat mwrite)], stat => [qw(creat stat)],
);
for my $op (sort keys %of) {
	my ($status, $calls, $record) = stress('-d', fresh(), qw(-n 30 -v -z -f), split(/ /, "$op=1"));

	is("$status @{[sort keys %{kinds($calls)}]}", "0 @{$of{$op}}", "-z -f $op=1: these calls alone");
	is($record->{ops}, 30, "$op: all operations are counted");
}
(undef, $calls) = stress('-d', fresh(), qw(-n 4000 -s 1 -v -z -f creat=1 -f stat=9));
my $n = kinds($calls);
cmp_ok($n->{creat}, '>', 300, 'one in ten') && cmp_ok($n->{creat}, '<', 500, 'is one in ten');
my (undef, $table) = helper($program, '-S', 't');
my %freq = $table =~ /^(\w+) +(\d+) (?:write|read)$/mg;
my @writes = $table =~ /^(\w+) +\d+ write$/mg;
cmp_ok(scalar(keys %freq), '>=', 40, '-S t: a table of all');
for my $case (['-R', 0], ['-w', 1]) {
	my ($option, $writes) = @$case;
	my (undef, $shown) = helper($program, $option, '-S', 'c');
	my %left = $shown =~ /-f (\w+)=(\d+)/g;

	like($shown, qr/\A-z(?: -f \w+=\d+)+\n\z/, "$option -S c: as options");
	my %is_write = map { $_ => 1 } @writes;
	is(join(' ', sort keys %left), join(' ', sort grep { $writes == !!$is_write{$_} } keys %freq),
		"$option takes the others away");
}
(undef, my $shown) = helper($program, '-S', 'c');
chomp($shown);
is((helper($program, split(/ /, $shown), '-S', 'c'))[1], "$shown\n", 'which -S c can be given back');

# How it ends.
my $begin = time;
($status, undef, $record) = stress('-d', fresh(), qw(-p 2 -n 1 --duration 1));
is($status, 0, '--duration');
cmp_ok($record->{ops}, '>', 2, 'goes on, whatever -n says');
cmp_ok($record->{elapsed_ns}, '>=', 1e9, 'for so long');
for my $signal (qw(TERM INT HUP)) {
	my $dir = fresh();
	my $one = start_helper($program, '-d', $dir, qw(-p 4 -l 0));

	until_true(sub { -e "$dir/p3" && entries("$dir/p3") > 3 });
	my @children = split ' ', slurp("/proc/$one->{pid}/task/$one->{pid}/children");
	is(scalar(@children), 4, "SIG$signal: four processes");
	kill $signal, $one->{pid};
	my ($status, $out, $err) = end_helper($one);
	is_deeply([$status, $err], [0, ''], "SIG$signal: ends in good order");
	cmp_ok(record($out)->{ops}, '>', 0, "SIG$signal: with a record");
	is(scalar(grep { kill 0, $_ } @children), 0, "SIG$signal: no process is left");
	cmp_ok(scalar(entries($dir)), '>', 4, "SIG$signal: the files are");
}
for my $victim (qw(parent child)) {
	my $dir = fresh();
	my $one = start_helper($program, '-d', $dir, qw(-p 3 -l 0));

	until_true(sub { -e "$dir/p2" && entries("$dir/p2") > 3 });
	my @children = split ' ', slurp("/proc/$one->{pid}/task/$one->{pid}/children");
	kill 'KILL', $victim eq 'parent' ? $one->{pid} : $children[1];
	my ($status, $out, $err) = end_helper($one);
	is($status, $victim eq 'parent' ? 'signal 9' : 1, "a killed $victim: status");
	is($err, $victim eq 'parent' ? '' : "fsstress: p1: ended by signal 9\n", "a killed $victim: says which");
	is($out, '', "a killed $victim: no record");
	ok(until_true(sub { !grep { kill 0, $_ } @children }), "a killed $victim: no process is left");
}
$dir = fresh();
is((stress('-d', $dir, qw(-n 300 -p 2 -l 3 -c)))[2]{ops}, 1800, '-c: loops');
ok(-d $dir && !entries($dir), '-c: what was made is gone');
mkdir "$dir/p0" or die;
($status, undef, undef, $err) = stress('-d', $dir);
is_deeply([$status, $err], [1, "fsstress: mkdir $dir/p0: File exists\n"], 'a directory in use is left alone');

# The call.
refused("-n 'x': expected a whole number, 1 to 2147483647", '-n', 'x');
refused("-n '0': expected a whole number, 1 to 2147483647", '-n', 0);
refused("-p '1025': expected a whole number, 1 to 1024", '-p', 1025);
refused("-l '-1': expected a whole number, 0 to 2147483647", '-l', -1);
refused("-s '1x': expected a whole number, 0 to 9223372036854775807", '-s', '1x');
refused("-m '0': expected a whole number, 1 to 2147483647", '-m', 0);
refused("--duration '': expected a whole number, 1 to 86400", '--duration', '');
refused("--max-bytes '4096': expected a whole number, 1048576 to 9223372036854775807", '--max-bytes', 4096);
refused("-f 'creat': expected OP=N", '-f', 'creat');
refused("-f 'x': expected a whole number, 0 to 1000000", '-f', 'creat=x');
refused("-f 'nosuch=1': expected an operation of -S t", '-f', 'nosuch=1');
refused("-f 'crea=1': expected an operation of -S t", '-f', 'crea=1');
refused("-S 'x': expected c or t", '-S', 'x');
refused('no operation is left: expected -f OP=N', '-z');
refused("unknown option '-y': expected one of --help", '-y');
refused("unknown option '--nosuch': expected one of --help", '--nosuch');
refused("'-n': expected a value after it", '-n');
refused("'more': expected nothing but options", 'more');
is_deeply([helper($program)], [2, '', "fsstress: expected -d DIR\n"], 'no -d');
like((helper($program, '--help'))[1], qr/^  \Q$_\E /m, "--help: $_")
	for qw(-d -n -p -l --duration -s -f -z -w -R -m --max-bytes -c -v -S), '-H,';

# checked($checker, $mount, $loop): unmount, and check.  Some programs look into all
# mounts, or copy them into a namespace of theirs: these hold it for a while.
sub checked
{
	my ($checker, $mount, $loop) = @_;

	return until_true(sub { !system("umount $mount 2>/dev/null") }) &&
		until_true(sub { !system("$checker $loop >/dev/null 2>&1") });
}

# File systems: as it is used, then without room, then broken.
my %checker = (xfs => 'xfs_repair -n', ext4 => 'e2fsck -fn', btrfs => 'btrfs check');
for my $fs (sort keys %checker) {
	SKIP: {
		my $missing = loop_missing("mkfs.$fs", 'fallocate', split(/ .*/, $checker{$fs}));
		skip $missing, 1 if $missing;
		my ($mount, $loop) = make_fs("mkfs.$fs", 512, $fs eq 'ext4' ? '-F' : '-f');
		my ($status, undef, $record, $err) = stress('-d', "$mount/x", qw(-p 2 -s 3 --duration 2 --max-bytes 16777216));
		my ($used_kb) = `du -sk $mount/x` =~ /(\d+)/;

		is_deeply([$status, $err], [0, ''], "$fs: two seconds");
		is($record->{fs}, $fs, "$fs: is in the record");
		is($record->{enospc}, 0, "$fs: --max-bytes leaves room");
		cmp_ok($used_kb, '<', 40 << 10, "$fs: and holds");
		my ($free_mib) = `df --output=avail -m $mount` =~ /(\d+)/;
		system("fallocate -l @{[$free_mib - 24]}M $mount/fill") == 0 or die;
		($status, undef, $record, $err) = stress('-d', "$mount/y", qw(-p 2 -s 3 -n 3000 --max-bytes 268435456),
			qw(-z -f creat=2 -f mkdir=1 -f write=6 -f dwrite=3 -f mwrite=3 -f fallocate=4 -f truncate=1));
		is_deeply([$status, $err], [0, ''], "$fs: survives ENOSPC") or diag($err);
		cmp_ok($record->{enospc}, '>', 0, "$fs: and counts it");
		ok(checked($checker{$fs}, $mount, $loop), "$fs: its checker is content");
		system("mount $loop $mount") == 0 or die;
		next if $fs ne 'xfs' || loop_missing('xfs_io');
		unlink "$mount/fill" or die;
		# What is broken is no error to count.
		my $one = start_helper($program, '-d', "$mount/z", qw(-p 2 -l 0));
		until_true(sub { -e "$mount/z/p1" && entries("$mount/z/p1") > 3 });
		system("xfs_io -x -c 'shutdown -f' $mount") == 0 or die;
		($status, my $out, $err) = end_helper($one);
		is($status, 1, 'a file system that was shut down: exit 1');
		is($out, '', 'no record');
		like($err, qr/\A(?:fsstress: p[01]: (?:operation \d+ of seed \d+: \w+ .*|\w+ \S+): Input\/output error\n){1,2}\z/,
			'which names the call');
	}
}

done_testing();
