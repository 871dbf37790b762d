/*
 * Rank correlation: by hand, by the formula for ranks without ties, by
 * counting all orders; intervals beside their definition and for simulated
 * samples, with ties and without.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/rank.h"
#include "tap.h"

static struct rank_work work;

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static double
rho(const struct pair *p, int n)
{
	if (!rank_reserve(&work, n))
		abort();
	return rank_spearman(&work, p, n);
}

static double
p_value(const struct pair *p, int n, int samples, uint64_t seed)
{
	struct rng r;

	rng_init(&r, seed, 0);
	if (!rank_reserve(&work, n))
		abort();
	return rank_p(&work, p, n, samples, &r);
}

static void
test_ranks(void)
{
	const double value[] = { 3, 1, 3, INFINITY, -INFINITY, 3, 2 };
	const double want[] = { 5, 2, 5, 7, 1, 5, 3 };
	double rank[7];
	int order[7];
	bool good = true;

	rank_average(value, 1, 7, rank, order);
	for (int i = 0; i < 7; i++)
		good &= rank[i] == want[i];
	ok(good, "ties share the mean of their ranks; infinite numbers are ranked");
	rank_average(value, 2, 3, rank, order);
	ok(rank[0] == 2.5 && rank[1] == 2.5 && rank[2] == 1, "every second value");
}

static void
test_rho(void)
{
	const struct pair up[] = { { 1, 10 }, { 2, 20 }, { 3, 1e9 }, { 4, INFINITY } };
	const struct pair down[] = { { 1, 4 }, { 2, 3 }, { 3, 2 }, { 4, 1 } };
	/* x ranks 1 2 3 4 5; y ranks 2.5 1 2.5 4 5: sums of squares 10 and
	 * 9.5, of products 8, about the mean 3 */
	const struct pair tied[] = { { 1, 7 }, { 2, 5 }, { 3, 7 }, { 4, 8 }, { 5, 9 } };
	const struct pair flat[] = { { 1, 7 }, { 2, 7 }, { 3, 7 } };

	ok(rho(up, 4) == 1, "the same order");
	ok(rho(down, 4) == -1, "the opposite order");
	ok(near(rho(tied, 5), 8 / sqrt(10 * 9.5)), "ties");
	ok(isnan(rho(flat, 3)), "nothing to order");
	ok(isnan(rho(up, 0)) && isnan(rho(up, 1)), "too few pairs");
	ok(rho(up, 2) == 1, "two pairs");
}

/* 1 - 6 sum d^2 / (n (n^2 - 1)) holds where there are no ties. */
static void
test_formula(void)
{
	struct pair p[40];
	struct rng r;
	bool good = true;

	rng_init(&r, 1, 1);
	for (int n = 2; n <= 40; n++) {
		double rank_x[40], rank_y[40], sum = 0;
		int order[40];
		for (int i = 0; i < n; i++)
			p[i] = (struct pair){ rng_double(&r), rng_double(&r) };
		rank_average(&p->x, 2, n, rank_x, order);
		rank_average(&p->y, 2, n, rank_y, order);
		for (int i = 0; i < n; i++)
			sum += (rank_x[i] - rank_y[i]) * (rank_x[i] - rank_y[i]);
		good &= near(rho(p, n), 1 - 6 * sum / (n * ((double)n * n - 1)));
	}
	ok(good, "the formula without ties, 2 to 40 pairs");
}

