#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tools/bisect-run and tools/bisect-packages: which word, and which status, they
# make of what building and a guest come to, and that no fault of ours is a word.
# make, compiler and guest are stand-ins; doc/bisect-example.txt is a real one.
use strict;
use warnings;
use Cwd qw(getcwd realpath);
use File::Temp qw(tempdir);
use Test::More;
use lib 'tests/selftest';
use CheckRun;

my $top = getcwd();
my $dir = realpath(tempdir('fsratio-bisect-XXXXXX', TMPDIR => 1, CLEANUP => 1));
my $src = $ENV{FSRATIO_SRC} // "$top/src";
my $results = "$dir/results/bisect";
my $test = 'selftest/020-judged-pass';
delete @ENV{grep { /^GIT_/ } keys %ENV};
delete @ENV{qw(BISECT LLVM HOST_OPTIONS)};
%ENV = (%ENV, DIR => $dir, RESULT_BASE => "$dir/results", MAKEFLAGS => '',
	BUILD_DIR => "$dir/build", PATH => "$dir/bin:$ENV{PATH}",
	GIT_CONFIG_GLOBAL => '/dev/null', HOME => $dir, XDG_CACHE_HOME => $dir,
	map { ("GIT_${_}_NAME" => 'x', "GIT_${_}_EMAIL" => 'x@x') }
		qw(AUTHOR COMMITTER));

# A suite whose tools/guest is ours
sub suite
{
	my ($name) = @_;

	mkdir($_) or die "$_: $!" for "$dir/$name", "$dir/$name/tools";
	symlink("$top/$_", "$dir/$name/$_") or die "$_: $!"
		for qw(check common configs tests);
	symlink($src, "$dir/$name/src") or die "src: $!";
	symlink("$top/tools/$_", "$dir/$name/tools/$_") or die "$_: $!"
		for qw(bisect-run bisect-packages);
}

sub script
{
	my ($path, $text) = @_;
	spew("$dir/$path", "#! /bin/bash\n$text");
	chmod(0755, "$dir/$path") or die "$path: $!";
}

