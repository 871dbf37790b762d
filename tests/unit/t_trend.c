/*
 * Lines with errors: by the normal equations, by hand, and for simulated games
 * whose true line the intervals must cover.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/dirichlet.h"
#include "stats/trend.h"
#include "tap.h"

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fmax(1, fabs(b));
}

static double
normal(struct rng *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += rng_double(r);
	return sum;
}

/* The line y = a + b log2 x and its covariance from the 2 x 2 equations. */
static void
test_equations(void)
{
	struct trend_point p[6];
	struct trend t;
	struct rng r;
	bool good = true;

	rng_init(&r, 1, 0);
	for (int turn = 0; turn < 50; turn++) {
		double m00 = 0, m01 = 0, m11 = 0, v0 = 0, v1 = 0, se;
		for (int i = 0; i < 6; i++) {
			p[i] = (struct trend_point){ exp(8 * rng_double(&r)),
				rng_double(&r), 0.1 + rng_double(&r) };
			double w = 1 / (p[i].se * p[i].se), x = log2(p[i].x);
			m00 += w;
			m01 += w * x;
			m11 += w * x * x;
			v0 += w * p[i].y;
			v1 += w * x * p[i].y;
		}
		double det = m00 * m11 - m01 * m01;
		double a = (m11 * v0 - m01 * v1) / det;
		double b = (m00 * v1 - m01 * v0) / det;
		trend_fit(p, 6, &t);
		double y = trend_at(&t, 1000, &se), x = log2(1000);
		good &= near(t.slope, b) && near(t.slope_se, sqrt(m00 / det)) &&
		    near(t.mean, v0 / m00) && near(y, a + b * x) &&
		    near(se, sqrt((m11 - 2 * x * m01 + x * x * m00) / det));
	}
	ok(good, "slope, mean, place on the line, and their errors");
}

static void
test_few(void)
{
	struct trend_point p[] = { { 4, 1, 0.5 }, { 4, 3, 0.5 }, { 16, 6, 0.5 } };
	struct trend t;

	trend_fit(p, 0, &t);
	ok(isnan(t.mean) && isnan(t.slope) && isnan(t.p_fit), "no points");
	trend_fit(p, 1, &t);
	ok(t.mean == 1 && t.mean_se == 0.5 && isnan(t.slope), "one point");
	trend_fit(p, 2, &t);
	ok(t.mean == 2 && isnan(t.slope) && !trend_may_tell(&t, 4, 2),
	    "two points at the same place");
	trend_fit(p + 1, 2, &t);
	ok(near(t.slope, 1.5) && isnan(t.p_fit) && trend_may_tell(&t, 8, 2) &&
		!trend_may_tell(&t, 17, 2),
	    "two points tell nothing beyond them");
	/* The line goes through 2 and 6; the two at 4 are 1 off, 2 errors each. */
	trend_fit(p, 3, &t);
	ok(near(t.slope, 2) && near(t.p_fit, erfc(2)), "three points");
	ok(trend_may_tell(&t, 64, 1.96) == (t.p_fit >= 0.01),
	    "a line that does not fit gives no estimate");
	p[0].y = p[1].y = 2;
	trend_fit(p, 3, &t);
	ok(trend_may_tell(&t, 64, 1.96) && trend_may_tell(&t, 1, 1.96),
	    "one that fits and rises does");
	ok(!trend_may_tell(&t, 65, 1.96) && !trend_may_tell(&t, 0.9, 1.96),
	    "but not more than two doublings beyond the points");
	p[2].y = 1;
	trend_fit(p, 3, &t);
	ok(!trend_may_tell(&t, 64, 1.96) && trend_may_tell(&t, 5, 1.96),
	    "one that falls does not");
}

/* A true line misses a number that it has not seen by more than 1.96 errors in one
 * case of 20; a line through numbers that bend away misses it far more often. */
static void
test_miss(void)
{
	enum { POINTS = 4, TURNS = 4000 };
	struct trend_point p[POINTS + 1];
	int wrong = 0, bent = 0;
	struct trend t;
	struct rng r;

	rng_init(&r, 3, 0);
	for (int turn = 0; turn < TURNS; turn++) {
		for (int i = 0; i <= POINTS; i++)
			p[i] = (struct trend_point){ pow(4, i), 2 * i + normal(&r), 1 };
		trend_fit(p, POINTS, &t);
		wrong += fabs(trend_miss(&t, &p[POINTS])) > 1.96;
		p[POINTS].y -= 8;
		bent += trend_miss(&t, &p[POINTS]) > 1.96;
	}
	ok(wrong > 0.04 * TURNS && wrong < 0.06 * TURNS,
	    "a true line misses what it has not seen in %.1f %%", 100. * wrong / TURNS);
	ok(bent > 0.95 * TURNS, "a wrong one in %.1f %%", 100. * bent / TURNS);
	trend_fit(p, 1, &t);
	ok(isnan(trend_miss(&t, &p[1])), "no line misses nothing");
}

/* Normal numbers, and draw rates of 200 games with drawstats' intervals. */
static void
test_coverage(void)
{
	enum { POINTS = 4, TURNS = 4000 };
	int slope = 0, at = 0, games = 0, beyond = 0;
	struct trend_point p[POINTS], q[POINTS];
	struct range range;
	struct trend t;
	struct rng r;
	double se, y;

	rng_init(&r, 2, 0);
	for (int turn = 0; turn < TURNS; turn++) {
		for (int i = 0; i < POINTS; i++) {
			double rate = 0.2 + 0.02 * 2 * i;
			unsigned long long drawn = 0;
			p[i] = (struct trend_point){ pow(4, i),
				2 * i + (1 + i) * normal(&r), 1 + i };
			for (int k = 0; k < 200; k++)
				drawn += rng_double(&r) < rate;
			dirichlet_share(drawn, 200, 0.95, &range);
			q[i] = (struct trend_point){ pow(4, i), range.at,
				(range.hi - range.lo) / (2 * 1.96) };
		}
		trend_fit(p, POINTS, &t);
		slope += fabs(t.slope - 1) < 1.96 * t.slope_se;
		y = trend_at(&t, 1024, &se);
		at += fabs(y - 10) < 1.96 * se;
		trend_fit(q, POINTS, &t);
		games += fabs(t.slope - 0.02) < 1.96 * t.slope_se;
		y = trend_at(&t, 256, &se);
		beyond += fabs(y - 0.36) < 1.96 * se;
	}
#define HELD(n) ((n) > 0.93 * TURNS && (n) < 0.97 * TURNS)
	ok(HELD(slope) && HELD(at), "intervals of slope and place hold %.1f and %.1f %%",
	    100. * slope / TURNS, 100. * at / TURNS);
	ok(HELD(games) && HELD(beyond), "of draw rates %.1f and %.1f %%",
	    100. * games / TURNS, 100. * beyond / TURNS);
}

int
main(void)
{
	test_equations();
	test_few();
	test_miss();
	test_coverage();
	return tap_end();
}
