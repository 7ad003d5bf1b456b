#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# open_read_close: its file, what an operation does as another program sees it,
# and the lock of --serialise.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun;
use Test::More;

my $dir = work_dir() . '/dir';
mkdir($dir) or BAIL_OUT("$dir: $!");

sub sample
{
	my ($status, $out, $err) = helper('open_read_close', @_);

	is_deeply([$status, $err], [0, ''], "@_: ends well");
	return record($out);
}

sub fails
{
	my ($status, $line, @args) = @_;
	my ($got, $out, $err) = helper('open_read_close', @args);

	is_deeply([$got, $out, $err], [$status, '', "open_read_close: $line\n"], "@args: exit $status");
}

# The file is made by the first run, and left alone by all others.
my $r = sample('--ops', 1000, $dir);
is(slurp("$dir/one"), 'A' x 1024, 'the file');
is_deeply([@{$r}{qw(ops mode threads)}], [1000, 'thread', 1], 'its record');
my @before = (stat("$dir/one"))[1, 7, 9, 10];
for my $how ([qw(--threads 3)], [qw(--threads 3 --processes)], [qw(--threads 3 --processes --serialise)]) {
	is(sample('--ops', 1000, @$how, $dir)->{ops}, 1000, 'all operations');
}
is_deeply([(stat("$dir/one"))[1, 7, 9, 10]], \@before, 'no run changes the file');

SKIP: {
	my $trace = work_dir() . '/trace';
	skip('needs strace', 1)
		if system("strace -f -o $trace -e trace=openat,read,close " . path('open_read_close') .
			" --ops 5 $dir >/dev/null 2>&1");
	my @calls = map { s/^\d+ +//r } split(/\n/, slurp($trace));
	my @found = join("\n", @calls) =~
		m{openat\(AT_FDCWD, "\Q$dir\E/one", O_RDONLY\|O_CLOEXEC\) = (\d+)\nread\(\1, "A+"\.\.\., 1024\)\s+= 1024\nclose\(\1\)\s+= 0}g;
	is(scalar(@found), 5, 'five times open, read of all of it, close');
}

# Behind the lock nearly each operation of many tasks is a sleep.
for my $mode ([], ['--processes']) {
	$r = sample(qw(--ops 4000 --threads 16 --serialise), @$mode, $dir);
	cmp_ok($r->{vcsw}, '>', 2000, 'tasks wait behind the lock');
	$r = sample(qw(--ops 4000 --threads 16), @$mode, $dir);
	cmp_ok($r->{vcsw}, '<', 200, 'and hardly without it');
}

truncate("$dir/one", 10) or die;
fails(1, "$dir/one: operation 0 of worker 0 read 10 bytes, expected 1024", qw(--ops 1), $dir);
unlink("$dir/one") and mkdir("$dir/one") or die;
fails(1, "read $dir/one: Is a directory", qw(--ops 1), $dir);
fails(1, "open $dir/none/one: No such file or directory", qw(--ops 1), "$dir/none");
fails(2, '0 arguments: expected DIR', qw(--ops 1));

done_testing();
