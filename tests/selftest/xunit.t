#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# result.xml: validated against a schema, and read back by a parser that is not
# ours (expat, by xmlwf), whatever the tests of the section printed.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

for my $tool (qw(xmllint xmlwf)) {
	plan(skip_all => "needs $tool")
		if !grep { -x "$_/$tool" } split(/:/, $ENV{PATH});
}

my $top = results_dir();
my $dir = "$top/with blanks";
my $file = "$dir/result.xml";
mkdir($_) or die "$_: $!" for $dir, "$dir/selftest";
my $schema = "$FindBin::Bin/xunit.xsd";
my $bad = "\xef\xbf\xbd";		# U+FFFD

# Any bytes but NUL as one word of bash.
sub quoted
{
	my ($text) = @_;

	return "\$'" . $text =~ s/([^A-Za-z0-9 _.\/=-])/sprintf('\\x%02x', ord($1))/ger . "'";
}

# write_report(\@tests, %variables): a section in which these tests ran, each
# {name, word, reason, ms, files => {suffix => bytes}}, through _xunit_write.
# PRE and POST are shell code around it.  Returns (stdout, stderr, status).
sub write_report
{
	my ($tests, %set) = @_;
	my ($pre, $post) = map { delete($set{$_}) // '' } qw(PRE POST);
	my $script = "set -u\nshopt -s extglob nullglob\n. ./common/xunit\n" .
		"declare -A report_words=() report_reasons=() report_elapsed_ms=()\nreport_ran=()\n";

	%set = (section => '', RESULT_SECTION => $dir, xunit_quiet => '', CHECK_OPTIONS => '-g quick',
		FSTYP => 'xfs', section_start_s => 1700000000, section_end_s => 1700000070, %set);
	$script .= "$_=" . quoted($set{$_}) . "\n" for sort(keys(%set));
	unlink(glob("'$dir'/selftest/*"));
	for my $test (@$tests) {
		my $key = "[$test->{name}]";
		$script .= "report_ran+=($test->{name}) report_words$key=$test->{word}\n";
		$script .= "report_reasons$key=" . quoted($test->{reason} // '') . "\n";
		$script .= "report_elapsed_ms$key=" . ($test->{ms} // 0) . "\n";
		spew("$dir/$test->{name}.$_", $test->{files}{$_}) for keys(%{$test->{files} // {}});
	}
	spew("$top/driver", "$script$pre\n_xunit_write " . quoted($file) .
		"\nstatus=\$?\n$post\nexit \$status\n");
	# Not in the C locale, as check would have it.
	my $status = system("LC_ALL=C.UTF-8 bash $top/driver >$top/out 2>$top/err");
	return (slurp("$top/out"), slurp("$top/err"), $status >> 8);
}

# read_report($what): the report as {attributes, properties => {}, cases => []};
# a case is {attributes, ELEMENT => {attributes, text}}.
sub read_report
{
	my ($what) = @_;
	my $out = `xmllint --huge --noout --schema '$schema' '$file' 2>&1`;

	is($?, 0, "$what: schema-valid") or diag(substr($out, 0, 2000));
	$out = `xmlwf -d $top '$file' 2>&1`;
	is($out, '', "$what: expat reads it");
	# Canonical XML: all tags in pairs, no CDATA, no other entities.
	my $canonical = slurp("$top/result.xml");
	my ($suite, $element, $text);
	while ($canonical =~ m{\G(?:([^<]+)|<(/?)([\w-]+)((?: [^<>]*)?)>)}gc) {
		my ($chars, $end, $tag, $rest) = ($1, $2, $3, $4);
		if (defined($chars)) {
			$element->{text} .= plain($chars) if $element;
			next;
		}
		my %attributes = map { plain($_) } $rest =~ / ([\w:-]+)="([^"]*)"/g;
		if ($end) {
			undef($element);
		} elsif ($tag eq 'testsuite') {
			$suite = {%attributes, properties => {}, cases => []};
		} elsif ($tag eq 'property') {
			fail("$what: property $attributes{name} twice")
				if exists($suite->{properties}{$attributes{name}});
			$suite->{properties}{$attributes{name}} = $attributes{value};
		} elsif ($tag eq 'testcase') {
			push(@{$suite->{cases}}, {%attributes});
		} elsif ($tag ne 'properties') {
			$element = $suite->{cases}[-1]{$tag} = {%attributes, text => ''};
		}
	}
	is(pos($canonical) // 0, length($canonical), "$what: read to its end");
	return $suite;
}

sub plain
{
	my ($text) = @_;
	my %entity = (amp => '&', lt => '<', gt => '>', quot => '"');

	return $text =~ s/&(?:#(\d+)|(\w+));/defined($1) ? chr($1) : $entity{$2}/ger;
}

# What is to be read where a test printed these bytes: each character that XML
# 1.0 has, and U+FFFD for each other byte.
sub readable
{
	my ($bytes) = @_;
	my $out = '';

	while ($bytes =~ /\G(?:([\t\n\r\x20-\x7f]+)|.)/gs) {
		if (defined($1)) {
			$out .= $1;
			next;
		}
		my ($at, $taken) = (pos($bytes) - 1, $bad);
		for my $length (2 .. 4) {
			my $copy = substr($bytes, $at, $length);
			next if length($copy) < $length || !utf8::decode($copy) || length($copy) != 1;
			my $code = ord($copy);
			next if $code >= 0xd800 && $code < 0xe000 || $code == 0xfffe ||
				$code == 0xffff || $code > 0x10ffff;
			$taken = substr($bytes, $at, $length);
			pos($bytes) = $at + $length;
			last;
		}
		$out .= $taken;
	}
	return $out;
}

my $limits = <<'END';
verdict limit=switches series=1 ratio=3.90 lo=3.5 hi=4.2 n=5 bad=5 unfit=0 sigma=0.04 lag1=0.00 max=1.9 verdict=fail
verdict limit=elapsed series=1 ratio=0.50 lo=0.4 hi=0.6 n=5 bad=5 unfit=0 sigma=0.04 lag1=0.00 min=0.9 role=info verdict=info
verdict limit=absent series=1 n=0 bad=0 unfit=0 max=2 reason=unsupported verdict=undecided
verdict limit=switches series=final ratio=3.81 lo=3.45 hi=4.20 n=10 bad=10 unfit=0 sigma=0.04 lag1=0.00 max=1.9 verdict=fail
verdict limit=elapsed series=final ratio=0.51 lo=0.4 hi=0.6 n=5 bad=5 unfit=0 sigma=0.04 lag1=0.00 min=0.9 role=info verdict=info
verdict limit=absent series=final n=0 bad=0 unfit=0 max=2 reason=unsupported verdict=undecided
verdict test=final verdict=fail
END
my $passed = $limits =~ s/=fail$/=pass/gmr;
# As common/runner puts it.
my $failed = 'switches ratio=3.81 lo=3.45 hi=4.20 n=10 max=1.9 verdict=fail';

# Each word
my ($out, $err, $status) = write_report([
	{name => 'selftest/001-pass', word => 'pass', ms => 22337, files => {verdict => $passed,
		full => "not shown\n"}},
	{name => 'selftest/002-mismatch', word => 'fail', ms => 5, reason => $failed,
		files => {verdict => $limits, full => "a\nb", dmesg => "BUG\n",
			'out.bad' => "QA output created by 002-mismatch\nnoise\n"}},
	{name => 'selftest/003-fail', word => 'broken', reason => 'cannot mount', ms => 60000,
		files => {full => "mount: no\n"}},
	{name => 'selftest/004-notrun', word => 'notrun', reason => 'needs 2 CPUs', ms => 41,
		files => {full => "not shown\n"}},
	{name => 'selftest/005-crash', word => 'undecided', reason => 'switches: ratio=1.8 reason=cap',
		ms => 1000, files => {verdict => $passed}},
], section => 'xfs_4k', HOSTNAME => 'host');
is("$out$err$status", '0', 'silent, status 0');
my $suite = read_report('each word');
is($suite->{$_->[0]}, $_->[1], "suite: $_->[0]") for
	[name => 'fsratio'], [hostname => 'host'], [tests => 5], [failures => 2], [skipped => 2],
	[time => '83.383'], [xmlns => undef];
is_deeply($suite->{cases}, [
	{name => 'selftest/001-pass', classname => 'fsratio.xfs_4k', time => '22.337',
		'system-out' => {text => $passed}},
	{name => 'selftest/002-mismatch', classname => 'fsratio.xfs_4k', time => '0.005',
		failure => {type => 'TestFail', text => '',
			message => 'switches: ratio 3.81 (3.45 to 4.20), limit at most 1.9'},
		'system-out' => {text => "${limits}a\nb"}, 'kernel-log' => {text => "BUG\n"},
		'system-err' => {text => <<'END'}},
--- selftest/002-mismatch.out
+++ selftest/002-mismatch.out.bad
@@ -1,2 +1,2 @@
 QA output created by 002-mismatch
-4 blocks
+noise
END
	{name => 'selftest/003-fail', classname => 'fsratio.xfs_4k', time => '60.000',
		failure => {type => 'TestBroken', text => '', message => 'broken: cannot mount'},
		'system-out' => {text => "mount: no\n"}},
	{name => 'selftest/004-notrun', classname => 'fsratio.xfs_4k', time => '0.041',
		skipped => {text => '', message => 'needs 2 CPUs'}},
	{name => 'selftest/005-crash', classname => 'fsratio.xfs_4k', time => '1.000',
		skipped => {text => '', message => 'undecided: switches: ratio=1.8 reason=cap'},
		'system-out' => {text => $passed}},
], 'each test, its word and what it left');
is($suite->{properties}{"selftest/$_->[0].ratio"}, $_->[1], "property $_->[0]") for
	['001-pass.switches', '3.81'], ['001-pass.elapsed', '0.51'], ['002-mismatch.switches', '3.81'],
	['005-crash.switches', '3.81'];
is_deeply([grep { /absent|test\.ratio/ } keys(%{$suite->{properties}})], [],
	'no property where there is no number');

# The same in the namespace of fstests' schema
my $space = 'https://git.kernel.org/pub/scm/fs/xfs/xfstests-dev.git';
spew("$top/space.xsd", <<"END");
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="$space">
<xs:include schemaLocation="$schema"/></xs:schema>
END
spew("$top/space.xml", slurp($file) =~ s/<testsuite /<testsuite xmlns="$space" /r);
$out = `xmllint --noout --schema $top/space.xsd $top/space.xml 2>&1`;
is($?, 0, 'schema-valid in that namespace') or diag($out);

# Quiet: the numbers remain, the logs do not
write_report([
	{name => 'selftest/002-mismatch', word => 'fail', reason => $failed, files => {verdict => $limits,
		full => "a\n", dmesg => "BUG\n", 'out.bad' => "noise\n"}},
	{name => 'selftest/003-fail', word => 'broken', reason => 'x', files => {full => "a\n"}},
], xunit_quiet => 'yes');
$suite = read_report('quiet');
is_deeply($suite->{cases}, [
	{name => 'selftest/002-mismatch', classname => 'fsratio.global', time => '0.000',
		failure => {type => 'TestFail', text => '',
			message => 'switches: ratio 3.81 (3.45 to 4.20), limit at most 1.9'},
		'system-out' => {text => $limits}},
	{name => 'selftest/003-fail', classname => 'fsratio.global', time => '0.000',
		failure => {type => 'TestBroken', text => '', message => 'broken: x'}},
], 'xunit-quiet: no .full, .dmesg and diff; without a section the class is global');

# Why a test failed
for my $case (
	[$failed =~ s/max=1.9/min=1.9/r, 'switches: ratio 3.81 (3.45 to 4.20), limit at least 1.9'],
	[$failed =~ s/max=1.9/max=1.9 confirmed=no/r,
		'switches: ratio 3.81 (3.45 to 4.20), limit at most 1.9, not confirmed'],
	["$failed; " . $failed =~ s/switches/time/r . '; kernel log: BUG: x; y (see z)',
		'switches: ratio 3.81 (3.45 to 4.20), limit at most 1.9; ' .
		'time: ratio 3.81 (3.45 to 4.20), limit at most 1.9; kernel log: BUG: x; y (see z)'],
	['x ratio=* * =y [a verdict=fail', 'x: ratio *'],
	['x ratio=? check* verdict=fail', 'x: ratio ?'],
	['output mismatch', 'output mismatch'],
	['', 'no reason was given'],
	['a; ', 'a; '],
	['; a', '; a'],
) {
	write_report([{name => 'selftest/003-fail', word => 'fail', reason => $case->[0]}]);
	$suite = read_report("reason '$case->[0]'");
	is($suite->{cases}[0]{failure}{message}, $case->[1], "its message '$case->[1]'");
}

# Times: the offset from UTC is that of the moment
for my $zone (['UTC0', '2023-11-14T22:13:20+00:00', '22:14:30+00:00'],
		['IST-5:30', '2023-11-15T03:43:20+05:30', '03:44:30+05:30'],
		['NST3:30', '2023-11-14T18:43:20-03:30', '18:44:30-03:30']) {
	local $ENV{TZ} = $zone->[0];
	my $before = time();
	write_report([]);
	$suite = read_report("TZ=$zone->[0]");
	is($suite->{start_timestamp}, $zone->[1], 'start');
	like($suite->{timestamp}, qr/T\Q$zone->[2]\E$/, 'end');
	my $report = `date -d '$suite->{report_timestamp}' +%s`;
	ok($report >= $before && $report <= time(), 'the report itself is of now');
	is("$suite->{tests} $suite->{failures} $suite->{skipped} $suite->{time}", '0 0 0 0.000',
		'a section in which no test ran');
}

# The machine and the configuration
my %values = (MKFS_OPTIONS => '-m "reflink=1" <&>', MOUNT_OPTIONS => "-o noatime\t]]>", TEST_DIR => '/mnt/t',
	HOST_OPTIONS => "/x/caf\xc3\xa9", TIME_FACTOR => 1, LOAD_FACTOR => 2, SCRATCH_MNT => '/mnt/s',
	SCRATCH_LOGDEV => '/dev/x', TEST_LOGDEV => '/dev/y', SUITE_VERSION => 'abc', STANDIN => 'plain',
	TEST_DEV => '/dev/no-such-device', SCRATCH_DEV => 'server:/export', CHECK_OPTIONS => '-g quick',
	FSTYP => 'btrfs');
write_report([], %values, section => 's1', HOSTNAME => 'host', USE_EXTERNAL => '');
$suite = read_report('properties');
my ($arch, $release, $version) = map { `uname -$_` =~ s/\n//r } qw(m r v);
my $meminfo = slurp('/proc/meminfo');
my $nodes = slurp('/sys/devices/system/node/possible');
is_deeply($suite->{properties}, {%values, SECTION => 's1', ARCH => $arch, KERNEL => $release,
	PLATFORM => "Linux/$arch host $release $version", CPUS => `getconf _NPROCESSORS_ONLN` + 0,
	defined($nodes) ? (NUMA_NODES => $nodes =~ s/\n//r) : (),
	map({ defined($_) ? (CPU_MODEL => $_) : () } slurp('/proc/cpuinfo') =~ /^model name\s*: (.*)/m),
	MEM_KB => $meminfo =~ /^MemTotal: +(\d+)/m, SWAP_KB => $meminfo =~ /^SwapTotal: +(\d+)/m,
	map({ my $f = slurp("/sys/fs/xfs/debug/$_"); defined($f) ? ('XFS_' . uc($_) => $f + 0) : () }
		qw(always_cow larp)),
}, 'all that has a value, and nothing else');

SKIP: {
	skip('needs root and loop devices', 3) if $> || !-e '/dev/loop-control';
	open(my $fh, '>', "$top/image") or die "image: $!";
	truncate($fh, 3 << 20) or die "image: $!";
	close($fh);
	my $loop = `losetup --show -f -b 4096 '$top/image'` =~ s/\n//r;
	skip('losetup failed', 3) if $?;
	symlink($loop, "$top/link") or die "link: $!";
	write_report([], TEST_DEV => $loop, SCRATCH_DEV => "$top/link");
	system('losetup', '-d', $loop);
	$suite = read_report('devices');
	for my $dev (qw(TEST_DEV SCRATCH_DEV)) {
		is_deeply({map { $_ => $suite->{properties}{"${dev}_$_"} } qw(SIZE_KB LBA_BYTES DAX)},
			{SIZE_KB => 3072, LBA_BYTES => 4096, DAX => 0}, "$dev: size and queue");
		like($suite->{properties}{"${dev}_DISCARD"}, qr/^[01]$/, "$dev: can discard or not");
	}
}

# Bytes: each alone, each pair of what matters, the edges of UTF-8, and noise
my @bytes = (map({ chr($_) } 0 .. 255), ']]>', '<![CDATA[x]]>', '&amp;&#0;', '<!--', "\r\n", "\n\r",
	"\n", "\n\n", ' ', "x\ty", "a\\nb %s \\1 & \$(x) `x`", '',
	map({ my $c = chr($_); no warnings; utf8::encode($c); ($c, "x$c$c<", substr($c, 0, -1), substr($c, 1)) }
		0x80, 0x9f, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xd800, 0xdfff, 0xe000,
		0xfdd0, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0x3ffff, 0x40000, 0xfffff, 0x100000,
		0x10ffff, 0x110000, 0x1fffff),
	"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
	"\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xfe\xff", "\xff\xfe", "\xc3\xc3\xa9", "\xe2\x82\xe2\x82\xac");
srand(3);
my @alphabet = (map({ chr } 0, 1, 8, 9, 10, 11, 13, 27, 31, 32, 127, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbd .. 0xc3,
	0xdf .. 0xe2, 0xec .. 0xf0, 0xf3 .. 0xf5, 0xff), split(//, q(<>&"'];!-[ab)), ']]>');
push(@bytes, map { join('', map { $alphabet[rand(@alphabet)] } 0 .. rand(40)) } 1 .. 200);
my @tests = map { {name => "selftest/$_", word => 'fail', reason => $bytes[$_] =~ tr/\0//dr, files => {
	full => $bytes[$_], dmesg => "x$bytes[$_]", verdict => "v$bytes[$_]" =~ tr/\0//dr}} } 0 .. $#bytes;
($out, $err, $status) = write_report(\@tests, MKFS_OPTIONS => join(',', grep { !/\0/ } @bytes[0 .. 400]));
is("$out$err$status", '0', 'any bytes: silent, status 0');
$suite = read_report('any bytes');
is($suite->{properties}{MKFS_OPTIONS}, readable(join(',', grep { !/\0/ } @bytes[0 .. 400])), 'in a property');
my @wrong;
for my $i (0 .. $#bytes) {
	my $case = $suite->{cases}[$i];
	my $reason = readable($tests[$i]{reason});
	my $verdict = readable("$tests[$i]{files}{verdict}") =~ s/\n?\z/\n/r;
	my $log = $verdict . readable($bytes[$i]);
	push(@wrong, "reason $i") if $case->{failure}{message} ne ($reason eq '' ? 'no reason was given' : $reason);
	push(@wrong, "system-out $i") if $case->{'system-out'}{text} ne $log;
	push(@wrong, "kernel-log $i") if $case->{'kernel-log'}{text} ne "x" . readable($bytes[$i]);
}
is("@wrong[0 .. ($#wrong > 9 ? 9 : $#wrong)]", '', 'each is read as it was printed, or as U+FFFD');

# Output of bytes; no golden output; no file; empty files; files that are none
write_report([
	{name => 'selftest/001-pass', word => 'fail', reason => 'x', files => {'out.bad' => "\0\xff]]>"}},
	{name => 'selftest/nosuch', word => 'broken', reason => 'x', files => {'out.bad' => "a\n"}},
	{name => 'selftest/002-mismatch', word => 'fail', reason => 'x'},
	{name => 'selftest/003-fail', word => 'broken', reason => 'x', files => {full => '', dmesg => '',
		verdict => ''}},
	{name => 'selftest/004-notrun', word => 'fail', reason => 'x'},
], PRE => 'mkdir "$RESULT_SECTION"/selftest/004-notrun.{full,verdict,dmesg,out.bad}',
	POST => 'rmdir "$RESULT_SECTION"/selftest/004-notrun.*');
$suite = read_report('odd files');
is($suite->{cases}[0]{'system-err'}{text}, "--- selftest/001-pass.out\n+++ selftest/001-pass.out.bad\n" .
	"@@ -1,2 +1 @@\n-QA output created by 001-pass\n-Silence is golden\n+$bad$bad]]>\n" .
	"\\ No newline at end of file\n", 'an output that is no text is compared as text');
is($suite->{cases}[1]{'system-err'}{text}, "--- selftest/nosuch.out\n+++ selftest/nosuch.out.bad\n" .
	"@@ -0,0 +1 @@\n+a\n", 'no golden output');
is(join(' ', sort(keys(%{$suite->{cases}[$_]}))), 'classname failure name time', "no log: $_") for 2 .. 4;

# A long message is cut, a long log is not, and is not held in memory
write_report([{name => 'selftest/003-fail', word => 'fail', reason => 'r' x 20000}],
	PRE => 'f=$RESULT_SECTION/selftest/003-fail.full; yes "0123456789 <a line of 64 bytes> 0123456789 ' .
	'0123456789 01234567" | head -n 1000000 >"$f"; ulimit -v 40000');
my $lines = `xmlwf -d $top '$file'; grep -o 'a line of 64 bytes' $top/result.xml | wc -l`;
is($lines + 0, 1000000, 'a log of 1 000 000 lines is all there, in 40 MB of memory');
my $cut = `grep -a -o 'message="[^"]*"' '$file'`;
is($cut, 'message="' . 'r' x 8000 . " ...\"\n", 'a message of 20 000 bytes is cut');

# What cannot be written
my $old = slurp($file);
for my $fault (['ln -s /dev/full "$RESULT_SECTION"/result.xml.new', 'the disk is full'],
		['ln -s /dev/full "$RESULT_SECTION"/result.xml.new; ' .
		'yes x | head -n 100000 >"$RESULT_SECTION"/selftest/003-fail.full', 'it is with a log'],
		['_xml_stream() { return 4; }; echo x >"$RESULT_SECTION"/selftest/003-fail.full',
		'a log cannot be converted'],
		['_xml_stream() { return 4; }; echo x >"$RESULT_SECTION"/selftest/003-fail.out.bad',
		'the difference cannot be'],
		['mkdir "$RESULT_SECTION"/result.xml.new', 'it cannot be made']) {
	my @result = write_report([{name => 'selftest/003-fail', word => 'fail', reason => 'x'}],
		PRE => $fault->[0], POST => 'rmdir "$RESULT_SECTION"/result.xml.new 2>/dev/null');
	is_deeply(\@result, ['', "check: cannot write $file\n", 1], "one line and status 1 where $fault->[1]");
	ok(slurp($file) eq $old, 'the old report is still there');
	ok(!-e "$file.new" && !-l "$file.new", 'and nothing else');
}

# A test that passed costs no process: process ids in a namespace of its own
SKIP: {
	skip('needs root', 1) if $>;
	my %forks;
	for my $n (1, 40) {
		write_report([map { {name => "selftest/$_", word => 'pass', files => {verdict => $passed}} } 1 .. $n]);
		spew("$top/forks", slurp("$top/driver") =~ s/^(_xunit_write .*)/: & a=\$!; $1; : & echo \$((\$! - a))/mr);
		$forks{$n} = `unshare --pid --fork bash $top/forks`;
		skip('no pid namespace', 1) if $?;
	}
	is($forks{40}, $forks{1}, 'no process for a test that passed');
}
done_testing();
