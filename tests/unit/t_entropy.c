/*
 * Means and errors of lines: by the definition, with lines that are over or
 * stop, with what is infinite, and for a process whose entropy is known, where
 * plies of a line hang together.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/entropy.h"
#include "tap.h"

enum { PLIES = 6, LINES = 400, SAMPLES = 1000 };

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

static void
test_moments(void)
{
	static const double x[] = { 3, -1, 4, 1, -5, 9, 2, 6 };
	struct moments m = { 0 }, same = { 0 }, w = { 0 };
	double sum = 0, squares = 0;

	ok(isnan(moments_mean(&m)) && isnan(moments_error(&m)), "no numbers");
	moments_add(&m, x[0], 1);
	ok(moments_mean(&m) == 3 && isnan(moments_error(&m)),
	    "one number has a mean and no error");
	for (int i = 1; i < 8; i++)
		moments_add(&m, x[i], 1);
	for (int i = 0; i < 8; i++)
		sum += x[i] / 8;
	for (int i = 0; i < 8; i++)
		squares += (x[i] - sum) * (x[i] - sum);
	ok(near(moments_mean(&m), sum) &&
	    near(moments_error(&m), sqrt(squares / 7 / 8)), "eight numbers");
	for (int i = 0; i < 1000000; i++)
		moments_add(&same, 2.995732273554, 1);
	ok(moments_mean(&same) == 2.995732273554 && moments_error(&same) == 0,
	    "a million equal numbers: their mean to the last bit, no error");
	moments_add(&w, 1, 0.25);
	moments_add(&w, 3, 0.75);
	ok(near(moments_mean(&w), 2.5), "weights");
	moments_add(&m, INFINITY, 1);
	moments_add(&m, 5, 1);
	ok(moments_mean(&m) == INFINITY && isnan(moments_error(&m)) &&
	    m.infinite == 1, "an infinite number, and what comes after it");
}

/* Lines that are over count in all plies, those that stop do not. */
static void
test_ends(void)
{
	static const double logp[] = { -1, -2, -3 }, h[] = { 0.5, 0.25, 1 };
	struct entropy_ply p[PLIES];

	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, PLIES, &(struct entropy_line){ 1, 3, false, logp, h,
	    NULL });
	entropy_add(p, NULL, PLIES, &(struct entropy_line){ 1, 1, true, logp, h,
	    NULL });
	ok(p[0].lines == 2 && p[0].over == 0 && near(p[0].plain.mean, 1) &&
	    near(p[0].h.mean, 0.5), "both lines have a first ply");
	ok(p[2].lines == 2 && p[2].over == 1 && near(p[2].plain.mean, 3.5) &&
	    near(p[2].h.mean, 1.125) && near(p[2].m.mean, exp(1)),
	    "the one that is over has no more entropy, and no candidates");
	ok(p[3].lines == 1 && p[3].over == 1 && near(p[3].h.mean, 0.5),
	    "the one that stops is not heard of any more");
	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, 2, &(struct entropy_line){ 1, 3, true, logp, h,
	    NULL });
	ok(p[1].lines == 1 && p[2].lines == 0, "no more plies than asked for");
	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, PLIES, &(struct entropy_line){ 1, 0, false, NULL, NULL,
	    NULL });
	ok(p[0].lines == 0, "a line without a ply");
}

static void
test_infinite(void)
{
	static const double logp[] = { -1, -1, -1 }, kl[] = { 0.5, INFINITY, 1 };
	static const double logq[] = { -2, -INFINITY, -1 };
	static const double hq[] = { 1, NAN, 0 }, hr[] = { 2, 1, 0 };
	struct divergence_ply p[PLIES];

	memset(p, 0, sizeof(p));
	divergence_add(p, PLIES, &(struct divergence_line){ 1, 3, false, logp,
	    logq, kl, hq, hr });
	divergence_add(p, PLIES, &(struct divergence_line){ 1, 1, true, logp,
	    logq, kl, hq, hr });
	ok(p[0].infinite == 0 && near(p[0].plain.mean, 1) &&
	    near(p[0].kl.mean, 0.5) &&
	    near(p[0].additional.mean, exp(2) - exp(1)), "finite at first");
	ok(p[1].infinite == 1 && moments_mean(&p[1].kl) == INFINITY &&
	    moments_mean(&p[1].plain) == INFINITY && p[1].over == 1 &&
	    near(p[1].additional.mean, exp(1)),
	    "infinite when forbidden; without a legal move no candidates of q");
	ok(p[2].infinite == 1 && moments_mean(&p[2].kl) == INFINITY &&
	    near(p[2].additional.mean, 0), "and ever after");
}

/*
 * A walk between two states whose choices have different entropies, and which
 * tends to stay where it is. So the entropies along a line are correlated, and
 * an error made from plies one by one would be far too small.
 */
static const double prior[2][3] = { { 0.9, 0.06, 0.04 }, { 0.1, 0.45, 0.45 } };

static double
entropy_of_state(int s)
{
	double h = 0;

	for (int i = 0; i < 3; i++)
		h -= prior[s][i] * log(prior[s][i]);
	return h;
}

static int
next_state(int s, int choice)
{
	return s == 0 ? choice == 2 : choice != 0;
}