static void
test_p(void)
{
	const struct pair five[] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 } };
	const struct pair four[] = { { 1, 1 }, { 2, 2 }, { 3, 4 }, { 4, 3 } };
	const struct pair flat[] = { { 1, 7 }, { 2, 7 }, { 3, 7 } };
	struct pair nine[9];

	ok(near(p_value(five, 5, 1, 0), 2.0 / 120),
	    "2 of 120 orders are as far as the perfect one");
	/* rho 0.8: of the 24 orders one has 1 and three have 0.8, and as many
	 * the opposite */
	ok(near(p_value(four, 4, 1, 0), 8.0 / 24), "rho 0.8 of four pairs");
	ok(isnan(p_value(flat, 3, 1, 0)), "no rho, no p");

	/* More than are counted out: rho = 1 is as far as 2 of 9! orders. */
	for (int i = 0; i < 9; i++)
		nine[i] = (struct pair){ i, i };
	ok(near(p_value(nine, 9, 999, 3), 1.0 / 1000), "none of 999 orders is as far");
	ok(near(p_value(nine, 9, 1, 3), 1.0 / 2), "nor is one");
}

/* Of unrelated pairs, p is uniform: a tenth has p <= 0.1, be it counted out
 * or drawn. */
static void
test_p_uniform(int n)
{
	enum { TRIALS = 2000 };
	struct pair p[12];
	struct rng r;
	int below = 0;

	rng_init(&r, 2, (uint64_t)n);
	for (int k = 0; k < TRIALS; k++) {
		for (int i = 0; i < n; i++)
			p[i] = (struct pair){ i, rng_double(&r) };
		below += p_value(p, n, 199, (uint64_t)k) <= 0.1;
	}
	/* five standard errors of 0.1 are 0.034 */
	ok(below < 0.134 * TRIALS && below > 0.06 * TRIALS,
	    "p <= 0.1 in %.3f of unrelated samples of %d", (double)below / TRIALS, n);
}

/* The bounds solve their equation, and hold rho. */
static void
test_interval(void)
{
	static const struct pair ten[] = { { 1, 3 }, { 2, 1 }, { 3, 2 }, { 4, 6 },
		{ 5, 4 }, { 6, 9 }, { 7, 5 }, { 8, 10 }, { 9, 8 }, { 10, 7 } };
	static const struct pair tied[] = { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 4, 1 },
		{ 5, 2 }, { 6, 1 }, { 7, 2 }, { 8, 2 }, { 9, 2 } };
	struct pair perfect[6];
	double lo, hi, narrow_lo, narrow_hi;

	double r = rho(ten, 10);
	rank_interval(&work, ten, 10, 0.95, &lo, &hi);
	ok(fabs((atanh(r) - atanh(lo)) / sqrt((1 + lo * lo / 2) / 7) - 1.9599639845) <
		    1e-8 &&
		fabs((atanh(hi) - atanh(r)) / sqrt((1 + hi * hi / 2) / 7) -
		    1.9599639845) < 1e-8,
	    "%.3f within %.3f and %.3f, 1.96 errors off", r, lo, hi);
	rank_interval(&work, ten, 10, 0.5, &narrow_lo, &narrow_hi);
	ok(lo < narrow_lo && narrow_lo < r && r < narrow_hi && narrow_hi < hi,
	    "a lower level, a narrower interval");
	r = rho(tied, 9);
	rank_interval(&work, tied, 9, 0.95, &lo, &hi);
	ok(lo < r && r < hi, "%.3f of ties within %.3f and %.3f", r, lo, hi);

	/* Six in order: half of 12 / (n^3 - n) less than 1. */
	for (int i = 0; i < 6; i++)
		perfect[i] = (struct pair){ i, i };
	rho(perfect, 6);
	rank_interval(&work, perfect, 6, 0.95, &lo, &hi);
	ok(hi == 1 &&
		fabs((atanh(1 - 6.0 / 210) - atanh(lo)) / sqrt((1 + lo * lo / 2) / 3) -
		    1.9599639845) < 1e-8,
	    "a perfect order: %.3f to 1", lo);
	for (int i = 0; i < 6; i++)
		perfect[i].x = -i;
	rank_interval(&work, perfect, 6, 0.95, &narrow_lo, &narrow_hi);
	ok(narrow_lo == -1 && fabs(narrow_hi + lo) < 1e-12, "and the opposite one");
	rank_interval(&work, perfect, 3, 0.95, &lo, &hi);
	ok(lo == -1 && hi == 1, "three pairs tell nothing");
	rank_interval(&work, perfect, 2, 0.95, &lo, &hi);
	ok(isnan(lo) && isnan(hi), "two pairs have no interval");
}

