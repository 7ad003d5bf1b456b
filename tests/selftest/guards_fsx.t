#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# fsx finds nothing on file systems that are right, and each planted fault on
# one that is wrong; its log repeats what it found.  Its options do what they say.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun ();
use GuardRun;
use HelperRun qw(:DEFAULT fails);
use Test::More;

my $missing = loop_missing(qw(mkfs.xfs mkfs.ext4 mkfs.btrfs));
plan skip_all => $missing if $missing;

my $fsx = path('../ltp/fsx');
my $layer = work_dir() . '/fsx_faults.so';
my $kept = work_dir() . '/kept';
mkdir $kept or die "$kept: $!";
build($layer, ['-shared', '-fPIC'], "$FindBin::Bin/fsx_faults.c") or die 'no layer';

my %mount;
($mount{xfs}) = make_fs('mkfs.xfs', 320, qw(-q -m reflink=1));
($mount{ext4}) = make_fs('mkfs.ext4', 128, qw(-q));
($mount{btrfs}) = make_fs('mkfs.btrfs', 256, qw(-q));
my $file = "$mount{xfs}/file";

# Calls of one log, with their keys.
sub calls
{
	my ($log) = @_;

	return map { /^op / ? {/(\w+)=(\S+)/g} : () } split(/\n/, slurp($log));
}

# run(@args): a run that must end clean; its calls and what it said.
sub run
{
	my (@args) = @_;
	my ($status, $out, $err) = helper($fsx, '-P', $kept, "--record-ops=$kept/log", @args);

	is_deeply([$status, $out], [0, ''], "@args: ends clean") or diag("$out$err");
	return ([calls("$kept/log")], $err);
}

# The operations there are in a log, sorted.
sub names
{
	my %seen = map { $_->{do} => 1 } @{$_[0]};
	return join(' ', sort keys %seen);
}

my @all = qw(clone collapse copy dedupe drop falloc fsync insert keepsize mapread
	mapwrite punch read truncate unshare write zero);
my %missing = (xfs => [], ext4 => [qw(clone dedupe unshare)], btrfs => [qw(collapse insert unshare)]);

# What a file system lacks is left out and said; all else is done, and right.
for my $fs (sort keys %mount) {
	my %lacks = map { $_ => 1 } @{$missing{$fs}};
	my $left_out = join('', map { "fsx: $mount{$fs}/file: no $_ here, left out\n" } @{$missing{$fs}});
	my @done = grep { !$lacks{$_} } @all;

	for my $mode ([qw(-e 1)], [qw(-Z -r 512 -w 512 -W)], [qw(-e 1 --weight mapread=30 --weight mapwrite=30)]) {
		my $seed = 0;
		for my $length ([], [qw(-l 9000 -o 3000)]) {
			$seed++;
			my ($calls, $err) = run('-S', $seed, qw(-N 1500 -c 50), @$mode, @$length, "$mount{$fs}/file");
			my @here = grep { "@$mode" !~ /-W/ || $_ ne 'mapwrite' } @done;
			my $names = names($calls);
			$names =~ s/\bnone //;
			is($names, "@here", "$fs: all operations") if !@$length;
			is(scalar(@$calls), 1500, "$fs: as many as -N says");
			like($err, qr/^\Q$left_out\Efsx: seed $seed, 1500 operations,( \w+=\d+)+, no finding\n\z/,
				"$fs: what is left out, and the summary");
		}
	}
}

