/*
 * Tests over several rule sets: tails of distributions against closed forms and
 * plain sums, adjusted p against their definitions, both tests of homogeneity
 * against naive code, their size and power against simulated games.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stats/family.h"
#include "stats/homogeneity.h"
#include "stats/special.h"
#include "tap.h"

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1e-12, fabs(b));
}

/* The integral of f from a to b by Simpson's rule. */
static double
simpson(double (*f)(double x, double p, double q), double p, double q, double a, double b,
    int n)
{
	double sum = f(a, p, q) + f(b, p, q), h = (b - a) / n;

	for (int i = 1; i < n; i++)
		sum += (i % 2 ? 4 : 2) * f(a + i * h, p, q);
	return sum * h / 3;
}

static double
chi_squared_density(double x, double dof, double unused)
{
	(void)unused;
	return pow(x, dof / 2 - 1) * exp(-x / 2) / pow(2, dof / 2) / tgamma(dof / 2);
}

static double
fisher_density(double x, double a, double b)
{
	return pow(a / b, a / 2) * pow(x, a / 2 - 1) * pow(1 + a * x / b, -(a + b) / 2) *
	    tgamma((a + b) / 2) / tgamma(a / 2) / tgamma(b / 2);
}

static void
test_tails(void)
{
	double worst = 0;

	/* An even number of degrees: a sum of Poisson's terms. */
	for (int k = 1; k <= 20; k++)
		for (double x = 0.1; x < 120; x *= 1.7) {
			double term = exp(-x / 2), sum = 0;
			for (int i = 0; i < k; i++) {
				sum += term;
				term *= x / 2 / (i + 1);
			}
			worst = fmax(worst, fabs(chi_squared_tail(x, 2 * k) / sum - 1));
		}
	ok(worst < 1e-11, "chi squared, even degrees: %.1g", worst);
	ok(near(chi_squared_tail(4, 1), erfc(sqrt(2)), 1e-12) &&
		chi_squared_tail(0, 3) == 1,
	    "chi squared, one degree");
	ok(near(chi_squared_tail(3, 9),
	       1 - simpson(chi_squared_density, 9, 0, 0, 3, 20000), 1e-9),
	    "chi squared, nine degrees");
	/* Two degrees above: a power. */
	for (int n = 1; n < 200; n = 3 * n)
		ok(near(fisher_tail(1.7, 2, n), pow(1 + 2 * 1.7 / n, -n / 2.), 1e-12),
		    "F with 2 and %d degrees", n);
	ok(near(fisher_tail(2.5, 5, 7), 1 - simpson(fisher_density, 5, 7, 0, 2.5, 20000),
	       1e-8),
	    "F with 5 and 7 degrees");
	/* One degree above: Student's t, squared. */
	double t = student_quantile(0.025, 11);
	ok(near(fisher_tail(t * t, 1, 11), 0.05, 1e-8), "F is t squared");
	ok(near(normal_quantile(0.025), 1.959963984540054, 1e-9) &&
		near(erfc(normal_quantile(1e-4) / sqrt(2)) / 2, 1e-4, 1e-6),
	    "the normal distribution's quantiles");
}

/* Holm and BH by their definitions: the smallest level at which the procedure
 * rejects test k, found among all levels at which anything can change. */
static bool
holm_rejects(const double *p, int n, int k, double level)
{
	bool out[20] = { false };

	for (int step = 0; step < n; step++) {
		int least = -1;
		for (int i = 0; i < n; i++)
			if (!out[i] && (least == -1 || p[i] < p[least]))
				least = i;
		if (p[least] * (n - step) > level)
			return false;
		out[least] = true;
		if (least == k)
			return true;
	}
	return false;
}

static bool
bh_rejects(const double *p, int n, int k, double level)
{
	double most = -1;

	for (int i = 0; i < n; i++) {
		int rank = 0;
		for (int j = 0; j < n; j++)
			rank += p[j] <= p[i];
		if (p[i] * n <= level * rank * (1 + 1e-14))
			most = fmax(most, p[i]);
	}
	return p[k] <= most;
}

