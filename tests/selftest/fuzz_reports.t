#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# All that writes of results, over results that are damaged: the formats of
# tools/report, tools/compare, tools/mail-report.  Each gives a whole document or one
# clear line and exit 2, in 10 s and 128 MiB; nothing that stands in the results is
# executed, and no file is written.
#
# Arguments: the targets to try, all of them without; --list prints their names.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(getcwd);
use Encode qw(decode FB_CROAK);
use File::Find qw(find);
use FuzzRun;
use JSON::PP;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

my $here = getcwd();
my $corpus = "$here/tests/selftest/corpus/reports";
my $dir = work_dir();
my ($results, $whole, $cwd, $tmp) = map { "$dir/$_" } qw(results whole cwd tmp);
my $LIMIT_S = 10;
my @formats = map { m{([^/]+)\.pm\z} } glob("$here/tools/formats/*.pm");
my $json = JSON::PP->new->utf8;
my $xmlwf = system('command -v xmlwf >/dev/null') == 0;

plan(skip_all => 'needs prlimit') if system('command -v prlimit >/dev/null');
# The modules once, here, by the names that the tools have for them; each case is a
# child that has them.
unshift(@INC, "$here/tools/lib");
require "$_.pm" for map { m{([^/]+)\.pm\z} } glob("$here/tools/lib/*.pm");
require "$here/tools/formats/$_.pm" for @formats;
# 128 MiB, of which this has some; what is only mapped, a table of locales, is none of
# it.  It is the soft limit, which all children have, but gnuplot.
my %memory_kib = slurp('/proc/self/status') =~ /^(VmSize|VmRSS):\s+(\d+) kB$/mg;
system("prlimit --pid $$ --as=" . (((128 << 10) + $memory_kib{VmSize} - $memory_kib{VmRSS}) << 10) . ':') == 0
	or die 'prlimit';
mkdir($_) or die "$_: $!" for $cwd, $tmp, "$dir/bin";
# What a shell that was tricked would need, and no gnuplot.
symlink($_, "$dir/bin/" . s{.*/}{}r) or die "$_: $!" for qw(/bin/sh /usr/bin/touch);

# run($gnuplot, $tool, @args): (exit status or what went wrong, stdout, stderr).
sub run
{
	my ($gnuplot, $tool, @args) = @_;
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		chdir($cwd) or POSIX::_exit(99);
		open(STDIN, '<', '/dev/null') && open(STDOUT, '>', "$dir/out") &&
			open(STDERR, '>', "$dir/err") or POSIX::_exit(99);
		$ENV{TMPDIR} = $tmp;
		$ENV{PATH} = "$dir/bin" if !$gnuplot;
		system("prlimit --pid $$ --as=unlimited:") if $gnuplot;
		no warnings 'once';
		$FindBin::RealBin = "$here/tools";
		$0 = "$here/tools/$tool";
		@ARGV = @args;
		do($0);
		print STDERR $@;
		exit(length($@) ? 255 : 0);
	}
	my $killed;
	local $SIG{ALRM} = sub { kill('KILL', $pid); $killed = 1 };
	alarm($LIMIT_S);
	waitpid($pid, 0) == $pid or waitpid($pid, 0);
	alarm(0);
	return ($killed ? "no end after $LIMIT_S s" : $? & 127 ? 'signal ' . ($? & 127) : $? >> 8,
		map { slurp($_) } "$dir/out", "$dir/err");
}

# xml($text): '' where it is well-formed.
sub xml
{
	return '' if !$xmlwf;
	spew("$dir/document.xml", $_[0]);
	my $said = `xmlwf $dir/document.xml 2>&1`;
	return $said =~ s/.*document\.xml://r;
}

# plain($text): '' where it is text for a terminal or a mail.
sub plain
{
	my ($text) = @_;

	return 'no text' if $text !~ /\n\z/;
	my $decoded = eval { decode('UTF-8', my $copy = $text, FB_CROAK) } // return "no UTF-8: $@";
	return sprintf('U+%04X in the text', ord($1)) if $decoded =~ /([\x00-\x09\x0b-\x1f\x7f-\x9f])/;
	return '';
}

