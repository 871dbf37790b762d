/*
 * The fit of piece values: the keys, the optimum and its covariance against
 * slow and independent arithmetic, refusals, and whether intervals
 * hold what they should in simulated games.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "common.h"
#include "stats/fit.h"
#include "stats/special.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
add(struct histogram *h, unsigned block, const int *d, int z, uint64_t n)
{
	histogram_add(h, fit_key(&fit_chess, block, d, z), n);
}

/* A game's outcome: t on average, drawn more often when near zero. */
static int
outcome(struct rng *rng, double t)
{
	double draw, u;

	draw = 0.6 * (1 - fabs(t));
	u = rng_double(rng);
	return u < draw ? 0 : u < draw + (1 - draw + t) / 2 ? 1 : -1;
}

static const double truth[FIT_PIECES] = { 0.1, 0.3, 0.33, 0.5, 0.95 };

static double
predict(const int *d, double scale)
{
	double sum;
	int i;

	sum = 0;
	for (i = 0; i < FIT_PIECES; i++)
		sum += scale * truth[i] * d[i];
	return tanh(sum);
}

/* Both sides to move, n times each, in a game with outcome z. */
static void
add_both(struct histogram *h, unsigned block, const int *d, int z, uint64_t n)
{
	int i, other[FIT_PIECES];

	for (i = 0; i < FIT_PIECES; i++)
		other[i] = -d[i];
	add(h, block, d, z, n);
	add(h, block, other, -z, n);
}

/*
 * A game in which the pieces never change: all its plies share one d and one
 * z, and z is tanh(w.d) on average, so that the weights are known exactly.
 */
static void
still_game(struct histogram *h, struct rng *rng, double scale)
{
	static const double often[FIT_PIECES] = { 0, 0.3, 0.3, 0.2, 0.14 };
	unsigned block;
	int d[FIT_PIECES], i;

	block = (unsigned)rng_next(rng) % FIT_BLOCKS;
	d[0] = (int)(rng_next(rng) % 7) - 3;
	for (i = 1; i < FIT_PIECES; i++)
		d[i] = rng_double(rng) > often[i] ? 0 : rng_next(rng) % 2 ? 1 : -1;
	add_both(h, block, d, outcome(rng, predict(d, scale)), 1 + rng_next(rng) % 40);
}

/*
 * A game in which d wanders and the last position decides.  Here no weights
 * are right for every ply; the true ones are those of very many games.
 */
static void
slow_game(struct histogram *h, struct rng *rng, double scale, int plies)
{
	static const int most[FIT_PIECES] = { 4, 2, 2, 1, 1 };
	int d[256][FIT_PIECES], i, k, sign, step, z;
	unsigned block;

	block = (unsigned)rng_next(rng) % FIT_BLOCKS;
	memset(d, 0, sizeof(d));
	for (k = 1; k < plies; k++) {
		memcpy(d[k], d[k - 1], sizeof(d[k]));
		if (rng_next(rng) % 6 != 0)
			continue;
		i = (int)(rng_next(rng) % 8);
		i = i < 4 ? 0 : i - 3;
		step = rng_next(rng) % 2 ? 1 : -1;
		if (abs(d[k][i] + step) <= most[i])
			d[k][i] += step;
	}
	z = outcome(rng, predict(d[plies - 1], scale));
	for (k = 0; k < plies; k++) {
		sign = k % 2 ? -1 : 1;
		for (i = 0; i < FIT_PIECES; i++)
			d[k][i] *= sign;
		add(h, block, d[k], sign * z, 1);
	}
}

static int
solve(const struct histogram *h, struct fit_result *r)
{
	static const struct fit_options o = { .level = 0.95 };
	char reason[REASON_MAX];

	return fit_solve(h, &o, r, reason);
}

