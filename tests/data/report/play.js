// play.js VIEWER GAMES FENS: plays games (JSONL) by the functions of the report's viewer,
// and compares every position with the FENs, one a line, those of each game from its start.
// Prints how many there were, and how many differ.
const fs = require('fs');
const [viewer, games, fens] = process.argv.slice(2).map((name) => fs.readFileSync(name, 'utf8'));
const square = (name) => (8 - name.charAt(1)) * 8 + name.charCodeAt(0) - 97;

// The text of a function of the viewer.
function textOf(name) {
	const from = viewer.indexOf('function ' + name + '(');
	return viewer.slice(from, viewer.indexOf('\n}', from) + 2);
}

function setUp(fen) {
	const [placement, side] = fen.split(' ');
	const at = placement.replace(/\[.*\]|~|\//g, '').replace(/\d/g, (n) => '.'.repeat(n));
	return { at: at.split(''), side: side };
}

const after = new Function('square', ['castling', 'explode', 'dropped', 'after'].map(textOf).join('\n') +
    '\nreturn after;')(square);
const lines = fens.trim().split('\n');
let count = 0, wrong = 0;
for (const line of games.trim().split('\n')) {
	const game = JSON.parse(line);
	let position = setUp(lines.shift());
	for (const move of game.moves.split(' ')) {
		position = after(position, move, '', game.rules === 'atomic');
		count++;
		wrong += position.at.join('') !== setUp(lines.shift()).at.join('');
	}
}
console.log(count > 300 ? 'many' : count, wrong);
