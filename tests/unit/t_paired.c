/*
 * Differences of paired games: by closed forms and plain sums, and for
 * simulated pairs, whose true differences the intervals must cover.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/dirichlet.h"
#include "stats/paired.h"
#include "tap.h"

static double
normal(struct rng *rng)
{
	return sqrt(-2 * log(1 - rng_double(rng))) *
	    cos(6.28318530717958648 * rng_double(rng));
}

/* ---- by hand ---- */

/* The error of the mean of differences, one by one, is that of two means and
 * their correlation. */
static void
test_sums(void)
{
	enum { N = 500 };
	struct pairsums p = { 0 };
	static double x[N], y[N];
	double mx = 0, my = 0, vx = 0, vy = 0, md = 0, vd = 0;
	struct rng rng;

	rng_init(&rng, 1, 1);
	for (int i = 0; i < N; i++) {
		x[i] = rng_double(&rng);
		y[i] = x[i] / 2 + rng_double(&rng);
		pairsums_add(&p, x[i], y[i]);
		mx += x[i] / N;
		my += y[i] / N;
		md += (x[i] - y[i]) / N;
	}
	for (int i = 0; i < N; i++) {
		vx += pow(x[i] - mx, 2) / (N - 1);
		vy += pow(y[i] - my, 2) / (N - 1);
		vd += pow(x[i] - y[i] - md, 2) / (N - 1);
	}
	double ex = sqrt(vx / N), ey = sqrt(vy / N), ed = sqrt(vd / N);
	struct range d = paired_difference((struct range){ mx, mx - ex, mx + ex },
	    (struct range){ my, my - ey, my + ey }, paired_of_means(&p, N, N));
	ok(fabs(d.at - md) < 1e-12 && fabs(d.hi - md - ed) < 1e-12 &&
		fabs(md - d.lo - ed) < 1e-12,
	    "the error of differences, %.6f", ed);
	ok(fabs(paired_of_means(&p, 4 * N, N) - paired_correlation(&p) / 2) < 1e-12,
	    "of games without a partner it is less");
}

/* Two independent shares: Newcombe's interval, the example of his paper (1998,
 * 56 of 70 and 48 of 80 by Wilson's intervals: 0.0524 to 0.3339). */
static struct range
wilson(double k, double n)
{
	double z = 1.959964, p = k / n, d = 1 + z * z / n;
	double m = (p + z * z / 2 / n) / d;
	double h = z * sqrt(p * (1 - p) / n + z * z / 4 / n / n) / d;

	return (struct range){ p, m - h, m + h };
}

static void
test_newcombe(void)
{
	struct range d = paired_difference(wilson(56, 70), wilson(48, 80), 0);

	ok(fabs(d.at - 0.2) < 1e-12 && fabs(d.lo - 0.0524) < 5e-5 &&
		fabs(d.hi - 0.3339) < 5e-5,
	    "Newcombe's example: %.4f to %.4f", d.lo, d.hi);
}

static void
test_few(void)
{
	struct pairsums none = { 0 }, same = { 0 }, few = { 0 };
	bool good = true;

	ok(paired_of_means(&none, 0, 0) == 0, "no pairs say nothing");
	for (int i = 0; i < 2 * PAIRED_LEAST; i++) {
		pairsums_add(&few, i % 3, i % 3);
		double c = paired_of_means(&few, i + 1, i + 1);
		good &= fabs(c - (i + 1 >= PAIRED_LEAST)) < 1e-12;
	}
	ok(good, "a few are not enough");
	for (int i = 0; i < 50; i++)
		pairsums_add(&same, 0.1, i % 2);
	ok(paired_correlation(&same) == 0, "nor does what never differs");
}

/* z = 1.959964 with errors 1 and 1, correlation 1/2: the error of the
 * difference goes from sqrt(2) to 1, z to 2.771808. */
static void
test_probabilities(void)
{
	double less = 0.025, greater = 0.975;

	paired_probabilities(&less, &greater, 1, 1, 0);
	ok(less == 0.025 && greater == 0.975, "without correlation the same");
	paired_probabilities(&less, &greater, 1, 1, 0.5);
	ok(fabs(less - erfc(2.7718076 / M_SQRT2) / 2) < 1e-9 && less + greater == 1,
	    "with one half: %.9f", less);
	greater = 1e-100;
	less = 1;
	/* z of 1e-100 is 21.2734535; 3, 4 and 0.5 make sqrt(13) of 5 */
	paired_probabilities(&less, &greater, 3, 4, 0.5);
	double want = erfc(21.273453561 * 5 / sqrt(13) / M_SQRT2) / 2;
	ok(fabs(log(greater) / log(want) - 1) < 1e-8, "1e-100 becomes %.3g", greater);
	less = greater = 0.5;
	paired_probabilities(&less, &greater, 3, 4, 0.5);
	ok(less == 0.5 && greater == 0.5, "an even chance stays one");
	less = 0.2;
	greater = 0.8;
	paired_probabilities(&less, &greater, 1, 1, 1);
	ok(less == 0 && greater == 1, "where all errors cancel it is sure");
}

/* ---- coverage ---- */

/* Points of a game: normal numbers cut in two places, so that wins and draws
 * have these probabilities, whatever the correlation of pairs. */
