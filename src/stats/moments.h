/*
 * Running mean and variance, of numbers and of pairs, and plain sums. A struct
 * starts as zeros.
 */
#ifndef STATS_MOMENTS_H
#define STATS_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct moments {
	double n; /* number, or the sum of weights */
	double mean;
	double squares;    /* sum of squared differences from the mean */
	uint64_t infinite; /* infinite numbers, which are not in n */
};

/* Pairs of numbers, all of weight 1 and finite. */
struct comoments {
	struct moments y, x;
	double products; /* sum of products of differences from the means */
};

/* Sums over pairs of numbers, which can be added up in any order. */
struct pairsums {
	double n, x, y, xx, yy, xy;
};

void pairsums_add(struct pairsums *s, double x, double y);

void moments_add(struct moments *m, double x, double weight);

void comoments_add(struct comoments *m, double y, double x);

/* Add all of other's numbers. */
void moments_merge(struct moments *m, const struct moments *other);
void comoments_merge(struct comoments *m, const struct comoments *other);

/* The mean: infinite if one of the numbers was; NaN if there are none. */
double moments_mean(const struct moments *m);

/* The standard error of the mean of numbers of weight 1; NaN for fewer than two,
 * or if the mean is infinite. */
double moments_error(const struct moments *m);

#endif
