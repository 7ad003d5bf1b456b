#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# quickstart installs what is missing and nothing else, builds, and ends with
# the status of what it ran.  All that it calls is a stand-in that writes a log.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $quickstart = abs_path('tests/selftest/../..') . '/quickstart';
my $dir = tempdir('fsratio-quickstart-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($tree, $bin) = ("$dir/tree", "$dir/bin");

$> and plan(skip_all => 'needs root');

sub slurp
{
	my ($path) = @_;
	open(my $fh, '<', $path) or return '';
	local $/;
	return scalar <$fh> // '';
}

sub spew
{
	my ($path, $text, $mode) = @_;
	open(my $fh, '>', $path) or die "$path: $!";
	print $fh $text;
	close($fh) or die "$path: $!";
	chmod($mode, $path) if $mode;
}

# What each package brings, and how the test takes it away
my %command = (autoconf => 'autoconf', bpftrace => 'bpftrace',
	'btrfs-progs' => 'mkfs.btrfs', e2fsprogs => 'mke2fs', fio => 'fio', gcc => 'gcc',
	make => 'make', mount => 'losetup', 'util-linux' => 'fsfreeze',
	xfsprogs => 'mkfs.xfs');
my %selftest_command = (clang => 'clang', 'clang-format' => 'clang-format',
	cppcheck => 'cppcheck', expat => 'xmlwf', 'libxml2-utils' => 'xmllint', mandoc => 'mandoc',
	perl => 'prove', shellcheck => 'shellcheck', 'stress-ng' => 'stress-ng');
my %guest_command = (cpio => 'cpio', kmod => 'modinfo',
	mmdebstrap => 'mmdebstrap', perl => 'prove',
	'qemu-system-x86' => 'qemu-system-x86_64', 'xz-utils' => 'xz');
my %header = ('libc6-dev' => 'pthread.h',
	'linux-libc-dev' => 'linux/fiemap.h', 'libcmocka-dev' => 'cmocka.h');

my %script = (
	autoconf => <<'END',
printf '#! /bin/bash\necho "configure $*" >>../log\n' >configure
[[ ! -e ../configure-fails ]] || echo 'exit 1' >>configure
echo '>Makefile' >>configure
chmod +x configure
END
	make => '[[ ! -e ../make-fails ]] || exit 1; ' .
		'[[ $* != *selftest* ]] || exit "$(<../status)"',
	gcc => <<'END',
while read -r _ header; do
	header=${header//[<>]/}
	case $header in
	*set*|*std*) ;;
	*) [[ -e "$DIR/headers/${header//\//_}" ]] || exit 1 ;;
	esac
done
exit 0
END
	clang => '[[ -e $DIR/clang_runtime ]]',
	'apt-cache' => '[[ ! -e $DIR/unknown ]]',
	'apt-get' => <<'END',
[[ $DEBIAN_FRONTEND == noninteractive ]] || echo "may ask" >>"$DIR/log"
if [[ -e $DIR/apt-fails-$2 || -e $DIR/apt-fails-$5 ]]; then
	echo "E: Unable to fetch some archives" >&2
	exit 100
fi
[[ $* != *install* || -e $DIR/apt-lies ]] || cp -R "$DIR/archive/." "$DIR"
END
);

