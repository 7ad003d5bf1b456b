# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What a test is expected to say of a kernel: fail where configs/known/mainline
# says that a limit of it is known to, or where its .bad was recorded on that very
# kernel; else pass.  Called in the tree of the suite.
package Expected;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(expected_fails recording_head);

# older($a, $b): whether version $a (6.18.44-rc1: the numbers at its start) is
# before $b.
sub older
{
	my @a = split(/\./, $_[0] =~ s/[^0-9.].*//sr);
	my @b = split(/\./, $_[1]);

	for my $i (0 .. 2) {
		my $order = ($a[$i] || 0) <=> ($b[$i] || 0);

		return $order < 0 if $order;
	}
	return 0;
}

# known_limits($file, $test, $kernel): {limit => 1} of DIRECTORY/NNN-NAME, '*' for
# all.  check --known says what is wrong with such a file.
sub known_limits
{
	my ($file, $test, $kernel) = @_;
	my $short = $test =~ s/-.*//sr;
	my %limits;

	open(my $in, '<', $file) or die "$file: $!\n";
	while (my $line = <$in>) {
		my ($name, $limit, @rest) = split(' ', $line =~ s/(?:^|\s)#.*//sr);
		my %version = map { /\A(since|until)=(.+)/ ? ($1 => $2) : () } @rest;

		next if !@rest || $name ne $test && $name ne $short;
		next if older($kernel, $version{since} // '0.0') ||
			!older($kernel, $version{until} // '999999.0');
		$limits{$limit} = 1;
	}
	return \%limits;
}

# recording_head($path): what line 1 of a .good or .bad says: {standin, kernel,
# variables => {FSTYP => ...}, elsewhere}, standin undef where a real kernel was
# recorded; undef where there is no such file.  Elsewhere, undef or {variables}, is
# the stand-in for it on other kernels, by a line of the comment.
sub recording_head
{
	my ($path) = @_;

	open(my $in, '<', $path) or return;
	my $line = <$in> // '';
	my ($standin, $kernel, $command) = $line =~
		/\A# (?:stand-in (\S+), )?kernel (\S+), .*, by (.*)/ or
		die "$path:1: expected '# kernel RELEASE, DATE, by COMMAND'\n";

	my $variables = qr/\b([A-Z]+)=(\S+)/;
	my $elsewhere;
	while ((my $more = <$in> // '') =~ /\A#/) {
		$elsewhere = {variables => {$1 =~ /$variables/g}}
			if $more =~ /\A# a stand-in on other kernels: (.*)/;
	}
	return {standin => $standin, kernel => $kernel, elsewhere => $elsewhere,
		variables => {$command =~ /$variables/g}};
}

# expected_fails($test, $kernel): {limit => 1} of the limits that are to fail, '*'
# for all; {} where the test is to pass.
sub expected_fails
{
	my ($test, $kernel) = @_;
	my $known = known_limits('configs/known/mainline', $test, $kernel);
	my $bad = recording_head("tests/$test.bad");

	return $known if %$known || !$bad || $bad->{standin} ||
		$bad->{kernel} ne $kernel;
	return {'*' => 1};
}

1;
