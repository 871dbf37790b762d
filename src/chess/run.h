/*
 * A line of moves, and a fast path for reading one. Files of games consist
 * almost entirely of moves in a few common forms; run_play_san() and
 * run_play_long() read and play as many of them as follow each other.
 *
 * Both append to the line and return a pointer to the first text that they do
 * not understand: perhaps a move that needs san_read() or movegen_find(),
 * perhaps an illegal one. They start no move within the last RUN_MARGIN bytes
 * before end.
 */
#ifndef CHESS_RUN_H
#define CHESS_RUN_H

#include "board.h"

enum { RUN_MARGIN = 24 };

/* A line of moves. What moved and what was captured is recorded, so that
 * statistics need not replay it. The arrays belong to the caller. */
struct line {
	move *moves;
	uint64_t *keys;  /* of all positions: plies + 1 */
	uint16_t *men;   /* for each ply, moved << 5 | captured, coded as in
	                  * struct board; captured 0: nothing */
	int plies, room; /* room for room - 1 plies */
};

/* Makes a legal move and appends it to the line, which must have room. */
void line_add(struct line *l, struct board *b, move m);

/* Plays SAN with move numbers, blanks and line ends. */
const char *run_play_san(struct line *l, struct board *b, const char *s, const char *end);

/* Plays moves in long algebraic form, each followed by a blank. */
const char *run_play_long(struct line *l, struct board *b, const char *s,
    const char *end);

static inline int
line_moved(const struct line *l, int ply)
{
	return l->men[ply] >> 5;
}
static inline int
line_captured(const struct line *l, int ply)
{
	return l->men[ply] & 31;
}

#endif
