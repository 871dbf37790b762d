/*
 * What the parts of the PGN reader share: pgn.c reads games and their moves,
 * pgntags.c tags, pgnnotes.c comments and variations. Each reads from in->at and
 * moves it to the end of what it has read.
 */
#ifndef DATA_PGNPARTS_H
#define DATA_PGNPARTS_H

#include "pgn.h"

/* Lookahead to decide whether a bracket is a tag. */
enum { TAG_LOOK = 300 };

/* Brings at least n bytes from in->at into the window, unless the file ends. */
static inline void
pgn_look_ahead(struct input *in, size_t n)
{
	while ((size_t)(in->end - in->at) < n && input_more(in, in->at) > 0)
		continue;
}

/* Is in->at the end of the file, and not just a NUL byte? */
static inline bool
pgn_at_end(struct input *in)
{
	return in->at == in->end && input_more(in, in->at) == 0;
}

/* Marks the game as bad with this reason, on the line of `where`, unless it is
 * bad already. */
void pgn_make_bad(struct pgn *r, const char *where, const char *why);

/* Does a tag, [Name "…, begin at in->at? If so, sets *name, relative to
 * in->at. Names are those of game_is_tag_name(). */
bool pgn_is_tag(struct input *in, struct span *name);

/*
 * Reads the bracket at in->at, a tag or not. False, with nothing read, if another
 * game begins with it.
 */
bool pgn_read_tag(struct pgn *r);

/* Read a comment, in braces or after a semicolon; a variation, with those nested
 * in it. They are kept if options->notes is set. If one is never closed, the game
 * is bad. */
void pgn_read_comment(struct pgn *r);
void pgn_read_variation(struct pgn *r);

/* Skips a line that begins with %, up to its end. */
void pgn_skip_escape(struct pgn *r);

#endif
