#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# bench: what all helpers share.  spin is run as it is built; bench_helper.c,
# which uses everything and fails in every way, is built here.
use strict;
use warnings;
use lib 'tests/selftest';
use HelperRun qw(:DEFAULT fails sample);
use Test::More;

my $self = work_dir() . '/bench_helper';
my $dir = work_dir() . '/dir';
mkdir $dir or BAIL_OUT("$dir: $!");
build($self, [], 'tests/selftest/bench_helper.c', library())
	or BAIL_OUT('bench_helper.c does not compile');
chomp(my $cpus = `getconf _NPROCESSORS_ONLN`);

# Processes whose parent is $pid.
sub children
{
	my ($pid) = @_;
	my @found;

	for my $stat (glob('/proc/[0-9]*/stat')) {
		open(my $fh, '<', $stat) or next;
		my $line = <$fh> // next;
		push @found, $1 if $line =~ /^(\d+) \(.*\) \S $pid /s;
	}
	return @found;
}

# The command line.
my $u64 = 'expected a whole number,';
my @wrong = (
	[['--ops'], "'--ops': expected a value after it"],
	[['--nonsense'], "unknown option '--nonsense': expected one of --help"],
	[['-x'], "unknown option '-x': expected one of --help"],
	[[], 'expected --ops N or --duration-ms N, not both'],
	[['--ops', 1, '--duration-ms', 1], 'expected --ops N or --duration-ms N, not both'],
	[['--ops', 1, 'a', 'b'], '2 arguments: expected [DIR]'],
	[['--ops', 1, '--affinity', 'some'], "--affinity 'some': expected none|spread"],
	[['--ops', 1, '--affinity', ''], "--affinity '': expected none|spread"],
	[['--ops', 1, '--affinity', 'spread|'], "--affinity 'spread|': expected none|spread"],
	[['--ops', 1, '--threads', 0], "--threads '0': $u64 1 to 4096"],
	[['--ops', 1, '--threads', 4097], "--threads '4097': $u64 1 to 4096"],
	[['--ops', 1, '--cost', 0], "--cost '0': $u64 1 to 1000000"],
	[['--duration-ms', 86400001], "--duration-ms '86400001': $u64 1 to 86400000"],
	(map { [['--ops', $_], "--ops '$_': $u64 1 to 9223372036854775807"] }
		'', '0', '-1', '+1', ' 1', '1 ', '1k', '0x10', '1.5', '1e3',
		'9223372036854775808', '99999999999999999999999'),
	(map { [['--ops', 1, '--count', $_],
		"--count '$_': expected KEY=SYSTEM:EVENT[:FILTER], KEY of [a-z][a-z0-9_]*"] }
		'', '=a:b', 'sched:sched_switch', 'Key=a:b', '1k=a:b', '_k=a:b', 'k-k=a:b', 'k' x 64 . '=a:b'),
	(map { [['--ops', 1, '--count', $_], "--count '$_': expected KEY=SYSTEM:EVENT[:FILTER]"] }
		'k=', 'k=a', 'k=a:', 'k=:b', 'k=a:b/../c', 'k=a b:c', 'k=../a:b', 'k=a:' . 'b' x 128),
	[['--ops', 1, '--count', 'k=a:b:'], "--count 'k=a:b:': expected a FILTER after the second ':'"],
	[['--ops', 1, '--count', 'k=a:b', '--count', 'k=c:d'],
		"--count 'k=c:d': expected a KEY that is not counted already"],
	[['--ops', 1, '--count', 'k=a:b', '--count-task', 'k=c:d'],
		"--count-task 'k=c:d': expected a KEY that is not counted already"],
	[['--ops', 1, map { ('--count', "k$_=a:b") } 1 .. 9],
		"--count 'k9=a:b': expected no more than 8 counts"],
);
fails(2, $_->[1], 'spin', @{$_->[0]}) for @wrong;
fails(2, "unknown option '--ops': expected one of --help", 'populate', '--ops', 1, $dir);
fails(2, '0 arguments: expected DIR', 'fiemap_scan');
fails(1, "stat $dir/none: No such file or directory", 'spin', '--ops', 1, "$dir/none");
fails(1, "find the file system of /dev/null: Not a directory", 'spin', '--ops', 1, '/dev/null');

