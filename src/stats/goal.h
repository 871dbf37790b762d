/*
 * Goals for numbers, and how near to them numbers come that are known only with
 * errors.
 *
 * A number misses its goal by its distance from the goal's interval, in units; the
 * loss of several numbers is the weighted sum of the squares of their misses. It is
 * 0 exactly if every goal is met.
 */
#ifndef STATS_GOAL_H
#define STATS_GOAL_H

#include "base/rng.h"

struct goal {
	double lo, hi; /* lo <= hi; -INFINITY or INFINITY: no bound */
	double unit;   /* the miss that counts as 1, > 0 */
	double weight; /* > 0 */
};

/* The signed distance from the interval in units: negative below it, 0 within. */
double goal_miss(const struct goal *g, double y);

double goals_loss(const struct goal *g, int n, const double *y);

/* The expected loss of n independent normal numbers. */
double goals_expected(const struct goal *g, int n, const double *mean, const double *sd);

/* The probability that they meet all goals. */
double goals_chance(const struct goal *g, int n, const double *mean, const double *sd);

/*
 * Expected improvement: how much less than `best` their loss is on average, counting
 * losses above it as no improvement; estimated from `draws` samples, z having n
 * standard normal numbers for each. The same z makes candidates comparable.
 */
double goals_improvement(const struct goal *g, int n, const double *mean,
    const double *sd, double best, const double *z, int draws);

/* Fills z with draws * n such numbers, in pairs of opposite sign. */
void goals_sample(struct rng *rng, double *z, int draws, int n);

#endif
