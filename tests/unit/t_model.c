/*
 * The net as it is trained: the kernels of every instruction set against plain
 * loops, gradients of every layer against finite differences, threads, and a
 * tiny net that learns 32 positions by heart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tap.h"
#include "train/model.h"

static struct rng rng;

static float
centred(void)
{
	return (float)(2 * rng_double(&rng) - 1);
}

/* ---- targets ---- */

enum { BOARDS = 40, MOVES = 7 };

static uint16_t places[BOARDS][MOVES];
static float odds[BOARDS][MOVES];
static struct model_target targets[BOARDS];

static void
make_targets(struct model *m, int n)
{
	for (int i = 0; i < n; i++) {
		float *in = model_input(m, i), sum = 0;
		for (int j = 0; j < NET_INPUT; j++)
			in[j] = rng_below(&rng, 4) == 0 ? 1 : 0;
		for (int j = 0; j < MOVES; j++) {
			places[i][j] = (uint16_t)rng_below(&rng, NET_POLICY);
			odds[i][j] = (float)rng_double(&rng);
			sum += odds[i][j];
		}
		for (int j = 0; j < MOVES; j++)
			odds[i][j] /= sum;
		float w = (float)rng_double(&rng);
		targets[i] = (struct model_target){ places[i], odds[i], MOVES,
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

/*
 * The slope along a random direction within one layer's parameters, by
 * differences and by the gradient. Along a direction all errors of the parts
 * count, and rounding of 32-bit sums matters least.
 */
static void
check_slope(struct model *m, float *parameters, const char *name, size_t at,
    size_t n)
{
	float *direction = malloc(n * sizeof(*direction));
	float *kept = malloc(n * sizeof(*kept));
	double expected = 0, got = 0, worst = 1e9;

	memcpy(kept, parameters + at, n * sizeof(*kept));
	model_learn(m, parameters, targets, BOARDS);
	for (size_t i = 0; i < n; i++) {
		direction[i] = centred();
		expected += (double)direction[i] * (double)m->gradient[at + i];
	}
	/* Several steps: the relus' bends spoil large ones, rounding small. */
	for (double step = 3e-2; step > 1e-4; step /= 3) {
		double loss[2];
		for (int side = 0; side < 2; side++) {
			for (size_t i = 0; i < n; i++)
				parameters[at + i] = kept[i] + (float)((side ? 1 : -1) *
				    step / sqrt((double)n)) * direction[i];
			loss[side] = whole(m, model_measure(m, parameters,
			    targets, BOARDS));
		}
		got = (loss[1] - loss[0]) / (2 * step) * sqrt((double)n);
		double error = fabs(got - expected) / (fabs(expected) + 1e-3);
		worst = error < worst ? error : worst;
	}
	memcpy(parameters + at, kept, n * sizeof(*kept));
	ok(worst < 0.02, "gradient of %s: %.6g, relative error %.2g", name,
	    expected, worst);
	free(direction);
	free(kept);
}

static void
check_gradients(struct crew *crew, int blocks, int filters)
{
	struct model m;

	ok(model_init(&m, blocks, filters, BOARDS, crew) == 0, "%dx%d", blocks,
	    filters);
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
	check_slope(&m, p, "policy", l->policy,
	    NET_POLICY_PLANES * (size_t)filters);
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

int
main(void)
{
	struct crew one, three;

	rng_init(&rng, 11, 0);
	crew_init(&one, 1);
	crew_init(&three, 3);
	check_gradients(&one, 2, 16);
	check_gradients(&three, 1, 48);
	crew_release(&one);
	crew_release(&three);
	return tap_end();
}
