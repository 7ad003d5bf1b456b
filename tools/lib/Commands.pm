# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What set-up and the arms of a test ran: PATH.commands, as common/commands wrote it.
package Commands;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Record qw(each_record expected text wrong);

our @EXPORT_OK = qw(read_commands);

my %expected = (
	command => expected(step => [qr/\A(?:setup|arm)\z/, 'setup or arm'],
		line => \@Record::ANY),
	fs => expected(mount => \@Record::ANY, info => \@Record::ANY),
);

# read_commands($path): {setup => [lines], arms => [{arm, lines}...] in their order, fs =>
# [{mount, info => [lines of xfs_info]}...]}; undef where there is no such file.  Dies
# with "FILE:LINE: ...\n".
sub read_commands
{
	my ($path) = @_;
	my $read = {setup => [], arms => [], fs => []};

	each_record("$path.commands", sub {
		my ($kind, $keys) = @_;
		my $expected = $expected{$kind} or return;
		my $wrong = wrong($keys, $expected);

		return $wrong if $wrong;
		s/%([0-9A-F]{2})/chr(hex($1))/ge for values(%$keys);
		if ($kind eq 'fs') {
			push(@{$read->{fs}}, {mount => text($keys->{mount}),
				info => [map { text($_) } split(/\n/, $keys->{info})]});
		} elsif ($keys->{step} eq 'setup') {
			push(@{$read->{setup}}, text($keys->{line}));
		} else {
			my $arm = text($keys->{arm} // '');

			push(@{$read->{arms}}, {arm => $arm, lines => []})
				if !@{$read->{arms}} || $read->{arms}[-1]{arm} ne $arm;
			push(@{$read->{arms}[-1]{lines}}, text($keys->{line}));
		}
		return;
	}) or return;
	return $read;
}

1;
