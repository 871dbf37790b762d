#include "pgnparts.h"

#include <stdio.h>

#include "chess/fen.h"
#include "chess/run.h"
#include "chess/san.h"
#include "packed.h"
#include "variant.h"

/* What a byte between tokens can begin. */
/* clang-format off */
enum {
	C_JUNK, C_SPACE, C_NEWLINE, C_WORD, C_DIGIT, C_BRACE, C_SEMICOLON,
	C_OPEN, C_CLOSE, C_TAG, C_STAR, C_NAG, C_ANGLE, C_SIGN, C_ODD, C_NUL
};

enum {
	TOKEN_MAX = 128, /* a longer word is not a move */
	JSON_LOOK = 64   /* bytes that decide what a brace begins */
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
	[1 ... 8] = C_ODD, [14 ... 25] = C_ODD, [27 ... 31] = C_ODD,
	[127] = C_ODD, ['\\'] = C_ODD, [0xe2] = C_ODD,
};

/* Bytes that continue a word. Some occur in no move; they are here so that half
 * of a damaged move is not taken for another one. */
static const bool in_word[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['+'] = true, ['#'] = true, ['='] = true, [':'] = true, ['-'] = true,
	['/'] = true, ['!'] = true, ['?'] = true, ['@'] = true, ['_'] = true,
	['\''] = true,
	[1 ... 8] = true, [14 ... 25] = true, [27 ... 31] = true, [127] = true,
	['\\'] = true,
};
/* clang-format on */

void
pgn_make_bad(struct pgn *r, const char *where, const char *why)
{
	if (r->bad)
		return;
	r->bad = true;
	r->line = input_line_number(r->in, where);
	snprintf(r->reason, sizeof(r->reason), "%s", why);
}

/* ---- other formats ---- */

bool
pgn_is_json(struct input *in)
{
	static const char *const keys[] = { "v", "id", "rules", "start", "moves",
		"result", "end", "plies", "white", "black", "partial" };

	if (*in->at != '{')
		return false;
	pgn_look_ahead(in, JSON_LOOK);
	const char *s = in->at + 1 + strspn(in->at + 1, " \t");
	if (*s++ != '"')
		return false;
	size_t n = strcspn(s, "\"\n");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i]) == n && memcmp(keys[i], s, n) == 0)
			return s[n] == '"' && s[n + 1 + strspn(s + n + 1, " \t")] == ':';
	return false;
}

/* Does a packed game begin at in->at? No move looks like one. */
static inline bool
packed_comes(struct input *in)
{
	if (*in->at != 'R')
		return false;
	pgn_look_ahead(in, 4);
	return packed_is(in->at, (size_t)(in->end - in->at));
}

/* ---- moves ---- */

/* Finds the rules of the game, and remembers them for the next with this tag. */
static int
find_rules(struct pgn *r)
{
	struct game *g = r->g;
	char why[RULES_REASON_MAX];

	if (!r->last_known || r->last_variant.len != r->variant.len ||
	    memcmp(r->last_variant.s, game_text(g, r->variant), r->variant.len) != 0) {
		r->last_known = false;
		if (r->variant.len == 0) {
			r->last_rules = *r->options->rules;
		} else if (variant_read(&r->last_rules, game_text(g, r->variant),
			       r->variant.len, why) == -1) {
			pgn_make_bad(r, r->in->at, why);
			return -1;
		}
		board_start(&r->last_start, &r->last_rules);
		text_clear(&r->last_variant);
		text_add(&r->last_variant, game_text(g, r->variant), r->variant.len);
		r->last_known = true;
	}
	g->rules = r->last_rules;
	g->start = r->last_start;
	g->start.rules = &g->rules;
	return 0;
}

