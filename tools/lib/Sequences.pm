# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Sequences of recorded rounds, judged by src/trust_sim and added to the records.  For
# tools/trust, which gives what it works with: {base, records, sequences, wrong => how
# many wrong words so far}.  Trouble dies with a line.
package Sequences;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Expected qw(recording_head);
use Record qw(record);
use TrustRecords qw(add_record);

our @EXPORT_OK = qw(simulate);

my $DRAWS = 33;	# sequences of independent rounds, for each of the others

# simulate($trust, @tests): each recording of each.
sub simulate
{
	my ($trust, @tests) = @_;
	my $n = 0;

	-x 'src/trust_sim' or
		die "src/trust_sim is not built; run make src/trust_sim\n";
	for my $test (@tests) {
		for my $path ("tests/$test", "$trust->{base}/recordings/$test") {
			my $source = $path =~ m{\Atests/} ? 'tree' : 'here';

			for my $side (grep { -e "$path.$_" } qw(good bad)) {
				$n++;
				simulate_one($trust, $test, $side, $source, "$path.$side");
			}
		}
	}
	$n or die 'no recordings of ', join(', ', @tests), "\n";
}

sub simulate_one
{
	my ($trust, $test, $side, $source, $path) = @_;
	my $head = recording_head($path);
	my @command = ('src/trust_sim', "tests/$test.limits", $side, $path,
		$trust->{sequences}, $trust->{sequences} * $DRAWS);
	my $bad = 0;

	open(my $out, '-|', @command) or die "src/trust_sim: $!\n";
	while (my $line = <$out>) {
		chomp($line);
		my ($kind, $keys) = record($line);

		die "src/trust_sim: $line\n" if ($kind // '') ne 'sim';
		add_record($trust->{records}, 'sim', test => $test, side => $side, source => $source,
			standin => $head->{standin}, kernel => $head->{kernel},
			start_s => time(), map { $_ => $keys->{$_} } sort(keys(%$keys)));
		next if !$keys->{wrong} || $keys->{case} =~ /\A(?:moved|independent)\z/;
		$bad++;
		print "trust: WRONG: $test $keys->{limit}, $side, $keys->{case}: " .
			"$keys->{wrong} of $keys->{sequences} sequences\n";
	}
	close($out) or die "src/trust_sim cannot judge $path\n";
	$trust->{wrong} += $bad;
	print "trust: $test, $side (recorded " . ($source eq 'tree' ?
		'with the suite' : 'here') . "): $trust->{sequences} sequences a limit, " .
		($bad ? "wrong words in $bad cases\n" : "no wrong word\n");
}

1;
