// report.json as Markdown, or as JSON with what is said of it; run by node, as text says. What a
// name contains is escaped; control characters, which a terminal would obey, are left out.
(() => {
'use strict';

const [how, file] = process.argv.slice(2), report = JSON.parse(require('fs').readFileSync(file, 'utf8')), said = Report.say(report);

const safe = (text) => String(text).replace(/[\0-\x1f\x7f-\x9f]/g, ' ').replace(/[\\`*<[|]/g, '\\$&');
const code = (words) => '`' + words.replace(/[`\0-\x1f]/g, ' ') + '`';
const piece = (one) => typeof one !== 'object' ? safe(one) : 'b' in one ? '**' + safe(one.b) + '**' : 'code' in one ? code(one.code) : 'see' in one ? '' : safe(Object.values(one)[0]);
const text = (words) => [].concat(words ?? '').map(piece).join('');
const cell = (one) => text(one !== null && typeof one === 'object' && !Array.isArray(one) ? one.t : one) || ' ';

const row = (cells) => '| ' + cells.join(' | ') + ' |\n';
function table(part) {
	const kept = part.columns.map((column, i) => i).filter((i) => !part.rows.some((cells) => cells[i] && cells[i].dots));
	return '**' + safe(part.caption) + '**\n\n' + row(kept.map((i) => text(part.columns[i].t))) + row(kept.map((i) => part.columns[i].n ? '---:' : '---')) + part.rows.map((cells) => row(kept.map((i) => cell(cells[i])))).join('');
}

// Twelve moves a line would be too long for some; a paragraph is wrapped by its reader.
function moves(game) {
	const [, side, , , , number] = (game.start || '').split(' '), before = 2 * (Number(number) || 1) + (side === 'b' ? 1 : 0);
	return safe(game.san.split(' ').filter(Boolean).map((san, i) => {
		const half = before + i, numbered = Math.floor(half / 2);
		return half % 2 === 0 ? numbered + '. ' + san : i === 0 ? numbered + '… ' + san : san;
	}).join(' '));
}

const items = (list) => list.map((one) => '- ' + one + '\n').join('');
const inner = (parts) => parts.flatMap(draw);
const DRAW = {
	table: (part) => [table(part)], fold: (part) => ['### ' + text(part.fold) + '\n', ...inner(part.parts)], player: (part) => [text(part.player) + '\n', ...inner(part.parts)], h3: (part) => ['### ' + text(part.h3) + '\n'],
	list: (part) => [items(part.list.map((one) => text(one).trimEnd()))], terms: (part) => [items(part.terms.map(([term, words]) => text(term) + ': ' + text(words)))],
	bars: (part) => [items(part.bars.map((bar) => text(bar.who) + ': ' + bar.results.map((one) => one.words + ' ' + one.n).join(', ') + ', of ' + bar.games + ' games'))],
	themes: (part) => [items(part.themes.map((one) => text(one.text) + ' Position: ' + code(one.fen)))], chart: () => [], keys: () => [],
	games: (part) => part.games.map((id) => said.games[id]).map((game) => text(game.title) + '. ' + text(game.meta) + '\n\n' + moves(game) + ' ' + text(game.result) + '\n')
};
function draw(part) {
	const kind = Object.keys(DRAW).find((key) => part[key]);
	return kind ? DRAW[kind](part) : [text(part.p ?? part.note ?? part.meta ?? part.lead ?? part.warning ?? '') + '\n'];
}

if (how === 'json')
	process.stdout.write(JSON.stringify(Object.assign({}, report, said)) + '\n');
else
	process.stdout.write(['# ' + text(said.title) + '\n', text(said.lead) + '\n', ...inner(said.head), ...said.sections.flatMap((one) => ['## ' + text(one.title) + '\n', ...inner(one.parts)]), text(said.footer)].map((line) => line + '\n').join(''));
})();
