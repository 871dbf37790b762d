/*
 * Writes PGN in export format: the seven tag roster first, lines of less than 80
 * characters, an empty line after tags and after moves.
 */
#include <inttypes.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "game.h"
#include "variant.h"

enum { COLUMNS = 79 };

/* The movetext as it is written. */
struct movetext {
	const struct game *g;
	struct text *t;
	size_t column;
	bool number_black; /* Black's next move needs its number */
	bool in_one_line;
};

/* ---- tags ---- */

static void
add_tag(struct text *t, const char *name, size_t name_len, const char *value, size_t n)
{
	text_add_char(t, '[');
	text_add(t, name, name_len);
	text_add(t, " \"", 2);
	for (size_t i = 0; i < n;) {
		size_t plain = i;
		while (plain < n && value[plain] != '"' && value[plain] != '\\')
			plain++;
		text_add(t, value + i, plain - i);
		if (plain < n) {
			text_add_char(t, '\\');
			text_add_char(t, value[plain]);
		}
		i = plain + 1;
	}
	text_add(t, "\"]\n", 3);
}

static void
add_tag_string(struct text *t, const char *name, const char *value)
{
	add_tag(t, name, strlen(name), value, strlen(value));
}

static void
add_tag_span(const struct game *g, struct text *t, const char *name, struct span value)
{
	if (value.len > 0)
		add_tag(t, name, strlen(name), game_text(g, value), value.len);
}

/* One of the seven tags that are always written. */
static void
add_roster_tag(const struct game *g, struct text *t, const char *name,
    const char *unknown)
{
	const struct game_tag *tag = game_find_tag(g, name);

	if (tag != NULL)
		add_tag_span(g, t, name, tag->value);
	else
		add_tag_string(t, name, unknown);
}

static void
add_player_tag(const struct game *g, struct text *t, const char *name, struct span player)
{
	if (player.len > 0)
		add_tag_span(g, t, name, player);
	else
		add_tag_string(t, name, "?");
}

static bool
is_written_elsewhere(const struct game *g, struct span name)
{
	static const char *const names[] = { "Event", "Site", "Date", "Round" };
	const char *s = game_text(g, name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == name.len && memcmp(names[i], s, name.len) == 0)
			return true;
	return game_is_field(s, name.len);
}

/* Writes how the game ended in Termination, which other programs read. If the
 * game has such a tag of its own, or our reader would not accept the end from
 * there, writes a tag of our own. */
static void
add_end_tags(const struct game *g, struct text *t)
{
	bool told = game_find_tag(g, "Termination") == NULL;
	struct board b = g->start;
	struct undo u;

	for (int i = 0; i < g->line.plies; i++)
		board_make(&b, g->line.moves[i], &u);
	enum end seen = game_derive_end(g, &b);
	if (told && !end_is_seen(seen))
		seen = g->end;
	if (told)
		add_tag_string(t, "Termination", end_name(g->end));
	if (g->end != seen)
		add_tag_string(t, "End", end_name(g->end));
}

static void
add_tags(const struct game *g, struct text *t)
{
	char text[RULES_TEXT_MAX];

	add_roster_tag(g, t, "Event", "?");
	add_roster_tag(g, t, "Site", "?");
	add_roster_tag(g, t, "Date", "????.??.??");
	add_roster_tag(g, t, "Round", "?");
	add_player_tag(g, t, "White", g->white);
	add_player_tag(g, t, "Black", g->black);
	add_tag_string(t, "Result", result_name(g->result));
	variant_name(&g->rules, text);
	add_tag_string(t, "Variant", text);
	if (!g->usual_start) {
		fen_write(&g->start, text);
		add_tag_string(t, "SetUp", "1");
		add_tag_string(t, "FEN", text);
	}
	if (g->value != result_value(g->result)) {
		snprintf(text, sizeof(text), "%.10g", game_points(g));
		add_tag_string(t, "Points", text);
	}
	add_end_tags(g, t);
	add_tag_span(g, t, "GameId", g->id);
	add_tag_span(g, t, "Seed", g->seed);
	add_tag_span(g, t, "Net", g->net);
	if (g->sims >= 0) {
		snprintf(text, sizeof(text), "%d", g->sims);
		add_tag_string(t, "Sims", text);
	}
	add_tag_span(g, t, "Options", g->options);
	for (int i = 0; i < g->ntags; i++) {
		struct span name = g->tags[i].name;
		if (!is_written_elsewhere(g, name) &&
		    game_is_tag_name(game_text(g, name), name.len))
			add_tag_span(g, t, game_text(g, name), g->tags[i].value);
	}
	text_add_char(t, '\n');
}

