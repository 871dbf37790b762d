/*
 * Shares of moves with games as the unit: by the definition, at the ends of
 * the range, and for simulated games, whose shares the intervals must cover.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/ratio.h"
#include "stats/special.h"
#include "tap.h"

static struct range
share(const struct pairsums *r, double level)
{
	struct range range = { NAN, NAN, NAN };

	ratio_share(r, level, &range);
	return range;
}

static void
test_ends(void)
{
	struct pairsums none = { 0 }, one = { 0 }, never = { 0 }, always = { 0 };
	struct pairsums same = { 0 };
	struct range r;

	r = share(&none, 0.95);
	ok(isnan(r.at) && r.lo == 0 && r.hi == 1, "no games");
	pairsums_add(&one, 80, 3);
	r = share(&one, 0.95);
	ok(r.at == 3. / 80 && r.lo == 0 && r.hi == 1, "one game");
	for (int i = 0; i < 99; i++) {
		pairsums_add(&never, 50 + i, 0);
		pairsums_add(&always, 50 + i, 50 + i);
		pairsums_add(&same, 50 + 50 * (i % 3), 1 + i % 3);
	}
	r = share(&never, 0.95);
	ok(r.at == 0 && r.lo == 0 && r.hi > 0.03 && r.hi < 0.04,
	    "never in 99 games: at most %.3f", r.hi);
	r = share(&always, 0.95);
	ok(r.at == 1 && r.hi == 1 && r.lo > 0.96 && r.lo < 0.97,
	    "always in 99 games: at least %.3f", r.lo);
	r = share(&same, 0.95);
	ok(r.lo < 0.02 && r.hi > 0.02 && r.hi < 0.1,
	    "the same share in all games says less than it seems");
}

/* With one move a game the game is the move, and all is Wilson's interval. */
static void
test_wilson(void)
{
	struct pairsums r = { 0 };
	double n = 200, hits = 30, p = hits / n, t, away = 0;

	for (int i = 0; i < n; i++)
		pairsums_add(&r, 1, i < hits);
	for (double level = 0.5; level < 1; level += 0.0999) {
		struct range range = share(&r, level);
		t = student_quantile((1 - level) / 2, n - 1);
		/* n - 1, as the variance of a sample has it */
		for (int end = 0; end < 2; end++) {
			double x = end ? range.hi : range.lo;
			away = fmax(away,
			    fabs((p - x) * (p - x) / (t * t * x * (1 - x) / (n - 1)) -
				1));
		}
	}
	ok(away < 1e-12, "one move a game: Wilson's interval, %.1g off", away);
}

/* Sums may be in any unit of length, and a longer level is a wider one. */
static void
test_shape(void)
{
	struct pairsums r = { 0 };
	struct rng rng;
	double last = 0;
	bool wider = true, inside = true;

	rng_init(&rng, 1, 0);
	for (int i = 0; i < 50; i++) {
		double all = 20 + (double)rng_below(&rng, 100);
		pairsums_add(&r, all, rng_below(&rng, 4));
	}
	for (double level = 1e-6; level < 1; level += 0.09) {
		struct range range = share(&r, level);
		wider &= range.hi - range.lo > last;
		inside &= range.lo > 0 && range.lo < range.at && range.at < range.hi &&
		    range.hi < 1;
		last = range.hi - range.lo;
	}
	ok(wider && inside, "intervals hold the share and grow with the level");
	struct range far = share(&r, 1 - 1e-6);
	ok(far.lo > 0 && far.hi - far.lo > last && far.hi < 1, "so at the highest level");
}

/* A ratio that is no share, from residuals one by one; with all = 1 the mean
 * of a sample and Student's interval. */
static void
test_mean(void)
{
	enum { N = 40 };
	double a[N], k[N], away = 0;
	struct range range;
	struct rng rng;

	rng_init(&rng, 2, 0);
	for (int turn = 0; turn < 20; turn++) {
		struct pairsums r = { 0 };
		double all = 0, kind = 0, squares = 0;
		for (int i = 0; i < N; i++) {
			a[i] = turn % 2 ? 1 : 20 + rng_below(&rng, 100);
			k[i] = a[i] * (20 + 30 * rng_double(&rng));
			pairsums_add(&r, a[i], k[i]);
			all += a[i];
			kind += k[i];
		}
		for (int i = 0; i < N; i++)
			squares += pow(k[i] - kind / all * a[i], 2);
		/* of 39 degrees of freedom, from a table */
		double error = 2.022690920 * sqrt(squares / (N - 1) * N) / all;
		ratio_mean(&r, 0.95, &range);
		away = fmax(away, fabs(range.at - kind / all));
		away = fmax(away, fabs(range.lo - kind / all + error));
		away = fmax(away, fabs(range.hi - kind / all - error));
	}
	ok(away < 1e-7, "ratios and means: %.1g off", away);
	struct pairsums one = { 0 };
	pairsums_add(&one, 1, 7);
	ratio_mean(&one, 0.95, &range);
	ok(range.at == 7 && isinf(range.lo) && isinf(range.hi),
	    "one game sets no limit to a mean");
}

/* ---- coverage ---- */

static double
normal(struct rng *rng)
{
	return sqrt(-2 * log(1 - rng_double(rng))) *
	    cos(6.28318530717958648 * rng_double(rng));
}