static void
test_keys(void)
{
	int back[FIT_PIECES], d[FIT_PIECES], good, i, k, z;
	unsigned block;
	struct rng rng;
	uint64_t key;

	good = 1;
	rng_init(&rng, 1, 0);
	for (k = 0; k < 1000; k++) {
		for (i = 0; i < FIT_PIECES; i++)
			d[i] = (int)(rng_next(&rng) % 255) - 127;
		key = fit_key(&fit_chess, (unsigned)k % FIT_BLOCKS, d, k % 3 - 1);
		good &= key != 0 &&
		    fit_key_parts(&fit_chess, key, &block, back, &z) == 0 &&
		    memcmp(d, back, sizeof(d)) == 0 && z == k % 3 - 1 &&
		    block == (unsigned)k % FIT_BLOCKS;
	}
	ok(good, "a key gives back its parts");
	good = 1;
	for (k = 0; k < 1000; k++) {
		for (i = 0; i < FIT_PIECES; i++)
			d[i] = (int)(rng_next(&rng) % 254) - 127;
		key = fit_key(&fit_chess, (unsigned)k % FIT_BLOCKS, d, k % 3 - 1);
		i = k % FIT_PIECES;
		d[i]++;
		good &= key + fit_key_step(&fit_chess, i) ==
		    fit_key(&fit_chess, (unsigned)k % FIT_BLOCKS, d, k % 3 - 1);
	}
	ok(good, "a piece more is a step of the key");
	key = fit_key(&fit_chess, 7, d, 1);
	good = fit_key(&fit_chess, FIT_BLOCKS, d, 0) == 0 &&
	    fit_key(&fit_chess, 0, d, 2) == 0 && fit_key(&fit_chess, 0, d, -2) == 0;
	d[3] = 128;
	good &= fit_key(&fit_chess, 0, d, 0) == 0;
	d[3] = -128;
	good &= fit_key(&fit_chess, 0, d, 0) == 0;
	good &= fit_key_parts(&fit_chess, 0, &block, back, &z) == -1 &&
	    fit_key_parts(&fit_chess, key | 3, &block, back, &z) == -1 &&
	    fit_key_parts(&fit_chess, key | (uint64_t)1 << 60, &block, back, &z) == -1;
	ok(good, "what is out of range has no key");
}

/*
 * Half the sum of squares in long double, straight from the definition, over
 * one block, or over all of them for block = -1.
 */
static long double
slow_loss(const struct histogram_cell *cells, size_t n, const long double *w, int block)
{
	long double sum, x;
	size_t k;
	unsigned b;
	int d[FIT_PIECES], i, z;

	sum = 0;
	for (k = 0; k < n; k++) {
		fit_key_parts(&fit_chess, cells[k].key, &b, d, &z);
		if (block >= 0 && (int)b != block)
			continue;
		x = w[0];
		for (i = 0; i < FIT_PIECES; i++)
			x += w[i + 1] * d[i];
		x = z - tanhl(x);
		sum += (long double)cells[k].count * x * x / 2;
	}
	return sum;
}

/*
 * Its derivative by differences, of fourth order, in the direction i, or the
 * second derivative in i and j.
 */
static long double
slow_derivative(const struct histogram_cell *cells, size_t n, const long double *w,
    int block, int i, int j)
{
	static const long double step[4] = { -4e-4L, -2e-4L, 2e-4L, 4e-4L };
	static const long double factor[4] = { 1, -8, 8, -1 };
	long double sum, v[FIT_WEIGHTS];
	int k;

	memcpy(v, w, sizeof(v));
	sum = 0;
	for (k = 0; k < 4; k++) {
		v[i] = w[i] + step[k];
		sum += factor[k] *
		    (j < 0 ? slow_loss(cells, n, v, block)
			   : slow_derivative(cells, n, v, block, j, -1));
	}
	return sum / 24e-4L;
}

/* Solve by elimination; a and b are lost, b becomes the answer. */
static void
eliminate(long double a[][FIT_WEIGHTS], long double *b)
{
	long double f;
	int i, j, k;

	for (i = 0; i < FIT_WEIGHTS; i++)
		for (k = 0; k < FIT_WEIGHTS; k++) {
			if (k == i)
				continue;
			f = a[k][i] / a[i][i];
			for (j = i; j < FIT_WEIGHTS; j++)
				a[k][j] -= f * a[i][j];
			b[k] -= f * b[i];
		}
	for (i = 0; i < FIT_WEIGHTS; i++)
		b[i] /= a[i][i];
}

/*
 * The covariance once more: blocks left out one by one, with gradients and
 * second derivatives from differences of slow_loss().
 */
