/*
 * Piece values by least squares.  A position is d, the differences in numbers
 * of pawns, knights, bishops, rooks and queens from the mover's side, and z,
 * the game's outcome for the mover (-1, 0 or 1).  The weights w minimise the
 * mean of (z - tanh(w0 + w.d))^2; a piece's value is its weight divided by the
 * pawn's.
 *
 * All that the fit needs is how often each (d, z) came.  As the plies of one
 * game have one outcome they are not independent, and the confidence
 * intervals need to know which positions belong together: the caller puts
 * every game into one of FIT_BLOCKS blocks, by a hash of the game, and counts
 * the keys of (block, d, z) in a histogram.  Memory then does not grow with
 * the games, histograms of parts can be added, and nothing depends on the
 * order of games.  While games are fewer than blocks, blocks are games, nearly.
 */
#ifndef STATS_FIT_H
#define STATS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

#define FIT_BLOCKS	256
#define FIT_PIECES	5	/* pawn, knight, bishop, rook, queen */
#define FIT_WEIGHTS	6	/* the constant, then the pieces */

/*
 * The key of (block, d, z), or 0 when something is out of range: block <
 * FIT_BLOCKS, |d[i]| < 128, |z| <= 1.  Keys sort by d, then block, then z.
 */
uint64_t fit_key(unsigned block, const int d[FIT_PIECES], int z);

/*
 * What one piece more adds to a key, 0 <= piece < FIT_PIECES, as long as d
 * stays within its range.
 */
static inline uint64_t
fit_key_step(int piece)
{
	return (uint64_t)1 << (10 + 8 * (FIT_PIECES - 1 - piece));
}

/* Take a key to pieces.  Returns -1 when it is not one fit_key() makes. */
int	fit_key_parts(uint64_t key, unsigned *block, int d[FIT_PIECES], int *z);

/*
 * An outcome between -1 and 1, as a search expects it, is counted in parts: of
 * FIT_UNIT parts fit_parts(z) under z = 1 and the others under z = -1.  The
 * mean is what matters for the fit; what is left of the squares is put right by
 * fit_squares(z), counted under FIT_SQUARES.  Positions of both kinds cannot
 * be mixed in one histogram.
 */
#define FIT_UNIT	1000
#define FIT_SQUARES	1	/* a key that fit_key() never makes */
uint64_t fit_parts(double z);
uint64_t fit_squares(double z);

struct fit_options {
	int	unit;		/* parts of a position: FIT_UNIT, or 1 (0) */
	int	no_constant;	/* leave out w0 */
	double	level;		/* of the intervals, 0.95 say */
};

struct fit_result {
	uint64_t positions;
	int	blocks;		/* not empty: the independent units */
	double	mse;		/* mean of (z - tanh)^2 at the optimum */
	double	w[FIT_WEIGHTS];	/* w[0] is 0 with no_constant */
	double	covariance[FIT_WEIGHTS][FIT_WEIGHTS];	/* of w */
	double	w_lo[FIT_WEIGHTS], w_hi[FIT_WEIGHTS];
	int	valued;		/* whether there are values, see fit_solve() */
	double	value[FIT_PIECES];	/* by the pawn; the pawn's is 1 */
	double	lo[FIT_PIECES], hi[FIT_PIECES];
};

/*
 * Find the weights.  Returns 0; or -1 and a reason in the caller's buffer when
 * the positions cannot determine them: there are none, no game was decided, a
 * piece never differs, some differ only together, or a weight grows without
 * bound because the outcome follows from the position without exception; also
 * for a level outside (0,1) and for keys fit_key() never made.
 *
 * The pawn's weight may come out zero or negative.  Then values in pawns have
 * no meaning: valued is 0, value, lo and hi are NaN, the reason is set, and
 * the return value is 0, as the weights themselves are sound.
 *
 * Intervals are for the population that the games were drawn from.  They come
 * from leaving out one block at a time and, for the values, from the set of
 * ratios that the weights do not contradict (Fieller), so they need not be
 * symmetric.  They are infinite where the data set no limit: fewer than three
 * blocks, a piece that differs in the games of one block only, or a pawn's
 * weight that could be zero.
 *
 * The result depends on the counts only, to the last bit.  Memory for the
 * sorted cells is allocated and freed.
 */
int	fit_solve(const struct histogram *, const struct fit_options *,
	    struct fit_result *, char *reason, size_t size);

#endif
