// How a piece moves, as a diagram and as a drawing that one changes by clicking. A
// piece is { slide: [quiet, capture], leap: [quiet, capture] }, as src/chess/pieces.h
// has it: squares along forward, back, diagonal forward, diagonal back, sideways; and
// for the leaps D, N, A, H, G the ways forward (1), back (2), sideways (4).
var RulelabPiece = (function () {
'use strict';

var B = RulelabBoard;
var LEAPS = { '0,2': 0, '1,2': 1, '2,2': 2, '0,3': 3, '3,3': 4 };
var MODES = { both: [0, 1], move: [0], capture: [1] };

// The direction of slides to a square, dy forward; -1 if none leads there.
function direction(dx, dy) {
	if (dx === 0)
		return dy > 0 ? 0 : 1;
	if (dy === 0)
		return 4;
	return Math.abs(dx) !== Math.abs(dy) ? -1 : dy > 0 ? 2 : 3;
}

function leapOf(dx, dy) {
	var a = Math.abs(dx), b = Math.abs(dy), key = Math.min(a, b) + ',' + Math.max(a, b);
	return key in LEAPS ? LEAPS[key] : -1;
}

function way(dy) { return dy > 0 ? 1 : dy < 0 ? 2 : 4; }
function far(dx, dy) { return Math.max(Math.abs(dx), Math.abs(dy)); }

function slides(p, mode, dx, dy) {
	var d = direction(dx, dy);
	return d >= 0 && far(dx, dy) <= p.slide[mode][d];
}

function leaps(p, mode, dx, dy) {
	var l = leapOf(dx, dy);
	return l >= 0 && (p.leap[mode][l] & way(dy)) !== 0;
}

// 'both', 'move', 'capture' or ''
function reach(p, dx, dy) {
	var can = [0, 1].map(function (mode) {
		return slides(p, mode, dx, dy) || leaps(p, mode, dx, dy);
	});
	return can[0] && can[1] ? 'both' : can[0] ? 'move' : can[1] ? 'capture' : '';
}

function each(radius, act) {
	for (var dy = radius; dy >= -radius; dy--)
		for (var dx = -radius; dx <= radius; dx++)
			if (dx !== 0 || dy !== 0)
				act(dx, dy);
}

function mark(svg, kind, x, y) {
	if (kind === 'both')
		B.element('circle', { 'class': 'm-both', cx: x + 5, cy: y + 5, r: 2.8 }, svg);
	else if (kind === 'move')
		B.element('circle', { 'class': 'm-move', cx: x + 5, cy: y + 5, r: 2.5 }, svg);
	else if (kind === 'capture')
		B.element('path', { 'class': 'm-capture', d: 'M' + (x + 2.6) + ' ' + (y + 2.6) +
		    'l4.8 4.8m0-4.8l-4.8 4.8' }, svg);
}

// Draws the piece with this glyph into an SVG of its own.
function diagram(p, glyph, radius, words) {
	var n = 2 * radius + 1, svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('viewBox', '0 0 ' + 10 * n + ' ' + 10 * n);
	svg.setAttribute('class', 'moves');
	svg.setAttribute('role', 'img');
	svg.setAttribute('aria-label', words);
	for (var i = 0; i < n * n; i++)
		B.element('rect', { 'class': i % 2 ? 'sq' : 'lt', x: i % n * 10,
		    y: Math.floor(i / n) * 10, width: 10, height: 10 }, svg);
	each(radius, function (dx, dy) {
		mark(svg, reach(p, dx, dy), (dx + radius) * 10, (radius - dy) * 10);
	});
	B.glyph(svg, glyph, radius * 10, radius * 10, 10);
	return svg;
}

function copy(p) {
	return { slide: p.slide.map(function (m) { return m.slice(); }),
	    leap: p.leap.map(function (m) { return m.slice(); }) };
}

// The squares to which a click applies: itself, or all that look alike from the piece.
function alike(dx, dy, everywhere) {
	if (!everywhere)
		return [[dx, dy]];
	return [[dx, dy], [dx, -dy], [dy, dx], [dy, -dx]];
}

// The piece after a click on a square: how is 'fits', 'slide' or 'leap', when 'both',
// 'move' or 'capture'. A square that is reached so already is taken away.
function click(piece, dx, dy, how, when, everywhere) {
	var p = copy(piece), modes = MODES[when];
	var d = direction(dx, dy), l = leapOf(dx, dy), n = far(dx, dy);
	function all(test) { return modes.every(function (m) { return test(p, m, dx, dy); }); }
	var takeLeap = all(leaps), takeSlide = all(slides);
	if (how === 'fits')
		how = takeLeap ? 'leap' : d < 0 ? 'leap' : l < 0 || takeSlide || modes.every(function (m) {
			return p.slide[m][d] === n - 1;
		}) ? 'slide' : 'leap';
	if (how === 'leap' ? l < 0 : d < 0)
		return null;
	alike(dx, dy, everywhere).forEach(function (s) {
		modes.forEach(function (m) {
			if (how === 'slide')
				p.slide[m][direction(s[0], s[1])] = takeSlide ? n - 1 : n;
			else if (takeLeap)
				p.leap[m][l] &= ~way(s[1]);
			else
				p.leap[m][l] |= way(s[1]);
		});
	});
	return p;
}

function numbers(p) {
	return p.slide[0].concat(p.leap[0], p.slide[1], p.leap[1]);
}

// What the marks of a diagram mean, as far as it has them.
function legend(p) {
	var list = document.createElement('ul'), seen = {};
	var words = { both: 'moves and captures', move: 'only moves', capture: 'only captures' };
	list.className = 'legend';
	each(7, function (dx, dy) { seen[reach(p, dx, dy)] = true; });
	Object.keys(words).forEach(function (kind) {
		if (!seen[kind])
			return;
		var item = list.appendChild(document.createElement('li'));
		mark(B.element('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, item), kind, 0, 0);
		item.appendChild(document.createTextNode(words[kind]));
	});
	if (p.slide[0].concat(p.slide[1]).some(function (n) { return n > 3; }))
		list.appendChild(document.createElement('li')).textContent = 'lines go on beyond the edge';
	return list;
}

return { legend: legend, diagram: diagram, click: click, reach: reach, each: each, mark: mark, numbers: numbers };
}());