# A machine with everything on it, and a fresh clone
sub machine
{
	system("rm -rf $dir/*") and die;
	mkdir("$dir/$_") for qw(tree bin headers archive archive/bin
		archive/headers);
	for my $tool (qw(bash cat chmod cp dirname mktemp nproc rm)) {
		my ($path) = grep { -x } map { "$_/$tool" }
			split(/:/, $ENV{PATH});
		symlink($path, "$bin/$tool");
	}
	my %tools = map { $_ => 1 } values(%command),
		values(%selftest_command), values(%guest_command);
	for my $tool (keys(%tools), qw(apt-get apt-cache)) {
		my $log = $tool =~ /^(?:apt-get|autoconf|make)$/ ?
			"echo \"$tool \$*\" >>$dir/log\n" : '';
		spew("$bin/$tool", "#! /bin/bash\nDIR=$dir\n$log" .
			($script{$tool} // ''), 0755);
	}
	spew("$dir/headers/" . $_ =~ s{/}{_}gr, '') for values(%header);
	spew("$dir/clang_runtime", '');
	spew("$tree/check", "#! /bin/bash\necho \"check \$*\" >>$dir/log\n" .
		"exit \$(<$dir/status)\n", 0755);
	spew("$tree/configure.ac", '');
	spew("$dir/status", "0\n");
	# The real directories of root's tools must not be looked at
	my $text = slurp($quickstart);
	$text =~ s{^PATH=.*\n}{}m or die 'no PATH in quickstart';
	spew("$tree/quickstart", $text, 0755);
}

# Takes a package away; apt-get can install it.
sub lack
{
	for my $package (@_) {
		my $path = $command{$package} // $selftest_command{$package} //
			$guest_command{$package};
		$path = $path ? "bin/$path" : $package eq 'libclang-rt-dev' ?
			'clang_runtime' :
			'headers/' . $header{$package} =~ s{/}{_}gr;
		rename("$dir/$path", "$dir/archive/$path") or die "$path: $!";
	}
}

# (status, stdout, stderr, log) of quickstart with these arguments
sub run
{
	my ($env, @args) = @_;
	my $line = join(' ', "cd / && env -i PATH=$bin $env",
		"$tree/quickstart", @args);

	unlink("$dir/log");
	my $status = system("$line >$dir/out 2>$dir/err </dev/null") >> 8;
	my $log = slurp("$dir/log");
	$log =~ s/-j [0-9]+/-j N/g;
	return ($status, slurp("$dir/out"), slurp("$dir/err"), $log);
}

my $build = "autoconf \nconfigure --quiet\nmake -s -j N\n";
my $update = "apt-get -q update\n";
my $install = 'apt-get -q -y -o DPkg::Lock::Timeout=300 install ' .
	'--no-install-recommends';

# Nothing missing
machine();
is_deeply([run('')], [0, '', '', "${build}check -g quick\n"],
	'builds and runs the quick group, installs nothing');
is_deeply([run('')], [0, '', '', "make -s -j N\ncheck -g quick\n"],
	'a second time it configures nothing');
for my $status (1, 2, 3) {
	spew("$dir/status", "$status\n");
	is((run(''))[0], $status, "the status of check, $status");
}
is_deeply([run('', 'selftest')],
	[3, '', '', "make -s -j N\nmake -s selftest\n"],
	'selftest, and its status');
machine();
is((run('NO_INSTALL=1'))[3], "${build}check -g quick\n",
	'NO_INSTALL is nothing to a complete machine');

# One thing missing
my %needs = ('' => [keys(%command), qw(libc6-dev linux-libc-dev)],
	selftest => [keys(%selftest_command), 'libclang-rt-dev',
		'libcmocka-dev'], guest => [keys(%guest_command)],
	'selftest-guest' => [keys(%guest_command)]);
my %ran = ('' => 'check -g quick', selftest => 'make -s selftest',
	'selftest-guest' => 'make -s selftest-guest', guest => 'make -s selftest-guest ' .
	'TESTS=tests/selftest/guest/words.t');
for my $what (sort keys %ran) {
	my $ran = $ran{$what};
	for my $package (sort(@{$needs{''}}, $what ? @{$needs{$what}} : ())) {
		my $missing = $package eq 'gcc' ?
			'gcc libc6-dev linux-libc-dev' . ($what eq 'selftest' ?
			' libcmocka-dev' : '') : $package;
		$missing = 'clang libclang-rt-dev' if $package eq 'clang';
		machine();
		lack($package);
		is_deeply([run('NO_INSTALL=1', $what)], [2, '',
			"quickstart: NO_INSTALL is set; missing: $missing\n",
			''], "NO_INSTALL and no $package $what");
		is_deeply([run('', $what)], [0,
			"quickstart: installing $missing\n", '',
			"$update$install $missing\n$build$ran\n"],
			"it is installed");
	}
}
for my $package (@{$needs{selftest}}, @{$needs{guest}}) {
	machine();
	lack($package);
	is((run(''))[3], "${build}check -g quick\n",
		"a run does not need $package");
}

# Several, and what may go wrong
my @set_up = qw(btrfs-progs e2fsprogs xfsprogs);
machine();
lack(@set_up);
is((run(''))[3], "$update$install @set_up\n${build}check -g quick\n",
	'the set-up tools of all three file systems');
machine();
lack('libclang-rt-dev', 'stress-ng');
spew("$dir/unknown", '');
is((run('', 'selftest'))[3],
	"$update$install stress-ng\n${build}make -s selftest\n",
	"a package that this release does not have");
machine();
lack(@set_up);
unlink("$bin/apt-get");
is_deeply([run('')], [2, '', 'quickstart: no apt-get; install by hand, by ' .
	"Debian's names: @set_up\n", ''], 'not a Debian system');
my $error = "E: Unable to fetch some archives\n";
machine();
lack('xfsprogs');
spew("$dir/apt-fails-update", '');
is_deeply([run('')], [2, "quickstart: installing xfsprogs\n",
	"${error}quickstart: apt-get update failed\n", $update],
	'apt-get update fails');
rename("$dir/apt-fails-update", "$dir/apt-fails-install");
is_deeply([run('')], [2, "quickstart: installing xfsprogs\n",
	"${error}quickstart: apt-get install xfsprogs failed\n",
	"$update$install xfsprogs\n"], 'apt-get install fails');
rename("$dir/apt-fails-install", "$dir/apt-lies");
is_deeply([run('')], [2, "quickstart: installing xfsprogs\n",
	"quickstart: installed, but still not found: xfsprogs\n",
	"$update$install xfsprogs\n"], 'it installs something else');
machine();
spew("$dir/configure-fails", '');
is_deeply([run('')], [2, '', "quickstart: configure failed\n",
	"autoconf \nconfigure --quiet\n"], 'configure fails');
machine();
spew("$dir/make-fails", '');
is_deeply([run('')], [2, '', "quickstart: make failed\n", $build],
	'make fails');

# Wrong calls
machine();
for my $args ('quick', 'selftest now', '--bogus') {
	my ($status, $out, $err, $log) = run('', $args);
	is($status, 2, "quickstart $args");
	like($err, qr/\AUsage: .*\.\/quickstart \[selftest\|guest\|selftest-guest\]\n/, 'usage');
	is($out . $log, '', 'and nothing else');
}
is((run('', '--help'))[0], 0, '--help');
SKIP: {
	skip('needs setpriv', 2) if system('command -v setpriv >/dev/null');
	chmod(0755, $dir);
	for my $args ('', ' selftest') {
		my $err = `cd / && setpriv --reuid=65534 --clear-groups env -i \\
			PATH=$bin $tree/quickstart$args 2>&1`;
		is($err . ($? >> 8), 'quickstart: must be root, for devices ' .
			"and mounts: sudo $tree/quickstart$args\n2",
			"not root,$args");
	}
}

done_testing();
