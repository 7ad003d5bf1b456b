#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# rwp on file systems of the test's own: what each role did, that nothing is left
# of it, and what it refuses.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun;
use Test::More;

my $missing = loop_missing(qw(mkfs.xfs mkfs.ext4 filefrag));
plan(skip_all => $missing) if $missing;

my $mib = 1 << 20;
my @small = ('--write-bytes', $mib, '--writes', 9);

# dd of so many MiB, by blocks that are all written
sub make_file
{
	my ($path, $mibs) = @_;

	system("dd if=/dev/zero of=$path bs=1M count=$mibs conv=fsync " .
		'status=none') == 0 or die "dd $path";
}

sub fails
{
	my ($status, $line, @args) = @_;
	my ($got, $out, $err) = helper('rwp', @args);

	is_deeply([$got, $out, $err], [$status, '', "rwp: $line\n"],
		"rwp @args: exit $status");
}

# (size, are all bytes written, blocks that filefrag does not see)
sub shape
{
	my ($path) = @_;
	my @stat = stat($path);
	my $mapped = 0;

	for (`filefrag -v $path`) {
		$mapped += $1 if /^\s*\d+:[ \d.]+:[ \d.]+:\s*(\d+):(?!.*unwritten)/;
	}
	return ($stat[7], $stat[12] * 512 >= $stat[7] ? 'written' : $stat[12],
		$stat[7] / 4096 - $mapped);
}

for my $mkfs ('mkfs.xfs', 'mkfs.ext4') {
	my ($dir) = make_fs($mkfs, 1024);

	make_file("$dir/shared", 577);
	make_file("$dir/apart", 64);
	for my $run ([], ['--punch'], [qw(--punch --apart)],
		[qw(--punch --serialise --latency)], [qw(--punch --processes)],
		[qw(--punch --aio)], [qw(--punch --aio --processes)]) {
		my ($status, $out, $err) = helper('rwp', @$run, @small, $dir);
		is_deeply([$status, $err], [0, ''], "$mkfs, rwp @$run: ends well");
		my $r = record($out);
		my $punch = "@$run" =~ /punch/;
		my $roles = $punch ? 3 : 2;
		is_deeply([@{$r}{qw(threads ops writes write_bytes errors)}],
			[$roles, $roles, 9, $mib, 0], 'its roles, and 9 writes');
		cmp_ok($r->{reads}, '>=', 1, 'some reads');
		ok($punch || !$r->{punches}, 'holes where they were asked for');
		cmp_ok($r->{overlap_ppm}, '<=', 1000000, 'a part of the whole');
		cmp_ok($r->{written_bytes}, '>=', 9 * $mib, 'written for good');
		is(exists $r->{read_p99_ns}, "@$run" =~ /latency/ ? 1 : '',
			'latencies where they were asked for');
		is_deeply([shape("$dir/shared")], [577 * $mib, 'written', 0],
			'the file is as it was');
	}
	my $r = record((helper('rwp', '--apart', '--serialise', '--write-bytes',
		32 * $mib, $dir))[1]);
	cmp_ok($r->{overlap_ppm}, '>', 500000, 'behind one lock a read waits');
	is($r->{writes}, 8, 'eight writes');
	ok(!exists($r->{hist_ms}), 'reads by the millisecond only where asked for');

	# Reads by the millisecond
	$r = record((helper('rwp', '--histogram', '--punch', @small, $dir))[1]);
	my %ms = split(/[:,]/, $r->{hist_ms});
	my $sum = 0;
	$sum += $_ for values(%ms);
	is($sum, $r->{reads}, 'every read is in the histogram');
	my @ms = $r->{hist_ms} =~ /(\d+):/g;
	is("@ms", join(' ', sort { $a <=> $b } @ms), 'in order');
	is($ms[-1], int($r->{longest_ns} / 1e6), 'the longest is the last');
	my $over = 0;
	$over += $ms{$_} for grep { $_ >= 100 } @ms;
	is($r->{over_100ms}, $over, '100 ms and more');

	# For a time
	$r = record((helper('rwp', '--duration-ms', 1, '--write-bytes', 64 * $mib,
		$dir))[1]);
	is($r->{writes}, 1, 'no write begins after the time');
	$r = record((helper('rwp', '--duration-ms', 3600000, @small, $dir))[1]);
	is($r->{writes}, 9, 'nor more than asked for');

	# What it refuses
	my $usage = 'expected --write-bytes n * 4096, no --threads';
	fails(2, $usage, qw(--threads 2), $dir);
	fails(2, $usage, '--write-bytes', $mib + 512, $dir);
	truncate("$dir/apart", 65 * $mib) or die 'truncate';
	fails(1, "premise: apart has 68157440 bytes, 67108864 of them written, " .
		'expected all of 67108864', '--apart', $dir);
	system("fallocate -p -o 67108864 -l 1048576 $dir/shared") == 0 or die;
	my $written = (stat("$dir/shared"))[12] * 512;
	fails(1, "premise: shared has 605028352 bytes, $written of them written, " .
		'expected all of 605028352', $dir);
	unlink("$dir/shared");
	fails(1, "open $dir/shared: No such file or directory", $dir);
}

# No room for what is appended
my ($dir) = make_fs('mkfs.ext4', 700);
make_file("$dir/shared", 577);
for my $how ([''], ['asynchronous ', '--aio']) {
	my ($asynchronous, @option) = @$how;
	my ($status, $out, $err) = helper('rwp', @option, '--write-bytes',
		256 * $mib, $dir);
	is_deeply([$status, $out], [1, ''], 'a full file system: broken');
	like($err, qr{\Arwp: ${asynchronous}write of 268435456 bytes at \d+: (?:No space left on device|\d+ were done)\n\z},
		'and says so');
}

done_testing();
