#include "heads.h"

#include <math.h>
#include <string.h>

#include "net/net.h"

static float
cross_entropy(const float *logits, const float *probs, int n, float *gradient)
{
	float most = logits[0], loss = 0;

	for (int i = 1; i < n; i++)
		most = logits[i] > most ? logits[i] : most;
	float sum = gradient[0] = expf(logits[0] - most);
	for (int i = 1; i < n; i++)
		sum += gradient[i] = expf(logits[i] - most);
	float log_sum = logf(sum) + most;
	for (int i = 0; i < n; i++) {
		if (probs[i] > 0)
			loss += probs[i] * (log_sum - logits[i]);
		gradient[i] = gradient[i] / sum - probs[i];
	}
	return loss;
}

static double
own_entropy(const float *probs, int n)
{
	double h = 0;

	for (int i = 0; i < n; i++)
		if (probs[i] > 0)
			h -= probs[i] * log(probs[i]);
	return h;
}

/* One board's policy loss. Its gradient is added to d, that of the features. */
static double
policy_head(struct model *m, const struct model_target *t, const float *features,
    float *d, float *gradient)
{
	enum { MOST = 512 };
	const struct model_layout *l = &m->layout;
	const float *w = m->parameters + l->policy;
	const float *bias = m->parameters + l->policy_bias;
	float logits[MOST], g[MOST];
	size_t f = (size_t)l->filters;
	int n = t->moves < MOST ? t->moves : MOST;

	if (n < 1)
		return 0;
	for (int i = 0; i < n; i++) {
		size_t plane = t->places[i] / 64, square = t->places[i] % 64;
		logits[i] = bias[plane] +
		    m->kernels->dot(features + square * f, w + plane * f, l->filters);
	}
	double loss = cross_entropy(logits, t->probs, n, g) - own_entropy(t->probs, n);
	float share = 1 / (float)m->count;
	for (int i = 0; m->learn && i < n; i++) {
		size_t plane = t->places[i] / 64, square = t->places[i] % 64;
		float x = g[i] * share;
		gradient[l->policy_bias + plane] += x;
		m->kernels->add_scaled(gradient + l->policy + plane * f, x,
		    features + square * f, l->filters);
		m->kernels->add_scaled(d + square * f, x, w + plane * f, l->filters);
	}
	return loss;
}

/* The outputs of the value head, with all that the backward pass needs. */
struct value_pass {
	float mean[TOWER_VALUE] __attribute__((aligned(KERNELS_ALIGN)));
	float hidden[TOWER_HIDDEN] __attribute__((aligned(KERNELS_ALIGN)));
	float logits[3], left;
};

static void
value_forward(struct model *m, const float *features, float *planes, struct value_pass *v)
{
	const struct model_layout *l = &m->layout;
	const float *p = m->parameters;

	m->kernels->product(features, p + l->value, planes, 64, l->filters, TOWER_VALUE,
	    false);
	m->kernels->pool(planes, p + l->value_bias, 64, TOWER_VALUE, v->mean);
	for (int i = 0; i < TOWER_VALUE; i++)
		v->mean[i] /= 64;
	memcpy(v->hidden, p + l->hidden_bias, sizeof(v->hidden));
	m->kernels->product(v->mean, p + l->hidden, v->hidden, 1, TOWER_VALUE,
	    TOWER_HIDDEN, true);
	for (int i = 0; i < TOWER_HIDDEN; i++)
		v->hidden[i] = v->hidden[i] > 0 ? v->hidden[i] : 0;
	for (int i = 0; i < 3; i++)
		v->logits[i] = p[l->wdl_bias + (size_t)i] +
		    m->kernels->dot(v->hidden, p + l->wdl + i * TOWER_HIDDEN,
			TOWER_HIDDEN);
	v->left = p[l->left_bias] + m->kernels->dot(v->hidden, p + l->left, TOWER_HIDDEN);
}

