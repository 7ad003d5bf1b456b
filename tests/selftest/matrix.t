#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# check --matrix: a report's table alone on standard output, or none at all.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(getcwd);
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
my $here = getcwd();
my $images = results_dir();
my $dir = results_dir();
my %env = (IMAGE_DIR => $images, SCRATCH_IMAGE_BYTES => 3 << 29, RUNS => 1);

# --- common/table by itself ---

# said($script): what bash says with common/table, and its exit status.
sub said
{
	my ($script) = @_;
	my $text = `bash -c '. common/table; set -u; $script' 2>&1`;

	return ($text, $? >> 8);
}

for my $case (['7', 0], ['3 1 2', 2], ['1 2 3 4', 1], ['4 3 2 1', 2], ['9 100 10 9 11', 2],
	['5 5 5', 0], ['9223372036854775807 0', 1]) {
	my ($numbers, $want) = @$case;

	is((said("_table_median $numbers; echo \$table_median"))[0], "$want\n", "median of $numbers: index $want");
}
for my $case (['272712345/1000000.1', '272.7'], ['272750000/1000000.1', '272.8'], ['49999/1000000.1', '0.0'],
	['999999999/1000000000.2', '1.00'], ['1234567/1000.0', '1235'], ['12345', '12345'], ['60/1000.3', '0.060']) {
	my ($spec, $want) = @$case;
	my ($value, $rest) = $spec =~ /^(\d+)(.*)$/;

	is((said("table_value[k]=$value; table_row[r]=r; _table_add r k$rest; echo \"\${table_row[r]}\""))[0],
		"r\t$want\n", "$spec is $want");
}
my $rows = 'table_value=([ms_ns]=1500000 [n]=12 [a_p50_ns]=0); _table_note one; _table_columns fs ms "(a n)" p50;
	_table_row xfs; _table_add xfs ms_ns/1000000.1 n a_p50_ns; _table_gap; table_value=([n]=unsupported);
	_table_row btrfs; _table_add btrfs ms_ns n a_p50_ns; _table_columns x y; _table_row 1; table_value=([y]=100);
	_table_add 1 y;';
is_deeply([said("$rows _table_print")], [<<'TEXT', 0], 'text: aligned, brackets behind, - for what is not there');
# one
fs       ms (n)  p50
xfs    1.5 (12)    -

btrfs         -    -

x    y
1  100
TEXT
is_deeply([said("TABLE_TSV=yes; $rows _table_print")], [<<"TEXT", 0], 'the same with tabs, a cell a column');
# one
fs\tms\ta n\tp50
xfs\t1.5\t12\t-
btrfs\t-\t-\t-

x\ty
1\t100
TEXT
is((said('_table_columns a b; _table_row 1; _table_print'))[1], 1, 'a row without all its cells is no table');

# --- calls that are wrong: one line, exit 2, nothing touched ---

# split_tree($tree): its check then writes standard error to a file.
sub split_tree
{
	my ($tree) = @_;

	rename("$tree/check", "$tree/check.real") or die "$tree: $!";
	spew("$tree/check", "#! /bin/sh\nexec ./check.real \"\$\@\" 2>'$dir/err'\n");
	chmod 0755, "$tree/check" or die "$tree: $!";
	return $tree;
}

# matrix(\%env, @args): (standard output, its error, status, results)
sub matrix
{
	my ($more, @args) = @_;
	my ($out, $status, $results) = run_check({%env, %$more}, @args);

	return ($out, slurp("$dir/err"), $status, $results);
}

