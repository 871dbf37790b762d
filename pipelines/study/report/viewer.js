// Games to play through, on the boards of board/board.js. The page has each as text
// and a last position; this computes the positions between from legal moves.
(function () {
'use strict';

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

function Viewer(article) {
	var self = this;
	this.svg = article.querySelector('.board svg');
	this.now = article.querySelector('.now');
	this.list = article.querySelector('.moves');
	this.buttons = this.list.querySelectorAll('button');
	this.explodes = !!this.list.querySelector('[data-mark=explosion]');
	this.moves = (article.getAttribute('data-moves') || '').split(' ')
	    .filter(Boolean);
	this.positions = [B.setUp(article.getAttribute('data-start') || START)];
	this.first = 2 * number(article.getAttribute('data-start')) +
	    (this.positions[0].side === 'b' ? 1 : 0);
	this.ply = this.moves.length;
	this.timer = null;
	this.addControls(article);
	this.addPlay(article);

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
	board.addEventListener('click', function (event) {
		var box = board.getBoundingClientRect();
		self.pause();
		self.show(self.ply + (event.clientX - box.left < box.width / 2 ?
		    -1 : 1));
	});
	article.addEventListener('keydown', function (event) { self.key(event); });
	// A game opens at its special move, a line at its end.
	var special = article.classList.contains('line') ? null :
	    this.list.querySelector('[data-mark]');
	this.show(special ? this.plyOf(special) : this.ply, true);
}

Viewer.prototype.plyOf = function (button) {
	return Array.prototype.indexOf.call(this.buttons, button) + 1;
};

Viewer.prototype.addControls = function (article) {
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

// A link to play on from any position, if there is a page for these rules.
Viewer.prototype.addPlay = function (article) {
	var page = article.getAttribute('data-page');
	if (!page)
		return;
	this.page = page + '#' + (article.getAttribute('data-start') ? 'fen=' +
	    encodeURIComponent(article.getAttribute('data-start')) + '&' : '') + 'moves=';
	this.play = document.createElement('a');
	this.play.className = 'on';
	this.play.textContent = 'Play on from here';
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
		button.textContent = game.querySelector('h4').textContent;
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

// Marks the section being read in the contents.
function followContents() {
	var links = {}, current = null;
	if (!('IntersectionObserver' in window))
		return;
	Array.prototype.forEach.call(document.querySelectorAll('.toc a'),
	    function (link) { links[link.getAttribute('href').slice(1)] = link; });
	var observer = new IntersectionObserver(function (entries) {
		entries.forEach(function (entry) {
			if (!entry.isIntersecting)
				return;
			if (current)
				current.removeAttribute('aria-current');
			current = links[entry.target.id];
			current.setAttribute('aria-current', 'true');
		});
	}, { rootMargin: '-20% 0px -75% 0px' });
	Object.keys(links).forEach(function (id) {
		observer.observe(document.getElementById(id));
	});
}

/* Cards are open on paper, where they cannot be clicked. */
function openOnPaper() {
	var opened = [];
	window.addEventListener('beforeprint', function () {
		each('details.fold:not([open])', function (card) {
			card.open = true;
			opened.push(card);
		});
	});
	window.addEventListener('afterprint', function () {
		opened.forEach(function (card) { card.open = false; });
		opened = [];
	});
}

// ---- tables ----

// What a cell is sorted by: its first number, or its text.
function valueOf(cell) {
	var text = cell.textContent.trim(), number = /^[^\d−–-]*([−-]?\d[\d,]*\.?\d*)/.exec(text);
	return number ? parseFloat(number[1].replace('−', '-').replace(/,/g, '')) : text === '–' ? NaN : text;
}

function before(a, b) {
	if (typeof a === 'number' && typeof b === 'number')
		return isNaN(a) ? isNaN(b) ? 0 : 1 : isNaN(b) ? -1 : a - b;	// what is unknown comes last
	return typeof a === 'number' ? (isNaN(a) ? 1 : -1) : typeof b === 'number' ? (isNaN(b) ? -1 : 1) : a.localeCompare(b);
}

// Sorts by a column: down, up, and as it was.
function sortBy(table, column, rows) {
	var heads = table.tHead.rows[0].cells, head = heads[column];
	var order = { none: 'descending', descending: 'ascending', ascending: 'none' }[head.getAttribute('aria-sort')];
	Array.prototype.forEach.call(heads, function (h) { h.setAttribute('aria-sort', 'none'); });
	head.setAttribute('aria-sort', order);
	var sorted = order === 'none' ? rows : rows.slice().sort(function (a, b) {
		var x = valueOf(a.cells[column]), y = valueOf(b.cells[column]), d = before(x, y);
		return order === 'ascending' || (typeof x === 'number' && isNaN(x)) || (typeof y === 'number' && isNaN(y)) ? d : -d;
	});
	sorted.forEach(function (row) { table.tBodies[0].appendChild(row); });
}

function addSorting(table) {
	var rows = Array.prototype.slice.call(table.tBodies[0].rows), heads = table.tHead && table.tHead.rows[0].cells;
	if (!heads || rows.length < 3 || rows.some(function (row) { return row.cells.length !== heads.length; }))
		return;
	Array.prototype.forEach.call(heads, function (head, column) {
		var button = document.createElement('button');
		button.type = 'button';
		button.className = 'sort';
		while (head.firstChild)
			button.appendChild(head.firstChild);
		if (button.textContent.trim() === '')
			return;
		head.appendChild(button);
		head.setAttribute('aria-sort', 'none');
		button.addEventListener('click', function () { sortBy(table, column, rows); });
	});
}

// A box below the contents that chooses the rule sets whose rows are shown.
function addChooser() {
	var main = document.querySelector('main'), labels = JSON.parse(main.getAttribute('data-rules') || '[]');
	var rows = {}, box = document.createElement('details');
	each('main tbody tr', function (row) {
		var label = row.cells[0] ? row.cells[0].textContent.trim() : '';
		if (labels.indexOf(label) >= 0)
			(rows[label] = rows[label] || []).push(row);
	});
	if (labels.length < 3)
		return;
	box.className = 'chooser';
	box.appendChild(document.createElement('summary')).textContent = 'Rule sets in tables';
	function show(label, shown) {
		(rows[label] || []).forEach(function (row) { row.hidden = !shown; });
	}
	labels.forEach(function (label) {
		var line = box.appendChild(document.createElement('label')), tick = line.appendChild(document.createElement('input'));
		tick.type = 'checkbox';
		tick.checked = true;
		line.appendChild(document.createTextNode(' ' + label));
		tick.addEventListener('change', function () { show(label, tick.checked); });
	});
	[['All', true], ['None', false]].forEach(function (b) {
		var button = box.appendChild(document.createElement('button'));
		button.type = 'button';
		button.textContent = b[0];
		button.addEventListener('click', function () {
			box.querySelectorAll('input').forEach(function (tick, i) {
				tick.checked = b[1];
				show(labels[i], b[1]);
			});
		});
	});
	document.querySelector('nav.toc').appendChild(box);
}

function each(selector, action) {
	Array.prototype.forEach.call(document.querySelectorAll(selector),
	    function (found) { action(found); });
}

each('.game', function (article) { new Viewer(article); });
each('.set', addTabs);
each('main table', addSorting);
addChooser();
followContents();
openOnPaper();
}());
