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
my $options = qr/--(?:rounds|time-budget|timeout|known) \S+|--no-confirm|--background-load|--record/;

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
	my $facts = $test->{facts};
	my @options = ($facts->{check_options} // '') =~ /(?:\A|(?<= ))($options)(?= |\z)/g;
	my @names = length($run->{section}) ? qw(host_options) : (qw(fstyp mkfs_options mount_options
		test_fs_mount_opts use_external test_logdev scratch_logdev),
		# Images of check's own are made anew.
		($facts->{test_dir} // '') =~ m{/fsratio\.\d+\.\d+/} ? () : qw(test_dev test_dir scratch_dev scratch_mnt));
	my %default = (fstyp => 'xfs', time_factor => 1, load_factor => 1);

	return join(' ', 'sudo', (map { uc($_) . '=' . quoted($facts->{$_}) } grep { length($facts->{$_} // '') &&
		$facts->{$_} ne ($default{$_} // '') } @names, qw(standin time_factor load_factor)),
		($env->{bound} // '') eq '6' ? 'BISECT=1' : (), './check', (map { quoted($_) } map { split(/ /) } @options),
		length($run->{section}) ? ('-s', quoted($run->{section})) : (), quoted($test->{name}));
}

1;