/* Sets up the board at the first move, or at the end of a game without moves. */
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
		if (fen_read(&g->start, &g->rules, game_text(g, r->fen), r->fen.len,
			why) == -1) {
			pgn_make_bad(r, r->in->at, why);
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
	static const char *const words[] = { "N", "RR", "TN", "D", "inf", "ch", "dbl",
		"mate", "e", "p", "ep", "e.p.", "BOOK", "book" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

static bool
is_null_move(const char *s, size_t n)
{
	static const char *const words[] = { "--", "Z0", "z0", "null", "pass", "@@@@",
		"0000" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

static void
refuse_move(struct pgn *r, const char *s, size_t n, int error)
{
	const char *why = error == SAN_ILLEGAL ? "is not legal"
	    : error == SAN_AMBIGUOUS           ? "is ambiguous"
					       : "is not a move";
	char text[GAME_REASON_MAX];

	if (is_null_move(s, n))
		why = "is a null move";
	snprintf(text, sizeof(text), "ply %d: '%.*s' %s", r->g->line.plies + 1,
	    n < 40 ? (int)n : 40, s, why);
	pgn_make_bad(r, s, text);
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
		pgn_make_bad(r, s, "too many moves for one game");
		return;
	}
	line_add(&g->line, &r->board, m);
}

/* The length of a suffix at s, after letters and digits: the rest of exd6e.p. and
 * of e8(Q). */
static inline size_t
tail_length(const char *s)
{
	bool passing = s[0] == '.' && s[-1] == 'e' && s[1] == 'p' && s[2] == '.';
	bool piece = s[0] == '(' && (s[-1] == '8' || s[-1] == '1') &&
	    (s[1] == 'Q' || s[1] == 'R' || s[1] == 'B' || s[1] == 'N') && s[2] == ')';

	return passing || piece ? 3 : 0;
}

/* Brings the word at in->at into the window and returns its length; 0 if it is
 * longer than any move. */
static inline size_t
word_length(struct input *in)
{
	size_t n = 0;

	pgn_look_ahead(in, TOKEN_MAX + 4);
	while (n <= TOKEN_MAX && in_word[(unsigned char)in->at[n]])
		n++;
	return n > TOKEN_MAX ? 0 : n + tail_length(in->at + n);
}

static void
skip_long_word(struct pgn *r)
{
	struct input *in = r->in;

	pgn_make_bad(r, in->at, "a word is too long for a move");
	do {
		while (in_word[(unsigned char)*in->at])
			in->at++;
	} while (in->at == in->end && !pgn_at_end(in));
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

/* Is a byte that occurs in no move only a stray one? Not if a word or a bracket
 * follows, nor if it begins a figurine, which stands for a piece. */
static bool
is_stray(struct input *in)
{
	pgn_look_ahead(in, 3);
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
	} while (in->at == in->end && !pgn_at_end(in));
}

/* Reads a word that begins with a digit: a result (true), a move number, castling
 * with zeros, or a pawn move with its rank. */
static bool
read_number(struct pgn *r, enum result *result)
{
	struct input *in = r->in;
	size_t digits = 1;

	pgn_look_ahead(in, TOKEN_MAX);
	const char *s = in->at;
	while (digits < TOKEN_MAX && s[digits] >= '0' && s[digits] <= '9')
		digits++;
	if (s[digits] == '.' || digits > 4) {
		skip_digits(in); /* the common case */
		return false;
	}
	if (memcmp(s, "1-0", 3) == 0 || memcmp(s, "0-1", 3) == 0) {
		*result = *s == '1' ? RESULT_WHITE : RESULT_BLACK;
		in->at += 3;
		return true;
	}
	if (memcmp(s, "1/2", 3) == 0) {
		*result = RESULT_DRAW;
		in->at += memcmp(s, "1/2-1/2", 7) == 0 ? 7
		    : memcmp(s, "1/2 - 1/2", 9) == 0   ? 9
						       : 3;
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
	pgn_look_ahead(in, 16);
	/* Leading zeros are not JSON. */
	while (in->at[0] == '0' && in->at[1] >= '0' && in->at[1] <= '9')
		in->at++;
	while (in->at[n] >= '0' && in->at[n] <= '9' && n < 4)
		n++;
	if (n > 0 && n < 4 && r->options->notes && !r->bad &&
	    game_add_note(r->g, NOTE_NAG, r->g->line.plies, game_keep(r->g, in->at, n)) ==
		-1)
		pgn_make_bad(r, in->at, "too many comments for one game");
	skip_digits(in);
}

/* Signs that stand alone: +-, =, !?. Two dashes are a null move. */
static void
read_signs(struct pgn *r)
{
	struct input *in = r->in;

	pgn_look_ahead(in, 8);
	if (in->at[0] == '-' && in->at[1] == '-' && in->at[2] != '+') {
		play(r, in->at, 2);
		in->at += 2;
		return;
	}
	do {
		while (class[(unsigned char)*in->at] == C_SIGN)
			in->at++;
	} while (in->at == in->end && !pgn_at_end(in));
}

static void
skip_angle(struct pgn *r)
{
	struct input *in = r->in;
	char *close;

	pgn_look_ahead(in, TAG_LOOK);
	close = memchr(in->at, '>',
	    (size_t)(in->end - in->at) < TAG_LOOK ? (size_t)(in->end - in->at)
						  : TAG_LOOK);
	in->at = close != NULL ? close + 1 : in->at + 1;
}

/* Reads a tag, or a bracket that is not one. True if the game ends here. */
static bool
read_bracket(struct pgn *r)
{
	struct span name;

	if (!r->moved)
		return !pgn_read_tag(r);
	if (pgn_is_tag(r->in, &name))
		return true;
	r->in->at++;
	return false;
}

static void
read_line_end(struct pgn *r)
{
	struct input *in = r->in;

	if (in->end - in->at < 3)
		pgn_look_ahead(in, 3);
	if (in->at[0] == '\r' && in->at[1] == '\n')
		in->at++;
	in->at++;
	r->blank |= *in->at == '\n' || *in->at == '\r';
	if (*in->at == '%') {
		pgn_skip_escape(r);
		r->skipped |= r->begun && r->blank;
	}
}

/* Nearly all of most files, read by the fast path of the chess layer. */
static void
read_plain_moves(struct pgn *r)
{
	struct game *g = r->g;

	if (game_grow(g) && r->in->end - r->in->at > RUN_MARGIN)
		r->in->at =
		    (char *)run_play_san(&g->line, &r->board, r->in->at, r->in->end);
}

/* A comment after the result, on the same line, belongs to this game. */
static void
read_last_comments(struct pgn *r)
{
	struct input *in = r->in;

	r->begun = true;
	for (;;) {
		pgn_look_ahead(in, 2);
		if (*in->at == '{' && !pgn_is_json(in))
			pgn_read_comment(r);
		else if (*in->at == ' ' || *in->at == '\t')
			in->at++;
		else
			return;
	}
}

/* Skips a NUL byte; true at the end of the file. */
static bool
read_nul(struct pgn *r)
{
	struct input *in = r->in;

	if (in->at < in->end) {
		in->at++;
		return false;
	}
	if (!pgn_at_end(in))
		return false;
	if (input_error(in) != NULL && r->begun)
		pgn_make_bad(r, in->at, "the input ends within this game");
	return true;
}

/* Skips what separates words, and what means nothing outside of a comment. */
static inline bool
skip_blank(struct pgn *r)
{
	int c = class[(unsigned char)*r->in->at];

	if (c == C_NEWLINE)
		read_line_end(r);
	else if (c == C_SPACE || c == C_JUNK || c == C_CLOSE)
		r->in->at++;
	else
		return false;
	return true;
}

/* Reads to the end of the game and returns the result there. */
static enum result
read_game(struct pgn *r)
{
	struct input *in = r->in;
	enum result result = RESULT_NONE;

	for (;;) {
		if (r->moved && !r->bad)
			read_plain_moves(r);
		if (skip_blank(r))
			continue;
		switch (class[(unsigned char)*in->at]) {
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
			pgn_read_comment(r);
			break;
		case C_SEMICOLON:
			pgn_read_comment(r);
			break;
		case C_OPEN:
			pgn_read_variation(r);
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
	pgn_look_ahead(in, 1);
	if (*in->at == '%')
		pgn_skip_escape(r);
}

void
pgn_release(struct pgn *r)
{
	text_release(&r->last_variant);
	text_release(&r->names);
	text_release(&r->note);
}

/* Moves to the beginning of a game; false at the end of the file. */
static bool
find_game(struct pgn *r)
{
	struct input *in = r->in;

	for (;;) {
		int c = class[(unsigned char)*in->at];
		if (c == C_NUL && read_nul(r))
			return false;
		else if (c == C_ODD && is_stray(in))
			in->at++;
		else if (c != C_NUL && !skip_blank(r))
			return true;
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
		snprintf(r->reason, sizeof(r->reason),
		    "the result is %s in the tag and %s after the moves",
		    result_name(tag), result_name(after_moves));
	}
}

static void
set_end(struct pgn *r)
{
	struct game *g = r->g;
	struct span given = r->end.len > 0 ? r->end : r->termination;

	g->end = game_derive_end(g, &r->board);
	if (given.len == 0 || (r->end.len == 0 && end_is_seen(g->end)))
		return;
	end_read(game_text(g, given), given.len, &g->end);
}

/* Points that contradict the result are reported, as are contradictory results;
 * the game is kept. */
static void
set_points(struct pgn *r)
{
	struct game *g = r->g;

	g->value = result_value(g->result);
	if (r->points.len == 0)
		game_derive_value(g, &r->board);
	else if (!game_set_points(g, game_text(g, r->points), r->points.len))
		snprintf(r->reason, sizeof(r->reason),
		    "the points are not a "
		    "multiple of 0.005 within 0..1, or contradict the result");
}

int
pgn_next(struct pgn *r, struct game *g)
{
	static const struct span none;

	r->g = g;
	r->bad = r->moved = r->blank = r->begun = r->skipped = false;
	r->reason[0] = '\0';
	r->fen = r->variant = r->tag_result = r->termination = r->end = r->points = none;
	text_clear(&r->names);
	r->ntags = 0;
	game_clear(g);
	if (!find_game(r) || pgn_is_json(r->in) || packed_comes(r->in))
		return 0;
	r->line = input_line_number(r->in, r->in->at);
	enum result result = read_game(r);
	if (!r->begun && !r->bad)
		return 0; /* there was only a comment */
	if (!r->moved)
		begin_moves(r);
	r->plies += (uint64_t)g->line.plies;
	if (r->bad)
		return -1;
	if (r->skipped && g->line.plies == 0)
		return refuse(r->reason, "no moves, only a line that begins with %%");
	set_result(r, result);
	set_end(r);
	set_points(r);
	return r->options->trust || game_check_end(g, &r->board, r->reason) == 0 ? 1 : -1;
}
