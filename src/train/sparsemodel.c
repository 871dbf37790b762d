#include "sparsemodel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "floats.h"
#include "net/copies.h"

/* ---- blocks of weights for one rule set ---- */

size_t
sparse_whole_floats(int hidden)
{
	size_t h = (size_t)hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;

	return (SPARSE_INPUTS + 1 + 2 * outs + SPARSE_ROWS) * h + outs;
}

void
sparse_whole_layout(struct sparse_whole *w, float *block)
{
	size_t h = (size_t)w->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;

	w->floats = sparse_whole_floats(w->hidden);
	w->base = block;
	w->bias = w->base + SPARSE_INPUTS * h;
	w->out = w->bias + h;
	w->out_bias = w->out + outs * 2 * h;
	w->in = w->out_bias + outs;
}

static int
whole_init(struct sparse_whole *w, int hidden)
{
	float *block = floats_allocate(sparse_whole_floats(hidden));

	w->hidden = hidden;
	sparse_whole_layout(w, block);
	return block == NULL ? -1 : 0;
}

void
sparse_fold(struct sparse_whole *g)
{
	size_t n = SPARSE_INPUTS * (size_t)g->hidden;

	memcpy(g->base, g->in, n * sizeof(float));
	for (size_t z = 1; z < SPARSE_ZONES; z++)
		sparse_steps_best()->add(g->base, 1, g->in + z * n, n);
}

void
sparse_fill_random(float *w, size_t n, double spread, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (float)((2 * rng_double(rng) - 1) * spread);
}

void
sparse_fill(struct sparse *s, struct rng *rng)
{
	size_t h = (size_t)s->hidden, k = (size_t)s->nrules;

	sparse_fill_random(s->in, SPARSE_INPUTS * h, 0.1, rng);
	sparse_fill_random(s->out, SPARSE_BUCKETS * 2 * h, 0.1, rng);
	sparse_fill_random(s->right, k * SPARSE_RANK * h, 0.1, rng);
	for (size_t i = 0; i < h; i++)
		s->bias[i] = 0.1f;
	/* all buckets start with the same weights */
	for (size_t i = 1; i < SPARSE_BUCKETS; i++)
		memcpy(s->out + i * 2 * h, s->out, 2 * h * sizeof(float));
}

int
sparse_model_init(struct sparse_model *m, int hidden, uint64_t seed, int batch)
{
	struct rng rng;
	int k = encode_nfeatures();

	memset(m, 0, sizeof(*m));
	if (sparse_init(&m->net, hidden, k) == -1 ||
	    sparse_init(&m->gradient, hidden, k) == -1 ||
	    sparse_init(&m->first, hidden, k) == -1 ||
	    sparse_init(&m->second, hidden, k) == -1)
		return -1;
	m->part_size = batch / SPARSE_PARTS;
	m->rule_floats =
	    floats_length((m->net.floats - (size_t)(m->net.left - m->net.in)) /
		(size_t)k);
	m->rule_rate = 0.3f;
	for (int i = 0; i < SPARSE_PARTS; i++) {
		m->chosen[i] = calloc((size_t)m->part_size, sizeof(*m->chosen[i]));
		if (whole_init(&m->weights[i], hidden) == -1 ||
		    whole_init(&m->sums[i], hidden) == -1 || m->chosen[i] == NULL)
			return -1;
	}
	rng_init(&rng, seed, 0);
	for (int i = 0; i < k; i++)
		encode_feature_name(i, m->net.rules[i]);
	sparse_fill(&m->net, &rng);
	return 0;
}

void
sparse_model_release(struct sparse_model *m)
{
	sparse_release(&m->net);
	sparse_release(&m->gradient);
	sparse_release(&m->first);
	sparse_release(&m->second);
	for (int i = 0; i < SPARSE_PARTS; i++) {
		free(m->weights[i].base);
		free(m->sums[i].base);
		free(m->chosen[i]);
		free(m->rule_sums[i]);
	}
}

/* ---- a step ---- */

static bool
is_met(const struct sparse_model *m, int part, int k)
{
	return m->rules[part].in[k] != 0 || m->rules[part].view[m->sides[part]][k] != 0;
}

