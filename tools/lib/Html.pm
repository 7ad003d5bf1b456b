# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 the fsratio authors.
#
# The frame of a page: one file that needs no other and no script, for a phone, a
# dark room and paper.  It is well-formed XML, too.
package Html;

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(bar details escape page_end page_start table word);

my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;',
	"'" => '&#39;');

my $turning = qr/[\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/;

# Colours: fNUMBER is a fill, sNUMBER a stroke of one of them.
my @colours = qw(fg good bad limit band faint c0 c1 c2 c3 c4 c5);
my $light = '--fg:#1c2024;--bg:#fff;--soft:#f2f4f6;--line:#cdd3d9;--faint:#6a737c;' .
	'--good:#17713a;--bad:#c01f2c;--warn:#8a5a00;--limit:#c01f2c;--band:#2f6fb7;' .
	'--c0:#1f66ad;--c1:#b3500a;--c2:#17713a;--c3:#8a3a94;--c4:#8a5a00;--c5:#0f7480;';
my $dark = '--fg:#e4e7ea;--bg:#14171a;--soft:#1f2429;--line:#424a52;--faint:#9aa4ae;' .
	'--good:#5fd08a;--bad:#ff7b80;--warn:#e7b347;--limit:#ff7b80;--band:#76b1f2;' .
	'--c0:#76b1f2;--c1:#f0a060;--c2:#5fd08a;--c3:#d99be2;--c4:#e7b347;--c5:#5cc9d6;';
my $style = <<"END";
:root{color-scheme:light dark;$light}
\@media (prefers-color-scheme:dark){:root{$dark}}
\@media print{
:root{color-scheme:light;$light}
html{font-size:9.5pt}
body{max-width:none}
details,figure,li,tr{break-inside:avoid}
h2,h3{break-after:avoid}
div.wide{overflow:visible}
}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:72rem;padding:.75rem;color:var(--fg);
background:var(--bg);font:1rem/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.35rem;margin:.2rem 0}
h2{font-size:1.12rem;margin:0 0 .3rem}
h3{font-size:1rem;margin:1rem 0 .3rem}
p{margin:.3rem 0}
a{color:inherit}
ul{padding:0;margin:.6rem 0;list-style:none}
li{margin:.35rem 0}
.word{display:inline-block;min-width:4.9rem;margin-right:.4rem;padding:0 .4rem;
border:1px solid;border-radius:.25rem;text-align:center;font-size:.85rem;
font-weight:600;color:var(--faint)}
.pass,.fixed{color:var(--good)}
.broken,.undecided{color:var(--warn)}
.fail{color:var(--bg);background:var(--bad);border-color:var(--bad);
print-color-adjust:exact}
.small{font-size:.88rem;color:var(--faint)}
section{border-top:1px solid var(--line);margin-top:1.2rem;padding-top:.8rem}
.pictures{display:grid;gap:.8rem;align-items:start;
grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr))}
figure{margin:0;min-width:0;padding:.5rem;background:var(--soft);border-radius:.4rem}
figcaption{font-size:.9rem}
svg{display:block;width:100%;max-width:34rem;height:auto;margin-top:.3rem;fill:none;
stroke:currentColor;font-size:12px}
svg text{fill:currentColor;stroke:none;text-anchor:middle}
svg .start{text-anchor:start}
svg .end{text-anchor:end}
.key{white-space:nowrap;margin-right:.7rem}
.key svg{display:inline-block;width:.65rem;margin:0 .25rem 0 0}
.wide{overflow-x:auto;overflow-wrap:break-word}
table{border-collapse:collapse;font-size:.88rem}
th,td{text-align:left;vertical-align:top;padding:.15rem .7rem .15rem 0;
border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
td.n,th.n{text-align:right;white-space:nowrap}
.bar{height:.55rem;margin-top:.8rem;border-radius:.2rem;background:var(--band);
print-color-adjust:exact}
pre,code{font:.85rem/1.4 ui-monospace,monospace;background:var(--soft);
border-radius:.3rem}
code{padding:.1rem .3rem}
pre{white-space:pre-wrap;padding:.5rem;margin:.3rem 0}
details{margin:.3rem 0}
summary{cursor:pointer;color:var(--faint)}
END

$style .= join("\n", map { ".f$_\{fill:var(--$colours[$_]);stroke:none}\n" .
	".s$_\{stroke:var(--$colours[$_])}" } 0 .. $#colours);

# escape($text): for between tags and for values in quotes.  What turns the
# direction of text round is shown, and turns nothing.
sub escape
{
	my ($text) = @_;

	$text =~ s/([&<>"'])/$entity{$1}/g;
	$text =~ s/($turning)/sprintf('[U+%04X]', ord($1))/ge if $text =~ /[^\x00-\xff]/;
	return $text;
}

# page_start($title): up to the first line of its body.
sub page_start
{
	my ($title) = map { escape($_) } @_;

	return <<"END";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>$title</title>
<style>
$style
</style>
</head>
<body>
END
}

sub page_end
{
	return "</body>\n</html>\n";
}

# table([heading...] or undef, [cell...]...): cells are text; below a heading what
# starts with a digit stands to the right.
sub table
{
	my ($head, @rows) = @_;
	my $row = sub {
		my ($tag, @cells) = @_;

		return '<tr>' . join('', map { "<$tag" . ($head && /\A[\d.]/ ?
			' class="n"' : '') . '>' . escape($_) . "</$tag>" } @cells) . "</tr>\n";
	};

	# What has no heading is names and values, of which long ones are broken.
	return '<div' . ($head ? ' class="wide"' : '') . "><table>\n" . ($head ? $row->('th', @$head) : '') .
		join('', map { $row->('td', @$_) } @rows) . "</table></div>\n";
}

# word($word): one of a test or limit, on its own ground.
sub word
{
	my ($word) = map { escape($_) } @_;

	return qq{<b class="word $word">} . ($word eq 'fixed' ? 'fixed?' : $word) . '</b>';
}

# details($summary, $html): shown on request.
sub details
{
	my ($summary, $html) = @_;

	return '<details><summary>' . escape($summary) . "</summary>\n$html</details>\n";
}

# bar($share): a bar of that part of its place, 0 to 1.
sub bar
{
	my ($share) = @_;

	return sprintf('<div class="bar" style="width:%.1f%%" aria-hidden="true"></div>',
		100 * $share);
}

1;
