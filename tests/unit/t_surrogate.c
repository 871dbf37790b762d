/*
 * The Gaussian process compared with the textbook's matrices, and where the truth is
 * known; goals compared with sampling; the archive.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/elites.h"
#include "stats/goal.h"
#include "stats/surrogate.h"
#include "tap.h"

enum { D = 3, N = 7 };

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

static double
kernel(const struct surrogate_scale *s, const double *p, const double *q)
{
	double product = 0, far = 0;

	for (int i = 0; i < D; i++) {
		product += p[i] * q[i];
		far += (p[i] - q[i]) * (p[i] - q[i]);
	}
	return s->linear * product + s->smooth * exp(-far / 2 / s->length / s->length) +
	    (far == 0 ? s->own : 0);
}

/* Solves m x = b by elimination, and returns the logarithm of the determinant. */
static double
eliminate(int n, double m[][N + 1], double *x)
{
	double size = 0;

	for (int i = 0; i < n; i++) {
		size += log(m[i][i]);
		for (int k = i + 1; k < n; k++) {
			double f = m[k][i] / m[i][i];
			for (int j = i; j <= n; j++)
				m[k][j] -= f * m[i][j];
		}
	}
	for (int i = n - 1; i >= 0; i--) {
		x[i] = m[i][n];
		for (int j = i + 1; j < n; j++)
			x[i] -= m[i][j] * x[j];
		x[i] /= m[i][i];
	}
	return size;
}

struct sample {
	double x[N][D], y[N], se[N];
};

/* covariance^-1 times v. */
static double
solve(const struct surrogate_scale *s, const struct sample *of, const double *v,
    double *out)
{
	double m[N][N + 1];

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			m[i][j] = kernel(s, of->x[i], of->x[j]) +
			    (i == j ? of->se[i] * of->se[i] : 0);
		m[i][N] = v[i];
	}
	return eliminate(N, m, out);
}

static double
dot(const double *a, const double *b)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
	return sum;
}

static void
draw_sample(struct rng *rng, struct sample *s)
{
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < D; k++)
			s->x[i][k] = rng_normal(rng);
		s->y[i] = rng_normal(rng);
		s->se[i] = 0.1 + rng_double(rng);
	}
}

/* What a scale expects at a point, and its evidence, by whole matrices. */
static void
expect(const struct surrogate_scale *s, const struct sample *of, const double *at,
    double *mean, double *variance, double *evidence)
{
	double ones[N], a[N], b[N], k[N], v[N], rest[N];

	for (int i = 0; i < N; i++) {
		ones[i] = 1;
		k[i] = kernel(s, at, of->x[i]);
	}
	double size = solve(s, of, ones, b);
	double mu = dot(b, of->y) / dot(b, ones);
	for (int i = 0; i < N; i++)
		rest[i] = of->y[i] - mu;
	solve(s, of, rest, a);
	solve(s, of, k, v);
	double less = 1 - dot(b, k);
	*mean = mu + dot(a, k);
	*variance = kernel(s, at, at) - dot(k, v) + less * less / dot(b, ones);
	*evidence = -dot(a, rest) / 2 - size / 2 - log(dot(b, ones)) / 2;
}

static void
test_textbook(void)
{
	struct surrogate s;
	struct sample of;
	struct rng rng;
	double worst = 0, weights = 0, most = 0;

	for (uint64_t turn = 0; turn < 20; turn++) {
		double at[D], mean, sd, all = 0, squares = 0;
		rng_init(&rng, 1, turn);
		draw_sample(&rng, &of);
		surrogate_init(&s, D);
		for (int i = 0; i < N - 1; i++)
			surrogate_add(&s, of.x[i], of.y[i], of.se[i]);
		surrogate_fit(&s);
		for (int i = 1; i < s.nscales; i++) {
			const struct surrogate_scale *best = s.scales, *of_i = best + i;
			weights = fmax(weights,
			    fabs(of_i->weight / best->weight -
				exp(of_i->evidence - best->evidence)));
			most = fmax(most, of_i->weight);
		}
		surrogate_extend(&s, of.x[N - 1], of.y[N - 1], of.se[N - 1]);
		for (int i = 0; i < D; i++)
			at[i] = rng_normal(&rng);
		for (int i = 0; i < s.nscales; i++) {
			double m, v, evidence;
			expect(&s.scales[i], &of, at, &m, &v, &evidence);
			worst = fmax(worst, fabs(s.scales[i].evidence - evidence));
			all += s.scales[i].weight * m;
			squares += s.scales[i].weight * (v + m * m);
		}
		surrogate_predict(&s, at, &mean, &sd);
		worst = fmax(worst, fabs(mean - all));
		worst = fmax(worst, fabs(sd * sd - (squares - all * all)));
		surrogate_release(&s);
	}
	ok(worst < 1e-8, "means, variances and evidence of the textbook, within %.1g",
	    worst);
	ok(weights < 1e-9 && most > 0.1, "scales weigh as their evidence, within %.1g",
	    weights);
}