/* ---- coverage ---- */

/* Two normal numbers with this correlation; each may be cut into so many
 * levels of the same probability, which are ties then. */
struct population {
	double latent;
	int levels_x, levels_y;
};

static double
cut(double z, int levels)
{
	return levels == 0 ? z : floor(levels * erfc(-z * M_SQRT1_2) / 2);
}

static void
draw_pairs(struct pair *p, int n, const struct population *of, struct rng *r)
{
	for (int i = 0; i < n; i++) {
		double u = sqrt(-2 * log(1 - rng_double(r)));
		double turn = 2 * M_PI * rng_double(r), z = u * cos(turn);
		p[i].x = cut(z, of->levels_x);
		p[i].y = cut(of->latent * z +
			sqrt(1 - of->latent * of->latent) * u * sin(turn),
		    of->levels_y);
	}
}

/* The true rho is that of very many pairs. */
static void
test_coverage(const struct population *of, int n, double most)
{
	enum { MANY = 60000, RUNS = 3000 };
	static struct pair p[MANY];
	int held = 0, inside = 0, known = 0;
	double lo, hi, truth;
	struct rng r;

	rng_init(&r, 11, (uint64_t)(100 * of->latent + n));
	draw_pairs(p, MANY, of, &r);
	truth = rho(p, MANY);
	for (int i = 0; i < RUNS; i++) {
		draw_pairs(p, n, of, &r);
		double at = rho(p, n);
		if (isnan(at))
			continue;
		rank_interval(&work, p, n, 0.95, &lo, &hi);
		known++;
		held += lo <= truth && truth <= hi;
		inside += lo <= at && at <= hi;
	}
	double share = 100.0 * held / known;
	ok(inside == known && share >= 93 && share <= most,
	    "%d pairs, levels %d and %d, true rho %.2f: held in %.1f %%", n, of->levels_x,
	    of->levels_y, truth, share);
}

static void
test_coverages(void)
{
	static const struct population usual[] = { { 0, 0, 0 }, { 0.5, 0, 0 },
		{ 0.8, 0, 0 }, { 0, 0, 3 }, { 0.3, 0, 3 }, { 0.6, 0, 3 }, { 0.3, 3, 3 },
		{ 0.6, 3, 3 }, { 0, 5, 5 }, { 0.6, 5, 5 }, { 0.8, 5, 5 } };
	/* As high as ties let it be: no interval of a sample is that wide. */
	static const struct population extreme[] = { { 0.95, 0, 3 }, { 0.95, 3, 3 },
		{ 0.95, 5, 5 }, { 0.8, 0, 2 } };

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		test_coverage(&usual[i], 10, 97);
		test_coverage(&usual[i], 20, 97);
	}
	for (size_t i = 0; i < sizeof(extreme) / sizeof(*extreme); i++)
		test_coverage(&extreme[i], 10, 100);
}

/* Pairs counted from the definition, one by one. */
static void
test_order(void)
{
	static const struct pair p[] = { { 1, 10 }, { 2, 20 }, { 1.5, 21 }, { 1.5, 40 },
		{ 9, INFINITY } };
	static const struct pair e[] = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 },
		{ 0, 0 } };
	static const struct pair wide[] = { { 1, 0 }, { 1, 0 } };
	static const struct pair two[] = { { 5, 3 }, { 4, 1 } };
	struct rank_order o;

	/* All pairs but 20 and 21, which are less than two errors apart; of these
	 * 40 is behind 20 and ties with 21. */
	rank_order(p, e, 5, 1.96, &o);
	ok(o.rows == 9 && o.same == 7.5 && o.expected == 9,
	    "pairs that are set apart, and those in order: %g of %g", o.same, o.rows);
	rank_order(p, e, 5, 0.1, &o);
	ok(o.rows == 10 && o.same == 7.5, "with fewer errors all");
	/* A difference of 2 with a variance of 2. */
	rank_order(two, wide, 2, 1.96, &o);
	ok(o.rows == 1 && o.same == 1 && fabs(o.expected - 0.5 * erfc(-1)) < 1e-14,
	    "what errors leave");
	rank_order(two, wide, 1, 1.96, &o);
	ok(o.rows == 0, "one row has no pairs");
}

