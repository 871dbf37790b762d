#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heads.h"
#include "net/net.h"

/* A thread's own memory. */
struct model_thread {
	float *scratch, *du, *dx;
	float *planes, *dplanes; /* of the value head */
};

/* ---- memory ---- */

static int
count_parts(int n)
{
	return (n + MODEL_PART - 1) / MODEL_PART;
}

/* Numbers of a convolution's transformed weights. */
static size_t
transformed_size(const struct model_layout *l)
{
	return KERNELS_POINTS * (size_t)l->widest * (size_t)l->filters;
}

static int
init_thread(struct model_thread *t, const struct model_layout *l)
{
	int f = l->filters;

	t->scratch = kernels_allocate(kernels_scratch(l->widest, f));
	t->du = kernels_allocate(transformed_size(l));
	t->dx = kernels_allocate((size_t)MODEL_BLOCK * 64 * (size_t)f);
	t->planes = kernels_allocate(64 * TOWER_VALUE);
	t->dplanes = kernels_allocate(64 * TOWER_VALUE);
	return t->scratch == NULL || t->du == NULL || t->dx == NULL ||
		t->planes == NULL || t->dplanes == NULL
	    ? -1
	    : 0;
}

int
model_init(struct model *m, int blocks, int filters, int batch, struct threadpool *pool)
{
	memset(m, 0, sizeof(*m));
	model_layout(&m->layout, blocks, filters);
	m->kernels = kernels_best();
	m->pool = pool;
	m->batch = batch;
	m->value_weight = 1;
	m->left_weight = 0.1f;
	const struct model_layout *l = &m->layout;
	size_t f = (size_t)filters, n = (size_t)batch * 64;
	size_t convs = (size_t)l->convs, parts = (size_t)count_parts(batch);
	struct {
		float **p;
		size_t n;
	} arrays[] = {
		{ &m->gradient, l->parameters },
		{ &m->mean, convs * f },
		{ &m->variance, convs * f },
		{ &m->input, n * NET_PLANES },
		{ &m->raw, convs * n * f },
		{ &m->out, convs * n * f },
		{ &m->grad_a, n * f },
		{ &m->grad_b, n * f },
		{ &m->u, convs * transformed_size(l) },
		{ &m->u_transposed, convs * transformed_size(l) },
		{ &m->value_transposed, TOWER_VALUE * f },
		{ &m->part_gradient, parts * l->parameters },
		{ &m->part_sums, parts * 2 * f },
		{ &m->norm_scale, convs * f },
		{ &m->norm_shift, convs * f },
		{ &m->back_a, f },
		{ &m->back_b, f },
		{ &m->back_shift, f },
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		if ((*arrays[i].p = kernels_allocate(arrays[i].n)) == NULL)
			return -1;
	m->part_loss = calloc(parts, sizeof(*m->part_loss));
	m->per_thread = calloc((size_t)pool->threads, sizeof(*m->per_thread));
	if (m->part_loss == NULL || m->per_thread == NULL)
		return -1;
	for (int i = 0; i < pool->threads; i++)
		if (init_thread(&m->per_thread[i], l) == -1)
			return -1;
	return 0;
}

void
model_release(struct model *m)
{
	float *arrays[] = { m->gradient, m->mean, m->variance, m->input, m->raw, m->out,
		m->grad_a, m->grad_b, m->u, m->u_transposed, m->value_transposed,
		m->part_gradient, m->part_sums, m->norm_scale, m->norm_shift, m->back_a,
		m->back_b, m->back_shift };

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		free(arrays[i]);
	for (int i = 0; m->per_thread != NULL && i < m->pool->threads; i++) {
		struct model_thread *t = &m->per_thread[i];
		free(t->scratch);
		free(t->du);
		free(t->dx);
		free(t->planes);
		free(t->dplanes);
	}
	free(m->per_thread);
	free(m->part_loss);
	memset(m, 0, sizeof(*m));
}

float *
model_input(struct model *m, int i)
{
	return m->input + (size_t)i * NET_INPUT;
}

/* ---- parts of a batch ---- */

/* Activations of one layer for the whole batch. */
static size_t
layer_size(const struct model *m)
{
	return (size_t)m->batch * 64 * (size_t)m->layout.filters;
}

static float *
raw_of(struct model *m, int layer, size_t at)
{
	return m->raw + (size_t)layer * layer_size(m) + at;
}

static float *
out_of(struct model *m, int layer, size_t at)
{
	return m->out + (size_t)layer * layer_size(m) + at;
}

struct part {
	int first, boards;
	size_t at;              /* index of its first activation in a layer */
	float *gradient;        /* its own */
	float *sums, *products; /* its own, for batch norm */
};

static struct part
part_of(struct model *m, int job)
{
	struct part p = { .first = job * MODEL_PART };
	size_t f = (size_t)m->layout.filters;

	p.boards = m->count - p.first < MODEL_PART ? m->count - p.first : MODEL_PART;
	p.at = (size_t)p.first * 64 * f;
	p.gradient = m->part_gradient + (size_t)job * m->layout.parameters;
	p.sums = m->part_sums + (size_t)job * 2 * f;
	p.products = p.sums + f;
	return p;
}

/* A block of a part: few boards, so that they stay in the cache while all possible
 * work on them is done. */
static struct part
block_at(const struct model *m, const struct part *p, int first)
{
	struct part b = *p;

	b.first += first;
	b.at += (size_t)first * 64 * (size_t)m->layout.filters;
	b.boards = p->boards - first < MODEL_BLOCK ? p->boards - first : MODEL_BLOCK;
	return b;
}

/* A list of arrays to prefetch, of a block's size, still empty. */
static struct kernels_soon
soon_of(const struct model *m, const struct part *block)
{
	return (struct kernels_soon){ .numbers = (size_t)block->boards * 64 *
		    (size_t)m->layout.filters };
}

static void
want(struct kernels_soon *s, const float *array)
{
	s->array[s->arrays++] = array;
}

static void
clear_sums(const struct model *m, const struct part *p)
{
	memset(p->sums, 0, 2 * (size_t)m->layout.filters * sizeof(float));
}

/* Adds up the two sums of all parts, in order. */
static void
add_sums(const struct model *m, int channel, double *sum, double *second)
{
	size_t f = (size_t)m->layout.filters;

	*sum = *second = 0;
	for (int i = 0; i < count_parts(m->count); i++) {
		*sum += m->part_sums[(size_t)i * 2 * f + (size_t)channel];
		*second += m->part_sums[(size_t)i * 2 * f + f + (size_t)channel];
	}
}

/* A layer's weights in m->u or m->u_transposed. */
static float *
weights_of(const struct model *m, float *all, int layer)
{
	return all + (size_t)layer * transformed_size(&m->layout);
}

/* The layer whose output is added to this one's (the skip); -1: none. */
static int
skip_of(int layer)
{
	return layer > 0 && layer % 2 == 0 ? layer - 2 : -1;
}

/* ---- forward ---- */

static void
apply_norm(struct model *m, int layer, const struct part *p)
{
	int f = m->layout.filters, skip = skip_of(layer);

	m->kernels->norm_apply(raw_of(m, layer, p->at), m->norm_scale + layer * f,
	    m->norm_shift + layer * f, skip < 0 ? NULL : out_of(m, skip, p->at),
	    out_of(m, layer, p->at), p->boards * 64, f);
}

/* A part of m->layer: the norm of the layer below, now that its statistics are
 * known, then the convolution and the sums of its own norm. */
static void
forward_part(void *context, int job, int thread)
{
	struct model *m = context;
	struct part p = part_of(m, job);
	int f = m->layout.filters, layer = m->layer;

	clear_sums(m, &p);
	for (int i = 0; i < p.boards; i += MODEL_BLOCK) {
		struct part b = block_at(m, &p, i);
		const float *in = m->input + (size_t)b.first * NET_INPUT;
		if (layer > 0) {
			apply_norm(m, layer - 1, &b);
			in = out_of(m, layer - 1, b.at);
		}
		struct part next = block_at(m, &p, i + MODEL_BLOCK);
		struct kernels_soon soon = soon_of(m, &b);
		want(&soon, raw_of(m, layer, b.at));
		if (layer > 0 && next.boards > 0) {
			want(&soon, raw_of(m, layer - 1, next.at));
			want(&soon, out_of(m, layer - 1, next.at));
			if (skip_of(layer - 1) >= 0)
				want(&soon, out_of(m, skip_of(layer - 1), next.at));
		}
		m->kernels->conv3(in, raw_of(m, layer, b.at), b.boards,
		    m->layout.conv[layer].from, f, weights_of(m, m->u, layer), NULL,
		    &soon, m->per_thread[thread].scratch);
		m->kernels->norm_sums(raw_of(m, layer, b.at), b.boards * 64, f, b.sums,
		    b.products);
	}
}

/* Batch norm's statistics from the sums, and the scale and shift from them. */
static void
norm_forward(struct model *m, int layer)
{
	const struct model_conv *c = &m->layout.conv[layer];
	double n = (double)m->count * 64;
	int f = m->layout.filters;

	for (int k = 0; k < f; k++) {
		double sum, squares;
		add_sums(m, k, &sum, &squares);
		double mean = sum / n, variance = squares / n - mean * mean;
		variance = variance > 0 ? variance : 0;
		float scale = m->parameters[c->scale + (size_t)k] /
		    sqrtf((float)variance + MODEL_NORM_EPSILON);
		m->mean[layer * f + k] = (float)mean;
		m->variance[layer * f + k] = (float)variance;
		m->norm_scale[layer * f + k] = scale;
		m->norm_shift[layer * f + k] =
		    m->parameters[c->shift + (size_t)k] - scale * (float)mean;
	}
}

/* ---- backward ---- */

/* The gradient of a layer's output. Two buffers alternate: the gradient of a
 * block's skip stays in grad_a. */
static float *
gradient_at(struct model *m, int layer)
{
	return layer % 2 == 0 ? m->grad_a : m->grad_b;
}

/* Backward through the relu of a layer, and the sums for its norm. */
static void
back_sums(struct model *m, int layer, const struct part *p)
{
	int f = m->layout.filters;

	m->kernels->norm_back_sums(out_of(m, layer, p->at), raw_of(m, layer, p->at),
	    m->mean + layer * f, gradient_at(m, layer) + p->at, p->boards * 64, f,
	    p->sums, p->products);
}

/* The norm of the last layer, forward; the heads; and backward to the sums of that
 * norm. The gradient of the features goes into grad_a. */
static void
heads_part(void *context, int job, int thread)
{
	struct model *m = context;
	struct model_thread *t = &m->per_thread[thread];
	struct part p = part_of(m, job);
	int last = m->layout.convs - 1;
	size_t board = 64 * (size_t)m->layout.filters;
	struct model_loss *loss = &m->part_loss[job];

	*loss = (struct model_loss){ 0 };
	clear_sums(m, &p);
	if (m->learn)
		memset(p.gradient, 0, m->layout.parameters * sizeof(float));
	for (int i = 0; i < p.boards; i += MODEL_BLOCK) {
		struct part b = block_at(m, &p, i);
		apply_norm(m, last, &b);
		for (int j = 0; j < b.boards; j++)
			heads_pass(m, b.first + j,
			    out_of(m, last, b.at + (size_t)j * board), t->planes,
			    t->dplanes, m->grad_a + b.at + (size_t)j * board, p.gradient,
			    loss);
		if (m->learn)
			back_sums(m, last, &b);
	}
}

/* Backward through the norm and the convolution of m->layer, to the sums of the
 * norm below. */
static void
backward_part(void *context, int job, int thread)
{
	struct model *m = context;
	struct model_thread *t = &m->per_thread[thread];
	struct part p = part_of(m, job);
	int f = m->layout.filters, layer = m->layer;
	const struct model_conv *c = &m->layout.conv[layer];

	clear_sums(m, &p);
	memset(t->du, 0, KERNELS_POINTS * (size_t)c->from * (size_t)f * sizeof(float));
	for (int i = 0; i < p.boards; i += MODEL_BLOCK) {
		struct part b = block_at(m, &p, i);
		const float *in = layer == 0 ? m->input + (size_t)b.first * NET_INPUT
					     : out_of(m, layer - 1, b.at);
		m->kernels->norm_back_apply(gradient_at(m, layer) + b.at,
		    raw_of(m, layer, b.at), m->mean + layer * f, m->back_a, m->back_b,
		    m->back_shift, t->dx, b.boards * 64, f);
		struct kernels_soon soon = soon_of(m, &b);
		if (layer > 0) {
			want(&soon, gradient_at(m, layer - 1) + b.at);
			want(&soon, raw_of(m, layer - 1, b.at));
		}
		m->kernels->conv3_gradient(in, t->dx, b.boards, c->from, f, t->du, &soon,
		    t->scratch);
		if (layer == 0)
			continue;
		struct part next = block_at(m, &p, i + MODEL_BLOCK);
		soon = soon_of(m, &b);
		if (next.boards > 0) {
			want(&soon, gradient_at(m, layer) + next.at);
			want(&soon, raw_of(m, layer, next.at));
			want(&soon, out_of(m, layer - 1, next.at));
		}
		/* A block's first layer adds the gradient of the skip. */
		float *below = gradient_at(m, layer - 1) + b.at;
		struct kernels_after after = { NULL, layer % 2 == 1 ? below : NULL,
			false };
		m->kernels->conv3(t->dx, below, b.boards, f, f,
		    weights_of(m, m->u_transposed, layer), &after, &soon, t->scratch);
		back_sums(m, layer - 1, &b);
	}
	m->kernels->transform_gradient(t->du, p.gradient + c->weights, c->from, f);
}

/* Gradients of the norm's own parameters, and back_a, back_b and back_shift. */
static void
norm_backward(struct model *m, int layer)
{
	float *norms = m->part_gradient; /* those of the first part */
	const struct model_conv *c = &m->layout.conv[layer];
	double n = (double)m->count * 64;
	int f = m->layout.filters;

	for (int k = 0; k < f; k++) {
		double sum, products;
		add_sums(m, k, &sum, &products);
		double inverse = 1 /
		    sqrt((double)m->variance[layer * f + k] + (double)MODEL_NORM_EPSILON);
		double a = m->parameters[c->scale + (size_t)k] * inverse;
		norms[c->shift + (size_t)k] = (float)sum;
		norms[c->scale + (size_t)k] = (float)(products * inverse);
		m->back_a[k] = (float)a;
		m->back_b[k] = (float)(-a * products * inverse * inverse / n);
		m->back_shift[k] = (float)(-a * sum / n);
	}
}

/* Adds the gradients of all parts, in order. A job
 * handles a slice of the vector. */
enum { STRETCH = 1 << 14 };

static void
add_gradients_part(void *context, int job, int thread)
{
	struct model *m = context;
	size_t from = (size_t)job * STRETCH, n = m->layout.parameters - from;

	(void)thread;
	n = n < STRETCH ? n : STRETCH;
	memcpy(m->gradient + from, m->part_gradient + from, n * sizeof(float));
	for (int i = 1; i < count_parts(m->count); i++)
		m->kernels->add_scaled(m->gradient + from, 1,
		    m->part_gradient + (size_t)i * m->layout.parameters + from, (int)n);
}

/* ---- the whole ---- */

/* u of all convolutions and, for the backward pass, of their transposes. */
static void
prepare_weights(void *context, int layer, int thread)
{
	struct model *m = context;
	const struct model_conv *c = &m->layout.conv[layer];
	const float *w = m->parameters + c->weights;
	float *turned = m->per_thread[thread].du;
	int f = m->layout.filters;

	m->kernels->transform_weights(w, weights_of(m, m->u, layer), c->from, f);
	if (!m->learn || layer == 0)
		return;
	for (int at = 0; at < 9; at++)
		for (int from = 0; from < f; from++)
			for (int to = 0; to < f; to++)
				turned[((8 - at) * f + to) * f + from] =
				    w[(at * f + from) * f + to];
	m->kernels->transform_weights(turned, weights_of(m, m->u_transposed, layer), f,
	    f);
}

static struct model_loss
pass(struct model *m, const float *parameters, const struct model_target *targets, int n,
    bool learn)
{
	struct model_loss sum = { 0 };
	int parts = count_parts(n), f = m->layout.filters;

	m->parameters = parameters;
	m->targets = targets;
	m->count = n;
	m->learn = learn;
	threadpool_run(m->pool, prepare_weights, m, m->layout.convs);
	for (int i = 0; learn && i < TOWER_VALUE; i++)
		for (int k = 0; k < f; k++)
			m->value_transposed[i * f + k] =
			    parameters[m->layout.value + (size_t)(k * TOWER_VALUE + i)];
	for (m->layer = 0; m->layer < m->layout.convs; m->layer++) {
		threadpool_run(m->pool, forward_part, m, parts);
		norm_forward(m, m->layer);
	}
	threadpool_run(m->pool, heads_part, m, parts);
	for (int i = 0; i < parts; i++) {
		sum.policy += m->part_loss[i].policy / n;
		sum.value += m->part_loss[i].value / n;
		sum.left += m->part_loss[i].left / n;
	}
	return sum;
}

struct model_loss
model_measure(struct model *m, const float *parameters,
    const struct model_target *targets, int n)
{
	return pass(m, parameters, targets, n, false);
}

struct model_loss
model_learn(struct model *m, const float *parameters, const struct model_target *targets,
    int n)
{
	struct model_loss loss = pass(m, parameters, targets, n, true);

	for (m->layer = m->layout.convs - 1; m->layer >= 0; m->layer--) {
		norm_backward(m, m->layer);
		threadpool_run(m->pool, backward_part, m, count_parts(n));
	}
	threadpool_run(m->pool, add_gradients_part, m,
	    (int)((m->layout.parameters + STRETCH - 1) / STRETCH));
	return loss;
}

void
model_output(struct model *m, int i, const uint16_t *places, int n, float *priors,
    float wdl[3], float *left)
{
	const float *features =
	    out_of(m, m->layout.convs - 1, (size_t)i * 64 * (size_t)m->layout.filters);

	heads_output(m, features, m->per_thread[0].planes, places, n, priors, wdl, left);
}

void
model_ranges(const struct model *m, float *highest, float *largest)
{
	size_t f = (size_t)m->layout.filters, n = (size_t)m->count * 64 * f;

	for (int layer = 0; layer < m->layout.convs; layer++) {
		const float *out = m->out + (size_t)layer * layer_size(m);
		const float *raw = m->raw + (size_t)layer * layer_size(m);
		const float *scale = m->norm_scale + (size_t)layer * f;
		const float *shift = m->norm_shift + (size_t)layer * f;
		highest[layer] = largest[layer] = 0;
		for (size_t i = 0; i < n; i++) {
			float x = fabsf(raw[i] * scale[i % f] + shift[i % f]);
			highest[layer] =
			    out[i] > highest[layer] ? out[i] : highest[layer];
			largest[layer] = x > largest[layer] ? x : largest[layer];
		}
	}
}
