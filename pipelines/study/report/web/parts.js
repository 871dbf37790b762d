// The parts of the report as elements: see report.json(5).
const Parts = (() => {
'use strict';

const { make, text, report } = Doc;

// Something folded draws what is in it when it is opened: a page of many rule sets stays quick.
function folded(attributes, title, inner) {
	const box = make('details', attributes, make('summary', {}, title));
	let drawn = false;
	box.draw = () => {
		if (!drawn)
			box.append(make('div', {}, ...inner()));
		drawn = true;
	};
	box.addEventListener('toggle', () => box.open && box.draw());
	return box;
}

function fold(part, where) {
	const games = part.parts.find((inner) => inner.games), game = games ? report.games[games.games[0]] : null;
	return folded({ class: part.card || game ? 'fold' : null, id: part.card ? 'card-' + part.card : game ? 'fold-' + where + '-' + Doc.slug(game.rules) : null },
	    make('span', {}, ...text(part.fold)), () => draw(part.parts, where));
}

function list(items) { return make('ul', {}, ...items.map((item) => make('li', {}, ...text(item)))); }
const paragraph = (kind) => (part) => make('p', { class: kind === 'p' ? null : kind === 'warning' ? 'note warning' : kind }, ...text(part[kind]));

const DRAW = {
	p: paragraph('p'), note: paragraph('note'), meta: paragraph('meta'), lead: paragraph('lead'), warning: paragraph('warning'), keys: () => make('p', { class: 'keys' }, ...text(Captions.keys)),
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

// What most readers come for stands open; other sections are folded, with the heading to open them.
const OPEN = ['yours', 'glance', 'cards', 'outcomes', 'compare', 'measures', 'special', 'explorer', 'themes', 'games'];

function section(one) {
	const title = make('h2', { id: one.id + '-title' }, ...text(one.title)), open = OPEN.includes(one.id);
	return make('section', { id: one.id, 'aria-labelledby': title.id, class: one.id === 'yours' ? 'hero' : open ? null : 'folded' },
	    ...(open ? [title, ...draw(one.parts, one.id)] : [folded({ class: 'section' }, title, () => draw(one.parts, one.id))]));
}

return { draw, section };
})();