static void
test_expected(void)
{
	enum { ROWS = 5 };
	static const struct pair p[ROWS] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 5 },
		{ 0, 5.5 } };
	static const struct pair exact[ROWS];
	struct pair e[ROWS], q[ROWS];
	double sum = 0;
	struct rng r;

	rank_reserve(&work, ROWS);
	rng_init(&r, 1, 1);
	ok(fabs(rank_expected(&work, p, exact, ROWS, 10, &r) - 1) < 1e-12,
	    "without errors the order is that of the truth");
	for (int i = 0; i < ROWS; i++)
		e[i] = (struct pair){ 1.5, 0 };
	double expected = rank_expected(&work, p, e, ROWS, 40000, &r);
	/* Normal errors as sums of uniform ones, rho by sorting plainly. */
	for (int k = 0; k < 40000; k++) {
		for (int i = 0; i < ROWS; i++) {
			double error = -6;
			for (int j = 0; j < 12; j++)
				error += rng_double(&r);
			q[i] = (struct pair){ p[i].y + 1.5 * error, p[i].y };
		}
		double d = 0;
		for (int i = 0; i < ROWS; i++) {
			double rank = 0;
			for (int j = 0; j < ROWS; j++)
				rank += q[j].x < q[i].x;
			d += (rank - i) * (rank - i);
		}
		sum += 1 - 6 * d / (ROWS * (ROWS * ROWS - 1));
	}
	ok(fabs(expected - sum / 40000) < 0.01, "expected rho %.3f, plainly %.3f",
	    expected, sum / 40000);
	ok(isnan(rank_expected(&work, p, e, 2, 10, &r)), "of two pairs none");
}

/* Two rows that are 1 apart, with errors of 1 each: the share is 1 with the
 * probability of a normal number above -1/sqrt(2), 0.7602, and 0 else. And the
 * error is what shares of simulated samples differ by. */
static void
test_order_error(void)
{
	enum { ROWS = 10, RUNS = 400 };
	static const struct pair two[] = { { 0, 1 }, { 1, 2 } };
	struct pair e[ROWS], none[ROWS] = { 0 }, p[ROWS];
	struct rank_order o;
	struct rng r;
	double sum = 0, squares = 0, error = 0;
	static double shares[40000];

	for (int i = 0; i < ROWS; i++)
		e[i] = (struct pair){ 1, 0.1 };
	rng_init(&r, 3, 4);
	rank_reserve(&work, ROWS);
	ok(fabs(rank_order_error(&work, two, e, 2, 1.96, 40000, shares, &r) - 0.427) <
		0.005,
	    "a share that is 1 with a probability of 0.76");
	ok(rank_order_error(&work, two, none, 2, 1.96, 100, shares, &r) == 0,
	    "no errors, no error of the share");
	ok(isnan(rank_order_error(&work, two, e, 1, 1.96, 100, shares, &r)),
	    "no pair, no error");
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < ROWS; i++) {
			double sample = -6;
			for (int j = 0; j < 12; j++)
				sample += rng_double(&r);
			p[i] = (struct pair){ i * 0.5 + sample, i * 0.5 };
		}
		rank_order(p, e, ROWS, 1.96, &o);
		sum += o.same / o.rows;
		squares += o.same / o.rows * (o.same / o.rows);
		error +=
		    rank_order_error(&work, p, e, ROWS, 1.96, 200, shares, &r) / RUNS;
	}
	double sd = sqrt(squares / RUNS - sum / RUNS * (sum / RUNS));
	ok(error > 0.9 * sd && error < 1.25 * sd,
	    "shares of samples vary by %.4f, the error is %.4f", sd, error);
}

