// What charts show, in words: a caption, and for those who do not see the lines, the ends of what
// they show.
const Captions = (() => {
'use strict';

const { rows, labels, isNumber, fix } = Doc;

// "3.1 in Torpedo to 6.2 in Chess", of rows with a number; nothing to say of fewer than two.
function ends(some, field, show, words) {
	const known = some.filter((row) => isNumber(row[field]) && labels[row.rules]).sort((a, b) => a[field] - b[field]);
	const said = (row) => show(row[field]) + ' in ' + labels[row.rules];
	return known.length < 2 ? '' : ' ' + words(said(known[0]), said(known[known.length - 1]));
}
const last = (some) => some.filter((row) => row.ply === Math.max(...some.map((one) => one.ply)));
const rising = (name, measure) => rows(name).filter((row) => row.measure === measure && row.trend === 'rises').length;
const rises = (over, name) => 'Draw rate and White’s score against ' + over + ', a line for each rule set. The draw rate rises in ' + rising(name, 'draw_rate') + ', White’s score in ' + rising(name, 'score') + '.';

// By the name of a chart: its caption, and what a plot shows.
const captions = {
	'outcomes': ['Each bar shows all games of a rule set at this thinking time: White’s wins, draws, Black’s wins. Move the slider, and see what more thinking does.'],
	'ladder': ['Points are the games of a rule set at a budget, with 95 % intervals; a dashed line is fitted to them, and goes on where it can be extrapolated.', () => rises('thinking', 'trend')],
	'training': ['The same against the generation of the net.', () => rises('training', 'training-trend')],
	'openings': ['One bar for each rule set: White’s wins, draws, Black’s wins.'],
	'tree': ['Choose a move to go on, or one above to go back.'],
	'entropy-first-histogram': ['How likely the lines after 1. e4 and 1. Nf3 are, in classical chess and without castling. Lines at the left are forced.', () => 'Histograms of −log p of lines after 1. e4 and 1. Nf3'],
	'entropy-histogram': ['The density of −log p of the sampled lines. A peak at the left is a line that the player strongly prefers; the mean is H.', () => 'Histograms of −log p of lines, all rule sets together'],
	'candidates': ['At each ply of the sampled lines; choose the rule sets.', () => 'Candidate moves at each ply.' +
	    ends(last(rows('entropy').filter((row) => row.prior === 'net')), 'm', (x) => fix(x, 1), (least, most) => 'At the last, ' + least + ' to ' + most + '.')],
	'candidates-first': ['The same after 1. e4 and 1. Nf3.', () => 'Candidate moves at each ply after 1. e4 and 1. Nf3'],
	'divergence-histogram': ['The density of log p(line)/q(line). Right of zero are lines that q likes less than p does.', () => {
		const all = last(rows('divergence')), told = all.filter((row) => row.infinite === 0).length;
		return 'Histograms of log p/q for pairs of rule sets of which one allows all lines of the other: ' + told + ' of ' + all.length + ' pairs';
	}],
	'additional': ['At each ply, with 95 % intervals; zero is classical chess.', () => 'Additional candidate moves at each ply.' +
	    ends(rows('additional').filter((row) => row.ply === 1), 'additional', (x) => fix(x, 1), (least, most) => 'At the first, ' + least + ' to ' + most + '.')],
	'values': ['● Our values with 95 % intervals, ◇ the study’s. A wide interval means that there are too few games.'],
	'firstmoves': ['In per cent, of the moves that some rule set gives at least two.'],
	'lengths': ['The distribution of the number of plies. Long tails come from games that neither side can win.', () => 'Distributions of game lengths for each rule set.' +
	    ends(rows('outcomes').filter((row) => row.budget === 1), 'plies_median', (x) => fix(x, 0), (least, most) => 'Half of the games take no more plies than ' + least + ', and ' + most + '.')]
};

// How games are played through.
const keys = ['Use the buttons, click a move, or tap the right or left half of the board. With the keyboard, when the board has the focus: ← and → step, Home and End jump, the space bar plays. ' +
	'Special moves are ', { key: 'marked in this colour' }, ', in the list and by an arrow on the board.'];

return { of: (name) => captions[name][0], alt: (name) => captions[name][1](), keys };
})();
