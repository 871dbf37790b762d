/*
 * The sparse net as it is trained: the gradient of every array against
 * differences of a loss that is computed here, in double precision, from the
 * formulas; the same bits for any number of threads; positions packed and
 * unpacked; and a net that overfits a batch.
 */
#include <math.h>

#include "common.h"
#include "positions.h"
#include "randomrules.h"
#include "sparsenet.h"
#include "tap.h"
#include "train/sparsemodel.h"
#include "unpack.h"

enum { HIDDEN = 64, BATCH = 32, SETS = 8, POSITIONS_A_SET = 60 };

static struct rng rng;
static struct positions window;

/* ---- positions ---- */

static bool
has_same_inputs(const struct position *p, const struct board *b)
{
	uint16_t packed[2][SPARSE_ACTIVE_MAX], want[SPARSE_ACTIVE_MAX];
	int n = position_inputs(p, packed[0], packed[1]);
	bool same = true;

	for (int them = 0; them < 2; them++) {
		bool there[SPARSE_ROWS] = { false };
		same = same && n == sparse_inputs(b, b->side ^ them, want);
		for (int i = 0; i < n; i++)
			there[packed[them][i]] = true;
		for (int i = 0; i < n && same; i++)
			same = there[want[i]];
	}
	return same;
}

static bool
unpacks(const struct position *p, const struct board *b)
{
	struct board again;

	position_unpack(p, b->rules, &again);
	return memcmp(again.pieces, b->pieces, sizeof(again.pieces)) == 0 &&
	    memcmp(again.square, b->square, sizeof(again.square)) == 0 &&
	    again.side == b->side && again.castling == b->castling &&
	    again.checks == b->checks;
}

/* Random games under random rules, and one where the sides are not alike. */
static void
choose_positions(void)
{
	int wrong = 0, seen = 0;

	positions_init(&window, 1000);
	for (int i = 0; i < SETS; i++) {
		struct rules r;
		if (i == 0)
			rules_of(&r, "armageddon");
		else
			random_rules(&rng, &r);
		for (int n = 0; n < POSITIONS_A_SET;) {
			struct board b;
			board_start_random(&b, &r, &rng);
			for (int ply = 0; ply < 60; ply++) {
				move list[MOVES_MAX];
				struct undo u;
				struct position p;
				int k = movegen_list(&b, list);
				if (k == 0)
					break;
				board_make(&b, list[rng_below(&rng, (uint32_t)k)], &u);
				if (ply % 3 != 2 || n++ >= POSITIONS_A_SET)
					continue;
				position_pack(&p, &b, rng_double(&rng),
				    rng_below(&rng, 2));
				wrong += !has_same_inputs(&p, &b) || !unpacks(&p, &b);
				seen++;
				position_add(&window, positions_of(&window, &r), &p);
			}
		}
	}
	ok(wrong == 0 && sizeof(struct position) == 32,
	    "%d positions are packed into 32 bytes each and unpacked", seen);
}

/* ---- the loss ---- */

/* One sum of the hidden layer, rule changes included. */
static double
hidden_sum(const struct sparse *s, const struct sparse_rules *r, const uint16_t *inputs,
    int n, size_t i)
{
	size_t h = (size_t)s->hidden;
	double x = (double)s->bias[i];

	for (int j = 0; j < n; j++)
		x += (double)s->in[inputs[j] % SPARSE_INPUTS * h + i] +
		    (double)s->zone[inputs[j] * h + i];
	for (size_t k = 0; k < (size_t)s->nrules; k++) {
		if (r->in[k] == 0)
			continue;
		x += (double)r->in[k] * (double)s->rule_bias[k * h + i];
		for (size_t j = 0; j < SPARSE_RANK; j++) {
			double left = 0;
			for (int m = 0; m < n; m++)
				left += (double)s->left[(k * SPARSE_INPUTS +
							    inputs[m] % SPARSE_INPUTS) *
					SPARSE_RANK +
				    j];
			x += (double)r->in[k] * left *
			    (double)s->right[(k * SPARSE_RANK + j) * h + i];
		}
	}
	return x;
}

