/*
 * Generates legal moves only: none has to be made to see whether it leaves the
 * king in check.
 */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "board.h"
#include "end.h"

/*
 * Always enough. No piece has more moves than a queen and knight in one, 35 on an
 * open board; a side has up to 36 pieces (horde), which then close the board to each
 * other; with drops, 30 pieces with 34 moves each and 10 kinds to drop on 33 empty
 * squares is the worst; 9 promotions of 8 pawns on 3 squares come on top.
 */
enum { MOVES_MAX = 1600 };

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
 * n-th check, a king at its goal, an exploded king, no pieces left, or a bare king
 * of the side to move, tested in this order. END_NONE if none does.
 */
enum end movegen_early_end(const struct board *b);

/* How the end is called if a king at its goal ends the game: by the squares of the
 * side that has reached them, Black's if both have. */
static inline enum end
movegen_goal_end(const struct board *b)
{
	const uint64_t *goal = b->rules->goal;
	int side = b->side == WHITE && (b->pieces[BLACK][KING] & goal[BLACK]) != 0
	    ? BLACK
	    : WHITE;

	return goal[side] == HILL ? END_HILL : END_GOAL;
}

/* ---- movefind.c ---- */

/* The legal drop of a piece of this type; 0 if there is none. */
move movegen_drop(const struct board *b, int type, int to);

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

/* For movefind.c: the moves under rules that are `listed`, whatever has ended the game;
 * and the legal castling moves, up to two, 16 bits each. */
int movegen_listed(const struct board *b, move *list);
uint32_t movegen_both_castlings(const struct board *b);

#endif
