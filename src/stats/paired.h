/*
 * Differences between two rule sets whose games come in pairs with something in
 * common, such as their openings: these have smaller errors than differences of
 * independent games.
 */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include "base/range.h"
#include "moments.h"

/* Pearson's correlation over pairs of a number that each game has; 0 with fewer
 * than three pairs, or if one of the numbers is constant. */
double paired_correlation(const struct pairsums *);

/*
 * The correlation of the two means over all games_a and games_b games, with or
 * without a partner.  0 with fewer pairs than PAIRED_LEAST, which would be too few
 * to estimate it.
 */
#define PAIRED_LEAST 20
double paired_of_means(const struct pairsums *, double games_a, double games_b);

/*
 * The difference a - b of two estimates with this correlation, and its interval:
 * the distances to the ends of the two intervals serve as standard errors, upper
 * and lower ones separately (Zou and Donner; with correlation 0 this is Newcombe's
 * interval for independent shares).
 */
struct range paired_difference(struct range a, struct range b, double correlation);

/*
 * Adjusts the probabilities that one mean is less or greater than the other, as
 * computed for independent games, for means with this correlation and these
 * standard errors: the normal deviate of the smaller one grows as the standard
 * error of the difference shrinks.  Correlation 0 leaves them unchanged.
 */
void paired_probabilities(double *less, double *greater, double se_a, double se_b,
    double correlation);

#endif
