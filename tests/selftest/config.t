#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# local.config: what it may say and what each line means; it is read, never
# executed.  config_fuzz.t damages such files.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use ConfigRun;
use Test::More;

my $dir = results_dir();
my $canary = "$dir/executed";
my $file = "$dir/config";

# load($text, \%env, @sections): read the file in a clean bash and enter the
# sections (none: the first); (keys that are not as by default, stderr, status).
sub load
{
	my ($text, $env, @sections) = @_;

	spew($file, $text);
	return config_run({HOST_OPTIONS => $file, %{$env // {}}}, @sections);
}

# The keys that each file sets; with a third element, in that environment.
my @good = (
	['', ''],
	["# a comment\n\n   \n\t\n", ''],
	["TEST_DEV=/dev/vdb\n", 'TEST_DEV=/dev/vdb'],
	["export TEST_DEV=/dev/vdb\n", 'TEST_DEV=/dev/vdb'],
	["export \t TEST_DEV=/dev/vdb\n", 'TEST_DEV=/dev/vdb'],
	["  TEST_DEV=/dev/vdb  \n", 'TEST_DEV=/dev/vdb'],
	["TEST_DEV=/dev/vdb", 'TEST_DEV=/dev/vdb'],
	["TEST_DEV=/dev/vdb # the second disk\n", 'TEST_DEV=/dev/vdb'],
	["TEST_DEV=/dev/disk#2\n", 'TEST_DEV=/dev/disk#2'],
	["TEST_DEV= # none\n", ''],
	["TEST_DEV=192.168.14.1:6789:/\n", 'TEST_DEV=192.168.14.1:6789:/'],
	["TEST_DEV=/dev/disk/by-id/nvme-x_[1]{2}\n", 'TEST_DEV=/dev/disk/by-id/nvme-x_[1]{2}'],
	["MKFS_OPTIONS=\"-m reflink=1 -d agcount=4\"\n", 'MKFS_OPTIONS=-m reflink=1 -d agcount=4'],
	["MKFS_OPTIONS='-m reflink=1'  # why\n", 'MKFS_OPTIONS=-m reflink=1'],
	["MKFS_OPTIONS=\"-L it's\"\n", "MKFS_OPTIONS=-L it's"],
	["MKFS_OPTIONS='-L \"#1\"'\n", 'MKFS_OPTIONS=-L "#1"'],
	["MKFS_OPTIONS=\"-O ^has_journal # no\"\n", 'MKFS_OPTIONS=-O ^has_journal # no'],
	["MKFS_OPTIONS=\n", ''],
	["MKFS_OPTIONS=\"\"\n", ''],
	["MKFS_OPTIONS=-mreflink=1\n", 'MKFS_OPTIONS=-mreflink=1'],
	["MKFS_OPTIONS='\${NOWHERE} \$(touch $canary) `touch $canary`'\n",
		"MKFS_OPTIONS=\${NOWHERE} \$(touch $canary) `touch $canary`"],
	["FSTYP=ext4\nFSTYP=btrfs\n", 'FSTYP=btrfs'],
	["TEST_DEV=/dev/a\nSCRATCH_DEV=\${TEST_DEV}1\n", "TEST_DEV=/dev/a\nSCRATCH_DEV=/dev/a1"],
	["TEST_DEV=/dev/a\nSCRATCH_DEV=\"\$TEST_DEV\"\n", "TEST_DEV=/dev/a\nSCRATCH_DEV=/dev/a"],
	["DISK=/dev/vdb\nTEST_DEV=\${DISK}1\nSCRATCH_DEV=\$DISK-2\n",
		"TEST_DEV=/dev/vdb1\nSCRATCH_DEV=/dev/vdb-2"],
	["A=/dev\nB=\$A/vdb\nTEST_DEV=\$B\n", 'TEST_DEV=/dev/vdb'],
	["TEST_DIR=\${NOWHERE:-/mnt/test}\n", 'TEST_DIR=/mnt/test'],
	["TEST_DIR=\${NOWHERE-/mnt/test}\n", 'TEST_DIR=/mnt/test'],
	["TEST_DIR=\${NOWHERE}/mnt\n", 'TEST_DIR=/mnt'],
	["TEST_DEV=\${NOWHERE:-}\n", ''],
	["TEST_DEV=\${A:-/dev/\${B:-vdb}}\${C:-1}\n", 'TEST_DEV=/dev/vdb1'],
	["TEST_DEV=\${A:-/dev/\${B:-vdb}}\n", 'TEST_DEV=/dev/c', {A => '', B => 'c'}],
	["MKFS_OPTIONS=\${A-x}\n", '', {A => ''}],
	["MKFS_OPTIONS=\${A:-x y}\nMOUNT_OPTIONS=\"\${B:-x  y}\"\n", "MKFS_OPTIONS=x y\nMOUNT_OPTIONS=x  y"],
	["MKFS_OPTIONS=\"\$A\"\n", "MKFS_OPTIONS=\$(touch $canary)\${B}", {A => "\$(touch $canary)\${B}"}],
	["FSTYP=\${FSTYP:-btrfs}\n", 'FSTYP=ext4', {FSTYP => 'ext4'}],
	["FSTYP=\${FSTYP:-btrfs}\n", 'FSTYP=btrfs', {}],
	["FSTYP=btrfs\n", 'FSTYP=btrfs', {FSTYP => 'ext4'}],
	["MKFS_OPTIONS=\"-L \$FSTYP\"\n", 'MKFS_OPTIONS=-L xfs'],
	["RESULT_BASE=\$RESULT_BASE/x\n", 'RESULT_BASE=/here/results/x'],
	["RESULT_BASE=\$here/\$HOST/\n", 'RESULT_BASE=/here/vm1', {HOST => 'vm1'}],
	["RESULT_BASE=out//x\nTEST_DIR=/mnt//test///\n", "TEST_DIR=/mnt/test\nRESULT_BASE=/here/out/x"],
	["TEST_IMAGE_BYTES=400000000\n", 'TEST_IMAGE_BYTES=400000000'],
	["LOAD_FACTOR=3\nTIME_FACTOR=\"10\"\n", "LOAD_FACTOR=3\nTIME_FACTOR=10"],
	["LOAD_FACTOR=\n", ''],
	["USE_EXTERNAL=yes\nTEST_LOGDEV=/dev/a\nSCRATCH_LOGDEV=/dev/b\nRECREATE_TEST_DEV=true\n",
		"TEST_LOGDEV=/dev/a\nSCRATCH_LOGDEV=/dev/b\nUSE_EXTERNAL=yes\nRECREATE_TEST_DEV=true"],
	["SCRATCH_DEV_POOL=\"/dev/b /dev/c\"\n", "SCRATCH_DEV=/dev/b\nSCRATCH_DEV_POOL=/dev/b /dev/c"],
	["SCRATCH_DEV=\nSCRATCH_DEV_POOL=/dev/b\n", "SCRATCH_DEV=/dev/b\nSCRATCH_DEV_POOL=/dev/b", {SCRATCH_DEV => '/dev/x'}],

	# As people write them for fstests
	["export TEST_DEV=/dev/sdb1\nexport TEST_DIR=/mnt/test\nexport SCRATCH_DEV=/dev/sdb2\n" .
		"export SCRATCH_MNT=/mnt/scratch\nexport FSTYP=xfs\n",
		"TEST_DEV=/dev/sdb1\nTEST_DIR=/mnt/test\nSCRATCH_DEV=/dev/sdb2\nSCRATCH_MNT=/mnt/scratch"],
	["[xfs_4k]\nexport RECREATE_TEST_DEV=true\nexport TEST_DEV=/dev/pmem0\nexport SCRATCH_DEV=/dev/pmem0.1\n" .
		"export MKFS_OPTIONS=\"-b size=4096\"\nexport MOUNT_OPTIONS=\"\"\n",
		"TEST_DEV=/dev/pmem0\nSCRATCH_DEV=/dev/pmem0.1\nMKFS_OPTIONS=-b size=4096\nRECREATE_TEST_DEV=true"],
	["export TEST_DEV=/dev/vda\n#export SCRATCH_DEV=/dev/vdb\nexport SCRATCH_DEV_POOL='/dev/vdc /dev/vdd'\n" .
		"export FSTYP=btrfs\n",
		"TEST_DEV=/dev/vda\nSCRATCH_DEV=/dev/vdc\nSCRATCH_DEV_POOL=/dev/vdc /dev/vdd\nFSTYP=btrfs"],
	["[default]\nFSTYP=xfs\nTEST_DIR=/media/test\nRESULT_BASE=\$PWD/results/\$HOST/\${KERNEL}\nTEST_DEV=/dev/loop16\n" .
		"MKFS_OPTIONS='-f -m reflink=1,rmapbt=1, -i sparse=1,'\n",
		"TEST_DEV=/dev/loop16\nTEST_DIR=/media/test\nMKFS_OPTIONS=-f -m reflink=1,rmapbt=1, -i sparse=1,\n" .
		"RESULT_BASE=/pwd/results/vm1/6.18", {PWD => '/pwd', HOST => 'vm1', KERNEL => '6.18'}],
	["export TEST_FS_MOUNT_OPTS=\"-o name=admin,secret=AQ+/==\"\n", 'TEST_FS_MOUNT_OPTS=-o name=admin,secret=AQ+/=='],
);
for my $good (@good) {
	my ($text, $keys, $env) = @$good;
	my ($set, $err) = load($text, $env);

	is($set . $err, length($keys) ? "$keys\n" : '', "accepted: $text");
	if ($text !~ /\[\w+\]|\/\/|FACTOR=$|\$(?:FSTYP|RESULT_BASE)|POOL|results|here/m) {
		is($set, shell_run($text, $env), "a shell takes it for the same: $text");
	}
}
cmp_ok(@good, '>=', 40, 'files that are accepted');

# What fstests knows and nothing here uses is named once.
my ($set, $err, $status) = load("CANON_DEVS=yes\nTEST_RTDEV=/dev/c\nSOAK_DURATION=9900\n" .
	"[a]\nCANON_DEVS=no\nLOGGER_PROG=true\nTEST_DEV=/dev/a\nXFS_MKFS_OPTIONS=-f\n");
is($err, "check: $file: not used here: CANON_DEVS TEST_RTDEV SOAK_DURATION LOGGER_PROG XFS_MKFS_OPTIONS\n",
	'keys of fstests that have no use here');
is($set, "TEST_DEV=/dev/a\n", 'do no harm');
is($status, 0, 'and are no fault');

my $keys = 'known are TEST_DEV TEST_DIR SCRATCH_DEV SCRATCH_MNT SCRATCH_DEV_POOL FSTYP MKFS_OPTIONS ' .
	'MOUNT_OPTIONS TEST_FS_MOUNT_OPTS TEST_LOGDEV SCRATCH_LOGDEV USE_EXTERNAL RESULT_BASE LOAD_FACTOR ' .
	'TIME_FACTOR RECREATE_TEST_DEV IMAGE_DIR TEST_IMAGE_BYTES SCRATCH_IMAGE_BYTES';
my $command = 'commands are not run here; write the value itself or ${VAR} or ${VAR:-default}';
my $script = 'conditions, loops and functions are not run here; write a [section] for each case, or KEY=${VAR:-default}';
my $quotes = 'expected one pair of quotes round the whole value, found';
my $blanks = 'expected quotes round a value with blanks or ; & | < >, found';
my $braces = 'expected ${VAR} or ${VAR:-default}, found';
my $escape = 'expected no \ before $, `, } or \; single quotes keep them as they are';
my $go_on = 'a line does not go on in the next; write the whole value in one';
my $both = 'SCRATCH_DEV and SCRATCH_DEV_POOL are both set; expected one of them, and the other empty';
my $number = 'expected a number of bytes';
my $factor = 'expected a whole number from 1 on';
my $crlf = "the line ends in CR LF; expected LF alone (try: sed -i 's/\\r\$//' $file)";
my @bad = (
	["TEST_DEV\n", 1, "expected KEY=value, found 'TEST_DEV'"],
	["\nTEST_DEV = /dev/a\n", 2, "expected KEY=value, found 'TEST_DEV = /dev/a'"],
	["TEST_DEV= /dev/a\n", 1, "expected no blank behind TEST_DEV=, found 'TEST_DEV= /dev/a'"],
	["echo hello\n", 1, "expected KEY=value, found 'echo hello'"],
	["touch $canary\n", 1, "expected KEY=value, found 'touch $canary'"],
	["1A=b\n", 1, "expected KEY=value, found '1A=b'"],
	["=b\n", 1, "expected KEY=value, found '=b'"],
	["T\xc3\x96ST=b\n", 1, "expected KEY=value, found 'T\xc3\x96ST=b'"],
	["# x\nTEST_DVE=1\n", 2, "unknown key 'TEST_DVE', which nothing uses; $keys"],
	["MKFS_OPTIONS=\"\${A:-a b'} c\"\n", 1, "expected no ' in the default of a variable, found \${A:-a b'} c"],
	(map { ["MKFS_OPTIONS=\"\${A:-$_} c\"\n", 1, 'commands are not run here; write the value itself or ${VAR} or ${VAR:-default}'] }
		'a b<(', '<(b', '>(b)', '${B:-x>(}'),
	["export DISK=/dev/v{a,b}\nTEST_DEV=\${DISK}1\n", 1, 'expected quotes round a value with {, found /dev/v{a,b}'],
	["PATH=/tmp\n", 1, "unknown key 'PATH', which nothing uses; $keys"],
	["B=1\nA=1\nTEST_DEV=/dev/b\n", 1, "unknown key 'B', which nothing uses; $keys"],
	["MKFS_OPTIONS=\"-L \$A\"\n[a]\nA=1\n", 3, "unknown key 'A', which nothing uses; $keys"],
	["A=1\nMKFS_OPTIONS='\${A}'\n", 1, "unknown key 'A', which nothing uses; $keys"],
	["A=1\nA=\$A.2\n", 2, "unknown key 'A', which nothing uses; $keys"],
	["TEST_DEV=\$DISK\n", 1, 'TEST_DEV comes out empty: DISK is not set (${DISK:-} where that is meant)'],
	["export TEST_DEV\n", 1, "all keys are exported anyway; leave out 'export TEST_DEV'"],
	["TEST_DEV=/dev/a\nexport TEST_DEV TEST_DIR\n", 2,
		"all keys are exported anyway; leave out 'export TEST_DEV TEST_DIR'"],
	["export\n", 1, "expected KEY=value, found 'export'"],
	["export -n TEST_DEV=/dev/a\n", 1, "expected KEY=value alone, found 'export -n TEST_DEV=/dev/a'"],
	["declare -x TEST_DEV=/dev/a\n", 1, "expected KEY=value alone, found 'declare -x TEST_DEV=/dev/a'"],
	["export TEST_DEV=/dev/a TEST_DIR=/b\n", 1, 'expected one key a line, found TEST_DEV=/dev/a TEST_DIR=/b'],
	["TEST_DEV=\"/dev/a\" TEST_DIR=\"/b\"\n", 1, 'expected one key a line, found TEST_DEV="/dev/a" TEST_DIR="/b"'],
	["unset SCRATCH_DEV\n", 1, 'write SCRATCH_DEV= to empty it'],
	["MKFS_OPTIONS+=\" -f\"\n", 1, 'expected MKFS_OPTIONS="${MKFS_OPTIONS} more" instead of MKFS_OPTIONS+='],
	["SCRATCH_DEV_POOL=(/dev/a /dev/b)\n", 1, 'arrays are not known here; write SCRATCH_DEV_POOL="A B C"'],
	["SCRATCH_DEV_POOL[0]=/dev/a\n", 1, 'arrays are not known here; write SCRATCH_DEV_POOL="A B C"'],
	[": \${TEST_DEV:=/dev/a}\n", 1, 'write TEST_DEV="${TEST_DEV:-/dev/a}"'],
	[": \"\${TEST_DEV=/dev/a}\"\n", 1, 'write TEST_DEV="${TEST_DEV-/dev/a}"'],
	["source ./more\n", 1, 'other files are not read; write their lines here'],
	[". /etc/os-release\n", 1, 'other files are not read; write their lines here'],
	["if true; then\n", 1, $script],
	["[ -z \"\$TEST_DEV\" ] && TEST_DEV=/dev/a\n", 1, $script],
	["[[ \$HOST = a ]] && TEST_DEV=/dev/a\n", 1, $script],
	["devices() {\n", 1, $script],
	["for i in 1 2; do\n", 1, $script],
	["case \$HOST in\n", 1, $script],
	["[xfs 4k]\n", 1, "expected [SECTION] of letters, digits, _ and -, found '[xfs 4k]'"],
	["[]\n", 1, "expected [SECTION] of letters, digits, _ and -, found '[]'"],
	["[a\n", 1, "expected [SECTION] of letters, digits, _ and -, found '[a'"],
	["[a]\nFSTYP=xfs\n[b]\n[a]\n", 4, 'section [a] is there already, in line 1'],
	["TEST_DEV=\$(touch $canary)\n", 1, $command],
	["TEST_DEV=`touch $canary`\n", 1, $command],
	["TEST_DEV=\"\$(touch $canary)\"\n", 1, $command],
	["RESULT_BASE=\"`pwd`/results/`date +%d%m%y_%H%M%S`\"\n", 1, $command],
	["RESULT_BASE=\$PWD/results/\$HOST/\$(uname -r)\n", 1, $command],
	["TEST_DIR=\${NOWHERE:-\$(touch $canary)}\n", 1, $command],
	["TEST_DIR=\"\${NOWHERE:-`touch $canary`}\"\n", 1, $command],
	["TEST_DIR=/mnt\$((1 + 1))\n", 1, $command],
	["TEST_DIR=<(touch $canary)\n", 1, $command],
	["TEST_DIR=/mnt/\$1\n", 1, $command],
	["TEST_DIR=\${NOWHERE:=/mnt}\n", 1, "$braces \${NOWHERE:=/mnt}"],
	["TEST_DIR=/\${HOST%%.*}\n", 1, "$braces \${HOST%%.*}"],
	["TEST_DIR=/\${A[\$(touch $canary)]}\n", 1, $command],
	["TEST_DIR=\${!HOST}\n", 1, "$braces \${!HOST}"],
	["TEST_DIR=/\${HOST\@P}\n", 1, "$braces \${HOST\@P}"],
	["TEST_DIR=\${NOWHERE\n", 1, '${ without its }, in ${NOWHERE'],
	["TEST_DIR=\"\${NOWHERE:-/mnt\"\n", 1, '${ without its }, in ${NOWHERE:-/mnt'],
	["TEST_DIR=\"/mnt\n", 1, "$quotes \"/mnt"],
	["TEST_DIR='/mnt\n", 1, "$quotes '/mnt"],
	["TEST_DIR=\"/mnt\"/x\n", 1, "$quotes \"/mnt\"/x"],
	["TEST_DIR=/mnt/\"x\"\n", 1, "$quotes /mnt/\"x\""],
	["MOUNT_OPTIONS=\"\"-\n", 1, "$quotes \"\"-"],
	["MKFS_OPTIONS=\${A:-'-m x'}\n", 1, "$quotes \${A:-'-m x'}"],
	["TEST_DEV=/dev/a; touch $canary\n", 1, "$blanks /dev/a; touch $canary"],
	["TEST_DEV=\${A:-/dev/a}; touch $canary\n", 1, "$blanks \${A:-/dev/a}; touch $canary"],
	["TEST_DEV=/dev/a&&touch\n", 1, "$blanks /dev/a&&touch"],
	["MKFS_OPTIONS=-m reflink=1\n", 1, "$blanks -m reflink=1"],
	["SCRATCH_DEV_POOL=\"/dev/b \\\n/dev/c\"\n", 1, $go_on],
	["MKFS_OPTIONS=-f\\\n", 1, $go_on],
	["MKFS_OPTIONS=-L\\ a\n", 1, 'expected no \ outside of quotes, found -L\ a'],
	["MKFS_OPTIONS=\"-L \\\$HOST\"\n", 1, $escape],
	["MKFS_OPTIONS=\"\${A:-a\\}b}\"\n", 1, $escape],
	["RESULT_BASE=~/results\n", 1, 'expected ${HOME} instead of ~, found ~/results'],
	["RESULT_BASE=\${A:-~}/results\n", 1, 'expected ${HOME} instead of ~, found ${A:-~}/results'],
	["TEST_DEV=/dev/a\r\nTEST_DIR=/mnt\r\n", 1, $crlf],
	["TEST_DEV=/dev/a\n\r\n", 2, $crlf],
	["TEST_DEV=/dev/a\n# \e[31m\n", 2, 'a control character; expected text'],
	["TEST_DEV=/dev/a\nTEST_DIR=/m\0nt\n", 2, 'a NUL byte; expected text'],
	["FSTYP=reiserfs\n", 1, "FSTYP is 'reiserfs'; expected xfs, ext4 or btrfs"],
	["TEST_IMAGE_BYTES=-1\n", 1, "TEST_IMAGE_BYTES is '-1'; $number"],
	["TEST_IMAGE_BYTES=0\n", 1, "TEST_IMAGE_BYTES is '0'; $number"],
	["SCRATCH_IMAGE_BYTES=99999999999999999999\n", 1, "SCRATCH_IMAGE_BYTES is '99999999999999999999'; $number"],
	["[a]\n[b]\nTIME_FACTOR=1.5\n", 3, "TIME_FACTOR is '1.5'; $factor"],
	["LOAD_FACTOR=0\n", 1, "LOAD_FACTOR is '0'; $factor"],
	["LOAD_FACTOR=010\n", 1, "LOAD_FACTOR is '010'; $factor"],
	["USE_EXTERNAL=true\n", 1, "USE_EXTERNAL is 'true'; expected yes or no"],
	["USE_EXTERNAL='yes no'\n", 1, "USE_EXTERNAL is 'yes no'; expected yes or no"],
	["RECREATE_TEST_DEV=yes\n", 1, "RECREATE_TEST_DEV is 'yes'; expected true or false"],
	["TEST_DIR=mnt\n", 1, "TEST_DIR is 'mnt'; expected a path from / on, without control characters"],
	["SCRATCH_DEV=/dev/a\n[a]\n[b]\nSCRATCH_DEV_POOL='/dev/b /dev/c'\n", 4, $both],
	["SCRATCH_DEV_POOL=/dev/b\n[a]\nSCRATCH_DEV=/dev/a\n[b]\n", 3, $both],
	["SCRATCH_DEV_POOL=/dev/b\n", 1, $both, {SCRATCH_DEV => '/dev/a'}],
	["\xef\xbb\xbfTEST_DEV=/dev/a\n", 1, "expected KEY=value, found '\xef\xbb\xbfTEST_DEV=/dev/a'"],
);
for my $bad (@bad) {
	my ($text, $line, $message, $env) = @$bad;
	my ($set, $err, $status) = load($text, $env);

	is("$status $set$err", "2 check: $file:$line: $message\n", "refused: $text");
}
cmp_ok(@bad, '>=', 40, 'files that are refused');

# The environment, and the file as a whole
($set, $err, $status) = load('', {TIME_FACTOR => 'x'});
is("$status $err", "2 check: environment: TIME_FACTOR is 'x'; $factor\n", 'a fault of the environment');
($set, $err, $status) = load("TIME_FACTOR=2\n", {TIME_FACTOR => 'x'});
is($set . $err, "TIME_FACTOR=2\n", 'that the file sets right');
($set, $err, $status) = load('', {SCRATCH_DEV => '/dev/a', SCRATCH_DEV_POOL => '/dev/b'});
is("$status $err", "2 check: $file: $both\n", 'two keys of the environment');
for my $what ("$dir/none", $dir) {
	($set, $err, $status) = config_run({HOST_OPTIONS => $what});
	is("$status $err", "2 check: $what: HOST_OPTIONS names no readable file\n", "HOST_OPTIONS=$what");
}
($set, $err, $status) = config_run({HOST_OPTIONS => '/dev/null', MKFS_OPTIONS => '-f'});
is($set . $err, "MKFS_OPTIONS=-f\n", 'HOST_OPTIONS=/dev/null is the environment alone');
spew("$dir/local.config", "FSTYP=ext4\n");
($set, $err, $status) = config_run({DIRECTORY => $dir});
is($set . $err, "FSTYP=ext4\n", 'local.config');
unlink("$dir/local.config");
symlink("$dir/none", "$dir/local.config");
($set, $err, $status) = config_run({DIRECTORY => $dir});
is("$status $err", "2 check: local.config: is no readable file\n", 'local.config that leads nowhere');

# Sections: the keys of each, whichever was entered before.
my $sections = <<'EOT';
TEST_DEV=/dev/a			# of all
DISK=/dev/d
[first]
MKFS_OPTIONS="-m reflink=1"
MOUNT_OPTIONS="-o noatime"
TIME_FACTOR=2
[not-run]
TIME_FACTOR=3
TEST_FS_MOUNT_OPTS="-o ro"
[third]	# says nothing
[ext4]
MKFS_OPTIONS="-O bigalloc"
FSTYP=ext4
SCRATCH_DEV=${DISK}1
[ext4_same]
FSTYP=ext4
RESULT_BASE=/results/ext4
[nfs]
FSTYP=nfs
MKFS_OPTIONS=""
[5th]
FSTYP=xfs
MOUNT_OPTIONS="$MOUNT_OPTIONS -o discard"
TIME_FACTOR=
[there_and_back]
FSTYP=btrfs
FSTYP=xfs
[pool]
SCRATCH_DEV=
SCRATCH_DEV_POOL="/dev/b /dev/c"
[options_then_fstyp]
TEST_FS_MOUNT_OPTS="-o x"
FSTYP=btrfs
EOT
my $common = "TEST_DEV=/dev/a\n";
my $first = "MKFS_OPTIONS=-m reflink=1\nMOUNT_OPTIONS=-o noatime\n";
my $ext4 = "SCRATCH_DEV=/dev/d1\nFSTYP=ext4\nMKFS_OPTIONS=-O bigalloc\n";
my $later = "MOUNT_OPTIONS= -o discard\nRESULT_BASE=/results/ext4\nLOAD_FACTOR=2\n";
my %table = (
	first => "$common${first}LOAD_FACTOR=2\nTIME_FACTOR=2\n",
	'not-run' => "$common${first}TEST_FS_MOUNT_OPTS=-o ro\nLOAD_FACTOR=2\nTIME_FACTOR=3\n",
	third => "$common${first}TEST_FS_MOUNT_OPTS=-o ro\nLOAD_FACTOR=2\nTIME_FACTOR=3\n",
	ext4 => "$common${ext4}LOAD_FACTOR=2\nTIME_FACTOR=3\n",
	ext4_same => "$common${ext4}RESULT_BASE=/results/ext4\nLOAD_FACTOR=2\nTIME_FACTOR=3\n",
	'5th' => "${common}SCRATCH_DEV=/dev/d1\n$later",
	there_and_back => "${common}SCRATCH_DEV=/dev/d1\n$later",
	pool => "${common}SCRATCH_DEV=/dev/b\nSCRATCH_DEV_POOL=/dev/b /dev/c\n$later",
	options_then_fstyp => "${common}SCRATCH_DEV=/dev/b\nSCRATCH_DEV_POOL=/dev/b /dev/c\nFSTYP=btrfs\n" .
		"TEST_FS_MOUNT_OPTS=-o x\nRESULT_BASE=/results/ext4\nLOAD_FACTOR=2\n",
);
for my $section (sort keys %table) {
	($set, $err) = load($sections, {LOAD_FACTOR => 2}, $section);
	is($set . $err, $table{$section}, "section $section");
	for my $before (sort keys %table) {
		next if $before eq $section;
		($set, $err) = load($sections, {LOAD_FACTOR => 2}, $before, $section);
		is($set . $err, $table{$section}, "section $section after $before");
	}
}
($set, $err, $status) = load($sections, {}, 'nfs');
is("$status $err", "2 check: $file:19: FSTYP is 'nfs'; expected xfs, ext4 or btrfs\n", 'a section of an FSTYP that is not ours');
($set, $err) = load("[a]\nFSTYP=ext4\n", {FSTYP => 'xfs', MKFS_OPTIONS => '-f'}, 'a');
is($set, "FSTYP=ext4\n", 'options of an FSTYP of the environment end with it');
($set, $err) = load("[a]\nFSTYP=ext4\n", {MKFS_OPTIONS => '-F'}, 'a');
is($set, "FSTYP=ext4\nMKFS_OPTIONS=-F\n", 'options of no FSTYP go on');
spew($file, $sections);
is(`$ConfigRun::bash 'HOST_OPTIONS=$file; . ./common/config; _config_load; echo "\${config_sections[*]}"'`,
	"first not-run third ext4 ext4_same nfs 5th there_and_back pool options_then_fstyp\n", 'the names, in order');
spew($file, "TEST_DEV=/dev/a\n");
is(`$ConfigRun::bash 'HOST_OPTIONS=$file; . ./common/config; _config_load; printf "<%s>" "\${config_sections[@]}"'`,
	'<>', 'a file without sections has an empty one');
my $exported = `$ConfigRun::bash 'HOST_OPTIONS=/dev/null; . ./common/config; _config_load; _config_enter ""; env'`;
is(scalar(grep { $exported !~ /^$_=/m } split(' ', $keys =~ s/known are //r)), 0, 'all keys are exported');

# And as a whole
spew($file, "TEST_DEV=/dev/a\nif\n");
my ($out, $exit) = run_check({HOST_OPTIONS => $file}, '-n');
is("$exit $out", "2 check: $file:2: $script\n", 'check ends with one line and 2');
($out, $exit) = run_check({HOST_OPTIONS => $file, BISECT => 1}, '-n');
is($exit, 128, 'and in a bisection with 128');
ok(!-e $canary, 'nothing was ever executed');
done_testing();
