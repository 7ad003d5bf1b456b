#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# tools/trust: no wrong word on the recordings of the suite; its intervals, counts
# and document against numbers known from elsewhere; no load outlives its owner.
use strict;
use warnings;
use Cwd qw(getcwd realpath);
use File::Temp qw(tempdir);
use Test::More;
use lib 'tests/selftest', 'tools/lib';
use Binomial qw(interval lower_bound upper_bound);
use CheckRun;
use HelperRun qw(build listed);
use Loads;

my $top = getcwd();
my $dir = realpath(tempdir('fsratio-trust-XXXXXX', TMPDIR => 1, CLEANUP => 1));
my $src = realpath($ENV{FSRATIO_SRC} // 'src');
my $help = '(--help shows all)';
chomp(my $kernel = slurp('/proc/sys/kernel/osrelease'));
delete @ENV{qw(BISECT STANDIN HOST_OPTIONS SCRATCH_DEV)};

# --- intervals

is(sprintf('%.4f %.4f %.5f', upper_bound(0, 50, .95), upper_bound(0, 3000, .95) *
	100, upper_bound(0, 10, .95)), '0.0582 0.0998 0.25887', 'none of n, one-sided');
for my $case (
	# the rule of three in its exact form, tables of Clopper and Pearson, and
	# Conover's example (R's binom.test)
	[0, 50, '0.0000 0.0711'], [0, 10, '0.0000 0.3085'], [1, 10, '0.0025 0.4450'],
	[5, 10, '0.1871 0.8129'], [10, 10, '0.6915 1.0000'],
	[10, 100, '0.0490 0.1762'], [682, 925, '0.7077 0.7654']) {
	my ($k, $n, $expected) = @$case;
	is(sprintf('%.4f %.4f', interval($k, $n, .95)), $expected, "$k of $n");
}
is(sprintf('%.4f', lower_bound(50, 50, .95)), '0.9418', 'all of n, one-sided');

# --- sequences

my $sim = "$dir/trust_sim";
ok(build($sim, ['-O2', "-I$top/src", '-lm'], "$top/tests/selftest/trust_sim.c",
	grep { !m{/judge\.c\z} } listed('JUDGE')), 'trust_sim builds') or BAIL_OUT('');

# sim(LIMITS, SIDE, SAMPLES, N, M): {"case limit" => {key => value}}
sub sim
{
	my %cases;

	open(my $out, '-|', $sim, @_) or die "trust_sim: $!";
	while (my $line = <$out>) {
		$line =~ s/\Asim (?=case=)// or die "trust_sim: $line";
		my %keys = map { split(/=/) } split(' ', $line);
		$cases{"$keys{case} $keys{limit}"} = \%keys;
	}
	close($out) or die 'trust_sim: ' . ($? >> 8);
	return \%cases;
}

my ($sequences, @wrong, @off, %rows) = (1000);
for my $limits (glob('tests/{xfs,generic}/*.limits')) {
	for my $side (qw(good bad)) {
		my $cases = sim($limits, $side, $limits =~ s/limits\z/$side/r,
			$sequences, 30 * $sequences);

		for my $key (sort keys %$cases) {
			my %c = %{$cases->{$key}};
			my $name = "$limits $side $key";

			$rows{$c{case}}++;
			push(@off, "$name: not all are counted") if $c{sequences} !=
				$c{wrong} + $c{undecided} + $c{right};
			push(@wrong, "$name: $c{wrong}") if $c{wrong} &&
				$c{case} =~ /inforce|labels|segments|test/;
			next if $c{case} ne 'independent';
			my ($low, $high) = interval($c{wrong}, $c{sequences}, .9999);
			push(@off, "$name: $c{wrong} wrong, expected $c{design}")
				if $c{design} < $low || $c{design} > $high;
		}
		# Emulated CPUs have no times that could be judged.
		my $recording = slurp($limits =~ s/limits\z/$side/r);
		my $no_times = $recording =~ /^env .*\bemulated_cpu=1\b/m;
		for my $name (slurp($limits) =~ /^limit name=(\S+)(?!.* role=info)/mg) {
			next if slurp($limits) =~ /^limit name=\Q$name\E .*role=info/m;
			next if $no_times &&
				slurp($limits) =~ /^limit name=\Q$name\E .*of=\S*_ns\b/m;
			push(@off, "$limits $side $name: not judged")
				if !$cases->{"inforce $name"};
		}
	}
}
is(join("\n", @wrong), '', 'no wrong word on the recordings of the suite');
is(join("\n", @off), '', 'each limit is judged; independent rounds are wrong as ' .
	'often as they should');
diag("rows: @{[map { \"$_ $rows{$_}\" } sort keys %rows]}, $sequences sequences each");
cmp_ok($rows{$_} // 0, '>=', 10, "rows of $_") for qw(inforce labels moved independent);

# recording(FILE, NS...): one round each, of arms a and b (1000)
sub recording
{
	my ($file, @ns) = @_;
	my $text = "# kernel 6.18.44, 2026-01-01, by ./check --record xfs/901\n" .
		"env cpus=2 fs=xfs\n";

	for my $round (1 .. @ns) {
		my ($ns, $more) = ref $ns[$round - 1] ? @{$ns[$round - 1]} :
			($ns[$round - 1], '');
		$text .= "sample series=1 arm=$_ round=$round elapsed_ns=" .
			($_ eq 'a' ? "$ns$more" : 1000) . "\n" for qw(a b);
	}
	spew($file, $text);
	return $file;
}

my $limit = "limit name=x num=a den=b of=elapsed_ns max=2\n";
spew("$dir/L", $limit);

# numbers(\%case): what was counted
sub numbers
{
	my ($c) = @_;

	return $c ? join(' ', @{$c}{qw(rounds unfit wrong_rounds lag1 block wrong
		undecided right final)}) : 'no case';
}

my $c = sim("$dir/L", 'good', recording("$dir/S", (1000) x 40), 500, 500);
is(join(',', sort keys %$c), 'inforce x,labels x,test *', 'rounds alike: no limit is moved');
is(numbers($c->{$_}), '40 0 0 0.00 1 0 0 500 0', "$_: all pass")
	for sort keys %$c;
is($c->{'inforce x'}{rounds_sum}, 2500, 'after five rounds each');
$c = sim("$dir/L", 'good', recording("$dir/S", (3000) x 40), 500, 500);
is(numbers($c->{'inforce x'}), '40 0 40 0.00 1 500 0 0 500', 'all wrong is seen');
$c = sim("$dir/L", 'bad', "$dir/S", 500, 500);
is(numbers($c->{'inforce x'}), '40 0 0 0.00 1 0 0 500 0', 'the same on the bad side');
$c = sim("$dir/L", 'bad', recording("$dir/S", (1000) x 40), 500, 500);
is(numbers($c->{'inforce x'}), '40 0 40 0.00 1 500 0 0 500', 'a wrong pass is final');
$c = sim("$dir/L", 'good', recording("$dir/S", (3000, 1000) x 20), 500, 500);
like(numbers($c->{'inforce x'}), qr/^40 0 20 -0\.9\d 10 0 500 0 0$/,
	'in turns: dependent, and never decided in blocks');
# Half of the coins exchange 3 to 1/3: a third of the rounds may be wrong.
cmp_ok($c->{'labels x'}{right}, '>', 100, 'with labels exchanged it may be');
spew("$dir/L", $limit . "limit name=c role=control num=a den=b of=elapsed_ns min=2\n");
$c = sim("$dir/L", 'bad', recording("$dir/S", (1000) x 40), 500, 500);
is(numbers($c->{'inforce c'}), '40 0 40 0.00 1 500 0 0 500', 'a control is to pass');
is(numbers($c->{'test *'}), '40 0 40 0.00 1 500 0 0 500', 'a wrong limit makes a wrong test');
$c = sim("$dir/L", 'good', recording("$dir/S", (3000) x 40), 500, 500);
is(numbers($c->{'inforce c'}), '40 0 0 0.00 1 0 0 500 0', 'on both sides');
$c = sim("$dir/L", 'good', recording("$dir/S", (1000) x 40), 500, 500);
is(numbers($c->{'test *'}), '40 0 0 0.00 1 0 500 0 0', 'a control that does not settles nothing');
spew("$dir/L", $limit);

# 200 rounds that stay for ten: 20 % of them wrong, once the limit is moved
my @runs = map { my $i = $_; map { ($i % 5 ? 1000 : 1500) + $_ } 1 .. 10 } 1 .. 20;
$c = sim("$dir/L", 'good', recording("$dir/S", @runs), 3000, 30000);
is(join(',', sort keys %$c), 'independent x,inforce x,labels x,moved x,segments x,' .
	'test *', '200 rounds: all cases');
is($c->{'segments x'}{sequences}, 161, 'segments: one from each of 161 rounds');
is($c->{'moved x'}{wrong_rounds}, 40, 'a fifth of the rounds is wrong');
cmp_ok($c->{'moved x'}{lag1}, '>', .7, 'they are dependent');
cmp_ok($c->{'moved x'}{block}, '>=', 10, 'and blocks keep it');
cmp_ok($c->{'moved x'}{wrong}, '>', 100, 'so that many words are wrong');
cmp_ok($c->{'moved x'}{final}, '<', $c->{'moved x'}{wrong} / 2,
	'and fewer where a fail is confirmed');
cmp_ok($c->{'independent x'}{wrong}, '<', 60, 'drawn one by one they are not');
is($c->{'independent x'}{design}, '0.0007820', 'the exact share at .2');
is($c->{'inforce x'}{wrong}, 0, 'nor with the limit in force');

# Unfit rounds do not count, and end a limit.
my $unfit = ' threads=1 run_delay_ns=700';
$c = sim("$dir/L", 'good', recording("$dir/S", ((1000) x 30, ([3000, $unfit]) x 10)),
	500, 500);
is(join(' ', @{$c->{'inforce x'}}{qw(unfit wrong_rounds)}), '0 10',
	'rounds that waited little');
$unfit =~ s/700/800/;
$c = sim("$dir/L", 'good', recording("$dir/S", ((1000) x 30, ([3000, $unfit]) x 10)),
	500, 500);
is(join(' ', @{$c->{'inforce x'}}{qw(unfit wrong_rounds wrong)}), '10 0 0',
	'unfit ones do not count');
cmp_ok($c->{'inforce x'}{rounds_sum}, '>', 2800, 'but take their time');

for my $case ([1, "trust_sim: $dir/S: 39 rounds, expected 40", "$dir/L", 'good',
	recording("$dir/S", (1000) x 39), 100, 100],
	[2, "trust_sim: '0', expected 1 to 10000000", "$dir/L", 'good',
	recording("$dir/T", (1000) x 40), 0, 100],
	[2, 'trust_sim: expected LIMITS good|bad SAMPLES SEQUENCES ' .
	'INDEPENDENT-SEQUENCES', "$dir/L", 'ugly', "$dir/T", 1, 1]) {
	my ($status, $message, @args) = @$case;
	my $said = qx{$sim @args 2>&1};
	is(($? >> 8) . " $said", "$status $message\n", "trust_sim @args[1, 3]");
}

# --- a suite of its own, whose check says what it is told to

my $suite = "$dir/suite";
mkdir($_) or die "$_: $!" for map { "$dir/$_" } qw(bin images suite suite/tools
	suite/src suite/tests suite/tests/xfs suite/configs suite/configs/known);
symlink("$top/tools/$_", "$suite/tools/$_") or die $! for qw(trust lib);
symlink("$src/$_", "$suite/src/$_") or die $! for qw(judge supervise);
symlink($sim, "$suite/src/trust_sim") or die $!;
%ENV = (%ENV, DIR => $dir, RESULT_BASE => "$dir/results", IMAGE_DIR => "$dir/images",
	PATH => "$dir/bin:$ENV{PATH}");
my ($one, $two) = qw(xfs/901-one xfs/902-two);
for my $test ($one, $two) {
	spew("$suite/tests/$test", '');
	spew("$suite/tests/$test.limits", $limit . $limit =~ s/name=x/name=y/r);
	recording("$suite/tests/$test.good", (1000) x 40);
	recording("$suite/tests/$test.bad", (3000) x 40);
}
spew("$suite/tests/$two.good", slurp("$suite/tests/$two.good") =~
	s/^# kernel/# stand-in plain, kernel/r =~ s{by \./}{by STANDIN=plain ./}r);
spew("$suite/configs/known/mainline", "# none\n$one x some reason, since long\n" .
	"xfs/902 x a link since=999.1\n");

sub script
{
	my ($path, $text) = @_;
	spew("$dir/$path", "#! /bin/bash\n$text");
	chmod(0755, "$dir/$path") or die "$path: $!";
}

my $stress = "echo \"\$*\" >>\"\$DIR/stress\"; exec -a load.\$\$ sleep 600\n";
script('bin/stress-ng', $stress);
# "$DIR/NNN" holds: its word, and the words of its limits x and y
script('suite/check', <<'END');
test=${!#} name=${test##*/}
echo "$* STANDIN=${STANDIN:-}" >>"$DIR/calls"
read -r word x y <"$DIR/${name%%-*}"
[ "$word" != slow ] || { sleep .6; word=fail x=fail y=pass; }
[ "$word" != hang ] || { trap 'echo ended >>"$DIR/ended"; exit 143' TERM
	echo $$ >"$DIR/hangs"; while :; do sleep .1; done; }
[ "$word" != none ] || exit 2
mkdir -p "$RESULT_BASE/xfs"
head=$(grep -l "" tests/xfs/"$name.good")
{ echo "# kernel 6.18.44, 2026-01-01, by ./check --record xfs/901"
	grep -v '^#' "$head"; } >"$RESULT_BASE/$test.samples"
{ for i in x y; do echo "verdict limit=$i series=final n=5 verdict=${!i}"; done
	echo "verdict test=final verdict=$x"; } >"$RESULT_BASE/$test.verdict"
printf '%s\n' "run records=1 id=1 start_s=1 cpus=2 mem_kb=2048000 fstyp=${FS:-xfs}" \
	"test name=$test word=$word start_s=1796000000 elapsed_ms=${MS:-9} limits=yes reason=for%20it" \
	>"$RESULT_BASE/$test.record"
END

sub says { my ($test, $words) = @_; spew("$dir/$test", "$words\n") }

# trust(ARGUMENT...): (status, output)
sub trust
{
	my $out = qx{cd / && $suite/tools/trust @_ 2>&1};

	return ($? >> 8, $out =~ s/ after \d+ s$//mgr);
}

sub fresh
{
	unlink("$dir/calls", "$dir/stress", "$dir/results/trust/records");
	says('901', 'fail fail pass');
	says('902', 'pass pass pass');
}

fresh();
my ($status, $out) = trust('live --runs 2 --loads quiet,cpu');
is($status, 0, 'live: all as expected') or diag($out);
is(join(' ', $out =~ /^trust: (\w+), /mg), 'quiet quiet cpu cpu quiet quiet cpu cpu',
	'a line a run, each load in turn');
is(join('', sort($out =~ /^(trust: cpu.*\n)/mg)), "trust: cpu, $one: fail as expected\n" x 2 .
	"trust: cpu, $two: pass as expected\n" x 2, 'what it says');
is(slurp("$dir/stress"), "--cpu 0 --temp-path @{[$ENV{TMPDIR} // '/tmp']}\n" x 2,
	'the load, each time');
is(join(' ', sort(split(/\n/, slurp("$dir/calls")))), join(' ', ("$one STANDIN=") x 4,
	("$two STANDIN=") x 4), 'check, each time');
sub loads { return grep { (slurp($_) // '') =~ /\Aload\.\d+\0/ } glob('/proc/[0-9]*/cmdline') }
is(join(' ', loads()), '', 'no load is left');
($status, $out) = trust('live --runs 2 --loads quiet,cpu');
is("$status$out", 0, 'what is there is not run again');
($status, $out) = trust(qw(live --runs 3 --loads quiet xfs/902));
is($out, "trust: quiet, $two: pass as expected\n", 'what is not there is');

for my $case (
	['pass pass pass', 'pass pass pass', "$one: pass, WRONG, expected fail (x)"],
	['fail fail fail', 'pass pass pass', "$one: fail, WRONG, expected fail (y)"],
	['undecided pass undecided', 'pass pass pass',
		"$one: undecided, WRONG, expected fail (x)"],
	['fail fail pass', 'fail pass fail', "$two: fail, WRONG, expected pass (y)"],
	# by the checker of the file system, say
	['fail fail pass', 'fail pass pass', "$two: fail, WRONG, expected pass"]) {
	my ($first, $second, $line) = @$case;
	fresh();
	says('901', $first);
	says('902', $second);
	($status, $out) = trust(qw(live --runs 1 --loads quiet));
	is($status, 1, "$first, $second: exit 1") or diag($out);
	like($out, qr/^trust: quiet, \Q$line\E, see \S+$/m, "says $line");
	my ($kept) = $out =~ /, WRONG, .*, see (\S+)$/m;
	ok(-e "$kept/check.out" && -d "$kept/xfs", 'the results are kept');
	like(slurp("$dir/results/trust/records"), qr/ wrong=1 .*reason=for%20it/,
		'and why');
}
fresh();
says('901', 'undecided undecided pass');
says('902', 'broken pass pass');
($status, $out) = trust(qw(live --runs 1 --loads quiet));
is($status, 0, 'undecided and broken are not wrong') or diag($out);
{
	local $ENV{MS} = 90_000;
	fresh();
	trust(qw(live --runs 1 --loads quiet));
	unlink("$dir/calls");
	($status, $out) = trust(qw(live --runs 2 --minutes 1 --loads quiet));
	is("$status$out" . (slurp("$dir/calls") // ''), 0,
		'none starts that may end too late');
	local $ENV{FS} = 'ext4';
	fresh();
	is_deeply([trust(qw(live --runs 1 --loads quiet))], [2, "trust: $one ran on " .
		"ext4: what is expected is known of xfs\n"], 'another file system');
}

fresh();
spew("$dir/bin/stress-ng", slurp("$dir/bin/stress-ng") =~ s/exec .*/sleep 1.2/r);
spew("$dir/901", "slow fail fail pass\n");
is_deeply([trust('live --runs 9 --loads vm', $one)], [2,
	"trust: the load vm ended by itself: no run of $one\n" x 3 .
	"trust: 3 runs beside vm came to nothing\n"],
	'a load that does not last');
ok(!-e "$dir/results/trust/records", 'such runs do not count');
says('901', 'none');
is_deeply([trust('live --runs 9 --loads quiet', $one)], [2, ("trust: no result of $one " .
	"(see $dir/results/trust/check.log)\n") x 3 .
	"trust: 3 runs beside quiet came to nothing\n"], 'nor does a check that does not run');
script('bin/stress-ng', $stress);

# Its .bad was recorded on this very kernel.
fresh();
spew("$suite/tests/$two.bad", slurp("$suite/tests/$two.bad") =~ s/6\.18\.44/$kernel/r);
says('902', 'fail fail fail');
is((trust(qw(live --runs 1 --loads quiet)))[0], 0, 'expected by its .bad');

# Recordings, with the variables of those that are there
fresh();
says('902', 'fail fail fail');
($status, $out) = trust(qw(record --rounds 60));
is($status, 0, 'record') or diag($out);
is(slurp("$dir/calls"), join('', map { "--record --rounds 60 --timeout 7200 $_\n" }
	"$one STANDIN=", "$two STANDIN=plain", "$two STANDIN="), 'what this kernel has');
like($out, qr/^trust: \Q$one\E: this kernel is not good, and there is no stand-in$/m,
	'what it has not');
ok(-e "$dir/results/trust/recordings/$two.$_", "902.$_ is there") for qw(good bad);
($status, $out) = trust('record');
like($out, qr/^trust: \Q$two: $dir\E\S+902-two\.bad is there$/m, 'it stays');
recording("$suite/tests/$two.bad", (3000) x 40);
# One of a kernel that this is not, which names a stand-in for others
system("rm -r '$dir/results/trust/recordings'");
unlink("$dir/calls");
spew("$suite/tests/$one.good", slurp("$suite/tests/$one.good") =~ s/^# kernel.*\n\K/# by hand
# a stand-in on other kernels: STANDIN=plain .\/check --record $one\n/r);
($status, $out) = trust(qw(record --rounds 60), $one);
is(slurp("$dir/calls"), join('', map { "--record --rounds 60 --timeout 7200 $one $_\n" }
	qw(STANDIN=plain STANDIN=)), 'a stand-in that it names');
recording("$suite/tests/$one.good", (1000) x 40);

($status, $out) = trust(qw(simulate --sequences 3000));
is($status, 1, 'wrong words in sequences: exit 1') or diag($out);
like($out, qr/^trust: WRONG: \Q$one\E x, bad, inforce: 3000 of 3000 sequences$/m,
	'says so: the recording of bad is that of good');
system("rm -r '$dir/results/trust/recordings'");
fresh();
is((trust(qw(simulate --sequences 3000)))[0], 0, 'simulate');

# The document
($status, $out) = trust('live', '--runs', 1, '--loads', 'quiet,vm');
says('902', 'fail fail pass');
trust('live', '--runs', 50, '--loads', 'quiet', $one);
($status, $out) = trust('table');
is($status, 0, 'table') or diag($out);
for my $line (
	'- Real rounds, resampled, at the limits in force: wrong words in 0 of 24000 ' .
		'sequences.  Of each limit, side and recording alone (8 of them): in ' .
		'less than 0.0999 %.',
	'- Live: wrong words in 0 of 53 runs of check, beside all loads: in less than ' .
		'5.5 %.  Of each test and load alone (the fewest runs: 1): in less ' .
		'than 95 %.',
	'- Quiet runs that were decided: 51 of 51, 100 %.',
	'- Fewer than 50 runs: 3 of the 4 pairs of test and load.',
	"| $one | bad | 40 | 1 | 3000 | 0 | 0.0999 % | 0 | 0 % | 5.0 |",
	'- All limits of a test on the same rounds, any of them wrong: in 0 of 12000 ' .
		'sequences.  Of each test, side and recording alone (4 of them): in ' .
		'less than 0.0999 %.',
	"| $one | x | bad | 40 | 0 | 0.00 | 1 | 3000 | 0 | 0.0999 % | 0 % | 5.0 | " .
		'0.000285 % |  |  |',
	"| $two | y | good (plain) | 40 | 0 | 0.00 | 1 | 3000 | 0 | 0.0999 % | 0 % | " .
		'5.0 | 0.000285 % | 0 of 3000 |  |',
	"- $two, good (plain): x, y",
	"| $one | $kernel | quiet | fail | 50 | 0 | 50 | 0 | 0 | 0 | 0 | 5.82 % | 100 % |",
	"| $one | $kernel | vm | fail | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 95 % | 100 % |",
	"- Live: $kernel, 2 CPUs, 2000 MiB, 2026-11-30, suite unknown") {
	my $expected = $line =~ s/2026-11-30/20\\d\\d-\\d\\d-\\d\\d/r;
	$expected = join('20\d\d-\d\d-\d\d', map { quotemeta } split(/2026-11-30/, $line));
	like($out, qr/^$expected$/m, "table: $line");
}
unlike($out, qr/^- Not below|^Wrong:/m, 'nothing else');
my $records = slurp("$dir/results/trust/records");
my ($live) = $records =~ /^(live .*\n)/m;
my ($inforce) = $records =~ /^(sim .*?case=inforce.*\n)/m;
spew("$dir/R", $inforce =~ s/right=\d+/right=2990/r =~ s/ wrong=0/ wrong=10/r .
	$live =~ s/word=\w+/word=pass/r =~ s/wrong=0/wrong=1 wrong_limits=x reason=a%20|b/r .
	$live =~ s/word=\w+/word=undecided/r .
	"absent load=quota kernel=k reason=no%20cgroup\n");
($status, $out) = trust('table', '--records', "$dir/R");
like($out, qr/^- Not below 0\.1 %: xfs\/901-one x, \S+ \(0\.565 %\)\.$/m, 'what is above');
like($out, qr{^- Below 95 % there: xfs/901-one on \S+ \(1 of 2\)\.$}m, 'undecided quiet ones');
like($out, qr/^- xfs\/901-one beside quiet: pass, expected fail \(x\): a \\\|b$/m, 'wrong ones');
like($out, qr/^- quota is not here on k: no cgroup$/m, 'an absent load');
# What depends, of limits that decide and of controls, which do not speak of the kernel.
my ($case_of, $moved) = ($inforce =~ s/case=inforce/case=independent design=0.0008/r,
	$inforce =~ s/case=inforce/case=moved/r);
spew("$dir/R", $case_of . $moved =~ s/right=\d+/right=2985/r =~ s/ wrong=0/ wrong=15/r);
($status, $out) = trust('table', '--records', "$dir/R");
like($out, qr/ in 0\.5 % at worst of those in blocks \(xfs\/901-one x, \S+\)\.$/m, 'the worst that decides');
spew("$dir/R", slurp("$dir/R") . $moved =~ s/right=\d+/right=2700/r =~ s/ wrong=0/ wrong=300/r
	=~ s/limit=x/limit=c/r =~ s/role=decide/role=control/r);
($status, $out) = trust('table', '--records', "$dir/R");
like($out, qr/ in 0\.5 % at worst of those in blocks \(xfs\/901-one x, \S+\), of controls in 10 % \(xfs\/901-one c, \S+\)\.$/m,
	'and the worst control');
for my $case (['', "nothing"], ['live test=a', ''], ["dead a=b\n", "'dead', expected " .
	'absent, live, sim'], [$live =~ s/word=\w+/word=good/r, 'word=good, expected ' .
	'pass fail undecided broken notrun'], [$inforce =~ s/right=\d+/right=1/r,
	'wrong=0 of sequences=3000'], [$inforce =~ s/ block=\d+//r, 'no block=']) {
	my ($text, $message) = @$case;
	spew("$dir/R", $text);
	($status, $out) = trust('table', '--records', "$dir/R");
	is($status, $text eq '' ? 0 : 2, "records '" . substr($text, 0, 20) . "': status");
	like($out, qr/^trust: \Q$dir\E\/R:1: .*\Q$message\E/, 'by line') if length($text);
}

# Calls
for my $case (['', "expected all, live, quick, record, simulate, table, found '' $help"],
	['lives', "expected all, live, quick, record, simulate, table, found 'lives' $help"],
	['live --bogus', "unknown option '--bogus' $help"],
	['live --runs 0', "option --runs takes 1 to 100000, found '0'"],
	['live --runs', "option --runs takes 1 to 100000, found ''"],
	['record --rounds 201', "option --rounds takes 40 to 200, found '201'"],
	['live --loads quiet,,cpu', 'option --loads takes some of quiet, cpu, vm, io, ' .
		"neighbour, quota, found ''"],
	['live xfs/999', "'xfs/999', expected a test with limits (all: $one, $two)"],
	['table --runs 3', "table takes no --runs $help"],
	['record --minutes 3', "record takes no --minutes $help"],
	["table $one", "table takes no test, found '$one'"],
	["table --records $dir/none", "$dir/none: no such file, expected records of tools/trust"]) {
	my ($args, $message) = @$case;
	is_deeply([trust($args)], [2, "trust: $message\n"], "trust $args");
}
is((trust('--help'))[0], 0, '--help');

# Ends of another kind
fresh();
says('901', 'hang');
for my $signal (qw(TERM KILL)) {
	unlink("$dir/hangs", "$dir/ended");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', '/dev/null');
		exec("$suite/tools/trust", qw(live --loads io), $one) or die;
	}
	ok(wait_for(20, sub { -s "$dir/hangs" }), "$signal: check runs");
	is(scalar(loads()), 1, "$signal: beside the load");
	is((trust(qw(live --loads quiet)))[1], "trust: another run works in " .
		"$dir/results/trust\n", 'no second one in its place') if $signal eq 'TERM';
	kill($signal, $pid);
	waitpid($pid, 0);
	is($? & 127 || $? >> 8, $signal eq 'TERM' ? 143 : 9, "$signal: status");
	ok(wait_for(20, sub { -e "$dir/ended" }), "$signal: check is ended");
	ok(wait_for(20, sub { !loads() }), "$signal: the load is gone");
}

# --- the loads that need root

sub our_loops { return grep { (slurp($_) // '') =~ m{^\Q$dir\E/images/} }
	glob('/sys/class/block/loop*/loop/backing_file') }

SKIP: {
	skip('needs root', 1) if $> != 0;
	skip(Loads::missing('neighbour'), 1) if Loads::missing('neighbour');
	skip('needs loop devices', 1) if !-e '/dev/loop-control';
	chdir($top) or die;
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		chdir($suite) && Loads::start('neighbour', "$dir/images");
		sleep(600);
	}
	ok(wait_for(20, \&our_loops), 'neighbour: it has a loop device');
	unlike(slurp('/proc/self/mounts'), qr/\Q$dir\E/, 'its mounts are its own');
	kill('KILL', $pid);
	waitpid($pid, 0);
	ok(wait_for(20, sub { !our_loops() }), 'its owner is killed: no loop device');
	chdir($suite) or die;
	my $load = Loads::start('neighbour', "$dir/images");
	like(join(' ', glob("$dir/images/*")), qr{^\Q$dir/images/fsratio-neighbour.$$\E\.\w+$},
		'the next one removes what is left');
	ok(wait_for(20, \&our_loops), 'and runs');
	ok(Loads::is_running($load), 'still');
	Loads::stop($load);
	ok(wait_for(5, sub { !our_loops() }) && !glob("$dir/images/*"), 'and is gone');
	chdir($top) or die;
}
SKIP: {
	skip('needs root', 1) if $> != 0;
	my ($parent, $file, $half) = Loads::cgroup_parent();
	skip('needs a cgroup with a CPU quota', 1) if !$parent;
	chdir($suite) or die;
	my $load = Loads::start('quota', "$dir/images");
	ok(wait_for(5, sub { slurp("$load->{cgroup}/$file") =~ /^$half\b/ }), 'quota: half a CPU');
	ok(wait_for(5, sub { slurp("$load->{cgroup}/$file") !~ /^$half\b/ }), 'then none');
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		Loads::enter($load);
		exec('sleep', 600) or die;
	}
	ok(wait_for(5, sub { slurp("$load->{cgroup}/cgroup.procs") =~ /^$pid$/m }), 'of what enters');
	kill('KILL', $pid);
	waitpid($pid, 0);
	Loads::stop($load);
	ok(!-e $load->{cgroup}, 'and is gone');
	chdir($top) or die;
}
{
	local $Loads::cgroup_root = "$dir/none";
	is(Loads::missing('quota'), 'needs a cgroup with cpu.max, or cpu.cfs_quota_us, ' .
		'to write to', 'no cgroup');
	$Loads::cgroup_root = "$dir/cgroup";
	mkdir($_) or die for $Loads::cgroup_root;
	spew("$dir/cgroup/cgroup.subtree_control", "memory cpu io\n");
	is_deeply([Loads::cgroup_parent()], ["$dir/cgroup", 'cpu.max', '50000 100000',
		'max 100000'], 'that of version 2');
	local $ENV{SCRATCH_DEV} = '/dev/x';
	is(Loads::missing('neighbour'), 'needs images of check, not devices', 'no images');
}

# --- that of the suite

my $doc = slurp("$top/doc/trust.md") // '';
is_deeply([grep { !-e "$top/tests/$_" } $doc =~ m{^\| ([^ |]+/[^ |]+) \|}mg], [],
	'doc/trust.md names tests that exist');
# What is claimed elsewhere is no less than what stands there.
my ($bound) = $doc =~ /^- Real rounds, .*: in less than ([\d.]+) %\.$/m;
my ($worst) = $doc =~ /^- With each limit moved .* in ([\d.]+) % at worst /m;
my ($control) = $doc =~ /^- With each limit moved .* at worst .*, of controls in ([\d.]+) % /m;
my $root = realpath("$top/tests/selftest/../..");
for my $file (qw(README CONTRIBUTING doc/fsratio.1)) {
	my $text = slurp("$root/$file") =~ s/\s+/ /gr;
	my ($claim) = $text =~ /less than ([\d.]+) % \((?:upper bound, )?one-sided 95 %\)/;
	cmp_ok($claim // 0, '>=', $bound // 1, "$file claims no more than doc/trust.md");
	cmp_ok($1, '>=', $worst // 100, "$file: nor of dependent rounds")
		if $text =~ / that depend ([\d.]+) % at worst/;
	cmp_ok($1, '>=', $control // 100, "$file: nor of controls")
		if $text =~ / at worst \(of controls ([\d.]+) %/;
}
done_testing();
