#include "pgn.h"

#include <limits.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/run.h"
#include "chess/san.h"
#include "packed.h"
#include "variant.h"

/* What a byte can begin, between tokens. */
enum {
	C_JUNK, C_SPACE, C_NEWLINE, C_WORD, C_DIGIT, C_BRACE, C_SEMICOLON,
	C_OPEN, C_CLOSE, C_TAG, C_STAR, C_NAG, C_ANGLE, C_SIGN, C_ODD, C_NUL
};

enum {
	TOKEN_MAX = 128,	/* a longer word is no move */
	TAG_LOOK = 300,		/* how far to look whether a bracket is a tag */
	QUOTE_LOOK = 64,	/* how far to look whether a quote ends a value */
	JSON_LOOK = 64,		/* … whether a brace begins a line of JSON */
	COMMENT_LOOK = 4096,	/* … whether a brace behind a backslash closes */
	COMMENT_KEEP = 64	/* bytes of a comment that are looked at again */
};

/* A line that begins so begins a game, even in what is not closed. */
#define EVENT "[Event "
enum { EVENT_LENGTH = sizeof(EVENT) - 1 };

static const uint8_t class[256] = {
	[0] = C_NUL,
	['\t'] = C_SPACE, ['\v'] = C_SPACE, ['\f'] = C_SPACE, [' '] = C_SPACE,
	['.'] = C_SPACE, [','] = C_SPACE,
	['\n'] = C_NEWLINE, ['\r'] = C_NEWLINE,
	['a' ... 'z'] = C_WORD, ['A' ... 'Z'] = C_WORD, ['@'] = C_WORD,
	['0' ... '9'] = C_DIGIT,
	['{'] = C_BRACE, [';'] = C_SEMICOLON, ['('] = C_OPEN, [')'] = C_CLOSE,
	['['] = C_TAG, ['*'] = C_STAR, ['$'] = C_NAG, ['<'] = C_ANGLE,
	['+'] = C_SIGN, ['-'] = C_SIGN, ['='] = C_SIGN, ['!'] = C_SIGN,
	['?'] = C_SIGN, ['/'] = C_SIGN, ['~'] = C_SIGN, ['#'] = C_SIGN,
	[1 ... 8] = C_ODD, [14 ... 25] = C_ODD, [27 ... 31] = C_ODD,
	[127] = C_ODD, ['\\'] = C_ODD, [0xe2] = C_ODD,
};

/* Bytes that a move's text goes on with. Those that no move has are here lest
 * half of a damaged one be taken for another move. */
static const bool in_word[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['+'] = true, ['#'] = true, ['='] = true, [':'] = true, ['-'] = true,
	['/'] = true, ['!'] = true, ['?'] = true, ['@'] = true, ['_'] = true,
	['\''] = true,
	[1 ... 8] = true, [14 ... 25] = true, [27 ... 31] = true, [127] = true,
	['\\'] = true,
};

/* Bytes of a tag's name. */
static const bool in_name[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true, ['+'] = true, ['-'] = true, ['?'] = true, [':'] = true,
	['='] = true, ['#'] = true,
};

/* Bytes of a tag's value that mean nothing but themselves: no control
 * characters, no quote, no backslash, nothing but ASCII. */
static const bool value_goes_on[256] = {
	[32 ... 33] = true, [35 ... 91] = true, [93 ... 126] = true,
};

/* Bytes that matter inside a variation. */
static const bool in_variation[256] = {
	[0] = true, ['('] = true, [')'] = true, ['{'] = true, [';'] = true,
	['\n'] = true, ['\r'] = true,
};

/* ---- looking ahead ---- */

/* At least n bytes at in->at, unless the file ends. */
static inline void
look_ahead(struct input *in, size_t n)
{
	while ((size_t)(in->end - in->at) < n && input_more(in, in->at) > 0)
		continue;
}

/* The end of the file, and not a NUL byte in it, is at in->at. */
static bool
at_end(struct input *in)
{
	return in->at == in->end && input_more(in, in->at) == 0;
}

static void
make_bad(struct pgn *r, const char *where, const char *why)
{
	if (r->bad)
		return;
	r->bad = true;
	r->line = input_line_number(r->in, where);
	snprintf(r->reason, sizeof(r->reason), "%s", why);
}

static bool
begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9');
}

