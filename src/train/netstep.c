#include "netstep.h"

#include <math.h>

#include "chess/movegen.h"
#include "net/copies.h"

/* All arrays are aligned to 64 bytes. */

/* Vectors that stay in registers at a time. */
enum { LANES = COPY_VECTOR / 4, BLOCK = 64 / LANES };

typedef float vector __attribute__((vector_size(COPY_VECTOR), may_alias));
typedef int32_t mask __attribute__((vector_size(COPY_VECTOR), may_alias));

struct activity {
	_Alignas(64) float sums[2 * SPARSE_HIDDEN_MAX];
	_Alignas(64) float squared[2 * SPARSE_HIDDEN_MAX];
	uint16_t inputs[2][SPARSE_ACTIVE_MAX];
	int n, bucket;
};

/* sums[hidden] = bias + the rows of the inputs */
static void
sum_rows(float *sums, const float *all, const float *bias, int h, const uint16_t *in,
    int n)
{
	for (int at = 0; at < h; at += BLOCK * LANES) {
		vector s[BLOCK];
		memcpy(s, bias + at, sizeof(s));
		for (int k = 0; k < n; k++) {
			const vector *row =
			    (const vector *)(all + (size_t)in[k] * (size_t)h + at);
			for (int i = 0; i < BLOCK; i++)
				s[i] += row[i];
		}
		memcpy(sums + at, s, sizeof(s));
	}
}

static void
add_rows(const float *d, float *all, float *biases, int h, const uint16_t *in, int n)
{
	for (int at = 0; at < h; at += BLOCK * LANES) {
		vector s[BLOCK];
		memcpy(s, d + at, sizeof(s));
		for (int k = 0; k < n; k++) {
			vector *row = (vector *)(all + (size_t)in[k] * (size_t)h + at);
			for (int i = 0; i < BLOCK; i++)
				row[i] += s[i];
		}
		vector *bias = (vector *)(biases + at);
		for (int i = 0; i < BLOCK; i++)
			bias[i] += s[i];
	}
}

static float
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
static vector
masked(vector v, mask m)
{
	return (vector)((mask)v & m);
}

static void
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
static void
back_activate(const struct activity *a, const float *out, float dlogit, float *d, int n)
{
	for (int i = 0; i < n; i += LANES) {
		vector x = *(const vector *)(a->sums + i);
		vector v = *(const vector *)(out + i) * x * (2 * dlogit);
		*(vector *)(d + i) = masked(v, (x > 0) & (x < 1));
	}
}

static float
sigmoid(float x)
{
	return 1 / (1 + expf(-x));
}

static void
run_forward(struct activity *a, const struct net_weights *w, const struct position *p)
{
	int h = w->hidden;

	a->n = position_inputs(p, a->inputs[0], a->inputs[1]);
	a->bucket = sparse_bucket(__builtin_popcountll(position_occupied(p)));
	sum_rows(a->sums, w->in[0], w->bias[0], h, a->inputs[0], a->n);
	sum_rows(a->sums + h, w->in[1], w->bias[1], h, a->inputs[1], a->n);
	activate(a->sums, a->squared, 2 * h);
}

static float
run_head(const struct activity *a, const struct net_weights *w, int head)
{
	size_t h2 = 2 * (size_t)w->hidden;
	size_t at = (size_t)(head * SPARSE_BUCKETS + a->bucket);

	return dot(a->squared, w->out + at * h2, h2) + w->out_bias[at];
}

/* From the gradient d of a head's logit to that of its weights. */
static void
back_head(const struct activity *a, const struct net_weights *g, int head, float d)
{
	size_t h2 = 2 * (size_t)g->hidden;
	size_t at = (size_t)(head * SPARSE_BUCKETS + a->bucket);

	add(g->out + at * h2, d, a->squared, h2);
	g->out_bias[at] += d;
}

