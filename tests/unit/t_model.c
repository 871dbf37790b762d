/*
 * The net as it is trained: the kernels of every instruction set against plain
 * loops, gradients of every layer against finite differences, threads, and a
 * tiny net that overfits 32 positions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "common.h"
#include "tap.h"
#include "train/sgd.h"

static struct rng rng;

static float
centred(void)
{
	return (float)(2 * rng_double(&rng) - 1);
}

/* ---- targets ---- */

enum { BOARDS = 40, MANY = 104, MOVES = 7, STEPS = 3, PARAMETERS = 40000 };

static uint16_t places[MANY][MOVES];
static float probs[MANY][MOVES];
static struct model_target targets[MANY];

static void
make_targets(struct model *m, int n)
{
	for (int i = 0; i < n; i++) {
		float *in = model_input(m, i), sum = 0;
		for (int j = 0; j < NET_INPUT; j++)
			in[j] = rng_below(&rng, 4) == 0 ? 1 : 0;
		for (int j = 0; j < MOVES; j++) {
			places[i][j] = (uint16_t)rng_below(&rng, NET_POLICY);
			probs[i][j] = (float)rng_double(&rng);
			sum += probs[i][j];
		}
		for (int j = 0; j < MOVES; j++)
			probs[i][j] /= sum;
		float w = (float)rng_double(&rng);
		targets[i] = (struct model_target){ places[i], probs[i], MOVES,
			{ w, (1 - w) / 2, (1 - w) / 2 }, (float)rng_double(&rng) };
	}
}

static double
whole(const struct model *m, struct model_loss l)
{
	return l.policy + (double)m->value_weight * l.value +
	    (double)m->left_weight * l.left;
}

/* ---- gradients ---- */

/* Half along the gradient, so that the slope is steep and rounding of 32-bit
 * sums matters little; half at random, so that a gradient that is wrong
 * somewhere else shows too. Returns the slope that the gradient tells. */
static double
choose_direction(const float *gradient, float *direction, size_t n)
{
	double length = 0, chance = 0, slope = 0;

	for (size_t i = 0; i < n; i++) {
		direction[i] = centred();
		length += (double)gradient[i] * (double)gradient[i];
		chance += (double)direction[i] * (double)direction[i];
	}
	/* not against it */
	chance = n == 1
	    ? copysign(sqrt(chance), (double)gradient[0] * (double)direction[0])
	    : sqrt(chance);
	for (size_t i = 0; i < n; i++) {
		direction[i] = (float)((double)gradient[i] / sqrt(length) +
		    (double)direction[i] / chance);
		slope += (double)direction[i] * (double)gradient[i];
	}
	return slope;
}

/* The slope of the loss along a direction within one layer's parameters, by
 * differences and by the gradient. */
static void
check_slope(struct model *m, float *parameters, const char *name, size_t at, size_t n)
{
	float *direction = malloc(n * sizeof(*direction));
	float *kept = malloc(n * sizeof(*kept));
	double best = INFINITY;

	memcpy(kept, parameters + at, n * sizeof(*kept));
	model_learn(m, parameters, targets, BOARDS);
	double slope = choose_direction(m->gradient + at, direction, n);
	/* Several steps: the relus' bends spoil large ones, rounding small, and
	 * that the sooner the less batch norm leaves of the slope. */
	for (double step = 0.3; step > 1e-4; step /= 3) {
		double loss[2];
		for (int side = 0; side < 2; side++) {
			for (size_t i = 0; i < n; i++)
				parameters[at + i] =
				    kept[i] + (float)(side ? step : -step) * direction[i];
			loss[side] =
			    whole(m, model_measure(m, parameters, targets, BOARDS));
		}
		double got = (loss[1] - loss[0]) / (2 * step);
		best = fmin(best, fabs(got / slope - 1));
	}
	memcpy(parameters + at, kept, n * sizeof(*kept));
	ok(best < 0.01, "gradient of %s: slope %.4g, relative error %.1e", name, slope,
	    best);
	free(direction);
	free(kept);
}

