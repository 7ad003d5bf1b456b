# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# What a results directory says, from its records alone: runs, their tests, and
# of each test its word and limits.  common/records has what check writes;
# Samples.pm reads what was measured.  All text in what is returned has been
# through Record::text.  What cannot be read dies with one line, "FILE:LINE: what
# is there, expected what\n".
package Results;

use strict;
use warnings;
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Record qw(each_record expected open_file text wrong);

# The number of the records that check writes today.
my $RECORDS = 1;
# The numbers of a verdict, in the order of the judge.
my @NUMBERS = qw(ratio lo hi conf n bad unfit sigma lag1 max min);
# The judge holds so many limits; a run has as many tests as there are files.
my $LIMITS_MAX = 32;
my $TESTS_MAX = 20_000;

# What keys are to be there in a record of check, and what in them.
my @version = (qr/\A$RECORDS\z/,
	"$RECORDS (that of a newer suite is read by that suite alone)");
my @word = (qr/\A(?:pass|fail|notrun|undecided|broken|known|fixed)\z/,
	'pass, fail, notrun, undecided, broken, known or fixed');
my @verdict = (qr/\A(?:pass|fail|undecided|broken|info)\z/,
	'pass, fail, undecided, broken or info');
my @name = (qr{\A(?!\.\.?/)[^/\0]{0,254}[^/\0\n]/[^/\0]{1,255}\z}, 'DIRECTORY/TEST');
my %check_keys = (
	run => expected(records => \@version, id => \@Record::ANY,
		start_s => \@Record::SECONDS),
	plan => expected(name => \@name),
	start => expected(name => \@name, start_s => \@Record::SECONDS),
	test => expected(name => \@name, word => \@word, start_s => \@Record::SECONDS,
		elapsed_ms => \@Record::INTEGER),
	end => expected(end_s => \@Record::SECONDS),
);
# And in those of a verdict.
my $limit_keys = expected((map { $_ => \@Record::ANY } qw(name num den of)),
	map { ("?$_" => \@Record::NUMBER) } qw(max min floor));
my $verdict_keys = expected(verdict => \@verdict, series => \@Record::ANY,
	map { ("?$_" => \@Record::NUMBER) } @NUMBERS);

sub refuse
{
	die text($_[0]) . "\n";
}

# What is wrong with a record of check, if anything; decodes its values.
sub check_record
{
	my ($kind, $keys) = @_;
	my $expected = $check_keys{$kind} or return;

	s/%([0-9A-F]{2})/chr(hex($1))/ge for values(%$keys);
	return wrong($keys, $expected);
}

# Those of a run: one hash for all of its tests.
my %facts;
sub facts
{
	my ($dir, $run) = @_;
	my $facts = $facts{"$dir $run->{id}"} //= {map { $_ => text($run->{$_}) } keys(%$run)};

	delete(@{$facts}{qw(records id)});
	return $facts;
}

# Whether a check still writes to the directory: it holds the lock of its
# RESULT_BASE, which is the parent of a section's directory.
sub in_progress
{
	my ($dir) = @_;

	for my $file ("$dir/.lock", "$dir/../.lock") {
		my $lock = eval { open_file($file) } or next;
		return 1 if !flock($lock, LOCK_SH | LOCK_NB);
	}
	return 0;
}

# read_runs($dir): read_run of the directory, or of those below it: a RESULT_BASE
# has one a section.
sub read_runs
{
	my ($dir) = @_;

	-d $dir or refuse("$dir: no directory, expected a results directory");
	return read_run($dir) if -e "$dir/check.records";
	opendir(my $list, $dir) or refuse("$dir: $!");
	my @below = sort(grep { !/\A\.\.?\z/ && -e "$dir/$_/check.records" } readdir($list));
	refuse("$dir: no check.records, expected a results directory") if !@below;
	refuse_link("$dir/$_") for @below;
	return map { read_run("$dir/$_") } @below;
}

