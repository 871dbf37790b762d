/*
 * Score and Elo of a match: closed forms, a plain computation pair by pair,
 * the ends of the range, and simulated matches, whose true score the intervals
 * must cover.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/elo.h"
#include "stats/special.h"
#include "tap.h"

enum { HALVES = 5 }; /* scores of a pair in half points */

static struct elo
elo_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	uint64_t pairs[ELO_PAIR_SCORES] = { [0] = a,
		[ELO_HALF_POINT] = b,
		[2 * ELO_HALF_POINT] = c,
		[3 * ELO_HALF_POINT] = d,
		[4 * ELO_HALF_POINT] = e };
	struct elo result;

	elo_of_pairs(pairs, 0.95, &result);
	return result;
}

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

static void
test_curve(void)
{
	ok(elo_of_score(0.5) == 0, "one half is no difference");
	/* 10 to 1, 100 to 1: odds as the logistic curve has them */
	ok(near(elo_of_score(10. / 11), 400, 1e-14), "10 to 1 is 400");
	ok(near(elo_of_score(1. / 101), -800, 1e-14), "1 to 100 is -800");
	for (int d = -1200; d <= 1200; d += 240)
		ok(near(elo_of_score(1 / (1 + pow(10, -d / 400.))), d, 1e-10),
		    "the score expected of %d", d);
	ok(elo_of_score(1) == INFINITY && elo_of_score(0) == -INFINITY,
	    "the ends are infinite");
}

/* The same numbers from a list of pairs, by the textbook. */
static void
test_plainly(const uint64_t counts[HALVES])
{
	double x[1000], mean = 0, variance = 0;
	int n = 0;

	for (int i = 0; i < HALVES; i++)
		for (uint64_t k = 0; k < counts[i]; k++)
			x[n++] = 0.25 * i;
	for (int i = 0; i < n; i++)
		mean += x[i] / n;
	for (int i = 0; i < n; i++)
		variance += (x[i] - mean) * (x[i] - mean) / (n - 1);
	struct elo e = elo_of(counts[0], counts[1], counts[2], counts[3], counts[4]);
	double se = sqrt(variance / n);
	ok(near(e.score.at, mean, 1e-12) && near(e.score_se, se, 1e-12),
	    "%d pairs: mean and standard error", n);
	/* the slope by a difference */
	double slope = (elo_of_score(mean + 1e-6) - elo_of_score(mean - 1e-6)) / 2e-6;
	ok(near(e.elo.at, elo_of_score(mean), 1e-10) && near(e.elo_se, slope * se, 1e-6),
	    "%d pairs: Elo and its error", n);
	/* With many pairs it is the usual interval, score +- t times error. */
	double t = student_quantile(0.025, n - 1);
	ok(fabs(e.score.lo - (mean - t * se)) < 0.06 * t * se &&
		fabs(e.score.hi - (mean + t * se)) < 0.06 * t * se,
	    "%d pairs: the interval is about score +- t s.e.", n);
	ok(near(e.elo.lo, elo_of_score(e.score.lo), 1e-12) &&
		near(e.elo.hi, elo_of_score(e.score.hi), 1e-12),
	    "%d pairs: Elo's is the score's", n);
}

static void
test_ends(void)
{
	struct elo e = elo_of(0, 0, 0, 0, 0);
	ok(isnan(e.score.at) && isnan(e.score_se) && isnan(e.elo.at) && e.score.lo == 0 &&
		e.score.hi == 1 && e.elo.lo == -INFINITY && e.elo.hi == INFINITY,
	    "no games");
	e = elo_of(0, 0, 1, 0, 0);
	ok(e.score.at == 0.5 && e.elo.at == 0 && isnan(e.score_se) && e.score.lo == 0 &&
		e.score.hi == 1,
	    "one pair sets no limit");
	e = elo_of(0, 0, 0, 0, 100);
	ok(e.score.at == 1 && e.elo.at == INFINITY && isnan(e.elo_se) &&
		e.score.hi == 1 && e.elo.hi == INFINITY,
	    "all won");
	ok(e.score.lo > 0.95 && e.score.lo < 0.985 && isfinite(e.elo.lo),
	    "... at least %.0f Elo", e.elo.lo);
	struct elo f = elo_of(100, 0, 0, 0, 0);
	ok(f.elo.at == -INFINITY && f.elo.lo == -INFINITY &&
		near(f.score.hi, 1 - e.score.lo, 1e-12),
	    "all lost: the mirror");
	f = elo_of(0, 0, 0, 1, 99);
	ok(f.score.lo < f.score.at && f.score.at < f.score.hi && f.score.hi < 1 &&
		fabs(f.score.lo - e.score.lo) < 0.01,
	    "one draw less changes little");
	e = elo_of(0, 0, 100, 0, 0);
	ok(e.elo.at == 0 && e.score.lo > 0.48 && e.score.hi < 0.52 && e.score.lo < 0.495,
	    "all drawn is no proof of equality");
	f = elo_of(0, 1, 100, 0, 0);
	ok(fabs(f.score.lo - e.score.lo) < 0.01, "... nor is nearly all");
	e = elo_of(3, 17, 40, 25, 8);
	f = elo_of(8, 25, 40, 17, 3);
	ok(near(e.score.at, 1 - f.score.at, 1e-12) && near(e.elo.lo, -f.elo.hi, 1e-9) &&
		near(e.elo.hi, -f.elo.lo, 1e-9) && near(e.elo_se, f.elo_se, 1e-12),
	    "a and b exchanged");
}

