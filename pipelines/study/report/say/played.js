// Games, main lines, long games, and positions in which a move that chess does not have wins.
const Played = (() => {
'use strict';

const { plain, slug, isNumber, fix, fixed, percent, count, signed, mean, plural, andList, capital, para, note, section, table } = Say;

const RESULTS = { '1-0': 'White won', '0-1': 'Black won', '1/2-1/2': 'drawn' };
// A game worth a part of a point is no draw.
const resultLine = (d, game) => (isNumber(game.points) ? game.points + ' points to White' : RESULTS[game.result] || 'no result') + (game.result === '*' ? '' : ' by ' + Words.end(d, game.end));
const ROLES = { shortest: 'shortest win', special: 'most special moves', longest: 'longest game', median: 'median length' };
const roleWords = (role) => capital(andList(role.split('+').map((one) => ROLES[one] || one)));

const marksOf = (game) => game.marks.split(' ').filter((mark) => mark !== '').map((mark) => mark.split(':')[1]);
function specialCounts(game) {
	const counts = {};
	marksOf(game).map(Words.badge).forEach((badge) => { counts[badge] = (counts[badge] || 0) + 1; });
	return Object.keys(counts).length === 0 ? '' : ' · ' + Object.keys(counts).sort().map((badge) => counts[badge] + ' × ' + badge).join(', ');
}
const gameMeta = (d, game) => capital(resultLine(d, game)) + ' in ' + plural(Math.floor((game.plies + 1) / 2), 'move') + specialCounts(game) + ' · game ' + plain(game.id) + (game.sims ? ', ' + count(game.sims) + ' a move' : '');
const lineMeta = (d, line) => (line.whole ? capital(resultLine(d, line)) : 'The game: ' + resultLine(d, line)) + specialCounts(line);

const gameId = (game) => 'game-' + slug(game.set) + '-' + game.role;
const lineId = (line) => 'line-' + slug(line.set) + '-' + slug(line.first);
const longId = (game) => 'long-' + slug(game.set) + '-' + game.id;

// A game as the page has it. The marks are "ply:kind …"; words is what the list shows at a mark.
const shown = (id, title, meta) => (d, game) => Object.assign({ id: id(game), rules: game.set, title: title(game), meta: meta(d, game), moves: game.moves, san: game.san, marks: game.marks, last: game.last,
	words: Object.fromEntries(marksOf(game).map((kind) => [kind, Words.badge(kind)])), result: game.whole === false ? '…' : game.result }, game.start ? { start: game.start } : {});
const shownGame = shown(gameId, (game) => roleWords(game.role), gameMeta), shownLine = shown(lineId, (line) => '1. ' + plain(line.first), lineMeta), shownLong = shown(longId, (game) => plain(game.opening), gameMeta);

function all(d) {
	const { games, mainlines, long } = d.report.played;
	return Object.fromEntries([...games.map((game) => shownGame(d, game)), ...mainlines.map((line) => shownLine(d, line)), ...long.map((game) => shownLong(d, game))].map((one) => [one.id, one]));
}

// A rule set's games or lines, if it has any.
const ofEach = (d, some, id, words) => d.names.map((rules) => [rules, some.filter((game) => game.set === rules).map(id)]).filter(([, ids]) => ids.length > 0)
	.map(([rules, ids]) => ({ fold: d.named(rules), parts: [...(words ? para(plain(d.sentence(rules))) : []), { games: ids }] }));
const orNone = (parts, words) => parts.length > 0 ? parts : note(words);

const games = (d) => section('games', 'Games to play through',
	para('For each rule set, from its games at the longer budget (at most the first ' + count(d.report.looked_at) + '): the shortest decisive game, the one with the most special moves, the longest, and, if these are fewer than three games, ' +
	    'the one of median length. Of equal games the first is shown.'),
	[{ keys: true }], orNone(ofEach(d, d.report.played.games, gameId, true), 'There are no games.'));

const mainlines = (d) => section('mainlines', 'Main lines',
	para('The move that the search finds best, after three first moves or from the start where the rules do not allow these, and nothing drawn at random: ' + ((d.run.mainlines || {}).plies ?? 40) +
	    ' plies, and the position they lead to. You can play through them like the games below.'),
	orNone(ofEach(d, d.report.played.mainlines, lineId, false), 'There are no main lines.'));

// Games by best moves after major openings.
function longRow(d, rules, rows) {
	const points = rows.map((row) => row.points ?? { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 }[row.result]).filter((x) => x !== undefined), those = (result) => count(rows.filter((row) => row.result === result).length);
	return [d.named(rules), count(rows.length), those('1-0'), those('1/2-1/2'), those('0-1'), points.length === 0 ? '–' : percent(mean(points)), fix(mean(rows.map((row) => row.plies)), 0)];
}
function long(d) {
	const { results } = d.report.played;
	return results.length === 0 ? [] : section('long', 'Long games',
	    para('After ' + plural(new Set(results.map((row) => row.opening)).size, 'major opening') + ' the player goes on with the best move that it finds, at ' + plural(results[0].sims, 'node') +
		' a move: nothing is drawn at random, so these are its strongest games. So few tell little of draw rates; they are here to be looked at.'),
	    table('long', 'Results of the long games', ['Rule set', ['Games'], ['White won'], ['Drawn'], ['Black won'], ['White’s score'], ['Plies, mean']],
		d.names.map((rules) => [rules, results.filter((row) => row.rules === rules)]).filter(([, rows]) => rows.length > 0).map(([rules, rows]) => longRow(d, rules, rows))),
	    ofEach(d, d.report.played.long, longId, false), note('Of each rule set at most ' + d.report.most_long + ' games are shown here; ⟨code|tables/long.pgn⟩ has all of them.'));
}

// ---- themes ----

function theme(d, one) {
	const score = signed(fixed(2)), number = Math.floor((one.ply + 1) / 2) + (one.ply % 2 === 1 ? '.' : '…') + '\u00a0' + plain(one.san || one.move);
	return { theme: slug(one.rules) + '-' + slug(one.kind), fen: one.fen, move: one.move, text: '⟨b|' + d.named(one.rules) + '.⟩ ' + Words.theme(one.kind) + ' wins: ⟨b|' + number + '⟩ ⟨meta|Expected score ' + score(one.value) + '; the best move of chess here, ' +
	    plain(one.chess_san || one.chess_move) + ', has ' + score(one.chess_value) + '. ' + (one.fen.split(' ')[1] === 'w' ? 'White' : 'Black') + ' to move, game ' + plain(one.game) + '.⟩' };
}

function themes(d) {
	const all = d.names.flatMap((rules) => d.report.themes.filter((one) => one.rules === rules));
	return section('themes', 'New themes',
	    para('Positions from the games at the longer budget, found by the program: a move that chess does not have wins, and the best move of chess in the same position is far worse.' + (d.report.themes.length === 0 ? '' : ' Both were searched with ' +
		plural(d.report.themes[0].nodes, d.unit) + '; scores are those of the side to move, from −1 (lost) to 1 (won). For each kind of move, the position where the two differ most is shown.')),
	    d.report.themes.length === 0 ? note('There is no such position in these games.') : [{ themes: all.map((one) => theme(d, one)) }]);
}

return { all, gameId, games, mainlines, long, themes };
})();
