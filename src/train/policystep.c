#include "policystep.h"

#include <math.h>

#include "chess/movegen.h"
#include "sparselayers.h"

enum { MIX = POLICY_WIDTH / LANES };

/* The policy's layers at one position. */
struct choice {
	_Alignas(64) float sums[POLICY_WIDTH]; /* of the narrow layer */
	_Alignas(64) float mixed[POLICY_WIDTH];
	_Alignas(64) float d[POLICY_WIDTH]; /* gradient of the sums */
	uint16_t terms[MOVES_MAX][POLICY_TERMS];
	float p[MOVES_MAX]; /* logits, then probabilities, then gradients */
	int n;
};

static void
mix(struct choice *c, const struct policy_whole *w, const struct activity *a)
{
	vector sum[MIX];
	const vector one = (vector){ 0 } + 1;

	memcpy(sum, w->mix_bias, sizeof(sum));
	for (int i = 0; i < 2 * w->value.hidden; i++) {
		if (a->squared[i] == 0)
			continue;
		const vector *row = (const vector *)(w->mix + i * POLICY_WIDTH);
		for (int j = 0; j < MIX; j++)
			sum[j] += row[j] * a->squared[i];
	}
	memcpy(c->sums, sum, sizeof(sum));
	for (int j = 0; j < MIX; j++) {
		mask high = sum[j] > 1;
		sum[j] = masked(sum[j], (sum[j] > 0) & ~high) + masked(one, high);
	}
	memcpy(c->mixed, sum, sizeof(sum));
}

static void
find_terms(struct choice *c, const struct policy_sample *s)
{
	uint8_t square[64] = { 0 };
	int i = 0, king = 0, side = s->position.side;

	for (bitboard o = s->position.occupied; o != 0; o &= o - 1, i++) {
		int sq = __builtin_ctzll(o), man = position_man(&s->position, i);
		square[sq] = (uint8_t)man;
		if (man == (side << 3 | KING))
			king = sq;
	}
	c->n = s->n;
	for (i = 0; i < s->n; i++) {
		move m = s->targets[i].move;
		policy_terms(m, square[move_from(m)] & 7,
		    policy_taken(m, side, square[move_to(m)]), policy_turn(side, king),
		    c->terms[i]);
	}
}

static void
find_logits(struct choice *c, const struct policy_whole *w)
{
	for (int i = 0; i < c->n; i++) {
		vector sum = { 0 };
		float logit = 0;
		for (int t = 0; t < POLICY_TERMS; t++) {
			const vector *row =
			    (const vector *)(w->rows + c->terms[i][t] * POLICY_WIDTH);
			for (int j = 0; j < MIX; j++)
				sum += row[j] * ((const vector *)c->mixed)[j];
			logit += w->row_bias[c->terms[i][t]];
		}
		for (int j = 0; j < LANES; j++)
			logit += sum[j];
		c->p[i] = logit;
	}
}

static void
softmax(float *p, int n)
{
	float most = p[0], sum = 0;

	for (int i = 1; i < n; i++)
		most = p[i] > most ? p[i] : most;
	for (int i = 0; i < n; i++)
		sum += p[i] = expf(p[i] - most);
	for (int i = 0; i < n; i++)
		p[i] /= sum;
}

static float
share(const struct policy_sample *s, int i)
{
	return (float)s->targets[i].share / POLICY_SHARES;
}

static void
add_loss(const struct choice *c, const struct policy_sample *s, struct policy_loss *loss)
{
	int best = 0, before = 0;

	for (int i = 0; i < c->n; i++) {
		float t = share(s, i);
		if (t > 0) {
			loss->policy -= (double)(t * logf(c->p[i] + 1e-30f));
			loss->entropy -= (double)(t * logf(t));
		}
		if (s->targets[i].share > s->targets[best].share)
			best = i;
	}
	for (int i = 0; i < c->n; i++)
		before += c->p[i] > c->p[best];
	loss->first += before < 1;
	loss->third += before < 3;
}

