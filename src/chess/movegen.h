/*
 * Legal moves, and only those: no move has to be tried to see whether it
 * leaves the king in check.
 */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "board.h"
#include "end.h"

/* Room that is always enough: a side has 16 pieces at most, and none has
 * more moves than a queen that is a knight as well, 35 on an open board. */
enum { MOVES_MAX = 16 * 36 };

/* Writes the legal moves to list[MOVES_MAX]; returns how many. A position in
 * which the game is over by movegen_early_end() has none. */
int movegen_list(const struct board *b, move *list);

/* The same for moves that capture a piece of the opponent's or promote
 * (board_is_noisy()), in some order of their own. */
int movegen_noisy(const struct board *b, move *list);

/* How many legal moves there are, without writing them. */
int movegen_count(const struct board *b);

/* Could the side to move make a legal move, were the game not over? */
bool movegen_can_move(const struct board *b);

/*
 * Which rule has ended the game though there may be moves: the other side's
 * n-th check, its king on the hill, or the king of the side to move being bare,
 * looked for in this order. END_NONE when none has.
 */
enum end movegen_early_end(const struct board *b);

/* The legal castling move to a wing (short: true); 0: there is none. */
move movegen_castling(const struct board *b, bool is_short);

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
