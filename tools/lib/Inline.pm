# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Files of common/ put into one, for a tree that has functions of its own.
package Inline;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(slurp functions_of calls_of inline_nouns);

# slurp($file): its content, or die.
sub slurp
{
	open(my $fh, '<', $_[0]) or die("$_[0]: $!\n");
	local $/;
	return <$fh> // '';
}

# functions_of($text): name => definition, with the comment above it.
sub functions_of
{
	my %found;

	while ($_[0] =~ /^((?:[#]\N*\n)*)(\w+)\(\)(?:\n[{(]\n.*?^[})]\n|
		[ \t]*(?:[#]\N*\n[{(]\n.*?^[})]\n|\{\N*\}\n))/msgx) {
		$found{$2} = $&;
	}
	return %found;
}

# calls_of($text, \%known): the functions _name that it calls: each where a command
# may stand, and, of those that are known, where an argument names one.
sub calls_of
{
	my ($text, $known) = @_;
	my $code = $text =~ s/(?:^|[ \t])#.*//mgr;

	# What is quoted is text, or a program for another interpreter, but for
	# what is run later: a clean-up.
	$code =~ s/'[^']*'/''/g;
	my %calls = map { $_ => 1 } $code =~ /(?:^|[;&|(!]|
		\b(?:if|then|else|elif|do|while|until)\s)[ \t]*(?:\w+=\S*[ \t]+)?
		(_\w+)(?=[\s;)]|\z)/mgx;
	my @named = grep { $known->{$_} } $code =~ /(?<![\w\$.{-])(_\w+)\b(?!=)/g;
	return sort(keys(%{{%calls, map { $_ => 1 } @named}}));
}

# __inline($noun, \%leave, \%seen): common/NOUN after what it sources.
sub __inline
{
	my ($noun, $leave, $seen) = @_;

	return '' if $leave->{$noun} || $seen->{$noun}++;
	my $text = slurp("common/$noun");
	my $before = join('', map { __inline($_, $leave, $seen) }
		$text =~ m{^\. \./common/(\w+)}mg);
	$text =~ s{^\. \./common/\w+.*\n}{}mg;
	$text =~ s/\A(?:# (?:SPDX|Copyright).*\n)*#\n//;
	return "$before\n# From common/$noun.\n#\n$text";
}

# inline_nouns(\@nouns, \%leave, \%lent, \%theirs, @users): the text of these files
# of common/ and of what they source, but for those to leave; then, one by one, the
# functions of the latter that it or the users call: private ones, and those lent
# where they are not theirs.  Dies with a line where a function is theirs as well
# as ours, or nobody's.
sub inline_nouns
{
	my ($nouns, $leave, $lent, $theirs, @users) = @_;
	my %seen;
	my %known = map { functions_of(slurp($_)) } grep { -f } glob('common/*');
	my $text = join('', map { __inline($_, $leave, \%seen) } @$nouns);
	my %own = functions_of($text);
	my @open = ($text, @users);

	for my $name (sort(keys(%own))) {
		die("$theirs->{$name} has a function $name, as we have\n")
			if $theirs->{$name};
	}
	while (defined(my $part = shift(@open))) {
		my %local = functions_of($part);
		for my $name (calls_of($part, \%known)) {
			next if $theirs->{$name} || $own{$name} || $local{$name};
			$known{$name} && ($lent->{$name} || $name =~ /^__/) or
				die("this fstests has no $name, which we call\n");
			$own{$name} = $known{$name};
			$text .= "\n$own{$name}";
			push(@open, $own{$name});
		}
	}
	return $text;
}

1;
