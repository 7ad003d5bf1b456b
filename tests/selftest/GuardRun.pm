# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of the guards: run one by check over a layer, a library
# between its helper and the kernel that breaks the rule GUARD_FAULT.
package GuardRun;

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use FindBin;
use CheckRun;
use HelperRun ();
use Test::More;

our @EXPORT = qw(guard_plan guard_passes guard_fails);

my ($guard, $layer);

# guard_plan($test, $layer): the guard, dir/NNN-name, and the C file of its
# layer beside the self-tests; skips all of them where they cannot be run.
sub guard_plan
{
	my $source;

	($guard, $source) = @_;
	plan skip_all => 'needs root' if $> != 0;
	plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';
	$layer = HelperRun::work_dir() . '/layer.so';
	HelperRun::build($layer, ['-shared', '-fPIC'], "$FindBin::Bin/$source") or
		die("$source cannot be built");
}

# guard_run(\%env): (the line of check on the guard, all it said, its results).
sub guard_run
{
	my ($env) = @_;
	my $images = tempdir('fsratio-images.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
	my ($out, $status, $results) = run_check({%$env, IMAGE_DIR => $images}, $guard);
	my ($line) = $out =~ /^(\Q$guard\E\s.*)$/m;

	is(ours_left($images), '', "$guard: no device is left");
	return ($line // '', $out, $results, $status);
}

# guard_passes(\%env): it passes, with the layer loaded and no rule broken.
sub guard_passes
{
	my ($env) = @_;
	my ($line, $out, $results, $status) = guard_run({LD_PRELOAD => $layer, %$env});

	like($line, qr/^\S+\s+\d+s$/, "$guard: passes where no rule is broken") or diag($out);
	is($status, 0, "$guard: exit status 0") or diag($out);
	ok(!-e "$results/$guard.kept", "$guard: no evidence is kept");
}

# guard_fails($fault, $finding, \@evidence, \%env): with the rule broken it fails,
# a line of its output matches the pattern, and these files are kept.
sub guard_fails
{
	my ($fault, $finding, $evidence, $env) = @_;
	my ($line, $out, $results, $status) = guard_run({LD_PRELOAD => $layer,
		GUARD_FAULT => $fault, %{$env // {}}});

	# Not by a checker that found more: by what the guard said.
	like($line, qr/^\S+\s.*- output mismatch \((?:see|output mismatch)/, "$fault: fails") or diag($out);
	is($status, 1, "$fault: exit status 1");
	like(slurp("$results/$guard.out.bad") // '', qr/^$finding$/m, "$fault: says so");
	ok(-s "$results/$guard.$_", "$fault: $_ is kept") for @$evidence;
}

1;
