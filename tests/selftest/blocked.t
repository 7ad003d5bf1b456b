#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The reason of a fail: how stacks are reduced, what is counted, what is said
# where nothing can be traced, and that no verdict hangs on it.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use CheckRun qw(run_check);
use HelperRun;
use Test::More;

my $tmp = work_dir();

# run_bash($script, $stdin): what it prints; the functions are sourced.
sub run_bash
{
	my ($script, $stdin) = @_;

	open(my $fh, '>', "$tmp/in") or die "$tmp/in: $!";
	print $fh $stdin // '';
	close($fh);
	open($fh, '>', "$tmp/script") or die "$tmp/script: $!";
	print $fh <<"END" . $script;
set -u
_register_cleanup() { trap "\$1" EXIT; }; _cleanup() { :; }
tmp=$tmp/trace seqres=$tmp/result FSTYP=xfs measure_round=0 test_stdout=1
_slices_sync() { :; }
. ./common/blocked
END
	close($fh);
	return scalar(`bash $tmp/script <$tmp/in 2>&1`);
}

# Stacks, innermost frame first, and what they come to.
my $down = 'finish_task_switch.isra.0 schedule schedule_timeout ___down_common __down_common __down down';
my $report_b = "$down xfs_buf_lock xfs_buf_find_lock xfs_buf_lookup xfs_buf_get_map xfs_buf_read_map " .
	'xfs_trans_read_buf_map xfs_read_agi';
