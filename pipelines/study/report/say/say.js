// What the report says: numbers and lists as text, and the parts of which sections are made
// (report.json(5)). A function that ends in a part gives a list of parts, so that they add up,
// and none if there is nothing to say. These scripts run in the page and, for report.md, in node;
// they know nothing of either.
//
// Text may be marked: "⟨ci|0.1 to 0.2⟩" has the kind ci. A name that a user gave goes through
// plain, which leaves no such brackets in it; marked makes pieces of it all at the end.
const Say = (() => {
'use strict';

const isNumber = (x) => typeof x === 'number' && isFinite(x);
// Of text, as columns of p-values are, which have the name of a column of rule sets; null if it is none.
const number = (x) => x === '' || x === null || x === undefined || !isNumber(Number(x)) ? null : Number(x);
const isBound = (x) => isNumber(x) || x === 'inf' || x === '-inf';
const plain = (text) => String(text).replace(/[⟨⟩]/g, '');
// The id of an element, from any name of a rule set.
const slug = (name) => String(name).replace(/[^A-Za-z0-9.+-]/g, '_');

// "a ⟨b|c⟩ d" as ["a ", {"b": "c"}, " d"]
function spans(text) {
	if (!text.includes('⟨'))
		return text;
	return text.split(/(⟨[^⟩]*⟩)/).filter((piece) => piece !== '').map((piece) => {
		const found = /^⟨([^|]*)\|([^]*)⟩$/.exec(piece);
		return found ? { [found[1]]: found[2] } : piece;
	});
}
function marked(value) {
	if (typeof value === 'string')
		return spans(value);
	if (Array.isArray(value))
		return value.map(marked);
	return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, marked(one)])) : value;
}

// ---- numbers ----

// With a fixed number of decimals, and − as the minus sign.
function fix(x, digits) {
	if (!isNumber(x))
		return x === 'inf' ? '∞' : x === '-inf' ? '−∞' : '–';
	const unit = Math.pow(10, digits), n = Math.floor(Math.abs(x) * unit + 0.5), whole = Math.floor(n / unit);
	return (x < 0 && n > 0 ? '−' : '') + whole + (digits === 0 ? '' : '.' + String(n - whole * unit).padStart(digits, '0'));
}
const fixed = (digits) => (x) => fix(x, digits);
const percent = (x, digits = 1) => isNumber(x) ? fix(100 * x, digits) + '\u202f%' : fix(x, 0);
// 1234567 as 1,234,567
const count = (x) => isNumber(x) ? fix(x, 0).replace(/\B(?=(\d{3})+$)/g, ',') : '–';
// With its sign.
const signed = (show) => (x) => (x > 0 ? '+' : '') + show(x);

