#include "paired.h"

#include <math.h>

double
paired_correlation(const struct pairsums *p)
{
	double n = p->n;

	if (n < 3)
		return 0;
	double xx = p->xx - p->x * p->x / n, yy = p->yy - p->y * p->y / n;
	double xy = p->xy - p->x * p->y / n;
	/* The variance of equal numbers is only rounding. */
	if (xx <= 1e-9 * n || yy <= 1e-9 * n)
		return 0;
	return fmax(-1, fmin(1, xy / sqrt(xx * yy)));
}

double
paired_of_means(const struct pairsums *p, double games_a, double games_b)
{
	return p->n < PAIRED_LEAST
	    ? 0
	    : paired_correlation(p) * p->n / sqrt(games_a * games_b);
}

/* The standard error of a difference. */
static double
apart(double a, double b, double correlation)
{
	return sqrt(fmax(a * a + b * b - 2 * correlation * a * b, 0));
}

struct range
paired_difference(struct range a, struct range b, double correlation)
{
	double at = a.at - b.at;

	return (struct range){ at, at - apart(a.at - a.lo, b.hi - b.at, correlation),
		at + apart(a.hi - a.at, b.at - b.lo, correlation) };
}

/* The z with P(Z > z) = p, 0 < p <= 1/2, to nearly full precision: erfc() has a
 * small relative error. */
static double
deviate(double p)
{
	double lo = 0, hi = 38.5;

	for (int i = 0; i < 70; i++) {
		double z = (lo + hi) / 2;
		*(erfc(z * M_SQRT1_2) / 2 > p ? &lo : &hi) = z;
	}
	return lo;
}

void
paired_probabilities(double *less, double *greater, double se_a, double se_b,
    double correlation)
{
	double alone = apart(se_a, se_b, 0);
	double together = apart(se_a, se_b, correlation);
	double *small = *less < *greater ? less : greater;

	if (correlation == 0 || *less == *greater || !(*small > 0) || !(alone > 0))
		return;
	/* If the errors cancel, the sign is certain. */
	*small =
	    together > 0 ? erfc(deviate(*small) * alone / together * M_SQRT1_2) / 2 : 0;
	*(small == less ? greater : less) = 1 - *small;
}
