#include "homogeneity.h"

#include <math.h>
#include <string.h>

#include "special.h"

/* ---- the tests ---- */

static double
pooled_mean(const struct homogeneity_group *g, int n, double *games)
{
	double sum = 0;

	*games = 0;
	for (int i = 0; i < n; i++)
		if (g[i].games > 0) {
			*games += g[i].games;
			sum += g[i].games * g[i].mean;
		}
	return sum / *games;
}

/*
 * With N games in each of k groups the statistic has the expectation k - 1 + N c,
 * where c depends on the true means. The noncentrality that POWER needs is found
 * by bisection, from the noncentral chi-squared distribution in Wilson and
 * Hilferty's approximation.
 */
static double
noncentral_tail(double x, double dof, double shift)
{
	double a = dof + shift, b = dof + 2 * shift;
	double h = 1 - 2 * a * (dof + 3 * shift) / (3 * b * b);
	double p = b / (a * a), m = (h - 1) * (1 - 3 * h);
	double mean = 1 + h * p * (h - 1 - 0.5 * (2 - h) * m * p);
	double se = h * sqrt(2 * p) * sqrt(1 + 0.5 * m * p);

	return 0.5 * erfc((pow(x / a, h) - mean) / se / sqrt(2));
}

static double
bisect_chi_squared(double tail, double dof)
{
	double low = 0, high = dof + 200 * sqrt(dof) + 200;

	for (int turn = 0; turn < 100; turn++) {
		double x = (low + high) / 2;
		*(chi_squared_tail(x, dof) > tail ? &low : &high) = x;
	}
	return (low + high) / 2;
}

static double
shift_for_power(double dof)
{
	double x = bisect_chi_squared(0.05, dof), low = 0, high = 1000 * dof;

	for (int turn = 0; turn < 100; turn++) {
		double shift = (low + high) / 2;
		*(noncentral_tail(x, dof, shift) < POWER ? &low : &high) = shift;
	}
	return (low + high) / 2;
}

/* Sets spread and games_needed, from the statistic as chi squared, and the games
 * and the variance of an average group. */
static void
plan(struct homogeneity *h, double chi_squared, double games, double variance)
{
	double excess = fmax(chi_squared - h->dof, 0);

	h->spread = sqrt(excess * variance / games / h->dof);
	h->games_needed =
	    excess > 0 ? ceil(games * shift_for_power(h->dof) / excess) : INFINITY;
}

static void
start(struct homogeneity *h)
{
	memset(h, 0, sizeof(*h));
	h->statistic = h->p = h->spread = h->games_needed = NAN;
}

void
homogeneity_of_shares(const struct homogeneity_group *g, int n, struct homogeneity *h)
{
	double games, mean = pooled_mean(g, n, &games), sum = 0;

	start(h);
	for (int i = 0; i < n; i++)
		if (g[i].games > 0) {
			h->groups++;
			sum += g[i].games * pow(g[i].mean - mean, 2);
		}
	if (h->groups < 2)
		return;
	h->dof = h->groups - 1;
	h->statistic = sum > 0 ? sum / (mean * (1 - mean)) : 0;
	h->p = chi_squared_tail(h->statistic, h->dof);
	plan(h, h->statistic, games / h->groups, mean * (1 - mean));
}

/* A group's variance, with one more game that has the variance of all games. */
static double
widened_variance(const struct homogeneity_group *g, double all)
{
	double square = fmax(g->square - g->mean * g->mean, 0);

	return (square * g->games + all) / g->games;
}

static double
variance_of_all(const struct homogeneity_group *g, int n)
{
	double games, mean = pooled_mean(g, n, &games), sum = 0;

	for (int i = 0; i < n; i++)
		if (g[i].games > 0)
			sum += g[i].games *
			    (g[i].square - g[i].mean * g[i].mean +
				pow(g[i].mean - mean, 2));
	return fmax(sum, 0) / games;
}

/* The sums over groups of Welch's test. */
struct welch {
	double games, weight, sum, square, small;
};

static void
welch_weigh(struct welch *w, const struct homogeneity_group *g, double all)
{
	double weight = g->games / widened_variance(g, all);
	double apart = g->mean - w->sum / w->weight;

	w->square += weight * apart * apart;
	w->small += pow(1 - weight / w->weight, 2) / (g->games - 1);
}

void
homogeneity_of_means(const struct homogeneity_group *g, int n, struct homogeneity *h)
{
	double all = variance_of_all(g, n), k, by;
	struct welch w = { 0 };

	start(h);
	for (int i = 0; i < n; i++)
		if (g[i].games > 1 && all > 0) {
			double weight = g[i].games / widened_variance(&g[i], all);
			h->groups++;
			w.games += g[i].games;
			w.weight += weight;
			w.sum += weight * g[i].mean;
		}
	if (h->groups < 2)
		return;
	for (int i = 0; i < n; i++)
		if (g[i].games > 1)
			welch_weigh(&w, &g[i], all);
	k = h->groups;
	by = 1 + 2 * (k - 2) / (k * k - 1) * w.small;
	h->dof = k - 1;
	h->dof_below = (k * k - 1) / (3 * w.small);
	h->statistic = w.square / h->dof / by;
	h->p = fisher_tail(h->statistic, h->dof, h->dof_below);
	plan(h, h->statistic * h->dof, w.games / k, all);
}

/* ---- how many games ---- */

static double
other_share(double at, double difference)
{
	double other = at < 0.5 ? at + difference : at - difference;

	return fmin(fmax(other, 0), 1);
}

double
power_of_share(double at, double difference, double level)
{
	double other = other_share(at, difference), middle = (at + other) / 2;
	double a = normal_quantile((1 - level) / 2), b = normal_quantile(1 - POWER);
	double root = a * sqrt(2 * middle * (1 - middle)) +
	    b * sqrt(at * (1 - at) + other * (1 - other));

	return ceil(root * root / (difference * difference));
}

double
power_of_mean(double variance, double difference, double level)
{
	double z = normal_quantile((1 - level) / 2) + normal_quantile(1 - POWER);

	return ceil(2 * variance * z * z / (difference * difference));
}

double
noticed_share(double at, double games, double level)
{
	double low = 0, high = fmax(at, 1 - at);

	if (!(games > 0) || power_of_share(at, high, level) > games)
		return NAN;
	for (int turn = 0; turn < 60; turn++) {
		double difference = (low + high) / 2;
		*(power_of_share(at, difference, level) > games ? &low : &high) =
		    difference;
	}
	return high;
}

double
noticed_mean(double variance, double games, double level)
{
	double z = normal_quantile((1 - level) / 2) + normal_quantile(1 - POWER);

	return games > 0 ? z * sqrt(2 * variance / games) : NAN;
}
