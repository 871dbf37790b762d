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
 * A legal move that captures the most valuable piece of the opponent's (pawn 1,
 * knight and bishop 3, rook 5, queen 9), or where there is nothing to capture
 * any move; at random among those that are equal. Its own pieces it captures,
 * the cheapest first, when it has no other move. What comes afterwards, mate
 * included, it does not see.
 */
move mover_greedy(const struct board *b, struct rng *rng);

#endif
