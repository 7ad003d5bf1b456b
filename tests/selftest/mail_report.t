#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/mail-report: the facts of a test that are in its results, in 72 columns, and
# nothing where a record is missing; what it refuses.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, 'tools/lib';
use CheckRun;
use Columns qw(columns continued wrapped);
use Recorded;
use Test::More;

my $top = results_dir();

# mail(@arguments): (stdout, stderr, exit status).
sub mail
{
	my $arguments = join(' ', map { "'" . s/'/'\\''/gr . "'" } @_);
	my $status = system("ulimit -v 131072; tools/mail-report $arguments >$top/out 2>$top/err");

	return (slurp("$top/out"), slurp("$top/err"), $status >> 8);
}

# too_wide($text): its lines that are, but for those of one word.
sub too_wide
{
	return join("\n", grep { length > 72 && /\S\s+\S.*\s\S/ } split(/\n/, $_[0]));
}

# Text.
is_deeply([columns(['arm', 'n', 'of'], ['a', '9', 'x'], ['long', '10', '']), columns([qw(a n)], ['b', ''], ['c', '10']),
	columns(['a', '', ''], ['b', '', 'c'])],
	['arm    n  of', 'a      9  x', 'long  10', 'a   n', 'b', 'c  10', 'a', 'b    c'], 'columns: numbers to the right');
is_deeply([wrapped(10, '  ', 'one two three abcdefghijklm x')], ['  one two', '  three', '  abcdefghijklm', '  x'], 'wrapped');
my $command = q(src/x --count 'n=a:b ~ "*W W*"' --a "b \" c" d\ e f$(g));
my @lines = continued(24, '  ', $command);
is_deeply(\@lines, ['  src/x --count \\', q(      'n=a:b ~ "*W W*"' \\), q(      --a "b \" c" \\), '      d\ e f$(g)'],
	'continued: at blanks that are none of a word');
spew("$top/args", "f() { printf '<%s>' \"\$@\"; echo; }\ng() { echo g; }\n" . join("\n", map { s/src\/x/f/r } $command, @lines) . "\n");
my @same = split(/\n/, `bash $top/args`);
is($same[1], $same[0], 'a shell reads the same words');

# A fail, with all that there is.
my $dir = copied('words');
my $test = "$dir/selftest/021-judged-fail";
sub facts_of
{
	my ($dir, $from, $to) = @_;

	spew($_, slurp($_) =~ s/$from/$to/gr) for "$dir/check.records", glob("$dir/selftest/*.record");
}
facts_of($dir, ' fstyp=', ' cpu_model=CPU%20of%20ours scratch_dev=/dev/loop3 scratch_dev_size_kb=8388608 mkfs_options=-m%20crc%3D1 fstyp=');
spew("$test.verdict", slurp("$test.verdict") . "# reason: 90 % of blocked switches wait in xfs_buf_lock for xfs_x\n");
spew("$test.stacks", "stack arm=bad comm=spin count=90 blocked_ns=4500000 wait=lock lock=xfs_buf_lock reason=xfs_x frames=down;xfs_buf_lock;xfs_x\n" .
	"stack arm=bad comm=kworker/0:1 count=10 blocked_ns=100 wait=io lock=io_schedule reason=xfs_y work=xfs_work frames=" .
	join(';', map { "f$_" } 1 .. 25) . "\n");
spew("$test.commands", 'command step=setup line=mkfs.xfs%20-f%20-m%20reflink%3D1%20-l%20size%3D67108864%20-d%20agcount%3D4,size%3D1g%20${SCRATCH_DEV}' . "\n" .
	'command step=setup line=mount%20-t%20xfs%20${SCRATCH_DEV}%20${SCRATCH_MNT}' . "\ncommand step=setup line=src/populate%20\${SCRATCH_MNT}\n" .
	"command step=arm arm=one line=src/spin%20--ops%201\ncommand step=arm arm=bad line=src/spin%20--ops%204\n" .
	'fs mount=${SCRATCH_MNT} info=meta-data%3D${SCRATCH_DEV}%20isize%3D512%0Adata%20%3D%20bsize%3D4096' . "\n");
my ($out, $err, $status) = mail('selftest/021', $dir);
is_deeply([$err, $status], ['', 0], 'a fail');
my ($kernel) = slurp("$test.record") =~ / kernel=(\S+)/;
like($out =~ s/\n(?=\S)/ /gr, qr/\Aselftest\/021-judged-fail on Linux \Q$kernel\E: fail; slowdown is 4\.00 \(4\.00 to 4\.00\), where at most 2 is good; 90 % of blocked switches wait in xfs_buf_lock for xfs_x\./,
	'one paragraph says what came of it');
