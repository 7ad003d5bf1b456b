# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What tools/trust counted, one record each:
#
#	sim	what src/trust_sim says of a case and limit, with test=, side=,
#		source=tree|here, standin=, kernel= and start_s=; of those that differ
#		in no word the last one counts
#	live	a run of check, with load=, word=, expect= and wrong=0|1
#	absent	a load that a machine does not have
#
# Text in them has %XX for what a value cannot hold.
package TrustRecords;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Binomial qw(upper_bound);
use Record qw(each_record expected text wrong);

our @EXPORT_OK = qw(add_record allowed live_cells read_records wrong_bound);
our @WORDS = qw(pass fail undecided broken notrun);

my @count = @Record::INTEGER;
my @any = @Record::ANY;
my %expected = (
	sim => expected((map { $_ => \@any } qw(test side source kernel case limit role expect
		lag1)), (map { $_ => \@count } qw(start_s rounds unfit wrong_rounds
		block sequences wrong undecided right final rounds_sum))),
	live => expected((map { $_ => \@any } qw(test load kernel expect)), (map { $_ =>
		\@count } qw(start_s elapsed_ms)), wrong => [qr/\A[01]\z/, '0 or 1'],
		word => [qr/\A(?:pass|fail|undecided|broken|notrun)\z/, "@WORDS"]),
	absent => expected(map { $_ => \@any } qw(load kernel reason)),
);

# add_record($file, KIND, KEY => VALUE...): append it; a key without a value is left
# out.  Dies with "FILE: ...\n".
sub add_record
{
	my ($file, $kind, @keys) = @_;
	my $line = $kind;

	while (my ($key, $value) = splice(@keys, 0, 2)) {
		next if !length($value // '');
		$line .= " $key=" .
			$value =~ s/([^!-~]|[%=])/sprintf('%%%02X', ord($1))/ger;
	}
	open(my $out, '>>', $file) or die "$file: $!\n";
	print $out "$line\n" or die "$file: $!\n";
	close($out) or die "$file: $!\n";
}

# read_records($file): {sim => [...], live => [...], absent => [...]}, each record
# as {key => value}.  Dies with "FILE:LINE: ...\n".
sub read_records
{
	my ($file) = @_;
	my %read = map { $_ => [] } keys(%expected);
	my %at;

	each_record($file, sub {
		my ($kind, $keys) = @_;

		return if $kind eq '#';
		return "'$kind', expected " . join(', ', sort(keys(%expected)))
			if !$expected{$kind};
		$_ = text(s/%([0-9A-F]{2})/chr(hex($1))/ger) for values(%$keys);
		my $wrong = wrong($keys, $expected{$kind});
		return $wrong if $wrong;
		return "wrong=$keys->{wrong} of sequences=$keys->{sequences}"
			if $kind eq 'sim' && $keys->{wrong} + $keys->{undecided} +
			$keys->{right} != $keys->{sequences};
		my $key = join(' ', $kind, map { $keys->{$_} // '' }
			$kind eq 'sim' ? qw(test limit side source case) :
			$kind eq 'absent' ? qw(load kernel) : ());
		push(@{$read{$kind}}, $keys) if $kind eq 'live' || !exists($at{$key});
		$at{$key} //= $#{$read{$kind}};
		$read{$kind}[$at{$key}] = $keys if $kind ne 'live';
		return;
	}) or die text("$file: no such file, expected records of tools/trust") . "\n";
	return \%read;
}

# live_cells(\@live): {"kernel test load" => {kernel, test, load, expect, runs, wrong,
# decided, pass, fail, ...}}
sub live_cells
{
	my ($live) = @_;
	my %cells;

	for my $run (@$live) {
		my $cell = $cells{join(' ', @{$run}{qw(kernel test load)})} //= {
			(map { $_ => $run->{$_} } qw(kernel test load expect)),
			map { $_ => 0 } qw(runs wrong decided), @WORDS};

		$cell->{runs}++;
		$cell->{wrong} += $run->{wrong};
		$cell->{$run->{word}}++;
		$cell->{decided}++ if $run->{word} =~ /\A(?:pass|fail)\z/;
	}
	return %cells;
}

# wrong_bound($counted): the upper bound of its wrong words, one-sided 95 %.
sub wrong_bound
{
	my ($of) = @_;

	return upper_bound($of->{wrong}, $of->{sequences} // $of->{runs}, .95);
}

# allowed($sim): what the rule is wrong at where as many rounds lie on the wrong
# side as the recorded ones allow (Clopper and Pearson, one-sided 95 %) and are
# independent: Wald's 1 / (1 + ((1 - p) / p)^5), as in src/signtest.h.
sub allowed
{
	my ($sim) = @_;
	my $p = upper_bound($sim->{wrong_rounds}, $sim->{rounds} - $sim->{unfit}, .95);

	return 1 if $p >= .5;
	return 1 / (1 + ((1 - $p) / $p) ** 5);
}

1;
