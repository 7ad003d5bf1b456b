# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What tools/trust counted, as a document: doc/trust.md.
package TrustDocument;

use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Binomial qw(interval);
use Loads;
use Markdown qw(escape head natural row);
use TrustClaims qw(less_than per_cent_of percent print_claims recorded sorted);
use TrustRecords qw(allowed live_cells wrong_bound);

my @WORDS = @TrustRecords::WORDS;

# print_tests(@sim): all limits of a test together.
sub print_tests
{
	my (@sim) = grep { $_->{case} eq 'test' } @_;

	print "\n", head('test', 'side', 'rounds', 'block', 'sequences', 'wrong words',
		'less than', 'wrong once confirmed', 'undecided', 'rounds each');
	print row($_->{test}, recorded($_), $_->{rounds}, @{$_}{qw(block sequences wrong)},
		less_than(wrong_bound($_)), $_->{final}, per_cent_of($_->{undecided},
		$_->{sequences}), sprintf('%.1f', $_->{rounds_sum} / $_->{sequences}))
		for sorted(sub { "$_[0]{test} $_[0]{side} $_[0]{source}" }, @sim);
}

sub print_in_force
{
	my (@sim) = @_;
	my %case;

	$case{join(' ', @{$_}{qw(test limit side source)})}{$_->{case}} = $_ for @sim;
	print "\n", head('test', 'limit', 'side', 'rounds', 'wrong rounds', 'lag-1',
		'block', 'sequences', 'wrong words', 'less than', 'undecided', 'rounds each',
		'allowed', 'A/A wrong', 'segments wrong');
	for my $key (sort { natural($a) cmp natural($b) } keys(%case)) {
		my $s = $case{$key}{inforce} // next;
		my @rest = map { $case{$key}{$_} ? "$case{$key}{$_}{wrong} of " .
			$case{$key}{$_}{sequences} : '' } qw(labels segments);

		print row($s->{test}, $s->{limit} . ($s->{role} eq 'control' ?
			' (control)' : ''), recorded($s), $s->{rounds} - $s->{unfit},
			$s->{wrong_rounds}, $s->{lag1}, $s->{block}, $s->{sequences},
			$s->{wrong}, less_than(wrong_bound($s)), per_cent_of($s->{undecided},
			$s->{sequences}), sprintf('%.1f', $s->{rounds_sum} /
			$s->{sequences}), less_than(allowed($s)), @rest);
	}
}

sub print_moved
{
	my (@sim) = @_;
	my (%case, %alike);

	$case{join(' ', @{$_}{qw(test limit side source)})}{$_->{case}} = $_ for @sim;
	print "\n", head('test', 'limit', 'side', 'wrong rounds', 'block', 'wrong words',
		'95 % interval', 'undecided', 'rounds each', 'independent: wrong words',
		'95 % interval', 'exact');
	for my $key (sort { natural($a) cmp natural($b) } keys(%case)) {
		my ($m, $i) = @{$case{$key}}{qw(moved independent)};
		my $s = $case{$key}{inforce};

		if (!$m || !$i) {
			push(@{$alike{"$s->{test}, " . recorded($s)}}, $s->{limit})
				if $s;
			next;
		}
		print row($m->{test}, $m->{limit} . ($m->{role} eq 'control' ?
			' (control)' : ''), recorded($m), "$m->{wrong_rounds} of " .
			($m->{rounds} - $m->{unfit}), $m->{block},
			(map { per_cent_of($_->{wrong}, $_->{sequences}) } $m),
			rates($m), per_cent_of($m->{undecided}, $m->{sequences}),
			sprintf('%.1f', $m->{rounds_sum} / $m->{sequences}),
			per_cent_of($i->{wrong}, $i->{sequences}), rates($i),
			percent($i->{design}));
	}
	print "\nNot to be moved so, as too many rounds are alike:\n\n" if %alike;
	print '- ', escape("$_: " . join(', ', @{$alike{$_}})), "\n" for
		sort { natural($a) cmp natural($b) } keys(%alike);
}