# ktap($text): a plan, and so many results in their order, each with its subtests in front.
sub ktap
{
	my ($text) = @_;
	my $fault = plain($text);
	my (%planned, %number);

	return $fault if $fault;
	return 'no version' if $text !~ s/\AKTAP version 1\n1\.\.(\d+)\n//;
	$planned{''} = $1;
	for my $line (split(/\n/, $text)) {
		my ($indent) = $line =~ /\A((?:  )?)/;

		if ($line =~ /\A  KTAP version 1\z/) {
			return "a subtest in a subtest: $line" if defined($planned{'  '});
			$number{'  '} = 0;
		} elsif ($line =~ /\A  1\.\.(\d+)\z/) {
			$planned{'  '} = $1;
		} elsif ($line =~ /\A(?:  )?(?:not )?ok (\d+) [^#]+(?: # (?:SKIP|ERROR)\b.*)?\z/) {
			return "out of order: $line" if $1 != ++$number{$indent};
			next if $indent;
			return "subtests are missing before: $line" if ($planned{'  '} // 0) != ($number{'  '} // 0);
			delete($planned{'  '});
			delete($number{'  '});
		} elsif ($line !~ /\A(?:  )?#/) {
			return "unknown: $line";
		}
	}
	return $planned{''} == ($number{''} // 0) ? '' : "$planned{''} planned and others came";
}

my $number = qr/-?(?:0|[1-9]\d*)(?:\.\d+)?/;
my %fault = (
	ktap => \&ktap,
	html => sub { xml($_[0]) },
	jsonl => sub {
		for my $line (split(/\n/, $_[0])) {
			my $test = eval { $json->decode($line) } or return $@;
			return 'no test, word or limits' if grep { !defined($test->{$_}) } qw(test word limits run);
		}
		return '';
	},
	kcidb => sub {
		my $all = eval { $json->decode($_[0]) } or return $@;
		for my $test (@{$all->{tests} // []}) {
			return 'no id or path' if grep { !length($test->{$_} // '') } qw(id path origin build_id);
			return "status $test->{status}" if $test->{status} !~ /\A(?:PASS|FAIL|DONE|SKIP|ERROR|MISS)\z/;
			return "id $test->{id}" if $test->{id} !~ /\A[a-z0-9_]+:[!-~]+\z/;
		}
		return '';
	},
	lava => sub {
		my ($line) = grep { !/\Alava-test-case [A-Za-z0-9_.-]+ --result (?:pass|fail|skip|unknown)(?: --measurement $number --units (?:ratio|seconds))?\z/ }
			split(/\n/, $_[0]);
		return $line // '';
	},
);

# A target is how it is called, what it says in front of its one line, and what is
# wrong with its document.
my @targets = ((map { {name => $_, tool => 'report', start => 'report: ', args => [$_],
		fault => $fault{$_} // die "no grammar of $_"} } @formats),
	{name => 'report --write', tool => 'report', start => 'report: ', args => ['--write', join(',', @formats)],
		fault => sub { length($_[0]) ? "it says $_[0]" : '' }, writes => 1},
	{name => 'compare', tool => 'compare', start => 'compare: ', args => [$whole], fault => \&plain},
	{name => 'compare --html', tool => 'compare', start => 'compare: ', args => ['--html', $whole], fault => \&xml},
	{name => 'mail-report', tool => 'mail-report', start => 'mail-report: ', args => [], fault => \&plain});
if (($ARGV[0] // '') eq '--list') {
	print map { "$_->{name}\n" } @targets;
	exit(0);
}
for my $name (@ARGV) {
	die "fuzz_reports.t: no target '$name' (--list shows all)\n" if !grep { $_->{name} eq $name } @targets;
}
@targets = grep { my $target = $_; !@ARGV || grep { $_ eq $target->{name} } @ARGV } @targets;
@$_{qw(runs accepted)} = (0, 0) for @targets;

# files($dir): all that is in it.
sub files
{
	my @files;

	find({no_chdir => 1, wanted => sub { push(@files, $_) if $_ ne $dir }}, @_);
	return join("\n", sort(@files));
}

# try_target($target, $gnuplot, $test): what is wrong with what it makes of $results; ''.
sub try_target
{
	my ($target, $gnuplot, $test) = @_;
	my @args = $target->{tool} eq 'mail-report' ? ($test, $results) : (@{$target->{args}}, $results);
	my $before = files($results);
	my ($status, $out, $err) = run($gnuplot, $target->{tool}, @args);

	$target->{runs}++;
	$err =~ s/\Areport: [^\n]+: the run was cut off; what it did not end is broken\n//
		while $target->{tool} eq 'report' && $err =~ /\Areport: [^\n]+: the run was cut off/;
	return "something was executed or written: " . files($cwd) . files($tmp) if glob("$cwd/* $tmp/* $cwd/.[!.]* $tmp/.[!.]*");
	return 'it wrote into the results' if !$target->{writes} && files($results) ne $before;
	unlink(grep { m{/result\.} } split(/\n/, files($results))) if $target->{writes};
	if ($status eq '2') {
		return "output beside a refusal: $out" if length($out);
		return one_line($err, $target->{start});
	}
	return "exit status $status: $err" if $status !~ ($target->{tool} eq 'compare' ? qr/\A[01]\z/ : qr/\A0\z/);
	return "it complains: $err" if length($err);
	$target->{accepted}++;
	return $target->{fault}->($out);
}

# renamed(\%files): a test of them has another name, everywhere.
sub renamed
{
	my ($files) = @_;
	my @names = map { m{([^/]+/[^/]+)\.record\z} } sort(keys(%$files)) or return;
	my $old = pick(@names);
	my $new = join('', map { pick(@FuzzRun::hostile) } 0 .. rand(4));

	$new =~ s{[/\0]}{}g;
	$new = (rand() < .3 ? substr($new, 0, 20) . '/' : 'selftest/') . substr($new, 0, 200);
	return if $new =~ m{\A[/.]|/\z|\A[^/]*\z};
	my $encoded = $new =~ s/([^A-Za-z0-9_.\/-])/sprintf('%%%02X', ord($1))/ger;
	s/\bname=\Q$old\E$/name=$encoded/mg || s/\bname=\Q$old\E /name=$encoded /g for values(%$files);
	for my $path (grep { m{(?:\A|/)\Q$old\E\.} } keys(%$files)) {
		$files->{$path =~ s{(?:\A|/)\K\Q$old\E\.}{$new.}r} = delete($files->{$path});
	}
}

# damaged($case, @corpus): (files, the test that a mail is to be on).
sub damaged
{
	my ($case, @corpus) = @_;

	seed_case($case);
	my %files = %{pick(@corpus)};
	renamed(\%files) if rand() < .2;
	for (0 .. int(rand(2))) {
		my @paths = sort(keys(%files)) or last;
		my $path = pick(@paths);
		my $kind = rand();

		if ($kind < .04) {
			delete($files{$path});
		} elsif ($kind < .08) {
			$files{$path} = $files{pick(@paths)};
		} else {
			$files{$path} = damage($files{$path}, pick(@paths));
		}
	}
	my ($name) = map { s/%([0-9A-F]{2})/chr(hex($1))/ger } pick(($files{'check.records'} // '') =~
		/^plan name=(\S+)/mg, 'selftest/021-judged-fail');
	return (\%files, $name =~ tr/\0//dr);
}

my @corpus = map { read_archive($_) } glob("$corpus/*");
write_tree($whole, read_archive("$corpus/words"));
# Findings of the past stand beside what damage starts from, and that undamaged.
for my $file (glob("$corpus/*")) {
	write_tree($results, read_archive($file));
	is(try_target($_, 1, 'selftest/021-judged-fail'), '', "$_->{name} of " . $file =~ s{.*/}{}r) for @targets;
}
$_->{accepted} > 0 or fail("$_->{name}: the corpus is refused") for @targets;
@$_{qw(runs seconds accepted)} = (0, 0, 0) for @targets;

# Seconds of now are what "make fuzz" starts from.
for my $case ([time() =~ s/\..*//r, 0], [4294967295, 0], [4294967296, 255], [0, 255], ['1x', 255]) {
	my ($try, $status) = @$case;

	system("FUZZ_SEED=$try $^X '$here/$0' --list >/dev/null 2>&1");
	is($? >> 8, $status, "FUZZ_SEED=$try");
}

my $short = !$ENV{FUZZ_SECONDS};
my $seconds = fuzz_seconds(1);
my ($case, $findings) = (0, 0);
while ($findings < 5 and my @open = grep { $_->{seconds} < $seconds } @targets) {
	my ($files, $test) = damaged(++$case, @corpus);

	write_tree($results, $files);
	for my $target (@open) {
		my $start = time();
		my $fault = try_target($target, $case % 50 == 0, $test);

		$target->{seconds} += time() - $start;
		next if $fault eq '';
		keep_finding("reports-$target->{name}" =~ tr/ -/__/r, $case, $fault, $files);
		$findings++;
		unlink(glob("$cwd/* $tmp/*"));
	}
}
for my $target (@targets) {
	show_speed($target->{name}, @{$target}{qw(runs seconds)}, "$target->{accepted} accepted");
	cmp_ok($target->{accepted}, '>', 0, "$target->{name}: some are accepted");
	cmp_ok($target->{runs}, '>', $target->{accepted}, 'and some refused') if !$short;
}
is($findings, 0, "nothing found by $case cases of seed $FuzzRun::seed");
done_testing();
