/*
 * Legal moves, and only those: no move has to be tried to see whether it
 * leaves the king in check.
 */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "board.h"

/* Room that is always enough: a side has 16 pieces at most, and none has
 * more than the 27 moves of a queen on an open board. */
enum { MOVES_MAX = 512 };

/* Writes the legal moves to list[MOVES_MAX]; returns how many. */
int movegen_list(const struct board *b, move *list);

/* How many legal moves there are, without writing them. */
int movegen_count(const struct board *b);

/*
 * The legal move from one square to another, promoting to `promotion` (0:
 * not promoting). Returns 0 (no move) when it is not legal.
 */
move movegen_find(const struct board *b, int from, int to, int promotion);

/*
 * Squares of the mover's pieces of a type that can legally go to `to`, from
 * among the squares `allowed`; castling is not looked at. A pawn may get
 * there by capturing (also en passant) or otherwise: capture tells which is
 * meant, and does not matter for pieces.
 */
bitboard movegen_sources(const struct board *b, int type, int to,
    bitboard allowed, bool capture);

#endif
