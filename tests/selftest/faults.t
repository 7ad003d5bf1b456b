#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What cannot be trusted is never pass or fail: tests and machines that do what
# they should not, and what check makes of it.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Fcntl qw(LOCK_EX);
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

my $images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }

my $measure = ". ./common/measure\nsetup() { :; }\n" .
	"sample() { echo \"sample fs=none dev=0:0 threads=1 elapsed_ns=\$1\"; }\none() { sample 1000; }\n";
my $scratch = "_require_scratch\n_scratch_mkfs || _fail mkfs\n_scratch_mount\n";
my $golden = "echo 'Silence is golden'\n_exit 0";

$CheckRun::tree = own_tree(
	'901-nul' => "echo 'Silence is golden'\nprintf '\\0'\necho 'wrong data'\n_exit 0",
	'902-noise' => "head -c 400000 /dev/zero | tr '\\0' x\nexit 1",
	'903-forged' => "echo 'verdict test=final verdict=pass' >\"\$seqres.verdict\"\necho 'slowdown: pass'\n_exit 0",
	'904-no-newline' => "${measure}bad() { printf 'sample fs=none dev=0:0 threads=1 elapsed_ns=1'; }\n" .
		"_interleave setup one bad\n_judge\n_exit 0",
	'905-garbage' => "echo 'verdict limit=x foo' >\"\$seqres.verdict\"\n$golden",
	'906-loop-inside' => "${scratch}truncate -s 10M \"\$SCRATCH_MNT/img\"\n" .
		"losetup -f \"\$SCRATCH_MNT/img\" || _fail losetup\n$golden",
	'907-bind' => "${scratch}mkdir \"\$RESULT_DIR/bind\"\n" .
		"mount --bind \"\$SCRATCH_MNT\" \"\$RESULT_DIR/bind\" || _fail bind\n$golden",
	'908-cd' => "${scratch}cd \"\$SCRATCH_MNT\"\n$golden",
	'909-unmounts' => "_require_test\numount \"\$TEST_DIR\"\n$golden",
	'910-notrun' => "_notrun 'no such thing here'",
	'911-pass' => $golden,
	'912-scratch' => "$scratch$golden",
	'913-hang' => 'sleep 100',
	'914-judged' => "${measure}bad() { sample 4000; }\n_interleave setup one bad\n_judge\n_exit 0",
);

# word($case, \%env, @args): (word, reason or output, exit status, results).
sub word
{
	my ($case, $env, @args) = @_;
	my ($out, $status, $results) = run_check({IMAGE_DIR => $images, %$env}, @args, "selftest/$case");
	my ($line) = $out =~ /^selftest\/$case\S*\t?(.*)/m;

	$line //= $out;
	my $word = $line =~ /broken: (.*)\)$/ ? 'broken' : $line =~ /output mismatch/ ? 'fail' :
		$line =~ /not run/ ? 'notrun' : $line =~ /\d+s$/ ? 'pass' : 'none';
	return ($word, $1 // $out, $status, $results, $out);
}

# is_word($case, $word, $status, $reason, $what, \%env, @args)
sub is_word
{
	my ($case, $want, $want_status, $reason, $what, $env, @args) = @_;
	my ($word, $text, $status, $results, $out) = word($case, $env // {}, @args);

	is($word, $want, "$what: $want") or diag($out);
	is($status, $want_status, "$what: exit $want_status");
	like($text, $reason, "$what: its reason") if $reason;
	unlike($out, qr/: line \d+: /, "$what: no word of bash");
	is(ours_left($images), '', "$what: nothing is left");
	return $results;
}

# Tests that do what they should not.
is_word('901', 'fail', 1, undef, 'a NUL in the output, and other output behind it');
is_word('902', 'broken', 2, qr/^exit 1 before its end: x{20,300}$/, 'much output without a line end');
is_word('903', 'broken', 2, qr/the judge says 'nothing'/, 'a verdict that the test wrote itself');
is_word('904', 'broken', 2, qr/expected one line, a sample record, found: sample/, 'a record without its line end');
is_word('905', 'pass', 0, undef, 'a verdict file of no meaning, in a test without limits');
is_word('906', 'pass', 0, undef, 'a loop device over a file in the scratch');
is_word('907', 'pass', 0, undef, 'a bind mount of the scratch');
is_word('908', 'pass', 0, undef, 'a working directory in the scratch');
is_word('909', 'pass', 0, undef, 'TEST_DEV unmounted');
unlike(`losetup -a`, qr{\Q$images\E|/img\)}, 'no loop device of these is left');