static void
make_room(struct sparse_model *m, int part)
{
	size_t n = 0;

	for (int k = 0; k < m->net.nrules; k++)
		n += is_met(m, part, k);
	if (n <= m->rule_room[part])
		return;
	free(m->rule_sums[part]);
	m->rule_room[part] = n;
	m->rule_sums[part] = floats_allocate(n * m->rule_floats);
	if (m->rule_sums[part] == NULL)
		memory_out();
}

static void
choose(struct sparse_model *m, int part, struct positions *p, struct rng *rng)
{
	struct position_set *s = p->sets;
	double at = rng_double(rng) * (double)positions_count(p);

	for (int i = 0; i < p->nsets; i++) {
		s = &p->sets[i];
		if (at < (double)s->n)
			break;
		at -= (double)s->n;
	}
	sparse_read_rules(&m->net, &s->rules, &m->rules[part]);
	m->sides[part] = (int)rng_below(rng, 2);
	make_room(m, part);
	for (int i = 0; i < m->part_size; i++)
		m->chosen[part][i] = position_draw(s->at, sizeof(*s->at), s->n,
		    m->rules[part].sided ? m->sides[part] : -1, rng);
}

void
sparse_back_rule(const struct sparse *net, const struct sparse_whole *g, int k, float in,
    float view, const struct sparse_rule_array *to)
{
	const struct sparse_steps *steps = sparse_steps_best();
	size_t h = (size_t)net->hidden, both = 2 * h;
	struct sparse_rule_array now[SPARSE_RULE_ARRAYS];

	sparse_rule_arrays(net, k, now);
	for (size_t i = 0; in != 0 && i < SPARSE_INPUTS; i++) {
		const float *d = g->base + i * h;
		for (size_t j = 0; j < SPARSE_RANK; j++) {
			size_t at = i * SPARSE_RANK + j;
			to[0].array[at] += in * steps->dot(d, now[4].array + j * h, h);
			steps->add(to[4].array + j * h, in * now[0].array[at], d, h);
		}
	}
	if (in != 0)
		steps->add(to[1].array, in, g->bias, h);
	for (size_t i = 0; view != 0 && i < SPARSE_BUCKETS; i++)
		steps->add(to[2].array, view, g->out + i * both, both);
	if (view != 0)
		steps->add(to[3].array, view, g->out_bias, SPARSE_BUCKETS);
}

/* The arrays of a rule feature within rule_sums, aligned as vectors want them;
 * returns their end. */
static float *
list_sums(const struct sparse_model *m, float *at,
    struct sparse_rule_array list[SPARSE_RULE_ARRAYS])
{
	sparse_rule_arrays(&m->net, 0, list);
	for (int i = 0; i < SPARSE_RULE_ARRAYS; i++) {
		list[i].array = at;
		at += floats_length(list[i].n);
	}
	return at;
}

static void
back_rules(struct sparse_model *m, int part)
{
	const struct sparse_rules *r = &m->rules[part];
	struct sparse_rule_array list[SPARSE_RULE_ARRAYS];
	float *to = m->rule_sums[part];

	for (int k = 0; k < m->net.nrules; k++) {
		if (!is_met(m, part, k))
			continue;
		memset(to, 0, m->rule_floats * sizeof(float));
		to = list_sums(m, to, list);
		sparse_back_rule(&m->net, &m->sums[part], k, r->in[k],
		    r->view[m->sides[part]][k], list);
	}
}

static void
run_part(void *context, int job, int thread)
{
	struct sparse_model *m = context;
	struct sparse_whole *w = &m->weights[job], *g = &m->sums[job];

	(void)thread;
	sparse_compose(&m->net, &m->rules[job], m->sides[job], w->in, w->bias, w->out,
	    w->out_bias);
	memset(g->base, 0, g->floats * sizeof(float));
	m->losses[job] = sparse_steps_best()->part(w, g, m->chosen[job], m->part_size);
	sparse_fold(g);
	back_rules(m, job);
}

/* Clears only active features: most rule features never occur. */
static void
clear_gradient(struct sparse_model *m)
{
	struct sparse *g = &m->gradient;
	struct sparse_rule_array list[SPARSE_RULE_ARRAYS];

	memset(g->in, 0, (size_t)(g->left - g->in) * sizeof(float));
	for (int k = 0; k < g->nrules; k++) {
		for (int i = 0; i < SPARSE_PARTS; i++)
			m->active[k] |= is_met(m, i, k);
		if (!m->active[k])
			continue;
		sparse_rule_arrays(g, k, list);
		for (int i = 0; i < SPARSE_RULE_ARRAYS; i++)
			memset(list[i].array, 0, list[i].n * sizeof(float));
	}
}

