/*
 * Sparse nets with random weights, and what they say computed plainly: all
 * inputs of a position added up, nothing remembered.
 */
#ifndef TESTS_SPARSENET_H
#define TESTS_SPARSENET_H

#include <math.h>

#include "base/rng.h"
#include "common.h"
#include "net/sparse.h"

/* n numbers from -spread to spread. */
static void
random_weights(struct rng *rng, float *w, size_t n, double spread)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (float)((2 * rng_double(rng) - 1) * spread);
}

/* Weights of about the size that trained ones have; those of rules so small
 * that many rules together do not exceed what the integers hold. */
__attribute__((unused)) static void
random_sparse(struct sparse *s, int hidden, uint64_t seed)
{
	struct rng rng;

	if (sparse_init(s, hidden, encode_nfeatures()) == -1)
		bail_out("sparse net", "", "out of memory");
	for (int i = 0; i < s->nrules; i++)
		encode_feature_name(i, s->rules[i]);
	rng_init(&rng, seed, 0);
	random_weights(&rng, s->in, (size_t)(s->left - s->in), 0.2);
	random_weights(&rng, s->left, (size_t)(s->rule_out - s->left), 0.1);
	random_weights(&rng, s->rule_out, (size_t)(s->in + s->floats - s->rule_out),
	    0.02);
	for (int i = 0; i < hidden; i++)
		s->bias[i] += 0.3f;
	/* as a file keeps them */
	for (size_t i = 0; i < SPARSE_ROWS * (size_t)hidden; i++)
		s->zone[i] = roundf(s->zone[i] * SPARSE_ONE) / SPARSE_ONE + 0;
}

static int16_t
plain_sum(const struct sparse_tuned *t, const uint16_t *inputs, int n, int at)
{
	int sum = t->bias[at];

	for (int i = 0; i < n; i++)
		sum += t->in[(size_t)inputs[i] * (size_t)t->hidden + (size_t)at];
	return (int16_t)sum;
}

/* The hidden sums of one side, from nothing. */
__attribute__((unused)) static void
plain_sums(const struct sparse_tuned *t, const struct board *b, int us, int16_t *sums)
{
	uint16_t inputs[SPARSE_ACTIVE_MAX];
	int n = sparse_inputs(b, us, inputs);

	for (int i = 0; i < t->hidden; i++)
		sums[i] = plain_sum(t, inputs, n, i);
}

/* A head's score of a position; 0: points, 1: draw. */
__attribute__((unused)) static int
plain_score(const struct sparse_tuned *t, const struct board *b, int head)
{
	int16_t sums[SPARSE_HIDDEN_MAX];
	int bucket = sparse_bucket(b);
	int64_t sum = 0;

	for (int them = 0; them < 2; them++) {
		const int16_t *w = t->out[b->side] +
		    ((head * SPARSE_BUCKETS + bucket) * 2 + them) * t->hidden;
		plain_sums(t, b, b->side ^ them, sums);
		for (int i = 0; i < t->hidden; i++) {
			int x = sums[i] < 0        ? 0
			    : sums[i] > SPARSE_ONE ? SPARSE_ONE
						   : sums[i];
			sum += x * x * w[i];
		}
	}
	sum = sum * SPARSE_UNIT / (SPARSE_ONE * SPARSE_ONE * SPARSE_OUT) +
	    t->out_bias[b->side][head][bucket];
	return sum > SPARSE_SCORE_MAX ? SPARSE_SCORE_MAX
	    : sum < -SPARSE_SCORE_MAX ? -SPARSE_SCORE_MAX
				      : (int)sum;
}

#endif
