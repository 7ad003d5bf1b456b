# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Where the tasks of a failed test were blocked: PATH.stacks, as common/stacks
# wrote it.
package Stacks;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Record qw(each_record expected text wrong);

our @EXPORT_OK = qw(percent read_stacks);

my $expected = expected((map { $_ => \@Record::INTEGER } qw(count blocked_ns)),
	map { $_ => \@Record::ANY } qw(arm comm wait lock reason frames));

# percent($share): in words.
sub percent
{
	my ($share) = @_;

	return $share > 0 && $share < .005 ? 'under 1 %' : sprintf('%.0f %%', 100 * $share);
}

# read_stacks($path): what the blocked switches of PATH.stacks waited for, the
# commonest first: [{wait => lock or io, lock, reason, work => of a kworker or '',
# count, blocked_ns, arms and comms => [names], frames => [of the commonest
# stack, innermost first]}...]; undef where there is no such file.  Dies with
# "FILE:LINE: ...\n".
sub read_stacks
{
	my ($path) = @_;
	my (@waits, %wait);

	each_record("$path.stacks", sub {
		my ($kind, $keys) = @_;
		return if $kind ne 'stack';
		my $wrong = wrong($keys, $expected);
		return $wrong if $wrong;
		my %text = map { $_ => text($keys->{$_} // '') } qw(wait lock reason
			work arm comm frames);
		my $wait = $wait{join(' ', @text{qw(wait lock reason work)})} //= do {
			push(@waits, {(map { $_ => $text{$_} } qw(wait lock reason work)),
				count => 0, blocked_ns => 0, top => -1});
			$waits[-1];
		};

		$wait->{$_} += $keys->{$_} for qw(count blocked_ns);
		$wait->{named}{$text{arm}} = $wait->{run}{$text{comm}} = 1;
		return if $keys->{count} <= $wait->{top};
		$wait->{top} = $keys->{count};
		$wait->{frames} = [split(/;/, $text{frames})];
		return;
	}) or return;
	for my $wait (@waits) {
		delete($wait->{top});
		$wait->{arms} = [sort(keys(%{delete($wait->{named})}))];
		$wait->{comms} = [sort(keys(%{delete($wait->{run})}))];
	}
	return [sort { $b->{count} <=> $a->{count} ||
		$b->{blocked_ns} <=> $a->{blocked_ns} } @waits];
}

1;