static void
test_family(void)
{
	double p[12], holm[12], bh[12];
	bool good = true;
	struct rng r;

	rng_init(&r, 1, 0);
	for (int turn = 0; turn < 300; turn++) {
		int n = 1 + turn % 12;
		for (int i = 0; i < n; i++)
			p[i] = turn % 3 == 0 ? (double)rng_below(&r, 4) / 8
					     : pow(rng_double(&r), 3);
		family_holm(p, (size_t)n, holm);
		family_bh(p, (size_t)n, bh);
		for (int i = 0; i < n; i++) {
			good &= holm[i] >= p[i] && bh[i] >= p[i] && holm[i] <= 1 &&
			    bh[i] <= holm[i] * (1 + 1e-14);
			good &= holm[i] >= 1 ||
			    (holm_rejects(p, n, i, holm[i]) &&
				(holm[i] == 0 ||
				    !holm_rejects(p, n, i, holm[i] * (1 - 1e-9))));
			good &= bh[i] >= 1 ||
			    (bh_rejects(p, n, i, bh[i]) &&
				(bh[i] == 0 || !bh_rejects(p, n, i, bh[i] * (1 - 1e-9))));
		}
	}
	ok(good, "adjusted p are the smallest levels that reject");
	holm[0] = bh[0] = 7;
	family_holm(p, 0, holm);
	family_bh(p, 0, bh);
	ok(holm[0] == 7 && bh[0] == 7, "no tests at all");
}

/* ---- games ---- */

enum { GROUPS = 10, GAMES = 400 };
static double games[GROUPS][GAMES];
static int sizes[GROUPS];

static void
play(struct rng *r, int groups, const double *win, const double *draw)
{
	for (int g = 0; g < groups; g++)
		for (int i = 0; i < sizes[g]; i++) {
			double u = rng_double(r);
			games[g][i] = u < win[g] ? 1 : u < win[g] + draw[g] ? 0.5 : 0;
		}
}

static void
look(int groups, struct homogeneity_group *draws, struct homogeneity_group *points)
{
	for (int g = 0; g < groups; g++) {
		double n = sizes[g], drawn = 0, sum = 0, square = 0;
		for (int i = 0; i < sizes[g]; i++) {
			drawn += games[g][i] == 0.5;
			sum += games[g][i];
			square += games[g][i] * games[g][i];
		}
		draws[g] = (struct homogeneity_group){ n, drawn / n, drawn / n };
		points[g] = (struct homogeneity_group){ n, sum / n, square / n };
	}
}

/* Observed less expected, cell by cell. */
static double
naive_chi_squared(int groups)
{
	double all = 0, drawn = 0, sum = 0;

	for (int g = 0; g < groups; g++)
		for (int i = 0; i < sizes[g]; i++, all++)
			drawn += games[g][i] == 0.5;
	for (int g = 0; g < groups; g++) {
		double seen[2] = { 0, 0 };
		for (int i = 0; i < sizes[g]; i++)
			seen[games[g][i] == 0.5]++;
		double expect[2] = { sizes[g] * (1 - drawn / all),
			sizes[g] * drawn / all };
		for (int k = 0; k < 2; k++)
			sum += pow(seen[k] - expect[k], 2) / expect[k];
	}
	return sum;
}

/* Welch's test of 1951 from the games themselves; to the squares of each group
 * the variance of all games is added once. */
static double
naive_welch(int groups, double *dof_below)
{
	double all = 0, mean = 0, variance = 0, sum = 0, middle = 0, f = 0, c = 0;
	double m[GROUPS] = { 0 }, w[GROUPS];

	for (int g = 0; g < groups; g++)
		for (int i = 0; i < sizes[g]; i++, all++) {
			mean += games[g][i];
			m[g] += games[g][i] / sizes[g];
		}
	mean /= all;
	for (int g = 0; g < groups; g++)
		for (int i = 0; i < sizes[g]; i++)
			variance += pow(games[g][i] - mean, 2) / all;
	for (int g = 0; g < groups; g++) {
		double squares = variance;
		for (int i = 0; i < sizes[g]; i++)
			squares += pow(games[g][i] - m[g], 2);
		w[g] = sizes[g] / (squares / sizes[g]);
		sum += w[g];
		middle += w[g] * m[g];
	}
	for (int g = 0; g < groups; g++) {
		f += w[g] * pow(m[g] - middle / sum, 2) / (groups - 1);
		c += pow(1 - w[g] / sum, 2) / (sizes[g] - 1);
	}
	*dof_below = (groups * groups - 1) / (3 * c);
	return f / (1 + 2 * (groups - 2) * c / (groups * groups - 1));
}