# Each fault is found, and found again at the same operation and byte.
my $byte = qr/: first differing byte 0x[0-9a-f]+, \d+ differ up to 0x[0-9a-f]+: expected(?: [0-9a-f]{2})+/;
for my $fault (qw(stale_tail lost_punch wrong_clone short_copy lost_mmap no_eof_zero)) {
	for my $seed (1, 2) {
		unlink glob("$kept/file.*");
		local $ENV{LD_PRELOAD} = $layer;
		local $ENV{FSX_FAULT} = $fault;
		my ($status, $out, $err) = helper($fsx, qw(--duration 60), '-S', $seed, '-P', $kept, $file);
		is($status, 3, "$fault, seed $seed: found");
		like($out, qr/\Afsx: operation \d+ \(.*\): (?:mapped )?read$byte.*\n\z/, 'one line of what it is');
		like($err, qr{\Afsx: seed $seed, again: fsx --replay-ops \Q$kept\E/file\.fsxops \Q$file\E\n\z},
			'how to see it again');
		my ($offset) = map { hex } $out =~ /first differing byte 0x(\w+)/;
		my ($good, $bad) = map { substr(slurp("$kept/file.fsx$_"), $offset, 1) } qw(good bad);
		like($out, sprintf('/expected %02x.*; found %02x/', ord($good), ord($bad)), 'the bytes are kept');
		my ($number) = $out =~ /operation (\d+)/;
		my @calls = calls("$kept/file.fsxops");
		is($calls[-1]{n}, $number, 'the log ends with that operation');
		my ($again, $same) = helper($fsx, '--replay-ops', "$kept/file.fsxops", $file);
		is_deeply([$again, $same], [3, $out], 'a replay finds the same');
		unlink "$file.fsxgood", "$file.fsxbad";
		delete local $ENV{FSX_FAULT};
		is((helper($fsx, '-q', '--replay-ops', "$kept/file.fsxops", $file))[0], 0, 'without the fault nothing');
	}
}

