/*
 * Reading a game's line of JSON. This is the hot path of every program that
 * takes games, and a tree of nodes for each (cJSON) would cost ten times what
 * the moves do; so the line is scanned once, in place, for the fields that
 * games(5) has, and cJSON gets what is rare: a rule set spelled out.
 */
#include <limits.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/run.h"
#include "game.h"
#include "rulespec.h"

enum { NESTING_MAX = 64 };

/* A value of the line, as it stands there. */
struct value {
	const char *s;
	size_t n;
};

/* The fields. Strings are kept without their quotes, escapes untouched. */
#define FIELDS \
	FIELD(v) FIELD(id) FIELD(rules) FIELD(start) FIELD(moves) \
	FIELD(result) FIELD(end) FIELD(plies) FIELD(white) FIELD(black) \
	FIELD(seed) FIELD(net) FIELD(sims) FIELD(tags) FIELD(comments) \
	FIELD(search)

struct fields {
#define FIELD(name) struct value name;
	FIELDS
#undef FIELD
};

static int
refuse(char *reason, const char *format, const char *what)
{
	snprintf(reason, GAME_REASON_MAX, format, what);
	return -1;
}

/* ---- scanning ---- */

static const char *
skip_space(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n'))
		s++;
	return s;
}

/* The end of a string whose opening quote is at s; NULL if there is none. */
static const char *
skip_string(const char *s, const char *end)
{
	for (s++;;) {
		s = memchr(s, '"', (size_t)(end - s));
		if (s == NULL)
			return NULL;
		const char *b = s;
		while (b[-1] == '\\')
			b--;
		s++;
		if ((s - 1 - b) % 2 == 0)
			return s;
	}
}

static int
hex4(const char *s, const char *end)
{
	int v = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = s[i];
		int digit = c >= '0' && c <= '9' ? c - '0' :
		    c >= 'a' && c <= 'f' ? c - 'a' + 10 :
		    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

/* The same for a string whose every byte is looked at. */
static const char *
check_string(const char *s, const char *end)
{
	for (s++; s < end && (unsigned char)*s >= ' '; s++) {
		if (*s == '"')
			return s + 1;
		if (*s != '\\')
			continue;
		if (++s == end || *s == '\0' || strchr("\"\\/bfnrtu", *s) == NULL)
			return NULL;
		if (*s == 'u' && hex4(s + 1, end) < 0)
			return NULL;
	}
	return NULL;
}

static const char *
skip_digits(const char *s, const char *end)
{
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	return s;
}

static const char *
skip_number(const char *s, const char *end)
{
	const char *digits = s += *s == '-', *begin;

	s = skip_digits(digits, end);
	if (s == digits || (*digits == '0' && s > digits + 1))
		return NULL;
	if (s < end && *s == '.') {
		begin = ++s;
		if ((s = skip_digits(s, end)) == begin)
			return NULL;
	}
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '+' || *s == '-'))
			s++;
		begin = s;
		if ((s = skip_digits(s, end)) == begin)
			return NULL;
	}
	return s;
}

static const char *
skip_word(const char *s, const char *end)
{
	static const char *const words[] = { "true", "false", "null" };

	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);
		if ((size_t)(end - s) >= n && memcmp(s, words[i], n) == 0)
			return s + n;
	}
	return NULL;
}

static const char *skip_value(const char *s, const char *end, int depth);

/* An array or an object. */
static const char *
skip_members(const char *s, const char *end, int depth)
{
	bool object = *s == '{';
	char close = object ? '}' : ']';

	if (depth == NESTING_MAX)
		return NULL;
	s = skip_space(s + 1, end);
	if (s < end && *s == close)
		return s + 1;
	for (;;) {
		if (object) {
			if (s == end || *s != '"' ||
			    (s = check_string(s, end)) == NULL)
				return NULL;
			s = skip_space(s, end);
			if (s == end || *s++ != ':')
				return NULL;
		}
		s = skip_value(skip_space(s, end), end, depth + 1);
		if (s == NULL || (s = skip_space(s, end)) == end)
			return NULL;
		if (*s == close)
			return s + 1;
		if (*s++ != ',')
			return NULL;
		s = skip_space(s, end);
	}
}

/*
 * The end of any value at s; NULL when it is none. Strings within others are
 * checked to the byte, since search data is handed on as it stands; those of
 * the game's own fields will be when they are read.
 */