static void
slow_covariance(const struct histogram_cell *cells, size_t n, const long double *w,
    int blocks, long double v[][FIT_WEIGHTS])
{
	static long double g[FIT_BLOCKS][FIT_WEIGHTS];
	static long double s[FIT_BLOCKS][FIT_WEIGHTS][FIT_WEIGHTS];
	long double a[FIT_WEIGHTS][FIT_WEIGHTS];
	int b, c, i, j;

	for (b = 0; b < blocks; b++)
		for (i = 0; i < FIT_WEIGHTS; i++) {
			g[b][i] = slow_derivative(cells, n, w, b, i, -1);
			for (j = 0; j < FIT_WEIGHTS; j++)
				s[b][i][j] = slow_derivative(cells, n, w, b, i, j);
		}
	memset(v, 0, sizeof(a));
	for (b = 0; b < blocks; b++) {
		memset(a, 0, sizeof(a));
		for (c = 0; c < blocks; c++)
			for (i = 0; i < FIT_WEIGHTS; i++)
				for (j = 0; c != b && j < FIT_WEIGHTS; j++)
					a[i][j] += s[c][i][j];
		eliminate(a, g[b]);
		for (i = 0; i < FIT_WEIGHTS; i++)
			for (j = 0; j < FIT_WEIGHTS; j++)
				v[i][j] += g[b][i] * g[b][j] * (blocks - 1) / blocks;
	}
}

/* Games of a few blocks, so that slow arithmetic is not too slow. */
static void
few_blocks(struct histogram *h, struct rng *rng, int games, int blocks)
{
	struct histogram all = { 0 };
	struct histogram_cell *cells;
	int d[FIT_PIECES], k, z;
	unsigned block;
	size_t i, n;

	for (k = 0; k < games; k++)
		slow_game(&all, rng, 2, 40);
	cells = histogram_sorted(&all, &n);
	for (i = 0; i < n; i++) {
		fit_key_parts(&fit_chess, cells[i].key, &block, d, &z);
		add(h, block % (unsigned)blocks, d, z, cells[i].count);
	}
	free(cells);
	histogram_release(&all);
}

static void
test_derivatives(void)
{
	struct histogram h = { 0 };
	struct histogram_cell *cells;
	struct fit_result r;
	long double slope, v[FIT_WEIGHTS][FIT_WEIGHTS], w[FIT_WEIGHTS];
	struct rng rng;
	double away, error, loss;
	int i, j;
	size_t n;

	rng_init(&rng, 3, 0);
	few_blocks(&h, &rng, 60, 7);
	cells = histogram_sorted(&h, &n);
	ok(solve(&h, &r) == 0 && r.blocks == 7, "a fit of 60 games");
	for (i = 0; i < FIT_WEIGHTS; i++)
		w[i] = r.w[i];
	loss = (double)slow_loss(cells, n, w, -1);
	ok(fabs(2 * loss / (double)r.positions / r.mse - 1) < 1e-14, "mean of squares");
	error = 0;
	for (i = 0; i < FIT_WEIGHTS; i++) {
		slope = slow_derivative(cells, n, w, -1, i, -1);
		error = fmax(error, fabs((double)slope) / loss);
	}
	ok(error < 1e-12, "no slope at the optimum: %.1g by differences", error);
	slow_covariance(cells, n, w, r.blocks, v);
	away = 0;
	for (i = 0; i < FIT_WEIGHTS; i++)
		for (j = 0; j < FIT_WEIGHTS; j++)
			away = fmax(away,
			    fabs(r.covariance[i][j] - (double)v[i][j]) /
				sqrt(r.covariance[i][i] * r.covariance[j][j]));
	ok(away < 1e-6, "covariance: %.1g away from one by differences", away);
	free(cells);
	histogram_release(&h);
}

