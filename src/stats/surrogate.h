/*
 * A Gaussian process: learns a function of points in d dimensions from a few
 * values with known errors, and tells at any other point what it expects and how
 * uncertain that is.
 *
 * The function is assumed to be a constant, plus a linear function of the point,
 * plus a smooth deviation from it whose covariance falls with the distance as
 * exp(-distance^2 / (2 length^2)), plus what each point has of its own. How large and
 * how smooth these are is not known: predictions are averages over a grid of scales,
 * weighted by the probability that each gives to the values (evidence), so that their
 * uncertainty, and that of the constant, is part of every prediction.
 */
#ifndef STATS_SURROGATE_H
#define STATS_SURROGATE_H

enum { SURROGATE_SCALES_MAX = 16 }; /* those with the greatest weights */

/* How large and how smooth the function is, and what follows from the values. */
struct surrogate_scale {
	double linear, smooth, own; /* variances */
	double length;
	double evidence; /* logarithm of the probability of the values */
	double weight;   /* of all scales, 1 */
	double constant;
	/* private: */
	double *l;     /* Cholesky factor of the covariance, rows of `room` */
	double *a, *b; /* covariance^-1 (y - constant), covariance^-1 1 */
	double ones;   /* 1' covariance^-1 1 */
};

struct surrogate {
	int d;                                               /* dimensions */
	int n;                                               /* values */
	struct surrogate_scale scales[SURROGATE_SCALES_MAX]; /* greatest weight first */
	int nscales;
	/* private: */
	int room;
	double *x;                    /* points, d numbers each */
	double *y, *noise;            /* values, and the variances of their errors */
	double *products, *distances; /* of pairs of points, rows of `room` */
	double *row, *relations;      /* work space */
};

/* d >= 1; running out of memory ends the program. */
void surrogate_init(struct surrogate *s, int d);
void surrogate_release(struct surrogate *s);

/* Adds a value with its standard error, both finite; an error of 0 is taken as
 * very small. Predictions need a surrogate_fit() afterwards. */
void surrogate_add(struct surrogate *s, const double *x, double y, double se);

/* Finds the scales and their weights, for n >= 1 values. */
void surrogate_fit(struct surrogate *s);

/* Adds a value that keeps scales and weights as they are, in time n^2. Called after
 * surrogate_fit(). */
void surrogate_extend(struct surrogate *s, const double *x, double y, double se);

/* What to expect at x, and its standard deviation, that of the function without
 * errors. */
void surrogate_predict(const struct surrogate *s, const double *x, double *mean,
    double *sd);

#endif