/* Rows from a population in which x is y plus a deviation of each row's own, measured
 * with an error: the interval must have the share of the population in it about as often
 * as it says, which errors alone do not. */
static void
test_order_interval(void)
{
	enum { ROWS = 10, RUNS = 500, SAMPLES = 400 };
	static double shares[SAMPLES];
	static const double own = 0.7, error = 0.3;
	struct pair e[ROWS], p[ROWS];
	struct rng r;
	int held = 0, narrow = 0;
	/* of two rows x and y have the correlation rho */
	double rho = 1 / sqrt(1 + own * own + error * error);
	double truth = 0.5 + asin(rho) / acos(-1), lo, hi;

	for (int i = 0; i < ROWS; i++)
		e[i] = (struct pair){ error, 0 };
	rng_init(&r, 3, 9);
	rank_reserve(&work, ROWS);
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < ROWS; i++) {
			double y = rng_normal(&r);
			p[i] = (struct pair){
				y + own * rng_normal(&r) + error * rng_normal(&r), y
			};
		}
		rank_order_interval(&work, p, e, ROWS, 1.96, 0.95, SAMPLES, shares, &r,
		    &lo, &hi);
		held += lo <= truth && truth <= hi;
		struct rank_order o;
		rank_order(p, e, ROWS, 1.96, &o);
		double se = rank_order_error(&work, p, e, ROWS, 1.96, 100, shares, &r);
		narrow += fabs(o.same / o.rows - truth) < 1.96 * se;
	}
	ok(held > 0.91 * RUNS && held < 0.99 * RUNS,
	    "intervals over rows have the truth in %d of %d runs", held, RUNS);
	ok(narrow < 0.8 * RUNS, "those of errors alone in %d", narrow);
	rank_order_interval(&work, p, e, 2, 1.96, 0.95, SAMPLES, shares, &r, &lo, &hi);
	ok(isnan(lo) && isnan(hi), "none of two rows");
}

/* By hand; and as above, for two measures that share a part of each row's deviation and
 * whose agreement differs: the interval has the difference in it. */
static void
test_order_difference(void)
{
	enum { ROWS = 10, RUNS = 500, SAMPLES = 400 };
	static double differences[SAMPLES];
	static const struct pair four[] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } };
	static const struct pair worse[] = { { 2, 0 }, { 1, 0 }, { 3, 0 }, { 3, 0 } };
	static const struct pair exact[ROWS];
	static const double shared = 0.5, own = 0.4, others_own = 1.2, error = 0.3;
	struct pair e[ROWS], p[ROWS], q[ROWS];
	struct range d;
	struct rng r;
	int held = 0, clear = 0;
	double rest = 1 + shared * shared + error * error;
	double truth = (asin(1 / sqrt(rest + own * own)) -
			   asin(1 / sqrt(rest + others_own * others_own))) /
	    acos(-1);

	for (int i = 0; i < ROWS; i++)
		e[i] = (struct pair){ error, 0 };
	rng_init(&r, 3, 10);
	rank_reserve(&work, ROWS);
	rank_order_difference(&work, four, exact, worse, exact, 4, 1.96, 0.95, SAMPLES,
	    differences, &r, &d);
	ok(fabs(d.at - 0.25) < 1e-12 && d.lo < 0.25 && d.hi > 0.25 && d.lo >= -1 &&
		d.hi <= 1,
	    "one of six pairs is wrong and one is tied: 1.5 of 6 less");
	rank_order_difference(&work, four, exact, four, exact, 4, 1.96, 0.95, SAMPLES,
	    differences, &r, &d);
	ok(d.at == 0 && d.lo == 0 && d.hi == 0, "no difference from itself");
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < ROWS; i++) {
			double y = rng_normal(&r), both = y + shared * rng_normal(&r);
			p[i].y = y;
			p[i].x = both + own * rng_normal(&r) + error * rng_normal(&r);
			q[i].x =
			    both + others_own * rng_normal(&r) + error * rng_normal(&r);
		}
		rank_order_difference(&work, p, e, q, e, ROWS, 1.96, 0.95, SAMPLES,
		    differences, &r, &d);
		held += d.lo <= truth && truth <= d.hi;
		clear += d.lo > 0;
	}
	ok(held > 0.91 * RUNS && held < 0.99 * RUNS,
	    "intervals have the difference of %.3f in %d of %d runs", truth, held, RUNS);
	ok(clear > 0 && clear < RUNS, "it is clear in %d", clear);
	rank_order_difference(&work, four, exact, worse, exact, 2, 1.96, 0.95, SAMPLES,
	    differences, &r, &d);
	ok(d.at == 1 && isnan(d.lo) && isnan(d.hi), "no interval from two rows");
	rank_order_difference(&work, four, exact, worse, exact, 0, 1.96, 0.95, SAMPLES,
	    differences, &r, &d);
	ok(isnan(d.at), "nothing from none");
}

