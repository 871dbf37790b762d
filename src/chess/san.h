/*
 * Standard algebraic notation, with disambiguation of pawns, which some rule
 * sets need ("dd4", "5c4", "c5c4").
 */
#ifndef CHESS_SAN_H
#define CHESS_SAN_H

#include "board.h"

enum { SAN_MAX = 12 }; /* longest written move, NUL included */

enum {
	SAN_OK = 0,
	SAN_SYNTAX = -1,   /* not the form of a move */
	SAN_ILLEGAL = -2,  /* matches no legal move */
	SAN_AMBIGUOUS = -3 /* matches several */
};

/*
 * Reads a move and returns SAN_OK with the legal move, or an error. Accepts
 * superfluous disambiguation, missing or extra + # ! ?, 0-0, e.p., e8Q, and
 * long forms such as Ng1-f3 and e2e4. A pawn move without an x is a step if one
 * is legal, otherwise a capture.
 */
int san_read(const struct board *b, const char *text, size_t len, move *m);

/* Writes a legal move canonically, with + or #, to text[SAN_MAX]; returns its
 * length. */
int san_write(const struct board *b, move m, char *text);

#endif
