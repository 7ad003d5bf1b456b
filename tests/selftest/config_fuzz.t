#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Damaged files of local.config: each is either accepted, and then means what a
# shell would make of it, or refused with one line and exit 2.  Never is
# anything executed, and never does bash itself complain.  The damage is the
# same in each run of a seed, only how far it gets is a matter of time.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use ConfigRun;
use Cwd qw(getcwd);
use FuzzRun qw(fuzz_seconds keep_finding seed_case show_speed);
use FuzzShell;
use Test::More;
use Time::HiRes qw(time);

my $seconds = fuzz_seconds(3);
my $dir = results_dir();
my $canary = "$dir/executed";
my $file = "$dir/config";
my $top = getcwd();

my @keys = qw(TEST_DEV SCRATCH_DEV MKFS_OPTIONS MOUNT_OPTIONS
	TEST_FS_MOUNT_OPTS TEST_LOGDEV SCRATCH_LOGDEV USE_EXTERNAL);

# A file that is written by mistake lands in cwd.
mkdir "$dir/cwd" or die "$dir/cwd: $!";
my $before = <<'EOT';
here=/here EXIT_MISUSE=2
cd "$1" && . ./common/config && cd "$2/cwd" || exit 9
EOT
my $work = <<'EOT' =~ s/KEYS/@keys/r;
_config_load
for name in "${config_sections[@]}"; do
	_config_enter "$name"
done
[ "${config_sections[*]}" = "" ] || exit 0
for key in KEYS; do
	[ -z "${!key}" ] || printf '%s=%s\n' "$key" "${!key}"
done
EOT
# What a shell has of its own, and what we fill in
my $not_compared = qr/POOL|\$\{?(?:_|[A-Z]*(?:FSTYP|FACTOR|BYTES|RESULT_BASE|here
	|PATH|PWD|SHLVL|LC_ALL|HOST_OPTIONS|UID|IFS|PPID|RANDOM))/x;
my %env = (HOST => 'vm1', A => 'x y', B => '$(touch ' . $canary . ')', EMPTY => '');
my $bash = FuzzShell->start($dir, $top, {%env, HOST_OPTIONS => $file}, $before, $work);

my @corpus = (
	"TEST_DEV=/dev/vdb\nTEST_DIR=/mnt/test # here\nSCRATCH_DEV=/dev/vdc\nMKFS_OPTIONS=\"-m reflink=1 -d agcount=4\"\n",
	"export DISK=/dev/vdb\nTEST_DEV=\${DISK}1\nSCRATCH_DEV=\$DISK-2\nMOUNT_OPTIONS='-o noatime'\n",
	"TEST_DEV=\${C:-/dev/\${EMPTY:-vdb}}\nMKFS_OPTIONS=\"\${A:-a b} \$A\${EMPTY-x}\"\nMOUNT_OPTIONS=\${C-q r}\n",
	"MKFS_OPTIONS='\$(touch $canary)'\nMOUNT_OPTIONS=\"\$B\"\nTEST_FS_MOUNT_OPTS=\$B\n",
	"[a]\nFSTYP=xfs\nTIME_FACTOR=2\n[b-c]\nFSTYP=btrfs\nSCRATCH_DEV_POOL=\"/dev/b /dev/c\"\nSOAK_DURATION=1\n",
	"USE_EXTERNAL=yes\nTEST_LOGDEV=/dev/d\nSCRATCH_LOGDEV=\"/dev/\${HOST}\"\nLOAD_FACTOR=3\nRECREATE_TEST_DEV=true\n",
);
my @pieces = ("\$(touch $canary)", "`touch $canary`", "; touch $canary", "\n touch $canary\n", '${A:-', '${B}', '$B',
	'${', '}', '$', '"', "'", '\\', "\n", "\r\n", "\0", "\t", ' ', '#', ' #', '(', ')', '<(', ';', '&', '|', '>', '<',
	'[', ']', '[a]', "\n[a]\n", '=', '+=', 'export ', 'unset ', ': ${TEST_DEV:=x}', '~', ':~', '*', '?', '{a,b}', '!', '!!',
	'-', ':-', '=x', '${!A}', '${A@P}', "\${A[\$(touch $canary)]}", '$((1+1))', "\$'a'", '$"a"', '$$', '$1', "\xff", "\xc3\xa4",
	"\e", 'TEST_DEV', 'MKFS_OPTIONS=', 'x' x 300, '1', '0', 'a[0]=');

# damage($text): one or two faults, of random kind and place.
sub damage
{
	my ($text) = @_;

	for (0 .. int(rand(2))) {
		my $at = int(rand(length($text) + 1));
		my $kind = int(rand(7));

		if ($kind < 3) {
			substr($text, $at, 0, $pieces[rand @pieces]);
		} elsif ($kind == 3) {
			substr($text, $at, 1 + int(rand(8)), '');
		} elsif ($kind == 4) {
			substr($text, $at, 1, chr(int(rand(256))));
		} elsif ($kind == 5) {
			my $from = int(rand(length($text) + 1));
			substr($text, $at, 0, substr($text, $from, int(rand(30))));
		} else {
			substr($text, $at, int(rand(4)), $pieces[rand @pieces]);
		}
	}
	return $text;
}

# fault_of($text): what is wrong with what becomes of it; '' = nothing.
sub fault_of
{
	my ($text) = @_;

	spew($file, $text);
	my ($status, $out, $err) = $bash->ask() or return 'the reader died';
	$err =~ s/^check: \Q$file\E: not used here:(?: [A-Z0-9_]+)+\n//;

	return 'something was executed' if -e $canary || glob("$dir/cwd/*");
	if ($status == 2) {
		return "not one line: $err" if $err !~
			/\Acheck: (?:\Q$file\E|environment):(?:[1-9]\d*:)? [^\n]+\n\z/;
		return '';
	}
	return "exit status $status, $err" if $status != 0 || $err ne '';
	return '' if $out eq '' || $text =~ /^\s*\[/m || $text =~ $not_compared;
	my $shell = join('', grep { /^(?:@{[join('|', @keys)]})=/ }
		shell_run($text, \%env) =~ /^.*\n/mg);
	my $ours = join('', sort { $a cmp $b } $out =~ /^.*\n/mg);
	$shell = join('', sort { $a cmp $b } $shell =~ /^.*\n/mg);
	return $shell eq $ours ? '' : "a shell has\n${shell}where we have\n$ours";
}

is(fault_of($_), '', 'undamaged') for @corpus;
my ($start, $tried, $accepted, $findings) = (time(), 0, 0, 0);
while ($findings < 5 && time() - $start < $seconds) {
	seed_case(++$tried);
	my $text = damage($corpus[rand @corpus]);
	my $fault = fault_of($text);

	$accepted++ if !-s "$dir/err";
	next if $fault eq '';
	keep_finding('config', $tried, $fault, $text);
	$findings++;
	unlink($canary, glob("$dir/cwd/*"));
}
is($findings, 0, "nothing found by $tried cases of seed $FuzzRun::seed");
show_speed('config', $tried, time() - $start, "$accepted accepted");
cmp_ok($accepted, '>', 0, 'some are accepted');
cmp_ok($tried, '>', $accepted, 'and some refused');
is($bash->end(), 0, 'the reader lived to the end');
done_testing();