# Nothing leads out of the results but what the caller named.
sub refuse_link
{
	my ($dir) = @_;

	refuse("$dir: a symbolic link, expected a directory") if -l $dir;
}

# read_run($dir): the last run that wrote its results right there: {dir, id,
# section, facts => {kernel => '6.18.44', cpus => 2, start_s, host, ...: what
# result.xml has as properties, in small letters}, end_s or undef where it was
# cut off, tests => [...]}; tests in the order of the run, as read_test gives
# them.  One that was to run and did not end is broken and has missing =>
# 'started' or 'not reached'.  Dies if the run still goes on.
sub read_run
{
	my ($dir) = @_;
	my $file = "$dir/check.records";
	my (@plan, %start_s, %seen, $run, $end_s);

	each_record($file, sub {
		my ($kind, $keys) = @_;
		my $wrong = check_record($kind, $keys);

		return $wrong if $wrong;
		return "a $kind record, expected one run record, as the first"
			if $kind ne '#' && !$run != ($kind eq 'run');
		$run = $keys if $kind eq 'run';
		push(@plan, $keys->{name}) if $kind eq 'plan' && !$seen{$keys->{name}}++;
		$start_s{$keys->{name}} = $keys->{start_s} if $kind eq 'start';
		$end_s = $keys->{end_s} if $kind eq 'end';
		return "one test more, expected at most $TESTS_MAX" if @plan > $TESTS_MAX;
		return;
	}, 'torn') or refuse("$dir: no check.records, expected a results directory");
	refuse("$file:1: nothing, expected a run record") if !$run;
	refuse("$file: check still writes to it, expected a run that has ended")
		if !defined($end_s) && in_progress($dir);
	my %dirs = map { m{\A(.*)/}s ? ("$dir/$1" => 1) : () } @plan;
	refuse_link($_) for sort(keys(%dirs));
	my @tests = map {
		my $test = read_test($dir, $_);
		$test && $test->{id} eq $run->{id} ? $test :
			missing($dir, $_, $run, $start_s{$_});
	} @plan;
	return {dir => $dir, id => $run->{id}, end_s => $end_s, tests => \@tests,
		section => text($run->{section} // ''), facts => facts($dir, $run)};
}

# A test of a run that was cut off.
sub missing
{
	my ($dir, $name, $run, $start_s) = @_;
	my $when = defined($start_s) ? 'while it ran' : 'before it';

	return {name => text($name), path => "$dir/$name", id => $run->{id},
		word => 'broken', reason => "the run was cut off $when",
		missing => defined($start_s) ? 'started' : 'not reached',
		start_s => $start_s, facts => facts($dir, $run), limits => [], why => ''};
}

# read_test($dir, $name): a test as it ended last, in whatever run: {name, path
# (its files are PATH.KIND), id and facts of its run, word, reason, start_s,
# elapsed_ms, limits => [...], why}; undef where it never ended.
#
# Where check was given --known, the words known and fixed stand for a fail and a
# pass of what is known to fail, of tests as of limits, and known says why.
#
# A limit is {name, word, role, reason, confirmed, rounds and unfit => [those of
# series 1, of series 2], numbers => [ratio => '1.02', lo => '0.99', ...], record =>
# {num, den, of, ...: the limit as it was judged by; undef in older results}}.  why
# says where the tasks of a fail were blocked.  A test that was judged and has no
# whole verdict beside it cannot be trusted, and is broken.
sub read_test
{
	my ($dir, $name) = @_;
	my $file = "$dir/$name.record";
	my (%run, %test);

	# A machine that died may leave an empty one.
	return if !-s $file;
	each_record($file, sub {
		my ($kind, $keys) = @_;
		my $wrong = check_record($kind, $keys);

		%run = %$keys if $kind eq 'run';
		%test = %$keys if $kind eq 'test';
		return $wrong;
	});
	refuse("$file:1: expected a run and a test record") if !%run || !%test;
	refuse("$file:2: name=$test{name}, expected $name") if $test{name} ne $name;
	my ($limits, @known) = delete(@test{qw(limits known_fail known_pass known_why)});
	my $test = {%test, name => text($name), path => "$dir/$name",
		id => $run{id}, facts => facts($dir, \%run), limits => [], why => '',
		reason => text($test{reason} // '')};
	$test->{known} = text($known[2]) if defined($known[2]);
	read_verdict($test) if $limits;
	mark_known($test, known => $known[0]);
	mark_known($test, fixed => $known[1]);
	return $test;
}

# Give this word to the limits of the list.
sub mark_known
{
	my ($test, $word, $names) = @_;
	my %named = map { $_ => 1 } split(/,/, $names // '');

	$_->{word} = $word for grep { $named{$_->{name}} } @{$test->{limits}};
}

# Add the limits of PATH.verdict, as the judge left it.
sub read_verdict
{
	my ($test) = @_;
	my $file = "$test->{path}.verdict";
	my (%series, %records, @limits, $why, $final);
	my $there = eval { each_record($file, sub {
		my ($kind, $keys) = @_;

		$why = text($1) if $kind eq '#' && $keys =~ /\A# reason: (.*)/s;
		return limit_record($keys, \%records) if $kind eq 'limit';
		return if $kind ne 'verdict';
		$final = 1 if ($keys->{test} // '') eq 'final';
		return if !defined($keys->{limit});
		push(@limits, $keys) if ($keys->{series} // '') eq 'final';
		return "one limit more, expected at most $LIMITS_MAX" if @limits > $LIMITS_MAX;
		push(@{$series{$keys->{limit}}}, $keys)
			if ($keys->{series} // '') ne 'final';
		return wrong($keys, $verdict_keys);
	}) };
	my $error = $@ ? $@ =~ s/\n\z//r : !$there ? text("$file is missing") :
		!$final ? text("$file is cut off") : '';

	if ($error) {
		@{$test}{qw(word reason)} = ('broken', $error)
			if $test->{word} =~ /\A(?:pass|fail|undecided|known|fixed)\z/;
		return;
	}
	$test->{why} = $why // '';
	$test->{limits} = [map { limit($_, $series{$_->{limit}} // [],
		$records{$_->{limit}}) } @limits];
}

# What is wrong with a limit, if anything; it is added to the others.
sub limit_record
{
	my ($keys, $records) = @_;

	$records->{$keys->{name} // ''} = $keys;
	return wrong($keys, $limit_keys);
}

sub limit
{
	my ($v, $series, $record) = @_;

	return {name => text($v->{limit}), word => $v->{verdict}, record => $record,
		rounds => [map { $_->{n} // 0 } @$series],
		unfit => [map { $_->{unfit} // 0 } @$series],
		numbers => [map { exists($v->{$_}) ? ($_ => $v->{$_}) : () } @NUMBERS],
		map { $_ => text($v->{$_} // '') } qw(role reason confirmed)};
}

# full_name($run, $test): SECTION/DIRECTORY/TEST, or without a section.
sub full_name
{
	my ($run, $test) = @_;

	return length($run->{section}) ? "$run->{section}/$test->{name}" : $test->{name};
}

# number($limit, $key): one of its numbers, undef = it has none.
sub number
{
	my ($limit, $key) = @_;
	my %numbers = @{$limit->{numbers}};

	return $numbers{$key};
}

# decisive($test): the limit that the test's word comes from, undef = none: the
# first that says the same and decides, else the first that decides.
sub decisive
{
	my ($test) = @_;
	my @decide = grep { !$_->{role} && $_->{word} ne 'info' } @{$test->{limits}};
	my ($limit) = ((grep { $_->{word} eq $test->{word} } @decide), @decide);

	return $limit;
}

1;
