// Put into a copy of the report by tests/report.t. Runs in the page, as a reader
// would use it, and sends lines "ok NAME" and "not ok NAME: why" to the page
// around it. EXPECTED has the positions of games, by their moves.
(function () {
'use strict';

var lines = [];

function is(got, want, name) {
	lines.push(got === want ? 'ok ' + name :
	    'not ok ' + name + ': got ' + JSON.stringify(got) + ', want ' + JSON.stringify(want));
}

function all(selector, root) {
	return Array.prototype.slice.call((root || document).querySelectorAll(selector));
}

// What stands on the board, as a FEN has it, from the drawing alone.
function placement(article) {
	var at = {}, rows = [];
	all('.board use.w, .board use.b', article).forEach(function (use) {
		var square = Math.round(use.getAttribute('y') / 100) * 8 +
		    Math.round(use.getAttribute('x') / 100);
		var letter = use.getAttribute('href').slice(1);
		if (at[square])
			at[square] = 'two';
		else
			at[square] = use.classList.contains('w') ? letter :
			    letter.toLowerCase();
	});
	for (var y = 0; y < 8; y++) {
		var row = '';
		for (var x = 0; x < 8; x++)
			row += at[y * 8 + x] || '1';
		rows.push(row.replace(/1+/g, function (run) { return run.length; }));
	}
	return rows.join('/');
}

function click(article, name) { article.querySelector('.bar .' + name).click(); }

function press(target, key) {
	target.dispatchEvent(new KeyboardEvent('keydown', { key: key, bubbles: true,
	    cancelable: true }));
}

function touch(board, where) {
	var box = board.getBoundingClientRect();
	board.dispatchEvent(new MouseEvent('click', { bubbles: true,
	    clientX: box.left + box.width * where, clientY: box.top + box.height / 2 }));
}

// A game forward and back, every position; its list and its keys.
function walk(article, fens) {
	var name = article.id, wrong = '', board = article.querySelector('.board');
	var moves = all('.moves button', article), plies = fens.length - 1;
	var want = fens.map(function (fen) { return fen.split(' ')[0]; });
	function compare(ply, how) {
		if (placement(article) !== want[ply] && wrong === '')
			wrong = how + ' ' + ply + ': ' + placement(article) + ', want ' + want[ply];
		var current = article.querySelector('.moves [aria-current]');
		if (current !== (ply > 0 ? moves[ply - 1] : null) && wrong === '')
			wrong = how + ' ' + ply + ': another move is current';
	}
	var ply;
	is(moves.length, plies, name + ' has all moves');
	click(article, 'first');
	compare(0, 'first');
	for (ply = 1; ply <= plies; ply++) {
		click(article, 'forward');
		compare(ply, 'forward');
		var special = moves[ply - 1].hasAttribute('data-mark');
		if (special !== !!article.querySelector('.board .special') ||
		    special !== !!article.querySelector('.now .mark'))
			wrong = wrong || 'ply ' + ply + ': marked wrongly';
	}
	is(article.querySelector('.bar .forward').disabled, true, name + ' ends');
	for (ply = plies - 1; ply >= Math.max(0, plies - 12); ply--) {
		press(board, 'ArrowLeft');
		compare(ply, 'back by key');
	}
	press(board, 'End');
	compare(plies, 'End');
	press(board, 'Home');
	compare(0, 'Home');
	touch(board, 0.9);
	compare(1, 'touch right');
	touch(board, 0.1);
	compare(0, 'touch left');
	click(article, 'last');
	compare(plies, 'last');
	click(article, 'back');
	compare(plies - 1, 'back');
	moves[Math.floor(plies / 2)].click();
	compare(Math.floor(plies / 2) + 1, 'click in the list');
	is(wrong, '', name + ' is shown right, ' + plies + ' moves');
}

function walkAll() {
	var enough = window.innerWidth > 1000 ? 1000 : 2, walked = 0;
	all('.game').forEach(function (article) {
		var fens = EXPECTED[article.getAttribute('data-moves')];
		if (!fens || fens.length < 2 || walked === enough)
			return;
		walked++;
		walk(article, fens);
	});
	is(walked >= Math.min(enough, 10), true, walked + ' games were walked through');
}

function tabs() {
	var set = document.querySelector('.set'), games = all('.game', set);
	var buttons = all('[role=tab]', set);
	is(buttons.length, games.length, 'a tab for each game');
	buttons[buttons.length - 1].click();
	is(games.map(function (game) { return game.hidden ? '-' : 'x'; }).join(''),
	    '-'.repeat(games.length - 1) + 'x', 'a tab shows its game alone');
	buttons[0].click();
	all('.set .game').forEach(function (game) { game.hidden = false; });
}

function layout() {
	var root = document.documentElement, wide = window.innerWidth > 1152;
	is(root.scrollWidth <= window.innerWidth, true, 'no horizontal scroll (' +
	    root.scrollWidth + ' of ' + window.innerWidth + ')');
	var cards = all('details.fold').length;
	window.dispatchEvent(new Event('beforeprint'));
	is(all('details.fold[open]').length, cards, 'on paper all ' + cards + ' cards are open');
	window.dispatchEvent(new Event('afterprint'));
	is(cards > 0 && all('details.fold[open]').length === 0, true, 'and closed again after that');
	all('details').forEach(function (details) { details.open = true; });
	is(root.scrollWidth <= window.innerWidth, true, 'nor with all opened (' +
	    root.scrollWidth + ')');
	var cut = all('.scroll').filter(function (box) {
		return wide && box.scrollWidth > box.clientWidth + 1;
	});
	is(cut.map(function (box) { return box.querySelector('table').id; }).join(' '), '',
	    wide ? 'no table is cut' : 'tables may scroll');
	is(all('caption').filter(function (caption) {
		return caption.offsetWidth > window.innerWidth;
	}).length, 0, 'no title of a table is wider than the page');
	is(getComputedStyle(document.querySelector('.toc')).position,
	    wide ? 'sticky' : 'static', 'the contents stay in view if there is room');
	var low = all('.bar button').filter(function (button) {
		return button.offsetParent && (button.offsetHeight < 40 || button.offsetWidth < 32);
	});
	is(low.length, 0, 'controls are large enough to touch');
}

function contents() {
	var lost = all('.toc a').filter(function (link) {
		return !document.getElementById(link.getAttribute('href').slice(1));
	});
	is(lost.length, 0, 'the contents lead somewhere');
	TABLES.forEach(function (name) {
		var table = document.getElementById('table-' + name);
		is(!!table && all('tbody th[scope=row]', table).length > 0 &&
		    all('thead th[scope=col]', table).length > 1 && !!table.caption,
		    true, 'table ' + name);
	});
	var ids = all('[id]').map(function (e) { return e.id; });
	is(ids.length, new Set(ids).size, 'no id is there twice');
	is(all('img:not([alt]), img[alt=""]').length, 0, 'pictures have their text');
	is(all('svg[role=img]:not([aria-label])').length, 0, 'boards have theirs');
}

function escaping() {
	is(document.getElementById('evil'), null, 'a name makes no element');
	is(window.pwned, undefined, 'no text becomes a script');
	is(all('#table-rules th').some(function (th) {
		return th.textContent === NAME;
	}), true, 'the name is shown as it is');
}

function pictures() {
	return Promise.all(all('img').map(function (img) {
		img.loading = 'eager';
		return img.decode().then(function () { return img.naturalWidth > 0; },
		    function () { return false; });
	})).then(function (loaded) {
		is(loaded.length, FIGURES, 'every figure is there');
		is(loaded.every(Boolean), true, 'every figure can be drawn');
	});
}

// By itself, to the end and no farther; a second press stops. Waits as long as a loaded
// machine takes.
function plays() {
	var article = all('.game').filter(function (game) {
		return all('.moves button', game).length > 3;
	})[0];
	var plies = all('.moves button', article).length, began, there;
	function current() {
		return all('.moves button', article).indexOf(
		    article.querySelector('.moves [aria-current]')) + 1;
	}
	function wait(ms) {
		return new Promise(function (done) { setTimeout(done, ms); });
	}
	function until(true_at_last) {
		return true_at_last() ? Promise.resolve() : wait(20).then(function () { return until(true_at_last); });
	}
	click(article, 'last');
	click(article, 'play');
	began = performance.now();
	is(current(), 0, 'playing begins anew from the end');
	return until(function () { return current() > 1; }).then(function () {
		is(performance.now() - began > 1000, true, 'it plays by itself, not too fast');
		click(article, 'play');
		there = current();
		return wait(2500);
	}).then(function () {
		is(current(), there, 'and stops when told');
		all('.moves button', article)[plies - 2].click();
		click(article, 'play');
		return until(function () { return current() === plies; });
	}).then(function () {
		is(article.querySelector('.bar .play').title, 'Play', 'and at the end, where it can be played again');
		return wait(2500);
	}).then(function () {
		is(current(), plies, 'no farther');
	});
}

// Every column of a table sorts down, up, and back to how it was.
function sorting() {
	var table = document.getElementById('table-outcomes-1'), wrong = '';
	function column(i) {
		return all('tbody tr', table).map(function (row) { return row.cells[i].textContent; });
	}
	function number(text) { return parseFloat((/[\d.]+/.exec(text) || ['NaN'])[0]); }
	all('thead th', table).forEach(function (head, i) {
		var button = head.querySelector('button'), was = column(0).join('|');
		if (!head.classList.contains('n') || !button)
			return;
		button.click();
		var down = column(i).map(number).filter(isFinite);
		if (down.some(function (v, k) { return k > 0 && v > down[k - 1]; }))
			wrong += ' down ' + head.textContent;
		button.click();
		var up = column(i).map(number).filter(isFinite);
		if (up.some(function (v, k) { return k > 0 && v < up[k - 1]; }) || up.length !== down.length)
			wrong += ' up ' + head.textContent;
		button.click();
		if (column(0).join('|') !== was)
			wrong += ' back ' + head.textContent;
	});
	is(wrong, '', 'tables sort by their numbers');
	is(all('thead th .sort', table).length > 3, true, 'by any column');
}

// The rows of a rule set that is not chosen are hidden in all tables.
function choosing() {
	var ticks = all('.chooser input'), labels = JSON.parse(document.querySelector('main').getAttribute('data-rules'));
	is(ticks.length, labels.length, 'each rule set can be chosen');
	function seen(label) {
		return all('main tbody tr').filter(function (row) {
			return row.cells[0].textContent.trim() === label && !row.hidden;
		}).length;
	}
	var before = labels.map(seen), k = labels.indexOf(NAME) >= 0 ? labels.indexOf(NAME) : 1;
	ticks[k].click();
	is(seen(labels[k]), 0, 'its rows are hidden');
	is(labels.map(seen).filter(function (n, i) { return i !== k && n !== before[i]; }).length, 0, 'others are not');
	ticks[k].click();
	is(seen(labels[k]), before[k], 'and shown again');
	is(before[k] > 0, true, 'it had ' + before[k] + ' rows');
}

function last() {
	var sections = all('main > section');
	is(sections[sections.length - 1].id, 'agreement', 'agreement with the study comes last');
	is(!!document.getElementById('table-agreement').closest('details'), true, 'and is folded');
}

layout();
sorting();
choosing();
last();
contents();
escaping();
tabs();
walkAll();
pictures().then(plays).catch(function (error) {
	lines.push('not ok checks run to their end: ' + error);
}).then(function () {
	is(window.troubles.join('; '), '', 'no error and no message on the console');
	parent.postMessage({ width: window.innerWidth, lines: lines }, '*');
});
}());
