// Games to play through, on the boards of board/board.js. The report has the moves of each;
// this computes the positions from them, which are legal.
const Games = (function () {
'use strict';

const { make, text, report } = Doc;

var B = RulelabBoard;
var START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w';
var PACE = 900;		// milliseconds a move when a game plays by itself

var square = B.square;

// The move number that a FEN begins with.
function number(fen) {
	return parseInt((fen || '').split(' ')[5], 10) || 1;
}

// Castling goes two squares sideways or, where rooks stand elsewhere, to the rook's
// square. Returns where king and rook end, or nothing if it is not castling.
function castling(at, from, to, kind) {
	var aside = to % 8 - from % 8, row = from - from % 8;
	var king = at[from], rook = king === 'K' ? 'R' : 'r';
	if (king.toUpperCase() !== 'K' || kind === 'self-capture' || from >> 3 !== to >> 3)
		return null;
	if (at[to] !== rook && Math.abs(aside) === 2)
		return { corner: aside > 0 ? to + 1 : to - 2, king: to, rook: (from + to) / 2 };
	return at[to] !== rook ? null : { corner: to, king: row + (aside > 0 ? 6 : 2),
	    rook: row + (aside > 0 ? 5 : 3) };
}

// An explosion on a square takes the piece there and all but pawns around.
function explode(at, n) {
	for (var y = -1; y <= 1; y++)
		for (var x = -1; x <= 1; x++) {
			var rank = (n >> 3) + y, file = n % 8 + x;
			if (rank >= 0 && rank < 8 && file >= 0 && file < 8 && !/p/i.test(at[rank * 8 + file]))
				at[rank * 8 + file] = '.';
		}
	at[n] = '.';
}

// The position after a piece has been placed from the hand.
function dropped(position, move) {
	var at = position.at.slice(), to = square(move.substr(2)), side = position.side;
	at[to] = side === 'w' ? move.charAt(0).toUpperCase() : move.charAt(0).toLowerCase();
	return { at: at, side: side === 'w' ? 'b' : 'w', from: to, to: to, gone: -1 };
}

// The position after a move of this kind, with what the board shows of the move.
function after(position, move, kind, explodes) {
	if (move.charAt(1) === '@')
		return dropped(position, move);
	var at = position.at.slice(), side = position.side;
	var from = square(move), to = square(move.substr(2));
	var moved = at[from], gone = -1, castled = castling(at, from, to, kind);
	var aside = to % 8 - from % 8;
	if (moved.toUpperCase() === 'P') {
		if (aside !== 0 && at[to] === '.' && from >> 3 !== to >> 3) {
			// a step sideways stays on its rank, en passant does not
			gone = to + (side === 'w' ? 8 : -8);
			at[gone] = '.';
		}
		if (move.length === 5)
			moved = side === 'w' ? move.charAt(4).toUpperCase() :
			    move.charAt(4);
	}
	at[from] = '.';
	if (castled) {
		var rook = at[castled.corner];
		at[castled.corner] = '.';
		at[castled.rook] = rook;
		to = castled.king;
	}
	explodes = explodes && !castled && (at[to] !== '.' || gone !== -1);
	at[to] = moved;
	if (explodes)
		explode(at, to);
	return { at: at, side: side === 'w' ? 'b' : 'w', from: from, to: to,
	    gone: gone };
}

var playing = null;	// the viewer that plays by itself

function Viewer(article, game) {
	var self = this;
	this.svg = article.querySelector('.board svg');
	this.now = article.querySelector('.now');
	this.list = article.querySelector('.moves');
	this.buttons = this.list.querySelectorAll('button');
	this.explodes = !!this.list.querySelector('[data-mark=explosion]');
	this.moves = (game.moves || '').split(' ').filter(Boolean);
	this.positions = [B.setUp(game.start || START)];
	this.first = 2 * number(game.start) + (this.positions[0].side === 'b' ? 1 : 0);
	this.ply = this.moves.length;
	this.timer = null;
	this.addControls();
	this.addPlay(game);

	Array.prototype.forEach.call(this.buttons, function (button) {
		button.tabIndex = -1;
	});
	this.list.addEventListener('click', function (event) {
		var button = event.target.closest('button');
		if (!button)
			return;
		self.pause();
		self.show(self.plyOf(button));
	});
	var board = article.querySelector('.board');
	board.tabIndex = 0;
	board.setAttribute('role', 'group');
	board.setAttribute('aria-label', 'Board: arrow keys step through the game');
	board.addEventListener('click', function (event) {
		var box = board.getBoundingClientRect();
		self.pause();
		self.show(self.ply + (event.clientX - box.left < box.width / 2 ?
		    -1 : 1));
	});
	article.addEventListener('keydown', function (event) { self.key(event); });
	// A game opens at its special move, a line at its end.
	var special = game.result === '…' ? null : this.list.querySelector('[data-mark]');
	this.show(special ? this.plyOf(special) : this.ply, true);
}

Viewer.prototype.plyOf = function (button) {
	return Array.prototype.indexOf.call(this.buttons, button) + 1;
};

Viewer.prototype.addControls = function () {
	var self = this, bar = document.createElement('div');
	bar.className = 'bar';
	bar.setAttribute('role', 'group');
	bar.setAttribute('aria-label', 'Play through the game');
	this.control = {};
	[
		['first', 'First position', 'M6 5v14M19 5L9 12l10 7z'],
		['back', 'One move back', 'M16 5L7 12l9 7z'],
		['play', 'Play', 'M7 4l13 8-13 8z'],
		['forward', 'One move forward', 'M8 5l9 7-9 7z'],
		['last', 'Last position', 'M18 5v14M5 5l10 7-10 7z']
	].forEach(function (item) {
		var button = document.createElement('button');
		button.type = 'button';
		button.className = item[0];
		button.title = item[1];
		button.setAttribute('aria-label', item[1]);
		var svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		svg.setAttribute('viewBox', '0 0 24 24');
		svg.setAttribute('aria-hidden', 'true');
		B.element('path', { d: item[2] }, svg);
		button.appendChild(svg);
		button.addEventListener('click', function () { self.act(item[0]); });
		bar.appendChild(button);
		self.control[item[0]] = button;
	});
	this.now.parentNode.insertBefore(bar, this.now);
};

// The page to play on by the rules of a game, if there is one.
function pageOf(game) {
	return report.pages.indexOf(game.rules) < 0 ? null : 'pages/' + encodeURIComponent(game.rules) + '.html';
}

// A link to play on from any position, if there is a page for these rules.
Viewer.prototype.addPlay = function (game) {
	if (!pageOf(game))
		return;
	this.page = pageOf(game) + '#' + (game.start ? 'fen=' + encodeURIComponent(game.start) + '&' : '') + 'moves=';
	this.play = make('a', { class: 'on' }, 'Play on from here');
	this.now.parentNode.appendChild(this.play);
};

Viewer.prototype.act = function (what) {
	if (what === 'play')
		return this.timer ? this.pause() : this.start();
	this.pause();
	this.show({ first: 0, back: this.ply - 1, forward: this.ply + 1,
	    last: this.moves.length }[what]);
};

Viewer.prototype.key = function (event) {
	var what = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first',
	    End: 'last' }[event.key];
	if (event.key === ' ' && event.target.tagName !== 'BUTTON')
		what = 'play';
	if (!what || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	this.act(what);
};

Viewer.prototype.start = function () {
	var self = this;
	if (playing)
		playing.pause();
	playing = this;
	if (this.ply === this.moves.length)
		this.show(0);
	this.timer = setInterval(function () {
		self.show(self.ply + 1);
		if (self.ply === self.moves.length)
			self.pause();
	}, PACE);
	this.face('Pause', 'M7 5h4v14H7zM14 5h4v14h-4z');
};

Viewer.prototype.pause = function () {
	if (!this.timer)
		return;
	clearInterval(this.timer);
	this.timer = playing = null;
	this.face('Play', 'M7 4l13 8-13 8z');
};

Viewer.prototype.face = function (label, path) {
	this.control.play.title = label;
	this.control.play.setAttribute('aria-label', label);
	this.control.play.querySelector('path').setAttribute('d', path);
};

Viewer.prototype.position = function (ply) {
	for (var n = this.positions.length; n <= ply; n++)
		this.positions.push(after(this.positions[n - 1], this.moves[n - 1],
		    this.buttons[n - 1].getAttribute('data-mark'), this.explodes));
	return this.positions[ply];
};

Viewer.prototype.show = function (ply, quiet) {
	var before = this.ply, position, mover, button, special;
	ply = Math.max(0, Math.min(this.moves.length, ply));
	this.ply = ply;
	button = ply > 0 ? this.buttons[ply - 1] : null;
	special = button ? button.getAttribute('data-mark') : null;
	position = this.position(ply);
	mover = B.draw(this.svg, position, special, false);
	if (ply === before + 1)
		B.slide(mover, position.from, position.to, false);
	this.mark(button, quiet);
	this.tell(ply, button, special);
	if (this.play)
		this.play.href = this.page + this.moves.slice(0, ply).join(',');
	this.control.first.disabled = this.control.back.disabled = ply === 0;
	this.control.last.disabled = this.control.forward.disabled =
	    ply === this.moves.length;
};

// The move in words, below the board.
Viewer.prototype.tell = function (ply, button, special) {
	var half = this.first + ply - 1;
	this.now.textContent = '';
	if (!button) {
		this.now.textContent = 'Start';
		return;
	}
	this.now.textContent = Math.floor(half / 2) + (half % 2 ? '… ' : '. ') +
	    button.firstChild.textContent;
	if (special) {
		var mark = document.createElement('span');
		mark.className = 'mark';
		mark.textContent = ' ' + (B.words[special] || special);
		this.now.appendChild(mark);
	}
};

// Shows the move in the list and scrolls the list, but not the page, to it.
Viewer.prototype.mark = function (button, quiet) {
	var old = this.list.querySelector('[aria-current]');
	if (old)
		old.removeAttribute('aria-current');
	if (!button) {
		this.list.scrollTop = 0;
		return;
	}
	button.setAttribute('aria-current', 'true');
	if (quiet)
		return;
	var top = button.offsetTop - this.list.offsetTop;
	if (top < this.list.scrollTop + 30 ||
	    top > this.list.scrollTop + this.list.clientHeight - 50)
		this.list.scrollTop = top - this.list.clientHeight / 2;
};

// ---- games as elements ----

// An empty board.
function empty(box) {
	var svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('viewBox', '0 0 800 800');
	svg.setAttribute('role', 'img');
	B.element('use', { href: '#board' }, svg);
	box.replaceChildren(svg);
	return svg;
}

// A position that does not move, after this move.
function still(box, fen, move) {
	var position = B.setUp(fen), drop = move && move.charAt(1) === '@';
	if (move)
		position = Object.assign(position, { from: square(move.substr(drop ? 2 : 0)), to: square(move.substr(2)), gone: -1 });
	B.draw(empty(box), position, null, false);
}

// The position after some moves.
function diagram(box, start, moves) {
	var position = B.setUp(start || START);
	moves.forEach(function (move) { position = after(position, move, null, false); });
	B.draw(empty(box), position, null, false);
}

// The moves of a game as buttons, by numbers.
function moveList(game) {
	var list = make('div', { class: 'moves' }), san = game.san.split(' ').filter(Boolean), marks = {};
	var half = 2 * number(game.start) + ((game.start || '').split(' ')[1] === 'b' ? 1 : 0), pair = null;
	game.marks.split(' ').filter(Boolean).forEach(function (mark) {
		marks[mark.slice(0, mark.indexOf(':'))] = mark.slice(mark.indexOf(':') + 1);
	});
	san.forEach(function (move, i) {
		var kind = marks[i + 1], black = (half + i) % 2 === 1;
		if (!black || i === 0)
			list.append(pair = make('span', { class: 'p' }, make('i', {}, Math.floor((half + i) / 2) + (black ? '…' : '.')), ' '), ' ');
		pair.append(make('button', { type: 'button', 'data-mark': kind }, move, kind ? make('span', { class: 'badge' }, game.words[kind] || kind) : null), ' ');
	});
	if (san.length === 0)
		list.append('no moves');
	list.append(make('span', { class: 'end' }, game.result));
	return list;
}

function article(game) {
	var title = Doc.plain(game.title), board = make('div', { class: 'board' });
	empty(board);
	var box = make('article', { class: 'game whole', id: game.id, 'data-moves': game.moves, 'data-page': pageOf(game), 'aria-label': title }, make('p', { class: 'name' }, title), make('p', { class: 'meta' }, ...text(game.meta)),
	    make('div', { class: 'play' }, board, make('p', { class: 'now', 'aria-live': 'polite' })), moveList(game));
	new Viewer(box, game);
	return box;
}

// Games that share one place; one of them may be elsewhere on the page, too.
function set(games) {
	var box = make('div', { class: 'set' });
	box.append(...games.map(function (game) {
		return article(document.getElementById(game.id) ? Object.assign({}, game, { id: game.id + '-again' }) : game);
	}));
	if (games.length > 1)
		addTabs(box);
	return box;
}

// Tabs: the games of a rule set share one place.
function addTabs(set) {
	var games = Array.prototype.slice.call(set.children);
	var tabs = document.createElement('div');
	tabs.className = 'tabs';
	tabs.setAttribute('role', 'tablist');
	tabs.setAttribute('aria-label', 'Games');
	var buttons = games.map(function (game, i) {
		var button = document.createElement('button');
		button.type = 'button';
		button.id = game.id + '-tab';
		button.textContent = game.querySelector('.name').textContent;
		button.setAttribute('role', 'tab');
		button.setAttribute('aria-controls', game.id);
		button.addEventListener('click', function () { choose(i); });
		button.addEventListener('keydown', function (event) {
			var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
			if (!step)
				return;
			event.preventDefault();
			choose((i + step + games.length) % games.length).focus();
		});
		game.setAttribute('role', 'tabpanel');
		tabs.appendChild(button);
		return button;
	});
	function choose(chosen) {
		if (playing)
			playing.pause();
		games.forEach(function (game, i) {
			game.hidden = i !== chosen;
			buttons[i].setAttribute('aria-selected', i === chosen);
			buttons[i].tabIndex = i === chosen ? 0 : -1;
		});
		return buttons[chosen];
	}
	set.insertBefore(tabs, set.firstChild);
	choose(0);
}

return { set: set, still: still, diagram: diagram };
}());
