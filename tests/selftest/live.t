#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The tests themselves, on loop devices and the running kernel.  Undecided is
# tolerated (this machine may be busy), the opposite verdict is not.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use File::Temp qw(tempdir);
use POSIX qw(uname);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
chomp(my $cpus = `nproc`);
plan skip_all => 'needs 2 CPUs' if $cpus < 2;

# word($name, $out): the word that check's output gives a test.
sub word
{
	my ($name, $out) = @_;

	return 'undecided' if $out =~ /^\Q$name\E\t\[not run\] undecided: /m;
	return 'broken' if $out =~ /^\Q$name\E\t- output mismatch \(broken: /m;
	return 'fail' if $out =~ /^\Q$name\E\t- output mismatch /m;
	return 'pass' if $out =~ /^\Q$name\E\t \d+s$/m;
	return 'nothing';
}

# one_of($name, \%env, @words): run the test, and the word must be one of these.
# UNCONFIRMED in %env: with --no-confirm.
sub one_of
{
	my ($name, $with, @words) = @_;
	my $env = {%$with};
	my @options = delete($env->{UNCONFIRMED}) ? '--no-confirm' : ();
	my $images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
	my ($out, $status, $results) = run_check({%$env, IMAGE_DIR => $images}, @options, $name);
	my $word = word($name, $out);
	my $why = join ' ', map({ "$_=$env->{$_}" } sort keys %$env), $name;

	ok(scalar(grep { $word eq $_ } @words), "$why: @words") or diag($out);
	diag("$why: $word\n" . join '', grep { /^    \w+: / } split /^/m, $out);
	is(ours_left($images), '', "$why: no device is left");
	return $results;
}

# says_why($name, $results, $reason): a fail must name this one.
sub says_why
{
	my ($name, $results, $reason) = @_;
	my $verdict = slurp("$results/$name.verdict") // '';

	SKIP: {
		skip("$name did not fail", 1) if $verdict !~ / test=final verdict=fail$/m;
		skip('needs bpftrace', 1) if system('command -v bpftrace >/dev/null');
		like($verdict, qr/^# reason: \d+ % of blocked switches wait in $reason\b/m, "$name: the reason");
	}
}

# Report A was seen up to 7.4-rc1, and no kernel with a fix is known.  Its set-up
# takes longest, and is not repeated here; that of report C is.
my ($major, $minor) = (uname())[2] =~ /^(\d+)\.(\d+)/;
my $name = 'xfs/001-fiemap-threads';
my $results = one_of($name, {MEASURE_TRACE => 'yes', UNCONFIRMED => 1}, 'undecided',
	$major * 1000 + $minor <= 7004 ? 'fail' : ('pass', 'fail'));
my $samples = slurp("$results/$name.samples");
says_why($name, $results, 'xfs_buf_lock for xfs_reflink_find_shared');
unlike($samples, qr/ arm=shared_\w+ .* shared_extents=0 /, 'every reflinked sample has shared extents');
unlike($samples, qr/ arm=plain_\w+ .* shared_extents=[1-9]/, 'no plain one has');

# The cause taken away: the same limits must not fail.
one_of($name, {STANDIN => 'plain'}, 'pass', 'undecided');
# The cause of the control taken away too: nothing shows that the arms can
# tell, so there is no verdict.
one_of($name, {STANDIN => 'plain-unserialised'}, 'broken', 'undecided');

# The second claim of report A.
$name = 'xfs/002-fiemap-ags';
$results = one_of($name, {MEASURE_TRACE => 'yes', UNCONFIRMED => 1}, 'undecided',
	$major * 1000 + $minor <= 7004 ? 'fail' : ('pass', 'fail'));
says_why($name, $results, 'xfs_buf_lock for xfs_reflink_find_shared');
one_of($name, {STANDIN => 'plain'}, 'pass', 'undecided');
one_of($name, {STANDIN => 'plain-unserialised'}, 'broken', 'undecided');

# Both claims of report C, seen up to 7.1.2.  What they count is as exact on a busy
# machine, so there is no undecided.
for (['xfs/004-clone-truncate', 'noop', 'submit_bio_wait for iomap_truncate_page/xfs_setattr_size'],
	['xfs/005-dirty-truncate', 'ext4', 'folio_wait_writeback for xfs_setattr_size']) {
	my ($name, $standin, $reason) = @$_;
	my $results = one_of($name, {MEASURE_TRACE => 'yes'}, $major * 1000 + $minor <= 7001 ? 'fail' : ('pass', 'fail'));

	says_why($name, $results, $reason);
	one_of($name, {STANDIN => $standin}, 'pass');
	# A control that fails on a busy machine proves nothing.
	one_of($name, {STANDIN => "$standin-uncontrolled"}, 'broken', 'undecided');
}
done_testing();
