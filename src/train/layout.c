#include "layout.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "net/encode.h"

static size_t
place(size_t *end, size_t numbers)
{
	size_t at = *end;

	*end += kernels_length(numbers);
	return at;
}

void
model_layout(struct model_layout *l, int blocks, int filters)
{
	size_t f = (size_t)filters, end = 0;

	memset(l, 0, sizeof(*l));
	l->blocks = blocks;
	l->filters = filters;
	l->convs = 1 + 2 * blocks;
	l->widest = filters > NET_PLANES ? filters : NET_PLANES;
	for (int i = 0; i < l->convs; i++) {
		struct model_conv *c = &l->conv[i];
		c->from = i == 0 ? NET_PLANES : filters;
		c->weights = place(&end, 9 * (size_t)c->from * f);
		c->scale = place(&end, f);
		c->shift = place(&end, f);
	}
	l->policy = place(&end, NET_POLICY_PLANES * f);
	l->policy_bias = place(&end, NET_POLICY_PLANES);
	l->value = place(&end, f * TOWER_VALUE);
	l->value_bias = place(&end, TOWER_VALUE);
	l->hidden = place(&end, TOWER_VALUE * TOWER_HIDDEN);
	l->hidden_bias = place(&end, TOWER_HIDDEN);
	l->wdl = place(&end, 3 * TOWER_HIDDEN);
	l->wdl_bias = place(&end, 3);
	l->left = place(&end, TOWER_HIDDEN);
	l->left_bias = place(&end, 1);
	l->parameters = end;
}

/* A normal variate, by Box and Muller. */
static float
normal(struct rng *r)
{
	double u = 1 - rng_double(r), v = rng_double(r);

	return (float)(sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
}

static void
randomise(float *w, size_t n, double deviation, struct rng *r)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (float)deviation * normal(r);
}

void
model_random(const struct model_layout *l, float *p, uint64_t seed)
{
	size_t f = (size_t)l->filters;
	struct rng r;

	rng_init(&r, seed, 0);
	memset(p, 0, l->parameters * sizeof(*p));
	for (int i = 0; i < l->convs; i++) {
		const struct model_conv *c = &l->conv[i];
		randomise(p + c->weights, 9 * (size_t)c->from * f,
		    sqrt(2.0 / (9 * c->from)), &r);
		for (size_t k = 0; k < f; k++)
			p[c->scale + k] = i > 0 && i % 2 == 0 ? 0.2f : 1;
	}
	randomise(p + l->policy, NET_POLICY_PLANES * f, 0.1 / sqrt((double)f), &r);
	randomise(p + l->value, f * TOWER_VALUE, sqrt(2.0 / (double)f), &r);
	randomise(p + l->hidden, TOWER_VALUE * TOWER_HIDDEN, sqrt(2.0 / TOWER_VALUE), &r);
	randomise(p + l->wdl, 3 * TOWER_HIDDEN, 0.1 / sqrt(TOWER_HIDDEN), &r);
	randomise(p + l->left, TOWER_HIDDEN, 0.1 / sqrt(TOWER_HIDDEN), &r);
}
