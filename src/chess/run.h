/*
 * Playing many moves at once, fast. Files of games consist nearly wholly of
 * moves in a few common forms, one after the other; these functions play
 * them as long as nothing else comes.
 *
 * Both go on behind the last ply of a line and return where something else
 * begins: perhaps a move that only san_read() or movegen_find() know, perhaps
 * an illegal one. They look at no byte from end on, and leave the last
 * RUN_MARGIN bytes alone.
 */
#ifndef CHESS_RUN_H
#define CHESS_RUN_H

#include "board.h"

enum { RUN_MARGIN = 16 };

/* A line of moves as it is played. What moved and what was captured is kept,
 * so that those who count need not play it again. */
struct line {
	move *moves;
	uint64_t *keys;		/* of all positions: plies + 1 */
	uint8_t *men;		/* for each ply, moved << 4 | captured, as in
				 * struct board; 0: nothing was captured */
	int plies, room;	/* room for room - 1 plies */
};

/* Plays a legal move and adds it to the line, which has room. */
void line_add(struct line *l, struct board *b, move m);

/* SAN, move numbers, blanks and line feeds. */
const char *run_play_san(struct line *l, struct board *b, const char *s,
    const char *end);

/* Moves in long algebraic form, each with a blank behind it. */
const char *run_play_long(struct line *l, struct board *b, const char *s,
    const char *end);

static inline int line_moved(const struct line *l, int ply) { return l->men[ply] >> 4; }
static inline int line_captured(const struct line *l, int ply) { return l->men[ply] & 15; }

#endif
