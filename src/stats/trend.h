/*
 * Linear regression of a few numbers with errors on the logarithm of x, such as a
 * draw rate or an Elo gain against the search budget.
 */
#ifndef STATS_TREND_H
#define STATS_TREND_H

struct trend_point {
	double x;     /* > 0 */
	double y, se; /* se > 0 */
};

struct trend {
	int n;                  /* points */
	double first, last;     /* the least and the greatest x */
	double mean, mean_se;   /* of y, weighted by their errors */
	double slope, slope_se; /* of y for each doubling of x */
	double p_fit;           /* p-value of the points' distances from the
	                         * line; NaN for fewer than three */
	/* private: */
	double middle; /* weighted mean of log2 x */
};

/*
 * Weighted least squares on log2 x.  Errors are assumed to be normal and known.
 * For one point, or if all x are the same, the slope is NaN.
 */
void trend_fit(const struct trend_point *, int n, struct trend *);

/* The line at x, and its standard error. */
double trend_at(const struct trend *, double x, double *se);

/*
 * Whether the line may be used at x: always within the points; up to
 * TREND_DOUBLINGS beyond them if there are three or more, the line fits them
 * (p_fit at least 0.01), and its slope is above zero by this many standard errors.
 */
enum { TREND_DOUBLINGS = 2 };
int trend_may_tell(const struct trend *, double x, double deviations);

/*
 * How far the line lies above a point that it was not fitted to, in standard errors
 * of the difference. NaN if there is no line.
 */
double trend_miss(const struct trend *, const struct trend_point *);

#endif
