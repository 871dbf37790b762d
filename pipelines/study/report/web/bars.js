// Results of games as bars: White's wins, draws, Black's wins; and the slider over budgets
// that moves them.
const Bars = (() => {
'use strict';

const { make, percent, labels } = Doc;
const KINDS = [['win', 'wins', 'White won'], ['partwin', 'part_wins', 'part of a point, more to White'], ['draw', 'draws', 'drawn'],
    ['partloss', 'part_losses', 'part of a point, more to Black'], ['loss', 'losses', 'Black won']];

const resultsOf = (row) => KINDS.map(([kind, column, words]) => ({ kind, n: row[column] || 0, words })).filter((one) => one.n > 0 || !one.kind.startsWith('part'));

function bar(games, results) {
	const box = make('div', { class: 'wdlbar', role: 'img' });
	set(box, games, results);
	return box;
}

// Small shares are not labelled; all are said, and pressed for where they come from if that is told.
function set(box, games, results, who, told) {
	const parts = results.filter((one) => one.n > 0);
	[...box.children].filter((part) => !parts.some((one) => one.kind === part.className)).forEach((part) => part.remove());
	parts.forEach((one, i) => {
		let part = [...box.children].find((child) => child.className === one.kind);
		if (!part)
			box.insertBefore(part = make('span', { class: one.kind }), box.children[i] || null);
		const share = one.n / games;
		part.style.flex = one.n / games + ' 1 0';
		part.dataset.tip = one.words + ' ' + percent(share) + ' (' + one.n + ' of ' + games + ')';
		part.textContent = share >= 0.06 ? percent(share, 0) : '';
		part.number = told ? Object.assign({ row: who }, told, { value: share, of: one.words + ', ' + one.n + ' of ' + games + ' games' }) : null;
	});
	box.setAttribute('aria-label', (who ? who + ': ' : '') + results.map((one) => one.words + ' ' + percent(one.n / games)).join(', '));
}

// One row, of drawstats or of the report's own.
function row(data, told) {
	const who = data.who || labels[data.rules] || data.rules, results = data.results || resultsOf(data), box = bar(data.games, results);
	set(box, data.games, results, who, told);
	const drawn = results.find((one) => one.kind === 'draw').n / data.games;
	return make('div', { class: 'wdl', 'data-rules': data.rules }, make('span', { class: 'who' }, who), box, drawn < 0.06 ? make('span', { class: 'tiny' }, 'drawn ' + percent(drawn)) : null);
}

function legend(results) {
	const box = make('p', { class: 'legend' });
	(results || KINDS.filter(([kind]) => !kind.startsWith('part')).map(([kind, , words]) => ({ kind, words }))).forEach((one) => box.append(make('i', { class: one.kind }), one.words + ' '));
	return box;
}

// The bars of a part of the report.
function draw(part) {
	const longest = part.bars.slice().sort((a, b) => b.results.length - a.results.length)[0];
	return make('div', { class: 'wdls' }, ...part.bars.map((data) => row(data, { from: 'outcomes', with: { rules: data.rules, set: '1' } })), longest ? legend(longest.results) : null);
}

return { draw, row, set, bar, legend, resultsOf };
})();

const Budget = (() => {
'use strict';

const { make, rows, report, labels, fix, percent, isNumber } = Doc;

// The rungs: all budgets that were played, with the set of games of each.
function rungs() {
	const outcomes = rows('outcomes'), found = new Map();
	for (const row of rows('ladder').concat(outcomes))
		if (isNumber(row.sims) && row.games > 0) {
			if (!found.has(row.sims))
				found.set(row.sims, { sims: row.sims, rows: new Map(), set: 'ladder-' + row.sims });
			found.get(row.sims).rows.set(row.rules, row);
		}
	for (const row of outcomes)
		if (found.has(row.sims))
			found.get(row.sims).set = String(row.budget);
	if (report.run.held && found.has(report.run.held.sims))
		found.get(report.run.held.sims).set = 'held';
	return [...found.values()].sort((a, b) => a.sims - b.sims);
}

// The set of games that was played at a budget.
const setOf = (sims) => (rungs().find((rung) => rung.sims === sims) || {}).set;

const unit = () => (report.run.budgets || [{}])[0].search === 'ab' ? 'nodes' : 'simulations';

function number(row, measure, set) {
	const button = make('button', { type: 'button', class: 'num' });
	return update(button, row, measure, set);
}
function update(button, row, measure, set) {
	button.textContent = percent(row[measure]);
	button.append(make('span', { class: 'ci' }, ' ' + fix(100 * row[measure + '_lo'], 1) + ' to ' + percent(row[measure + '_hi'])));
	button.number = { value: row[measure], lo: row[measure + '_lo'], hi: row[measure + '_hi'], from: 'outcomes', with: { rules: row.rules, set },
	    row: labels[row.rules], of: (measure === 'score' ? 'White’s score' : 'Draw rate') + ' at ' + fix(row.sims, 0) + ' ' + unit() };
	return button;
}

function draw(box) {
	const all = rungs();
	if (all.length === 0)
		return;
	const begun = Math.max(0, all.findIndex((rung) => rung.set === '1'));
	const slider = make('input', { type: 'range', id: 'budget', min: 0, max: all.length - 1, step: 1, value: begun });
	const shown = make('output', { for: 'budget' }), list = make('div', { class: 'wdls budgeted' }), lines = new Map();
	const ticks = make('div', { class: 'ticks', 'aria-hidden': 'true' }, ...all.map((rung) => make('span', {}, rung.sims >= 1000 ? fix(rung.sims / 1000, rung.sims % 1000 ? 1 : 0) + 'k' : String(rung.sims))));
	for (const { rules } of report.rules) {
		const line = make('div', { class: 'wdl', 'data-rules': rules }, make('span', { class: 'who' }, labels[rules]));
		line.append(make('div', { class: 'wdlbar', role: 'img' }), make('span', { class: 'drawn' }), make('span', { class: 'scored' }));
		lines.set(rules, line);
	}
	list.append(make('div', { class: 'wdl heads' }, make('span', { class: 'who' }), make('span', { class: 'wdlbar none' }), make('span', { class: 'drawn' }, 'Drawn'), make('span', { class: 'scored' }, 'White’s score')), ...lines.values(), Bars.legend());
	function show() {
		const rung = all[Number(slider.value)], some = [...rung.rows.values()];
		const games = some.map((row) => row.games), least = Math.min(...games), most = Math.max(...games);
		const words = fix(rung.sims, 0) + ' ' + unit() + ' a move, ' + (least === most ? fix(most, 0) : fix(least, 0) + ' to ' + fix(most, 0)) + ' games of each';
		shown.textContent = words;
		slider.setAttribute('aria-valuetext', words);
		for (const [rules, line] of lines) {
			const row = rung.rows.get(rules);
			line.hidden = !row || !Doc.chosen.has(rules);
			if (!row)
				continue;
			Bars.set(line.children[1], row.games, Bars.resultsOf(row), labels[rules], { from: 'outcomes', with: { rules, set: rung.set } });
			['draw_rate', 'score'].forEach((measure, i) => {
				const place = line.children[2 + i];
				if (place.firstChild)
					update(place.firstChild, row, measure, rung.set);
				else
					place.append(number(row, measure, rung.set));
			});
		}
	}
	slider.addEventListener('input', show);
	box.append(make('div', { class: 'slider' }, make('label', { for: 'budget' }, 'Thinking time'), make('div', { class: 'track' }, slider, ticks), shown), list);
	Doc.watch(show);
	show();
}

return { draw, setOf, unit };
})();
