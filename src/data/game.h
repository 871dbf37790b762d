/*
 * A game as programs exchange it, games(5). One struct is reused for a whole
 * stream; its buffers grow to the largest game.
 */
#ifndef DATA_GAME_H
#define DATA_GAME_H

#include "base/message.h"
#include "base/text.h"
#include "base/zio.h"
#include "chess/board.h"
#include "chess/outcome.h"
#include "chess/run.h"

/* Limits of one game; more is refused, which bounds the memory. A game within
 * them fits, escapes included, into a line of JSON that can be read again. */
enum {
	GAME_PLIES_MAX = 20000,
	GAME_TAGS_MAX = 1000,
	GAME_NOTES_MAX = 50000,
	GAME_NAME_MAX = 100,       /* bytes of a tag's name */
	GAME_VALUE_MAX = 64 << 10, /* bytes of a tag's value */
	GAME_NOTE_MAX = 1 << 20,   /* bytes of a comment or variation */
	GAME_TEXT_MAX = 4 << 20,   /* bytes of tags and notes */
	GAME_REASON_MAX = REASON_MAX
};

enum result { RESULT_NONE, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

/* A part of the game's text; length 0: not given. Always UTF-8 without line ends
 * and control characters. */
struct span {
	uint32_t at, len;
};

struct game_tag {
	struct span name, value;
};

/* An annotation after a ply (0: before the first). */
struct game_note {
	enum note { NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION } kind;
	int ply;
	struct span text; /* a NAG's text is its number */
};

struct game {
	struct rules rules;
	struct board start; /* points to the rules above */
	bool usual_start;
	struct line line; /* the moves */
	enum result result;
	int value; /* to White in hundredths of a win, -100 to 100;
	            * under some rules a draw is not worth 0 */
	enum end end;
	int sims; /* simulations a move; -1: not given */
	struct span id, white, black, seed, net;
	struct span options; /* digest of the options that chose the moves */
	struct span search;  /* JSON as read, if game_options.search */
	struct game_tag *tags;
	int ntags;
	struct game_note *notes;
	int nnotes;
	struct text text; /* holds all spans */
};

void game_init(struct game *g);
void game_release(struct game *g);

/* Clears the game but keeps its buffers: no rules, no start, no moves. */
void game_clear(struct game *g);

/* Sets the rules and their usual start. For another start, set g->start
 * afterwards, and usual_start to false. */
void game_set_rules(struct game *g, const struct rules *r);

/* Copies n bytes, or a number, into the game's text and returns the span. */
struct span game_keep(struct game *g, const char *s, size_t n);
struct span game_keep_number(struct game *g, uint64_t v);

/* The same for bytes from a file: those that are not UTF-8 are taken for
 * Latin-1, and control characters become blanks. */
struct span game_keep_foreign(struct game *g, const char *s, size_t n);
static inline const char *
game_text(const struct game *g, struct span s)
{
	return g->text.s + s.at;
}

/* Makes room for another move; false if GAME_PLIES_MAX is reached. */
bool game_grow(struct game *g);

/* True for "", "?" and "????.??.??", PGN's values for the unknown. */
bool game_says_nothing(const struct game *g, struct span value);

/* Is this a valid name of a PGN tag? Is it a tag that has a field of its own, in
 * struct game or in PGN alone? */
bool game_is_tag_name(const char *s, size_t n);
bool game_is_field(const char *name, size_t n);

/* Add a tag, unless its value is unknown or its name is there already; or an
 * annotation. 0, or -1 if there are too many. */
int game_add_tag(struct game *g, struct span name, struct span value);
int game_add_note(struct game *g, enum note kind, int ply, struct span text);

/* The tag of this name; NULL if there is none. */
const struct game_tag *game_find_tag(const struct game *g, const char *name);

/* How the game ended, by its final position and its result: mate, stalemate, for
 * drawn games the draw rules, otherwise END_UNKNOWN. */
enum end game_derive_end(const struct game *g, const struct board *final);

/* Sets value and result: 100 and -100 are wins, anything else is a draw. */
void game_set_value(struct game *g, int value);

/*
 * Sets the value from White's points, n bytes of text: 0 to 1 in steps of
 * 0.005. False if they are no such number, or contradict the result, which must
 * be set before.
 */
bool game_set_points(struct game *g, const char *s, size_t n);

/* Sets the value of a draw whose points are not given: what the rules say about
 * g->end in position final. */
void game_derive_value(struct game *g, const struct board *final);

/* The value of a result alone to White, in hundredths of a win. */
int result_value(enum result r);

/* White's points, 0 to 1. */
static inline double
game_points(const struct game *g)
{
	return (g->value + 100) / 200.0;
}

/* Checks result, points and end against the final position: a mate on the board
 * must be the end, and one that is not there cannot be. 0, or -1 with a reason. */
int game_check_end(const struct game *g, const struct board *final,
    char reason[GAME_REASON_MAX]);

/* "1-0", "0-1", "1/2-1/2", "*"; and results and ends read, false if unknown. */
const char *result_name(enum result r);
bool result_read(const char *s, size_t n, enum result *r);
bool end_read(const char *s, size_t n, enum end *e);

/* Appends the game as a line of JSON. */
void game_write_json(const struct game *g, struct text *t);

/* Appends the moves in long algebraic form, separated by blanks. */
void game_write_moves(const struct game *g, struct text *t);

/* Appends the JSON members "start", unless it is the usual one, and "moves". */
void game_write_line(const struct game *g, struct text *t);

/* Appends the rules as a JSON value, a string or an object. */
void rules_write_json(const struct rules *r, struct text *t);

/* Appends the fields, or only the pieces, that differ from classical chess as a JSON
 * object. */
void rules_write_changes(const struct rules *r, bool pieces, struct text *t);

struct game_options {
	const struct rules *rules; /* of games that give none */
	bool notes;                /* keep comments, NAGs, variations */
	bool search;               /* keep search data */
	bool trust;                /* skip game_check_end() */
};

/* Reads a line of JSON of n bytes and checks every move. 0, or -1 with a
 * reason. */
int game_read_json(struct game *g, const struct game_options *o, const char *s, size_t n,
    char reason[GAME_REASON_MAX]);

/* Appends the game as PGN. */
void game_write_pgn(const struct game *g, struct text *t);

/* The moves alone, in SAN and numbered, in one line. */
void game_write_san(const struct game *g, struct text *t);

#endif
