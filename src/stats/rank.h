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
	struct pair *drawn;	/* a resample */
	double *rank_x, *rank_y;	/* its ranks */
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
 * The percentile interval of rho from resampled pairs, with replacement; rho
 * must be a number. Resamples without a rho count for nothing. NaN for fewer
 * than three pairs, and when most resamples have none. rho[] has room for
 * `samples`, >= 1.
 */
void rank_bootstrap(struct rank_work *w, const struct pair *pairs, int n,
    double level, int samples, double *rho, struct rng *r, double *lo,
    double *hi);

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

#endif
