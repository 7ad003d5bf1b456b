#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# populate and fiemap_scan on file systems of the test's own: the trees that
# come out, and extents against what another program sees.
use strict;
use warnings;
use lib 'tests/selftest';
use Digest::SHA;
use File::Find;
use HelperRun qw(:DEFAULT fails sample);
use IO::Compress::Gzip qw(gzip);
use Test::More;

my $missing = loop_missing(qw(mkfs.xfs mkfs.ext4 filefrag));
plan(skip_all => $missing) if $missing;

my $shim = work_dir() . '/shim.so';
my $list = work_dir() . '/tree_helper';
build($shim, [qw(-shared -fPIC)], 'tests/selftest/kernel_shim.c') or BAIL_OUT('no kernel_shim.c');
build($list, [], 'tests/selftest/tree_helper.c', library()) or BAIL_OUT('no tree_helper.c');
my ($xfs, $xfs_loop) = make_fs('mkfs.xfs', 1024, qw(-m reflink=1));

# {name below $top => sha256} of all files.
sub tree
{
	my ($top) = @_;
	my %sum;

	find({ no_chdir => 1, wanted => sub {
		return if !-f $_;
		my $name = substr($_, length($top));
		$sum{$name} = Digest::SHA->new(256)->addfile($_, 'b')->hexdigest;
	} }, $top);
	return \%sum;
}

# Of a tree, as filefrag sees it: extents, shared extents, files with one.
sub tree_extents
{
	my ($top) = @_;
	my @sum = (0, 0, 0);
	my $has_shared;

	for (`find '$top' -type f -exec filefrag -v {} +`) {
		$has_shared = 0 if /^File size of /;
		next if !/^\s*\d+:.*:([^:]*)$/;
		$sum[0]++;
		next if $1 !~ /shared/;
		$sum[1]++;
		$sum[2]++ if !$has_shared++;
	}
	return @sum;
}

