// The page to play on: a board, a worker for the rules and one that searches. The
// engine has all the rules; this file draws and handles input.
(function () {
'use strict';

var B = RulelabBoard, P = RulelabPiece;
var facts;	// the engine's description of its kit
var LEVELS = [
	{ name: 'Beginner', nodes: 40, temperature: 0.3 },
	{ name: 'Novice', nodes: 200, temperature: 0.15 },
	{ name: 'Casual player', nodes: 1500, temperature: 0.06 },
	{ name: 'Club player', nodes: 6000, temperature: 0 },
	{ name: 'Strong', nodes: 40000, temperature: 0 },
	{ name: 'Very strong', nodes: 250000, temperature: 0 },
	{ name: 'Full strength', nodes: 0, seconds: 10, temperature: 0 }
];
var CLOCKS = [[0, 0], [1, 0], [3, 2], [5, 3], [10, 5], [30, 0]];	// minutes, seconds a move
var PIECES = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };

function $(id) { return document.getElementById(id); }

var Engine = RulelabEngines.Engine;

// ---- the state ----

// The state that survives a reload.
var state = { fen: '', moves: [], human: 'w', level: 3, clock: 0, left: null,
    turned: false, show: true, view: false, explore: false, over: null };
var game = null;	// the engine's answer for state.fen and state.moves
var shown = 0;		// ply on the board
var picked = -1, cursor = -1, hinted = null, drag = null;
var arrows = [];	// that the user has drawn: [from, to]
var turn = 0;		// answers to requests of an earlier turn are stale
var rules, mind;	// the two engines

// What each part of it may be: what is kept, or comes in a link, may be anything.
function oneOf(list) { return function (v) { return list.indexOf(v) >= 0; }; }
function isIndex(list) { return function (v) { return Number.isInteger(v) && v >= 0 && v < list.length; }; }
function isText(v) { return typeof v === 'string'; }
function isFlag(v) { return typeof v === 'boolean'; }
function isEnd(v) { return v !== null && isText(v.end) && isText(v.said) && v.points >= 0 && v.points <= 1; }
var may = { fen: isText, human: oneOf(['w', 'b', 'wb', '']), level: isIndex(LEVELS),
    clock: isIndex(CLOCKS), turned: isFlag, show: isFlag, view: isFlag, explore: isFlag,
    moves: function (v) { return Array.isArray(v) && v.every(isText); },
    left: function (v) { return v === null || (Array.isArray(v) && v.length === 2 && v.every(Number.isFinite)); },
    over: function (v) { return v === null || isEnd(v); } };

function save() {
	try {
		localStorage.setItem('rulelab ' + facts.rules, JSON.stringify(state));
	} catch (e) { /* no storage: nothing is kept */ }
}

function load() {
	try {
		var kept = JSON.parse(localStorage.getItem('rulelab ' + facts.rules));
		for (var key in may)
			if (kept && key in kept && may[key](kept[key]))
				state[key] = kept[key];
	} catch (e) { /* nothing kept, or unreadable */ }
	var link = new URLSearchParams(location.hash.slice(1));
	if (link.has('moves') || link.has('fen')) {
		state.fen = link.get('fen') || '';
		state.moves = (link.get('moves') || '').split(',').filter(Boolean);
		state.left = state.over = null;
		state.clock = 0;
		if (may.human(link.get('human'))) {
			state.human = link.get('human');
			state.turned = state.human === 'b';
		}
		history.replaceState(null, '', location.pathname + location.search + rest(link));
	}
}

// What else a link has: the workbench's rules.
function rest(link) {
	return link.has('rules') ? '#rules=' + encodeURIComponent(link.get('rules')) : '';
}

function plies() { return game.line.length - 1; }
function live() { return shown === plies(); }
function over() { return game.end !== undefined || state.over !== null; }
function sideAt(ply) { return game.line[ply].fen.split(' ')[1]; }
function mover() { return sideAt(plies()); }
function mayMove() { return live() && !over() && state.human.indexOf(mover()) >= 0; }

// ---- drawing ----

var svg = document.querySelector('#board svg');

function positionAt(ply) {
	var now = game.line[ply], p = B.setUp(now.fen), before, m;
	if (ply > 0) {
		before = B.setUp(game.line[ply - 1].fen);
		p.to = B.square(now.m.slice(2));
		p.from = isDrop(now.m) ? p.to : B.square(now.m);
		if (now.king !== undefined)
			p.to = cRank(now.king);
		else if (now.gone !== undefined)
			p.gone = cRank(now.gone);
	}
	return p;
}

// The engine counts squares from a1, the board from a8.
function cRank(n) { return (7 - (n >> 3)) * 8 + n % 8; }

function special(ply) {
	var kind = ply > 0 ? game.line[ply].kind : '';
	if (ply === plies() && game.end === 'stalemate' && game.points !== 0.5)
		return 'stalemate-win';
	return B.words[kind] ? kind : '';
}

// A piece in hand is picked up as HAND plus the code of its capital letter; a drop is
// written N@f3.
var HAND = 64;
function isDrop(m) { return m.charAt(1) === '@'; }

// Where the piece on a square, or in hand, may go: square -> moves.
function targets(from) {
	var to = {};
	function add(n, m) { (to[n] = to[n] || []).push(m); }
	if (from < 0)
		return to;
	if (from >= HAND) {
		game.moves.forEach(function (m) {
			if (isDrop(m.m) && m.m.charCodeAt(0) === from - HAND)
				add(B.square(m.m.slice(2)), m);
		});
		return to;
	}
	game.moves.forEach(function (m) {
		if (isDrop(m.m) || B.square(m.m) !== from)
			return;
		var n = B.square(m.m.slice(2));
		add(n, m);
		if (m.rook !== undefined && cRank(m.rook) !== n)
			add(cRank(m.rook), m);
	});
	// Castling also by moving to the king's final square, if no other move goes there.
	game.moves.forEach(function (m) {
		if (m.king !== undefined && B.square(m.m) === from && !to[cRank(m.king)] &&
		    cRank(m.king) !== from)
			add(cRank(m.king), m);
	});
	return to;
}

function drawBoard(animated) {
	var p = positionAt(shown), t = state.turned, kind = special(shown);
	var piece = B.draw(svg, p, kind, t, changed()), marks = svg.children[1];
	if (game.line[shown].check)
		p.at.forEach(function (q, n) {
			if (q === (p.side === 'w' ? 'K' : 'k'))
				B.tint(n, 'check', marks, t);
		});
	for (var i = 0; i < 8; i++) {
		B.element('text', { 'class': 'label', x: 5, y: i * 100 + 21 }, marks)
		    .textContent = t ? i + 1 : 8 - i;
		B.element('text', { 'class': 'label', x: i * 100 + 84, y: 794 }, marks)
		    .textContent = 'abcdefgh'.charAt(t ? 7 - i : i);
	}
	if (picked >= 0 && live()) {
		if (picked < HAND)
			B.tint(picked, 'picked', marks, t);
		if (state.show)
			drawTargets(p);
	}
	if (hinted && live()) {
		var g = B.element('g', { 'class': 'hinted' }, svg);
		if (isDrop(hinted))
			B.element('circle', { 'class': 'ring', cx: B.x(B.square(hinted.slice(2)), t) + 50,
			    cy: B.y(B.square(hinted.slice(2)), t) + 50, r: 44 }, g);
		else
			B.arrow(B.square(hinted), B.square(hinted.slice(2)), g, t);
	}
	arrows.forEach(function (a) {
		var g = B.element('g', { 'class': 'drawn' }, svg);
		if (a[0] === a[1])
			B.element('circle', { 'class': 'ringed', cx: B.x(a[0], t) + 50,
			    cy: B.y(a[0], t) + 50, r: 44 }, g);
		else
			B.arrow(a[0], a[1], g, t);
	});
	if (cursor >= 0 && document.activeElement === $('board'))
		B.element('rect', { 'class': 'cursor', x: B.x(cursor, t) + 4,
		    y: B.y(cursor, t) + 4, width: 92, height: 92, rx: 6 }, svg);
	if (animated && p.from !== undefined)
		B.slide(piece, p.from, p.to, t);
}

// The letters of the pieces that move differently from chess.
function changed() { return Object.keys(facts.pieces).join('').toUpperCase(); }

function drawTargets(p) {
	var to = targets(picked), t = state.turned;
	Object.keys(to).forEach(function (key) {
		var n = +key, odd = to[n].some(function (m) {
			return B.words[m.kind];
		}) ? ' odd' : '';
		if (p.at[n] === '.')
			B.element('circle', { 'class': 'dot' + odd, cx: B.x(n, t) + 50,
			    cy: B.y(n, t) + 50, r: 15 }, svg);
		else
			B.element('circle', { 'class': 'take' + odd, cx: B.x(n, t) + 50,
			    cy: B.y(n, t) + 50, r: 44 }, svg);
	});
}

function sideName(side) { return side === 'w' ? 'White' : 'Black'; }

function drawMoves() {
	var list = $('moves'), first = game.line[0].fen.split(' ');
	var number = +first[5] || 1, black = first[1] === 'b';
	list.textContent = '';
	$('none').hidden = plies() > 0;
	game.line.forEach(function (m, ply) {
		if (ply === 0)
			return;
		var half = ply - 1 + (black ? 1 : 0);
		if (half % 2 === 0 || ply === 1) {
			var n = document.createElement('li');
			n.className = 'n';
			n.textContent = number + (half >> 1) + '.';
			list.appendChild(n);
			if (half % 2 === 1)
				list.appendChild(document.createElement('li')).textContent = '…';
		}
		var button = document.createElement('button');
		button.type = 'button';
		button.textContent = m.san;
		if (special(ply)) {
			button.className = 'mark';
			button.title = B.words[special(ply)];
		}
		if (ply === shown)
			button.setAttribute('aria-current', 'true');
		button.addEventListener('click', function () { look(ply); });
		list.appendChild(document.createElement('li')).appendChild(button);
	});
	var current = list.querySelector('[aria-current]');
	if (current)
		list.scrollTop = current.parentNode.offsetTop - list.offsetTop - 80;
}

function resultText() {
	var p = state.over ? state.over.points : game.points;
	return p === 1 ? '1-0' : p === 0 ? '0-1' : p === undefined ? '*' : '1/2-1/2';
}

function drawStatus() {
	var s = $('status'), kind = special(shown), said;
	if (!live())
		said = 'After ' + shown + (shown === 1 ? ' ply' : ' plies') + ' of ' + plies() + '.';
	else if (game.end !== undefined)
		said = game.said;
	else if (state.over)
		said = state.over.said;
	else
		said = sideName(mover()) + ' to move' + (game.line[shown].check ? ', in check' : '') +
		    (state.human.indexOf(mover()) < 0 ? '; thinking …' : '.');
	s.textContent = said;
	s.className = live() && over() ? 'over' : '';
	if (kind) {
		var mark = document.createElement('span');
		mark.className = 'mark';
		mark.textContent = ' ' + game.line[shown].san + ': ' + B.words[kind] + '.';
		s.appendChild(mark);
	}
	if (game.line[shown].checks)
		s.appendChild(document.createTextNode(' Checks to give: White ' +
		    game.line[shown].checks[0] + ', Black ' + game.line[shown].checks[1] + '.'));
}

function drawSides() {
	['above', 'below'].forEach(function (id, i) {
		var side = (i === 0) === state.turned ? 'w' : 'b';
		var who = state.human.indexOf(side) >= 0 ? (state.human === 'wb' ? sideName(side) :
		    'You') : 'Engine, ' + LEVELS[state.level].name.toLowerCase();
		$(id).setAttribute('data-side', side);
		var name = $(id).querySelector('.name');
		name.textContent = who;
		if (who !== sideName(side))
			name.appendChild(document.createElement('small')).textContent =
			    ' (' + sideName(side) + ')';
		drawMaterial($(id).querySelector('.more'), side);
		var left = $(id).querySelector('.left');
		left.hidden = !state.left;
		if (state.left) {
			left.textContent = clockText(state.left[side === 'w' ? 0 : 1]);
			left.classList.toggle('short', state.left[side === 'w' ? 0 : 1] < 10);
			left.classList.toggle('runs', !over() && plies() > 0 && mover() === side);
		}
	});
}

// What a piece is worth in pawns: as everybody counts, and what the net holds it for
// if it is not a piece of chess.
function worth(letter) {
	var usual = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0 }[letter], w = facts.worth;
	if (usual !== undefined && !facts.pieces[letter])
		return usual;
	return w[letter] && w.P ? Math.round(w[letter] / w.P) : usual || 0;
}

