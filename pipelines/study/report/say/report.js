// The whole of what the report says, from report.json: its head, sections and footer, and the
// games with their titles.
const Report = (() => {
'use strict';

const { plural, para, section, chart, marked, sum } = Say;

const lead = (d) => plural(d.rules.length, 'rule set') + ' side by side, each played by a program against itself: ' + plural(sum([...d.t.outcomes, ...d.t.openings].map((row) => row.games || 0)), 'game') +
	', from the start and after four openings, and what they show about draws, White’s advantage, choice in the opening, special moves and piece values. Our numbers are shown beside those of the published study that this follows.';

const SOURCE = 'The study: N. Tomašev, U. Paquet, D. Hassabis, V. Kramnik, ⟨cite|Assessing Game Balance with AlphaZero: Exploring Alternative Rule Sets in Chess⟩, 2020, arXiv:2009.04374. All tables of this page are in files beside it as ' +
	'tab-separated values, all figures as SVG and PNG.';

const explorer = () => section('explorer', 'Explorer of openings',
	para('The first plies of the games at the first budget, and of the lines sampled from the prior, which is the net’s choice before any search. Shares and White’s score have 95 % intervals; what fewer than 1 in 200 games or lines begin with is left out.'),
	chart('tree'));

function compared(d) {
	const [one] = Results.compare(d);
	return [{ id: one.id, title: one.title, parts: [...one.parts, ...Nets.one(d)] }];
}

function say(report) {
	const d = Study.open(report), sections = [...Facts.firstScreen(d), ...Facts.glance(d), ...Facts.cards(d), ...Results.outcomes(d), ...compared(d), ...Nets.several(d), ...Strength.strength(d), ...Strength.measures(d),
	    ...Results.openings(d), ...explorer(), ...Results.special(d), ...Played.themes(d), ...Choice.entropy(d), ...Choice.divergence(d), ...Choice.additional(d),
	    ...Results.values(d), ...Choice.firstMoves(d), ...Results.lengths(d), ...Played.mainlines(d), ...Played.long(d), ...Played.games(d), ...Run.run(d), ...Agreement.agreement(d)];
	return { title: 'What would chess become under other rules?', lead: lead(d), head: marked([...Strength.player(d), ...Run.fallback(d)]), sections: marked(sections), footer: marked(SOURCE), games: marked(Played.all(d)) };
}

return { say };
})();
