#!/usr/bin/perl
# pipelines/page --workbench, in a headless Chromium: rules written by switches are the
# rules of their JSON, by perft in the page and in genmoves; pieces are drawn and read as
# Betza's notation; games measured in the page are selfplay's, byte for byte; links;
# contradictions; what the page to play does; a phone; accessibility by axe, where npm
# brings it.
#
#	WORKBENCH_RULES=200 tests/workbench.t	more random rule sets than 12
use strict;
use warnings;
use utf8;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;

my $top;
BEGIN { $top = abs_path(dirname($0) . '/..'); }
use lib "$top/tests";
use Browser;
use Tap;

Browser::watch();
binmode(STDOUT, ':utf8');
binmode(STDERR, ':utf8');
chdir($top) or die;
my $bin = $ENV{BIN} ||= "$top/bin";
my $tests = $ENV{TESTS} || "$top/build/gcc/tests";
my $sets = $ENV{WORKBENCH_RULES} // 12;

skip_all('chromium is missing') if !Browser::program();
for my $file (qw(/usr/bin/clang /usr/include/wasm32-wasi/stdio.h)) {
	skip_all("no compiler to WebAssembly here ($file); make deps installs one") if !-e $file;
}

my $scratch = tempdir(CLEANUP => 1);
my ($net, $prior) = ("$scratch/sparse.onnx", "$scratch/prior.onnx");
system("'$tests/make_sparse' 64 1 '$net' && '$tests/make_sparse' 64 2 '$prior' policy") == 0 or die;
my $file = "$scratch/workbench.html";
my $page = "file://$file";
is(system("pipelines/page --workbench -N '$net' -P '$prior' -o '$file' 2>'$scratch/log'"), 0, 'a workbench is made') or finish();
my $b = Browser->start(1280, 800);

sub load {
	my ($url) = @_;
	$b->open('about:blank');
	$b->open($url);
	return $b->until('document.body.hasAttribute("data-ready")');
}

# A JSON value as it is written in JavaScript.
my $json = JSON::PP->new->canonical->allow_nonref;
sub js_of { return $json->encode($_[0]); }
sub text { my ($selector) = @_; return $b->js("document.querySelector('$selector').textContent"); }
sub rules { return $b->js('workbench.now().rules'); }
sub click { $b->js("document.getElementById('$_[0]').click()"); }

# Does something that changes the rule, and waits until the page has read it.
sub change {
	my ($code) = @_;
	return $b->js("new Promise(function (done) { var before = document.body.getAttribute('data-asked'); $code;" .
	    'var timer = setInterval(function () { if (document.body.getAttribute("data-asked") !== before) { clearInterval(timer); done(1); } }, 5); })');
}

# Uses the control of a field as a hand would: what it holds, and the event.
sub use_control {
	my ($name, $value, $side) = @_;
	my $where = ".field[data-field=\"$name\"] " . ($side ? "[data-side=$side] .control" : '> .control');
	my $box = "var box = document.querySelector('$where'), i = box.querySelector('input');";
	my $fire = 'i.dispatchEvent(new Event("change", { bubbles: true }))';
	if (ref($value) eq 'HASH' && exists($value->{white})) {	# a value for each side
		$b->js("document.querySelector('.field[data-field=\"$name\"] .split input').click()");
		use_control($name, $value->{$_}, $_) for qw(white black);
		return;
	}
	if (ref($value) eq 'HASH') {	# spare pieces
		my @parts = map { ($_, $value->{$_}) } sort keys %$value;
		return change("$box var all = box.querySelectorAll('input'); " . js_of(\@parts) . ".forEach(function (v, n) { all[n].value = v; }); $fire");
	}
	return change("$box i.checked = " . js_of($value) . "; $fire") if JSON::PP::is_bool($value);
	my $type = $b->js("(document.querySelector('$where .set') ? 'set' : 'input')");
	return change("$box i.value = " . js_of("$value") . "; $fire") if $type eq 'input';
	return change("$box box.querySelectorAll('input').forEach(function (i) { i.checked = " . js_of($value) . ".indexOf(i.value) >= 0; }); $fire");
}

sub perft {
	my ($rules, $depth) = @_;
	open(my $f, '-|', "$bin/genmoves", '--rules', $rules, '--perft', $depth, "$scratch/start") or die;
	my $line = <$f>;
	close($f);
	return $line =~ /"nodes":(\d+)/ ? $1 : 'none';
}