/* Counts exactly as the model has them give the model back. */
static void
test_recovery(void)
{
	static const double w[FIT_WEIGHTS] = { 0.02, 0.1, 0.31, 0.33, 0.5, 1 };
	static const struct fit_options without = { .no_constant = 1, .level = 0.95 };
	struct histogram h = { 0 }, zero = { 0 };
	struct fit_result r;
	struct rng rng;
	double error, t, x;
	unsigned b;
	int d[FIT_PIECES], i, k;
	char reason[REASON_MAX];

	rng_init(&rng, 4, 0);
	for (k = 0; k < 2000; k++) {
		x = 0;
		for (i = 0; i < FIT_PIECES; i++) {
			d[i] = (int)(rng_next(&rng) % 5) - 2;
			x += w[i + 1] * d[i];
		}
		t = tanh(x + w[0]);
		b = (unsigned)k % 200;
		add(&h, b, d, 1, (uint64_t)(1e14 * (1 + t)));
		add(&h, b, d, -1, (uint64_t)(1e14 * (1 - t)));
		t = tanh(x);
		add(&zero, b, d, 1, (uint64_t)(1e14 * (1 + t)));
		add(&zero, b, d, -1, (uint64_t)(1e14 * (1 - t)));
	}
	error = solve(&h, &r) == 0 ? 0 : 1;
	for (i = 0; i < FIT_WEIGHTS; i++)
		error = fmax(error, fabs(r.w[i] - w[i]));
	for (i = 0; i < FIT_PIECES; i++)
		error = fmax(error, fabs(r.value[i] - w[i + 1] / w[1]));
	ok(error < 1e-12, "known weights are found: %.1g off", error);
	error = fit_solve(&zero, &without, &r, reason) == 0 ? 0 : 1;
	for (i = 1; i < FIT_WEIGHTS; i++)
		error = fmax(error, fabs(r.w[i] - w[i]));
	ok(error < 1e-12 && r.w[0] == 0 && r.covariance[0][0] == 0,
	    "also without the constant: %.1g off", error);
	histogram_release(&h);
	histogram_release(&zero);
}

static void
merge(struct histogram *h, const struct histogram *other)
{
	for (size_t i = 0; i < other->size; i++)
		if (other->cells[i].key != 0)
			histogram_add(h, other->cells[i].key, other->cells[i].count);
}

/* The same games in one go, and in parts merged the other way round. */
static void
test_merge(void)
{
	struct histogram all = { 0 }, sum = { 0 }, part[4];
	struct fit_result r, s;
	struct rng copy, rng;
	int k;

	memset(part, 0, sizeof(part));
	rng_init(&rng, 5, 0);
	for (k = 0; k < 400; k++) {
		copy = rng;
		slow_game(&all, &rng, 2, 60);
		slow_game(&part[k * 7 % 4], &copy, 2, 60);
	}
	for (k = 3; k >= 0; k--)
		merge(&sum, &part[k]);
	ok(solve(&all, &r) == 0 && solve(&sum, &s) == 0 && memcmp(&r, &s, sizeof(r)) == 0,
	    "merged parts give the same result to the last bit");
	for (k = 0; k < 4; k++)
		histogram_release(&part[k]);
	histogram_release(&all);
	histogram_release(&sum);
}

/* Whether the fit is refused, with the word in the reason. */
static int
refused(const struct histogram *h, const char *word)
{
	static const struct fit_options o = { .level = 0.95 };
	struct fit_result r;
	char reason[REASON_MAX];

	if (fit_solve(h, &o, &r, reason) == -1 && strstr(reason, word) != NULL)
		return true;
	diag("%s", reason);
	return false;
}

/* Positions d with all pieces free but what edit makes of them. */
static void
edited_games(struct histogram *h, void (*edit)(int *d, int *z))
{
	struct rng rng;
	int d[FIT_PIECES], i, k, z;

	histogram_release(h);
	rng_init(&rng, 6, 0);
	for (k = 0; k < 3000; k++) {
		for (i = 0; i < FIT_PIECES; i++)
			d[i] = (int)(rng_next(&rng) % 5) - 2;
		z = outcome(&rng, predict(d, 1));
		edit(d, &z);
		add_both(h, (unsigned)k % FIT_BLOCKS, d, z, 1);
	}
}

static void
edit_nothing(int *d, int *z)
{
	(void)d;
	(void)z;
}

static void
edit_draw(int *d, int *z)
{
	(void)d;
	*z = 0;
}

static void
edit_no_rook(int *d, int *z)
{
	(void)z;
	d[3] = 0;
}

static void
edit_pair(int *d, int *z)
{
	(void)z;
	d[2] = 2 * d[1] - d[0];
}

