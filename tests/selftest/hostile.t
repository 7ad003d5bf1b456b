#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Names and results that mean harm.  Every name that check is given, of a directory, a
# device, a host, a section or of the suite's own place, either works right or is
# refused in one line with exit 2; nothing in it is evaluated.  And results of a
# stranger, with links, FIFOs, devices and files without end in them, are reported on by
# root, without a step out of them.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

plan(skip_all => 'needs root') if $> != 0;
my $here = getcwd();
my $top = tempdir('fsratio-hostile.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
my @undo;
END { my $status = $?; system(@$_) for reverse(@undo); $? = $status }
# Whatever is evaluated makes one of these, in the tree or where it is called.
my $all = qq{a b'"`>X1`\$(>X2);>X3|>X4&*[x]{1,2}\\n%s\xc3\xa9};
my $long = 'n' x 255;
my @names = ($all, '-rf', $long);
my $formats = 'xunit,ktap,kcidb,lava,jsonl,html';

# evaluated(): what of that was made; '' = nothing.
sub evaluated
{
	my @made = grep { -e } map { my $dir = $_; map { "$dir/X$_" } 1 .. 4 } $here, $top, '/';

	unlink(@made);
	return "@made";
}

# attempt($what, \%env, @args): a run that must pass.
sub attempt
{
	my ($what, $env, @args) = @_;
	my ($out, $status, $results) = run_check($env, @args);

	is($status, 0, "$what: it passes") or diag($out);
	is(evaluated(), '', 'and nothing is evaluated');
	return ($out, $results);
}

# refused($what, \%env, \@args, $line): a run that is refused with that line.
sub refused
{
	my ($what, $env, $args, $line) = @_;
	my ($out, $status) = run_check($env, @$args);

	is_deeply([$status, $out], [2, "check: $line\n"], "$what: one line");
	is(evaluated(), '', 'and nothing is evaluated');
}

# Where results and temporary files go.
for my $name (@names) {
	my $dir = "$top/results";
	my $tmp = "$top/tmp";

	mkdir($_) or die "$_: $!" for $dir, $tmp, "$tmp/$name";
	my ($out) = attempt("RESULT_BASE and TMPDIR $name", {RESULT_BASE => "$dir/$name", TMPDIR => "$tmp/$name"},
		'-R', $formats, qw(selftest/001 selftest/020));
	like($out, qr/^Passed all 2 tests$/m, 'all of them');
	is(join(' ', map { s{.*/}{}r } glob("\Q$dir/$name\E/result.*")), 'result.html result.jsonl result.kcidb.json result.ktap ' .
		'result.lava result.xml', 'the reports are there');
	opendir(my $list, "$tmp/$name") or die "$tmp/$name: $!";
	is(join(' ', grep { !/\A\.\.?\z/ } readdir($list)), '', 'and no temporary file is left');
	system('rm', '-rf', $dir, $tmp);
}
# The reports of a fail quote the name, and gnuplot draws beside it.
mkdir("$top/$all") or die "$top/$all: $!";
my ($out, $status) = run_check({RESULT_BASE => "$top/$all/r", TMPDIR => "$top/$all"},
	'-R', 'xunit,html', 'selftest/021');
is($status, 1, 'a fail there is a fail') or diag($out);
is(evaluated(), '', 'and nothing is evaluated');
SKIP: {
	skip('needs xmlwf', 2) if system('command -v xmlwf >/dev/null');
	for my $file ('result.xml', 'result.html') {
		system('cp', "$top/$all/r/$file", "$top/document");
		is(`xmlwf $top/document 2>&1`, '', "$file is well-formed");
	}
}
mkdir("$top/relative") or die;
$status = system("cd $top/relative && mkdir -- -t && TMPDIR=-t HOST_OPTIONS=/dev/null RESULT_BASE=$top/relative/r " .
	"'$here/check' selftest/001 >$top/out 2>&1");
is($status, 0, 'a TMPDIR from where the caller is') or diag(slurp("$top/out"));
refused('a line end', {RESULT_BASE => "$top/a\nb"}, ['selftest/001'],
	"environment: RESULT_BASE is '$top/a?b'; expected a path without control characters");
refused('a name that is too long', {RESULT_BASE => "$top/${long}n"}, ['selftest/001'],
	"cannot make RESULT_BASE $top/${long}n");
refused('no TMPDIR, with an escape', {TMPDIR => "$top/\e[2J\n"}, ['selftest/001'],
	"TMPDIR $top/?[2J? is no directory to write in");

# Devices by links, mount points, the place of images.
my @devices;
for my $name (qw(test scratch)) {
	my $image = "$top/$name.img";

	run_ok("truncate -s 400M $image");
	push(@devices, run_ok("losetup -f --show $image"));
	push(@undo, ['losetup', '-d', $devices[-1]]);
}
run_ok("mkfs.xfs -q $devices[0]");
for my $name (@names) {
	my $dir = "$top/devices";

	mkdir($_) or die "$_: $!" for $dir, map { "$dir/$_" } qw(t s), "m-$name" =~ s/\Am-(n{255})\z/$1/r;
	my $mount = "$dir/" . ("m-$name" =~ s/\Am-(n{255})\z/$1/r);
	mkdir($_) or die "$_: $!" for "$mount/test", "$mount/scratch", "$mount/images";
	symlink($devices[0], "$dir/t/$name") && symlink($devices[1], "$dir/s/$name") or die "$dir: $!";
	my ($out) = attempt("devices and mount points $name", {TEST_DEV => "$dir/t/$name", SCRATCH_DEV => "$dir/s/$name",
		TEST_DIR => "$mount/test", SCRATCH_MNT => "$mount/scratch"}, qw(-R jsonl selftest/050));
	unlike($out, qr/not run|undecided|broken/, 'really');
	attempt("IMAGE_DIR $name", {IMAGE_DIR => "$mount/images"}, 'selftest/050');
	opendir(my $list, "$mount/images") or die "$mount/images: $!";
	is(join(' ', grep { !/\A\.\.?\z/ } readdir($list)), '', 'and nothing is left');
	is(`grep -F $top /proc/mounts`, '', 'nor is a mount');
	system('rm', '-rf', $dir);
}
for my $case (['TEST_DEV', '-rf', 'TEST_DEV -rf is no path from / on'],
		['SCRATCH_DEV', "$top/\$(>X1)", "SCRATCH_DEV $top/\$(>X1) does not exist"],
		['TEST_DEV', "/dev/a\nb", "environment: TEST_DEV is '/dev/a?b'; expected a path without control characters"],
		['SCRATCH_MNT', "/a\tb", "environment: SCRATCH_MNT is '/a?b'; expected a path from / on, without control characters"],
		['SCRATCH_MNT', "$top/`>X1`", "SCRATCH_MNT $top/`>X1` is not a directory"],
		['IMAGE_DIR', '-rf', "environment: IMAGE_DIR is '-rf'; expected a path from / on, without control characters"]) {
	my ($variable, $value, $line) = @$case;

	refused("$variable=" . $value =~ s/[^ -~]/?/gr, {$variable => $value}, ['selftest/050'], $line);
}

# Sections, and files of options.
for my $name ('a b', '$(>X1)', '`>X1`', 'a;>X1', '-s', "a'", '../x', 'a]b') {
	my $file = "$top/config";

	spew($file, "[$name]\nFSTYP=xfs\n");
	($out, $status) = run_check({HOST_OPTIONS => $file}, 'selftest/001');
	my $works = $name eq '-s';
	is($status, $works ? 0 : 2, "section $name: " . ($works ? 'works' : 'refused')) or diag($out);
	like($out, qr/\Acheck: \Q$file\E:1: [^\n]+\n\z/, 'in one line') if !$works;
	is(evaluated(), '', 'nothing is evaluated');
	refused("-s $name", {}, ['-s', $name, 'selftest/001'],
		$name =~ /\A[\w\/-]+\z/ ? "unknown section '$name'; known are: none" : "option -s takes SECTION[,SECTION...], found '$name'")
		if $name ne '../x';
}
for my $option (qw(-E --known)) {
	my $file = "$top/$all/list";

	spew($file, "# nothing\n");
	attempt("$option $all", {}, $option, $file, 'selftest/001');
	refused("$option of what is not there", {}, [$option, "$top/\$(>X1)\n", 'selftest/001'],
		"option $option takes a file that can be read, found '$top/\$(>X1)?'");
}
refused("a test $all", {}, [$all], "unknown test '$all' (--list shows all tests)");

# A host in a UTS namespace of its own.
SKIP: {
	skip('needs unshare', 3) if system('unshare -u true 2>/dev/null');
	my $host = qq{a b'"`>X1`\$(>X2);<h>&\\n=%41\e[2J};
	my $results = "$top/host";

	spew("$top/name", $host);
	$out = `unshare -u sh -c 'cat $top/name >/proc/sys/kernel/hostname && HOST_OPTIONS=/dev/null RESULT_BASE=$results ./check -R xunit,ktap,kcidb,jsonl,html selftest/001' 2>&1`;
	is($?, 0, "host $host") or diag($out);
	is(evaluated(), '', 'nothing is evaluated');
	is(decode_json(slurp("$results/result.jsonl"))->{run}{host}, $host =~ tr/\e/?/r, 'and that is its name');
}

# Directories of tests; and the suite itself, at a place with such a name.
my $tree = own_tree('900-here' => 'echo Silence is golden; _exit 0');
for my $name ('$(>X1)', 'a b', '-x', "a'b", "a\nb") {
	system('cp', '-r', "$tree/tests/selftest", "$tree/tests/$name") == 0 or die "$name: $!";
	spew("$tree/tests/$name/900-here.out", "QA output created by 900-here\nSilence is golden\n");
}
{
	local $CheckRun::tree = $tree;
	attempt('directories of tests', {}, 'selftest/900');
	($out) = run_check({}, '--list');
	like($out, qr{\Aselftest/900-here +selftest\n\z}, 'none of such a name is one');
}
for my $name ($all, '-rf') {
	my $suite = "$top/suite/$name";

	mkdir("$top/suite") or die "$top/suite: $!";
	system('cp', '-a', '--', $tree, $suite) == 0 or die "$suite: $!";
	system('rm', '-rf', "$suite/tests");
	for my $part (qw(common src tests check tools)) {
		unlink("$suite/$part");
		system('cp', '-a', '--', "$here/$part", "$suite/$part") == 0 or die "$part: $!";
	}
	local $CheckRun::tree = $suite;
	my ($out, $results) = attempt("the suite in $name", {}, '-R', 'xunit,html', qw(selftest/001 selftest/020 selftest/050));
	ok(-s "$results/result.html", 'with its reports');
	$out = `cd / && "\$T/tools/compare" "$results" "$results" 2>&1` if local $ENV{T} = $suite;
	is($?, 0, 'and compare') or diag($out);
	is(evaluated(), '', 'nothing is evaluated');
	system('rm', '-rf', "$top/suite");
}

# A build there ends before it starts: autoconf and make cannot.
SKIP: {
	skip('needs autoconf', 3) if system('command -v autoconf >/dev/null');
	mkdir("$top/$_") or die "$_: $!" for 'source', "source/$all";
	system("cp $here/configure.ac $top/source && mkdir $top/source/src && touch $top/source/src/supervise.c && " .
		"cd $top/source && autoconf") == 0 or die 'autoconf';
	chdir("$top/source/$all") or die "$all: $!";
	$out = `../configure -q 2>&1`;
	$status = $?;
	chdir($here) or die "$here: $!";
	isnt($status, 0, "a build in $all is refused");
	is($out, 'configure: error: the path of this directory has quotes or other signs of a shell in it: ' .
		"build elsewhere\n", 'in one line');
	is(evaluated() . join(' ', glob("$top/source/X*")), '', 'nothing is evaluated');
}

# Results of a stranger.
my $recorded = "$here/tests/selftest/results/words";
my $test = 'selftest/021-judged-fail';
my $secret = "$top/secret";
my $results = "$top/stranger";
my $number = 0;
spew($secret, "SECRET line\nrun records=1 id=SECRET\n");
chmod(0600, $secret) or die;

# report($what, $status): all that reports, as root; it ends soon, says one line where
# it refuses, and shows nothing of the secret.
sub report
{
	my ($what, $expected) = @_;

	system('chown', '-Rh', '65534:65534', $results) == 0 or die "chown: $!";
	for my $call ((map { "tools/report $_" } qw(ktap kcidb lava jsonl html)), "tools/compare $recorded", "tools/mail-report $test") {
		my $start = time();
		my $said = `timeout 20 prlimit --as=300000000 $call $results 2>$top/err`;
		my $status = $? >> 8;
		my $error = slurp("$top/err");

		if ($status == 2) {
			like($error, qr/\A[a-z-]+: [^\n]+\n\z/, "$what: $call: one line");
		} else {
			ok($status == 0 || $call =~ /compare/ && $status == 1, "$what: $call: a report")
				or diag("$status: $error");
		}
		is($status, 2, 'it is refused') if defined($expected) && $call =~ /ktap/;
		unlike("$said$error", qr/SECRET/, 'and no word of others');
	}
}

# stranger(): results as they should be.
sub stranger
{
	system("rm -rf $results && cp -r $recorded $results && rm -f $results/.lock") == 0 or die;
}

my %harm = (
	'a link' => sub { symlink($secret, $_[0]) },
	'a FIFO' => sub { POSIX::mkfifo($_[0], 0666) },
	'a device' => sub { system("mknod $_[0] c 1 5") == 0 },
	'10 GiB' => sub { system("truncate -s 10G $_[0]") == 0 },
);
stranger();
report('nothing wrong');
for my $kind (sort(keys(%harm))) {
	for my $file ("$test.record", "$test.verdict", "$test.samples", 'check.records') {
		stranger();
		unlink("$results/$file");
		$harm{$kind}->("$results/$file") or die "$file: $!";
		report("$kind as $file", $file =~ /record/ ? 2 : undef) if $ENV{HOSTILE_ALL} || $number++ % 3 == 0;
	}
	# What is beside the verdict is all of it at once.
	stranger();
	for my $file (map({ "$test.$_" } qw(full out.bad dmesg stacks commands)), 'check.log', '.lock') {
		unlink("$results/$file");
		$harm{$kind}->("$results/$file") or die "$file: $!";
	}
	report("$kind as the rest");
}
stranger();
rename("$results/selftest", "$top/away") && symlink("$top/away", "$results/selftest") or die;
report('a link as a directory', 2);
system('rm', '-rf', "$top/away");
stranger();
spew("$results/check.records", slurp("$results/check.records") =~ s{^plan name=selftest/001}{plan name=../001}mr);
report('a name that leads out', 2);

# A link in place of what is written.
stranger();
symlink($secret, "$results/result.ktap") && symlink($secret, "$results/result.ktap.new") or die;
is(system("tools/report --write ktap $results 2>$top/err"), 0, 'a report in place of a link') or diag(slurp("$top/err"));
like(slurp($secret), qr/^SECRET/, 'which is not followed');
ok(!-l "$results/result.ktap", 'and gone');
done_testing();