/* The most probable scale suits the function. */
static void
test_choice(void)
{
	struct surrogate s;
	struct rng rng;
	double x[2];

	rng_init(&rng, 2, 0);
	surrogate_init(&s, 2);
	for (int i = 0; i < 60; i++) {
		x[0] = rng_normal(&rng);
		x[1] = rng_normal(&rng);
		surrogate_add(&s, x, 3 * x[0] - 2 * x[1] + 0.1 * rng_normal(&rng), 0.1);
	}
	surrogate_fit(&s);
	double mean, sd, far[2] = { 6, -6 };
	surrogate_predict(&s, far, &mean, &sd);
	ok(s.scales[0].linear > s.scales[0].smooth && fabs(mean - 30) < 3,
	    "a line is found, and followed beyond the points: %.2f", mean);
	surrogate_release(&s);

	surrogate_init(&s, 2);
	for (int i = 0; i < 60; i++) {
		x[0] = 2 * rng_normal(&rng);
		x[1] = rng_normal(&rng);
		surrogate_add(&s, x, sin(2 * x[0]) + 0.05 * rng_normal(&rng), 0.05);
	}
	surrogate_fit(&s);
	ok(s.scales[0].length < 3 && s.scales[0].smooth > s.scales[0].linear,
	    "a wave is found, length %.2f", s.scales[0].length);
	surrogate_release(&s);
}

/* Functions drawn from the process itself: how often a prediction's interval holds
 * the truth. */
static void
test_coverage(void)
{
	int inside = 0, all = 0;
	double sum = 0;

	for (uint64_t turn = 0; turn < 300; turn++) {
		struct surrogate s;
		struct rng rng;
		double w[2][4], c;
		rng_init(&rng, 3, turn);
		c = rng_normal(&rng);
		for (int k = 0; k < 4; k++)
			for (int i = 0; i < 2; i++)
				w[i][k] = rng_normal(&rng);
		surrogate_init(&s, 4);
		for (int i = 0; i < 50; i++) {
			double x[4], truth = c, mean, sd;
			for (int k = 0; k < 4; k++)
				x[k] = rng_below(&rng, 3) - 1.0;
			for (int k = 0; k < 4; k++)
				truth += w[0][k] * x[k] +
				    0.5 * w[1][k] * x[k] * x[(k + 1) % 4];
			if (i < 40) {
				surrogate_add(&s, x, truth + 0.5 * rng_normal(&rng), 0.5);
				continue;
			}
			if (i == 40)
				surrogate_fit(&s);
			surrogate_predict(&s, x, &mean, &sd);
			inside += fabs(mean - truth) < 1.96 * sd;
			sum += (mean - truth) * (mean - truth);
			all++;
		}
		surrogate_release(&s);
	}
	double share = (double)inside / all;
	ok(share > 0.9 && share < 0.99,
	    "95 %% intervals of %d predictions hold the truth in %.1f %%, error %.2f",
	    all, 100 * share, sqrt(sum / all));
}

/* Few values whose errors hide the function, in many dimensions: whoever takes the
 * best scale for the true one is too sure. */
static void
test_weak_signal(void)
{
	enum { MANY = 30, FEW = 14 };
	int inside = 0, all = 0;

	for (uint64_t turn = 0; turn < 400; turn++) {
		struct surrogate s;
		struct rng rng;
		double w[MANY], x[MANY], mean, sd;
		rng_init(&rng, 5, turn);
		for (int k = 0; k < MANY; k++)
			w[k] = rng_normal(&rng);
		surrogate_init(&s, MANY);
		for (int i = 0; i < FEW + 10; i++) {
			double truth = 0;
			for (int k = 0; k < MANY; k++) {
				x[k] = i > 0 && rng_below(&rng, 15) == 0;
				truth += w[k] * x[k];
			}
			if (i == FEW)
				surrogate_fit(&s);
			if (i < FEW) {
				surrogate_add(&s, x, truth + rng_normal(&rng), 1);
				continue;
			}
			surrogate_predict(&s, x, &mean, &sd);
			inside += fabs(mean - truth) < 1.96 * sd;
			all++;
		}
		surrogate_release(&s);
	}
	double share = (double)inside / all;
	ok(share > 0.9 && share < 0.98,
	    "where errors hide the function, 95 %% intervals hold %.1f %%", 100 * share);
}