/* Logits of both heads: the formulas of sparse.h, as they are. */
static void
forward(const struct sparse *s, const struct sparse_rules *r, const struct position *p,
    double logits[2])
{
	uint16_t inputs[2][SPARSE_ACTIVE_MAX];
	int n = position_inputs(p, inputs[0], inputs[1]);
	int men = __builtin_popcountll(p->occupied);
	size_t h = (size_t)s->hidden, bucket = (size_t)((men - 1) / 4);
	const float *view = r->view[p->side];

	bucket = bucket < SPARSE_BUCKETS ? bucket : SPARSE_BUCKETS - 1;
	for (size_t head = 0; head < 2; head++)
		logits[head] = (double)s->out_bias[head * SPARSE_BUCKETS + bucket];
	for (size_t k = 0; k < (size_t)s->nrules; k++)
		logits[0] += (double)view[k] *
		    (double)s->rule_out_bias[k * SPARSE_BUCKETS + bucket];
	for (size_t i = 0; i < 2 * h; i++) {
		double x = hidden_sum(s, r, inputs[i >= h], n, i % h);
		x = x < 0 ? 0 : x > 1 ? 1 : x * x;
		double out = (double)s->out[bucket * 2 * h + i];
		for (size_t k = 0; k < (size_t)s->nrules; k++)
			out += (double)view[k] * (double)s->rule_out[k * 2 * h + i];
		logits[0] += x * out;
		logits[1] += x * (double)s->out[(SPARSE_BUCKETS + bucket) * 2 * h + i];
	}
}

/* Four times the squared error of points; or, of the draw's head, which learns
 * beside it without changing the hidden layer, the cross-entropy. */
static double
loss(const struct sparse_model *m, bool of_draws)
{
	double sum = 0;

	for (int part = 0; part < SPARSE_PARTS; part++)
		for (int i = 0; i < m->part_size; i++) {
			const struct position *p = m->chosen[part][i];
			double logits[2];
			forward(&m->net, &m->rules[part], p, logits);
			double q = 1 / (1 + exp(-logits[of_draws]));
			double off = q - p->target / 65535.0;
			sum += !of_draws ? 4 * off * off : -log(p->drawn ? q : 1 - q);
		}
	return sum / (SPARSE_PARTS * m->part_size);
}

/* ---- gradients ---- */

/* The slope along a direction, half that of the gradient and half random, by
 * the gradient and by differences. */
static void
check_slope(struct sparse_model *m, const char *name, float *weights, size_t n,
    bool of_draws)
{
	const float *gradient = m->gradient.in + (weights - m->net.in);
	float *direction = malloc(n * sizeof(float));
	float *kept = malloc(n * sizeof(float));
	double length = 0, chance = 0, slope = 0, best = INFINITY;

	if (direction == NULL || kept == NULL)
		bail_out("gradient", name, "out of memory");
	memcpy(kept, weights, n * sizeof(float));
	for (size_t i = 0; i < n; i++) {
		/* features that are not there have no gradient */
		direction[i] = gradient[i] == 0 ? 0 : (float)(2 * rng_double(&rng) - 1);
		length += (double)gradient[i] * (double)gradient[i];
		chance += (double)direction[i] * (double)direction[i];
	}
	for (size_t i = 0; i < n; i++) {
		direction[i] = (float)((double)gradient[i] / sqrt(length) +
		    (double)direction[i] / sqrt(chance));
		slope += (double)direction[i] * (double)gradient[i];
	}
	for (double step = 0.1; step > 2e-4; step /= 4) {
		double l[2];
		for (int side = 0; side < 2; side++) {
			for (size_t i = 0; i < n; i++)
				weights[i] =
				    kept[i] + (float)(side ? step : -step) * direction[i];
			l[side] = loss(m, of_draws);
		}
		best = fmin(best, fabs((l[1] - l[0]) / (2 * step) / slope - 1));
	}
	memcpy(weights, kept, n * sizeof(float));
	ok(length > 0 && best < 0.01, "gradient of %s: slope %.3g, relative error %.1e",
	    name, slope, best);
	free(direction);
	free(kept);
}

