#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# make install-into: our tests in a tree that has the names of fstests and nothing
# else of ours, where they run and say the words that fstests has.
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 'tests/selftest', 'tools/lib';
use CheckRun qw(spew results_dir run_ok);
use FakeFstests;
use Inline;
use Test::More;

my $top = abs_path('tests/selftest/../..');
my $dir = results_dir();
my $fstests = "$dir/fstests";
my $ours = "$dir/ours";
my $loop = '';

END {
	my $status = $?;

	system("umount $dir/mnt 2>/dev/null; losetup -d $loop") if $loop;
	$? = $status;
}

delete(@ENV{qw(MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS SUITE_VERSION)});

# sh($line): (status, output).
sub sh
{
	my ($line) = @_;
	my $out = `{ $line; } 2>&1 </dev/null`;

	return ($? >> 8, $out);
}

# files($dir): all files there and what is in them.
sub files
{
	return run_ok("cd $_[0] && find . -type f -exec cksum {} + | sort");
}

# install(): (status, output) of tools/install-into.
sub install
{
	return sh("CFLAGS=-O0 $ours/tools/install-into $fstests");
}

# A copy of ours, with tests that end in each of the words
my %canned = (301 => '020-judged-pass', 302 => '021-judged-fail',
	303 => '022-undecided', 304 => '031-setup');
mkdir($ours) or die;
run_ok("cd $top && cp -R common doc ltp Makefile.in src tools $ours && " .
	"rm -f $ours/src/*.[oda] && mkdir $ours/tests && " .
	"cp -R tests/xfs tests/generic $ours/tests");
spew("$ours/version", "9.9-0123456789ab\n");
for my $number (keys(%canned)) {
	my $test = "$ours/tests/generic/$number-canned";
	my $from = "$top/tests/selftest/$canned{$number}";
	spew($test, slurp($from) =~ s/^_begin_fstest selftest$/_begin_fstest quick/mr);
	chmod(0755, $test);
	spew("$test.limits", slurp("$from.limits"));
	spew("$test.out", slurp("$from.out") =~ s/\Q$canned{$number}\E/$number-canned/r);
}

# Bad input: one line, exit 2, nothing touched.
make_fstests($fstests);
my $before = files($fstests);
my ($status, $out) = sh("$ours/tools/install-into");
is("$status $out", '2 install-into: expected the directory of an fstests tree ' .
	"(make install-into FSTESTS=DIR)\n", 'no directory');
($status, $out) = sh("$ours/tools/install-into ''");
is($status, 2, 'an empty one');
($status, $out) = sh("$ours/tools/install-into $dir/nosuch");
is("$status $out", "2 install-into: $dir/nosuch: No such file or directory\n",
	'none that is there') if $status == 2 && $out =~ /No such/;
($status, $out) = sh("$ours/tools/install-into $top/doc");
is("$status $out", "2 install-into: $top/doc is no tree of fstests: it has no check\n",
	'no tree of fstests');
my $rc = slurp("$fstests/common/rc");
for my $case (
	['common/rc', $rc . "_slices_sync()\n{\n\t:\n}\n",
		"$fstests/common/rc has a function _slices_sync, as we have"],
	['common/rc', $rc =~ s/^_scratch_unmount\(\)/_other()/mr,
		'this fstests has no _scratch_unmount, which we call'],
	['common/fsratio', "theirs\n",
		"$fstests/common/fsratio is there and not of an earlier install"],
	['src/fsratio', "theirs\n",
		"$fstests/src/fsratio is there and not of an earlier install"],
) {
	my ($file, $text, $message) = @$case;
	my $was = -e "$fstests/$file" ? slurp("$fstests/$file") : undef;

	spew("$fstests/$file", $text);
	($status, $out) = install();
	is("$status $out", "2 install-into: $message\n", $message =~ s/\Q$fstests\E/there/r);
	defined($was) ? spew("$fstests/$file", $was) : unlink("$fstests/$file");
}
spew("$fstests/tests/generic/${_}001-x", "theirs\n") for 1 .. 9;
($status, $out) = install();
is("$status $out", "2 install-into: $fstests has tests with each of our numbers, " .
	"whatever digit is before it\n", 'no numbers left');