for my $name (qw(spin populate fiemap_scan)) {
	my ($status, $out, $err) = helper($name, '--help');
	is_deeply([$status, $err], [0, ''], "$name --help: exit 0");
	my @said = sort($out =~ /^  --(\S+)/mg);
	my @common = qw(affinity count count-task help latency processes seed threads);
	my %own = (spin => [qw(ops duration-ms cost block-every)],
		populate => [qw(files dir-files min-bytes max-bytes clone-to)],
		fiemap_scan => [qw(order serialise expect-shared)]);
	is_deeply(\@said, [sort @common, @{$own{$name}}], "$name --help: all options, no other");
}
my ($status, $out, $err) = helper('/bin/sh', '-c', "'@{[path('spin')]}' --help >/dev/full");
is_deeply([$status, $err], [1, "spin: write stdout: No space left on device\n"], '--help into a full device');

# The record: each key once (record() dies on a second), and no other.
my @keys = qw(helper fs dev mode threads affinity seed ops errors elapsed_ns
	user_ns sys_ns vcsw ivcsw run_delay_ns work blocks);
my $r = sample('spin', '--ops', 10);
is_deeply([sort keys %$r], [sort @keys], 'spin: the keys of its record');
is_deeply([@{$r}{qw(helper fs dev mode threads affinity seed ops errors work blocks)}],
	['spin', 'none', '0:0', 'thread', 1, 'none', 1, 10, 0, 10, 0], 'spin: what is known before');
my @wrong_type = grep { /_ns$|csw$/ && $r->{$_} !~ /^\d+$/ } keys %$r;
is_deeply(\@wrong_type, [], 'spin: what is measured is an integer');
cmp_ok($r->{elapsed_ns}, '>', 0, 'spin: time passed');
$r = sample('spin', '--ops', 10, '--latency', '--seed', 77, '--affinity', 'spread', '--threads', 3, '--processes');
is_deeply([sort keys %$r], [sort @keys, qw(p50_ns p99_ns p999_ns max_ns)], 'and with --latency');
is_deeply([@{$r}{qw(mode threads affinity seed)}], ['process', 3, 'spread', 77], 'options are recorded');
ok($r->{p50_ns} > 0 && $r->{p50_ns} <= $r->{p99_ns} && $r->{p99_ns} <= $r->{p999_ns} &&
	$r->{p999_ns} <= $r->{max_ns}, 'quantiles are in order');

# Counts add up: every operation is done once, whoever does it.
for my $mode ([], ['--processes']) {
	for my $threads (1, 2, 8, 64) {
		for my $cost (1, 4) {
			$r = sample('spin', '--ops', 997, '--cost', $cost, '--threads', $threads, @$mode);
			is_deeply([@{$r}{qw(ops work threads)}], [997, 997 * $cost, $threads],
				"997 operations of cost $cost");
		}
		# batches of 7: 1000 is no multiple
		$r = sample($self, '--ops', 1000, '--threads', $threads, @$mode);
		is_deeply([@{$r}{qw(ops sum finished torn_down)}], [1000, 1000 * 999 / 2, 1, $threads],
			'each index once; finish once, teardown in each worker');
		is($r->{even_ops} + $r->{odd_ops}, 1000, 'operations of roles');
		ok($r->{within_ns} <= $r->{elapsed_ns} && $r->{elapsed_ns} <= $r->{before_ns},
			'the clock is round the operations, set-up and teardown outside')
			or diag(explain($r));
	}
	$r = sample('spin', '--duration-ms', 50, '--threads', 2, @$mode);
	is($r->{work}, $r->{ops}, '--duration-ms: counts add up');
	cmp_ok($r->{elapsed_ns}, '>=', 50_000_000, '--duration-ms: not less than that');
	$r = sample('spin', '--ops', 3, '--threads', 20, @$mode);
	is($r->{ops}, 3, 'more workers than operations');
	$r = sample($self, '--ops', 100, '--threads', 4, '--latency', @$mode);
	my @quantile = qw(p50_ns p99_ns p999_ns max_ns);
	my @each = map { my $call = $_; map { "${call}_$_" } @quantile } qw(even_lock even_rest odd_lock odd_rest);
	is_deeply([sort grep { /_(p50|p99|p999|max)_ns$|^(p\d|max)/ } keys %$r], [sort @each],
		'latency of each call, by roles');
	ok(!grep({ $r->{"even_${_}_p50_ns"} + $r->{"odd_${_}_p50_ns"} == 0 } qw(lock rest)), 'and it is measured');
	$r = sample($self, '--ops', 100, @$mode);
	is_deeply([grep { /p50|max/ } keys %$r], [], 'without --latency none');
}
is(sample($self, '--ops', 1000, '--threads', 1)->{random},
	sample($self, '--ops', 1000, '--threads', 1, '--processes')->{random}, 'the same seed, the same numbers');
