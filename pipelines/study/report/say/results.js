// What the games gave: outcomes, comparisons, openings, special moves, piece values, lengths.
const Results = (() => {
'use strict';

const { isNumber, h3, fix, fixed, percent, count, signed, interval, andInterval, withInterval, field, fieldInterval, fieldDots, rangeOf, sum, mean, least, most, sorted, unique,
    byName, plural, andList, of, para, note, list, folded, section, chart, table, changed, from, stacked } = Say;

const budgetWords = (budget) => budget === 1 ? 'shorter' : 'longer';

// The difference of two numbers with intervals, and its interval (Newcombe's: the distances to the
// ends add up as squares); null if one of them is not known.
function against(own, base) {
	if (![own, base].every((one) => isNumber(one.value) && isNumber(one.lo) && isNumber(one.hi)))
		return null;
	const value = own.value - base.value;
	return { value, lo: value - Math.hypot(own.value - own.lo, base.hi - base.value), hi: value + Math.hypot(own.hi - own.value, base.value - base.lo) };
}

// ---- outcomes ----

function outcomeTable(d, budget) {
	const theirs = (row) => d.theirs('score-' + budget, row.rules), rows = d.at('outcomes', budget);
	const range = rangeOf(rows.flatMap((row) => [row.score_lo, row.score_hi, row.score, theirs(row)])), parts = rows.some((row) => (row.part_wins || 0) + (row.part_losses || 0) > 0);
	return from('outcomes', { set: String(budget) }, table('outcomes-' + budget, 'Outcomes at ' + d.sims(budget) + ', with 95 % credible intervals',
	    ['Rule set', ['Games'], ['White won'], ['Drawn'], ['Black won'], ...(parts ? [['Part of a point, more to White'], ['… to Black']] : []), ['Draw rate'], ['White’s score'], ['Study’s'], ['Study’s, training'], 'Score: ● ours, ◇ the study’s'],
	    rows.map((row) => [d.named(row.rules), count(row.games), count(row.wins), count(row.draws), count(row.losses), ...(parts ? [count(row.part_wins || 0), count(row.part_losses || 0)] : []),
		fieldInterval(row, 'draw_rate', percent), fieldInterval(row, 'score', percent), percent(theirs(row)), percent(d.theirs('score-training', row.rules)), fieldDots(row, 'score', theirs(row), range)])));
}

function parsed(json) {
	try {
		return JSON.parse(json) || {};
	} catch (error) {
		return {};
	}
}

function endsTable(d, budget) {
	const rows = d.at('outcomes', budget).map((row) => Object.assign({}, row, { ends: parsed(row.ends) })), ends = byName(rows.flatMap((row) => Object.keys(row.ends)));
	return from('outcomes', { set: String(budget) }, table('ends-' + budget, 'How games ended at ' + d.sims(budget), ['Rule set', ...ends.map((end) => [Words.end(d, end)])],
	    rows.map((row) => [d.named(row.rules), ...ends.map((end) => count(row.ends[end] || 0))])));
}

// Does more thinking bring more draws, as the study found everywhere?
function moreDraws(d) {
	const both = byName(d.t.outcomes.map((row) => row.rules)).map((rules) => sorted(d.t.outcomes.filter((row) => row.rules === rules), (row) => row.budget)).filter((pair) => pair.length === 2);
	const up = both.filter(([a, b]) => b.draw_rate > a.draw_rate).length, names = (some) => some.map(([a]) => d.named(a.rules));
	const sure = names(both.filter(([a, b]) => b.draw_rate_lo > a.draw_rate_hi)), falls = names(both.filter(([a, b]) => b.draw_rate_hi < a.draw_rate_lo));
	if (both.length === 0)
		return [];
	return para('The study found more draws with more thinking in every rule set. Here the draw rate rises from the first budget to the second in ' + of(up, both.length) + '; ' +
	    (sure.length + falls.length === 0 ? 'the two intervals overlap everywhere.' :
	    'clearly, with intervals that do not overlap, in ' + (sure.length === 0 ? 'none' : sure.length === both.length ? 'all of them' : andList(sure)) +
	    (falls.length === 0 ? '; it clearly falls in none.' : '; it clearly falls in ' + andList(falls) + '.')));
}

function whiteAhead(d, budget) {
	const rows = d.at('outcomes', budget), ahead = rows.filter((row) => row.score_lo > 0.5).length, behind = rows.filter((row) => isNumber(row.score_hi) && row.score_hi < 0.5).length;
	return rows.length === 0 ? '' : 'At the ' + budgetWords(budget) + ' budget White’s score and its whole interval are above one half in ' + of(ahead, rows.length) + ' rule sets' +
	    (behind > 0 ? ' and below in ' + behind : '') + '. ';
}

// Games that were played twice count once: what is left.
function distinctWords(d) {
	const said = d.budgets.map((budget) => {
		const rows = d.at('outcomes', budget).filter((row) => isNumber(row.copies)), games = sum(rows.map((row) => row.games)), all = games + sum(rows.map((row) => row.copies));
		return all > 0 ? percent(games / all) + ' of ' + plural(all, 'game') + ' at ' + d.sims(budget) + (games / all < 0.95 ? ', ⟨bad|fewer than the 95 % that openings should leave distinct⟩' : '') : '';
	}).filter((words) => words !== '');
	return said.length === 0 ? '' : 'No game counts twice, in any table; distinct are ' + andList(said) + '.';
}

const outcomes = (d) => section('outcomes', 'Outcomes by thinking time',
	para('How many games each side wins when the same player has both sides. A budget of ' + d.unit + 's takes the place of the study’s thinking time: the first of its 1 s a move, the second of its minute. The first ' +
	    (d.first.sample_plies ?? 20) + ' plies are drawn ' + (d.unit === 'node' ? 'among moves that the search finds nearly as good as the best' : 'in proportion to visit counts') +
	    ', so that games differ; after that the best move is played. ' + distinctWords(d)),
	chart('outcomes'), para(d.budgets.map((budget) => whiteAhead(d, budget)).join('')), moreDraws(d),
	folded('The numbers beside the study’s, at both budgets', d.budgets.flatMap((budget) => outcomeTable(d, budget))),
	note('The score counts a draw as one half, and games that the rules make worth another part of a point by that; these are not draws. Intervals are 95 % credible intervals from a uniform ' +
	    'prior over the three outcomes. The study gives scores without errors, also for the games that its nets were trained on; it shows draw rates only as bars.'),
	folded('How games ended', d.budgets.flatMap((budget) => endsTable(d, budget))));

// ---- comparisons ----

// {a: {b: p}} in both directions, whichever the rows give.
function probabilities(rows, less, greater) {
	const p = {}, put = (a, b, x) => { (p[a] = p[a] || {})[b] = x; };
	for (const row of rows) {
		put(row.a, row.b, row[less]);
		if (isNumber(row[greater]))
			put(row.b, row.a, row[greater]);
	}
	return p;
}

// Columns are headed by letters that the rows explain, so that they fit on a phone. Only what
// stands after adjustment for all pairs (holm, where it is known) is coloured.
function matrix(d, name, caption, p, holm) {
	const names = d.names.filter((rules) => p[rules]), letter = (i) => String.fromCharCode(i < 26 ? 65 + i : 71 + i);
	return changed(table(name, caption, ['row against column', ...names.map((rules, i) => [letter(i)])], names.map((a, i) => [{ t: '⟨b|' + letter(i) + '⟩ ' + d.named(a), rules: a }, ...names.map((b) => {
		const x = p[a][b], adjusted = (holm[a] || {})[b];
		return isNumber(x) ? { t: fix(100 * x, 0), v: x, heat: Math.abs((x - 0.5) * 2), side: isNumber(adjusted) && adjusted >= 0.05 ? 'open' : x >= 0.5 ? 'more' : 'less' } : '';
	})])), { look: 'heat' });
}

// Pairs that differ after adjustment for all of them: Holm’s p.
function surePairs(rows, name) {
	const pairs = (some) => new Set(some.map((row) => [row.a, row.b].sort().join('\t'))).size;
	return of(pairs(rows.filter((row) => isNumber(row[name]) && row[name] < 0.05)), pairs(rows));
}

function bothMatrices(d, budget) {
	const rows = d.at('compare', budget);
	return from('compare', { set: String(budget) }, [
		...matrix(d, 'compare-draw-' + budget, 'Probability that the row has fewer draws than the column, per cent, ' + d.sims(budget), probabilities(rows, 'p_draw_less', 'p_draw_greater'), probabilities(rows, 'p_draw_holm', 'p_draw_holm')),
		...matrix(d, 'compare-score-' + budget, 'Probability that White scores more in the row than in the column, per cent, ' + d.sims(budget), probabilities(rows, 'p_score_greater', 'p_score_less'),
		    probabilities(rows, 'p_score_holm', 'p_score_holm'))]);
}

// The same lines under all rules, in pairs with chess, beside the differences of games that each
// rule set opens in its own way.
function pairedTable(d) {
	const rows = d.t.paired.filter((row) => row.b === 'classical');
	if (rows.length === 0)
		return [];
	const inPoints = (x) => signed(fixed(1))(100 * x), shown = (x) => x === null || !isNumber(x.value) ? '–' : withInterval(x.value, x.lo, x.hi, inPoints);
	const own = (row, name) => shown(against(field(d.outcome(row.a), name), field(d.outcome('classical'), name)));
	const range = rangeOf(rows.flatMap((row) => [row.score_diff_lo, row.score_diff_hi])), r = mean(rows.filter((row) => row.pairs > 0).map((row) => row.score_correlation).filter(isNumber)) || 0;
	const none = rows.filter((row) => row.pairs === 0).map((row) => d.named(row.a));
	return [...h3('The same openings under other rules'),
		...para('In all other games each rule set has openings of its own, and differences may come from these. Here all follow the same ' +
		    (((d.run.shared || {}).games ?? null) === null ? plural(Math.max(...rows.map((row) => row.pairs)), 'line') : plural(d.run.shared.games, 'line')) + ' of ' + (d.first.sample_plies ?? 20) +
		    ' plies, drawn among good moves of classical chess. Only pairs in which both rule sets allow the whole line are counted' + (none.length === 0 ? '' : '; there are none for ' + andList(none)) +
		    '. Where the two columns of a number are far apart, the opening makes the difference.'),
		...from('paired', {}, table('paired', 'Differences from chess in percentage points, with 95 % intervals',
		    ['Rule set', ['Pairs'], ['Draws, own openings', { from: 'outcomes', set: '1' }], ['Draws, same lines'], ['White’s score, own openings', { from: 'outcomes', set: '1' }], ['White’s score, same lines'], 'Score, same lines'],
		    rows.map((row) => [d.named(row.a), count(row.pairs), own(row, 'draw_rate'), shown(field(row, 'draw_diff')), own(row, 'score'), shown(field(row, 'score_diff')), fieldDots(row, 'score_diff', null, range)]))),
		...note('The points of the two games of a pair have a correlation of ' + fix(r, 2) + ' on average, which the intervals of pairs take into account. Differences with own openings treat games as independent.')];
}

const compare = (d) => section('compare', 'Rule sets against each other',
	para('For every pair: the probability, given these games, that one has the lower draw rate, or the higher score for White. Near 0 or 100 % the games decide; near 50 % they do ' +
	    'not. Among so many pairs some look decided by chance, so only pairs with p below 5 %, adjusted for all of them by Holm’s method, are called different and coloured.'),
	para(d.budgets.map((budget) => {
		const rows = d.at('compare', budget);
		return 'At the ' + budgetWords(budget) + ' budget ' + surePairs(rows, 'p_draw_holm') + ' pairs differ in the draw rate and ' + surePairs(rows, 'p_score_holm') + ' in the score. ';
	}).join('')),
	d.budgets.slice(0, 1).flatMap((budget) => bothMatrices(d, budget)), folded('The same at the second budget', d.budgets.slice(1).flatMap((budget) => bothMatrices(d, budget))), pairedTable(d));

// ---- openings ----

function openingExtremes(d, opening) {
	const rows = d.t.openings.filter((row) => row.opening === opening && isNumber(row.score)), name = Words.opening(opening) + ' (' + Words.openingMoves(opening) + '): White scores ';
	if (rows.length < 2)
		return [];
	const [a, b] = [most(rows, (row) => row.score), least(rows, (row) => row.score)], said = (row) => d.named(row.rules) + ' (' + percent(row.score) + andInterval(row.score_lo, row.score_hi, percent) + ')';
	return [name + (a.score === b.score ? percent(a.score) + ' in every rule set.' :
	    'most in ' + said(a) + ' and least in ' + said(b) + (a.score_lo > b.score_hi ? '; these intervals do not overlap' : '; these intervals overlap') + '.')];
}

function openings(d) {
	const names = unique(d.t.openings.map((row) => row.opening)), copies = sum(d.t.openings.map((row) => row.copies).filter(isNumber)), games = sum(d.t.openings.map((row) => row.games).filter(isNumber));
	return section('openings', 'Four openings',
	    para('The same opening can be sound under one rule set and refuted under another. Games begin with these moves and continue ' +
		(d.unit === 'node' ? 'with plies drawn as in the other games, then with the move that the search finds best' : 'with the move that the search finds best, several searches being in flight') +
		'. Rule sets without the double step cannot play them. Identical games count once: ' + plural(copies, 'copy', 'copies') + ' left out, ' + plural(games, 'distinct game') + ' counted.'),
	    [{ chart: 'openings', names: Object.fromEntries(names.map((name) => [name, Words.opening(name) + ', ' + Words.openingMoves(name)])) }],
	    list(names.flatMap((name) => openingExtremes(d, name))),
	    folded('The numbers', [...from('openings', {}, table('openings', 'White’s score after each opening, with 95 % credible intervals', ['Rule set', ...names.map((name) => [Words.opening(name), { set: name }])],
		d.names.map((rules) => [rules, d.t.openings.filter((row) => row.rules === rules)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) => [d.named(rules), ...names.map((name) => {
			const row = rows.find((one) => one.opening === name);
			return row ? fieldInterval(row, 'score', percent) : '–';
		})]))),
	    ...from('openings', {}, table('openings-all', 'Outcomes after each opening', ['Opening', 'Rule set', ['Distinct games'], ['Copies'], ['White won'], ['Drawn'], ['Black won'], ['Draw rate']],
		d.t.openings.map((row) => [Words.opening(row.opening), d.named(row.rules), count(row.games), count(row.copies), count(row.wins), count(row.draws), count(row.losses), fieldInterval(row, 'draw_rate', percent)])))]),
	    note('The study shows these as bars without numbers, so there are none beside ours.'));
}

// ---- special moves ----

function specialTable(d, id, caption, budget, rows) {
	return from('special', { set: String(budget) }, table(id + '-' + budget, caption, ['Rule set', 'Kind', ['Games with it'], '● ours, ◇ the study’s', ['Study’s'], ['Share of all moves'], ['Study’s'], ['Mean move']], rows.map((row) => {
		const item = row.rules + '/' + row.kind, theirs = d.theirs('special-games', item);
		return [d.named(row.rules), Words.kind(row.kind), fieldInterval(row, 'games_share', percent), fieldDots(row, 'games_share', theirs, [0, 1]), percent(theirs),
		    fieldInterval(row, 'moves_share', (x) => percent(x, 2)), percent(d.theirs('special-moves', item)), fix(row.fullmove_mean, 1)];
	})));
}

function capturedTable(d) {
	const rows = d.t.agreement_data.filter((row) => row.measure === 'self-captured'), range = rangeOf(rows.flatMap((row) => [row.ours, row.ours_lo, row.ours_hi, row.theirs]));
	return rows.length === 0 ? [] : from('agreement-data', {}, table('self-captured', 'Pieces taken by self-captures: share of all self-captures', ['Taken', ['Ours'], ['Study’s'], '● ours, ◇ the study’s'],
	    rows.map((row) => [row.item.split('/').pop().replace(/^self-capture-/, ''), fieldInterval(row, 'ours', percent), percent(row.theirs), fieldDots(row, 'ours', row.theirs, range)])));
}

function special(d) {
	const newest = (budget) => specialTable(d, 'special', 'Special moves at ' + d.sims(budget) + ', with 95 % intervals', budget, d.at('special', budget).filter((row) => row.class === 'new'));
	return section('special', 'Use of special moves',
	    para('How often games use the moves that their rules add to chess. A torpedo step is a double step that does not start on the pawn’s own second rank; for wins by stalemate the games are the decisive ones.'),
	    d.budgets.slice(0, 1).flatMap(newest), folded('The same at the second budget', d.budgets.slice(1).flatMap(newest)), capturedTable(d),
	    note('The study counted at 1 s a move; its numbers are shown beside both of our budgets. Intervals of shares of moves take games as the unit, because moves of one game are not independent.'),
	    // apart, because these are the longest tables of all
	    d.budgets.flatMap((budget) => folded('All kinds at ' + d.sims(budget) + ', castling and en passant included', specialTable(d, 'special-all', 'All kinds at ' + d.sims(budget), budget, d.at('special', budget)))));
}

// ---- piece values ----

const PIECES = ['knight', 'bishop', 'rook', 'queen'];
const targetWords = (target) => target === 'search' ? 'search values' : 'results';
const targets = (d) => d.t.values.length === 0 ? ['result'] : byName(d.t.values.map((row) => row.target ?? 'result')).reverse();
const valuesOf = (d, budget, target) => d.at('values', budget).filter((row) => (row.target ?? 'result') === target);

function valueTable(d, budget, target) {
	return from('values', { set: String(budget), target }, stacked(table('values-' + budget + (target === 'result' ? '' : '-' + target),
	    'Piece values fitted to ' + targetWords(target) + ', games at ' + d.sims(budget) + ', pawn = 1, with 95 % intervals', ['Rule set', ['Positions'], ...PIECES.flatMap((piece) => [[Say.capital(piece)], ['Study’s']])],
	    valuesOf(d, budget, target).map((row) => [d.named(row.rules), count(row.positions), ...PIECES.flatMap((piece) => [fieldInterval(row, piece, fixed(2)), fix(d.theirs(piece, row.rules), 2)])]))));
}

// Spare kinds, kings that are pieces like others, and pieces in hand.
function pieceWords(column, row) {
	const kind = column.replace(/_hand$/, ''), moves = parsed(row.pieces || '{}')[kind];
	return (moves ? kind + ' (' + moves + ')' : kind) + (column.endsWith('_hand') ? ' in hand' : '');
}
function furtherTable(d, budget, target) {
	const rows = valuesOf(d, budget, target).flatMap((row) => Object.keys(row).filter((name) => name.endsWith('_lo')).map((name) => name.slice(0, -3)).filter((piece) => !PIECES.includes(piece) && isNumber(row[piece]))
	    .map((piece) => [d.named(row.rules), pieceWords(piece, row), fieldInterval(row, piece, fixed(2))]));
	return rows.length === 0 ? [] : from('values', { set: String(budget), target },
	    table('further-' + budget + '-' + target, 'Further pieces, fitted to ' + targetWords(target) + ', games at ' + d.sims(budget) + ', pawn = 1, with 95 % intervals', ['Rule set', 'Piece', ['Value']], rows));
}

function cheapestQueen(d, budget, target) {
	const sure = valuesOf(d, budget, target).filter((row) => isNumber(row.queen) && isNumber(row.queen_lo) && isNumber(row.queen_hi));
	const theirs = sure.map((row) => ({ rules: row.rules, queen: d.theirs('queen', row.rules) })).filter((row) => isNumber(row.queen)), queen = (row) => row.queen;
	if (sure.length < 2)
		return para('Fitted to ' + targetWords(target) + ', the games at the ' + budgetWords(budget) + ' budget bound the value of the queen in ' + (sure.length === 0 ? 'no rule set' : 'one rule set only') + ': too few were decisive.');
	const said = (row) => d.named(row.rules) + ' (' + fix(row.queen, 1) + andInterval(row.queen_lo, row.queen_hi, fixed(1)) + ')', plainly = (row) => d.named(row.rules) + ' (' + fix(row.queen, 1) + ')';
	return para('Fitted to ' + targetWords(target) + ' at the ' + budgetWords(budget) + ' budget, a queen is worth fewest pawns, among the ' + plural(sure.length, 'rule set') + ' whose games bound it, in ' +
	    said(least(sure, queen)) + ' and most in ' + said(most(sure, queen)) + (theirs.length < 2 ? '.' : '; in the study, among these, ' + plainly(least(theirs, queen)) + ' and ' + plainly(most(theirs, queen)) + '.'));
}

function untoldValues(d) {
	const some = d.t.untold.filter((row) => row.net === 'player').map((row) => d.named(row.rules));
	return some.length === 0 || !targets(d).includes('search') ? [] : note('The player was never told all the rules of ' + andList(some) + ': the values from its search are its opinion of pieces in chess, and no finding.');
}

const values = (d) => section('values', 'What pieces are worth',
	para('The values with which the difference of material best predicts the outcome of a position, by least squares on tanh, with the pawn as unit. The study found that where pawns can do more, pieces are worth fewer of them. ' +
	    'There are two fits: to the results of the games, as in the study, and to the value that the player’s search gives each position, which has much smaller errors but is the player’s opinion.'),
	chart('values'), targets(d).flatMap((target) => cheapestQueen(d, d.budgets[0], target)), targets(d).flatMap((target) => furtherTable(d, d.budgets[0], target)), untoldValues(d),
	folded('The numbers, at both budgets', d.budgets.flatMap((budget) => targets(d).flatMap((target) => valueTable(d, budget, target)))),
	note('A value or a rule set is missing if no game was decisive, or if the pawn itself came out worthless. A dash also stands where the games do not determine a value: its 95 % interval is unbounded or spans more than a factor of 4. ' +
	    'The study fitted values to the results of its 1 s games; they are shown beside all of ours.'));

// ---- lengths ----

const games = (rows) => sum(rows.map((row) => row.games));
// The smallest length that at least a share of the games does not exceed.
function quantile(rows, share) {
	let seen = 0;
	const all = games(rows), found = sorted(rows, (row) => row.plies).find((row) => (seen += row.games) >= share * all);
	return all === 0 ? null : found.plies;
}

function lengthCells(rows) {
	return [count(games(rows)), fix(games(rows) ? sum(rows.map((row) => row.games * row.plies)) / games(rows) : null, 1), fix(quantile(rows, 0.5), 0),
	    rows.length === 0 ? '–' : fix(quantile(rows, 0.25), 0) + ' to ' + fix(quantile(rows, 0.75), 0)];
}

const lengths = (d) => section('lengths', 'Game lengths',
	para('How long games last, in plies (moves of one side), for all games and for decisive ones.'), chart('lengths'),
	folded('The numbers', d.budgets.flatMap((budget) => from('lengths', { set: String(budget) }, table('lengths-' + budget, 'Plies of games at ' + d.sims(budget) + ': mean, median and the middle half',
	    ['Rule set', ['All games'], ['Mean'], ['Median'], ['Middle half'], ['Decisive'], ['Mean'], ['Median'], ['Middle half']],
	    d.names.map((rules) => [rules, d.at('lengths', budget).filter((row) => row.rules === rules)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) =>
		[d.named(rules), ...['all', 'decisive'].flatMap((kind) => lengthCells(rows.filter((row) => row.kind === kind)))]))))),
	note('The study shows these distributions as a figure without numbers.'));

return { against, outcomes, compare, openings, special, values, lengths, targetWords };
})();
