#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# record.c: record_test.c, built as it is and under the sanitizers.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $cc = $ENV{CC} // 'gcc';
my $top = abs_path('tests/selftest/../..');
my $dir = tempdir('fsratio-record-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @flags = (qw(-std=gnu11 -O2 -g -Wall -Wextra -Wshadow -Wconversion
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Werror
	-D_GNU_SOURCE -iquote), "$top/src");

# Whether the compiler links an empty program with these arguments.
sub links
{
	my ($head, @args) = @_;
	open(my $fh, '>', "$dir/try.c") or die "try.c: $!";
	print $fh "$head\nint main(void) { return 0; }\n";
	close($fh) or die "try.c: $!";
	return system("$cc -o $dir/try $dir/try.c @args >/dev/null 2>&1") == 0;
}

links('') or plan(skip_all => "no compiler $cc");
links("#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n" .
	"#include <setjmp.h>\n#include <cmocka.h>", '-lcmocka') or
	plan(skip_all => 'no cmocka (Debian: libcmocka-dev)');

$ENV{CMOCKA_MESSAGE_OUTPUT} = 'TAP';
for my $sanitize ('', '-fsanitize=address,undefined ' .
	'-fno-sanitize-recover=all') {
	my $name = $sanitize ? 'under the sanitizers' : 'as it is';
	SKIP: {
		skip("no $sanitize", 2) if $sanitize && !links('', $sanitize);
		unlink("$dir/record_test");
		is(system("$cc @flags $sanitize -o $dir/record_test " .
			"$top/tests/selftest/record_test.c $top/src/record.c " .
			'-lcmocka'),
			0, "$name: builds without a warning");
		my $out = `$dir/record_test 2>&1`;
		is($?, 0, "$name: every test passes") or diag($out);
	}
}

done_testing();
