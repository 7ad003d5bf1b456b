#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# .ci/run fails if any of its parts does, and runs all of them even so.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

my $dir = tempdir('fsratio-ci-XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub write_script
{
	my ($path, $text) = @_;
	open(my $fh, '>', $path) or die "$path: $!";
	print $fh "#! /bin/bash\n$text";
	close($fh) or die "$path: $!";
	chmod(0755, $path);
}

mkdir("$dir/$_") or die for qw(.ci bin);
copy(abs_path('tests/selftest/../..') . '/.ci/run', "$dir/.ci/run") or die;
# Each part is a stand-in that logs its call, and fails where it is told to.
my $stand_in = <<'END';
call="${0##*/} $*"
[[ $PWD == "$TOP" ]] || call+=" in $PWD"
! read -r || call+=" reads stdin"
echo "$call" >>"$TOP/log"
[[ $call != "$FAILS" ]]
END
for my $name ('quickstart', 'check', 'bin/make') {
	write_script("$dir/$name", $stand_in);
}

# (status, log): with one part that fails
sub run
{
	my ($fails) = @_;
	unlink("$dir/log");
	my $status = system("cd / && echo line | env TOP=$dir CI=true " .
		"FAILS='$fails' PATH=$dir/bin:\$PATH bash $dir/.ci/run " .
		">$dir/out 2>&1") >> 8;
	open(my $fh, '<', "$dir/log") or return ($status);
	chomp(my @log = <$fh>);
	return ($status, @log);
}

my ($status, @log) = run('');
is($status, 0, 'all parts pass');
is($log[0], 'quickstart selftest', 'README\'s test command comes first');
ok((grep { $_ eq 'make lint' } @log), 'lint is a part');
for my $part (@log) {
	is_deeply([run($part)], [1, @log], "$part fails");
}

done_testing();
