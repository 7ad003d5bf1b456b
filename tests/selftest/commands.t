#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# NNN.commands, what set-up and the arms of a test ran: all of it, as a shell would
# take it, once, and without what is of the run alone.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, 'tools/lib';
use CheckRun;
use Record qw(each_record);
use Test::More;

plan skip_all => 'needs root' if $> != 0;

# commands_of($file): [step, arm or '', line]... and {mount => info}.
sub commands_of
{
	my ($file) = @_;
	my (@commands, %fs);

	each_record($file, sub {
		my ($kind, $keys) = @_;

		s/%([0-9A-F]{2})/chr(hex($1))/ge for values(%$keys);
		push(@commands, [$keys->{step}, $keys->{arm} // '', $keys->{line}]) if $kind eq 'command';
		$fs{$keys->{mount}} = $keys->{info} if $kind eq 'fs';
		return;
	}) or return;
	return (\@commands, \%fs);
}

my $measure = <<'END';
. ./common/measure
sample() { echo "sample ${machine_mounts[0]} threads=1 ops=100 vcsw=0 run_delay_ns=0 elapsed_ns=$1"; }
_interleave setup one bad
_judge
_exit 0
END
$CheckRun::tree = own_tree(
	'001-quoted' => <<'END' . $measure,
setup() { mkdir "$tmp.dir" && cp ./common/measure "$tmp.dir/a b"; }
one() { sample 1000; }
bad() ( set -o pipefail; "$here/src/spin" --ops 1 'n=x:y ~ "*W*"' 2>/dev/null | cat >/dev/null; sample 1100; )
END
	'002-none' => "setup() { :; }\none() { sample 1000; }\nbad() { sample 1100; }\n$measure",
	'003-scratch' => <<'END' . $measure,
_require_scratch
setup()
{
	_scratch_mkfs_geometry agcount=4 log_bytes=$((64 << 20))
	_scratch_mount
	truncate -s 1m "$SCRATCH_MNT/file"
}
one() { sample 1000; }
bad() { sample 1100; }
END
	'004-slices' => <<'END' . $measure,
_require_scratch
. ./common/slices
_scratch_slices 2
setup() { _slice_mkfs_geometry 0 agcount=2; _slice_mkfs_geometry 1 agcount=4; _slice_mount 1; }
one() { sample 1000; }
bad() { sample 1100; }
END
	'005-fails' => "setup() { mkdir /nosuch/dir; return 1; }\none() { :; }\nbad() { :; }\n$measure",
	'006-arm' => "setup() { :; }\none() { sample 1000; }\nbad() { mkdir /nosuch/dir 2>/dev/null; return 3; }\n$measure",
);
for my $test (glob("$CheckRun::tree/tests/selftest/*.limits")) {
	my $text = slurp($test =~ s/\.limits//r);
	# The functions of a test stand before they are called.
	my ($head, $functions, $rest) = $text =~ /\A(.*?_begin_fstest selftest\n)(.*?)(\. \.\/common\/measure.*)\z/s or die $test;
	spew($test =~ s/\.limits//r, $head . $rest =~ s/^(?=_interleave)/$functions/mr);
}
my ($out, $status, $results) = run_check({}, 'selftest/001', 'selftest/002');
is($status, 0, 'traced tests pass') or diag($out);
my ($commands) = commands_of("$results/selftest/001-quoted.commands");
my ($made) = $commands->[0][2] =~ /^mkdir (\S+)$/;
is_deeply($commands, [['setup', '', "mkdir $made"], ['setup', '', "cp ./common/measure '$made/a b'"],
	['arm', 'bad', q(src/spin --ops 1 'n=x:y ~ "*W*"')]], 'what set-up ran, and an arm, in a subshell too, in one round');
is_deeply([commands_of("$results/selftest/002-none.commands")], [[], {}], 'nothing where nothing was run');
unlike(slurp("$results/selftest/001-quoted.full"), qr/^\+/m, 'no trace among the output');

($out, $status, $results) = run_check({}, 'selftest/003', 'selftest/004');
is($status, 0, 'on file systems') or diag($out);
($commands, my $fs) = commands_of("$results/selftest/003-scratch.commands");
is_deeply($commands, [['setup', '', 'mkfs.xfs -f -d agcount=4 -l size=67108864 ${SCRATCH_DEV}'],
	['setup', '', 'mount -t xfs ${SCRATCH_DEV} ${SCRATCH_MNT}'], ['setup', '', 'truncate -s 1m ${SCRATCH_MNT}/file']],
	'the lines of mkfs and mount');
is_deeply([keys(%$fs)], ['${SCRATCH_MNT}'], 'and one file system');
like($fs->{'${SCRATCH_MNT}'}, qr/\Ameta-data=\$\{SCRATCH_DEV\} +isize=512 +agcount=4, .*\nlog +=internal /s, 'as xfs_info shows it');
($commands, $fs) = commands_of("$results/selftest/004-slices.commands");
my ($bytes) = $commands->[0][2] =~ / --sizelimit (\d+) /;
is_deeply([map { $_->[2] } @$commands], ["losetup --offset 0 --sizelimit $bytes --direct-io=on \${SLICE_DEVS[0]} \${SCRATCH_DEV}",
	"losetup --offset $bytes --sizelimit $bytes --direct-io=on \${SLICE_DEVS[1]} \${SCRATCH_DEV}",
	'mkfs.xfs -f -d agcount=2 ${SLICE_DEVS[0]}', 'mkfs.xfs -f -d agcount=4 ${SLICE_DEVS[1]}', 'mount -t xfs ${SLICE_DEVS[1]} ${SLICE_MNTS[1]}'], 'slices');
is_deeply([keys(%$fs)], ['${SLICE_MNTS[1]}'], 'of which one is mounted');

($out, $status, $results) = run_check({}, 'selftest/005', 'selftest/006');
is($status, 2, 'a set-up that fails is broken, an arm too');
like($out, qr/^Broken: selftest\/005-fails: set-up of series 1 failed$/m, 'with the words of it');
like($out, qr/^Broken: selftest\/006-arm: arm bad, round 1: exit 3: no message$/m, 'and its status');
is_deeply((commands_of("$results/selftest/006-arm.commands"))[0], [['arm', 'bad', 'mkdir /nosuch/dir']], 'it is noted all the same');
spew("$results/selftest/002-none.commands", "left\n");
($out, $status) = run_check({RESULT_BASE => $results}, 'selftest/002');
is(slurp("$results/selftest/002-none.commands"), '', 'nothing of an older run is left');
done_testing();
