// How the study compares with the published one.
const Agreement = (() => {
'use strict';

const { isNumber, h3, number, fix, fixed, percent, count, interval, andInterval, fieldInterval, fieldDots, dots, rangeOf, sum, mean, least, most, unique, byName, plural, andList,
    of, para, note, list, folded, section, table, from, stacked } = Say;

// ---- single numbers and orders ----

// Levels are no numbers to be hit, only an order.
const isLevel = (row) => row.measure.startsWith('draw-rate');
const comparable = (row) => !isLevel(row) && [row.ours, row.theirs, row.ours_lo, row.ours_hi].every(isNumber);
const side = (row) => row.theirs < row.ours_lo ? 'above' : row.theirs > row.ours_hi ? 'below' : 'inside';
const SIDES = { above: '⟨bad|ours is higher⟩', below: '⟨bad|ours is lower⟩', inside: '⟨good|agree⟩' };

function order(row) {
	if (!isNumber(row.rho) || !isNumber(row.rho_lo) || (number(row.p) ?? 0) >= 0.05)
		return 'open';
	return row.rho_lo > 0 ? 'same' : isNumber(row.rho_hi) && row.rho_hi < 0 ? 'opposite' : 'open';
}
const ORDERS = { same: '⟨good|same order⟩', opposite: '⟨bad|opposite order⟩', open: '⟨open|cannot tell⟩' };

const isPiece = (measure) => /^(knight|bishop|rook|queen)(-search)?$/.test(measure);
const showOf = (measure) => isPiece(measure) || ['entropy', 'entropy-visits', 'entropy-first', 'divergence', 'entropy-uniform'].includes(measure) ? fixed(2) : percent;
const inSentence = (d, rows) => rows.map((row) => Words.measureInSentence(d, row.measure)).join('; ');
const those = (d, which) => d.t.agreement.filter((row) => order(row) === which);
const orderList = (d, which) => those(d, which).length === 0 ? 'none' : inSentence(d, those(d, which));

const withPairs = (row) => (row.pairs || 0) > 0 && isNumber(row.pairs_share);
// The pairs that the study tells apart, all measures of a kind together.
function pairsSentence(d) {
	const rows = d.t.agreement.filter(withPairs), known = rows.filter((row) => isNumber(row.pairs_expected)), share = (some, name) => percent(sum(some.map((row) => row.pairs * row[name])) / sum(some.map((row) => row.pairs)), 0);
	return rows.length === 0 ? '' : 'Of the pairs that differ in the study by more than its own error, ' + share(rows, 'pairs_share') + ' are in its order here, over all measures' + (known.length === 0 ? '.' :
	    '; where our errors are known it is ' + share(known, 'pairs_share') + ', and with these errors alone one would expect ' + share(known, 'pairs_expected') + '.');
}

function sentence(d) {
	const sides = d.t.agreement_data.filter(comparable).map(side);
	return 'Of ' + d.t.agreement.length + ' measures, ' + those(d, 'same').length + ' put the rule sets into an order like the study’s, ' + those(d, 'opposite').length + ' into the opposite one, and ' + those(d, 'open').length +
	    ' cannot be distinguished from chance. Of the study’s ' + sides.length + ' single numbers ' + sides.filter((one) => one === 'inside').length + ' lie within our 95 % interval. ' + pairsSentence(d);
}

// ---- tables ----

// What is expected with our errors, where they are known.
const expected = (x, show) => isNumber(x) ? ', expected ' + show(x) : '';
// The share of pairs in the study's order, and the rank correlation.
const pairsCell = (row) => (row.pairs || 0) === 0 ? '–' : percent(row.pairs_share, 0) + ' ⟨ci|of ' + count(row.pairs) + expected(row.pairs_expected, (x) => percent(x, 0)) + '⟩';
const rhoCell = (row) => isNumber(row.rho) ? { t: fix(row.rho, 2) + ' ⟨ci|' + fix(row.rho_lo, 2) + ' to ' + fix(row.rho_hi, 2) + expected(row.rho_expected, fixed(2)) + '⟩', v: row.rho, lo: row.rho_lo, hi: row.rho_hi } : '–';
// The correlation of logarithms, only for piece values.
const logCell = (row) => isPiece(row.measure) ? fix(row.r_log, 2) + (isNumber(row.r_log_expected) ? ' ⟨ci|expected ' + fix(row.r_log_expected, 2) + '⟩' : '') : '–';
const itemWords = (d, item) => item.split('/').map((one) => d.labels[one] === undefined ? Words.kind(one) : d.named(one)).join(', ');

function measureTable(d) {
	return from('agreement', { seed: d.run.seed ?? '1' }, stacked(table('agreement', 'Order of rule sets, ours against the study’s',
	    ['Measure', ['Items'], ['Pairs in the study’s order'], ['Rank correlation'], '● ours, ◇ expected with these errors', 'Verdict', ['Correlation of logarithms'], ['Study’s numbers within ours']], d.t.agreement.map((row) => {
		const sides = d.t.agreement_data.filter((one) => one.measure === row.measure && comparable(one)).map(side);
		return [Words.measure(d, row.measure), count(row.n), pairsCell(row), rhoCell(row), dots(row.rho, row.rho_lo, row.rho_hi, row.rho_expected, [-1, 1]), ORDERS[order(row)], logCell(row),
		    sides.length === 0 ? '–' : sides.filter((one) => one === 'inside').length + ' of ' + sides.length];
	    }))));
}

// ---- more than errors ----

// Two rule sets that differ in the study by more than its own error, and whether they are in its
// order here: what rankcorr(1) counts, row by row.
function pairsApart(rows) {
	const known = rows.filter((row) => isNumber(row.ours) && isNumber(row.theirs));
	return known.flatMap((a, i) => known.slice(0, i).map((b) => ({ items: [a.item, b.item], theirs: a.theirs - b.theirs, ours: a.ours - b.ours, se: Math.hypot(a.theirs_se || 0, b.theirs_se || 0) })))
	    .filter((pair) => pair.theirs !== 0 && Math.abs(pair.theirs) > 1.96 * pair.se).map((pair) => ({ items: pair.items, wrong: pair.theirs * pair.ours < 0 }));
}
// The row with most pairs in the wrong order.
function worstRow(d, measure) {
	const pairs = pairsApart(d.t.agreement_data.filter((row) => row.measure === measure)), of = (item) => pairs.filter((pair) => pair.items.includes(item));
	const items = byName(pairs.flatMap((pair) => pair.items)).map((item) => ({ item, of: of(item).length, wrong: of(item).filter((pair) => pair.wrong).length }));
	const worst = items.length === 0 ? { wrong: 0 } : most(items, (one) => one.wrong);
	return worst.wrong > 0 ? itemWords(d, worst.item) + ', ' + worst.wrong + ' of ' + worst.of + ' pairs' : '–';
}

// Measures that differ by more than our errors explain.
function errorsWords(d) {
	const known = d.t.agreement.filter((row) => isNumber(row.pairs_least)), beyond = known.filter((row) => isNumber(row.pairs_share) && row.pairs_share < row.pairs_least);
	return known.length === 0 ? [] : [...list(['⟨b|Errors, or more?⟩ If the study’s numbers were true and ours differed only by our errors, the share of pairs in its order would hardly ever be below a bound, which is found by simulating such errors. ' +
	    (beyond.length === 0 ? 'No measure is below it: more games could show more.' : 'Below it are ' + beyond.length + ' of ' + known.length + ' measures: ' + inSentence(d, beyond) +
		'. There more games alone will not help: strength, openings or method make the difference. In the others our errors are enough to explain the differences.')]),
	...(beyond.length === 0 ? [] : folded('By how much, and which rule set is most out of order', table('beyond', 'Measures with fewer pairs in the study’s order than errors explain', ['Measure', ['Share'], ['Bound'], 'Most out of order'],
	    beyond.map((row) => [Words.measure(d, row.measure), percent(row.pairs_share, 0), percent(row.pairs_least, 0), worstRow(d, row.measure)]))))];
}

// ---- beside players that know next to nothing, and without the two rule sets that differ most ----

const beside = (d, who, rules, measure) => d.t.beside.find((row) => row.who === who && row.rules === rules && row.measure === measure && withPairs(row)) || null;
// By more than 1.96 standard errors of the difference; not known if an error is not known.
const clearly = (a, b) => isNumber(a.pairs_se) && isNumber(b.pairs_se) && a.pairs_share - b.pairs_share > 1.96 * Math.hypot(a.pairs_se, b.pairs_se);
function beats(d, measure) {
	const ours = beside(d, 'ours', 'all', measure), others = ['legal', 'material'].map((who) => beside(d, who, 'all', measure)).filter(Boolean);
	return !ours || others.length === 0 ? 'none' : others.some((row) => row.pairs_share >= ours.pairs_share) ? 'no' : others.every((row) => clearly(ours, row)) ? 'yes' : 'unclear';
}
const BEATS = { yes: '⟨good|beats both⟩', no: '⟨bad|does not beat its baseline⟩', unclear: '⟨open|better, not clearly⟩', none: '–' };

// Ours beside another player (fairy: Fairy-Stockfish; before: a former study), over the same pairs.
const OTHERS = [['fairy', 'Fairy-Stockfish', 'Beside it'], ['before', 'A former study', 'Beside that']];
const isBeside = (d, who) => d.t.beside.some((row) => row.who === who);
function beatsOther(d, who, measure) {
	const ours = beside(d, 'ours', who, measure), theirs = beside(d, who, who, measure);
	return !ours || !theirs ? 'none' : ours.pairs_share <= theirs.pairs_share ? 'no' : clearly(ours, theirs) ? 'yes' : 'unclear';
}
const BEATS_OTHER = { yes: '⟨good|beats it⟩', no: '⟨bad|does not beat it⟩', unclear: '⟨open|better, not clearly⟩', none: '–' };

function otherCell(d, who, measure) {
	const ours = beside(d, 'ours', who, measure), theirs = beside(d, who, who, measure);
	return !ours || !theirs ? '–' : percent(theirs.pairs_share, 0) + ' ⟨ci|of ' + count(theirs.pairs) + ', here ' + percent(ours.pairs_share, 0) + '⟩';
}

function otherSentence(d, who, measures) {
	const verdicts = measures.map((measure) => beatsOther(d, who, measure)).filter((verdict) => verdict !== 'none'), those = (verdict) => verdicts.filter((one) => one === verdict).length;
	return 'Over the same pairs, ours clearly beats it in ' + those('yes') + ' of ' + plural(verdicts.length, 'measure') + ', is better but not clearly in ' + those('unclear') + ', and does not beat it in ' + those('no') + '.';
}

function fairySentence(d, measures) {
	if (!isBeside(d, 'fairy'))
		return ' Fairy-Stockfish did not play: it was left out or not installed, or knows too few of these rule sets.';
	const { engine = 'Fairy-Stockfish', rules = [] } = d.run.fairy || {}, label = (name) => (d.rules.find((one) => one.rules === name) || { label: name }).label;
	return ' ' + engine + ' plays ' + rules.length + ' of ' + d.rules.length + ' rule sets as we do (' + andList(rules.map(label)) + '). After the first plies of our games it played against itself, with as many nodes as take it about the CPU time of our player. ' +
	    otherSentence(d, 'fairy', measures);
}

const beforeSentence = (d, measures) => !isBeside(d, 'before') ? '' : ' The former study is that of commit ' + ((d.run.before || {}).commit || 'unknown') + ', net ' + ((d.run.before || {}).net || 'unknown') + '. ' + otherSentence(d, 'before', measures);

function besidePart(d) {
	const measures = d.t.beside.filter((row) => row.who === 'ours' && row.rules === 'all' && (row.pairs || 0) > 0 && !row.measure.endsWith('-search')).map((row) => row.measure);
	const share = (row) => row ? percent(row.pairs_share, 0) + ' ⟨ci|of ' + count(row.pairs) + '⟩' : '–', those = (verdict) => measures.filter((measure) => beats(d, measure) === verdict).length;
	const shown = OTHERS.filter(([who]) => isBeside(d, who)), alone = (row) => row && isNumber(row.pairs_expected) ? percent(row.pairs_expected, 0) : '–';
	return measures.length === 0 ? [] : [
	    ...para('⟨b|Beside trivial players.⟩ A player that knows only which moves are legal, and one that counts pieces and searches as much as ours, put rule sets into some order, too. Of ' + plural(measures.length, 'measure') +
		' ours clearly beats both in ' + those('yes') + ', is better but not clearly in ' + those('unclear') + ', and does not beat one of them in ' + those('no') +
		'. Torpedo and Pawn-sideways differ most from chess; without them the other pairs are harder to put into order.' + fairySentence(d, measures) + beforeSentence(d, measures)),
	    ...stacked(table('beside', 'Share of the study’s pairs in its order, beside baselines', ['Measure', ['Here'], ['Without torpedo, pawn-sideways'], ['Errors alone'], ['Legal moves alone'], ['Material alone'], 'Verdict',
		...shown.flatMap(([, title, verdict]) => [[title], verdict])],
		measures.map((m) => [Words.measure(d, m), share(beside(d, 'ours', 'all', m)), share(beside(d, 'ours', 'without', m)), alone(beside(d, 'ours', 'all', m)), share(beside(d, 'legal', 'all', m)), share(beside(d, 'material', 'all', m)), BEATS[beats(d, m)],
		    ...shown.flatMap(([who]) => [otherCell(d, who, m), BEATS_OTHER[beatsOther(d, who, m)]])])))];
}

// ---- every number ----

function pairTable(d, measure) {
	const rows = d.t.agreement_data.filter((row) => row.measure === measure), show = showOf(measure), range = rangeOf(rows.flatMap((row) => [row.ours, row.ours_lo, row.ours_hi, isLevel(row) ? null : row.theirs]));
	return from('agreement-data', {}, table('pairs-' + measure, Words.measure(d, measure), ['Item', ['Ours'], ['Study’s'], 'Verdict', '● ours, ◇ the study’s'], rows.map((row) => [itemWords(d, row.item), fieldInterval(row, 'ours', show),
	    isLevel(row) ? ['decisive', 'between', 'drawish'][row.theirs - 1] || '–' : show(row.theirs), isLevel(row) || !isNumber(row.ours_lo) || !isNumber(row.theirs) ? '⟨open|–⟩' : SIDES[side(row)],
	    fieldDots(row, 'ours', isLevel(row) ? null : row.theirs, range)])));
}

// ---- what strong play should show ----

// What one expects before any game is played, and the result. An expectation that fails is an open
// question, unless the same games explain it.
function expectations(d) {
	const good = '⟨good|as expected⟩', bad = '⟨bad|not as expected: an open question⟩', open = '⟨open|cannot tell⟩';
	const known = (budget) => d.at('outcomes', budget).filter((row) => isNumber(row.draw_rate_lo) && isNumber(row.score_lo)), outcome = (budget, rules) => known(budget).find((row) => row.rules === rules);
	const told = (row, name, show = percent) => show(row[name]) + andInterval(row[name + '_lo'], row[name + '_hi'], show), said = [], add = (...row) => said.push(row);
	const chess = outcome(1, 'classical'), longer = outcome(2, 'classical'), torpedo = outcome(1, 'torpedo'), others = (name) => d.at('outcomes', 1).filter((row) => isNumber(row[name + '_lo']));
	if (chess && longer)
		add('More thinking brings more draws in chess.', told(chess, 'draw_rate') + ' at ' + d.sims(1) + '; ' + told(longer, 'draw_rate') + ' at ' + d.sims(2),
		    longer.draw_rate_lo > chess.draw_rate_hi ? good : longer.draw_rate_hi < chess.draw_rate_lo ? bad : open);
	if (chess)
		add('White has the advantage in chess.', told(chess, 'score'), chess.score_lo > 0.5 ? good : chess.score_hi < 0.5 ? bad : open);
	if (torpedo && others('draw_rate').length >= 3) {
		const fewest = least(others('draw_rate'), (row) => row.draw_rate), next = least(others('draw_rate').filter((row) => row.rules !== 'torpedo'), (row) => row.draw_rate);
		add('Torpedo has the fewest draws.', told(torpedo, 'draw_rate') + '; ' + (fewest.rules === 'torpedo' ? 'next' : 'fewest') + ': ' + d.named(next.rules) + ', ' + told(next, 'draw_rate'),
		    torpedo.draw_rate_hi < next.draw_rate_lo ? good : fewest.rules === 'torpedo' ? good + ', but not clearly apart from the next' : torpedo.draw_rate_lo > next.draw_rate_hi ? bad : open);
	}
	if (torpedo && others('score').length >= 3) {
		const alike = d.at('homogeneity', 1).some((row) => row.measure === 'score' && (number(row.p) ?? 0) >= 0.05), best = least(others('score').filter((row) => row.rules !== 'torpedo'), (row) => -row.score);
		add('Torpedo is best for White.', told(torpedo, 'score') + '; best of the others: ' + d.named(best.rules) + ', ' + told(best, 'score'),
		    alike ? open : torpedo.score >= best.score ? good : torpedo.score_hi < best.score_lo ? bad : open);
	}
	for (const [rules, kind, share, words] of [['stalemate-win', 'stalemate-win', 0.1, 'Where stalemate wins, more than a tenth of decisive games end that way.'], ['classical', 'castle', 0.5, 'In most games of chess someone castles.']]) {
		const row = d.at('special', 1).find((one) => one.rules === rules && one.kind === kind && isNumber(one.games_share_lo));
		if (row)
			add(words, told(row, 'games_share', (x) => percent(x, 0)), row.games_share_lo > share ? good : row.games_share_hi < share ? bad : open);
	}
	return said;
}
const expectationPart = (d) => expectations(d).length === 0 ? [] : [...h3('Expectations and results'), ...table('expected', 'What strong play should show, and what these games show', ['Expected', 'Here', 'Verdict'], expectations(d))];

// ---- why they may differ ----

const meanWidth = (rows, name) => mean(rows.filter((row) => isNumber(row[name + '_lo'])).map((row) => (row[name + '_hi'] - row[name + '_lo']) / 2));

function reasons(d) {
	const { run, net } = d, step = Object.entries(net.metadata || {}).find(([key]) => /(^|[._])steps?$/.test(key)), steps = step ? number(step[1]) : null;
	return [...h3('Why they may differ'), ...list(['⟨b|Strength.⟩ The study’s players searched each position for a second or a minute on fast hardware, with nets trained for a million steps on 4,096 positions each. Ours have ' +
	    andList(d.asked.map((one) => count(one.sims))) + ' ' + d.unit + 's a move' + (steps ? ', and a net of ' + count(steps) + ' steps' : '') + (net.fallback === true ? ', and no net at all' : '') +
	    '. Strength affects everything: how often games are drawn, whether an advantage is kept, whether a special move is found, how strongly the prior prefers one move.',
	...(net.fallback === true || ['material', 'uniform'].includes(net.games) ? [] : ['⟨b|One net.⟩ Here one net, which is given the rules, plays all rule sets; the study trained one for each. Differences between rule sets may show less sharply that way.']),
	'⟨b|Number of games.⟩ ' + d.budgets.map((budget) => 'At ' + d.sims(budget) + ' the draw rate is known to ± ' + percent(meanWidth(d.at('outcomes', budget), 'draw_rate')) + ' and the score to ± ' +
	    percent(meanWidth(d.at('outcomes', budget), 'score')) + ', on average over rule sets. ').join('') + 'The study’s scores of neighbouring rule sets often differ by one or two points.']),
	...errorsWords(d), ...Why.words(d),
	...list(['⟨b|Method.⟩ The study fits piece values to results of “10,000 games” in one place and of “10,000 positions” in another; we take all positions of all games, and assume that its error is that of ' +
	    '10,000 games. Fitting values to our search is not its method, but has smaller errors. It shows draw rates only as bars, so there is no bound for them. Its priors come from nets that learnt one rule set each, from far ' +
	    'more games; ours is one net for all, and wider.',
	'⟨b|The study’s own errors.⟩ Its numbers come without intervals. With 1,000 games a score has an error of about half a point to a point and a half; where we say that numbers differ, we consider only our own interval.'])];
}

const agreement = (d) => section('agreement', 'Agreement with the study', para(sentence(d) + ' Same order: ' + orderList(d, 'same') + '. Opposite: ' + orderList(d, 'opposite') + '.'), besidePart(d),
	folded('The numbers behind it, and why they may differ', [...measureTable(d),
	    ...note('Pairs: of the pairs of rule sets that differ in the study by more than its own error (estimated from ours for one game and its number of games), ' +
		'the share that is in its order here. Expected: the average if the study’s numbers were true and ours differed only by our errors (◇ for the rank correlation); ' +
		'these games cannot be expected to agree more closely. The order is called the same if the whole interval of Spearman’s rank correlation is above zero, opposite if it is below, and only ' +
		'if fewer than 5 % of all orders would correlate as strongly by chance. The study calls rule sets decisive or drawish without giving draw rates; for draw rates only this order counts.'),
	    ...expectationPart(d), ...reasons(d),
	    ...folded('Every number, ours and the study’s', unique(d.t.agreement_data.map((row) => row.measure)).flatMap((measure) => pairTable(d, measure)))]));

return { sentence, agreement, expectations, beats, clearly, withPairs };
})();