static void
test_welch(void)
{
	static const double win[] = { 0.3, 0.4, 0.2, 0.5, 0.35 };
	static const double draw[] = { 0.4, 0.3, 0.5, 0.1, 0.3 };
	struct homogeneity_group d[GROUPS], p[GROUPS];
	struct homogeneity h;
	bool good = true;
	struct rng r;

	rng_init(&r, 6, 0);
	for (int turn = 0; turn < 50; turn++) {
		int groups = 2 + turn % 4;
		for (int g = 0; g < groups; g++)
			sizes[g] = 5 + (int)rng_below(&r, 200);
		play(&r, groups, win, draw);
		look(groups, d, p);
		homogeneity_of_means(p, groups, &h);
		double below, f = naive_welch(groups, &below);
		good &= near(h.statistic, f, 1e-9) && h.dof == groups - 1 &&
		    near(h.dof_below, below, 1e-9) &&
		    near(h.p, fisher_tail(f, groups - 1, below), 1e-6);
	}
	ok(good, "Welch's test of two to five groups, from the games");
}

static void
test_statistics(void)
{
	static const double win[] = { 0.3, 0.4, 0.2 }, draw[] = { 0.4, 0.3, 0.5 };
	struct homogeneity_group d[GROUPS], p[GROUPS];
	struct homogeneity h;
	struct rng r;

	rng_init(&r, 2, 0);
	sizes[0] = 50, sizes[1] = 80, sizes[2] = 31;
	play(&r, 3, win, draw);
	look(3, d, p);
	homogeneity_of_shares(d, 3, &h);
	ok(near(h.statistic, naive_chi_squared(3), 1e-12) && h.dof == 2 &&
		near(h.p, exp(-h.statistic / 2), 1e-12),
	    "Pearson's chi squared");
	/* Welch with two groups is Welch's t, squared. */
	sizes[0] = 300, sizes[1] = 200;
	play(&r, 2, win, draw);
	look(2, d, p);
	homogeneity_of_means(p, 2, &h);
	double v[2], t;
	for (int g = 0; g < 2; g++)
		v[g] = (p[g].square - p[g].mean * p[g].mean) / p[g].games;
	t = pow(p[0].mean - p[1].mean, 2) / (v[0] + v[1]);
	double dof = pow(v[0] + v[1], 2) / (v[0] * v[0] / 299 + v[1] * v[1] / 199);
	ok(fabs(h.statistic / t - 1) < 0.01 && fabs(h.dof_below / dof - 1) < 0.01,
	    "Welch's test of two groups is his t, squared");
	homogeneity_of_means(p, 1, &h);
	ok(isnan(h.p) && h.groups == 1, "one group differs from nothing");
	homogeneity_of_shares(p, 0, &h);
	ok(isnan(h.p) && h.groups == 0, "no group");
	d[0] = d[1] = (struct homogeneity_group){ 10, 1, 1 };
	homogeneity_of_shares(d, 2, &h);
	ok(h.statistic == 0 && h.p == 1 && isinf(h.games_needed),
	    "games that are all drawn do not differ");
	d[0] = d[1] = (struct homogeneity_group){ 10, 0.5, 0.25 };
	homogeneity_of_means(d, 2, &h);
	ok(!(h.p < 0.9), "and neither do scores without variance");
}

/* How often equal rule sets pass for different at 5 %. */
static void
test_size(const char *name, int n, double w, double dr)
{
	struct homogeneity_group d[GROUPS], p[GROUPS];
	double win[GROUPS], draw[GROUPS];
	int turns = 3000, shares = 0, means = 0;
	struct homogeneity h;
	struct rng r;

	for (int g = 0; g < GROUPS; g++) {
		win[g] = w;
		draw[g] = dr;
		sizes[g] = n * (1 + g % 2);
	}
	rng_init(&r, 3, (uint64_t)n);
	for (int turn = 0; turn < turns; turn++) {
		play(&r, GROUPS, win, draw);
		look(GROUPS, d, p);
		homogeneity_of_shares(d, GROUPS, &h);
		shares += h.p < 0.05;
		homogeneity_of_means(p, GROUPS, &h);
		means += h.p < 0.05;
	}
	ok(shares > 0.03 * turns && shares < 0.07 * turns,
	    "%s: draw rates called different in %.1f %%", name, 100. * shares / turns);
	ok(means > 0.03 * turns && means < 0.07 * turns,
	    "%s: scores called different in %.1f %%", name, 100. * means / turns);
}