/* Pairs in which games were worth three quarters: mean, error and interval are
 * those of the points. */
static void
test_points(void)
{
	uint64_t pairs[ELO_PAIR_SCORES] = { 0 };
	struct elo e, halves;

	for (int i = 0; i < 100; i++)
		pairs[i % 2 == 0 ? 350 : 50]++;
	elo_of_pairs(pairs, 0.95, &e);
	ok(near(e.score.at, 0.5, 1e-12) &&
		near(e.score_se, sqrt(100 * 0.375 * 0.375 / 99 / 100), 1e-12),
	    "points: the score's error");
	pairs[350]++;
	elo_of_pairs(pairs, 0.95, &e);
	ok(near(e.score.at, (51 * 0.875 + 50 * 0.125) / 101, 1e-12), "points: the score");
	halves = elo_of(0, 50, 0, 51, 0);
	ok(e.score.at > halves.score.at && e.score.lo < halves.score.lo &&
		e.score.hi > halves.score.hi,
	    "points: rounded they would be surer");
}

/* Matches of n pairs with these probabilities; how many intervals hold the truth? */
static void
test_coverage(const char *name, int n, const double probs[HALVES], struct rng *rng)
{
	enum { MATCHES = 4000 };
	double truth = 0;
	int covered = 0;

	for (int i = 0; i < HALVES; i++)
		truth += probs[i] * i / 4;
	for (int k = 0; k < MATCHES; k++) {
		uint64_t pairs[ELO_PAIR_SCORES] = { 0 };
		struct elo e;
		for (int j = 0; j < n; j++) {
			double u = rng_double(rng);
			int i = 0;
			while (i < HALVES - 1 && u >= probs[i])
				u -= probs[i++];
			pairs[i * ELO_HALF_POINT]++;
		}
		elo_of_pairs(pairs, 0.95, &e);
		covered += e.score.lo <= truth && truth <= e.score.hi;
	}
	double share = (double)covered / MATCHES;
	/* Few pairs that mostly went alike leave too much open, not too little. */
	ok(share >= 0.93 && (n < 400 || share <= 0.995), "%s, %d pairs: %.1f %% covered",
	    name, n, 100 * share);
}

int
main(void)
{
	static const struct {
		const char *name;
		double probs[HALVES];
	} worlds[] = {
		{ "even, few draws", { 0.2, 0.1, 0.4, 0.1, 0.2 } },
		{ "even, mostly drawn", { 0.01, 0.07, 0.84, 0.07, 0.01 } },
		{ "nearly always drawn", { 0, 0.01, 0.98, 0.01, 0 } },
		{ "White wins", { 0.02, 0.03, 0.9, 0.03, 0.02 } },
		{ "a is better", { 0.02, 0.08, 0.3, 0.35, 0.25 } },
		{ "a wins 95 %", { 0, 0.01, 0.03, 0.11, 0.85 } },
		{ "a wins 99 %", { 0, 0, 0.005, 0.03, 0.965 } },
		{ "b never wins", { 0, 0, 0.5, 0.4, 0.1 } },
	};
	static const uint64_t lists[][HALVES] = {
		{ 12, 70, 210, 81, 17 },
		{ 1, 9, 60, 120, 80 },
		{ 150, 3, 301, 5, 140 },
		{ 300, 100, 60, 30, 10 },
	};
	struct rng rng;

	test_curve();
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		test_plainly(lists[i]);
	test_ends();
	test_points();
	rng_init(&rng, 1, 0);
	for (size_t i = 0; i < sizeof(worlds) / sizeof(worlds[0]); i++) {
		test_coverage(worlds[i].name, 20, worlds[i].probs, &rng);
		test_coverage(worlds[i].name, 100, worlds[i].probs, &rng);
		test_coverage(worlds[i].name, 400, worlds[i].probs, &rng);
	}
	return tap_end();
}
