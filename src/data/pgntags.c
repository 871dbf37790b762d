#include "pgnparts.h"

#include <limits.h>

/* Lookahead to decide whether a quote ends a value. */
enum { QUOTE_LOOK = 64 };

/* Bytes of a tag's name. */
/* clang-format off */
static const bool in_name[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true, ['+'] = true, ['-'] = true, ['?'] = true, [':'] = true,
	['='] = true, ['#'] = true,
};
/* clang-format on */

/* Plain bytes of a tag's value: ASCII, but no control characters, quotes or
 * backslashes. */
static const bool value_goes_on[256] = {
	[32 ... 33] = true,
	[35 ... 91] = true,
	[93 ... 126] = true,
};

static bool
begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool
pgn_is_tag(struct input *in, struct span *name)
{
	pgn_look_ahead(in, TAG_LOOK);
	const char *s = in->at + 1, *stop = in->at + TAG_LOOK - 1, *begin;

	while (s < stop && (*s == ' ' || *s == '\t'))
		s++;
	begin = s;
	while (s < stop && in_name[(unsigned char)*s])
		s++;
	name->at = (uint32_t)(begin - in->at);
	name->len = (uint32_t)(s - begin);
	while (s < stop && (*s == ' ' || *s == '\t'))
		s++;
	return *s == '"' && name->len <= GAME_NAME_MAX && begins_name(*begin);
}

/* Does the quote at s end the value? A bracket or the end of the line must
 * follow; otherwise it is a quote that should have been escaped. */
static bool
quote_ends(const char *s)
{
	const char *stop = s + QUOTE_LOOK - 1;

	do
		s++;
	while (s < stop && (*s == ' ' || *s == '\t'));
	return *s == ']' || *s == '\n' || *s == '\r' || *s == '\0';
}

/* The length of a plain value on one line, as nearly all are, or -1. s is after
 * the opening quote. */
static inline ptrdiff_t
plain_value_length(const char *s)
{
	const char *begin = s;

	while (value_goes_on[(unsigned char)*s])
		s++;
	return s[0] == '"' && s[1] == ']' && s - begin <= GAME_VALUE_MAX ? s - begin : -1;
}

/* Appends to the value being collected, until it is too long. */
static void
collect_value(struct pgn *r, const char *s, size_t n)
{
	if (r->note.len <= GAME_VALUE_MAX)
		text_add(&r->note, s, n <= GAME_VALUE_MAX ? n : GAME_VALUE_MAX + 1);
}

/* Collects any value from in->at, which is after the opening quote, and moves
 * in->at to its end. */
static void
skip_value(struct pgn *r)
{
	struct input *in = r->in;

	for (;;) {
		char *s = in->at;
		while (value_goes_on[(unsigned char)*s])
			s++;
		collect_value(r, in->at, (size_t)(s - in->at));
		in->at = s;
		pgn_look_ahead(in, QUOTE_LOOK);
		s = in->at;
		if (s == in->end || *s == '\n' || *s == '\r')
			return; /* the closing quote is missing */
		if (*s == '"' && quote_ends(s)) {
			in->at++;
			return;
		}
		if (*s == '\\' && (s[1] == '"' || s[1] == '\\'))
			s = ++in->at;
		if (*s != '\0')
			collect_value(r, s, 1);
		in->at++;
	}
}

/* Reads and keeps a tag's value; in->at is after the opening quote. */
static struct span
read_value(struct pgn *r)
{
	struct input *in = r->in;
	ptrdiff_t length = plain_value_length(in->at);

	if (length >= 0) {
		struct span value = game_keep(r->g, in->at, (size_t)length);
		in->at += length + 1;
		return value;
	}
	text_clear(&r->note);
	skip_value(r);
	struct span value = game_keep_foreign(r->g, r->note.s, r->note.len);
	if (value.len > GAME_VALUE_MAX)
		pgn_make_bad(r, in->at, "a tag's value is too long");
	return value;
}

static bool
span_is(const struct game *g, struct span s, const char *text)
{
	return strlen(text) == s.len && memcmp(game_text(g, s), text, s.len) == 0;
}

