# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Runs of check beside loads, and recordings, added to the records.  For tools/trust,
# which gives what it works with: {base, records, kernel, rounds, runs, loads => [...],
# wrong => how many wrong words so far}.  Trouble dies with a line.
package LiveRuns;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use lib dirname(__FILE__);
use Expected qw(expected_fails recording_head);
use Loads;
use Results;
use TrustRecords qw(add_record read_records);

our @EXPORT_OK = qw(live_runs record_test stop_runs);

my $RUN_ROUNDS = 12;	# about what a run measures, of both series
my $RUN_SETUP_S = 10;	# and what it takes beside
my $TRIES = 3;		# beside a load, where runs come to nothing

# run_check($trust, \%variables, @arguments): its exit status; what it says is in
# BASE/check.log.
sub run_check
{
	my ($trust, $variables, @arguments) = @_;
	my $base = $trust->{base};

	remove_tree("$base/run");
	$trust->{child} = fork() // die "fork: $!\n";
	if (!$trust->{child}) {
		$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM);
		delete(@ENV{qw(BISECT STANDIN)});
		@ENV{'RESULT_BASE', 'MEASURE_TRACE', 'MEASURE_AA', keys(%$variables)} =
			("$base/run", 'no', 'no', values(%$variables));
		Loads::enter($trust->{load}) if $trust->{load};
		delete(@{$trust}{qw(child load)});
		open(STDIN, '<', '/dev/null') or die "/dev/null: $!\n";
		open(STDOUT, '>', "$base/check.log") or die "$base/check.log: $!\n";
		open(STDERR, '>&', \*STDOUT) or die "stdout: $!\n";
		exec('setpriv', '--pdeathsig', 'TERM', './check', @arguments) or
			die "setpriv: $!\n";
	}
	waitpid($trust->{child}, 0);
	delete($trust->{child});
	return $? & 127 ? 128 + ($? & 127) : $? >> 8;
}

