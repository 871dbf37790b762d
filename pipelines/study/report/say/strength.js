// Thinking and the course of games: how strong the player is, how draws and scores change with the
// budget, what a doubling buys, what designers measure.
const Strength = (() => {
'use strict';

const { isNumber, chart, plain, fix, fixed, percent, count, signed, interval, withInterval, fieldInterval, fieldDots, rangeOf, mean, least, most, sorted, byNumber, byName, plural,
    of, para, note, h3, folded, section, table, from, stacked } = Say;

// ---- how strong the player is, on top of the page ----

// Matches of this net against engines: rows of nets/strength.jsonl. For a net that learnt for this
// study, those of the net before.
function knownMatches(d) {
	const rows = d.report.strength.filter((row) => row.rules === 'classical' && row.b.startsWith('uci:') && isNumber(row.elo)), own = rows.filter((row) => row.id_a === d.net.hash);
	return sorted(sorted(own.length ? own : (d.net.learnt || 0) > 0 ? rows.filter((row) => row.a === 'default') : [], (row) => row.sims_a || 0), (row) => row.sims_b || 0);
}
const eloWords = (row) => signed(fixed(0))(row.elo) + ' ⟨ci|± ' + fix(1.96 * (row.elo_se || 0), 0) + '⟩';

// The two most informative matches: at the budget nearest to the study's, the strongest opponent
// that it beats and the weakest that beats it.
function tellingMatches(d) {
	const all = knownMatches(d), log = (x) => Math.log(Math.max(x, 1)), sims = d.first.sims ?? 1, ours = (row) => row.sims_a || 0, theirs = (row) => row.sims_b || 0;
	if (all.length === 0)
		return [];
	const budget = sorted(byNumber(all.map(ours)), (x) => Math.abs(log(x) - log(sims)))[0], here = all.filter((row) => ours(row) === budget), beaten = here.filter((row) => row.elo > 0), others = here.filter((row) => row.elo <= 0);
	return [...(beaten.length ? [most(beaten, theirs)] : []), ...(others.length ? [least(others, theirs)] : [])];
}
function strengthWords(d) {
	const some = tellingMatches(d), how = (row) => Math.abs(row.elo) < 1.96 * (row.elo_se || 0) ? 'is about as strong as' : row.elo > 0 ? 'beats' : 'loses to';
	return some.length === 0 ? 'Its strength against other programs was not measured.' : 'In classical chess' + ((d.net.learning || {}).better === true ? ', before it learnt,' : '') + ' at ' + plural(some[0].sims_a || 0, 'node') + ' a move ' +
	    some.map((row) => 'it ' + how(row) + ' ' + plain(row.id_b) + ' at ' + plural(row.sims_b || 0, 'node') + ' (' + eloWords(row) + ' Elo)').join(', and ') + '.';
}
function matchesTable(d) {
	const all = knownMatches(d);
	return all.length < 2 ? [] : table('matches', 'Matches in classical chess, Elo with 95 % intervals', ['Against', ['Its nodes a move'], ['Our nodes a move'], ['Games'], ['Elo']],
	    all.map((row) => [plain(row.id_b), count(row.sims_b), count(row.sims_a), count(row.games), eloWords(row)]));
}

function castlingWords(d) {
	const row = d.at('special', 1).find((one) => one.rules === 'classical' && one.kind === 'castle') || {};
	return isNumber(row.games_share) ? 'It castles in ' + percent(row.games_share, 0) + ' of its classical games.' : '';
}
function doublingWords(d) {
	const all = d.t.doublings.map((row) => row.elo).filter(isNumber);
	return all.length === 0 ? '' : 'Twice the thinking makes it stronger by ' + fix(mean(all), 0) + ' Elo, on average over rule sets.';
}
function learningWords(d) {
	const games = plural(d.learningGames, 'game');
	return !d.net.learning ? '' : d.net.learning.better ? 'It first learnt the rules that were new to it, from ' + games + ' against itself.' :
	    'It trained on the rules that are new to it, with ' + games + ' against itself, but got no better; so the net from before plays.';
}
function learningTable(d) {
	const rows = (d.net.learning || {}).matches || [];
	return rows.length === 0 ? [] : table('learning', 'After learning against before, ' + plural(d.first.sims ?? 0, 'node') + ' a move', ['Rule set', ['Games'], ['Score'], ['Elo']],
	    rows.map((row) => [d.named(row.rules), count(row.games), percent(row.score), fieldInterval(row, 'elo', fixed(0))]));
}

const SEARCHES = { ab: 'Alpha-beta', gumbel: 'Gumbel tree search', puct: 'Tree search' };
function player(d) {
	const name = d.net.learning ? 'the shipped net' : plain((d.net.games || 'a net').split('/').pop());
	return [{ player: '⟨b|Who plays.⟩ ' + [d.asked.length === 0 ? '' : (SEARCHES[d.first.search] || 'A search') + ' with ' + name + ((d.net.players || 1) > 1 ? ' and ' + plural(d.net.players - 1, 'other net') + ', which share the games' : '') + ', ' + d.asked.map((budget) => count(budget.sims)).join(' and ') + ' ' + d.unit + 's a move.',
	    learningWords(d), strengthWords(d), castlingWords(d)].filter((words) => words !== '').join(' '),
	parts: folded('How strong that is', [...matchesTable(d), ...learningTable(d), ...para([doublingWords(d), 'A stronger player may find what this one misses.'].filter((words) => words !== '').join(' '))]) }];
}

// ---- ladders ----

const TRENDS = { rises: 'rises', falls: 'falls', open: 'cannot tell' };
// A rung that lines are not fitted to, but judged by.
const JUDGED = { right: '⟨good|within its interval⟩', wrong: '⟨bad|wrong⟩' };

// A ladder, of thinking or of training: its points and fitted lines, and the names of its rungs.
const thinking = (d) => ({ points: d.t.ladder, lines: d.t.trend, by: 'sims', id: 'trend', over: 'thinking', step: 'doubling', rung: (x) => count(x) + ' a move',
	set: (x) => d.t.outcomes.some((row) => row.sims === x) ? String(d.t.outcomes.find((row) => row.sims === x).budget) : 'ladder-' + x, from: 'trend' });
const training = (d) => ({ points: d.t.training, lines: d.t.training_trend, by: 'generation', id: 'training', over: 'training', step: 'doubling of generations', rung: (x) => 'Generation ' + count(x), set: (x) => 'training-' + x, from: 'training-trend' });

function trendTable(d, ladder, measure, title) {
	const lines = ladder.lines.filter((row) => row.measure === measure), { held, at } = lines[0] || {}, rungs = byNumber(ladder.points.map((row) => row[ladder.by]).filter((x) => x !== held));
	return from(ladder.from, { measure, held: held ?? null, at: at ?? null }, stacked(table(ladder.id + '-' + measure, title + ' against ' + ladder.over + ', with 95 % intervals',
	    ['Rule set', ...rungs.map((x) => [ladder.rung(x), { from: 'outcomes', set: ladder.set(x) }]), ['For each ' + ladder.step], 'Trend',
	    ...(held ? [['Held out: ' + count(held), { from: 'outcomes', set: 'held' }], ['The line there'], 'The line'] : []), ['At ' + count(at)]],
	    lines.map((row) => [d.named(row.rules), ...rungs.map((x) => {
		const point = ladder.points.find((one) => one.rules === row.rules && one[ladder.by] === x);
		return point ? fieldInterval(point, measure, percent) : '–';
	    }), isNumber(row.slope) ? fix(100 * row.slope, 1) + ' points' + interval(100 * row.slope_lo, 100 * row.slope_hi, fixed(1)) : '–', TRENDS[row.trend] || '–',
	    ...(held ? [fieldInterval(row, 'held_y', percent), fieldInterval(row, 'held_line', percent), JUDGED[row.judged] || '–'] : []), isNumber(row.y) ? fieldInterval(row, 'y', percent) : 'no estimate']))));
}

const those = (ladder, measure, name, value) => ladder.lines.filter((row) => row.measure === measure && row[name] === value).length;
const rising = (ladder, measure) => those(ladder, measure, 'trend', 'rises');
const riseWords = (ladder) => 'The draw rate rises, with the whole 95 % interval of the slope above zero, in ' + of(rising(ladder, 'draw_rate'), ladder.lines.filter((row) => row.measure === 'draw_rate').length) + ' rule sets, White’s score in ' +
	of(rising(ladder, 'score'), ladder.lines.filter((row) => row.measure === 'score').length) + '.';

// How often the lines were right where they had not seen the games.
function heldWords(d, ladder) {
	const held = (ladder.lines[0] || {}).held, wrong = (measure) => of(those(ladder, measure, 'judged', 'wrong'), those(ladder, measure, 'judged', 'wrong') + those(ladder, measure, 'judged', 'right'));
	return !held ? '' : 'The lines have not seen the games at ' + plural(held, d.unit) + ' a move, which judge them: there the line of the draw rate was wrong, by more than the interval of the difference, in ' +
	    wrong('draw_rate') + ' rule sets, that of White’s score in ' + wrong('score') + '. A line that was wrong gives no number.';
}

// What games tell for their thinking: why they are as deep as they are.
function information(d) {
	const spread = (row) => isNumber(row.spread) ? fix(100 * row.spread, 1) + ' ⟨ci|' + fix(100 * row.spread_lo, 1) + ' to ' + fix(100 * row.spread_hi, 1) + '⟩' : '–';
	return d.t.information.length === 0 ? [] : folded('Few deep games or many shallow ones?', [
	    ...para('The spread is how much the rule sets truly differ, the part due to errors left out. The signal is this spread over the standard error of a rule set’s number, if 1,000 million nodes ' +
		'are spent on all of them together: the budget with the greatest signal tells the rule sets apart with the least thinking.'),
	    ...table('information', 'What games tell of the differences between rule sets, by budget', ['Measure', ['A move'], ['Games of each'], ['Million nodes a game'], ['Variance of a game'], ['Spread, points'], ['Signal']],
		d.t.information.map((row) => [{ draw_rate: 'Draw rate', score: 'White’s score' }[row.measure], count(row.sims), fix(row.games, 0), fix(row.nodes / 1e6, 2), fix(row.variance, 3), spread(row), fix(row.signal, 1)]))]);
}

// Players side by side, at the first budget.
function players(d) {
	const names = byName(d.t.players.map((row) => row.player));
	return names.length < 2 ? [] : [...h3('Players side by side'), ...from('players', { set: '1' }, table('players', 'Draw rate and White’s score by player, first budget, with 95 % intervals',
	    ['Rule set', ...names.flatMap((name) => [['Draws, ' + name], ['White’s score, ' + name]])], d.names.map((rules) => [d.named(rules), ...names.flatMap((name) => {
		const row = d.t.players.find((one) => one.rules === rules && one.player === name) || {};
		return [fieldInterval(row, 'draw_rate', percent), fieldInterval(row, 'score', percent)];
	    })])))];
}

const ladderPart = (d, ladder, name) => [...chart(name), ...folded('The numbers: draws against ' + ladder.over, trendTable(d, ladder, 'draw_rate', 'Draw rate')),
	...folded('The numbers: White’s score against ' + ladder.over, trendTable(d, ladder, 'score', 'White’s score'))];

function trainingPart(d) {
	const ladder = training(d);
	return d.t.training.length === 0 ? note('No games were played by nets of earlier generations: ⟨code|make study GENERATIONS=⟩ takes a folder of such nets.') : [...h3('How training changes the results'),
	    ...para('The same budget, played by nets of ' + byNumber(ladder.points.map((row) => row.generation)).length + ' generations of one training run. ' + riseWords(ladder)), ...ladderPart(d, ladder, 'training')];
}

function doublingTable(d) {
	const sims = (d.t.doublings[0] || {}).sims || 0, range = rangeOf(d.t.doublings.flatMap((row) => [row.elo_lo, row.elo_hi]).filter((x) => isNumber(x) && Math.abs(x) < 800));
	return from('doublings', {}, table('doublings', 'Elo that a doubling buys: ' + count(2 * sims) + ' against ' + count(sims) + ' a move, with 95 % intervals', ['Rule set', ['Games'], ['Score'], ['Elo'], 'Elo'],
	    d.t.doublings.map((row) => [d.named(row.rules), count(row.games), percent(row.score), fieldInterval(row, 'elo', fixed(0)), fieldDots(row, 'elo', null, range)])));
}

const strength = (d) => section('strength', 'How thinking time changes the results',
	para('The same games with less and with more thinking. A line is fitted over the logarithm of the budget; it is extrapolated beyond the budgets that were played only if it fits and rises, and by two doublings at most. ' +
	    riseWords(thinking(d)) + ' ' + heldWords(d, thinking(d))),
	ladderPart(d, thinking(d), 'ladder'), information(d), h3('What a doubling buys'), para('A player with twice the budget against itself: the more it wins, the more there is to find, and the deeper the game.'),
	doublingTable(d), trainingPart(d), players(d));

// ---- what designers measure ----

function measuresTable(d, names, id, caption) {
	const show = (name) => ['length', 'branching'].includes(name) ? fixed(1) : ['lead-changes', 'drama'].includes(name) ? fixed(2) : percent;
	return from('measures', { set: '1' }, table(id, caption, ['Rule set', ...names.map((name) => [Words.design(name)])],
	    d.names.map((rules) => [rules, d.at('measures', 1).filter((row) => row.rules === rules)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) => [d.named(rules), ...names.map((name) => {
		const row = rows.find((one) => one.measure === name);
		return row ? withInterval(row.mean, row.lo, row.hi, show(name)) : '–';
	    })])));
}

const measures = (d) => section('measures', 'What game designers measure',
	para('The course of games, by the search value at each move; gamestats(1) defines each number so that it can be checked by hand. Drama is how far the winner was behind at worst (1: lost); ' +
	    'the decisive moment is the share of the game after which the winner’s search always expects three quarters of a point or more.'),
	measuresTable(d, ['lead-changes', 'drama', 'comebacks', 'decisive-moment', 'uncertainty'], 'measures', 'How games swing, with 95 % intervals, games as the unit'),
	folded('Length, choice, captures, squares, endgames and uncertainty over time', [
	    ...stacked(measuresTable(d, ['length', 'branching', 'forced', 'captures', 'coverage', 'endgame'], 'measures-moves', 'Moves, with 95 % intervals')),
	    ...measuresTable(d, ['uncertainty-early', 'uncertainty-middle', 'uncertainty-late', 'killer-moves'], 'measures-time', 'Uncertainty over time, and killer moves, with 95 % intervals')]),
	note('These numbers are the player’s view: a weaker player is surprised more often and sees more drama.'));

return { player, strength, measures };
})();
