/*
 * How much choice a move leaves to the plies after it, estimated from the board
 * without the net: a piece that can be captured, a check, or a threat
 * leaves fewer good replies than a quiet move.
 *
 * The estimate need not be good. A line has the estimate for the move drawn minus
 * its mean over the prior, so that the expectation is 0, however bad it is.
 * It correlates with the entropies of the plies that follow, so entropy(1) uses it
 * as a control variate.
 */
#ifndef NET_AHEAD_H
#define NET_AHEAD_H

#include "prior.h"

/* The estimate for the move drawn in a position minus its mean, in nats, rounded to
 * multiples of 1 / AHEAD_UNITS. */
#define AHEAD_UNITS 1e6
double ahead_of(const struct board *b, const struct prior *p, uint32_t drawn);

#endif
