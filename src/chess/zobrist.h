/*
 * The random numbers of Zobrist keys. Those of an empty square (piece 0), of no
 * castling rights and of NO_SQUARE are 0, so that callers need no special case.
 */
#ifndef CHESS_ZOBRIST_H
#define CHESS_ZOBRIST_H

#include <stdint.h>

extern uint64_t zobrist_piece[32][64];   /* [side << 4 | type][square] */
extern uint64_t zobrist_hand[2][16][64]; /* [side][type][number] */
extern uint64_t zobrist_promoted[64];
extern uint64_t zobrist_castling[16];
extern uint64_t zobrist_rook[4][8]; /* [right][file] of an unusual rook */
extern uint64_t zobrist_ep[65];
extern uint64_t zobrist_checks[2][16]; /* [side][checks left] */
extern uint64_t zobrist_black;         /* Black is to move */

void zobrist_init(void);

#endif