# run([COMMAND...], {ENV}): (status, stdout, stderr) in the kernel tree
sub run
{
	my ($command, $env) = @_;
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		$ENV{$_} = $env->{$_} for keys %{$env // {}};
		chdir($env->{CWD} // "$dir/linux") or die "chdir: $!";
		open(STDIN, '<', '/dev/null') or die;
		open(STDOUT, '>', "$dir/out") or die;
		open(STDERR, '>', "$dir/err") or die;
		exec(@$command) or die "@$command: $!";
	}
	waitpid($pid, 0);
	return ($? & 127 ? 128 + ($? & 127) : $? >> 8, slurp("$dir/out"),
		slurp("$dir/err"));
}

sub bisect_run
{
	my $env = ref($_[0]) ? shift : {};
	return run(["$dir/suite/tools/bisect-run", @_], $env);
}

sub git
{
	my ($status, $out, $err) = run(['git', @_]);
	$status and die "git @_: $err";
	chomp($out);
	return $out;
}

# A commit of the kernel tree with these files; its short name
sub commit
{
	my ($subject, %files) = @_;

	spew("$dir/linux/$_", $files{$_}) for keys %files;
	git('add', '-A');
	git('commit', '-q', '--allow-empty', '-m', $subject);
	return substr(git('rev-parse', 'HEAD'), 0, 12);
}

mkdir("$dir/$_") or die "$_: $!" for qw(bin linux linux/scripts
	linux/scripts/kconfig);
suite('suite');
script("bin/$_", "exit 0\n") for qw(bc bison flex gcc);
script('bin/ccache', "exit 0\n");
script('suite/tools/guest', <<'END');
printf '%s\n' "$*" >>"$DIR/calls"
env | grep -E '^(BISECT|RESULT_BASE|GIT_DIR)=' | sort >"$DIR/env"
while [ "$1" != --kernel ]; do shift; done
kernel=$2
[ ! -f "$kernel/arch/x86/boot/bzImage" ] ||
	kernel=$(<"$kernel/arch/x86/boot/bzImage")
. "$DIR/do"
END
git('init', '-q', '-b', 'main');
my $makefile = <<'END';
tinyconfig:
	@mkdir -p $(O) && echo tiny >$(O)/.config
olddefconfig:
	@test "$$(sed -n 1p $(O)/.config)" = tiny
bzImage:
	@cat build.sh | O=$(O) LOCALVERSION=$(LOCALVERSION) CC="$(CC)" bash -e
END
my $build = "mkdir -p \$O/arch/x86/boot\ncat version >\$O/arch/x86/boot/bzImage\n" .
	"echo \"\$LOCALVERSION \$CC\" >\$O/how\n";
my $first = commit('1', Kbuild => "# none\n", Makefile => $makefile,
	'build.sh' => $build, version => "1\n", '.gitignore' => ".config\n",
	'scripts/kconfig/merge_config.sh' => "# none\n");
script('linux/scripts/kconfig/merge_config.sh',
	"[ \"\$1 \$2\" = '-m .config' ] && cat \"\$3\" >>.config\n");
$first = commit('2');

# What each end of a guest means
my $passes = "$test\t 9s\n    slowdown: pass, ratio 1.10, limit at most 2";
my $fails = "$test\t- output mismatch (see x)\n    slowdown: fail, ratio 4.00, " .
	"limit at most 2\n    control: pass (control), ratio 4.00";
for my $case (
	[0, $passes, 0, 'good: slowdown: pass, ratio 1.10, limit at most 2'],
	[1, $fails, 1, 'bad: slowdown: fail, ratio 4.00, limit at most 2'],
	[1, "$test\t- output mismatch (kernel log: WARNING: x)", 1,
		'bad: output mismatch (kernel log: WARNING: x)'],
	[125, "$test\t[not run] undecided: slowdown: n=40 reason=cap", 125,
		'skip: undecided: slowdown: n=40 reason=cap'],
	[125, "guest: 6.1: does not boot: no init after 180 s (see log)\n    line",
		125, 'skip: 6.1: does not boot: no init after 180 s'],
	[128, "$test\t- output mismatch (broken: arm x: exit 1)\nRan: $test", 128,
		'broken: broken: arm x: exit 1'],
	[128, 'guest: QEMU failed with status 1: no machine', 128,
		'broken: guest: QEMU failed with status 1: no machine'],
	(map { [$_, "ends with $_", 128, "broken: ends with $_"] }
		2, 3, 4, 124, 126, 127, 129, 137, 255),
) {
	my ($ends, $says, $status, $line) = @$case;

	spew("$dir/do", "printf '%s\\n' '$says' 'guest: its /suite/results is x'\n" .
		"exit $ends\n");
	is_deeply([bisect_run('selftest/020')], [$status, 'bisect-run: ' .
		"$first is built in $dir/build (see $results/" .
		git('rev-parse', 'HEAD') . "/build.log)\nbisect-run: $first runs " .
		"$test (see $results/" . git('rev-parse', 'HEAD') .
		"/guest.log)\nbisect-run: $first $line\n", ''],
		"a guest that ends with $ends: $status");
}
like(slurp("$results/log"), qr/\A$first good: .*\n$first bad: /,
	'bisect/log has a line of each');

# What is handed on
spew("$dir/do", "echo '$passes'\n");
unlink("$dir/calls");
is((bisect_run({GIT_DIR => "$dir/linux/.git"}, 'selftest/020', '--guest-args',
	'--cpus', 4, '--', '--rounds', 9))[0], 0, 'with arguments');
my $full = git('rev-parse', 'HEAD');
is(slurp("$dir/calls"), "--kernel $dir/build --cpus 4 -- --time-budget 300 " .
	"--rounds 9 $test\n", 'they reach tools/guest and check');
is(slurp("$dir/env"), "BISECT=1\nRESULT_BASE=$results/$full\n", 'BISECT and a ' .
	'place for results do too, the repository of the kernel does not');
is(slurp("$dir/build/how"), "-g$first ccache gcc\n",
	'the release names the commit, ccache builds it');
like(slurp("$dir/build/.config"), qr/\Atiny\n.*^CONFIG_XFS_FS=y$/ms,
	'guest.config on tinyconfig');
is(git('status', '--porcelain', '--ignored'), '', 'the kernel tree is as it was');
utime(1, 1, "$dir/build/.config");
bisect_run('selftest/020');
is((stat("$dir/build/.config"))[9], 1, 'a configuration that did not change');

# Builds
my $error = 'fs/xfs/xfs_file.c:7:1: error: expected ;';
my $broken = commit('does not build', 'build.sh' => "echo '$error' >&2; exit 1\n");
unlink("$dir/calls");
my ($status, $out, $err) = bisect_run('selftest/020');
is($status, 125, 'a commit that cannot be built');
like($out, qr/^bisect-run: $broken skip: cannot be built: \Q$error\E$/m, 'says so');
ok(!-e "$dir/calls", 'and no guest ran');
commit('no room', 'build.sh' =>
	"echo 'as: No space left on device' >&2; echo '$error'; exit 1\n");
($status, $out, $err) = bisect_run('selftest/020');
is($status, 128, 'a machine on which nothing can be built');
like($err, qr/^bisect-run: \w{12} cannot be built here: as: No space left/,
	'says so');
script('builder', "echo \"\$PWD \$*\" >\$DIR/built\nexit \$BUILD_ENDS\n");
is((bisect_run({BUILD_ENDS => 0}, 'selftest/020', '--build', '../builder'))[0], 0,
	'--build');
is(slurp("$dir/built"), "$dir/linux $dir/build\n",
	'it is called in the tree, with the build directory');
is((bisect_run({BUILD_ENDS => 1}, 'selftest/020', '--build', '../builder'))[0],
	125, 'a --build that fails');

# Faults of ours
git('checkout', '-q', $first);
suite('faulty');
script('faulty/tools/guest', "exit 1\n");
unlink("$dir/faulty/common");
system("cp -R $top/common $dir/faulty/common") and die;
my $library = slurp("$dir/faulty/common/bisect");
my @faulty = ("$dir/faulty/tools/bisect-run", 'selftest/020');
is((run(\@faulty))[0], 1, 'a bad commit, by a suite');
for my $case (['a variable that is not set', 'echo "$no_such_variable"'],
		['an unknown command', 'no_such_command || exit 1'],
		['no syntax', 'if fi'], ['false as its last word', 'exit 1']) {
	my ($name, $code) = @$case;
	spew("$dir/faulty/common/bisect",
		$library =~ s/^(_bisect_judge\(\)\n\{\n)/$1\t$code\n/mr);
	is((run(\@faulty))[0], 128, "a suite that has $name");
}
spew("$dir/faulty/common/bisect", $library);
unlink("$dir/faulty/tools/guest");
is((run(\@faulty))[0], 128, 'a suite without tools/guest');

# Calls
mkdir("$dir/no-git");
system("cp -R $dir/linux/Makefile $dir/linux/Kbuild $dir/linux/scripts " .
	"$dir/no-git") and die;
my $help = '(--help shows all)';
for my $case (
	[[], "expected a test, found '' $help"],
	[['--build', '/bin/true'], "unknown argument '/bin/true' $help"],
	[['selftest/020', 'x'], "unknown argument 'x' $help"],
	[['selftest/020', '--build', "$dir/none"],
		"option --build takes a program, found '$dir/none'"],
	[['selftest/020', '--guest-args'],
		'option --guest-args takes those of tools/guest, found none'],
	[['selftest/00[12]*'], "expected one test, found 'selftest/00[12]*', which " .
		'is selftest/001-pass, selftest/002-mismatch'],
	[['selftest/999'], "check: unknown test 'selftest/999' (--list shows all " .
		"tests)\nbisect-run: 'selftest/999' is no test"],
	[['selftest/020'], "$dir/bin: no kernel tree; expected its top directory",
		{CWD => "$dir/bin"}],
	[['selftest/020'], "$dir/no-git: no commit of git is checked out there",
		{CWD => "$dir/no-git"}],
	[['selftest/020'], "BUILD_DIR=$dir/linux/o: is in the kernel tree",
		{BUILD_DIR => 'o'}],
) {
	my ($args, $message, $env) = @$case;
	$message = "bisect-run: $message" if $message !~ /^check/;
	is_deeply([bisect_run($env // {}, @$args)], [128, '', "$message\n"],
		"bisect-run @$args");
}
spew("$dir/linux/.config", "CONFIG_X=y\n");
is_deeply([bisect_run('selftest/020')], [128, '', "bisect-run: $dir/linux: a " .
	"kernel was built in it; make mrproper, or --build SCRIPT\n"],
	'a tree in which a kernel was built');
unlink("$dir/linux/.config");
($status, $out, $err) = bisect_run('--help');
is($status, 0, '--help');
like($out, qr/\AUsage: git bisect run/, 'usage');

# Signals
spew("$dir/do", "echo \$\$ >\$DIR/pid.new; mv \$DIR/pid.new \$DIR/pid; exec sleep 60");
for my $case ([TERM => 143], [INT => 130], [HUP => 129], [KILL => 137]) {
	my ($signal, $expected) = @$case;
	unlink("$dir/pid");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		chdir("$dir/linux") or die;
		open(STDOUT, '>', '/dev/null') or die;
		exec("$dir/suite/tools/bisect-run", 'selftest/020') or die;
	}
	ok(wait_for(30, sub { -e "$dir/pid" }), "a guest runs, for SIG$signal");
	is((bisect_run('selftest/020'))[2], "bisect-run: another bisect builds in " .
		"$dir/build\n", 'a second one is refused') if $signal eq 'TERM';
	my $guest = slurp("$dir/pid") + 0;
	kill($signal, $pid);
	waitpid($pid, 0);
	is($? & 127 ? 128 + ($? & 127) : $? >> 8, $expected, "SIG$signal");
	ok(wait_for(20, sub { !kill(0, $guest) }), 'the guest is gone');
}

# git bisect run, over a commit that cannot be built
git('checkout', '-q', 'main');
commit('repaired', 'build.sh' => $build);
my %names;
for my $n (3 .. 10) {
	$names{$n} = commit($n, version => "$n\n",
		'build.sh' => $n == 6 ? "exit 1\n" : $build);
}
spew("$dir/do", "((kernel < 8)) || { echo '$fails'; exit 1; }; echo '$passes'\n");
git('bisect', 'start', 'HEAD', $names{3});
($status, $out, $err) = run(['git', 'bisect', 'run',
	"$dir/suite/tools/bisect-run", 'selftest/020']);
is($status, 0, 'git bisect run');
my $culprit = $names{8};
like($out, qr/^$culprit\w+ is the first bad commit$/m, 'finds the commit');
git('bisect', 'reset');
is(git('status', '--porcelain', '--ignored'), '', 'the kernel tree is as it was');
spew("$dir/do", "echo 'guest: QEMU failed with status 1: x'; exit 128\n");
git('bisect', 'start', 'HEAD', $names{3});
($status, $out, $err) = run(['git', 'bisect', 'run',
	"$dir/suite/tools/bisect-run", 'selftest/020']);
isnt($status, 0, 'a fault of the suite ends git bisect run');
is(scalar(() = git('bisect', 'log') =~ /^git bisect (?:good|bad)/mg), 0,
	'and marks no commit');
git('bisect', 'reset');

# tools/bisect-packages
sub packages
{
	my $env = ref($_[0]) ? shift : {};
	unlink("$dir/calls");
	return run(["$dir/suite/tools/bisect-packages", @_], $env);
}

# The kernels on which guests ran
sub kernels
{
	return join(' ', (slurp("$dir/calls") // '') =~ /--kernel (\S+)/g);
}

spew("$dir/do", <<"END");
case \$kernel in
*bad*) echo '$fails'; exit 1 ;;
*skip*) echo '$test	[not run] needs 64 CPUs'; exit 125 ;;
*broken*) echo '$test	- output mismatch (broken: arm x)'; exit 128 ;;
esac
echo '$passes'
END
my $found = 'bisect-packages: the first';
for my $case (
	['k-1-bad k-2-good', 0, "$found good one is k-2-good", 'k-1-bad k-2-good'],
	['k-1-bad k-2-bad k-3-bad k-4-good k-5-good', 0,
		"$found good one is k-4-good", 'k-1-bad k-5-good k-3-bad k-4-good'],
	['k-1-good k-2-good k-3-bad k-4-bad k-10-bad', 0,
		"$found bad one is k-3-bad", 'k-1-good k-10-bad k-3-bad k-2-good'],
	['k-1-good k-2-skip k-3-skip k-4-skip k-5-bad k-6-bad', 3,
		'bisect-packages: no telling: the first bad one is one of ' .
		'k-2-skip k-3-skip k-4-skip k-5-bad',
		'k-1-good k-6-bad k-3-skip k-2-skip k-4-skip k-5-bad'],
	['k-1-good k-2-good k-3-skip k-4-bad k-5-bad', 3, 'bisect-packages: no ' .
		'telling: the first bad one is one of k-3-skip k-4-bad',
		'k-1-good k-5-bad k-3-skip k-2-good k-4-bad'],
	['k-1-good k-2-skip k-3-good k-4-bad', 0, "$found bad one is k-4-bad",
		'k-1-good k-4-bad k-2-skip k-3-good'],
	['k-1-good k-2-bad k-3-good', 1, 'bisect-packages: the first and the last ' .
		'are both good: nothing to search', 'k-1-good k-3-good'],
	['k-1-bad k-2-bad', 1, 'bisect-packages: the first and the last are both ' .
		'bad: nothing to search', 'k-1-bad k-2-bad'],
	['k-1-skip k-2-bad', 3, 'bisect-packages: no telling: neither good nor ' .
		'bad is k-1-skip, an end of the list', 'k-1-skip'],
	['k-1-good k-2-skip', 3, 'bisect-packages: no telling: neither good nor ' .
		'bad is k-2-skip, an end of the list', 'k-1-good k-2-skip'],
) {
	my ($list, $expected, $last, $ran) = @$case;
	($status, $out, $err) = packages('selftest/020', split(' ', $list));
	is("$status$err", $expected, "bisect-packages $list");
	is(($out =~ /(.*)\n\z/)[0], $last, 'its last line');
	is(kernels(), $ran, 'the kernels it asked');
}
is_deeply([packages('selftest/020', qw(k-1-good k-2-bad))], [0, 'k-1-good: good: ' .
	"slowdown: pass, ratio 1.10, limit at most 2\nk-2-bad: bad: slowdown: " .
	"fail, ratio 4.00, limit at most 2\n$found bad one is k-2-bad\n", ''],
	'all that it says');
is(slurp("$results/selftest.020-judged-pass.2.log"), "$fails\n", 'its log');
packages('selftest/020', qw(k-1-bad k-2-good --guest-args --mem 3G -- -b));
is(slurp("$dir/calls"), join('', map { "--kernel $_ --mem 3G -- --time-budget 300 " .
	"-b $test\n" } qw(k-1-bad k-2-good)), 'its arguments');
($status, $out, $err) = packages('selftest/020', qw(k-1-good k-2-broken k-3-bad));
is($status, 2, 'a broken test');
is($err, "bisect-packages: k-2-broken: broken (see " .
	"$results/selftest.020-judged-pass.2.log)\n", 'says so');
mkdir("$dir/$_-k") or die for qw(z a);
is((packages({CWD => $dir}, 'selftest/020', qw(z-k a-k)))[0], 1,
	'directories stand in the order of the list');
is(kernels(), "$dir/z-k $dir/a-k", 'by their whole names');
for my $case (
	['selftest/020', "expected two kernels and more, found 0 $help"],
	['selftest/020 k', "expected two kernels and more, found 1 $help"],
	['selftest/020 k-1 k-2 --bogus', "unknown argument '--bogus' $help"],
	['selftest/020 k-10 k-9', 'k-9 stands after k-10; expected the oldest first'],
	['selftest/020 k-1 k-1', 'k-1 is in the list twice'],
	['selftest/00[12]* k-1 k-2', "expected one test, found 'selftest/00[12]*', " .
		'which is selftest/001-pass, selftest/002-mismatch'],
) {
	my ($args, $message) = @$case;
	is_deeply([packages(split(' ', $args))], [2, '',
		"bisect-packages: $message\n"], "bisect-packages $args");
	is(kernels(), '', 'and no guest ran');
}

done_testing();
