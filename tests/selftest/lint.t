#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Each rule of tools/lint: a tree that keeps them all, and one file a fault.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

my $top = abs_path('tests/selftest/../..');
my $lint = "$top/tools/lint";
my $dir = tempdir('fsratio-lint-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $spdx = "# SPDX-License-Identifier: GPL-2.0\n";
my $bash = "#! /bin/bash\n$spdx";
my $perl = "#!/usr/bin/perl\n${spdx}use strict;\nuse warnings;\n";
my $c = "// SPDX-License-Identifier: GPL-2.0\n";
my $begin = "_begin_fstest quick clone\n";

for my $tool (qw(clang-format shellcheck)) {
	plan(skip_all => "needs $tool")
		if system("command -v $tool >/dev/null");
}

# write_file(PATH, TEXT): with the mode that the text asks for, or MODE
sub write_file
{
	my ($path, $text, $mode) = @_;
	make_path(dirname("$dir/$path"));
	open(my $fh, '>', "$dir/$path") or die "$path: $!";
	print $fh $text;
	close($fh) or die "$path: $!";
	chmod($mode // ($text =~ /\A#!/ ? 0755 : 0644), "$dir/$path");
}

# A test with all that stands beside it
sub write_test
{
	my ($name, $text, $limits) = @_;
	write_file($name, $text);
	write_file("$name.out", "QA output created by $name \n");
	return if !$limits;
	write_file("$name.limits", $limits);
	write_file("$name.$_", "recorded  \n") for qw(good bad);
}

# (status, output)
sub lint
{
	my ($line) = @_;
	my $text = `$line 2>&1`;
	return ($? >> 8, $text);
}

sub provenance
{
	my (%with) = (good => 1.02, bad => 3.81, sigma => 0.14, max => 'max=1.9',
		machine => '# machine: 2 CPUs, loop device', role => '',
		kernel => '# kernel: 6.18.44, good with the tree unshared',
		date => '# date: 2026-11-30', @_);
	my $median = join(', ', map { "median $_ $with{$_}" }
		grep { $with{$_} } qw(good bad));
	my $sigma = $with{sigma} ? ", sigma $with{sigma}" : '';

	return join("\n", "$spdx$with{machine}", $with{kernel}, $with{date},
		'', "# scaling: $median$sigma",
		"limit name=scaling num=n,a den=b,c of=elapsed_ns $with{max}",
		"limit name=control role=control num=s den=b of=elapsed_ns min=2",
		"limit name=beside role=info num=s den=b of=elapsed_ns min=2",
		'');
}

sub lines
{
	my ($n, $text) = @_;
	return $text . "# more\n" x ($n - ($text =~ tr/\n//));
}

sub good_tree
{
	copy("$top/$_", "$dir/$_") or die for qw(.clang-format .shellcheckrc);
	write_file('check', lines(300, $bash));
	write_file('new', lines(120, "${bash}# TO" . "DO: for the author\n"));
	write_file('README', "fsratio\n");
	write_file('COPYING', "GPL \n\f\n");
	write_file('common/config', lines(200, $spdx . "_config_read()\n{\n" .
		"\t:\n" x 57 . "}\n\n__private_part()\n{\n\t:\n}\n" .
		"command_not_found_handle()\n{\n\t:\n}\n"));
	write_file('doc/group-names.txt',
		"$spdx\nquick\t\tat most 60 s\nclone\t\treflink\n");
	write_file('src/tool.c', $c . "/* a */\n" x 145 . "int main(void)\n{\n" .
		"\treturn 0;\n}\n");
	write_file('src/library.c', $c . "/* library */\n" x 249);
	write_file('src/judge.c', $c . "/* judge */\n" x 345 .
		"int main(void)\n{\n\treturn 0;\n}\n");
	write_file('ltp/fsx.c', $c . "/* load */\n" x 899);
	write_file('tools/report', $perl);
	write_file('tests/selftest/001-case', "$bash$begin\n_fake_it()\n{\n" .
		"\t:\n}\n");
	write_file('tests/selftest/Part.pm', "${spdx}package Part;\n1;\n");
	write_test('tests/xfs/001-good', lines(80, "$bash$begin" .
		"arm()\t{ :; }\n_cleanup()\n{\n\t:\n}\n"), provenance());
	write_test('tests/generic/001-same-number', "$bash$begin");
	write_test('tests/xfs/002-min', "$bash$begin", provenance(good => 4,
		bad => 1, max => 'min=2'));
	write_test('tests/xfs/003-controls', "$bash$begin", $spdx .
		"limit name=c role=control num=a den=b of=vcsw/ops min=2\n");
	unlink("$dir/tests/xfs/003-controls.$_") for qw(good bad);
}

good_tree();
my ($status, $text) = lint("$lint $dir");
is($text, '', 'a tree that keeps the rules');
is($status, 0, 'status 0');

# One fault a file; what each must bring stands beside it.
my @faults;

sub fault
{
	my ($path, $text, @lines) = @_;
	write_file($path, $text, ref($lines[0]) ? ${shift(@lines)} : undef);
	push(@faults, map { /^[^ ]*:\d+: / ? $_ : "$path:$_" } @lines);
}

sub test_fault
{
	my ($path, $text, $limits, @lines) = @_;
	write_test($path, $text, $limits);
	push(@faults, map { /^[^ ]*:\d+: / ? $_ : "$path:$_" } @lines);
}

my $x = 'tests/xfs';
# Words left
for my $word ('TO' . 'DO', 'FIX' . 'ME', 'X' . 'XX') {
	fault("tools/word-$word", "$perl# $word\n",
		"5: $word is left to be done");
}
fault('NOTES.md', "first\nTO" . "DO\n", '2: TO' . 'DO is left to be done');
# Blanks
fault('common/blanks', "${spdx}# a \n#\n\t#\t\n", map {
	"$_: blanks at the end of the line" } 2, 4);
fault('tools/spaces', "$perl        # a\n\t        # b\n  \t# c\n   # d\n", map {
	"$_: indented by blanks, expected tabs of 8" } 5, 6, 7);
fault('CONTRIBUTING', "short        text\n        indented",
	'1: no final newline');
# Temporary files
fault('tools/guessed', "$bash# /tmp/x\ntrue \"\${TMPDIR:-/tmp}/x.XXXXXX\" \"\$d/tmp/x\"\ntrue /tmp/x\ntrue \"\${TMPDIR:-/tmp}/x.\$\$\"\n",
	map { "$_: a name in /tmp that others can guess, expected one of mktemp" } 5, 6);
# SPDX
fault('tools/no-spdx', "#!/usr/bin/perl\nuse strict;\n",
	'1: no "SPDX-License-Identifier: GPL-2.0" in lines 1 to 3');
fault('Makefile.in', "a\nb\nc\n# SPDX-License-Identifier: GPL-2.0\n",
	'1: no "SPDX-License-Identifier: GPL-2.0" in lines 1 to 3');
fault('configs/other-license', "# SPDX-License-Identifier: GPL-3.0\n",
	'1: no "SPDX-License-Identifier: GPL-2.0" in lines 1 to 3');
# Modes
fault('tools/mode', $perl, \0644, '1: mode 644, but starts with #!');
fault('tests/selftest/mode.t', $perl, \0644, '1: mode 644, but starts with #!');
fault('common/mode', $spdx, \0755,
	'1: mode 755, but does not start with #!');
fault('tools/no-script', $spdx, '1: is to be run, but does not start with #!');
fault("$x/012-no-script", $spdx . $begin,
	'1: is to be run, but does not start with #!');
write_file("$x/012-no-script.out", "x\n", 0755);
push(@faults, "$x/012-no-script.out:1: mode 755, but does not start with #!");
my $number = 20;
for my $suffix (qw(limits good bad)) {
	my $name = "$x/0" . $number++ . '-mode';
	test_fault($name, "$bash$begin", provenance(),
		"$name.$suffix:1: mode 755, but does not start with #!");
	chmod(0755, "$dir/$name.$suffix");
}
# Sizes
fault('check', lines(301, $bash), '301: 301 lines, expected at most 300');
fault('new', lines(121, $bash), '121: 121 lines, expected at most 120');
fault('common/long', lines(201, $spdx),
	'201: 201 lines, expected at most 200');
fault($_, lines(301, $bash), '301: 301 lines, expected at most 300')
	for qw(tools/lint tools/other);
fault('src/longtool.c', $c . "/* a */\n" x 146 . "int main(void)\n{\n" .
	"\treturn 0;\n}\n", '151: 151 lines, expected at most 150');
fault('src/judge.c', $c . "/* judge */\n" x 346 . "int main(void)\n{\n" .
	"\treturn 0;\n}\n", '351: 351 lines, expected at most 350');
fault('src/long.c', $c . "/* a */\n" x 250,
	'251: 251 lines, expected at most 250');
fault('src/long.h', "/* SPDX-License-Identifier: GPL-2.0 */\n" .
	"/* a */\n" x 250, '251: 251 lines, expected at most 250');
fault('ltp/fsstress.c', $c . "/* a */\n" x 900,
	'901: 901 lines, expected at most 900');
test_fault("$x/014-long", lines(81, "$bash$begin"), undef,
	'81: 81 lines, expected at most 80');
fault('tools/functions', "${bash}short()\t{ :; }\nfull()\n{\n" .
	"\t:\n" x 57 . "}\n\nlong()\n{\n" . "\t:\n" x 58 . "}\n" .
	"sub()\n(\n" . "\t:\n" x 58 . ")\n" . "after()\n{\n\t:\n}\n",
	'65: long() has 61 lines, expected at most 60',
	'126: sub() has 61 lines, expected at most 60');
# Names
fault('common/names', "${spdx}config_read()\n{\n\t:\n}\n_CamelCase()\n{\n" .
	"\t:\n}\n", '2: config_read(): expected _noun_verb, as all of common/',
	'6: _CamelCase(): expected _noun_verb, as all of common/');
test_fault("$x/015-names", "$bash${begin}_arm()\n{\n\t:\n}\n", undef,
	"4: _arm(): a test's own function has no _ in front");
# Tests and what stands beside them
test_fault("$x/016-one", "$bash$begin");
test_fault("$x/016-two", "$bash$begin", undef,
	"1: number 016 is that of $x/016-one, too");
test_fault("$x/17-short", "$bash$begin", undef,
	'1: number 17, expected three digits');
fault("$x/018-no-out", "$bash$begin", "1: $x/018-no-out.out is missing");
fault("$x/015-table.matrix", lines(81, $bash),
	"1: there is no $x/015-table", '81: 81 lines, expected at most 80');
for my $suffix (qw(out limits good bad)) {
	my $name = "$x/0" . $number++ . '-lonely';
	fault("$name.$suffix", $spdx, "1: there is no $name");
}
test_fault("$x/019-groups", "$bash# _begin_fstest no\n" .
	"_begin_fstest quick slow clones # not this\n", undef,
	'4: group slow is not in doc/group-names.txt',
	'4: group clones is not in doc/group-names.txt');
fault('tests/selftest/002-groups', "${bash}_begin_fstest nosuch\n",
	'3: group nosuch is not in doc/group-names.txt');
fault('tests/selftest/003-none', $bash, '1: no _begin_fstest line');
# Limits
my $above = 'in the comment above';
my @limits = (
	[good => '', "no \"median good NUMBER\" $above"],
	[bad => '', "no \"median bad NUMBER\" $above"],
	[good => 'high', "no \"median good NUMBER\" $above"],
	[sigma => '', "no \"sigma NUMBER\" $above"],
	[sigma => 'small', "no \"sigma NUMBER\" $above"],
	[max => 'max=1.02', 'max=1.02 is not between the medians 1.02 and 3.81'],
	[max => 'max=3.81', 'max=3.81 is not between the medians 1.02 and 3.81'],
	[max => 'min=1.9', 'min=1.9 is not between the medians 1.02 and 3.81'],
	[bad => 30, 'max=4.1 is more than 4 times off the good median 1.02',
		max => 'max=4.1'],
	[bad => 0.2, 'min=0.25 is more than 4 times off the good median 1.02',
		max => 'min=0.25'],
);
for my $case (@limits) {
	my ($key, $value, $message, @more) = @$case;
	my $name = "$x/0" . $number++ . '-limit';
	test_fault($name, "$bash$begin", provenance($key => $value, @more),
		"$name.limits:7: limit scaling: $message");
}
for my $key (qw(machine kernel date)) {
	my $name = "$x/0" . $number++ . '-limit';
	test_fault($name, "$bash$begin", provenance($key => "# $key"),
		"$name.limits:1: no \"$key: ...\" in a comment");
}
for my $suffix (qw(good bad)) {
	my $name = "$x/0" . $number++ . '-limit';
	test_fault($name, "$bash$begin", provenance(),
		"$name.limits:1: $name.$suffix is missing");
	unlink("$dir/$name.$suffix");
}
# What other tools find
fault('src/format.c', "${c}int x;\nint  y;\nint  z;\n",
	'3: code should be clang-formatted [-Wclang-format-violations]',
	'4: code should be clang-formatted [-Wclang-format-violations]');
fault('tests/selftest/format_test.c', "${c}int  y;\n",
	'2: code should be clang-formatted [-Wclang-format-violations]');
my $quote = 'Double quote to prevent globbing and word splitting. [SC2086]';
my $unquoted = "echo \$1\n";
fault('common/quote', $spdx . "_quote_not()\n{\n\t$unquoted}\n", "4: $quote");
fault('quickstart', $bash . $unquoted x 2, "3: $quote", "4: $quote");
fault('.ci/run', $bash . $unquoted, "3: $quote");
fault('tests/selftest/004-quote', "$bash$begin$unquoted", "4: $quote");
fault('tests/selftest/quote.sh', $bash . $unquoted, "3: $quote");
fault('tools/syntax', "${perl}my \$a = ;\n", '5: syntax error');
fault('tests/selftest/syntax.t', "${perl}my \$a = ;\n", '5: syntax error');
fault('tests/selftest/Syntax.pm', "${spdx}package Syntax;\nsub {\n1;\n",
	'4: Missing right curly or square bracket');
# What nobody checks: what make and check write
write_file($_, 'TO' . "DO  ") for qw(Makefile config.log configure results/a/b
	src/tool src/tool.o src/tool.d ltp/fsx ltp/fsx.o local.config);

sub by_file
{
	my ($file_a, $line_a) = $a =~ /^(.*?):(\d+): /;
	my ($file_b, $line_b) = $b =~ /^(.*?):(\d+): /;
	return $file_a cmp $file_b || $line_a <=> $line_b;
}

($status, $text) = lint("$lint $dir");
is($status, 1, 'a tree that breaks them: status 1');
my @found = split(/\n/, $text);
s/(syntax error|Missing right curly or square bracket).*/$1/ for @found;
my %found = map { $_ => 1 } @found;
my %expected = map { $_ => 1 } @faults;
for my $fault (@faults) {
	ok($found{$fault}, $fault);
}
is_deeply([grep { !$expected{$_} } @found], [], 'and nothing else');
is_deeply([map { /^(.*?:\d+): /; $1 } @found],
	[map { /^(.*?:\d+): /; $1 } sort by_file @found],
	'sorted by file and line');

# Calls
is_deeply([lint("$lint $dir/nosuch")],
	[2, "lint: $dir/nosuch: No such file or directory\n"], 'no such tree');
is_deeply([lint("$lint --fix")],
	[2, "lint: expected at most the top directory\n"], 'unknown option');
mkdir("$dir/empty");
is_deeply([lint("$lint $dir/empty")], [2, "lint: no files here\n"],
	'a tree without files');
SKIP: {
	skip('needs git', 1) if system('command -v git >/dev/null');
	system("cd $dir/empty && git init -q");
	write_file('empty/.gitignore', "${spdx}ignored\n");
	write_file('empty/ignored', '');
	write_file('empty/Makefile', '');
	is((lint("$lint $dir/empty"))[1], 'Makefile:1: no ' .
		"\"SPDX-License-Identifier: GPL-2.0\" in lines 1 to 3\n",
		'in a git tree, all that is not ignored');
}
mkdir("$dir/bin");
symlink($_, "$dir/bin/" . s{.*/}{}r)
	for map { chomp; $_ } `for t in perl sh clang-format; do command -v \$t; done`;
write_file('common/config', $spdx);
($status, $text) = lint("PATH=$dir/bin $lint $dir");
is($status, 2, 'a tool is missing: status 2, for it cannot tell');
like($text, qr/^lint: shellcheck.*not found$/m, 'and says so');

# This tree
($status, $text) = lint($lint);
is($text, '', 'the tree itself');
is($status, 0, 'status 0');

done_testing();
