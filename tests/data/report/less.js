// Run by report.t after the scripts in say/: what is said of a report of which tables are empty, one
// by one, alone, all, or without some of their rows at random, or rule sets, games or the run are
// missing. Prints what is said of something that is not there, and "said N times".
const whole = require('fs').readFileSync(process.argv[2], 'utf8'), tables = Object.keys(JSON.parse(whole).tables), found = new Set();
let times = 0, seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

function look(value, what) {
	if (typeof value === 'string' && /undefined|NaN|\bnull\b|Infinity|\[object/.test(value))
		found.add(what + ': ' + value);
	else if (value && typeof value === 'object')
		Object.values(value).forEach((one) => look(one, what));
}
function without(what, change) {
	const report = JSON.parse(whole);
	change(report);
	times++;
	try {
		look(Report.say(report), what);
	} catch (error) {
		found.add(what + ': ' + error.stack.split('\n').slice(0, 2).join(''));
	}
}
const empty = (report, some) => some.forEach((name) => { report.tables[name].rows = []; });

without('nothing', () => {});
for (const name of tables) {
	without(name, (report) => empty(report, [name]));
	without('all but ' + name, (report) => empty(report, tables.filter((one) => one !== name)));
}
without('all tables', (report) => empty(report, tables));
without('the run', (report) => { report.run = {}; });
without('the run and all tables', (report) => { report.run = {}; empty(report, tables); });
without('games', (report) => { report.played = { games: [], mainlines: [], long: [], results: [] }; });
without('themes, matches and the published study', (report) => { report.themes = report.strength = report.published = []; });
without('rule sets', (report) => { report.rules = []; });
without('all rule sets but chess', (report) => { report.rules = report.rules.slice(0, 1); });
without('chess', (report) => { report.rules = report.rules.slice(1); });
for (let i = 0; i < 100; i++)
	without('some rows, ' + i, (report) => tables.forEach((name) => {
		const share = random();
		report.tables[name].rows = report.tables[name].rows.filter(() => random() < share);
	}));
found.forEach((one) => console.log(one));
console.log('said ' + times + ' times');
