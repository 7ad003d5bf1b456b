#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tools/analyze: a tree without findings, and faults that each tool finds.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

my $analyze = abs_path('tests/selftest/../..') . '/tools/analyze';
my $dir = tempdir('fsratio-analyze-XXXXXX', TMPDIR => 1, CLEANUP => 1);

for my $tool (qw(clang cppcheck)) {
	plan(skip_all => "needs $tool")
		if system("command -v $tool >/dev/null");
}

sub write_file
{
	my ($path, @lines) = @_;

	open(my $fh, '>', "$dir/$path") or die "$path: $!";
	print $fh map { "$_\n" } @lines;
	close($fh) or die "$path: $!";
}

# (status, output)
sub analyze
{
	my ($line) = @_;
	my $text = `$line 2>&1`;

	return ($? >> 8, $text);
}

make_path(map { "$dir/$_" } qw(src/wis ltp tests/selftest empty));
write_file('src/shared.h', 'int shared(int n);');
write_file('src/clean.c', '#include "shared.h"', 'int shared(int n)', '{',
	"\treturn n + 1;", '}');
# As of will-it-scale: string.h comes from the command line.
write_file('src/wis/clean.c', 'unsigned long len(const char *s);',
	'unsigned long len(const char *s)', '{', "\treturn strlen(s);", '}');
write_file('tests/selftest/clean.c', '#include "shared.h"',
	'int main(void)', '{', "\treturn shared(1);", '}');
# Excepted where it stands, once for each tool
write_file('ltp/excepted.c', '#include <unistd.h>', 'int excepted(int *p);',
	'#ifdef __clang_analyzer__', '#define vfork fork', '#endif',
	'int excepted(int *p)', '{', "\tint pid = vfork();", '',
	"\t// cppcheck-suppress nullPointerRedundantCheck ; for the test",
	"\t*p = pid;", "\treturn p ? pid : 0;", '}');
is_deeply([analyze("$analyze $dir")], [0, ''],
	'a clean tree, and exceptions where they stand');

write_file('src/freed.c', '#include <stdlib.h>', 'int freed(void);',
	'int freed(void)', '{', "\tint *p = malloc(sizeof(*p)), n;", '',
	"\tif (!p)", "\t\treturn 0;", "\t*p = 1;", "\tfree(p);",
	"\tn = *p;", "\treturn n;", '}');
write_file('ltp/zero.c', 'int zero(int n);', 'int zero(int n)', '{',
	"\tif (n)", "\t\treturn 1;", "\treturn 1 / n;", '}');
write_file('tests/selftest/index.c', 'int at(const int *a, int n);',
	'int at(const int *a, int n)', '{', "\tint i;", '',
	"\tfor (i = 0; a[i] && i < n; i++)", "\t\t;", "\treturn i;", '}');
write_file('src/wis/broken.c', 'int broken(void) { return }');
my ($status, $text) = analyze("$analyze $dir");
is($status, 1, 'faults: status 1');
like($text, qr/^ltp\/zero\.c:6: .*core\.DivideZero\]$/m, "clang's analyzer");
like($text, qr/^src\/freed\.c:11: .*\[deallocuse\]$/m, 'cppcheck');
like($text, qr/^src\/freed\.c:11: .*\[unix\.Malloc\]$/m,
	'both on the same line');
like($text, qr/^tests\/selftest\/index\.c:6: .*\[arrayIndexThenCheck\]$/m,
	'in the self-tests');
like($text, qr/^src\/wis\/broken\.c:1: .*expected expression/m,
	'a file that is no C');
is_deeply([grep { !/^[^ :]+:\d+: ./ } split(/\n/, $text)], [],
	'each line names file and line');
my @places = map { /^(.*?):(\d+)/ ? sprintf('%s %6d', $1, $2) : () }
	split(/\n/, $text);
is_deeply(\@places, [sort @places], 'sorted by file and line');

is_deeply([analyze("$analyze --fix")],
	[2, "analyze: expected at most the top directory\n"], 'unknown option');
is_deeply([analyze("$analyze $dir/empty")], [2, "analyze: no C files here\n"],
	'a tree without C');
($status, $text) = analyze("$analyze $dir/nosuch");
is($status, 2, 'no such tree: status 2');
mkdir("$dir/bin") or die "$dir/bin: $!";
for my $tool (qw(bash dirname clang)) {
	chomp(my $path = `command -v $tool;`);
	symlink($path, "$dir/bin/$tool") or die "$tool: $!";
}
is_deeply([analyze("PATH=$dir/bin $analyze $dir")],
	[2, "analyze: cppcheck: not found\n"],
	'a tool is missing: status 2, for it cannot tell');

done_testing();
