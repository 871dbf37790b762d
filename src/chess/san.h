/*
 * Standard algebraic notation, with the pawn disambiguation that the other
 * rules need ("dd4", "5c4", "c5c4").
 */
#ifndef CHESS_SAN_H
#define CHESS_SAN_H

#include "board.h"

enum { SAN_MAX = 12 };	/* longest written move, NUL included */

enum {
	SAN_OK = 0,
	SAN_SYNTAX = -1,	/* not a move's text at all */
	SAN_ILLEGAL = -2,	/* no legal move reads like this */
	SAN_AMBIGUOUS = -3	/* several do */
};

/*
 * Reads a move, leniently: superfluous disambiguation, missing or extra
 * signs, 0-0, e.p., e8Q, long forms such as Ng1-f3 and e2e4. Text without an
 * x means a pawn's step where one is legal, and a capture otherwise. Returns
 * SAN_OK and the legal move, or an error.
 */
int san_read(const struct board *b, const char *text, size_t len, move *m);

/* Writes a legal move canonically, check and mate marked; returns its
 * length. */
int san_write(const struct board *b, move m, char *text);

#endif
