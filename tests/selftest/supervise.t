#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# supervise ends what it ran, all of it, and says exactly what happened.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use POSIX ();
use Test::More;

my $supervise = abs_path(($ENV{FSRATIO_SRC} // 'src') . '/supervise');
my $dir = tempdir('fsratio-supervise-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $result = "$dir/result";
my $wait_s = 20;	# until a test gives up on what should happen at once

-x $supervise or BAIL_OUT("src/supervise is not built");

sub slurp
{
	my ($path) = @_;
	open(my $fh, '<', $path) or return undef;
	local $/;
	return scalar <$fh> // '';
}

# Starts supervise with @args; stdout and stderr go to files.
sub start
{
	my (@args) = @_;
	my $pid = fork() // die "fork: $!";
	return $pid if $pid;
	open(STDIN, '<', '/dev/null');
	open(STDOUT, '>', "$dir/out");
	open(STDERR, '>', "$dir/err");
	exec($supervise, @args) or POSIX::_exit(99);
}

# Its exit status, or "signal N".
sub finish
{
	my ($pid) = @_;
	waitpid($pid, 0);
	return $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
}

sub run
{
	return finish(start(@_));
}

sub until_true
{
	my ($what) = @_;
	for my $try (1 .. $wait_s * 50) {
		return 1 if $what->();
		select(undef, undef, undef, .02);
	}
	return 0;
}

sub gone
{
	my ($pid) = @_;
	my $stat = slurp("/proc/$pid/stat") // return 1;
	my ($state) = $stat =~ /.*\) (\w)/s;	# the name may hold ')', too
	return !$state || $state =~ /[ZX]/;
}

sub pids
{
	my ($n) = @_;
	my @pids;
	until_true(sub {
		@pids = split(' ', slurp("$dir/pids") // '');
		return @pids >= $n;
	});
	return @pids;
}

# The whole of the record, its time aside.
sub record_is
{
	my ($want, $name) = @_;
	my ($line) = (slurp($result) // 'no result') =~ /\A([^\n]*\n?)/;
	$line =~ s/elapsed_ms=[0-9]+ /elapsed_ms=T /;
	is($line, "supervise elapsed_ms=T $want\n", $name);
}

my @r = ('--result', $result);

# How it ended
for my $code (0, 1, 3, 77, 255) {
	is(run(@r, '--', 'sh', '-c', "exit $code"), $code, "status $code");
	record_is("how=exit code=$code leftover=0 stuck=0", "its record");
}
for my $sig (1, 2, 6, 9, 11, 15) {
	is(run(@r, '--', 'sh', '-c', "kill -$sig \$\$"), 128 + $sig,
		"killed by signal $sig");
	record_is("how=signal code=$sig leftover=0 stuck=0", "its record");
}
is(run(@r, '--', "$dir/nosuch"), 127, 'no such command');
like(slurp("$dir/err"), qr{\Asupervise: \Q$dir\E/nosuch: No such file.*\n\z},
	'is named');
record_is('how=exit code=127 leftover=0 stuck=0', 'its record');
is(run(@r, '--', $dir), 126, 'a command that cannot be executed');

# The result file
is(run(@r, '--', 'sh', '-c', "test ! -e $result"), 0,
	'an older result is gone while the command runs');
is(slurp($result) =~ tr/\n//, 1, 'one line where all went well');
ok(!-e "$result.tmp", 'and no temporary file');
is(run('--', 'echo', 'hello'), 0, 'without --result');
is(slurp("$dir/out"), "hello\n", 'stdout is the command\'s alone');
like(slurp("$dir/err"), qr/\Asupervise elapsed_ms=\d+ how=exit code=0 \S+ \S+\n\z/,
	'the record goes to stderr');
run(@r, '--', 'sleep', '0.3');
my ($ms) = slurp($result) =~ /elapsed_ms=(\d+)/;
cmp_ok($ms, '>=', 300, 'elapsed_ms holds the run');

# Wrong calls: one line, status 125, and the command does not run
my $usage = '[--timeout-s N] [--kill-grace-s N] [--result FILE] '
	. '[--keep-fd N]... -- CMD [ARG]...';
my @wrong = (
	[[], "no command: expected $usage"],
	[['--timeout-s', '3'], "no command: expected $usage"],
	[['--bogus', 'touch', "$dir/ran"], "--bogus: expected $usage"],
	[['--timeout-s'], "--timeout-s: expected $usage"],
	[['--timeout-s', '', 'touch', "$dir/ran"],
		'--timeout-s : expected 0 to 1000000'],
	[['--timeout-s', '-1', 'touch', "$dir/ran"],
		'--timeout-s -1: expected 0 to 1000000'],
	[['--timeout-s', '1s', 'touch', "$dir/ran"],
		'--timeout-s 1s: expected 0 to 1000000'],
	[['--timeout-s', '99999999999999999999', 'touch', "$dir/ran"],
		'--timeout-s 99999999999999999999: expected 0 to 1000000'],
	[['--kill-grace-s', '0', 'touch', "$dir/ran"],
		'--kill-grace-s 0: expected 1 to 1000000'],
	[['--keep-fd', 'x', 'touch', "$dir/ran"],
		'--keep-fd x: expected 0 to 2147483647'],
	[['--keep-fd', '777', 'touch', "$dir/ran"],
		'--keep-fd 777: Bad file descriptor'],
	[['--result', "$dir/no/such", 'touch', "$dir/ran"],
		"$dir/no/such.tmp: No such file or directory"],
	[['--result', $dir, 'touch', "$dir/ran"], "$dir: Is a directory"],
);
for my $case (@wrong) {
	my ($args, $message) = @$case;
	is(run(@$args), 125, "refused: supervise @$args");
	is(slurp("$dir/err"), "supervise: $message\n", 'says why');
}
ok(!-e "$dir/ran", 'no command ran');

# What the command inherits
{
	my @fds = map { POSIX::dup2(0, $_); $_ } (205, 209, 300);
	my $list = 'for f in /proc/$$/fd/*; do echo "${f##*/}"; done | sort -n';
	run(@r, '--', 'bash', '-c', $list);
	unlike(slurp("$dir/out"), qr/^(?:205|209|300)$/m, 'descriptors are closed');
	like(slurp("$dir/out"), qr/^0\n1\n2\n/m, 'but for 0, 1 and 2');
	run(@r, '--keep-fd', '205', '--keep-fd', '300', '--', 'bash', '-c', $list);
	like(slurp("$dir/out"), qr/^205$/m, '--keep-fd');
	like(slurp("$dir/out"), qr/^300$/m, '--keep-fd again');
	unlike(slurp("$dir/out"), qr/^209$/m, 'and no other');
	POSIX::close($_) for @fds;
}
is(system('bash', '-c', "'$supervise' --result $result -- "
	. 'sh -c \'kill -INT $$; exit 9\' & wait $!') >> 8, 130,
	'SIGINT works in a command of a bash background job');
for my $sig (qw(CHLD PIPE TERM QUIT HUP)) {
	local $SIG{$sig} = 'IGNORE';
	my $number = POSIX->can("SIG$sig")->();
	# SIGCHLD ignored there would lose the status
	my $end = $sig eq 'CHLD' ? 'exit 7' : "kill -$sig \$\$; exit 9";
	my $pid = start(@r, '--', 'sh', '-c', $end);
	local $SIG{$sig} = 'DEFAULT';
	is(finish($pid), $sig eq 'CHLD' ? 7 : 128 + $number,
		"SIG$sig ignored by the caller");
}
{
	my $set = POSIX::SigSet->new(POSIX::SIGTERM(), POSIX::SIGUSR1());
	POSIX::sigprocmask(POSIX::SIG_BLOCK(), $set);
	is(run(@r, '--', 'sh', '-c', 'kill -USR1 $$; exit 9'),
		128 + POSIX::SIGUSR1(), 'a signal blocked by the caller');
	POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $set);
}
run(@r, '--', 'sh', '-c', 'read -r _ _ _ _ g _ </proc/self/stat; echo $$ $g');
like(slurp("$dir/out"), qr/^(\d+) \1$/, 'it leads its own process group');

# A family of all kinds: each writes its pid, then stays
my $family = "$dir/family";
open(my $fh, '>', $family) or die;
print $fh <<'END';
use POSIX ();
my $pids = shift;
sub stay
{
	open(my $fh, '>>', $pids);
	syswrite($fh, "$$\n");
	sleep(1000) while 1;
}
if (!fork()) { $SIG{TERM} = $SIG{INT} = $SIG{HUP} = 'IGNORE'; stay() }
if (!fork()) { POSIX::setsid(); stay() }
if (!fork()) { POSIX::setpgid(0, 0); stay() }
if (!fork()) {			# a daemon, its name full of traps
	POSIX::setsid();
	exit if fork();
	$0 = ') Z 1 (';
	stay();
}
if (!fork()) { kill('STOP', $$) if fork(); stay() }
exit(0) if shift;
stay();
END
close($fh);

sub family_is_gone
{
	my ($name, @pids) = @_;
	my @left;
	for my $pid (@pids) {
		push(@left, $pid) if !until_true(sub { gone($pid) });
	}
	is("@left", '', "$name: none of the family is left");
	kill('KILL', @left) if @left;
	unlink("$dir/pids");
}

is(run(@r, '--timeout-s', '1', '--', $^X, $family, "$dir/pids"), 124,
	'a family that stays, status');
my @pids = pids(6);
cmp_ok(@pids, '>=', 6, 'all had started');
record_is('how=timeout code=124 leftover=0 stuck=0', 'its record');
my $text = slurp($result);
is(join(' ', grep { $text !~ /^# pid=$_ comm=.+ state=\w wchan=\S+$/m } @pids),
	'', 'each is noted');
unlike($text, qr/^(?!supervise |# )/m, 'all else is a comment');
family_is_gone('deadline', @pids);

is(run(@r, '--', $^X, $family, "$dir/pids", 1), 0,
	'a family whose head leaves, status');
@pids = pids(1);
my ($leftover) = slurp($result) =~ /code=0 leftover=(\d+) stuck=0\n\z/;
cmp_ok($leftover, '>=', scalar(@pids), 'the others are counted');
family_is_gone('leftover', @pids);
is(run(@r, '--', 'sh', '-c', 'sleep 1000 & exit 4'), 4, 'one leftover, status');
record_is('how=exit code=4 leftover=1 stuck=0', 'its record');
is(run(@r, '--', 'sh', '-c', 'sleep 0.02 & exit 4'), 4, 'a moment longer');
record_is('how=exit code=4 leftover=0 stuck=0', 'is no leftover');

# Signals to supervise
for my $sig (qw(INT TERM HUP QUIT)) {
	my $number = POSIX->can("SIG$sig")->();
	my $pid = start(@r, '--', 'bash', '-c',
		"trap 'echo cleaned >$dir/trap; exit 0' TERM; " .
		"echo \$\$ >$dir/pids; sleep 1000 & wait");
	@pids = pids(1);
	kill($sig, $pid);
	is(finish($pid), 128 + $number, "SIG$sig to supervise");
	is(slurp("$dir/trap"), "cleaned\n", 'lets the command clean up');
	record_is("how=signal code=$number leftover=0 stuck=0", 'its record');
	unlink("$dir/trap");
	family_is_gone("SIG$sig", @pids);
}
{
	my $pid = start(@r, '--', 'bash', '-c',
		"trap 'echo cleaned >$dir/trap; exit 0' TERM; " .
		"echo \$\$ >$dir/pids; kill -STOP \$\$; sleep 1000 & wait");
	@pids = pids(1);
	until_true(sub { slurp("/proc/$pids[0]/stat") =~ /\) T / });
	kill('TERM', $pid);
	is(finish($pid), 143, 'SIGTERM, and the command is stopped');
	is(slurp("$dir/trap"), "cleaned\n", 'it is continued to clean up');
	family_is_gone('stopped', @pids);

	$pid = start(@r, '--', $^X, $family, "$dir/pids");
	@pids = pids(6);
	kill('TERM', $pid);
	is(finish($pid), 143, 'SIGTERM, which some of the family ignore');
	family_is_gone('SIGTERM', @pids);

	local $SIG{HUP} = 'IGNORE';
	$pid = start(@r, '--', 'sh', '-c',
		"echo 1 >$dir/pids; until [ -e $dir/go ]; do sleep 0.05; done");
	pids(1);
	unlink("$dir/pids");
	kill('HUP', $pid);
	kill('CONT', $pid);
	open(my $go, '>', "$dir/go");
	is(finish($pid), 0, 'SIGHUP under nohup is ignored');
}

# Deaths above the command
{
	my $parent = fork() // die "fork: $!";
	if (!$parent) {
		my $pid = start(@r, '--', $^X, $family, "$dir/pids");
		sleep(1000);
	}
	@pids = pids(6);
	kill('KILL', $parent);
	waitpid($parent, 0);
	family_is_gone('parent killed', @pids);
	ok(until_true(sub { -e $result }), 'supervise itself came to its end');
	record_is('how=signal code=15 leftover=0 stuck=0', 'its record');

	my $pid = start(@r, '--', 'sh', '-c',
		"echo \$\$ >$dir/pids; exec sleep 1000");
	@pids = pids(1);
	kill('KILL', $pid);
	is(finish($pid), 'signal 9', 'supervise killed');
	ok(until_true(sub { gone($pids[0]) }), 'its command dies with it');
}
is(run(@r, '--timeout-s', '1', '--', 'sh', '-c', 'kill -STOP $$'), 124,
	'a stopped command, at the deadline');
is(run(@r, '--timeout-s', '60', '--', 'true'), 0, 'a deadline not reached');

# A thread in uninterruptible sleep, whose leader is a zombie once killed
my (@loop, $mounted, $frozen);
my $mnt = "$dir/mnt";

sub thaw
{
	system('fsfreeze', '-u', $mnt) if $frozen;
	$frozen = 0;
}

END {
	my $status = $?;
	thaw();
	system('umount', $mnt) if $mounted;
	system('losetup', '-d', @loop) if @loop;
	$? = $status;
}

sub have
{
	return !grep { system("command -v $_ >/dev/null 2>&1") } @_;
}

sub set_up_frozen
{
	return 'needs root' if $>;
	return 'needs losetup, mke2fs and fsfreeze'
		unless have(qw(losetup mke2fs fsfreeze));
	system("truncate -s 16M $dir/image") and die;
	@loop = split(' ', `losetup --find --show $dir/image 2>/dev/null`);
	return 'needs a loop device' if !@loop;
	system("mke2fs -q -t ext4 @loop") and die;
	mkdir($mnt);
	system("mount @loop $mnt") and return 'needs ext4';
	$mounted = 1;
	system("fsfreeze -f $mnt") and return 'needs fsfreeze';
	$frozen = 1;
	return undef;
}

sub build_writer
{
	my $cc = $ENV{CC} // 'gcc';
	open(my $c, '>', "$dir/writer.c") or die;
	print $c <<'END';
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *write_file(void *path)
{
	open(path, O_WRONLY | O_CREAT, 0600);
	return NULL;
}

int main(int argc, char **argv)
{
	FILE *pids = fopen(argv[1], "w");
	pthread_t thread;

	fprintf(pids, "%d\n", getpid());
	fclose(pids);
	pthread_create(&thread, NULL, write_file, argv[2]);
	pause();
}
END
	close($c);
	return !system("$cc -pthread -o $dir/writer $dir/writer.c");
}

SKIP: {
	my $why = set_up_frozen();
	skip($why, 8) if $why;
	skip('needs a C compiler', 8) if !build_writer();
	is(run(@r, '--timeout-s', '1', '--kill-grace-s', '1', '--',
		"$dir/writer", "$dir/pids", "$mnt/file"), 124,
		'blocked on a frozen file system');
	my ($pid) = pids(1);
	record_is('how=timeout code=124 leftover=0 stuck=1', 'its record');
	my ($deadline, $stuck) = slurp($result) =~
		/^# at the deadline:\n(.*)^# not ended by SIGKILL:\n(.*)/ms;
	my $writer = qr/^# pid=$pid tid=\d+ comm=writer state=D wchan=\w+\n/m;
	my $frame = qr/#   \S+ \w+\+0x.*\n/;
	like($deadline // '', qr/$writer$frame+/,
		'the thread and its kernel stack, at the deadline');
	like($deadline // '', qr/^# pid=$pid comm=writer state=S /m,
		'with its leader');
	like($stuck // '', qr/$writer$frame+/, 'and after SIGKILL');
	unlike($stuck // '', qr/^# pid=$pid comm/m, 'when the leader is gone');
	ok(-d "/proc/$pid", 'it outlives supervise');
	thaw();
	ok(until_true(sub { gone($pid) && !-d "/proc/$pid/task/$pid" }),
		'and is killed once the file system is thawed');
}

done_testing();
