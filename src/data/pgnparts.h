/*
 * What the parts of the PGN reader share: pgn.c reads games and their moves,
 * pgntags.c tags, pgnnotes.c comments and variations. in->at is where the reader
 * stands; each part leaves it behind what it has read.
 */
#ifndef DATA_PGNPARTS_H
#define DATA_PGNPARTS_H

#include "pgn.h"

/* How far to look whether a bracket is a tag. */
enum { TAG_LOOK = 300 };

/* At least n bytes at in->at, unless the file ends. */
static inline void
pgn_look_ahead(struct input *in, size_t n)
{
	while ((size_t)(in->end - in->at) < n && input_more(in, in->at) > 0)
		continue;
}

/* Is the end of the file, and not a NUL byte in it, at in->at? */
static inline bool
pgn_at_end(struct input *in)
{
	return in->at == in->end && input_more(in, in->at) == 0;
}

/* The game is bad, for this reason and on the line of `where`, unless it is
 * already. */
void pgn_make_bad(struct pgn *r, const char *where, const char *why);

/* Is there [Name "… at in->at? The name is then left in *name, counted from
 * there. What a name is game_is_tag_name() says, too. */
bool pgn_is_tag(struct input *in, struct span *name);

/*
 * Reads a tag at in->at, which may also be a bracket that is none. Returns
 * false, having read nothing, if another game begins with it.
 */
bool pgn_read_tag(struct pgn *r);

/* Reads a comment, in braces or from a semicolon on; a variation with those in
 * it. They are kept if options->notes asks for them. One that is never closed
 * makes the game bad. */
void pgn_read_comment(struct pgn *r);
void pgn_read_variation(struct pgn *r);

/* Skips a line that says nothing about the game, up to its end. */
void pgn_skip_escape(struct pgn *r);

#endif
