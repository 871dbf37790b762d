/*
 * Generates legal moves only: none has to be made to see whether it leaves the
 * king in check.
 */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "board.h"
#include "end.h"

/* Always enough: a side has at most 16 pieces, and none has more moves than a
 * queen and knight in one, 35 on an open board. */
enum { MOVES_MAX = 16 * 36 };

/* Writes the legal moves to list[MOVES_MAX]; returns their number. A position
 * that is over by movegen_early_end() has none. */
int movegen_list(const struct board *b, move *list);

/* The same for captures of the opponent's pieces and promotions
 * (board_is_noisy()), in an order of its own. */
int movegen_noisy(const struct board *b, move *list);

/* Is the move one of n in a list? */
static inline bool
move_is_among(const move *list, int n, move m)
{
	while (n > 0 && list[n - 1] != m)
		n--;
	return n > 0;
}

/* The number of legal moves, without listing them. */
int movegen_count(const struct board *b);

/* Could the side to move make a legal move, were the game not over? */
bool movegen_can_move(const struct board *b);

/*
 * The rule that ends the game although there may be moves: the other side's
 * n-th check, its king on the hill, or a bare king of the side to move, tested
 * in this order. END_NONE if none does.
 */
enum end movegen_early_end(const struct board *b);

/* The legal castling move, short or long; 0 if there is none. */
move movegen_castling(const struct board *b, bool is_short);

/*
 * The legal move from one square to another, promoting to `promotion` (0: no
 * promotion). 0 if it is not legal.
 */
move movegen_find(const struct board *b, int from, int to, int promotion);

/*
 * Which squares in `allowed` hold pieces of this type, of the side to move,
 * that can legally go to `to`, castling apart. For pawns, capture chooses
 * between captures (also en passant) and other moves; for pieces it is
 * ignored.
 */
bitboard movegen_sources(const struct board *b, int type, int to, bitboard allowed,
    bool capture);

#endif