static void
edit_queen_wins(int *d, int *z)
{
	if (d[4] != 0)
		*z = d[4] > 0 ? 1 : -1;
}

static void
edit_all_decided(int *d, int *z)
{
	double x;

	x = predict(d, 1);
	*z = x > 0 ? 1 : x < 0 ? -1 : 0;
}

static void
edit_bad_pawn(int *d, int *z)
{
	(void)z;
	d[0] = -d[0];
}

static void
test_refusals(void)
{
	static const struct fit_options level = { .level = 1 };
	struct histogram h = { 0 };
	struct fit_result r;
	char reason[REASON_MAX];
	int d[FIT_PIECES] = { 1, 0, 0, 0, 0 };

	ok(refused(&h, "no positions"), "no positions");
	add(&h, 0, d, 1, 0);
	ok(refused(&h, "no positions"), "cells with nothing in them");
	edited_games(&h, edit_draw);
	ok(refused(&h, "no decisive game"), "all drawn");
	edited_games(&h, edit_no_rook);
	ok(refused(&h, "rooks"), "no difference in rooks");
	edited_games(&h, edit_pair);
	ok(refused(&h, "together: pawn knight bishop"), "dependent pieces");
	edited_games(&h, edit_queen_wins);
	ok(refused(&h, "queen grows"), "a queen that always wins");
	edited_games(&h, edit_all_decided);
	ok(refused(&h, "grows"), "outcomes that follow from the material");
	edited_games(&h, edit_nothing);
	ok(solve(&h, &r) == 0 && r.valued, "nothing wrong");
	ok(fit_solve(&h, &level, &r, reason) == -1 && strstr(reason, "level") != NULL,
	    "an impossible level");
	histogram_add(&h, 7, 1);
	ok(refused(&h, "not a histogram"), "a key of something else");
	edited_games(&h, edit_bad_pawn);
	ok(solve(&h, &r) == 0 && r.w[1] < 0 && !r.valued && isnan(r.value[4]) &&
		r.w[1] + 2 * sqrt(r.covariance[1][1]) < 0,
	    "a pawn worth less than none");
	histogram_release(&h);
}

/* Where the data set no limit, the intervals have none. */
static void
test_limits(void)
{
	struct histogram h = { 0 };
	struct fit_result r;
	struct rng rng;
	int d[FIT_PIECES] = { 0 }, i, k;

	rng_init(&rng, 7, 0);
	few_blocks(&h, &rng, 300, 2);
	ok(solve(&h, &r) == 0 && r.valued && isinf(r.lo[4]) && isinf(r.hi[4]),
	    "two blocks are too few");
	histogram_release(&h);
	for (k = 0; k < 8000; k++) { /* rooks in one block only */
		for (i = 0; i < FIT_PIECES; i++)
			d[i] = i == 3 ? 0 : (int)(rng_next(&rng) % 5) - 2;
		add_both(&h, (unsigned)k % 100, d, outcome(&rng, predict(d, 1)), 1);
		d[3] = k % 3 - 1;
		add_both(&h, 5, d, outcome(&rng, predict(d, 1)), k % 100 == 5);
	}
	ok(solve(&h, &r) == 0 && isinf(r.lo[3]) && isinf(r.hi[3]) && isfinite(r.lo[1]) &&
		isfinite(r.hi[1]) && isfinite(r.lo[4]) && isfinite(r.hi[4]) &&
		isfinite(r.value[3]),
	    "rooks in one block only have a value without limits");
	ok(r.lo[0] == 1 && r.hi[0] == 1 && r.lo[4] < r.value[4] && r.value[4] < r.hi[4],
	    "the pawn is worth one pawn");
	histogram_release(&h);
}

/* Fieller: the ratios at the ends of a value's interval are as many standard
 * errors away from the weights as Student's t has it, those inside fewer. */
static double
deviations_at(const struct fit_result *r, int piece, double x)
{
	double v = r->covariance[piece + 1][piece + 1] -
	    2 * x * r->covariance[1][piece + 1] + x * x * r->covariance[1][1];

	return (r->w[piece + 1] - x * r->w[1]) / sqrt(v);
}