/* Scores that are equal while draw rates are not: no test may mix them up. */
static void
test_apart(void)
{
	struct homogeneity_group d[GROUPS], p[GROUPS];
	double win[GROUPS], draw[GROUPS];
	int turns = 2000, means = 0;
	struct homogeneity h;
	struct rng r;

	for (int g = 0; g < GROUPS; g++) {
		draw[g] = 0.1 + 0.08 * g;
		win[g] = (1 - draw[g]) / 2;
		sizes[g] = g % 3 == 0 ? 60 : 200;
	}
	rng_init(&r, 4, 0);
	for (int turn = 0; turn < turns; turn++) {
		play(&r, GROUPS, win, draw);
		look(GROUPS, d, p);
		homogeneity_of_means(p, GROUPS, &h);
		means += h.p < 0.05;
	}
	ok(means > 0.03 * turns && means < 0.07 * turns,
	    "equal scores of unequal draw rates differ in %.1f %%", 100. * means / turns);
}

/* ---- how many games ---- */

/* P(X > x) for a noncentral chi squared: a mixture of central ones. */
static double
mixture_tail(double x, double dof, double shift)
{
	double weight = exp(-shift / 2), sum = 0;

	for (int j = 0; j < 200; j++) {
		sum += weight * chi_squared_tail(x, dof + 2 * j);
		weight *= shift / 2 / (j + 1);
	}
	return sum;
}

/* Draw rates as they truly are: the power of so many games of each. */
static double
power_of_games(const double *rate, int n, double dof, double limit)
{
	double mean = 0, shift = 0;

	for (int g = 0; g <= dof; g++)
		mean += rate[g] / (dof + 1);
	for (int g = 0; g <= dof; g++)
		shift += n * pow(rate[g] - mean, 2) / mean / (1 - mean);
	return mixture_tail(limit, dof, shift);
}

static void
test_needed(void)
{
	/* Where the tail of chi squared is 0.05, from tables. */
	static const double limit[] = { 3.841458821, 5.991464547, 7.814727903,
		9.487729037, 11.07049769, 12.59158724, 14.06714045, 15.50731306,
		16.91897760 };
	struct homogeneity_group d[GROUPS];
	struct homogeneity h;
	double rate[GROUPS], worst = 0;

	for (int groups = 2; groups <= GROUPS; groups++) {
		for (int g = 0; g < groups; g++) {
			rate[g] = 0.2 + 0.03 * (g % 3) + 0.01 * g;
			d[g] = (struct homogeneity_group){ 1e9, rate[g], rate[g] };
		}
		homogeneity_of_shares(d, groups, &h);
		worst = fmax(worst,
		    fabs(power_of_games(rate, (int)h.games_needed, h.dof,
			     limit[groups - 2]) -
			POWER));
	}
	ok(worst < 0.01, "games needed by 2 to 10 groups: power within %.4f", worst);
}

static double
binomial(int k, int n, double p)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
	    (n - k) * log(1 - p));
}

/* The power of Pearson's test of two shares: every outcome counted out. */
static double
exact_power(double p, double q, int n)
{
	double sum = 0;

	for (int i = 0; i <= n; i++)
		for (int j = 0; j <= n; j++) {
			double mean = (i + j) / (2. * n), apart = i - j;
			if (apart * apart > 3.841458821 * 2 * n * mean * (1 - mean))
				sum += binomial(i, n, p) * binomial(j, n, q);
		}
	return sum;
}

static void
test_two(void)
{
	static const double rows[][2] = { { 0.3, 0.1 }, { 0.1, 0.15 }, { 0.8, 0.2 },
		{ 0.5, 0.12 } };
	double worst = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double p = rows[i][0], d = rows[i][1];
		int n = (int)power_of_share(p, d, 0.95);
		worst =
		    fmax(worst, fabs(exact_power(p, p < 0.5 ? p + d : p - d, n) - POWER));
	}
	ok(worst < 0.02, "games for two shares: exact power within %.4f", worst);
	/* A normal difference of two means beyond 1.96 errors. */
	double error = sqrt(2 * 0.2 / power_of_mean(0.2, 0.04, 0.95));
	double z = 0.04 / error - 1.959963985;
	ok(fabs(erfc(-z / M_SQRT2) / 2 - POWER) < 1e-3, "games for two means");
}

