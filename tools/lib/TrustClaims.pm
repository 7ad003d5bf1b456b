# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What may be claimed of what tools/trust counted, by upper bounds, and the words for
# it.
package TrustClaims;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use List::Util qw(max sum0);
use POSIX qw(ceil floor);
use lib dirname(__FILE__);
use Binomial qw(upper_bound);
use Markdown qw(escape natural);
use TrustRecords qw(live_cells wrong_bound);

our @EXPORT_OK = qw(less_than per_cent_of percent print_claims recorded sorted);

my $TARGET = .001;	# wrong words, upper bound, at the limits in force
my $RUNS = 50;		# live, a test and load
my $DECIDED = .95;	# of the quiet ones

# percent($p): with three digits.
sub percent
{
	my ($p) = @_;
	my $text = sprintf('%.3g', 100 * $p);

	return "$text %" if $text !~ /e/;
	return $p < 1e-6 ? '< 0.0001 %' : sprintf('%.5f %%', 100 * $p);
}

# less_than($p): an upper bound as percent, rounded up.
sub less_than
{
	my ($p) = @_;
	my $unit = 10 ** (floor(log($p) / log(10)) - 2);

	return percent(ceil($p / $unit - 1e-9) * $unit);
}

sub per_cent_of
{
	my ($k, $n) = @_;

	return $n ? percent($k / $n) : '';
}

# sorted($key, @records): by the text that $key->(record) gives.
sub sorted
{
	my ($key, @records) = @_;

	return sort { natural($key->($a)) cmp natural($key->($b)) } @records;
}

# recorded($sim): where the rounds come from
sub recorded
{
	my ($sim) = @_;

	return $sim->{side} . ($sim->{standin} ? " ($sim->{standin})" : '') .
		($sim->{source} eq 'here' ? ', here' : '');
}

# print_claims(\@sim, \@live): what may be said, by the upper bounds.
sub print_claims
{
	my ($sim, $live) = @_;
	my @inforce = grep { $_->{case} eq 'inforce' } @$sim;
	my @tests = grep { $_->{case} eq 'test' } @$sim;
	my @above = grep { wrong_bound($_) >= $TARGET } @inforce;

	printf("- Real rounds, resampled, at the limits in force: wrong words in %d of " .
		"%d sequences.  Of each limit, side and recording alone (%d of them): " .
		"in less than %s.\n", counted(@inforce), less_than(max(map {
		wrong_bound($_) } @inforce))) if @inforce;
	printf("- All limits of a test on the same rounds, any of them wrong: in %d of " .
		"%d sequences.  Of each test, side and recording alone (%d of them): " .
		"in less than %s.\n", counted(@tests), less_than(max(map {
		wrong_bound($_) } @tests))) if @tests;
	print "- Not below ", percent($TARGET), ": ", join(', ', map {
		escape("$_->{test} $_->{limit}, " . recorded($_)) . ' (' .
		less_than(wrong_bound($_)) . ')' } @above), ".\n" if @above;
	print_moved_claim(@$sim);
	print_live_claims($live) if @$live;
}

# counted(@sim): (wrong words, sequences, records)
sub counted
{
	return (sum0(map { $_->{wrong} } @_), sum0(map { $_->{sequences} } @_),
		scalar(@_));
}

sub print_moved_claim
{
	my (@sim) = @_;
	my @independent = grep { $_->{case} eq 'independent' } @sim;
	my @moved = sort { $b->{wrong} / $b->{sequences} <=> $a->{wrong} /
		$a->{sequences} } grep { $_->{case} eq 'moved' } @sim;
	# The control's word is of the suite: a wrong one makes its test broken.
	my ($worst) = grep { $_->{role} ne 'control' } @moved;
	my ($control) = grep { $_->{role} eq 'control' } @moved;

	return if !@independent || !$worst;
	my $of = sum0(map { $_->{sequences} } @independent);
	printf("- With each limit moved until 20 %% of its rounds are on the wrong " .
		"side: in %s of sequences of independent rounds, where %s is exact; " .
		"in %s at worst of those in blocks (%s)%s.\n",
		per_cent_of(sum0(map { $_->{wrong} } @independent), $of),
		percent(sum0(map { $_->{design} * $_->{sequences} } @independent) / $of),
		worst_of($worst), $control ? ', of controls in ' .
			sprintf('%s (%s)', worst_of($control)) : '');
}

# worst_of($sim): (how many of its words were wrong, of what)
sub worst_of
{
	my ($sim) = @_;

	return (per_cent_of($sim->{wrong}, $sim->{sequences}),
		escape("$sim->{test} $sim->{limit}, " . recorded($sim)));
}

sub print_live_claims
{
	my ($live) = @_;
	my %cells = live_cells($live);
	my $runs = sum0(map { $_->{runs} } values(%cells));
	my $wrong = sum0(map { $_->{wrong} } values(%cells));
	my $least = (sort { $a <=> $b } map { $_->{runs} } values(%cells))[0];
	my @quiet = grep { $_->{load} eq 'quiet' } values(%cells);
	printf("- Live: wrong words in %d of %d runs of check, beside all loads: in " .
		"less than %s.  Of each test and load alone (the fewest runs: %d): in " .
		"less than %s.\n", $wrong, $runs, less_than(upper_bound($wrong, $runs,
		.95)), $least, less_than(max(map { wrong_bound($_) } values(%cells))));
	my ($decided, $of) = map { my $key = $_; sum0(map { $_->{$key} } @quiet) }
		qw(decided runs);
	print "- Quiet runs that were decided: $decided of $of, ",
		per_cent_of($decided, $of), ".\n" if $of;
	my @short = grep { $_->{decided} < $DECIDED * $_->{runs} } @quiet;
	print '- Below ', percent($DECIDED), ' there: ', join(', ', map {
		escape("$_->{test} on $_->{kernel} ($_->{decided} of $_->{runs})") }
		sorted(sub { $_[0]{test} }, @short)), ".\n" if @short;
	my $few = grep { $_->{runs} < $RUNS } values(%cells);
	print "- Fewer than $RUNS runs: $few of the ", scalar(keys(%cells)),
		" pairs of test and load.\n" if $few;
}

1;
