// What each of several nets says, and on which differences from chess they agree.
const Nets = (() => {
'use strict';

const { isNumber, fix, percent, plural, andList, fieldInterval, withInterval, byNumber, byName, para, note, folded, section, table, from, stacked } = Say;

const nets = (d) => byNumber(d.t.nets.map((row) => row.net));
const MEASURES = { draw_rate: 'Draw rate', score: 'White’s score' };
function measureWords(name) {
	const [what, kind] = name.split('/');
	return MEASURES[name] || (what === 'games_share' ? 'Games with: ' + Words.kind(kind) : Say.capital(what) + ', from ' + Results.targetWords(kind));
}

// One difference from chess: does it stand with all nets?
const replicates = (row) => row.agree === row.nets && isNumber(row.p_holm) && row.p_holm < 0.05;
const verdict = (row) => replicates(row) ? '⟨good|all nets see it⟩' : row.agree < row.nets ? '⟨open|the nets do not agree⟩' : '⟨open|cannot tell⟩';
const aboutResults = (row) => row.measure === 'draw_rate' || row.measure === 'score';

function replicationTable(d, name, caption, wanted) {
	const rows = d.t.replication.filter(wanted), number = (row, x) => row.measure.includes('/') ? fix(x, 2) : fix(100 * x, 1);
	return rows.length === 0 ? [] : from('replication', {}, table(name, caption, ['Rule set', 'Measure', ['Difference from chess'], ['Standard error'], ['p'], ['Nets with this sign'], 'Verdict'],
	    rows.map((row) => [d.named(row.rules), measureWords(row.measure), { t: (row.diff > 0 ? '+' : '') + number(row, row.diff) + (row.measure.includes('/') ? '' : ' points'), v: row.diff }, number(row, row.se),
		isNumber(row.p_holm) && row.p_holm < 0.001 ? '< 0.001' : fix(row.p_holm, 3), row.agree + ' of ' + row.nets, verdict(row)])));
}

// A row for each rule set, a column for each net, and all together.
function netTable(d, budget, measure) {
	const rows = d.at('nets', budget).filter((row) => row.measure === measure);
	return rows.length === 0 ? [] : from('nets', { set: String(budget) }, stacked(table('nets-' + measure + '-' + budget, measureWords(measure) + ' by net at ' + d.sims(budget) + ', with 95 % intervals of games alone',
	    ['Rule set', ...nets(d).map((net) => ['Net ' + net, { net: String(net) }]), ['All together', { from: 'outcomes' }], ['Between nets']],
	    d.names.map((rules) => [rules, rows.filter((row) => row.item === rules)]).filter(([, own]) => own.length > 0).map(([rules, own]) => {
		const all = d.at('outcomes', budget).find((row) => row.rules === rules) || {}, between = all[measure + '_between'];
		return [d.named(rules), ...nets(d).map((net) => {
			const row = own.find((one) => one.net === net);
			return row ? withInterval(row.value, row.value - 1.96 * row.se, row.value + 1.96 * row.se, percent) : '–';
		}), fieldInterval(all, measure, percent), isNumber(between) ? fix(100 * between, 1) + ' points' : '–'];
	    }))));
}

// The other measures of each net, a row for each rule set and measure.
function furtherTable(d) {
	const fresh = new Set(d.at('special', 1).filter((row) => row.class === 'new').map((row) => 'games_share/' + row.kind)), wanted = d.at('nets', 1).filter((row) => row.measure.endsWith('/result') || fresh.has(row.measure));
	const said = (row) => row.measure.endsWith('/result') ? fix(row.value, 2) + ' ⟨ci|± ' + fix(1.96 * row.se, 2) + '⟩' : percent(row.value) + ' ⟨ci|± ' + percent(1.96 * row.se) + '⟩';
	const rows = d.names.flatMap((rules) => byName(wanted.filter((row) => row.item === rules).map((row) => row.measure)).map((measure) => [d.named(rules), measureWords(measure), ...nets(d).map((net) => {
		const row = wanted.find((one) => one.item === rules && one.measure === measure && one.net === net);
		return row ? said(row) : '–';
	})]));
	return rows.length === 0 ? [] : table('nets-further', 'Piece values and special moves by net, first budget, ± 95 % of games alone', ['Rule set', 'Measure', ...nets(d).map((net) => ['Net ' + net])], rows);
}

// "torpedo has fewer draws", of rows that replicate.
const differenceWords = (d, row) => d.named(row.rules) + (row.measure === 'score' ? ' is ' + (row.diff > 0 ? 'better' : 'worse') + ' for White' : ' has ' + (row.diff > 0 ? 'more' : 'fewer') + ' draws');
function agreed(d) {
	const rows = d.t.replication.filter((row) => row.budget === 1 && aboutResults(row)), sure = rows.filter(replicates);
	return rows.length === 0 ? '' : 'Of ' + plural(rows.length, 'difference') + ' from chess in draws and White’s score at the first budget, ' + sure.length + (sure.length === 1 ? ' is' : ' are') + ' seen by all ' + rows[0].nets +
	    ' nets and beyond the variance between them' + (sure.length === 0 ? '' : ': ' + andList(sure.map((row) => differenceWords(d, row)))) + '; in ' + rows.filter((row) => row.agree < row.nets).length + ' the nets do not agree on the sign.';
}

const headline = (d) => agreed(d) === '' ? [] : [agreed(d)];

const several = (d) => d.t.nets.length === 0 ? [] : section('nets', 'Do several nets agree?',
	para(nets(d).length + ' nets, which learnt independently, each played a part of the games. What only some of them see may be a habit of theirs and not come from the rules. ' + agreed(d)),
	replicationTable(d, 'replication', 'Differences from chess at ' + d.sims(1) + ', with the variance between nets; p adjusted by Holm', (row) => row.budget === 1 && aboutResults(row)),
	folded('The same at the second budget', replicationTable(d, 'replication-2', 'Differences from chess at ' + d.sims(2) + ', with the variance between nets', (row) => row.budget === 2 && aboutResults(row))),
	folded('The same for piece values', replicationTable(d, 'replication-values', 'Differences of piece values from chess, in pawns, first budget', (row) => row.budget === 1 && !aboutResults(row))),
	folded('What each net says', [...[1, 2].flatMap((budget) => ['draw_rate', 'score'].flatMap((measure) => netTable(d, budget, measure))), ...furtherTable(d)]),
	note('Between nets: the standard deviation of what nets would say with games without end. It is in the intervals of all tables of results, and no number of games makes it smaller.'));

// Said where there is one net.
const one = (d) => d.t.nets.length > 0 ? [] : note('One net played all games, so it is unknown how much of a difference is a habit of this net: ⟨code|make study NETS=⟩ takes several.');

return { headline, several, one };
})();
