// A study, from report.json: its tables as rows, and what is asked of them in many places.
const Study = (() => {
'use strict';

const { isNumber, plain, plural } = Say;

// A piece value whose 95 % interval is not positive and within a factor of 4 is none.
function onlyDetermined(row) {
	const kept = Object.assign({}, row);
	for (const piece of Object.keys(row).filter((name) => name.endsWith('_lo')).map((name) => name.slice(0, -3))) {
		const [lo, hi] = [row[piece + '_lo'], row[piece + '_hi']];
		if (isNumber(row[piece]) && (!isNumber(lo) || !isNumber(hi) || lo <= 0 || hi > 4 * lo))
			kept[piece] = kept[piece + '_lo'] = kept[piece + '_hi'] = null;
	}
	return kept;
}

// The published study's numbers, by measure and item.
function published(report, compared) {
	const theirs = {};
	for (const row of [...compared, ...report.published]) {
		const of = theirs[row.measure] = theirs[row.measure] || {};
		if (of[row.item] === undefined || of[row.item] === null)
			of[row.item] = row.theirs;
	}
	return theirs;
}

function open(report) {
	const t = new Proxy({}, { get: (known, name) => known[name] || [] });
	for (const name in report.tables) {
		const { columns, rows } = report.tables[name];
		t[name.replace(/-/g, '_')] = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
	}
	t.values = t.values.map(onlyDetermined);
	const labels = Object.fromEntries(report.rules.map((one) => [one.rules, one.label]));
	const told = Object.fromEntries(report.rules.map((one) => [one.rules, one]));
	const theirs = published(report, t.agreement_data), budgets = report.run.budgets || [], unit = (budgets[0] || {}).search === 'ab' ? 'node' : 'simulation';
	const at = (name, budget) => t[name].filter((row) => row.budget === budget);
	return { report, t, rules: report.rules, names: report.rules.map((one) => one.rules), labels, run: report.run, net: report.run.net || {}, asked: budgets, first: budgets[0] || {}, unit, theirs: (measure, item) => (theirs[measure] || {})[item],
	    published: (measure) => theirs[measure] || {},
	    named: (rules) => plain(labels[rules] === undefined ? rules : labels[rules]),
	    // what a rule set changes, and what its player was not trained on, if anything
	    sentence: (rules) => (told[rules] || {}).sentence || '',
	    untrained: (rules) => (told[rules] || {}).untrained ? ' The net was not trained on ' + told[rules].untrained + ': it plays by the rules, but evaluates positions as in chess.' : '',
	    at, budgets: [...new Set(t.outcomes.map((row) => row.budget))].sort((a, b) => a - b),
	    outcome: (rules) => at('outcomes', 1).find((row) => row.rules === rules) || {},
	    sims: (budget) => {
		const row = t.outcomes.find((one) => one.budget === budget);
		return row ? plural(row.sims, unit) + ' a move' : 'no games';
	    },
	    // games by which the user's own rules were learnt first
	    learningGames: (report.run.net || {}).learnt ? report.run.net.learnt * (report.run.net.learn_games || 0) * (report.run.rules || []).length : 0,
	    knows: (rules) => !t.untold.some((row) => row.net === 'prior' && row.rules === rules)
	};
}

const lastPly = (rows) => {
	const last = Math.max(...rows.map((row) => row.ply));
	return rows.filter((row) => row.ply === last);
};

return { open, lastPly };
})();
