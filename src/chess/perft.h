/* Counts the leaves of the tree of legal moves, to test the generator. */
#ifndef CHESS_PERFT_H
#define CHESS_PERFT_H

#include "board.h"

/* The number of move sequences of `depth` plies from b, which is unchanged
 * afterwards. The moves of the last ply are counted, not made. */
uint64_t perft(struct board *b, int depth);

#endif