// Why a measure agrees less with the study than it should: too few games, strength, openings or
// method. Compared are halves of the same games, more thinking, the same lines, other positions and
// the search's own values; only what is better by more than the errors of both is called a reason.
const Why = (() => {
'use strict';

const { isNumber, number, fix, percent, count, mean, unique, list, folded, note, table, stacked } = Say;

// The share of the study's pairs at which we say that a measure agrees.
const AIMS = { 'score-1': 0.85, 'draw-rate-1': 0.85, 'knight': 0.9, 'bishop': 0.9, 'rook': 0.9, 'queen': 0.9, 'special-games': 0.9, 'special-moves': 0.9 };
const asked = (d) => d.t.agreement.filter((row) => AIMS[row.measure] !== undefined && Agreement.withPairs(row));

// A measure with its cases. "search" has its rows among the agreement's.
const cases = (d, measure) => Object.assign(Object.fromEntries(d.t.reasons.filter((row) => row.measure === measure).map((row) => [row.case, row])),
	{ 'search': d.t.agreement.find((row) => row.measure === measure + '-search'), 'quiet-search': d.t.reasons.find((row) => row.case === 'quiet' && row.measure === measure + '-search') });

// Whether the errors of our numbers explain why the share is no higher. Levels have no bound; for
// them the aim must be within the error of the share.
const errorsSuffice = (row) => isNumber(row.pairs_least) ? row.pairs_share >= row.pairs_least : isNumber(row.pairs_se) && row.pairs_share + 1.96 * row.pairs_se >= AIMS[row.measure];
// Rule sets whose scores or draw rates our own games cannot tell apart.
const alike = (d, row) => d.at('homogeneity', 1).some((one) => one.measure === { 'score-1': 'score', 'draw-rate-1': 'draw_rate' }[row.measure] && (number(one.p) ?? 0) >= 0.05);

// What explains a row of the agreement: "met", "games", "flat", and those variations that help.
const HELP = [['second', 'strength'], ['shared', 'openings'], ['quiet', 'positions'], ['search', 'search'], ['quiet-search', 'search']];
function causes(d, row) {
	const all = cases(d, row.measure);
	return row.pairs_share >= AIMS[row.measure] ? ['met'] : [...(errorsSuffice(row) ? ['games'] : []), ...(alike(d, row) ? ['flat'] : []),
	    ...unique(HELP.filter(([name]) => all[name] && isNumber(all[name].pairs_share) && Agreement.clearly(all[name], row)).map(([, cause]) => cause))];
}

const CAUSES = { games: 'games: our errors are large enough to explain it', flat: 'our rule sets do not differ clearly in it', strength: 'strength: more thinking brings it closer',
	openings: 'openings: the same lines bring it closer', positions: 'method: quiet positions bring it closer', search: 'method: search values are closer' };
function verdict(d, row) {
	const some = causes(d, row);
	return some[0] === 'met' ? '⟨good|agrees⟩' : some.length === 0 ? 'not errors alone; nothing that was varied here explains it' : [...(some.includes('games') ? [] : ['not errors alone']), ...some.map((one) => CAUSES[one])].join('; ');
}

function whyTable(d) {
	const share = (row) => row && isNumber(row.pairs_share) ? percent(row.pairs_share, 0) + (isNumber(row.pairs_se) ? ' ⟨ci|± ' + fix(100 * row.pairs_se, 0) + '⟩' : '') : '–', plainly = (x) => isNumber(x) ? percent(x, 0) : '–';
	return stacked(table('why', 'Pairs in the study’s order: games, strength, openings or method?',
	    ['Measure', ['Aim'], ['Here'], ['Errors alone'], ['Half of the games'], ['Halves alike'], ['More thinking'], ['Same lines'], ['Quiet positions'], ['Search values'], ['Search values, quiet'], 'What explains it'], asked(d).map((row) => {
		const all = cases(d, row.measure), halves = ['half-1', 'half-2'].map((name) => (all[name] || {}).pairs_share).filter(isNumber);
		return [Words.measure(d, row.measure), percent(AIMS[row.measure], 0), share(row), plainly(row.pairs_expected), halves.length < 2 ? '–' : percent(mean(halves), 0), plainly((all.halves || {}).pairs_share),
		    ...['second', 'shared', 'quiet', 'search', 'quiet-search'].map((name) => share(all[name])), verdict(d, row)];
	    })));
}

// The spread of White's scores without errors, beside the study's.
function scoreWords(d) {
	const theirs = d.t.agreement_data.filter((row) => row.measure === 'score-1' && isNumber(row.theirs) && isNumber(row.ours)).map((row) => row.theirs), ours = d.at('homogeneity', 1).find((row) => row.measure === 'score');
	if (theirs.length < 3 || !ours)
		return '';
	const spread = Math.sqrt(Say.sum(theirs.map((x) => Say.square(x - mean(theirs)))) / (theirs.length - 1));
	return ' ⟨b|White’s score⟩ differs between rule sets by ' + fix(100 * ours.spread, 1) + ' points here (standard deviation, without the part due to errors), in the study by ' + fix(100 * spread, 1) +
	    (number(ours.p) >= 0.05 ? ': these games do not show that it differs at all' + (isNumber(ours.games_needed) ? '; ' + count(ours.games_needed) + ' games of each rule set would' : '') : '') + '.';
}

const SENTENCES = [['games', 'The errors of so few games explain the gap in'], ['flat', 'Our rule sets do not differ clearly in'], ['strength', 'More thinking is clearly closer to the study in'],
	['openings', 'The same lines under all rules are clearly closer in'], ['positions', 'Quiet positions are clearly closer in'], ['search', 'Search values are clearly closer than results in']];
function words(d) {
	const rows = asked(d), why = rows.map((row) => ({ causes: causes(d, row), name: Words.measureInSentence(d, row.measure) })), named = (some) => some.map((one) => one.name).join('; '), those = (cause) => why.filter((one) => one.causes.includes(cause));
	const none = why.filter((one) => one.causes.length === 0);
	return rows.length === 0 || d.t.reasons.length === 0 ? [] : [...list(['⟨b|Games, strength, openings or method?⟩ Of ' + rows.length + ' measures ' + those('met').length + ' have as many pairs in the study’s order as we aim for. ' +
	    SENTENCES.filter(([cause]) => those(cause).length > 0).map(([cause, text]) => text + ': ' + named(those(cause)) + '. ').join('') +
	    (none.length === 0 ? '' : 'Neither errors nor anything that was varied here explains the gap in: ' + named(none) + '. Possible causes not tested here: the net, its openings, strength beyond these budgets, and the study’s own errors, which are estimated. ') +
	scoreWords(d)]),
	...folded('Each measure with half of the games, more thinking, the same lines, quiet positions, and search values', [...whyTable(d),
	    ...note('Each cell is the share of the study’s pairs that are in its order, ± its standard error; the pairs are the same throughout. Errors alone: the share that is expected with our errors if the study’s numbers are true. ' +
		'Half of the games: the mean of the two halves. Halves alike: the share of all pairs that both halves put into the same order; 50 % is chance. More thinking: the games of the second budget. Same lines: ' +
		'games that follow the first plies of classical ones. Quiet positions: piece values without positions just before or after a capture or promotion. Clearly closer: by more than 1.96 standard errors of the difference.')])];
}

return { words };
})();