isnt(sample($self, '--ops', 1000)->{random}, sample($self, '--ops', 1000, '--seed', 2)->{random},
	'another seed, others');
$r = sample($self, '--ops', 1000, '--threads', 2 * $cpus, '--affinity', 'spread');
is($r->{misplaced}, 0, 'spread: worker i runs on the i-th CPU');

# Voluntary switches: those of the operations, not those of set-up and gate.
for my $mode ([], ['--processes']) {
	my @off;
	for my $threads (1, 2, 8) {
		$r = sample('spin', '--ops', 800, '--block-every', 4, '--threads', $threads, @$mode);
		cmp_ok($r->{blocks}, '>=', 200 - $threads, '800 operations, one in 4 blocks');
		cmp_ok($r->{blocks}, '<=', 200, 'and no more');
		push @off, abs($r->{vcsw} - $r->{blocks});
		$r = sample('spin', '--ops', 800, '--threads', $threads, @$mode);
		push @off, $r->{vcsw};
		$r = sample($self, '--ops', 1, '--naps', 50, '--threads', $threads, @$mode);
		push @off, $r->{vcsw};
	}
	# A page fault may sleep: one stray switch a run is allowed.
	is_deeply([grep { $_ > 1 } @off], [], 'vcsw counts each of them and no other') or diag("@off");
}

# Failures in a worker end the run, whichever kind it is.
for my $mode ([], ['--processes']) {
	my @run = ($self, '--ops', 100, '--threads', 4, @$mode, '--fault');

	fails(1, 'read a thing: Input/output error', @run, 'die');
	fails(1, 'premise: 5', @run, 'broken');
	fails(77, 'no such call', @run, 'skip');
	fails(1, '95 errors, the first: unlink a file: Input/output error', @run, 'error');
	fails(1, '1 errors, the first: unlink a file: Input/output error', @run, 'error', '--fault-at', 99);
	fails(1, 'record ops=1: File exists', @run, 'repeat');
	fails(1, 'record word=two words: Invalid argument', @run, 'value');
}
my ($got, $said, $why) = helper($self, '--ops', 100, '--threads', 4, '--processes', '--fault', 'kill');
is_deeply([$got, $said], [1, ''], 'worker processes that kill themselves: broken');
like($why, qr/\Abench_helper: worker \d was killed by signal 9\n\z/, 'and one is named');

# A worker process killed from outside ends the others, at the gate or in it.
for my $fault ('stuck', 'none') {
	my $run = start_helper($self, '--duration-ms', 60000, '--threads', 3, '--processes',
		'--fault', $fault);
	my @workers;
	ok(until_true(sub { (@workers = children($run->{pid})) == 3 }), 'three workers');
	kill 'KILL', $workers[1];
	($status, $out, $err) = end_helper($run);
	is_deeply([$status, $out], [1, ''], "a worker killed ($fault): exit 1, no record");
	like($err, qr/\Abench_helper: worker \d was killed by signal 9\n\z/, 'one line says which');
	is_deeply([grep { -e "/proc/$_" } @workers], [], 'no worker is left');

	$run = start_helper($self, '--duration-ms', 60000, '--threads', 3, '--processes',
		'--fault', $fault);
	ok(until_true(sub { (@workers = children($run->{pid})) == 3 }), 'three workers');
	kill 'KILL', $run->{pid};
	end_helper($run);
	ok(until_true(sub { !grep { -e "/proc/$_" } @workers }), "no worker outlives a killed parent ($fault)");
}

# stdout that cannot take the record.
sub redirected
{
	my ($shell, @args) = @_;
	my ($got, @said) = helper('/bin/bash', '-c', "cd '$dir' && '$self' --ops 10 @args $shell");

	return [$got, @said];
}
is_deeply(redirected('>/dev/full'), [1, '', "bench_helper: write stdout: No space left on device\n"],
	'stdout is full');
is_deeply(redirected('>&-'), [1, '', "bench_helper: stdout: Bad file descriptor\n"], 'stdout is closed');
is_deeply(redirected('>&- 2>&-'), [1, '', ''], 'stdout and stderr are closed');
is_deeply(redirected('| true; exit ${PIPESTATUS[0]}')->[1], '', 'a reader that is gone: no record');
($status, $out, $err) = helper('/bin/bash', '-c',
	"'$self' --duration-ms 200 | true; exit \${PIPESTATUS[0]}");
is_deeply([$status, $err], [1, "bench_helper: write stdout: Broken pipe\n"], 'and exit 1, no signal');
is(redirected('<&- 2>&-')->[0], 0, 'stdin and stderr may be closed');
is(record(redirected('<&-', $dir)->[1])->{ops}, 10, 'and the record is whole');