static void
test_edges(void)
{
	struct surrogate s;
	double x[1] = { 1 }, mean, sd;

	surrogate_init(&s, 1);
	surrogate_add(&s, x, 5, 0.1);
	surrogate_fit(&s);
	surrogate_predict(&s, x, &mean, &sd);
	ok(near(mean, 5, 1e-6) && sd > 0 && sd < 1, "one value: %.3f, %.3f", mean, sd);
	for (int i = 0; i < 40; i++)
		surrogate_add(&s, x, 5, 0);
	surrogate_fit(&s);
	surrogate_predict(&s, x, &mean, &sd);
	ok(near(mean, 5, 1e-3) && isfinite(sd), "the same point without error, 40 times");
	surrogate_release(&s);
}

static void
test_goals(void)
{
	const struct goal g[3] = { { 0.4, 0.6, 0.1, 1 }, { -INFINITY, 2, 1, 3 },
		{ 1, INFINITY, 0.5, 0.5 } };
	const double met[3] = { 0.5, -7, 1 }, missed[3] = { 0.7, 4, 0 };
	double mean[3] = { 0.55, 2.5, 0.8 }, sd[3] = { 0.2, 1, 0.7 }, y[3], loss = 0,
	       hits = 0, better = 0;
	enum { DRAWS = 200000 };
	static double z[DRAWS * 3];
	struct rng rng;

	ok(goals_loss(g, 3, met) == 0 &&
		near(goals_loss(g, 3, missed), 1 + 12 + 2, 1e-9) &&
		near(goal_miss(&g[0], 0.3), -1, 1e-9),
	    "misses count in units, squared and weighted");
	rng_init(&rng, 4, 0);
	goals_sample(&rng, z, DRAWS, 3);
	for (int k = 0; k < DRAWS; k++) {
		for (int i = 0; i < 3; i++)
			y[i] = mean[i] + sd[i] * z[3 * k + i];
		double one = goals_loss(g, 3, y);
		loss += one / DRAWS;
		hits += (one == 0) / (double)DRAWS;
		better += fmax(0, 1 - one) / DRAWS;
	}
	ok(near(goals_expected(g, 3, mean, sd), loss, 0.01) &&
		near(goals_chance(g, 3, mean, sd), hits, 0.01) &&
		near(goals_improvement(g, 3, mean, sd, 1, z, DRAWS), better, 1e-9) &&
		better > 0.05,
	    "expected loss %.3f, chance %.3f, improvement %.3f as sampled", loss, hits,
	    better);
	sd[0] = sd[1] = sd[2] = 0;
	ok(near(goals_expected(g, 3, missed, sd), 15, 1e-9) &&
		goals_chance(g, 3, missed, sd) == 0 && goals_chance(g, 3, met, sd) == 1 &&
		near(goals_improvement(g, 3, met, sd, 1, z, 10), 1, 1e-12),
	    "numbers without errors");
}

static void
test_elites(void)
{
	const double width[2] = { 0.1, 10 };
	const double a[2] = { 0.55, 73 }, b[2] = { 0.59, 79.9 }, c[2] = { -0.01, 73 };
	struct elites e;
	long cell[2];
	int kept = 0;

	elites_init(&e, width);
	kept += elites_offer(&e, a, 2, 10);
	kept += elites_offer(&e, b, 2, 11); /* no better */
	kept += elites_offer(&e, b, 1, 12);
	kept += elites_offer(&e, c, 9, 13);
	for (int i = 0; i < 100; i++)
		elites_offer(&e, (double[]){ 1, 10.0 * i }, 1, 100 + i);
	elites_cell(&e, a, cell);
	const struct elite *found = elites_find(&e, cell);
	ok(kept == 3 && e.n == 102 && found != NULL && found->item == 12 &&
		e.all[1].item == 13 && e.all[1].cell[0] == -1,
	    "each cell keeps its best");
	cell[0] = 77;
	ok(elites_find(&e, cell) == NULL, "an empty cell has none");
	elites_release(&e);
}

int
main(void)
{
	test_textbook();
	test_choice();
	test_coverage();
	test_weak_signal();
	test_edges();
	test_goals();
	test_elites();
	return tap_end();
}
