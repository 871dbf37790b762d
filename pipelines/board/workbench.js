// The workbench: rules are written by switches, drawings or JSON, played on the board
// of play.js, and measured by self-play in workers. The engine knows the rules and
// their fields; this file shows them.
(function () {
'use strict';

var B = RulelabBoard, P = RulelabPiece, Engine = RulelabEngines.Engine;
var LETTERS = { knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' };
var NAMES = { n: 'knights', b: 'bishops', r: 'rooks', q: 'queens', k: 'kings' };
var GROUPS = { setup: 'How games begin', move: 'How pieces move', end: 'How games end',
    limit: 'When games are cut short' };
var ENDS = { checkmate: 'checkmate', stalemate: 'stalemate', material: 'too little material',
    repetition: 'repetition', fifty: 'no progress', length: 'the ply limit', checks: 'the last check',
    hill: 'a king on the hill', 'bare-king': 'a bare king', goal: 'a king at its goal',
    explosion: 'an exploded king', 'lost-all': 'no pieces left' };
var KINDS_OF_MOVES = Object.assign({}, B.words, { castle: 'castling', 'en-passant': 'en passant',
    'new': 'a move that chess does not have' });

var desk;		// the engine that reads rules and computes intervals
var nets = {};		// the bytes of both nets
var about;		// all fields and presets
var wish = {};		// the rule as the user wants it, perhaps with a contradiction
var now = null;		// the engine's answer for the latest rule without one
var asked = 0;		// answers to earlier requests are stale
var gallery = [];

function $(id) { return document.getElementById(id); }
function all(selector, act) { document.querySelectorAll(selector).forEach(act); }

function make(name, attributes, parent, text) {
	var e = document.createElement(name);
	for (var key in attributes)
		e.setAttribute(key, attributes[key]);
	if (text !== undefined)
		e.textContent = text;
	if (parent)
		parent.appendChild(e);
	return e;
}

function same(a, b) { return JSON.stringify(a) === JSON.stringify(b); }
function field(name) { return about.fields.find(function (f) { return f.name === name; }); }
function valueOf(f) { return f.name in wish ? wish[f.name] : f.classical; }
function titled(name) { return name.charAt(0).toUpperCase() + name.slice(1).replace(/_/g, ' '); }

// ---- the rule ----

// Changes a field; its classical value is left out.
function set(name, value) {
	if (same(value, field(name).classical))
		delete wish[name];
	else
		wish[name] = value;
	return read(JSON.stringify(wish), name);
}

// Reads a rule; `from` is the control that changed it, a field's name or 'json'.
function read(text, from) {
	var mine = ++asked;
	return desk.ask('rules', [text]).then(function (r) {
		if (mine !== asked)
			return;
		document.body.toggleAttribute('data-wrong', !!r.error);
		if (r.error) {
			showWrong(r.error, from);
		} else {
			now = r;
			wish = Object.assign({}, r.spec);
			showWrong('');
			remember();
		}
		show(from);
		document.body.setAttribute('data-asked', asked);
	}).catch(broken);
}

function remember() {
	var link = new URLSearchParams(location.hash.slice(1)), text = JSON.stringify(now.spec);
	if (link.get('rules') !== text)
		history.replaceState(null, '', ruleLink(text));
	try {
		localStorage.setItem('rulelab workbench', text);
	} catch (e) { /* no storage: nothing is kept */ }
}

function ruleLink(text) {
	return location.href.replace(/#.*/, '') + '#rules=' + encodeURIComponent(text);
}

// A contradiction, beside the control that was changed and beside fields that it names.
function showWrong(words, from) {
	all('.field .wrong', function (e) { e.remove(); });
	tell('json-wrong', '');
	tell('start-wrong', '');
	tell('name-wrong', '');
	if (words === '')
		return;
	var named = about.fields.filter(function (f) {
		return new RegExp('\\b' + f.name + '\\b').test(words);
	}).map(function (f) { return f.name; });
	if (from && field(from) && named.indexOf(from) < 0)
		named.push(from);
	named.forEach(function (name) {
		if (name === 'start')
			tell('start-wrong', words);
		var box = document.querySelector('.field[data-field="' + name + '"]');
		if (box)
			make('p', { 'class': 'wrong', role: 'alert' }, box, words);
	});
	if (from === 'name')
		tell('name-wrong', words);
	else if (from === 'json' || named.length === 0)
		tell('json-wrong', words);
}

function tell(id, words) {
	$(id).textContent = words;
	$(id).hidden = words === '';
}

function show(from) {
	var wrong = document.body.hasAttribute('data-wrong');
	about.fields.forEach(showField);
	if (from !== 'json')
		$('json').value = JSON.stringify(wish, null, 1).replace(/\n */g, ' ');
	if (from !== 'name')
		$('name').value = wish.name || '';
	$('tab-play').disabled = $('tab-measure').disabled = wrong;
	buildPalette();
	drawStart();
	if (wrong)
		return;
	all('.title', function (e) { e.textContent = now.title; });
	document.title = now.title + ' – rulelab workbench';
	all('.sentences', function (list) {
		list.textContent = '';
		now.sentences.trim().split('\n').forEach(function (s) { make('li', {}, list, s); });
	});
	$('facts').textContent = 'The start has ' + now.moves + ' move' + (now.moves === 1 ? '.' : 's.') + neverSeen();
	showUntold();
	showShell();
	measured();
	if (!$('play').hidden)
		openPlay();
}

// Spare pieces that are neither there at the start nor what a pawn can become.
function neverSeen() {
	var become = valueOf(field('promote_to')), place = now.start.split(' ')[0].toLowerCase();
	if (isSplit(field('promote_to'), become))
		become = become.white + become.black;
	var unseen = Object.keys(wish.pieces || {}).filter(function (letter) { return (place + become).indexOf(letter) < 0; });
	return unseen.length === 0 ? '' : ' No game has ' + unseen.map(function (letter) { return letter.toUpperCase(); }).join(' or ') +
	    ': put it on the board below “Start position”, or let pawns promote to it.';
}

// What the net was never told, and how to teach it.
function showUntold() {
	['untold', 'untold-too'].forEach(function (id) {
		var box = $(id), file = quote(fileName('.json'));
		box.hidden = now.unknown === '';
		box.textContent = '';
		if (box.hidden)
			return;
		make('p', {}, box, 'The net was never told of ' + now.unknown + '. It plays by the rules, but judges ' +
		    'positions as if they were those of chess, so what it measures may be wrong.');
		make('p', {}, box, 'Save the rule’s JSON, teach it for an hour, and make a workbench with the net that has learnt:');
		make('pre', { 'class': 'teach', tabindex: 0 }, box, 'rulelab train -d training --from nets/default --hours 1 ' + file + '\n' +
		    'rulelab workbench -N training/net.onnx ' + file);
	});
}

// ---- switches ----

function fieldBox(f, parent) {
	var box = make('div', { 'class': 'field', 'data-field': f.name }, parent);
	var id = 'f-' + f.name, grouped = f.type === 'set' || f.type === 'fen' || f.type === 'pieces';
	var what = make(grouped ? 'div' : 'label', { 'class': 'what' }, box), kind = KINDS[f.type] || KINDS.other;
	if (!grouped)
		what.setAttribute('for', id);
	what.id = 'l-' + f.name;
	make('b', {}, what, titled(f.name));
	make('small', {}, what, f.meaning);
	kind.make(f, make('div', { 'class': 'control' }, box), id, function (value) { set(f.name, value); });
	chips(f, box);
	if (f.sided)
		addSides(f, box, kind);
}

// A value for each side, where the rules allow that: {"white":…,"black":…}.
function isSplit(f, value) {
	return f.sided && value !== null && typeof value === 'object' && 'white' in value;
}

function addSides(f, box, kind) {
	var label = make('label', { 'class': 'split' }, box), tick = make('input', { type: 'checkbox' }, label);
	label.appendChild(document.createTextNode('differs for White and Black'));
	tick.addEventListener('change', function () {
		var value = valueOf(f);
		box.classList.toggle('splitting', tick.checked);	// equal values are one value
		set(f.name, tick.checked ? { white: value, black: value } : isSplit(f, value) ? value.white : value);
	});
	var sides = make('div', { 'class': 'sides' }, box);
	['white', 'black'].forEach(function (side) {
		var part = make('div', { 'class': 'side-of', 'data-side': side, role: 'group', 'aria-label': titled(f.name) + ', ' + titled(side) }, sides);
		make('b', {}, part, titled(side));
		kind.make(f, make('div', { 'class': 'control' }, part), 'f-' + f.name + '-' + side, function (value) {
			var whole = valueOf(f), both = isSplit(f, whole) ? whole : { white: whole, black: whole };
			both = { white: both.white, black: both.black };
			both[side] = value;
			set(f.name, same(both.white, both.black) ? value : both);
		});
		part.querySelectorAll('input').forEach(function (i) {
			if (!i.closest('label'))
				i.setAttribute('aria-label', titled(f.name) + ' of ' + titled(side));
		});
	});
}

// Buttons for the values that presets have.
function chips(f, box) {
	var list = about.presets.filter(function (p) { return same(Object.keys(p.changes), [f.name]); });
	if (f.type === 'bool' || list.length === 0)
		return;
	var bar = make('div', { 'class': 'chips', role: 'group', 'aria-labelledby': 'l-' + f.name }, box);
	list.forEach(function (p) {
		var b = make('button', { type: 'button', title: p.sentence, 'aria-pressed': 'false' }, bar, p.label);
		b.addEventListener('click', function () {
			set(f.name, same(valueOf(f), p.changes[f.name]) ? f.classical : p.changes[f.name]);
		});
		b.rulelabValue = p.changes[f.name];
	});
}

// The kinds of fields: make() adds the control, show() gives it a value.
var KINDS = {
	bool: {
		make: function (f, box, id, put) {
			make('input', { type: 'checkbox', id: id }, box).addEventListener('change', function () {
				put(this.checked);
			});
		},
		show: function (f, box, value) { box.querySelector('input').checked = value; }
	},
	number: {
		make: function (f, box, id, put) {
			make('input', { type: 'number', id: id, min: f.lowest, max: f.highest, step: 1 }, box)
			    .addEventListener('change', function () {
				put(this.value === '' ? f.classical : +this.value);
			});
		},
		show: function (f, box, value) { box.querySelector('input').value = value; }
	},
	// A set of pieces: a box for each of chess, and for spare ones.
	set: {
		make: function (f, box, id, put) {
			var bar = make('div', { 'class': 'set', role: 'group', 'aria-labelledby': 'l-' + f.name }, box);
			bar.addEventListener('change', function () {
				put([...bar.querySelectorAll('input')].filter(function (i) { return i.checked; })
				    .map(function (i) { return i.value; }).join(''));
			});
		},
		show: function (f, box, value) {
			var bar = box.querySelector('.set'), letters = (f.highest > 15 ? 'nbrqk' : f.classical) +
			    Object.keys(wish.pieces || {}).join('');
			if (bar.getAttribute('data-letters') !== letters) {
				bar.setAttribute('data-letters', letters);
				bar.textContent = '';
				letters.split('').forEach(function (letter) {
					var label = make('label', {}, bar);
					make('input', { type: 'checkbox', value: letter }, label);
					label.appendChild(document.createTextNode(NAMES[letter] || letter.toUpperCase()));
				});
			}
			bar.querySelectorAll('input').forEach(function (i) { i.checked = value.indexOf(i.value) >= 0; });
		}
	},
	fen: {
		make: function (f, box, id, put) {
			make('input', { type: 'text', id: id, 'aria-labelledby': 'l-' + f.name, placeholder: f.type === 'fen' ? 'FEN, 960' : 'd4 e4',
			    spellcheck: 'false', autocomplete: 'off' }, box).addEventListener('change', function () {
				put(this.value.trim());
			});
		},
		show: function (f, box, value) { box.querySelector('input').value = value; }
	},
	piece: {
		make: function (f, box, id, put) { addPiece(box, f.name, id, put); },
		show: function (f, box, value) { showPiece(box, value, LETTERS[f.name]); }
	},
	// Spare kinds: a letter and how it moves, four of them.
	pieces: {
		make: function (f, box, id, put) {
			function read() {
				var value = {};
				box.querySelectorAll('.spare').forEach(function (row) {
					var i = row.querySelectorAll('input');
					if (i[0].value.trim() !== '')
						value[i[0].value.trim().toLowerCase()] = i[1].value.trim();
				});
				put(value);
			}
			for (var n = 1; n <= 4; n++)
				addSpare(box, n, read);
		},
		show: function (f, box, value) {
			var rows = [...box.querySelectorAll('.spare')], left = Object.keys(value || {});
			function letterOf(row) { return row.querySelector('input').value.trim().toLowerCase(); }
			var kept = rows.map(function (row) {	// a drawing stays where it is made
				var at = left.indexOf(letterOf(row));
				return at < 0 ? null : left.splice(at, 1)[0];
			});
			var free = false;
			rows.forEach(function (row, n) {
				var letter = kept[n] || left.shift() || '';
				row.hidden = letter === '' && free;	// one empty row is enough
				free = free || letter === '';
				if (letter === '' && row.contains(document.activeElement))
					return;		// it is being written
				row.querySelector('input').value = letter;
				showPiece(row, letter ? value[letter] : '', letter.toUpperCase());
			});
		}
	},
	// A kind that this page does not know: its JSON.
	other: {
		make: function (f, box, id, put) {
			make('input', { type: 'text', id: id, spellcheck: 'false', autocomplete: 'off' }, box)
			    .addEventListener('change', function () {
				try {
					put(JSON.parse(this.value));
				} catch (e) {
					showWrong(f.name + ' is not JSON: ' + e.message, f.name);
				}
			});
		},
		show: function (f, box, value) { box.querySelector('input').value = JSON.stringify(value); }
	}
};
KINDS.int = KINDS.white = KINDS.number;
KINDS.squares = KINDS.fen;

function showField(f) {
	var box = document.querySelector('.field[data-field="' + f.name + '"]'), value = valueOf(f);
	var kind = KINDS[f.type] || KINDS.other, split = isSplit(f, value);
	box.classList.toggle('sided', split || box.classList.contains('splitting'));
	if (!split)
		kind.show(f, box.querySelector('.control'), value);
	box.querySelectorAll('.side-of').forEach(function (part) {
		kind.show(f, part.querySelector('.control'), split ? value[part.getAttribute('data-side')] : value);
	});
	if (f.sided)
		box.querySelector('.split input').checked = box.classList.contains('sided');
	box.classList.toggle('on', !same(value, f.classical));
	box.querySelectorAll('.chips button').forEach(function (b) {
		b.setAttribute('aria-pressed', same(b.rulelabValue, value));
	});
}

function buildFields() {
	var groups = {};
	about.fields.forEach(function (f) {
		if (!groups[f.group]) {
			groups[f.group] = make('fieldset', {}, $('fields'));
			make('legend', {}, groups[f.group], GROUPS[f.group] || titled(f.group));
		}
		fieldBox(f, groups[f.group]);
	});
}

// ---- drawing a piece ----

// A piece that moves nowhere yet.
var NOWHERE = { slide: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], leap: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], said: '' };
var drawers = 0;	// radio buttons of each belong together

// A piece's picture, its notation, and a button to draw it; put() is told the notation.
function addPiece(box, name, id, put) {
	var bar = make('div', { 'class': 'pieced' }, box);
	make('span', { 'class': 'thumb' }, bar);
	var input = make('input', { type: 'text', id: id, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off' }, bar);
	input.addEventListener('change', function () { put(this.value.trim()); });
	var draw = make('button', { type: 'button', 'aria-expanded': 'false', 'aria-label': 'Draw the ' + name }, bar, 'Draw');
	draw.addEventListener('click', function () { toggleDrawer(box, draw, put); });
	return input;
}

// A row for a spare piece; one that is drawn before it has a letter gets a free one.
function addSpare(box, n, read) {
	var row = make('div', { 'class': 'spare' }, box);
	var letter = make('input', { type: 'text', maxlength: 1, 'class': 'letter-of', 'aria-label': 'Letter of spare piece ' + n,
	    placeholder: 'a', autocapitalize: 'off', autocomplete: 'off', spellcheck: 'false' }, row);
	letter.addEventListener('change', read);
	var moves = addPiece(row, 'spare piece ' + n, 'f-spare-' + n, function (notation) {
		var used = Object.keys(wish.pieces || {});
		if (notation !== '' && letter.value.trim() === '')
			letter.value = 'acdefghijlmostuvwxyz'.split('').find(function (one) { return used.indexOf(one) < 0; });
		moves.value = notation;
		read();
	});
	moves.setAttribute('aria-label', 'Moves of spare piece ' + n);
	moves.placeholder = 'BN';
}

// Shows a piece of this notation by its glyph.
function showPiece(box, value, glyph) {
	box.querySelector('.pieced input').value = value;
	if (box.rulelabPiece === value && box.rulelabGlyph === glyph)
		return;
	box.rulelabPiece = value;
	box.rulelabGlyph = glyph;
	(value === '' ? Promise.resolve(NOWHERE) : desk.ask('piece', [value])).then(function (p) {
		if (p.error || box.rulelabPiece !== value)
			return;
		var thumb = box.querySelector('.thumb');
		thumb.textContent = '';
		if (value !== '')
			thumb.appendChild(P.diagram(p, glyph, 3, nameOf(box) + ': ' + p.said));
		box.rulelabMoves = p;
		drawDrawer(box);
	}).catch(broken);
}

// The piece that is drawn in a box: a field's, or a spare one.
function nameOf(box) {
	return box.classList.contains('spare') ? box.rulelabGlyph : box.closest('.field').getAttribute('data-field');
}

function radios(parent, name, legend, options) {
	var set = make('fieldset', { 'class': name }, parent);
	make('legend', {}, set, legend);
	options.forEach(function (o, i) {
		var label = make('label', {}, set), r = make('input', { type: 'radio', name: name + drawers, value: o[0] }, label);
		r.checked = i === 0;
		label.appendChild(document.createTextNode(o[1]));
	});
}

function toggleDrawer(box, button, put) {
	var drawer = box.querySelector('.drawer');
	button.setAttribute('aria-expanded', !drawer);
	if (drawer)
		return drawer.remove();
	drawer = make('div', { 'class': 'drawer' }, box);
	make('div', { 'class': 'canvas' }, drawer);
	var side = make('div', {}, drawer);
	make('p', { 'class': 'soft small' }, side, 'Click the squares that the piece reaches; click again to take one away.');
	drawers++;
	radios(side, 'when', 'On these squares it', [['both', 'moves and captures'],
	    ['move', 'only moves'], ['capture', 'only captures']]);
	radios(side, 'how', 'It gets there', [['fits', 'as fits'], ['slide', 'along a line'], ['leap', 'by a leap']]);
	var label = make('label', {}, side), tick = make('input', { type: 'checkbox', 'class': 'everywhere' }, label);
	tick.checked = true;
	label.appendChild(document.createTextNode('alike in all directions'));
	make('p', { 'class': 'small said-piece', 'aria-live': 'polite' }, side);
	drawer.querySelector('.canvas').addEventListener('click', function (event) {
		var cell = event.target.closest('[data-cell]');
		if (cell)
			clickCell(box, cell.getAttribute('data-cell').split(',').map(Number), put);
	});
	drawDrawer(box);
}

function drawDrawer(box) {
	var canvas = box.querySelector('.canvas'), p = box.rulelabMoves;
	if (!canvas || !p)
		return;
	canvas.textContent = '';
	var svg = canvas.appendChild(P.diagram(p, box.rulelabGlyph || 'A', 7, p.said || 'cannot move'));
	P.each(7, function (dx, dy) {
		var r = B.element('rect', { 'class': 'hot', x: (dx + 7) * 10, y: (7 - dy) * 10, width: 10, height: 10,
		    'data-cell': dx + ',' + dy }, svg);
		return r;
	});
	box.querySelector('.said-piece').textContent = (titled(nameOf(box)) + ' ' +
	    (p.said || 'cannot move') + '.').trim();
}

function clickCell(box, at, put) {
	var name = box.closest('.field').getAttribute('data-field');
	function chosen(what) { return box.querySelector('.' + what + ' input:checked').value; }
	var p = P.click(box.rulelabMoves, at[0], at[1], chosen('how'), chosen('when'),
	    box.querySelector('.everywhere').checked);
	if (!p)
		return showWrong('No piece of this notation gets there so: leaps are those of one knight\'s move, ' +
		    'two or three squares straight, two or three diagonally; lines are straight or diagonal.', name);
	return desk.ask('betza', [P.numbers(p)]).then(function (r) {
		if (r.error)
			showWrong(r.error, name);
		else
			put(r.piece);
	}).catch(broken);
}

// ---- the start ----

var brush = 'P';

function startFen() {
	var s = wish.start;
	return s && s !== '960' ? s : now ? (now.fields.start === '960' || !s ? 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' : now.start) : '';
}

function drawStart() {
	var fen = startFen(), svg = document.querySelector('#start svg'), p = B.setUp(fen);
	if (p.at.length === 64)
		B.draw(svg, p, '', false);
	$('start-usual').disabled = !wish.start;
}

// The pieces that can be put on the board: those of chess, and spare ones.
function buildPalette() {
	var bar = document.querySelector('.palette'), spare = Object.keys(wish.pieces || {}).join('');
	var letters = 'KQRBNP' + spare.toUpperCase() + 'kqrbnp' + spare + '.';
	if (bar.getAttribute('data-letters') === letters)
		return;
	bar.setAttribute('data-letters', letters);
	bar.textContent = '';
	letters.split('').forEach(function (piece) {
		var names = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };
		var b = make('button', { type: 'button', role: 'radio', 'aria-checked': piece === brush, 'data-piece': piece,
		    'aria-label': piece === '.' ? 'nothing' : (piece === piece.toUpperCase() ? 'white ' : 'black ') +
		    (names[piece.toUpperCase()] || piece.toUpperCase()), 'class': piece === '.' ? 'none' : '' }, bar, piece === '.' ? '✕' : undefined);
		if (piece !== '.')
			B.glyph(B.element('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, b), piece, 0, 0, 100);
		b.addEventListener('click', function () {
			brush = piece;
			bar.querySelectorAll('button').forEach(function (o) {
				o.setAttribute('aria-checked', o === b);
			});
		});
	});
}

// The castling rights that a placement suggests: kings and rooks on their squares.
function rights(at) {
	var r = '';
	if (at[60] === 'K')
		r += (at[63] === 'R' ? 'K' : '') + (at[56] === 'R' ? 'Q' : '');
	if (at[4] === 'k')
		r += (at[7] === 'r' ? 'k' : '') + (at[0] === 'r' ? 'q' : '');
	return r || '-';
}

function fenOf(at) {
	var rows = [];
	for (var i = 0; i < 64; i += 8)
		rows.push(at.slice(i, i + 8).join('').replace(/\.+/g, function (dots) { return dots.length; }));
	return rows.join('/') + ' w ' + rights(at) + ' - 0 1';
}

function paint(n) {
	var at = B.setUp(startFen()).at;
	at[n] = at[n] === brush ? '.' : brush;
	var fen = fenOf(at);
	return set('start', fen === fenOf(B.setUp('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w').at) ? '' : fen);
}

// ---- tabs ----

function open(tab) {
	['write', 'play', 'measure'].forEach(function (id) {
		var here = id === tab;
		$(id).hidden = !here;
		$('tab-' + id).setAttribute('aria-selected', here);
		$('tab-' + id).tabIndex = here ? 0 : -1;
	});
	document.body.setAttribute('data-tab', tab);
	window.scrollTo(0, 0);
	if (tab === 'measure')
		draw();		// charts are as wide as their boxes
	return tab === 'play' ? openPlay() : Promise.resolve();
}

var opened = null;	// the rules of the board

function openPlay() {
	if (opened === now.rules)
		return Promise.resolve();
	opened = now.rules;
	document.body.removeAttribute('data-board');
	return rulelab.open({ net: nets.net, prior: nets.prior, rules: now.rules }).then(function () {
		rulelab.drawDiagrams();
		document.body.setAttribute('data-board', '');
	}).catch(broken);
}

// ---- measuring ----

var runs = {};		// series of games by rules and settings
var workers = [], going = null, drawing = false;

function settings() {
	function number(id) { return Math.max(+$(id).min, Math.min(+$(id).max, Math.round(+$(id).value) || 0)); }
	return { games: number('m-games'), nodes: number('m-nodes'), sample: number('m-sample'), seed: number('m-seed') };
}

function seriesOf(rules, o) {
	var key = [rules, o.nodes, o.sample, o.seed].join('\n');
	return runs[key] = runs[key] || { rules: rules, games: [], done: 0 };
}

// The games of the rule and of chess under the present settings.
function both() {
	var o = settings();
	return [seriesOf(now.rules, o), seriesOf('classical', o)];
}

function count(series, most) {
	var c = { n: 0, w: 0, d: 0, l: 0, odd: 0, sum: 0, squares: 0, plies: [], kinds: {}, ends: {}, fresh: 0 };
	series.games.slice(0, most).forEach(function (g) {
		if (!g)
			return;
		var points = (100 + g.value) / 200;
		c.n++;
		if (g.value % 100 === 0) {
			c[g.value === 100 ? 'w' : g.value === -100 ? 'l' : 'd']++;
		} else {
			c.odd++;
			c.sum += points;
			c.squares += points * points;
		}
		c.plies.push(g.plies);
		c.ends[g.end] = (c.ends[g.end] || 0) + 1;
		for (var kind in g.kinds)
			if (g.kinds[kind] > 0)
				c.kinds[kind] = (c.kinds[kind] || 0) + 1;
		c.fresh += g.kinds['new'];
	});
	return c;
}

function numbers(c) { return [c.w, c.d, c.l, c.odd, c.sum, c.squares]; }

function start() {
	var o = settings(), pair = both(), tasks = [];
	for (var k = 0; k < o.games; k++)
		pair.forEach(function (s, i) {
			if ((i === 0 || s !== pair[0]) && !s.games[k])
				tasks.push([i, k]);
		});
	if (tasks.length === 0) {	// all are played: as many again
		$('m-games').value = 2 * o.games;
		return 2 * o.games <= +$('m-games').max ? start() : draw();
	}
	going = { left: tasks.length, total: tasks.length, failed: false };
	var mine = going, cores = Math.max(1, Math.min(64, Math.round(+$('m-cores').value) || 1, tasks.length));
	$('m-stop').disabled = false;
	for (var i = 0; i < cores; i++)
		workers.push(new Engine({ net: nets.net }));
	workers.forEach(function (w) {
		w.opened.then(function () { return w.ask('series', [0, pair[0].rules, o]); }).then(function (r) {
			return r.error ? r : w.ask('series', [1, pair[1].rules, o]);
		}).then(function next(r) {
			if (mine !== going)
				return;
			if (r.error)
				throw new Error(r.error);
			var task = tasks.shift();
			if (!task)
				return;
			return w.ask('playGame', task).then(function (g) {
				if (g.error)
					throw new Error(g.error);
				pair[task[0]].games[task[1]] = g;
				if (--mine.left === 0)
					stop();
				draw();
				return next({});
			});
		}).catch(function (e) {
			stop();
			$('m-said').textContent = 'The games have ended: ' + e.message;
		});
	});
	draw();
}

function stop() {
	going = null;
	workers.forEach(function (w) { w.end(); });
	workers = [];
	$('m-stop').disabled = true;
	draw();
}

// Draws at most once a frame.
function draw() {
	if (drawing)
		return;
	drawing = true;
	requestAnimationFrame(function () {
		drawing = false;
		measured();
	});
}

function measured() {
	if (!now)
		return;
	var o = settings(), pair = both(), own = count(pair[0], o.games), chess = count(pair[1], o.games);
	var done = own.n >= o.games;
	$('m-go').textContent = done ? 'Play as many again' : own.n > 0 ? 'Go on' : 'Play ' + o.games.toLocaleString('en') + ' games';
	$('m-go').disabled = going !== null;
	$('m-jsonl').disabled = $('m-pgn').disabled = own.n === 0;
	$('m-bar').max = o.games;
	$('m-bar').value = own.n;
	if (own.n > 0 || going)
		$('m-said').textContent = own.n.toLocaleString('en') + ' of ' + o.games.toLocaleString('en') + ' games' +
		    (pair[1] !== pair[0] ? ', and ' + chess.n.toLocaleString('en') + ' of chess' : '') + (going ? ' …' : '.');
	document.body.setAttribute('data-games', own.n);
	document.body.setAttribute('data-chess', chess.n);
	showShell();
	drawLengths(own, chess);
	drawGames(pair[0]);
	return Promise.all([intervals(own, chess), intervals(chess), shares(own), shares(chess)]).then(function (r) {
		drawResults(own, chess, r[0], r[1]);
		drawKinds(own, chess, r[2], r[3]);
		drawVerdict(own, chess, r[0], r[1], r[2]);
		document.body.setAttribute('data-drawn', own.n);
	}).catch(broken);
}

// Draw rate and score with intervals; with another series, how certain the differences
// are. null without games.
function intervals(c, other) {
	if (c.n === 0)
		return Promise.resolve(null);
	return desk.ask('counts', [numbers(c).concat(other && other.n > 0 ? numbers(other) : [])]);
}

// The share of games with each kind of move or end, with intervals.
function shares(c) {
	var found = {}, list = [];
	if (c.n === 0)
		return Promise.resolve(found);
	[c.kinds, c.ends].forEach(function (counts, i) {
		Object.keys(counts).forEach(function (name) {
			list.push(desk.ask('share', [counts[name], c.n]).then(function (r) {
				found[(i ? 'end ' : '') + name] = r.share;
			}));
		});
	});
	return Promise.all(list).then(function () { return found; });
}

function percent(x, digits) { return (100 * x).toFixed(digits || 0); }
function many(n, one, more) { return n + ' ' + (n === 1 ? one : more); }
function within(r) { return percent(r.lo) + '–' + percent(r.hi); }

function ownName() { return now.title; }

// A chart is as wide as its box, but not much wider, so that its letters are as large as others.
function chartWidth(box) { return Math.max(280, Math.min(520, box.clientWidth || 520)); }

// Results as bars, and score and draws as points with intervals.
function drawResults(own, chess, r, c) {
	var box = $('p-results'), rows = [[ownName(), own, r, 'c-own']];
	if (now.rules !== 'classical')
		rows.push(['Chess', chess, c, 'c-chess']);
	box.textContent = '';
	if (!r) {
		make('p', { 'class': 'soft' }, box, 'None yet.');
		return;
	}
	rows = rows.filter(function (row) { return row[2]; });
	var words = rows.map(function (row) {
		return row[0] + ': ' + many(row[1].w, 'win', 'wins') + ' of White, ' + many(row[1].d, 'draw', 'draws') + ', ' + many(row[1].l, 'loss', 'losses') +
		    (row[1].odd ? ', ' + row[1].odd + ' worth another part of a point' : '') + '; score ' +
		    percent(row[2].score.at) + ' % (' + within(row[2].score) + '), draws ' + percent(row[2].draws.at) +
		    ' % (' + within(row[2].draws) + ')';
	}).join('. ');
	var wide = chartWidth(box), height = 60 * rows.length + 130, svg = B.element('svg', { 'class': 'chart', viewBox: '0 0 ' + wide + ' ' + height,
	    role: 'img', 'aria-label': words }, box);
	rows.forEach(function (row, i) {
		var at = 10, y = 24 + 60 * i, total = row[1].n;
		write(svg, 10, y - 6, row[0].slice(0, 60));
		[['w', 'c-white', 'on-light'], ['d', 'c-draw', 'on-light'], ['odd', 'c-odd', 'on-light'], ['l', 'c-black', 'on-dark']].forEach(function (part) {
			var width = (wide - 20) * row[1][part[0]] / total;
			B.element('rect', { 'class': part[1], x: at, y: y, width: width, height: 24 }, svg);
			if (width > 40)
				write(svg, at + width / 2, y + 17, percent(row[1][part[0]] / total) + ' %', 'middle', part[2]);
			at += width;
		});
	});
	whiskers(svg, wide, 60 * rows.length + 14, 'White’s score, %', rows, 'score');
	whiskers(svg, wide, 60 * rows.length + 72, 'Draws, %', rows, 'draws');
	var key = make('p', { 'class': 'key' }, box);
	[['White wins', '--white-piece'], ['drawn', ''], ['Black wins', '--black-piece']].concat(
	    rows.some(function (row) { return row[1].odd; }) ? [['a part of a point', '--last']] : []).forEach(function (k) {
		var item = make('span', {}, key), square = make('i', {}, item);
		square.style.background = k[1] ? 'var(' + k[1] + ')' : '#9aa5a8';
		item.appendChild(document.createTextNode(k[0]));
	});
	make('p', { 'class': 'small soft' }, box, words + '.');
}

function write(svg, x, y, text, anchor, kind) {
	var e = B.element('text', { x: x, y: y, 'text-anchor': anchor || 'start' }, svg);
	if (kind)
		e.setAttribute('class', kind);
	e.textContent = text;
}

function whiskers(svg, wide, y, label, rows, what) {
	function x(share) { return 130 + (wide - 150) * share; }
	write(svg, 10, y + 16, label);
	[0, 0.25, 0.5, 0.75, 1].forEach(function (t) {
		B.element('path', { 'class': 'axis', d: 'M' + x(t) + ' ' + y + 'v34' }, svg);
		write(svg, x(t), y + 48, percent(t), 'middle', 'tick');
	});
	rows.forEach(function (row, i) {
		var r = row[2][what], at = y + 9 + 16 * i;
		B.element('path', { 'class': row[3] + ' whisker', d: 'M' + x(r.lo) + ' ' + at + 'H' + x(r.hi) + 'M' +
		    x(r.lo) + ' ' + (at - 4) + 'v8M' + x(r.hi) + ' ' + (at - 4) + 'v8' }, svg);
		B.element('circle', { 'class': row[3], cx: x(r.at), cy: at, r: 4.5 }, svg);
	});
}

function drawLengths(own, chess) {
	var box = $('p-lengths'), width = 10, bins, most = 0, longest = 0;
	box.textContent = '';
	if (own.n === 0) {
		make('p', { 'class': 'soft' }, box, 'None yet.');
		return;
	}
	[own, chess].forEach(function (c) {
		c.plies.forEach(function (p) { longest = Math.max(longest, Math.ceil(p / 2)); });
	});
	bins = [own, chess].map(function (c) {
		var b = Array(Math.floor(longest / width) + 1).fill(0);
		c.plies.forEach(function (p) { b[Math.floor(Math.ceil(p / 2) / width)] += 1 / c.n; });
		b.forEach(function (v) { most = Math.max(most, v); });
		return b;
	});
	function median(c) {
		var sorted = c.plies.slice().sort(function (a, b) { return a - b; });
		return c.n ? Math.ceil(sorted[c.n >> 1] / 2) : 0;
	}
	var wide = chartWidth(box), step = (wide - 30) / bins[0].length, words = 'Median: ' + median(own) + ' moves' +
	    (now.rules !== 'classical' && chess.n ? '; chess ' + median(chess) : '') + '.';
	var svg = B.element('svg', { 'class': 'chart', viewBox: '0 0 ' + wide + ' 190', role: 'img', 'aria-label': words }, box);
	bins[0].forEach(function (v, i) {
		B.element('rect', { 'class': 'c-own', opacity: 0.65, x: 15 + i * step, y: 160 - 145 * v / most,
		    width: Math.max(1, step - 1.5), height: 145 * v / most }, svg);
		if (i % Math.ceil(bins[0].length * 55 / wide) === 0)
			write(svg, 15 + i * step, 178, i * width, 'middle', 'tick');
	});
	if (now.rules !== 'classical' && chess.n)
		B.element('path', { 'class': 'c-chess whisker', d: bins[1].map(function (v, i) {
			return (i ? 'L' : 'M') + (15 + (i + 0.5) * step) + ' ' + (160 - 145 * v / most);
		}).join(''), fill: 'none' }, svg).style.fill = 'none';
	make('p', { 'class': 'small soft' }, box, words + (now.rules !== 'classical' && chess.n ? ' Bars: this rule; line: chess.' : ''));
}

function drawKinds(own, chess, r, c) {
	var box = $('p-kinds');
	box.textContent = '';
	if (own.n === 0) {
		make('p', { 'class': 'soft' }, box, 'None yet.');
		return;
	}
	var table = make('table', {}, box), head = make('tr', {}, make('thead', {}, table)), body = make('tbody', {}, table);
	make('th', { scope: 'col' }, head, 'Share of games');
	make('th', { scope: 'col' }, head, '%');
	make('th', { scope: 'col' }, head, 'interval');
	if (now.rules !== 'classical')
		make('th', { scope: 'col' }, head, 'chess, %');
	var names = Object.keys(Object.assign({}, r, c));
	names.sort(function (a, b) {
		return /^end /.test(a) - /^end /.test(b) || (b === 'new') - (a === 'new') || ((r[b] || {}).at || 0) - ((r[a] || {}).at || 0);
	});
	names.forEach(function (name) {
		var row = make('tr', {}, body), end = /^end (.*)/.exec(name), mine = r[name];
		make('th', { scope: 'row' }, row, end ? 'ends by ' + (ENDS[end[1]] || end[1]) : 'with ' +
		    (KINDS_OF_MOVES[name] || name));
		make('td', {}, row, mine ? percent(mine.at, 1) : '0.0');
		make('td', {}, row, mine ? within(mine) : '');
		if (now.rules !== 'classical')
			make('td', {}, row, chess.n === 0 ? '' : c[name] ? percent(c[name].at, 1) : '0.0');
	});
}

// Some games to look at: the first, the shortest that was won, the longest, and the one
// with most new moves.
function drawGames(series) {
	var list = $('p-games'), chosen = [];
	var games = series.games.map(function (g, k) { return g && { g: g, k: k }; }).filter(Boolean);
	function add(better, why, among) {
		var best = null;
		games.forEach(function (x) {
			if ((!among || among(x)) && (!best || better(x, best)))
				best = x;
		});
		if (best && !chosen.some(function (x) { return x.k === best.k; }))
			chosen.push({ g: best.g, k: best.k, why: why });
	}
	add(function (a, b) { return a.g.plies < b.g.plies; }, 'the shortest win', function (x) { return Math.abs(x.g.value) === 100; });
	add(function (a, b) { return a.g.plies > b.g.plies; }, 'the longest');
	add(function (a, b) { return a.g.kinds['new'] > b.g.kinds['new']; }, 'most new moves', function (x) { return x.g.kinds['new'] > 0; });
	games.slice(0, 6).forEach(function (x) {
		if (!chosen.some(function (y) { return y.k === x.k; }))
			chosen.push({ g: x.g, k: x.k, why: '' });
	});
	var key = chosen.map(function (x) { return x.k + x.why; }).join();
	if (list.getAttribute('data-key') === key + now.rules || chosen.length === 0 && list.children.length === 1)
		return;
	list.setAttribute('data-key', key + now.rules);
	list.textContent = '';
	if (chosen.length === 0)
		make('li', { 'class': 'soft' }, list, 'None yet.');
	chosen.forEach(function (x) {
		var item = make('li', {}, list), result = x.g.value === 100 ? '1–0' : x.g.value === -100 ? '0–1' : x.g.value === 0 ? '½–½' :
		    'White has ' + (100 + x.g.value) / 200 + ' points';
		make('span', {}, item, 'Game ' + x.k + ': ' + result + ', ' + Math.ceil(x.g.plies / 2) + ' moves, ' +
		    (ENDS[x.g.end] || x.g.end) + (x.why ? ' (' + x.why + ')' : ''));
		make('button', { type: 'button', 'aria-label': 'Look at game ' + x.k }, item, 'Look').addEventListener('click', function () {
			var g = JSON.parse(x.g.line);
			location.hash = ruleLink(JSON.stringify(now.spec)).replace(/.*?#/, '') + '&human=wb&moves=' +
			    g.moves.replace(/ /g, ',') + (g.start ? '&fen=' + encodeURIComponent(g.start) : '');
		});
	});
}

// "a third more", "twice as many": a ratio in words.
function ratioWords(ratio) {
	var steps = [[0.3, 'less than a third of the'], [0.42, 'about a third of the'], [0.6, 'about half the'], [0.72, 'a third fewer'],
	    [0.81, 'a quarter fewer'], [0.91, 'somewhat fewer'], [1.1, 'about as many'], [1.21, 'somewhat more'], [1.29, 'a quarter more'],
	    [1.42, 'a third more'], [1.75, 'half as many again:'], [2.5, 'about twice as many'], [Infinity, 'many times more']];
	return steps.find(function (s) { return ratio < s[0]; })[1];
}

function drawVerdict(own, chess, r, c, s) {
	var v = $('verdict');
	if (!r) {
		v.textContent = 'No games yet.';
		return;
	}
	var words = 'White scores ' + percent(r.score.at) + ' % (' + within(r.score) + ')';
	if (c && now.rules !== 'classical') {
		words += ', chess ' + percent(c.score.at) + ' (' + within(c.score) + ')';
		var p = r.fewer_draws, sure = p > 0.975 || p < 0.025, ratio = r.draws.at / Math.max(c.draws.at, 1e-9);
		words += sure ? '; ' + ratioWords(ratio) + ' draws' : '; no sure difference in draws';
		words += ' (' + percent(r.draws.at) + ' % against ' + percent(c.draws.at) + ')';
	} else {
		words += '; ' + percent(r.draws.at) + ' % of the games are drawn (' + within(r.draws) + ')';
	}
	if (s['new'])
		words += '; moves that chess does not have are played in ' + outOf(s['new'].at) + ' games';
	else if (now.rules !== 'classical')
		words += '; no move was played that chess does not have';
	words += '. ' + own.n.toLocaleString('en') + ' games at ' + settings().nodes.toLocaleString('en') + ' nodes a move.';
	if (now.unknown)
		words += ' The net was never told of ' + now.unknown + '.';
	v.textContent = words;
}

function outOf(share) {
	return share > 0.995 ? 'all' : share > 0.05 ? Math.round(10 * share) + ' of 10' : percent(share, 1) + ' % of the';
}

function quote(s) { return /^[a-z0-9][a-z0-9._+\/-]*$/i.test(s) ? s : "'" + s.replace(/'/g, "'\\''") + "'"; }

function command(rules, file) {
	var o = settings(), net = $('shell').getAttribute('data-net');	// none: the one that selfplay has
	return 'selfplay' + (net ? ' --net ' + quote(net) : '') + ' --rules ' + quote(rules) + ' --games ' + o.games + ' --sims ' + o.nodes + ' --sample-plies ' + o.sample +
	    ' --seed ' + o.seed + ' >' + file;
}

function showShell() {
	$('shell').textContent = now.rules === 'classical' ? command(now.rules, 'chess.jsonl') + '\ndrawstats --tsv chess.jsonl' :
	    command(now.rules, 'mine.jsonl') + '\n' + command('classical', 'chess.jsonl') +
	    '\ncat mine.jsonl chess.jsonl | drawstats --tsv\ncat mine.jsonl chess.jsonl | drawstats --compare --tsv';
}

function jsonl() {
	return both()[0].games.slice(0, settings().games).filter(Boolean).map(function (g) { return g.line; }).join('');
}

function pgn() {
	return Promise.all(both()[0].games.slice(0, settings().games).filter(Boolean).map(function (g) {
		return desk.ask('pgn', [g.line]).then(function (r) { return r.pgn; });
	})).then(function (list) { return list.join(''); });
}

function save(name, text, type) {
	var a = make('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: type })) }, document.body);
	a.click();
	a.remove();
	setTimeout(function () { URL.revokeObjectURL(a.href); }, 60000);
}

function fileName(ending) {
	return (now.spec.name || 'mine').replace(/[^A-Za-z0-9_-]+/g, '-') + ending;
}

// ---- start ----

function copy(text, button) {
	var label = button.textContent;
	button.setAttribute('data-copied', text);
	navigator.clipboard.writeText(text).then(function () {
		button.textContent = 'Copied';
	}, function () {
		button.textContent = 'Not allowed here';
	}).then(function () { setTimeout(function () { button.textContent = label; }, 1200); });
}

function buildBeginnings() {
	var select = $('begin');
	make('option', { value: '' }, select, 'Preset or gallery …');
	var presets = make('optgroup', { label: 'Presets' }, select);
	about.presets.forEach(function (p) { make('option', { value: p.name }, presets, p.label); });
	var shown = make('optgroup', { label: 'Gallery' }, select);
	gallery.forEach(function (line) {
		make('option', { value: line }, shown, JSON.parse(line).name || line);
	});
	select.addEventListener('change', function () {
		if (select.value !== '')
			read(select.value);
		select.value = '';
	});
}

function controls() {
	['write', 'play', 'measure'].forEach(function (id, i, ids) {
		$('tab-' + id).addEventListener('click', function () { open(id); });
		$('tab-' + id).addEventListener('keydown', function (event) {
			var to = { ArrowRight: 1, ArrowLeft: 2 }[event.key];
			if (!to)
				return;
			var next = $('tab-' + ids[(i + to) % 3]);
			if (!next.disabled) {
				next.focus();
				next.click();
			}
		});
	});
	$('json').addEventListener('input', function () { read($('json').value.trim() || '{}', 'json'); });
	$('json').addEventListener('change', function () { show(document.body.hasAttribute('data-wrong') ? 'json' : ''); });
	$('name').addEventListener('input', function () {
		wish.name = $('name').value;
		if (wish.name === '')
			delete wish.name;
		read(JSON.stringify(wish), 'name');
	});
	$('copy-rule').addEventListener('click', function () { copy(ruleLink(JSON.stringify(now.spec)), this); });
	$('copy-json').addEventListener('click', function () { copy(JSON.stringify(now.spec), this); });
	$('save-json').addEventListener('click', function () {
		save(fileName('.json'), JSON.stringify(now.spec) + '\n', 'application/json');
	});
	document.querySelector('#start').addEventListener('click', function (event) {
		var box = document.querySelector('#start svg').getBoundingClientRect();
		var i = Math.floor((event.clientX - box.left) / box.width * 8), j = Math.floor((event.clientY - box.top) / box.height * 8);
		if (i >= 0 && i < 8 && j >= 0 && j < 8)
			paint(8 * j + i);
	});
	$('start-usual').addEventListener('click', function () { set('start', ''); });
	$('start-960').addEventListener('click', function () { set('start', '960'); });
	$('start-empty').addEventListener('click', function () { set('start', '4k3/8/8/8/8/8/8/4K3 w - - 0 1'); });
	['m-games', 'm-nodes', 'm-sample', 'm-seed'].forEach(function (id) { $(id).addEventListener('input', draw); });
	$('m-cores').value = navigator.hardwareConcurrency || 1;
	$('m-go').addEventListener('click', start);
	$('m-stop').addEventListener('click', stop);
	$('m-jsonl').addEventListener('click', function () { save(fileName('.jsonl'), jsonl(), 'application/jsonl'); });
	$('m-pgn').addEventListener('click', function () {
		pgn().then(function (text) { save(fileName('.pgn'), text, 'application/x-chess-pgn'); }).catch(broken);
	});
	$('copy-shell').addEventListener('click', function () { copy($('shell').textContent, this); });
	window.addEventListener('hashchange', follow);
	window.addEventListener('resize', draw);
}

// Does what the address says: its rules, and if it has moves, the board with them.
function follow() {
	var link = new URLSearchParams(location.hash.slice(1)), hash = location.hash, kept;
	try {
		kept = localStorage.getItem('rulelab workbench');
	} catch (e) { kept = null; }
	var text = link.get('rules') || (now ? JSON.stringify(now.spec) : kept) || '{}';
	return (now && same(text, JSON.stringify(now.spec)) ? Promise.resolve() : read(text)).then(function () {
		if (!now)
			return read('{}');
	}).then(function () {
		if (!link.has('moves') && !link.has('fen'))
			return;
		history.replaceState(null, '', hash);	// reading rules has shortened it
		if (opened === now.rules)
			return open('play').then(rulelab.reload);
		return open('play');
	});
}

function broken(e) { $('facts').textContent = $('m-said').textContent = 'Something has failed: ' + e.message; }

function begin() {
	Promise.all([RulelabEngines.bytes('net'), RulelabEngines.bytes('prior'), Engine.compile()]).then(function (parts) {
		nets = { net: parts[0], prior: parts[1] };
		desk = new Engine({ net: nets.net, prior: nets.prior });
		return desk.opened;
	}).then(function () { return desk.ask('fields', []); }).then(function (a) {
		about = a;
		gallery = $('gallery').textContent.trim().split('\n').filter(Boolean);
		buildFields();
		buildBeginnings();
		controls();
		return follow();
	}).then(function () {
		document.body.setAttribute('data-ready', Math.round(performance.now()));
	}).catch(broken);
}

// For the tests.
window.workbench = { ask: function (call, args) { return desk.ask(call, args); }, read: read, set: set, jsonl: jsonl, pgn: pgn,
    now: function () { return now; } };
begin();
}());
