/*
 * A game, as it flows between the programs: games(5). One struct is reused
 * for a whole stream; its buffers grow to the largest game and stay.
 */
#ifndef DATA_GAME_H
#define DATA_GAME_H

#include "base/message.h"
#include "base/text.h"
#include "base/zio.h"
#include "chess/board.h"
#include "chess/outcome.h"
#include "chess/run.h"

/* Bounds on what one game may hold: more is refused, so that no file can
 * make a program eat memory. What they allow, escapes included, fits into a
 * line of JSON that can be read again. */
enum {
	GAME_PLIES_MAX = 20000,
	GAME_TAGS_MAX = 1000,
	GAME_NOTES_MAX = 50000,
	GAME_NAME_MAX = 100,		/* bytes of a tag's name */
	GAME_VALUE_MAX = 64 << 10,	/* bytes of a tag's value */
	GAME_NOTE_MAX = 1 << 20,	/* bytes of a comment or variation */
	GAME_TEXT_MAX = 4 << 20,	/* bytes of tags and notes */
	GAME_REASON_MAX = REASON_MAX
};

enum result { RESULT_NONE, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

/* A piece of the game's text; length 0 means there is none. It is UTF-8, on
 * one line and without control characters, whatever was read. */
struct span {
	uint32_t at, len;
};

struct game_tag {
	struct span name, value;
};

/* Something said after a ply (0: before the first). */
struct game_note {
	enum note { NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION } kind;
	int ply;
	struct span text;	/* a NAG's text is its number */
};

struct game {
	struct rules rules;
	struct board start;	/* its rules are the ones above */
	bool usual_start;
	struct line line;	/* the moves */
	enum result result;
	int value;		/* what it is worth to White, hundredths of a win, -100
				 * to 100; a result that is a draw may be worth
				 * something else than 0 */
	enum end end;
	int sims;		/* simulations a move, -1: not told */
	struct span id, white, black, seed, net;
	struct span options;	/* digest of all that chose the moves */
	struct span search;	/* JSON as it came, if it was asked for */
	struct game_tag *tags;
	int ntags;
	struct game_note *notes;
	int nnotes;
	struct text text;	/* holds all spans */
};

void game_init(struct game *g);
void game_release(struct game *g);

/* Forgets all but the buffers: no rules and no start yet, no moves. */
void game_clear(struct game *g);

/* Sets the rules and the usual start; a start of one's own goes into
 * g->start afterwards, with usual_start false. */
void game_set_rules(struct game *g, const struct rules *r);

/* Keeps n bytes and returns where. */
struct span game_keep(struct game *g, const char *s, size_t n);
struct span game_keep_number(struct game *g, uint64_t v);

/* The same for what a file contains: bytes that are not UTF-8 are taken for
 * Latin-1, and control characters become blanks. */
struct span game_keep_foreign(struct game *g, const char *s, size_t n);
static inline const char *
game_text(const struct game *g, struct span s)
{
	return g->text.s + s.at;
}

/* Room for a move more; false when GAME_PLIES_MAX is reached. */
bool game_grow(struct game *g);

/* True for "", "?" and "????.??.??", which PGN writes for what is not known. */
bool game_says_nothing(const struct game *g, struct span value);

/* Can PGN have a tag of this name? Is it one that goes into a field of its
 * own, be it of struct game or of PGN alone? */
bool game_is_tag_name(const char *s, size_t n);
bool game_is_field(const char *name, size_t n);

/* Adds a tag, unless it says nothing or one of that name is there. -1 when
 * there are too many already. */
int game_add_tag(struct game *g, struct span name, struct span value);
int game_add_note(struct game *g, enum note kind, int ply, struct span text);

/* The value of a tag; NULL when there is none. */
const struct game_tag *game_find_tag(const struct game *g, const char *name);

/* How the position after the last move and the result say the game ended:
 * mate, stalemate, and for drawn games the draw rules; END_UNKNOWN
 * otherwise. */
enum end game_derive_end(const struct game *g, const struct board *final);

/* Sets result and value together: whole wins are results, all else is a
 * draw. */
void game_set_value(struct game *g, int value);

/*
 * Sets the value from White's points, n bytes of text: 0 to 1 in steps of half
 * a hundredth. They say what a draw is worth; false when they are no such
 * number or contradict the result, which is set already.
 */
bool game_set_points(struct game *g, const char *s, size_t n);

/* Sets what a draw is worth, of which no points are given: as the rules say,
 * the game having ended as g->end says in position final. */
void game_derive_value(struct game *g, const struct board *final);

/* What a result alone is worth to White, hundredths of a win. */
int result_value(enum result r);

/* White's points, 0 to 1. */
static inline double game_points(const struct game *g) { return (g->value + 100) / 200.0; }

/* Do result and end fit the position after the last move? A mate is a mate, and
 * who is not mated was not. -1 with a reason. */
int game_check_end(const struct game *g, const struct board *final,
    char reason[GAME_REASON_MAX]);

/* "1-0", "0-1", "1/2-1/2", "*". */
const char *result_name(enum result r);
bool result_read(const char *s, size_t n, enum result *r);
bool end_read(const char *s, size_t n, enum end *e);

/* Writes the game as a line of JSON. */
void game_write_json(const struct game *g, struct text *t);

/* The moves in long algebraic form, a blank between two. */
void game_write_moves(const struct game *g, struct text *t);

/* The members start, where it is not the usual one, and moves of an object. */
void game_write_line(const struct game *g, struct text *t);

/* The rules as a JSON value, a string or an object. */
void rules_write_json(const struct rules *r, struct text *t);

struct game_options {
	const struct rules *rules;	/* where a game tells none */
	bool notes;			/* keep comments, NAGs, variations */
	bool search;			/* keep search data */
	bool trust;			/* do not hold results and ends against
					 * the board */
};

/*
 * Reads a line of JSON of n bytes. Every move is checked. Returns 0, or -1
 * with a reason.
 */
int game_read_json(struct game *g, const struct game_options *o,
    const char *s, size_t n, char reason[GAME_REASON_MAX]);

/* Writes the game as PGN. */
void game_write_pgn(const struct game *g, struct text *t);

#endif
