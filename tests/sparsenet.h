/*
 * Nets with random weights, and their answers computed plainly: in integers, all inputs
 * of a position added up anew; and in double precision from the weights as they are
 * learnt, by the formulas of sparse.h and policy.h.
 */
#ifndef TESTS_SPARSENET_H
#define TESTS_SPARSENET_H

#include <math.h>

#include "base/rng.h"
#include "common.h"
#include "net/policy.h"

/* The range of an array's random numbers: about the size that trained weights have;
 * those of rules so small that many rules together do not exceed the integers. */
__attribute__((unused)) static double
random_spread(int id)
{
	switch (id) {
	case SPARSE_ID_atoms:
		return 0.05;
	case SPARSE_ID_mix:
	case SPARSE_ID_rows:
	case SPARSE_ID_left:
	case SPARSE_ID_right:
	case SPARSE_ID_rule_bias:
	case SPARSE_ID_rule_mix_bias:
	case SPARSE_ID_row_left:
	case SPARSE_ID_row_right:
	case SPARSE_ID_rule_row_bias:
		return 0.1;
	case SPARSE_ID_rule_out:
	case SPARSE_ID_rule_out_bias:
		return 0.02;
	default:
		return 0.2;
	}
}

/* A net in which every weight matters. */
__attribute__((unused)) static void
random_sparse(struct sparse *s, int hidden, uint64_t seed, bool policy)
{
	struct rng rng;

	if (sparse_init(s, hidden, encode_nfeatures(), policy) == -1)
		bail_out("sparse net", "", "out of memory");
	for (int i = 0; i < s->nrules; i++)
		encode_feature_name(i, s->rules[i]);
	rng_init(&rng, seed, 0);
	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		struct sparse_array a = sparse_array(s, id);
		bool byte = id == SPARSE_ID_zone || id == SPARSE_ID_atoms;
		for (int k = 0; k < (sparse_is_rule(&a) ? s->nrules : 1); k++) {
			float *w = sparse_array_at(s, id, k);
			for (size_t i = 0; w != NULL && i < a.n; i++) {
				w[i] = (float)((2 * rng_double(&rng) - 1) *
				    random_spread(id));
				if (byte) /* as a file keeps them */
					w[i] = roundf(w[i] * SPARSE_ONE) / SPARSE_ONE + 0;
			}
		}
	}
	for (int i = 0; i < hidden; i++)
		s->bias[i] += 0.3f;
	for (int i = 0; policy && i < POLICY_WIDTH; i++)
		s->mix_bias[i] += 0.3f;
}

/* ---- in integers ---- */

/* The hidden sums of one side, from nothing. */
__attribute__((unused)) static void
plain_sums(const struct sparse_ints *t, const struct board *b, int us, int16_t *sums)
{
	uint16_t inputs[SPARSE_ACTIVE_MAX];
	int n = sparse_inputs(b, us, inputs);

	for (int i = 0; i < t->hidden; i++) {
		int sum = t->bias[us][i];
		for (int k = 0; k < n; k++)
			sum += t->in[us][inputs[k] * t->hidden + i];
		sums[i] = (int16_t)sum;
	}
}

