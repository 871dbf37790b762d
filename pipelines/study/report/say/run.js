// What was run.
const Run = (() => {
'use strict';

const { plain, capital, count, plural, andList, warning, section, table } = Say;

// A net's file name, without its folder and without the prefix that setup gives a user's file.
const fileName = (path) => path.split('/').pop().replace(/^[0-9a-f]{4}-/, '');

function netWords({ net }) {
	const games = net.games === net.prior || !net.prior ? fileName(net.games || net.file || 'unknown') : 'games by ' + fileName(net.games) + ', priors by ' + fileName(net.prior);
	return games + ((net.hash || net.games) !== net.games ? ', hash ' + net.hash : '');
}

function learnt(d) {
	if ((d.net.learnt || 0) > 0)
		return [['Learnt first', plural(d.learningGames, 'game') + ' of all rule sets in ' + plural(d.net.learnt, 'generation') + ', starting from the shipped net' + ((d.net.learning || {}).better === false ? '; it got no better, so the shipped net plays' : '')]];
	return (d.run.own || []).length === 0 ? [] : [['Learnt first', 'nothing: the net was not trained on the user’s own rule sets, but is given the rule fields that it knows']];
}

function rows(d) {
	const { run, unit } = d, recorded = Object.entries(d.net.metadata || {}), how = { gumbel: 'sampled by Gumbel search', ab: 'drawn among good moves' };
	const row = (some, title, words) => some ? [[title, words(some)]] : [];
	return [['Rule sets', (run.rules || []).length + ': ' + andList(d.rules.map((one) => one.label))], ['Player', netWords(d)], ...learnt(d),
	    ...(recorded.length === 0 ? [] : [['Recorded in the net', recorded.map(([key, value]) => key.replace(/^rulelab\./, '') + ' ' + value).join(', ')]]),
	    ...d.asked.map((one) => ['Budget ' + one.budget, count(one.games) + ' games of each rule set at ' + plural(one.sims, unit) + ' a move, the first ' + one.sample_plies + ' plies ' + (how[one.search] || 'drawn by visits') +
		((one.noise || 0) !== 0 ? ', noise ' + one.noise + ' at the root' : '') + '; the study: ' + (one.budget === 1 ? '10,000 games at 1 s' : '1,000 games at 1 min') + ' a move']),
	    ...row(run.shared, 'The same lines', (one) => count(one.games) + ' games of each rule set, ' + plural(one.sims, unit) + ' a move'),
	    ...row(run.held, 'Held out', (one) => count(one.games) + ' games of each rule set at ' + plural(one.sims, unit) + ' a move, to judge the lines over budgets, which are not fitted to them'),
	    ...row(run.fairy && (run.fairy.rules || []).length > 0 && run.fairy, 'Fairy-Stockfish', (one) => one.engine + ' against itself: ' + count(one.games) + ' games of each of ' + plural(one.rules.length, 'rule set') + ' at ' +
		plural(one.nodes, 'node') + ' a move, after the first plies of our games'),
	    ...row(run.openings, 'Openings', (one) => count(one.games) + ' games of each at ' + plural(one.sims, unit) + ' a move; the study: 1,000'),
	    ...row(run.mainlines, 'Main lines', (one) => plural(one.plies, 'ply', 'plies') + ' at ' + plural(one.sims, unit) + ' a move'),
	    ...row(run.lines, 'Sampled lines', (one) => count(one.lines) + ' of ' + plural(one.plies, 'ply', 'plies') + ' for each rule set; the study: 10,000 of 20'),
	    ['Games counted', count(Say.sum([...d.t.outcomes, ...d.t.openings].map((one) => one.games || 0))) + ' in outcomes and openings; games of the same lines, of the ladder and of matches are not included'],
	    ['Scale and seed', (run.scale || 'unknown') + ', seed ' + (run.seed ?? 'unknown')], ['Program', (run.version || 'unknown') + (run.commit ? ', commit ' + run.commit : '')],
	    ['Machine and time', 'see run.json beside this page, the only result that differs between two equal runs']];
}

// A warning that the games or the prior had no net.
function fallback({ net }) {
	const some = [{ material: 'Games were played by a search that only counts material', uniform: 'Games were played by a search that values all positions alike' }[net.games],
	    { uniform: 'the prior gives all moves the same probability', material: 'the prior knows only material' }[net.prior]].filter(Boolean);
	return some.length === 0 ? [] : warning((net.fallback === true ? 'No net was found. ' : '') + capital(andList(some)) + '. Numbers based on this show that the pipeline works, but say next to nothing about chess.');
}

const run = (d) => section('run', 'What was run', fallback(d), [{ terms: rows(d).map((row) => row.map(plain)) }],
	table('rules', 'The rule sets', ['Rule set', 'What differs from classical chess'], d.rules.map((one) => [one.label, d.sentence(one.rules)])));

return { run, fallback };
})();
