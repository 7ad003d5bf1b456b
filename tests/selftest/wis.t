#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Test cases in will-it-scale's form: dropped into src/wis/ of a copy of the
# tree they build as they are, and run with threads and with processes.
use strict;
use warnings;
use lib 'tests/selftest';
use Cwd qw(abs_path);
use HelperRun;
use Test::More;

my $missing = loop_missing('mkfs.xfs');
plan(skip_all => $missing) if $missing;
plan(skip_all => 'needs autoconf') if system('autoconf --version >/dev/null 2>&1');

# As from a shell, even under make -s selftest
delete(@ENV{qw(MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS)});

# Also from a build directory, where tests/ is a link.
my $top = abs_path('tests/selftest/../..');
my $tree = work_dir() . '/tree';
my ($xfs, $loop) = make_fs('mkfs.xfs', 512);
chomp(my $number = `stat -c '%t %T' $loop`);
$number = join(':', map { hex } split(' ', $number));

# Cases as people write them, with what our own flags would not let pass.
my %case = (
	# Report D's, in our words: both of the optional functions, and no string.h,
	# which compilers of today take for an error.
	same_file => (<<'EOT') =~ s{\t}{        }gr,
#include <stdlib.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <assert.h>

#define BUFLEN 1024

static char name[] = "/tmp/willitscale.XXXXXX";

char *testcase_description = "one file, open/read/close";

void testcase_prepare(unsigned long nr_tasks)
{
	char buf[BUFLEN];
	int fd = mkstemp(name);

	assert(fd >= 0);
	memset(buf, 'A', sizeof(buf));
	assert(write(fd, buf, sizeof(buf)) == sizeof(buf));
	close(fd);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	char buf[BUFLEN];

	while (1) {
		int fd = open(name, O_RDONLY);
		assert(fd >= 0);
		assert(read(fd, buf, sizeof(buf)) == sizeof(buf));
		close(fd);

		(*iterations)++;
	}
}

void testcase_cleanup(void)
{
	unlink(name);
}
EOT
	# Neither of them.  1000 iterations and 5 sleeps a task; what it wrote
	# stays.
	thousand => <<'EOT',
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
char *testcase_description = "1000 iterations";
void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct timespec nap = { 0, 200000 };
	char path[64];
	int i, fd;

	sprintf(path, "/tmp/thousand.%lu", nr);
	assert((fd = open(path, O_WRONLY|O_CREAT|O_TRUNC, 0600)) >= 0);
	for (i = 0; i < 1000; i++) {
		assert(write(fd, "x", 1) == 1);
		if (i < 5)
			nanosleep(&nap, NULL);
		(*iterations)++;
	}
	while (1) pause();
}
EOT
	returns => <<'EOT',
char *testcase_description = "returns";
void testcase(unsigned long long *iterations, unsigned long nr)
{
	while (nr != 1)
		(*iterations)++;
}
EOT
	asserts => <<'EOT',
#include <assert.h>
#include <unistd.h>
char *testcase_description = "a call that fails";
void testcase(unsigned long long *iterations, unsigned long nr)
{
	while (1) {
		assert(nr != 1 || close(-1) == 0);
		(*iterations)++;
	}
}
EOT
	leaves => <<'EOT',
#include <stdlib.h>
char *testcase_description = "exit(0) of a task";
void testcase(unsigned long long *iterations, unsigned long nr)
{
	if (nr == 1)
		exit(0);
	while (1)
		(*iterations)++;
}
EOT
	# Stopped within malloc nearly always.
	allocates => <<'EOT',
#include <stdlib.h>
char *testcase_description = "malloc";
void testcase(unsigned long long *iterations, unsigned long nr)
{
	void *p[64];
	int i;

	while (1) {
		for (i = 0; i < 64; i++)
			p[i] = malloc(2000);
		for (i = 0; i < 64; i++)
			free(p[i]);
		(*iterations)++;
	}
}
EOT
);

# --- they build, without a change to them or to a Makefile

system("mkdir $tree && cp -R $top/check $top/common $top/src $top/ltp $top/tests " .
	"$top/configure.ac $top/Makefile.in $tree && rm -f $tree/src/*.[oad] " .
	"$tree/src/wis_* && cd $tree && autoconf") == 0 or BAIL_OUT('no copy');
for my $name (sort keys %case) {
	open(my $fh, '>', "$tree/src/wis/$name.c") or BAIL_OUT("$name.c: $!");
	print $fh $case{$name};
	close($fh) or BAIL_OUT("$name.c: $!");
}
my @programs = map { "src/wis_$_" } sort keys %case;
# The asserts are what a case does: NDEBUG would leave nothing of it.
my $strict = '-Werror=implicit-function-declaration';
my $said = `cd $tree && { CFLAGS='-O2 -DNDEBUG $strict' ./configure --enable-werror && make @programs; } 2>&1`;
is($?, 0, 'they build, also with -DNDEBUG and --enable-werror') or diag($said);
like(`make -n -C $tree all`, qr{-o src/wis_open_read_close }, 'our own one is part of all');