my $real = results_dir();
symlink "$here/$_", "$real/$_" or die "$_: $!" for qw(check common src tests);
$CheckRun::tree = split_tree($real);
my $have = join ' ', map { s{^tests/(.*)\.matrix$}{$1}r } sort(glob('tests/*/*.matrix'));
like($have, qr{^generic/001\S* .*xfs/001\S* xfs/002\S* xfs/003}, 'the tables that there are');
for my $case (
	[[], ['--matrix'], "option --matrix takes TEST, found ''"],
	[[], ['--tsv', 'xfs/001'], '--tsv goes with --matrix alone'],
	[[], ['--matrix', 'nosuch/001'], "unknown test 'nosuch/001' (--list shows all tests)"],
	[[], ['--matrix', 'selftest/001'], "selftest/001-pass has no matrix; these have: $have"],
	[[], ['--matrix', 'xfs/00*'], '--matrix takes one TEST, found: xfs/00*'],
	[[], ['--matrix', 'xfs/001', 'xfs/002'], '--matrix takes one TEST, found: xfs/001 xfs/002'],
	[[], ['--matrix', 'xfs/001', '--matrix', 'xfs/002'], '--matrix takes one TEST, found: xfs/001 xfs/002'],
	(map { [[], ['--matrix', 'xfs/001', split / /], "--matrix goes with --tsv, -s and -S alone, found '" . s/ .*//r . "'"] }
		'-n', '--list', '-i 2', '-I 2', '-L 2', '--record', '-R xunit', '-g quick', '-x quick', '-e xfs/001', '-r', '-T',
		'-d', '-b', '--keep', '--rounds 9', '--time-budget 9', '--no-confirm', '--timeout 9'),
	(map { [[RUNS => $_], ['--matrix', 'xfs/001'], "RUNS takes a whole number from 1 to 99, found '$_'"] }
		'0', '100', '', '5x', '-1', '05', '1 2'),
	[[NFILES => '1e5'], ['--matrix', 'xfs/001'], "NFILES takes a whole number from 0 to 10000000, found '1e5'"],
	[[AGCOUNTS => '4 0'], ['--matrix', 'xfs/002'], "AGCOUNTS takes whole numbers from 1 to 1024, found '0'"],
	[[THREADS => ' '], ['--matrix', 'xfs/001'], "THREADS takes whole numbers from 1 to 4096, found ''"],
	[[ORDERS => 'seq random'], ['--matrix', 'xfs/001'], "ORDERS takes words of 'shuffle seq', found 'random'"],
	[[TASKS => 'all'], ['--matrix', 'generic/001'], "TASKS takes whole numbers from 1 to 4096, found 'all'"],
	[[COPIES => '5000'], ['--matrix', 'xfs/003'], "COPIES takes whole numbers from 1 to 4096, found '5000'"],
	[[WRITE_BYTES => 4096], ['--matrix', 'generic/002'], "WRITE_BYTES takes a whole number from 1048576 to 1073741824, found '4096'"],
) {
	my ($set, $args, $message) = @$case;
	my ($out, $err, $status) = matrix({RESULT_BASE => "$dir/r", @$set}, @$args);

	is_deeply([$out, $err, $status], ['', "check: $message\n", 2], "@$set check @$args: one line, exit 2");
	ok(!-e "$dir/r" && !-e "$dir/r/xfs", 'and no results are made');
}

# --- the tables, small ---

# rows($tsv): the lines of all tables as lists of cells, without notes.
sub rows
{
	return map { [split /\t/] } grep { !/^#/ && length } split /\n/, $_[0];
}

sub numbers_ok
{
	my ($what, $labels, @rows) = @_;
	my $names = shift @rows;

	for my $row (@rows) {
		is(scalar(@$row), scalar(@$names), "$what: @$row: a cell a column");
		is(join(' ', grep { !/^(?:-|\d+(?:\.\d+)?)$/ } @$row[$labels .. $#$row]), '', 'every cell is a number or -');
	}
}

my %small = (NFILES => 200, AGCOUNTS => '2 4', THREADS => '1 3', ORDERS => 'seq');
my ($out, $err, $status, $results) = matrix(\%small, '--matrix', 'xfs/001', '--tsv');
is($status, 0, 'xfs/001: exit 0') or diag($err);
my @rows = rows($out);
is_deeply([map { join ' ', @$_[0 .. 2] } @rows], ['tree order AGs', 'src seq 2', 'src seq 4', 'plain seq 2', 'plain seq 4'],
	'the rows of the report');
is_deeply([@{$rows[0]}[3 .. 6]], ['1 thread ms', '1 thread vcsw', '3 threads ms', '3 threads vcsw'], 'and its columns');
numbers_ok('xfs/001', 2, @rows);
like($out, qr/^# kernel \Q${\(`uname -r` =~ s{\n}{}r)}\E \S+, \d+ CPUs, \d+ MiB of memory, fsratio \S+\n# device \/dev\/loop\d+, 1536 MiB, a loop device over \S+\n# RUNS=1: .*\n# open, FIEMAP and close of 200 files: .*\n# xfs: mkfs\.xfs -d agcount=2 -m reflink=1 -m rmapbt=0, mounted rw\S*\n# xfs: mkfs\.xfs -d agcount=4 /,
	'above it the machine, the device, what was made and measured');
is($err, join('', map { my ($n, $what) = @$_; "xfs/001-fiemap-threads: $n of 8: $what\n" } map { [$_, (
	'src seq, 2 AGs, threads: 1', 'src seq, 2 AGs, threads: 3', 'plain seq, 2 AGs, threads: 1', 'plain seq, 2 AGs, threads: 3',
	'src seq, 4 AGs, threads: 1', 'src seq, 4 AGs, threads: 3', 'plain seq, 4 AGs, threads: 1', 'plain seq, 4 AGs, threads: 3')[$_ - 1]] } 1 .. 8),
	'progress is on standard error');
is(join(' ', map { s{.*/}{}r } glob("$results/xfs/*")), '001-fiemap-threads.matrix.full', 'nothing of a test is in the results');
is(ours_left($images), '', 'no device or mount is left');

($out, $err, $status) = matrix({%small, AGCOUNTS => 4, THREADS => 1}, '--matrix', 'xfs/002-fiemap-ags');
is($status, 0, 'xfs/002 is of the same report') or diag($err);
like($out, qr/^tree   order  AGs +1 thread ms \(vcsw\)\nsrc    seq      4 +\d+\.\d \(\d+\)\n\nplain  seq      4 +\d+\.\d \(\d+\)\n\z/m,
	'as text');

my @missing = grep { my $tool = $_; !grep { -x "$_/mkfs.$tool" } split(/:/, $ENV{PATH}) } qw(ext4 btrfs);
($out, $err, $status) = matrix({TASKS => '1 2', DURATION_MS => 10}, '--matrix', 'generic/001', '--tsv');
is($status, 0, 'generic/001: exit 0') or diag($err);
@rows = rows($out);
is_deeply($rows[0], ['tasks', 'xfs ops/s', 'ext4 ops/s', 'btrfs ops/s', 'tmpfs ops/s'], 'a column a file system');
is_deeply([map { $_->[0] } @rows[1 .. $#rows]], [1, 2], 'a row a number of tasks');
numbers_ok('generic/001', 1, @rows);
unlike(join(' ', @{$rows[1]}), qr/-/, 'and all were measured') if !@missing;

# A machine without two of them
my $bin = results_dir();
for my $tool (map { glob("$_/*") } grep { -d } split(/:/, $ENV{PATH})) {
	my ($name) = $tool =~ m{([^/]+)\z};
	symlink($tool, "$bin/$name") if $name !~ /^mkfs\.(?:ext4|btrfs)$/;
}
($out, $err, $status) = matrix({TASKS => 1, DURATION_MS => 10, PATH => $bin}, '--matrix', 'generic/001', '--tsv');
is($status, 0, 'without mkfs.ext4 and mkfs.btrfs: exit 0') or diag($err);
like($out, qr/^# ext4: mkfs\.ext4 not found\n# btrfs: mkfs\.btrfs not found\n/m, 'they are named');
like($out, qr/^1\t\d+\t-\t-\t\d+\n\z/m, 'and are gaps');

($out, $err, $status) = matrix({NFILES => 20, SIZES => '1000 65536', MODES => 'write clone-trunc'}, '--matrix',
	'xfs/004', '--tsv');
is($status, 0, 'xfs/004: exit 0') or diag($err);
@rows = rows($out);
is(join('|', @{$rows[0]}), 'rmapbt|mode|size|clone us|trunc us|close us|whole loop s|sync s', 'the columns of the report');
is(join('|', map { join ' ', @$_[0 .. 2] } @rows[1 .. $#rows]), join('|', map { my $r = $_;
	map { ("$r $_ 1000", "$r $_ 65536") } qw(write clone-trunc) } 1, 0), 'and its rows');
is(join('|', map { "@$_[3, 4]" } @rows[1, 2, 5, 6]), '- -|- -|- -|- -', 'a call that a mode does not make is a gap');
numbers_ok('xfs/004', 2, @rows);

($out, $err, $status) = matrix({COPIES => 1, DURATION_MS => 20}, '--matrix', 'xfs/003', '--tsv');
is($status, 0, 'xfs/003: exit 0') or diag($err);
@rows = rows($out);
is_deeply($rows[0], ['copies', map { ("$_ lpm", "$_ rm waits", "$_ kworker waits") } qw(xfs ext4)], 'loops a minute, and waits');
numbers_ok('xfs/003', 1, @rows);

($out, $err, $status) = matrix({WRITES => 2, WRITE_BYTES => 1 << 20}, '--matrix', 'generic/002', '--tsv');
is($status, 0, 'generic/002: exit 0') or diag($err);
@rows = rows($out);
is_deeply($rows[0], ['fs', 'reads', 'writes', 'punches', 'max-read ms', '>100ms'], 'the summary');
is($rows[1][2], 2, 'of as many writes as asked for');
is_deeply($rows[2], ['latency-ms', 'count'], 'the histogram');
my $reads = 0;
$reads += $_->[1] for @rows[3 .. $#rows];
is($reads, $rows[1][1], 'has every read');
numbers_ok('generic/002', 1, @rows[0, 1]);
numbers_ok('generic/002', 0, @rows[2 .. $#rows]);

# --- no table rather than half of one ---

# fake($script): a tree whose selftest/001 has this for its matrix.
sub fake
{
	my ($script) = @_;
	my $tree = own_tree('001-pass' => "_require_scratch\necho \"Silence is golden\"\n_exit 0");
	my $file = "$tree/tests/selftest/001-pass.matrix";

	spew($file, "#! /bin/bash\n. ./common/preamble\n. ./common/matrix\n_matrix_begin 2\n$script\n");
	chmod 0755, $file or die "$file: $!";
	$CheckRun::tree = split_tree($tree);
	return $tree;
}

my $sample = 'echo "sample ${machine_mounts[0]} ops=10 elapsed_ns=$((1000 * ${1:-1}))"';
my $good = "_matrix_scratch xfs\n_table_columns n us\n_table_row 1\nrun() { $sample; }\n";
my $said = '_matrix_measure one elapsed_ns';
for my $case (
	['a helper that fails', "$said run\n$said false", 'one: exit 1: no message'],
	['its last line', "bad() { echo first >&2; echo last >&2; return 3; }\n$said bad", 'one: exit 3: last'],
	['no record', "$said echo hello", 'one: expected one line, a sample record, found: hello'],
	['two records', "two() { run; run; }\n$said two", undef],
	['another file system', "other() { run | sed s/dev=7/dev=9/; }\n$said other", undef],
	['no time', "$said run 0", undef],
	['a row without its cell', "$said run\n_matrix_end", 'cannot write the table'],
	['a command that is not there', "nosuch_command\n_table_add 1 elapsed_ns\n_matrix_end", undef],
	['what this machine cannot do', '_notrun "no good"', 'no good'],
	['no end', "$said run\n_exit 0", 'it printed nothing'],
	['a crash', "$said run\nkill -9 \$\$", undef],
) {
	my ($what, $script, $why) = @$case;

	fake($good . $script);
	($out, $err, $status, $results) = matrix({}, '--matrix', 'selftest/001');
	is_deeply([$out, $status], ['', 2], "$what: nothing on standard output, exit 2");
	my ($last) = $err =~ /([^\n]*)\n\z/;
	like($last, defined $why ? qr/^check: no table of selftest\/001-pass: \Q$why\E$/ :
		qr/^check: no table of selftest\/001-pass: \S/, "says why: $last");
	is(ours_left($images), '', 'no device or mount is left');
}

# Of several runs the median one; what cannot be measured is a gap with a note.
fake("${good}i=0\nseries() { local t=(3 1 2 9 8); i=\$((i + 1)); run \"\${t[i - 1]}\"; }\n" .
	"$said series\n_table_add 1 elapsed_ns/1000.0\n_table_row 2\nlacks() { echo 'not here' >&2; return 77; }\n" .
	'_matrix_measure two ops lacks; _table_add 2 ops; _matrix_end');
($out, $err, $status) = matrix({RUNS => 5}, '--matrix', 'selftest/001', '--tsv');
is($status, 0, 'five runs') or diag($err);
like($out, qr/^# two: not here\nn\tus\n1\t3\n2\t-\n\z/m, 'median of 3 1 2 9 8, and a gap');
($out, $err, $status) = matrix({RUNS => 4}, '--matrix', 'selftest/001', '--tsv');
like($out, qr/^1\t2\n/m, 'median of 3 1 2 9');

# A mount namespace that another made, and that ends, holds the device.
fake("${good}unshare -m --propagation private sleep 2 >/dev/null 2>&1 &\nsleep 0.5\n_matrix_scratch xfs\n" .
	"$said run\n_table_add 1 elapsed_ns\n_matrix_end");
($out, $err, $status) = matrix({}, '--matrix', 'selftest/001', '--tsv');
is($status, 0, 'a device held by a mount namespace') or diag($err);
is(ours_left($images), '', 'no device or mount is left');

# A table that nobody can read
my $full = fake("$good$said run\n_table_add 1 elapsed_ns\n_matrix_end");
spew("$full/check", "#! /bin/sh\nexec ./check.real \"\$\@\" 2>'$dir/err' >/dev/full\n");
($out, $err, $status) = matrix({}, '--matrix', 'selftest/001');
is($status, 2, 'a full standard output: exit 2');
like($err, qr/^check: cannot write the table\n\z/m, 'and one line');
is(ours_left($images), '', 'no device or mount is left');

# A signal in the middle
fake("${good}slow() { sleep 60; }\n$said slow");
unlink "$dir/err";
my $run = start_check(\%env, '--matrix', 'selftest/001');
ok(wait_for(20, sub { (slurp("$dir/err") // '') =~ /1 of 2: one/ }), 'it measures');
isnt(ours_left($images), '', 'on devices of its own');
kill 'TERM', $run->{pid};
($out, $status) = end_check($run);
is_deeply([$out, $status], ['', 143], 'SIGTERM: nothing on standard output, 143');
is(ours_left($images), '', 'no device or mount is left');
is(processes_left($run->{results}), '', 'and no process');
done_testing();
