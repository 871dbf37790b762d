// Run in the report by browse.pl, as a reader would use the page; its value is a promise of
// lines "ok NAME" and "not ok NAME: why". EXPECTED has the positions of games, by their
// moves, TABLES the tables that must be there, NAME a hostile name of a rule set.
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

function wait(ms) {
	return new Promise(function (done) { setTimeout(done, ms); });
}

function until(true_at_last) {
	return true_at_last() ? Promise.resolve() : wait(20).then(function () { return until(true_at_last); });
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
	var set = document.querySelector('#games .set'), games = all('.game', set);
	var buttons = all('[role=tab]', set);
	is(buttons.length, games.length, 'a tab for each game');
	buttons[buttons.length - 1].click();
	is(games.map(function (game) { return game.hidden ? '-' : 'x'; }).join(''),
	    '-'.repeat(games.length - 1) + 'x', 'a tab shows its game alone');
	buttons[0].click();
	all('.set .game').forEach(function (game) { game.hidden = false; });
}

// Games are drawn when they are opened.
function openAll() {
	var closed;
	while ((closed = all('details:not([open])')).length > 0)
		closed.forEach(function (details) {
			if (details.draw)
				details.draw();
			details.open = true;
		});
}

function layout() {
	var root = document.documentElement, wide = window.innerWidth > 1152;
	is(root.scrollWidth <= window.innerWidth, true, 'no horizontal scroll (' +
	    root.scrollWidth + ' of ' + window.innerWidth + ')');
	var cards = all('#cards details.fold').length;
	window.dispatchEvent(new Event('beforeprint'));
	is(all('#cards details.fold[open]').length, cards, 'on paper all ' + cards + ' cards are open');
	is(all('details.section:not([open])').length, 0, 'and all sections');
	is(all('.plot').every(function (plot) { return plot.querySelector('canvas'); }), true, 'with their charts');
	window.dispatchEvent(new Event('afterprint'));
	is(cards > 0 && all('#cards details.fold[open]').length === 0, true, 'and closed again after that');
	openAll();
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

// In a row, numbers stand in line, whether their intervals are beside them or below.
function rowsInLine() {
	function line(cell) {
		var range = document.createRange(), walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), text = walker.nextNode();
		while (text && !text.data.trim())
			text = walker.nextNode();
		if (!text)
			return NaN;
		range.selectNodeContents(text);
		return range.getClientRects()[0].bottom;
	}
	['#table-tree', '#table-entropy', '#table-yours'].forEach(function (name) {
		var off = all(name + ' tbody tr').filter(function (row) {
			var lines = [row.cells[0]].concat(all('td.n', row)).filter(function (cell) { return cell.offsetParent && cell.textContent.trim() !== '–'; }).map(line).filter(isFinite);
			return Math.max.apply(null, lines) - Math.min.apply(null, lines) > 4;
		});
		is(all(name + ' tbody tr').length > 0 ? off.length : 'no rows', 0, 'the numbers of a row are in line, all rows: ' + name);
	});
}

// Sections that are folded at first open by their entry in the contents, all by one button, and
// draw what is in them then.
function folding() {
	var closed = all('details.section'), link = document.querySelector('.toc a[href="#entropy"]'), button = document.querySelector('.unfold');
	is(closed.length > 5 && closed.every(function (box) { return !box.open && !box.querySelector('p'); }), true, closed.length + ' sections are folded');
	is(all('main > section > h2').map(function (h) { return h.parentNode.id; }).slice(0, 4).join(), 'yours,glance,cards,outcomes', 'not those that come first');
	link.click();
	return until(function () { return document.querySelector('#entropy details').open; }).then(function () {
		is(!!document.getElementById('table-entropy'), true, 'the contents open a section');
		document.querySelector('#entropy details').open = false;
		link.click();
		is(document.querySelector('#entropy details').open, true, 'again, too');
		button.click();
		is(closed.every(function (box) { return box.open && !!box.querySelector('p, table'); }), true, 'a button opens all');
		button.click();
		is(closed.some(function (box) { return box.open; }), false, 'and folds them again');
	});
}

function contents() {
	var lost = all('.toc a').filter(function (link) {
		return !document.getElementById(link.getAttribute('href').slice(1));
	});
	is(lost.length, 0, 'the contents lead somewhere');
	is(all('#glance li .see').filter(function (link) { return document.getElementById(link.getAttribute('href').slice(1)); }).length, all('#glance li').length, 'and each headline to its numbers');
	TABLES.forEach(function (name) {
		var table = document.getElementById('table-' + name);
		is(!!table && all('tbody th[scope=row]', table).length > 0 &&
		    all('thead th[scope=col]', table).length > 1 && !!table.caption,
		    true, 'table ' + name);
	});
	var ids = all('[id]').map(function (e) { return e.id; });
	is(ids.length, new Set(ids).size, 'no id is there twice');
	is(all('svg[role=img]:not([aria-label])').length, 0, 'boards have theirs');
}

