# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-test of make install-into: a tree with the contract of fstests, as
# far as our tests rely on it, in our words.  What it prints, and what it sets, is
# as there: _scratch_mkfs is not silent, a test runs without set -u.
package FakeFstests;
use strict;
use warnings;
use Exporter qw(import);
use CheckRun qw(spew);

our @EXPORT = qw(make_fstests);

my $preamble = <<'END';
_cleanup()
{
	cd /
	rm -r -f $tmp.*
}

_register_cleanup()
{
	local cleanup="$1"
	shift
	trap "${cleanup:+$cleanup; }exit \$status" EXIT HUP INT QUIT TERM $*
}

_begin_fstest()
{
	seq=$(basename "$0")
	seqres=$RESULT_DIR/$seq
	here=$(pwd)
	tmp=/tmp/$$
	status=1
	echo "QA output created by $seq"
	_register_cleanup _cleanup
	. ./common/rc
	rm -f $seqres.full $seqres.hints
}
END

my $rc = <<'END';
_exit()
{
	status="$1"
	exit "$status"
}

_fail()
{
	echo "$*" | tee -a $seqres.full
	echo "(see $seqres.full for details)"
	_exit 1
}

_notrun()
{
	echo "$*" >$seqres.notrun
	echo "$seq not run: $*"
	rm -f ${RESULT_DIR}/require_scratch*
	_exit 0
}

_fixed_by_kernel_commit()
{
	echo "HINT: $*" >>$seqres.hints
}

_require_scratch_nocheck()
{
	[ -b "$SCRATCH_DEV" ] || _notrun "no SCRATCH_DEV"
	_scratch_unmount
}

_require_scratch()
{
	_require_scratch_nocheck
	touch ${RESULT_DIR}/require_scratch
}

_require_scratch_size()
{
	[ $(($(blockdev --getsize64 $SCRATCH_DEV) / 1024)) -ge $1 ] ||
		_notrun "scratch dev too small"
}

_require_loop()
{
	[ -e /dev/loop-control ] || _notrun "no loop devices"
}

_require_program()
{
	type -P "$1" >/dev/null || _notrun "$1 required"
}

_require_test_program()
{
	[ -x $here/src/$1 ] || _notrun "$here/src/$1 not built, see README"
}

_scratch_mkfs()
{
	mkfs.$FSTYP -f $MKFS_OPTIONS $* $SCRATCH_DEV
}

_scratch_mkfs_sized()
{
	_scratch_mkfs -d size=$1
}

_try_scratch_mount()
{
	mount -t $FSTYP $* $SCRATCH_DEV $SCRATCH_MNT
}

_scratch_mount()
{
	_try_scratch_mount $* || _fail "mount failed"
}

_scratch_unmount()
{
	! mountpoint -q $SCRATCH_MNT || umount $SCRATCH_MNT
}

_scratch_cycle_mount()
{
	_scratch_unmount
	_scratch_mount $*
}

_check_scratch_fs()
{
	_scratch_unmount
	xfs_repair -n $SCRATCH_DEV >>$seqres.full 2>&1 || _fail "inconsistent"
}
END

# A line a test: its name and pass, fail or the reason of a notrun.
my $check = <<'END';
#! /bin/bash
for test; do
	test=$(ls tests/$test* | grep -v '\.')
	export RESULT_DIR=$PWD/results/$(basename $(dirname $test))
	mkdir -p $RESULT_DIR
	res=$RESULT_DIR/$(basename $test)
	rm -f $res.*
	./$test >$res.out 2>&1
	rc=$?
	mountpoint -q $SCRATCH_MNT && umount $SCRATCH_MNT
	if [ -e $res.notrun ]; then
		word="notrun $(<$res.notrun)"
	elif [ $rc = 0 ] && cmp -s $res.out $test.out; then
		word=pass
	else
		word="fail $(grep -v '^QA output' $res.out | tr '\n' ' ')"
	fi
	echo "${test#tests/} $word"
done
END

my $groups = <<'END';
======================= =======================================================
Group Name:             Description:
======================= =======================================================
clone                   reflink
fiemap                  FIEMAP
metadata                directories and inodes
punch                   holes
quick                   short
rw                      reads and writes
======================= =======================================================
END

# make_fstests($dir): write the tree.
sub make_fstests
{
	my ($dir) = @_;

	for my $part ('', qw(/common /doc /src /tests /tests/generic /tests/xfs)) {
		mkdir("$dir$part");
	}
	spew("$dir/check", $check);
	chmod(0755, "$dir/check");
	spew("$dir/common/preamble", $preamble);
	spew("$dir/common/rc", $rc);
	spew("$dir/doc/group-names.txt", $groups);
	spew("$dir/tests/xfs/001", "#! /bin/bash\n# theirs\n");
	spew("$dir/tests/xfs/9002-theirs", "#! /bin/bash\n# theirs\n");
}

1;