/* Gamma distributed with mean 1, by Marsaglia and Tsang. */
static double
gamma_mean_1(struct rng *rng, double shape)
{
	double a = shape < 1 ? shape + 1 : shape, d = a - 1. / 3, v, x;

	do {
		x = normal(rng);
		v = pow(1 + x / sqrt(9 * d), 3);
	} while (!(v > 0) ||
	    log(1 - rng_double(rng)) >= x * x / 2 + d - d * v + d * log(v));
	v *= d / shape;
	return shape < 1 ? v * pow(1 - rng_double(rng), 1 / shape) : v;
}

static double
poisson(struct rng *rng, double mean)
{
	double stop = exp(-fmin(mean, 500)), p = 1 - rng_double(rng);
	int n = 0;

	for (; p > stop; n++)
		p *= 1 - rng_double(rng);
	return n;
}

/*
 * Games of 20 plies and more, a few times that in long ones. The kind comes
 * `mean` times in a game of mean length; games differ in their taste for it,
 * the more the smaller `taste` is, and 0 means that they do not.
 */
static void
test_coverage(const char *name, int games, double mean, double taste, uint64_t seed)
{
	double truth = mean / 120;
	int held = 0, n = games < 1000 ? 4000 : 2000, below = 0;
	struct rng rng;

	for (int k = 0; k < n; k++) {
		struct pairsums r = { 0 };
		rng_init(&rng, seed, (uint64_t)k);
		for (int i = 0; i < games; i++) {
			double all = 20 + floor(100 * gamma_mean_1(&rng, 2));
			double rate = truth * (taste > 0 ? gamma_mean_1(&rng, taste) : 1);
			pairsums_add(&r, all, fmin(all, poisson(&rng, rate * all)));
		}
		struct range range = share(&r, 0.95);
		held += range.lo <= truth && truth <= range.hi;
		below += truth < range.lo;
	}
	ok(held > 0.93 * n && held < 0.97 * n,
	    "%s, %d games: 95 %% intervals hold the share in %.1f %%", name, games,
	    100. * held / n);
	note("below it in %.1f %%", 100. * below / n);
}

/* Castling: never more than twice, and mostly just that; such a kind is known
 * better than if its moves were independent. */
static void
test_castling(int games)
{
	double truth = (2 * 0.8 + 0.15) / 110;
	int held = 0, n = 4000;
	struct rng rng;

	for (int k = 0; k < n; k++) {
		struct pairsums r = { 0 };
		rng_init(&rng, 9, (uint64_t)k);
		for (int i = 0; i < games; i++) {
			double u = rng_double(&rng);
			pairsums_add(&r, 60 + (double)rng_below(&rng, 101),
			    u < 0.8 ? 2 : u < 0.95);
		}
		struct range range = share(&r, 0.95);
		held += range.lo <= truth && truth <= range.hi;
	}
	ok(held > 0.93 * n && held < 0.97 * n, "twice in most games, %d games: %.1f %%",
	    games, 100. * held / n);
}

/* Lengths of games, which are skewed; choice, which is a ratio and greater in
 * long games; and how far the winner was behind, mostly not at all. */
static void
test_mean_coverage(int games)
{
	static const char *const names[] = { "length", "choice", "drama" };
	/* E[length] of 20 + 100 g; E[a (25 + a / 20)] / E[a], where E[g g] is 3/2;
	 * 0.3 times the mean of u u */
	static const double truth[] = { 120, 25 + (400 + 4000 + 15000) / 120. / 20, 0.1 };
	int held[3] = { 0 }, n = 4000;
	struct range range;
	struct rng rng;

	for (int k = 0; k < n; k++) {
		struct pairsums r[3] = { { 0 } };
		rng_init(&rng, 10, (uint64_t)k);
		for (int i = 0; i < games; i++) {
			double a = 20 + 100 * gamma_mean_1(&rng, 2);
			double u = rng_double(&rng);
			pairsums_add(&r[0], 1, a);
			pairsums_add(&r[1], a, a * (25 + a / 20) * gamma_mean_1(&rng, 4));
			pairsums_add(&r[2], 1, rng_double(&rng) < 0.3 ? u * u : 0);
		}
		for (int i = 0; i < 3; i++) {
			ratio_mean(&r[i], 0.95, &range);
			held[i] += range.lo <= truth[i] && truth[i] <= range.hi;
		}
	}
	for (int i = 0; i < 3; i++)
		ok(held[i] > 0.93 * n && held[i] < 0.97 * n,
		    "mean %s of %d games: %.1f %%", names[i], games, 100. * held[i] / n);
}

int
main(void)
{
	test_ends();
	test_wilson();
	test_shape();
	test_mean();
	test_coverage("as if independent", 100, 1, 0, 1);
	test_coverage("in some games more", 100, 1, 2, 2);
	test_coverage("in few games much", 1000, 1, 0.3, 3);
	test_coverage("often", 300, 5, 2, 4);
	test_coverage("rare", 100, 0.05, 2, 5);
	test_coverage("rare and in clusters", 1000, 0.02, 0.3, 6);
	test_coverage("mostly not at all", 100, 0.01, 0, 7);
	test_coverage("few games", 30, 0.2, 2, 8);
	test_castling(20);
	test_castling(300);
	test_mean_coverage(200);
	test_mean_coverage(400);
	return tap_end();
}