static void
sum_gradients(struct sparse_model *m)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct sparse *to = &m->gradient;
	float share = 1 / (float)(SPARSE_PARTS * m->part_size);
	struct sparse_rule_array from[SPARSE_RULE_ARRAYS], list[SPARSE_RULE_ARRAYS];

	clear_gradient(m);
	for (int i = 0; i < SPARSE_PARTS; i++) {
		float *at = m->rule_sums[i];
		/* what rules are added to lies alike in both */
		steps->add(to->in, share, m->sums[i].base, m->sums[i].floats);
		for (int k = 0; k < to->nrules; k++) {
			if (!is_met(m, i, k))
				continue;
			at = list_sums(m, at, from);
			sparse_rule_arrays(to, k, list);
			for (int j = 0; j < SPARSE_RULE_ARRAYS; j++)
				steps->add(list[j].array, share, from[j].array,
				    list[j].n);
		}
	}
}

struct sparse_adam
sparse_adam_at(uint64_t step, float decay)
{
	return (struct sparse_adam){ .beta1 = 0.9f,
		.beta2 = 0.999f,
		.epsilon = 1e-8f,
		.decay = decay,
		.correct1 = (float)(1 / (1 - pow(0.9, (double)step))),
		.correct2 = (float)(1 / (1 - pow(0.999, (double)step))) };
}

/* Updates n weights. */
static void
update_block(struct sparse_model *m, const float *first, size_t n,
    const struct sparse_adam *o, float rate, float most)
{
	size_t at = (size_t)(first - m->net.in);

	sparse_steps_best()->adam(m->net.in + at, m->first.in + at, m->second.in + at,
	    m->gradient.in + at, n, o, rate, most);
}

static void
update(struct sparse_model *m, double rate)
{
	struct sparse *w = &m->net;
	struct sparse_rule_array list[SPARSE_RULE_ARRAYS];
	struct sparse_adam o = sparse_adam_at(++m->steps, 0);

	/* what fits the integers: sparse.h */
	update_block(m, w->in, (size_t)(w->out - w->in), &o, (float)rate, 1.98f);
	update_block(m, w->out, (size_t)(w->zone - w->out), &o, (float)rate, 0.99f);
	o.decay = 0.01f;
	update_block(m, w->zone, (size_t)(w->left - w->zone), &o, (float)rate,
	    SPARSE_ZONE_MOST);
	for (int k = 0; k < w->nrules; k++) {
		sparse_rule_arrays(w, k, list);
		for (int i = 0; m->active[k] && i < SPARSE_RULE_ARRAYS; i++)
			update_block(m, list[i].array, list[i].n, &o,
			    (float)rate * m->rule_rate, 1.98f);
	}
}

double
sparse_model_step(struct sparse_model *m, struct positions *p, struct rng *rng,
    double rate, struct threadpool *pool)
{
	double loss = 0;

	for (int i = 0; i < SPARSE_PARTS; i++)
		choose(m, i, p, rng);
	threadpool_run(pool, run_part, m, SPARSE_PARTS);
	sum_gradients(m);
	update(m, rate);
	for (int i = 0; i < SPARSE_PARTS; i++)
		loss += m->losses[i];
	return loss / (SPARSE_PARTS * m->part_size);
}

double
sparse_model_test(struct sparse_model *m, const struct rules *r, const struct position *p,
    size_t n)
{
	struct sparse_rules features;
	double sum = 0;

	sparse_read_rules(&m->net, r, &features);
	for (int side = WHITE; side <= BLACK; side++) {
		struct sparse_whole *w = &m->weights[side];
		sparse_compose(&m->net, &features, side, w->in, w->bias, w->out,
		    w->out_bias);
	}
	for (size_t i = 0; i < n; i++) {
		float x =
		    sparse_steps_best()->forward(&m->weights[p[i].side], &p[i], NULL);
		double off = 1 / (1 + exp(-(double)x)) - p[i].target / 65535.0;
		sum += off * off;
	}
	return n > 0 ? sum / (double)n : 0;
}

/* ---- which copy ---- */

COPIES(sparse_steps);

const struct sparse_steps *
sparse_steps_best(void)
{
	static const struct sparse_steps *best;

	if (best == NULL)
		best = copies[floats_best_copy()];
	return best;
}
