#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Every limit still tells the recorded good kernel from the recorded bad one.
# The numbers are computed here again, and the judge must agree with them.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $judge = abs_path(($ENV{FSRATIO_SRC} // 'src') . '/judge');
my $rounds = 40;	# of a recording
my $wrong_max = 3;	# of them on the wrong side of a limit that decides
my $reach = 4;		# of a threshold from the good median, as a factor

-x $judge or BAIL_OUT('src/judge is not built');

sub spew
{
	my ($path, $text) = @_;
	open(my $fh, '>', $path) or die "$path: $!";
	print $fh $text;
	close($fh) or die "$path: $!";
}

sub lines
{
	my ($path) = @_;
	open(my $fh, '<', $path) or die "$path: $!";
	return <$fh>;
}

# The records of a file as hashes, with their kind.
sub records
{
	my ($path) = @_;
	my @records;
	for (lines($path)) {
		next if /^\s*(#|$)/;
		my ($kind, @fields) = split;
		push(@records, {kind => $kind, map { split(/=/, $_, 2) } @fields});
	}
	return @records;
}

# Ln ratios of a limit in the rounds that it counts, and how many it does not.
sub ln_ratios
{
	my ($limit, @records) = @_;
	my ($of, $per) = split(m{/}, $limit->{of});
	my %sign = ((map { $_ => 1 } split(/,/, $limit->{num})),
		(map { $_ => -1 } split(/,/, $limit->{den})));
	my ($env) = grep { $_->{kind} eq 'env' } @records;
	my (%ln, %unfit);
	for my $r (grep { $_->{kind} eq 'sample' } @records) {
		my $sign = $sign{$r->{arm}} // next;
		my $v = $r->{$of} / ($per ? $r->{$per} : 1);
		$v = $limit->{floor} if $v < ($limit->{floor} // 0);
		$ln{$r->{round}} += $sign * log($v);
		$unfit{$r->{round}} = 1 if !$limit->{fit} &&
			exists $r->{run_delay_ns} &&
			$r->{threads} <= $env->{cpus} && $r->{run_delay_ns} >
			.25 * $r->{threads} * $r->{elapsed_ns};
	}
	return ([map { $ln{$_} } grep { !$unfit{$_} } sort keys %ln],
		scalar keys %unfit);
}

sub median
{
	my @x = sort { $a <=> $b } @_;
	return ($x[$#x / 2] + $x[@x / 2]) / 2;
}

# What is wrong with one recording: $word is pass (.good) or fail (.bad).  The
# medians of its limits go into %$median.
sub recording_faults
{
	my ($path, $limits, $word, $median) = @_;
	my @lines = lines($path);
	my @faults;

	my $head = '';
	for (@lines) {
		last if !/^#/;
		$head .= $_;
	}
	push(@faults, 'no # comment in line 1 and on that names the kernel ' .
		'and the command') if $head !~ /kernel\W+\d/i ||
		$head !~ m{\./check\b};

	my $last = `'$judge' --final --no-confirm '$limits' '$path' 2>&1`;
	return (@faults, "the judge says: $last") if $?;
	my %said = $last =~ /^verdict limit=(\S+) series=final .*verdict=(\S+)$/mg;
	push(@faults, "test: $1, not $word") if
		$last =~ /^verdict test=final verdict=(?!$word$)(.*)$/m;
	my %line = map { /limit=(\S+)/ => $_ }
		split(/\n/, `'$judge' --info '$limits' '$path'`);

	my @records = records($path);
	my ($env) = grep { $_->{kind} eq 'env' } @records;
	for my $limit (records($limits)) {
		my $name = $limit->{name};
		my $role = $limit->{role} // 'decide';
		my ($ln, $unfit) = ln_ratios($limit, @records);
		my $sign = exists $limit->{max} ? 1 : -1;
		my $threshold = log($limit->{max} // $limit->{min});
		my $bad = grep { $sign * ($_ - $threshold) > 1e-12 } @$ln;
		my $wrong = $word eq 'pass' ? $bad : @$ln - $bad;

		push(@faults, "$name: " . (@$ln + $unfit) . " rounds, not $rounds")
			if @$ln + $unfit != $rounds;
		push(@faults, "$name: $unfit unfit rounds") if $unfit >= 10;
		push(@faults, "$name: the judge says $line{$name}, not n=" .
			@$ln . " bad=$bad unfit=$unfit") if
			$line{$name} !~ / n=@{[scalar @$ln]} bad=$bad unfit=$unfit /;
		next if !@$ln;
		$median->{$name} = median(@$ln);
		my ($ratio) = $line{$name} =~ / ratio=(\S+)/;
		push(@faults, "$name: the judge says ratio=$ratio, not " .
			exp($median->{$name}))
			if abs(log($ratio) - $median->{$name}) > .006;
		# Of times on emulated CPUs the judge says no word, but that they are on
		# the right side all the same is asked for below.
		my $is_info = ($env->{emulated_cpu} // 0) eq '1' &&
			$limit->{of} =~ /_ns\b/ && $said{$name} eq 'info';
		push(@faults, "$name: $said{$name}, not pass")
			if $role eq 'control' && $said{$name} ne 'pass' && !$is_info;
		next if $role ne 'decide';
		push(@faults, "$name: $said{$name}, not $word")
			if $said{$name} ne $word && !$is_info;
		push(@faults, "$name: $wrong rounds on the wrong side")
			if $wrong > $wrong_max;
	}
	return @faults;
}

# What is wrong with the limits and recordings below the given directories;
# first how many tests have limits.
sub faults
{
	my (@dirs) = @_;
	my @limits = map { glob("$_/[0-9][0-9][0-9]*.limits") } @dirs;
	my @faults;

	for my $path (map { glob("$_/[0-9][0-9][0-9]*.{good,bad}") } @dirs) {
		my $limits = $path =~ s/\.(good|bad)$/.limits/r;
		push(@faults, "$path: no $limits") if !-e $limits;
	}
	for my $limits (@limits) {
		my %median;
		for my $pair (['good', 'pass'], ['bad', 'fail']) {
			my ($ext, $word) = @$pair;
			my $path = $limits =~ s/limits$/$ext/r;
			if (!-e $path) {
				push(@faults, "$limits: no $path");
				next;
			}
			push(@faults, map { "$path: $_" } recording_faults($path,
				$limits, $word, $median{$ext} = {}));
		}
		for my $limit (records($limits)) {
			next if ($limit->{role} // 'decide') ne 'decide';
			my ($good, $bad) = map { $median{$_}{$limit->{name}} }
				qw(good bad);
			next if !defined $good || !defined $bad;
			my $t = log($limit->{max} // $limit->{min});
			my $sign = exists $limit->{max} ? 1 : -1;
			my $numbers = join(' ', map { sprintf('%.4g', exp($_)) }
				$good, $t, $bad);
			push(@faults, "$limits: $limit->{name}: good, " .
				"threshold, bad: $numbers do not ascend to bad")
				if $sign * ($t - $good) <= 0 ||
				$sign * ($bad - $t) <= 0;
			push(@faults, "$limits: $limit->{name}: good, " .
				"threshold, bad: $numbers: more than ${reach}x")
				if abs($t - $good) > log($reach);
		}
	}
	return (scalar @limits, @faults);
}

# --- does this test find what it is there to find?

my $dir = tempdir('fsratio-recordings-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $head = "# kernel 6.18.44, 2026-01-01\n# made by: ./check --record xfs/001\n" .
	"env cpus=2\n";
my $limit = "limit name=x num=a den=b of=elapsed_ns max=2\n";
my $control = "limit name=c role=control num=c den=b of=elapsed_ns min=2\n";

# 40 rounds of arms a, b, c: thousandths of a and c; $n of a are $other.
sub recording
{
	my ($a, $n, $other, %opt) = @_;
	my $text = $opt{head} // $head;
	for my $round (1 .. $opt{rounds} // 40) {
		# from the middle on, so that the latch comes first
		my $ns = $round > 20 && $round <= 20 + $n ? $other : $a;
		my %ns = (a => $ns, b => 1000, c => $opt{c} // 4000);
		for my $arm (sort keys %ns) {
			$text .= "sample series=1 arm=$arm round=$round " .
				"elapsed_ns=$ns{$arm}" . ($opt{more} // '') .
				"\n";
		}
	}
	return $text;
}

sub finds
{
	my ($name, $limits, $good, $bad, @expect) = @_;
	unlink(glob("$dir/*"));
	spew("$dir/001-x.limits", $limits) if defined $limits;
	spew("$dir/001-x.good", $good) if defined $good;
	spew("$dir/001-x.bad", $bad) if defined $bad;
	my (undef, @found) = faults($dir);
	s{\Q$dir\E/001-x\.}{}g for @found;
	is(join("\n", @found), join("\n", @expect), "finds: $name");
}

my ($good, $bad) = (recording(1000, 3, 5000), recording(4000, 3, 1000));

finds('nothing', $limit . $control, $good, $bad);
finds('no recordings', $limit, undef, undef, 'limits: no good',
	'limits: no bad');
finds('no limits', undef, $good, $bad, 'good: no limits', 'bad: no limits');
finds('a good one that fails', $limit, recording(3000, 0, 0), $bad,
	'good: test: fail, not pass', 'good: x: fail, not pass',
	'good: x: 40 rounds on the wrong side',
	'limits: x: good, threshold, bad: 3 2 4 do not ascend to bad');
finds('a bad one that passes', $limit, $good, recording(1500, 0, 0),
	'bad: test: pass, not fail', 'bad: x: pass, not fail',
	'bad: x: 40 rounds on the wrong side',
	'limits: x: good, threshold, bad: 1 2 1.5 do not ascend to bad');
finds('too much noise', $limit, recording(1000, 4, 5000),
	recording(4000, 4, 1000), 'good: x: 4 rounds on the wrong side',
	'bad: x: 4 rounds on the wrong side');
finds('a threshold too far away', $limit =~ s/max=2/max=4.1/r, $good,
	recording(20000, 0, 0),
	'limits: x: good, threshold, bad: 1 4.1 20: more than 4x');
finds('a control that fails', $limit . $control,
	recording(1000, 0, 0, c => 1000), $bad, 'good: test: broken, not pass',
	'good: x: broken, not pass', 'good: c: broken, not pass');
finds('a short one', $limit, $good, recording(4000, 0, 0, rounds => 39),
	'bad: x: 39 rounds, not 40');
finds('one cut off', $limit, $good, substr($bad, 0, -1), 'bad: the judge ' .
	'says: judge: bad:123: the last line has no newline, expected a whole ' .
	"line\n");
my $silent = 'no # comment in line 1 and on that names the kernel and the ' .
	'command';
finds('no head', $limit, recording(1000, 0, 0, head => "env cpus=2\n"), $bad,
	"good: $silent");
finds('a head without the kernel', $limit, recording(1000, 0, 0,
	head => "# ./check --record xfs/001\nenv cpus=2\n"), $bad,
	"good: $silent");
finds('a head without the command', $limit, $good, recording(4000, 0, 0,
	head => "# kernel 6.18\nenv cpus=2\n"), "bad: $silent");
finds('an unfit machine', $limit, $good, recording(4000, 0, 0,
	more => ' threads=1 run_delay_ns=1001'),
	'bad: test: undecided, not fail', 'bad: x: 40 unfit rounds');
finds('a min= limit the right way round', $limit =~ s/max=2/min=2/r, $bad,
	$good);
finds('a min= limit the wrong way round', $limit =~ s/max=2/min=2/r, $good,
	$bad, 'good: test: fail, not pass', 'good: x: fail, not pass',
	'good: x: 37 rounds on the wrong side', 'bad: test: pass, not fail',
	'bad: x: pass, not fail', 'bad: x: 37 rounds on the wrong side',
	'limits: x: good, threshold, bad: 1 2 4 do not ascend to bad');
my $emulated = $head =~ s/cpus=2/cpus=2 emulated_cpu=1/r;
finds('times alone on emulated CPUs', $limit, recording(1000, 3, 3000,
	head => $emulated), $bad, 'good: test: undecided, not pass');
finds('those on the wrong side, too', $limit, recording(1000, 4, 3000,
	head => $emulated), $bad, 'good: test: undecided, not pass',
	'good: x: 4 rounds on the wrong side');
finds('an info limit may be anything', $limit . ($limit =~
	s/name=x/name=i role=info/r =~ s/max=2/max=9/r), $good, $bad);

# --- the recordings of the suite

my ($n, @faults) = faults('tests/xfs', 'tests/generic');
SKIP: {
	skip('no recordings yet: no test has limits', 1) if !$n;
	is(join("\n", @faults), '', "the recordings of $n tests with limits");
}

done_testing();