/* dwdl, dleft: gradients of the outputs. */
static void
value_backward(struct model *m, const float *features, const float *planes,
    const struct value_pass *v, const float dwdl[3], float dleft, float *d,
    float *gradient, float *dplanes)
{
	const struct model_layout *l = &m->layout;
	const float *p = m->parameters;
	float dhidden[TOWER_HIDDEN] __attribute__((aligned(KERNELS_ALIGN)));
	float dsum[TOWER_VALUE] __attribute__((aligned(KERNELS_ALIGN)));

	for (int i = 0; i < TOWER_HIDDEN; i++) {
		float x = dleft * p[l->left + (size_t)i];
		for (size_t j = 0; j < 3; j++) {
			x += dwdl[j] * p[l->wdl + j * TOWER_HIDDEN + (size_t)i];
			gradient[l->wdl + j * TOWER_HIDDEN + (size_t)i] +=
			    dwdl[j] * v->hidden[i];
		}
		gradient[l->left + (size_t)i] += dleft * v->hidden[i];
		dhidden[i] = v->hidden[i] > 0 ? x : 0;
		gradient[l->hidden_bias + (size_t)i] += dhidden[i];
	}
	for (size_t j = 0; j < 3; j++)
		gradient[l->wdl_bias + j] += dwdl[j];
	gradient[l->left_bias] += dleft;
	for (int i = 0; i < TOWER_VALUE; i++) {
		size_t row = l->hidden + (size_t)(i * TOWER_HIDDEN);
		dsum[i] = m->kernels->dot(dhidden, p + row, TOWER_HIDDEN) / 64;
		m->kernels->add_scaled(gradient + row, v->mean[i], dhidden, TOWER_HIDDEN);
	}
	m->kernels->pool_back(planes, dsum, dplanes, 64, TOWER_VALUE,
	    gradient + l->value_bias);
	m->kernels->product_transposed(features, dplanes, gradient + l->value, 64,
	    l->filters, TOWER_VALUE);
	m->kernels->product(dplanes, m->value_transposed, d, 64, TOWER_VALUE, l->filters,
	    true);
}

/* Huber's loss and its slope. */
static double
huber(float error, float *slope)
{
	const float bend = 0.5f;

	*slope = error > bend ? bend : error < -bend ? -bend : error;
	return *slope == error ? error * error / 2 : bend * (fabsf(error) - bend / 2);
}

void
heads_pass(struct model *m, int board, const float *features, float *planes,
    float *dplanes, float *d, float *gradient, struct model_loss *loss)
{
	const struct model_target *target = &m->targets[board];
	float dwdl[3], slope, share = 1 / (float)m->count;
	struct value_pass v;

	if (m->learn)
		memset(d, 0, 64 * (size_t)m->layout.filters * sizeof(float));
	loss->policy += policy_head(m, target, features, d, gradient);
	value_forward(m, features, planes, &v);
	loss->value += cross_entropy(v.logits, target->wdl, 3, dwdl);
	loss->left += huber(v.left - target->left, &slope);
	if (!m->learn)
		return;
	for (int j = 0; j < 3; j++)
		dwdl[j] *= share * m->value_weight;
	value_backward(m, features, planes, &v, dwdl, slope * share * m->left_weight, d,
	    gradient, dplanes);
}

void
heads_output(struct model *m, const float *features, float *planes,
    const uint16_t *places, int n, float *priors, float wdl[3], float *left)
{
	const struct model_layout *l = &m->layout;
	size_t f = (size_t)l->filters;
	struct value_pass v;

	for (int j = 0; j < n; j++) {
		size_t plane = places[j] / 64, square = places[j] % 64;
		priors[j] = m->parameters[l->policy_bias + plane] +
		    m->kernels->dot(features + square * f,
			m->parameters + l->policy + plane * f, l->filters);
	}
	net_softmax(priors, n);
	value_forward(m, features, planes, &v);
	memcpy(wdl, v.logits, sizeof(v.logits));
	net_softmax(wdl, 3);
	*left = v.left;
}
