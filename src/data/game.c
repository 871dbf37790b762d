#include "game.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"

static const char *const result_names[] = { "*", "1-0", "0-1", "1/2-1/2" };

void
game_init(struct game *g)
{
	memset(g, 0, sizeof(*g));
	g->tags = xmalloc(GAME_TAGS_MAX * sizeof(*g->tags));
	g->notes = xmalloc(GAME_NOTES_MAX * sizeof(*g->notes));
	text_reserve(&g->text, 1);
	game_clear(g);
}

void
game_release(struct game *g)
{
	free(g->line.moves);
	free(g->line.keys);
	free(g->line.men);
	free(g->tags);
	free(g->notes);
	text_release(&g->text);
	memset(g, 0, sizeof(*g));
}

void
game_clear(struct game *g)
{
	static const struct span none;

	g->line.plies = g->ntags = g->nnotes = 0;
	g->usual_start = true;
	g->result = RESULT_NONE;
	g->value = 0;
	g->end = END_UNKNOWN;
	g->sims = -1;
	g->id = g->white = g->black = g->seed = g->net = g->search = none;
	g->options = none;
	text_clear(&g->text);
}

void
game_set_rules(struct game *g, const struct rules *r)
{
	g->rules = *r;
	board_start(&g->start, &g->rules);
	g->usual_start = true;
}

struct span
game_keep(struct game *g, const char *s, size_t n)
{
	struct span kept = { (uint32_t)g->text.len, (uint32_t)n };

	text_add(&g->text, s, n);
	text_add(&g->text, "", 1);
	return kept;
}

struct span
game_keep_foreign(struct game *g, const char *s, size_t n)
{
	size_t begin = g->text.len;

	text_add_utf8(&g->text, s, n);
	for (size_t i = begin; i < g->text.len; i++)
		if ((unsigned char)g->text.s[i] < ' ' || g->text.s[i] == 0x7f)
			g->text.s[i] = ' ';
	struct span kept = { (uint32_t)begin, (uint32_t)(g->text.len - begin) };
	text_add_char(&g->text, '\0');
	return kept;
}

bool
game_grow(struct game *g)
{
	struct line *l = &g->line;

	if (l->plies + 1 < l->room)
		return true;
	if (l->plies >= GAME_PLIES_MAX)
		return false;
	size_t room = l->room == 0 ? 1024 : 2 * (size_t)l->room;
	if (room > GAME_PLIES_MAX + 1)
		room = GAME_PLIES_MAX + 1;
	l->moves = xreallocarray(l->moves, room, sizeof(*l->moves));
	l->keys = xreallocarray(l->keys, room, sizeof(*l->keys));
	l->men = xreallocarray(l->men, room, sizeof(*l->men));
	l->room = (int)room;
	return true;
}

static const struct game_tag *
find_tag(const struct game *g, const char *name, size_t n)
{
	for (int i = 0; i < g->ntags; i++) {
		const char *s = game_text(g, g->tags[i].name);
		if (g->tags[i].name.len == n && s[0] == name[0] &&
		    memcmp(s, name, n) == 0)
			return &g->tags[i];
	}
	return NULL;
}

bool
game_says_nothing(const struct game *g, struct span value)
{
	const char *s = game_text(g, value);

	return value.len == 0 || (value.len == 1 && s[0] == '?') ||
	    (value.len == 10 && memcmp(s, "????.??.??", 10) == 0);
}

struct span
game_keep_number(struct game *g, uint64_t v)
{
	char number[24];
	int n = snprintf(number, sizeof(number), "%" PRIu64, v);

	return game_keep(g, number, (size_t)n);
}

bool
game_is_tag_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
			(s[i] >= '0' && s[i] <= '9') ||
			(i > 0 && memchr("_+#=:-?", s[i], 7) != NULL)))
			return false;
	return n > 0 && n <= GAME_NAME_MAX;
}