for my $case (
	['report A', 'down+88 xfs_buf_lock+50 xfs_buf_find_lock+106 xfs_buf_lookup.constprop.0+318 ' .
		'xfs_buf_get_map+249 xfs_buf_read_map+83 xfs_trans_read_buf_map+313 xfs_read_agf+183 ' .
		'xfs_alloc_read_agf+91 xfs_reflink_find_shared+154 xfs_reflink_trim_around_shared+235 ' .
		'xfs_read_iomap_begin+356 iomap_iter+304 iomap_fiemap+409 xfs_vn_fiemap+92 ' .
		'do_vfs_ioctl+758 __x64_sys_ioctl+131',
		'lock xfs_buf_lock xfs_reflink_find_shared -',
		'down;xfs_buf_lock;xfs_buf_find_lock;xfs_buf_lookup;xfs_buf_get_map;xfs_buf_read_map;' .
		'xfs_trans_read_buf_map;xfs_read_agf;xfs_alloc_read_agf;xfs_reflink_find_shared;' .
		'xfs_reflink_trim_around_shared;xfs_read_iomap_begin;iomap_iter;iomap_fiemap;' .
		'xfs_vn_fiemap;do_vfs_ioctl;__x64_sys_ioctl'],
	['report B, rm', "$report_b xfs_iunlink xfs_droplink xfs_remove xfs_vn_unlink vfs_unlink",
		'lock xfs_buf_lock xfs_iunlink -',
		'down;xfs_buf_lock;xfs_buf_find_lock;xfs_buf_lookup;xfs_buf_get_map;xfs_buf_read_map;' .
		'xfs_trans_read_buf_map;xfs_read_agi;xfs_iunlink;xfs_droplink;xfs_remove;xfs_vn_unlink;vfs_unlink'],
	['report B, kworker', "$report_b xfs_ialloc_read_agi xfs_difree xfs_ifree xfs_inactive_ifree xfs_inactive " .
		'xfs_inodegc_inactivate xfs_inodegc_worker process_one_work worker_thread kthread ret_from_fork',
		'lock xfs_buf_lock xfs_difree xfs_inodegc_worker'],
	['report B, throttled', '__schedule+1560 schedule+35 schedule_timeout+193 __wait_for_common+125 ' .
		'__flush_work+200 xfs_inodegc_queue.part.0+99 xfs_fs_destroy_inode+10 destroy_inode+40 evict+1',
		'lock __flush_work xfs_inodegc_queue -'],
	['report E, reader', '__schedule+1 schedule+2 schedule_preempt_disabled+3 rwsem_down_read_slowpath+4 ' .
		'down_read+5 xfs_ilock+6 xfs_ilock_iocb+7 xfs_file_dio_read+8 xfs_file_read_iter+9',
		'lock xfs_ilock xfs_file_dio_read -',
		'rwsem_down_read_slowpath;down_read;xfs_ilock;xfs_ilock_iocb;xfs_file_dio_read;xfs_file_read_iter'],
	['report E, puncher', '__schedule+1 schedule+2 inode_dio_wait+3 xfs_file_fallocate+4 vfs_fallocate+5',
		'lock inode_dio_wait xfs_file_fallocate -'],
	['ext4 reader', '__schedule schedule rwsem_down_read_slowpath down_read ext4_file_read_iter vfs_read',
		'lock down_read ext4_file_read_iter -'],
	['mutex', '__schedule schedule schedule_preempt_disabled __mutex_lock.constprop.0 lock_rename do_renameat2',
		'lock __mutex_lock lock_rename -'],
	['I/O', '__schedule schedule io_schedule blk_io_schedule __iomap_dio_rw iomap_dio_rw',
		'io blk_io_schedule __iomap_dio_rw -', 'io_schedule;blk_io_schedule;__iomap_dio_rw;iomap_dio_rw'],
	['report C, ftruncate of a clone', '__schedule schedule schedule_timeout io_schedule_timeout ' .
		'wait_for_completion_io_timeout submit_bio_wait+88 iomap_read_folio_range+111 iomap_write_begin+1021 ' .
		'iomap_zero_iter+201 iomap_zero_range+303 iomap_truncate_page+78 xfs_setattr_size+311 xfs_vn_setattr+119',
		'io submit_bio_wait iomap_truncate_page/xfs_setattr_size -'],
	['report C, a frame left out', '__schedule+0x674/0x6f0 schedule+0x1f/0x70 schedule_timeout+0x6f/0xe0 ' .
		'io_schedule_timeout+0x4c/0x70 __wait_for_common+0x7b/0x170 submit_bio_wait+0x58/0x90 ' .
		'iomap_read_folio_sync+0x9b/0xd0 iomap_write_begin+0x3c1/0x5e0 iomap_zero_range+0x12c/0x1f0 ' .
		'xfs_setattr_size+0xa7/0x420 xfs_vn_setattr+0x77/0xf0',
		'io submit_bio_wait xfs_setattr_size -'],
	['report C, ftruncate of dirty data', '__schedule schedule io_schedule folio_wait_bit_common ' .
		'folio_wait_bit folio_wait_writeback __filemap_fdatawait_range filemap_write_and_wait_range ' .
		'xfs_setattr_size xfs_vn_setattr', 'io folio_wait_writeback xfs_setattr_size -'],
	['I/O of no file system', '__schedule io_schedule bit_wait_io __wait_on_buffer bh_read block_read',
		'io bit_wait_io __wait_on_buffer -'],
	['a buffer read', '__schedule schedule schedule_timeout __wait_for_common xfs_buf_iowait ' .
		'xfs_buf_read_map xfs_trans_read_buf_map xfs_imap_to_bp xfs_iget',
		'io xfs_buf_iowait xfs_iget -'],
	['suffixes', '__schedule.cold a.isra.0.cold+1 b.part.0.constprop.1+2 c.llvm.123 d [xfs]',
		'lock a b -', 'a;b;c;d;[xfs]'],
	['carriers alone', 'down xfs_buf_lock xfs_buf_get_map', 'lock xfs_buf_lock xfs_buf_get_map -'],
	['a lock alone', 'down', 'lock down down -'],
	['nothing but sleep', '__schedule schedule', 'lock unknown unknown -', 'unknown'],
	['no frame', '', 'lock unknown unknown -', 'unknown'],
) {
	my ($name, $stack, $words, $frames) = @$case;
	my $out = run_bash("_stacks_reduce $stack\n" . 'echo "$stacks_wait $stacks_lock $stacks_reason ' .
		'${stacks_work:--}"; echo "$stacks_frames"');

	like($out, qr/\A\Q$words\E\n/, "$name: wait, lock, reason, work");
	is((split /\n/, $out)[1], $frames, "$name: frames") if $frames;
}

