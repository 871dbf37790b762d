/*
 * Mean and variance of numbers as they come.
 */
#ifndef STATS_MOMENTS_H
#define STATS_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct moments {
	double n;		/* how many, or the sum of their weights */
	double mean;
	double squares;		/* of the differences to the mean */
	uint64_t infinite;	/* such numbers, not among the n */
};

/* Pairs of numbers, all of weight 1 and finite. */
struct comoments {
	struct moments y, x;
	double products;	/* of the differences to the means */
};

void moments_add(struct moments *m, double x, double weight);

void comoments_add(struct comoments *m, double y, double x);

/* As if all of other's numbers had been added. */
void moments_merge(struct moments *m, const struct moments *other);
void comoments_merge(struct comoments *m, const struct comoments *other);

/* The mean: infinite when one of the numbers was; NaN when there is none. */
double moments_mean(const struct moments *m);

/* The standard error of the mean of numbers that all have weight 1; NaN for
 * fewer than two, or when the mean is infinite. */
double moments_error(const struct moments *m);

#endif
