#include "ratio.h"

#include <math.h>

#include "special.h"

void
ratio_add(struct ratio *r, double all, double kind)
{
	r->games++;
	r->all += all;
	r->kind += kind;
	r->all_all += all * all;
	r->kind_kind += kind * kind;
	r->kind_all += kind * all;
}

void
ratio_mean(const struct ratio *r, double level, struct range *range)
{
	double error, m, square;

	m = range->at = r->kind / r->all;
	range->lo = -INFINITY;
	range->hi = INFINITY;
	if (!(r->games >= 2) || !(r->all > 0))
		return;
	square = r->kind_kind - 2 * m * r->kind_all + m * m * r->all_all;
	error = student_quantile((1 - level) / 2, r->games - 1) *
	    sqrt(fmax(square, 0) * r->games / (r->games - 1)) / r->all;
	range->lo = m - error;
	range->hi = m + error;
}

/* The number of independent moves with the same standard error of the share. */
static double
equivalent_moves(const struct ratio *r, double share)
{
	double square, variance;

	square = r->kind_kind - 2 * share * r->kind_all +
	    share * share * r->all_all;
	variance = square * r->games / (r->games - 1) / (r->all * r->all);
	/* The difference of nearly equal squares is only rounding. */
	if (!(square > 1e-12 * r->kind_kind) || !(share < 1))
		return r->games;
	return share * (1 - share) / variance;
}

void
ratio_share(const struct ratio *r, double level, struct range *range)
{
	double p = r->kind / r->all;

	*range = (struct range){ p, 0, 1 };
	if (r->games >= 2 && r->all > 0)
		*range = wilson_range(p, equivalent_moves(r, p),
		    student_quantile((1 - level) / 2, r->games - 1));
}
