#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The page of tools/report html: what it says of the recorded runs, with gnuplot and
# without; that it is well-formed, needs nothing from elsewhere and fits a phone and
# a screen; any bytes in it; 1000 tests.

use strict;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib $FindBin::Bin, 'tools/lib';
use Charts;
use CheckRun;
use Command qw(repeat_command);
use Arms;
use Recorded;
use Results;
use Stacks;
use Test::More;

my $top = results_dir();
my $gnuplot = grep { -x "$_/gnuplot" } split(/:/, $ENV{PATH});
my %xml = (amp => '&', lt => '<', gt => '>', quot => '"', '#39' => "'");

# PATH without gnuplot: a directory with what tools/report calls.
mkdir("$top/bin") or die;
for my $tool (qw(perl)) {
	my ($file) = grep { -x } map { "$_/$tool" } split(/:/, $ENV{PATH});
	symlink($file, "$top/bin/$tool") or die "$tool: $!";
}

# page($path, @arguments): the page that tools/report prints with this PATH, in at
# most 128 MiB; what it says on stderr is nothing, but for a run that was cut off.
sub page
{
	my ($path, @arguments) = @_;
	my $arguments = join(' ', map { "'" . s/'/'\\''/gr . "'" } @arguments);
	local $ENV{PATH} = $path;
	my $status = do {
		local $SIG{__WARN__} = sub {};
		system('/bin/sh', '-c', "ulimit -v 131072; tools/report html $arguments >$top/out 2>$top/err");
	};

	is($status, 0, "report html @arguments") or diag(slurp("$top/err"));
	is(slurp("$top/err") =~ s/^report: \S+: the run was cut off; .*\n//r, '', 'says no more');
	return slurp("$top/out");
}

# valid($page, $what): well-formed, of one piece, and without rests of gnuplot's.
sub valid
{
	my ($page, $what) = @_;
	my @ids = $page =~ / id="([^"]*)"/g;
	my %ids = map { $_ => 1 } @ids;

	spew("$top/page.html", $page);
	SKIP: {
		skip('needs xmllint', 1) if system('xmllint --version >/dev/null 2>&1');
		is(`xmllint --noout $top/page.html 2>&1`, '', "$what: well-formed") or diag(`xmllint --noout $top/page.html 2>&1 | head -n 5`);
	}
	is(scalar(@ids), scalar(keys(%ids)), 'no id twice');
	is_deeply([grep { !$ids{$_} } $page =~ /(?:aria-labelledby="|href="#)([^"]*)"/g], [], 'each reference has its place');
	is_deeply([$page =~ m{(https?:|//[\w.]+\.\w+/|<script|<link|<img|\@import|url\(| on\w+="|rgb\(|gnuplot_|\0)}gi], [],
		'nothing from elsewhere, no script, no rest of a picture');
	is(scalar(() = $page =~ /<figure>/g), scalar(() = $page =~ m{</figcaption>}g), 'text beside each picture');
	return $page;
}

# text($html): as a person reads it, without pictures.
sub text
{
	my ($html) = @_;

	$html =~ s{<svg .*?</svg>}{}gs;
	$html =~ s{<style>.*?</style>}{}gs;
	$html =~ s{</td>}{ }g;
	$html =~ s{</b>}{ }g;
	$html =~ s{</?(?:div|summary|p|pre|h\d|li|tr|table|details)\b[^>]*>}{\n}g;
	$html =~ s{<[^>]*>}{}g;
	$html =~ s{\n\s*}{\n}g;
	return $html =~ s{&(\w+|#39);}{$xml{$1} // "&$1;"}ger;
}

# sentences($page): the list of tests.
sub sentences
{
	my ($page) = @_;
	my ($list) = $page =~ m{<ul>(.*?)</ul>}s;

	return map { text($_) } $list =~ m{<li>(.*?)</li>}g;
}

# section($page, $name): of a test, as text.
sub section
{
	my ($page, $name) = @_;
	my ($section) = grep { m{<h2>.*</b>\Q$name\E</h2>} } $page =~ m{(<section id=.*?</section>)}gs;

	return text($section // '');
}

# The recorded words.
my $page = valid(page("$top/bin", "$recorded/words"), 'without gnuplot');
like($page, qr{<p class="small">No pictures: gnuplot was not found\. All numbers are in the text\.</p>}, 'it says so');
unlike($page, qr/<svg/, 'and there are none');
like($page, qr{<title>2 fail, 2 broken, 2 undecided, 3 pass, 1 notrun: fsratio on 6\.18\.44-fc-v657</title>}, 'the title has the words');
my $unfit = 'slowdown has no ratio; other work kept the machine too busy';
is_deeply([sentences($page)], [
	'fail selftest/002-mismatch: output mismatch.',
	'fail selftest/021-judged-fail: slowdown is 4.00 (4.00 to 4.00), where at most 2 is good.',
	'broken selftest/005-crash: ' . Results::read_test("$recorded/words", 'selftest/005-crash')->{reason} . '.',
	'broken selftest/025-control: its control control is 1.00 (1.00 to 1.00), where at least 2 is good: what is bad on every kernel was not seen to be.',
	'undecided selftest/022-undecided: slowdown is 2.00 (1.00 to 4.00), where at most 2 is good; the rounds allowed did not settle it.',
	"undecided selftest/024-unfit: $unfit.",
	'pass selftest/001-pass: its output is the golden one.',
	'pass selftest/020-judged-pass: slowdown is 1.10 (1.10 to 1.10), where at most 2 is good.',
	'pass selftest/037-debug-kernel: ' . Results::decisive(Results::read_test("$recorded/words", 'selftest/037-debug-kernel'))->{name} .
		' is 1.00 (1.00 to 1.00), where at most 2 is good.',
	'notrun selftest/036-notsupported: helper: FIEMAP is not supported.',
], 'a sentence a test, the worst first');
my $fail = section($page, 'selftest/021-judged-fail');
like($fail, qr/^To repeat: sudo \.\/check selftest\/021-judged-fail$/m, 'how to repeat it');
like($fail, qr/^fail slowdown : ratio 4\.00 \(4\.00 to 4\.00, 94 %\), in 5 \+ 5 rounds, limit at most 2\nof elapsed_ns: bad over one$/m, 'a limit');
like($fail, qr/^pass control  \(control\): ratio 4\.00 .* limit at least 2\nof elapsed_ns: ctrl over one$/m, 'a control');
like($fail, qr/^Each round\nseries 1: 4, 4, 4$/m, 'the ratio of each round') or diag($fail);
like($fail, qr/^4 rounds more were judged; no samples of them are left$/m, 'and which of them are missing');
like($fail, qr/^bad 4 \x{c2}\x{b5}s 4 \x{c2}\x{b5}s 4 \x{c2}\x{b5}s 6 $/m, 'an arm with its median') or diag($fail);
like(section($page, 'selftest/002-mismatch'), qr/^Output\nQA output created by 002-mismatch\n3 blocks$/m, 'the output that differed');
like(section($page, 'selftest/037-debug-kernel'), qr/^info slowdown .*, times of a kernel built for debugging say nothing/m, 'what a limit was not judged for');
like(section($page, 'selftest/024-unfit'), qr/\(busy\).*\n.*busy: other work kept an arm from the CPUs; the round does not count$/m, 'rounds that do not count');
like($page, qr{<tr><td>kernel</td><td>6\.18\.44-fc-v657</td></tr>.*<tr><td>platform</td>}s, 'the environment');
like($page, qr{The whole run: <code>\./check selftest/001 selftest/002 }, 'and the command of the run');

# Real runs, one of which was cut off, and one of two sections.
my %worst = map { (qw(fail broken undecided fixed known pass notrun))[$_] => $_ } 0 .. 6;
for my $name ('6.18', '6.1') {
	my @ran = sort { $worst{$a->[1]} <=> $worst{$b->[1]} } recorded_tests($name);

	$page = valid(page("$top/bin", "$recorded/$name"), $name);
	is_deeply([map { /\A(\S+) (\S+):/ } sentences($page)], [map { @{$_}[1, 0] } @ran], 'a sentence a test, the worst first');
	is_deeply([map { s/\A.*?: //r } (sentences($page))[grep { $ran[$_][2] } 0 .. $#ran]],
		[map { "the run was cut off $_->[2]." } grep { $_->[2] } @ran], 'what it did not end is said');
	is(text($page) =~ /the run was cut off : what it did not end is broken/, !!grep({ $_->[2] } @ran), 'in the head, too');
	for my $test (map { $_->[0] } @ran) {
		my $section = section($page, $test);

		is_deeply([grep { $section !~ /^\Q$_->{word} $_->{name}\E .*: (?:ratio \Q@{[$_->{ratio} \/\/ 'x']}\E |no ratio)/m }
			recorded_limits($name, $test)], [], "$test: each limit with its word and ratio") or diag($section);
	}
}
my $dir = results_dir();
for my $name (qw(4k 64k)) {
	mkdir("$dir/$name") or die;
	system("cp -r $recorded/words/. $dir/$name") == 0 or die 'cp';
	for my $file ("$dir/$name/check.records", glob("$dir/$name/selftest/*.record")) {
		spew($file, slurp($file) =~ s/ host=/ section=$name host_options=\/etc\/our%20config host=/r);
	}
}
$page = valid(page("$top/bin", $dir), 'two sections');
is(scalar(sentences($page)), 20, 'the tests of both');
like(section($page, '64k/selftest/001-pass'), qr{^To repeat: sudo HOST_OPTIONS='/etc/our config' \./check -s 64k selftest/001-pass$}m,
	'a section is repeated by its name');

# What a run was told is what repeats it.
my %facts = (check_options => '-g quick --rounds 80 -R html --known /k;x --no-confirm -e a/--record', fstyp => 'ext4', time_factor => 1,
	load_factor => 3, test_dir => '/mnt/t', test_dev => '/dev/vdb', scratch_dev => "/dev/v'c", scratch_mnt => '/mnt/s');
is(repeat_command({section => ''}, {name => 'a/1', facts => \%facts}, {bound => 6}), 'sudo FSTYP=ext4 TEST_DEV=/dev/vdb TEST_DIR=/mnt/t ' .
	q{SCRATCH_DEV='/dev/v'\''c' SCRATCH_MNT=/mnt/s LOAD_FACTOR=3 BISECT=1 ./check --rounds 80 --known '/k;x' --no-confirm a/1}, 'devices and options');
is(repeat_command({section => ''}, {name => 'a/1', facts => {%facts, check_options => '', fstyp => 'xfs', load_factor => 1,
	test_dir => '/tmp/fsratio.1.2/test'}}, {}), 'sudo ./check a/1', 'image files of our own are made anew');

# Stacks, latencies and scaling, known fails.
$dir = copied('words');
my $stack = "$dir/selftest/021-judged-fail.stacks";
spew($stack, "stack arm=bad comm=a count=30 blocked_ns=3000000 wait=lock lock=down_read reason=xfs_x frames=down_read;xfs_x;sys_x\n" .
	"stack arm=one comm=b count=10 blocked_ns=500 wait=lock lock=down_read reason=xfs_x frames=down_read;xfs_x;sys_y\n" .
	"stack arm=bad comm=kworker count=60 blocked_ns=1000 wait=lock lock=flush_work reason=xfs_y work=xfs_z frames=flush_work\n" .
	"stack arm=bad comm=a count=5 blocked_ns=9 wait=io lock=io_schedule reason=xfs_x frames=io_schedule\n");
is_deeply([map { [@{$_}{qw(lock count blocked_ns)}, "@{$_->{arms}}"] } @{Stacks::read_stacks("$dir/selftest/021-judged-fail")}],
	[['flush_work', 60, 1000, 'bad'], ['down_read', 40, 3000500, 'bad one'], ['io_schedule', 5, 9, 'bad']], 'stacks by what they wait for');
my $samples = "$dir/selftest/021-judged-fail.samples";
sub latency { return 'read_p50_ns=' . 1000 * $_[0] . ' read_p99_ns=2000 read_p999_ns=3000 read_max_ns=' . 4000 * $_[0]; }
spew($samples, slurp($samples) =~ s/^(.*arm=bad.*) threads=1 /"$1 threads=8 " . latency(1) . ' '/mger =~
	s/^(.*arm=one.*) threads=1 /"$1 threads=2 " . latency(0) . ' '/mger =~ s/arm=(bad|one)/arm=x_$1/gr);
my $record = "$dir/selftest/021-judged-fail.record";
spew($record, slurp($record) =~ s/word=fail/word=known/r =~ s/limits=yes/limits=yes known_fail=slowdown known_why=since%20<6.1>/r);
$page = valid(page("$top/bin", $dir), 'all of a test');
$fail = section($page, 'selftest/021-judged-fail');
like($fail, qr/\A\s*known selftest\/021-judged-fail\nslowdown is 4\.00 .*; known: since <6\.1>\.$/m, 'known, and why') or diag($fail);
like($fail, qr/waiting for locks\n60 % in flush_work for xfs_y of xfs_z: 60 switches, .*Stack\nflush_work\n40 % in down_read for xfs_x: 40 switches, .* a, b of bad, one\nStack\ndown_read\nxfs_x\nsys_x/s,
	'shares of the waits for locks') or diag($fail);
like($fail, qr/waiting for I\/O\n100 % in io_schedule for xfs_x: 5 switches/, 'and for I/O');
like($page, qr{<div class="bar" style="width:60\.0%"}, 'as bars');
like($fail, qr/^Operations a second by threads *\narmsthreads.*\nx 2 100000000 \nx 8 25000000 *$/m, 'scaling') or diag($fail);
like($fail, qr/^Latency of one read .*\nNumbers\n.*\nx_bad 1 \S+ 2 \S+ 3 \S+ 4 \S+ *$/m, 'latency, of what was done') or diag($fail);
spew($stack, "stack arm=bad\n");
spew($samples, slurp($samples) . "<b>\n");
$fail = section(valid(page("$top/bin", $dir), 'damaged records'), 'selftest/021-judged-fail');
like($fail, qr{^\Q$stack\E:1: no blocked_ns=, expected it$}m, 'damaged stacks are said to be');
like($fail, qr{^\Q$samples\E:\d+: '<b>', expected KIND KEY=VALUE\.\.\.$}m, 'so are samples');

# Numbers in words.
is_deeply([map { Stacks::percent($_) } 0, .004, .006, .996, 1], ['0 %', 'under 1 %', '1 %', '100 %', '100 %'], 'shares');
is_deeply([map { Arms::quantity(@$_) } ['elapsed_ns', 999], ['elapsed_ns', 1500], ['elapsed_ns', 2.5e6], ['elapsed_ns', 12e9], ['vcsw', 1234],
	['written_bytes', 3 << 20], ['vcsw/ops', .00125], ['elapsed_ns/ops', 2000]], ['999 ns', "1.5 \x{b5}s", '2.5 ms', '12 s', '1234', '3 MiB', '0.00125', "2 \x{b5}s/ops"],
	'quantities');
for my $range ([1, 1.08], [.93, 1.2], [1, 4], [.5, 600], [1e-6, 1e6], [2.01, 2.02], [3e8, 5e8], [97, 101]) {
	my @tics = Charts::log_tics(@$range);
	cmp_ok(scalar(@tics), '>=', 2, "tics from $range->[0] to $range->[1]: @tics");
	cmp_ok(scalar(@tics), '<=', 9, 'not too many');
	is_deeply([grep { $_ < $range->[0] || $_ > $range->[1] } @tics], [], 'all between');
}

# The text at a limit hides no point, where it can: right or left of the picture, above or
# below the line.
for my $case ([.5, [], 'right below'], [.4, [], 'right above'], [.05, [], 'right above'], [.97, [], 'right below'],
		[.5, [[.9, .45]], 'right above'], [.4, [[.9, .45], [.9, .3]], 'left above'],
		[.4, [[.9, .45], [.9, .35], [.1, .45]], 'left below'],
		[.05, [[.9, .1]], 'left above'], [.4, [[.5, .45], [.5, .35]], 'right above']) {
	my ($at, $points, $place) = @$case;
	my ($side, $offset) = Charts::label_place(20, $at, @$points) =~ /^graph \d,%s (\w+) offset \S+,(\S+)$/;

	is($side . ($offset > 0 ? ' above' : ' below'), $place, "a limit at $at and " . @$points . ' points');
}

# Any bytes.
sub encode
{
	return $_[0] =~ s/([^!-~]|[=%])/sprintf('%%%02X', ord($1))/ger;
}
my @hostile = ('<&"]]>', "\x01\x02\x7f\x1b[2J", "\xff\xfe\xed\xa0\x80", '</title><script>alert(1)</script>', "'\"onload=x", "\xe2\x82\xac",
	"new\nline", 'TEXT[0]', '%s@\\n$(touch pwned)`', "\xe2\x80\xaeabc", '-->', "\xef\xbf\xbf\xf0\x9f\xbf\xbe");
$dir = copied('words');
my ($run) = slurp("$dir/check.records") =~ /\A(.*\n)/;
my $plan = '';
for my $i (0 .. $#hostile) {
	my $name = sprintf('selftest/9%02d-', $i) . $hostile[$i] =~ tr{/}{_}r;
	my $word = $hostile[$i] =~ s/[\s=,]/_/gr;
	my $text = slurp("$recorded/words/selftest/021-judged-fail.samples") =~ s/arm=bad/arm=$word/gr;

	$plan .= 'plan name=' . encode($name) . "\n";
	spew("$dir/$name.record", $run . 'test name=' . encode($name) . ' word=' . ('fail', 'undecided', 'broken', 'pass')[$i % 4] .
		' start_s=1 elapsed_ms=1 limits=yes reason=' . encode($hostile[$i]) . "\n");
	spew("$dir/$name.samples", $text =~ s/^env /env x=$word /mr);
	spew("$dir/$name.verdict", "limit name=$word num=$word den=one of=elapsed_ns max=2\n" .
		(slurp("$recorded/words/selftest/021-judged-fail.verdict") =~ s/^limit .*\n//mgr =~ s/limit=slowdown/limit=$word/gr) .
		'# reason: ' . $hostile[$i] =~ tr/\n//dr . "\n");
	spew("$dir/$name.stacks", "stack arm=$word comm=$word count=1 blocked_ns=1 wait=lock lock=$word reason=$word frames=$word\n");
	spew("$dir/$name.out.bad", join('', map { chr } 1 .. 255) x 100);
}
spew("$dir/check.records", "$run${plan}end end_s=2\n");
for my $path ("$top/bin", $ENV{PATH}) {
	$page = valid(page($path, $dir), 'hostile bytes');
	is(scalar(sentences($page)), scalar(@hostile), 'each test is there');
	like($page, qr{</b>selftest/903-&lt;_title&gt;&lt;script&gt;alert\(1\)&lt;_script&gt;</h2>}, 'as text');
	like($page, qr{\[U\+202E\]abc}, 'nothing turns the text round');
}

# No record reaches gnuplot but as a number that an axis has room for.
for my $case (['round', "1');system(\"x\")#", 'a round that is none'], ['elapsed_ns', '9' x 18, 'large numbers'],
	['threads', '1,0;!touch', 'threads that are none'], ['arm', "'.system(\"touch\").'", 'a name']) {
	my ($key, $value, $what) = @$case;
	my $wrong = copied('words');
	my $file = "$wrong/selftest/021-judged-fail.samples";

	spew($file, slurp($file) =~ s/^(.*arm=bad.*) $key=\S+/$1 $key=$value/mgr);
	$file =~ s/samples\z/verdict/;
	spew($file, slurp($file) =~ s/(lo|hi)=\S+/"$1=" . '9' x 400/ger) if $key eq 'elapsed_ns';
	$page = valid(page($ENV{PATH}, $wrong), $what);
	unlike($page, qr/No pictures/, 'no fault of gnuplot') if $gnuplot;
	is(scalar(sentences($page)), 10, 'and all tests are there');
}

# A long output, and 1000 tests.
system("yes '0123456789 a line <&' | head -n 1000000 >$dir/selftest/900-x.out.bad") == 0 or die;
($run, $plan) = (slurp("$dir/check.records") =~ /\A(.*\n)/, '');
for my $i (1 .. 1000) {
	my $name = sprintf('selftest/%04d-x', $i);
	for my $kind (qw(verdict samples)) {
		copy("$recorded/words/selftest/021-judged-fail.$kind", "$dir/$name.$kind") or die "copy: $!";
	}
	symlink("$dir/selftest/900-x.out.bad", "$dir/$name.out.bad") or die if $i <= 3;
	spew("$dir/$name.record", "${run}test name=$name word=fail start_s=1 elapsed_ms=1 limits=yes reason=x\n");
	$plan .= "plan name=$name\n";
}
spew("$dir/check.records", "$run${plan}end end_s=2\n");
$page = valid(page($ENV{PATH}, $dir), '1000 tests in 128 MiB');
is(scalar(() = $page =~ /<section id=/g), 1000, 'all of them');

# Pictures.
SKIP: {
	skip('needs gnuplot', 1) if !$gnuplot;
	is(scalar(() = $page =~ /<svg viewBox="0 0 400 \d+" role="img"/g), 3000, 'a picture a limit, and of the arms');
	$page = valid(page($ENV{PATH}, "$recorded/words"), 'with pictures');
	unlike($page, qr/TEXT\[/, 'each text stands in its picture');
	unlike($page, qr/No pictures/, 'with pictures it does not say that there are none');
	my ($picture) = $page =~ m{<b>slowdown</b>: ratio 4\.00.*?(<svg .*?</svg>)}s;
	like($picture, qr{<title id="p\d+">slowdown, round by round\. fail: ratio 4\.00 \(4\.00 to 4\.00, 94 %\), in 5 \+ 5 rounds, limit at most 2</title>},
		'a picture has its numbers as its title');
	is(scalar(() = $picture =~ m{<circle [^>]* class="f2"/>}g), 6, 'a point a round, all bad');
	like($picture, qr{>limit: at most 2</text>}, 'the limit');
	unlike($picture, qr/(?:fill|stroke|color)\s*=\s*["'](?!none|currentColor)/, 'all colours are those of the page');
	($picture) = $page =~ m{<b>Arms by elapsed</b>.*?(<svg .*?</svg>)}s;
	like($picture, qr{>$_</text>}, "a row for $_") for qw(bad one ctrl);
}

# A gnuplot that fails, and one that hangs up.
mkdir("$top/bad") or die;
symlink("$top/bin/perl", "$top/bad/perl") or die;
for my $case (["#! /bin/sh\necho 'no <svg>' >&2\ncat >/dev/null\nexit 1\n", 'no <svg>'], ["#! /bin/sh\nexit 3\n", 'it ended early'],
	["#! /nosuch\n", "$top/bad/gnuplot: No such file or directory"]) {
	spew("$top/bad/gnuplot", $case->[0]);
	chmod(0755, "$top/bad/gnuplot") or die;
	$page = valid(page("$top/bad:/bin", "$recorded/words"), 'a gnuplot that fails');
	like(text($page), qr/^No pictures: \Q$case->[1]\E\. All numbers/m, "it says: $case->[1]");
	unlike($page, qr/<svg/, 'and has none');
}

# By a browser, at the width of a phone and of a screen.
SKIP: {
	skip('needs chromium', 1) if system('chromium --version >/dev/null 2>&1');
	my $number = 0;
	my $frames = '';

	for my $name (qw(words 6.18 6.1)) {
		spew("$top/$name.html", page($ENV{PATH}, "$recorded/$name"));
		$frames .= "<iframe style='width:${_}px;height:900px;border:0' src='$name.html'></iframe>" for 400, 1280;
	}
	my $long = copied('words');
	my $file = "$long/selftest/021-judged-fail";
	my $arm = 'a' x 300;
	spew("$file.samples", slurp("$file.samples") =~ s/arm=bad/arm=$arm/gr);
	spew("$file.stacks", "stack arm=$arm comm=a count=1 blocked_ns=1 wait=lock lock=$arm reason=$arm frames=$arm;$arm\n");
	spew("$top/long.html", page($ENV{PATH}, $long));
	is(system("tools/compare --html $recorded/words $recorded/words >$top/compare.html"), 0, 'the page of two kernels');
	for my $name (qw(long compare)) {
		$frames .= "<iframe style='width:${_}px;height:900px;border:0' src='$name.html'></iframe>" for 400, 1280;
	}
	spew("$top/frames.html", "<!DOCTYPE html><title>x</title>$frames<script>onload = function () { document.title = 'W' + " .
		"[...document.querySelectorAll('iframe')].map(f => f.contentWindow.innerWidth + ',' + f.contentDocument.compatMode + ',' + " .
		"(f.contentDocument.documentElement.scrollWidth - f.contentDocument.documentElement.clientWidth)).join(' '); }</script>\n");
	my $home = results_dir();
	my $dom = `HOME=$home timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir=$home --allow-file-access-from-files \\
		--enable-logging=stderr --dump-dom file://$top/frames.html 2>$top/err`;
	my ($widths) = $dom =~ /<title>W([^<]*)/;

	is($widths, join(' ', ('400,CSS1Compat,0', '1280,CSS1Compat,0') x 5), 'nothing is wider than 400 and 1280 pixels') or diag(slurp("$top/err"));
	is_deeply([grep { /CONSOLE/ } split(/\n/, slurp("$top/err"))], [], 'and the browser has no complaint');
}

# From check itself.
SKIP: {
	skip('needs root', 1) if $>;
	my ($out, $status, $results) = run_check({}, '-R', 'html,ktap', 'selftest/001', 'selftest/020');

	is($status, 0, 'check -R html');
	is_deeply([map { s/ :.*//r } sentences(valid(slurp("$results/result.html"), 'result.html'))],
		['pass selftest/001-pass: its output is the golden one.', 'pass selftest/020-judged-pass: slowdown is 1.10 (1.10 to 1.10), where at most 2 is good.'],
		'writes the page');
}
done_testing();
