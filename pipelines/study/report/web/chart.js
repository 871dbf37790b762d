// The charts of the report, by name, from the tables of the study.
const Chart = (() => {
'use strict';

const { make, rows, report, labels, isNumber, fix, percent } = Doc;
const order = report.rules.map((one) => one.rules), called = (rules) => labels[rules] || rules;
const MOST = 6;		// lines that a chart begins with

const withError = (x, y, se, told) => ({ x, y, lo: isNumber(se) ? y - 1.96 * se : null, hi: isNumber(se) ? y + 1.96 * se : null, told });
// Where the number of a row comes from; lines of a player without preferences are in a folder of their own.
const told = (from, row, values) => ({ from, with: Object.assign({ rules: row.prior === 'uniform' ? 'uniform/' + row.rules : row.rules }, values) });

// Lines of rows: of each key one, in the order of rule sets.
function linesOf(all, key, name, point, colour) {
	const lines = new Map();
	for (const row of all) {
		const id = key(row);
		if (!lines.has(id))
			lines.set(id, { id, name: name(row), colour: colour(row), points: [] });
		const made = point(row);
		if (isNumber(made.y))
			lines.get(id).points.push(made);
	}
	return [...lines.values()];
}
const byRules = (all, point) => linesOf(all, (row) => row.rules, (row) => called(row.rules), point, (row) => order.indexOf(row.rules));

// Which lines a chart begins with: chess, the rule set of the first screen, the user's own.
const first = report.sections[0] && report.sections[0].id === 'yours' ? (report.sections[0].parts.find((part) => part.bars) || { bars: [] }).bars.map((bar) => bar.rules) : [];
const wanted = ['classical', ...first, ...report.rules.filter((one) => one.own).map((one) => one.rules), ...order];

function begin(lines) {
	const ids = lines.map((line) => line.id), shown = new Set();
	for (const rules of wanted)
		for (const id of ids)
			if ((id === rules || id.startsWith(rules + '\t') || id.endsWith('\t' + rules)) && shown.size < MOST)
				shown.add(id);
	return shown.size > 0 ? shown : new Set(ids.slice(0, MOST));
}

// A plot whose lines are chosen by buttons.
function plot(box, what) {
	const all = what.lines, shown = begin(all.filter((line) => !line.fitted));
	const of = () => all.filter((line) => shown.has(line.id) && (!line.rules || Doc.chosen.has(line.rules)) && (!order.includes(line.id) || Doc.chosen.has(line.id)));
	const bar = make('div', { class: 'lines-shown', role: 'group', 'aria-label': 'Lines shown' });
	let show = null;
	for (const line of all.filter((one) => !one.fitted)) {
		const button = make('button', { type: 'button', 'aria-pressed': String(shown.has(line.id)) }, make('i', { class: 'swatch' }), line.name);
		button.firstChild.style.background = Plot.colourOf(line.colour);
		button.addEventListener('click', () => {
			if (!shown.delete(line.id))
				shown.add(line.id);
			button.setAttribute('aria-pressed', String(shown.has(line.id)));
			show(of());
		});
		bar.append(button);
	}
	box.append(bar);
	show = Plot.draw(box, Object.assign({ hint: 'Point at the chart, or use the arrow keys, for its numbers; click to keep them.' }, what, { lines: of() }));
	let names = '';
	Doc.watch(() => {
		const lines = of(), now = lines.map((line) => line.id).join();
		if (now !== names)
			show(lines);
		names = now;
	});
	return (lines) => {
		all.splice(0, all.length, ...lines);
		show(of());
	};
}

// Buttons of which one is pressed.
function pick(box, label, names, action) {
	const group = make('div', { class: 'picks', role: 'group', 'aria-label': label });
	names.forEach(([id, name], i) => {
		const button = make('button', { type: 'button', 'aria-pressed': String(i === 0) }, name);
		button.addEventListener('click', () => {
			[...group.children].forEach((other) => other.setAttribute('aria-pressed', String(other === button)));
			action(id);
		});
		group.append(button);
	});
	box.append(group);
	return names.length > 0 ? names[0][0] : null;
}

// Draws and score against a ladder of thinking or of training, with the fitted lines.
function ladder(box, part, points, by, which) {
	const lines = (measure) => byRules(rows(points), (row) => ({ x: row[by], y: row[measure], lo: row[measure + '_lo'], hi: row[measure + '_hi'],
	    told: by === 'sims' ? Object.assign(told('outcomes', row, { set: Budget.setOf(row.sims) }), { table: points }) : told(points, row) })).concat(
	    byRules(rows('curves').filter((row) => row.ladder === which && row.measure === measure), (row) => ({ x: row.at, y: row.y })).map((line) => Object.assign(line, { fitted: true })));
	let again = null;
	const names = [['draw_rate', 'Draws'], ['score', 'White’s score']], titles = Object.fromEntries(names);
	let shown = pick(box, 'What is shown', names, (measure) => again(lines(shown = measure)));
	again = plot(box, { alt: Captions.alt(part.chart), lines: lines(shown), log: true, x: by === 'sims' ? Budget.unit() + ' a move' : 'generation', y: () => titles[shown], share: true, show: (y) => percent(y),
	    showX: (x) => by === 'sims' ? fix(x, 0) + ' ' + Budget.unit() + ' a move' : 'Generation ' + fix(x, 0), tickX: (x) => x >= 1000 ? fix(x / 1000, x % 1000 ? 1 : 0) + 'k' : String(x) });
}

function histogram(box, part, lines, x) {
	plot(box, { alt: Captions.alt(part.chart), lines, steps: true, x, y: 'density', show: (y) => fix(y, 3), showX: (value) => fix(value, 1) });
}
const bin = (from, values) => (row) => ({ x: isNumber(row.lo) ? row.lo : NaN, y: isNumber(row.lo) ? row.density : NaN, told: told(from, row, values && values(row)) });

const uniform = order.length;	// its colour, after those of the rule sets
const priorName = (row) => row.prior === 'uniform' ? 'uniform moves, ' + (called(row.rules)) : called(row.rules);
const ofPrior = (name) => rows(name).filter((row) => row.prior === 'net' || row.rules === 'classical');
const priorKey = (row) => row.prior === 'uniform' ? 'uniform' : row.rules;
const priorColour = (row) => row.prior === 'uniform' ? uniform : order.indexOf(row.rules);

// Numbers of each rule set with their intervals on one scale, in a panel for each kind.
function dotPanels(box, panels, show) {
	const grid = make('div', { class: 'panels' });
	for (const panel of panels.filter((one) => one.rows.length > 0)) {
		const ends = panel.rows.flatMap((row) => [row.lo, row.hi, row.v, row.theirs]).filter(isNumber);
		const from = Math.min(...ends), to = Math.max(...ends);
		const list = make('div', { class: 'panel' }, make('p', { class: 'name' }, panel.name));
		for (const row of panel.rows) {
			const line = make('div', { class: 'dotrow', 'data-rules': row.rules, 'data-tip': row.name + ': ' + show(row.v) + (isNumber(row.lo) ? ', 95\u202f%: ' + show(row.lo) + ' to ' + show(row.hi) : '') + (isNumber(row.theirs) ? '; the study’s ' + show(row.theirs) : '') },
			    make('span', { class: 'who' }, row.name), Table.dots([row.v, row.lo, row.hi, row.theirs, from, to]), make('button', { type: 'button', class: 'num value' }, show(row.v)));
			line.lastChild.number = Object.assign({ value: row.v, lo: row.lo, hi: row.hi, row: row.name, of: panel.name }, row.told);
			list.append(line);
		}
		grid.append(list);
	}
	box.append(grid);
}
Doc.watch(() => document.querySelectorAll('.dotrow[data-rules]').forEach((row) => { row.hidden = !Doc.chosen.has(row.dataset.rules); }));

const studys = (measure, item) => (rows('agreement-data').find((row) => row.measure === measure && row.item === item) || {}).theirs;
const titled = (word) => word.charAt(0).toUpperCase() + word.slice(1);

const charts = {
	'ladder': (box, part) => ladder(box, part, 'ladder', 'sims', 'thinking'),
	'training': (box, part) => ladder(box, part, 'training', 'generation', 'training'),
	'candidates': (box, part) => plot(box, { alt: Captions.alt(part.chart), x: 'ply', y: 'candidate moves', show: (y) => fix(y, 1), showX: (x) => 'Ply ' + x,
	    lines: linesOf(ofPrior('entropy'), priorKey, priorName, (row) => withError(row.ply, row.m, row.m_se, told('entropy', row)), priorColour) }),
	'candidates-first': (box, part) => plot(box, { alt: Captions.alt(part.chart), x: 'ply', y: 'candidate moves', show: (y) => fix(y, 1), showX: (x) => 'Ply ' + x,
	    lines: linesOf(rows('entropy-first'), (row) => row.rules + '\t' + row.start, (row) => called(row.rules) + ', 1.\u00a0' + row.start, (row) => withError(row.ply, row.m, row.m_se, told('entropy-first', row, { second: row.start })),
	    (row) => 2 * order.indexOf(row.rules) + (row.start === 'e4' ? 0 : 1)) }),
	'additional': (box, part) => plot(box, { alt: Captions.alt(part.chart), x: 'ply', y: 'more than chess', show: (y) => fix(y, 1), showX: (x) => 'Ply ' + x,
	    lines: byRules(rows('additional'), (row) => withError(row.ply, row.additional, row.additional_se, told('additional', row))) }),
	'entropy-histogram': (box, part) => histogram(box, part, linesOf(ofPrior('entropy-histogram'), priorKey, priorName, bin('entropy-histogram'), priorColour), '−log p of a line'),
	'entropy-first-histogram': (box, part) => histogram(box, part, linesOf(rows('entropy-first-histogram'), (row) => row.rules + '\t' + row.start,
	    (row) => called(row.rules) + ', 1.\u00a0' + row.start, bin('entropy-first-histogram', (row) => ({ second: row.start })), (row) => 2 * order.indexOf(row.rules) + (row.start === 'e4' ? 0 : 1)), '−log p of a line'),
	'divergence-histogram': (box, part) => histogram(box, part, linesOf(rows('divergence-histogram').filter((row) => isNumber(row.lo)), (row) => row.p + '\t' + row.q,
	    (row) => called(row.p) + ' ‖ ' + called(row.q), bin('divergence-histogram', (row) => ({ rules: row.p, second: row.q })), (row) => order.indexOf(row.p === 'classical' ? row.q : row.p)), 'log p/q of a line'),
	'lengths': (box, part) => {
		const lines = (kind) => {
			const shown = rows('lengths').filter((row) => row.budget === 1 && row.kind === kind), games = {}, width = 20;
			shown.forEach((row) => { games[row.rules] = (games[row.rules] || 0) + row.games; });
			const counts = new Map();
			shown.forEach((row) => {
				const key = row.rules + '\t' + Math.floor(row.plies / width) * width;
				counts.set(key, (counts.get(key) || 0) + row.games / games[row.rules]);
			});
			return byRules([...counts].map(([key, share]) => ({ rules: key.split('\t')[0], x: Number(key.split('\t')[1]), y: share })), (row) => Object.assign(row, { told: told('lengths', row, { set: '1' }) }));
		};
		let again = null;
		const begun = pick(box, 'Which games', [['all', 'All games'], ['decisive', 'Decisive games']], (kind) => again(lines(kind)));
		again = plot(box, { alt: Captions.alt(part.chart), lines: lines(begun), steps: true, x: 'plies, in steps of 20', y: 'share of games', share: true, show: (y) => percent(y), showX: (x) => x + ' to ' + (x + 19) + ' plies' });
	},
	'values': (box) => {
		const all = rows('values').filter((row) => row.budget === 1), target = all.some((row) => row.target === 'search') ? 'search' : 'result';
		// a value whose interval is not positive and within a factor of 4 is none
		const sure = (row, piece) => isNumber(row[piece]) && row[piece + '_lo'] > 0 && row[piece + '_hi'] <= 4 * row[piece + '_lo'];
		dotPanels(box, ['knight', 'bishop', 'rook', 'queen'].map((piece) => ({ name: titled(piece), rows: all.filter((row) => (row.target || 'result') === target && sure(row, piece)).map((row) =>
		    ({ rules: row.rules, name: called(row.rules), v: row[piece], lo: row[piece + '_lo'], hi: row[piece + '_hi'], theirs: studys(piece, row.rules),
		    told: told('values', row, { set: '1', target }) })) })), (v) => fix(v, 2));
	},
	'openings': (box, part) => {
		const names = [...new Set(rows('openings').map((row) => row.opening))], title = (part.names || {});
		const list = make('div', { class: 'wdls' });
		const show = (opening) => list.replaceChildren(...rows('openings').filter((row) => row.opening === opening && Doc.chosen.has(row.rules)).map((row) => Bars.row(row, told('openings', row, { set: opening }))), Bars.legend());
		let current = names[0];
		pick(box, 'Opening', names.map((name) => [name, title[name] || name]), (name) => show(current = name));
		box.append(list);
		show(current);
		Doc.watch(() => show(current));
	},
	'firstmoves': (box) => {
		const moves = [...new Set(rows('firstmoves').map((row) => row.san))], most = (san) => Math.max(...rows('firstmoves').filter((row) => row.san === san).map((row) => row.prior));
		const kept = moves.map((san) => [san, most(san)]).filter(([, share]) => share >= 0.02).sort((a, b) => b[1] - a[1]).slice(0, 16).map(([san]) => san);
		const grid = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Probabilities of first moves' });
		const table = make('table', { class: 'heat moves-heat' }, make('thead', {}, make('tr', {}, make('td', {}), ...kept.map((san) => make('th', { scope: 'col' }, san)))));
		const body = make('tbody', {});
		for (const rules of order) {
			const line = make('tr', { 'data-rules': rules }, make('th', { scope: 'row' }, labels[rules]));
			for (const san of kept) {
				const share = (rows('firstmoves').find((row) => row.rules === rules && row.san === san) || {}).prior;
				const number = make('button', { type: 'button', class: 'num', tabindex: -1, 'data-tip': labels[rules] + ', 1. ' + san + ': ' + percent(share) }, fix(100 * share, 0));
				const cell = make('td', { 'data-side': 'more' }, isNumber(share) ? number : '');
				number.number = { value: share, row: labels[rules], of: '1. ' + san, from: 'firstmoves', with: { rules } };
				cell.style.setProperty('--p', Math.round(100 * Math.sqrt(share || 0)) + '%');
				line.append(cell);
			}
			body.append(line);
		}
		table.append(body);
		Table.walkable(table);
		grid.append(table);
		box.append(grid);
	}
};

function draw(part) {
	const figure = make('figure', { class: 'fig', id: 'fig-' + part.chart });
	if (!charts[part.chart] && part.chart !== 'outcomes' && part.chart !== 'tree')
		return null;
	if (part.chart === 'outcomes')
		Budget.draw(figure);
	else if (part.chart === 'tree')
		Tree.draw(figure);
	else
		charts[part.chart](figure, part);
	figure.append(make('figcaption', {}, Captions.of(part.chart)));
	return figure;
}

return { draw, pick };
})();