# Writes $text at an offset and syncs.
sub put
{
	my ($path, $text, $offset) = @_;

	open(my $fh, -e $path ? '+<' : '+>', $path) or die "$path: $!";
	sysseek($fh, $offset // 0, 0);
	syswrite($fh, $text) == length($text) or die "$path: $!";
	close($fh) or die "$path: $!";
	system("sync $path") == 0 or die "sync $path";
}

# populate: what was asked for, and the same whoever makes it.
my @size = (qw(--files 250 --dir-files 100 --seed 3));
my $r = sample('populate', @size, "$xfs/one");
my $one = tree("$xfs/one");
is_deeply([sort keys %$one], [map { sprintf('/d%04d/f%07d', $_ / 100, $_) } 0 .. 249],
	'250 files, 100 a directory');
my %sizes;
my ($bytes, $text, %block) = (0, '');
for my $name (keys %$one) {
	my $content = slurp("$xfs/one$name");
	$sizes{length($content)}++;
	$bytes += length($content);
	$block{$_}++ for unpack('(a4096)*', $content);
	$text .= $content if length($text) < 1 << 20;
}
is_deeply([sort { $a <=> $b } keys %sizes], [map { 4096 * $_ } 1 .. 8], 'all sizes of 4 to 32 KiB, no other');
ok(!grep({ $_ < 10 || $_ > 60 } values %sizes), 'each about as often');
is(scalar(keys %block), $bytes / 4096, 'no two blocks are equal');
gzip(\$text, \my $packed);
cmp_ok(length($packed), '>', .99 * length($text), 'nothing compresses');
is_deeply([@{$r}{qw(files bytes cloned_files fs errors ops)}], [250, $bytes, 0, 'xfs', 0, 3],
	'the record says so');
cmp_ok($r->{written_bytes}, '>=', $bytes, 'all is on the device at the end');
cmp_ok($r->{flush_ios}, '>', 0, 'and flushed');
cmp_ok($r->{xfs_write_calls}, '>=', 250, "XFS's own counters are there");

my $n = 0;
for my $how ([qw(--threads 2)], [qw(--threads 7)], [qw(--threads 3 --processes)]) {
	sample('populate', @size, @$how, "$xfs/same$n");
	is_deeply(tree("$xfs/same$n"), $one, "the same tree with @$how");
	$n++;
}
sample('populate', qw(--files 250 --dir-files 100 --seed 4), "$xfs/other");
my %seen = map { $_ => 1 } values %$one;
is(scalar(grep { $seen{$_} } values %{tree("$xfs/other")}), 0, 'another seed: no file the same');
$r = sample('populate', qw(--files 3 --min-bytes 1048576 --max-bytes 1052672), "$xfs/large");
%block = ();
for my $path (glob("$xfs/large/*/*")) {
	$block{$_}++ for unpack('(a4096)*', slurp($path));
	ok(-s $path == 1048576 || -s $path == 1052672, 'a size in a range above one write');
}
is(scalar(keys %block), $r->{bytes} / 4096, 'no two blocks of large files are equal');
sample('populate', qw(--files 1), "$xfs/single");
is(scalar(keys %{tree("$xfs/single")}), 1, 'one file');

# What populate refuses, and that it leaves nothing behind.
my $range = '--min-bytes, --max-bytes: expected n * 4096, the first not above the second';
for my $bad ([qw(--min-bytes 5000)], [qw(--max-bytes 5000)], [qw(--min-bytes 8192 --max-bytes 4096)],
	[qw(--min-bytes 65536)]) {
	fails(2, $range, 'populate', @$bad, "$xfs/refused");
}
ok(!-e "$xfs/refused", 'and makes nothing');
fails(1, "mkdir $xfs/one/d0000: File exists", 'populate', "$xfs/one");
is_deeply(tree("$xfs/one"), $one, 'a tree that is there stays as it is');
fails(1, "mkdir $xfs/no/where: No such file or directory", 'populate', "$xfs/no/where");
fails(77, work_dir() . '/c: no FICLONE here', 'populate', '--clone-to', work_dir() . '/c', work_dir() . '/p');
is_deeply([keys %{tree(work_dir() . '/p')}], [], 'not supported: no file is made');
fails(1, "FICLONE $xfs/here to " . work_dir() . '/c: Invalid cross-device link', 'populate',
	'--clone-to', work_dir() . '/c', "$xfs/here");

# A reflink copy.
for my $how ([qw(--threads 1)], [qw(--threads 2)], [qw(--threads 9)], [qw(--threads 3 --processes)]) {
	$r = sample('populate', @size, @$how, '--clone-to', "$xfs/copy$n", "$xfs/src$n");
	is($r->{cloned_files}, 250, 'all files are cloned');
	is_deeply(tree("$xfs/src$n"), $one, "the source is as without a copy (@$how)");
	is_deeply(tree("$xfs/copy$n"), $one, 'and so is the copy');
	my @all = tree_extents("$xfs/copy$n");
	is_deeply(\@all, [$all[0], $all[0], 250], 'filefrag: every extent is shared');
	$n++;
}
# XFS: a directory and its files lie in one AG, the same whoever makes them.
SKIP: {
	skip 'needs xfs_bmap', 2 if loop_missing('xfs_bmap');
	my @layout;
	for my $threads (1, 5) {
		my ($mount) = make_fs('mkfs.xfs', 512, qw(-m reflink=1 -d agcount=4));
		sample('populate', qw(--files 200 --dir-files 10 --clone-to), "$mount/copy",
			'--threads', $threads, "$mount/src");
		my %ag;
		my $dir;
		for (`xfs_bmap -v $mount/src/*/*`) {
			$dir = $1 if m{^\Q$mount\E/src/(\w+)};
			$ag{$dir}{$1}++ if /^ *0: \S+ +\S+ +(\d+) /;
		}
		push @layout, \%ag;
	}
	is_deeply([map { scalar(keys %$_) } values %{$layout[0]}], [(1) x 20], 'one AG a directory');
	is_deeply($layout[1], $layout[0], 'the same with five threads');
}
my ($shared, $copy) = ("$xfs/src3", "$xfs/copy3");

# fiemap_scan against filefrag: also files of more extents than a call takes,
# partly shared, sparse, empty, links and other directories.
my $odd = "$xfs/odd";
mkdir $_ or die "$_: $!" for $odd, "$odd/b", "$odd/a", "$odd/a/z", "$odd/empty";
put("$odd/a/z/many", 'x' x 4096, 8192 * $_) for 0 .. 199;
system("cp --reflink=always $odd/a/z/many $odd/b/partly") == 0 or die 'cp';
put("$odd/b/partly", 'y' x 4096, 8192 * $_) for 0 .. 9, 70, 199;
put("$odd/edge64", 'x' x 4096, 8192 * $_) for 0 .. 63;
put("$odd/edge65", 'x' x 4096, 8192 * $_) for 0 .. 64;
put("$odd/none", '');
truncate("$odd/none", 1 << 20) or die 'truncate';
symlink("$odd/edge64", "$odd/link") or die 'symlink';
symlink($shared, "$odd/dirlink") or die 'symlink';
for my $dir ("$xfs/one", $shared, $copy, $odd) {
	my @want = tree_extents($dir);
	for my $how ([], [qw(--threads 2)], [qw(--threads 8 --order shuffle)], [qw(--threads 2 --processes)],
		[qw(--threads 2 --serialise)], [qw(--threads 2 --processes --serialise --latency)]) {
		$r = sample('fiemap_scan', @$how, $dir);
		is_deeply([@{$r}{qw(extents shared_extents shared_files errors fs)}], [@want, 0, 'xfs'],
			"@want: extents, shared extents and files as filefrag says");
		is_deeply([@{$r}{qw(files ops order)}], [$dir eq $odd ? (4, 4) : (250, 250),
			"@$how" =~ /shuffle/ ? 'shuffle' : 'seq'], 'files with blocks, each mapped once');
	}
}
cmp_ok((tree_extents($odd))[0], '>=', 400, 'there was a file of more than 64 extents');

# Premises.
sample('fiemap_scan', qw(--expect-shared none), "$xfs/one");
sample('fiemap_scan', qw(--expect-shared all), $shared);
sample('fiemap_scan', qw(--expect-shared any), $odd);
for my $mode ([], ['--processes']) {
	my @run = ('fiemap_scan', '--threads', 2, @$mode, '--expect-shared');
	fails(1, 'premise: 250 of 250 files have shared extents, expected 0', @run, 'none', $shared);
	fails(1, 'premise: 0 of 250 files have shared extents, expected 250', @run, 'all', "$xfs/one");
	fails(1, 'premise: 2 of 4 files have shared extents, expected 4', @run, 'all', $odd);
	fails(1, 'premise: 2 of 4 files have shared extents, expected 0', @run, 'none', $odd);
	fails(1, "premise: no file with blocks in $odd/empty", @run, 'any', "$odd/empty");
}
fails(1, "open $xfs/nowhere: No such file or directory", 'fiemap_scan', "$xfs/nowhere");
fails(2, "--expect-shared 'some': expected any|all|none", 'fiemap_scan', '--expect-shared', 'some', $xfs);

# Not supported: tmpfs has no FIEMAP.
mkdir work_dir() . '/t' or die 't';
put(work_dir() . '/t/file', 'text');
fails(77, work_dir() . '/t/file: no FS_IOC_FIEMAP here', 'fiemap_scan', work_dir() . '/t');

# Errors of single files, as a user without rights.
SKIP: {
	my $scan = work_dir() . '/fiemap_scan';
	chmod(0755, work_dir());
	system('cp', path('fiemap_scan'), $scan) == 0 or die 'cp';
	my @nobody = ('/usr/bin/env', qw(setpriv --reuid=65534 --regid=65534 --clear-groups), $scan);
	skip 'needs setpriv', 4 if system('setpriv --reuid=65534 --regid=65534 --clear-groups true');
	my ($status, $out, $err) = helper(@nobody, $shared);
	is_deeply([$status, $err], [0, ''], "files of another's: O_NOATIME is refused, without it they open");
	is(record($out)->{shared_files}, 250, 'and are mapped');
	chmod(0600, map { sprintf('%s/d0001/f%07d', $shared, $_) } 105 .. 107);
	($status, $out, $err) = helper(@nobody, $shared);
	is_deeply([$status, $out, $err], [1, '', "fiemap_scan: 3 errors, the first: open " .
		(grep { m{f000010[567]$} } split(/\n/, `$list $shared`))[0] . ": Permission denied\n"],
		'errors are counted, the first is named, no record');
	($status, $out, $err) = helper(@nobody, qw(--threads 4 --processes), $shared);
	is_deeply([$status, $out], [1, ''], 'and of worker processes');
	like($err, qr/\Afiemap_scan: 3 errors, the first: open \S+f000010[567]: Permission denied\n\z/, 'too');
}

# --serialise keeps all others out of the call.
for my $mode ([], ['--processes']) {
	for my $serialise ([], ['--serialise']) {
		my $seen = work_dir() . '/inside';
		unlink $seen;
		local $ENV{FSRATIO_SHIM} = $seen;
		local $ENV{LD_PRELOAD} = $shim;
		my @got = helper('fiemap_scan', '--threads', 4, @$mode, @$serialise, $odd);
		delete $ENV{LD_PRELOAD};
		my ($now, $most) = unpack('ii', slurp($seen));
		is_deeply([$got[0], $now], [0, 0], "calls seen (@$mode @$serialise)");
		@$serialise ? is($most, 1, 'never two at once') : cmp_ok($most, '>', 1, 'two and more at once');
	}
}

# The order: readdir's within a directory, then directories by name.
sub by_hand
{
	my ($top) = @_;
	opendir(my $dh, $top) or die "$top: $!";
	my @name = map { "$top/$_" } grep { !/^\.\.?$/ } readdir($dh);

	return (grep({ !-l $_ && -f $_ && (lstat($_))[12] } @name),
		map { by_hand($_) } sort grep { !-l $_ && -d $_ } @name);
}
for my $dir ($odd, "$xfs/one") {
	my @listed = split(/\n/, `$list $dir`);
	is_deeply(\@listed, [by_hand($dir)], "the order of files in $dir");
}
my $seq = `$list $xfs/one`;
my $shuffled = `$list $xfs/one 1`;
isnt($shuffled, $seq, 'shuffle: another order');
is($shuffled, `$list $xfs/one 1`, 'the same for the same seed');
isnt($shuffled, `$list $xfs/one 2`, 'another for another');
is_deeply([sort split(/\n/, $shuffled)], [sort split(/\n/, $seq)], 'of the same files');
mkdir "$odd/mnt" or die 'mnt';
SKIP: {
	my ($status, $out, $err) = helper('/usr/bin/env', 'unshare', '-m', '/bin/sh', '-c',
		"mount -t ramfs none $odd/mnt && exec '@{[path('fiemap_scan')]}' $odd");
	skip 'no mount namespaces', 1 if $err =~ /unshare/;
	is_deeply([$status, $out, $err], [1, '', "fiemap_scan: $odd/mnt: another file system is mounted there\n"],
		'a tree is scanned on one file system alone');
}

# The device: of the mount, by its number, with its counters.
sub number
{
	my $rdev = (stat($_[0]))[6];
	return ($rdev >> 8 & 0xfff) . ':' . ($rdev & 0xff | $rdev >> 12 & 0xfff00);
}
is(sample('fiemap_scan', $odd)->{dev}, number($xfs_loop), 'XFS: dev is the loop device');
{
	local $ENV{FSRATIO_SHIM} = 'statx schedstat';
	local $ENV{LD_PRELOAD} = $shim;
	my ($status, $out, $err) = helper('fiemap_scan', $odd);
	delete $ENV{LD_PRELOAD};
	$r = record($out);
	is_deeply([$status, @{$r}{qw(fs dev)}], [0, 'xfs', number($xfs_loop)],
		'a kernel without statx: found by the mount point');
	ok(!exists $r->{run_delay_ns}, 'a kernel without schedstat: no run_delay_ns');
	is($err, "fiemap_scan: run_delay_ns left out: this kernel has no /proc/PID/schedstat\n", 'and it is said');
}
SKIP: {
	# A mount that was moved below a younger one stands before it in mountinfo.
	my $dir = work_dir() . '/moved';
	mkdir $_ or die "$_: $!" for $dir, "$dir/old", "$dir/young";
	my ($status, $out, $err) = helper('/usr/bin/env', 'unshare', '-m', '/bin/sh', '-c',
		"mount -t tmpfs none $dir/old && mount -t ramfs none $dir/young && mkdir $dir/young/at &&
		mount --move $dir/old $dir/young/at &&
		FSRATIO_SHIM=statx LD_PRELOAD=$shim '@{[path('spin')]}' --ops 1 $dir/young/at");
	skip 'no mount namespaces', 1 if $err =~ /unshare|mount:/;
	is(record($out)->{fs}, 'tmpfs', 'without statx: the longest mount point, not the last one');
}
my ($loop_name) = $xfs_loop =~ m{([^/]+)$};
sub iostats
{
	open(my $fh, '>', "/sys/block/$loop_name/queue/iostats") or die "iostats: $!";
	print $fh $_[0];
	close($fh) or die "iostats: $!";
}
iostats(0);
my ($status, $out, $err) = helper('fiemap_scan', $odd);
iostats(1);
is_deeply([$status, exists record($out)->{read_ios}, $err],
	[0, '', "fiemap_scan: block counters left out: queue/iostats is 0\n"], 'counters that stand still are left out');

SKIP: {
	my $loop = make_loop(512);
	skip 'needs partitions on loop devices', 3
		if loop_missing('addpart') || system("addpart $loop 1 2048 1000000 2>/dev/null") || !-b "${loop}p1";
	my $mount = mount_new('mkfs.xfs', "${loop}p1");
	($status, $out, $err) = helper('populate', '--files', 100, "$mount/p");
	$r = record($out);
	is_deeply([$status, $r->{dev}, exists $r->{flush_ios}, $err], [0, number("${loop}p1"), '',
		"populate: flush_ios left out: no kernel counts a partition's\n"], 'a partition: no flush_ios');
	cmp_ok($r->{written_bytes}, '>=', $r->{bytes}, 'the rest of its counters');
	cmp_ok($r->{xfs_write_calls}, '>=', 100, "and XFS's by its name");
}

SKIP: {
	skip 'needs mkfs.btrfs', 6 if loop_missing('mkfs.btrfs') || system('modprobe -q btrfs 2>/dev/null; grep -qw btrfs /proc/filesystems');
	my ($btrfs, $loop) = make_fs('mkfs.btrfs', 256);
	$r = sample('populate', @size, '--clone-to', "$btrfs/copy", "$btrfs/src");
	is_deeply([@{$r}{qw(fs dev)}], ['btrfs', number($loop)], 'btrfs: dev is the loop device, not what stat says');
	is_deeply(tree("$btrfs/copy"), $one, 'the same tree on every file system');
	ok(!exists $r->{xfs_log_writes} && $r->{written_bytes} >= $bytes, "block counters, and none of XFS's");
	$r = sample('fiemap_scan', qw(--expect-shared all), "$btrfs/src");
	is_deeply([@{$r}{qw(shared_files dev)}], [250, number($loop)], 'all of it shared');
}

# No room: broken, wherever it shows.
my ($ext4) = make_fs('mkfs.ext4', 16, qw(-q -F));
fails(77, "$ext4/c: no FICLONE here", 'populate', '--clone-to', "$ext4/c", "$ext4/p");
for my $mode ([], ['--processes']) {
	($status, $out, $err) = helper('populate', qw(--files 4000 --threads 2), @$mode, "$ext4/full");
	is_deeply([$status, $out], [1, ''], "a full disk (@$mode): broken, no record");
	like($err, qr/\Apopulate: (write f\d{7}|open \S+|syncfs \S+): No space left on device\n\z/, 'one line says so');
	system("rm -r $ext4/full") == 0 or die 'rm';
}
my ($old) = make_fs('mkfs.xfs', 512, qw(-m reflink=0));
fails(77, "$old/c: no FICLONE here", 'populate', '--clone-to', "$old/c", "$old/p");

done_testing();
