#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/lib/Ratios.pm and src/judge make the same of the same samples: of each
# recording beside a test, and of what a busy machine, a second series and a limit
# that is settled early do to them.  What it cannot read it leaves out.

use strict;
use warnings;
use lib 'tests/selftest', 'tools/lib';
use HelperRun;
use Ratios qw(metric ratios);
use Results;
use Samples;
use Test::More;

my $judge = path('judge');
my $dir = work_dir();

sub spew
{
	my ($file, $text) = @_;

	open(my $out, '>', $file) or die "$file: $!";
	print $out $text;
	close($out) or die "$file: $!";
}

# judged($limits, $samples, @options): the limits and what was measured, as a
# report reads them, and what the judge says of each series.
sub judged
{
	my ($limits, $samples, @options) = @_;
	my $test = {path => "$dir/x", word => 'pass'};
	my $verdict = `$judge --final @options $limits $samples 2>/dev/null`;

	return if $?;
	spew("$dir/x.verdict", join('', grep { /^limit / } split(/^/, slurp($limits))) . $verdict);
	spew("$dir/x.samples", slurp($samples));
	Results::read_verdict($test);
	return ($test->{limits}, Samples::read_samples("$dir/x"), $verdict);
}

# agree($what, @judged): each series of each limit comes to the same.
sub agree
{
	my ($what, $limits, $read, $verdict) = @_;
	my (@ours, @judges);

	for my $limit (@$limits) {
		my $rounds = ratios($limit, $read);

		for my $series (1, 2) {
			$verdict =~ /^verdict limit=$limit->{name} series=$series(?: ratio=(\S+))?.* n=(\d+) bad=\d+ unfit=(\d+) /m or next;
			my ($ratio, $n, $unfit) = ($1, $2, $3);
			my @counted = grep { $_->{series} == $series && $_->{state} eq 'counted' } @$rounds;
			my $decimals = length(($ratio // 0) =~ s/^\d+\.?//r);
			my $median = @counted && exp(Samples::median(map { log($_->{ratio}) } @counted));

			push(@judges, join(' ', $limit->{name}, $series, $ratio // 'none', $n, $unfit));
			push(@ours, join(' ', $limit->{name}, $series, @counted ?
				sprintf("%.${decimals}f", $median) : 'none', scalar(@counted),
				scalar(grep { $_->{series} == $series && $_->{state} eq 'unfit' } @$rounds)));
		}
	}
	is_deeply(\@ours, \@judges, $what);
	return @ours;
}

# recordings.t tells of those that the judge refuses.
my $agreed = 0;
for my $recording (glob('tests/*/*.good tests/*/*.bad')) {
	my $limits = $recording =~ s/\.\w+\z/.limits/r;
	my @judged = judged($limits, $recording, '--info') or next;

	ok(agree("$recording: all rounds, as --info judges", @judged), 'of some limits');
	agree("$recording: up to where a limit is settled", judged($limits, $recording, '--no-confirm'));
	$agreed++;
}
cmp_ok($agreed, '>=', 4, 'of some recordings');

# What recordings of a quiet machine do not have.
spew("$dir/l", "limit name=a num=n den=one of=vcsw/ops floor=0.01 max=2\n" .
	"limit name=b num=n den=one of=elapsed_ns max=2 fit=any\n" .
	"limit name=c role=info num=n den=one of=spins max=2\n");
# sample($series, $round, $arm, KEY => value...)
sub sample
{
	my ($series, $round, $arm, %keys) = @_;
	%keys = (threads => 1, ops => 1000, vcsw => 0, run_delay_ns => 0, user_ns => 500, sys_ns => 500,
		elapsed_ns => 1000, spins => 'unsupported', %keys);

	return "sample series=$series arm=$arm round=$round " . join(' ', map { "$_=$keys{$_}" } sort(keys(%keys))) . "\n";
}
my @busy = ([], [run_delay_ns => 251], [run_delay_ns => 250], [threads => 4, run_delay_ns => 1604, sys_ns => 0],
	[threads => 4, run_delay_ns => 1600, sys_ns => 0], [threads => 4, run_delay_ns => 1604, sys_ns => 800], [vcsw => 50, elapsed_ns => 5000]);
my $samples = "env cpus=2 fs=xfs\n";
for my $series (1, 2) {
	for my $round (1 .. 14) {
		$samples .= sample($series, $round, 'n', vcsw => 30, @{$busy[$round % @busy]}) . sample($series, $round, 'one');
	}
}
spew("$dir/s", $samples);
my @judged = judged("$dir/l", "$dir/s");
agree('busy rounds and two series', @judged);
my ($limits, $read) = @judged;
is_deeply([map { $_->{state} } grep { $_->{series} == 1 } @{ratios($limits->[0], $read)}],
	[qw(unfit counted unfit counted counted counted counted), ('late') x 7], 'which of them');
is_deeply([map { sprintf('%.4g', $_->{ratio}) } @{ratios($limits->[0], $read)}[0, 5, 6]], [3, 5, 3],
	'the ratio of a round, also of one that does not count');
is_deeply(ratios($limits->[2], $read), [], 'no ratios of what the kernel does not count');

# What results may lack.
is_deeply(ratios({%{$limits->[0]}, record => undef}, $read), [], 'nor of a limit that nobody has written down');
is_deeply(ratios($limits->[0], {%$read, env => {}}), [], 'nor without the number of CPUs');
pop(@{$read->{samples}});
is(scalar(@{ratios($limits->[0], $read)}), 27, 'a round of which an arm is missing is left out');
for my $case ([{of => 'a'}, {a => 3}, 3], [{of => 'a/b'}, {a => 3, b => 2}, 1.5], [{of => 'a/b', floor => 2}, {a => 3, b => 2}, 2],
	[{of => 'a/b'}, {a => 3, b => 0}, undef], [{of => 'a'}, {a => 0}, undef], [{of => 'a'}, {a => '<b>'}, undef],
	[{of => 'a/b'}, {a => 3}, undef]) {
	is(metric(@{$case}[0, 1]), $case->[2], 'a metric');
}
done_testing();