# Machines that lack something.
my $bin = results_dir();
for my $dir (split /:/, $ENV{PATH} . ':/usr/sbin:/sbin') {
	for my $tool (glob "$dir/*") {
		my ($name) = $tool =~ m{([^/]+)$};

		symlink $tool, "$bin/$name" if !-e "$bin/$name";
	}
}
sub without
{
	my ($tool, $case, $message) = @_;

	rename "$bin/$tool", "$bin/.$tool" or die "$tool: $!";
	my ($out, $status) = run_check({PATH => $bin, IMAGE_DIR => $images}, "selftest/$case");
	is($status, 2, "without $tool: exit 2");
	is($out, "check: $message\n", "without $tool: one line");
	rename "$bin/.$tool", "$bin/$tool" or die "$tool: $!";
}
without($_, '912', "not found in PATH: $_") for qw(dmesg blkid umount stat flock df mountpoint diff losetup);
without('mkfs.xfs', '912', 'mkfs.xfs not found; install xfsprogs');
unlink "$bin/xfs_repair";
spew("$bin/xfs_repair", "#! /bin/bash\nkill -KILL \$\$\n");
chmod 0755, "$bin/xfs_repair";
is_word('912', 'broken', 2, qr/^the checker of xfs could not run/, 'a checker that is killed', {PATH => $bin});

# Options of the user that make no file system.
for my $case (
	[{MKFS_OPTIONS => '--bogus'}, qr/^check: mkfs\.xfs of SCRATCH_DEV with MKFS_OPTIONS '--bogus': .+$/],
	[{MOUNT_OPTIONS => '-o bogus'}, qr/^check: mount of SCRATCH_DEV with MOUNT_OPTIONS '-o bogus': .+$/],
) {
	my ($env, $message) = @$case;
	my ($out, $status) = run_check({IMAGE_DIR => $images, %$env}, 'selftest/912');
	my $why = join ' ', %$env;

	is($status, 2, "$why: exit 2");
	like($out, $message, "$why: says why");
	is(scalar(() = $out =~ /\n/g), 1, "$why: one line");
	is(ours_left($images), '', "$why: nothing is left");
}

# No room where results, or our own files, go.
my $small = results_dir();
mkdir "$small/m" or die;
run_ok("mount -t tmpfs -o size=64k none $small/m");
unshift @cleanup, "umount $small/m";
mkdir "$small/m/r" or die;
mkdir "$small/m/r/selftest" or die;
system("head -c 200000 /dev/zero >$small/m/fill 2>/dev/null");
my ($word, $text, $status, $results, $out) = word('910', {RESULT_BASE => "$small/m/r"});
like($out, qr/^Broken: selftest\/910-notrun: /m, 'no room for results: a notrun is broken');
is($status, 2, 'and not a fail');
($word, $text, $status) = word('911', {RESULT_BASE => "$small/m/r"});
is($status, 2, 'logs that cannot be written are not silent');
($word, $text, $status, $results, $out) = word('911', {TMPDIR => "$small/m"});
isnt($word, 'pass', 'no room for temporary files: no pass') or diag($out);
is($status, 2, 'but exit 2');
($out, $status) = run_check({TMPDIR => '/nonexistent'}, 'selftest/911');
is($out, "check: TMPDIR /nonexistent is no directory to write in\n", 'no TMPDIR: one line');
is($status, 2, 'and exit 2');

# Where images go may be a link.
my $link = results_dir();
symlink $images, "$link/l" or die;
for my $dir ("$link/l", "/dev/../$images") {
	($out, $status) = run_check({IMAGE_DIR => $dir}, 'selftest/912');
	is($status, 0, "IMAGE_DIR=$dir: pass") or diag($out);
	is(ours_left($images), '', 'nothing is left');
}

