// Tables: numbers with their intervals, dots and shades; sorting; hiding rule sets.
const Table = (() => {
'use strict';

const { make, text, report, isNumber } = Doc;

function svg(name, attributes, ...inner) {
	const element = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	element.append(...inner);
	return element;
}

// A number with its interval as a dot and a line, and the study's as a diamond. It
// repeats the text beside it.
function dots([value, lo, hi, theirs, from, to], zero) {
	const at = (x) => Math.round(to > from ? (x - from) / (to - from) * 1120 + 40 : 600) / 10;
	const box = svg('svg', { class: 'dots', viewBox: '0 0 120 16', width: 120, height: 16, 'aria-hidden': 'true' });
	if (zero)
		box.append(svg('path', { class: 'zero', d: 'M60 1V15' }));
	if (isNumber(lo) && isNumber(hi))
		box.append(svg('path', { class: 'line', d: 'M' + at(lo) + ' 8H' + at(hi) }));
	box.append(svg('circle', { cx: at(value), cy: 8, r: 3.4 }));
	if (isNumber(theirs))
		box.append(svg('path', { class: 'theirs', d: 'M' + at(theirs) + ' 3l5 5-5 5-5-5z' }));
	return box;
}

function fill(box, cell, told) {
	if (typeof cell !== 'object' || cell === null || Array.isArray(cell))
		return box.append(...text(cell));
	if (cell.dots)
		return box.append(dots(cell.dots, cell.zero));
	if (cell.heat !== undefined) {
		box.dataset.side = cell.side;
		box.style.setProperty('--p', Math.round(100 * cell.heat) + '%');
	}
	if (cell.v === undefined || !told)
		return box.append(...text(cell.t));
	const button = make('button', { type: 'button', class: 'num', tabindex: -1 }, ...text(cell.t));
	button.number = Object.assign({ value: cell.v, lo: cell.lo, hi: cell.hi }, told);
	box.append(button);
}

// The rule set that a row is of, by the label in its first cell.
function rulesOf(part, row) {
	if (part.rules)
		return part.rules;
	const first = row[0];
	return typeof first === 'object' && first && first.rules || Doc.named[Doc.plain(first && first.t !== undefined ? first.t : first)];
}

function draw(part) {
	const numbers = part.columns.map((column) => column.n ? 'n' : null);
	const facts = part.look === 'facts';
	const head = make('tr', {}, ...part.columns.map((column, i) => make('th', { scope: 'col', class: numbers[i] }, ...text(column.t))));
	const body = part.rows.map((row, r) => {
		const rules = rulesOf(part, row), second = Doc.plain(row[1] && row[1].t !== undefined ? row[1].t : row[1] || '');
		const line = make('tr', { class: facts ? part.sides[r] : null });
		if (rules && !part.rules)
			line.dataset.rules = rules;
		line.hidden = !!line.dataset.rules && !Doc.chosen.has(rules);
		row.forEach((cell, i) => {
			const box = make(i === 0 ? 'th' : 'td', { scope: i === 0 ? 'row' : null, class: facts && i === row.length - 1 ? 'verdict' : numbers[i] });
			const from = facts ? part.froms[r] : part.columns[i] && part.columns[i].from || part.from;
			fill(box, cell, from && { from, with: Object.assign({ rules: facts && i === 2 ? 'classical' : rules, second: Doc.named[second] || second.replace(/^1\. /, '') },
			    part.with, part.columns[i]), of: Doc.plain(part.columns[i] ? part.columns[i].t : ''), row: Doc.plain(row[0] && row[0].t !== undefined ? row[0].t : row[0]) });
			line.append(box);
		});
		return line;
	});
	if (body.length === 0)
		body.push(make('tr', {}, make('td', { colspan: part.columns.length }, 'no rows')));
	const table = make('table', { id: 'table-' + part.table, class: part.look },
	    make('caption', { class: facts ? 'hidden' : null }, part.caption), make('thead', {}, head), make('tbody', {}, ...body));
	if (!facts)
		addSorting(table);
	walkable(table);
	const box = make('div', { class: 'scroll' + (body.length > 14 && part.look !== 'heat' ? ' tall' : ''), role: 'region', tabindex: 0, 'aria-label': part.caption }, table);
	// about as high as it will be, until it has been in sight
	const height = 5 + body.length * (part.look === 'stacked' ? 3.1 : 1.85);
	box.style.containIntrinsicHeight = 'auto ' + (box.classList.contains('tall') ? Math.min(36, height) : height) + 'rem';
	return box;
}

// Numbers are buttons, of which one at a time is a stop of the tab key; arrows lead to others.
function walkable(table) {
	let stop = table.querySelector('.num');
	if (!stop)
		return;
	stop.tabIndex = 0;
	table.addEventListener('keydown', (event) => {
		const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
		if (!step || !event.target.classList.contains('num'))
			return;
		event.preventDefault();
		const cell = event.target.parentNode, rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
		let row = rows.indexOf(cell.parentNode), column = cell.cellIndex, found = null;
		do {
			row += step[0];
			column += step[1];
			found = rows[row] && rows[row].cells[column] ? rows[row].cells[column].querySelector('.num') : null;
		} while (!found && rows[row] && rows[row].cells[column]);
		if (!found)
			return;
		stop.tabIndex = -1;
		stop = found;
		stop.tabIndex = 0;
		stop.focus();
	});
}

// What a cell is sorted by: its first number, or its text.
function valueOf(cell) {
	const words = cell.textContent.trim(), number = /^[^\d−–-]*([−-]?\d[\d,]*\.?\d*)/.exec(words);
	return number ? parseFloat(number[1].replace('−', '-').replace(/,/g, '')) : words === '–' ? NaN : words;
}

function before(a, b) {
	if (typeof a === 'number' && typeof b === 'number')
		return isNaN(a) ? isNaN(b) ? 0 : 1 : isNaN(b) ? -1 : a - b;	// what is unknown comes last
	return typeof a === 'number' ? (isNaN(a) ? 1 : -1) : typeof b === 'number' ? (isNaN(b) ? -1 : 1) : a.localeCompare(b);
}

// Sorts by a column: down, up, and as it was.
function sortBy(table, column, rows) {
	const heads = [...table.tHead.rows[0].cells], head = heads[column];
	const order = { none: 'descending', descending: 'ascending', ascending: 'none' }[head.getAttribute('aria-sort')];
	heads.forEach((other) => other.hasAttribute('aria-sort') && other.setAttribute('aria-sort', 'none'));
	head.setAttribute('aria-sort', order);
	const known = rows.map((row) => [row, valueOf(row.cells[column])]);
	if (order !== 'none')
		known.sort(([, x], [, y]) => {
			const d = before(x, y);
			return order === 'ascending' || (typeof x === 'number' && isNaN(x)) || (typeof y === 'number' && isNaN(y)) ? d : -d;
		});
	table.tBodies[0].append(...known.map(([row]) => row));
}

function addSorting(table) {
	const rows = [...table.tBodies[0].rows], heads = [...table.tHead.rows[0].cells];
	if (rows.length < 3 || rows.some((row) => row.cells.length !== heads.length))
		return;
	heads.forEach((head, column) => {
		if (head.textContent.trim() === '')
			return;
		const button = make('button', { type: 'button', class: 'sort' }, ...head.childNodes);
		head.append(button);
		head.setAttribute('aria-sort', 'none');
		button.addEventListener('click', () => sortBy(table, column, rows));
	});
}

// Shows the rows of the chosen rule sets alone.
Doc.watch(() => document.querySelectorAll('main tr[data-rules]').forEach((row) => {
	row.hidden = !Doc.chosen.has(row.dataset.rules);
}));

return { draw, dots, svg, walkable };
})();
