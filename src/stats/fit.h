/*
 * Piece values by least squares.  A position is d, the differences in numbers
 * of pieces of each kind (pawns, knights, bishops, rooks, queens and, by the shape of
 * the fit, further ones, on the board or in hand) from the mover's side, and z, the
 * game's outcome for the mover (-1, 0 or 1).  The weights w minimise the
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
#define FIT_WEIGHTS 6 /* the constant, then these */
#define FIT_TERMS 20  /* the most pieces of a shape */
#define FIT_MOST (FIT_TERMS + 1)

/*
 * The kinds of pieces of a fit, the pawn first.  The radix of a kind bounds its
 * differences: 2 |d| < radix.  That of the pawn is even, so that no key is 0, and the
 * product of all is at most 2^54.
 */
struct fit_shape {
	int terms;
	int radix[FIT_TERMS];
	char name[FIT_TERMS][16];
};
extern const struct fit_shape fit_chess; /* FIT_PIECES, |d| < 128 */

/*
 * The key of (block, d, z), or 0 if something is out of range: block <
 * FIT_BLOCKS, d by the shape, |z| <= 1.  Keys sort by d, then block, then z.
 */
uint64_t fit_key(const struct fit_shape *s, unsigned block, const int d[], int z);

/*
 * What one more piece adds to a key, 0 <= piece < terms, as long as d stays in
 * range.
 */
uint64_t fit_key_step(const struct fit_shape *s, int piece);

/* Decode a key.  Returns 0, or -1 if it is not one of fit_key(). */
int fit_key_parts(const struct fit_shape *s, uint64_t key, unsigned *block, int d[],
    int *z);

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
	const struct fit_shape *shape; /* NULL: fit_chess */
	int unit;                      /* parts of a position: FIT_UNIT, or 1 (0) */
	int no_constant;               /* leave out w0 */
	double level;                  /* of the intervals, 0.95 say */
};

struct fit_result {
	uint64_t positions;
	int blocks;         /* blocks with games, the independent units */
	double mse;         /* mean of (z - tanh)^2 at the optimum */
	double w[FIT_MOST]; /* w[0] is 0 with no_constant */
	double covariance[FIT_MOST][FIT_MOST]; /* of w */
	int valued;              /* whether there are values, see fit_solve() */
	double value[FIT_TERMS]; /* in pawns */
	double lo[FIT_TERMS], hi[FIT_TERMS];
};

/*
 * Find the weights.  Returns 0; or -1 and a reason if the
 * positions do not determine them: there are none, no game was decided, a piece
 * of chess never differs, some differ only together, or a weight grows without bound
 * because the position always determines the outcome; also for a level outside
 * (0,1) and for invalid keys.
 *
 * A further kind in which the sides never differ has weight 0 and no value: NaN.
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