like($out, qr/^  slowdown: fail, ratio 4\.00 \(4\.00 to 4\.00, 94 %\), in 5 \+ 5 rounds,\n  limit at most 2$/m, 'the limit, with its number');
like($out, qr/^  arm   threads  ops  µs \(switches\)\n  bad         1  100          4 \(0\)\n  ctrl        1  100          4 \(0\)\n  one         1  100          1 \(0\)\n$/m,
	'the arms: medians, with the switches in brackets');
like($out, qr/^90 \(90 %, 4\.5 ms\) wait in xfs_buf_lock for xfs_x, by spin in bad:\n\n  down\n  xfs_buf_lock\n  xfs_x\n/m, 'the top blocked stack');
like($out, qr/^10 \(10 %, 100 ns\) wait in io_schedule for xfs_y of xfs_work, by\nkworker\/0:1 in bad:\n\n  f1\n(?:  f\d+\n){19}  \(5 more\)\n/m, 'and the next, cut');
like($out, qr/^  CPUs     2, CPU of ours\n  memory   23\.5 GiB\n  device   \/dev\/loop3, 8\.0 GiB, of an image file\n  options  MKFS_OPTIONS -m crc=1\n/m, 'the environment');
like($out, qr/^  kernel   Linux\/x86_64 vm \Q$kernel\E /m, 'the kernel');
like($out, qr/^  mkfs\.xfs -f -m reflink=1 -l size=67108864 -d agcount=4,size=1g \\\n      \$\{SCRATCH_DEV\}\n\n  mount -t xfs \$\{SCRATCH_DEV\} \$\{SCRATCH_MNT\}\n/m, 'the lines of mkfs and mount');
like($out, qr/^  xfs_info \$\{SCRATCH_MNT\}:\n    meta-data=\$\{SCRATCH_DEV\} isize=512\n    data = bsize=4096\n/m, 'xfs_info');
like($out, qr/^  sudo MKFS_OPTIONS='-m crc=1' .*\.\/check.* \\?\n?\s*selftest\/021-judged-fail\n/ms, 'how to repeat it with the suite');
like($out =~ s/\n(?=\S)/ /gr, qr/The programs are src\/populate \(src\/populate\.c\), src\/spin \(src\/spin\.c\);/, 'and without: the sources');
like($out, qr/^  src\/populate \$\{SCRATCH_MNT\}\n/m, 'the set-up');
like($out, qr/^  # bad\n  src\/spin --ops 4\n  # one\n  src\/spin --ops 1\n\z/m, 'and each arm');
is(too_wide($out), '', 'all in 72 columns');
is((mail('selftest/021-judged-fail', $dir))[0], $out, 'by its whole name');
is((mail('tests/selftest/021-judged-fail', $dir))[0], $out, 'and by that of its file');

# Nothing where there is no record.
unlink(map { "$test.$_" } qw(stacks commands));
($out) = mail('selftest/021', $dir);
unlike($out, qr/Blocked stacks|mkfs|mount|xfs_info|Without/, 'no stacks, no commands: nothing of them');
like($out, qr/^  sudo .*\.\/check.*021-judged-fail\n\z/ms, 'but the suite');
spew("$test.stacks", '');
unlike((mail('selftest/021', $dir))[0], qr/Blocked stacks/, 'nor of no stack');
unlink("$test.samples");
unlike((mail('selftest/021', $dir))[0], qr/^Arms/m, 'no samples: no arms');
for my $fact (['cpus|cpu_model' => 'CPUs'], ['mem_kb' => 'memory'], ['scratch_dev|scratch_dev_size_kb' => 'device']) {
	my ($keys, $name) = @$fact;

	facts_of($dir, qr/ (?:$keys)=\S+/, '');
	unlike((mail('selftest/021', $dir))[0], qr/^  $name /m, "no $keys: no line on it");
}
for my $case (['001-pass', 'pass; its output is the golden one'], ['002-mismatch', 'fail; output mismatch'],
		['036-notsupported', 'notrun; helper: FIEMAP is not supported'], ['005-crash', 'broken; ended by signal 11']) {
	my ($name, $words) = @$case;

	($out, $err, $status) = mail("selftest/$name", 'tests/selftest/results/words');
	is($status, 0, $name) or diag($err);
	like($out =~ s/\n(?=\S)/ /gr, qr/\Aselftest\/$name on Linux \Q$kernel\E: \Q$words\E/, 'what came of it');
	unlike($out, qr/^Arms/m, 'no arms') if $name ne '036-notsupported';
}
$dir = copied('words');
facts_of($dir, ' fstyp=', ' standin=plain fstyp=');
like((mail('selftest/001', $dir))[0] =~ s/\n(?=\S)/ /gr, qr/ It is a stand-in \(plain\): it does not speak of this kernel\./, 'a stand-in is said to be one');

# Real runs: what of a test is recorded is in the mail.
for my $name ('6.18', '6.1') {
	for my $ran (grep { !$_->[2] } recorded_tests($name)) {
		my ($test, $word) = @$ran;
		my $files = "$recorded/$name/$test";

		($out, $err, $status) = mail($test, "$recorded/$name");
		is_deeply([$err, $status], ['', 0], "$name, $test");
		# What is quoted is one word.
		is(too_wide($out =~ s/^  xfs_info .*:\n(?:    .*\n)*//mgr =~ s/'[^'\n]*'/x/gr), '', 'in 72 columns');
		my $flat = $out =~ s/\s+/ /gr;
		my ($kernel) = slurp("$files.record") =~ / kernel=(\S+)/;
		like($flat, qr/\A\Q$test on Linux $kernel: $word\E;/, 'what came of it');
		is_deeply([grep { $flat !~ /\Q $_->{name}\E: \Q$_->{word}\E[ ,](?:\([a-z]+\), )?.*?(?:\Qratio @{[$_->{ratio} \/\/ 'x']}\E|no ratio)/ }
			grep { !$_->{role} && $_->{word} ne 'info' } recorded_limits($name, $test)], [], 'its limits') or diag($out);
		my %arms = map { $_ => 1 } (slurp("$files.samples") // '') =~ / arm=(\S+)/g;
		is_deeply([grep { $out !~ /^  \Q$_\E  +\d/m } keys(%arms)], [], 'its arms');
		unlike($out, qr/ \(\d+\.\d+\)$/m, 'and whole switches');
		my ($top) = sort { $b <=> $a } (slurp("$files.stacks") // '') =~ / count=(\d+)/g;
		like($out, qr/^Blocked stacks\n/m, 'where it was blocked') if $top;
		my ($mkfs) = (slurp("$files.commands") // '') =~ /^command step=setup line=(mkfs\.\w+)/m;
		like($out, qr/^  \Q$mkfs\E /m, 'its set-up') if $mkfs;
		like($flat, qr/ sudo .*\.\/check .*\Q$test\E/, 'and how to repeat it');
	}
}

# A test of this tree, whose header says what it is about.
$dir = copied('words');
spew("$dir/check.records", slurp("$dir/check.records") =~ s/selftest\/001-pass/xfs\/001-fiemap-threads/gr);
mkdir("$dir/xfs") or die;
spew("$dir/xfs/001-fiemap-threads.record", slurp("$dir/selftest/001-pass.record") =~ s/selftest\/001-pass/xfs\/001-fiemap-threads/r);
like((mail('xfs/001', $dir))[0], qr/^FIEMAP of reflinked files by several threads, .*^Report: linux-xfs, /ms, 'the header of the test');

# Refused.
$dir = copied('words');
spew("$dir/selftest/021-judged-fail.commands", "command step=arm\n");
my $sections = results_dir();
system("mkdir $sections/$_ && cp -r tests/selftest/results/words/. $sections/$_") == 0 or die for qw(a b);
my $all = join(' ', map { "selftest/$_" } qw(001-pass 002-mismatch 005-crash 020-judged-pass 021-judged-fail 022-undecided
	024-unfit 025-control 036-notsupported 037-debug-kernel));
for my $case (
	[[], 'expected TEST [RESULTS-DIR], found nothing'],
	[['a', 'b', 'c'], "expected TEST [RESULTS-DIR], found 'a b c'"],
	[['--nosuch', 'a'], 'unknown option: nosuch (--help shows all)'],
	[['xfs/001', "$top/nosuch"], "$top/nosuch: no directory, expected a results directory"],
	[['xfs/001', $dir], "$dir: no test xfs/001 in the last run; there are: $all"],
	[['selftest/02', $dir], "$dir: no test selftest/02 in the last run; there are: $all"],
	[['selftest/001', $sections], "$sections: selftest/001 is in several sections, expected the directory of one"],
	(map { [[$_->[0], "$recorded/6.1"], "$recorded/6.1/$_->[0]: the run was cut off $_->[2], there is nothing to report"] }
		grep { $_->[2] } recorded_tests('6.1')),
	[['selftest/021', $dir], "$dir/selftest/021-judged-fail.commands:1: no line=, expected it"],
) {
	my ($arguments, $said) = @$case;

	is_deeply([mail(@$arguments)], ['', "mail-report: $said\n", 2], "refused: $said");
}
is((mail('selftest/001', "$sections/a"))[2], 0, 'of one section');
is(system("tools/mail-report selftest/001 $sections/a >/dev/full 2>$top/err") >> 8, 2, 'a full disk behind stdout');
is(slurp("$top/err"), "mail-report: cannot write to stdout: No space left on device\n", 'is told');
like((mail('--help'))[0], qr/^Usage: mail-report TEST \[RESULTS-DIR\]$/m, '--help');
done_testing();
