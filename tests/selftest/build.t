#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# The tree builds without a warning, in it and out of it, with gcc and clang,
# and rebuilds what a changed file is in.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $top = abs_path('tests/selftest/../..');
my $dir = tempdir('fsratio-build-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $src = "$dir/source";
my @programs = map { "src/$_" } (qw(judge supervise), helpers());
push(@programs, map { "ltp/$_" } listed('LTP'));

# The names in a list of Makefile.in.
sub listed
{
	open(my $fh, '<', "$top/Makefile.in") or die "Makefile.in: $!";
	local $/;
	<$fh> =~ /^$_[0] = \\\n((?:\t\w+(?: \\)?\n)+)/m or die "no $_[0]";
	return $1 =~ /(\w+)/g;
}

# All helpers: those that Makefile.in lists, and a case in src/wis/ each.
sub helpers
{
	return (listed('HELPERS'), map { m{(\w+)\.c\z} ? "wis_$1" : () }
		glob("$top/src/wis/*.c"));
}

sub have
{
	return !system("command -v $_[0] >/dev/null 2>&1");
}

# (status, output) of a command line.
sub sh
{
	my ($line) = @_;
	my $text = `{ $line; } 2>&1 </dev/null`;
	return ($? >> 8, $text);
}

sub succeeds
{
	my ($line, $name) = @_;
	my ($status, $text) = sh($line);
	is($status, 0, $name) or diag($text);
	return $text;
}

# Name and content of all files below a directory.
sub tree
{
	return succeeds("cd $_[0] && find . -type f -exec cksum {} + | sort",
		"files below $_[0]");
}

have('autoconf') or plan(skip_all => 'needs autoconf');

# As from a shell, even under make -s selftest
delete(@ENV{qw(MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS)});

# A copy, for the tree at hand may be configured
mkdir($src) or die;
succeeds("cd $top && cp -R check common ltp src tests configure.ac " .
	"Makefile.in $src && rm -f $src/src/*.[oad] $src/ltp/*.[oad]", 'copy');
unlink(map { "$src/$_" } @programs, 'src/trust_sim');
mkdir("$src/tools");
succeeds("cd $src && autoconf --warnings=all,error", 'autoconf');
my $before = tree($src);

for my $cc (qw(gcc clang)) {
	SKIP: {
		skip("needs $cc", 1) if !have($cc);
		subtest($cc => sub { build($cc) });
	}
}

sub build
{
	my ($cc) = @_;
	my $build = "$dir/$cc";

	mkdir($build) or die;
	my $text = succeeds("cd $build && CC=$cc ../source/configure " .
		"--enable-werror", 'configure out of the tree');
	my $missing = qr/missing, and what is lost without it:(?:\n  \S+: .+)+/;
	like($text, qr/^configure: (?:$missing|nothing is missing)\n\z/m,
		'it ends with what is missing');
	$text = succeeds("cd $build && make -j2", 'make');
	unlike($text, qr/warning/i, 'no warning');
	like($text, qr/^$cc .*-Wconversion .*-Werror /m, 'as it was told');
	for my $program (@programs) {
		ok(-x "$build/$program", $program);
	}
	is(succeeds("cd $build && make", 'make again'),
		"make: Nothing to be done for 'all'.\n", 'is at rest');
	unlike(succeeds("cd $build && make src/trust_sim", 'what tools/trust needs'),
		qr/warning/i, 'no warning there');
	ok(-l "$build/$_", "$_ is linked") for qw(check common tests tools);
	like(succeeds("cd $build && ./check --list", 'check runs there'),
		qr{^xfs/001-}m, 'and finds the tests');
	is(tree($src), $before, 'nothing was written to the source');
	rebuild($build) if $cc eq 'gcc';
	succeeds("cd $build && make distclean", 'distclean');
	is(succeeds("cd $build && find . ! -name results ! -name check.log " .
		"! -name check.time | sort", 'find'), ".\n./ltp\n./src\n", 'leaves nothing');
}

# What make would make again after a file changed
sub remade
{
	my ($build, $file) = @_;
	# Newer than all that was built, whatever the clock's grain
	my $time = time + 10;
	utime($time, $time, "$src/$file") or die;
	my (undef, $text) = sh("make -C $build -n all");
	my %made = map { $_ => 1 } $text =~ / -o src\/(\S+)/g;
	$time = time - 1000;
	utime($time, $time, "$src/$file");
	return join(' ', sort keys %made);
}

sub rebuild
{
	my ($build) = @_;

	is(remade($build, 'src/descendants.h'),
		'descendants.o supervise supervise.o', 'a header of one program');
	is(remade($build, 'src/spin.c'), 'spin spin.o', 'a helper');
	my $text = remade($build, 'src/record.h');
	like($text, qr/\b$_\b/, "record.h is in $_") for qw(
		bench.o judge populate populate.o record.o recfile.o spin);
	unlike($text, qr/supervise/, 'but not in supervise');
	like(remade($build, 'src/record.c'), qr/judge.*record\.o.*spin/,
		'a file of the library is in all helpers');
}

# The lists of the Makefile: sorted, and none forgotten
{
	open(my $fh, '<', "$src/Makefile.in") or die;
	my $makefile = do { local $/; <$fh> };
	my %named;
	while ($makefile =~ /^([A-Z]+) = \\\n((?:\t\w+(?: \\)?\n)+)/mg) {
		my ($list, $lines) = ($1, $2);
		my @names = $lines =~ /(\w+)/g;
		is("@names", join(' ', sort @names), "$list is sorted");
		# Those of ltp/ are named after its programs.
		my $of = $list =~ /^(?:LTP|FS\w+)$/ ? 'ltp' : 'src';
		$named{$of}{$_} = 1 for @names;
	}
	for my $of (qw(ltp src)) {
		is(join(' ', sort keys %{$named{$of}}), join(' ', sort map
			{ m{(\w+)\.c\z} } glob("$src/$of/*.c")),
			"all of $of/*.c is built");
	}
}

# In the tree
succeeds("cd $src && ./configure CFLAGS=-O0 && make -j2", 'a build in the tree');
ok(-x "$src/$_", "$_ in the tree") for @programs;
ok(!-l "$src/check", 'check is no link there');
succeeds("cd $src && make distclean && rm -rf results configure && " .
	"rm -rf autom4te.cache", 'distclean');
$before =~ s{^\d+ \d+ \./(?:configure|autom4te\.cache/.*)\n}{}mg;
is(tree($src), $before, 'leaves the source alone');

# A machine on which things are missing
mkdir("$dir/bin") or die;
for my $tool (map { glob("$_/*") } grep { -d } split(/:/, $ENV{PATH})) {
	my ($name) = $tool =~ m{([^/]+)\z};
	next if $name =~ /^(?:prove|shellcheck|clang-format)$/;
	symlink($tool, "$dir/bin/$name");
}
mkdir("$dir/poor");
succeeds("cd $src && autoconf", 'autoconf');
my $text = succeeds("cd $dir/poor && PATH=$dir/bin ../source/configure",
	'configure with tools missing');
like($text, qr/^  prove: no make selftest$/m, 'prove');
like($text, qr/^  $_: make lint cannot pass$/m, $_)
	for qw(clang-format shellcheck);
unlike($text, qr/^  perl:/m, 'perl is not missing');
my ($status, $why) = sh("cd $dir/poor && ../source/configure " .
	"ac_cv_header_linux_fiemap_h=no");
isnt($status, 0, 'configure without a header that all needs');
like($why, qr{linux/fiemap\.h is missing: no helper .*linux-libc-dev}, 'says so');

done_testing();
