#include "pgn.h"

#include <stdio.h>

#include "chess/fen.h"
#include "chess/run.h"
#include "chess/san.h"
#include "variant.h"

/* What a byte can begin, between tokens. */
enum {
	C_JUNK, C_SPACE, C_NEWLINE, C_WORD, C_DIGIT, C_BRACE, C_SEMICOLON,
	C_OPEN, C_CLOSE, C_TAG, C_STAR, C_NAG, C_ANGLE, C_SIGN, C_NUL
};

enum {
	TOKEN_MAX = 128,	/* a longer word is no move */
	TAG_LOOK = 300		/* how far to look whether a bracket is a tag */
};

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
};

/* Bytes that a move's text goes on with. */
static const bool in_word[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['+'] = true, ['#'] = true, ['='] = true, [':'] = true, ['-'] = true,
	['/'] = true, ['!'] = true, ['?'] = true, ['@'] = true, ['_'] = true,
	['\''] = true,
};

/* Bytes of a tag's value that mean nothing but themselves. */
static const bool value_goes_on[256] = {
	[1 ... 9] = true, [11 ... 12] = true, [14 ... 33] = true,
	[35 ... 91] = true, [93 ... 255] = true,
};

/* Bytes that matter inside a variation. */
static const bool in_variation[256] = {
	[0] = true, ['('] = true, [')'] = true, ['{'] = true, [';'] = true,
	['\n'] = true, ['\r'] = true,
};

void
pgn_start(struct pgn *r, struct input *in, const struct game_options *options)
{
	memset(r, 0, sizeof(*r));
	r->in = in;
	r->options = options;
}

void
pgn_release(struct pgn *r)
{
	text_release(&r->last_variant);
	text_release(&r->note);
}

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
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-' ||
	    c == '?' || c == ':' || c == '=' || c == '#';
}

/* Is there [Name "… at in->at? The name is then left in *name. */
static bool
looks_like_tag(struct input *in, struct span *name)
{
	look_ahead(in, TAG_LOOK);
	const char *s = in->at + 1, *begin;

	while (*s == ' ' || *s == '\t')
		s++;
	begin = s;
	while (is_name(*s) && s - in->at < TAG_LOOK / 2)
		s++;
	name->at = (uint32_t)(begin - in->at);
	name->len = (uint32_t)(s - begin);
	while (*s == ' ' || *s == '\t')
		s++;
	return name->len > 0 && *s == '"';
}

/* ---- passing over ---- */

static void
skip_line(struct input *in)
{
	char nl = in->cr_lines ? '\r' : '\n';

	for (;;) {
		char *end = memchr(in->at, nl, (size_t)(in->end - in->at));
		if (end != NULL) {
			in->at = end;
			return;
		}
		in->at = in->end;
		if (at_end(in))
			return;
	}
}

