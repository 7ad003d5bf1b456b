# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What a machine can tell of a test: from the samples of check --calibrate, in which
# each arm ran beside its own copy, by the judge's own numbers.
#
# The smallest effect is the least factor between a limit and the median of a ratio
# with which the rule decides rightly in 95 % of series and wrongly in at most .1 %.
# p is the largest probability of a round on the wrong side with which it does both
# (src/judge --table, in steps of .05), with the lag-1 dependence of the sides that the
# rounds have about their median, weighed as in src/signtest.h, "Significance".  With
# normal noise of this sigma a share p lies z(p) sigma off the median; where noise has
# longer tails, as far as the rounds seen do.
package Calibration;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Temp ();
use List::Util qw(max min);
use POSIX qw(ceil erfc);
use lib dirname(__FILE__);
use Ratios qw(ratios);
use Record qw(record);
use Results;
use Samples qw(median read_samples);

our @EXPORT_OK = qw(calibrate smallest_effect);

my $RIGHT_MIN = .95;
my $WRONG_MAX = .001;
my $ROUNDS_MIN = 6;	# from which on the judge's interval covers 95 %
my $UNFIT_MAX = 10;	# rounds that end a limit: UNFIT_MAX of src/judge.c

# judge($judge, @arguments): its records as [kind, keys]; dies with a line.
sub judge
{
	my ($judge, @arguments) = @_;
	my @records;

	open(my $out, '-|', $judge, @arguments) or die "$judge: $!\n";
	while (my $line = <$out>) {
		chomp($line);
		my ($kind, $keys) = record($line);
		die "$judge: $line: $keys\n" if !$kind;
		push(@records, $keys);
	}
	close($out) or die "$judge cannot read $arguments[-1]\n";
	return @records;
}

# told($judge, $bound, $rounds, $r): p of above, undef where so few rounds, with this
# dependence, tell nothing.
my %told;
sub told
{
	my ($judge, $bound, $rounds, $r) = @_;
	my $percent = min(99, ceil(100 * $r - 1e-9));
	my @options = ('--bound', $bound, '--rounds', $rounds,
		$percent > 0 ? ('--lag1', $percent) : ());

	return if $rounds < $bound;
	return $told{"@options"} if exists($told{"@options"});
	open(my $out, '-|', $judge, '--table', @options) or die "$judge: $!\n";
	my ($table) = do { local $/; <$out> } =~ /^#  p .*\n((?:\d.*\n)+)/m;
	close($out) && defined($table) or die "$judge --table: no table\n";
	my ($p) = map { $_->[0] } reverse(grep { $_->[0] < .5 && $_->[1] <= $WRONG_MAX &&
		$_->[2] >= $RIGHT_MIN } map { [split(' ')] } split(/\n/, $table));
	return $told{"@options"} = $p;
}

# quantile($p): where a standard normal number lies above with probability $p < .5.
sub quantile
{
	my ($p) = @_;
	my ($lo, $hi) = (0, 10);

	for (1 .. 60) {
		my $middle = ($lo + $hi) / 2;
		(erfc($middle / sqrt(2)) / 2 > $p ? $lo : $hi) = $middle;
	}
	return $lo;
}

# smallest_effect($judge, $bound, $rounds, $sigma, $r, @ln): of rounds with these logs
# of their ratio, of which the rule may use so many; r is the weighed dependence.
# Undef where the rule can tell nothing, and where too few rounds were seen.
sub smallest_effect
{
	my ($judge, $bound, $rounds, $sigma, $r, @ln) = @_;
	my $p = told($judge, $bound, $rounds, $r);

	return if !defined($p) || @ln < $ROUNDS_MIN;
	my $median = median(@ln);
	my @off = sort { $a <=> $b } map { $_ - $median } @ln;
	my $beyond = int($p * @off + 1e-9);

	return exp(max(0, quantile($p) * $sigma, $off[-1 - $beyond], -$off[$beyond]));
}

