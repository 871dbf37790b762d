/*
 * Players that do not search: what a net has to beat first. Their choices come
 * from random numbers that the caller passes.
 */
#ifndef SEARCH_MOVER_H
#define SEARCH_MOVER_H

#include "base/rng.h"
#include "chess/board.h"

/* A legal move, each as likely as the others. There must be one. */
move mover_random(const struct board *b, struct rng *rng);

/*
 * A legal move that captures the opponent's most valuable piece (pawn 1, knight
 * and bishop 3, rook 5, queen 9), or any move if there is nothing to capture; at
 * random among equals. It captures its own pieces, the cheapest first, only when
 * it has no other move. It does not look ahead, not even for mate.
 */
move mover_greedy(const struct board *b, struct rng *rng);

#endif