static void
check_gradients(struct threadpool *pool, int blocks, int filters)
{
	struct model m;

	ok(model_init(&m, blocks, filters, BOARDS, pool) == 0, "%dx%d", blocks, filters);
	const struct model_layout *l = &m.layout;
	float *p = kernels_allocate(l->parameters);
	model_random(l, p, 5);
	/* so that nothing is at zero, where it could hide */
	for (size_t i = 0; i < l->parameters; i++)
		p[i] += 0.05f * centred();
	m.left_weight = 0.7f;
	m.value_weight = 1.3f;
	make_targets(&m, BOARDS);
	for (int i = 0; i < l->convs; i++) {
		char name[40];
		const struct model_conv *c = &l->conv[i];
		snprintf(name, sizeof(name), "convolution %d", i);
		check_slope(&m, p, name, c->weights,
		    9 * (size_t)c->from * (size_t)filters);
		snprintf(name, sizeof(name), "norm's scale %d", i);
		check_slope(&m, p, name, c->scale, (size_t)filters);
		snprintf(name, sizeof(name), "norm's shift %d", i);
		check_slope(&m, p, name, c->shift, (size_t)filters);
	}
	check_slope(&m, p, "policy", l->policy, NET_POLICY_PLANES * (size_t)filters);
	check_slope(&m, p, "policy's bias", l->policy_bias, NET_POLICY_PLANES);
	check_slope(&m, p, "value", l->value, (size_t)filters * TOWER_VALUE);
	check_slope(&m, p, "value's bias", l->value_bias, TOWER_VALUE);
	check_slope(&m, p, "hidden", l->hidden, TOWER_VALUE * TOWER_HIDDEN);
	check_slope(&m, p, "hidden's bias", l->hidden_bias, TOWER_HIDDEN);
	check_slope(&m, p, "wdl", l->wdl, 3 * TOWER_HIDDEN);
	check_slope(&m, p, "wdl's bias", l->wdl_bias, 3);
	check_slope(&m, p, "left", l->left, TOWER_HIDDEN);
	check_slope(&m, p, "left's bias", l->left_bias, 1);
	free(p);
	model_release(&m);
}

/* ---- threads ---- */

/* Takes some steps; the parameters after them, and the losses, are the
 * result. */
static void
take_steps(int threads, float *parameters, struct model_loss *losses)
{
	struct threadpool pool;
	struct model m;
	struct sgd sgd;

	threadpool_init(&pool, threads);
	rng_init(&rng, 17, 0);
	if (model_init(&m, 2, 32, MANY, &pool) == -1 || sgd_init(&sgd, &m.layout) == -1)
		exit(1);
	model_random(&m.layout, sgd.parameters, 9);
	for (int i = 0; i < STEPS; i++) {
		/* parts that are whole and parts that are not */
		make_targets(&m, MANY);
		losses[i] = model_learn(&m, sgd.parameters, targets, MANY - i);
		sgd_step(&sgd, &sgd_defaults, m.gradient, 0.03);
	}
	memcpy(parameters, sgd.parameters, PARAMETERS * sizeof(float));
	sgd_release(&sgd);
	model_release(&m);
	threadpool_release(&pool);
}

static void
check_threads(void)
{
	static float parameters[2][PARAMETERS];
	static struct model_loss losses[2][STEPS];
	struct model_layout l;

	model_layout(&l, 2, 32);
	ok(l.parameters >= PARAMETERS, "the parameters that are compared");
	take_steps(1, parameters[0], losses[0]);
	for (int threads = 2; threads <= 5; threads++) {
		take_steps(threads, parameters[1], losses[1]);
		ok(memcmp(parameters[0], parameters[1], sizeof(parameters[0])) == 0 &&
			memcmp(losses[0], losses[1], sizeof(losses[0])) == 0,
		    "%d threads: the same bits as one", threads);
	}
}

/* ---- overfitting ---- */

/* What a loss of the result is at least: the entropy of the targets. */
static double
least_value_loss(int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < 3; j++)
			sum -= (double)targets[i].wdl[j] *
			    log((double)targets[i].wdl[j] + 1e-30);
	return sum / n;
}

static void
check_learns(void)
{
	enum { N = 32 };
	struct threadpool pool;
	struct model m;
	struct sgd sgd;
	struct model_loss first, last = { 0 };

	threadpool_init(&pool, 2);
	if (model_init(&m, 1, 32, N, &pool) == -1 || sgd_init(&sgd, &m.layout) == -1)
		exit(1);
	model_random(&m.layout, sgd.parameters, 2);
	m.left_weight = 1;
	make_targets(&m, N);
	first = model_measure(&m, sgd.parameters, targets, N);
	for (int i = 0; i < (SANITIZED ? 200 : 500); i++) {
		model_learn(&m, sgd.parameters, targets, N);
		sgd_step(&sgd, &sgd_defaults, m.gradient, 0.1);
	}
	last = model_measure(&m, sgd.average, targets, N);
	double least = least_value_loss(N);
	ok(first.policy > 0.1 && last.policy < 0.001,
	    "%d positions overfitted: policy loss from %.3f to %.4f", N, first.policy,
	    last.policy);
	ok(first.value - least > 0.1 && last.value - least < 0.001,
	    "... value loss from %.3f to %.4f, of which %.4f are the targets'",
	    first.value, last.value, least);
	ok(first.left > 0.05 && last.left < 0.1 * first.left,
	    "... loss of the plies left from %.3f to %.5f", first.left, last.left);
	sgd_release(&sgd);
	model_release(&m);
	threadpool_release(&pool);
}

int
main(void)
{
	struct threadpool one, three;

	kernels_flush_denormals(); /* as the trainer does, and its threads */
	rng_init(&rng, 11, 0);
	threadpool_init(&one, 1);
	threadpool_init(&three, 3);
	check_gradients(&one, 2, 16);
	check_gradients(&three, 1, SANITIZED ? 16 : 48);
	threadpool_release(&one);
	threadpool_release(&three);
	check_threads();
	check_learns();
	return tap_end();
}
