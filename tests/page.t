#!/usr/bin/perl
# pipelines/page: pages are played on in a headless Chromium, by clicks, drags,
# taps and keys: a whole game, every kind of special move, castling in Chess960,
# promotion, all ends, reload, links, a phone; nothing goes wrong in the console;
# and the page finds the moves that uci finds, in all presets and in random rule
# sets.
#
#	PAGE_RULES=50 tests/page.t	more random rule sets
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IPC::Open2;
use JSON::PP;
use POSIX ();
use Time::HiRes qw(time);

my $top;
BEGIN { $top = abs_path(dirname($0) . '/..'); }
use lib "$top/tests";
use Browser;
use Tap;

Browser::watch();
chdir($top) or die;
my $bin = $ENV{BIN} ||= "$top/bin";
my $tests = $ENV{TESTS} || "$top/build/gcc/tests";
my $random = $ENV{PAGE_RULES} // 6;

skip_all('chromium is missing') if !Browser::program();
for my $file (qw(/usr/bin/clang /usr/include/wasm32-wasi/stdio.h)) {
	skip_all("no compiler to WebAssembly here ($file); make deps installs one")
	    if !-e $file;
}

my $scratch = tempdir(CLEANUP => 1);
my $net = "$scratch/sparse.onnx";
my $prior = "$scratch/prior.onnx";
my $has_net = system("'$tests/make_sparse' 64 1 '$net' 2>/dev/null") == 0 && -s $net;
$net = 'material' if !$has_net;
$prior = 'none' if system("'$tests/make_sparse' 64 2 '$prior' policy 2>/dev/null") != 0;