static void
test_fieller(void)
{
	struct histogram h = { 0 };
	struct fit_result r;
	struct rng rng;
	double away = 0;

	rng_init(&rng, 13, 0);
	few_blocks(&h, &rng, 900, 31);
	ok(solve(&h, &r) == 0 && r.valued && r.blocks == 31, "31 blocks");
	for (int i = 1; i < FIT_PIECES; i++) {
		/* of 30 degrees of freedom, from a table */
		away = fmax(away, fabs(deviations_at(&r, i, r.lo[i]) - 2.042272456));
		away = fmax(away, fabs(deviations_at(&r, i, r.hi[i]) + 2.042272456));
	}
	ok(away < 1e-8, "the ends of intervals are where they should be: %.1g", away);
	histogram_release(&h);
}

static void
coverage_row(const char *name, const int *held, int n)
{
	int good, i;

	good = 1;
	for (i = 1; i < FIT_PIECES; i++)
		good &= held[i] > 0.93 * n && held[i] < 0.97 * n;
	ok(good, "%s: 95 %% intervals hold %.1f %.1f %.1f %.1f %% of values", name,
	    100. * held[1] / n, 100. * held[2] / n, 100. * held[3] / n,
	    100. * held[4] / n);
}

static void
test_coverage_still(const char *name, int games, double scale)
{
	struct histogram h = { 0 };
	struct fit_result r;
	struct rng rng;
	int bad, held[FIT_PIECES] = { 0 }, i, k, n;

	bad = 0;
	n = 1000;
	rng_init(&rng, 8, 0);
	for (k = 0; k < n; k++) {
		histogram_release(&h);
		for (i = 0; i < games; i++)
			still_game(&h, &rng, scale);
		bad += solve(&h, &r) == -1 || !r.valued;
		for (i = 0; i < FIT_PIECES; i++)
			held[i] += r.lo[i] <= truth[i] / truth[0] &&
			    truth[i] / truth[0] <= r.hi[i];
	}
	ok(bad == 0, "%s: every sample has a fit", name);
	coverage_row(name, held, n);
	histogram_release(&h);
}

static void
test_coverage_slow(void)
{
	struct histogram h = { 0 };
	struct fit_result r, real;
	struct rng rng;
	int bad, held[FIT_PIECES] = { 0 }, i, k, n;

	rng_init(&rng, 9, 0);
	for (k = 0; k < 400000; k++)
		slow_game(&h, &rng, 3, 24);
	bad = solve(&h, &real) == -1;
	n = 1000;
	for (k = 0; k < n; k++) {
		histogram_release(&h);
		for (i = 0; i < 800; i++)
			slow_game(&h, &rng, 3, 24);
		bad += solve(&h, &r) == -1 || !r.valued;
		for (i = 0; i < FIT_PIECES; i++)
			held[i] += r.lo[i] <= real.value[i] && real.value[i] <= r.hi[i];
	}
	ok(bad == 0, "slow games: every sample has a fit");
	coverage_row("800 slow games", held, n);
	histogram_release(&h);
}

/* ---- outcomes that a search expects ---- */

enum { SEEN_MAX = 40000 };
static struct seen {
	int d[FIT_PIECES];
	double z;
} seen[SEEN_MAX];
static int nseen;

/* A game of values: what the pieces say, what is particular to the game, and
 * noise at every ply; the mean is the prediction. */
static void
valued_game(struct histogram *h, struct rng *rng, int plies)
{
	unsigned block = (unsigned)rng_next(rng) % FIT_BLOCKS;
	double own = rng_double(rng) - 0.5;
	int d[FIT_PIECES] = { 0 };

	for (int k = 0; k < plies; k++) {
		int i = (int)(rng_next(rng) % FIT_PIECES);
		int step = rng_next(rng) % 2 ? 1 : -1;
		if (abs(d[i] + step) <= (i == 0 ? 3 : 1))
			d[i] += step;
		double t = predict(d, 1), room = 1 - fabs(t);
		double z = t + 0.7 * room * own + 0.6 * room * (rng_double(rng) - 0.5);
		if (nseen < SEEN_MAX) {
			memcpy(seen[nseen].d, d, sizeof(d));
			seen[nseen++].z = z;
		}
		add(h, block, d, 1, fit_parts(z));
		add(h, block, d, -1, FIT_UNIT - fit_parts(z));
		histogram_add(h, FIT_SQUARES, fit_squares(z));
	}
}

