#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# Each way out of a run leaves the settings of the machine as they were: all that can
# be read below /proc/sys, of XFS, of queues, of CPUs, of tracing, and the mounts.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun;
use FaultRun;
use File::Find qw(find);
use Test::More;

plan skip_all => 'needs root' if $> != 0;
plan skip_all => 'needs loop devices' if !-e '/dev/loop-control';

# What nobody sets, and moves by itself:
my @moving = (
	qr{^/proc/sys/fs/(?:aio-nr|dentry-state|file-nr|inode-nr|inode-state|quota/)},	# what is in use
	qr{^/proc/sys/fs/(?:binfmt_misc|xfs/stats_clear)},				# of others; write-only
	qr{^/proc/sys/kernel/(?:random/|ns_last_pid|pty/nr|perf_cpu_time_max_percent)},	# numbers drawn and given out
	qr{^/proc/sys/kernel/(?:perf_event_max_sample_rate|sched_domain)},		# the kernel lowers it when busy
	qr{^/proc/sys/(?:net|sunrpc|user)/},						# no business of ours; counts
	qr{^/proc/sys/vm/(?:drop_caches|stat_refresh|compact_memory)},			# orders, not settings
	qr{^/sys/fs/xfs/(?:.*/)?(?:stats|log)/},					# counters, positions
	qr{/transparent_hugepage/(?:.*/stats/|khugepaged/(?:full_scans|pages_collapsed))},		# counters
	# what the kernel takes from the file that was attached last
	qr{^/sys/block/loop\d+/queue/(?:discard|read_ahead|write_zeroes|write_cache|rotational|fua|dma|hw_|.*_(?:size|hw_))},
);
my @roots = ('/proc/sys', '/sys/fs/xfs', glob('/sys/block/*/queue'),
	glob('/sys/devices/system/cpu/cpu*/cpufreq'), '/sys/kernel/mm/transparent_hugepage');
my @trace = qw(current_tracer tracing_on trace_options trace_clock set_event set_event_pid
	set_ftrace_filter set_ftrace_pid kprobe_events uprobe_events dynamic_events
	buffer_size_kb tracing_cpumask events/enable);
my $place = results_dir();

# foreign_loop($path): is it of a loop device that other runs use, beside this one?
sub foreign_loop
{
	my ($name) = $_[0] =~ m{^/sys/(?:block|fs/xfs)/(loop\d+)/} or return 0;
	my $file = slurp("/sys/block/$name/loop/backing_file") // '';

	return $file =~ m{/fsratio[.]|^/dev/loop} && $file !~ m{^\Q$images\E/};
}

# settings(): FILE => text of all of them.
sub settings
{
	my %now;

	find({no_chdir => 1, wanted => sub {
		my $file = $_;

		return if !-f $file || !((stat(_))[2] & 0444);
		return if grep { $file =~ $_ } @moving;
		return if foreign_loop($file);
		$now{$file} = slurp($file) // '';
	}}, grep { -d } @roots);
	mkdir "$place/tracing";
	if (system("mount -t tracefs none $place/tracing 2>/dev/null") == 0) {
		$now{"tracing $_"} = slurp("$place/tracing/$_") // '' for @trace;
		$now{'tracing instances'} = join(' ', map { s{.*/}{}r } glob "$place/tracing/instances/*");
		system("umount $place/tracing");
	}
	for (split /\n/, slurp('/proc/self/mountinfo')) {
		my ($point, $what) = /^\S+ \S+ \S+ \S+ (\S+) (.*)/;
		# left_over() knows whether another run uses it.
		next if m{ tracefs fsratio };
		# Others mount below these, too.
		next if m{^(?:\S+ ){4}/(?:tmp|var/tmp|dev/shm)/} && !m{ \Q$images\E/};
		$now{"mount $point"} .= $what =~ s/(?:shared|master|propagate_from):\d+ ?//gr . "\n";
	}
	return %now;
}