/* Two rows that are 1 apart, with errors of 1 each: in order with the
 * probability of a normal number above -1/sqrt(2), 0.7602. And for simulated
 * samples: the share lies below the least one as often as it should, and is the
 * expected one on the average. */
static void
test_least(void)
{
	enum { SAMPLES = 4000, ROWS = 20, RUNS = 2000 };
	static double shares[SAMPLES];
	static const struct pair two[] = { { 0, 1 }, { 0, 2 } };
	struct pair e[ROWS];
	struct pair p[ROWS];
	struct rank_order o;
	struct rng r;
	int below = 0, up_to = 0;
	double expected = 0, mean = 0;

	for (int i = 0; i < ROWS; i++)
		e[i] = (struct pair){ 1, 0.1 };
	rng_init(&r, 3, 3);
	rank_reserve(&work, ROWS);
	ok(rank_order_least(&work, two, e, 2, 1.96, 0.75, SAMPLES, shares, &r) == 1 &&
		rank_order_least(&work, two, e, 2, 1.96, 0.77, SAMPLES, shares, &r) == 0,
	    "in order with a probability of 0.760");
	ok(isnan(rank_order_least(&work, two, e, 1, 1.96, 0.95, SAMPLES, shares, &r)),
	    "no pair, no share");
	for (int i = 0; i < ROWS; i++)
		p[i] = (struct pair){ 0, i * 0.3 };
	double least =
	    rank_order_least(&work, p, e, ROWS, 1.96, 0.95, SAMPLES, shares, &r);
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < ROWS; i++) {
			double error = -6;
			for (int j = 0; j < 12; j++)
				error += rng_double(&r);
			p[i].x = p[i].y + error;
		}
		rank_order(p, e, ROWS, 1.96, &o);
		below += o.same / o.rows < least;
		up_to += o.same / o.rows <= least;
		mean += o.same / o.rows / RUNS;
		expected = o.expected / o.rows;
	}
	ok(below <= 0.065 * RUNS && up_to >= 0.04 * RUNS && below >= 0.03 * RUNS,
	    "below %.3f in %.1f %% of samples with errors alone, up to it in %.1f", least,
	    100.0 * below / RUNS, 100.0 * up_to / RUNS);
	ok(fabs(mean - expected) < 0.002, "the mean share is %.4f, expected %.4f", mean,
	    expected);
}

