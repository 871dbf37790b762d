/*
 * What a count of wins, draws and losses says about the probabilities behind it.
 * Under a uniform prior the posterior of (win, draw, loss) is
 * Dirichlet(wins + 1, draws + 1, losses + 1).  Two functions of the probabilities
 * matter: the draw rate, and White's expected score, win + draw / 2.
 *
 * All of it comes from quadrature, none from sampling.  Up to a million games
 * probabilities are good to about 1e-12 and intervals cut off their tails to
 * about 1e-10; beyond that digits are lost as the square root of the counts
 * grows.  A small probability is computed as such, not as one minus a large
 * one, so its error is relative, until it is too small for a double and is 0.
 * No result is ever NaN or outside [0,1].  The work does not grow with the
 * counts.  No function here allocates.
 */
#ifndef STATS_DIRICHLET_H
#define STATS_DIRICHLET_H

#include <stdint.h>

#include "base/range.h"

struct dirichlet {
	unsigned long long wins, draws, losses;
};

/*
 * Drawn games that are worth something else than half a point to White: their
 * number, and the sums of White's points and of their squares.  They are among
 * the draws of struct dirichlet; NULL: there are none.  Where there are such games the posterior of
 * the score is the Beta distribution of the same mean and variance, which is
 * close unless nearly all games have the same points.
 */
struct dirichlet_points {
	unsigned long long games;
	double	sum, squares;
};

/* A beside B; each pair sums to 1, and is 1/2 exactly for equal posteriors. */
struct dirichlet_probs {
	double	draw_less;	/* p(draw rate of A < draw rate of B) */
	double	draw_greater;
	double	score_less;	/* p(score of A < score of B) */
	double	score_greater;
};

/*
 * The draw rate and White's expected score as they were observed, NaN without
 * games, with intervals that hold the given level of the posterior, 0 < level <
 * 1.  An interval is equal-tailed, unless the observed rate lies in one of the
 * tails, as 0 and 1 always do: then it begins or ends there, and the other end
 * is such that it holds as much of the posterior.  Return 0; or -1, and leave
 * the range alone, when level is not such a number.
 */
int	dirichlet_draw_rate(const struct dirichlet *, double level,
	    struct range *);
int	dirichlet_score(const struct dirichlet *,
	    const struct dirichlet_points *, double level, struct range *);

/*
 * The same for a plain share, hits out of total, under a uniform prior.
 * Returns -1 also when there are more hits than total.
 */
int	dirichlet_share(unsigned long long hits, unsigned long long total,
	    double level, struct range *);

/*
 * Compare two independent posteriors.  Equal ones give 1/2 exactly, and so do
 * different ones that are both symmetric about 1/2: wins equal losses in both
 * (score), draws = wins + losses + 1 in both (draw rate).  Exchanging A and B
 * exchanges less and greater to the last bit.
 */
void	dirichlet_compare(const struct dirichlet *a,
	    const struct dirichlet_points *a_points, const struct dirichlet *b,
	    const struct dirichlet_points *b_points, struct dirichlet_probs *);

/*
 * The same by drawing samples times from both posteriors: a check on
 * dirichlet_compare(), with a standard error of sqrt(p(1-p)/samples).  next()
 * gives 64 random bits from the caller's state.  Returns -1 when samples is 0.
 */
int	dirichlet_monte_carlo(const struct dirichlet *a,
	    const struct dirichlet *b, unsigned long long samples,
	    uint64_t (*next)(void *), void *state, struct dirichlet_probs *);

#endif