# A call that fails has no byte to name.
{
	my $gone = (make_fs('mkfs.xfs', 320, '-q'))[0];
	unlink "$kept/file.fsxops";
	my $run = start_helper($fsx, '-P', $kept, "$gone/file");
	ok(until_true(sub { (-s "$kept/file.fsxops" // 0) > 9999 }), 'runs');
	system("xfs_io -x -c shutdown $gone") == 0 or die 'shutdown';
	my ($status, $out) = end_helper($run);
	is($status, 3, 'a file system that shut down: a finding');
	like($out, qr/\Afsx: operation \d+ \(.*\): .*Input\/output error\n\z|SIGBUS/, 'the call and its errno');
}

# One seed, one sequence; the clock's is told and can be given.
{
	my ($one) = run(qw(-S 7 -N 500 -e 1 -c 9), $file);
	my ($two) = run(qw(-S 7 -N 500 -e 1 -c 9), $file);
	is_deeply($one, $two, 'the same seed, the same operations');
	my ($other) = run(qw(-S 8 -N 500 -e 1 -c 9), $file);
	isnt("@{[map { $_->{offset_bytes} } @$other]}", "@{[map { $_->{offset_bytes} } @$one]}", 'another, others');
	my ($first, $said) = run(qw(-S 0 -N 300), $file);
	my ($seed) = $said =~ /seed (\d+)/;
	my ($again) = run('-S', $seed, qw(-N 300), $file);
	is_deeply($again, $first, "-S 0 took $seed from the clock");
	ok(scalar(grep { $_->{flags} =~ /reopen/ } @$one), '-c reopens');
	ok(scalar(grep { $_->{flags} =~ /pollute/ } @$one), '-e pollutes');
	ok(!scalar(grep { $_->{flags} =~ /pollute|reopen/ } @$first), 'neither is the default');
	my ($status, $out, $err) = helper($fsx, '--replay-ops', "$kept/log", $file);
	is($status, 0, 'a log of a clean run replays');
	like($err, qr/seed $seed, 300 operations/, 'with the seed of the log');
}

# Letters: what each takes away or makes of the operations.
my %without = (R => 'mapread', W => 'mapwrite', F => 'falloc keepsize', K => 'keepsize', H => 'punch',
	z => 'zero', C => 'collapse', I => 'insert', J => 'clone', B => 'dedupe', E => 'copy');
for my $letter (sort keys %without) {
	my ($calls) = run("-$letter", qw(-N 800), $file);
	my $names = names($calls);
	my %gone = map { $_ => 1 } split(/ /, $without{$letter});
	$names =~ s/\bnone //;
	is($names, join(' ', grep { !$gone{$_} } @all), "-$letter");
	ok(!scalar(grep { $_->{flags} =~ /keep_size/ } @$calls), '-K: zero has no KEEP_SIZE') if $letter eq 'K';
}
{
	my @only = qw(--weight all=0 --weight write=3 --weight truncate=1 --weight read=1 -N 300);
	my ($calls) = run(@only, qw(-o 5000 -O -r 512 -w 1024 -t 4096), $file);
	is(names($calls), 'read truncate write', '--weight');
	is(scalar(grep { $_->{do} eq 'read' && $_->{offset_bytes} % 512 } @$calls), 0, '-r');
	is(scalar(grep { $_->{do} eq 'write' && $_->{offset_bytes} % 1024 } @$calls), 0, '-w');
	is(scalar(grep { $_->{do} eq 'truncate' && $_->{to_bytes} % 4096 } @$calls), 0, '-t');
	is(scalar(grep { $_->{do} eq 'write' && $_->{length_bytes} != 5000 && $_->{offset_bytes} + $_->{length_bytes} != 262144 }
		@$calls), 0, '-O: of -o, but at the end');
	($calls) = run(@only, qw(-l 70000), $file);
	is((sort { $b <=> $a } map { $_->{after_bytes} } @$calls)[0] <= 70000, 1, '-l');
	($calls) = run(@only, qw(-f -y -X), $file);
	is(scalar(grep { $_->{flags} ne 'sync,flush,compare' } @$calls), 0, '-f -y -X are of each operation');
	($calls) = run(qw(--weight all=0 --weight insert=1 --weight collapse=1 --weight write=1 -N 300 -u 8192), $file);
	is(scalar(grep { $_->{do} =~ /insert|collapse/ &&
		($_->{offset_bytes} % 8192 || $_->{length_bytes} % 8192) } @$calls), 0, '-u');
	($calls) = run(qw(-N 250 --epoch 100), $file);
	is_deeply([map { $_->{n} } @$calls], [201 .. 250], '--epoch: the log is of the last file');
	like(slurp("$kept/log"), qr/\Afsx version=1 seed=1 max_bytes=262144 direct=0 first=201\n/, 'and says so');
	is((helper($fsx, '-q', '--replay-ops', "$kept/log", $file))[0], 0, 'and replays');
	my (undef, $err) = run(qw(--duration 1), $file);
	like($err, qr/no finding/, '--duration ends');
	(undef, $err) = run(qw(-N 3 -q), $file);
	is($err, '', '-q says nothing');
	(undef, $err) = run(qw(-N 4 -q -p 2), $file);
	is($err, "fsx: 2 operations\nfsx: 4 operations\n", '-p');
	($calls, $err) = run(qw(-N 4 -q -d), $file);
	is($err, slurp("$kept/log") =~ s/\A.*\n//r, '-d prints the lines of the log');
	my ($status) = helper($fsx, '-q', '-N', 9, $file);
	is_deeply([$status, glob("$file.*")], [0], 'a clean run leaves no log');
	run(qw(-N 9 -n), $file);
}

# Set-ups that are broken, or lack what is asked for, are no findings.
{
	my ($full) = make_fs('mkfs.ext4', 8, '-q');
	my ($status, $out, $err) = helper($fsx, '-P', $kept, qw(-l 16m -o 4m), "$full/file");
	is_deeply([$status, $out], [1, ''], 'no space left: broken');
	like($err, qr{^fsx: \Q$full\E/file: .*: No space left on device$}m, 'and says so');
	($status, undef, $err) = helper($fsx, qw(--weight all=0 --weight clone=1), "$mount{ext4}/f");
	is($status, 77, 'nothing that is supported');
	like($err, qr{^fsx: \Q$mount{ext4}\E/f: no operation is left$}m, 'and says so');
	run(qw(-S 1 -N 200), $file);
	($status, $out, $err) = helper($fsx, '--replay-ops', "$kept/log", "$mount{ext4}/f");
	is_deeply([$status, $out], [77, ''], 'a log of what is not supported here');
	like($err, qr{^fsx: \Q$kept\E/log: operation \d+, .*: not supported here$}, 'and says so');
	fails(1, 'open /nowhere/file: No such file or directory', $fsx, '/nowhere/file');
	fails(2, "$kept: expected a regular file", $fsx, $kept);
	fails(2, "-w: expected what direct I/O takes on $file", $fsx, qw(-Z -w 100 -r 512), $file);
	fails(2, "-r: expected what direct I/O takes on $file", $fsx, qw(-Z -w 512 -r 100), $file);
}

# Each number: its name, and what was expected
my %range = (-N => '1 to 9223372036854775807', -S => '0 to 9223372036854775807', -l => '1 to 67108864',
	-o => '1 to 67108864', -r => '1 to 1048576', -w => '1 to 1048576', -t => '1 to 1048576', -u => '1 to 1048576',
	-c => '1 to 9223372036854775807', -e => '0 to 1', -p => '1 to 9223372036854775807',
	'--duration' => '1 to 604800', '--epoch' => '1 to 100000000');
for my $option (sort keys %range) {
	for my $value ('x', '-1', '4q', '99999999999999999999', $option eq '-e' ? 2 : ()) {
		fails(2, "$option '$value': expected a whole number, $range{$option}", $fsx,
			$option =~ /^--/ ? "$option=$value" : ($option, $value), $file);
	}
}
fails(2, "'$_': expected a value after it", $fsx, $_) for qw(-N -P --weight --replay-ops);
fails(2, "unknown option '-Q': expected one of --help", $fsx, '-Q', $file);
fails(2, "unknown option '--nothing': expected one of --help", $fsx, '--nothing', $file);
fails(2, "$_->[0] arguments: expected FILE", $fsx, @{$_->[1]}) for [0, []], [2, [$file, $file]];
fails(2, "--weight '$_': expected OP=N, OP of --help or all", $fsx, '--weight', $_, $file)
	for qw(read none=1 reading=1 =1);
fails(2, "--weight 'x': expected a whole number, 0 to 1000000", $fsx, qw(--weight read=x), $file);
fails(2, "--replay-ops: expected no -S with it", $fsx, '--replay-ops', "$kept/log", qw(-S 1), $file);
fails(2, "--replay-ops: expected no --weight with it", $fsx, '--replay-ops', "$kept/log", qw(--weight read=1), $file);

# A log that is none: the file, the line, what was expected; the file is spared.
{
	my $head = "fsx version=1 seed=1 max_bytes=1000 direct=0 first=1\n";
	my $op = 'op n=1 do=write offset_bytes=0 length_bytes=9 to_bytes=0 before_bytes=0 after_bytes=9 flags=none';
	my $bad = "$kept/bad";
	my $sizes = 'expected operation 1, on a file of 0 bytes';
	my @case = (
		['', 1, 'expected the log of fsx'],
		["$op\n", 1, "expected a record 'fsx KEY=VALUE ...'"],
		[$head =~ s/seed=1 //r, 1, 'no key seed, expected seed=N'],
		[$head =~ s/1000/99999999/r, 1, 'expected version=1, max_bytes=1 to 67108864, direct=0 or 1, first=1 or more'],
		[$head . $head, 2, "expected a record 'op KEY=VALUE ...'"],
		[$head . $op =~ s/write/smile/r, 2, 'expected do= an operation, flags= its own'],
		[$head . $op =~ s/none/sync,no/r, 2, 'expected do= an operation, flags= its own'],
		[$head . $op =~ s/=9 to/= to/r, 2, "length_bytes='', expected a plain value"],
		[$head . $op =~ s/n=1/n=2/r, 2, $sizes],
		[$head . $op =~ s/before_bytes=0/before_bytes=5/r, 2, $sizes],
		[$head . $op =~ s/=9/=2000/gr, 2, $sizes],
		[$head . $op =~ s/write/collapse/r, 2, $sizes],
		[$head . $op =~ s/write/mapread/r, 2, $sizes],
	);
	for my $case (@case) {
		my ($text, $line, $expected) = @$case;
		CheckRun::spew($bad, $text);
		fails(2, "$bad:$line: $expected", $fsx, '--replay-ops', $bad, $file);
	}
	CheckRun::spew($bad, "$head$op\n");
	is((helper($fsx, '-q', '--replay-ops', $bad, $file))[0], 0, 'the right one replays');
	is(-s $file, 9, 'and leaves what it says');
}
{
	my ($status, $out, $err) = helper($fsx, '--help');
	is_deeply([$status, $err], [0, ''], '--help');
	like($out, qr/^usage: fsx \[options\] FILE\n.*^operations: read=10 .* drop=1\n\z/ms, 'names all');
}

# The test itself, over the layer: a finding, its evidence.
guard_plan('generic/103-fsx', 'fsx_faults.c');
guard_fails('lost_punch', qr/fsx: operation \d+ \(.*\): .*/,
	[qw(fsxops.buffered fsxgood.buffered fsxbad.direct fsxops.mmap metadump.gz)], {FSX_FAULT => 'lost_punch'});

done_testing();