/* With as many games as are said to be needed the tests find it in 80 %. */
static void
test_power(void)
{
	struct homogeneity_group d[GROUPS], p[GROUPS];
	double win[GROUPS], draw[GROUPS];
	int turns = 2000, shares = 0, means = 0, pairs = 0, scores = 0;
	struct homogeneity h;
	struct rng r;

	/* True means in the place of observed ones, with very many games, so
	 * that what they differ by is no chance. */
	for (int g = 0; g < GROUPS; g++) {
		draw[g] = 0.25 + 0.012 * g;
		win[g] = 0.4 + 0.008 * g - draw[g] / 4;
		double score = win[g] + draw[g] / 2;
		d[g] = (struct homogeneity_group){ 1e9, draw[g], draw[g] };
		p[g] = (struct homogeneity_group){ 1e9, score, win[g] + draw[g] / 4 };
	}
	homogeneity_of_shares(d, GROUPS, &h);
	double shares_need = h.games_needed;
	ok(fabs(h.spread - 0.012 * sqrt(99. / 12 * 10 / 9)) < 1e-4,
	    "spread of the draw rates");
	homogeneity_of_means(p, GROUPS, &h);
	double means_need = h.games_needed;
	double pair_needs = power_of_share(0.3, 0.1, 0.95);
	double score_needs = power_of_mean(0.6 * 0.25, 0.1, 0.95);
	ok(shares_need < GAMES && means_need < GAMES && pair_needs < GAMES &&
		score_needs < GAMES,
	    "games needed: %g %g %g %g", shares_need, means_need, pair_needs,
	    score_needs);
	rng_init(&r, 5, 0);
	for (int turn = 0; turn < turns; turn++) {
		for (int g = 0; g < GROUPS; g++)
			sizes[g] = (int)shares_need;
		play(&r, GROUPS, win, draw);
		look(GROUPS, d, p);
		homogeneity_of_shares(d, GROUPS, &h);
		shares += h.p < 0.05;
		for (int g = 0; g < GROUPS; g++)
			sizes[g] = (int)means_need;
		play(&r, GROUPS, win, draw);
		look(GROUPS, d, p);
		homogeneity_of_means(p, GROUPS, &h);
		means += h.p < 0.05;
		sizes[0] = sizes[1] = (int)pair_needs;
		play(&r, 2, (double[]){ 0.3, 0.3 }, (double[]){ 0.3, 0.4 });
		look(2, d, p);
		homogeneity_of_shares(d, 2, &h);
		pairs += h.p < 0.05;
		sizes[0] = sizes[1] = (int)score_needs;
		play(&r, 2, (double[]){ 0.3, 0.4 }, (double[]){ 0.4, 0.4 });
		look(2, d, p);
		homogeneity_of_means(p, 2, &h);
		scores += h.p < 0.05;
	}
	ok(fabs(shares / (double)turns - POWER) < 0.04,
	    "draw rates of ten are told apart in %.1f %%", 100. * shares / turns);
	ok(fabs(means / (double)turns - POWER) < 0.04,
	    "scores of ten are told apart in %.1f %%", 100. * means / turns);
	ok(fabs(pairs / (double)turns - POWER) < 0.04,
	    "two draw rates are told apart in %.1f %%", 100. * pairs / turns);
	ok(fabs(scores / (double)turns - POWER) < 0.04,
	    "two scores are told apart in %.1f %%", 100. * scores / turns);
	ok(noticed_share(0.3, pair_needs, 0.95) <= 0.1 &&
		noticed_share(0.3, pair_needs - 2, 0.95) > 0.1 &&
		near(noticed_mean(0.15, score_needs, 0.95), 0.1, 0.01) &&
		isnan(noticed_share(0.5, 3, 0.95)),
	    "what so many games show");
}

int
main(void)
{
	test_tails();
	test_family();
	test_statistics();
	test_welch();
	test_size("30 and 60 games", 30, 0.35, 0.3);
	test_size("200 and 400 games", 200, 0.4, 0.15);
	test_apart();
	test_needed();
	test_two();
	test_power();
	return tap_end();
}
