# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of reports: what the runs recorded in results/ say, read by as
# little as can be, and by nothing of the suite's.  words has a test for each word;
# 6.18 is a run of the quick group, and 6.1 one in a guest that was cut off half-way.
# Both were recorded without what no report reads (most counters, most of .full).
package Recorded;

use strict;
use warnings;
use CheckRun;
use Exporter qw(import);

our @EXPORT = qw(copied recorded_limits recorded_tests $recorded);
our $recorded = 'tests/selftest/results';

# copied($name): a directory of our own with these recorded results.
sub copied
{
	my ($name) = @_;
	my $dir = results_dir();

	system("cp -r $recorded/$name/. $dir") == 0 or die "cp $name";
	return $dir;
}

# recorded_tests($name): [test, word, when]... as they were to run; when is '', or for
# what was cut off 'while it ran' or 'before it'.
sub recorded_tests
{
	my ($name) = @_;
	my $records = slurp("$recorded/$name/check.records");

	return map {
		my ($word) = (slurp("$recorded/$name/$_.record") // '') =~ /^test .* word=(\w+)/m;
		[$_, $word // 'broken', $word ? '' : $records =~ /^start name=\Q$_\E /m ?
			'while it ran' : 'before it'];
	} $records =~ /^plan name=(\S+)$/mg;
}

# recorded_limits($name, $test): {name, word, role, ratio}... of a recorded test.
sub recorded_limits
{
	my ($name, $test) = @_;

	return map {
		my %keys = map { split(/=/) } split(/ /);
		{name => $keys{limit}, word => $keys{verdict}, role => $keys{role} // '', ratio => $keys{ratio}};
	} (slurp("$recorded/$name/$test.verdict") // '') =~ /^verdict (limit=\S+ series=final .*)$/mg;
}

1;