// What a side has more than the other: pieces, and their sum if it is ahead.
function drawMaterial(box, side) {
	var p = B.setUp(game.line[shown].fen), count = {}, sum = 0, shownPieces = [];
	p.at.concat(p.hand || []).forEach(function (piece) {
		if (piece === '.')
			return;
		var letter = piece.toUpperCase(), own = (piece === letter) === (side === 'w');
		count[letter] = (count[letter] || 0) + (own ? 1 : -1);
		sum += (own ? 1 : -1) * worth(letter);
	});
	Object.keys(count).sort(function (a, b) { return worth(b) - worth(a); }).forEach(function (letter) {
		for (var i = 0; i < count[letter]; i++)
			shownPieces.push(side === 'w' ? letter : letter.toLowerCase());
	});
	box.textContent = '';
	shownPieces.forEach(function (piece) {
		var icon = B.element('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, box);
		B.glyph(icon, piece, 0, 0, 100, facts.pieces[piece.toUpperCase()]);
	});
	if (sum > 0)
		box.appendChild(document.createElement('b')).textContent = '+' + sum;
	box.title = shownPieces.length ? 'has more: ' + shownPieces.map(function (piece) {
		return PIECES[piece.toUpperCase()] || piece.toUpperCase();
	}).join(', ') : '';
}

// The pieces in hand, beside the board: each is a button that picks it up.
function drawHands() {
	var p = B.setUp(game.line[shown].fen);
	document.querySelector('.play').style.setProperty('--hands', p.hand ? '5.6rem' : '0rem');
	['above', 'below'].forEach(function (id, i) {
		var bar = document.querySelector('[data-hand=' + id + ']'), white = (i === 0) === state.turned, count = {};
		var focused = bar.contains(document.activeElement) ? document.activeElement.getAttribute('data-piece') : '';
		bar.hidden = !p.hand;
		bar.textContent = '';
		(p.hand || []).forEach(function (piece) {
			if ((piece === piece.toUpperCase()) === white)
				count[piece] = (count[piece] || 0) + 1;
		});
		Object.keys(count).sort(function (a, b) { return worth(b.toUpperCase()) - worth(a.toUpperCase()); }).forEach(function (piece) {
			bar.appendChild(handButton(piece, count[piece]));
			if (piece === focused)
				bar.lastChild.focus();
		});
	});
}

function handButton(piece, n) {
	var b = document.createElement('button'), letter = piece.toUpperCase(), name = PIECES[letter] || letter;
	b.type = 'button';
	b.setAttribute('data-piece', piece);
	b.setAttribute('aria-label', n + ' ' + name + (n > 1 ? 's' : '') + ' in hand');
	b.setAttribute('aria-pressed', picked === HAND + letter.charCodeAt(0) && mayDrop(piece));
	B.glyph(B.element('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, b), piece, 0, 0, 100, facts.pieces[letter]);
	if (n > 1)
		b.appendChild(document.createElement('small')).textContent = n;
	return b;
}

function mayDrop(piece) {
	return mayMove() && (piece === piece.toUpperCase() ? 'w' : 'b') === mover();
}

function clockText(seconds) {
	var s = Math.max(0, Math.ceil(seconds));
	return Math.floor(s / 60) + ':' + ('0' + s % 60).slice(-2);
}

function draw(animated) {
	drawBoard(animated);
	drawMoves();
	drawStatus();
	drawSides();
	drawHands();
	$('back').disabled = plies() === 0;
	$('hint').disabled = !mayMove();
	$('resign').disabled = over() || plies() === 0 || state.human === '';
	$('first').disabled = $('prev').disabled = shown === 0;
	$('last').disabled = $('next').disabled = live();
	$('on').hidden = live();
	$('human').value = state.human;
	$('level').value = state.level;
	$('clock').value = state.clock;
	$('show').checked = state.show;
	$('view').checked = state.view;
	$('explore').checked = state.explore;
	$('move').disabled = !mayMove();
	document.body.setAttribute('data-ply', plies());
	document.body.setAttribute('data-end', game.end || (state.over ? state.over.end : ''));
	document.body.setAttribute('data-fen', game.line[shown].fen);
}

// A message beside an input; '' takes it away.
function tell(id, words) {
	$(id).textContent = words;
	$(id).hidden = words === '';
}

function say(words) { $('say').textContent = words; }

// A move in spoken words.
function spoken(m, side) {
	var san = m.san, word = sideName(side) + ' ';
	if (/^O-O-O/.test(san))
		word += 'castles long';
	else if (/^O-O/.test(san))
		word += 'castles short';
	else
		word += san.replace(/[+#]/, '').replace(/^[KQRBN]/, function (p) {
			return PIECES[p] + ' ';
		}).replace(/^@/, 'pawn @').replace('@', ' placed on ').replace('x', ' takes ').replace(/=(.)/, function (all, p) {
			return ' becomes ' + PIECES[p];
		});
	if (/\+/.test(san))
		word += ', check';
	if (B.words[m.kind] && m.kind !== 'drop')
		word += ', ' + B.words[m.kind];
	return word.replace(/ +/g, ' ') + '.';
}

// ---- playing ----

// Asks the engine for the state of the game, and continues from there.
function update(animated) {
	var mine = ++turn;
	mind.stop();
	picked = -1;
	hinted = null;
	arrows = [];
	tell('typed', '');
	tell('refused', '');
	hideCard();
	document.body.setAttribute('data-busy', '');
	return rules.ask('game', [state.fen, state.moves]).then(function (g) {
		if (mine !== turn)
			return;
		if (g.error) {	// a link or stored game of other rules
			say(g.error);
			state.fen = '';
			state.moves = [];
			state.over = state.left = null;
			return update(false);
		}
		game = g;
		shown = plies();
		save();
		draw(animated);
		document.body.removeAttribute('data-busy');
		if (plies() > 0 && animated)
			say(spoken(game.line[plies()], sideAt(plies() - 1)) +
			    (over() ? ' ' + (game.said || '') : ''));
		runClock();
		explore();
		think();
	});
}

function play(m) {
	var side = mover();
	if (state.left && plies() > 0)
		state.left[side === 'w' ? 0 : 1] += CLOCKS[state.clock][1];
	state.moves.push(m);
	state.over = null;
	return update(true);
}

// The engine moves, or analyses if its view is shown.
function think() {
	var mine = turn, level = LEVELS[state.level];
	if (over())
		return showView(null);
	var task = { fen: state.fen, moves: state.moves, lines: state.view ? 3 : 1 };
	if (state.human.indexOf(mover()) >= 0) {
		if (!state.view)
			return showView(null);
		task.nodes = 3000000;
		mind.ask('search', [task], function (info) {
			if (mine === turn)
				showView(info);
		}).then(function (found) {
			if (mine === turn)
				showView(found);
		}).catch(broken);
		return;
	}
	task.nodes = level.nodes;
	task.seconds = level.seconds || 0;
	if (state.left)	// at any level, it must not lose on time
		task.seconds = Math.min(task.seconds || Infinity,
		    state.left[mover() === 'w' ? 0 : 1] / 30 + CLOCKS[state.clock][1] / 2);
	task.temperature = level.temperature;
	task.seed = Math.floor(Math.random() * 4294967296);
	var began = Date.now();
	mind.ask('search', [task], function (info) {
		if (mine === turn && state.view)
			showView(info);
	}).then(function (found) {
		if (mine !== turn)
			return;
		if (state.view)
			showView(found);
		// A move played at once would go unnoticed.
		setTimeout(function () {
			if (mine !== turn || !found.best)
				return;
			play(found.best).then(function () {
				document.body.setAttribute('data-moved', Math.round(performance.now()));
			});
		}, Math.max(0, 250 - (Date.now() - began)));
	}).catch(broken);
}

function broken(e) { $('status').textContent = 'The engine has failed: ' + e.message; }

function hint() {
	var mine = turn;
	mind.stop();
	mind.ask('search', [{ fen: state.fen, moves: state.moves, nodes: 30000 }])
	    .then(function (found) {
		if (mine !== turn || !found.best)
			return;
		hinted = found.best;
		drawBoard();
		say('Hint: ' + found.lines[0].san);
		think();
	}).catch(broken);
}

function takeBack() {
	// Against the engine take back both moves, so that it is the user's turn.
	var n = 1;
	if (state.human.length === 1 && plies() > 1 && (mover() === state.human || over()) &&
	    sideAt(plies() - 1) !== state.human)
		n = 2;
	state.moves.splice(Math.max(0, state.moves.length - n), n);
	state.over = null;
	update(false).then(function () { say('Taken back.'); });
}

function newGame() {
	var number = parseInt($('array').value, 10);
	if (!(number >= 0 && number < 960))
		number = Math.floor(Math.random() * 960);
	state.moves = [];
	state.over = null;
	state.left = CLOCKS[state.clock][0] > 0 ? [CLOCKS[state.clock][0] * 60,
	    CLOCKS[state.clock][0] * 60] : null;
	mind.stop();
	mind.ask('forget', []).catch(broken);
	if (!facts.chess960) {
		state.fen = '';
		return update(false);
	}
	return rules.ask('start', [number]).then(function (s) {
		state.fen = s.fen;
		return update(false);
	});
}

function look(ply) {
	shown = Math.max(0, Math.min(plies(), ply));
	picked = -1;
	draw(false);
}

function end(how, said, points) {
	turn++;
	mind.stop();
	state.over = { end: how, said: said, points: points };
	save();
	draw(false);
	say(said);
}

// ---- the clock ----

var ticking = 0, ticked = 0;
function runClock() {
	clearInterval(ticking);
	ticked = Date.now();
	if (!state.left || over() || plies() === 0)	// it runs from White's first move
		return;
	ticking = setInterval(function () {
		var now = Date.now(), side = mover() === 'w' ? 0 : 1;
		if (!state.left || over())
			return clearInterval(ticking);
		state.left[side] -= (now - ticked) / 1000;
		ticked = now;
		drawSides();
		if (state.left[side] <= 0) {
			clearInterval(ticking);
			end('time', sideName(mover()) + '’s time is up: ' +
			    sideName(side ? 'w' : 'b') + ' wins.', side ? 1 : 0);
		} else {
			save();
		}
	}, 200);
}

// ---- the engine's view, and the explorer ----

// A proven win or loss of the mover in n moves, in words.
function sureText(n) {
	return sideName((n > 0) === (mover() === 'w') ? 'w' : 'b') + ' wins in ' +
	    Math.abs(n) + ':';
}

function showView(found) {
	var box = $('viewed'), white;
	box.hidden = !state.view;
	if (!state.view || !found || !found.lines.length)
		return;
	white = mover() === 'w' ? 1 : -1;
	var best = found.lines[0], value = white * best.value;
	box.querySelector('.meter div').style.width = 50 + 50 * value + '%';
	box.querySelector('.value').textContent = 'White can expect ' +
	    ((1 + value) / 2).toFixed(2) + ' points; depth ' + found.depth + ', ' +
	    found.nodes.toLocaleString('en') + ' nodes.';
	box.setAttribute('data-nodes', found.nodes);
	var list = box.querySelector('.lines');
	list.textContent = '';
	found.lines.forEach(function (line) {
		var li = document.createElement('li');
		li.appendChild(document.createElement('b')).textContent =
		    ((1 + white * line.value) / 2).toFixed(2);
		li.appendChild(document.createElement('span')).textContent =
		    (line.sure ? sureText(line.sure) + ' ' : '') + line.pv.join(' ');
		list.appendChild(li);
	});
}

function explore() {
	var mine = turn, box = $('explored');
	box.hidden = !state.explore || !facts.prior;
	if (box.hidden)
		return;
	$('ignores').hidden = !facts.unknownPrior;
	$('ignores').textContent = 'This net was never told of ' + facts.unknownPrior +
	    ': it chooses among the legal moves as if the rules were those of chess.';
	rules.ask('prior', []).then(function (p) {
		var body = box.querySelector('tbody');
		if (mine !== turn || p.error)
			return;
		body.textContent = '';
		p.moves.slice(0, 12).forEach(function (m) {
			var row = body.insertRow(), button = document.createElement('button');
			button.type = 'button';
			button.textContent = m.san;
			button.addEventListener('click', function () {
				if (mayMove())
					play(m.m);
			});
			row.insertCell().appendChild(button);
			var share = row.insertCell();
			share.innerHTML = '<div class="share"><i></i></div>';
			share.querySelector('i').style.width = 100 * m.p + '%';
			if (B.words[m.kind]) {
				var kind = share.appendChild(document.createElement('span'));
				kind.className = 'mark';
				kind.textContent = B.words[m.kind];
			}
			row.insertCell().textContent = (100 * m.p).toFixed(1) + ' %';
		});
		var rest = p.moves.slice(12), sum = 0;
		rest.forEach(function (m) { sum += m.p; });
		$('rest').textContent = rest.length === 0 ? '' : (rest.length === 1 ?
		    'Another move has ' : rest.length + ' other moves have ') +
		    (100 * sum).toFixed(1) + ' %' + (rest.length > 1 ? ' together.' : '.');
	}).catch(broken);
}

// ---- mouse, touch and keys ----

function toggleArrow(from, to) {
	var kept = arrows.filter(function (a) { return a[0] !== from || a[1] !== to; });
	if (to < 0)
		return;
	if (kept.length === arrows.length)
		kept.push([from, to]);
	arrows = kept;
	drawBoard();
}

// How the piece on a square moves, if chess does not have that piece: beside it, or after a
// tap beside the board, where it hides no square.
function showCard(n, tapped) {
	var card = $('card'), piece = game && n >= 0 ? B.setUp(game.line[shown].fen).at[n] : '.';
	var letter = piece.toUpperCase(), how = facts && (facts.pieces[piece] || facts.pieces[letter]);
	if (!how)
		return hideCard();
	if (card.getAttribute('data-piece') !== piece || card.hidden) {
		card.textContent = '';
		card.appendChild(P.diagram(how, piece, 3, letter + ' moves as ' + how.piece));
		card.appendChild(P.legend(how));
		card.setAttribute('data-piece', piece);
	}
	card.hidden = false;
	var box = svg.getBoundingClientRect(), size = box.width / 8;
	var x = box.left + (B.x(n, state.turned) / 100 + 1) * size + 6;
	var y = box.top + B.y(n, state.turned) / 100 * size - 20;
	if (x + card.offsetWidth > window.innerWidth - 8)
		x -= size + card.offsetWidth + 12;
	if (tapped && box.right + card.offsetWidth + 16 < window.innerWidth)
		x = box.right + 8;
	else if (tapped)
		y = box.bottom + 8;
	card.style.left = Math.max(8, x) + 'px';
	card.style.top = Math.max(8, Math.min(y, window.innerHeight - card.offsetHeight - 8)) + 'px';
}

function hideCard() { $('card').hidden = true; }

// Asks for one of some moves; pieces are shown at the square where they will stand.
function choose(question, options, at) {
	return new Promise(function (done) {
		var box = $('choose'), bar = box.querySelector('.bar');
		var pieces = options.every(function (o) { return o.piece; });
		box.className = pieces ? 'pieces' : '';
		box.querySelector('p').textContent = question;
		bar.textContent = '';
		options.forEach(function (o) {
			var button = document.createElement('button');
			button.type = 'submit';
			button.value = o.m;
			button.setAttribute('aria-label', o.label);
			if (o.piece)
				B.glyph(B.element('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
				    button), mover() === 'w' ? o.piece : o.piece.toLowerCase(), 0, 0, 100,
				    facts.pieces[o.piece]);
			else
				button.textContent = o.label;
			bar.appendChild(button);
		});
		box.returnValue = '';
		box.onclose = function () { done(box.returnValue); };
		box.showModal();
		if (pieces)
			place(box, at, options.length);
	});
}

// Puts a box over the board, its first square on a square, the others towards the
// board's middle.
function place(box, n, count) {
	var board = svg.getBoundingClientRect(), size = board.width / 8;
	var top = B.y(n, state.turned) / 100, up = top + count > 8;
	box.style.setProperty('--square', size + 'px');
	box.classList.toggle('up', up);
	box.style.left = board.left + B.x(n, state.turned) / 100 * size + 'px';
	box.style.top = board.top + (up ? top - count + 1 : top) * size + 'px';
}

// Puts the picked piece on a square: a move, a choice of moves, or nothing.
function put(n) {
	var list = targets(picked)[n] || [];
	picked = -1;
	if (list.length === 0) {
		drawBoard();
		drawHands();
		return;
	}
	if (list.length === 1) {
		play(list[0].m);
		return;
	}
	drawBoard();
	var promotes = list.every(function (m) { return m.m.length === 5; });
	choose(promotes ? 'Your pawn becomes' : 'Which move?', list.map(function (m) {
		var p = m.m.charAt(4).toUpperCase();
		return { m: m.m, piece: promotes ? p : '', label: promotes ? PIECES[p] || p : m.san };
	}), n).then(function (m) {
		if (m)
			play(m);
	});
}

function isOwn(n) {
	var piece = B.setUp(game.line[shown].fen).at[n];
	return piece !== '.' && (piece === piece.toUpperCase() ? 'w' : 'b') === mover();
}

// A square is chosen by pointer or key.
function touch(n) {
	if (!mayMove())
		return;
	if (picked >= 0 && targets(picked)[n]) {
		put(n);
	} else if (isOwn(n) && picked !== n) {
		picked = n;
		drawBoard();
		say(Object.keys(targets(n)).length + ' moves.');
	} else {
		picked = -1;
		drawBoard();
		drawHands();
	}
}

function squareOf(event) {
	var box = svg.getBoundingClientRect();
	var i = Math.floor((event.clientX - box.left) / box.width * 8);
	var j = Math.floor((event.clientY - box.top) / box.height * 8);
	if (i < 0 || i > 7 || j < 0 || j > 7)
		return -1;
	return state.turned ? 63 - (j * 8 + i) : j * 8 + i;
}

function listen() {
	var board = $('board');
	board.addEventListener('pointerdown', function (event) {
		var n = squareOf(event);
		if (n < 0 || !game)
			return;
		if (event.button === 2) {
			drag = { from: n, arrow: true };
			board.setPointerCapture(event.pointerId);
			return;
		}
		if (event.button !== 0)
			return;
		hideCard();
		if (arrows.length > 0) {
			arrows = [];
			drawBoard();
		}
		cursor = -1;
		drag = { from: n, x: event.clientX, y: event.clientY, moved: false,
		    was: picked };
		if (mayMove() && isOwn(n) && !(picked >= 0 && targets(picked)[n])) {
			picked = n;
			drawBoard();
		}
		board.setPointerCapture(event.pointerId);
	});
	board.addEventListener('pointermove', function (event) {
		if (!drag && event.pointerType === 'mouse')
			showCard(picked >= 0 ? -1 : squareOf(event));
		if (!drag || drag.arrow || picked !== drag.from)
			return;
		var dx = event.clientX - drag.x, dy = event.clientY - drag.y;
		if (!drag.moved && dx * dx + dy * dy < 36)
			return;
		drag.moved = true;
		var piece = svg.querySelector('[data-square="' + B.nameOf(picked) + '"]');
		var scale = 800 / svg.getBoundingClientRect().width;
		if (piece) {
			piece.setAttribute('transform', 'translate(' + dx * scale + ' ' + dy * scale + ')');
			if (piece !== svg.lastChild)
				svg.appendChild(piece);
		}
	});
	board.addEventListener('pointerup', function (event) {
		var d = drag, n = squareOf(event);
		drag = null;
		if (!d)
			return;
		if (d.arrow) {
			toggleArrow(d.from, n);
			return;
		}
		if (event.pointerType !== 'mouse')
			showCard(n, true);
		if (d.moved) {
			if (n >= 0 && n !== d.from)
				put(n);
			else
				drawBoard();
		} else if (picked === d.from && d.was !== d.from) {
			say(Object.keys(targets(picked)).length + ' moves.');	// just picked up
		} else if (n >= 0) {
			touch(n);
		}
	});
	document.querySelectorAll('.hand').forEach(function (bar) {
		bar.addEventListener('pointerdown', function (event) { dragHand(event, bar); });
		bar.addEventListener('click', function (event) {
			var b = event.target.closest('button');
			if (b && event.detail === 0)	// by a key
				pickHand(b.getAttribute('data-piece'), true);
		});
	});
	board.addEventListener('contextmenu', function (event) { event.preventDefault(); });
	board.addEventListener('pointerleave', function (event) {
		if (event.pointerType === 'mouse')
			hideCard();
	});
	board.addEventListener('pointercancel', function () { drag = null; drawBoard(); });
	board.addEventListener('focus', function () { drawBoard(); });
	board.addEventListener('blur', function () { drawBoard(); });
	board.addEventListener('keydown', key);
}

// Picks a piece in hand up, or puts it back.
function pickHand(piece, toggles) {
	var code = HAND + piece.toUpperCase().charCodeAt(0);
	if (!mayDrop(piece))
		return;
	picked = toggles && picked === code ? -1 : code;
	drawBoard();
	drawHands();
	if (picked >= 0)
		say(Object.keys(targets(picked)).length + ' squares.');
}

// A press on a piece in hand: a drag to a square, or a tap that picks it up.
function dragHand(event, bar) {
	var b = event.target.closest('button'), piece = b && b.getAttribute('data-piece'), ghost = null;
	if (!b || event.button !== 0 || !mayDrop(piece))
		return;
	event.preventDefault();
	var was = picked === HAND + piece.toUpperCase().charCodeAt(0), x = event.clientX, y = event.clientY;
	pickHand(piece, false);
	function move(e) {
		if (!ghost && (e.clientX - x) * (e.clientX - x) + (e.clientY - y) * (e.clientY - y) < 36)
			return;
		if (!ghost) {
			ghost = B.element('svg', { 'class': 'ghost', viewBox: '0 0 100 100' }, document.body);
			B.glyph(ghost, piece, 0, 0, 100);
			ghost.style.width = svg.getBoundingClientRect().width / 8 + 'px';
		}
		ghost.style.left = e.clientX + 'px';
		ghost.style.top = e.clientY + 'px';
	}
	function up(e) {
		window.removeEventListener('pointermove', move);
		window.removeEventListener('pointerup', up);
		window.removeEventListener('pointercancel', up);
		if (ghost) {
			ghost.remove();
			var n = e.type === 'pointerup' ? squareOf(e) : -1;
			if (n >= 0)
				return put(n);
			picked = -1;
		} else if (was) {
			picked = -1;
		}
		drawBoard();
		drawHands();
	}
	window.addEventListener('pointermove', move);
	window.addEventListener('pointerup', up);
	window.addEventListener('pointercancel', up);
}

function key(event) {
	var step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
	    ArrowDown: [0, 1] }[event.key];
	if (event.ctrlKey || event.metaKey || event.altKey)
		return;
	if (step) {
		var s = state.turned ? -1 : 1, f, r;
		if (cursor < 0)
			cursor = state.turned ? 8 + 3 : 48 + 4;
		else {
			f = Math.max(0, Math.min(7, cursor % 8 + s * step[0]));
			r = Math.max(0, Math.min(7, (cursor >> 3) + s * step[1]));
			cursor = r * 8 + f;
		}
		drawBoard();
		var piece = B.setUp(game.line[shown].fen).at[cursor];
		say(B.nameOf(cursor) + (piece === '.' ? '' : ', ' +
		    (piece === piece.toUpperCase() ? 'white ' : 'black ') +
		    PIECES[piece.toUpperCase()]));
	} else if ((event.key === 'Enter' || event.key === ' ') && cursor >= 0) {
		touch(cursor);
	} else if (event.key === 'Escape') {
		picked = -1;
		drawBoard();
	} else if (event.key === 'PageUp') {
		look(shown - 1);
	} else if (event.key === 'PageDown') {
		look(shown + 1);
	} else {
		return;
	}
	event.preventDefault();
}

// ---- sharing ----

function pgn() {
	var first = game.line[0].fen.split(' '), number = +first[5] || 1;
	var black = first[1] === 'b', line = '', lines = [], date = new Date();
	function name(side) {
		return state.human.indexOf(side) >= 0 ? 'Player' :
		    'rulelab, ' + LEVELS[state.level].name.toLowerCase();
	}
	function quote(s) { return '"' + s.replace(/[\\"]/g, '\\$&') + '"'; }
	var tags = [['Event', 'Casual game'], ['Site', '?'],
	    ['Date', date.toISOString().slice(0, 10).replace(/-/g, '.')], ['Round', '-'],
	    ['White', name('w')], ['Black', name('b')], ['Result', resultText()],
	    ['Variant', facts.rules]];
	if (game.line[0].fen !== facts.start)
		tags.push(['SetUp', '1'], ['FEN', game.line[0].fen]);
	game.line.slice(1).map(function (m, i) {
		var half = i + (black ? 1 : 0);
		return (half % 2 === 0 ? number + (half >> 1) + '. ' : i === 0 ?
		    number + '... ' : '') + m.san;
	}).concat(resultText()).join(' ').split(' ').forEach(function (word) {
		if (line.length + word.length >= 79) {
			lines.push(line);
			line = '';
		}
		line += (line ? ' ' : '') + word;
	});
	lines.push(line);
	return tags.map(function (t) {
		return '[' + t[0] + ' ' + quote(t[1]) + ']';
	}).join('\n') + '\n\n' + lines.join('\n') + '\n';
}

function link() {
	var part = 'moves=' + state.moves.join(',');
	if (state.fen)
		part += '&fen=' + encodeURIComponent(state.fen);
	var rules = rest(new URLSearchParams(location.hash.slice(1)));
	return location.href.replace(/#.*/, '') + (rules ? rules + '&' : '#') + part;
}

function copy(what, from) {
	var area = document.createElement('textarea');
	area.value = what;
	document.body.appendChild(area);
	area.select();
	var done = document.execCommand('copy');
	area.remove();
	if (!done && navigator.clipboard)
		navigator.clipboard.writeText(what).catch(function () {
			say('This browser does not allow copying.');
		});
	from.setAttribute('data-copied', what);
	var label = from.textContent;
	from.textContent = 'Copied';
	setTimeout(function () { from.textContent = label; }, 1200);
	say('Copied.');
	from.focus();
}

// ---- start ----

function on(id, event, action) {
	$(id).addEventListener(event, function (e) {
		if (event === 'submit')
			e.preventDefault();
		if (game)
			action(e);
	});
}

function controls() {
	LEVELS.forEach(function (l, i) {
		var o = new Option(l.name + ', ' + (l.nodes ? l.nodes.toLocaleString('en') +
		    ' nodes' : l.seconds + ' seconds') + ' a move', i);
		$('level').add(o);
	});
	CLOCKS.forEach(function (c, i) {
		$('clock').add(new Option(c[0] === 0 ? 'none' : c[0] + ' min' +
		    (c[1] ? ' + ' + c[1] + ' s a move' : ''), i));
	});
	on('new', 'click', newGame);
	on('back', 'click', takeBack);
	on('flip', 'click', function () { state.turned = !state.turned; save(); draw(); });
	on('hint', 'click', hint);
	on('resign', 'click', function () {
		var side = state.human === 'wb' ? mover() : state.human;
		end('resign', sideName(side) + ' resigns: ' + sideName(side === 'w' ? 'b' : 'w') +
		    ' wins.', side === 'w' ? 0 : 1);
	});
	on('first', 'click', function () { look(0); });
	on('prev', 'click', function () { look(shown - 1); });
	on('next', 'click', function () { look(shown + 1); });
	on('last', 'click', function () { look(plies()); });
	on('on', 'click', function () {
		state.moves = state.moves.slice(0, shown);
		state.over = null;
		update(false);
	});
	on('human', 'change', function () {
		state.human = $('human').value;
		state.turned = state.human === 'b';
		update(false);
	});
	on('level', 'change', function () { state.level = +$('level').value; update(false); });
	on('clock', 'change', function () { state.clock = +$('clock').value; newGame(); });
	on('show', 'change', function () { state.show = $('show').checked; save(); draw(); });
	on('view', 'change', function () { state.view = $('view').checked; update(false); });
	on('explore', 'change', function () {
		state.explore = $('explore').checked;
		save();
		explore();
	});
	on('type', 'submit', function () {
		if (!mayMove())
			return;
		rules.ask('read', [$('move').value.trim()]).then(function (r) {
			if (r.error) {
				tell('typed', $('move').value + ': ' + r.error + '.');
				return;
			}
			$('move').value = '';
			play(r.m);
		}).catch(broken);
	});
	on('setup', 'submit', function () {
		var fen = $('position').value.trim();
		rules.ask('game', [fen, []]).then(function (g) {
			if (g.error) {
				tell('refused', 'That position cannot be played: ' + g.error + '.');
				return rules.ask('game', [state.fen, state.moves]);
			}
			state.fen = fen;
			state.moves = [];
			state.over = state.left = null;
			state.clock = 0;
			update(false);
		}).catch(broken);
	});
	on('move', 'input', function () { tell('typed', ''); });
	on('position', 'input', function () { tell('refused', ''); });
	on('pgn', 'click', function () { copy(pgn(), $('pgn')); });
	on('link', 'click', function () { copy(link(), $('link')); });
	on('fen', 'click', function () { copy(game.line[shown].fen, $('fen')); });
}

// Opens the engines: a page's kit and prior, or the workbench's nets and rules.
function open(parts) {
	var mine = ++turn, small = Object.assign({}, parts, { prior: null });
	if (rules) {
		rules.end();
		mind.end();
	}
	game = null;
	rules = new Engine(parts);
	mind = new Engine(small);
	return rules.opened.then(function (info) {
		if (mine !== turn)
			return;
		facts = info;
		Object.assign(facts, parts.facts);
		state.fen = '';
		state.moves = [];
		state.over = state.left = null;
		load();
		$('explorer').hidden = !facts.prior;
		document.querySelector('.only960').hidden = !facts.chess960;
		if (facts.chess960 && !state.fen && state.moves.length === 0)
			return newGame();
		return update(false);
	});
}

// The diagrams of changed pieces, below the rules.
function drawDiagrams() {
	var box = document.querySelector('.play .diagrams');
	box.textContent = '';
	Object.keys(facts.pieces).forEach(function (letter) {
		var figure = box.appendChild(document.createElement('figure')), how = facts.pieces[letter];
		figure.appendChild(P.diagram(how, letter, 3, (PIECES[letter] || letter) + ' moves as ' + how.piece));
		figure.appendChild(document.createElement('figcaption')).appendChild(P.legend(how));
	});
}

function begin() {
	listen();
	controls();
	if (window.matchMedia('(max-width: 60rem)').matches)
		$('rules').open = false;
	var kit = $('kit');
	if (!kit)
		return;		// the workbench opens engines itself
	window.addEventListener('hashchange', function () {
		load();
		update(false);
	});
	Promise.all([RulelabEngines.bytes('kit'), RulelabEngines.bytes('prior'), Engine.compile()]).then(function (parts) {
		return open({ kit: parts[0], prior: parts[1], facts: { unknown: kit.getAttribute('data-unknown'),
		    unknownPrior: kit.getAttribute('data-unknown-prior') } });
	}).then(function () {
		drawDiagrams();
		document.body.setAttribute('data-ready', Math.round(performance.now()));
	}).catch(broken);
}

// For the tests: the engine's answer for any position.
window.rulelab = { search: function (task) { return mind.ask('search', [task]); },
    game: function (fen, moves) { return rules.ask('game', [fen, moves]); },
    ask: function (call, args, mindful) { return (mindful ? mind : rules).ask(call, args); },
    state: state, pgn: pgn, link: link, open: open, reload: function () { load(); return update(false); },
    drawDiagrams: drawDiagrams };
begin();
}());