# read_result($trust, $test): what Results has of the run that has just ended; undef
# where it has nothing, or the load did not last.
sub read_result
{
	my ($trust, $test) = @_;
	my $result = eval { Results::read_test("$trust->{base}/run", $test) };

	if (!Loads::is_running($trust->{load})) {
		print "trust: the load $trust->{load}{name} ended by itself: no run of " .
			"$test\n";
		return;
	}
	if (!$result) {
		print "trust: no result of $test", $@ ? ': ' . $@ =~ s/\n\z//r : '',
			" (see $trust->{base}/check.log)\n";
		return;
	}
	die "$test ran on $result->{facts}{fstyp}: what is expected is known of xfs\n"
		if ($result->{facts}{fstyp} // 'xfs') ne 'xfs';
	return $result;
}

# record_test($trust, $test, $side): if this machine can.
sub record_test
{
	my ($trust, $test, $side) = @_;
	my $base = $trust->{base};
	my $to = "$base/recordings/$test.$side";
	my $head = eval { recording_head("tests/$test.$side") } or do {
		print "trust: $test: no .$side to repeat", $@ && ": $@", "\n";
		return;
	};
	my $fails = %{expected_fails($test, $trust->{kernel})} ? 'bad' : 'good';
	my $how = $head->{standin} || $side eq $fails ? $head : $head->{elsewhere};

	if (!$how) {
		print "trust: $test: this kernel is not $side, and there is no " .
			"stand-in\n";
		return;
	}
	if (-e $to) {
		print "trust: $test: $to is there\n";
		return;
	}
	my $status = run_check($trust, $how->{variables}, '--record', '--rounds',
		$trust->{rounds}, '--timeout', 7200, $test);
	my $result = eval { Results::read_test("$base/run", $test) };
	my $word = $result ? $result->{word} : 'lost';
	if ($word !~ /\A(?:pass|fail|undecided)\z/) {
		print "trust: $test, $side: $word, check ended with $status: no " .
			"recording (see $base/check.log)\n";
		return;
	}
	make_path(dirname($to));
	copy("$base/run/$test.samples", "$to.new") && rename("$to.new", $to) or
		die "$to: $!\n";
	print "trust: $test, $side: $trust->{rounds} rounds recorded; the first of " .
		"them say $word\n";
}

# wrong_limits(\%fails, $result): the limits of a test that say the opposite.
sub wrong_limits
{
	my ($fails, $result) = @_;

	return map { $_->{name} } grep {
		my $fail = $fails->{'*'} || $fails->{$_->{name}};

		$_->{role} eq '' && $_->{word} eq ($fail ? 'pass' : 'fail');
	} @{$result->{limits}};
}

# keep_run($trust, $name): the results of a run that somebody will ask for; where.
sub keep_run
{
	my ($trust, $name) = @_;
	my $to = "$trust->{base}/kept/$name";

	$to .= '+' while -e $to;
	make_path("$trust->{base}/kept");
	rename("$trust->{base}/run", $to) or die "$to: $!\n";
	rename("$trust->{base}/check.log", "$to/check.out") or die "$to/check.out: $!\n";
	return $to;
}

# live_run($trust, $test): one run beside the load that runs; its seconds, or undef
# where it came to nothing.
sub live_run
{
	my ($trust, $test) = @_;
	my $load = $trust->{load};
	my $start_s = time();

	run_check($trust, {}, $test);
	my $result = read_result($trust, $test) // return;
	my $fails = expected_fails($test, $trust->{kernel});
	my $expect = %$fails ? 'fail' : 'pass';
	my @limits = wrong_limits($fails, $result);
	my $word = $result->{word};
	my $is_wrong = @limits || $word =~ /\A(?:pass|fail)\z/ && $word ne $expect;
	my %facts = %{$result->{facts}};

	add_record($trust->{records}, 'live', test => $test, load => $load->{name}, word => $word,
		expect => $expect, wrong => $is_wrong ? 1 : 0,
		wrong_limits => join(',', @limits), kernel => $trust->{kernel},
		cpus => $facts{cpus}, mem_kb => $facts{mem_kb},
		cpu_model => $facts{cpu_model}, suite => $facts{suite_version},
		start_s => $start_s, elapsed_ms => $result->{elapsed_ms},
		reason => $word eq $expect && !$is_wrong ? '' : substr($result->{reason}, 0, 400));
	my $says = $is_wrong ? ", WRONG, expected $expect" . (@limits ? ' (' .
		join(', ', @limits) . ')' : '') : $word eq $expect ? ' as expected' : '';
	$says .= ', see ' . keep_run($trust, "$start_s-$load->{name}-" . $test =~ s{/}{-}r)
		if $is_wrong || $word eq 'broken';
	printf("trust: %s, %s: %s%s after %d s\n", $load->{name}, $test, $word, $says,
		time() - $start_s);
	$trust->{wrong} += $is_wrong;
	return time() - $start_s;
}

# earlier($trust): what live runs of this kernel the records hold: ({"test load" =>
# number}, {test => longest, in seconds}).
sub earlier
{
	my ($trust) = @_;
	my ($runs, $longest_s) = ({}, {});

	-e $trust->{records} or return ($runs, $longest_s);
	my $read = read_records($trust->{records});
	for my $live (grep { $_->{kernel} eq $trust->{kernel} } @{$read->{live}}) {
		my $s = $live->{elapsed_ms} / 1000;

		$runs->{"$live->{test} $live->{load}"}++;
		$longest_s->{$live->{test}} = $s
			if $s > ($longest_s->{$live->{test}} // 0);
	}
	return ($runs, $longest_s);
}

# first_run_s($test): about what a run takes, by the recording of the suite.
sub first_run_s
{
	my ($test) = @_;
	my ($ns, $rounds) = (0, 1);

	if (open(my $in, '<', "tests/$test.bad")) {
		while (my $line = <$in>) {
			$rounds = $1 if $line =~ / round=(\d+) /;
			$ns += $1 if $line =~ / elapsed_ns=(\d+)/;
		}
	}
	return $RUN_SETUP_S + int($RUN_ROUNDS * $ns / $rounds / 1e9);
}

# present_loads($trust): those that this machine has; says which it has not.
sub present_loads
{
	my ($trust) = @_;
	my @present;

	for my $name (@{$trust->{loads}}) {
		my $missing = Loads::missing($name);

		if (defined($missing)) {
			print "trust: $name: not here: $missing\n";
			add_record($trust->{records}, 'absent', load => $name, kernel => $trust->{kernel},
				reason => $missing);
		} else {
			push(@present, $name);
		}
	}
	return @present;
}

# stop_runs($trust): neither check nor a load goes on.
sub stop_runs
{
	my ($trust) = @_;
	my ($child, $load) = delete(@{$trust}{qw(child load)});

	if ($child) {
		kill('TERM', $child);
		waitpid($child, 0);
	}
	Loads::stop($load) if $load;
}

# live_runs($trust, $end_s, @tests): all that is not there yet, a run of each before the next;
# none starts that may end after $end_s (0: no end).
sub live_runs
{
	my ($trust, $end_s, @tests) = @_;
	my @loads = present_loads($trust);
	my ($runs, $longest_s) = earlier($trust);
	my %lost;

	$longest_s->{$_} //= first_run_s($_) for @tests;

	for my $pass (0 .. $trust->{runs} - 1) {
		for my $name (@loads) {
			my @wanted = grep { ($runs->{"$_ $name"} // 0) <= $pass } @tests;

			for my $test (sort { $longest_s->{$a} <=> $longest_s->{$b} }
				@wanted) {
				next if $end_s && time() + $longest_s->{$test} > $end_s;
				$trust->{load} //= Loads::start($name, $ENV{IMAGE_DIR});
				my $s = live_run($trust, $test);
				if (!defined($s)) {
					stop_runs($trust);
					++$lost{$name} < $TRIES or die "$TRIES runs " .
						"beside $name came to nothing\n";
					next;
				}
				$runs->{"$test $name"}++;
				$longest_s->{$test} = $s if $s > $longest_s->{$test};
			}
			stop_runs($trust);
		}
	}
}

1;