/* Is there [Name "… at in->at? The name is then left in *name. What a name is
 * game_is_tag_name() says, too. */
static bool
looks_like_tag(struct input *in, struct span *name)
{
	look_ahead(in, TAG_LOOK);
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

bool
pgn_is_json(struct input *in)
{
	static const char *const keys[] = { "v", "id", "rules", "start", "moves",
	    "result", "end", "plies", "white", "black", "partial" };

	if (*in->at != '{')
		return false;
	look_ahead(in, JSON_LOOK);
	const char *s = in->at + 1 + strspn(in->at + 1, " \t");
	if (*s++ != '"')
		return false;
	size_t n = strcspn(s, "\"\n");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i]) == n && memcmp(keys[i], s, n) == 0)
			return s[n] == '"' && s[n + 1 + strspn(s + n + 1,
			    " \t")] == ':';
	return false;
}

/* Does a packed game begin at in->at? No move looks like it. */
static inline bool
packed_comes(struct input *in)
{
	if (*in->at != 'R')
		return false;
	look_ahead(in, 4);
	return packed_is(in->at, (size_t)(in->end - in->at));
}

bool
pgn_brace_closes(const char *begin, const char *s, const char *end)
{
	const char *slash = s;

	while (slash > begin && slash[-1] == '\\')
		slash--;
	if ((s - slash) % 2 == 0)
		return true;
	for (s++; s < end && *s != '{'; s++)
		if (*s == '}')
			return false;
	return true;
}

/* ---- skipping ---- */

/* Adds to the note being collected, white space folded. One that is too long
 * is collected only until that is certain. */
static void
collect(struct pgn *r, const char *s, const char *end)
{
	if (r->options->notes && r->note.len <= GAME_NOTE_MAX + 8)
		text_add_folded(&r->note, s, (size_t)(end - s));
}

/* Skips the rest of the line, up to its end. */
static void
skip_line(struct pgn *r)
{
	struct input *in = r->in;
	char nl = in->cr_lines ? '\r' : '\n';

	for (;;) {
		char *end = memchr(in->at, nl, (size_t)(in->end - in->at));
		char *stop = end != NULL ? end : in->end;
		collect(r, in->at, stop);
		in->at = stop;
		if (end != NULL || at_end(in))
			return;
	}
}

static void
keep_note(struct pgn *r, enum note kind)
{
	struct game *g = r->g;

	if (r->note.len > 0 && r->note.s[r->note.len - 1] == ' ')
		r->note.len--;
	if (!r->options->notes || r->note.len == 0 || r->bad)
		return;
	struct span text = game_keep_foreign(g, r->note.s, r->note.len);
	if (text.len > GAME_NOTE_MAX) {
		g->text.len = text.at;
		snprintf(r->reason, sizeof(r->reason),
		    "a comment of more than %d bytes is left out", GAME_NOTE_MAX);
	} else if (game_add_note(g, kind, g->line.plies, text) == -1) {
		make_bad(r, r->in->at, "too many comments for one game");
	}
}

/* Looks for a line that begins with [Event; NULL when there is none. */
static char *
find_event(const struct input *in, char *s, char *end)
{
	char nl = in->cr_lines ? '\r' : '\n';

	while ((s = memchr(s, nl, (size_t)(end - s))) != NULL)
		if (end - ++s >= EVENT_LENGTH && memcmp(s, EVENT, EVENT_LENGTH) == 0)
			return s;
	return NULL;
}

/*
 * Skips a comment in braces, in->at being at the opening one. A comment
 * of any length takes no memory unless it is kept. Returns false when it is
 * never closed.
 */
static bool
skip_comment(struct pgn *r)
{
	struct input *in = r->in;

	in->at++;
	for (;;) {
		char *close = memchr(in->at, '}', (size_t)(in->end - in->at));
		char *stop = close != NULL ? close : in->end;
		char *event = find_event(in, in->at, stop);
		if (event != NULL) {
			make_bad(r, event, "the comment before this is never closed");
			in->at = event;
			return false;
		}
		if (close != NULL && close > in->at && close[-1] == '\\') {
			size_t n = (size_t)(close - in->at);
			look_ahead(in, n + COMMENT_LOOK);
			close = in->at + n;
			if (!pgn_brace_closes(in->at, close, in->end)) {
				collect(r, in->at, close + 1);
				in->at = close + 1;
				continue;
			}
		}
		if (close != NULL) {
			collect(r, in->at, close);
			in->at = close + 1;
			return true;
		}
		/* The last bytes may be the beginning of an event, or
		 * backslashes before a brace. */
		if (!in->ended)
			stop -= stop - in->at > COMMENT_KEEP ? COMMENT_KEEP :
			    stop - in->at;
		collect(r, in->at, stop);
		in->at = stop;
		if (input_more(in, in->at) == 0 && in->at == in->end) {
			make_bad(r, in->at, "the file ends within a comment");
			return false;
		}
	}
}