unlink(glob("$fstests/tests/generic/*"));
# Built often, and run for a moment
$ENV{MAKEFLAGS} = 'CFLAGS=-O0';
my $source = slurp("$ours/src/affinity.c");
spew("$ours/src/affinity.c", "#error no such thing\n");
($status, $out) = install();
is($status, 2, 'a helper that cannot be built');
like($out, qr/\Ainstall-into: the helpers cannot be built: .*#?error.*\n\z/i, 'one line');
spew("$ours/src/affinity.c", $source);
is(files($fstests), $before, 'none of them touched anything');

# What is installed
($status, $out) = install();
is($status, 0, 'an install') or BAIL_OUT($out);
my %tests = map { m{^\Q$ours\E/tests/(\w+)/((\d+)-[\w-]+)\z} ? ("$1/$2" => $_) : () }
	glob("$ours/tests/{xfs,generic}/*");
is($out, scalar(keys(%tests)) . " tests are in $fstests: generic and xfs, from 8001 on\n" .
	"Run make there for the lists of groups.\n", 'past the 9002 that is theirs');
for my $test (sort(keys(%tests))) {
	my ($of, $number, $name) = $test =~ m{^(\w+)/(\d+)(-.*)};
	my $there = "$fstests/tests/$of/8$number$name";
	my $text = slurp($there);

	ok(-x $there, "$of/8$number$name");
	is(slurp("$there.out"), slurp("$tests{$test}.out") =~
		s/\AQA output created by $number/QA output created by 8$number/r, 'golden');
	is(-e "$there.limits" ? slurp("$there.limits") : '', -e "$tests{$test}.limits" ?
		slurp("$tests{$test}.limits") : '', 'limits');
	is(join(' ', $text =~ m{^\. \./common/(\w+)}mg), 'preamble fsratio',
		'sources these, each once');
	unlike($text, qr{(?:\$here/|_guard_run "?+|_require_test_program )(?!src/fsratio/|fsratio/)\S},
		'calls the programs that are there');
}
my $groups = slurp("$fstests/doc/group-names.txt");
like($groups, qr/^rw .*\n(?:guard|perf_\w+)\t.*\n(?:perf_\w+\t.*\n)+=+ =+\n\z/m,
	'the groups that it lacked, in its table');
is(() = $groups =~ /^quick\b/mg, 1, 'and no other');
run_ok("cd $fstests && sha256sum -c --quiet src/fsratio/installed");

# Every call of the additions is a name of fstests, or our own.
my $common = slurp("$fstests/common/fsratio");
my %own = functions_of($common);
my %theirs = map { functions_of(slurp("$fstests/common/$_")) } qw(preamble rc);
my %calls = map { $_ => 1 } calls_of($common, {%own, %theirs});
cmp_ok(scalar(keys(%calls)), '>', 80, 'calls were found');
is(join(' ', grep { !$own{$_} && !$theirs{$_} } sort(keys(%calls))), '',
	'all are of fstests, or there');
is(join(' ', grep { $theirs{$_} } sort(keys(%own))), '', 'no name is taken over');
unlike($common, qr{^\s*\. \./common/}m, 'one file');
is(run_ok("bash -n $fstests/common/fsratio"), '', 'which bash can read');
for my $text ("a\n_b c\n", "if ! _b; then\n", 'x=$(_b)', "a && _b\n", "(_b)\n",
	"x=1 _b\n", "\t_b || c\n") {
	is(join(' ', calls_of($text, {})), '_b', 'a call: ' . $text =~ s/\n/ /gr);
}
for my $text ("# _b\n", "a # _b\n", "x='_b'\n", "_b=1\n", "\$_b\n", "a_b\n") {
	is(join(' ', calls_of($text, {_b => 1})), '', 'none: ' . $text =~ s/\n/ /gr);
}
is(join(' ', calls_of("_add _b\n", {_b => 1})), '_add _b', 'one that is an argument');

# What the tests say there.  Under fstests undecided is a notrun, broken a fail.
my $env = "FSTYP=xfs MEASURE_TRACE=no SCRATCH_MNT=$dir/mnt";
mkdir("$dir/mnt") or die;
my %said;
($status, $out) = sh("cd $fstests && SCRATCH_DEV= $env ./check " .
	join(' ', map { "generic/8$_-" } sort(keys(%canned))));
%said = map { m{^generic/8(\d+)\S* (.*)} ? ($1 => $2) : () } split(/\n/, $out);
is($said{301}, 'pass', 'pass');
like($said{302} // '', qr/^fail .*slowdown: fail ratio=4\S* /, 'fail');
like($said{303} // '', qr/^notrun undecided: slowdown: /, 'undecided');
like($said{304} // '', qr/^fail .*broken: set-up of series 1 failed/, 'broken');
like(slurp("$fstests/results/generic/8301-canned.samples"), qr/ suite=9\.9-0123456789ab /,
	'the samples say which suite it was');

SKIP: {
	skip('needs root', 4) if $> != 0;
	spew("$dir/image", '');
	truncate("$dir/image", 1280 << 20) or die;
	$loop = run_ok("losetup -f --show $dir/image");
	$env .= " SCRATCH_DEV=$loop MEASURE_TIME_BUDGET_S=4 MEASURE_CONFIRM=no";
	# A guard, one that decides by counts, and slices
	($status, $out) = sh("cd $fstests && $env ./check generic/8101- xfs/8004- xfs/8005-");
	%said = map { m{^(\w+/8\d+)\S* (.*)} ? ($1 => $2) : () } split(/\n/, $out);
	is($said{'generic/8101'}, 'pass', 'a guard') or diag($out);
	for my $test ('xfs/8004', 'xfs/8005') {
		like($said{$test} // '', qr/^(?:pass|fail (?!.*broken:).*: fail ratio=|notrun undecided: )/,
			"$test: one of the words of a kernel") or diag($out);
		my ($samples) = glob("$fstests/results/$test-*.samples");
		ok($samples && slurp($samples) =~ /^sample series=1 arm=\w+ round=1 .*fs=xfs /m,
			'from what was measured');
	}
	run_ok("losetup -d $loop");
	$loop = '';
	is(run_ok("losetup -j $dir/image; grep $dir/mnt /proc/self/mounts || :"), '',
		'nothing is left attached or mounted');
}
run_ok("rm -rf $fstests/results");

# Again: a file that we no longer have goes, what was changed there is kept.
unlink(glob("$ours/tests/generic/30[234]-*"));
spew("$fstests/tests/xfs/990-theirs", "of somebody\n");
($status, $out) = install();
is($status, 0, 'an install over an earlier one');
like($out, qr/ from 8001 on$/m, 'with the same numbers');
is(join(' ', glob("$fstests/tests/generic/830[1-4]-canned")),
	"$fstests/tests/generic/8301-canned", 'what we no longer have is gone');
ok(-e "$fstests/tests/xfs/990-theirs", 'what is theirs is there');
is(slurp("$fstests/doc/group-names.txt"), $groups, 'the groups are as they were');
spew("$fstests/common/fsratio", "$common# changed\n");
$before = files($fstests);
($status, $out) = install();
is("$status $out", "2 install-into: $fstests/common/fsratio was changed since it was installed\n",
	'not over what somebody has changed');
is(files($fstests), $before, 'and nothing is touched');
done_testing();
