# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The rule for a test's recordings (CONTRIBUTING, "A limit"), on what src/judge says
# of them.  A side is 'bad' or 'good', a kernel with or without the fault.
package Recording;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(recording_faults recording_compare);

my $ROUNDS = 40;	# of a recording
my $WRONG_MAX = 3;	# of them on the wrong side of a limit that decides
my $UNFIT_MAX = 9;	# of them that do not count
my $REACH = 4;		# of a threshold from the good median, as a factor
my %word = (bad => 'fail', good => 'pass');

# recording_faults($side, \%of): each way in which the recording of a side breaks
# the rule.  order: the names of the limits; final, info: of each, by name, the
# verdict record and that of judge --info.
sub recording_faults
{
	my ($side, $of) = @_;
	my @faults;

	for my $name (@{$of->{order}}) {
		my ($info, $word) = ($of->{info}{$name},
			$of->{final}{$name}{verdict});
		my $role = $info->{role} // 'decide';
		my $rounds = $info->{n} + $info->{unfit};
		my $wrong = wrong($side, $info);

		push(@faults, "$name: $rounds rounds, expected $ROUNDS")
			if $rounds != $ROUNDS;
		push(@faults, "$name: $info->{unfit} rounds do not count, as the " .
			"machine was busy; expected $UNFIT_MAX at most")
			if $info->{unfit} > $UNFIT_MAX;
		push(@faults, "$name: control is $word, expected pass")
			if $role eq 'control' && $word ne 'pass';
		next if $role ne 'decide';
		push(@faults, "$name: $word, expected $word{$side}")
			if $word ne $word{$side};
		push(@faults, "$name: $wrong of $info->{n} rounds on the wrong " .
			"side, expected $WRONG_MAX at most") if $wrong > $WRONG_MAX;
	}
	return @faults;
}

# Rounds of a limit on the wrong side, for the kernel of a side
sub wrong
{
	my ($side, $info) = @_;

	return $side eq 'good' ? $info->{bad} : $info->{n} - $info->{bad};
}

# suggestion($good, $bad, $max): the threshold by two medians: their geometric mean,
# but no further off the good one than $REACH.
sub suggestion
{
	my ($good, $bad, $max) = @_;
	my $mean = sqrt($good * $bad);

	return $max ? ($mean < $good * $REACH ? $mean : $good * $REACH) :
		$mean > $good / $REACH ? $mean : $good / $REACH;
}

# recording_compare($bad, $good): print a line a limit; the faults of the limits in force.
sub recording_compare
{
	my ($bad, $good) = @_;
	my @faults;

	printf("\n%-24s %10s %10s %19s %19s\n", 'limit', 'in force', 'suggested',
		'good (wrong)', 'bad (wrong)');
	for my $name (@{$bad->{order}}) {
		my ($b, $g) = map { $_->{info}{$name} } $bad, $good;
		my $max = exists($b->{max});
		my $limit = $max ? $b->{max} : $b->{min};
		my ($x, $y) = ($g->{ratio}, $b->{ratio});
		my $decides = !exists($b->{role});
		my $apart = defined($x) && defined($y) && $x > 0 && $y > 0 &&
			($max ? $x < $y : $x > $y);

		printf("%-24s %10s %10s %19s %19s\n",
			$name . ($decides ? '' : " ($b->{role})"),
			($max ? 'max=' : 'min=') . $limit,
			$decides && $apart ? sprintf('%.3g', suggestion($x, $y, $max)) :
			'-', map { sprintf('%s (%d of %d)', $_->[1]{ratio} // '-',
				wrong(@$_), $_->[1]{n}) } ['good', $g], ['bad', $b]);
		# The judge's numbers have three digits.
		next if !$decides || !$apart;
		push(@faults, "$name: $limit is more than $REACH times off the " .
			"good median $x") if $max ? $limit > $x * $REACH * 1.005 :
			$limit < $x / $REACH / 1.005;
	}
	print "\n";
	return @faults;
}

1;
