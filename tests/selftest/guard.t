#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# common/guard: what a helper's findings and exit status make of its test, and
# the evidence that is kept and removed.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use Test::More;

plan skip_all => 'needs root' if $> != 0;

# PROGRAM STATUS FINDINGS: prints so many findings, says something, ends so.
my $program = <<'EOT';
#! /bin/bash
for ((i = 1; i <= $2; i++)); do
	echo "file f$i: bad"
done
echo "first words" >&2
echo "last words" >&2
exit "$1"
EOT

# The body of a test that runs it.
sub body
{
	my ($status, $findings, $more) = @_;

	return ". ./common/guard\n_guard_run prog $status $findings\n" . ($more // '') .
		"echo 'Silence is golden'\n_exit 0";
}

my $keep = <<'EOT';
if [ "$guard_findings" != 0 ]; then
	GUARD_KEEP_BYTES=2000
	echo evidence >"$tmp.small"
	head -c 100000 /dev/zero >"$tmp.zeros"
	head -c 100000 /dev/urandom >"$tmp.random"
	_guard_keep "$tmp.small" ops
	_guard_keep "$tmp.zeros" zeros
	_guard_keep "$tmp.random" random
fi
EOT

# name => [body, the line of check, environment]
my %cases = (
	'101-clean' => [body(0, 0), qr/\d+s/],
	'102-findings' => [body(0, 12), qr/- output mismatch \(see .*/],
	'103-ended' => [body(3, 1, $keep), qr/- output mismatch \(see .*/],
	'104-no-finding' => [body(3, 0), qr/.*broken: prog exit 3 without a finding: last words\)/],
	'105-unsupported' => [body(77, 0), qr/\[not run\] last words/],
	'106-broken' => [body(1, 3), qr/.*broken: prog exit 1: last words\)/],
	'107-usage' => [body(2, 0), qr/.*broken: prog exit 2: last words\)/],
	'108-killed' => [". ./common/guard\ncp /bin/sh kill9\n_guard_run kill9 -c 'kill -9 \$\$'\n_exit 0",
		qr/.*broken: kill9 exit 137: without a word\)/],
	'109-own' => [". ./common/guard\n_guard_finding 'xfs_repair: clean expected'\n_exit 0",
		qr/- output mismatch \(see .*/],
	'110-seed' => [". ./common/guard\n_guard_seed\necho 'Silence is golden'\n_exit 0", qr/\d+s/],
);
my %bodies = map { $_ => $cases{$_}[0] } keys %cases;
$CheckRun::tree = own_tree(%bodies);
spew("$CheckRun::tree/prog", $program);
chmod 0755, "$CheckRun::tree/prog" or die;

my ($out, $status, $results) = run_check({GUARD_SEED => 7}, map { "selftest/$_" } sort keys %cases);
my $dir = "$results/selftest";

is($status, 1, 'exit status: some fail');
for my $name (sort keys %cases) {
	like($out, qr{^selftest/$name\t ?$cases{$name}[1]$}m, $name) or diag($out);
}
is(() = (slurp("$dir/102-findings.out.bad") =~ /^file f\d+: bad$/mg), 10, 'the first 10 findings are output');
is(() = (slurp("$dir/102-findings.full") =~ /^file f\d+: bad$/mg), 12, 'all are in .full');
like(slurp("$dir/102-findings.full"), qr/^first words$/m, 'stderr is in .full');
like(slurp("$dir/109-own.out.bad"), qr/^xfs_repair: clean expected$/m, 'a finding of the test itself');
like(slurp("$dir/110-seed.full"), qr{^GUARD_SEED=7 FSTYP=xfs \./check selftest/110-seed$}m, 'the line that repeats it');

is(slurp("$dir/103-ended.ops"), "evidence\n", 'evidence is kept');
is(`gzip -dc $dir/103-ended.zeros.gz | wc -c`, "100000\n", 'what is large is compressed');
ok(!-e "$dir/103-ended.$_", "no $_") for qw(zeros random random.gz);
like(slurp("$dir/103-ended.full"), qr/^left out, too large: \S+103-ended\.random\.gz$/m, 'what is left out is said');

# The next run, without findings, removes the evidence, and nothing else.
spew("$dir/103-ended.mine", 'mine');
spew("$CheckRun::tree/prog", $program =~ s/exit "\$1"/exit 0/r =~ s/<= \$2/<= 0/r);
($out, $status) = run_check({RESULT_BASE => $results}, 'selftest/103');
is($status, 0, 'it passes now');
ok(!-e "$dir/103-ended.$_", "$_ is gone") for qw(ops zeros.gz kept);
is(slurp("$dir/103-ended.mine"), 'mine', 'what it did not keep is there');

($out, $status) = run_check({GUARD_SEED => '7x'}, 'selftest/110');
like($out, qr/broken: GUARD_SEED: expected a whole number of at most 19 digits, found '7x'/, 'a bad seed is broken');
is($status, 2, 'exit status: broken');

done_testing();