static void
test_log_correlation(void)
{
	static const struct pair power[] = { { 1, 1 }, { 2, 8 }, { 3, 27 } };
	static const struct pair bad[] = { { 1, 1 }, { 0, 8 }, { 3, 27 } };
	static const struct pair some[] = { { 1, 2 }, { M_E, 1 }, { M_E, 2 } };
	static const struct pair same[] = { { 1, 5 }, { 2, 5 }, { 3, 5 } };

	ok(fabs(rank_log_correlation(power, 3) - 1) < 1e-12, "a power law");
	ok(isnan(rank_log_correlation(bad, 3)) && isnan(rank_log_correlation(power, 2)) &&
		isnan(rank_log_correlation(same, 3)),
	    "no logarithm, too few, all the same");
	/* logs 0 1 1 and a 0 a: covariance -a/9, variances 2/9 and 2 a a/9 */
	ok(fabs(rank_log_correlation(some, 3) + 0.5) < 1e-12, "by hand");
}

/* The correlation of the logarithms of three numbers with those of 1, 2 and 4,
 * which are -log 2, 0 and log 2 around their mean. */
static double
plain_log_correlation(double x, double y, double z)
{
	double a = log(x), b = log(y), c = log(z), m = (a + b + c) / 3;

	return (c - a) /
	    sqrt(2 * ((a - m) * (a - m) + (b - m) * (b - m) + (c - m) * (c - m)));
}

static void
test_log_expected(void)
{
	enum { SAMPLES = 40000 };
	static const struct pair p[] = { { 9, 1 }, { 8, 2 }, { 7, 4 } };
	static const struct pair exact[3];
	static const struct pair one[] = { { 0, 5 }, { 0.4, 0 }, { 0, 5 } };
	static const struct pair all[] = { { 0.2, 0 }, { 0.4, 0 }, { 0.6, 0 } };
	static const struct pair wide[] = { { 50, 0 }, { 50, 0 }, { 50, 0 } };
	double sum = 0, weights = 0, mean = 0;
	struct rng r;

	rank_reserve(&work, 3);
	rng_init(&r, 5, 5);
	ok(fabs(rank_log_expected(&work, p, exact, 3, 10, &r) - 1) < 1e-12,
	    "without errors the logarithms are those of the truth");
	/* One error: an integral over it, as far as 2 + 0.4 z is positive. */
	for (double z = -4.99; z < 6; z += 0.001) {
		double weight = exp(-z * z / 2);
		sum += weight * plain_log_correlation(1, 2 + 0.4 * z, 4);
		weights += weight;
	}
	double expected = rank_log_expected(&work, p, one, 3, SAMPLES, &r);
	ok(fabs(expected - sum / weights) < 0.001,
	    "expected correlation of logarithms %.4f, by integration %.4f", expected,
	    sum / weights);
	/* Three: normal errors as sums of uniform ones. */
	for (int k = 0; k < SAMPLES; k++) {
		double error[3] = { -6, -6, -6 };
		for (int i = 0; i < 36; i++)
			error[i % 3] += rng_double(&r);
		mean += plain_log_correlation(1 + 0.2 * error[0], 2 + 0.4 * error[1],
			    4 + 0.6 * error[2]) /
		    SAMPLES;
	}
	expected = rank_log_expected(&work, p, all, 3, SAMPLES, &r);
	ok(fabs(expected - mean) < 0.003, "with three errors %.4f, plainly %.4f",
	    expected, mean);
	/* Most samples have no logarithm; the others count. */
	expected = rank_log_expected(&work, p, wide, 3, SAMPLES, &r);
	ok(fabs(expected) < 0.1, "errors that swamp all: %.3f", expected);
	ok(isnan(rank_log_expected(&work, p, all, 2, 10, &r)), "of two none");
}

int
main(void)
{
	test_ranks();
	test_rho();
	test_formula();
	test_p();
	test_p_uniform(7);
	test_p_uniform(12);
	test_interval();
	test_coverages();
	test_order();
	test_expected();
	test_least();
	test_order_error();
	test_order_interval();
	test_order_difference();
	test_log_correlation();
	test_log_expected();
	rank_release(&work);
	return tap_end();
}