# --count.
my $tracefs = grep { -e "$_/events/sched/sched_switch/id" } qw(/sys/kernel/tracing /sys/kernel/debug/tracing);
SKIP: {
	skip 'needs root', 8 if $>;
	my $mount = $tracefs ? '' : 'mount -t tracefs nodev /sys/kernel/tracing && ';
	my $count = sub {
		return helper('/usr/bin/env', 'unshare', '-m', '/bin/sh', '-c', "$mount exec \"\$@\"", 'sh',
			path('spin'), @_);
	};
	($status, $out, $err) = $count->('--ops', 1);
	skip 'needs tracefs', 8 if $status;
	for my $mode ([], ['--processes']) {
		($status, $out, $err) = $count->('--ops', 400, '--block-every', 2, @$mode,
			'--count', 'slept=sched:sched_switch:prev_comm == "spin" && prev_state == 1',
			'--count', 'never=sched:sched_switch:prev_comm == "no such name"',
			'--count', 'all=sched:sched_switch');
		is_deeply([$status, $err], [0, ''], "--count @$mode");
		$r = record($out);
		cmp_ok(abs($r->{slept} - 200), '<=', 1, '200 blocks, as many events');
		is($r->{never}, 0, 'a filter that matches nothing: 0');
		cmp_ok($r->{all}, '>=', $r->{slept}, 'without a filter: all of them');
	}
	# Another of the same name beside it.
	my $other = start_helper('spin', '--duration-ms', 60000, '--block-every', 1);
	for my $mode ([], ['--processes'], ['--threads', 4]) {
		($status, $out, $err) = $count->('--ops', 400, '--block-every', 2, @$mode,
			'--count-task', 'slept=sched:sched_switch:prev_state == 1',
			'--count-task', 'never=sched:sched_switch:prev_comm == "no such name"',
			'--count', 'all=sched:sched_switch:prev_comm == "spin" && prev_state == 1');
		is_deeply([$status, $err], [0, ''], "--count-task @$mode");
		$r = record($out);
		# Those that are done first wait for the others.
		cmp_ok(abs($r->{slept} - $r->{blocks}), '<=', $r->{threads}, 'its own blocks and no other');
		is($r->{never}, 0, 'a filter that matches nothing: 0');
		cmp_ok($r->{all}, '>', $r->{slept}, '--count has both');
	}
	kill 'KILL', $other->{pid};
	end_helper($other);
	($status, $out, $err) = $count->('--ops', 1, '--count', 'a=sched:nosuch',
		'--count-task', 'b=sched:sched_switch:nofield == 1', '--count', 'c=sched:sched_switch');
	$r = record($out);
	is_deeply([$status, $r->{a}, $r->{b}], [0, 'unsupported', 'unsupported'], 'unsupported is no 0');
	like($r->{c}, qr/^\d+$/, 'and does not touch the others');
	like($err, qr{\Aspin: --count a=unsupported: /sys/kernel/\S*tracing/events/sched/nosuch/id: No such file or directory
spin: --count b=unsupported: filter 'nofield == 1': Invalid argument\n\z}, 'and stderr says why');
}
SKIP: {
	skip 'tracefs is mounted', 1 if $tracefs;
	($status, $out, $err) = helper('spin', '--ops', 1, '--count', 'a=sched:sched_switch');
	is_deeply([$status, record($out)->{a}, $err], [0, 'unsupported', 'spin: --count a=unsupported: no tracefs ' .
		"is mounted at /sys/kernel/tracing or /sys/kernel/debug/tracing\n"], 'no tracefs: says so');
}

# The directory: its file system is in the record, and must stay where it is.
chomp(my $type = `stat -f -c %T $dir`);
$r = sample('spin', '--ops', 1, $dir);
is($r->{fs}, $type, "fs=$type as stat -f says");
ok(!exists $r->{read_ios}, 'no block counters without a block device');
SKIP: {
	skip 'needs root', 2 if $>;
	($status, $out, $err) = helper('/usr/bin/env', 'unshare', '-m', '/bin/bash', '-c',
		"'@{[path('spin')]}' --duration-ms 1000 $dir & sleep .3; mount -t ramfs none $dir; wait \$!");
	is_deeply([$status, $out], [1, ''], 'another file system is mounted over it meanwhile: broken');
	like($err, qr/\Aspin: $dir moved from $type 0:\d+ to ramfs 0:\d+\n\z/, 'and says which');
}

done_testing();
