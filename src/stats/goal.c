#include "goal.h"

#include <math.h>

double
goal_miss(const struct goal *g, double y)
{
	double miss = y < g->lo ? y - g->lo : y > g->hi ? y - g->hi : 0;

	return miss / g->unit;
}

double
goals_loss(const struct goal *g, int n, const double *y)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		double miss = goal_miss(&g[i], y[i]);
		sum += g[i].weight * miss * miss;
	}
	return sum;
}

static double
normal_below(double z)
{
	return erfc(-z / M_SQRT2) / 2;
}

/* E (Y - bound)^2 where Y > bound, for a normal Y. */
static double
square_above(double mean, double sd, double bound)
{
	double z = (mean - bound) / sd;

	if (isinf(bound))
		return 0;
	return sd * sd *
	    ((1 + z * z) * normal_below(z) + z * exp(-z * z / 2) / sqrt(2 * M_PI));
}

double
goals_expected(const struct goal *g, int n, const double *mean, const double *sd)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		const struct goal *of = &g[i];
		double miss = goal_miss(of, mean[i]), squares = miss * miss;
		if (sd[i] > 0)
			squares = (square_above(mean[i], sd[i], of->hi) +
				      square_above(-mean[i], sd[i], -of->lo)) /
			    (of->unit * of->unit);
		sum += of->weight * squares;
	}
	return sum;
}

double
goals_chance(const struct goal *g, int n, const double *mean, const double *sd)
{
	double all = 1;

	for (int i = 0; i < n; i++) {
		if (sd[i] > 0)
			all *= normal_below((g[i].hi - mean[i]) / sd[i]) -
			    normal_below((g[i].lo - mean[i]) / sd[i]);
		else
			all *= goal_miss(&g[i], mean[i]) == 0;
	}
	return all;
}

double
goals_improvement(const struct goal *g, int n, const double *mean, const double *sd,
    double best, const double *z, int draws)
{
	double sum = 0;

	for (int k = 0; k < draws; k++, z += n) {
		double loss = 0;
		for (int i = 0; i < n; i++) {
			double y = mean[i] + sd[i] * z[i];
			double miss = goal_miss(&g[i], y);
			loss += g[i].weight * miss * miss;
		}
		sum += fmax(0, best - loss);
	}
	return sum / draws;
}

void
goals_sample(struct rng *rng, double *z, int draws, int n)
{
	for (int k = 0; k < draws; k++)
		for (int i = 0; i < n; i++)
			z[k * n + i] = k % 2 == 0 ? rng_normal(rng) : -z[(k - 1) * n + i];
}
