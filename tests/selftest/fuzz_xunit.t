#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# result.xml of check over what tests may leave behind: reasons, verdicts, logs and
# output of any bytes, and options of any text.  It is always well-formed; nothing
# that stands in them is executed.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(getcwd);
use FuzzRun;
use FuzzShell;
use Test::More;
use Time::HiRes qw(time);

plan(skip_all => 'needs xmlwf') if system('command -v xmlwf >/dev/null');
my $here = getcwd();
my $dir = work_dir();

mkdir("$dir/cwd") or die "$dir/cwd: $!";
symlink("$here/tests", "$dir/cwd/tests") or die "tests: $!";
my $bash = FuzzShell->start($dir, $here, {}, <<'BEFORE', <<'WORK');
shopt -s extglob nullglob
cd "$1" && . ./common/xunit && cd "$2/cwd" || exit 9
BEFORE
declare -A report_words=() report_reasons=() report_elapsed_ms=()
report_ran=() section_start_s=1 section_end_s=2 section=""
mapfile -t lines <"$2/lines"
xunit_quiet=${lines[0]} HOSTNAME=${lines[1]} FSTYP=xfs
MKFS_OPTIONS=${lines[2]} TEST_DEV=${lines[3]} SCRATCH_DEV=/dev/null
for ((i = 4; i < ${#lines[@]}; i += 3)); do
	name=${lines[i]}
	report_ran+=("$name")
	report_words[$name]=${lines[i + 1]}
	report_reasons[$name]=${lines[i + 2]}
	report_elapsed_ms[$name]=12
done
RESULT_SECTION=$2/results
_xunit_write "$2/result.xml"
WORK

# reasons(\%files): [name, word, reason]... of some of its records.
sub reasons
{
	my ($files) = @_;
	my @all = map {
		my ($name, $word) = $files->{$_} =~ m{^test name=([\w/-]+) word=(\w+)}m;
		my ($reason) = $files->{$_} =~ /^test .* reason=([^\s=]+)/m;
		defined($name) ? [$name, $word, ($reason // '') =~ s/%([0-9A-F]{2})/chr(hex($1))/ger] : ();
	} grep { /\.record\z/ } sort(keys(%$files));

	# Each takes a dozen processes.
	return splice(@all, rand(@all), 3);
}

my ($runs, $spent) = (0, 0);
# fault_of(\%files, \@head): what is wrong with what becomes of it; '' = nothing.
sub fault_of
{
	my ($files, $head) = @_;
	my $start = time();

	write_tree("$dir/results", $files);
	spew("$dir/lines", join('', map { tr/\n\0/  /r . "\n" } @$head, map { @$_ } reasons($files)));
	unlink("$dir/result.xml");
	my ($status, @said) = $bash->ask() or return 'the writer died';
	$spent += time() - $start;
	$runs++;
	return 'something was executed' if join(' ', glob("$dir/cwd/*")) ne "$dir/cwd/tests";
	my $said = join('', @said);
	return "exit status $status, $said" if $status != 0 || length($said);
	return `xmlwf $dir/result.xml 2>&1` =~ s/.*result\.xml://r;
}

my @corpus = map { my $files = read_archive($_);
	# Of the one section that tests are in without more
	$files->{'check.records'} ? $files : () } sort(glob("$here/tests/selftest/corpus/reports/*"));
is(fault_of($_, ['', 'vm', '', '/dev/vdb']), '', 'undamaged') for @corpus;

my $seconds = fuzz_seconds(3);
my ($case, $findings, $start) = (0, 0, time());
($runs, $spent) = (0, 0);
while ($findings < 5 && time() - $start < $seconds) {
	seed_case(++$case);
	my %files = %{pick(@corpus)};
	for (0 .. int(rand(6))) {
		my $path = pick(grep { !/check\.records/ } sort(keys(%files)));

		$files{$path} = damage($files{$path});
	}
	my $fault = fault_of(\%files, [pick('', 'yes'), map { damage($_) } 'vm', '-m reflink=1', '/dev/vdb']);

	next if $fault eq '';
	keep_finding('xunit', $case, $fault, \%files);
	$findings++;
	unlink(grep { !m{/tests\z} } glob("$dir/cwd/*"));
}
is($findings, 0, "nothing found by $case cases of seed $FuzzRun::seed");
show_speed('xunit', $runs, $spent);
is($bash->end(), 0, 'the writer lived to the end');
done_testing();
