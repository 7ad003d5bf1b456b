#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# The helpers, built with the sanitizers of the compiler, find nothing in
# themselves: threads and processes, runs that end well and runs that do not.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT listed);
use Test::More;

# A sanitizer ends the program by this status when it has found something.
my $found = 66;
$ENV{ASAN_OPTIONS} = "exitcode=$found:detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1";
$ENV{LSAN_OPTIONS} = "exitcode=$found";
$ENV{UBSAN_OPTIONS} = 'print_stacktrace=1';
$ENV{TSAN_OPTIONS} = "exitcode=$found:halt_on_error=1";

# One fault of each kind: a sanitizer that does not see it proves nothing.
my %probe = (
	'ASan and UBSan' => <<'EOF',
#include <stdlib.h>
int main(int argc, char **argv)
{
	char *p = malloc(1);
	return p[argc + (argv == NULL)];
}
EOF
	'TSan' => <<'EOF',
#include <pthread.h>
static int n;
static void *add(void *arg)
{
	for (int i = 0; i < 100000; i++)
		n++;
	return arg;
}
int main(void)
{
	pthread_t tid[2];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&tid[i], NULL, add, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(tid[i], NULL);
	return 0;
}
EOF
);

# What a run must end with; its record is checked by bench.t and helpers.t.
sub ends
{
	my ($status, $what, $program, @args) = @_;
	# TSan of older compilers cannot bear all of today's address randomisation.
	my @fixed = system('setarch -R true 2>/dev/null') ? () : qw(setarch -R);
	my ($got, $out, $err) = helper('/usr/bin/env', @fixed, $program, @args);
	my $clean = $err !~ /Sanitizer|runtime error/;

	ok($got eq $status && $clean == ($status != $found), "$what: @args: exit $status")
		or diag("exit $got\n$err");
}

my @kinds = (
	['ASan and UBSan', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'],
	['TSan', '-fsanitize=thread'],
);
my $missing = loop_missing('mkfs.xfs');
my ($xfs) = $missing ? () : make_fs('mkfs.xfs', 512, qw(-m reflink=1));

for my $kind (@kinds) {
	my ($what, @flags) = @$kind;
	my $dir = work_dir() . "/$flags[0]";
	mkdir $dir or die "$dir: $!";
	SKIP: {
		open(my $fh, '>', "$dir/probe.c") or die "$dir/probe.c: $!";
		print $fh $probe{$what};
		close($fh) or die "$dir/probe.c: $!";
		skip "$what: this compiler has it not", 1
			if system("\${CC:-gcc} -pthread @flags -o $dir/probe $dir/probe.c >/dev/null 2>&1");
		ends($found, "$what finds a fault", "$dir/probe");
		# Once, or it would be compiled for each helper.
		ok(build("$dir/libbench.so", [@flags, qw(-shared -fPIC)], library()), "$what: the library");
		for my $source (helpers(), 'tests/selftest/bench_helper.c') {
			my ($name) = $source =~ m{(\w+)\.c$};
			ok(build("$dir/$name", \@flags, $source, "$dir/libbench.so"), "$what: $name");
		}
		# Those of ltp/ that Makefile.in lists, of one thread
		for my $name (qw(fsstress fsx)) {
			ok(build("$dir/$name", \@flags, (map { s{/src/(?=\w+\.c$)}{/ltp/}r } listed(uc($name))),
				grep { m{/(?:fsdev|record)\.c$} } library()), "$what: $name");
		}
		for my $mode ([], ['--processes']) {
			my @four = (qw(--threads 4), @$mode);
			ends(0, $what, "$dir/spin", @four, qw(--ops 500 --block-every 9 --latency));
			ends(0, $what, "$dir/spin", @four, qw(--duration-ms 100 --affinity spread), $dir);
			ends(0, $what, "$dir/spin", @four, qw(--ops 9 --count), 'a=sched:sched_switch:prev_pid == 1');
			ends(0, $what, "$dir/bench_helper", @four, qw(--ops 500 --naps 1 --latency));
			ends(1, $what, "$dir/bench_helper", @four, qw(--ops 500 --fault), $_)
				for qw(die broken error repeat value);
			ends(77, $what, "$dir/bench_helper", @four, qw(--ops 500 --fault skip));
		}
		ends(2, $what, "$dir/spin", '--ops', 'x');
		ends(0, $what, "$dir/fiemap_scan", '--help');
		ends(77, $what, "$dir/populate", '--clone-to', "$dir/c", "$dir/p");
		ends(2, $what, "$dir/fsx", '-N', 'x', "$dir/file");
		ends(2, $what, "$dir/fsstress", qw(-z -d), "$dir/stress");
		skip $missing, 1 if $missing;
		ends(0, $what, "$dir/fsx", '-N', 3000, qw(-c 50 -e 1 --epoch 2000), "--record-ops=$dir/log", "$xfs/file");
		ends(0, $what, "$dir/fsx", '--replay-ops', "$dir/log", "$xfs/file");
		ends(1, $what, "$dir/fsx", "$dir/none/file");
		ends(0, $what, "$dir/fsstress", qw(-p 3 -n 2000 -s 1 -v -c --max-bytes 2097152 -d), "$xfs/stress");
		ends(1, $what, "$dir/fsstress", '-d', "$xfs/none/stress");
		for my $mode ([], ['--processes']) {
			my @three = (qw(--threads 3), @$mode);
			my $top = "$xfs/$flags[0]@$mode";
			mkdir $top or die "$top: $!";
			ends(0, $what, "$dir/populate", @three, qw(--files 300 --dir-files 50 --clone-to),
				"$top/copy", "$top/src");
			ends(1, $what, "$dir/populate", @three, "$top/src");
			ends(0, $what, "$dir/fiemap_scan", @three, qw(--expect-shared all), "$top/copy");
			ends(0, $what, "$dir/fiemap_scan", @three, qw(--order shuffle --serialise --latency), $xfs);
			ends(1, $what, "$dir/fiemap_scan", @three, qw(--expect-shared none), $xfs);
			ends(0, $what, "$dir/clone_truncate", @three, qw(--ops 30 --dirs 2 --latency), $top);
			ends(@$mode ? 2 : 0, $what, "$dir/clone_truncate", @three, qw(--ops 30 --prepare), $top);
			ends(@$mode ? 2 : 0, $what, "$dir/dirty_truncate", @three, qw(--ops 30 --state dirty), $top);
		}
	}
}

done_testing();