/* ---- moves ---- */

/* Appends a word, on a new line if it does not fit. A line never begins with what
 * a reader may take for a tag or an escape. */
static void
add_word(struct movetext *m, const char *s, size_t n)
{
	bool breaks =
	    !m->in_one_line && m->column + 1 + n > COLUMNS && *s != '[' && *s != '%';

	if (m->column > 0) {
		text_add_char(m->t, breaks ? '\n' : ' ');
		m->column = breaks ? 0 : m->column + 1;
	}
	text_add(m->t, s, n);
	m->column += n;
}

static void
add_words(struct movetext *m, char open, const char *s, size_t n, char close)
{
	struct text word = { 0 };
	size_t i = 0;

	text_add_char(&word, open);
	while (i < n) {
		const char *blank = memchr(s + i, ' ', n - i);
		size_t end = blank != NULL ? (size_t)(blank - s) : n;
		text_add(&word, s + i, end - i);
		i = end + 1;
		if (blank != NULL) {
			add_word(m, word.s, word.len);
			text_clear(&word);
		}
	}
	text_add_char(&word, close);
	add_word(m, word.s, word.len);
	text_release(&word);
}

/* A comment that cannot be put in braces takes the rest of the line. */
static void
add_comment(struct movetext *m, const char *s, size_t n)
{
	if (memchr(s, '}', n) == NULL && s[n - 1] != '\\') {
		add_words(m, '{', s, n, '}');
		return;
	}
	add_word(m, ";", 1);
	text_add_char(m->t, ' ');
	text_add(m->t, s, n);
	text_add_char(m->t, '\n');
	m->column = 0;
}

static void
add_note(struct movetext *m, const struct game_note *note)
{
	const char *s = game_text(m->g, note->text);
	char nag[16];
	int n;

	switch (note->kind) {
	case NOTE_NAG:
		n = snprintf(nag, sizeof(nag), "$%.3s", s);
		add_word(m, nag, (size_t)n);
		return;
	case NOTE_COMMENT:
		add_comment(m, s, note->text.len);
		break;
	case NOTE_VARIATION:
		add_words(m, '(', s, note->text.len, ')');
		break;
	}
	m->number_black = true;
}

static void
add_move(struct movetext *m, const struct board *b, move mv)
{
	char text[SAN_MAX + 16];
	int n;

	if (b->side == WHITE || m->number_black) {
		n = snprintf(text, sizeof(text), "%u%s", b->fullmove,
		    b->side == WHITE ? "." : "...");
		add_word(m, text, (size_t)n);
	}
	m->number_black = false;
	n = san_write(b, mv, text);
	add_word(m, text, (size_t)n);
}

void
game_write_pgn(const struct game *g, struct text *t)
{
	struct movetext m = { .g = g, .t = t, .number_black = true };
	struct board b = g->start;
	struct undo u;
	const char *result = result_name(g->result);
	int note = 0;

	add_tags(g, t);
	for (int ply = 0; ply <= g->line.plies; ply++) {
		for (; note < g->nnotes && g->notes[note].ply <= ply; note++)
			add_note(&m, &g->notes[note]);
		if (ply < g->line.plies) {
			add_move(&m, &b, g->line.moves[ply]);
			board_make(&b, g->line.moves[ply], &u);
		}
	}
	add_word(&m, result, strlen(result));
	text_add(t, "\n\n", 2);
}

void
game_write_san(const struct game *g, struct text *t)
{
	struct movetext m = { .g = g, .t = t, .number_black = true, .in_one_line = true };
	struct board b = g->start;
	struct undo u;

	for (int ply = 0; ply < g->line.plies; ply++) {
		add_move(&m, &b, g->line.moves[ply]);
		board_make(&b, g->line.moves[ply], &u);
	}
	text_add_char(t, '\n');
}