# read_limits($file): those of a test, which the judge has read, in their order.
sub read_limits
{
	my ($file) = @_;
	my @limits;

	open(my $in, '<', $file) or die "$file: $!\n";
	while (my $line = <$in>) {
		my ($kind, $keys) = record(join(' ', split(' ', $line)));

		push(@limits, $keys) if ($kind // '') eq 'limit';
	}
	return @limits;
}

# weighed($keys): the lag-1 dependence of a verdict, weighed by its significance.
sub weighed
{
	my ($keys) = @_;
	my $rarer = min($keys->{bad}, $keys->{n} - $keys->{bad});

	return ($keys->{lag1} // 0) * $rarer / ($rarer + 2);
}

# dependence($judge, \@limits, \%info, $samples): of each limit that has a ratio, the
# verdict of its own median as a limit: {NAME => keys}.
sub dependence
{
	my ($judge, $limits, $info, $samples) = @_;
	my $file = File::Temp->new(TEMPLATE => 'fsratio-limits-XXXXXX', TMPDIR => 1);
	my @known = grep { defined($info->{$_->{name}}{ratio}) } @$limits;

	return {} if !@known;
	for my $limit (@known) {
		my %keys = (%$limit, max => $info->{$limit->{name}}{ratio});
		delete(@keys{qw(min role)});
		print $file join(' ', 'limit', map { "$_=$keys{$_}" } sort(keys(%keys))) . "\n";
	}
	close($file) or die $file->filename . ": $!\n";
	return {map { $_->{limit} => $_ } judge($judge, '--info', '--rounds', 200,
		$file->filename, $samples)};
}

# longest_wait($limit, $read): which arm of a limit waited most for a CPU, and how
# much of its time, as the median of its rounds.
sub longest_wait
{
	my ($limit, $read) = @_;
	my %arm = map { $_ => [] } split(/,/, "$limit->{num},$limit->{den}");

	for my $sample (grep { $arm{$_->{arm}} } @{$read->{samples}}) {
		my @keys = map { $sample->{$_} // '' } qw(run_delay_ns threads elapsed_ns);
		next if grep { $_ !~ $Record::INTEGER[0] } @keys or !$keys[1] || !$keys[2];
		push(@{$arm{$sample->{arm}}}, $keys[0] / $keys[1] / $keys[2]);
	}
	my %wait = map { @{$arm{$_}} ? ($_ => median(@{$arm{$_}})) : () } keys(%arm);
	my ($most) = sort { $wait{$b} <=> $wait{$a} || $a cmp $b } keys(%wait) or return;
	return ($most, $wait{$most});
}

# fitness($row, $rule): (yes or no, why not); nothing of a limit that decides
# nothing, at all or on this file system.
sub fitness
{
	my ($row, $rule) = @_;
	my $aa = $row->{aa};

	return if $row->{role} eq 'info' || $aa->{reason} eq 'other_fs';
	return ('no', $aa->{reason}) if $aa->{word} eq 'info' && length($aa->{reason});
	return ('no', 'busy') if $row->{unfit} >= $UNFIT_MAX || $row->{n} < $ROUNDS_MIN;
	return ('no', 'slow') if !defined(told($rule->{judge}, $rule->{bound}, $row->{rounds}, 0));
	return ('no', 'alike') if !defined($row->{effect});
	return ('no', 'noise') if $row->{room} > 0 &&
		($aa->{word} ne 'pass' || log($row->{effect}) > $row->{room});
	return ('yes', '');
}

# calibrate($limits_file, $test, \%rule): of a test of Results.pm, whose A/A
# limits are in its results, a row a limit: {name, role, side => 'max=4', num, den, n,
# unfit, ratio and sigma (undef where no round counted), lag1, rounds (that the rule has
# here: {judge => its program, bound, rounds, budget_s}), effect or undef, room (the
# limit's distance from 1, in ln), wait => [arm, share], aa => {word, reason, ratio, lo,
# hi, sigma, n, bad}, fit,
# why}.  Dies with a line.
sub calibrate
{
	my ($limits_file, $test, $rule) = @_;
	my $judge = $rule->{judge};
	my $samples = "$test->{path}.samples";
	my $read = read_samples($test->{path}) or die "$samples: not there\n";
	my @limits = read_limits($limits_file);

	my %info = map { $_->{limit} => $_ }
		judge($judge, '--info', '--rounds', 200, $limits_file, $samples);
	my %copies = map { $_->{limit} => $_ }
		judge($judge, '--info', '--rounds', 200, "$test->{path}.limits", $samples);
	my %final = map { $_->{name} => $_ } @{$test->{limits}};
	my $apart = dependence($judge, \@limits, \%info, $samples);
	my $measured = max(0, map { $_->{round} } @{$read->{samples}});
	# Half of a round is the copies; set-up is counted as part of the rounds.
	my $rounds = !$measured ? 0 : min($rule->{rounds}, int($rule->{budget_s} * 1000 *
		2 * $measured / max(1, $test->{elapsed_ms})));

	return map {
		my $limit = $_;
		my ($i, $copy, $f) = map { $_->{$limit->{name}} // {} } \%info, \%copies, \%final;
		my $of = $apart->{$limit->{name}};
		my $side = exists($limit->{max}) ? 'max' : 'min';
		my @ln = map { log($_->{ratio}) } grep { $_->{state} eq 'counted' }
			@{ratios({record => $limit, rounds => [200], unfit => [0]}, $read)};
		my $row = {
			(map { $_ => $limit->{$_} } qw(name num den)),
			(map { $_ => $i->{$_} } qw(n unfit ratio sigma)),
			role => $limit->{role} // 'decide', side => "$side=$limit->{$side}",
			lag1 => $of ? $of->{lag1} : undef, rounds => $rounds,
			effect => scalar(smallest_effect($judge, $rule->{bound}, $rounds,
				$i->{sigma} // 0, $of ? weighed($of) : 0, @ln)),
			room => abs(log($limit->{$side})),
			wait => [longest_wait($limit, $read)],
			aa => {(map { $_ => $copy->{$_} } qw(ratio lo hi sigma n bad)),
				word => $f->{word} // '', reason => $f->{reason} // ''},
		};
		@{$row}{qw(fit why)} = fitness($row, $rule);
		$row;
	} @limits;
}

1;
