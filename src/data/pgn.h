/*
 * Reads PGN as found in practice: tags in any order or none, both kinds of
 * comments, variations, NAGs, every kind of line end, bytes that are not UTF-8,
 * games without a proper end. The main line is played, and every move checked
 * under the game's rules.
 *
 * Where the format is ambiguous:
 * - A result, "*", a tag after moves, and the end of the file end a game; a blank
 *   line does not. Among tags a second Event, or after a blank line any tag for
 *   the second time, begins another game. Text in brackets on one line among the
 *   tags that is not a tag is skipped, unless it begins with a number. A comment
 *   after the result, on the same line, belongs to the game that ends there. A
 *   game that ends because of a read error, or within a tag, is bad.
 * - Comments in braces do not nest. A closing brace after a backslash does not
 *   close if another one comes before the next opening one. If a line in a
 *   comment or variation begins with [Event ", it was never closed, and the game
 *   is bad.
 * - Text in angle brackets, lines that begin with %, stray brackets, numbers
 *   and signs are skipped, and so are a few words that annotators use (N, RR,
 *   inf, ch, e.p.). Any other word that is not a move makes the game bad, also
 *   one with a backslash or a control character in it, and figurines. A game
 *   without moves that has a line with % below its tags is bad, too, as its
 *   moves may have been on that line.
 * - Null moves are illegal under all rules: the game is bad.
 * - The result is the one after the moves, or the tag's if that is "*" or
 *   missing. If the two contradict each other, it is unknown.
 */
#ifndef DATA_PGN_H
#define DATA_PGN_H

#include "base/input.h"
#include "game.h"

struct pgn {
	struct input *in;
	struct game *g;
	const struct game_options *options;
	struct board board;
	uint64_t plies; /* played in total, including bad games */
	uint64_t line;  /* of the fault, or of the game's beginning */
	char reason[GAME_REASON_MAX];
	bool bad;     /* skip the rest of this game */
	bool blank;   /* a blank line since the last tag */
	bool begun;   /* there is more than a comment */
	bool moved;   /* the first move has been seen */
	bool skipped; /* a line with % below the tags was skipped */
	struct span fen, variant, tag_result, termination, end, points;
	struct text names; /* of its tags, each between line feeds */
	int ntags;         /* tags seen, not all of which are kept */
	/* The last rules looked up: games of one file mostly share them. */
	struct text last_variant;
	bool last_known;
	struct rules last_rules;
	struct board last_start;
	struct text note; /* the annotation or tag value being collected */
};

/* Starts reading at in->at. Both pointers must outlive r. */
void pgn_start(struct pgn *r, struct input *in, const struct game_options *options);
void pgn_release(struct pgn *r);

/*
 * Reads the next game. Returns 1; 0 if there is none or games in another format
 * follow; -1 for a bad game, which is skipped, with r->reason and r->line. A good
 * game may also leave a reason, as a warning that part of it was lost.
 */
int pgn_next(struct pgn *r, struct game *g);

/* Does the closing brace at s end its comment, of which at least the part from
 * `begin` is in the window? The text after it is known up to `end`. */
bool pgn_brace_closes(const char *begin, const char *s, const char *end);

/* Is what begins at in->at a line of JSON, and not a comment? */
bool pgn_is_json(struct input *in);

#endif