static int
solve_values(const struct histogram *h, struct fit_result *r)
{
	static const struct fit_options o = { .unit = FIT_UNIT, .level = 0.95 };
	char reason[REASON_MAX];

	return fit_solve(h, &o, r, reason);
}

/* The mean square over the list of positions as they came. */
static double
plain_mse(const double *w)
{
	double sum = 0;

	for (int k = 0; k < nseen; k++) {
		double x = w[0];
		for (int i = 0; i < FIT_PIECES; i++)
			x += w[i + 1] * seen[k].d[i];
		sum += pow(seen[k].z - tanh(x), 2);
	}
	return sum / nseen;
}

static void
test_values(void)
{
	int bad = 0, held[FIT_PIECES] = { 0 }, n = 1000, higher = 0;
	struct histogram h = { 0 };
	struct fit_result r;
	struct rng rng;

	rng_init(&rng, 12, 0);
	for (int k = 0; k < 500; k++)
		valued_game(&h, &rng, 60);
	ok(solve_values(&h, &r) == 0 && r.positions == 30000 && nseen == 30000,
	    "values of 30000 positions");
	double mse = plain_mse(r.w);
	ok(fabs(r.mse - mse) < 3e-5, "mean square %g, plainly %g", r.mse, mse);
	for (int i = 0; i < FIT_WEIGHTS; i++)
		for (int sign = -1; sign <= 1; sign += 2) {
			double w[FIT_WEIGHTS];
			memcpy(w, r.w, sizeof(w));
			w[i] += 0.003 * sign;
			higher += plain_mse(w) > mse;
		}
	ok(higher == 2 * FIT_WEIGHTS, "no other weights are better");
	for (int k = 0; k < n; k++) {
		histogram_release(&h);
		for (int i = 0; i < 150; i++)
			valued_game(&h, &rng, 30);
		bad += solve_values(&h, &r) == -1 || !r.valued;
		for (int i = 0; i < FIT_PIECES; i++)
			held[i] += r.lo[i] <= truth[i] / truth[0] &&
			    truth[i] / truth[0] <= r.hi[i];
	}
	ok(bad == 0, "values: every sample has a fit");
	coverage_row("values of 150 games", held, n);
	ok(fit_parts(-1) == 0 && fit_parts(1) == FIT_UNIT && fit_squares(0) == 0 &&
		fit_squares(-1) == FIT_UNIT,
	    "the ends");
	histogram_release(&h);
}

static void
test_student(void)
{
	static const struct {
		double dof, t;
	} rows[] = {
		{ 1, 12.7062047361747 },
		{ 2, 4.30265272974946 },
		{ 5, 2.57058183563631 },
		{ 30, 2.04227245630124 },
		{ 100, 1.98397151852355 },
		{ 1e9, 1.95996398690997 },
	};
	double error;
	size_t i;

	error = 0;
	for (i = 0; i < COUNT(rows); i++)
		error = fmax(error,
		    fabs(student_quantile(0.025, rows[i].dof) / rows[i].t - 1));
	ok(error < 1e-11, "quantiles of Student's t: %.1g off", error);
	ok(fabs(student_quantile(5e-7, 1) * tan(3.14159265358979324 * 5e-7) - 1) < 1e-9 &&
		fabs(student_quantile(5e-7, 2) / 999.99925 - 1) < 1e-9 &&
		fabs(student_quantile(5e-7, 1e9) / 4.8916385062 - 1) < 1e-9,
	    "the farthest tails that are asked for");
	ok(fabs(student_quantile(0.5, 7)) < 1e-12 &&
		fabs(student_quantile(1e-5, 1) * tan(3.14159265358979324e-5) - 1) < 1e-10,
	    "the middle and a far tail of Student's t");
}

int
main(void)
{
	test_keys();
	test_derivatives();
	test_recovery();
	test_merge();
	test_refusals();
	test_limits();
	test_fieller();
	test_coverage_still("2000 games", 2000, 1);
	test_coverage_still("600 games", 600, 1);
	test_coverage_slow();
	test_values();
	test_student();
	return tap_end();
}
