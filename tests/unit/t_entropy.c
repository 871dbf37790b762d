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
	ok(near(moments_mean(&m), sum) && near(moments_error(&m), sqrt(squares / 7 / 8)),
	    "eight numbers");
	for (int i = 0; i < 1000000; i++)
		moments_add(&same, 2.995732273554, 1);
	ok(moments_mean(&same) == 2.995732273554 && moments_error(&same) == 0,
	    "a million equal numbers: their mean to the last bit, no error");
	moments_add(&w, 1, 0.25);
	moments_add(&w, 3, 0.75);
	ok(near(moments_mean(&w), 2.5), "weights");
	moments_add(&m, INFINITY, 1);
	moments_add(&m, 5, 1);
	ok(moments_mean(&m) == INFINITY && isnan(moments_error(&m)) && m.infinite == 1,
	    "an infinite number, and what comes after it");
}

/* Lines that are over count in all plies, those that stop do not. */
static void
test_ends(void)
{
	static const double logp[] = { -1, -2, -3 }, h[] = { 0.5, 0.25, 1 };
	struct entropy_ply p[PLIES];

	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, PLIES,
	    &(struct entropy_line){ 1, 3, false, logp, h, NULL, NULL });
	entropy_add(p, NULL, PLIES,
	    &(struct entropy_line){ 1, 1, true, logp, h, NULL, NULL });
	ok(p[0].lines == 2 && p[0].over == 0 && near(p[0].plain.mean, 1) &&
		near(p[0].h.mean, 0.5),
	    "both lines have a first ply");
	ok(p[2].lines == 2 && p[2].over == 1 && near(p[2].plain.mean, 3.5) &&
		near(p[2].h.mean, 1.125) && near(p[2].m.mean, exp(1)),
	    "the one that is over has no more entropy, and no candidates");
	ok(p[3].lines == 1 && p[3].over == 1 && near(p[3].h.mean, 0.5),
	    "the one that stops is not heard of any more");
	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, 2,
	    &(struct entropy_line){ 1, 3, true, logp, h, NULL, NULL });
	ok(p[1].lines == 1 && p[2].lines == 0, "no more plies than asked for");
	memset(p, 0, sizeof(p));
	entropy_add(p, NULL, PLIES,
	    &(struct entropy_line){ 1, 0, false, NULL, NULL, NULL, NULL });
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
	divergence_add(p, PLIES,
	    &(struct divergence_line){ 1, 3, false, logp, logq, kl, hq, hr });
	divergence_add(p, PLIES,
	    &(struct divergence_line){ 1, 1, true, logp, logq, kl, hq, hr });
	ok(p[0].infinite == 0 && near(p[0].plain.mean, 1) && near(p[0].kl.mean, 0.5) &&
		near(p[0].additional.mean, exp(2) - exp(1)),
	    "finite at first");
	ok(p[1].infinite == 1 && moments_mean(&p[1].kl) == INFINITY &&
		moments_mean(&p[1].plain) == INFINITY && p[1].over == 1 &&
		near(p[1].additional.mean, exp(1)),
	    "infinite when forbidden; without a legal move no candidates of q");
	ok(p[2].infinite == 1 && moments_mean(&p[2].kl) == INFINITY &&
		near(p[2].additional.mean, 0),
	    "and ever after");
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

/* What the guess is that a line may come with: the probability of the state 1
 * is known before a move, and which state it is after it. */
static double
state_after(int s, int choice)
{
	double expected = 0;

	for (int i = 0; i < 3; i++)
		expected += prior[s][i] * next_state(s, i);
	return next_state(s, choice) - expected;
}

static void
draw_line(struct rng *rng, double first, bool guessed, struct entropy_ply *p,
    struct strata *strata)
{
	double logp[PLIES], h[PLIES], ahead[PLIES];
	uint32_t moves[PLIES];
	int s = rng_double(rng) < first;

	for (int t = 0; t < PLIES; t++) {
		double u = rng_double(rng);
		int i = u < prior[s][0] ? 0 : u < prior[s][0] + prior[s][1] ? 1 : 2;
		logp[t] = log(prior[s][i]);
		h[t] = entropy_of_state(s);
		ahead[t] = state_after(s, i);
		moves[t] = (uint32_t)i + 1;
		s = next_state(s, i);
	}
	entropy_add(p, strata, PLIES,
	    &(struct entropy_line){
		1, PLIES, false, logp, h, guessed ? ahead : NULL, moves });
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
			draw_line(&rng, 0.5, false, p, NULL);
		const struct moments *h = &p[PLIES - 1].h, *plain = &p[PLIES - 1].plain;
		held += fabs(h->mean - truth) < 1.96 * moments_error(h);
		held_plain += fabs(plain->mean - truth) < 1.96 * moments_error(plain);
		ratio += moments_error(plain) / moments_error(h) / SAMPLES;
	}
	ok(held > 0.93 * SAMPLES && held < 0.97 * SAMPLES,
	    "the sum of entropies: 95 %% intervals hold in %.1f %%",
	    100. * held / SAMPLES);
	ok(held_plain > 0.93 * SAMPLES && held_plain < 0.97 * SAMPLES,
	    "-log p: 95 %% intervals hold in %.1f %%", 100. * held_plain / SAMPLES);
	ok(ratio > 1, "the error of -log p is %.2f times as large", ratio);
}

/* The same, all from one state, so that moves tell how likely a beginning is. Few
 * lines are not put apart, and have no slope. How large the error of all together
 * is, beside that of the estimate. */
