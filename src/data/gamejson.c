/*
 * Reads a game's line of JSON. This is the hot path of every program that reads
 * games, and a cJSON tree would cost ten times as much as checking the moves. So
 * the line is scanned once, in place, for the fields of games(5); cJSON is used
 * only for what is rare, a rule set in JSON.
 */
#include <stdio.h>

#include "chess/fen.h"
#include "chess/run.h"
#include "gamejson.h"
#include "pgn.h"
#include "rulespec.h"

/* The fields of games(5). */
/* clang-format off */
#define FIELDS(FIELD) \
	FIELD(v) FIELD(id) FIELD(rules) FIELD(start) FIELD(moves) \
	FIELD(result) FIELD(points) FIELD(end) FIELD(plies) FIELD(white) \
	FIELD(black) FIELD(seed) FIELD(net) FIELD(sims) FIELD(options) \
	FIELD(tags) FIELD(comments) FIELD(search)
/* clang-format on */

struct fields {
	FIELDS(JSON_MEMBER)
};

/* ---- fields ---- */

static int
scan(struct fields *f, const char *s, const char *end, char *reason)
{
	static const struct json_name names[] = { FIELDS(JSON_NAME) };

	return json_scan(names, (struct json_value *)f, sizeof(names) / sizeof(names[0]),
	    s, end, reason);
}

/* ---- values ---- */

/* Is it a string of ASCII without escapes, as nearly all are? */
static bool
is_plain_string(struct json_value v)
{
	for (size_t i = 1; i + 1 < v.n; i++) {
		unsigned char c = (unsigned char)v.s[i];
		if (c < ' ' || c >= 0x7f || c == '\\')
			return false;
	}
	return v.n >= 2 && v.s[0] == '"';
}

int
game_keep_json(struct game *g, struct json_value v, struct span *kept)
{
	struct text t = { 0 };

	if (is_plain_string(v)) {
		*kept = game_keep(g, v.s + 1, v.n - 2);
		return 0;
	}
	int result = json_read_string(v, &t);
	if (result == 0)
		*kept = game_keep_foreign(g, t.s, t.len);
	text_release(&t);
	return result;
}

bool
game_json_word(struct game *g, struct json_value v, const char **s, size_t *n)
{
	struct span kept;

	if (v.n < 2 || v.s[0] != '"')
		return false;
	*s = v.s + 1;
	*n = v.n - 2;
	if (memchr(*s, '\\', *n) == NULL)
		return true;
	if (game_keep_json(g, v, &kept) == -1)
		return false;
	*s = game_text(g, kept);
	*n = kept.len;
	return true;
}

/* ---- the game ---- */

int
game_parse_rules(struct game *g, struct json_value v, struct rules *r, char *reason)
{
	const char *s = v.s;
	size_t n = v.n;
	char why[RULES_REASON_MAX];

	game_json_word(g, v, &s, &n);
	return rulespec_parse(r, s, n, why) == 0 ? 0 : refuse(reason, "rules: %s", why);
}

int
game_read_rules(struct game *g, const struct game_options *o, struct json_value v,
    char *reason)
{
	struct rules r;

	if (v.s != NULL && game_parse_rules(g, v, &r, reason) == -1)
		return -1;
	game_set_rules(g, v.s != NULL ? &r : o->rules);
	return 0;
}

int
game_read_start(struct game *g, struct json_value v, char *reason)
{
	char why[FEN_REASON_MAX];
	const char *s;
	size_t n;
	struct board usual = g->start;

	if (v.s == NULL)
		return 0;
	if (!game_json_word(g, v, &s, &n))
		return refuse(reason, "start is not a string");
	if (fen_read(&g->start, &g->rules, s, n, why) == -1)
		return refuse(reason, "start: %s", why);
	g->usual_start = memcmp(&usual, &g->start, sizeof(usual)) == 0;
	return 0;
}

int
game_read_moves(struct game *g, struct json_value v, struct board *final, char *reason)
{
	struct board b = g->start;
	const char *s, *end;
	size_t n;

	if (!game_json_word(g, v, &s, &n))
		return refuse(reason, "%s",
		    v.s == NULL ? "no moves" : "moves is not a string");
	game_grow(g);
	g->line.keys[0] = b.key;
	for (end = s + n; s < end;) {
		size_t len = 0;
		if (end - s > RUN_MARGIN)
			s = run_play_long(&g->line, &b, s, end);
		while (s + len < end && s[len] != ' ')
			len++;
		move m = move_parse(&b, s, len);
		if (m == 0)
			return refuse(reason, "ply %d: '%.*s' is not legal",
			    g->line.plies + 1, len < 20 ? (int)len : 20, s);
		if (!game_grow(g))
			return refuse(reason, "too many moves for one game");
		line_add(&g->line, &b, m);
		s += len;
		if (s < end && ++s == end)
			return refuse(reason, "moves end with a blank");
	}
	*final = b;
	return 0;
}

