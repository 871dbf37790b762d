/*
 * How much choice a move leaves to the plies after it, guessed from the board
 * without asking the net: a piece that can be captured, a check, or a threat
 * leaves fewer good answers than a quiet move.
 *
 * A guess need not be good. What lines keep is the guess for the move that was
 * drawn less the mean guess over the prior, and the expectation of that is 0
 * whatever is guessed. But it goes along with the entropies of the plies that
 * follow, so that entropy(1) can take it as a control variate: what is luck of
 * the draw in it was luck in the entropies, too.
 */
#ifndef NET_AHEAD_H
#define NET_AHEAD_H

#include "prior.h"

/* The guess for the drawn move of a position less its mean, in nats, rounded to
 * parts of AHEAD_UNITS. */
#define AHEAD_UNITS 1e6
double ahead_of(const struct board *b, const struct prior *p, uint32_t drawn);

#endif
