/*
 * Do two measures rank things in the same order? Spearman's rank correlation of a
 * few pairs, with interval and permutation test, and what to expect of it given
 * the measures' errors.
 *
 * Ties share the mean of their ranks. Infinite numbers have ranks like all others;
 * NaN is not allowed.
 */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stdbool.h>

#include "base/range.h"
#include "base/rng.h"

struct pair {
	double x, y;
};

/* Working memory for pairs. Starts as zeros. */
struct rank_work {
	double *x, *y;      /* ranks of each */
	struct pair *drawn; /* numbers with sampled errors */
	struct pair *drawn_errors, *drawn_others;
	double *rank_x, *rank_y; /* their ranks */
	int *order;
	int room;
};

/* Allocates for n >= 0 pairs; false if there is not enough memory. Call it before
 * the functions below that take w. */
bool rank_reserve(struct rank_work *w, int n);
void rank_release(struct rank_work *w);

/* The ranks 1..n of value[0], value[step], value[2 * step], ...; order has room
 * for n. */
void rank_average(const double *value, int step, int n, double *rank, int *order);

/* Spearman's rho. NaN for fewer than two pairs, or if one of the two measures is
 * constant. */
double rank_spearman(struct rank_work *w, const struct pair *pairs, int n);

/*
 * A confidence interval for the rho of the population, which contains rho itself:
 * by Fisher's transform with the variance of Bonett and Wright,
 * (1 + r^2 / 2) / (n - 3), taken at the bound and not at rho. If rho is nearer to 1
 * or -1 than half of the smallest exchange of two ranks, the other bound is computed
 * from half an exchange less, as so few pairs cannot tell. rho must not be NaN. -1
 * to 1 for three pairs, NaN for fewer.
 */
void rank_interval(struct rank_work *w, const struct pair *pairs, int n, double level,
    double *lo, double *hi);

/* The most pairs for which rank_p() tries all permutations. */
enum { RANK_EXACT_MAX = 8 };

/*
 * The p-value of the permutation test: the share of all permutations of y with a
 * rho at least as far from 0; for more than RANK_EXACT_MAX pairs
 * (k + 1) / (samples + 1), if k of so many random permutations have one. NaN if
 * rho is.
 */
double rank_p(struct rank_work *w, const struct pair *pairs, int n, int samples,
    struct rng *r);

/*
 * The functions below take the errors of the measures into account. errors[i] are
 * the standard errors of pairs[i], 0 for an exact number. Two rows are separated
 * if y differs between them by at least `deviations` standard errors of the
 * difference.
 */

/* The number of separated pairs of rows; how many of them x ranks in the same
 * order as y, a tie counting half; and the expected number if the true values of x
 * are those of y. */
struct rank_order {
	double rows; /* separated pairs of rows */
	double same, expected;
};
void rank_order(const struct pair *pairs, const struct pair *errors, int n,
    double deviations, struct rank_order *o);

/* The share of the separated pairs that x ranks in the same order as y with at
 * least the probability `likely`, if its true values are those of y: found by
 * sampling its errors. shares[] has room for `samples`, >= 1. NaN if no rows are
 * separated. */
double rank_order_least(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, double deviations, double likely, int samples,
    double *shares, struct rng *r);

/* The standard error of the share of the separated pairs that x ranks in the same
 * order as y, by sampling the errors of x. shares[] as above. NaN if no rows are
 * separated. */
double rank_order_error(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, double deviations, int samples, double *shares,
    struct rng *r);

/* An interval for that share in the population of which the rows are a sample: by
 * drawing rows with replacement, and the errors of x. Sets both bounds to NaN for fewer
 * than three rows, and if none are separated. */
void rank_order_interval(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, double deviations, double level, int samples,
    double *shares, struct rng *r, double *lo, double *hi);

/* By how much the share of x exceeds that of another measure of the same rows, whose
 * values and errors are the x of others[] and other_errors[]; their y is not read. The
 * interval is made as that above, with the same rows drawn for both. All are NaN if no
 * rows are separated, both bounds for fewer than three rows. */
void rank_order_difference(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, const struct pair *others, const struct pair *other_errors,
    int n, double deviations, double level, int samples, double *differences,
    struct rng *r, struct range *difference);

/* The expected rho if the true values of x are those of y, by sampling the errors
 * of x. NaN for fewer than three pairs or if y is constant. */
double rank_expected(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, int samples, struct rng *r);

/* The correlation of the logarithms; NaN for fewer than three pairs, if a number is
 * not positive or not finite, and if one of the two is constant. */
double rank_log_correlation(const struct pair *pairs, int n);

/* Its expectation if the true values of x are those of y, by sampling the errors of
 * x; samples with a number that is not positive are left out. NaN for fewer than
 * three pairs and if no sample has one. */
double rank_log_expected(struct rank_work *w, const struct pair *pairs,
    const struct pair *errors, int n, int samples, struct rng *r);

#endif