bool
game_is_field(const char *name, size_t n)
{
	static const char *const names[] = { "White", "Black", "Result", "Variant",
		"SetUp", "FEN", "Points", "End", "GameId", "Seed", "Net", "Sims",
		"Options" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
			return true;
	return false;
}

int
game_add_tag(struct game *g, struct span name, struct span value)
{
	if (game_says_nothing(g, value) ||
	    find_tag(g, game_text(g, name), name.len) != NULL)
		return 0;
	if (g->ntags == GAME_TAGS_MAX || g->text.len > GAME_TEXT_MAX)
		return -1;
	g->tags[g->ntags++] = (struct game_tag){ name, value };
	return 0;
}

int
game_add_note(struct game *g, enum note kind, int ply, struct span text)
{
	if (g->nnotes == GAME_NOTES_MAX || g->text.len > GAME_TEXT_MAX)
		return -1;
	g->notes[g->nnotes++] = (struct game_note){ kind, ply, text };
	return 0;
}

const struct game_tag *
game_find_tag(const struct game *g, const char *name)
{
	return find_tag(g, name, strlen(name));
}

/* The result of a game with this value to White. */
static enum result
result_of(int value)
{
	return value == 100 ? RESULT_WHITE : value == -100 ? RESULT_BLACK : RESULT_DRAW;
}

enum end
game_derive_end(const struct game *g, const struct board *final)
{
	enum end e = outcome_find(final, g->line.keys, g->line.plies);

	/* The ply limit is ours: long games of others ended in another way. And a
	 * game in which a draw could be claimed may have been won. */
	if (e == END_NONE || e == END_LENGTH)
		return END_UNKNOWN;
	enum result r = result_of(outcome_value(final, e));
	bool claimed = e == END_REPETITION || e == END_FIFTY || e == END_MATERIAL;
	return claimed && r != g->result ? END_UNKNOWN : e;
}

bool
game_set_points(struct game *g, const char *s, size_t n)
{
	char text[32];
	double points;

	if (n == 0 || n >= sizeof(text) || g->result == RESULT_NONE)
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (!number_read_double(text, 0, 1, &points))
		return false;
	int value = (int)lround(points * 200) - 100;
	if (fabs(points * 200 - 100 - value) > 1e-6 ||
	    (g->result == RESULT_DRAW ? value == 100 || value == -100
				      : value != result_value(g->result)))
		return false;
	g->value = value;
	return true;
}

void
game_derive_value(struct game *g, const struct board *final)
{
	int value;

	if (g->result != RESULT_DRAW)
		return;
	value = outcome_value(final, g->end);
	if (value > -100 && value < 100)
		g->value = value;
}

void
game_set_value(struct game *g, int value)
{
	g->value = value;
	g->result = result_of(value);
}

int
result_value(enum result r)
{
	return r == RESULT_WHITE ? 100 : r == RESULT_BLACK ? -100 : 0;
}

int
game_check_end(const struct game *g, const struct board *final,
    char reason[GAME_REASON_MAX])
{
	enum end seen = outcome_now(final, movegen_count(final));
	enum end end = seen != END_NONE ? seen : g->end;
	int value = outcome_value(final, end);

	if (seen != END_NONE ? g->end != seen && g->end != END_UNKNOWN
			     : end_is_seen(g->end))
		return refuse(reason, "the end is given as %s, but the board shows %s",
		    end_name(g->end), seen != END_NONE ? end_name(seen) : "legal moves");
	if (g->result == RESULT_NONE || end == END_RESIGN || end == END_UNKNOWN)
		return 0;
	if (g->result != result_of(value))
		return refuse(reason,
		    "the result is given as %s, but the end is %s, which is %s",
		    result_name(g->result), end_name(end), result_name(result_of(value)));
	if (g->end == end && g->value != value)
		return refuse(reason,
		    "the points are given as %g, but the end is %s, which is %g",
		    game_points(g), end_name(end), (value + 100) / 200.0);
	return 0;
}

const char *
result_name(enum result r)
{
	return result_names[r];
}

bool
result_read(const char *s, size_t n, enum result *r)
{
	for (int i = 0; i < 4; i++) {
		if (strlen(result_names[i]) == n && memcmp(result_names[i], s, n) == 0) {
			*r = (enum result)i;
			return true;
		}
	}
	return false;
}

bool
end_read(const char *s, size_t n, enum end *e)
{
	for (int i = END_NONE + 1; i < END_COUNT; i++) {
		const char *name = end_name((enum end)i);
		if (strlen(name) == n && memcmp(name, s, n) == 0) {
			*e = (enum end)i;
			return true;
		}
	}
	return false;
}

void
rules_write_json(const struct rules *r, struct text *t)
{
	char rules[RULES_TEXT_MAX];

	rules_print(r, rules);
	if (rules_is_custom(r))
		text_add_string(t, rules);
	else
		text_add_json_string(t, rules, strlen(rules));
}

void
rules_write_changes(const struct rules *r, bool pieces, struct text *t)
{
	char value[RULES_VALUE_MAX];
	const char *between = "{";

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (rules_is_classical(r, f) ||
		    (pieces && f->type != RULE_PIECE && f->type != RULE_PIECES))
			continue;
		rules_print_value(r, f, value);
		text_add_format(t, "%s\"%s\":%s", between, f->name, value);
		between = ",";
	}
	text_add_string(t, between[0] == '{' ? "{}" : "}");
}

