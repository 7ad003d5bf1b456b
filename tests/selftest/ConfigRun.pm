# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# For the self-tests of the configuration: read a file with common/config, and
# with a shell.
package ConfigRun;

use strict;
use warnings;
use Cwd qw(getcwd);
use Exporter qw(import);
use CheckRun qw(results_dir slurp spew);

our @EXPORT = qw(config_run shell_run);

# Nothing of the caller's environment
our $bash = "env -i PATH=\"\$PATH\" LC_ALL=C here=/here bash -uc";
my $dir = results_dir();
my $top = getcwd();

# Print keys that are not as by default, one a line.
my $show = <<'EOT';
for key in "${CONFIG_KEYS[@]}"; do
	_keys_default "$key"
	[ "${!key}" = "$keys_default" ] || printf '%s=%s\n' "$key" "${!key}"
done
EOT

sub quote
{
	my ($text) = @_;

	$text =~ s/'/'\\''/g;
	return "'$text'";
}

sub assignments
{
	my ($env) = @_;

	return join(' ', map { "$_=" . quote($env->{$_}) } sort keys %$env);
}

# config_run(\%env, @sections): read the configuration in a clean bash and enter
# the sections (none: the first one); (keys, stderr, status).  DIRECTORY in %env
# is where that happens.
sub config_run
{
	my ($env, @sections) = @_;
	my %env = %$env;
	my $cd = delete $env{DIRECTORY} // $top;
	my $enter = @sections ? join('', map { "_config_enter $_\n" } @sections) :
		"_config_enter \"\${config_sections[0]}\"\n";
	my $pwd = defined $env{PWD} ? "PWD=$env{PWD};" : '';

	spew("$dir/script", "here=/here; EXIT_MISUSE=2\n. ./common/config || exit 9\n" .
		"cd $cd || exit 9; $pwd\n_config_load\n$enter$show");
	my $out = `env -i PATH="\$PATH" @{[assignments(\%env)]} LC_ALL=C bash -u $dir/script 2>$dir/err </dev/null`;
	return ($out, slurp("$dir/err"), $? >> 8);
}

# shell_run($text, \%env): the keys as a shell has them that executes the text,
# or what it says against that.  It can run no command and write no file.
sub shell_run
{
	my ($text, $env) = @_;

	spew("$dir/text", $text . <<'EOT');

[ "${FSTYP-}" != xfs ] || FSTYP=
for key in TEST_DEV TEST_DIR SCRATCH_DEV SCRATCH_MNT FSTYP MKFS_OPTIONS \
		MOUNT_OPTIONS TEST_FS_MOUNT_OPTS TEST_LOGDEV SCRATCH_LOGDEV USE_EXTERNAL \
		LOAD_FACTOR TIME_FACTOR RECREATE_TEST_DEV TEST_IMAGE_BYTES; do
	[ -z "${!key-}" ] || printf '%s=%s\n' "$key" "${!key}"
done
EOT
	return `cd $dir && env -i @{[assignments($env // {})]} LC_ALL=C PATH=/nonexistent /bin/bash -r text 2>&1 </dev/null`;
}

1;
