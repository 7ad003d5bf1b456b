#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Damaged lists of known fails: each is either accepted, and then means what the rules
# in README say, or refused with one line that names the right line, and exit 2.  The
# rules are written down a second time here.  Nothing is executed.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(getcwd);
use FuzzRun;
use FuzzShell;
use Test::More;
use Time::HiRes qw(time);

my $here = getcwd();
my $dir = work_dir();
my $file = "$dir/known";
my $kernel = slurp('/proc/sys/kernel/osrelease') =~ s/\n//r;

# What a tricked shell writes lands in cwd, where nothing is but the tests.
mkdir("$dir/cwd") or die "$dir/cwd: $!";
symlink("$here/tests", "$dir/cwd/tests") or die "tests: $!";
my $bash = FuzzShell->start($dir, $here, {}, <<'BEFORE', <<'WORK');
top=$1 EXIT_MISUSE=2
shopt -s extglob nullglob
cd "$1" && . ./common/options && . ./common/selection && . ./common/known &&
	cd "$2/cwd" || exit 9
_options_defaults
_selection_read
opt_known=$2/known
BEFORE
_known_read
for key in "${!known_reasons[@]}"; do
	printf '%s=%s\n' "$key" "${known_reasons["$key"]}"
done
WORK

# The tests with their limits that decide.
my @tests = map { s{^tests/}{}r } grep { m{/\d{3,}(?:-[A-Za-z0-9-]+)?\z} } sort(glob('tests/*/*'));
my %limits = map {
	my $name = $_;
	my $text = -e "tests/$name.limits" ? slurp("tests/$name.limits") : '';
	$name => {map { $_ => 1 } grep { length } map { / role=/ || !/^limit / ? '' : / name=([^ ]+)/ ? $1 : '' } split(/\n/, $text)};
} @tests;

# older($a, $b): is version a before b?
sub older
{
	my ($x, $y) = map { [map { $_ || 0 } (split(/\./, $_))[0 .. 2]] } $_[0] =~ s/[^0-9.].*//sr, $_[1];

	for my $i (0 .. 2) {
		return $x->[$i] < $y->[$i] if $x->[$i] != $y->[$i];
	}
	return 0;
}

# line($words, \%known): take one line; whether it is right.
sub line
{
	my ($words, $known) = @_;
	my ($wanted, $limit, @rest) = @$words;
	my (@reason, %version);

	return 0 if !@rest;
	my ($test) = reverse(grep { $_ eq $wanted || s/-.*//sr eq $wanted } @tests);
	return 0 if !defined($test) || $limit ne '*' && !$limits{$test}{$limit};
	for my $word (@rest) {
		if ($word =~ /\A(since|until)=(.*)\z/s) {
			my ($key, $value) = ($1, $2);

			return 0 if $version{$key} || $value !~ /\A\d{1,6}(?:\.\d{1,6}){1,2}\z/;
			$version{$key} = $value;
		} else {
			return 0 if %version;
			push(@reason, $word);
		}
	}
	my ($since, $until) = ($version{since} // '0.0', $version{until} // '999999.0');
	return 0 if !@reason || !older($since, $until);
	return 1 if older($kernel, $since) || !older($kernel, $until);
	return 0 if exists($known->{"$test $limit"});
	$known->{"$test $limit"} = join(' ', @reason);
	return 1;
}

# expected($text): ({what is known}, 0), or (undef, the first line that is wrong).
sub expected
{
	my ($text) = @_;
	my ($number, %known) = 0;

	return (undef, 1 + ($` =~ tr/\n//)) if $text =~ /\0/;
	for my $line (split(/\n/, $text)) {
		$number++;
		return (undef, $number) if $line =~ /[\x01-\x08\x0b-\x1f\x7f]/;
		my @words = grep { length } split(/[ \t]+/, $line =~ s/(?:\A|(?<=[ \t]))#.*//r);
		return (undef, $number) if @words && !line(\@words, \%known);
	}
	return (\%known, 0);
}

my ($runs, $accepted, $spent) = (0, 0, 0);
# fault_of($text): what is wrong with what becomes of it; '' = nothing.
sub fault_of
{
	my ($text) = @_;
	my ($known, $number) = expected($text);
	my $start = time();

	spew($file, $text);
	my ($status, $out, $err) = $bash->ask() or return 'the reader died';
	$spent += time() - $start;
	$runs++;
	return 'something was executed' if join(' ', glob("$dir/cwd/*")) ne "$dir/cwd/tests";
	if (!$known) {
		return "accepted, where line $number is wrong: $out" if $status != 2;
		return "output beside a refusal: $out" if length($out);
		return one_line($err, "check: $file:$number: ");
	}
	return "exit status $status, $err" if $status != 0 || length($err);
	$accepted++;
	my $got = join('', sort($out =~ /^.*\n/mg));
	my $wanted = join('', sort(map { "$_=$known->{$_}\n" } keys(%$known)));
	return $got eq $wanted ? '' : "known is\n${got}where the rules have\n$wanted";
}

my @corpus = map { slurp($_) } sort(glob("$here/tests/selftest/corpus/known/*"));
my @pieces = ((map { "$_ " } grep { !m{^xfs/1} } @tests[0 .. 20]), qw(since= until= since=6.1 until=7.0 since=6 until=6.1.
	since=0.0 since=000006.000001 until=1000000.1 since=6.18.43 until=6.18.45 slowdown seq_switches seq_elapsed),
	"\n#", ' #', '#', "\n", '*', ' * ', 'a[$(>X)]', '10#', '08', '@(a|b)', '[[:alpha:]]');

is(fault_of($_), '', 'undamaged') for @corpus, '', "# nothing\n", 'selftest/001 * no line end';
cmp_ok(scalar(@corpus), q(>), 1, "a corpus");
is($accepted, @corpus + 3, 'and accepted');
($runs, $spent) = (0, 0);
my $seconds = fuzz_seconds(3);
my ($case, $findings, $start) = (0, 0, time());
while ($findings < 5 && time() - $start < $seconds) {
	seed_case(++$case);
	my $text = damage(pick(@corpus), @pieces);
	my $fault = fault_of($text);

	next if $fault eq '';
	keep_finding('known', $case, $fault, $text);
	$findings++;
	unlink(grep { !m{/tests\z} } glob("$dir/cwd/*"));
}
is($findings, 0, "nothing found by $case cases of seed $FuzzRun::seed");
show_speed('known', $runs, $spent, "$accepted accepted");
cmp_ok($accepted, '>', @corpus + 3, 'some are accepted');
cmp_ok($runs, '>', $accepted, 'and some refused');
is($bash->end(), 0, 'the reader lived to the end');
done_testing();
