#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# make dist, and from its archive alone: configure, make install, a run from the
# installed tree, which nobody writes to, and make uninstall.
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 'tests/selftest';
use CheckRun qw(slurp spew results_dir run_ok);
use Test::More;

my $top = abs_path('tests/selftest/../..');
my $dir = results_dir();
my $release = slurp("$top/configure.ac") =~ /^AC_INIT\(\[fsratio\], \[([\d.]+)\]\)/m
	? $1 : die 'configure.ac has no version';

plan(skip_all => 'needs autoconf') if system('command -v autoconf >/dev/null');
delete(@ENV{qw(MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS DESTDIR RESULT_BASE
	HOST_OPTIONS SUITE_VERSION SOURCE_DATE_EPOCH)});
umask(077);

# sh($line): (status, output).
sub sh
{
	my ($line) = @_;
	my $out = `{ $line; } 2>&1 </dev/null`;

	return ($? >> 8, $out);
}

# files($dir): what is below it, with modes.
sub files
{
	return run_ok("cd $_[0] && find . ! -type d -printf '%P %M %s\\n' | sort");
}

# A copy of the tree, since a build may be in the one at hand.
my @parts = grep { -e "$top/$_" } qw(check new quickstart common configs doc ltp src
	tests tools README COPYING CONTRIBUTING configure.ac Makefile.in);
mkdir("$dir/source") or die;
run_ok("cd $top && cp -R @parts $dir/source && cd $dir/source && " .
	"rm -rf src/*.[oad] ltp/*.[oad] && autoconf");
spew("$dir/source/common/old~", "a backup\n");
mkdir("$dir/build") or die;
run_ok("cd $dir/build && ../source/configure CFLAGS=-O0 --prefix=/usr " .
	"--sysconfdir=$dir/etc && make dist");
my $archive = "$dir/build/fsratio-$release.tar.gz";
ok(-s $archive, 'make dist');
my $sum = run_ok("cksum <$archive");
run_ok("cd $dir/build && rm $archive && make dist");
is(run_ok("cksum <$archive"), $sum, 'the same tree gives the same bytes');
my $list = run_ok("tar -tf $archive");
unlike($list, qr{\.(?:[oad]|log)$|/src/judge$|/Makefile$|^[^/]+/results/|~$}m, 'nothing built is in it');
is(join(' ', grep { !m{^fsratio-\Q$release\E/} } split(/\n/, $list)), '',
	'all in a directory of its name');
like($list, qr{/$_$}m, "$_ is in it") for qw(configure configure\.ac version check
	src/judge\.c ltp/fsx\.c tests/selftest/install\.t README COPYING);

# Out of the archive, where there is no git and no autoconf
mkdir("$dir/$_") or die for qw(bin user empty);
spew("$dir/bin/$_", "#! /bin/sh\necho no $_ >&2\nexit 1\n") for qw(autoconf git);
chmod(0755, glob("$dir/bin/*"));
my $path = "PATH=$dir/bin:\$PATH";
run_ok("tar -C $dir -xf $archive");
my $tree = "$dir/fsratio-$release";
run_ok("cd $tree && $path ./configure CFLAGS=-O0 --prefix=/usr " .
	"--sysconfdir=$dir/etc && $path make -j2");
run_ok("cd $tree && $path make dist && tar -xOf fsratio-$release.tar.gz " .
	"| cksum >$dir/again && tar -xOf $archive | cksum | cmp - $dir/again");
my $dest = "$dir/dest";
run_ok("cd $tree && $path make install DESTDIR=$dest");
my $libexec = "$dest/usr/libexec/fsratio";
ok(-x "$dest/usr/bin/fsratio", 'the command');
ok(-s "$dest/usr/share/man/man1/fsratio.1", 'the man page');
my $man = slurp("$dest/usr/share/man/man1/fsratio.1");
unlike($man, qr/\@\w+\@/, 'no path is left open in it');
like($man, qr{^\.It Pa \Q$dir\E/etc/fsratio/local\.config$}m, 'it names the configuration');
is(slurp("$libexec/version"), slurp("$tree/version"), 'it knows its version');
like(slurp("$tree/version"), qr/^\Q$release\E(?:-[0-9a-f]{12})?\n\z/, 'that of configure.ac');
my @installed = split(/\n/, run_ok("cd $libexec && find . ! -type d -printf '%P\\n' | sort"));
is(join("\n", @installed), join("\n", grep { !/^#/ } split(/\n/,
	slurp("$libexec/installed"))), 'the list of what is installed is right');
my %installed = map { $_ => 1 } @installed;
ok($installed{$_}, "$_ is installed") for qw(check common/config src/judge ltp/fsx
	doc/group-names.txt tools/report tools/formats/ktap.pm src/supervise),
	map { s{^\Q$top\E/}{}r } grep { !/~$/ } glob("$top/tests/{xfs,generic}/[0-9]*");
