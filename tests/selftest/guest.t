#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tools/guest and what it calls: options, kernels, what goes into a guest, what
# comes back, and its word on each way in which a guest can end.  QEMU, mmdebstrap
# and apt-get are stand-ins; selftest/guest/ boots real kernels.
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Test::More;
use lib 'tests/selftest';
use CheckRun;

for my $tool (qw(cpio dpkg-deb mke2fs modinfo gcc)) {
	plan(skip_all => "needs $tool") if system("PATH=\$PATH:/usr/sbin:/sbin " .
		"command -v $tool >/dev/null");
}
$> and plan(skip_all => 'needs root');

my $top = getcwd();
my $dir = tempdir('fsratio-guest-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $src = $ENV{FSRATIO_SRC} // "$top/src";
my $results = "$dir/results/guest/6.1.2-x";
my $here = "guest: its /suite/results is $results here\n";
mkdir("$dir/$_") or die "$dir/$_: $!"
	for qw(tree bin cache images results build in);
symlink("$top/$_", "$dir/tree/$_") or die "$_: $!"
	for qw(check common configs tests tools);
symlink($src, "$dir/tree/src") or die "src: $!";
%ENV = (PATH => "$dir/bin:$ENV{PATH}:/usr/sbin:/sbin", DIR => $dir,
	XDG_CACHE_HOME => "$dir/cache", IMAGE_DIR => "$dir/images",
	RESULT_BASE => "$dir/results", HOME => $dir);

sub script
{
	my ($name, $text) = @_;
	spew("$dir/bin/$name", "#! /bin/bash\n$text");
	chmod(0755, "$dir/bin/$name") or die "$name: $!";
}

# What QEMU would do stands in $DIR/do, which knows the files of its command line.
script('qemu-system-x86_64', <<'END');
printf '%s\n' "$*" >>"$DIR/log"
declare -A disk
while (($#)); do
	case "$1" in
	-drive) id=${2#*id=}; disk[${id%%,*}]=${2##*file=} ;;
	-chardev)
		case "$2" in
		file,id=console,*) console=${2##*path=} ;;
		file,id=check,*) check=${2##*path=} ;;
		stdio,*) console=${2##*logfile=} ;;
		esac ;;
	-serial) [[ $2 != file:* ]] || console=${2#file:} ;;
	-accel) accel=$2 ;;
	-initrd) initrd=$2 ;;
	esac
	shift
done
# results STATUS: as guest-run writes them
results()
{
	mkdir -p "$DIR/back/results/selftest"
	echo new >"$DIR/back/results/selftest/001-pass.full"
	echo "$1" >"$DIR/back/status"
	tar -c -f "${disk[results]}" -C "$DIR/back" results status
}
# kept N [BYTES]: the Nth archive that guest-run keeps, or no more than its start
kept()
{
	mkdir -p "$DIR/back/results/selftest"
	echo "kept $1" >"$DIR/back/results/selftest/001-pass.full"
	echo "$1" >"$DIR/back/kept"
	tar -c -C "$DIR/back" results kept | head -c "${2:-1M}" |
		dd "of=${disk[results]}" bs=1M "seek=$((512 + $1 % 2 * 256))" \
			iflag=fullblock conv=notrunc 2>/dev/null
}
say() { printf '%s\n' "$@" >>"$console"; }
. "$DIR/do"
END
script('mmdebstrap', <<'END');
[[ ! -e $DIR/mmdebstrap-fails ]] || { echo 'E: no mirror'; exit 25; }
echo "mmdebstrap $*" >>"$DIR/log"
for tree; do :; done
mkdir -p "$tree/usr/bin" "$tree/etc" "$tree/usr/share/doc/x"
echo busybox >"$tree/usr/bin/busybox"
END
script('apt-get', <<'END');
for package; do :; done
[[ -e $DIR/$package.deb ]] || {
	echo "E: Unable to locate package $package" >&2
	exit 100
}
name=${package}_1_amd64.deb
if [[ $* == *--print-uris* ]]; then
	read -r hash _ < <(sha256sum "$DIR/$package.deb")
	echo "'http://mirror/$name' $name 1234 SHA256:$hash"
else
	[[ ! -e $DIR/apt-fails ]] || { echo 'E: Failed to fetch' >&2; exit 100; }
	cp "$DIR/$package.deb" "$name"
fi
END