/* ---- the policy ---- */

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
mix(struct choice *c, const struct net_weights *w, const struct activity *a)
{
	vector sum[MIX];
	const vector one = (vector){ 0 } + 1;

	memcpy(sum, w->mix_bias, sizeof(sum));
	for (int i = 0; i < 2 * w->hidden; i++) {
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
find_terms(struct choice *c, const struct position *p, const struct position_visits *v)
{
	int us = p->side;
	int sight = sparse_sight(us, sparse_view(position_king(p, us), us));

	c->n = v->n;
	for (int i = 0; i < v->n; i++) {
		move m = v->moves[i].move;
		int to = move_to(m), there = position_kind(p, to);
		bool own = (int)(p->black >> to & 1) == us;
		int kind =
		    move_is_drop(m) ? move_dropped(m) : position_kind(p, move_from(m));
		policy_terms(m, kind, policy_taken(m, own, there), sight, c->terms[i]);
	}
}

static void
find_logits(struct choice *c, const struct net_weights *w)
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
share(const struct position_visits *v, int i)
{
	return (float)v->moves[i].share / POSITION_SHARES;
}

static void
add_loss(const struct choice *c, const struct position_visits *v, struct net_loss *loss)
{
	int best = 0, before = 0;

	for (int i = 0; i < c->n; i++) {
		float t = share(v, i);
		if (t > 0) {
			loss->policy -= (double)(t * logf(c->p[i] + 1e-30f));
			loss->entropy -= (double)(t * logf(t));
		}
		if (v->moves[i].share > v->moves[best].share)
			best = i;
	}
	for (int i = 0; i < c->n; i++)
		before += c->p[i] > c->p[best];
	loss->first += before < 1;
	loss->third += before < 3;
}

/* From the probabilities to the gradients of the rows and the narrow layer. */
static void
back_logits(struct choice *c, const struct net_weights *w, const struct net_weights *g,
    const struct position_visits *v, float weight)
{
	vector d[MIX] = { { 0 } };

	for (int i = 0; i < c->n; i++) {
		float x = weight * (c->p[i] - share(v, i));
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
back_mix(const struct choice *c, const struct net_weights *w, const struct net_weights *g,
    const struct activity *a, float *d)
{
	for (int i = 0; i < 2 * w->hidden; i++) {
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

/* ---- a position ---- */

/* What the policy adds to the losses, and to the gradients of its weights and of the
 * hidden layer's sums. */
static void
learn_policy(const struct net_weights *w, const struct net_weights *g,
    const struct net_sample *s, const struct activity *a, float weight,
    struct net_loss *loss, float *d)
{
	static _Thread_local struct choice c;

	mix(&c, w, a);
	find_terms(&c, s->position, s->visits);
	find_logits(&c, w);
	softmax(c.p, c.n);
	add_loss(&c, s->visits, loss);
	if (g == NULL)
		return;
	back_logits(&c, w, g, s->visits, weight);
	back_mix(&c, w, g, a, d);
}

static void
learn(const struct net_weights *w, const struct net_weights *g,
    const struct net_sample *s, float weight, struct net_loss *loss)
{
	static _Thread_local struct activity a;
	_Alignas(64) float d[2 * SPARSE_HIDDEN_MAX];
	const struct position *p = s->position;
	int h = w->hidden;

	run_forward(&a, w, p);
	float q = sigmoid(run_head(&a, w, 0));
	float off = q - (float)p->target / 65535;
	loss->value += (double)(off * off);
	if (g != NULL) {
		float dlogit = 8 * off * q * (1 - q); /* of 4 off^2 */
		back_head(&a, g, 0, dlogit);
		/* the draw head learns from the hidden layer without changing it */
		back_head(&a, g, 1, sigmoid(run_head(&a, w, 1)) - (float)p->drawn);
		back_activate(&a, w->out + (size_t)(a.bucket * 2 * h), dlogit, d, 2 * h);
	}
	if (w->mix != NULL)
		learn_policy(w, g, s, &a, weight, loss, d);
	if (g == NULL)
		return;
	add_rows(d, g->in[0], g->bias[0], h, a.inputs[0], a.n);
	add_rows(d + h, g->in[1], g->bias[1], h, a.inputs[1], a.n);
}

static void
part(const struct net_weights *w, const struct net_weights *g,
    const struct net_sample *samples, int n, float weight, struct net_loss *loss)
{
	for (int i = 0; i < n; i++) {
		if (i + 2 < n && samples[i + 2].visits != NULL)
			__builtin_prefetch(samples[i + 2].visits->moves);
		if (i + 4 < n)
			__builtin_prefetch(samples[i + 4].position);
		learn(w, g, &samples[i], weight, loss);
	}
}

static void
adam(float *w, float *m, float *v, float *average, const float *g, size_t n,
    const struct net_adam *o)
{
	float b1 = o->beta1, b2 = o->beta2, c1 = o->correct1, c2 = o->correct2;
	float shrink = 1 - o->rate * o->decay, most = o->most, rate = o->rate;
	float new = 1 - o->average_decay, epsilon = o->epsilon;

	for (size_t i = 0; i < n; i++) {
		m[i] = b1 * m[i] + (1 - b1) * g[i];
		v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
		float x =
		    shrink * w[i] - rate * (m[i] * c1) / (sqrtf(v[i] * c2) + epsilon);
		x = x > most ? most : x < -most ? -most : x;
		w[i] = x;
		average[i] += new *(x - average[i]);
	}
}

const struct net_steps COPY(net_steps) = {
	COPY_NAME,
	part,
	add,
	dot,
	adam,
};
