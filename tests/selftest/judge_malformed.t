#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# The judge under the sanitizers: judge.t as it stands, then damaged files.
# Whatever a file holds, the answer is a verdict or one line and nothing else.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $cc = $ENV{CC} // 'gcc';
my $dir = tempdir('fsratio-malformed-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @flags = (qw(-std=gnu11 -O1 -g -D_GNU_SOURCE -fno-sanitize-recover=all),
	"-fsanitize=address,undefined");
my @sources = map { "src/$_.c" } qw(judge limits samples recfile signtest
	record);

sub spew
{
	my ($path, $text) = @_;
	open(my $fh, '>:raw', $path) or die "$path: $!";
	print $fh $text;
	close($fh) or die "$path: $!";
}

spew("$dir/try.c", "int main(void) { return 0; }\n");
plan(skip_all => "no compiler $cc with the sanitizers")
	if system("$cc @flags -o $dir/try $dir/try.c >/dev/null 2>&1");
is(system("$cc @flags -o $dir/judge @sources -lm"), 0, 'builds') or
	BAIL_OUT('src/judge does not build');
{
	local $ENV{FSRATIO_SRC} = $dir;
	my $out = `$^X tests/selftest/judge.t 2>&1`;
	is($?, 0, 'judge.t passes') or diag($out);
}

my $limits = <<'END';
# limits
limit name=x num=sn,p1 den=s1,pn of=elapsed_ns max=1.90
limit name=y num=sn den=pn of=vcsw/ops floor=0.001 max=20
limit name=c role=control num=s1 den=p1 of=elapsed_ns min=1.5
limit name=i role=info num=s1 den=p1 of=ops min=1
END
my $samples = "# samples\nenv kernel=6.18.44 cpus=2 fs=xfs debug_kernel=0\n";
for my $round (1 .. 6) {
	for my $arm (qw(s1 sn p1 pn)) {
		$samples .= "sample series=1 arm=$arm round=$round fs=xfs " .
			"dev=7:0 threads=2 ops=200 elapsed_ns=" .
			($arm =~ /s/ ? 30120 : 10120) . $round . ' vcsw=' .
			($arm eq 'sn' ? 150 : 0) . " run_delay_ns=12\n";
	}
}

my $seed = 20240301;
sub random
{
	my ($n) = @_;
	$seed = $seed * 48271 % 2147483647;	# Park and Miller
	return $seed % $n;
}

my @insert = ("\0", "\n", '=', ' ', '#', "\r", "\xff", '-', ',', '/', '.',
	'%s%n', '9' x 30, 'x' x 5000, ' k=1', 'a' x 70000, "\t", '0',
	'18446744073709551615', '1e999', 'nan', 'verdict');
sub damaged
{
	my ($text) = @_;
	for (0 .. random(3)) {
		my $at = random(length($text) + 1);
		my $how = random(6);
		my $more = $insert[random(scalar(@insert))];
		if ($how == 0) {
			substr($text, $at, 0) = $more;
		} elsif ($how == 1) {
			substr($text, $at, random(9)) = '';
		} elsif ($how == 2) {
			substr($text, $at, 1) = $more if $at < length($text);
		} elsif ($how == 3) {
			my @lines = split(/^/, $text);
			splice(@lines, random(scalar(@lines)), 1,
				map { $lines[random(scalar(@lines))] } 1 .. random(3))
				if @lines;
			$text = join('', @lines);
		} elsif ($how == 4) {
			$text =~ s/(\d+)/random(3) ? $1 : $more/eg if !random(4);
			$text =~ s/=(\d+)\n/"=" . "$1" x random(9) . "\n"/e;
		} else {
			$text = substr($text, 0, $at) if !random(8);
		}
	}
	return $text;
}

my (@wrong, %statuses);
for my $try (1 .. 200) {
	my ($l, $s) = ($limits, $samples);
	$l = damaged($l) if $try % 2;
	$s = damaged($s) if $try % 2 == 0 || $try % 5 == 0;
	spew("$dir/L", $l);
	spew("$dir/S", $s);
	my @final = $try % 3 ? () : '--final';
	my $out = `$dir/judge @final $dir/L $dir/S 2>$dir/err`;
	my $status = $? & 127 ? "signal $?" : $? >> 8;
	my $err = do { open(my $fh, '<:raw', "$dir/err"); local $/; <$fh> } // '';
	$statuses{$status}++;
	my $said = $status eq '1' ? $out eq '' &&
		$err =~ m{\Ajudge: \Q$dir\E/[LS]:\d+: [ -~]+\n\z} &&
		length($err) < 300 :
		$status =~ /^[03]$/ && $err eq '' && $out =~ /\A(?:verdict
			(?:\ [a-z0-9]+=[^\ \n=]+)+\n)+\z/x;
	push(@wrong, "try $try: $status $out$err") if !$said;
}
is(join("\n", @wrong), '', '200 damaged files: a verdict or one line');
cmp_ok($statuses{1} // 0, '>', 100, 'most of them broken');
cmp_ok($statuses{0} // 0, '>', 5, 'not all of them');

done_testing();