/* Accepts only tags that PGN can have and that are not fields, so that they
 * survive a conversion to PGN. */
static int
read_tag(struct game *g, struct json_value key, struct json_value value, char *reason)
{
	struct json_value quoted = { key.s - 1, key.n + 2 };
	struct span name, text;
	enum end end;

	if (game_keep_json(g, quoted, &name) == -1 ||
	    game_keep_json(g, value, &text) == -1)
		return refuse(reason, "a tag is not a string");
	const char *s = game_text(g, name);
	if (!game_is_tag_name(s, name.len))
		return refuse(reason, "'%.60s' cannot be the name of a tag", s);
	if (game_is_field(s, name.len) ||
	    (strcmp(s, "Termination") == 0 &&
		end_read(game_text(g, text), text.len, &end)))
		return refuse(reason, "the tag %s belongs in a field", s);
	if (text.len > GAME_VALUE_MAX)
		return refuse(reason, "the tag %s is too long", s);
	if (game_find_tag(g, s) != NULL)
		return refuse(reason, "the tag %s is given twice", s);
	if (game_add_tag(g, name, text) == -1)
		return refuse(reason, "too many tags for one game");
	return 0;
}

static int
read_tags(struct game *g, struct json_value v, char *reason)
{
	struct json_value key, value;
	const char *s = v.s, *after;
	bool first = true;

	if (s == NULL)
		return 0;
	if (*s != '{')
		return refuse(reason, "tags is not an object");
	const char *end = s + v.n;
	for (s++; (s = json_next_pair(s, end, first, &key, &value, &after)) != NULL;
	     first = false)
		if (read_tag(g, key, value, reason) == -1)
			return -1;
	return 0;
}

/* Can a variation be written in parentheses and leave the rest readable? */
static bool
is_balanced(const char *s, size_t n)
{
	int depth = 0;
	bool comment = false;

	for (size_t i = 0; i < n && depth >= 0; i++) {
		if (comment)
			comment = s[i] != '}' || !pgn_brace_closes(s, s + i, s + n);
		else if (s[i] == '{')
			comment = true;
		else if (s[i] == ';')
			return false;
		else
			depth += (s[i] == '(') - (s[i] == ')');
	}
	return depth == 0 && !comment;
}

/* Keeps the text of a comment or variation as the PGN reader would. */
static int
keep_note(struct game *g, enum note kind, struct json_value v, struct span *kept)
{
	struct text raw = { 0 }, folded = { 0 };
	int result = json_read_string(v, &raw);

	if (result == 0) {
		text_add_folded(&folded, raw.s, raw.len);
		if (folded.len > 0 && folded.s[folded.len - 1] == ' ')
			folded.len--;
		*kept = game_keep_foreign(g, folded.s, folded.len);
		if (kept->len > GAME_NOTE_MAX ||
		    (kind == NOTE_VARIATION && !is_balanced(folded.s, folded.len)))
			result = -1;
	}
	text_release(&raw);
	text_release(&folded);
	return result;
}

/* One comment: {"ply":3,"comment":"…"}, or nag, or variation. */
static int
read_note(struct game *g, const char *s, const char *end)
{
	struct json_value key, value;
	struct span text = { 0, 0 };
	const char *after;
	bool first = true;
	int ply = -1, nag = 0, kind = -1;

	if (*s != '{')
		return -1;
	for (s++; (s = json_next_pair(s, end, first, &key, &value, &after)) != NULL;
	     first = false) {
		bool is_nag = key.n == 3 && memcmp(key.s, "nag", 3) == 0;
		bool is_comment = key.n == 7 && memcmp(key.s, "comment", 7) == 0;
		if (key.n == 3 && memcmp(key.s, "ply", 3) == 0) {
			if (ply != -1 || !json_read_int(value, &ply))
				return -1;
		} else if (is_nag || is_comment ||
		    (key.n == 9 && memcmp(key.s, "variation", 9) == 0)) {
			if (kind != -1)
				return -1;
			kind = is_nag    ? NOTE_NAG
			    : is_comment ? NOTE_COMMENT
					 : NOTE_VARIATION;
			if (is_nag ? !json_read_int(value, &nag) || nag > 999
				   : keep_note(g, (enum note)kind, value, &text) == -1)
				return -1;
		}
	}
	if (kind == -1 || ply < 0 || ply > g->line.plies ||
	    (g->nnotes > 0 && ply < g->notes[g->nnotes - 1].ply))
		return -1;
	if (kind == NOTE_NAG) {
		char digits[4];
		int n = snprintf(digits, sizeof(digits), "%d", nag);
		text = game_keep(g, digits, (size_t)n);
	}
	return text.len == 0 ? 0 : game_add_note(g, (enum note)kind, ply, text);
}

