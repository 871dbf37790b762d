// Where a number comes from: its exact value and interval when the pointer is on it, and
// the games and the command behind it when it is pressed.
const Source = (() => {
'use strict';

const { make, report, isNumber } = Doc;
const sources = Object.fromEntries(report.sources.map((one) => [one.table, one]));

const exact = (value) => isNumber(value) ? String(Number(value.toPrecision(6))).replace('-', '−') : String(value);
const known = (value) => value !== undefined && value !== null;
function valueWords(number) {
	return exact(number.value) + (known(number.lo) && known(number.hi) ? ', 95\u202f%: ' + exact(number.lo) + ' to ' + exact(number.hi) : '');
}

// A template with its {names} filled in; null if one is not known.
function filled(template, values) {
	let all = true;
	const done = (template || '').replace(/\{(\w+)\}/g, (whole, name) => {
		all = all && known(values[name]) && values[name] !== '';
		return values[name];
	});
	return all && done !== '' ? done : null;
}

// A word of a command as a shell reads it; a pattern of files stays one.
const quoted = (word) => /^[\w@%+=:,.\/*-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";

// {table, files, command} of a number; files and command only where they are known. A line
// has nothing but moves, and stands in quotes already.
function of(number) {
	const source = sources[number.from] || {}, files = filled(source.files, number.with);
	const values = Object.assign({}, number.with, { files: files && quoted(files) });
	for (const name in values)
		if (name !== 'files' && name !== 'line' && typeof values[name] === 'string')
			values[name] = quoted(values[name]);
	return { table: 'tables/' + (number.table || number.from) + '.tsv', files, command: filled(source.command, values) };
}

const tip = make('div', { class: 'tip', role: 'tooltip', hidden: true });
const panel = make('div', { class: 'source', role: 'dialog', 'aria-label': 'Where this number comes from', tabindex: -1, hidden: true });
let asker = null;

function place(box, beside) {
	const at = beside.getBoundingClientRect(), width = document.documentElement.clientWidth;
	box.hidden = false;
	const left = Math.max(8, Math.min(at.left, width - box.offsetWidth - 8));
	box.style.left = left + window.scrollX + 'px';
	box.style.top = at.bottom + 6 + window.scrollY + 'px';
}

const link = (path) => make('a', { href: path.split('/').map(encodeURIComponent).join('/') }, path);

function open(button) {
	const number = button.number, source = of(number), rules = number.with.rules;
	panel.replaceChildren(make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×'),
	    make('p', { class: 'what' }, [number.row, number.of].filter(Boolean).join(' · ')), make('p', { class: 'value' }, valueWords(number)));
	const list = make('dl', {});
	list.append(make('dt', {}, 'Table'), make('dd', {}, link(source.table)));
	if (source.files)
		list.append(make('dt', {}, /^games/.test(source.files) ? 'Games' : 'Made of'), make('dd', {}, source.files.includes('*') ? source.files : link(source.files)));
	if (source.command) {
		const code = make('code', {}, source.command), copy = make('button', { type: 'button' }, 'Copy');
		copy.addEventListener('click', () => navigator.clipboard && navigator.clipboard.writeText(source.command).then(() => { copy.textContent = 'Copied'; }));
		list.append(make('dt', {}, 'Command, in this folder'), make('dd', {}, code, ' ', copy));
	}
	const games = rules && document.getElementById('fold-games-' + Doc.slug(rules));
	if (games) {
		const jump = make('a', { href: '#' + games.id }, 'Games of ' + (Doc.labels[rules] || rules) + ' to play through');
		jump.addEventListener('click', () => { close(); games.open = true; });
		list.append(make('dt', {}, 'Here'), make('dd', {}, jump));
	}
	panel.append(list);
	panel.querySelector('.close').addEventListener('click', close);
	asker = button;
	tip.hidden = true;
	place(panel, button);
	panel.focus({ preventScroll: true });
}

function close() {
	if (panel.hidden)
		return;
	panel.hidden = true;
	if (asker)
		asker.focus({ preventScroll: true });
}

function start() {
	document.body.append(tip, panel);
	document.addEventListener('click', (event) => {
		const button = event.target.closest('.num, .wdlbar span');
		if (button && button.number)
			open(button);
		else if (!event.target.closest('.source'))
			panel.hidden = true;
	});
	window.addEventListener('resize', () => { panel.hidden = tip.hidden = true; });
	document.addEventListener('keydown', (event) => {
		if (event.key === 'Escape')
			close();
	});
	document.addEventListener('pointerover', (event) => {
		const over = event.target.closest && event.target.closest('.num, [data-tip]');
		tip.hidden = !over;
		if (!over)
			return;
		tip.textContent = over.dataset.tip || valueWords(over.number);
		place(tip, over);
	});
}

return { start, of, valueWords };
})();
