#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Tests that decide nothing: not run where they come to their end, broken where
# anything goes wrong, and never a fail of the kernel.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;
my $begin = ". ./common/opinion\n_opinion_begin\n";
my %cases = (
	'001-end' => [3, 'notrun', "${begin}_opinion_end at 2 copies 70 %",
		'decides nothing: at 2 copies 70 %'],
	'002-fail' => [2, 'broken', "${begin}_fail mkfs failed", 'mkfs failed'],
	'003-said-broken' => [2, 'broken', "${begin}_fail broken: no mount",
		'no mount'],
	'004-subshell' => [2, 'broken', "${begin}x=\$(_fail no sample) || _exit 1",
		'no sample'],
	'005-cleanup' => [2, 'broken', "_cleanup() { echo cleaned >\$seqres.left; }\n" .
		"${begin}_fail first\n", 'first'],
	'006-before' => [1, 'fail', "_fail it is the kernel\n$begin",
		'it is the kernel'],
	'007-other-reason' => [2, 'broken', "_fail broken: what was asked", 'what was asked'],
);
$CheckRun::tree = own_tree(map { $_ => $cases{$_}[2] } keys(%cases));
for my $name (sort(keys(%cases))) {
	my ($want, $word, undef, $reason) = @{$cases{$name}};
	my ($out, $status, $results) = run_check({}, "selftest/$name");

	is($status, $want, "$name, $word: exit status");
	my %line = (notrun => qr/^selftest\/$name\t\[not run\] \Q$reason\E$/m,
		broken => qr/^Broken: selftest\/$name: \Q$reason\E$/m,
		fail => qr/\A(?!.*^Broken:).*^Failures: selftest\/$name$/ms);
	like($out, $line{$word}, "$name: and its reason");
	is(slurp("$results/selftest/$name.left"), "cleaned\n",
		'what the test has to undo is undone') if $name eq '005-cleanup';
}

done_testing();