open(my $start, '>', "$scratch/start") or die;
print($start "startpos\n");
close($start);

# ---- writing ----

ok(load($page), 'it opens from a file');
is(rules(), 'classical', 'with chess');
is(text('.sentences'), 'Chess as it is played.', 'in words');
my @fields = split(/\n/, `sed -n 's/^RULE(\\([a-z_]*\\),.*/\\1/p' src/chess/rules.def`);
is($b->js('[...document.querySelectorAll(".field")].map(function (e) { return e.getAttribute("data-field") }).sort().join()'),
    join(',', sort(@fields)), 'a control for every field of rules.def');
use_control('pawn_back', JSON::PP::true);
is(rules(), 'pawn-back', 'a switch');
is(text('.sentences'), 'Pawns may also step one square straight back.', 'in words');
is($b->js('JSON.stringify(JSON.parse(document.getElementById("json").value))'), '{"pawn_back":true}', 'and as JSON');
is($b->js('document.querySelector(".field[data-field=pawn_back]").classList.contains("on")'), JSON::PP::true, 'it is marked');

# Random rule sets.
my (@wrong, %seen);
for my $line (split(/\n/, `'$bin/genmoves' --random-rules $sets -s 36`)) {
	my $spec = decode_json($line);
	change('workbench.read("{}")');
	use_control($_, $spec->{$_}) for sort keys %$spec;
	my $depth = 2;
	my ($in_page, $want) = ($b->js("workbench.ask('perft', [$depth]).then(function (r) { return r.nodes })"), perft($line, $depth));
	push(@wrong, "$line: $in_page, not $want") if $in_page ne $want;
	# the same by typing the JSON
	change('var j = document.getElementById("json"); var was = ' . js_of($b->js('workbench.now().rules')) .
	    "; j.value = " . js_of($line) . '; j.dispatchEvent(new Event("input"))');
	my $typed = rules();
	change('workbench.read("{}")');
	# in another order, but a pawn cannot become a spare piece before there is one
	use_control($_, $spec->{$_}) for (grep { $_ eq 'pieces' } keys %$spec), grep { $_ ne 'pieces' } reverse sort keys %$spec;
	push(@wrong, "$line: switches give " . rules() . ", JSON $typed") if rules() ne $typed;
	# pieces: from the notation to a drawing and back
	for my $piece (grep { defined && !ref && /^[A-Za-z0-9]+$/ } @{$spec}{qw(knight bishop rook queen king)}) {
		next if !defined($piece) || $seen{$piece}++;
		my $both = $b->js("workbench.ask('piece', [" . js_of($piece) . ']).then(function (p) { return workbench.ask("betza", [RulelabPiece.numbers(p)])' .
		    '.then(function (q) { return [p.piece, q.piece] }) })');
		push(@wrong, "$piece: drawn as $both->[0], read as $both->[1]") if $both->[0] ne $both->[1];
	}
}
is(join("\n", @wrong), '', "$sets random rule sets by switches are those of their JSON, by perft here and in genmoves");
ok($sets < 200 || keys(%seen) >= 10, scalar(keys(%seen)) . ' pieces are drawn and read again');

