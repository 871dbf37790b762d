/*
 * Reading PGN as it is found: tags in any order or none, comments of both
 * kinds, variations, NAGs, every kind of line end, bytes that are not UTF-8,
 * games that are not ended properly. Main lines are played and every move is
 * checked under the game's rules.
 *
 * Where the format leaves doubt:
 * - A result, "*", a tag after moves, and the end of the file end a game.
 *   A blank line does not. Among tags a second Event, or after a blank line
 *   any tag for the second time, begins another game.
 *   What stands in brackets on one line among the tags and is no tag is
 *   skipped, unless it begins with a number. A
 *   comment behind the result, on its line, belongs to the game it ends. A
 *   game that ends because the rest could not be read is bad.
 * - Comments in braces do not nest. A closing brace behind a backslash does not
 *   close if another one comes before the next opening one. A comment in which a line begins with
 *   [Event " was never closed; so is a variation. That game is bad.
 * - Text in angle brackets, lines that begin with %, stray brackets, numbers
 *   and signs are skipped, and so are a few words annotators use (N, RR,
 *   inf, ch, e.p.). Any other word that is not a move makes the game bad, also
 *   one with a backslash or a control character in it, and figurines. A
 *   game that has a line with % below its tags, but no moves, is bad, too: they
 *   may have been there.
 * - Null moves are not moves under any rules: the game is bad.
 * - The result is the one after the moves, or the tag's where that is "*" or
 *   missing. Where the two contradict each other it is not known.
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
	uint64_t plies;		/* played in all, bad games' too */
	uint64_t line;		/* where the trouble is, or the game began */
	char reason[GAME_REASON_MAX];
	bool bad;		/* skip the rest of this game */
	bool blank;		/* a blank line since the last tag */
	bool begun;		/* there is more than a comment */
	bool moved;		/* the first move has been seen */
	bool skipped;		/* a line with % was, below the tags */
	struct span fen, variant, tag_result, termination, end, points;
	struct text names;	/* of its tags, each between line feeds */
	int ntags;		/* given, not all of which are kept */
	/* The rules last asked for: games of one file share them. */
	struct text last_variant;
	bool last_known;
	struct rules last_rules;
	struct board last_start;
	struct text note;	/* or a tag's value, being collected */
};

/* Begins at in->at. */
void pgn_start(struct pgn *r, struct input *in,
    const struct game_options *options);
void pgn_release(struct pgn *r);

/*
 * Reads the next game. Returns 1; 0 when there is none, or games in another form
 * follow; -1 for a bad game, with r->reason and r->line; it has been skipped. A game that is good
 * may leave a reason too, for a warning: something of it was lost.
 */
int pgn_next(struct pgn *r, struct game *g);

/* Does the closing brace at s end the comment that it is in, which goes back to
 * `begin` at least? What follows is known up to `end`. */
bool pgn_brace_closes(const char *begin, const char *s, const char *end);

/* Does a line of JSON begin at in->at, and not a comment? A stream may have games
 * in one form and then in the other. */
bool pgn_is_json(struct input *in);

#endif
