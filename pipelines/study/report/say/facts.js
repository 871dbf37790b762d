// What changes against chess: the first screen, and a card for each rule set in the same form; and
// what stands on top of all.
const Facts = (() => {
'use strict';

const { isNumber, h3, fix, fixed, percent, signed, andInterval, withInterval, field, least, most, plural, andList, of, para, meta, list, section, table, changed, from,
    plain } = Say;

// ---- a number of a rule set beside that of chess ----

function measureOf(d, rules, name) {
	const row = d.at('measures', 1).find((one) => one.rules === rules && one.measure === name);
	return row ? { value: row.mean, lo: row.lo, hi: row.hi } : {};
}
function valueOf(d, rules, piece) {
	const rows = d.at('values', 1), row = [...rows.filter((one) => one.target === 'search'), ...rows.filter((one) => one.target !== 'search')].find((one) => one.rules === rules);
	return row ? field(row, piece) : {};
}
const bySearch = (d) => d.t.values.some((row) => row.target === 'search');
function entropyOf(d, rules) {
	const row = Choice.ofPrior(d, 'net').find((one) => one.rules === rules);
	return row ? Choice.fromError(row, 'h') : {};
}
const pairP = (d, rules, name) => (d.at('compare', 1).find((row) => row.a === rules && row.b === 'classical') || {})[name];

// How a number of a kind is shown, and a difference of two.
const points = (x) => fix(100 * x, 1);
const SHOW = { share: percent, whole: fixed(0), tenth: fixed(1), hundredth: fixed(2) };
const showDiff = (kind) => signed(kind === 'share' ? points : SHOW[kind]);

// Draw rates and scores are called different if their p, adjusted for all pairs (Holm), is below
// 5 %, other numbers if a 99 % interval of the difference excludes zero.
function sideOf(diff, p) {
	if (diff === null)
		return 'none';
	const open = isNumber(p) ? p >= 0.05 : diff.value - 1.315 * (diff.value - diff.lo) <= 0 && diff.value + 1.315 * (diff.hi - diff.value) >= 0;
	return open ? 'open' : diff.value > 0 ? 'more' : 'less';
}
function fact(name, unit, more, less, own, base, kind, source, p) {
	const diff = Results.against(own, base), side = sideOf(diff, p);
	return { name, unit, own, base, diff, kind, side, source, words: { more, less, open: 'cannot tell', none: '–' }[side] };
}

// A difference of entropies is one net's unless two nets agree on it.
function aboveFloor(d, rules, one) {
	const gap = Choice.floorGap(d, rules);
	if (!['more', 'less'].includes(one.side) || rules === 'classical')
		return one;
	if (gap === null)
		return Object.assign(one, { words: one.words + ', by this one net' });
	return Math.abs(one.diff.value) <= gap ? Object.assign(one, { side: 'open', words: 'below the noise floor' }) : one;
}

// What findings.tsv says: a difference that does not stand is open, and the reason is said.
function judged(d, rules, measure, one) {
	const found = d.t.findings.find((row) => row.rules === rules && row.measure === measure);
	return found && one.side !== 'none' && found.verdict === 'open' ? Object.assign(one, { side: 'open', words: Words.reason(d, found.reason) || 'cannot tell' }) : one;
}

function facts(d, rules) {
	const own = d.outcome(rules), base = d.outcome('classical'), how = bySearch(d) ? ', from search' : ', from results';
	const measured = (name, unit, more, less, measure, kind) => fact(name, unit, more, less, measureOf(d, rules, measure), measureOf(d, 'classical', measure), kind, 'measures');
	const piece = (name) => {
		const one = fact(Say.capital(name) + ', in pawns' + how, 'pawns', 'a more valuable ' + name, 'a less valuable ' + name, valueOf(d, rules, name), valueOf(d, 'classical', name), 'hundredth', 'values');
		return bySearch(d) ? judged(d, rules, 'values', one) : one;
	};
	return [judged(d, rules, 'draw_rate', fact('Draws', 'points', 'more draws', 'fewer draws', field(own, 'draw_rate'), field(base, 'draw_rate'), 'share', 'outcomes', pairP(d, rules, 'p_draw_holm'))),
	    judged(d, rules, 'score', fact('White’s score', 'points', 'better for White', 'worse for White', field(own, 'score'), field(base, 'score'), 'share', 'outcomes', pairP(d, rules, 'p_score_holm'))),
	    measured('Length, in plies', 'plies', 'longer games', 'shorter games', 'length', 'whole'), measured('Legal moves', 'legal moves', 'more choice', 'less choice', 'branching', 'tenth'),
	    measured('Lead changes', 'a game', 'more changes of the lead', 'fewer changes of the lead', 'lead-changes', 'hundredth'), measured('Comebacks', 'points', 'more comebacks', 'fewer comebacks', 'comebacks', 'share'),
	    judged(d, rules, 'entropy', aboveFloor(d, rules, fact('Opening choice, in nats', 'nats', 'wider openings', 'narrower openings', entropyOf(d, rules), entropyOf(d, 'classical'), 'tenth', 'entropy'))),
	    piece('knight'), piece('queen')].filter((one) => isNumber(one.own.value));
}

// The difference as a dot with its interval around the line of chess.
function differenceDots(one) {
	const most = one.diff ? Math.max(Math.abs(one.diff.lo), Math.abs(one.diff.hi)) : 0;
	return most === 0 ? '' : { t: '', dots: [one.diff.value, one.diff.lo, one.diff.hi, null, -most, most], zero: true };
}
function factRow(one) {
	const show = SHOW[one.kind], diff = showDiff(one.kind), cell = (x) => ({ t: show(x.value), v: x.value, lo: x.lo, hi: x.hi });
	return [one.name, cell(one.own), isNumber(one.base.value) ? cell(one.base) : '–', one.diff ? { t: diff(one.diff.value) + (one.kind === 'share' ? ' points' : '') + ' ⟨ci|' + diff(one.diff.lo) + ' to ' + diff(one.diff.hi) + '⟩',
	    v: one.diff.value, lo: one.diff.lo, hi: one.diff.hi } : '–', differenceDots(one), one.words];
}
// The rule set is said for the whole table, as its rows have numbers for headings.
const factTable = (d, id, rules, caption, all) => changed(table(id, caption, ['⟨hidden|Measure⟩', ['Here'], ['Chess'], ['Difference, 95 %'], '⟨hidden|Picture⟩', 'Verdict'], all.map(factRow)),
	{ look: 'facts', rules, from: 'outcomes', with: { set: '1', target: bySearch(d) && all.some((one) => one.source === 'values') ? 'search' : 'result' }, sides: all.map((one) => one.side), froms: all.map((one) => one.source) });

// Results as bars, of this rule set and of chess: White's wins, games worth a part of a point,
// draws, Black's wins.
function bars(d, rules) {
	const results = (row) => [['win', row.wins, 'White won'], ['partwin', row.part_wins || 0, 'part of a point, more to White'], ['draw', row.draws, 'drawn'], ['partloss', row.part_losses || 0, 'part of a point, more to Black'],
	    ['loss', row.losses, 'Black won']].map(([kind, n, words]) => ({ kind, n, words })).filter((one) => one.n > 0 || !one.kind.startsWith('part'));
	return [{ bars: Say.unique([rules, 'classical']).map((one) => d.outcome(one)).filter((row) => (row.games || 0) > 0).map((row) => ({ who: d.named(row.rules), rules: row.rules, games: row.games, results: results(row) })) }];
}

// What is certain, in a sentence.
function summary(d, rules) {
	const all = facts(d, rules), sure = all.filter((one) => ['more', 'less'].includes(one.side)), games = d.outcome(rules).games || 0;
	const open = all.filter((one) => one.side === 'open').map((one) => one.name.split(',')[0]).map((name) => name.startsWith('White') ? name : name.toLowerCase());
	return sure.length === 0 ? plural(games, 'game') + ' of each show no clear difference from chess.' :
	    'Compared with chess, in ' + plural(games, 'game') + ' of each: ' + andList(sure.map((one) => one.words + ' (' + showDiff(one.kind)(one.diff.value) + ' ' + one.unit + ')')) + '.' +
	    (open.length === 0 ? '' : ' No clear difference: ' + andList(open) + '.');
}

function specialWords(d, rules) {
	const some = d.at('special', 1).filter((row) => row.rules === rules && row.class === 'new' && isNumber(row.games_share)).map((row) => Words.kind(row.kind) + ' in ' + percent(row.games_share, 0) + ' of games');
	return some.length === 0 ? [] : meta('Special moves: ' + some.join('; ') + '.');
}

const SURE = 'Draws and White’s score are called different if p is below 5 % after adjustment for all pairs of rule sets and both measures (Holm), other numbers if a 99 % interval of the difference, wider than the one shown, excludes zero.';

// ---- what the user wishes ----

const VERDICTS = { met: '⟨good|met⟩', missed: '⟨bad|missed⟩', open: '⟨open|cannot tell⟩' };
const goalNumber = (row, aim) => isNumber(row.value) ? withInterval(row.value, row.lo, row.hi, ['fields', 'plies_mean', 'length', 'branching', 'lead-changes', 'prior_distance'].includes(aim) ? fixed(1) : percent) : '–';

const wish = (row) => plain(row.wish).replace(/'/g, '’');

// Is it a good rule? As the user's aims have it.
function goals(d, rules) {
	const own = d.t.goals.filter((row) => row.rules === rules);
	const those = [['met', 'meets'], ['missed', 'misses'], ['open', 'may or may not meet'], ['unknown', 'has no number for']].map(([verdict, words]) => [words, own.filter((row) => row.verdict === verdict).map((row) => wish(row))])
	    .filter(([, some]) => some.length > 0).map(([words, some]) => words + ' ' + some.length + ': ' + some.join('; '));
	return own.length === 0 ? [] : [...h3('Is it a good rule?'), ...para('Of your ' + plural(own.length, 'aim') + ' it ' + those.join('; it ') + '.'),
	    ...from('goals', {}, changed(table('goals-' + rules, 'Your aims, ' + d.sims(1) + ', with 95 % intervals', ['Aim', ['Here'], ['Chess'], 'Verdict'], own.map((row) =>
		[wish(row), goalNumber(row, row.measure), goalNumber(d.t.goals.find((one) => one.rules === 'classical' && one.wish === row.wish) || {}, row.measure), VERDICTS[row.verdict] || 'not measured'])), { rules }))];
}

// Which rule sets meet all aims.
function goalsHeadline(d) {
	const sets = d.names.map((rules) => [d.named(rules), d.t.goals.filter((row) => row.rules === rules).map((row) => row.verdict)]).filter(([, verdicts]) => verdicts.length > 0);
	const all = sets.filter(([, verdicts]) => verdicts.every((one) => one === 'met')).map(([name]) => name), open = sets.filter(([name, verdicts]) => !all.includes(name) && !verdicts.includes('missed')).map(([name]) => name);
	return sets.length === 0 ? [] : ['Your aims: ' + (all.length === 0 ? 'no rule set meets all of them for sure' : 'all are met in ' + andList(all)) + (open.length === 0 ? '.' : '; ' + andList(open) + ' may meet them: more games could tell.')];
}

// ---- the first screen ----

// The rule set that it is about: the user's own, or else the one that differs most from chess.
function subject(d) {
	const own = d.rules.find((one) => one.own), far = d.names.filter((rules) => rules !== 'classical').map((rules) => ({ rules, n: facts(d, rules).filter((one) => ['more', 'less'].includes(one.side)).length, p: pairP(d, rules, 'p_holm') ?? 1 }));
	return own ? own.rules : far.length ? far.sort((a, b) => a.p - b.p || b.n - a.n)[0].rules : null;
}

const about = (d, rules) => plain(d.sentence(rules) + d.untrained(rules)) + ' ' + summary(d, rules);

function cards(d) {
	const first = subject(d);
	return section('cards', 'Each rule set against chess', para('The same numbers for each, from the games at the first budget (' + d.sims(1) + '). ' + SURE),
	    d.names.filter((rules) => rules !== 'classical').map((rules) => ({ fold: d.named(rules), card: Say.slug(rules), parts: [...para(about(d, rules)), ...specialWords(d, rules), ...(rules === first ? [] : goals(d, rules)), ...bars(d, rules),
		...factTable(d, 'card-' + rules, rules, d.named(rules) + ' beside chess', facts(d, rules))] })));
}

function telling(d, rules) {
	const games = d.report.played.games.filter((game) => game.set === rules), game = games.find((one) => one.role.includes('special')) || games[0];
	return game ? [...h3('An example game'), { games: [Played.gameId(game)] }] : [];
}

function firstScreen(d) {
	const rules = subject(d);
	return rules === null ? [] : section('yours', (d.rules.find((one) => one.rules === rules).own ? 'Your rule against chess: ' + d.named(rules) : d.named(rules) + ' against chess'), [{ lead: about(d, rules) }], goals(d, rules), bars(d, rules),
	    factTable(d, 'yours', rules, d.named(rules) + ' beside chess', facts(d, rules)), meta(d.sims(1) + '. ' + SURE), telling(d, rules));
}

// ---- headlines ----

// An estimate has no more digits than these.
function twoDigits(x) {
	const unit = Math.pow(10, Math.floor(Math.log10(x)) - 1);
	return x < 100 ? Math.ceil(x) : Math.round(x / unit) * unit;
}

// How many games of each would show a difference.
function moreGames(d, budget, measure, test) {
	const have = test.games / Math.max(test.groups, 1), five = d.at('power', budget).map((row) => row[measure + '_games']).filter(isNumber).sort((a, b) => a - b);
	return isNumber(test.games_needed) ? 'about ' + plural(twoDigits(Math.max(test.games_needed - have, 0)), 'more game') + ' of each could, if the true differences are as large as they look' :
	    five.length ? 'a difference of five points would show in ' + plural(five[Math.floor(five.length / 2)], 'game') + ' of each' : 'more games could';
}

// The ends of a list are named only if they stay in this order at the longer budget and from the
// same openings.
function headline(d, measure, what, told) {
	const test = d.at('homogeneity', 1).find((row) => row.measure === measure) || {}, p = Say.number(test.p), ends = d.t.findings.find((row) => row.measure === 'extremes-' + measure) || {};
	if (p === null)
		return [];
	if (p >= 0.05)
		return [what + ': these games cannot tell the rule sets apart (p = ' + fix(p, 2) + '); ' + moreGames(d, 1, measure, test) + '.'];
	return [ends.verdict === 'open' ? what + ': the rule sets differ at ' + d.sims(1) + ', but the least and the most are ' + Words.reason(d, ends.reason) + '.' : told + 'The rule sets differ (p ' + (p < 0.001 ? '< 0.001' : '= ' + fix(p, 3)) + ').'];
}

// Least and most choice, if two nets agree on it.
function entropyHeadline(d) {
	const rows = Choice.ofPrior(d, 'net').filter((row) => d.knows(row.rules) && isNumber(row.h)), h = (row) => row.h;
	if (rows.length < 2)
		return [];
	const ends = [least(rows, h), most(rows, h)], both = ends.map((row) => Choice.floorOf(d, row.rules)), gap = ends[1].h - ends[0].h, second = both.every(Choice.hasBoth) ? both[1].h_second - both[0].h_second : null;
	const who = ends.map((row) => d.named(row.rules) + ' (' + fix(row.h, 1) + ' nats)').join(' and ') + ', ' + fix(gap, 1) + ' apart';
	return [second === null ? 'Least and most opening choice, by one net, without a noise floor: ' + who + '.' :
	    second > 0 && Math.abs(gap - second) < gap ? 'Least and most opening choice: ' + who + ', and ' + fix(second, 1) + ' by a second net with another seed.' :
	    'Opening choice: two nets with different seeds disagree on which rule sets have least and most, so nothing can be said.'];
}

// The rule sets with the least and the greatest number, if a test says that they differ at all.
function glance(d) {
	const known = (name) => d.at('outcomes', 1).filter((row) => isNumber(row[name]));
	const extreme = (row, name) => d.named(row.rules) + ' (' + percent(row[name]) + andInterval(row[name + '_lo'], row[name + '_hi'], percent) + ')';
	// from how many of the others the two ends clearly differ
	const apart = (name, p, a, b) => known(name).length < 3 || !d.t.compare.some((row) => isNumber(row[p])) ? '' : ' Clearly different from the others, adjusted for all pairs (Holm): ' + [a, b].map((end) =>
	    d.named(end.rules) + ' from ' + of(d.at('compare', 1).filter((row) => row.a === end.rules && isNumber(row[p]) && row[p] < 0.05).length, known(name).length - 1)).join(', ') + '.';
	// nothing: there are no two to speak of
	const told = (name, p, words) => {
		const rows = known(name), by = (row) => row[name];
		return rows.length < 2 ? '' : words(extreme(least(rows, by), name), extreme(most(rows, by), name)) + apart(name, p, least(rows, by), most(rows, by)) + ' ';
	};
	const see = (id, said) => said.map((words) => words + ' ⟨see|' + id + '⟩');
	return section('glance', 'At a glance', list([...see('yours', goalsHeadline(d)),
	    ...see('outcomes', headline(d, 'draw_rate', 'Draws', told('draw_rate', 'p_draw_holm', (a, b) => 'Fewest draws: ' + a + '. Most: ' + b + '.'))),
	    ...see('outcomes', headline(d, 'score', 'White’s score', told('score', 'p_score_holm', (a, b) => 'White scores most in ' + b + ', least in ' + a + '.'))),
	    ...see('nets', Nets.headline(d)), ...see('entropy', entropyHeadline(d)), ...see('agreement', [Agreement.sentence(d)])]));
}

return { firstScreen, glance, cards };
})();
