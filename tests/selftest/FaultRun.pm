# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of faults: what a run of check has left, of all that it makes
# and sets, and what is not its own beside it.
package FaultRun;

use strict;
use warnings;
use CheckRun;
use Exporter qw(import);
use File::Temp qw(tempdir);

our @EXPORT = qw($all_faults $images $tmp_dir %fault_env whole_case scratch_case foreign_make
	foreign_missing knobs_set left_over children_of word_of on_cleanup);

# make selftest, which sets FAULT_POINTS, has the time for some of the cases only.
our $all_faults = ($ENV{FAULT_POINTS} || 200) >= 200;

# Images and temporary files of these runs live apart: runs of others are neither
# counted nor disturbed.
our ($images, $tmp_dir, %fault_env);
my ($foreign, $loop, $other, $checksum, @cleanup);

# perl -c, as lint calls it, has no end that would remove them.
if ($> == 0 && -d '/dev/shm' && !$^C) {
	$images = tempdir("fsratio-images.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
	$tmp_dir = tempdir("fsratio-tmp.XXXXXX", TMPDIR => 1, CLEANUP => 1);
	%fault_env = (IMAGE_DIR => $images, TMPDIR => $tmp_dir);
}

my $owner = $$;
$SIG{INT} = $SIG{TERM} = $SIG{HUP} = sub { exit 130 };
END {
	my $status = $?;

	if ($$ == $owner) {
		system("$_ >/dev/null 2>&1") for @cleanup;
	}
	$? = $status;
}

# on_cleanup($command): run it at the end, before those of earlier calls.
sub on_cleanup
{
	unshift @cleanup, @_;
}

# scratch_case($more, $late): the body of a test whose arms write to a file system on
# all of SCRATCH_DEV, or only read, with FAULT_USE=read in the environment.  $more is
# run in the arm bad in round 2, before that, and $late in round 5, the last, after it.
sub scratch_case
{
	my ($more, $late) = @_;

	return <<'END' =~ s/MORE/$more || ':'/er =~ s/LATE/$late || ':'/er;
. ./common/measure
_require_scratch
setup() { _scratch_mkfs && _scratch_mount; }
more() { MORE; }
late() { LATE; }
use_it()
{
	local line

	[ "${FAULT_USE:-write}" = read ] ||
		dd if=/dev/zero of="$SCRATCH_MNT/file" bs=64k count=32 conv=fsync \
			2>>"$seqres.full" || return
	line=$("$here/src/spin" --ops 1 "$SCRATCH_MNT") || return
	[[ $line =~ \ (fs=[^ ]+\ dev=[^ ]+)\  ]] || return
	echo "sample ${BASH_REMATCH[1]} threads=1 elapsed_ns=1000"
}
one() { use_it; }
bad()
{
	[ "$measure_round" != 2 ] || more || return
	use_it || return
	[ "$measure_round" != 5 ] || late
}
_interleave setup one bad
_judge
_exit 0
END
}

# whole_case($more): the body of a test that uses what can be left over: slices of
# SCRATCH_DEV, mounts, a setting of its queue, tracefs, counters of perf, a process
# in a session of its own and, with FAULT_TRACER in the environment, bpftrace.  $more
# is run in the arm bad, before its helper, in round 2; it takes 1000 ns, or
# FAULT_BAD_NS.
sub whole_case
{
	my ($more) = @_;

	return <<'END' =~ s/MORE/$more || ':'/er;
. ./common/measure
. ./common/queue
. ./common/tracer
_require_scratch
_exclude_fs ext4
_exclude_fs btrfs
_queue_shorten
_scratch_slices 2
[ -z "${FAULT_TRACER:-}" ] ||
	_tracer_start 'tracepoint:sched:sched_process_fork /args->parent_pid == $1/ { printf("all attached\n"); }' ||
	_fail "$tracer_why"
_tracefs_mount || _fail "no tracefs"
setsid sleep 300 </dev/null >/dev/null 2>&1 &
setup()
{
	local i

	for i in 0 1; do
		_slice_mkfs_geometry "$i" agcount=4
		_slice_mount "$i"
	done
}
more() { MORE; }
spin()
{
	local line

	line=$("$here/src/spin" --ops 20 --cost 25 --count n=sched:sched_switch \
		"${SLICE_MNTS[$1]}") || return
	[[ $line =~ \ (fs=[^ ]+\ dev=[^ ]+)\  ]] || return
	echo "sample ${BASH_REMATCH[1]} threads=1 elapsed_ns=$2"
}
one() { spin 0 1000; }
bad()
{
	[ "$measure_round" != 2 ] || more || return
	spin 1 "${FAULT_BAD_NS:-1000}"
}
_interleave setup one bad
_judge
_exit 0
END
}

# queue_of($dev): its directory of settings.
sub queue_of
{
	return "/sys/block/${\ substr($_[0], 5)}/queue";
}

# foreign_make(): loop devices and a mount that are no run's, with settings of their
# own.
sub foreign_make
{
	$foreign = tempdir("fsratio-foreign.XXXXXX", DIR => '/dev/shm', CLEANUP => 1);
	mkdir "$foreign/mnt" or die "$foreign/mnt: $!";
	run_ok("truncate -s 64M $foreign/scratch.img $foreign/other.img");
	$loop = run_ok("losetup -f --show $foreign/scratch.img");
	push @cleanup, "losetup -d $loop";
	run_ok("mkfs.ext4 -q -F $loop && mount $loop $foreign/mnt && " .
		"echo mine >$foreign/mnt/file && umount $foreign/mnt");
	# Nobody writes to it: its checksum is to stay.
	run_ok("mount -o ro $loop $foreign/mnt");
	unshift @cleanup, "umount $foreign/mnt";
	$other = run_ok("losetup -f --show $foreign/other.img");
	my $knob = queue_of($other) . '/max_sectors_kb';
	chomp(my $was = slurp($knob));
	unshift @cleanup, "(echo $was >$knob)", "losetup -d $other";
	run_ok("echo 256 >$knob");
	$checksum = `cat $foreign/*.img | sha256sum`;
}

# foreign_missing([$sum]): what has become of them, with $sum their contents too;
# '' = nothing.
sub foreign_missing
{
	my ($sum) = @_;
	my $missing = '';

	$missing .= "the foreign mount is gone\n"
		if (slurp("$foreign/mnt/file") // '') ne "mine\n";
	for my $dev ($loop, $other) {
		$missing .= "$dev is detached\n"
			if (slurp(queue_of($dev) . '/../loop/backing_file') // '') !~ /^\Q$foreign\E/;
	}
	$missing .= "$other has another max_sectors_kb\n"
		if slurp(queue_of($other) . '/max_sectors_kb') != 256;
	$missing .= "their images have changed\n"
		if $sum && `cat $foreign/*.img | sha256sum` ne $checksum;
	return $missing;
}

# knobs_set(): settings that tests which are gone have changed, FILE => what it was.
sub knobs_set
{
	my %was;

	for my $list (glob '/run/fsratio.*.knobs') {
		my ($pid) = $list =~ /fsratio\.(\d+)\./ or next;
		my ($state) = (slurp("/proc/$pid/stat") // ') Z') =~ /.*\) (\S)/;

		next if $state !~ /[ZX]/;
		for (reverse split /\n/, slurp($list) // '') {
			$was{$1} = $2 if /^(\S+) (\S+) \S+$/;
		}
		$was{$list} = undef;
	}
	return %was;
}

# left_over($results, \%was): all that is left of the runs with these results and of
# settings (of knobs_set); '' = nothing.
sub left_over
{
	my ($results, $was) = @_;
	my $left = ours_left($images) . processes_left($results);

	for my $file (sort(keys(%$was))) {
		if (!defined($was->{$file})) {
			$left .= "list of settings $file\n" if -e $file;
		} elsif (-e $file) {
			chomp(my $now = slurp($file));
			$left .= "$file is $now, was $was->{$file}\n" if $now ne $was->{$file};
		}
	}
	$left .= "tracefs is mounted and nobody uses it\n"
		if slurp('/proc/self/mounts') =~ m{^fsratio /sys/kernel/tracing }m
		&& system('flock -n -x /sys/kernel/tracing true') == 0;
	opendir(my $dir, $tmp_dir) or die "$tmp_dir: $!";
	$left .= "$tmp_dir/$_\n" for grep { /^(?:fsratio\.|\d+\.)/ } readdir($dir);
	return $left;
}

# children_of($pid, $deep): the processes whose parent is $pid, or with $deep all that
# descend from it, as PID => name.
sub children_of
{
	my ($pid, $deep) = @_;
	my (%parent, %name, %found);

	for my $stat (map { slurp($_) // () } glob '/proc/[0-9]*/stat') {
		my ($child, $comm, $parent) = $stat =~ /^(\d+) \((.*)\) [^ZX] (\d+)/s or next;
		($parent{$child}, $name{$child}) = ($parent, $comm);
	}
	my @next = ($pid);
	while (defined(my $one = shift @next)) {
		for my $child (grep { $parent{$_} == $one && !$found{$_} } keys(%parent)) {
			$found{$child} = $name{$child};
			push @next, $child if $deep;
		}
	}
	return %found;
}

# word_of($out, $name): the word that check said of a test, and its reason.
sub word_of
{
	my ($out, $name) = @_;
	my ($line) = $out =~ /^\Q$name\E\S*\s+(.*)/m;

	return ('none', '') if !defined($line);
	return ('broken', $1) if $line =~ /broken: (.*)\)$/;
	return ('undecided', $1) if $line =~ /\[not run\] undecided: (.*)/;
	return ('notrun', $1) if $line =~ /\[not run\] ?(.*)/;
	return ('fail', $line) if $line =~ /output mismatch/;
	return ('pass', '') if $line =~ /\d+s$/;
	return ('none', $line);
}

1;
