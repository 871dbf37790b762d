/*
 * How much choice a move leaves to the plies after it, guessed from the board
 * without asking the net: a piece that can be captured, a check, or a threat
 * leaves fewer good answers than a quiet move.
 *
 * The guess need not be good. A line keeps the guess for the move that was drawn
 * minus the mean guess over the prior; its expectation is 0, whatever the guess.
 * It correlates with the entropies of the plies that follow, so entropy(1) uses it
 * as a control variate.
 */
#ifndef NET_AHEAD_H
#define NET_AHEAD_H

#include "prior.h"

/* The guess for the drawn move of a position minus its mean, in nats, rounded to
 * parts of AHEAD_UNITS. */
#define AHEAD_UNITS 1e6
double ahead_of(const struct board *b, const struct prior *p, uint32_t drawn);

#endif