/* Adds to the note being collected, white space folded. */
static void
collect(struct pgn *r, const char *s, const char *end)
{
	if (!r->options->notes || r->note.len > PGN_NOTE_MAX)
		return;
	for (; s < end; s++) {
		bool space = *s == ' ' || (*s >= '\t' && *s <= '\r');
		if (!space)
			text_add_char(&r->note, *s);
		else if (r->note.len > 0 && r->note.s[r->note.len - 1] != ' ')
			text_add_char(&r->note, ' ');
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
	if (r->note.len > PGN_NOTE_MAX)
		snprintf(r->reason, sizeof(r->reason),
		    "a comment of more than %d bytes is left out", PGN_NOTE_MAX);
	else if (game_add_note(g, kind, g->line.plies,
	    game_keep(g, r->note.s, r->note.len)) == -1)
		make_bad(r, r->in->at, "too many comments for one game");
}

/* Looks for a line that begins with [Event "; NULL when there is none. */
static char *
find_event(char *s, char *end)
{
	while ((s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		if (end - s > 8 && memcmp(s, "\n[Event ", 8) == 0)
			return s + 1;
		s++;
	}
	return NULL;
}

/*
 * Passes over a comment in braces, in->at being at the opening one. A comment
 * of any length takes no memory unless it is kept.
 */
static void
skip_comment(struct pgn *r)
{
	struct input *in = r->in;

	in->at++;
	for (;;) {
		char *close = memchr(in->at, '}', (size_t)(in->end - in->at));
		char *stop = close != NULL ? close : in->end;
		char *event = find_event(in->at, stop);
		if (event != NULL) {
			make_bad(r, event, "the comment before this is never closed");
			in->at = event;
			return;
		}
		if (close != NULL) {
			collect(r, in->at, close);
			in->at = close + 1;
			return;
		}
		/* The last bytes may be the beginning of [Event. */
		if (stop - in->at > 8)
			stop -= 8;
		else if (in->ended)
			stop = in->end;
		collect(r, in->at, stop);
		in->at = stop;
		if (input_more(in, in->at) == 0 && in->at == in->end) {
			make_bad(r, in->at, "the file ends within a comment");
			return;
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
		char *from = r->in->at + 1;
		size_t seen = r->in->bytes_gone;
		skip_line(r->in);
		/* A comment to the end of a line that did not fit into the
		 * window is not worth keeping. */
		if (seen == r->in->bytes_gone)
			collect(r, from, r->in->at);
	}
	keep_note(r, NOTE_COMMENT);
}

/* Passes over a variation and those in it. */
static void
skip_variation(struct pgn *r)
{
	struct input *in = r->in;
	int depth = 0;

	do {
		char *s = in->at;
		while (!in_variation[(unsigned char)*s])
			s++;
		collect(r, in->at, s);
		in->at = s;
		switch (*s) {
		case '(':
			depth++;
			break;
		case ')':
			depth--;
			break;
		case '{':
			collect(r, s, s + 1);
			skip_comment(r);
			collect(r, "}", "}" + 1);
			continue;
		case ';':
			skip_line(in);
			continue;
		case '\0':
			if (at_end(in)) {
				make_bad(r, s, "the file ends within a variation");
				return;
			}
			continue;
		default:	/* the end of a line */
			look_ahead(in, 9);
			if (memcmp(in->at + 1, "[Event ", 7) == 0) {
				make_bad(r, in->at,
				    "the variation before this is never closed");
				return;
			}
			break;
		}
		collect(r, in->at, in->at + 1);
		in->at++;
	} while (depth > 0 && !r->bad);
}

static void
read_variation(struct pgn *r)
{
	text_clear(&r->note);
	skip_variation(r);
	/* The note is kept without the outer brackets. */
	if (r->options->notes && r->note.len >= 2) {
		r->note.len--;
		memmove(r->note.s, r->note.s + 1, --r->note.len);
		while (r->note.len > 0 && r->note.s[0] == ' ')
			memmove(r->note.s, r->note.s + 1, --r->note.len);
	}
	keep_note(r, NOTE_VARIATION);
}

/* ---- tags ---- */

/* Does the quote at s end the value? What follows must be a bracket or the
 * end of the line; else it is a quote that somebody forgot to escape. */
static bool
quote_ends(const char *s)
{
	do
		s++;
	while (*s == ' ' || *s == '\t');
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
	return s[0] == '"' && s[1] == ']' && s - begin < PGN_TAG_MAX ?
	    s - begin : -1;
}

/* Copies a tag's value, in->at being behind the opening quote. Leaves in->at
 * behind the value. */
static struct span
read_value(struct pgn *r)
{
	struct input *in = r->in;
	struct game *g = r->g;
	size_t begin = g->text.len;
	ptrdiff_t length = plain_value_length(in->at);

	if (length >= 0) {
		struct span value = game_keep(g, in->at, (size_t)length);
		in->at += length + 1;
		return value;
	}
	for (;;) {
		if (in->end - in->at < 2)
			look_ahead(in, 64);
		char *s = in->at, *plain = s;
		while (value_goes_on[(unsigned char)*s])
			s++;
		size_t room = PGN_TAG_MAX - (g->text.len - begin);
		size_t n = (size_t)(s - plain);
		text_add(&g->text, plain, n < room ? n : room);
		in->at = s;
		if (*s == '\0' && (s < in->end || !at_end(in))) {
			if (in->at < in->end && *in->at == '\0')
				in->at++;	/* a NUL in the file: drop it */
			continue;
		}
		look_ahead(in, 64);
		s = in->at;
		bool fits = g->text.len - begin < PGN_TAG_MAX;
		if (*s == '\\' && (s[1] == '"' || s[1] == '\\')) {
			text_add(&g->text, s + 1, fits);
			in->at += 2;
		} else if (*s == '\\' || (*s == '"' && !quote_ends(s))) {
			text_add(&g->text, s, fits);
			in->at++;
		} else {
			in->at += *s == '"';
			break;
		}
	}
	struct span value = { (uint32_t)begin, (uint32_t)(g->text.len - begin) };
	text_add_char(&g->text, '\0');
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

	if (span_is(g, name, "SetUp") || game_says_nothing(g, value))
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
	if (span_is(g, name, "Sims") &&
	    number_read(game_text(g, value), 0, 1000000000, &sims)) {
		g->sims = (int)sims;
		return;
	}
	if (game_add_tag(g, name, value) == -1)
		make_bad(r, r->in->at, "too many tags for one game");
}

/* Was a tag of this name, at in->at + name.at, given already? */
static bool
is_repeated(const struct pgn *r, struct span name)
{
	const char *s = r->in->at + name.at;
	const struct game *g = r->g;
	static const char *const fields[] = { "White", "Black", "Result",
	    "FEN", "Variant" };
	const struct span values[] = { g->white, g->black, r->tag_result, r->fen,
	    r->variant };

	for (int i = 0; i < g->ntags; i++)
		if (g->tags[i].name.len == name.len && memcmp(s,
		    game_text(g, g->tags[i].name), name.len) == 0)
			return true;
	for (int i = 0; i < 5; i++)
		if (values[i].len > 0 && strlen(fields[i]) == name.len &&
		    memcmp(s, fields[i], name.len) == 0)
			return true;
	return false;
}

/* A bracket among the tags that begins none: on to its end, or the line's. */
static void
skip_broken_tag(struct input *in)
{
	do
		in->at++;
	while (*in->at != ']' && *in->at != '\n' && *in->at != '\r' &&
	    *in->at != '\0');
	if (*in->at == ']')
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
		skip_broken_tag(in);
		return true;
	}
	r->begun = true;
	bool event = name.len == 5 && memcmp(in->at + name.at, "Event", 5) == 0;
	if ((event || r->blank) && is_repeated(r, name))
		return false;
	r->blank = false;
	struct span kept = game_keep(r->g, in->at + name.at, name.len);
	in->at += name.at + name.len;
	while (*in->at++ != '"')
		continue;
	struct span value = read_value(r);
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
	    "dbl", "mate", "e", "p", "ep", "BOOK", "book" };

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

/* The word at in->at, all of it in the window. Its length is 0 when it is
 * longer than any move. */
static inline size_t
word_length(struct input *in)
{
	const char *s = in->at;

	while (in_word[(unsigned char)*s])
		s++;
	if (*s == '.' && s[-1] == 'e' && s[1] == 'p' && s[2] == '.')
		s += 3;
	if (s == in->end || s + 2 >= in->end) {
		look_ahead(in, TOKEN_MAX + 4);
		for (s = in->at; in_word[(unsigned char)*s]; s++)
			if (s - in->at > TOKEN_MAX)
				break;
		if (*s == '.' && s > in->at && s[-1] == 'e' && s[1] == 'p' &&
		    s[2] == '.')
			s += 3;
	}
	return s - in->at > TOKEN_MAX ? 0 : (size_t)(s - in->at);
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

/* A word that begins with a digit: a result (true), a move's number, castling
 * with zeros, or a pawn's move with its rank. */
static bool
read_number(struct pgn *r, enum result *result)
{
	struct input *in = r->in;
	const char *s = in->at;

	while (*s >= '0' && *s <= '9')
		s++;
	if (*s == '.') {
		in->at = (char *)s;	/* nearly always */
		return false;
	}
	look_ahead(in, TOKEN_MAX);
	s = in->at;
	if (memcmp(s, "1-0", 3) == 0 || memcmp(s, "0-1", 3) == 0) {
		*result = *s == '1' ? RESULT_WHITE : RESULT_BLACK;
		in->at += 3;
		return true;
	}
	if (memcmp(s, "1/2", 3) == 0) {
		*result = RESULT_DRAW;
		in->at += memcmp(s, "1/2-1/2", 7) == 0 ? 7 : 3;
		return true;
	}
	if (memcmp(s, "0-0", 3) == 0 || memcmp(s, "0000", 4) == 0 ||
	    (s[1] >= 'a' && s[1] <= 'h' && s[2] >= '1' && s[2] <= '8')) {
		read_word(r);
		return false;
	}
	while (*in->at >= '0' && *in->at <= '9')
		in->at++;
	return false;
}

static void
read_nag(struct pgn *r)
{
	struct input *in = r->in;
	size_t n = 0;

	look_ahead(in, 16);
	in->at++;
	while (in->at[n] >= '0' && in->at[n] <= '9' && n < 3)
		n++;
	/* Leading zeros are not JSON. */
	while (n > 1 && *in->at == '0') {
		in->at++;
		n--;
	}
	if (n > 0 && r->options->notes && !r->bad && game_add_note(r->g,
	    NOTE_NAG, r->g->line.plies, game_keep(r->g, in->at, n)) == -1)
		make_bad(r, in->at, "too many comments for one game");
	while (*in->at >= '0' && *in->at <= '9')
		in->at++;
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
	while (class[(unsigned char)*in->at] == C_SIGN)
		in->at++;
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
	if (*in->at == '%')
		skip_line(in);
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
			read_word(r);
			break;
		case C_DIGIT:
			if (read_number(r, &result)) {
				read_last_comments(r);
				return result;
			}
			break;
		case C_BRACE:
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
			if (in->at < in->end)
				in->at++;
			else if (at_end(in))
				return result;
			break;
		}
	}
}

/* ---- games ---- */

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
		case C_NUL:
			if (in->at < in->end)
				in->at++;
			else if (at_end(in))
				return false;
			break;
		default:
			if (*in->at != '%' || in->at != in->data)
				return true;
			skip_line(in);
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
	    (g->end == END_CHECKMATE || g->end == END_STALEMATE)))
		return;
	end_read(game_text(g, told), told.len, &g->end);
}

int
pgn_next(struct pgn *r, struct game *g)
{
	static const struct span none;

	r->g = g;
	r->bad = r->moved = r->blank = r->begun = false;
	r->reason[0] = '\0';
	r->fen = r->variant = r->tag_result = r->termination = r->end = none;
	game_clear(g);
	if (!find_game(r))
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
	set_result(r, result);
	set_end(r);
	return 1;
}