# A bzImage as far as anybody looks
sub bzimage
{
	my ($path, $release) = @_;
	my $text = "\0" x 0x202 . 'HdrS' . "\0" x 8 . pack('v', 0x1000);
	spew($path, $text . "\0" x (0x1200 - length($text)) .
		"$release (builder\@host) #1 SMP\0" . 'x' x 99);
}

# A module that depends on others
sub module
{
	my ($path, $depends) = @_;
	spew("$dir/module.s", ".section .modinfo,\"a\"\n.asciz " .
		"\"depends=$depends\"\n.asciz \"license=GPL\"\n");
	system("gcc -c -o $path $dir/module.s") and die 'gcc';
}

# A package with a kernel, or without
sub deb
{
	my ($name, $release) = @_;
	my $modules = "$dir/$name/lib/modules/6.1.2-x/kernel";
	system("mkdir -p $dir/$name/DEBIAN $dir/$name/boot $modules") and die;
	spew("$dir/$name/DEBIAN/control", "Package: $name\nVersion: 1\n" .
		"Architecture: amd64\nMaintainer: x <x\@x>\nDescription: x\n" .
		"Depends: linux-image-real\n");
	if ($release) {
		bzimage("$dir/$name/boot/vmlinuz-$release", $release);
		spew("$dir/$name/boot/config-$release", "CONFIG_X=y\n");
		module("$modules/xfs.ko", 'libcrc32c');
		module("$modules/libcrc32c.ko", '');
		module("$modules/crc32c-intel.ko", '');
		module("$modules/virtio_blk.ko", 'virtio,virtio_ring');
		module("$modules/virtio_ring.ko", '');
		module("$modules/other.ko", '');
		system("xz $modules/virtio_ring.ko && gzip $modules/xfs.ko") and
			die 'xz';
	}
	system("dpkg-deb -b $dir/$name $dir/$name.deb >$dir/dpkg.log 2>&1") and
		die slurp("$dir/dpkg.log");
}

# guest({ENV}, ARGUMENT...): (status, stdout, stderr), and a fresh $dir/log
sub guest
{
	my ($env, @args) = @_;

	unlink("$dir/log");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		$ENV{$_} = $env->{$_} for keys %$env;
		open(STDIN, '<', '/dev/null') or die;
		open(STDOUT, '>', "$dir/out") or die;
		open(STDERR, '>', "$dir/err") or die;
		exec("$dir/tree/tools/guest", @args) or die;
	}
	waitpid($pid, 0);
	return ($? & 127 ? 128 + ($? & 127) : $? >> 8, slurp("$dir/out"),
		slurp("$dir/err"));
}

sub kernel
{
	my ($env, @args) = @_;
	return guest($env, '--kernel', "$dir/good.deb", '--accel', 'tcg', @args);
}

# Nothing of a guest is left but its results.
sub nothing_left
{
	my ($name) = @_;
	is_deeply([glob("$dir/images/*"), glob("$dir/cache/fsratio/*new*")], [],
		"$name: no image is left");
}

# The accelerators of the guests that the last call started
sub accels
{
	return join(' ', slurp("$dir/log") =~ /-accel (\w+)/g);
}

deb('good', '6.1.2-x');
deb('meta');
bzimage("$dir/image", '6.9.9');

# Calls
my $value = 'takes a value (--help shows all)';
for my $case (
	['--kernel', "option --kernel $value"],
	['', '--kernel WHAT is missing (--help shows all)'],
	['--kernel -- selftest/001', "option --kernel $value"],
	['--bogus', "unknown option '--bogus' (--help shows all)"],
	['generic/001', "unknown option 'generic/001' (--help shows all)"],
	['--kernel k --cpus 0', "option --cpus takes 1 to 255, found '0'"],
	['--kernel k --cpus 256', "option --cpus takes 1 to 255, found '256'"],
	['--kernel k --mem 2',
		"option --mem takes a size in M or G, as 2G, found '2'"],
	['--kernel k --mem 255M', "option --mem takes 256M or more, found '255M'"],
	['--kernel k --disk 2T',
		"option --disk takes a size in M or G, as 2G, found '2T'"],
	['--kernel k --disk 511M',
		"option --disk takes 512M or more, found '511M'"],
	['--kernel k --accel hax',
		"option --accel takes auto, kvm or tcg, found 'hax'"],
	['--kernel k --timeout 1.5',
		"option --timeout takes seconds, 1 to 999999, found '1.5'"],
) {
	my ($args, $message) = @$case;
	is_deeply([guest({}, split(' ', $args))], [2, '', "guest: $message\n"],
		"guest $args");
}
is((guest({BISECT => 1}, '--bogus'))[0], 128, 'a wrong call in a bisect');
is((guest({BISECT => 0}, '--bogus'))[0], 2, 'BISECT=0 is none');
my ($status, $out, $err) = guest({}, '--help');
is($status, 0, '--help');
like($out, qr/\AUsage: tools\/guest --kernel WHAT/, 'usage');
($status, $out, $err) = kernel({}, '--', 'selftest/999');
is($status, 2, 'a test that does not exist');
like($err, qr/^check: .*selftest\/999/m, 'says check');
ok(!-e "$dir/log", 'and no guest was started');