/* A head's score of a position; 0: points, 1: draw. */
__attribute__((unused)) static int
plain_score(const struct sparse_ints *t, const struct board *b, int head)
{
	int16_t sums[SPARSE_HIDDEN_MAX];
	int bucket = sparse_bucket(__builtin_popcountll(board_occupied(b)));
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

/* ---- in double precision ---- */

/* A position's inputs, as the mover and as the other side sees them. */
struct plain_inputs {
	uint16_t rows[2][SPARSE_ACTIVE_MAX];
	int n, men, side;
};

struct plain_answer {
	double hidden[2 * SPARSE_HIDDEN_MAX], mixed[POLICY_WIDTH];
	double logits[SPARSE_HEADS]; /* points, draw */
};

/* Adds the weights of a piece's atoms on a square. */
__attribute__((unused)) static void
plain_atoms(const struct sparse *s, const float *share, int other, int sq, double *sums)
{
	size_t h = (size_t)s->hidden;

	for (size_t a = 0; a < ATOMS; a++)
		for (size_t i = 0; share[a] != 0 && i < h; i++)
			sums[i] += (double)share[a] *
			    (double)
				s->atoms[((2 * a + (size_t)other) * 64 + (size_t)sq) * h +
				    i];
}

/* The change of one rule feature to the weights of an input. */
__attribute__((unused)) static void
plain_feature(const struct sparse *s, int k, double f, size_t input, double *sums)
{
	size_t h = (size_t)s->hidden;
	const float *left = sparse_array_at(s, SPARSE_ID_left, k) + input * SPARSE_RANK;
	const float *right = sparse_array_at(s, SPARSE_ID_right, k);

	for (size_t i = 0; i < SPARSE_RANK * h; i++)
		sums[i % h] += f * (double)left[i / h] * (double)right[i];
}

/* Adds the weights of an input that is on, as `us` sees it. */
__attribute__((unused)) static void
plain_row(const struct sparse *s, const struct sparse_rules *r, int us, int row,
    double *sums)
{
	size_t h = (size_t)s->hidden, in;
	int other = 0, kind = 0, sq = row & 63;
	bool zoned = row < SPARSE_SPARE_ROWS;

	if (zoned) {
		in = (size_t)row % SPARSE_ZONED;
		sq = (int)in & 63;
		other = (int)in / (SPARSE_CHESS * 64);
		kind = in < SPARSE_PIECES ? (int)in / 64 % SPARSE_CHESS + 1 : 0;
	} else if (row < SPARSE_HAND_ROWS) {
		int at = row - SPARSE_SPARE_ROWS;
		other = at / (SPARSE_SPARE * 64);
		kind = SPARSE_CHESS + 1 + at / 64 % SPARSE_SPARE;
		in = (size_t)(SPARSE_ANY + other * 64 + sq);
	} else {
		int at = row - SPARSE_HAND_ROWS, of = at / SPARSE_STEPS % SPARSE_KINDS;
		int spare = of < SPARSE_CHESS ? of : SPARSE_CHESS;
		int whose = at / SPARSE_STEPS / SPARSE_KINDS;
		in = (size_t)(SPARSE_HANDS + at % SPARSE_STEPS +
		    (whose * (SPARSE_CHESS + 1) + spare) * SPARSE_STEPS);
	}
	for (size_t i = 0; i < h; i++)
		sums[i] += (double)s->in[in * h + i] +
		    (zoned ? (double)s->zone[(size_t)row * h + i] : 0);
	for (int k = 0; zoned && k < s->nrules; k++)
		if (r->view[us][k] != 0)
			plain_feature(s, k, (double)r->view[us][k], in, sums);
	if (kind != 0)
		plain_atoms(s, r->atoms[us ^ other][kind], other, sq, sums);
}

/* The hidden layer of the side that is `them` of the mover. */
__attribute__((unused)) static void
plain_hidden(const struct sparse *s, const struct sparse_rules *r,
    const struct plain_inputs *p, int them, double *hidden)
{
	size_t h = (size_t)s->hidden;
	int us = p->side ^ them;

	for (size_t i = 0; i < h; i++) {
		hidden[i] = (double)s->bias[i];
		for (int k = 0; k < s->nrules; k++)
			hidden[i] += (double)r->view[us][k] *
			    (double)sparse_array_at(s, SPARSE_ID_rule_bias, k)[i];
	}
	for (int k = 0; k < p->n; k++)
		plain_row(s, r, us, p->rows[them][k], hidden);
	for (size_t i = 0; i < h; i++) {
		double x = fmin(fmax(hidden[i], 0), 1);
		hidden[i] = x * x;
	}
}

__attribute__((unused)) static void
plain_mixed(const struct sparse *s, const float *view, struct plain_answer *a)
{
	for (int j = 0; j < POLICY_WIDTH; j++) {
		double x = (double)s->mix_bias[j];
		for (int k = 0; k < s->nrules; k++)
			x += (double)view[k] *
			    (double)sparse_array_at(s, SPARSE_ID_rule_mix_bias, k)[j];
		for (int i = 0; i < 2 * s->hidden; i++)
			x += a->hidden[i] * (double)s->mix[i * POLICY_WIDTH + j];
		a->mixed[j] = fmin(fmax(x, 0), 1);
	}
}

/* Everything but the moves' logits. */
__attribute__((unused)) static void
plain_answer(const struct sparse *s, const struct sparse_rules *r,
    const struct plain_inputs *p, struct plain_answer *a)
{
	int h = s->hidden, bucket = (p->men - 1) / 4;
	const float *view = r->view[p->side];

	bucket = bucket < SPARSE_BUCKETS ? bucket : SPARSE_BUCKETS - 1;
	plain_hidden(s, r, p, 0, a->hidden);
	plain_hidden(s, r, p, 1, a->hidden + h);
	for (int head = 0; head < SPARSE_HEADS; head++) {
		int at = head * SPARSE_BUCKETS + bucket;
		a->logits[head] = (double)s->out_bias[at];
		for (int i = 0; i < 2 * h; i++)
			a->logits[head] += a->hidden[i] * (double)s->out[at * 2 * h + i];
	}
	for (int k = 0; k < s->nrules; k++) {
		double f = (double)view[k];
		if (view[k] == 0)
			continue;
		a->logits[0] +=
		    f * (double)sparse_array_at(s, SPARSE_ID_rule_out_bias, k)[bucket];
		for (int i = 0; i < 2 * h; i++)
			a->logits[0] += f * a->hidden[i] *
			    (double)sparse_array_at(s, SPARSE_ID_rule_out, k)[i];
	}
	if (sparse_has_policy(s))
		plain_mixed(s, view, a);
}

/* A move's logit, by its rows. */
__attribute__((unused)) static double
plain_logit(const struct sparse *s, const float *view, const struct plain_answer *a,
    const uint16_t terms[POLICY_TERMS])
{
	double x = 0;

	for (int t = 0; t < POLICY_TERMS; t++) {
		int row = terms[t];
		x += (double)s->row_bias[row];
		for (int j = 0; j < POLICY_WIDTH; j++)
			x += a->mixed[j] * (double)s->rows[row * POLICY_WIDTH + j];
		for (int k = 0; k < s->nrules; k++) {
			double f = (double)view[k];
			if (view[k] == 0)
				continue;
			const float *left = sparse_array_at(s, SPARSE_ID_row_left, k);
			const float *right = sparse_array_at(s, SPARSE_ID_row_right, k);
			x += f *
			    (double)sparse_array_at(s, SPARSE_ID_rule_row_bias, k)[row];
			for (int j = 0; j < POLICY_RANK * POLICY_WIDTH; j++)
				x += f * a->mixed[j % POLICY_WIDTH] * (double)right[j] *
				    (double)left[j / POLICY_WIDTH * POLICY_ROWS + row];
		}
	}
	return x;
}

/* Everything for a position, and the priors of n moves. */
__attribute__((unused)) static void
plain_evaluate(const struct sparse *s, const struct board *b, const move *moves, int n,
    struct plain_answer *a, double *priors)
{
	static struct sparse_rules r;
	struct plain_inputs p = { .side = b->side,
		.men = __builtin_popcountll(board_occupied(b)) };
	double most = -INFINITY, sum = 0;

	sparse_read_rules(s, b->rules, &r);
	for (int them = 0; them < 2; them++)
		p.n = sparse_inputs(b, b->side ^ them, p.rows[them]);
	plain_answer(s, &r, &p, a);
	for (int i = 0; i < n; i++) {
		uint16_t terms[POLICY_TERMS];
		policy_move_terms(b, moves[i], terms);
		priors[i] =
		    sparse_has_policy(s) ? plain_logit(s, r.view[b->side], a, terms) : 0;
		most = fmax(most, priors[i]);
	}
	for (int i = 0; i < n; i++)
		sum += priors[i] = exp(priors[i] - most);
	for (int i = 0; i < n; i++)
		priors[i] /= sum;
}

#endif
