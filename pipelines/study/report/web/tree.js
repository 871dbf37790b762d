// The explorer of openings: what the games of a rule set begin with and how they end, and how
// often the prior, without search, goes the same way; counts and intervals of tree.tsv.
const Tree = (() => {
'use strict';

const { make, rows, report, labels, fix, percent, isNumber } = Doc;

// A rule set's beginnings: by the moves so far, the rows of those that go on from there.
function branches(rules) {
	const next = new Map();
	for (const row of rows('tree')) {
		if (row.rules !== rules)
			continue;
		if (!row.line) {
			next.set(null, row);
			continue;
		}
		const before = row.line.split(' ').slice(0, -1).join(' ');
		if (!next.has(before))
			next.set(before, []);
		next.get(before).push(row);
	}
	next.forEach((list) => Array.isArray(list) && list.sort((a, b) => b.games - a.games || b.lines - a.lines || (a.line < b.line ? -1 : 1)));
	return next;
}

// Wilson's interval of a share, 95 %.
function share(k, n) {
	if (!n)
		return { value: NaN };
	const z = 1.959964, p = k / n, d = 1 + z * z / n, middle = (p + z * z / (2 * n)) / d, half = z / d * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n));
	return { value: p, lo: Math.max(0, middle - half), hi: Math.min(1, middle + half) };
}

function numberCell(number, told) {
	const cell = make('td', { class: 'n' });
	if (!isNumber(number.value)) {
		cell.append('–');
		return cell;
	}
	const button = make('button', { type: 'button', class: 'num' }, percent(number.value, 0), make('span', { class: 'ci' }, ' ' + fix(100 * number.lo, 0) + ' to ' + percent(number.hi, 0)));
	button.number = Object.assign(number, told);
	cell.append(button);
	return cell;
}

const moveName = (ply, san) => Math.floor(ply / 2) + 1 + (ply % 2 ? '…\u00a0' : '.\u00a0') + san;

function draw(box) {
	const known = report.rules.map((one) => one.rules).filter((rules) => rows('tree').some((row) => row.rules === rules));
	if (known.length === 0) {
		box.append(make('p', { class: 'note' }, 'No openings were counted in this run.'));
		return;
	}
	const choice = make('select', { id: 'tree-rules' }, ...known.map((rules) => make('option', { value: rules }, labels[rules])));
	const path = make('p', { class: 'path', 'aria-label': 'Moves so far' }), board = make('div', { class: 'board' }), place = make('div', {}), warn = make('p', { class: 'note' });
	let next = null, line = [], names = [];

	// Where the focus goes when what had it is drawn anew.
	function show(focus) {
		const rules = choice.value, all = next.get(null) || { games: 0, lines: 0 };
		const here = line.length === 0 ? all : next.get(line.slice(0, -1).join(' ')).find((row) => row.line === line.join(' '));
		path.replaceChildren();
		[''].concat(names).forEach((san, i) => {
			const button = make('button', { type: 'button', 'aria-current': i === names.length ? 'true' : null }, i === 0 ? 'Start' : moveName(i - 1, san));
			button.addEventListener('click', () => { line = line.slice(0, i); names = names.slice(0, i); show('path'); });
			path.append(button, ' ');
		});
		const list = next.get(line.join(' ')) || [];
		const body = list.map((row) => {
			const san = row.san.split(' ').pop(), go = make('button', { type: 'button', class: 'go' }, moveName(line.length, san));
			go.addEventListener('click', () => { line = row.line.split(' '); names = row.san.split(' '); show('table'); });
			const told = (from, of) => ({ from, table: 'tree', with: { rules, set: '1', line: row.line }, of, row: labels[rules] + ', ' + row.san });
			return make('tr', {}, make('th', { scope: 'row' }, go), make('td', { class: 'n' }, fix(row.games, 0)), numberCell(share(row.games, here.games), told('tree', row.games + ' of ' + here.games + ' games')),
			    make('td', { class: 'wide' }, row.games > 0 ? Bars.row(Object.assign({ who: '' }, row), told('tree', '')).children[1] : ''), numberCell(row.games > 0 ? { value: row.score, lo: row.score_lo, hi: row.score_hi } : { value: NaN }, told('tree', 'White’s score')),
			    make('td', { class: 'n' }, fix(row.lines, 0)), numberCell(share(row.lines, here.lines), told('tree-lines', row.lines + ' of ' + here.lines + ' lines of the prior')));
		});
		place.replaceChildren(body.length === 0 ? make('p', { class: 'meta' }, line.length === 0 ? 'There are no games.' : 'From here on games and lines are too few to be counted.') :
		    make('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Moves from here' }, make('table', { class: 'tree', id: 'table-tree' }, make('caption', { class: 'hidden' }, 'Moves from here'), make('thead', {}, make('tr', {},
		    ...[['Move'], ['Games', 'n'], ['Share', 'n'], ['Results'], ['White’s score', 'n'], ['Lines', 'n'], ['Share by the prior', 'n']].map(([title, kind]) => make('th', { scope: 'col', class: kind }, title)))), make('tbody', {}, ...body))));
		const start = (Object.values(report.games).find((game) => game.rules === rules && game.start) || {}).start;
		Games.diagram(board, start, line);
		const unknown = rows('untold').filter((row) => row.rules === rules).map((row) => (row.net === 'prior' ? 'The prior' : 'The player') + ' was never told these rules (' + row.fields + ')');
		warn.hidden = unknown.length === 0;
		warn.textContent = unknown.join('. ') + (unknown.length ? ': it opens as in chess.' : '');
		if (focus)
			((focus === 'table' ? place.querySelector('.go') : null) || path.lastElementChild).focus({ preventScroll: true });
	}
	function begin() {
		next = branches(choice.value);
		line = [];
		names = [];
		show();
	}
	choice.addEventListener('change', begin);
	box.append(make('p', { class: 'choice' }, make('label', { for: 'tree-rules' }, 'Rule set '), choice), warn, path, make('div', { class: 'treebox' }, board, place));
	begin();
}

return { draw, share };
})();