# Kernels that are none
spew("$dir/bad.deb", "no package\n");
for my $case (
	['linux-image-nosuch', 'linux-image-nosuch: is no file, and apt-get ' .
		'knows no such package (try: apt-cache search ' .
		'linux-image-.*-cloud)'],
	['no/such/file', 'no/such/file: no such file, and no name of a package'],
	['meta', 'meta_1_amd64.deb: has no boot/vmlinuz-*; expected a kernel ' .
		'package, perhaps one that it depends on: linux-image-real'],
	["$dir/bad.deb", "$dir/bad.deb: dpkg-deb: error: '$dir/bad.deb' is " .
		'not a Debian format archive'],
	["$dir/build", "$dir/build: has no arch/x86/boot/bzImage; expected a " .
		'directory in which make bzImage has run'],
	["$top/README", "$top/README: expected a bzImage of x86, found none"],
	["$dir/good.deb --modules $dir/build", "$dir/good.deb: brings its own " .
		'modules; those of a directory go with a bzImage'],
	["$dir/image --modules /no/such", '/no/such: is no directory'],
) {
	my ($args, $message) = @$case;
	is_deeply([guest({}, '--kernel', split(' ', $args), '--', 'selftest/001')],
		[2, '', "guest-kernel: $message\n"], "--kernel $args");
}
spew("$dir/apt-fails", '');
is_deeply([guest({}, qw(--kernel good -- selftest/001))], [2, '',
	"E: Failed to fetch\nguest-kernel: good: apt-get download failed\n"],
	'a download that fails');
unlink("$dir/apt-fails");
spew("$dir/mmdebstrap-fails", '');
($status, $out, $err) = kernel({}, '--', 'selftest/001');
is($status, 2, 'a root file system that cannot be made');
like($err, qr/^E: no mirror\nguest-root: mmdebstrap of \w+ failed$/m, 'says so');
unlink("$dir/mmdebstrap-fails");
nothing_left('kernels that are none');

# What goes in
spew("$dir/do", <<'END');
cp "$initrd" "$DIR/initrd"
cp "${disk[suite]}" "$DIR/suite"
for name in root suite results test scratch; do
	echo "$name $(stat -L -c %s "${disk[$name]}")"
