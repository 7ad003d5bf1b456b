#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Sections of a configuration on given devices: which run, with which keys, and
# where their results go.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use File::Temp qw(tempdir);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

my $dir = tempdir("fsratio-sections.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
my @cleanup;
END { my $status = $?; system("$_ >/dev/null 2>&1") for @cleanup; $? = $status }

sub loop
{
	my ($name) = @_;
	my $loop = `truncate -s 400M $dir/$name.img && losetup -f --show $dir/$name.img`;

	chomp($loop);
	die "no loop device\n" if !$loop;
	unshift @cleanup, "losetup -d $loop";
	return $loop;
}

my ($test, $scratch) = map { loop($_) } qw(test scratch);
system("mkfs.xfs -q $test") == 0 or die "mkfs.xfs $test\n";
mkdir "$dir/$_" or die "$dir/$_: $!" for qw(t s);
spew("$dir/config", <<"EOT");
# what all share
TEST_DEV=$test
TEST_DIR=$dir/t
SCRATCH_DEV=$scratch
SCRATCH_MNT=$dir/s
RESULT_BASE=$dir/results

[one]
FSTYP=xfs
MKFS_OPTIONS="-m reflink=1"

[two]
MKFS_OPTIONS="-m reflink=0"

[elsewhere]
RESULT_BASE=$dir/other
EOT
my %env = (HOST_OPTIONS => "$dir/config", RESULT_BASE => undef);

# The file system that a section made is asked after the run.
my ($out, $status) = run_check(\%env, '-s', 'one', 'selftest/050');
is($status, 0, 'one section of three') or diag($out);
like($out, qr/^SECTION       -- one\nFSTYP         -- xfs /m, 'is named at the top');
like($out, qr/^MKFS_OPTIONS  -- -m reflink=1 \Q$scratch\E$/m, 'with its options');
like($out, qr/^SECTION       -- one\n=+\nRan: selftest\/050-devices\nPassed all 1 tests$/m, 'and at the end');
unlike($out, qr/ two$/m, 'and no other is run');
like(`xfs_db -r -c 'sb 0' -c 'version' $scratch`, qr/REFLINK/, 'the scratch was made with its MKFS_OPTIONS');
ok(-s "$dir/results/one/selftest/050-devices.full" || -e "$dir/results/one/selftest", 'its results are below its name');
like(slurp("$dir/results/one/check.log"), qr/^SECTION       -- one$/m, 'with a check.log of its own');
like(slurp("$dir/results/check.log"), qr/^SECTION       -- one$/m, 'and in the one of all');
like(slurp("$dir/results/one/check.time"), qr/^selftest\/050-devices \d+$/m, 'check.time of its own');
like(slurp("$dir/results/check.time"), qr/^selftest\/050-devices \d+$/m, 'and of all');
($out, $status) = run_check(\%env, '-s', 'two', 'selftest/050');
unlike(`xfs_db -r -c 'sb 0' -c 'version' $scratch`, qr/REFLINK/, 'the second section makes another file system');

($out, $status) = run_check(\%env, 'selftest/001', 'selftest/050');
is($status, 0, 'all sections') or diag($out);
is(join(' ', $out =~ /^SECTION       -- (\w+)\nFSTYP/mg), 'one two elsewhere', 'run in the order of the file');
ok(-e "$dir/other/elsewhere/check.log" && !-e "$dir/results/elsewhere", 'RESULT_BASE may be set by a section');
is(join(' ', $out =~ /^MKFS_OPTIONS  -- -m reflink=(\d)/mg), '1 0 0', 'keys go on from section to section');
($out, $status) = run_check(\%env, '-s', 'elsewhere', 'selftest/050');
like($out, qr/^MKFS_OPTIONS  -- -m reflink=0 /m, 'also from sections that are not run');
($out, $status) = run_check(\%env, '-S', 'two', 'selftest/001');
is(join(' ', $out =~ /^SECTION       -- (\w+)\nFSTYP/mg), 'one elsewhere', '-S skips one');
($out, $status) = run_check(\%env, '-s', 'one', '-s', 'two', '-i', 2, 'selftest/001');
is(join(' ', $out =~ /^SECTION       -- (\w+)\nFSTYP/mg), 'one two one two', '-i repeats all sections');
($out, $status) = run_check(\%env, '-s', 'two', 'selftest/002', 'selftest/001');
is($status, 1, 'a fail in a section is the fail of the run');
($out, $status) = run_check(\%env, '-n', 'selftest/001');
is($out, join('', map { "SECTION       -- $_\nselftest/001-pass\n" } qw(one two elsewhere)), '-n shows the tests of each');

# The devices are given: left attached and unmounted, nothing of ours is left.
like(`losetup $test; losetup $scratch`, qr/test\.img.*scratch\.img/s, 'the devices stay attached');
unlike(slurp('/proc/self/mountinfo'), qr/ \Q$dir\E\/[ts] /, 'and unmounted');

# TEST_DEV is formatted only where that is asked for.
spew("$dir/keep", '');
system("mount $test $dir/t && touch $dir/t/mine && umount $dir/t") == 0 or die;
sub mine
{
	my $there = system("mount $test $dir/t") == 0 && -e "$dir/t/mine";

	system("umount $dir/t");
	return $there ? 'there' : 'gone';
}
run_check(\%env, '-s', 'one', 'selftest/050');
is(mine(), 'there', 'TEST_DEV is not formatted');
spew("$dir/recreate", slurp("$dir/config") . "RECREATE_TEST_DEV=true\n");
($out, $status) = run_check({%env, HOST_OPTIONS => "$dir/recreate"}, '-s', 'elsewhere', 'selftest/050');
is($status, 0, 'RECREATE_TEST_DEV=true') or diag($out);
is(mine(), 'gone', 'formats it');

# xunit beside it.
($out, $status) = run_check(\%env, '-s', 'one', '-R', 'xunit', 'selftest/001', 'selftest/002', 'selftest/004');
my $xml = slurp("$dir/results/one/result.xml") // '';
like($xml, qr/<testsuite [^>]*\btests="3"/, 'result.xml of a section counts its tests');
like($xml, qr/<testsuite [^>]*\bfailures="1"/, 'its failures');
like($xml, qr/<testsuite [^>]*\bskipped="1"/, 'what was not run');
like($xml, qr/<testcase [^>]*classname="fsratio\.one"/, 'and names it');
my $run = start_check(\%env, '-s', 'two', '-R', 'xunit', 'selftest/001', 'selftest/006');
wait_for(10, sub { (slurp($run->{out}) // '') =~ /006-hang/ });
select(undef, undef, undef, 0.2);
kill 'TERM', $run->{pid};
($out, $status) = end_check($run);
is($status, 143, 'SIGTERM: 143');
like($out, qr/^Interrupted!\n(.*\n)*Ran: selftest\/001-pass\n/m, 'a summary');
like(slurp("$dir/results/two/result.xml") // '', qr/tests="1".*<\/testsuite>/s, 'and a result.xml');

# Wrong sections.
for my $case (
	[['-s', 'nosuch'], "unknown section 'nosuch'; known are: one two elsewhere"],
	[['-S', 'nosuch'], "unknown section 'nosuch'; known are: one two elsewhere"],
	[['-s', 'one', '-S', 'one'], 'no section is selected'],
) {
	my ($args, $message) = @$case;

	($out, $status) = run_check(\%env, @$args, 'selftest/001');
	is($status, 2, "@$args: exit 2");
	is($out, "check: $message\n", "@$args: one line");
}
# A fault in a section that is not run, and a device of a later one.  What is not
# for this suite, as the section of another file system, hurts only if it is run.
spew("$dir/bad", slurp("$dir/config") . "[three]\nFSTYP=\$(xfs)\n");
($out, $status) = run_check({%env, HOST_OPTIONS => "$dir/bad"}, '-s', 'one', 'selftest/001');
is($status, 2, 'a line that cannot be read, anywhere in the file: exit 2');
like($out, qr/\Acheck: \Q$dir\E\/bad:\d+: .*\n\z/, 'and one line');
spew("$dir/nfs", slurp("$dir/config") . "[three]\nFSTYP=nfs\n");
($out, $status) = run_check({%env, HOST_OPTIONS => "$dir/nfs"}, '-s', 'one', 'selftest/001');
is($status, 0, 'a section for another file system may stand there');
($out, $status) = run_check({%env, HOST_OPTIONS => "$dir/nfs"}, 'selftest/001');
is($status, 2, 'and is refused where it is run') or diag($out);
like($out, qr/\Acheck: .*FSTYP.*nfs.*\n\z/, 'before any test');
spew("$dir/bad", slurp("$dir/config") . "[three]\nSCRATCH_DEV=/dev/nosuch\n");
($out, $status) = run_check({%env, HOST_OPTIONS => "$dir/bad"}, 'selftest/050');
is($status, 2, 'a device of a later section: refused before the first runs');
is($out, "check: SCRATCH_DEV /dev/nosuch does not exist\n", 'with one line');
done_testing();