static double
points(double z, double win, double draw)
{
	double u = erfc(-z * M_SQRT1_2) / 2;

	return u < win ? 1 : u < win + draw ? 0.5 : 0;
}

static void
count(struct dirichlet *c, double p)
{
	c->wins += p == 1;
	c->draws += p == 0.5;
	c->losses += p == 0;
}

/* One pair of rule sets with games of each, the first of them in pairs. */
struct sample {
	struct dirichlet a, b;
	struct pairsums draws, points;
};

struct truth {
	double win_a, draw_a, win_b, draw_b, latent;
};

static struct sample
draw_sample(struct rng *rng, const struct truth *t, int games, int pairs)
{
	struct sample s = { 0 };

	for (int i = 0; i < games; i++) {
		double za = normal(rng), zb = normal(rng);
		if (i < pairs)
			zb = t->latent * za + sqrt(1 - t->latent * t->latent) * zb;
		double x = points(za, t->win_a, t->draw_a);
		double y = points(zb, t->win_b, t->draw_b);
		count(&s.a, x);
		count(&s.b, y);
		if (i < pairs) {
			pairsums_add(&s.draws, x == 0.5, y == 0.5);
			pairsums_add(&s.points, x, y);
		}
	}
	return s;
}

static bool
holds(struct range r, double truth)
{
	return r.lo <= truth && truth <= r.hi;
}

/* Intervals of this many games at most, kept by their counts: samples have the
 * same ones again and again, and an interval takes longer than a sample. */
enum { GAMES_MAX = 300 };
static struct kept {
	bool known;
	struct range range;
} rates[GAMES_MAX + 1], scores[GAMES_MAX + 1][GAMES_MAX + 1];

static struct range
draw_rate(const struct dirichlet *c)
{
	struct kept *k = &rates[c->draws];

	if (!k->known)
		dirichlet_draw_rate(c, NULL, 0.95, &k->range);
	k->known = true;
	return k->range;
}

static struct range
score(const struct dirichlet *c)
{
	struct kept *k = &scores[c->wins][c->draws];

	if (!k->known)
		dirichlet_score(c, NULL, 0.95, &k->range);
	k->known = true;
	return k->range;
}

/* How often the interval of the difference holds the truth, and how wide it is
 * beside that of independent games; how often p is below 5 %. */
static void
test_coverage(const char *name, const struct truth *t, int games, int pairs,
    uint64_t seed)
{
	enum { RUNS = 1500 };
	bool alike = t->win_a == t->win_b && t->draw_a == t->draw_b;
	int draw_in = 0, score_in = 0, sure = 0;
	double width = 0, plain = 0;
	struct range a, b;
	struct dirichlet_probs probs;
	struct rng rng;

	memset(rates, 0, sizeof(rates));
	memset(scores, 0, sizeof(scores));
	rng_init(&rng, seed, 77);
	for (int i = 0; i < RUNS; i++) {
		struct sample s = draw_sample(&rng, t, games, pairs);
		a = draw_rate(&s.a);
		b = draw_rate(&s.b);
		draw_in += holds(paired_difference(a, b,
				     paired_of_means(&s.draws, games, games)),
		    t->draw_a - t->draw_b);
		a = score(&s.a);
		b = score(&s.b);
		double c = paired_of_means(&s.points, games, games);
		struct range d = paired_difference(a, b, c);
		score_in += holds(d, t->win_a + t->draw_a / 2 - t->win_b - t->draw_b / 2);
		width += d.hi - d.lo;
		d = paired_difference(a, b, 0);
		plain += d.hi - d.lo;
		/* An even spread of tests, as each is slow. */
		if (!alike || i % 5 != 0)
			continue;
		dirichlet_compare(&s.a, NULL, &s.b, NULL, &probs);
		paired_probabilities(&probs.score_less, &probs.score_greater, a.hi - a.lo,
		    b.hi - b.lo, c);
		sure += 2 * fmin(probs.score_less, probs.score_greater) < 0.05;
	}
	double draws = 100.0 * draw_in / RUNS, scored = 100.0 * score_in / RUNS;
	ok(draws >= 93 && draws <= 97 && scored >= 93 && scored <= 97,
	    "%s: draw rates %.1f %%, scores %.1f %%, width %.2f of independent games",
	    name, draws, scored, width / plain);
	if (alike)
		ok(sure >= 0.03 * RUNS / 5 && sure <= 0.07 * RUNS / 5,
		    "%s: p below 5 %% in %.1f %%", name, 500.0 * sure / RUNS);
}

int
main(void)
{
	struct truth same = { 0.4, 0.3, 0.4, 0.3, 0.5 };
	struct truth apart = { 0.45, 0.2, 0.35, 0.35, 0.7 };
	struct truth none = { 0.4, 0.3, 0.4, 0.3, 0 };
	struct truth against = { 0.4, 0.3, 0.3, 0.3, -0.5 };

	test_sums();
	test_newcombe();
	test_few();
	test_probabilities();
	test_coverage("30 pairs", &same, 30, 30, 6);
	test_coverage("100 pairs", &same, 100, 100, 1);
	test_coverage("300 pairs, rule sets apart", &apart, 300, 300, 2);
	test_coverage("300 pairs, uncorrelated", &none, 300, 300, 3);
	test_coverage("300 pairs, negative", &against, 300, 300, 4);
	test_coverage("half of 300 in pairs", &same, 300, 150, 5);
	return tap_end();
}