# make_page NAME RULES [PRIOR]: a page, and its address
sub make_page {
	my ($name, $rules, $explorer) = @_;
	my $file = "$scratch/$name.html";
	system('pipelines/page', '-N', $net, '-P', $explorer // 'none', '-o', $file, $rules) == 0 or return;
	return "file://$file";
}

open(my $stderr, '>&', \*STDERR) or die;
open(STDERR, '>', "$scratch/log") or die;
my $chess = make_page('chess', 'classical', $prior);
open(STDERR, '>&', $stderr) or die;
ok($chess, 'a page is made') or finish();
my $said = `env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER pipelines/page -O -N '$net' -P none -o '$scratch/opened.html' classical 2>&1`;
ok($? == 0 && $said eq "page: no browser was found; open $scratch/opened.html in one\n",
    'without a browser to open it in: one line with its path', $said);
ok(-s "$scratch/chess.html" < 4 << 20, 'of a few MB', -s "$scratch/chess.html");

my $b = Browser->start(1100, 900);

sub load {
	my ($url) = @_;
	$b->open('about:blank');
	$b->open($url);
	return $b->until('document.body.hasAttribute("data-ready")');
}

# The middle of a square on the screen.
sub at {
	my ($square) = @_;
	my $r = $b->js('(function () { var r = document.querySelector("#board svg").getBoundingClientRect();' .
	    'return [r.left, r.top, r.width, rulelab.state.turned] })()');
	my ($x, $y) = (ord(substr($square, 0, 1)) - 97, 8 - substr($square, 1, 1));
	($x, $y) = (7 - $x, 7 - $y) if $r->[3];
	return ($r->[0] + ($x + 0.5) * $r->[2] / 8, $r->[1] + ($y + 0.5) * $r->[2] / 8);
}

sub ply { return $b->js('+document.body.getAttribute("data-ply")'); }
sub fen { return $b->js('document.body.getAttribute("data-fen")'); }
sub ended { return $b->js('document.body.getAttribute("data-end")'); }
sub wait_ply { return $b->until("document.body.getAttribute('data-ply') === '$_[0]'"); }

# Is there a later ply? The engine may have replied before anybody looks.
sub later_than {
	my ($ply) = @_;
	return $b->until("+document.body.getAttribute('data-ply') > $ply");
}

sub settle { return $b->until('!document.body.hasAttribute("data-busy")'); }

sub said { return $b->js('document.getElementById("say").textContent'); }

# What the clipboard holds, as another program would see it.
sub clipboard {
	$b->call('Page.bringToFront');
	return $b->js('navigator.clipboard.readText()');
}

# Plays a move by two clicks, by a drag, by two taps or by keys.
sub move {
	my ($move, $how) = @_;
	my ($from, $to, $promotion) = (substr($move, 0, 2), substr($move, 2, 2), substr($move, 4));
	settle();
	my $ply = ply();
	if (($how // '') eq 'drag') {
		$b->drag(at($from), at($to));
	} elsif (($how // '') eq 'tap') {
		$b->tap(at($from));
		$b->tap(at($to));
	} elsif (($how // '') eq 'type') {
		$b->js('(function () { var i = document.getElementById("move"); i.value = "' . $move .
		    '"; i.form.requestSubmit(); })()');
	} else {
		$b->click(at($from));
		$b->click(at($to));
	}
	if ($promotion ne '' && ($how // '') ne 'type') {
		$b->until('document.getElementById("choose").open');
		$b->js("document.querySelector('#choose button[value=\"$move\"]').click()");
	}
	return later_than($ply);
}

sub press {
	$b->js("document.getElementById('$_[0]').click()");
	settle();
}
sub choose {
	my ($id, $value) = @_;
	$b->js("(function () { var e = document.getElementById('$id'); e.value = '$value';" .
	    "e.dispatchEvent(new Event('change')); })()");
	settle();
}
sub set_up {
	my ($fen, $human) = @_;
	choose('human', $human // 'wb');
	$b->js("(function () { var i = document.getElementById('position'); i.value = '$fen'; i.form.requestSubmit(); })()");
	return $b->until("document.body.getAttribute('data-ply') === '0' && " .
	    "document.body.getAttribute('data-fen').split(' ')[0] === '$fen'.split(' ')[0]");
}
sub status { return $b->js('document.getElementById("status").textContent'); }
sub last_kind { return $b->js('(document.querySelector("#moves li:last-child button.mark") || {}).title || ""'); }

# ---- a game ----

ok(load($chess), 'it opens from a file');
is(fen(), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'the start');
choose('human', 'wb');
ok(move('e2e4'), 'a move by two clicks');
ok(move('e7e5', 'drag'), 'one by a drag');
ok(move('g1f3', 'type'), 'one typed');
$b->js('document.getElementById("board").focus()');
$b->key('ArrowUp');	# the cursor comes to e2
$b->key($_) for ('ArrowUp') x 4, 'ArrowUp', ('ArrowLeft') x 3, 'ArrowUp';
is($b->js('document.getElementById("say").textContent'), 'b8, black knight', 'keys go from square to square, and say so');
$b->key('Enter');
$b->key($_) for 'ArrowDown', 'ArrowDown', 'ArrowRight';
$b->key('Enter');
ok(wait_ply(4), 'and play a move');
is(fen(), 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3', 'all of them are right');
like($b->js('document.getElementById("say").textContent'), qr/^Black knight c6\.$/, 'the move is announced');
$b->click(at('f1'));
is($b->js('document.querySelectorAll("#board .dot").length'), 5, 'legal moves are shown');
$b->click(at('f7'));
is(ply(), 4, 'an illegal move is not played');
ok(move('f1c4') && move('g8f6') && move('e1g1'), 'castling');
press('back');
ok(wait_ply(6), 'take back');
press('flip');
ok(move('d2d3', 'drag'), 'and a move on the turned board');
press('flip');
press('prev');
is($b->js('document.getElementById("on").hidden'), JSON::PP::false, 'looking back');
press('last');

my $before = fen();
ok(load($chess), 'reload');
is(fen(), $before, 'the game is still there');
$b->permit('clipboardReadWrite', 'clipboardSanitizedWrite');
press('link');
my $link = clipboard();
press('new');
wait_ply(0);
ok(load($link), 'a link');
is(fen(), $before, 'brings the same position');
press('pgn');
my $pgn = clipboard();
open(my $f, '>', "$scratch/game.pgn") or die;
print($f $pgn);
close($f);
my $read = `'$bin/pgnread' -S '$scratch/game.pgn' 2>&1`;
like($read, qr/"moves":"e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3"/, 'PGN that pgnread reads as the same game');
press('fen');
is(clipboard(), $before, 'FEN is copied');
press('prev');
press('prev');
press('on');
ok(wait_ply(5), 'one plays on from an earlier position');
is($b->js('document.getElementById("next").disabled'), JSON::PP::true, 'and what came later is gone');
choose('clock', 3);
choose('level', 1);
wait_ply(0);
press('flip');
ok(move('e2e4') && move('e7e5'), 'a game with a clock');
ok($b->until('rulelab.state.left[0] < 299.5'), 'which runs');
my $left = $b->js('rulelab.state.left[0]');
load($chess);
is($b->js("[rulelab.state.clock, rulelab.state.level, rulelab.state.turned, rulelab.state.left[0] < $left + 0.3 && " .
    'rulelab.state.left[0] > 0, document.querySelector("#below .left").hidden].join()'), '3,1,true,true,false',
    'settings, board and clock are as before the reload');
choose('clock', 0);
press('flip');

# ---- screen readers ----

my @tree = @{ $b->call('Accessibility.getFullAXTree')->{nodes} };
sub named { my ($role) = @_; return join(', ', sort map { $_->{name}{value} } grep { !$_->{ignored} && ($_->{role}{value} // '') eq $role } @tree); }
is(named('application'), 'Chess board', 'a board');
like(named('heading'), qr/^Chess, Moves, Settings, Share and set up$/i, 'headings');
is(scalar(grep { !$_->{ignored} && ($_->{role}{value} // '') =~ /^(button|combobox|textbox|checkbox|spinbutton|PopUpButton)$/i &&
    ($_->{name}{value} // '') eq '' } @tree), 0, 'everything that can be used has a name');
like(named('image'), qr/^White: .* Ke1 .*Black: .*Ke8/, 'the position in words');
choose('human', 'b');
press('new');
ok(wait_ply(1), 'the engine begins when one plays Black');
like(said(), qr/^White (pawn |knight )?[a-h][1-8]\.|^White [a-z ]*[a-h][1-8]/, 'and its move is announced: ' . said());
is($b->js('rulelab.state.turned'), JSON::PP::true, 'Black is below then');
choose('human', 'wb');

# A whole game against the engine: we play what it hints.
choose('human', 'w');
choose('level', 0);
press('new');
wait_ply(0);
for (my $ply = 0; ended() eq '' && $ply < 600; $ply = ply()) {
	my $best = $b->js('rulelab.search({ fen: rulelab.state.fen, moves: rulelab.state.moves, nodes: 3000 })');
	last if !$best->{best};
	move($best->{best}) or last;
	$b->until("document.body.getAttribute('data-end') !== '' || +document.body.getAttribute('data-ply') > $ply + 1")
	    or last;
}
like(ended(), qr/^(checkmate|stalemate|material|repetition|fifty|length)$/, 'a whole game against the engine, by clicks, to its end');
like(status(), qr/: (White wins|Black wins|a draw)\./, 'with the reason: ' . status());

# ---- promotion, ends ----

for my $case (['8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a7a8n', 'N7/7k/8/8/8/8/8/K7 b - - 0 1'],
    ['8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a7a8q', 'Q7/7k/8/8/8/8/8/K7 b - - 0 1']) {
	set_up($case->[0]);
	move($case->[1]);
	is(fen(), $case->[2], "promotion by hand: $case->[1]");
}
set_up('8/P6k/8/8/8/8/8/K7 w - - 0 1');
$b->click(at('a7'));
$b->click(at('a8'));
$b->until('document.getElementById("choose").open');
is($b->js('(function () { var r = document.querySelector("#choose button").getBoundingClientRect(), b = document.querySelector("#board svg").getBoundingClientRect();' .
    'return [r.left - b.left, r.top - b.top, r.width - b.width / 8].map(Math.round).join() })()'), '0,0,0', 'the pieces to choose stand on the square');
$b->key('Enter');
wait_ply(1);
is(fen(), 'Q7/7k/8/8/8/8/8/K7 b - - 0 1', 'by keys a queen comes first');
set_up('8/P6k/8/8/8/8/8/K7 w - - 0 1');
$b->click(at('a7'));
$b->click(at('a8'));
$b->until('document.getElementById("choose").open');
$b->key('Escape');
$b->until('!document.getElementById("choose").open');
is(ply(), 0, 'without a choice there is no move');
for my $case (['7k/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'a1a8', 'checkmate', 'Checkmate: White wins.'],
    ['7k/8/5K2/8/8/8/8/6Q1 w - - 0 1', 'g1g6', 'stalemate', 'Stalemate: a draw.'],
    ['7k/8/8/8/8/8/6p1/6K1 w - - 0 1', 'g1g2', 'material', 'Nobody can win with what is left: a draw.'],
    ['7k/8/8/8/8/8/8/R5K1 w - - 99 90', 'a1a2', 'fifty', 'Too long without progress: a draw.']) {
	set_up($case->[0]);
	move($case->[1]);
	is(ended() . ' ' . status(), "$case->[2] $case->[3]", "an end: $case->[2]");
	like(said(), qr/\Q$case->[3]\E$/, 'which is announced');
}
set_up('7k/8/8/8/8/8/8/R5K1 w - - 0 1');
move($_) for qw(a1a2 h8g8 a2a1 g8h8 a1a2 h8g8 a2a1 g8h8);
is(ended(), 'repetition', 'an end: repetition');
set_up('7k/8/8/8/8/8/8/R5K1 w - - 0 1');
move('a1a2');
press('resign');
is(ended() . ' ' . status(), 'resign Black resigns: White wins.', 'an end: resign');
$b->js('(function () { var i = document.getElementById("position"); i.value = "nonsense"; i.form.requestSubmit(); })()');
ok($b->until('/cannot be played/.test(document.getElementById("refused").textContent)'), 'a bad FEN is refused, beside its input');
for my $text ('[Event "x"] 1. e4 e5 2. Nf3 1-0', '<img src=x onerror=bad=1>', "\x{7f}", 'x' x 100000) {
	my $kept = fen();
	$b->js('document.getElementById("refused").textContent = ""; var i = document.getElementById("position"); i.value = ' .
	    JSON::PP->new->ascii->allow_nonref->encode($text) . '; i.form.requestSubmit()');
	ok($b->until('/cannot be played/.test(document.getElementById("refused").textContent)') && fen() eq $kept && !$b->js('typeof bad !== "undefined"'),
	    'so is what else may be pasted there: ' . substr($text, 0, 30));
}
choose('clock', 1);
choose('human', 'wb');
wait_ply(0);
move('e2e4');
$b->js('rulelab.state.left[1] = 0.3');
ok($b->until('document.body.getAttribute("data-end") === "time"'), 'an end: time', status());
choose('clock', 2);
wait_ply(0);
move('e2e4');
# A new game without a clock takes it away before the board is set up again.
$b->js('rulelab.state.left = null; setTimeout(function () { rulelab.later = true; }, 500)');
$b->until('rulelab.later');
is("@{ $b->{errors} }", '', 'the clock stops when a game has none');
choose('clock', 0);

# A move that cannot be read, beside the input until something else is typed.
choose('human', 'wb');
press('new');
wait_ply(0);
$b->js('(function () { var i = document.getElementById("move"); i.value = "Qh9"; i.form.requestSubmit(); })()');
ok($b->until('!document.getElementById("typed").hidden && /^Qh9: .*move/.test(document.getElementById("typed").textContent)'), 'what is no move is told beside the input');
ok($b->js('Math.abs(document.getElementById("typed").getBoundingClientRect().top - document.getElementById("move").getBoundingClientRect().bottom)') < 20, 'near it');
move('e2e4');
is($b->js('document.getElementById("typed").hidden'), JSON::PP::true, 'and no longer after a move');

# Arrows by the right button; a square by a click with it.
$b->drag(at('g1'), at('f3'), 'right');
$b->drag(at('e5'), at('e5'), 'right');
is($b->js('[document.querySelectorAll("#board .drawn .arrow").length, document.querySelectorAll("#board .ringed").length].join()'), '1,1', 'arrows and rings by the right button');
$b->drag(at('g1'), at('f3'), 'right');
is($b->js('document.querySelectorAll("#board .drawn .arrow").length'), 0, 'taken away by drawing them again');
$b->click(at('e5'));
is($b->js('document.querySelectorAll("#board .drawn").length'), 0, 'or by a click');

# Material.
set_up('3qk3/8/8/8/8/8/8/R2QK2R w - - 0 1');
is($b->js('[document.querySelector("#below .more").textContent, document.querySelectorAll("#below .more svg").length, document.querySelector("#above .more").textContent].join("|")'),
    '+10|2|', 'White has two rooks more');

# ---- windows ----

for my $size ([1366, 768, 0, 640], [1280, 720, 0, 600], [390, 844, 1, 370]) {
	my ($w, $h, $mobile, $least) = @$size;
	$b->size($w, $h, $mobile);
	ok($b->js('document.querySelector("#board svg").getBoundingClientRect().width') >= $least, "a board of at least $least pixels at $w x $h",
	    $b->js('document.querySelector("#board svg").getBoundingClientRect().width'));
	is($b->js('[...document.querySelectorAll(".panel button, #status, #below")].filter(function (e) { return e.getBoundingClientRect().bottom > innerHeight }).length'), 0,
	    'with all buttons in view');
	ok($b->js('document.documentElement.scrollWidth') <= $w, 'not too wide');
}
$b->size(1100, 900);

# ---- the engine's view, hints, explorer ----

choose('human', 'w');
press('new');
wait_ply(0);
press('view');
ok($b->until('document.querySelectorAll("#viewed .lines li").length === 3'), 'the engine’s view has three lines');
press('view');
press('hint');
ok($b->until('document.querySelector("#board .hinted") !== null'), 'a hint is an arrow');
if ($prior ne 'none') {
	press('explore');
	ok($b->until('document.querySelectorAll("#explored tbody tr").length === 12'), 'the explorer has moves');
	my $sum = $b->js('rulelab.ask("prior", []).then(function (p) { return p.moves.reduce(function (s, m) { return s + m.p }, 0) })');
	ok(abs($sum - 1) < 1e-3, 'whose probabilities sum to 1', $sum);
	my %page = @{ $b->js('rulelab.ask("prior", []).then(function (p) { return p.moves.flatMap(function (m) { return [m.m, m.p] }) })') };
	my %want = map { my $l = decode_json($_); ($l->{moves} => exp($l->{logp}[0])) }
	    `'$bin/priorwalk' -q --net '$prior' --all --plies 1`;
	is(scalar(grep { abs($page{$_} - $want{$_}) > 2e-5 } keys(%want)), 0, 'and are those of priorwalk');
	is(scalar(keys(%page)), scalar(keys(%want)), 'for all moves');
	$b->js('document.querySelector("#explored button").click()');
	ok(wait_ply(2), 'a move of the explorer is played by a click, and answered');
}

# ---- special moves ----

my %special = (
	torpedo => [['torpedo', '7k/8/8/8/4P3/8/8/4K3 w - - 0 1', 'e4e6', 'torpedo step'],
	    ['torpedo', '7k/8/4P3/8/8/8/8/4K3 w - - 0 1', 'e6e8q', 'torpedo step that promotes'],],
	'pawn-back+pawn-sideways+self-capture' => [
	    ['odd', '7k/8/8/8/4P3/8/8/4K3 w - - 0 1', 'e4e3', 'step back'],
	    ['odd', '7k/8/8/8/4P3/8/8/4K3 w - - 0 1', 'e4d4', 'step sideways'],
	    ['odd', '7k/8/8/8/4P3/8/8/4R1K1 w - - 0 1', 'e1e4', 'takes a piece of its own side']],
	'no-castling-10' => [['late', '4k3/8/8/8/8/8/8/4K2R w K - 0 20', 'e1g1', 'late castling']],
	'stalemate-win' => [['wins', '7k/8/5K2/8/8/8/8/6Q1 w - - 0 1', 'g1g6', 'wins by stalemate']],
);
for my $rules (sort keys %special) {
	load(make_quietly($special{$rules}[0][0], $rules));
	for my $case (grep { defined } @{ $special{$rules} }) {
		set_up($case->[1]);
		move($case->[2]);
		is(last_kind(), $case->[3], "$rules: $case->[2] is marked: $case->[3]");
		ok($b->js('document.querySelectorAll("#board .special").length') == 2, 'and on the board');
	}
}
sub make_quietly {
	open(my $keep, '>&', \*STDERR) or die;
	open(STDERR, '>', "$scratch/log") or die;
	my $url = make_page(@_);
	open(STDERR, '>&', $keep) or die;
	return $url;
}
load(make_quietly('torpedo', 'torpedo'));
set_up('7k/8/8/3p4/8/4P3/8/4K3 w - - 0 1');
move('e3e5') && move('d5e4');
like(fen(), qr{^7k/8/8/8/4p3/8/8/4K3 }, 'en passant after a torpedo step');
is(last_kind(), 'en passant off the usual rank', 'is marked');

# The ends of other rules.
for my $case (['three-check', '4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1', 'a1a8', 'checks'],
    ['king-of-the-hill', '7k/8/8/8/8/4K3/8/8 w - - 0 1', 'e3e4', 'hill'],
    ['bare-king', '7k/8/8/8/8/8/6p1/R5K1 w - - 0 1', 'g1g2', 'bare-king']) {
	load(make_quietly($case->[0], $case->[0]));
	ok(set_up($case->[1]), "$case->[0]: set up", status()) or next;
	move($case->[2]);
	is(ended(), $case->[3], "$case->[0]: an end of its own");
}

# Chess960: castling by taking one's own rook.
load(make_quietly('chess960', 'chess960'));
set_up('3k4/8/8/8/8/8/8/1R3K1R w BH - 0 1');
move('f1h1');
is((split(/ /, fen()))[0], '3k4/8/8/8/8/8/8/1R3RK1', 'Chess960: castling');
set_up('3k4/8/8/8/8/8/8/1R3K1R w BH - 0 1');
move('f1b1', 'drag');
is((split(/ /, fen()))[0], '3k4/8/8/8/8/8/8/2KR3R', 'the other way, by a drag');
set_up('3k4/8/8/8/8/8/8/1R3K1R w BH - 0 1');
move('f1c1');
is((split(/ /, fen()))[0], '3k4/8/8/8/8/8/8/2KR3R', 'by going where the king will stand');
like(said(), qr/castles long/, 'and it is announced');
set_up('1r3k1r/8/8/8/8/8/8/4K3 b bh - 0 1');
move('f8h8');
is((split(/ /, fen()))[0], '1r3rk1/8/8/8/8/8/8/4K3', 'Black castles, too');
press('pgn');
like(clipboard(), qr/\[Variant "chess960"\].*\[FEN "1r3k1r/s, 'its PGN has variant and start');
$b->js('document.getElementById("array").value = 0');
press('new');
ok($b->until('/^bbqnnrkr/.test(document.body.getAttribute("data-fen"))'), 'an array by its number', fen());

# Crazyhouse: pieces in hand are dropped by a drag, by two clicks, by taps and by keys.
load(make_quietly('crazyhouse', 'crazyhouse'));
choose('human', 'wb');
sub hand {
	my ($piece) = @_;
	my $r = $b->js("(function () { var e = document.querySelector('.hand [data-piece=$piece]'); if (!e) return null; var r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()");
	return @{ $r // [-1, -1] };
}
sub hands { return $b->js('[...document.querySelectorAll(".hand [data-piece]")].map(function (e) { return e.getAttribute("data-piece") + (e.textContent || 1) }).join()'); }
set_up('4k3/8/8/8/8/8/8/4K3[NPPq] w - - 0 1');
is(hands(), 'q1,N1,P2', 'hands beside the board');
my $at_ply = ply();
$b->drag(hand('N'), at('f3'));
later_than($at_ply);
is((split(/ /, fen()))[0], '4k3/8/8/8/8/5N2/8/4K3[PPq]', 'a drop by a drag');
is(last_kind(), 'placed from the hand', 'is marked');
like(said(), qr/^White knight placed on f3\.$/, 'and announced: ' . said());
$at_ply = ply();
$b->tap(hand('q'));
$b->tap(at('d1'));
later_than($at_ply);
is((split(/ /, fen()))[0], '4k3/8/8/8/8/5N2/8/3qK3[PP]', 'by two taps');
set_up('4k3/8/8/8/8/8/8/4K3[NPPq] w - - 0 1');
$b->click(hand('P'));
is($b->js('document.querySelectorAll("#board .dot").length'), 48, 'its squares are shown');
$b->click(hand('P'));
is($b->js('document.querySelectorAll("#board .dot").length'), 0, 'or it goes back');
$b->js('document.querySelector(".hand [data-piece=P]").focus()');
$b->key('Enter');
$b->js('document.getElementById("board").focus()');
$b->key('ArrowUp');	# the cursor comes to e2
$at_ply = ply();
$b->key('Enter');
later_than($at_ply);
is((split(/ /, fen()))[0], '4k3/8/8/8/8/8/4P3/4K3[NPq]', 'by keys');
press('link');
$link = clipboard();
load($link);
is((split(/ /, fen()))[0], '4k3/8/8/8/8/8/4P3/4K3[NPq]', 'a link keeps hands');

# A spare kind is drawn as its letter.
open($f, '>', "$scratch/spare.json") or die;
print($f '{"name":"spare","pieces":{"a":"BN"},"castling_from":0,"start":"rabqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RABQKBNR w - - 0 1"}');
close($f);
load(make_quietly('spare', "$scratch/spare.json"));
choose('human', 'wb');
is($b->js('[...document.querySelectorAll("#board .letter")].map(function (e) { return e.textContent }).join()'), 'A,A', 'a spare piece is its letter');
$b->mouse('mouseMoved', at('b1'));
ok($b->until('!document.getElementById("card").hidden && document.querySelectorAll("#card .moves .m-both").length === 20'), 'which shows its moves');
ok(move('b1c3'), 'and moves');

# ---- a phone ----

load($chess);
choose('human', 'wb');
press('new');
wait_ply(0);
for my $scheme (qw(light dark)) {
	$b->dark($scheme);
	$b->size(360, 740, 1);
	my $wide = $b->js('document.documentElement.scrollWidth');
	ok($wide <= 360, "fits 360 pixels, $scheme", $wide);
	my $colours = $b->js('["background-color", "color"].map(function (c) { return getComputedStyle(document.body)[c]; }).join(" ")');
	like($colours, $scheme eq 'dark' ? qr/^rgb\([0-9]{2}, [0-9]{2}, [0-9]{2}\) rgb\(2/ : qr/^rgb\(2.* rgb\([0-9]{2},/, "in $scheme colours");
}
press('view');
press('explore') if !$b->js('rulelab.state.explore');
$b->until('document.querySelectorAll("#viewed .lines li").length === 3');
ok($b->js('document.documentElement.scrollWidth') <= 360, 'with the engine’s view and the explorer, too');
is($b->js('[...document.querySelectorAll("button, select, .tick")].filter(function (e) {' .
    'var r = e.getBoundingClientRect(); return r.height > 0 && r.height < 30 }).length'), 0, 'nothing is too small for a finger');
press('view');
press('explore');
ok(move('e2e4', 'tap'), 'taps');
$b->dark('light');
$b->size(1100, 900);

# A rule set of one's own: its name, and a PGN that reads back.
open($f, '>', "$scratch/mine.json") or die;
print($f '{"name":"my-game","base":"torpedo","knight":"NAD","checks_to_win":5}');
close($f);
load(make_quietly('mine', "$scratch/mine.json"));
is($b->js('document.querySelector("h1").textContent + "|" + document.title'), 'my-game|my-game', 'the page has its name');
is($b->js('document.querySelectorAll("#board [data-square] .changed").length'), 4, 'its knights are marked');
$b->mouse('mouseMoved', at('b1'));
ok($b->until('!document.getElementById("card").hidden && document.querySelectorAll("#card .moves .m-both").length === 16'), 'and show their moves under the mouse',
    $b->js('document.querySelectorAll("#card .moves .m-both").length'));
$b->mouse('mouseMoved', at('e2'));
is($b->js('document.getElementById("card").hidden'), JSON::PP::true, 'others do not');
$b->tap(at('g1'));
is($b->js('document.getElementById("card").hidden'), JSON::PP::false, 'a tap does it, too');
$b->tap(at('e5'));
like($b->js('document.getElementById("rules").textContent'), qr/The knight \(DNA\) leaps.*Checks that win the game: 5/s, 'the rules as sentences');
choose('human', 'wb');
press('new');
wait_ply(0);
move('b1b3') && move('e7e5') && move('e2e4');
press('pgn');
open($f, '>', "$scratch/mine.pgn") or die;
print($f clipboard());
close($f);
ok(scalar(`grep -c 'data-unknown-prior="[^"]*knight' '$scratch/mine.html'`) == 0, 'no prior, no word about it');
like(`'$bin/pgnread' -S '$scratch/mine.pgn' 2>&1`, qr/"knight":"DNA".*"moves":"b1b3 e7e5 e2e4"/, 'its PGN reads back, with its rules');

# The explorer tells what its net was not told.
my $ignored = `'$bin/pagekit' -U -P prior -r '$scratch/mine.json'`;
chomp($ignored);
load(make_quietly('told', "$scratch/mine.json", 'prior'));
press('explore') if !$b->js('rulelab.state.explore');
$b->until('document.querySelectorAll("#explored tbody tr").length > 0');
is($b->js('document.getElementById("ignores").hidden'), $ignored eq '' ? JSON::PP::true : JSON::PP::false, "the explorer tells what its net was never told: $ignored");
like($b->js('document.getElementById("ignores").textContent'), qr/never told of \Q$ignored\E:/, 'by its name');

# ---- the same moves as uci ----

sub uci_moves {
	my ($rules, $nodes, @positions) = @_;
	my $pid = open2(my $out, my $in, "$bin/uci", '--net', $net, '--rules', $rules, '--search', 'ab');
	# one after the other, because a search does not wait for another
	my @best;
	print($in "setoption name Hash value 16\n");
	for my $p (@positions) {
		print($in "ucinewgame\nposition $p\ngo nodes $nodes\n");
		$in->flush;
		while (my $line = <$out>) {
			last if $line =~ /^bestmove (\S+)/ && push(@best, $1);
		}
	}
	close($in);
	waitpid($pid, 0);
	return @best;
}

# Random games by random moves: positions to think about.
sub compare {
	my ($name, $rules) = @_;
	my $url = make_quietly('compare', $rules) or return ok(0, "$name: a page");
	load($url);
	my $games = `'$bin/selfplay' -q -N uniform -v 1 -e 400 -g 3 -s 5 -r '$rules'`;
	my (@want, @got, @positions);
	for my $line (split(/\n/, $games)) {
		my $g = decode_json($line);
		my @m = split(/ /, $g->{moves});
		for my $n (map { int(@m * $_ / 3) } 1, 2) {
			push(@positions, { fen => $g->{start} // '', moves => [@m[0 .. $n - 1]] });
		}
	}
	@want = uci_moves($rules, 3000, map { ($_->{fen} ne '' ? "fen $_->{fen}" : 'startpos') . ' moves ' .
	    join(' ', @{ $_->{moves} }) } @positions);
	for my $p (@positions) {
		my $task = encode_json({ %$p, nodes => 3000 });
		my $r = $b->js("rulelab.ask('forget', [], true).then(function () { return rulelab.search($task) })");
		push(@got, $r->{best} // $r->{error});
	}
	return is(@want > 0 ? "@got" : 'no positions', "@want", "$name: the page finds uci’s moves (" . @want . ')');
}
my @presets = split(/\n/, `sed -n 's/^PRESET("\\([^"]*\\)".*/\\1/p' src/chess/presets.def`);
$b->call('Page.addScriptToEvaluateOnNewDocument', { source => 'WebAssembly.validate = function () { return false; };' });
compare('without vector instructions', 'torpedo');
is($b->js('document.body.getAttribute("data-engine")'), 'wasm', 'which this browser seemed not to have');
$b->call('Page.removeScriptToEvaluateOnNewDocument', { identifier => '1' });
compare($_, $_) for $ENV{PAGE_RULES} ? @presets : @presets[0, 1, 4, 8, 9];
my @drawn = `'$bin/genmoves' --random-rules $random --seed 18`;
for my $i (1 .. $random) {
	open(my $file, '>', "$scratch/random.json") or die;
	print($file $drawn[$i - 1]);
	close($file);
	compare("random rule set $i", "$scratch/random.json");
}

# ---- the report ----

# Its boards are these, and lead to pages: a game of torpedo chess, and one with
# castling of Chess960.
my $out = "$scratch/out";
system("cp -r tests/data/report '$out' && mkdir -p '$out/games/2' '$out/figures' '$out/pages' && " .
    "sed -i 1q '$out/rules.tsv' && : >'$out/tables/mainlines.jsonl'") == 0 or die;
my %games = (torpedo => '"moves":"e2e4 a7a5 e4e6 a5a3 e6d7 c8d7 g1f3 a3b2"',
    chess960 => '"start":"1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1","moves":"f1h1 f8b8 e2e4 e7e5"');
for my $rules (sort keys %games) {
	open($f, '>', "$out/games/2/$rules.jsonl.zst") or die;
	print($f "{\"v\":1,\"rules\":\"$rules\",$games{$rules},\"result\":\"*\"}\n");
	close($f);
	open($f, '>>', "$out/rules.tsv") or die;
	print($f join("\t", $rules, $rules, 0, $rules), "\n");
	close($f);
	system('mv', substr(make_quietly($rules, $rules), 7), "$out/pages/$rules.html") == 0 or die;
}
system("cd pipelines/study/report && ./report '$out' >'$out/report.json' 2>'$scratch/log'; ./html '$out/report.json' >'$out/report.html'");
for my $rules (sort keys %games) {
	$b->open("file://$out/report.html");
	$b->js('document.querySelectorAll("details").forEach(function (d) { d.draw && d.draw(); d.open = true; })');
	my $game = ".game.whole[data-page*=\"$rules\"]";
	ok($b->until("document.querySelector('$game .on') !== null"), "the report has a game of $rules") or next;
	my $plies = $b->js("document.querySelector('$game').getAttribute('data-moves').split(' ').length");
	my (@shown, @links);
	$b->js("document.querySelector('$game .first').click()");
	for (0 .. $plies) {
		push(@shown, $b->js("document.querySelector('$game .board svg').getAttribute('aria-label')"));
		push(@links, $b->js("document.querySelector('$game .on').href"));
		$b->js("document.querySelector('$game .forward').click()");
	}
	my @found;
	for my $link (@links) {
		load($link);
		push(@found, $b->js('document.querySelector("#board svg").getAttribute("aria-label")'));
	}
	is(join("\n", @found), join("\n", @shown), "and from each of its $plies positions one can play on");
	choose('human', 'wb');
	is($b->js('rulelab.game(rulelab.state.fen, rulelab.state.moves).then(function (g) { return g.moves.length > 0 })'),
	    JSON::PP::true, 'by moves of its rules');
}

# ---- what is kept may be anything ----

# Each as a saved state: the page works, with the defaults where something is wrong.
load($chess);
$b->js('localStorage.clear()');
my $stuck = '';
for my $state ('null', '7', '"x"', '[]', '{', '{"human":null}', '{"human":"x"}', '{"human":{}}', '{"moves":null}',
    '{"moves":[1]}', '{"moves":["e2e5"]}', '{"moves":{"length":9}}', '{"fen":7}', '{"fen":"8/8"}', '{"level":99}', '{"level":"3"}',
    '{"level":null}', '{"clock":-1}', '{"clock":1.5}', '{"left":[1]}', '{"left":["a",null]}', '{"left":7}', '{"over":7}',
    '{"over":{}}', '{"over":{"end":"x","said":"y","points":"z"}}', '{"turned":"no"}', '{"show":null}', '{"__proto__":{"human":null}}',
    '{"view":1,"explore":"yes"}') {
	# as the new page begins: the old one may still save the engine's reply
	my $script = $b->call('Page.addScriptToEvaluateOnNewDocument', { source => "if (location.protocol === 'file:') localStorage.setItem('rulelab classical', " .
	    JSON::PP->new->allow_nonref->encode($state) . ')' });
	my $opened = load($chess);
	$b->call('Page.removeScriptToEvaluateOnNewDocument', $script);
	my $good = $opened && $b->js('rulelab.state.human') eq 'w' && $b->js('rulelab.state.moves.length') == 0;
	$stuck .= " $state" if !$good || !move('e2e4');
}
is($stuck, '', 'a page with a bad saved state begins anew');
$b->js('localStorage.clear()');
load("$chess#human=x&moves=e2e4") && is($b->js('rulelab.state.human'), 'w', 'and one with a bad link');
like($b->js('document.querySelector("meta[http-equiv]").content'), qr/^default-src 'none'.* script-src 'sha256-/, 'its policy allows no other script');
is($b->js('(function () { var s = document.createElement("script"); s.textContent = "window.hacked = 1"; document.body.append(s); return typeof window.hacked; })()'),
    'undefined', 'which holds');
@{ $b->{errors} } = grep { !/Content Security Policy/ } @{ $b->{errors} };

is("@{ $b->{errors} }", '', 'no error in the console');
$b->stop;
finish();