static void
write_span(const struct game *g, struct text *t, const char *key, struct span s)
{
	if (s.len == 0)
		return;
	text_add_string(t, key);
	text_add_json_string(t, game_text(g, s), s.len);
}

void
game_write_moves(const struct game *g, struct text *t)
{
	char *s;

	text_reserve(t, (size_t)g->line.plies * 6 + 1);
	s = t->s + t->len;
	for (int i = 0; i < g->line.plies; i++) {
		s += move_print(&g->rules, g->line.moves[i], s);
		*s++ = ' ';
	}
	if (g->line.plies > 0)
		s--;
	t->len = (size_t)(s - t->s);
	t->s[t->len] = '\0';
}

/* The four tags that PGN puts first; NULL for a missing one. */
static int
roster_tags(const struct game *g, const struct game_tag *found[4])
{
	static const char *const names[] = { "Event", "Site", "Date", "Round" };
	int n = 0;

	for (int i = 0; i < 4; i++)
		if ((found[n] = game_find_tag(g, names[i])) != NULL)
			n++;
	return n;
}

static void
write_tag(const struct game *g, struct text *t, const struct game_tag *tag, bool first)
{
	text_add_string(t, first ? ",\"tags\":{" : ",");
	text_add_json_string(t, game_text(g, tag->name), tag->name.len);
	text_add_char(t, ':');
	text_add_json_string(t, game_text(g, tag->value), tag->value.len);
}

/* Writes tags in PGN's order, so that a conversion to PGN and back changes
 * nothing. */
static void
write_tags(const struct game *g, struct text *t)
{
	const struct game_tag *roster[4];
	int n = roster_tags(g, roster);

	for (int i = 0; i < n; i++)
		write_tag(g, t, roster[i], i == 0);
	for (int i = 0; i < g->ntags; i++) {
		const struct game_tag *tag = &g->tags[i];
		bool written = false;
		for (int j = 0; j < n; j++)
			written |= roster[j] == tag;
		if (!written)
			write_tag(g, t, tag, n == 0 && i == 0);
	}
	if (g->ntags > 0)
		text_add_char(t, '}');
}

static void
write_notes(const struct game *g, struct text *t)
{
	static const char *const kinds[] = { "comment", "nag", "variation" };

	for (int i = 0; i < g->nnotes; i++) {
		const struct game_note *n = &g->notes[i];
		text_add_string(t, i == 0 ? ",\"comments\":[" : ",");
		text_add_format(t, "{\"ply\":%d,\"%s\":", n->ply, kinds[n->kind]);
		if (n->kind == NOTE_NAG)
			text_add(t, game_text(g, n->text), n->text.len);
		else
			text_add_json_string(t, game_text(g, n->text), n->text.len);
		text_add_char(t, '}');
	}
	if (g->nnotes > 0)
		text_add_char(t, ']');
}

void
game_write_line(const struct game *g, struct text *t)
{
	char fen[FEN_MAX];

	if (!g->usual_start) {
		fen_write(&g->start, fen);
		text_add_format(t, ",\"start\":\"%s\"", fen);
	}
	text_add_string(t, ",\"moves\":\"");
	game_write_moves(g, t);
	text_add_char(t, '"');
}

void
game_write_json(const struct game *g, struct text *t)
{
	text_add_string(t, "{\"v\":1");
	write_span(g, t, ",\"id\":", g->id);
	text_add_string(t, ",\"rules\":");
	rules_write_json(&g->rules, t);
	game_write_line(g, t);
	text_add_format(t, ",\"result\":\"%s\"", result_name(g->result));
	if (g->value != result_value(g->result))
		text_add_format(t, ",\"points\":%.10g", game_points(g));
	text_add_format(t, ",\"end\":\"%s\",\"plies\":%d", end_name(g->end),
	    g->line.plies);
	write_span(g, t, ",\"white\":", g->white);
	write_span(g, t, ",\"black\":", g->black);
	write_span(g, t, ",\"seed\":", g->seed);
	write_span(g, t, ",\"net\":", g->net);
	if (g->sims >= 0)
		text_add_format(t, ",\"sims\":%d", g->sims);
	write_span(g, t, ",\"options\":", g->options);
	write_tags(g, t);
	write_notes(g, t);
	if (g->search.len > 0) {
		text_add_string(t, ",\"search\":");
		text_add(t, game_text(g, g->search), g->search.len);
	}
	text_add_string(t, "}\n");
}
