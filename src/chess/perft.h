/* Counting the leaves of the tree of legal moves: the test of a generator. */
#ifndef CHESS_PERFT_H
#define CHESS_PERFT_H

#include "board.h"

/* The number of ways to play `depth` plies from b, which is left as it was.
 * The last ply is counted and not played. */
uint64_t perft(struct board *b, int depth);

#endif
