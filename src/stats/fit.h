/*
 * Piece values by least squares.  A position is d, the differences in numbers
 * of pawns, knights, bishops, rooks and queens from the mover's side, and z,
 * the game's outcome for the mover (-1, 0 or 1).  The weights w minimise the
 * mean of (z - tanh(w0 + w.d))^2; a piece's value is its weight divided by the
 * pawn's.
 *
 * The fit itself needs only the count of each (d, z).  But the plies of a game
 * share its outcome and are not independent, so the confidence intervals need to
 * know which positions belong together: the caller puts every game into one of
 * FIT_BLOCKS blocks, by a hash of the game, and counts the keys of (block, d, z)
 * in a histogram.  Memory then does not grow with the games, histograms of parts
 * add up, and nothing depends on the order of games.  With few games, nearly every
 * game has a block of its own.
 */
#ifndef STATS_FIT_H
#define STATS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/message.h"

#define FIT_BLOCKS 256
#define FIT_PIECES 5  /* pawn, knight, bishop, rook, queen */
#define FIT_WEIGHTS 6 /* the constant, then the pieces */

/*
 * The key of (block, d, z), or 0 if something is out of range: block <
 * FIT_BLOCKS, |d[i]| < 128, |z| <= 1.  Keys sort by d, then block, then z.
 */
uint64_t fit_key(unsigned block, const int d[FIT_PIECES], int z);

/*
 * What one more piece adds to a key, 0 <= piece < FIT_PIECES, as long as d
 * stays in range.
 */
static inline uint64_t
fit_key_step(int piece)
{
	return (uint64_t)1 << (10 + 8 * (FIT_PIECES - 1 - piece));
}

/* Decode a key.  Returns 0, or -1 if it is not one of fit_key(). */
int fit_key_parts(uint64_t key, unsigned *block, int d[FIT_PIECES], int *z);

/*
 * An expected outcome between -1 and 1, from a search, is counted in parts: of
 * FIT_UNIT parts, fit_parts(z) under z = 1 and the others under z = -1.  This
 * keeps the mean, which is what matters for the fit; fit_squares(z), counted
 * under FIT_SQUARES, corrects the sum of squares.  Positions of both kinds cannot
 * be mixed in one histogram.
 */
#define FIT_UNIT 1000
#define FIT_SQUARES 1 /* a key that fit_key() never makes */
uint64_t fit_parts(double z);
uint64_t fit_squares(double z);

struct fit_options {
	int unit;        /* parts of a position: FIT_UNIT, or 1 (0) */
	int no_constant; /* leave out w0 */
	double level;    /* of the intervals, 0.95 say */
};

struct fit_result {
	uint64_t positions;
	int blocks;            /* blocks with games, the independent units */
	double mse;            /* mean of (z - tanh)^2 at the optimum */
	double w[FIT_WEIGHTS]; /* w[0] is 0 with no_constant */
	double covariance[FIT_WEIGHTS][FIT_WEIGHTS]; /* of w */
	int valued;               /* whether there are values, see fit_solve() */
	double value[FIT_PIECES]; /* in pawns */
	double lo[FIT_PIECES], hi[FIT_PIECES];
};

/*
 * Find the weights.  Returns 0; or -1 and a reason if the
 * positions do not determine them: there are none, no game was decided, a piece
 * never differs, some differ only together, or a weight grows without bound
 * because the position always determines the outcome; also for a level outside
 * (0,1) and for invalid keys.
 *
 * The pawn's weight may come out zero or negative.  Then values in pawns have
 * no meaning: valued is 0, value, lo and hi are NaN, the reason is set, and
 * the return value is 0, as the weights themselves are sound.
 *
 * Intervals are for the population that the games were sampled from: by the
 * jackknife over blocks and, for the ratios of weights, by Fieller's theorem, so
 * that they need not be symmetric.  They are infinite where the data set no limit:
 * fewer than three blocks, a piece that differs in the games of one block only, or
 * a pawn's weight that could be zero.
 *
 * The result depends on the counts only, to the last bit.  Memory for the
 * sorted cells is allocated and freed.
 */
int fit_solve(const struct histogram *, const struct fit_options *, struct fit_result *,
    char reason[REASON_MAX]);

#endif