// Large ones as a power of ten, for people.
function large(x) {
	if (!isNumber(x) || x < 100000)
		return isNumber(x) ? count(x) : fix(x, 0);
	const power = Math.floor(Math.log10(x)), over = fix(x / Math.pow(10, power), 2) === '10.00';
	return fix(over ? 1 : x / Math.pow(10, power), 2) + ' × 10' + [...String(power + over)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');
}

// The unit is written only after the second end.
function ends(lo, hi, show) {
	const from = show(lo), to = show(hi);
	return '⟨ci|' + (from.endsWith('%') && to.endsWith('%') ? from.slice(0, -2) : from) + ' to ' + to + '⟩';
}
const interval = (lo, hi, show) => isBound(lo) && isBound(hi) ? ' ' + ends(lo, hi, show) : '';
// In a sentence, after its number.
const andInterval = (lo, hi, show) => isBound(lo) && isBound(hi) ? ', ' + ends(lo, hi, show) : '';

// A number with its interval, as a cell: its text, and the numbers themselves.
function withInterval(x, lo, hi, show) {
	if (!isNumber(x))
		return show(x);
	return Object.assign({ t: show(x) + interval(lo, hi, show), v: x }, isBound(lo) ? { lo } : {}, isBound(hi) ? { hi } : {});
}
function withError(x, error, digits) {
	if (!isNumber(x))
		return fix(x, digits);
	const least = Math.pow(10, -digits), small = error > 0 && error < least / 2;
	return Object.assign({ t: fix(x, digits) + (isNumber(error) ? ' ⟨ci|± ' + (small ? '< ' + fix(least, digits) : fix(error, digits)) + '⟩' : ''), v: x },
	    isNumber(error) ? { lo: x - error, hi: x + error } : {});
}

// A field of a row with its interval, as text and as dots beside the study's number.
const field = (row, name) => ({ value: row[name], lo: row[name + '_lo'], hi: row[name + '_hi'] });
const fieldInterval = (row, name, show) => withInterval(row[name], row[name + '_lo'], row[name + '_hi'], show);
const fieldDots = (row, name, theirs, range) => dots(row[name], row[name + '_lo'], row[name + '_hi'], theirs, range);

// A number with its interval as a dot and a line, and the study's as a diamond, on a scale. It
// repeats the text beside it.
const dots = (x, lo, hi, theirs, range) => isNumber(x) ? { t: '', dots: [x, lo, hi, theirs, ...range].map((one) => one === undefined ? null : one) } : '';
// The range of all numbers among these, for dots.
function rangeOf(list) {
	const known = list.filter(isNumber);
	return known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
}

// ---- lists ----

const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => list.length ? sum(list) / list.length : null;
const least = (list, of) => list.reduce((a, b) => of(b) < of(a) ? b : a);
const most = (list, of) => list.reduce((a, b) => of(b) >= of(a) ? b : a);
const sorted = (list, of) => list.map((one, i) => [one, of(one), i]).sort((a, b) => (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[2] - b[2])).map(([one]) => one);
const unique = (list) => [...new Set(list)];
const byNumber = (list) => unique(list).sort((a, b) => a - b);
const byName = (list) => unique(list).sort((a, b) => (a < b ? -1 : 1));
const square = (x) => x * x;

// ---- words ----

const plural = (n, one, many = one + 's') => count(n) + ' ' + (n === 1 ? one : many);
const andList = (list) => list.length < 2 ? list[0] || 'none' : list.slice(0, -1).join(', ') + ' and ' + list[list.length - 1];
const of = (k, n) => k === n && n > 1 ? 'all ' + n : k === 0 ? 'none of ' + n : k + ' of ' + n;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// ---- parts ----

const para = (text) => text ? [{ p: text }] : [];
const note = (text) => [{ note: text }];
const meta = (text) => [{ meta: text }];
const warning = (text) => [{ warning: text }];
const h3 = (title) => [{ h3: title }];
const list = (items) => items.length ? [{ list: items }] : [];
const folded = (title, parts) => parts.length ? [{ fold: title, parts }] : [];
const section = (id, title, ...parts) => [{ id, title, parts: parts.flat() }];
// A chart that the page draws, with words of its own.
const chart = (name) => [{ chart: name }];

// A column is a title, or [title] for one with numbers, or [title, {from, set, …}] if these come
// from elsewhere. A cell is text, or an object with the text t. The first cell of a row is its
// heading.
const table = (name, caption, columns, rows) => [{ table: slug(name), caption,
    columns: columns.map((column) => Array.isArray(column) ? Object.assign({ t: column[0], n: true }, column[1]) : { t: column }),
    rows: rows.map((row) => row.map((cell) => cell === null || cell === undefined ? '–' : cell)) }];
const changed = (parts, change) => parts.map((part) => part.table ? Object.assign(part, change) : part);
// Where a table's numbers come from: a table of the study, which sources.tsv has a command for,
// and what is to be put into it, such as the set of games.
// Counts become numbers that can be pressed, too.
const counted = (part) => part.rows.map((row) => row.map((cell, i) => part.columns[i] && part.columns[i].n && typeof cell === 'string' && /^\d[\d,]*$/.test(cell) ? { t: cell, v: Number(cell.replace(/,/g, '')) } : cell));
const from = (name, values, parts) => parts.map((part) => part.table ? Object.assign(part, { from: name, with: values, rows: counted(part) }) : part);
// Intervals under their numbers, for tables of many columns.
const stacked = (parts) => changed(parts, { look: 'stacked' });

return { isNumber, number, plain, slug, marked, fix, fixed, percent, count, signed, large, interval, andInterval, withInterval, withError, field, fieldInterval, fieldDots, dots, rangeOf,
    sum, mean, least, most, sorted, unique, byNumber, byName, square, plural, andList, of, capital, para, note, meta, warning, h3, list, folded, section, chart, table, changed, from, stacked };
})();