static const char *
skip_value(const char *s, const char *end, int depth)
{
	if (s == end)
		return NULL;
	switch (*s) {
	case '"':
		return depth == 0 ? skip_string(s, end) : check_string(s, end);
	case '{':
	case '[':
		return skip_members(s, end, depth);
	case 't':
	case 'f':
	case 'n':
		return skip_word(s, end);
	default:
		return skip_number(s, end);
	}
}

/* Reads the next "key": value of an object. s is behind the brace or a value.
 * Returns where it ends; NULL with key->s NULL at the end of the object, and
 * NULL with key->s set when it is broken. */
static const char *
next_pair(const char *s, const char *end, bool first, struct value *key,
    struct value *value, const char **after)
{
	key->s = NULL;
	s = skip_space(s, end);
	if (s < end && *s == '}') {
		*after = s + 1;
		return NULL;
	}
	key->s = s;
	if (!first) {
		if (s == end || *s != ',')
			return NULL;
		s = skip_space(s + 1, end);
	}
	if (s == end || *s != '"')
		return NULL;
	const char *close = skip_string(s, end);
	if (close == NULL)
		return NULL;
	key->s = s + 1;
	key->n = (size_t)(close - s - 2);
	s = skip_space(close, end);
	if (s == end || *s != ':')
		return NULL;
	s = skip_space(s + 1, end);
	value->s = s;
	s = skip_value(s, end, 0);
	if (s == NULL)
		return NULL;
	value->n = (size_t)(s - value->s);
	return s;
}

