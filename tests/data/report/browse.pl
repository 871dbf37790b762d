#!/usr/bin/perl
# browse.pl PAGE GAMES NAME CACHE: opens a report in Chromium at the width of a desk and of a
# phone, and runs check.js in it; axe in both, light and dark. Prints "ok …" and "not ok …",
# and "done" at the end. GAMES has the positions of the games, NAME is a hostile name of a
# rule set, CACHE the folder in which npm keeps axe.
use strict;
use warnings;
use utf8;
use Cwd qw(abs_path);
use Encode qw(decode);
use File::Basename qw(dirname);
use JSON::PP;
use Browser;

Browser::watch();
binmode(STDOUT, ':utf8');
my ($page, $games, $name, $cache) = @ARGV;
if (!Browser::program()) {
	print("ok the browser # SKIP chromium is missing, so the page was not opened\n");
	exit(0);
}
my @tables = qw(outcomes-1 outcomes-2 compare-draw-1 compare-score-2 openings special-1
    special-2 self-captured entropy entropy-first divergence additional values-1 values-2
    firstmoves lengths-1 lengths-2 agreement why expected pairs-queen pairs-divergence rules yours
    card-torpedo paired temperature trend-draw_rate trend-score training-draw_rate training-score doublings players replication nets-draw_rate-1 nets-further entropy-visits long measures measures-moves measures-time);
my %fens;
open(my $f, '<', $games) or die("$games: $!\n");
while (<$f>) {
	my $game = decode_json($_);
	$fens{ join(' ', @{ $game->{uci} }) } = $game->{fens};
}
close($f);
open($f, '<:utf8', dirname($0) . '/check.js') or die;
my $check = do { local $/; <$f> };
close($f);
my $json = JSON::PP->new->canonical->allow_nonref;

sub is {
	my ($got, $want, $what) = @_;
	print($got eq $want ? "ok $what\n" : "not ok $what: got '$got', want '$want'\n");
}

my $b = Browser->start(1280, 900) or die("chromium does not start\n");
my $url = 'file://' . abs_path($page);
# All tables are laid out, for what looks at them here.
my $laid_out = 'document.head.append(Object.assign(document.createElement("style"), { textContent: ".scroll { content-visibility: visible !important }" })); 1';
for my $size ([1280, 900], [360, 640]) {
	my ($width, $height) = @$size;
	$b->size($width, $height, $width < 500);
	$b->open('about:blank');
	$b->open($url);
	is($b->js('document.body.dataset.ready === "" ? "yes" : "no"'), 'yes', "$width wide: the page draws itself");
	my $tall = $b->js('document.documentElement.scrollHeight');
	is($tall < ($width > 1000 ? 12500 : 20000) ? 'short' : $tall, 'short', "$width wide: it is $tall pixels long");
	is($b->js('[...new Set([...document.querySelectorAll(".scroll")].map(function (box) { return getComputedStyle(box).contentVisibility; }))].join()'), 'auto', "$width wide: tables out of sight are not laid out");
	$b->js('document.querySelector(".unfold").click(); document.querySelector(".toc a[href=\"#games\"]").click(); 1');
	is($b->until('document.querySelector("main.laid-out") === null && Math.abs(document.getElementById("games").getBoundingClientRect().top) < 40', 60) ? 'there' : 'not there', 'there', "$width wide: the contents lead past them to their section");
	$b->open('about:blank');
	$b->open($url);
	$b->js($laid_out);
	for my $scheme (qw(light dark)) {
		$b->dark($scheme);
		my $found = $b->axe($cache);
		print($found ? '' : "ok $width wide: axe, $scheme # SKIP npm does not bring axe-core\n");
		is(join('; ', @$found), '', "$width wide: axe finds nothing, $scheme") if $found;
	}
	$b->dark('light');
	if ($width > 1000) {	# a click on a chart keeps its numbers, which can then be pressed
		my $at = sub { return $b->js("(function () { var e = document.querySelector('$_[0]'); e.scrollIntoView({ block: 'center', behavior: 'instant' }); var r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()"); };
		$b->js('document.querySelector("#openings details").draw(); 1');
		$b->call('Emulation.setEmulatedMedia', { media => 'print' });
		is($b->js('[...document.querySelectorAll("#openings .picks button")].map(function (button) { return getComputedStyle(button).display === "none" ? "" : button.getAttribute("aria-pressed"); }).join("")'), 'true', 'on paper the opening that is shown is named');
		$b->call('Emulation.setEmulatedMedia', { media => '' });
		$b->js('(function () { var box = document.querySelector("#entropy details"); box.draw(); box.open = true; })()');
		$b->until('[...document.querySelectorAll(".plot")].every(function (plot) { return plot.querySelector(".u-over") !== null; })');
		my $middle = $at->('#fig-candidates .u-over');
		$b->mouse('mouseMoved', @$middle);
		$b->until('document.querySelectorAll("#fig-candidates .readout .num").length > 1');
		$b->click(@$middle);
		$b->mouse('mouseMoved', @{ $at->('#fig-candidates .readout') });
		is($b->js('document.querySelectorAll("#fig-candidates .readout .num").length > 1 ? "kept" : document.querySelector("#fig-candidates .readout").textContent'), 'kept', 'a click on a chart keeps its numbers');
		$b->click(@{ $at->('#fig-candidates .readout .num') });
		is(($b->js('(document.querySelector(".source:not([hidden]) code") || {}).textContent') // '') =~ /^entropy --tsv / ? 'yes' : 'no', 'yes', 'which say where they come from');
		$b->open('about:blank');
		$b->open($url);
		$b->js($laid_out);
	}
	$b->js('var EXPECTED = ' . $json->encode(\%fens) . ', TABLES = ' . $json->encode(\@tables) . ', NAME = ' . $json->encode(decode('UTF-8', $name)) . '; 1');
	print(map { s/^(not )?ok /$& . "$width wide: "/er . "\n" } @{ $b->js($check, 300) });
	is(join('; ', @{ $b->{errors} }), '', "$width wide: no error and no message on the console");
	$b->{errors} = [];
}

# A study without numbers has a page all the same, all of which can be opened.
$b->open($url =~ s/page\.html$/bare.html/r);
is($b->js('document.body.dataset.ready === "" ? "yes" : "no"'), 'yes', 'a page without numbers draws itself');
$b->js('for (let closed; (closed = [...document.querySelectorAll("main details:not([open])")]).length > 0;) closed.forEach(function (box) { box.draw(); box.open = true; })');
is(join('; ', @{ $b->{errors} }), '', 'and all that is folded in it');
is($b->js('(/.{0,40}(undefined|NaN|Infinity)/.exec([...document.querySelectorAll("main > section")].map(function (s) { return s.textContent; }).join(" ")) || [""])[0]'), '', 'which says nothing of what is not there');

# What is shown without scripts: text and tables.
$b->call('Emulation.setScriptExecutionDisabled', { value => JSON::PP::true });
$b->open($url);
my $root = $b->call('DOM.getDocument', {});
my $main = $b->call('DOM.querySelector', { nodeId => $root->{root}{nodeId}, selector => 'main' });
my $html = $b->call('DOM.getOuterHTML', { nodeId => $main->{nodeId} })->{outerHTML};
is(($html =~ /<noscript>.*<caption>Outcomes<.*<\/noscript>/s && $html =~ /<th scope="row">Torpedo/) ? 'yes' : 'no', 'yes', 'without scripts there are the tables');
is(scalar(() = $html =~ /<b id="?evil/g), 0, 'in which a name makes no element');
$b->stop;
print("done\n");
