// The report, from report.json in the page, with what the scripts in say/ say of it; and what all
// scripts use to draw it. Text never
// becomes markup: it is set as text, in pieces of a kind (report.json(5)).
const Doc = (() => {
'use strict';

const read = JSON.parse(document.getElementById('report').textContent), report = Object.assign(read, Report.say(read));

// An element with attributes, text or children.
function make(tag, attributes, ...inner) {
	const element = document.createElement(tag);
	for (const name in attributes || {})
		if (attributes[name] !== null && attributes[name] !== undefined && attributes[name] !== false)
			element.setAttribute(name, attributes[name] === true ? '' : attributes[name]);
	element.append(...inner.filter((node) => node !== null && node !== undefined));
	return element;
}

const TAGS = { b: 'strong', code: 'code', cite: 'cite', key: 'strong' };

// Text, or pieces of it of which some are of a kind, as nodes.
function text(said) {
	return [].concat(said === null || said === undefined ? '' : said).map((piece) => {
		if (typeof piece !== 'object')
			return document.createTextNode(piece);
		const kind = Object.keys(piece)[0];
		if (kind === 'see')	// a section, if the report has it
			return report.sections.some((one) => one.id === piece.see) ? make('a', { href: '#' + piece.see, class: 'see' }, 'Its numbers') : '';
		return make(TAGS[kind] || 'span', { class: TAGS[kind] && kind !== 'key' ? null : kind }, piece[kind]);
	});
}

// Text alone.
function plain(said) {
	return [].concat(said).map((piece) => typeof piece === 'object' ? Object.values(piece)[0] : piece).join('');
}

// The rows of a table of the study as objects.
const opened = {};
function rows(name) {
	if (!opened[name]) {
		const table = report.tables[name] || { columns: [], rows: [] };
		opened[name] = table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i]])));
	}
	return opened[name];
}

const labels = Object.fromEntries(report.rules.map((one) => [one.rules, one.label]));
const named = Object.fromEntries(report.rules.slice().reverse().map((one) => [one.label, one.rules]));

// The rule sets that the reader has chosen; who watches is told when they change.
const chosen = new Set(report.rules.map((one) => one.rules)), watchers = [];
function choose(rules, wanted) {
	for (const one of rules)
		chosen[wanted ? 'add' : 'delete'](one);
	watchers.forEach((watcher) => watcher());
}

const isNumber = (value) => typeof value === 'number' && isFinite(value);

// With a fixed number of decimals and − as the minus sign, and thousands apart. A format
// takes long to make.
const formats = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }));
function fix(value, digits) {
	return isNumber(value) ? formats[digits].format(value).replace(/^-(?=.*[1-9])/, '−').replace(/^-/, '') : '–';
}
const percent = (value, digits) => isNumber(value) ? fix(100 * value, digits === undefined ? 1 : digits) + '\u202f%' : '–';

const slug = (name) => name.replace(/[^A-Za-z0-9.+-]/g, '_');

return { report, make, text, plain, rows, labels, named, chosen, choose, watch: (watcher) => watchers.push(watcher), isNumber, fix, percent, slug };
})();