sub rates
{
	my ($s) = @_;

	return join(' to ', map { percent($_) =~ s/ %//r }
		interval($s->{wrong}, $s->{sequences}, .95)) . ' %';
}

sub print_live
{
	my ($live, $absent) = @_;
	my %cells = live_cells($live);
	my %order = do { my $i = 0; map { $_ => $i++ } Loads::names() };

	print "\n", head('test', 'kernel', 'load', 'expected', 'runs', @WORDS, 'wrong',
		'less than', 'decided');
	for my $c (sorted(sub { "$_[0]{test} $_[0]{kernel} " .
		($order{$_[0]{load}} // 99) }, values(%cells))) {
		print row(@{$c}{qw(test kernel load expect runs), @WORDS, 'wrong'},
			less_than(wrong_bound($c)),
			per_cent_of($c->{decided}, $c->{runs}));
	}
	my @wrong = grep { $_->{wrong} } @$live;
	print "\nWrong:\n\n" if @wrong;
	print '- ', escape("$_->{test} beside $_->{load}: $_->{word}, expected " .
		$_->{expect} . ($_->{wrong_limits} ? " ($_->{wrong_limits})" : '') .
		($_->{reason} ? ": $_->{reason}" : '')), "\n" for @wrong;
	print "\nThe loads:\n\n";
	print "- $_: ", Loads::describe($_), "\n" for Loads::names();
	print '- ', escape("$_->{load} is not here on $_->{kernel}: $_->{reason}"),
		"\n" for @$absent;
}

# print_machines(\@live, \@sim): what was measured where, and when
sub print_machines
{
	my ($live, $sim) = @_;
	my (%machine, %kernels);

	for my $run (@$live) {
		my $name = "$run->{kernel}, $run->{cpus} CPUs" . ($run->{cpu_model} ?
			" ($run->{cpu_model})" : '') . ', ' .
			int(($run->{mem_kb} // 0) / 1024) . ' MiB';

		push(@{$machine{$name}}, $run);
	}
	for my $name (sort(keys(%machine))) {
		my @days = map { day($_->{start_s}) } @{$machine{$name}};
		my %suites = map { ($_->{suite} // 'unknown') => 1 } @{$machine{$name}};

		print '- Live: ', escape("$name, " . span(@days) . ', suite ' .
			join(' and ', sort(keys(%suites)))), "\n";
	}
	$kernels{$_->{kernel}} = 1 for @$sim;
	print '- Recordings: ', escape(join(', ', sort(keys(%kernels)))),
		'; judged ', span(map { day($_->{start_s}) } @$sim), "\n" if @$sim;
}

sub day
{
	my ($day, $month, $year) = (gmtime($_[0]))[3 .. 5];

	return sprintf('%d-%02d-%02d', $year + 1900, $month + 1, $day);
}

sub span
{
	my @days = sort(@_);

	return $days[0] . ($days[0] eq $days[-1] ? '' : " to $days[-1]");
}

# print_document($read): all of it, of what read_records gave.
sub print_document
{
	my ($read) = @_;

	print <<'HEAD';
<!-- SPDX-License-Identifier: GPL-2.0 -->
# How often the suite is wrong

Made by tools/trust from its records, not by hand.  A word is wrong where it is the
opposite of the expected one, pass or fail; undecided is none.  "Less than" is the
upper bound of Clopper and Pearson, one-sided 95 %; intervals are two-sided.

HEAD
	print_claims(@{$read}{qw(sim live)});
	print "\n## The machines\n\n";
	print_machines(@{$read}{qw(live sim)});
	print_sequences(@{$read->{sim}}) if @{$read->{sim}};
	return if !@{$read->{live}};
	print <<'LIVE';

## Live

./check TEST, beside each load in turn.  A test is expected to fail where
configs/known/mainline says so, or where its .bad was recorded on this very kernel,
else to pass; a run is wrong, too, where one limit of it says the opposite.
LIVE
	print_live(@{$read}{qw(live absent)});
}

sub print_sequences
{
	my (@sim) = @_;

	print <<'SEQUENCES';

## Sequences of real rounds, at the limits in force

Each row is a limit and a recording: of a kernel with the fault (bad) or without it
(good), or of a stand-in for one, which is named; "here" are those of tools/trust
record.  Its rounds are drawn with replacement, in blocks of neighbours (the rounds in
a circle; tests/selftest/trust_sim.c has the rule for their length, by the lag-1
correlation), 40 a sequence, and judged by the code of src/judge, one series: before a
fail is confirmed, after which still fewer are wrong.  A control is to pass on every
kernel; one that does not makes its test broken.

A recording holds no more than its rounds: "allowed" is how often the rule would be
wrong if the share of rounds on the wrong side were as high as those recorded allow
(upper bound, 95 %; independent rounds).  A/A: on the good side, num and den of each
round are exchanged by a fair coin, at the limit in force; what two arms would show
that differ by name alone.  Segments: rounds as they came, from each one on, where 200
were recorded; they overlap, and have no bound.
SEQUENCES
	print_tests(@sim);
	print <<'LIMITS';

All limits of a test, on the same rounds; a word is wrong where that of any limit is.
Each limit alone:
LIMITS
	print_in_force(@sim);
	print <<'MOVED';

## The same with the limit moved

Here the limit is moved until 20 % of the rounds are on the wrong side, or as near as
ties allow (15 to 25 %).  With rounds drawn one by one, which are independent, the
judge is to be wrong as often as src/judge --table says ("exact").  In blocks, rounds
keep the dependence that they had.
MOVED
	print_moved(@sim);
}

1;