is(join(' ', grep { /~$|\.[ch]$|^tests\/selftest|^tools\/(?:lint|dist|install|trust)/ }
	@installed), '', 'what only the source needs is not');
is(run_ok("find $dest ! -type l ! -perm -o=r"), '', 'all can read it, whatever the umask');

# The command, from elsewhere
my $command = slurp("$dest/usr/bin/fsratio");
like($command, qr{^exec /usr/libexec/fsratio/check }m, 'the command runs check');
spew("$dir/bin/fsratio", $command =~ s{/usr/libexec}{$dest/usr/libexec}r);
chmod(0755, "$dir/bin/fsratio");
my $before = files($dest);
my $run = "cd $dir/user && $path fsratio";
my ($status, $out) = sh("$run --list");
is($status, 0, 'fsratio --list');
like($out, qr{^xfs/001-fiemap-threads }m, 'finds the tests');
SKIP: {
	skip('needs root', 1) if $> != 0;
	# A test that needs no device, as the user of an installed tree adds none
	my $case = "$libexec/tests/generic/999-canned";
	spew($case, slurp("$top/tests/selftest/020-judged-pass") =~ s/selftest$/quick/mr);
	spew("$case.limits", slurp("$top/tests/selftest/020-judged-pass.limits"));
	spew("$case.out", "QA output created by 999-canned\nslowdown: pass\ncontrol: pass\n");
	chmod(0755, $case);
	$before = files($dest);
	my $readonly = "unshare -m sh -ec 'mount --bind $dest $dest; " .
		"mount -o remount,bind,ro $dest; $run";
	($status, $out) = sh("$readonly -R ktap generic/999'");
	is($status, 0, 'a run from an installed tree that is read-only') or diag($out);
	my $results = "$dir/user/results";
	ok(-s "$results/$_", "results/$_ in the caller's directory") for
		qw(check.log result.ktap generic/999-canned.verdict);
	my $version = slurp("$libexec/version") =~ s/\n//r;
	like(slurp("$results/generic/999-canned.samples") // '', qr/ suite=\Q$version\E /,
		'which say what suite it was');
	($status, $out) = sh("RESULT_BASE=other $readonly generic/999'");
	ok(-s "$dir/user/other/check.log", 'a relative RESULT_BASE is meant there, too');
	mkdir("$dir/etc") && mkdir("$dir/etc/fsratio") or die;
	spew("$dir/etc/fsratio/local.config", "RESULT_BASE=$dir/configured\n");
	($status, $out) = sh("$readonly generic/999'");
	ok(-s "$dir/configured/check.log", 'the configuration of the machine is read');
	spew("$dir/user/own.config", "RESULT_BASE=$dir/own\n");
	($status, $out) = sh("HOST_OPTIONS=own.config $readonly generic/999'");
	ok(-s "$dir/own/check.log", 'but where HOST_OPTIONS names one of its own');
	is(files($dest), $before, 'nothing was written to the tree');
	($status, $out) = sh("$readonly nosuch/001'");
	is($status, 2, 'the exit status is that of check');
	unlink(glob("$case*"));
}

# Again, over one that had a file more; and away
spew("$libexec/common/old", "of an older version\n");
spew("$libexec/installed", slurp("$libexec/installed") . "common/old\n");
spew("$libexec/tests/xfs/990-mine", "of the user\n");
run_ok("cd $tree && $path make install DESTDIR=$dest");
ok(!-e "$libexec/common/old", 'install: what is no longer of the suite goes');
ok(-e "$libexec/tests/xfs/990-mine", 'what somebody else put there stays');
run_ok("cd $tree && make uninstall DESTDIR=$dest");
is(run_ok("cd $dest && find . ! -type d"), './usr/libexec/fsratio/tests/xfs/990-mine',
	'uninstall removes just what was installed');
unlink("$libexec/tests/xfs/990-mine");
run_ok("cd $tree && make install DESTDIR=$dest && make uninstall DESTDIR=$dest");
run_ok("cd $tree && make uninstall DESTDIR=$dest");
spew("$dir/empty/file", "of somebody\n");
($status, $out) = sh("cd $tree && tools/install-tree install $dir/empty 1.0 src/judge");
is($status, 2, 'not over what others put there');
is($out, "install-tree: $dir/empty holds files that make install did not put there\n", 'one line');
is(slurp("$dir/empty/file"), "of somebody\n", 'and nothing is touched');
for my $case ([['install', $dir, '1.0', 'src/nosuch'], 'src/nosuch is not built'],
	[['install', 'relative', '1.0', 'src/judge'], "DIR is a path from / on, found 'relative'"],
	[['uninstall'], 'uninstall takes DIR'], [['remove', $dir],
	"expected install or uninstall, found 'remove' (--help shows all)"]) {
	($status, $out) = sh("cd $tree && tools/install-tree @{$case->[0]}");
	is("$status $out", "2 install-tree: $case->[1]\n", "@{$case->[0]}");
}
done_testing();
