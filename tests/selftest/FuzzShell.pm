# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests that damage what bash reads: one bash, which does the same work
# again and again, each time in a subshell.
package FuzzShell;

use strict;
use warnings;
use FuzzRun qw(slurp spew);
use IO::Handle;
use IPC::Open2 qw(open2);

# start($class, $dir, $top, \%env, $before, $work): a bash with nothing but this
# environment.  It runs $before once, and $work each time that it is asked to; $1 is
# $top, $2 is $dir.
sub start
{
	my ($class, $dir, $top, $env, $before, $work) = @_;
	my %self = (dir => $dir);

	spew("$dir/driver", "$before\nwhile read -r; do\n(\n$work\n) >\"\$2/out\" 2>\"\$2/err\" </dev/null\n" .
		"echo \"\$?\"\ndone\n");
	$self{pid} = open2($self{from}, $self{to}, 'env', '-i', "PATH=$ENV{PATH}", 'LC_ALL=C',
		(map { "$_=$env->{$_}" } keys %$env), 'bash', '-u', "$dir/driver", $top, $dir);
	$self{to}->autoflush(1);
	return bless(\%self, $class);
}

# ask(): do the work; (exit status, stdout, stderr), nothing where bash has died.
sub ask
{
	my ($self) = @_;

	print { $self->{to} } "\n" or die "driver: $!";
	my $status = readline($self->{from}) // return;
	chomp($status);
	return ($status, map { slurp("$self->{dir}/$_") } qw(out err));
}

# end(): the wait status of bash.
sub end
{
	my ($self) = @_;

	close($self->{to});
	waitpid($self->{pid}, 0);
	return $?;
}

1;