# changed(\%was, \%now): files that are in both and differ; and what only one of them
# has, where that is no file of a device that others may have made since.
sub changed
{
	my ($was, $now) = @_;
	my $changed = '';

	for my $file (sort keys(%{{%$was, %$now}})) {
		next if defined($was->{$file}) && defined($now->{$file}) && $was->{$file} eq $now->{$file};
		next if $file =~ m{^/sys/} && (!defined($was->{$file}) || !defined($now->{$file}));
		$changed .= "$file: was " . ($was->{$file} // 'not there') . ', is ' .
			($now->{$file} // 'not there') . "\n";
	}
	return $changed;
}

my $hang = 'echo hanging >>"$seqres.full"; sleep 600';
$CheckRun::tree = own_tree(
	'985-whole' => whole_case(),
	'986-hang' => whole_case($hang),
	'987-fail' => whole_case('_fail "no way on"'),
	'988-mismatch' => whole_case() =~ s/_judge/_judge\necho "more than expected"/r,
	'989-crash' => whole_case('kill -KILL $$'),
	'990-next' => "_require_scratch\necho 'Silence is golden'\n_exit 0",
);

my %was = settings();
cmp_ok(scalar(grep { m{^/proc/sys/} } keys(%was)), '>', 150, 'settings of the kernel were read');
ok((grep { m{/queue/max_sectors_kb$} } keys(%was)) > 0, 'and of queues');
ok(defined($was{'tracing tracing_on'}), 'and of tracing');
my %again = settings();
is(changed(\%was, \%again), '', 'nothing moves by itself');
is(changed({%was, 'mount /x' => "1\n"}, \%was), "mount /x: was 1\n, is not there\n", 'a mount less would be seen');
is(changed(\%was, {%was, 'tracing tracing_on' => "7\n"}),
	"tracing tracing_on: was $was{'tracing tracing_on'}, is 7\n\n", 'and another setting');

my @cases = (['985', 0, 'pass'], ['989', 2, 'a test that is killed'],
	['986', 2, 'the deadline', {}, '--timeout', 4]);
push @cases, ['985', 1, 'fail', {FAULT_BAD_NS => 4000}], ['987', 2, '_fail'],
	['988', 2, 'more output than expected'] if $all_faults;
for my $case (@cases) {
	my ($name, $want, $what, $env, @args) = @$case;
	my ($out, $status, $results) = run_check({%fault_env, %{$env // {}}}, @args, "selftest/$name");

	is($status, $want, "$what: exit $want") or diag($out);
	my ($full) = glob("$results/selftest/$name-*.full");
	like(slurp($full // '') // '', qr/^# queue of \S+: \d+ x 128 KiB$/m, "$what: it had set something");
	is(left_over($results), '', "$what: nothing is left");
	my %now = settings();
	is(changed(\%was, \%now), '', "$what: all is as it was");
}
my @signals = ([TERM => 143], [KILL => 137]);
push @signals, [INT => 130], [HUP => 129], [PIPE => 141] if $all_faults;
for my $case (@signals) {
	my ($signal, $want) = @$case;
	my $run = start_check(\%fault_env, 'selftest/986');

	ok(wait_for(20, sub { (slurp("$run->{results}/selftest/986-hang.full") // '') =~ /^hanging$/m }),
		"SIG$signal: the test runs");
	my %set = settings();
	isnt(changed(\%was, \%set), '', "SIG$signal: and has set something");
	kill($signal, $run->{pid});
	my ($out, $status) = end_check($run);
	is($status, $want, "SIG$signal: exit $want") or diag($out);
	($out, $status) = run_check(\%fault_env, 'selftest/990') if $signal eq 'KILL';
	is(left_over($run->{results}), '', "SIG$signal: nothing is left");
	my %now = settings();
	is(changed(\%was, \%now), '', "SIG$signal: all is as it was");
}

# Two runs come to what a third left: the second waits, and has nothing left to do when
# the first is done, whatever was set since then.
my $list = "$place/fsratio.999999.1.knobs";
my $reap = "bash -c '. ./common/knobs; knobs_dir=$place; _knobs_reap'";
run_ok("truncate -s 1M $place/knobs.img");
my $loop = run_ok("losetup -f --show $place/knobs.img");
on_cleanup("losetup -d $loop");
my $knob = "/sys/block/${\ substr($loop, 5)}/queue/max_sectors_kb";
chomp(my $old_kb = slurp($knob));
for my $first ('', 'flock') {
	run_ok("echo 128 >$knob");
	spew($list, "$knob $old_kb 128\n");
	if ($first) {
		run_ok("flock -o $list sh -c \"($reap; echo done >$place/done) & sleep .5; " .
			"test ! -e $place/done || exit 1; rm $list\"");
		ok(wait_for(10, sub { -e "$place/done" }), 'and ends then');
	} else {
		run_ok($reap);
	}
	is(slurp($knob), $first ? "128\n" : "$old_kb\n",
		$first ? 'what was set since then stays' : 'a list alone: set back');
	ok(!-e $list, 'the list is gone');
}
run_ok("echo $old_kb >$knob");
done_testing();
