# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The command that measures a test again, as far as its results tell.
package Command;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(repeat_command);

# Options of check that change what is measured or what is made of it.
my $options = qr/--(?:rounds|time-budget|timeout|known)[ ]\S+|
	--no-confirm|--background-load|--record/x;
# Variables, as facts; those of a section stand in its file, but for the first.
my @any = qw(standin time_factor load_factor);
my @no_section = qw(fstyp mkfs_options mount_options test_fs_mount_opts use_external
	test_logdev scratch_logdev test_dev test_dir scratch_dev scratch_mnt);
my %default = (fstyp => 'xfs', time_factor => 1, load_factor => 1);

# quoted($text): as one word of a shell.
sub quoted
{
	my ($text) = @_;

	return $text if $text =~ m{\A[A-Za-z0-9_./:,@%+=-]+\z};
	return "'" . $text =~ s/'/'\\''/gr . "'";
}

# repeat_command($run, $test, $env): of a run and test of Results.pm and the env
# record of its samples ({} without), for a shell in the tree of the suite.
sub repeat_command
{
	my ($run, $test, $env) = @_;
	my %facts = %{$test->{facts}};
	my $section = $run->{section};
	my @words = ('./check');

	# Images of check's own are made anew.
	delete(@facts{grep { /\A(?:test|scratch)_(?:dev|dir|mnt)\z/ } keys(%facts)})
		if ($facts{test_dir} // '') =~ m{/fsratio\.\d+\.\d+/};
	unshift(@words, 'BISECT=1') if ($env->{bound} // '') eq '6';
	unshift(@words, map { uc($_) . '=' . quoted($facts{$_}) } grep {
		length($facts{$_} // '') && $facts{$_} ne ($default{$_} // '')
	} length($section) ? 'host_options' : @no_section, @any);
	push(@words, map { quoted($_) } map { split(/ /) }
		($facts{check_options} // '') =~ /(?:\A|(?<= ))($options)(?= |\z)/g);
	push(@words, '-s', quoted($section)) if length($section);
	return join(' ', 'sudo', @words, quoted($test->{name}));
}

1;