static void
read_comment(struct pgn *r)
{
	text_clear(&r->note);
	if (*r->in->at == '{') {
		skip_comment(r);
	} else {
		r->in->at++;
		skip_line(r);
	}
	keep_note(r, NOTE_COMMENT);
}

/* Skips a line that says nothing about the game. */
static void
skip_escape(struct pgn *r)
{
	size_t len = r->note.len;

	skip_line(r);
	r->note.len = len;
}

/* Skips the end of a line within a variation; false when a game begins
 * on the next. */
static bool
skip_line_end(struct pgn *r)
{
	struct input *in = r->in;

	look_ahead(in, 1 + EVENT_LENGTH);
	collect(r, in->at, in->at + 1);
	in->at++;
	if (memcmp(in->at, EVENT, EVENT_LENGTH) == 0) {
		make_bad(r, in->at, "the variation before this is never closed");
		return false;
	}
	if (*in->at == '%')
		skip_escape(r);
	return true;
}

/* Skips a variation and those in it. */
static void
skip_variation(struct pgn *r)
{
	struct input *in = r->in;
	static const char brace = '}';
	size_t depth = 0;
	bool closed = true;

	do {
		char *s = in->at;
		while (!in_variation[(unsigned char)*s])
			s++;
		collect(r, in->at, s);
		in->at = s;
		switch (*s) {
		case '(':
		case ')':
			depth += *s == '(' ? 1 : (size_t)-1;
			collect(r, s, s + 1);
			in->at++;
			break;
		case '{':
			collect(r, s, s + 1);
			closed = skip_comment(r);
			collect(r, &brace, &brace + 1);
			break;
		case ';':
			skip_escape(r);
			break;
		case '\0':
			if (s < in->end)
				in->at++;
			else
				closed = !at_end(in);
			break;
		default:
			closed = skip_line_end(r);
		}
	} while (depth > 0 && closed);
	if (!closed)
		make_bad(r, in->at, "the file ends within a variation");
}

/* The note is kept without the outer brackets. */
static void
read_variation(struct pgn *r)
{
	text_clear(&r->note);
	skip_variation(r);
	if (r->bad)
		return;
	if (r->note.len >= 2) {
		size_t cut = r->note.s[1] == ' ' ? 2 : 1;
		memmove(r->note.s, r->note.s + cut, r->note.len - cut);
		r->note.len -= cut + 1;
	}
	keep_note(r, NOTE_VARIATION);
}

/* ---- tags ---- */

/* Does the quote at s end the value? What follows must be a bracket or the
 * end of the line; else it is a quote that somebody forgot to escape. */
static bool
quote_ends(const char *s)
{
	const char *stop = s + QUOTE_LOOK - 1;

	do
		s++;
	while (s < stop && (*s == ' ' || *s == '\t'));
	return *s == ']' || *s == '\n' || *s == '\r' || *s == '\0';
}

/* The value of a tag that is plain and on one line, as nearly all are: its
 * length, or -1. s is behind the opening quote. */
static inline ptrdiff_t
plain_value_length(const char *s)
{
	const char *begin = s;

	while (value_goes_on[(unsigned char)*s])
		s++;
	return s[0] == '"' && s[1] == ']' && s - begin <= GAME_VALUE_MAX ?
	    s - begin : -1;
}

/* Adds to the value being collected, of which no more than a little too much
 * is kept. */
static void
collect_value(struct pgn *r, const char *s, size_t n)
{
	if (r->note.len <= GAME_VALUE_MAX)
		text_add(&r->note, s, n <= GAME_VALUE_MAX ? n :
		    GAME_VALUE_MAX + 1);
}

