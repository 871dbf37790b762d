// How much choice a rule set leaves: entropy, candidates, divergence, additional candidates,
// first moves.
const Choice = (() => {
'use strict';

const { isNumber, fix, fixed, percent, count, signed, large, interval, dots, rangeOf, mean, least, most, sorted, byNumber, square, plural, andList, of, withError, para, note, h3, folded, section, chart, table, from, stacked } = Say;
const { lastPly } = Study;

const halfWidth = (row, name) => isNumber(row[name + '_se']) ? 1.96 * row[name + '_se'] : null;
// a value with lo and hi, from a standard error
function fromError(row, name) {
	const half = halfWidth(row, name), value = row[name];
	return { value, lo: half === null || value === null ? null : value - half, hi: half === null || value === null ? null : value + half };
}
const endsOf = (rows, name) => rows.flatMap((row) => Object.values(fromError(row, name)));
function errorDots(row, name, theirs, range) {
	const x = fromError(row, name);
	return dots(x.value, x.lo, x.hi, theirs, range);
}
const errorCell = (row, name, digits) => withError(row[name], halfWidth(row, name), digits);
const ofPrior = (d, prior) => lastPly(d.t.entropy.filter((row) => row.prior === prior));

// ---- the noise floor ----

// The difference of two nets that learnt the same: smaller differences mean nothing.
const signedNats = signed(fixed(2));
const floorOf = (d, rules) => d.t.floor.find((row) => row.rules === rules) || {};
const hasBoth = (row) => isNumber(row.h) && isNumber(row.h_second);
// How far the two disagree on how much a rule set adds to the entropy of chess.
function floorGap(d, rules) {
	const own = floorOf(d, rules), chess = floorOf(d, 'classical');
	return hasBoth(own) && hasBoth(chess) ? Math.abs((own.h - chess.h) - (own.h_second - chess.h_second)) : null;
}
function floorWords(d) {
	if (d.t.floor.length === 0)
		return note('⟨b|No noise floor.⟩ There is no second net that learnt the same from another seed, so it is unknown how much of these differences ' +
		    'comes from the rules and how much from this one net; ± is the error of sampling lines, not of training.');
	const known = d.t.floor.filter((row) => d.labels[row.rules] !== undefined), h = mean(known.filter(hasBoth).map((row) => Math.abs(row.h - row.h_second))), kl = mean(known.map((row) => row.kl).filter(isNumber));
	const gap = mean(known.filter((row) => row.rules !== 'classical').map((row) => floorGap(d, row.rules)).filter((one) => one !== null));
	return note('⟨b|The noise floor.⟩ Two nets that learnt the same from different seeds differ by ' + fix(h, 2) + ' nats of entropy and ' + fix(kl, 2) + ' nats of divergence under the same rules, and by ' + fix(gap, 2) +
	    ' nats in how much wider or narrower than chess a rule set is, on average. A divergence below its floor means nothing, and neither does a difference of entropies that is smaller than the disagreement of the two nets on it.');
}
// Cells of a table of entropies: the second net's, and what the two differ by.
const floorTitles = (d) => d.t.floor.length === 0 ? [] : [['Second seed'], ['Noise floor']];
function floorCells(d, what) {
	const row = floorOf(d, what);
	return d.t.floor.length === 0 ? [] : [fix(row.h_second, 2), hasBoth(row) ? fix(Math.abs(row.h - row.h_second), 2) : '–'];
}

// ---- entropy ----

// How wide the prior is beside the study's.
function widthWords(d) {
	const rows = ofPrior(d, 'net').map((row) => ({ h: row.h, theirs: d.theirs('entropy', row.rules) })).filter((row) => isNumber(row.theirs) && isNumber(row.h));
	if (rows.length === 0)
		return [];
	const wider = mean(rows.map((row) => row.h - row.theirs));
	return para('Our prior is ' + (wider > 0 ? 'wider' : 'narrower') + ' than the study’s by ' + fix(Math.abs(wider), 1) + ' nats on average over the ' + plural(rows.length, 'rule set') + ' that both have; it is wider in ' +
	    of(rows.filter((row) => row.h > row.theirs).length, rows.length) + ' of them. Nets that learnt otherwise have other widths, so only differences between rule sets are compared.');
}

function temperatureTable(d) {
	const all = byNumber(d.t.temperature.map((row) => row.temperature));
	if (all.length < 2)
		return [];
	const orders = all.filter((t) => t !== 1).map((t) => [t, d.t.relations.find((row) => row.measure === 'entropy-at-' + t) || {}]).filter(([, row]) => isNumber(row.rho))
	    .map(([t, row]) => fix(row.rho, 2) + interval(row.rho_lo, row.rho_hi, fixed(2)) + ' at T = ' + t);
	return [...para('A sharper prior (every probability to the power 1/T, T below 1) or a flatter one may put the rule sets into another order. The rank correlation with the order at T = 1 is ' +
		(orders.length === 0 ? 'not known' : andList(orders)) + '.'),
	    ...folded('Entropy at other temperatures', from('temperature', {}, table('temperature', 'Entropy in nats by temperature, ± 95 %',
		['Rule set', ...all.map((t) => ['T = ' + t, t === 1 ? { from: 'entropy' } : { set: String(t) }]), ['Study’s']], d.names.map((rules) => [d.named(rules), ...all.map((t) => {
			const row = d.t.temperature.find((one) => one.rules === rules && one.temperature === t);
			return row ? errorCell(row, 'h', 2) : '–';
		}), fix(d.theirs('entropy', rules), 2)]))))];
}

// Wider or narrower than chess, if two nets agree on it.
function besideChess(d, row, all) {
	const chess = all.find((one) => one.rules === 'classical'), floor = floorGap(d, row.rules);
	if (row.rules === 'classical' || !chess || !isNumber(chess.h) || !isNumber(row.h) || floor === null)
		return '–';
	const gap = row.h - chess.h;
	return Math.abs(gap) <= floor ? '⟨open|' + signedNats(gap) + ', below the floor of ' + fix(floor, 2) + '⟩' : signedNats(gap) + ' ⟨ci|floor ' + fix(floor, 2) + '⟩';
}

function entropyTable(d) {
	const net = ofPrior(d, 'net'), uniform = ofPrior(d, 'uniform'), range = rangeOf([...endsOf(net, 'h'), ...net.map((row) => d.theirs('entropy', row.rules))]), floor = d.t.floor.length > 0;
	return from('entropy', {}, stacked(table('entropy', 'Entropy of the first ' + (net[0] || { ply: 0 }).ply + ' plies in nats, ± 95 %',
	    ['Rule set', ['H'], ...floorTitles(d), ...(floor ? ['Compared with chess'] : []), ['Equivalent games'], ['Study’s H'], ['Uniform H'], ['Study’s'], '● ours, ◇ the study’s'],
	    sorted(net, (row) => row.h).map((row) => [d.named(row.rules), errorCell(row, 'h', 2), ...floorCells(d, row.rules), ...(floor ? [besideChess(d, row, net)] : []), large(row.equivalent), fix(d.theirs('entropy', row.rules), 2),
		fix((uniform.find((one) => one.rules === row.rules) || {}).h, 2), fix(d.theirs('entropy-uniform', row.rules), 2), errorDots(row, 'h', d.theirs('entropy', row.rules), range)]))));
}

function firstTable(d) {
	const rows = lastPly(d.t.entropy_first), item = (row) => row.rules + '/' + row.start, range = rangeOf([...endsOf(rows, 'h'), ...rows.map((row) => d.theirs('entropy-first', item(row)))]);
	return from('entropy-first', {}, table('entropy-first', 'Entropy of the ' + (rows[0] || { ply: 0 }).ply + ' plies after a first move, ± 95 %',
	    ['Rule set', 'First move', ['H'], ...floorTitles(d), ['Equivalent games'], ['Study’s H'], '● ours, ◇ the study’s'],
	    rows.map((row) => [d.named(row.rules), '1. ' + row.start, errorCell(row, 'h', 2), ...floorCells(d, item(row)), large(row.equivalent), fix(d.theirs('entropy-first', item(row)), 2),
		errorDots(row, 'h', d.theirs('entropy-first', item(row)), range)])));
}

// How the choice after 1. e4 differs from that after 1. Nf3, beside the study.
function firstWords(d) {
	const rows = lastPly(d.t.entropy_first), said = Say.byName(rows.map((row) => row.rules)).map((rules) => {
		const [a, b] = ['e4', 'Nf3'].map((start) => rows.find((row) => row.rules === rules && row.start === start));
		if (!a || !b)
			return null;
		const [e4, nf3] = ['e4', 'Nf3'].map((start) => d.theirs('entropy-first', rules + '/' + start)), se = Math.hypot(a.h_se || 0, b.h_se || 0);
		return fix(b.h - a.h, 2) + ' ⟨ci|± ' + fix(1.96 * se, 2) + '⟩ in ' + d.named(rules) + (isNumber(e4) && isNumber(nf3) ? ' (the study: ' + fix(nf3 - e4, 2) + ')' : '');
	}).filter(Boolean);
	return para('How much less choice 1. e4 leaves than 1. Nf3, in nats: ' + andList(said) + '. The study found that a player who can castle has forced lines after 1. e4, and one who cannot has none.');
}

function extremes(d) {
	const rows = ofPrior(d, 'net').filter((row) => isNumber(row.h) && d.knows(row.rules));
	if (rows.length < 2)
		return [];
	const [a, b] = [least(rows, (row) => row.h), most(rows, (row) => row.h)];
	return para((d.t.floor.length === 0 ? 'By this one net, the least' : 'The least') + ' choice is in ' + d.named(a.rules) + ', with ' + fix(a.h, 2) + ' nats, as many as ' + large(a.equivalent) +
	    ' equally likely games; the most is in ' + d.named(b.rules) + ', with ' + fix(b.h, 2) + ' nats or ' + large(b.equivalent) + ' games.');
}

// The same of lines drawn in proportion to a tree search's visits, beside the prior's.
function visits(d) {
	const rows = lastPly(d.t.entropy_visits).filter((row) => isNumber(row.h)), prior = Object.fromEntries(ofPrior(d, 'net').map((row) => [row.rules, row]));
	if (!rows.some((row) => isNumber(row.sims)))
		return [];
	const gap = (row) => row.h - (prior[row.rules] || { h: NaN }).h, gaps = rows.map(gap).filter(isNumber), theirs = (row) => d.theirs('entropy', row.rules), range = rangeOf([...endsOf(rows, 'h'), ...rows.map(theirs)]);
	const order = (measure) => {
		const row = d.t.agreement.find((one) => one.measure === measure && isNumber(one.rho));
		return row ? fix(row.rho, 2) + interval(row.rho_lo, row.rho_hi, fixed(2)) : 'not known';
	};
	return [...h3('After a search'),
	    ...para('The prior is the net before any search. Here each move is drawn in proportion to the visits of a tree search of ' + plural(rows[0].sims, 'visit') + ', which sees what the moves lead to.' +
		(gaps.length === 0 ? '' : ' That leaves ' + fix(Math.abs(mean(gaps)), 1) + ' nats ' + (mean(gaps) > 0 ? 'more' : 'less') + ' choice on average, from ' + signedNats(Math.min(...gaps)) + ' to ' + signedNats(Math.max(...gaps)) + '.') +
		' The rank correlation of the rule sets with the study’s order is ' + order('entropy-visits') + ' by visits and ' + order('entropy') + ' by the prior.'),
	    ...from('entropy-visits', {}, table('entropy-visits', 'Entropy of the first ' + rows[0].ply + ' plies by visits and by the prior, in nats, ± 95 %',
		['Rule set', ['Lines'], ['H, by visits'], ['H, by the prior', { from: 'entropy' }], ['Difference'], ['Study’s H'], '● by visits, ◇ the study’s'],
		sorted(rows, (row) => row.h).map((row) => [d.named(row.rules), count(row.lines), errorCell(row, 'h', 2), errorCell(prior[row.rules] || {}, 'h', 2), isNumber(gap(row)) ? signedNats(gap(row)) : '–', fix(theirs(row), 2), errorDots(row, 'h', theirs(row), range)])))];
}

// Does a decisive rule set have a smaller tree of openings, as the study found?
function decisiveWords(d) {
	const r = d.t.relations.find((row) => row.measure === 'entropy-decisiveness') || {}, p = Say.number(r.p) ?? 1;
	return !isNumber(r.rho) ? [] : para('The study found that its most decisive rule sets have the smallest opening trees. Over our ' + r.n + ' rule sets the rank correlation of entropy with the draw rate is ' +
	    fix(r.rho, 2) + interval(r.rho_lo, r.rho_hi, fixed(2)) + (p < 0.05 ? ' (' + percent(p) + ' of orders would correlate as strongly by chance).' : ': not decided (p = ' + fix(p, 2) + ').'));
}

// The square root law: as many plausible moves as the root of the legal ones, that is half of the
// entropy.
function rootWords(d) {
	const uniform = ofPrior(d, 'uniform'), parts = ofPrior(d, 'net').map((row) => ({ rules: row.rules, part: row.h / (uniform.find((one) => one.rules === row.rules) || { h: NaN }).h })).filter((row) => isNumber(row.part));
	const said = (row) => fix(row.part, 2) + ' in ' + d.named(row.rules), part = (row) => row.part;
	return parts.length === 0 ? [] : para('A conjecture says that the number of plausible moves is about the square root of the number of legal ones; then the entropy is half of that of uniform moves. Here it is ' +
	    fix(mean(parts.map(part)), 2) + ' of it on average, from ' + said(least(parts, part)) + ' to ' + said(most(parts, part)) + '; the study’s classical chess has 0.44.');
}

// The likeliest line after 1. e4: the study’s is in the Berlin Defence.
function spikeWords(d) {
	const some = d.t.spikes.filter((row) => row.start === 'e4');
	return some.length === 0 ? [] : para('The study’s classical player has a spike after 1. e4: one line of the Berlin Defence (1… e5 2. Nf3 Nc6 3. Bb5 Nf6), which castling makes possible. The likeliest of our sampled lines: ' +
	    some.map((row) => 'in ' + d.named(row.rules) + ' ⟨san|' + Say.plain(row.san) + '⟩ (one in ' + large(1 / Math.max(row.p, 1e-300)) + ')').join('; ') + '.');
}

// Rule sets whose rules the prior does not know.
function untold(d) {
	const some = d.t.untold.filter((row) => row.net === 'prior').map((row) => d.named(row.rules) + ' (' + Say.plain(row.fields) + ')');
	return some.length === 0 ? [] : note('The prior was never told these rules: ' + andList(some) + '. Its lines are legal, but chosen as in chess: what stands below about their openings, divergence and first moves is no finding.');
}

const linePlies = (d) => (d.run.lines || {}).plies ?? 20;
const entropy = (d) => section('entropy', 'Opening choice', untold(d),
	para('Lines of ' + linePlies(d) + ' plies are sampled from the prior, the net’s move probabilities before any search. The entropy H measures how spread out they are: e to the power H equally likely lines would be as varied. ' +
	    'The baseline is a player without preferences, for whom all legal moves are equally likely.'),
	extremes(d), widthWords(d), decisiveWords(d), rootWords(d), entropyTable(d), floorWords(d), temperatureTable(d), note('H sums the prior’s own entropies along the sampled lines; ± is 1.96 standard errors.'), visits(d),
	h3('After one first move'), firstWords(d), spikeWords(d), folded('The numbers', firstTable(d)), chart('entropy-first-histogram'), h3('How likely lines are'), chart('entropy-histogram'), h3('Candidate moves at each ply'),
	para('M(t) is the number of candidate moves at ply t: the mean over lines of e to the power of the prior’s entropy.'), chart('candidates'), chart('candidates-first'));

// ---- divergence ----

// Is a divergence below the difference of two nets under the same rules?
function belowFloor(d, row) {
	const floor = floorOf(d, row.p).kl;
	return isNumber(row.kl) && isNumber(floor) && row.kl <= floor;
}
function floorCell(d, row) {
	const floor = floorOf(d, row.p).kl;
	return !isNumber(floor) ? '–' : fix(floor, 2) + (belowFloor(d, row) ? ' ⟨open|D is below it⟩' : '');
}
function floorCount(d, rows) {
	const finite = rows.filter((row) => isNumber(row.kl));
	return d.t.floor.length === 0 ? floorWords(d) : para('The noise floor of D[p‖q] is the divergence, under p itself, of two nets that learnt the same from different seeds.' +
	    (finite.length === 0 ? '' : ' ' + of(finite.filter((row) => belowFloor(d, row)).length, finite.length) + ' divergences lie below it and mean nothing.'));
}

function divergence(d) {
	const rows = lastPly(d.t.divergence), theirs = (row) => d.theirs('divergence', row.p + '/' + row.q), range = rangeOf([...endsOf(rows, 'kl'), ...rows.map(theirs)]), kl = (row) => row.kl;
	const free = rows.filter((row) => row.p === 'classical' && isNumber(row.kl) && d.knows(row.q)), said = (row) => '(' + fix(row.kl, 2) + ' nats' + (belowFloor(d, row) ? ', below the noise floor' : '') + ')';
	return section('divergence', 'How far apart rule sets are',
	    para('Lines are sampled under rule set p and scored under q. The divergence D[p‖q] is how much less likely they are under q, in nats: 0 if q would play the same. It is infinite if q forbids a move of these lines.'),
	    free.length < 2 ? [] : para('Of the rule sets that allow all of these lines of chess, ' + d.named(least(free, kl).q) + ' changes its openings least ' + said(least(free, kl)) + ' and ' + d.named(most(free, kl).q) + ' most ' + said(most(free, kl)) + '.'),
	    floorCount(d, rows),
	    from('divergence', {}, table('divergence', 'D[p‖q] over ' + (rows[0] || { ply: 0 }).ply + ' plies in nats, ± 95 %', ['p, lines from', 'q, judged by', ['D[p‖q]'], ['Noise floor'], ['Lines q forbids'], ['Study’s'], '● ours, ◇ the study’s'],
		rows.map((row) => [d.named(row.p), d.named(row.q), belowFloor(d, row) ? '⟨open|below the floor⟩' : isNumber(row.kl) ? errorCell(row, 'kl', 2) : fix(row.kl, 2), floorCell(d, row),
		    count(row.infinite) + ' of ' + count(row.lines), fix(theirs(row), 2), errorDots(row, 'kl', theirs(row), range)]))),
	    chart('divergence-histogram'));
}

function additional(d) {
	const plies = [1, 2, 5, 10, 15, 20].filter((ply) => d.t.additional.some((row) => row.ply === ply)), first = d.t.additional.filter((row) => row.ply === 1 && isNumber(row.additional) && d.knows(row.rules));
	const said = (row) => d.named(row.rules) + ' (' + fix(row.additional, 2) + ')', number = (row) => row.additional;
	return section('additional', 'Additional candidates',
	    para('A(t) is how many more candidate moves a rule set has at ply t than classical chess has in the same positions. Below zero, the rule set narrows the choice.'),
	    first.length < 2 ? [] : para('At the first move it is least in ' + said(least(first, number)) + ' and most in ' + said(most(first, number)) + '. In the study torpedo chess has 1.8 fewer there, because two thirds of its probability are on 1. d4.'),
	    chart('additional'),
	    folded('The numbers at some plies', from('additional', {}, table('additional', 'Additional candidates at some plies, ± 95 %', ['Rule set', ...plies.map((ply) => ['Ply ' + ply])],
		d.names.map((rules) => [rules, d.t.additional.filter((row) => row.rules === rules)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) => [d.named(rules), ...plies.map((ply) => {
			const row = rows.find((one) => one.ply === ply);
			return row ? errorCell(row, 'additional', 2) : '–';
		})])))));
}

// ---- first moves ----

function firstMoves(d) {
	const theirs = Object.entries(d.published('first-move')).map(([item, value]) => {
		const [rules, moves] = item.split('/');
		return percent(value, 0) + ' for ' + moves.replace(/\+/g, ', ') + ' in ' + d.named(rules);
	});
	return section('firstmoves', 'First moves', para('The prior’s probability of each first move: the net’s preference before any search.'), chart('firstmoves'),
	    from('firstmoves', {}, table('firstmoves', 'The six likeliest first moves of each prior, in per cent', ['Rule set', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', ['c3, d3, e3 and h3']],
		d.names.map((rules) => [rules, sorted(d.t.firstmoves.filter((row) => row.rules === rules), (row) => -row.prior)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) => [d.named(rules),
		    ...[0, 1, 2, 3, 4, 5].map((i) => rows[i] ? { t: Say.plain(rows[i].san) + ' ⟨ci|' + fix(100 * rows[i].prior, 1) + '⟩', v: rows[i].prior } : '–'),
		    fix(100 * Say.sum(rows.filter((row) => ['c3', 'd3', 'e3', 'h3'].includes(row.san)).map((row) => row.prior)), 1)]))),
	    note('The study’s: ' + (theirs.length === 0 ? 'no numbers' : andList(theirs)) + '.'));
}

return { fromError, floorOf, floorGap, hasBoth, ofPrior, entropy, divergence, additional, firstMoves };
})();
