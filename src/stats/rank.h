/*
 * Do two measures put things into the same order? Spearman's rank
 * correlation of a few pairs, with what so few pairs leave open.
 *
 * Ties share the mean of their ranks. Infinite numbers have a rank like all
 * others; a NaN has none and must not come here.
 */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stdbool.h>

#include "base/rng.h"

struct pair {
	double x, y;
};

/* Room for work on n pairs. */
struct rank_work {
	double *x, *y;		/* ranks of each */
	struct pair *drawn;	/* numbers with errors drawn */
	double *rank_x, *rank_y;	/* their ranks */
	int *order;
	int room;
};

/* Rooms for n pairs, n >= 0; false when memory is short. Begins with zeros. */
bool rank_reserve(struct rank_work *w, int n);
void rank_release(struct rank_work *w);

/* The ranks 1..n of values, of which the first is at *value and the next ones
 * `step` doubles further on each; order has room for n. */
void rank_average(const double *value, int step, int n, double *rank,
    int *order);

/* Spearman's rho. NaN for fewer than two pairs, or where one of the two
 * measures is the same throughout. */
double rank_spearman(struct rank_work *w, const struct pair *pairs, int n);

/*
 * An interval of the rho of all that the pairs are a sample of, which rank_spearman()
 * must have: by Fisher's transform with the variance of Bonett and Wright,
 * (1 + r^2 / 2) / (n - 3), taken at the bound and not at rho. It holds rho itself.
 * Where rho is 1 or -1, or within half an exchange of two ranks of that, the other bound is
 * that of half an exchange less: so few pairs do not tell more. -1 to 1 for three
 * pairs, NaN for fewer.
 */
void rank_interval(struct rank_work *w, const struct pair *pairs, int n,
    double level, double *lo, double *hi);

/* The most pairs for which rank_p() looks at all orders. */
enum { RANK_EXACT_MAX = 8 };

/*
 * How likely a rho at least as far from 0 is if the two have nothing to do
 * with each other: the share of all orders of y that give one, or, for more
 * than RANK_EXACT_MAX pairs, (k + 1) / (samples + 1), k being those among so many drawn
 * orders. NaN where rho is.
 */
double rank_p(struct rank_work *w, const struct pair *pairs, int n,
    int samples, struct rng *r);

/*
 * What the errors of both measures leave to be seen. errors[i] are the standard
 * errors of pairs[i], 0 where a number is exact.
 */

/* Pairs of rows of which y says, at this many standard errors of their
 * difference, which comes first; how many of them x puts into the same order,
 * a tie being half of one; and how many it would if its true values were those
 * of y: each with the probability that errors leave. */
struct rank_order {
	double rows;		/* pairs of rows */
	double same, expected;
};
void rank_order(const struct pair *pairs, const struct pair *errors, int n,
    double deviations, struct rank_order *o);

/* The share of these pairs that x puts into the same order at least, with the
 * probability `likely`, if its true values are those of y: found by drawing its
 * errors so often. shares[] has room for `samples`, >= 1. NaN where no pair is
 * set apart. */
double rank_order_least(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, double deviations, double likely,
    int samples, double *shares, struct rng *r);

/* The standard error of the share of these pairs that x puts into the same order,
 * by drawing the errors of x so often. NaN where no pair is set apart. */
double rank_order_error(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, double deviations, int samples,
    struct rng *r);

/* The rho that is expected if the true values of x are those of y, by drawing
 * its errors so often. NaN for fewer than three pairs or where y is the same
 * throughout. */
double rank_expected(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, int samples, struct rng *r);

/* The correlation of the logarithms; NaN for fewer than three pairs, where a
 * number is not positive or not finite, and where one of the two is the same
 * throughout. */
double rank_log_correlation(const struct pair *pairs, int n);

/* What is expected of it if the true values of x are those of y, by drawing the
 * errors of x so often; samples with a number that is not positive are left out.
 * NaN for fewer than three pairs and where no sample has it. */
double rank_log_expected(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, int samples, struct rng *r);

#endif