/* Any value, in->at being behind the opening quote; collects it and leaves
 * in->at behind it. */
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
		look_ahead(in, QUOTE_LOOK);
		s = in->at;
		if (s == in->end || *s == '\n' || *s == '\r')
			return;		/* somebody forgot the quote */
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

/* Keeps a tag's value, in->at being behind the opening quote. */
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
		make_bad(r, in->at, "a tag's value is too long");
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
		make_bad(r, r->in->at, "too many tags for one game");
}

/* The name of a tag, at in->at + name.at, between line feeds. */
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

	return r->names.len > 0 &&
	    memmem(r->names.s, r->names.len, line, n) != NULL;
}

static void
remember_name(struct pgn *r, struct span name)
{
	char line[GAME_NAME_MAX + 2];
	size_t n = name_line(r, name, line);

	if (r->ntags++ < GAME_TAGS_MAX)
		text_add(&r->names, line, n);
}

/* A bracket before the moves that begins no tag. Among the tags it is skipped
 * to its end; one that does not end soon, or on its line, has a number behind it
 * or stands below the tags may have moves in it. */
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

/*
 * Reads a tag at in->at, which may also be a bracket that is none. Returns
 * false, having read nothing, if another game begins with it.
 */
static bool
read_tag(struct pgn *r)
{
	struct input *in = r->in;
	struct span name;

	if (!looks_like_tag(in, &name)) {
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
		make_bad(r, in->at, "too many tags for one game");
	if (r->bad)
		r->g->text.len = before;
	else
		keep_tag(r, kept, value);
	while (*in->at == ' ' || *in->at == '\t')
		in->at++;
	if (*in->at == ']')
		in->at++;
	return true;
}

/* ---- moves ---- */

/* Finds the rules of the game; the same tag gives the same rules. */
static int
find_rules(struct pgn *r)
{
	struct game *g = r->g;
	char why[RULES_REASON_MAX];

	if (!r->last_known || r->last_variant.len != r->variant.len ||
	    memcmp(r->last_variant.s, game_text(g, r->variant),
	    r->variant.len) != 0) {
		r->last_known = false;
		if (r->variant.len == 0) {
			r->last_rules = *r->options->rules;
		} else if (variant_read(&r->last_rules, game_text(g, r->variant),
		    r->variant.len, why) == -1) {
			make_bad(r, r->in->at, why);
			return -1;
		}
		board_start(&r->last_start, &r->last_rules);
		text_clear(&r->last_variant);
		text_add(&r->last_variant, game_text(g, r->variant),
		    r->variant.len);
		r->last_known = true;
	}
	g->rules = r->last_rules;
	g->start = r->last_start;
	g->start.rules = &g->rules;
	return 0;
}

/* Sets up the board when the first move, or the end, is met. */
static void
begin_moves(struct pgn *r)
{
	struct game *g = r->g;
	char why[FEN_REASON_MAX];
	struct board usual;

	r->moved = r->begun = true;
	if (r->bad || find_rules(r) == -1)
		return;
	if (r->fen.len > 0) {
		usual = g->start;
		if (fen_read(&g->start, &g->rules, game_text(g, r->fen),
		    r->fen.len, why) == -1) {
			make_bad(r, r->in->at, why);
			return;
		}
		g->usual_start = memcmp(&usual, &g->start, sizeof(usual)) == 0;
	}
	r->board = g->start;
	game_grow(g);
	g->line.keys[0] = g->start.key;
}

/* Words of annotators that are not moves. */
static bool
is_remark(const char *s, size_t n)
{
	static const char *const words[] = { "N", "RR", "TN", "D", "inf", "ch",
	    "dbl", "mate", "e", "p", "ep", "e.p.", "BOOK", "book" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

static bool
is_null_move(const char *s, size_t n)
{
	static const char *const words[] = { "--", "Z0", "z0", "null", "pass",
	    "@@@@", "0000" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

static void
refuse_move(struct pgn *r, const char *s, size_t n, int error)
{
	const char *why = error == SAN_ILLEGAL ? "is not legal" :
	    error == SAN_AMBIGUOUS ? "is ambiguous" : "is not a move";
	char text[GAME_REASON_MAX];

	if (is_null_move(s, n))
		why = "is a null move";
	snprintf(text, sizeof(text), "ply %d: '%.*s' %s", r->g->line.plies + 1,
	    n < 40 ? (int)n : 40, s, why);
	make_bad(r, s, text);
}

/* A move as text, n bytes at s. */
static inline void
play(struct pgn *r, const char *s, size_t n)
{
	struct game *g = r->g;
	move m;

	if (!r->moved)
		begin_moves(r);
	if (r->bad)
		return;
	int error = san_read(&r->board, s, n, &m);
	if (error != SAN_OK) {
		if (error == SAN_SYNTAX && is_remark(s, n))
			return;
		refuse_move(r, s, n, error);
		return;
	}
	if (!game_grow(g)) {
		make_bad(r, s, "too many moves for one game");
		return;
	}
	line_add(&g->line, &r->board, m);
}

/* How much of a word comes behind its letters and digits, up to s: the rest of
 * exd6e.p. and of e8(Q). */
static inline size_t
tail_length(const char *s)
{
	bool passing = s[0] == '.' && s[-1] == 'e' && s[1] == 'p' && s[2] == '.';
	bool piece = s[0] == '(' && (s[-1] == '8' || s[-1] == '1') &&
	    (s[1] == 'Q' || s[1] == 'R' || s[1] == 'B' || s[1] == 'N') &&
	    s[2] == ')';

	return passing || piece ? 3 : 0;
}

/* The word at in->at, all of it in the window. Its length is 0 when it is
 * longer than any move. */
static inline size_t
word_length(struct input *in)
{
	size_t n = 0;

	look_ahead(in, TOKEN_MAX + 4);
	while (n <= TOKEN_MAX && in_word[(unsigned char)in->at[n]])
		n++;
	return n > TOKEN_MAX ? 0 : n + tail_length(in->at + n);
}

static void
skip_long_word(struct pgn *r)
{
	struct input *in = r->in;

	make_bad(r, in->at, "a word is too long for a move");
	do {
		while (in_word[(unsigned char)*in->at])
			in->at++;
	} while (in->at == in->end && !at_end(in));
}

static inline void
read_word(struct pgn *r)
{
	size_t n = word_length(r->in);

	if (n == 0) {
		skip_long_word(r);
		return;
	}
	play(r, r->in->at, n);
	r->in->at += n;
}

/* Is a byte that no move has only a stray one? One with a word or a bracket
 * behind it is not, nor is a figurine, which is somebody's way to write a
 * piece. */
static bool
is_stray(struct input *in)
{
	look_ahead(in, 3);
	const unsigned char *s = (const unsigned char *)in->at;

	if (s[0] == 0xe2)
		return s[1] != 0x99 || s[2] < 0x94 || s[2] > 0x9f;
	return class[s[1]] == C_SPACE || class[s[1]] == C_NEWLINE ||
	    class[s[1]] == C_JUNK || class[s[1]] == C_NUL;
}

static void
read_odd(struct pgn *r)
{
	struct input *in = r->in;

	if (is_stray(in)) {
		in->at++;
	} else if (in_word[(unsigned char)*in->at]) {
		read_word(r);
	} else {
		play(r, in->at, 3);
		in->at += 3;
	}
}

static void
skip_digits(struct input *in)
{
	do {
		while (*in->at >= '0' && *in->at <= '9')
			in->at++;
	} while (in->at == in->end && !at_end(in));
}

/* A word that begins with a digit: a result (true), a move's number, castling
 * with zeros, or a pawn's move with its rank. */
static bool
read_number(struct pgn *r, enum result *result)
{
	struct input *in = r->in;
	size_t digits = 1;

	look_ahead(in, TOKEN_MAX);
	const char *s = in->at;
	while (digits < TOKEN_MAX && s[digits] >= '0' && s[digits] <= '9')
		digits++;
	if (s[digits] == '.' || digits > 4) {
		skip_digits(in);	/* nearly always */
		return false;
	}
	if (memcmp(s, "1-0", 3) == 0 || memcmp(s, "0-1", 3) == 0) {
		*result = *s == '1' ? RESULT_WHITE : RESULT_BLACK;
		in->at += 3;
		return true;
	}
	if (memcmp(s, "1/2", 3) == 0) {
		*result = RESULT_DRAW;
		in->at += memcmp(s, "1/2-1/2", 7) == 0 ? 7 :
		    memcmp(s, "1/2 - 1/2", 9) == 0 ? 9 : 3;
		return true;
	}
	if (memcmp(s, "0-0", 3) == 0 || memcmp(s, "0000", 4) == 0 ||
	    (s[1] >= 'a' && s[1] <= 'h' && s[2] >= '1' && s[2] <= '8'))
		read_word(r);
	else
		skip_digits(in);
	return false;
}

static void
read_nag(struct pgn *r)
{
	struct input *in = r->in;
	size_t n = 0;

	in->at++;
	look_ahead(in, 16);
	/* Leading zeros are not JSON. */
	while (in->at[0] == '0' && in->at[1] >= '0' && in->at[1] <= '9')
		in->at++;
	while (in->at[n] >= '0' && in->at[n] <= '9' && n < 4)
		n++;
	if (n > 0 && n < 4 && r->options->notes && !r->bad && game_add_note(r->g,
	    NOTE_NAG, r->g->line.plies, game_keep(r->g, in->at, n)) == -1)
		make_bad(r, in->at, "too many comments for one game");
	skip_digits(in);
}

/* Signs that stand alone: +-, =, !?. Two dashes are a null move. */
static void
read_signs(struct pgn *r)
{
	struct input *in = r->in;

	look_ahead(in, 8);
	if (in->at[0] == '-' && in->at[1] == '-' && in->at[2] != '+') {
		play(r, in->at, 2);
		in->at += 2;
		return;
	}
	do {
		while (class[(unsigned char)*in->at] == C_SIGN)
			in->at++;
	} while (in->at == in->end && !at_end(in));
}

static void
skip_angle(struct pgn *r)
{
	struct input *in = r->in;
	char *close;

	look_ahead(in, TAG_LOOK);
	close = memchr(in->at, '>', (size_t)(in->end - in->at) < TAG_LOOK ?
	    (size_t)(in->end - in->at) : TAG_LOOK);
	in->at = close != NULL ? close + 1 : in->at + 1;
}

/* A tag, or a bracket that is none. Returns true when the game ends here. */
static bool
read_bracket(struct pgn *r)
{
	struct span name;

	if (!r->moved)
		return !read_tag(r);
	if (looks_like_tag(r->in, &name))
		return true;
	r->in->at++;
	return false;
}

static void
read_line_end(struct pgn *r)
{
	struct input *in = r->in;

	if (in->end - in->at < 3)
		look_ahead(in, 3);
	if (in->at[0] == '\r' && in->at[1] == '\n')
		in->at++;
	in->at++;
	r->blank |= *in->at == '\n' || *in->at == '\r';
	if (*in->at == '%') {
		skip_escape(r);
		r->skipped |= r->begun && r->blank;
	}
}

/* Nearly all of most files: the chess layer plays it without our help. */
static void
read_plain_moves(struct pgn *r)
{
	struct game *g = r->g;

	if (game_grow(g) && r->in->end - r->in->at > RUN_MARGIN)
		r->in->at = (char *)run_play_san(&g->line, &r->board,
		    r->in->at, r->in->end);
}

/* A comment behind the result, on the same line, is still this game's. */
static void
read_last_comments(struct pgn *r)
{
	struct input *in = r->in;

	r->begun = true;
	for (;;) {
		look_ahead(in, 2);
		if (*in->at == '{')
			read_comment(r);
		else if (*in->at == ' ' || *in->at == '\t')
			in->at++;
		else
			return;
	}
}

/* A NUL byte, which is skipped, or the end of the file: true. */
static bool
read_nul(struct pgn *r)
{
	struct input *in = r->in;

	if (in->at < in->end) {
		in->at++;
		return false;
	}
	if (!at_end(in))
		return false;
	if (input_error(in) != NULL && r->begun)
		make_bad(r, in->at, "the input ends within this game");
	return true;
}

/* Reads on until the game ends. Returns what it ends with. */
static enum result
read_game(struct pgn *r)
{
	struct input *in = r->in;
	enum result result = RESULT_NONE;

	for (;;) {
		if (r->moved && !r->bad)
			read_plain_moves(r);
		switch (class[(unsigned char)*in->at]) {
		case C_SPACE:
		case C_JUNK:
		case C_CLOSE:
			in->at++;
			break;
		case C_NEWLINE:
			read_line_end(r);
			break;
		case C_WORD:
			if (packed_comes(in))
				return result;
			read_word(r);
			break;
		case C_ODD:
			read_odd(r);
			break;
		case C_DIGIT:
			if (read_number(r, &result)) {
				read_last_comments(r);
				return result;
			}
			break;
		case C_BRACE:
			if (pgn_is_json(in))
				return result;
			read_comment(r);
			break;
		case C_SEMICOLON:
			read_comment(r);
			break;
		case C_OPEN:
			read_variation(r);
			break;
		case C_TAG:
			if (read_bracket(r))
				return result;
			break;
		case C_STAR:
			in->at++;
			read_last_comments(r);
			return result;
		case C_NAG:
			read_nag(r);
			break;
		case C_ANGLE:
			skip_angle(r);
			break;
		case C_SIGN:
			read_signs(r);
			break;
		case C_NUL:
			if (read_nul(r))
				return result;
			break;
		}
	}
}

/* ---- games ---- */

void
pgn_start(struct pgn *r, struct input *in, const struct game_options *options)
{
	memset(r, 0, sizeof(*r));
	r->in = in;
	r->options = options;
	look_ahead(in, 1);
	if (*in->at == '%')
		skip_escape(r);
}

void
pgn_release(struct pgn *r)
{
	text_release(&r->last_variant);
	text_release(&r->names);
	text_release(&r->note);
}

/* Goes to where a game begins; false at the end of the file. */
static bool
find_game(struct pgn *r)
{
	struct input *in = r->in;

	for (;;) {
		switch (class[(unsigned char)*in->at]) {
		case C_SPACE:
		case C_JUNK:
		case C_CLOSE:
			in->at++;
			break;
		case C_NEWLINE:
			read_line_end(r);
			break;
		case C_ODD:
			if (!is_stray(in))
				return true;
			in->at++;
			break;
		case C_NUL:
			if (read_nul(r))
				return false;
			break;
		default:
			return true;
		}
	}
}

static void
set_result(struct pgn *r, enum result after_moves)
{
	struct game *g = r->g;
	enum result tag = RESULT_NONE;

	if (r->tag_result.len > 0)
		result_read(game_text(g, r->tag_result), r->tag_result.len, &tag);
	g->result = after_moves != RESULT_NONE ? after_moves : tag;
	if (tag != RESULT_NONE && g->result != tag) {
		g->result = RESULT_NONE;
		snprintf(r->reason, sizeof(r->reason), "the result is %s in "
		    "the tag and %s after the moves", result_name(tag),
		    result_name(after_moves));
	}
}

static void
set_end(struct pgn *r)
{
	struct game *g = r->g;
	struct span told = r->end.len > 0 ? r->end : r->termination;

	g->end = game_derive_end(g, &r->board);
	if (told.len == 0 || (r->end.len == 0 &&
	    end_is_seen(g->end)))
		return;
	end_read(game_text(g, told), told.len, &g->end);
}

/* Points that contradict the result are a fault of the record, as two results
 * are; the game stays. */
static void
set_points(struct pgn *r)
{
	struct game *g = r->g;

	g->value = result_value(g->result);
	if (r->points.len == 0)
		game_derive_value(g, &r->board);
	else if (!game_set_points(g, game_text(g, r->points), r->points.len))
		snprintf(r->reason, sizeof(r->reason), "the points are no "
		    "multiple of 0.005 within 0..1, or contradict the result");
}

int
pgn_next(struct pgn *r, struct game *g)
{
	static const struct span none;

	r->g = g;
	r->bad = r->moved = r->blank = r->begun = r->skipped = false;
	r->reason[0] = '\0';
	r->fen = r->variant = r->tag_result = r->termination = r->end =
	    r->points = none;
	text_clear(&r->names);
	r->ntags = 0;
	game_clear(g);
	if (!find_game(r) || pgn_is_json(r->in) || packed_comes(r->in))
		return 0;
	r->line = input_line_number(r->in, r->in->at);
	enum result result = read_game(r);
	if (!r->begun && !r->bad)
		return 0;	/* the file ends with a comment */
	if (!r->moved)
		begin_moves(r);
	r->plies += (uint64_t)g->line.plies;
	if (r->bad)
		return -1;
	if (r->skipped && g->line.plies == 0)
		return refuse(r->reason, "no moves, only a line that begins "
		    "with %%");
	set_result(r, result);
	set_end(r);
	set_points(r);
	return r->options->trust ||
	    game_check_end(g, &r->board, r->reason) == 0 ? 1 : -1;
}