/* Tags that are fields of the game, and where they go. */
static struct span *
field_of(struct pgn *r, struct span name)
{
	struct game *g = r->g;

	switch (*game_text(g, name)) {
	case 'B':
		return span_is(g, name, "Black") ? &g->black : NULL;
	case 'E':
		return span_is(g, name, "End") ? &r->end : NULL;
	case 'F':
		return span_is(g, name, "FEN") ? &r->fen : NULL;
	case 'G':
		return span_is(g, name, "GameId") ? &g->id : NULL;
	case 'N':
		return span_is(g, name, "Net") ? &g->net : NULL;
	case 'O':
		return span_is(g, name, "Options") ? &g->options : NULL;
	case 'P':
		return span_is(g, name, "Points") ? &r->points : NULL;
	case 'R':
		return span_is(g, name, "Result") ? &r->tag_result : NULL;
	case 'S':
		return span_is(g, name, "Seed") ? &g->seed : NULL;
	case 'T':
		return span_is(g, name, "Termination") ? &r->termination : NULL;
	case 'V':
		return span_is(g, name, "Variant") ? &r->variant : NULL;
	case 'W':
		return span_is(g, name, "White") ? &g->white : NULL;
	default:
		return NULL;
	}
}

static void
keep_tag(struct pgn *r, struct span name, struct span value)
{
	struct game *g = r->g;
	struct span *field = field_of(r, name);
	int64_t sims;

	if (game_says_nothing(g, value))
		return;
	if (field == &r->termination) {
		enum end e;
		if (end_read(game_text(g, value), value.len, &e)) {
			*field = value;
			return;
		}
	} else if (field != NULL) {
		*field = value;
		return;
	}
	if (span_is(g, name, "SetUp"))
		return;
	if (span_is(g, name, "Sims")) {
		if (number_read(game_text(g, value), 0, INT_MAX, &sims))
			g->sims = (int)sims;
		return;
	}
	if (game_add_tag(g, name, value) == -1)
		pgn_make_bad(r, r->in->at, "too many tags for one game");
}

/* Copies the name of a tag, at in->at + name.at, between line feeds. */
static size_t
name_line(const struct pgn *r, struct span name, char line[GAME_NAME_MAX + 2])
{
	line[0] = line[name.len + 1] = '\n';
	memcpy(line + 1, r->in->at + name.at, name.len);
	return name.len + 2;
}

/* Was a tag of this name given already? */
static bool
is_repeated(const struct pgn *r, struct span name)
{
	char line[GAME_NAME_MAX + 2];
	size_t n = name_line(r, name, line);

	return r->names.len > 0 && memmem(r->names.s, r->names.len, line, n) != NULL;
}

static void
remember_name(struct pgn *r, struct span name)
{
	char line[GAME_NAME_MAX + 2];
	size_t n = name_line(r, name, line);

	if (r->ntags++ < GAME_TAGS_MAX)
		text_add(&r->names, line, n);
}

/* Skips a bracket before the moves that is not a tag; among the tags with its
 * contents, unless it is long, does not end on its line or begins with a number:
 * then, and below the tags, it may contain moves. */
static void
skip_broken_tag(struct pgn *r)
{
	struct input *in = r->in;
	size_t n = (size_t)(in->end - in->at);
	char *s = in->at + 1, *stop = in->at + (n < TAG_LOOK ? n : TAG_LOOK);
	bool number = *s >= '0' && *s <= '9';

	while (s < stop && *s != '[' && *s != ']' && *s != '\n' && *s != '\r')
		s++;
	if (s == in->end && input_error(in) != NULL)
		in->at = s;
	else if (s < stop && *s == ']' && !r->blank && !number)
		in->at = s + 1;
	else
		in->at++;
}

bool
pgn_read_tag(struct pgn *r)
{
	struct input *in = r->in;
	struct span name;

	if (!pgn_is_tag(in, &name)) {
		skip_broken_tag(r);
		return true;
	}
	r->begun = true;
	bool event = name.len == 5 && memcmp(in->at + name.at, "Event", 5) == 0;
	if ((event || r->blank) && is_repeated(r, name))
		return false;
	r->blank = false;
	remember_name(r, name);
	size_t before = r->g->text.len;
	struct span kept = game_keep(r->g, in->at + name.at, name.len);
	in->at += name.at + name.len;
	while (*in->at++ != '"')
		continue;
	struct span value = read_value(r);
	if (r->ntags > GAME_TAGS_MAX || r->g->text.len > GAME_TEXT_MAX)
		pgn_make_bad(r, in->at, "too many tags for one game");
	if (r->bad)
		r->g->text.len = before;
	else
		keep_tag(r, kept, value);
	while (*in->at == ' ' || *in->at == '\t')
		in->at++;
	if (*in->at == ']')
		in->at++;
	else if (in->at == in->end && pgn_at_end(in))
		pgn_make_bad(r, in->at, "the file ends within a tag");
	return true;
}