/* first: the probability of beginning in the state 1. */
static double
true_entropy(double first)
{
	double in[2] = { 1 - first, first }, h = 0;

	for (int t = 0; t < PLIES; t++) {
		double next[2] = { 0, 0 };
		for (int s = 0; s < 2; s++) {
			h += in[s] * entropy_of_state(s);
			for (int i = 0; i < 3; i++)
				next[next_state(s, i)] += in[s] * prior[s][i];
		}
		in[0] = next[0];
		in[1] = next[1];
	}
	return h;
}

static void
draw_line(struct rng *rng, double first, struct entropy_ply *p,
    struct strata *strata)
{
	double logp[PLIES], h[PLIES];
	uint32_t moves[PLIES];
	int s = rng_double(rng) < first;

	for (int t = 0; t < PLIES; t++) {
		double u = rng_double(rng);
		int i = u < prior[s][0] ? 0 : u < prior[s][0] + prior[s][1] ? 1 : 2;
		logp[t] = log(prior[s][i]);
		h[t] = entropy_of_state(s);
		moves[t] = (uint32_t)i + 1;
		s = next_state(s, i);
	}
	entropy_add(p, strata, PLIES, &(struct entropy_line){ 1, PLIES, false,
	    logp, h, moves });
}

static void
test_coverage(void)
{
	int held = 0, held_plain = 0;
	double truth = true_entropy(0.5), ratio = 0;
	struct rng rng;

	for (int k = 0; k < SAMPLES; k++) {
		struct entropy_ply p[PLIES];
		memset(p, 0, sizeof(p));
		rng_init(&rng, 11, (uint64_t)k);
		for (int i = 0; i < LINES; i++)
			draw_line(&rng, 0.5, p, NULL);
		const struct moments *h = &p[PLIES - 1].h, *plain =
		    &p[PLIES - 1].plain;
		held += fabs(h->mean - truth) < 1.96 * moments_error(h);
		held_plain += fabs(plain->mean - truth) <
		    1.96 * moments_error(plain);
		ratio += moments_error(plain) / moments_error(h) / SAMPLES;
	}
	ok(held > 0.93 * SAMPLES && held < 0.97 * SAMPLES,
	    "the sum of entropies: 95 %% intervals hold in %.1f %%",
	    100. * held / SAMPLES);
	ok(held_plain > 0.93 * SAMPLES && held_plain < 0.97 * SAMPLES,
	    "-log p: 95 %% intervals hold in %.1f %%",
	    100. * held_plain / SAMPLES);
	ok(ratio > 1, "the error of -log p is %.2f times as large", ratio);
}

/* The same, all from one state, so that moves tell how likely a beginning is. */
static void
test_strata(void)
{
	int held = 0, few = 0;
	double truth = true_entropy(0), ratio = 0;
	struct rng rng;

	for (int k = 0; k < SAMPLES; k++) {
		struct entropy_ply p[PLIES];
		struct strata strata = { 0 };
		memset(p, 0, sizeof(p));
		rng_init(&rng, 12, (uint64_t)k);
		for (int i = 0; i < 3; i++)
			draw_line(&rng, 0, p, &strata);
		struct strata_mean m = strata_mean(&strata, PLIES - 1,
		    &p[PLIES - 1].h);
		few += m.mean == moments_mean(&p[PLIES - 1].h) &&
		    m.error == moments_error(&p[PLIES - 1].h);
		for (int i = 3; i < LINES; i++)
			draw_line(&rng, 0, p, &strata);
		m = strata_mean(&strata, PLIES - 1, &p[PLIES - 1].h);
		held += fabs(m.mean - truth) < 1.96 * m.error;
		ratio += moments_error(&p[PLIES - 1].h) / m.error / SAMPLES;
		strata_release(&strata);
	}
	ok(few == SAMPLES, "few lines are not put apart");
	ok(held > 0.93 * SAMPLES && held < 0.97 * SAMPLES, "apart by their "
	    "beginnings: 95 %% intervals hold in %.1f %%",
	    100. * held / SAMPLES);
	ok(ratio > 1.02, "the error of all together is %.3f times as large",
	    ratio);
}

/* Cells by hand: two moves of probability 1/2, numbers that depend on them alone. */
static void
test_cells(void)
{
	const double half[] = { log(0.5), log(1e-9) };
	struct strata s = { 0 };
	struct moments all = { 0 };

	for (uint32_t i = 0; i < 100; i++) {
		uint32_t moves[] = { i % 4 == 0, i };
		int cell = strata_find(&s, &(struct strata_line){ moves, half, 2 });
		double x = i % 4 == 0 ? 10 : 2;
		strata_add(&s, cell, 0, x);
		moments_add(&all, x, 1);
	}
	struct strata_mean m = strata_mean(&s, 0, &all);
	ok(s.n == 3 && near(moments_mean(&all), 4) && near(m.mean, 6) &&
	    m.error == 0, "what came up too often counts no more than its probability");
	strata_release(&s);
}

static void
test_merge(void)
{
	struct moments a = { 0 }, b = { 0 }, all = { 0 }, none = { 0 };

	for (int i = 0; i < 20; i++) {
		moments_add(i < 7 ? &a : &b, i * i, 1);
		moments_add(&all, i * i, 1);
	}
	moments_merge(&a, &b);
	moments_merge(&a, &none);
	moments_merge(&none, &b);
	ok(near(a.mean, all.mean) && near(a.squares, all.squares) &&
	    a.n == 20 && near(none.mean, b.mean), "moments merged");
}

int
main(void)
{
	test_moments();
	test_ends();
	test_infinite();
	test_coverage();
	test_merge();
	test_cells();
	test_strata();
	return tap_end();
}