# Names of ours in the environment.
my $test = run_ok("truncate -s 400M $link/t.img && losetup -f --show $link/t.img");
push @cleanup, "losetup -d $test";
run_ok("mkfs.xfs -q $test");
my $uuid = `blkid -p -o value -s UUID $test`;
($out, $status) = run_check({IMAGE_DIR => $images, TEST_DEV => $test, device_fstyp => 'ext4', seq => 3,
	device_test_mounted => 'yes', MEASURE_BOUND => 1, MEASURE_ROUNDS => 'x'}, 'selftest/912', 'selftest/914');
is(`blkid -p -o value -s UUID $test`, $uuid, 'TEST_DEV is not formatted because of a variable');
is($status, 1, 'and the tests run as ever') or diag($out);
like($out, qr/in 5 \+ 5 rounds/, 'by the rounds of the rule');
for my $option (qw(errexit noglob noclobber)) {
	my $text = `SHELLOPTS=$option HOST_OPTIONS=/dev/null RESULT_BASE=$link/r $CheckRun::tree/check selftest/914 'selftest/91[1]*' 2>&1`;

	is($? >> 8, 1, "SHELLOPTS=$option: exit status") or diag($text);
	like($text, qr/^Failed 1 of 2 tests$/m, "SHELLOPTS=$option: the summary");
}

# Signals with a strange check.time; files of a run that was killed.
$results = results_dir();
spew("$results/check.time", "\nselftest/913-hang x\n\n");
my $run = start_check({RESULT_BASE => $results}, 'selftest/913');
wait_for(10, sub { (slurp($run->{out}) // '') =~ /913/ });
select(undef, undef, undef, 0.3);
kill 'TERM', $run->{pid};
($out, $status) = end_check($run);
is($status, 143, 'a blank line in check.time: SIGTERM is 143') or diag($out);
my $tmp = results_dir();
# 4194305: more than any process has.  Of these the first three are left by killed runs.
my ($start_time) = slurp("/proc/$$/stat") =~ /.*\) (?:\S+ ){19}(\d+)/;
my @dead = ('4194305.1.Xy_z01', '4194305.123456.Xy_z02', "$$.1.Xy_z03");
my @others = ("$$.$start_time.Xy_z04", '4194305.1.Xy_z05', '4194305.123456', '4194305.Xy_z06',
	'notes.Xy_z07', '4194305.notes.Xy_z08');
mkdir("$tmp/fsratio.$_") or die "$_: $!" for @dead, @others;
spew("$tmp/fsratio.$_/check.out", '') for @dead, @others;
# By a process of another PID namespace, say
open(my $lock, '>', "$tmp/fsratio.4194305.1.Xy_z05/lock") or die "lock: $!";
flock($lock, LOCK_EX) or die "flock: $!";
symlink("$tmp/fsratio.notes.Xy_z07", "$tmp/fsratio.4194305.1.Xy_z09") or die "link: $!";
run_check({TMPDIR => $tmp}, 'selftest/911');
is(join(' ', map { s{.*/fsratio\.}{}r } sort glob "$tmp/fsratio.*"), join(' ', sort
	@others, '4194305.1.Xy_z09'), 'temporary files of killed runs are removed, and no others');
is(scalar(grep { -e "$tmp/fsratio.$_/check.out" } @others), @others, 'nor what is in them');
close($lock);
my $odd = results_dir() . '/t[x] y';
mkdir $odd or die;
run_check({TMPDIR => $odd}, 'selftest/914');
opendir(my $dh, $odd) or die;
is(join(' ', grep { !/^\.\.?$/ } readdir $dh), '', 'a TMPDIR with glob characters is left empty');

# Wrong calls.
for my $case (
	[['-X', '..'], qr/^check: option -X takes a file name/], [['--rounds', 3], qr/^check: option --rounds takes 6 to 200, found '3'$/],
	[['--rounds', 201], qr/^check: option --rounds takes 6 to 200, found '201'$/],
	[['--timeout', 9999999], qr/^check: option --timeout takes a whole number from 1 to 999999/],
) {
	my ($args, $message) = @$case;

	($out, $status) = run_check({}, @$args, 'selftest/911');
	is($status, 2, "@$args: exit 2");
	like($out, $message, "@$args: says what is expected");
	is(scalar(() = $out =~ /\n/g), 1, "@$args: one line");
}
done_testing();