done >"$DIR/disks"
ls "$DIR/images"/*/ >"$DIR/images.log"
say 'fsratio: booted' 'fsratio: runs'
printf 'selftest/001-pass\t 1s\n' >"$check"
results 0
END
system("mkdir -p $results/selftest") and die;
spew("$results/selftest/$_", "old\n") for '002-x.out.bad', '001-pass.full';
is_deeply([kernel({FSTYP => 'ext4', MKFS_OPTIONS => "-b '4096",
	TEST_DEV => '/dev/x'}, qw(--cpus 3 --mem 700M --disk 3G --), 'selftest/001',
	'-x', 'quick,auto')], [0, "selftest/001-pass\t 1s\n",
	"guest-root: making the guests' root file system, once\n$here"],
	'a guest in which check ends with 0');
my $log = slurp("$dir/log");
like($log, qr/^mmdebstrap .*--include=bash,/m, 'the root file system was made');
like($log, qr/ -accel tcg,thread=multi -cpu max /, 'TCG');
like($log, qr/ -smp 3 -m 700M /, 'CPUs and memory');
unlike($log, qr/-net|-nic|virtfs|9p/, 'no network, no files of the host');
my %size = split(' ', slurp("$dir/disks"));
is($size{scratch}, 3 << 30, 'SCRATCH_DEV');
is($size{test}, 1 << 30, 'TEST_DEV');
is($size{suite} % 4096, 0, 'the archive of the suite is whole sectors');
is(slurp("$dir/images.log"), "qemu\nsupervise.tmp\n",
	'no image has a name while the guest runs');
is(`cpio --quiet -t <$dir/initrd 2>/dev/null`, join('', map { "$_\n" } qw(bin
	bin/busybox bin/sh init dev proc root sys)), 'the initramfs');
is(`cat $dir/cache/fsratio/kernel.*/modules.cpio | cpio --quiet -t`,
	join('', map { "modules$_\n" } '', '/00-virtio_ring.ko',
	'/01-virtio_blk.ko', '/02-crc32c_intel.ko', '/03-libcrc32c.ko',
	'/04-xfs.ko'), 'the modules it needs, after those that they depend on');
system("cd $dir/in && tar xf ../suite") and die;
my $call = slurp("$dir/in/guest-call");
like($call, qr/^export FSTYP=ext4$/m, 'FSTYP is passed on');
unlike($call, qr/TEST_DEV/, 'TEST_DEV is not');
like($call, qr/^export TERM=dumb$/m, 'no progress where nobody looks on');
is(`bash -c '. $dir/in/guest-call; printf %s "\$MKFS_OPTIONS"'`, "-b '4096",
	'MKFS_OPTIONS, whatever stands in it');
is(`bash -c '. $dir/in/guest-call; printf "%s|" "\${call_args[@]}"'`,
	'selftest/001|-x|quick,auto|', 'the arguments of check');
is(slurp("$dir/in/guest-kernel-config"), "CONFIG_X=y\n",
	"the kernel's configuration");
ok(-x "$dir/in/$_" && !-l "$dir/in/$_", "$_ is in it") for
	qw(check tools/guest-run src/supervise src/judge);
is(slurp("$dir/in/results/selftest/002-x.out.bad"), "old\n",
	'results so far are in it');

# What comes back
is(slurp("$results/selftest/001-pass.full"), "new\n", 'results come back');
ok(!-e "$results/selftest/002-x.out.bad", 'in place of those that went along');
like(slurp("$results/console.log"), qr/^fsratio: runs$/m, 'with the console');
nothing_left('a good end');
spew("$dir/do", "say 'fsratio: booted'; results \$(<\$DIR/status)\n");
for $status (1, 2, 3, 125, 128) {
	spew("$dir/status", "$status\n");
	is_deeply([kernel({}, '--', 'selftest/001')], [$status, '', $here],
		"exit status $status of check");
}
unlike(slurp("$dir/log"), qr/mmdebstrap/, 'the root file system is cached');
system("mkdir -p $dir/build/arch/x86/boot") and die;
bzimage("$dir/build/arch/x86/boot/bzImage", '6.12.0-rc1+');
spew("$dir/status", "1\n");
for my $case (['a bzImage', '6.9.9', "$dir/image"],
		['a bzImage with modules', '6.9.9', "$dir/image", '--modules',
			"$dir/good"],
		['a package', '6.1.2-x', 'good'],
		['a build directory', '6.12.0-rc1+', "$dir/build"]) {
	my ($name, $release, @args) = @$case;
	is((guest({}, '--kernel', @args, qw(--accel tcg -- selftest/001)))[0], 1,
		$name);
	ok(-e "$dir/results/guest/$release/console.log", "results of $release");
}

# How else a guest ends
my $panic = 'Kernel panic - not syncing:';
my $booted = "say 'fsratio: booted' 'fsratio: runs'\n" . 'printf ' .
	"'selftest/001-pass\\t 1s\\nselftest/002-mismatch 2s ... ' >\$check\n";
my $no_init = 'does not boot: it finds no init';
my $test = 'selftest/002-mismatch';
for my $case (
	['no init', "say '[ 1.5] $panic No working init found.'",
		"$no_init (CONFIG_BLK_DEV_INITRD, CONFIG_RD_GZIP)"],
	['no root', "say '[ 1.5] $panic VFS: Unable to mount root fs on x'",
		"$no_init (CONFIG_BLK_DEV_INITRD, CONFIG_RD_GZIP)"],
	['no programs', "say 'fsratio: booted' '$panic Attempted to kill init!'",
		$no_init],
	['no disks', "say 'fsratio: booted' 'fsratio: error: no disks (X)'",
		'does not boot: no disks (X)'],
	['boot hangs', 'sleep 60', 'does not boot: no init after 1 s'],
	['reset', 'say Linux', 'does not boot: the guest reset itself'],
	['test hangs', "${booted}say '[ 9.1] INFO: task a:1 blocked for more " .
		"than 120 seconds.' trace1\nsleep 60",
		'hangs: no end after 8 s', $test],
	['panic', "${booted}say '[ 2.0] BUG: kernel NULL pointer dereference' " .
		"trace1 '[ 2.1] $panic Fatal exception'",
		'panics: Fatal exception', $test],
	['oops', "${booted}say '[ 2.0] Oops: 0002 [#1] PREEMPT SMP' trace1",
		'oopses: Oops: 0002 [#1] PREEMPT SMP', $test],
	['memory', "${booted}say '[ 2.0] Out of memory: Killed process 9' trace1",
		'runs out of memory (--mem gives it more)', $test],
	['memory, and results', "say 'fsratio: booted' '[ 2.0] Out of memory: " .
		"Killed process 9 (x)'\nresults 0",
		'runs out of memory (--mem gives it more)'],
	['no results', $booted, 'ends without results: the guest reset itself',
		$test],
	['half of the results', "say 'fsratio: booted'\nresults 0\n" .
		"head -c 1536 \${disk[results]} >\$DIR/half\n" .
		"truncate -s 1G \$DIR/half\ncat \$DIR/half >\${disk[results]}",
		'ends without results: the guest reset itself'],
	['no status', "say 'fsratio: booted'\nresults x",
		'ends without results: the guest reset itself'],
) {
	my ($name, $do, $why, $in) = @$case;
	my @args = $why =~ / after (\d+) s/ ? ('--timeout', $1) : ();
	$in = $in ? " in $in" : '';
	spew("$dir/do", $do);
	($status, $out, $err) = kernel({}, @args, '--', 'selftest/001');
	is($status, 2, $name);
	my ($line, @trace) = split(/\n/, $err);
	is($line, "guest: 6.1.2-x$in: $why (see $results/console.log)",
		'its message');
	like("@trace", qr/trace1/, 'the trace') if $do =~ /trace1/;
	ok(-s "$results/console.log", 'the console is kept') if $do =~ /say/;
	nothing_left($name);
}
is((kernel({BISECT => 1}, '--', 'selftest/001'))[0], 125,
	'a kernel that ends so in a bisect');

# What tests had left by then
my $full = "$results/selftest/001-pass.full";
for my $case (
	['nothing', '', "new\n"],
	['of one test', 'kept 1', "kept 1\n"],
	['of two', 'kept 1; kept 2', "kept 2\n"],
	['of nine and ten', 'kept 9; kept 10', "kept 10\n"],
	['half of the third', 'kept 2; kept 3 1024', "kept 2\n"],
	['half of the first', 'kept 1 1024', "new\n"],
	['a number that is none', 'kept 08', "new\n"],
) {
	my ($name, $kept, $expected) = @$case;

	spew("$dir/do", 'results 0');
	kernel({}, '--', 'selftest/001');
	spew("$dir/do", "${booted}$kept\nsay '[ 2.1] $panic Fatal exception'");
	($status, $out, $err) = kernel({}, '--', 'selftest/001');
	is($status, 2, "a panic, kept is $name: exit 2");
	is(slurp($full), $expected, 'they come back');
	my $says = "guest: what had ended by then is in $results\n";
	is(index($err, $says) >= 0 ? 'said' : 'not said',
		$expected eq "new\n" ? 'not said' : 'said', 'and guest says so');
	like(slurp("$results/console.log"), qr/Fatal exception/, 'beside the console');
	like(slurp("$results/check.out"), qr/^selftest\/001-pass/m,
		'and the output of check');
	nothing_left("a panic, kept is $name");
}
spew("$dir/do", "echo 'qemu: no such machine' >&2; exit 1");
for my $bisect (0, 1) {
	is_deeply([kernel({BISECT => $bisect}, '--', 'selftest/001')],
		[$bisect ? 128 : 2, '', 'guest: QEMU failed with status 1: ' .
		"qemu: no such machine\n"], "QEMU itself fails, BISECT=$bisect");
}

# Signals
spew("$dir/do", "say 'fsratio: booted'; echo \$\$ >\$DIR/pid.new; " .
	"mv \$DIR/pid.new \$DIR/pid; sleep 60");
for my $case ([INT => 130], [TERM => 143], [HUP => 129], [KILL => 137]) {
	my ($signal, $expected) = @$case;
	unlink("$dir/pid");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', '/dev/null') or die;
		open(STDERR, '>&', \*STDOUT) or die;
		exec("$dir/tree/tools/guest", '--kernel', "$dir/good.deb",
			qw(--accel tcg -- selftest/001)) or die;
	}
	ok(wait_for(30, sub { -e "$dir/pid" }), "a guest runs, for SIG$signal");
	my $qemu = slurp("$dir/pid") + 0;
	if ($signal eq 'INT') {
		is_deeply([kernel({}, '--', 'selftest/001')], [2, '',
			'guest: another guest writes its results to ' .
			"$results\n"], 'a second one of this kernel is refused');
	}
	kill($signal, $pid);
	waitpid($pid, 0);
	is($? & 127 ? 128 + ($? & 127) : $? >> 8, $expected, "SIG$signal");
	ok(wait_for(20, sub { !kill(0, $qemu) }), 'QEMU is gone');
	nothing_left("SIG$signal") if $signal ne 'KILL';
}
is_deeply([grep { !m{/(?:qemu|supervise)$} } glob("$dir/images/*/*")], [],
	'SIGKILL leaves no image');
spew("$dir/do", 'results 0');
is((kernel({}, '--', 'selftest/001'))[0], 0, 'the next guest');
nothing_left('the next guest');

# A shell
spew("$dir/do", "cp \${disk[suite]} \$DIR/suite; results 4");
is((kernel({}, '--shell'))[0], 4, '--shell');
system("cd $dir/in && tar xf ../suite") and die;
like(slurp("$dir/in/guest-call"), qr/^call_shell=yes/m, 'the guest is told');

# KVM
SKIP: {
	skip('needs /dev/kvm', 7) if !-r '/dev/kvm' || !-w _;
	my @auto = ('--kernel', "$dir/good.deb", '--', 'selftest/001');
	spew("$dir/do", "say 'fsratio: error: x'");
	guest({}, @auto);
	is(accels(), 'kvm tcg', 'a kernel that boots nowhere');
	spew("$dir/do", "[[ \$accel == kvm ]] || " .
		"{ say 'fsratio: booted'; sleep 1; results 0; }");
	is_deeply([guest({}, @auto)], [0, '', 'guest: no kernel boots under ' .
		"/dev/kvm here, so TCG, which is slow\n$here"],
		'KVM that boots nothing');
	is(accels(), 'kvm tcg', 'says nothing of KVM, which is tried again');
	guest({}, @auto);
	is(accels(), 'tcg', 'once');
	spew("$dir/cache/fsratio/kvm", "of-another-boot no\n");
	spew("$dir/do", "say 'fsratio: booted'\n" .
		"[[ -z \${disk[results]:-} ]] || results 0");
	is_deeply([guest({}, @auto)], [0, '', $here], 'KVM that works');
	is(accels(), 'kvm kvm', 'it was tried anew after a boot, and used');
	guest({}, @auto);
	is(accels(), 'kvm', 'and once');
}

# --check-config
my $good = slurp("$top/configs/guest.config");
spew("$dir/config", $good);
is_deeply([guest({}, '--check-config', "$dir/config")], [0, '', ''],
	'guest.config lacks nothing of itself');
spew("$dir/config", $good =~ s/XFS_FS=y/XFS_FS=m/r);
is((guest({}, '--check-config', "$dir/config"))[0], 0, 'modules do as well');
for my $case (
	[CONFIG_BLK_DEV_LOOP => qr{xfs/002.* \(no loop devices\)}],
	[CONFIG_BTRFS_FS => qr{all tests on btrfs \(no btrfs\)}],
	[CONFIG_VIRTIO_BLK => qr{all tests \(the guest has no disks\)}],
	[CONFIG_PERF_EVENTS => qr{(?!.*generic/001).*xfs/003.* \(no tracep}],
) {
	my ($name, $costs) = @$case;
	spew("$dir/config", $good =~ s/^$name=y$/# $name is not set/mr);
	($status, $out, $err) = guest({}, '--check-config', "$dir/config");
	is("$status$err", 1, "a configuration without $name");
	like($out, qr/\Ano $name: costs $costs.*\n\z/, 'what that costs');
}
spew("$dir/config", $good . "CONFIG_SLUB_TINY=y\n");
like((guest({}, '--check-config', "$dir/config"))[1],
	qr/\ACONFIG_SLUB_TINY is set: costs no test \(.*\)\n\z/,
	'one that must not be set');
is_deeply([guest({}, '--check-config', "$top/README")], [2, '', 'guest-config: ' .
	"$top/README: expected a kernel configuration, found no line " .
	"CONFIG_NAME=VALUE\n"], 'no configuration');
is_deeply([guest({}, '--check-config')], [2, '', 'guest-config: expected one ' .
	"kernel configuration\n"], 'no file');

done_testing();
