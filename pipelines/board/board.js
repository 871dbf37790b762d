// A board as SVG, for the games of the report and the page to play on.
// Squares are numbered 0 to 63, from a8 to h1.
var RulelabBoard = (function () {
'use strict';

var SVG = 'http://www.w3.org/2000/svg';

function square(name) {
	return (8 - name.charAt(1)) * 8 + 'abcdefgh'.indexOf(name.charAt(0));
}

function nameOf(n) {
	return 'abcdefgh'.charAt(n % 8) + (8 - (n >> 3));
}

// A position: what stands on each square, who moves, and what is in hand. Promoted
// pieces of Crazyhouse (Q~) look like others.
function setUp(fen) {
	var part = fen.split(' '), hand = /\[([^\]]*)\]/.exec(part[0]);
	var placement = part[0].replace(/\[.*/, '').replace(/[\/~]/g, '').replace(/\d/g, function (n) {
		return '.'.repeat(n);
	});
	return { at: placement.split(''), side: part[1], hand: hand ? hand[1].split('') : null };
}

function element(name, attributes, parent) {
	var e = document.createElementNS(SVG, name);
	for (var key in attributes)
		e.setAttribute(key, attributes[key]);
	parent.appendChild(e);
	return e;
}

// Where a square is drawn; a board that is turned has Black below.
function x(n, turned) { return (turned ? 7 - n % 8 : n % 8) * 100; }
function y(n, turned) { return (turned ? 7 - (n >> 3) : n >> 3) * 100; }

function tint(n, kind, parent, turned) {
	return element('rect', { 'class': kind, x: x(n, turned), y: y(n, turned),
	    width: 100, height: 100 }, parent);
}

// An arrow from the middle of a square to the edge of another's.
function arrow(from, to, parent, turned) {
	var fx = x(from, turned), fy = y(from, turned);
	var tx = x(to, turned), ty = y(to, turned);
	var length = Math.sqrt((tx - fx) * (tx - fx) + (ty - fy) * (ty - fy)) || 1;
	var ux = (tx - fx) / length, uy = (ty - fy) / length;
	var ex = tx + 50 - ux * 12, ey = ty + 50 - uy * 12;
	var bx = ex - ux * 26, by = ey - uy * 26;
	element('path', { 'class': 'arrow', d: 'M' + (fx + 50 + ux * 12) + ' ' +
	    (fy + 50 + uy * 12) + 'L' + bx + ' ' + by }, parent);
	element('path', { 'class': 'head', d: 'M' + ex + ' ' + ey + 'L' +
	    (bx - uy * 20) + ' ' + (by + ux * 20) + 'L' + (bx + uy * 20) + ' ' +
	    (by - ux * 20) + 'Z' }, parent);
}

// A position in words, as the report's generator writes the last one.
function describe(position) {
	var sides = { White: [], Black: [] };
	position.at.forEach(function (piece, n) {
		if (piece === '.')
			return;
		var upper = piece.toUpperCase();
		sides[piece === upper ? 'White' : 'Black'].push(
		    (upper === 'P' ? '' : upper) + nameOf(n));
	});
	return 'White: ' + sides.White.join(' ') + '. Black: ' +
	    sides.Black.join(' ') + '.';
}

// A piece by its letter, of White if that is large; pieces that chess does not have
// are the letter on a disc. A changed one has a mark in its corner.
function glyph(parent, letter, x, y, size, changed) {
	var upper = letter.toUpperCase(), side = letter === upper ? 'w' : 'b';
	var g = element('g', { 'class': 'piece ' + side }, parent);
	if ('KQRBNP'.indexOf(upper) >= 0) {
		element('use', { href: '#' + upper, 'class': side, x: x, y: y, width: size, height: size }, g);
	} else {
		element('circle', { 'class': 'disc', cx: x + size / 2, cy: y + size / 2, r: size * 0.4,
		    'stroke-width': size * 0.04 }, g);
		element('text', { 'class': 'letter', x: x + size / 2, y: y + size * 0.69,
		    'font-size': size * 0.55, 'text-anchor': 'middle' }, g).textContent = upper;
	}
	if (changed)
		element('path', { 'class': 'changed', transform: 'translate(' + (x + size * 0.83) + ' ' +
		    (y + size * 0.19) + ') scale(' + size / 100 + ')',
		    d: 'M0-14L4-4 14 0 4 4 0 14-4 4-14 0-4-4Z' }, g);
	return g;
}

// Draws a position over the first child of the SVG, which is the empty board. It
// may have from, to and gone, of the last move; special is its kind; changed is a
// string of pieces to mark. Returns the piece that moved.
function draw(svg, position, special, turned, changed) {
	while (svg.lastChild && svg.childNodes.length > 1)
		svg.removeChild(svg.lastChild);
	var marks = element('g', {}, svg), mover = null;
	if (position.from !== undefined) {
		tint(position.from, special ? 'special' : 'last', marks, turned);
		tint(position.to, special ? 'special' : 'last', marks, turned);
		if (position.gone >= 0)
			tint(position.gone, 'gone', marks, turned);
	}
	position.at.forEach(function (piece, n) {
		if (piece === '.')
			return;
		var drawn = glyph(svg, piece, x(n, turned), y(n, turned), 100,
		    changed && changed.indexOf(piece.toUpperCase()) >= 0);
		drawn.setAttribute('data-square', nameOf(n));
		if (n === position.to)
			mover = drawn;
	});
	if (mover)
		svg.appendChild(mover);	// over the others while it moves
	if (special && position.from !== undefined) {
		arrow(position.from, position.to, svg, turned);
		if (special === 'stalemate-win')
			position.at.forEach(function (piece, n) {
				if (piece === (position.side === 'w' ? 'K' : 'k'))
					element('circle', { 'class': 'ring',
					    cx: x(n, turned) + 50,
					    cy: y(n, turned) + 50, r: 46 }, svg);
			});
	}
	svg.setAttribute('aria-label', describe(position));
	return mover;
}

// Animates a piece that was just drawn from its old square.
function slide(mover, from, to, turned) {
	if (mover && mover.animate &&
	    !window.matchMedia('(prefers-reduced-motion: reduce)').matches)
		mover.animate([{ transform: 'translate(' +
		    (x(from, turned) - x(to, turned)) + 'px,' +
		    (y(from, turned) - y(to, turned)) + 'px)' },
		    { transform: 'none' }], { duration: 160, easing: 'ease-out' });
}

var words = {
	'torpedo': 'torpedo step', 'torpedo-promotion': 'torpedo step that promotes',
	'en-passant-torpedo': 'en passant off the usual rank', 'back': 'step back',
	'sideways': 'step sideways', 'self-capture': 'takes a piece of its own side',
	'castle-late': 'late castling', 'stalemate-win': 'wins by stalemate',
	'checks-win': 'wins by the last check', 'hill-win': 'wins on the hill', 'bare-king': 'leaves a bare king',
	'goal-win': 'wins at its goal', 'lost-all': 'leaves a side without pieces',
	'drop': 'placed from the hand', 'explosion': 'explodes', 'explosion-win': 'explodes the king',
	'forced-capture': 'captures, as it must', 'only-capture': 'the only move, a capture'
};

return { square: square, nameOf: nameOf, setUp: setUp, element: element, x: x, y: y,
    tint: tint, arrow: arrow, describe: describe, glyph: glyph, draw: draw, slide: slide,
    words: words };
}());
