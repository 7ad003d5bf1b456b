#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# unlink_loop and shell1_loop: what an operation does as another program sees it,
# where own directories lie, and that the waits made on purpose are counted.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT sample);
use Test::More;

my $dir = work_dir() . '/dir';
mkdir($dir) or BAIL_OUT("$dir: $!");

# What is left in a directory, files in directories with their path
sub left
{
	return join(' ', map { s{^\Q$_[0]\E/}{}r } grep { -f } glob("$_[0]/* $_[0]/*/*"));
}

for my $how ([], [qw(--threads 3)], [qw(--threads 3 --processes --hold 8)],
	[qw(--threads 3 --dirs own)], [qw(--threads 3 --dirs own --hold 6)]) {
	my $r = sample('unlink_loop', '--ops', 50, @$how, $dir);

	is_deeply([@{$r}{qw(ops dirs ags)}], [50, "@$how" =~ /own/ ? 'own' : 'shared', 1],
		'its record');
	is(left($dir), '', 'no file is left');
}
is_deeply([helper('unlink_loop', qw(--ops 1 --ags 2), $dir)],
	[2, '', "unlink_loop: --ags, expected --dirs own with it\n"], '--ags alone: exit 2');
is_deeply([helper('unlink_loop', qw(--ops 1 --dirs own --ags 2), $dir)],
	[1, '', "unlink_loop: premise: 1 AGs in $dir, expected 2\n"], 'no AGs: exit 1');

SKIP: {
	my $trace = work_dir() . '/trace';
	skip('needs strace', 1) if system("strace -f -o $trace -e trace=openat,write,read,unlink " .
		path('unlink_loop') . " --ops 3 $dir >/dev/null 2>&1");
	my $found = 0;
	for my $name (qw(sort od grep wc)) {
		my $path = qr{"\Q$dir\E/d\d+/$name\.0"};
		$found++ if slurp($trace) =~ m{$path,\sO_WRONLY\|O_CREAT\|O_EXCL.*?,\s1024\)
			\s+=\s1024\n.*$path,\sO_RDONLY.*?,\s1024\)\s+=\s1024\n.*unlink\($path\)\s+=\s0}xs;
	}
	is($found, 4, 'each of four files: created, written, read, unlinked');
}

my $r = sample('shell1_loop', qw(--ops 6 --threads 2 --processes), $dir);
is($r->{ops}, 6, 'shell1_loop: its record');
is(left($dir), 'sort.src', 'and its input alone is left');
sample('shell1_loop', qw(--ops 6 --threads 2 --processes --serialise), $dir);
{
	my $bin = work_dir() . '/bin';
	mkdir($bin) or die;
	for my $name (qw(sort od tee wc rm)) {
		my ($path) = grep { -x } map { "$_/$name" } split(/:/, $ENV{PATH});
		symlink($path, "$bin/$name") or die;
	}
	local $ENV{PATH} = $bin;
	is_deeply([helper('shell1_loop', qw(--ops 1), $dir)],
		[1, '', "shell1_loop: exec grep: No such file or directory\n"], 'no grep: exit 1');
	open(my $fh, '>', "$bin/grep") or die;
	print $fh "#!/bin/sh\nexit 3\n";
	close($fh);
	chmod(0755, "$bin/grep");
	$ENV{PATH} .= ':/nonexistent';
	is_deeply([helper('shell1_loop', qw(--ops 1), $dir)],
		[1, '', "shell1_loop: grep ended with wait status 0x300\n"], 'a grep that fails: exit 1');
}

SKIP: {
	my $missing = loop_missing('mkfs.xfs');
	skip($missing, 1) if $missing;
	# 128 MiB an AG, 8 inodes a block of 4 KiB: 18 bits of an inode number.
	my ($mnt) = make_fs('mkfs.xfs', 1024, qw(-b size=4096 -i size=512 -d agcount=8));
	my $ag_of = sub { return (stat($_[0]))[1] >> 18 };
	for my $case ([8, [], 8, [0 .. 7]], [8, ['--ags', 2], 2, [0, 1]], [3, [], 3, [0, 1, 2]]) {
		my ($tasks, $options, $ags, $want) = @$case;
		my @run = ('unlink_loop', '--duration-ms', 100, '--threads', $tasks, qw(--dirs own),
			@$options, $mnt);
		sample(@run);		# makes directories
		utime(0, 0, glob("$mnt/d*"));
		my $r = sample(@run);
		my @used = grep { (stat($_))[9] } glob("$mnt/d*");
		my %ag = map { $ag_of->($_) => 1 } @used;

		is($r->{ags}, $ags, "$tasks tasks @$options: on $ags AGs");
		is(scalar(@used), $tasks, 'each in a directory of its own');
		is(join(' ', sort keys(%ag)), "@$want", 'these AGs');
	}
	my %made = map { $ag_of->($_) => 1 } glob("$mnt/d*");
	is(join(' ', sort keys(%made)), '0 1 2 3 4 5 6 7', 'XFS spreads directories over AGs');
}
done_testing();
