/*
 * A line through a few numbers with errors, over the logarithm of what they
 * depend on: a draw rate or a gain of Elo over budgets of thinking.
 */
#ifndef STATS_TREND_H
#define STATS_TREND_H

struct trend_point {
	double	x;		/* > 0 */
	double	y, se;		/* se > 0 */
};

struct trend {
	int	n;		/* points */
	double	first, last;	/* the least and the greatest x */
	double	mean, mean_se;	/* of y, weighted by their errors */
	double	slope, slope_se;	/* of y for each doubling of x */
	double	p_fit;		/* how likely points lie this far from the
				 * line; NaN for fewer than three */
	/* The rest is the line's own. */
	double	middle;		/* log2 x, weighted */
};

/*
 * Weighted least squares over log2 x.  Errors are taken as told and as normal.
 * For one point, or where all x are the same, there is no slope: NaN.
 */
void	trend_fit(const struct trend_point *, int n, struct trend *);

/* The line at x, and its error. */
double	trend_at(const struct trend *, double x, double *se);

/*
 * Whether the line may be followed to x: within the points always; beyond them
 * if there are three or more, the line fits them (p_fit at least 0.01), and its
 * slope is above zero by this many errors.
 */
int	trend_may_tell(const struct trend *, double x, double deviations);

#endif