sub wis
{
	my ($name, @args) = @_;

	return helper("$tree/src/wis_$name", @args);
}

sub fails
{
	my ($status, $line, $name, @args) = @_;
	my ($got, $out, $err) = wis($name, @args);

	is("$got $out", "$status ", "wis_$name @args: exit $status");
	like($err, qr/(?:\A|\n)wis_$name: $line\n\z/, 'and says why');
}

# Tasks of a case that are still there.
sub left
{
	return join(' ', grep { (readlink("/proc/$_/exe") // '') =~ m{^\Q$tree\E/src/wis_} }
		map { m{(\d+)} } glob('/proc/[0-9]*'));
}

# --- they run

my @modes = (['thread'], ['process', '--processes']);
for my $mode (@modes) {
	my ($word, @option) = @$mode;
	my @args = (@option, '--duration-ms', 300);

	my ($status, $out, $err) = wis('same_file', @args, '--threads', 3, $xfs);
	is_deeply([$status, $err], [0, ''], "same_file, $word: ends well");
	my $r = record($out);
	is_deeply([@{$r}{qw(helper fs dev mode threads errors)}],
		['wis_same_file', 'xfs', $number, $word, 3, 0], 'its record');
	cmp_ok($r->{ops}, '>', 300, 'it did something');
	cmp_ok($r->{elapsed_ns}, '>=', 300e6, 'for as long as was asked');
	cmp_ok($r->{xfs_read_calls}, '>=', $r->{ops}, 'on this file system');
	is(join(' ', glob("$xfs/* /tmp/willitscale.*")), '', 'and cleaned up');

	$r = record((wis('thousand', @args, '--threads', 4, '--affinity', 'spread', $xfs))[1]);
	is($r->{ops}, 4000, "thousand, $word: all are counted, and nothing else");
	is($r->{affinity}, 'spread', 'with affinity');
	# 5 sleeps and the last pause
	cmp_ok($r->{vcsw}, '>=', 4 * 6, 'each sleep is a switch');
	cmp_ok($r->{vcsw}, '<', 4 * 8, 'and little else');
	is(join(' ', map { -s "$xfs/thousand.$_" } 0 .. 3), '1000 1000 1000 1000', 'its /tmp is DIR');
	is(join(' ', glob('/tmp/thousand.*')), '', 'and /tmp of all others is what it was');
	unlink(glob("$xfs/thousand.*"));

	for my $try (1 .. 5) {
		($status) = wis('allocates', @option, qw(--duration-ms 20 --threads 24), $xfs);
		is($status, 0, "allocates, $word: tasks that are stopped in malloc");
	}
	fails(1, 'testcase\(\) of task 1 returned', 'returns', @args, '--threads', 2, $xfs);
	is(left(), '', 'no task is left');
}
# DIR below /tmp is found though its place is taken.
mkdir('/tmp/fsratio-wis.' . $$) or die;
my ($status, $out) = wis('thousand', qw(--duration-ms 200), "/tmp/fsratio-wis.$$");
is("$status " . -s "/tmp/fsratio-wis.$$/thousand.0", '0 1000', 'a DIR below /tmp');
unlink("/tmp/fsratio-wis.$$/thousand.0") and rmdir("/tmp/fsratio-wis.$$");

# --- and those that do not end in one line and without a record

my @two = (qw(--threads 2 --duration-ms 20000), $xfs);
fails(1, 'task process \d+ was killed by signal 6', 'asserts', '--processes', @two);
fails(1, 'task process \d+ left by exit\(0\)', 'leaves', '--processes', @two);
($status, $out, my $err) = wis('asserts', @two);
is("$status $out", 'signal 6 ', 'an assertion of a thread ends the run');
like($err, qr/Assertion .*close/, 'and says which');
is(left(), '', 'no task is left');
fails(2, '--latency: .*expected it left out', 'thousand', '--latency', @two);
fails(2, q{unknown option '--ops': .*}, 'thousand', '--ops', 1, $xfs);
fails(2, 'expected --duration-ms N', 'thousand', $xfs);
fails(2, '0 arguments: expected DIR', 'thousand', qw(--duration-ms 20));
fails(1, 'mount /nonexistent at /tmp: No such file or directory', 'thousand',
	qw(--duration-ms 20), '/nonexistent');

# Without the right to mount it is not supported, and not half done.
($status, $out, $err) = helper('/usr/bin/env', qw(setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin),
	"$tree/src/wis_thousand", qw(--duration-ms 20), $xfs);
is_deeply([$status, $out, $err], [77, '', "wis_thousand: $xfs cannot be put at /tmp: may not mount\n"],
	'no right to mount: exit 77');
is(join(' ', glob("$xfs/* /tmp/thousand.*")), '', 'nothing was written');

done_testing();
