/*
 * The layers of a sparse net in floats, forward and backward, for files that
 * are compiled once for each instruction set. All arrays are aligned to 64
 * bytes.
 */
#ifndef TRAIN_SPARSELAYERS_H
#define TRAIN_SPARSELAYERS_H

#include <math.h>

#include "net/copies.h"
#include "sparsestep.h"

/* Vectors that stay in registers at a time. */
enum { LANES = COPY_VECTOR / 4, BLOCK = 64 / LANES };

typedef float vector __attribute__((vector_size(COPY_VECTOR), may_alias));
typedef int32_t mask __attribute__((vector_size(COPY_VECTOR), may_alias));

struct activity {
	_Alignas(64) float sums[2 * SPARSE_HIDDEN_MAX];
	_Alignas(64) float squared[2 * SPARSE_HIDDEN_MAX];
	uint16_t inputs[2][SPARSE_ACTIVE_MAX + 8];
	int n, bucket;
};

/* sums[hidden] = bias + the rows of the inputs */
static inline void
sum_rows(float *sums, const struct sparse_whole *w, const uint16_t *in, int n)
{
	int h = w->hidden;

	for (int at = 0; at < h; at += BLOCK * LANES) {
		vector s[BLOCK];
		memcpy(s, w->bias + at, sizeof(s));
		for (int k = 0; k < n; k++) {
			const vector *row =
			    (const vector *)(w->in + (size_t)in[k] * (size_t)h + at);
			for (int i = 0; i < BLOCK; i++)
				s[i] += row[i];
		}
		memcpy(sums + at, s, sizeof(s));
	}
}

static inline void
add_rows(const float *d, struct sparse_whole *g, const uint16_t *in, int n)
{
	int h = g->hidden;

	for (int at = 0; at < h; at += BLOCK * LANES) {
		vector s[BLOCK];
		memcpy(s, d + at, sizeof(s));
		for (int k = 0; k < n; k++) {
			vector *row = (vector *)(g->in + (size_t)in[k] * (size_t)h + at);
			for (int i = 0; i < BLOCK; i++)
				row[i] += s[i];
		}
		vector *bias = (vector *)(g->bias + at);
		for (int i = 0; i < BLOCK; i++)
			bias[i] += s[i];
	}
}

static inline float
dot(const float *a, const float *b, size_t n)
{
	vector sum[4] = { { 0 } };
	float total = 0;

	for (size_t i = 0; i < n; i += 4 * LANES)
		for (size_t k = 0; k < 4; k++)
			sum[k] += *(const vector *)(a + i + k * LANES) *
			    *(const vector *)(b + i + k * LANES);
	sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	for (int i = 0; i < LANES; i++)
		total += sum[0][i];
	return total;
}

/* n is a multiple of LANES, or small. */
static inline void
add(float *to, float x, const float *from, size_t n)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
		*(vector *)(to + i) += *(const vector *)(from + i) * x;
	for (; i < n; i++)
		to[i] += x * from[i];
}

/* v where the mask is set, otherwise 0. */
static inline vector
masked(vector v, mask m)
{
	return (vector)((mask)v & m);
}

static inline void
activate(const float *sums, float *squared, int n)
{
	const vector one = (vector){ 0 } + 1;

	for (int i = 0; i < n; i += LANES) {
		vector x = *(const vector *)(sums + i);
		mask high = x > 1;
		vector c = masked(x, (x > 0) & ~high) + masked(one, high);
		*(vector *)(squared + i) = c * c;
	}
}

/* From the gradient of a logit to that of the hidden sums: d[i] = 2 clip'(x) x out. */
static inline void
back_activate(const struct activity *a, const float *out, float dlogit, float *d, int n)
{
	for (int i = 0; i < n; i += LANES) {
		vector x = *(const vector *)(a->sums + i);
		vector v = *(const vector *)(out + i) * x * (2 * dlogit);
		*(vector *)(d + i) = masked(v, (x > 0) & (x < 1));
	}
}

static inline float
sigmoid(float x)
{
	return 1 / (1 + expf(-x));
}

static inline void
run_forward(struct activity *a, const struct sparse_whole *w, const struct position *p)
{
	int h = w->hidden, men = __builtin_popcountll(p->occupied);

	a->n = position_inputs(p, a->inputs[0], a->inputs[1]);
	a->bucket = (men - 1) / 4 < SPARSE_BUCKETS ? (men - 1) / 4 : SPARSE_BUCKETS - 1;
	sum_rows(a->sums, w, a->inputs[0], a->n);
	sum_rows(a->sums + h, w, a->inputs[1], a->n);
	activate(a->sums, a->squared, 2 * h);
}

static inline float
run_head(const struct activity *a, const struct sparse_whole *w, int head)
{
	size_t h2 = 2 * (size_t)w->hidden;
	size_t at = (size_t)(head * SPARSE_BUCKETS + a->bucket);

	return dot(a->squared, w->out + at * h2, h2) + w->out_bias[at];
}

/* From the gradient d of a head's logit to that of its weights. */
static inline void
back_head(const struct activity *a, struct sparse_whole *g, int head, float d)
{
	size_t h2 = 2 * (size_t)g->hidden;
	size_t at = (size_t)(head * SPARSE_BUCKETS + a->bucket);

	add(g->out + at * h2, d, a->squared, h2);
	g->out_bias[at] += d;
}

#endif