static double
test_strata(bool guessed, const char *how)
{
	int held = 0, few = 0;
	double truth = true_entropy(0), ratio = 0;
	struct rng rng;

	for (int k = 0; k < SAMPLES; k++) {
		struct entropy_ply p[PLIES];
		struct strata strata = { 0 };
		memset(p, 0, sizeof(p));
		rng_init(&rng, 12, (uint64_t)k);
		for (int i = 0; i < 39; i++)
			draw_line(&rng, 0, guessed, p, &strata);
		struct strata_mean m = strata_mean(&strata, PLIES - 1, &p[PLIES - 1].h);
		few += m.mean == moments_mean(&p[PLIES - 1].h) &&
		    m.error == moments_error(&p[PLIES - 1].h);
		for (int i = 39; i < LINES; i++)
			draw_line(&rng, 0, guessed, p, &strata);
		m = strata_mean(&strata, PLIES - 1, &p[PLIES - 1].h);
		held += fabs(m.mean - truth) < 1.96 * m.error;
		ratio += moments_error(&p[PLIES - 1].h) / m.error / SAMPLES;
		strata_release(&strata);
	}
	ok(few == SAMPLES, "%s: few lines are all together", how);
	ok(held > 0.93 * SAMPLES && held < 0.97 * SAMPLES,
	    "%s: 95 %% intervals hold in %.1f %%", how, 100. * held / SAMPLES);
	return ratio;
}

/* As few lines as have a slope: their error must be right, too, and the bias
 * nothing beside it. */
static void
test_few_controlled(void)
{
	enum { FEW = 200 };
	int held = 0;
	double truth = true_entropy(0), sum = 0, squares = 0, told = 0;
	struct rng rng;

	for (int k = 0; k < 4 * SAMPLES; k++) {
		struct entropy_ply p[PLIES];
		struct strata strata = { 0 };
		memset(p, 0, sizeof(p));
		rng_init(&rng, 13, (uint64_t)k);
		for (int i = 0; i < FEW; i++)
			draw_line(&rng, 0, true, p, &strata);
		struct strata_mean m = strata_mean(&strata, PLIES - 1, &p[PLIES - 1].h);
		double off = m.mean - truth;
		sum += off / (4 * SAMPLES);
		squares += off * off / (4 * SAMPLES);
		told += m.error * m.error / (4 * SAMPLES);
		held += fabs(off) < 1.96 * m.error;
		strata_release(&strata);
	}
	ok(held > 0.93 * 4 * SAMPLES && held < 0.97 * 4 * SAMPLES,
	    "%d lines with guesses: 95 %% intervals hold in %.1f %%", FEW,
	    100. * held / (4 * SAMPLES));
	ok(fabs(told / squares - 1) < 0.1 && sum * sum < 0.01 * squares,
	    "... error %.4f, told %.4f, bias %.5f", sqrt(squares), sqrt(told), sum);
}

/* Numbers that are a line of their control leave nothing to chance. */
static void
test_slope(void)
{
	const double half[] = { log(0.5) };
	struct strata s = { 0 };
	struct moments all = { 0 };

	for (uint32_t i = 0; i < 200; i++) {
		uint32_t m = i % 3 == 0;
		int cell = strata_find(&s, &(struct strata_line){ &m, half, 1 });
		double x = i * 0.25 - 3;
		strata_add(&s, cell, 0, 7 + 2 * x, x);
		moments_add(&all, 7 + 2 * x, 1);
	}
	struct strata_mean m = strata_mean(&s, 0, &all);
	ok(near(m.mean, 7) && m.error < 1e-7, "a slope of 2, found: %.12g", m.mean);
	strata_add(&s, 1, 0, 7, NAN);
	moments_add(&all, 7, 1);
	m = strata_mean(&s, 0, &all);
	ok(m.error > 1, "one number without a control, and none is used");
	strata_release(&s);
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
		strata_add(&s, cell, 0, x, NAN);
		moments_add(&all, x, 1);
	}
	struct strata_mean m = strata_mean(&s, 0, &all);
	ok(s.n == 3 && near(moments_mean(&all), 4) && near(m.mean, 6) && m.error == 0,
	    "what came up too often counts no more than its probability");
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
	ok(near(a.mean, all.mean) && near(a.squares, all.squares) && a.n == 20 &&
		near(none.mean, b.mean),
	    "moments merged");
}

static void
test_comoments(void)
{
	static const double y[] = { 3, -1, 4, 1, -5, 9, 2, 6 };
	static const double x[] = { 2, 7, -1, 8, 2, 8, 1, 8 };
	struct comoments a = { 0 }, b = { 0 }, all = { 0 };
	double products = 0;

	for (int i = 0; i < 8; i++) {
		comoments_add(i < 3 ? &a : &b, y[i], x[i]);
		comoments_add(&all, y[i], x[i]);
		products += (y[i] - 19. / 8) * (x[i] - 35. / 8);
	}
	comoments_merge(&a, &b);
	comoments_merge(&a, &(struct comoments){ 0 });
	ok(near(all.products, products) && near(a.products, products) &&
		near(a.x.mean, 35. / 8) && near(a.y.squares, all.y.squares),
	    "pairs, added and merged");
}

int
main(void)
{
	test_moments();
	test_ends();
	test_infinite();
	test_coverage();
	test_merge();
	test_comoments();
	test_cells();
	test_slope();
	double apart = test_strata(false, "apart by their beginnings");
	double guessed = test_strata(true, "with guesses besides");
	ok(apart > 1.02, "the error of all together is %.3f times as large", apart);
	ok(guessed > 1.5 * apart, "with guesses %.3f times", guessed);
	test_few_controlled();
	return tap_end();
}