/* From the probabilities to the gradients of the rows and the narrow layer. */
static void
back_logits(struct choice *c, const struct policy_whole *w, struct policy_whole *g,
    const struct policy_sample *s, float weight)
{
	vector d[MIX] = { { 0 } };

	for (int i = 0; i < c->n; i++) {
		float x = weight * (c->p[i] - share(s, i));
		for (int t = 0; t < POLICY_TERMS; t++) {
			size_t row = c->terms[i][t];
			const vector *from =
			    (const vector *)(w->rows + row * POLICY_WIDTH);
			vector *to = (vector *)(g->rows + row * POLICY_WIDTH);
			for (int j = 0; j < MIX; j++) {
				d[j] += from[j] * x;
				to[j] += ((const vector *)c->mixed)[j] * x;
			}
			g->row_bias[row] += x;
		}
	}
	for (int j = 0; j < MIX; j++) {
		vector sum = ((const vector *)c->sums)[j];
		d[j] = masked(d[j], (sum > 0) & (sum < 1));
		((vector *)g->mix_bias)[j] += d[j];
	}
	memcpy(c->d, d, sizeof(d));
}

/* Adds to d the gradient of the hidden layer's sums; units that are zero have
 * none. */
static void
back_mix(const struct choice *c, const struct policy_whole *w, struct policy_whole *g,
    const struct activity *a, float *d)
{
	for (int i = 0; i < 2 * w->value.hidden; i++) {
		if (a->squared[i] == 0)
			continue;
		const vector *from = (const vector *)(w->mix + i * POLICY_WIDTH);
		vector *to = (vector *)(g->mix + i * POLICY_WIDTH);
		vector sum = { 0 };
		float total = 0, x = a->sums[i];
		for (int j = 0; j < MIX; j++) {
			vector v = ((const vector *)c->d)[j];
			sum += from[j] * v;
			to[j] += v * a->squared[i];
		}
		for (int j = 0; j < LANES; j++)
			total += sum[j];
		if (x < 1)
			d[i] += 2 * x * total;
	}
}

static void
learn(const struct policy_whole *w, struct policy_whole *g, const struct policy_sample *s,
    float weight, struct policy_loss *loss)
{
	static _Thread_local struct activity a;
	static _Thread_local struct choice c;
	_Alignas(64) float d[2 * SPARSE_HIDDEN_MAX];
	int h = w->value.hidden;

	run_forward(&a, &w->value, &s->position);
	float q = sigmoid(run_head(&a, &w->value, 0));
	float off = q - (float)s->position.target / 65535;
	loss->value += (double)(off * off);
	mix(&c, w, &a);
	find_terms(&c, s);
	find_logits(&c, w);
	softmax(c.p, c.n);
	add_loss(&c, s, loss);
	if (g == NULL)
		return;
	float dlogit = 8 * off * q * (1 - q); /* as in sparsestep.c */
	back_head(&a, &g->value, 0, dlogit);
	back_head(&a, &g->value, 1,
	    sigmoid(run_head(&a, &w->value, 1)) - s->position.drawn);
	back_activate(&a, w->value.out + (size_t)(a.bucket * 2 * h), dlogit, d, 2 * h);
	back_logits(&c, w, g, s, weight);
	back_mix(&c, w, g, &a, d);
	add_rows(d, &g->value, a.inputs[0], a.n);
	add_rows(d + h, &g->value, a.inputs[1], a.n);
}

static void
part(const struct policy_whole *w, struct policy_whole *g,
    const struct policy_sample *const *samples, int n, float weight,
    struct policy_loss *loss)
{
	for (int i = 0; i < n; i++) {
		if (i + 2 < n)
			__builtin_prefetch(samples[i + 2]->targets);
		if (i + 4 < n)
			__builtin_prefetch(samples[i + 4]);
		learn(w, g, samples[i], weight, loss);
	}
}

const struct policy_steps COPY(policy_steps) = {
	COPY_NAME,
	part,
};
