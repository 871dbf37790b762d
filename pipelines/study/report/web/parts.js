// The parts of the report as elements: see report.json(5).
const Parts = (() => {
'use strict';

const { make, text, report } = Doc;

// A fold draws what is in it when it is opened: a page of many rule sets stays quick.
function fold(part, where) {
	const games = part.parts.find((inner) => inner.games), game = games ? report.games[games.games[0]] : null;
	const box = make('details', { class: part.card || game ? 'fold' : null, id: part.card ? 'card-' + part.card : game ? 'fold-' + where + '-' + Doc.slug(game.rules) : null }, make('summary', {}, ...text(part.fold)));
	let drawn = false;
	box.draw = () => {
		if (drawn)
			return;
		drawn = true;
		box.append(make('div', {}, ...draw(part.parts, where)));
	};
	box.addEventListener('toggle', () => box.open && box.draw());
	return box;
}

function list(items) { return make('ul', {}, ...items.map((item) => make('li', {}, ...text(item)))); }
const paragraph = (kind) => (part) => make('p', { class: kind === 'p' ? null : kind === 'warning' ? 'note warning' : kind }, ...text(part[kind]));

const DRAW = {
	p: paragraph('p'), note: paragraph('note'), meta: paragraph('meta'), lead: paragraph('lead'), warning: paragraph('warning'), keys: paragraph('keys'),
	h3: (part) => make('h3', {}, ...text(part.h3)),
	list: (part) => list(part.list),
	table: (part) => Table.draw(part),
	fold, bars: (part) => Bars.draw(part),
	chart: (part) => Chart.draw(part),
	terms: (part) => make('dl', { class: 'run' }, ...part.terms.flatMap(([term, said]) => [make('dt', {}, ...text(term)), make('dd', {}, ...text(said))])),
	player: (part) => make('div', { class: 'player' }, paragraph('player')(part), ...draw(part.parts)),
	games: (part) => Games.set(part.games.map((id) => report.games[id])),
	themes: (part) => make('div', { class: 'themes' }, ...part.themes.map((theme) => {
		const box = make('div', { class: 'board' });
		Games.still(box, theme.fen, theme.move);
		return make('figure', { class: 'theme', id: 'theme-' + theme.theme }, box, make('figcaption', {}, ...text(theme.text)));
	}))
};

function draw(parts, where) {
	return parts.map((part) => {
		const kind = Object.keys(part).find((key) => key !== 'parts' && DRAW[key]);
		return kind ? DRAW[kind](part, where) : null;
	}).filter(Boolean);
}

function section(one) {
	const title = make('h2', { id: one.id + '-title' }, ...text(one.title));
	return make('section', { id: one.id, 'aria-labelledby': title.id, class: one.id === 'yours' ? 'hero' : null }, title, ...draw(one.parts, one.id));
}

return { draw, section };
})();
