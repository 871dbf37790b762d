#include "sgd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct sgd_options sgd_defaults = {
	.momentum = 0.9, .decay = 1e-4, .clip = 5, .average = 0.998
};

int
sgd_init(struct sgd *s, const struct model_layout *l)
{
	memset(s, 0, sizeof(*s));
	s->layout = *l;
	s->parameters = kernels_allocate(l->parameters);
	s->velocity = kernels_allocate(l->parameters);
	s->average = kernels_allocate(l->parameters);
	bool failed = s->parameters == NULL || s->velocity == NULL || s->average == NULL;
	return failed ? -1 : 0;
}

void
sgd_release(struct sgd *s)
{
	free(s->parameters);
	free(s->velocity);
	free(s->average);
	memset(s, 0, sizeof(*s));
}

static void
decay(const struct sgd *s, float *gradient, size_t at, size_t n, double share)
{
	for (size_t i = at; i < at + n; i++)
		gradient[i] += (float)share * s->parameters[i];
}

static void
decay_weights(const struct sgd *s, float *gradient, double share)
{
	const struct model_layout *l = &s->layout;
	size_t f = (size_t)l->filters;

	for (int i = 0; i < l->convs; i++)
		decay(s, gradient, l->conv[i].weights, 9 * (size_t)l->conv[i].from * f,
		    share);
	decay(s, gradient, l->policy, NET_POLICY_PLANES * f, share);
	decay(s, gradient, l->value, f * TOWER_VALUE, share);
	decay(s, gradient, l->hidden, TOWER_VALUE * TOWER_HIDDEN, share);
	decay(s, gradient, l->wdl, 3 * TOWER_HIDDEN, share);
	decay(s, gradient, l->left, TOWER_HIDDEN, share);
}

static double
length(const float *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)v[i] * (double)v[i];
	return sqrt(sum);
}

double
sgd_step(struct sgd *s, const struct sgd_options *o, float *gradient, double rate)
{
	size_t n = s->layout.parameters;
	double size = length(gradient, n);

	if (!isfinite(size))
		return size;
	float clip = size > o->clip ? (float)(o->clip / size) : 1;
	for (size_t i = 0; i < n; i++)
		gradient[i] *= clip;
	decay_weights(s, gradient, o->decay);
	/* The average starts with few steps, so that the first are forgotten. */
	double begun = (1 + (double)s->steps) / (10 + (double)s->steps);
	float old = (float)(begun < o->average ? begun : o->average);
	float momentum = (float)o->momentum, step = (float)rate;
	for (size_t i = 0; i < n; i++) {
		float v = momentum * s->velocity[i] + gradient[i];
		s->velocity[i] = v;
		s->parameters[i] -= step * (gradient[i] + momentum * v);
		s->average[i] = old * s->average[i] + (1 - old) * s->parameters[i];
	}
	s->steps++;
	return size;
}
