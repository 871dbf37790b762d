/*
 * Posteriors of draw rate and score, given counts of wins, draws and losses.
 * Under a uniform prior the posterior of (win, draw, loss) is
 * Dirichlet(wins + 1, draws + 1, losses + 1).  Two functions of the probabilities
 * matter: the draw rate, and White's expected score, win + draw / 2.
 *
 * Everything is computed by quadrature, not by sampling.  Up to a million games
 * the errors are about 1e-12 for probabilities and 1e-10 for the tails that
 * intervals cut off; beyond that they grow with the square root of the counts.  A
 * small probability is computed as such, not as one minus a large one, so that
 * its error is relative, until it underflows to 0.  No probability is NaN or
 * outside [0,1].  The time does not depend on the counts.  No function here
 * allocates.
 */
#ifndef STATS_DIRICHLET_H
#define STATS_DIRICHLET_H

#include "base/range.h"
#include "base/rng.h"

struct dirichlet {
	unsigned long long wins, draws, losses;
};

/*
 * Games that are worth neither 1, 1/2 nor 0 points: their number, and the sums of
 * White's points and of their squares.  They are not among the wins, draws and
 * losses of struct dirichlet; a NULL pointer means that there are none.  They are
 * not draws: for the draw rate they count as wins and losses do.  With such games
 * the posterior of the score is approximated by the Beta distribution of the same
 * mean and variance, which is close unless nearly all games have the same points.
 */
struct dirichlet_points {
	unsigned long long games;
	double sum, squares;
};

/* A compared with B; less and greater sum to 1. */
struct dirichlet_probs {
	double draw_less; /* p(draw rate of A < draw rate of B) */
	double draw_greater;
	double score_less; /* p(score of A < score of B) */
	double score_greater;
};

/*
 * The observed draw rate and White's observed score, NaN without games, with
 * credible intervals of the given level, 0 < level < 1.  An interval is
 * equal-tailed, unless the observed rate lies in one of the tails, as 0 and 1
 * always do: then it begins or ends there, and the other end is chosen so that it
 * holds the same share of the posterior.  Return 0; or -1 with the range unchanged
 * if the level is not valid.
 */
int dirichlet_draw_rate(const struct dirichlet *, const struct dirichlet_points *,
    double level, struct range *);
int dirichlet_score(const struct dirichlet *, const struct dirichlet_points *,
    double level, struct range *);

/*
 * The same for a share, hits out of total, under a uniform prior.
 * Returns -1 also if there are more hits than total.
 */
int dirichlet_share(unsigned long long hits, unsigned long long total, double level,
    struct range *);

/*
 * Compare two independent posteriors.  Equal ones give 1/2 exactly, and so do
 * different ones that are both symmetric about 1/2: wins equal losses in both
 * (score), draws = wins + losses + 1 in both (draw rate).  Exchanging A and B
 * exchanges less and greater to the last bit.
 */
void dirichlet_compare(const struct dirichlet *a, const struct dirichlet_points *a_points,
    const struct dirichlet *b, const struct dirichlet_points *b_points,
    struct dirichlet_probs *);

/*
 * The same by Monte Carlo sampling from both posteriors, as a check on
 * dirichlet_compare(); the standard error is sqrt(p(1-p)/samples).  Returns -1 if
 * samples is 0.
 */
int dirichlet_monte_carlo(const struct dirichlet *a, const struct dirichlet *b,
    unsigned long long samples, struct rng *, struct dirichlet_probs *);

#endif
