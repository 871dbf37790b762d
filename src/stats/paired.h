/*
 * Two rule sets whose games come in pairs that have something in common, such as
 * their openings: what one has more of than the other is known more closely then
 * than from games that have nothing to do with each other.
 */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include "base/range.h"

/* Sums over pairs of a number that each game has. */
struct paired {
	double	pairs;
	double	x, y, xx, yy, xy;
};

void	paired_add(struct paired *, double x, double y);

/* Pearson's correlation of the two numbers over pairs; 0 with fewer than three
 * pairs, or where one of the numbers is always the same. */
double	paired_correlation(const struct paired *);

/*
 * The correlation of the two means over all games, of which there are games_a
 * and games_b, with or without a partner.  Fewer pairs than PAIRED_LEAST do not
 * tell it well enough: 0.
 */
#define PAIRED_LEAST	20
double	paired_of_means(const struct paired *, double games_a, double games_b);

/*
 * A number with an interval, and an interval of the difference of two that have
 * this correlation: the distances to the ends of the intervals stand for
 * standard errors, upper and lower ones apart (Zou and Donner; with correlation
 * 0 it is Newcombe's for independent shares).
 */
struct range paired_difference(struct range a, struct range b,
	    double correlation);

/*
 * The probabilities, of independent games, that one mean is less or greater than
 * the other, as they are for means of this correlation whose standard errors are
 * as given: the normal deviate that belongs to the smaller of them grows as the
 * error of the difference shrinks.  With correlation 0 they stay as they are.
 */
void	paired_probabilities(double *less, double *greater, double se_a,
	    double se_b, double correlation);

#endif