static void
check_gradients(struct threadpool *pool)
{
	struct sparse_model m;
	struct sparse net;
	struct rng draws;

	if (sparse_model_init(&m, HIDDEN, 3, BATCH) == -1)
		bail_out("model", "", "out of memory");
	random_sparse(&net, HIDDEN, 17);
	memcpy(m.net.in, net.in, net.floats * sizeof(float));
	rng_init(&draws, 5, 0);
	/* a step of rate 0 leaves weights and gradient as they are */
	double told = sparse_model_step(&m, &window, &draws, 0, pool);
	ok(memcmp(m.net.in, net.in, net.floats * sizeof(float)) == 0,
	    "a step of rate 0 changes nothing");
	ok(fabs(told * 4 / loss(&m, false) - 1) < 1e-4,
	    "the error that it tells is right: %.6f", told);
	size_t h = HIDDEN, half = SPARSE_BUCKETS * 2 * h;
	size_t k = (size_t)m.net.nrules;
	struct sparse *s = &m.net;
	check_slope(&m, "in", s->in, SPARSE_INPUTS * h, false);
	check_slope(&m, "zone", s->zone, SPARSE_ROWS * h, false);
	check_slope(&m, "bias", s->bias, h, false);
	check_slope(&m, "out, points", s->out, half, false);
	check_slope(&m, "out, draw", s->out + half, half, true);
	check_slope(&m, "out_bias, points", s->out_bias, SPARSE_BUCKETS, false);
	check_slope(&m, "out_bias, draw", s->out_bias + SPARSE_BUCKETS, SPARSE_BUCKETS,
	    true);
	check_slope(&m, "left", s->left, k * SPARSE_INPUTS * SPARSE_RANK, false);
	check_slope(&m, "right", s->right, k * SPARSE_RANK * h, false);
	check_slope(&m, "rule_bias", s->rule_bias, k * h, false);
	check_slope(&m, "rule_out", s->rule_out, k * 2 * h, false);
	check_slope(&m, "rule_out_bias", s->rule_out_bias, k * SPARSE_BUCKETS, false);
	sparse_release(&net);
	sparse_model_release(&m);
}

/* ---- threads, and learning ---- */

static double
learn(struct sparse_model *m, int threads, int steps, int batch)
{
	struct threadpool pool;
	struct rng draws;
	double last = 0;

	if (sparse_model_init(m, HIDDEN, 3, batch) == -1 ||
	    threadpool_init(&pool, threads) == -1)
		bail_out("model", "", "out of memory");
	rng_init(&draws, 5, 0);
	for (int i = 0; i < steps; i++) {
		double error = sparse_model_step(m, &window, &draws, 0.003, &pool);
		last = i == 0 ? error : 0.95 * last + 0.05 * error;
	}
	threadpool_release(&pool);
	return last;
}

static void
check_threads(void)
{
	struct sparse_model one, more;

	learn(&one, 1, 5, BATCH);
	for (int threads = 2; threads <= 3; threads++) {
		learn(&more, threads, 5, BATCH);
		ok(memcmp(one.net.in, more.net.in, one.net.floats * sizeof(float)) == 0,
		    "%d threads learn the same bits", threads);
		sparse_model_release(&more);
	}
	sparse_model_release(&one);
	double error = learn(&one, 2, 300, 128);
	ok(error < 0.01, "%d positions are overfitted: squared error %.4f",
	    (int)positions_count(&window), error);
	sparse_model_release(&one);
}

int
main(void)
{
	struct threadpool pool;

	rng_init(&rng, 77, 0);
	if (threadpool_init(&pool, 2) == -1)
		bail_out("pool", "", "out of memory");
	choose_positions();
	check_gradients(&pool);
	check_threads();
	threadpool_release(&pool);
	positions_release(&window);
	return tap_end();
}