# Pieces are drawn by clicks on their boards.
my ($drawn, $drawing);		# the box of a piece, and its notation among the rules
sub begin_drawing {
	($drawn, $drawing) = @_;
	$b->js("document.querySelector('$drawn .pieced button').click()");
	$b->until("document.querySelector('$drawn [data-cell]') !== null");
}
sub draw_on {
	my ($cell) = @_;
	$b->js("document.querySelector('$drawn .drawer').scrollIntoView({ block: 'center' })");
	my $at = $b->js("(function () { var r = document.querySelector('$drawn [data-cell=\"$cell\"]').getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()");
	my $before = $b->js('document.body.getAttribute("data-asked")');
	$b->click(@$at);
	$b->until("document.body.getAttribute('data-asked') !== '$before'");
	$b->until("document.querySelector('$drawn').rulelabMoves.piece === $drawing");
	return $b->js($drawing);
}
change('workbench.read("{}")');
begin_drawing('.field[data-field=knight] .control', 'workbench.now().fields.knight');
# The notation as it is written in rules.
sub notation { return decode_json(`'$bin/pagekit' --spec -r '{"knight":"$_[0]"}'`)->{knight}; }
is(draw_on('2,2'), notation('NA'), 'a click adds a leap');
is(draw_on('0,1'), notation('NWA'), 'and a step');
is(draw_on('0,2'), notation('NR2A'), 'and a second square of the line');
is(draw_on('2,2'), notation('NR2'), 'a click takes the leap away');
$b->js('document.querySelector(".field[data-field=knight] [value=capture]").click(); document.querySelector(".field[data-field=knight] .everywhere").click()');
is(draw_on('3,3'), notation('NR2cfG'), 'one only for captures, and only forward');
is($b->js('document.querySelectorAll(".field[data-field=knight] .drawer .m-capture").length'), 2, 'is shown so');
begin_drawing('.spare:nth-child(1)', 'workbench.now().fields.pieces.a');
is(draw_on('1,2'), 'N', 'a piece that chess does not have is drawn, too, and has a letter');
begin_drawing('.spare:nth-child(2)', 'workbench.now().fields.pieces.c');
is(draw_on('2,2'), 'A', 'and a second one');
is($b->js('document.querySelectorAll(".spare:not([hidden])").length'), 3, 'there is room for another');
like(text('#facts'), qr/ No game has A or C: put it on the board/, 'they must still come into the game');
use_control('promote_to', 'aq');
like(text('#facts'), qr/ No game has C: /, 'by promotion');
use_control('pieces', { b => 'N' });
like(text('.field[data-field=pieces] .wrong'), qr/pieces/, 'a letter that chess has is refused');
change('workbench.read(' . js_of('{"pieces":{"c":"W","z":"A"}}') . ')');
is($b->js('[...document.querySelectorAll(".spare")].map(function (row) { var i = row.querySelectorAll("input"); return i[0].value + i[1].value; }).join()'), 'zA,cW,,', 'a piece stays where it is drawn');
$b->until('document.querySelectorAll(".spare:nth-child(2) .drawer .m-both").length === 4');
is($b->js('document.querySelector(".spare:nth-child(2) .said-piece").textContent'), 'C steps one square straight.', 'and says how it moves');