static int
read_notes(struct game *g, struct json_value v, char *reason)
{
	const char *s = v.s;

	if (s == NULL)
		return 0;
	if (*s != '[')
		return refuse(reason, "comments is not an array");
	const char *end = s + v.n;
	for (s = json_skip_space(s + 1, end); s < end && *s != ']';) {
		const char *next = json_skip_value(s, end, 0);
		if (next == NULL || read_note(g, s, next) == -1)
			return refuse(reason, "malformed comment");
		s = json_skip_space(next, end);
		if (s < end && *s == ',')
			s = json_skip_space(s + 1, end);
	}
	return 0;
}

static int
read_points(struct game *g, struct json_value v, char *reason)
{
	g->value = result_value(g->result);
	if (v.s == NULL || game_set_points(g, v.s, v.n))
		return 0;
	return refuse(reason, "%s",
	    "points is not a multiple of 0.005 within 0..1, or contradicts the result");
}

static int
read_words(struct game *g, const struct fields *f, char *reason)
{
	const char *s;
	size_t n;
	int plies, version;

	if (!json_read_int(f->v, &version) || version != 1)
		return refuse(reason, "v is not 1");
	if (!game_json_word(g, f->result, &s, &n) || !result_read(s, n, &g->result))
		return refuse(reason, "no result, or not one of 1-0 0-1 1/2-1/2 *");
	if (read_points(g, f->points, reason) == -1)
		return -1;
	if (f->end.s != NULL &&
	    (!game_json_word(g, f->end, &s, &n) || !end_read(s, n, &g->end)))
		return refuse(reason, "end is not one of the known words");
	if (f->plies.s != NULL &&
	    (!json_read_int(f->plies, &plies) || plies != g->line.plies))
		return refuse(reason, "plies is not the number of moves");
	if (f->sims.s != NULL && !json_read_int(f->sims, &g->sims))
		return refuse(reason, "sims is not a number");
	return 0;
}

static int
read_strings(struct game *g, const struct fields *f, char *reason)
{
	const struct {
		const char *name;
		struct json_value value;
		struct span *span;
	} strings[] = {
		{ "id", f->id, &g->id },
		{ "white", f->white, &g->white },
		{ "black", f->black, &g->black },
		{ "seed", f->seed, &g->seed },
		{ "net", f->net, &g->net },
		{ "options", f->options, &g->options },
	};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (strings[i].value.s == NULL)
			continue;
		if (game_keep_json(g, strings[i].value, strings[i].span) == -1)
			return refuse(reason, "%s is not a string", strings[i].name);
		if (strings[i].span->len > GAME_VALUE_MAX)
			return refuse(reason, "%s is too long", strings[i].name);
		if (game_says_nothing(g, *strings[i].span))
			strings[i].span->len = 0;
	}
	return 0;
}

int
game_read_json(struct game *g, const struct game_options *o, const char *s, size_t n,
    char reason[GAME_REASON_MAX])
{
	struct fields f;
	struct board final;

	game_clear(g);
	if (scan(&f, s, s + n, reason) == -1 ||
	    game_read_rules(g, o, f.rules, reason) == -1 ||
	    game_read_start(g, f.start, reason) == -1 ||
	    game_read_moves(g, f.moves, &final, reason) == -1 ||
	    read_words(g, &f, reason) == -1 || read_strings(g, &f, reason) == -1 ||
	    read_tags(g, f.tags, reason) == -1)
		return -1;
	if (f.end.s == NULL)
		g->end = game_derive_end(g, &final);
	if (f.points.s == NULL)
		game_derive_value(g, &final);
	if (!o->trust && game_check_end(g, &final, reason) == -1)
		return -1;
	if (o->notes && read_notes(g, f.comments, reason) == -1)
		return -1;
	if (o->search && f.search.s != NULL)
		g->search = game_keep_foreign(g, f.search.s, f.search.n);
	return 0;
}
