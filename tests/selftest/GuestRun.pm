# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests in real guests: what they need, a tree of their own that the
# guests run, kernels of Debian, and a shell that is typed in.
package GuestRun;

use strict;
use warnings;
use Cwd qw(getcwd);
use Exporter qw(import);
use File::Temp qw(tempdir);
use IO::Handle;
use CheckRun;
use Test::More;

our @EXPORT = qw(guest_plan guest last_kernel);

my $dir;

# guest_plan(): skips all where a tool is missing; else a directory with tree/,
# whose src/ holds links to our programs, and which RESULT_BASE is in.
sub guest_plan
{
	my $top = getcwd();
	my $src = $ENV{FSRATIO_SRC} // "$top/src";

	for my $tool (qw(qemu-system-x86_64 mmdebstrap apt-get cpio)) {
		plan(skip_all => "needs $tool")
			if system("command -v $tool >/dev/null");
	}
	$> and plan(skip_all => 'needs root');
	$dir = tempdir('fsratio-guest-XXXXXX', TMPDIR => 1, CLEANUP => 1);
	mkdir("$dir/$_") or die "$dir/$_: $!" for qw(tree tree/src);
	symlink("$top/$_", "$dir/tree/$_") or die "$_: $!"
		for qw(check common configs tests tools);
	symlink($_, "$dir/tree/src/" . s{.*/}{}r) or die "$_: $!"
		for grep { -f && -x } glob("$src/*");
	$ENV{RESULT_BASE} = "$dir/results";
	delete @ENV{qw(BISECT FSTYP MKFS_OPTIONS MOUNT_OPTIONS STANDIN
		MEASURE_TRACE)};
	return $dir;
}

# last_kernel($series): the last cloud kernel of it that apt-cache lists, or undef.
sub last_kernel
{
	my ($series) = @_;
	my @names = `apt-cache search --names-only \\
		'^linux-image-\Q$series\E[.+0-9a-z-]*-cloud-amd64\$'`;
	chomp(@names = map { s/ - .*//r } @names);
	my %key = map { $_ => join('', map { sprintf('%06d', $_) } /(\d+)/g) }
		grep { !/-dbg$/ && /-\Q$series\E\./ } @names;

	return (sort { $key{$a} cmp $key{$b} } keys %key)[-1];
}

# guest($input, @arguments): tools/guest: (status, stdout, stderr).  The input is
# typed when the shell is there.
sub guest
{
	my ($input, @args) = @_;

	unlink(glob("$dir/results/guest/*/console.log"));
	open(my $typed, '|-', "$dir/tree/tools/guest @args >$dir/out 2>$dir/err")
		or die "guest: $!";
	$typed->autoflush(1);
	wait_for(300, sub { grep { slurp($_) =~ /exit ends the guest/ }
		glob("$dir/results/guest/*/console.log") }) if $input;
	print $typed $input;
	close($typed);
	return ($? >> 8, slurp("$dir/out"), slurp("$dir/err"));
}

1;