# The start by hand.
change('workbench.read("{}")');
sub start_at {
	my ($square) = @_;
	$b->js('document.getElementById("start").scrollIntoView({ block: "center" })');
	my $r = $b->js('(function () { var r = document.querySelector("#start svg").getBoundingClientRect(); return [r.left, r.top, r.width / 8] })()');
	my ($x, $y) = (ord(substr($square, 0, 1)) - 97, 8 - substr($square, 1, 1));
	my $before = $b->js('document.body.getAttribute("data-asked")');
	$b->click($r->[0] + ($x + 0.5) * $r->[2], $r->[1] + ($y + 0.5) * $r->[2]);
	return $b->until("document.body.getAttribute('data-asked') !== '$before'");
}
$b->js('document.querySelector(".palette [data-piece=Q]").click()');
start_at('b1');
is($b->js('workbench.now().fields.start'), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RQBQKBNR w KQkq - 0 1', 'a queen on b1');
$b->js('document.querySelector(".palette [data-piece=\".\"]").click()');
start_at('e1');
like(text('#start-wrong'), qr/start: /, 'no king: why not, beside the board');
is($b->js('document.getElementById("tab-play").disabled'), JSON::PP::true, 'it cannot be played');
$b->js('document.querySelector(".palette [data-piece=K]").click()');
start_at('e1');
is(text('#start-wrong'), '', 'until it is mended');

# Contradictions.
use_control('promote_to', '');
like(text('.field[data-field=promote_to] .wrong'), qr/must become something/, 'a contradiction stands beside its switch');
use_control('promote_to', 'q');
is($b->js('document.querySelectorAll(".field .wrong").length'), 0, 'and goes');
change('var n = document.getElementById("name"); n.value = "my rule!"; n.dispatchEvent(new Event("input"))');
like(text('#name-wrong'), qr/letters, digits/, 'a name that is none');
change('var n = document.getElementById("name"); n.value = "mine"; n.dispatchEvent(new Event("input"))');
is(text('h1 .title'), 'mine', 'a name');
change('var j = document.getElementById("json"); j.value = "{\"knigt\":1}"; j.dispatchEvent(new Event("input"))');
like(text('#json-wrong'), qr/did you mean knight/, 'JSON that is wrong');

# Presets and the gallery.
change('var s = document.getElementById("begin"); s.value = "torpedo"; s.dispatchEvent(new Event("change"))');
is(rules(), 'torpedo', 'a preset to begin from');
my @gallery = map { m{([^/]+)\.json$} } glob('pipelines/rules/*.json');
is($b->js('[...document.querySelectorAll("#begin optgroup:last-child option")].map(function (o) { return o.textContent }).sort().join()'), join(',', sort(@gallery)), 'and the gallery');

# ---- links ----

my $spec = '{"name":"leapers","pawn_sideways":true,"knight":"NA","stalemate_value":100}';
change('workbench.read(' . js_of($spec) . ')');
click('copy-rule');
my $link = $b->js('document.getElementById("copy-rule").getAttribute("data-copied")');
ok(load($page), 'opened again') && is(rules(), $spec, 'it has the latest rule');
change('workbench.read("{}")');
ok(load($link), 'a link');
is(rules(), $spec, 'holds the whole rule');
my $hostile = '{"name":"<img src=x onerror=bad=1>","knight":"<b>N"}';
(my $escaped = $hostile) =~ s/([^A-Za-z0-9])/sprintf('%%%02X', ord($1))/ge;
load("$page#rules=$escaped");
is($b->js('typeof bad'), 'undefined', 'a hostile link runs nothing');
is(rules(), 'classical', 'and is refused');
is($b->js('document.querySelectorAll("#json-wrong *, .field .wrong *, h1 img").length'), 0, 'as text');

# ---- playing ----

load($link);
click('tab-play');
ok($b->until('document.body.hasAttribute("data-board") && !document.body.hasAttribute("data-busy")'), 'the board is set up');
is($b->js('document.querySelectorAll("#board .changed").length'), 4, 'the knights are marked');
$b->js('(function () { var i = document.getElementById("move"); i.value = "Nc3"; i.form.requestSubmit(); })()');
ok($b->until('+document.body.getAttribute("data-ply") >= 2'), 'a move is answered');
$b->js('document.getElementById("human").value = "wb"; document.getElementById("human").dispatchEvent(new Event("change"))');
$b->until('!document.body.hasAttribute("data-busy")');
my $found = $b->js('rulelab.ask("forget", [], true).then(function () { return rulelab.search({ fen: "", moves: [], nodes: 3000 }) })')->{best};
my $uci = `printf 'setoption name Hash value 16\\nucinewgame\\nposition startpos\\ngo nodes 3000\\n' | '$bin/uci' --net '$net' --search ab --rules '$spec' | sed -n 's/^bestmove \\([^ ]*\\).*/\\1/p'`;
chomp($uci);
is($found, $uci, 'the engine finds uci’s move, with the net composed here');
my $playing = $b->js('rulelab.link()');
my $fen = $b->js('document.body.getAttribute("data-fen")');
load($playing);
$b->until('document.body.hasAttribute("data-board") && !document.body.hasAttribute("data-busy")');
is($b->js('document.body.getAttribute("data-fen")'), $fen, 'a link to a game brings its rule and position');
is(rules(), $spec, 'under its rules');

# ---- measuring ----

sub measure {
	my ($games) = @_;
	$b->js("document.getElementById('m-games').value = $games; document.getElementById('m-nodes').value = 100");
	click('m-go');
	return $b->until("document.body.getAttribute('data-drawn') === '$games' && document.body.getAttribute('data-chess') === '$games' && document.getElementById('m-stop').disabled");
}
sub selfplay { my ($rules, $games) = @_; return `'$bin/selfplay' -q --net '$net' --rules '$rules' --games $games --sims 100 --sample-plies 20 --seed 1`; }
click('tab-measure');
ok(measure(20), '20 games are played, and 20 of chess');
my $want = selfplay($spec, 20);
ok($want ne '' && $b->js('workbench.jsonl()') eq $want, 'they are selfplay’s games, byte for byte');
open(my $f, '>', "$scratch/games.jsonl") or die;
print($f $want);
close($f);
ok($b->js('workbench.pgn()') eq `'$bin/pgnwrite' '$scratch/games.jsonl'`, 'and as PGN those of pgnwrite');
my ($row) = map { decode_json($_) } `'$bin/drawstats' '$scratch/games.jsonl'`;
my $many = sub { my ($n, $one, $more) = @_; return "$n " . ($n == 1 ? $one : $more) };
my $counted = join(', ', $many->($row->{wins}, 'win', 'wins') . ' of White', $many->($row->{draws}, 'draw', 'draws'), $many->($row->{losses}, 'loss', 'losses'));
like(text('#p-results'), qr/: $counted; /, 'counted as drawstats counts them');
my $score = sprintf('score %.0f %% (%.0f–%.0f)', map { 100 * $row->{$_} } qw(score score_lo score_hi));
like(text('#p-results'), qr/\Q$score\E/, 'with its intervals');
my ($novelty) = map { $_->{value} // $_->{mean} // $_->{at} } grep { ($_->{measure} // '') eq 'novelty' } map { decode_json($_) } `'$bin/gamestats' '$scratch/games.jsonl'`;
my $new = $b->js('[...document.querySelectorAll("#p-kinds tr")].filter(function (r) { return /that chess does not have/.test(r.textContent) })[0].cells[1].textContent');
ok(defined($novelty) && abs(100 * $novelty - $new) < 0.06, 'and new moves as gamestats', $novelty, $new);
like(text('#verdict'), qr/^White scores \d+ % \(\d+–\d+\), chess \d+ \(\d+–\d+\); .*draws.*; moves that chess does not have are played in .* games\. 20 games at 100 nodes/, 'a verdict');
my $command = (split(/\n/, text('#shell')))[0];
$command =~ s/^selfplay/'$bin\/selfplay' -q/;
$command =~ s/>.*//;
ok(`$command` eq $want, 'the command in the page gives the same games, by the same net', $command);
$b->js('document.getElementById("m-games").value = 10000');
click('m-go');
$b->until('+document.body.getAttribute("data-games") > 20');
click('m-stop');
$b->until('!document.getElementById("m-go").disabled');
my $stopped = $b->js('+document.body.getAttribute("data-games")');
ok($stopped < 10000, 'it can be stopped');
ok(measure($stopped + 20), 'and goes on');
ok($b->js('workbench.jsonl()') eq selfplay($spec, $stopped + 20), 'to the same games');
# The first game of the list is the shortest win, which may have a few moves only.
my $looked = $b->js('(function () { var li = document.querySelector("#p-games li"), said = li.textContent; li.querySelector("button").click(); return said; })()');
my ($number) = $looked =~ /^Game (\d+):/;
my $game = decode_json((split(/\n/, selfplay($spec, $number + 1)))[$number]);
ok($b->until("document.body.getAttribute('data-tab') === 'play' && document.body.hasAttribute('data-board') && document.body.getAttribute('data-ply') === '$game->{plies}'"),
    'a game is looked at on the board', $looked, $b->js('document.body.getAttribute("data-ply")'));

# ---- what the page to play does, here too ----

sub at {
	my ($square) = @_;
	my $r = $b->js('(function () { var r = document.querySelector("#board svg").getBoundingClientRect(); return [r.left, r.top, r.width / 8] })()');
	return ($r->[0] + (ord($square) - 96.5) * $r->[2], $r->[1] + (8.5 - substr($square, 1)) * $r->[2]);
}
sub put { my ($words) = @_; return '(function () { var i = document.getElementById("move"); i.value = "' . $words . '"; '; }

# A net that was never told of the piece.
is(system("pipelines/page --workbench -N nets/prior.onnx -P nets/prior.onnx -o '$scratch/told.html' 2>'$scratch/log'"), 0, 'another net');
my $position = 'rnbqkb1r/ppppppP1/8/8/8/8/PPPPPP1P/RNBQKBNR w KQq - 0 1';
(my $in_link = $position) =~ s/ /%20/g;
for my $size ([1366, 768, 0], [390, 844, 1]) {
	my ($w, $h, $mobile) = @$size;
	$b->size($w, $h, $mobile);
	load("file://$scratch/told.html#rules=" . '%7B%22name%22%3A%22mine%22%2C%22knight%22%3A%22NA%22%7D' . "&human=wb&fen=$in_link");
	$b->until('document.body.hasAttribute("data-board") && !document.body.hasAttribute("data-busy")');
	is($b->js('document.body.getAttribute("data-fen")'), $position, "$w wide: a link has a position");
	$mobile ? $b->tap(at('b1')) : $b->mouse('mouseMoved', at('b1'));
	ok($b->until('!document.getElementById("card").hidden && document.querySelectorAll("#card .moves .m-both").length === 12'), 'the moves of a changed piece');
	ok($b->js('(function () { var r = document.getElementById("card").getBoundingClientRect(); return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight })()'), 'in view');
	if ($mobile) {
		ok($b->js('document.getElementById("card").getBoundingClientRect().top >= document.querySelector("#board svg").getBoundingClientRect().bottom'), 'which hide no square');
		$b->tap(at('e5'));
	} else {
		$b->click(at('b1'));
		is($b->js('document.getElementById("card").hidden'), JSON::PP::true, 'and not while it is picked up');
		$b->click(at('e5'));
		$b->drag(at('c2'), at('c4'), 'right');
		is($b->js('document.querySelectorAll("#board .drawn .arrow").length'), 1, 'an arrow by the right button');
	}
	like(text('#below .more'), qr/^\+[1-9]/, 'material');
	$b->js(put('Qh9') . 'i.form.requestSubmit(); })()');
	ok($b->until('!document.getElementById("typed").hidden'), 'what is no move is told');
	$b->js(put('Qh') . 'i.dispatchEvent(new Event("input", { bubbles: true })); })()');
	is($b->js('document.getElementById("typed").hidden'), JSON::PP::true, 'until the input changes');
	$b->click(at('g7'));
	$b->click(at('g8'));
	ok($b->until('document.getElementById("choose").open'), 'promotion');
	is($b->js('(function () { var r = document.querySelector("#choose button").getBoundingClientRect(), b = document.querySelector("#board svg").getBoundingClientRect();' .
	    'return [r.left - b.left - 6 * b.width / 8, r.top - b.top].map(Math.round).join() })()'), '0,0', 'at its square');
	$b->key('Escape');
}
click('explore');
like($b->until('!document.getElementById("ignores").hidden') && text('#ignores'), qr/^This net was never told of knight:/, 'the explorer says what its net was never told');
for my $id ('untold', 'untold-too') {
	like(text("#$id"), qr/^The net was never told of knight\./, 'and so does the workbench');
	is(text("#$id pre"), "rulelab train -d training --from nets/default --hours 1 mine.json\nrulelab workbench -N training/net.onnx mine.json", 'with how to teach it');
}
click('explore');
$b->size(1280, 800);
load($page);
change('workbench.read(' . js_of('{"knight":"NA"}') . ')');
is($b->js('document.getElementById("untold").hidden'), JSON::PP::true, 'one that was told is not warned of');

# ---- a phone, and accessibility ----

for my $size ([390, 844, 1], [1280, 800, 0]) {
	my ($w, $h, $mobile) = @$size;
	for my $scheme (qw(light dark)) {
		$b->dark($scheme);
		$b->size($w, $h, $mobile);
		for my $tab (qw(write play measure)) {
			click("tab-$tab");
			$b->until('document.body.hasAttribute("data-board")') if $tab eq 'play';
			ok($b->js('document.documentElement.scrollWidth') <= $w, "$tab fits $w pixels");
			is($b->js('[...document.querySelectorAll("button, select")].filter(function (e) { var r = e.getBoundingClientRect(); return r.height > 0 && r.height < 24 }).length'), 0,
			    'nothing is too small for a finger') if $mobile;
			my $found = $b->axe("$top/build");
			if (!defined($found)) {
				skip("axe: $tab, $scheme", 'npm does not bring axe-core');
				next;
			}
			is(join("\n", @$found), '', "axe finds nothing: $tab, $scheme, $w");
		}
	}
}
$b->size(390, 844, 1);
load($page);
click('tab-play');
$b->until('document.body.hasAttribute("data-board")');
is($b->js('[...document.querySelectorAll(".panel .bar button")].filter(function (e) { return e.getBoundingClientRect().bottom > innerHeight }).length'), 0, 'on a phone the buttons are in view');

change('workbench.read(' . js_of('{"draw_value":50,"ply_limit":6}') . ')');
click('tab-measure');
measure(4);
like(text('#p-games li'), qr{: White has 0\.75 points, 3 moves, the ply limit}, 'a game that is worth a part of a point');
$b->until('[...document.querySelectorAll(".chart")].every(function (svg) { return svg.getBoundingClientRect().width > 0.95 * svg.viewBox.baseVal.width })');
is($b->js('[...document.querySelectorAll(".chart")].filter(function (svg) { return svg.getBoundingClientRect().width < 0.95 * svg.viewBox.baseVal.width }).length'), 0, 'and charts have letters as large as others');

is("@{ $b->{errors} }", '', 'no error in the console');
$b->stop;
finish();