# What bpftrace prints, as records: of known arms alone, kworkers of the file
# system alone, equal stacks together, the commonest first.
my $buf = "    __schedule+1\n    down+2\n    xfs_buf_lock+3\n    xfs_iunlink+4\n";
my $kworker = "    process_one_work+1\n    worker_thread+2\n";
my $printed = join('', map { "\@count[$$_[0], $$_[1], \n$$_[2]]: $$_[3]\n" }
	['7', 'a b=c', $buf, 5], ['9', 'rm', $buf =~ s/\+\d//gr, 6], ['9', 'rm', $buf, 1],
	['9', 'kworker/0:1', "    down\n    xfs_difree\n    xfs_inodegc_worker\n$kworker", 2],
	['9', 'kworker/u8:0', "    down\n    xfs_ilock\n    loop_process_work\n$kworker", 3],
	['9', 'kworker/1:0', "    down\n    ext4_end_io\n$kworker", 4],
	['8', 'rm', $buf, 100]) . "\@ns[9, rm, \n$buf]: 1000\n\@now: 9\n";
is(run_bash('declare -A blocked_ids=([7]=one [9]=two); _stacks_records', "Attaching\n$printed"), <<'END', 'records');
stack arm=two comm=rm count=7 blocked_ns=1000 wait=lock lock=xfs_buf_lock reason=xfs_iunlink frames=down;xfs_buf_lock;xfs_iunlink
stack arm=one comm=a_b_c count=5 blocked_ns=0 wait=lock lock=xfs_buf_lock reason=xfs_iunlink frames=down;xfs_buf_lock;xfs_iunlink
stack arm=two comm=kworker count=2 blocked_ns=0 wait=lock lock=down reason=xfs_difree work=xfs_inodegc_worker frames=down;xfs_difree;xfs_inodegc_worker;process_one_work;worker_thread
END

# What a hist trigger counted, of 6.12 and of 6.1, in the words of bpftrace: of the
# arm, of what it has forked, and of kworkers; then it is cleared.
my $instance = "$tmp/instance/events/sched";
mkdir($_) or die "$_: $!" for "$tmp/instance", "$tmp/instance/events", $instance, map { "$instance/sched_$_" } qw(switch process_fork);
sub hist_file
{
	my ($event, $dropped, @entries) = @_;
	my $text = "# event histogram\n#\n# trigger info: hist:keys=x:vals=hitcount:sort=hitcount:size=16384 [active]\n#\n\n";

	$text .= "{ $$_[0]" . ($$_[0] =~ /\n/ ? '' : ' ') . "} hitcount: " . sprintf('%10u', $$_[1]) . "\n" for @entries;
	open(my $fh, '>', "$instance/sched_$event/hist") or die "$event: $!";
	print $fh "$text\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: $dropped\n";
	close($fh);
}
my $entry = sub { sprintf("common_pid: %-16s[%10u], %s:\n%s", @_) };
my $frames = sub { join('', map { "         $_\n" } @_) };
my $slept = $frames->('__schedule+0x674/0x6f0', 'schedule+0x1f/0x70', 'down+0x42/0x60', 'xfs_buf_lock+0x30/0xb0 [xfs]');
my $removed = $slept . $frames->('xfs_iunlink+0x4/0x10 [xfs]');
my $freed = $slept . $frames->('xfs_difree+0x12d/0x1c0 [xfs]');
# Children before their parents, as hashes have them.
hist_file('process_fork', 0, map { ["parent_pid: " . sprintf('%10u', $$_[0]) . ", child_pid: " . sprintf('%10u', $$_[1]), 1] }
	[92, 93], [74, 100], [91, 92], [100, 101], [90, 91], [74, 90]);
hist_file('switch', 3, map { my ($comm, $pid, $key, $stack, $n) = @$_; [$entry->($comm, $pid, $key, $stack), $n] }
	['rm -r', 93, 'common_stacktrace', $removed, 7], ['a]b [ 90], c', 90, 'stacktrace', $removed, 5],
	['rm', 101, 'stacktrace', $removed, 900], ['jbd2/vda-8', 60, 'stacktrace', $freed, 800],
	['kworker/0:1', 13, 'common_stacktrace', $freed, 2], ['kworker/u4:2', 14, 'stacktrace', $slept, 4],
	['rm', 92, 'stacktrace', '', 1]);
is(run_bash("histtrigger_dir=$tmp/instance; _histtrigger_print 90 >$tmp/printed\n" .
	"declare -A blocked_ids=([90]=arm); _stacks_records <$tmp/printed; cat $instance/*/trigger \$seqres.full"), <<'END', 'a hist file, as records');
stack arm=arm comm=rm_-r count=7 blocked_ns=0 wait=lock lock=xfs_buf_lock reason=xfs_iunlink frames=down;xfs_buf_lock;xfs_iunlink
stack arm=arm comm=a_b___90___c count=5 blocked_ns=0 wait=lock lock=xfs_buf_lock reason=xfs_iunlink frames=down;xfs_buf_lock;xfs_iunlink
stack arm=arm comm=kworker count=4 blocked_ns=0 wait=lock lock=xfs_buf_lock reason=xfs_buf_lock work=kworker frames=down;xfs_buf_lock
stack arm=arm comm=kworker count=2 blocked_ns=0 wait=lock lock=xfs_buf_lock reason=xfs_difree work=kworker frames=down;xfs_buf_lock;xfs_difree
stack arm=arm comm=rm count=1 blocked_ns=0 wait=lock lock=unknown reason=unknown frames=unknown
hist:keys=parent_pid,child_pid:size=16384:clear
hist:keys=common_pid.execname,stacktrace:size=16384:clear if prev_state & 2
hist trigger: Dropped: 3
END
is(run_bash("histtrigger_dir=$tmp/instance; _histtrigger_print 95 || echo \"\$histtrigger_why\""),
	"tracefs has the pids of another namespace\n", 'a task that nobody has forked');

# Argument of _blocked_reason: '' or 'task'
my $task = '';

# reason(@records): the sentence; a record is [count, wait, lock, reason, work].
sub reason
{
	my $text = join('', map { my ($n, $wait, $lock, $reason, $work) = @$_;
		"stack arm=a comm=c count=$n blocked_ns=1 wait=$wait lock=$lock reason=$reason" .
		($work ? " work=$work" : '') . " frames=x\n" } @_);
	return run_bash("cat >\"\$seqres.stacks\"; _blocked_reason $task", $text);
}
is(reason([99, 'lock', 'A', 'f'], [1, 'lock', 'B', 'g'], [900, 'io', 'C', 'h']),
	"99 % of blocked switches wait in A for f\n", 'one lock; I/O beside locks is left out');
is(reason([48, 'lock', 'A', 'f'], [47, 'lock', 'B', 'g', 'w'], [1, 'lock', 'B', 'f'], [4, 'lock', 'A', 'f']),
	"52 % of blocked switches wait in A for f, 47 % in B for g of w\n", 'a fiftieth or more is said');
is(reason([50, 'lock', 'A', 'f'], [47, 'lock', 'B', 'g', 'w'], [2, 'lock', 'B', 'f'], [1, 'lock', 'C', 'f']),
	"50 % of blocked switches wait in A for f, 47 % in B for g of w, 2 % in B for f\n", 'a fiftieth is said');
$task = 'task';
is(reason([98, 'lock', 'A', 'f'], [3, 'io', 'C', 'h'], [9, 'io', 'D', 'i', 'w']),
	"100 % of blocked switches wait in C for h\n", 'of tasks alone: I/O, and neither locks nor kworkers');
is(reason([98, 'lock', 'A', 'f']), "100 % of blocked switches wait in A for f\n", 'locks where there is no I/O');
$task = '';
is(reason([3, 'io', 'A', 'f']), "100 % of blocked switches wait in A for f\n", 'I/O where no lock is');
is(reason(map { [1, 'lock', "L$_", 'f'] } 10 .. 30),
	'5 % of blocked switches wait in L10 for f, 5 % in L11 for f, ' .
	"5 % in L12 for f, 5 % in L13 for f\n", 'four at most');
is(reason(map { [1, 'lock', "L$_", 'f'] } 100 .. 199),
	"1 % of blocked switches wait in L100 for f\n", 'the first is always said');
is(reason(), "no stacks: nothing was blocked\n", 'nothing');

# Without bpftrace, or with one that is of no use, and without hist triggers: the
# verdict, and one line.
my $hist = -e '/sys/kernel/tracing/events/sched/sched_switch/hist';
sub untraced
{
	my ($name, $line, $program, $number) = @_;
	my $bin = "$tmp/bin";

	mkdir($bin);
	for my $dir (qw(/bin /usr/bin /sbin /usr/sbin /usr/local/bin)) {
		symlink($_, "$bin/" . s{.*/}{}r) for grep { !/bpftrace/ } glob("$dir/*");
	}
	unlink("$bin/bpftrace");
	if ($program) {
		open(my $fh, '>', "$bin/bpftrace") or die "$bin/bpftrace: $!";
		print $fh "#!/bin/sh\n$program\n";
		close($fh);
		chmod(0755, "$bin/bpftrace");
	}
	my ($out, $status, $results) = run_check({MEASURE_TRACE => 'yes', PATH => $bin}, "selftest/$number");
	my ($verdict) = glob("$results/selftest/$number-*.verdict");
	my $text = slurp($verdict);

	is($status, 1, "$name: a fail");
	$line = $hist ? qr/\d+ % of blocked switches wait in \S+ for [^\n]*|no stacks: nothing was blocked/ :
		qr/\Q$line; no hist triggers in this kernel (CONFIG_HIST_TRIGGERS)\E/;
	like($out, qr/^    slowdown: fail, [^\n]*\n(?:    control: [^\n]*\n)?    $line\nRan: /m, "$name: what check says");
	like($text, qr/^verdict test=final verdict=fail\n# reason: $line\n\z/m, "$name: NNN.verdict");
	return $results;
}
SKIP: {
	skip('needs root', 1) if $>;
	untraced('no bpftrace', 'no stacks: bpftrace not found', undef, '021');
	untraced('bpftrace that fails', 'no stacks: bpftrace: ERROR: no BTF', 'echo ERROR: no BTF >&2; exit 1', '021');
	untraced('bpftrace that hangs', 'no stacks: bpftrace: stuck', 'trap "" TERM; echo stuck; exec sleep 1000', '021');
	my ($out, $status, $results) = run_check({}, 'selftest/021');
	unlike($out, qr/no stacks|blocked/, 'MEASURE_TRACE=no: nothing is said');
	ok(!-e "$results/selftest/021-judged-fail.stacks", 'nor traced');
}

# Contended spinning locks by stack: an operation of 500, of which 1000 and 250
# contentions are ours, 1000 of them below the function asked for.
{
	my $map = sub {
		my ($comm, $n, @frames) = @_;
		return "\@[$comm, \n" . join('', map { "    $_\n" } @frames) . "]: $n\n";
	};
	my $printed = 'Attaching 3 probes...' . "\nall attached\n\n" .
		$map->('a b', 1000, '_raw_spin_lock+5', 'xfs_file_release+12', '__fput+3') .
		$map->('a b', 250, '_raw_spin_lock+5', 'dput+1') .
		$map->('a c', 7777, '_raw_spin_lock+5', 'xfs_file_release+12') .
		$map->('a b', 0, 'not_xfs_file_release_x+2') . "\@seen: 1\n";
	is(run_bash(". ./common/spins\n" . q(__spins_sum 'a b' '^xfs_file_release$'; echo "$spins_all $spins_there"),
		$printed), "1250 1000\n", 'spins: of the command, and below the function');

	my $bin = "$tmp/spins";
	mkdir($bin);
	for my $case (['', "in 1000 operations of arm 2500 contended spinning locks, 2000 of them in ^xfs_file_release\$"],
		['echo ERROR: no BTF; exit 1', 'bpftrace: ERROR: no BTF']) {
		my ($program, $line) = @$case;
		open(my $fh, '>', "$bin/bpftrace") or die;
		print $fh "#!/bin/bash\n$program\ntrap 'cat <<\"E\"\n${printed}E\nexit' TERM\n",
			"echo all attached\nwhile :; do sleep .05; done\n";
		close($fh);
		chmod(0755, "$bin/bpftrace");
		SKIP: {
			skip('needs root', 1) if $>;
			unlink("$tmp/result.verdict");
			run_bash(". ./common/spins; PATH=$bin:\$PATH\n" . 'arm() { echo "sample fs=xfs ops=500 errors=0"; }' .
				"\n" . q(_spins_explain arm 'a b' '^xfs_file_release$'), '');
			is(slurp("$tmp/result.verdict"), "# spins: $line\n", 'spins: what NNN.verdict says');
		}
	}
	is(run_bash(". ./common/spins\nMEASURE_TRACE=no; arm() { exit 9; }\n_spins_explain arm a b; echo well", ''),
		"well\n", 'spins: MEASURE_TRACE=no runs nothing');
}

# tracefs of two runs at once: the first that ends takes none away from the other.
SKIP: {
	skip('needs root', 1) if $>;
	my $run = 'set -u; seqres=/dev/null; _register_cleanup() { :; }; . ./common/machine; ' .
		# Of this test: runs beside it hold the lock of all.
		"tracefs_lock=$tmp; _tracefs_mount; _tracefs_mount; " .
		'[ -n "$tracefs_fd" ] && echo yes || echo no; ';
	open(my $fh, '>', "$tmp/run") or die "$tmp/run: $!";
	print $fh "$run while read -r line; do _tracefs_release; echo gone; done\n";
	close($fh);
	is(scalar(`unshare -m bash -c 'umount -l /sys/kernel/tracing /sys/kernel/debug 2>$tmp/err
		count() { ls -d /sys/kernel/tracing/events 2>&- | wc -l; }
		coproc ONE { bash $tmp/run; } 2>&-; read -r a <&\${ONE[0]}; echo \$a
		coproc TWO { bash $tmp/run; } 2>&-; read -r a <&\${TWO[0]}; echo \$a
		echo >&\${ONE[1]}; read -r a <&\${ONE[0]}; count
		echo >&\${TWO[1]}; read -r a <&\${TWO[0]}; count
		mount -t tracefs other /sys/kernel/tracing; bash $tmp/run </dev/null'`), "yes\nyes\n1\n0\nno\n",
		'tracefs of two runs at once, and where it is mounted already');
}

# Live: a program that blocks N times a round, in two rounds.
my ($source, $ns) = ('bpftrace', qr/[1-9]\d*/);
sub counted
{
	my ($name, $n, $match, @args) = @_;
	my $out = run_bash(($source eq 'bpftrace' ? '' : "_tracer_start() { tracer_why=left; return 1; }\n") .
		"worker() { $tmp/blocked_helper @args; }\n" .
		'_blocked_trace worker || echo "$blocked_why"; echo "rounds=$measure_round"; cat "$seqres.stacks"');
	my ($count, $lines) = (0, 0);

	# On a busy machine the second begins too late.
	$n *= $1 / 2 if $out =~ /^rounds=([12])$/m;

	for my $line (split /\n/, $out) {
		next if $line !~ $match;
		$line =~ /^stack arm=worker comm=\S+ count=(\d+) blocked_ns=$ns / or next;
		$count += $1;
		$lines++;
	}
	cmp_ok(abs($count - 2 * $n), '<=', .01 * 2 * $n, "$name: counted within 1 %") or diag($out . slurp("$tmp/result.full"));
	diag("$name: $count of " . 2 * $n);
}
SKIP: {
	skip('needs root', 1) if $>;
	ok(build("$tmp/blocked_helper", [], "$FindBin::Bin/blocked_helper.c"), 'the known workload builds');
	if ($hist) {
		($source, $ns) = ('hist', 0);
		counted('vfork, by a hist trigger', 500,
			qr/ comm=blocked_helper .* lock=wait_for_completion\w* reason=kernel_clone /, 'vfork', 500);
		is(join(' ', glob('/sys/kernel/tracing/instances/fsratio.*')), '', 'and no instance is left');
		($source, $ns) = ('bpftrace', qr/[1-9]\d*/);
	}
	skip('needs bpftrace', 1) if system('command -v bpftrace >/dev/null');
	counted('vfork', 500, qr/ comm=blocked_helper .* lock=wait_for_completion\w* reason=kernel_clone /, 'vfork', 500);

	# An arm that fails while it is traced.
	my ($out, $status, $results) = run_check({MEASURE_TRACE => 'yes'}, 'selftest/080');
	is($status, 1, 'an arm that fails while it is traced: still a fail');
	like(slurp("$results/selftest/080-traced-arm.full"), qr/^bad fails$/m, 'and its message is kept');

	skip("freeze: $_", 1) for loop_missing('mkfs.ext4') // ();
	my ($mount) = make_fs('mkfs.ext4', 64, '-q');
	counted('a frozen file system', 100, qr/ comm=frozen .* lock=\w*percpu_\w+ reason=vfs_write /, 'frozen', 100, $mount);
}
done_testing();
