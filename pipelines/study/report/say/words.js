// Names for people of openings, kinds of moves, ends and measures. Those that figures
// need too are in words.json, which report.json has as words.
const Words = (() => {
'use strict';

const OPENINGS = { 'dutch': ['Dutch Defence', '1. d4 f5'], 'chigorin': ['Chigorin Defence', '1. d4 d5 2. c4 Nc6'], 'alekhine': ['Alekhine’s Defence', '1. e4 Nf6'], 'kings-gambit': ['King’s Gambit', '1. e4 e5 2. f4'] };

// Kinds of special moves, in a list of moves.
const BADGES = { 'torpedo': 'torpedo', 'torpedo-promotion': 'torpedo', 'en-passant-torpedo': 'e.p.', 'back': 'back', 'sideways': 'sideways', 'self-capture': 'own piece', 'castle-late': 'late',
	'stalemate-win': 'stalemate wins', 'checks-win': 'last check', 'hill-win': 'on the hill', 'goal-win': 'goal', 'bare-king': 'bare king', 'drop': 'drop', 'explosion': 'explodes',
	'explosion-win': 'king explodes', 'forced-capture': 'forced', 'only-capture': 'only move', 'lost-all': 'no pieces' };

// Kinds as movestats counts them.
const KINDS = { 'torpedo': 'torpedo step', 'torpedo-promotion': 'torpedo step that promotes', 'en-passant': 'en passant, all', 'en-passant-torpedo': 'en passant of a torpedo step',
	'en-passant-rank-3': '… on the 3rd rank', 'en-passant-rank-4': '… on the 4th rank', 'en-passant-rank-5': '… on the 5th rank', 'en-passant-rank-6': '… on the 6th rank',
	'back': 'step back', 'sideways': 'step sideways', 'self-capture': 'self-capture, all', 'castle': 'castling, both sides', 'castle-short': '… short', 'castle-long': '… long',
	'castle-late': '… of a side that may only later', 'drop': 'drop from the hand, all', 'explosion': 'explosion', 'forced-capture': 'forced capture, all', 'only-capture': '… that was the only move',
	'lost-all': 'all pieces lost', 'stalemate-win': 'win by stalemate (of decisive games)', 'checks-win': 'win by the last check (of decisive games)',
	'hill-win': 'win on the hill (of decisive games)', 'goal-win': 'win at the goal (of decisive games)', 'explosion-win': 'win by the king’s explosion (of decisive games)' };
const PARTS = [['self-capture-by-', '… by a '], ['self-capture-', '… of a '], ['drop-', '… of a '], ['promotion-', '… to a ']];

function kind(name) {
	const part = PARTS.find(([start]) => name.startsWith(start));
	return KINDS[name] || (part ? part[1] + name.slice(part[0].length) : name.replace(/-/g, ' '));
}

// Moves that win where chess has none.
const THEMES = { 'torpedo': 'A torpedo step', 'torpedo-promotion': 'A torpedo step that promotes', 'back': 'A step back', 'sideways': 'A step sideways', 'self-capture': 'A self-capture', 'stalemate-win': 'Stalemate', 'drop': 'A drop',
	'explosion': 'An explosion', 'explosion-win': 'The king’s explosion', 'en-passant-torpedo': 'En passant of a torpedo step', 'checks-win': 'The last check', 'hill-win': 'The hill', 'goal-win': 'The goal',
	'bare-king': 'A bare king', 'lost-all': 'Losing all' };

// What gamestats measures.
const DESIGN = { 'length': 'Length, plies', 'branching': 'Legal moves', 'forced': 'Forced moves', 'captures': 'Captures', 'coverage': 'Squares used', 'endgame': 'In the endgame', 'lead-changes': 'Changes of the lead',
	'uncertainty': 'Uncertainty', 'uncertainty-early': '… first third', 'uncertainty-middle': '… second third', 'uncertainty-late': '… last third', 'killer-moves': 'Killer moves', 'drama': 'Drama',
	'comebacks': 'Comebacks', 'decisive-moment': 'Decisive moment' };

const measure = (d, name) => d.report.words.measures[name] || name.replace(/-/g, ' ');
function measureInSentence(d, name) {
	const words = measure(d, name);
	return words.startsWith('White') ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

return { opening: (name) => (OPENINGS[name] || [name])[0], openingMoves: (name) => (OPENINGS[name] || ['', ''])[1], badge: (name) => BADGES[name] || name, kind, theme: (name) => THEMES[name] || name,
    design: (name) => DESIGN[name] || name.replace(/-/g, ' '), end: (d, name) => d.report.words.ends[name] || name, reason: (d, name) => d.report.words.reasons[name], measure, measureInSentence };
})();