function escaping() {
	is(document.getElementById('evil'), null, 'a name makes no element');
	is(window.pwned, undefined, 'no text becomes a script');
	is(all('#table-rules th').some(function (th) {
		return th.textContent === NAME;
	}), true, 'the name is shown as it is');
}

// Every plot has its canvas, which it draws when it has a width.
function drawn() { return all('.plot').every(function (plot) { return plot.querySelector('canvas') && !isBlank(plot.querySelector('canvas')); }); }
function isBlank(canvas) {
	return !canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(function (v, i) { return i % 4 === 3 && v > 0; });
}

// Lines are drawn, and their numbers can be read by the pointer and by keys.
function charts() {
	var plots = all('.plot');
	is(plots.length >= 6, true, plots.length + ' plots, none of them empty');
	is(plots.filter(function (plot) { return !plot.getAttribute('aria-label'); }).length, 0, 'all say what they show');
	var plot = document.querySelector('#fig-candidates .plot'), said = plot.parentNode.querySelector('.readout');
	press(plot, 'ArrowRight');
	is(/^Ply 1.*\d/.test(said.textContent), true, 'the arrow keys read numbers: ' + said.textContent);
	var number = said.querySelector('.num'), panel = document.querySelector('.source'), from = number.number.with.rules;
	number.click();
	is(panel.hidden ? '' : panel.querySelector('code').textContent, 'entropy --tsv ' + (/[^\w@%+=:,.\/*-]/.test(from) ? "'lines/" + from.replace(/'/g, "'\\''") + ".jsonl.zst'" : 'lines/' + from + '.jsonl.zst'), 'and say where they come from');
	press(document.activeElement, 'Escape');
	is(all('#fig-values .num, #fig-firstmoves .num').length > 8, true, 'so do values and first moves');
	var line = all('#fig-candidates .lines-shown button')[0], before = said.textContent;
	line.click();
	press(plot, 'ArrowRight');
	is(said.textContent.indexOf(line.textContent + ' ') < 0, true, 'a line that is not shown has no number');
	line.click();
	is(line.getAttribute('aria-pressed'), 'true', 'and is shown again');
}

// The slider over budgets moves draws and score.
function slider() {
	var range = document.getElementById('budget'), report = JSON.parse(document.getElementById('report').textContent);
	var sims = [], rows = {}, wrong = '';
	// the budgets of the study have the numbers of its outcomes
	[report.tables.ladder, report.tables.outcomes].forEach(function (table) {
		table.rows.forEach(function (cells) {
			var row = Object.fromEntries(table.columns.map(function (name, i) { return [name, cells[i]]; }));
			rows[row.sims + ' ' + row.rules] = row;
			if (sims.indexOf(row.sims) < 0)
				sims.push(row.sims);
		});
	});
	sims.sort(function (a, b) { return a - b; });
	is(Number(range.max), sims.length - 1, 'the slider has ' + sims.length + ' budgets');
	sims.forEach(function (value, i) {
		range.value = i;
		range.dispatchEvent(new Event('input', { bubbles: true }));
		if (range.getAttribute('aria-valuetext').indexOf(value.toLocaleString('en') + ' nodes a move') !== 0 && range.getAttribute('aria-valuetext').indexOf(value.toLocaleString('en') + ' simulations a move') !== 0)
			wrong += ' said ' + range.getAttribute('aria-valuetext') + ' at ' + value;
		Object.values(rows).filter(function (row) { return row.sims === value; }).forEach(function (row) {
			var line = document.querySelector('.budgeted .wdl[data-rules="' + CSS.escape(row.rules) + '"]');
			var share = function (x) { return (100 * x).toFixed(1); };
			if (!line)
				return;
			if (line.hidden || line.querySelector('.drawn').textContent.indexOf(share(row.draw_rate)) !== 0 ||
			    line.querySelector('.scored').textContent.indexOf(share(row.score)) !== 0 ||
			    line.querySelector('.wdlbar').getAttribute('aria-label').indexOf('White won ' + share(row.wins / row.games)) < 0)
				wrong += ' ' + row.rules + ' at ' + value + ': ' + line.textContent;
		});
	});
	is(wrong, '', 'at each, draws and score are those of the table');
}

// A number has its interval for the pointer, and its games and command when it is pressed.
function sources() {
	var button = all('#table-outcomes-1 tbody .num').filter(function (one) { return one.number.lo !== undefined; })[0], panel = document.querySelector('.source'), tip = document.querySelector('.tip');
	button.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
	is(!tip.hidden && /95.%: 0\.\d+ to 0\.\d+$/.test(tip.textContent), true, 'the pointer shows the interval: ' + tip.textContent);
	document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
	is(tip.hidden, true, 'until it leaves');
	button.click();
	var rules = button.closest('tr').dataset.rules;
	is(panel.hidden, false, 'a pressed number says where it comes from');
	is(panel.querySelector('code').textContent, 'drawstats --tsv --strict --distinct games/1/' + rules + '.jsonl.zst', 'the command behind it');
	is(all('a', panel).map(function (a) { return a.getAttribute('href'); }).slice(0, 2).join(' '), 'tables/outcomes.tsv games/1/' + rules + '.jsonl.zst', 'its table and its games');
	press(document.activeElement, 'Escape');
	is(panel.hidden && document.activeElement === button, true, 'Escape closes it and goes back');
	press(button, 'ArrowDown');
	is(document.activeElement !== button && document.activeElement.classList.contains('num') && document.activeElement.closest('tr') === button.closest('tr').nextSibling, true, 'arrows lead to the next number');
	is(all('#table-outcomes-1 .num[tabindex="0"]').length, 1, 'a table is one stop of the tab key');
	var evil = all('.num').filter(function (one) { return one.number.with && one.number.with.rules === NAME && one.number.from === 'outcomes'; })[0];
	evil.click();
	is(panel.querySelector('code').textContent, "drawstats --tsv --strict --distinct 'games/1/" + NAME.replace(/'/g, "'\\''") + ".jsonl.zst'", 'a hostile name is quoted for the shell');
	press(document.activeElement, 'Escape');
	is(all('#table-outcomes-1 tbody td').filter(function (cell) {
		return /^\d/.test(cell.textContent) && !cell.querySelector('.num') && !/^Study/.test(all('#table-outcomes-1 thead th')[cell.cellIndex].textContent);
	}).length, 0, 'counts have their source, too');
	is(all('.num').filter(function (one) { return !one.number || !one.number.from; }).length, 0, 'every number has a table');
	var bar = all('.budgeted .wdlbar .draw')[0];
	bar.click();
	is(!panel.hidden && /drawn, \d+ of \d+ games$/.test(panel.querySelector('.what').textContent) && /^drawstats .*games\/.*\.jsonl\.zst'?$/.test(panel.querySelector('code').textContent), true,
	    'so has a part of a bar: ' + panel.querySelector('.what').textContent);
	is(all('.wdlbar span').filter(function (part) { return !part.number; }).length, 0, 'as all have');
	press(document.body, 'Escape');
}

// The explorer goes down the tree and back, with the counts of the table.
function explorer() {
	var report = JSON.parse(document.getElementById('report').textContent), table = report.tables.tree;
	var rows = table.rows.map(function (row) { return Object.fromEntries(table.columns.map(function (name, i) { return [name, row[i]]; })); });
	var select = document.getElementById('tree-rules'), wrong = '', steps = 0;
	rows = rows.filter(function (row) { return row.rules === select.value && row.line; });
	for (var line = ''; ; steps++) {
		var next = rows.filter(function (row) { return row.line.split(' ').slice(0, -1).join(' ') === line; });
		var shown = all('#table-tree tbody tr');
		if (shown.length !== next.length)
			wrong += ' ' + shown.length + ' moves after ' + line;
		if (next.length === 0)
			break;
		var best = next.filter(function (row) { return shown[0].cells[0].textContent.split('\u00a0')[1] === row.san.split(' ').pop(); })[0];
		if (!best || next.some(function (row) { return row.games > best.games; }) || shown[0].cells[1].textContent !== String(best.games) || shown[0].cells[5].textContent !== String(best.lines))
			wrong += ' ' + shown[0].textContent;
		if (best.games > 0 && !/^\d+.% \d+ to \d+.%$/.test(shown[0].cells[2].textContent))
			wrong += ' no interval in ' + shown[0].cells[2].textContent;
		line = best.line;
		shown[0].querySelector('.go').click();
	}
	is(wrong, '', 'the explorer has the moves of the tree');
	is(steps > 1, true, 'and goes down ' + steps + ' plies');
	is(all('.path button').length, steps + 1, 'with the way back');
	is(placement(document.querySelector('.treebox')) !== 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', true, 'and the position');
	all('.path button')[0].click();
	is(placement(document.querySelector('.treebox')), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', 'to the start');
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
	var ticks = all('.chooser input'), labels = JSON.parse(document.getElementById('report').textContent).rules.map(function (one) { return one.label; });
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

return folding().then(function () {
	[layout, rowsInLine, sorting, choosing, last, contents, escaping, slider, sources, explorer, tabs, walkAll].forEach(function (test) { test(); });
	return until(drawn);
}).then(charts).then(plays).catch(function (error) {
	lines.push('not ok checks run to their end: ' + error);
}).then(function () { return lines; });
}())