static struct value *
find_field(struct fields *f, struct value key)
{
#define FIELD(name) \
	if (key.n == sizeof(#name) - 1 && memcmp(key.s, #name, key.n) == 0) \
		return &f->name;
	FIELDS
#undef FIELD
	return NULL;
}

static int
scan(struct fields *f, const char *s, const char *end, char *reason)
{
	struct value key, value;
	const char *after = NULL;
	bool first = true;

	memset(f, 0, sizeof(*f));
	s = skip_space(s, end);
	if (s == end || *s != '{')
		return refuse(reason, "%s", "not a JSON object");
	for (s++; (s = next_pair(s, end, first, &key, &value, &after)) != NULL;
	    first = false) {
		struct value *field = find_field(f, key);
		if (field == NULL)
			continue;
		if (field->s != NULL)
			return refuse(reason, "%s", "a field is given twice");
		*field = value;
	}
	if (key.s != NULL)
		return refuse(reason, "%s", "not valid JSON");
	if (skip_space(after, end) != end)
		return refuse(reason, "%s", "something follows the JSON object");
	return 0;
}

/* ---- values ---- */

static void
add_utf8(struct text *t, int c)
{
	char s[4];
	size_t n = 0;

	if (c < 0x80) {
		s[n++] = (char)c;
	} else if (c < 0x800) {
		s[n++] = (char)(0xc0 | c >> 6);
		s[n++] = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		s[n++] = (char)(0xe0 | c >> 12);
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	} else {
		s[n++] = (char)(0xf0 | c >> 18);
		s[n++] = (char)(0x80 | (c >> 12 & 63));
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	}
	text_add(t, s, n);
}

/* Adds the character of \uXXXX at s (behind the u), a surrogate pair being
 * one; returns where it ends, NULL when it is none. */
static const char *
add_unicode(struct text *t, const char *s, const char *end)
{
	int c = hex4(s, end);

	s += 4;
	if (c < 0)
		return NULL;
	if (c >= 0xd800 && c < 0xdc00 && end - s >= 6 && s[0] == '\\' &&
	    s[1] == 'u') {
		int low = hex4(s + 2, end);
		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		s += 6;
	} else if (c >= 0xd800 && c < 0xe000) {
		return NULL;
	}
	add_utf8(t, c);
	return s;
}

/* The text of a string, given with its quotes, escapes resolved. */
static int
read_string(struct value v, struct text *t)
{
	if (v.n < 2 || v.s[0] != '"' || check_string(v.s, v.s + v.n) == NULL)
		return -1;
	const char *s = v.s + 1, *end = v.s + v.n - 1, *escape;
	while ((escape = memchr(s, '\\', (size_t)(end - s))) != NULL) {
		static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
		text_add(t, s, (size_t)(escape - s));
		s = escape + 2;
		if (escape[1] == 'u') {
			s = add_unicode(t, s, end);
			if (s == NULL)
				return -1;
			continue;
		}
		text_add_char(t, to[strchr(from, escape[1]) - from]);
	}
	text_add(t, s, (size_t)(end - s));
	return 0;
}

/* Nothing but ASCII, no escapes: as nearly all are. */
static bool
is_plain_string(struct value v)
{
	for (size_t i = 1; i + 1 < v.n; i++) {
		unsigned char c = (unsigned char)v.s[i];
		if (c < ' ' || c >= 0x7f || c == '\\')
			return false;
	}
	return v.n >= 2 && v.s[0] == '"';
}

static int
keep_string(struct game *g, struct value v, struct span *kept)
{
	struct text t = { 0 };

	if (is_plain_string(v)) {
		*kept = game_keep(g, v.s + 1, v.n - 2);
		return 0;
	}
	int result = read_string(v, &t);
	if (result == 0)
		*kept = game_keep_foreign(g, t.s, t.len);
	text_release(&t);
	return result;
}

/* One of our own words: in place, unless somebody wrote it with escapes. */
static bool
word_string(struct game *g, struct value v, const char **s, size_t *n)
{
	struct span kept;

	if (v.n < 2 || v.s[0] != '"')
		return false;
	*s = v.s + 1;
	*n = v.n - 2;
	if (memchr(*s, '\\', *n) == NULL)
		return true;
	if (keep_string(g, v, &kept) == -1)
		return false;
	*s = game_text(g, kept);
	*n = kept.len;
	return true;
}

static bool
read_int(struct value v, int *n)
{
	int64_t wide;
	char digits[16];

	if (v.n == 0 || v.n >= sizeof(digits))
		return false;
	memcpy(digits, v.s, v.n);
	digits[v.n] = '\0';
	if (!number_read(digits, 0, INT_MAX, &wide))
		return false;
	*n = (int)wide;
	return true;
}

/* ---- the game ---- */

static int
read_rules(struct game *g, const struct game_options *o, struct value v,
    char *reason)
{
	const char *s = v.s;
	size_t n = v.n;
	struct rules r;
	char why[RULES_REASON_MAX];

	if (v.s == NULL) {
		game_set_rules(g, o->rules);
		return 0;
	}
	word_string(g, v, &s, &n);
	if (rulespec_parse(&r, s, n, why) == -1)
		return refuse(reason, "rules: %s", why);
	game_set_rules(g, &r);
	return 0;
}

static int
read_start(struct game *g, struct value v, char *reason)
{
	char why[FEN_REASON_MAX];
	const char *s;
	size_t n;
	struct board usual = g->start;

	if (v.s == NULL)
		return 0;
	if (!word_string(g, v, &s, &n))
		return refuse(reason, "%s", "start is not a string");
	if (fen_read(&g->start, &g->rules, s, n, why) == -1)
		return refuse(reason, "start: %s", why);
	g->usual_start = memcmp(&usual, &g->start, sizeof(usual)) == 0;
	return 0;
}

/* The squares and the promotion of a move's text. */
static bool
parse_move(const char *s, size_t n, int *from, int *to, int *promotion)
{
	unsigned f = (unsigned)(s[0] - 'a'), r = (unsigned)(s[1] - '1');
	unsigned tf = (unsigned)(s[2] - 'a'), tr = (unsigned)(s[3] - '1');

	if ((f | r | tf | tr) > 7)
		return false;
	*from = (int)(r * 8 + f);
	*to = (int)(tr * 8 + tf);
	*promotion = 0;
	if (n == 4)
		return true;
	switch (s[4]) {
	case 'n':
		*promotion = KNIGHT;
		return true;
	case 'b':
		*promotion = BISHOP;
		return true;
	case 'r':
		*promotion = ROOK;
		return true;
	case 'q':
		*promotion = QUEEN;
		return true;
	default:
		return false;
	}
}

static int
refuse_move(const struct game *g, const char *s, size_t n, char *reason)
{
	snprintf(reason, GAME_REASON_MAX, "ply %d: '%.*s' is not legal",
	    g->line.plies + 1, n < 20 ? (int)n : 20, s);
	return -1;
}

static int
read_moves(struct game *g, struct value v, struct board *final, char *reason)
{
	struct board b = g->start;
	const char *s, *end;
	size_t n;

	if (!word_string(g, v, &s, &n))
		return refuse(reason, "%s", v.s == NULL ? "no moves" :
		    "moves is not a string");
	game_grow(g);
	g->line.keys[0] = b.key;
	for (end = s + n; s < end;) {
		int from, to, promotion;
		size_t len = 0;
		if (end - s > RUN_MARGIN)
			s = run_play_long(&g->line, &b, s, end);
		while (s + len < end && s[len] != ' ')
			len++;
		if (len < 4 || len > 5 ||
		    !parse_move(s, len, &from, &to, &promotion))
			return refuse_move(g, s, len, reason);
		move m = movegen_find(&b, from, to, promotion);
		if (m == 0)
			return refuse_move(g, s, len, reason);
		if (!game_grow(g))
			return refuse(reason, "%s", "too many moves for one game");
		line_add(&g->line, &b, m);
		s += len;
		if (s < end && ++s == end)
			return refuse(reason, "%s", "moves end with a blank");
	}
	*final = b;
	return 0;
}

/* Tags are what PGN can have as tags, and no fields: then they survive it. */
static int
read_tag(struct game *g, struct value key, struct value value, char *reason)
{
	struct value quoted = { key.s - 1, key.n + 2 };
	struct span name, text;
	enum end end;

	if (keep_string(g, quoted, &name) == -1 ||
	    keep_string(g, value, &text) == -1)
		return refuse(reason, "%s", "a tag is not a string");
	const char *s = game_text(g, name);
	if (!game_is_tag_name(s, name.len))
		return refuse(reason, "'%.60s' cannot be the name of a tag", s);
	if (game_is_field(s, name.len) || (strcmp(s, "Termination") == 0 &&
	    end_read(game_text(g, text), text.len, &end)))
		return refuse(reason, "the tag %s belongs into a field", s);
	if (text.len > GAME_VALUE_MAX)
		return refuse(reason, "the tag %s is too long", s);
	if (game_find_tag(g, s) != NULL)
		return refuse(reason, "the tag %s is given twice", s);
	if (game_add_tag(g, name, text) == -1)
		return refuse(reason, "%s", "too many tags for one game");
	return 0;
}

static int
read_tags(struct game *g, struct value v, char *reason)
{
	struct value key, value;
	const char *s = v.s, *after;
	bool first = true;

	if (s == NULL)
		return 0;
	if (*s != '{')
		return refuse(reason, "%s", "tags is not an object");
	const char *end = s + v.n;
	for (s++; (s = next_pair(s, end, first, &key, &value, &after)) != NULL;
	    first = false)
		if (read_tag(g, key, value, reason) == -1)
			return -1;
	return 0;
}

/* Can a variation be written in brackets and leave the rest readable? */
static bool
is_balanced(const char *s, size_t n)
{
	int depth = 0;
	bool comment = false;

	for (size_t i = 0; i < n && depth >= 0; i++) {
		if (comment)
			comment = s[i] != '}';
		else if (s[i] == '{')
			comment = true;
		else if (s[i] == ';')
			return false;
		else
			depth += (s[i] == '(') - (s[i] == ')');
	}
	return depth == 0 && !comment;
}

/* Keeps the text of a comment or variation as PGN would. */
static int
keep_note(struct game *g, enum note kind, struct value v, struct span *kept)
{
	struct text raw = { 0 }, folded = { 0 };
	int result = read_string(v, &raw);

	if (result == 0) {
		text_add_folded(&folded, raw.s, raw.len);
		if (folded.len > 0 && folded.s[folded.len - 1] == ' ')
			folded.len--;
		*kept = game_keep_foreign(g, folded.s, folded.len);
		if (kept->len > GAME_NOTE_MAX || (kind == NOTE_VARIATION &&
		    !is_balanced(folded.s, folded.len)))
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
	struct value key, value;
	struct span text = { 0, 0 };
	const char *after;
	bool first = true;
	int ply = -1, nag = 0, kind = -1;

	if (*s != '{')
		return -1;
	for (s++; (s = next_pair(s, end, first, &key, &value, &after)) != NULL;
	    first = false) {
		bool is_nag = key.n == 3 && memcmp(key.s, "nag", 3) == 0;
		bool is_comment = key.n == 7 && memcmp(key.s, "comment", 7) == 0;
		if (key.n == 3 && memcmp(key.s, "ply", 3) == 0) {
			if (ply != -1 || !read_int(value, &ply))
				return -1;
		} else if (is_nag || is_comment ||
		    (key.n == 9 && memcmp(key.s, "variation", 9) == 0)) {
			if (kind != -1)
				return -1;
			kind = is_nag ? NOTE_NAG : is_comment ? NOTE_COMMENT :
			    NOTE_VARIATION;
			if (is_nag ? !read_int(value, &nag) || nag > 999 :
			    keep_note(g, (enum note)kind, value, &text) == -1)
				return -1;
		}
	}
	if (kind == -1 || ply < 0 || ply > g->line.plies || (g->nnotes > 0 &&
	    ply < g->notes[g->nnotes - 1].ply))
		return -1;
	if (kind == NOTE_NAG) {
		char digits[4];
		int n = snprintf(digits, sizeof(digits), "%d", nag);
		text = game_keep(g, digits, (size_t)n);
	}
	return text.len == 0 ? 0 : game_add_note(g, (enum note)kind, ply, text);
}

static int
read_notes(struct game *g, struct value v, char *reason)
{
	const char *s = v.s;

	if (s == NULL)
		return 0;
	if (*s != '[')
		return refuse(reason, "%s", "comments is not an array");
	const char *end = s + v.n;
	for (s = skip_space(s + 1, end); s < end && *s != ']';) {
		const char *next = skip_value(s, end, 0);
		if (next == NULL || read_note(g, s, next) == -1)
			return refuse(reason, "%s", "a comment is not as in games(5)");
		s = skip_space(next, end);
		if (s < end && *s == ',')
			s = skip_space(s + 1, end);
	}
	return 0;
}

static int
read_words(struct game *g, const struct fields *f, char *reason)
{
	const char *s;
	size_t n;
	int plies, version;

	if (!read_int(f->v, &version) || version != 1)
		return refuse(reason, "%s", "v is not 1");
	if (!word_string(g, f->result, &s, &n) || !result_read(s, n, &g->result))
		return refuse(reason, "%s", "no result, or not one of 1-0 0-1 "
		    "1/2-1/2 *");
	if (f->end.s != NULL &&
	    (!word_string(g, f->end, &s, &n) || !end_read(s, n, &g->end)))
		return refuse(reason, "%s", "end is not one of the known words");
	if (f->plies.s != NULL &&
	    (!read_int(f->plies, &plies) || plies != g->line.plies))
		return refuse(reason, "%s", "plies is not the number of moves");
	if (f->sims.s != NULL && !read_int(f->sims, &g->sims))
		return refuse(reason, "%s", "sims is not a number");
	return 0;
}

static int
read_strings(struct game *g, const struct fields *f, char *reason)
{
	const struct {
		const char *name;
		struct value value;
		struct span *span;
	} strings[] = {
		{ "id", f->id, &g->id },
		{ "white", f->white, &g->white },
		{ "black", f->black, &g->black },
		{ "seed", f->seed, &g->seed },
		{ "net", f->net, &g->net },
	};

	for (int i = 0; i < 5; i++) {
		if (strings[i].value.s == NULL)
			continue;
		if (keep_string(g, strings[i].value, strings[i].span) == -1)
			return refuse(reason, "%s is not a string",
			    strings[i].name);
		if (strings[i].span->len > GAME_VALUE_MAX)
			return refuse(reason, "%s is too long", strings[i].name);
		if (game_says_nothing(g, *strings[i].span))
			strings[i].span->len = 0;
	}
	return 0;
}

int
game_read_json(struct game *g, const struct game_options *o, const char *s,
    size_t n, char reason[GAME_REASON_MAX])
{
	struct fields f;
	struct board final;

	game_clear(g);
	if (scan(&f, s, s + n, reason) == -1 ||
	    read_rules(g, o, f.rules, reason) == -1 ||
	    read_start(g, f.start, reason) == -1 ||
	    read_moves(g, f.moves, &final, reason) == -1 ||
	    read_words(g, &f, reason) == -1 ||
	    read_strings(g, &f, reason) == -1 ||
	    read_tags(g, f.tags, reason) == -1)
		return -1;
	if (f.end.s == NULL)
		g->end = game_derive_end(g, &final);
	if (o->notes && read_notes(g, f.comments, reason) == -1)
		return -1;
	if (o->search && f.search.s != NULL)
		g->search = game_keep_foreign(g, f.search.s, f.search.n);
	return 0;
}
