#include "ratio.h"

#include <math.h>

#include "special.h"

void
ratio_mean(const struct pairsums *r, double level, struct range *range)
{
	double error, m, square;

	m = range->at = r->y / r->x;
	range->lo = -INFINITY;
	range->hi = INFINITY;
	if (!(r->n >= 2) || !(r->x > 0))
		return;
	square = r->yy - 2 * m * r->xy + m * m * r->xx;
	error = student_quantile((1 - level) / 2, r->n - 1) *
	    sqrt(fmax(square, 0) * r->n / (r->n - 1)) / r->x;
	range->lo = m - error;
	range->hi = m + error;
}

/* The number of independent moves with the same standard error of the share. */
static double
equivalent_moves(const struct pairsums *r, double share)
{
	double square, variance;

	square = r->yy - 2 * share * r->xy + share * share * r->xx;
	variance = square * r->n / (r->n - 1) / (r->x * r->x);
	/* The difference of nearly equal squares is only rounding. */
	if (!(square > 1e-12 * r->yy) || !(share < 1))
		return r->n;
	return share * (1 - share) / variance;
}

void
ratio_share(const struct pairsums *r, double level, struct range *range)
{
	double p = r->y / r->x;

	*range = (struct range){ p, 0, 1 };
	if (r->n >= 2 && r->x > 0)
		*range = wilson_range(p, equivalent_moves(r, p),
		    student_quantile((1 - level) / 2, r->n - 1));
}
