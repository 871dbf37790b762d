#include "sparsemodel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "net/copies.h"
#include "net/kernels.h"

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
	float *block = kernels_allocate(sparse_whole_floats(hidden));

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
	m->rule_floats = (m->net.floats - (size_t)(m->net.left - m->net.in)) /
	    (size_t)k;
	m->rule_rate = 0.3f;
	for (int i = 0; i < SPARSE_PARTS; i++) {
		m->chosen[i] = calloc((size_t)m->part_size, sizeof(*m->chosen[i]));
		if (whole_init(&m->weights[i], hidden) == -1 ||
		    whole_init(&m->sums[i], hidden) == -1 ||
		    m->chosen[i] == NULL)
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

static bool is_met(const struct sparse_model *m, int part, size_t k);

static void
make_room(struct sparse_model *m, int part)
{
	size_t n = 0;

	for (size_t k = 0; k < (size_t)m->net.nrules; k++)
		n += is_met(m, part, k);
	if (n <= m->rule_room[part])
		return;
	free(m->rule_sums[part]);
	m->rule_room[part] = n;
	m->rule_sums[part] = kernels_allocate(n * m->rule_floats);
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

/* The parts of a rule feature in the five arrays that rules have. */
struct rule_part {
	size_t at, n;
};

static void
list_rule_parts(const struct sparse *s, size_t k, struct rule_part list[5])
{
	size_t h = (size_t)s->hidden;
	const struct { const float *array; size_t n; } arrays[5] = {
		{ s->left, SPARSE_INPUTS * SPARSE_RANK },
		{ s->right, SPARSE_RANK * h },
		{ s->rule_bias, h },
		{ s->rule_out, 2 * h },
		{ s->rule_out_bias, SPARSE_BUCKETS },
	};

	for (int i = 0; i < 5; i++)
		list[i] = (struct rule_part){ (size_t)(arrays[i].array - s->in) +
		    k * arrays[i].n, arrays[i].n };
}

void
sparse_back_hidden(const struct sparse *net, const struct sparse_whole *g,
    size_t k, float f, float *left, float *right, float *bias)
{
	const struct sparse_steps *steps = sparse_steps_best();
	size_t h = (size_t)net->hidden;
	const float *l = net->left + k * SPARSE_INPUTS * SPARSE_RANK;
	const float *r = net->right + k * SPARSE_RANK * h;

	for (size_t i = 0; i < SPARSE_INPUTS; i++) {
		const float *d = g->base + i * h;
		for (size_t j = 0; j < SPARSE_RANK; j++) {
			left[i * SPARSE_RANK + j] += f * steps->dot(d, r + j * h, h);
			steps->add(right + j * h, f * l[i * SPARSE_RANK + j], d, h);
		}
	}
	steps->add(bias, f, g->bias, h);
}

void
sparse_back_output(const struct sparse_whole *g, float f, float *out,
    float *out_bias)
{
	const struct sparse_steps *steps = sparse_steps_best();
	size_t both = 2 * (size_t)g->hidden;

	for (size_t i = 0; i < SPARSE_BUCKETS; i++)
		steps->add(out, f, g->out + i * both, both);
	steps->add(out_bias, f, g->out_bias, SPARSE_BUCKETS);
}

static bool
is_met(const struct sparse_model *m, int part, size_t k)
{
	return m->rules[part].in[k] != 0 ||
	    m->rules[part].view[m->sides[part]][k] != 0;
}

static void
back_rules(struct sparse_model *m, int part)
{
	size_t h = (size_t)m->net.hidden;
	float *to = m->rule_sums[part];

	for (size_t k = 0; k < (size_t)m->net.nrules; k++) {
		if (!is_met(m, part, k))
			continue;
		float *right = to + SPARSE_INPUTS * SPARSE_RANK;
		float *bias = right + SPARSE_RANK * h, *out = bias + h;
		memset(to, 0, m->rule_floats * sizeof(float));
		if (m->rules[part].in[k] != 0)
			sparse_back_hidden(&m->net, &m->sums[part], k,
			    m->rules[part].in[k], to, right, bias);
		sparse_back_output(&m->sums[part],
		    m->rules[part].view[m->sides[part]][k], out, out + 2 * h);
		to += m->rule_floats;
	}
}

static void
run_part(void *context, int job, int thread)
{
	struct sparse_model *m = context;
	struct sparse_whole *w = &m->weights[job], *g = &m->sums[job];

	(void)thread;
	sparse_compose(&m->net, &m->rules[job], m->sides[job], w->in, w->bias,
	    w->out, w->out_bias);
	memset(g->base, 0, g->floats * sizeof(float));
	m->losses[job] = sparse_steps_best()->part(w, g, m->chosen[job],
	    m->part_size);
	sparse_fold(g);
	back_rules(m, job);
}

/* Clears only active features: most rule features never occur. */
static void
clear_gradient(struct sparse_model *m)
{
	struct sparse *g = &m->gradient;
	struct rule_part part[5];

	memset(g->in, 0, (size_t)(g->left - g->in) * sizeof(float));
	for (size_t k = 0; k < (size_t)g->nrules; k++) {
		for (int i = 0; i < SPARSE_PARTS; i++)
			m->active[k] |= is_met(m, i, k);
		if (!m->active[k])
			continue;
		list_rule_parts(g, k, part);
		for (int i = 0; i < 5; i++)
			memset(g->in + part[i].at, 0, part[i].n * sizeof(float));
	}
}

static void
sum_gradients(struct sparse_model *m)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct sparse *to = &m->gradient;
	float share = 1 / (float)(SPARSE_PARTS * m->part_size);
	struct rule_part part[5];

	clear_gradient(m);
	for (int i = 0; i < SPARSE_PARTS; i++) {
		const float *from = m->rule_sums[i];
		/* what rules are added to lies alike in both */
		steps->add(to->in, share, m->sums[i].base, m->sums[i].floats);
		for (size_t k = 0; k < (size_t)to->nrules; k++) {
			if (!is_met(m, i, k))
				continue;
			list_rule_parts(to, k, part);
			for (int j = 0; j < 5; j++) {
				steps->add(to->in + part[j].at, share, from,
				    part[j].n);
				from += part[j].n;
			}
		}
	}
}

static void
update(struct sparse_model *m, double rate)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct sparse *w = &m->net, *g = &m->gradient;
	struct sparse_adam o = { .beta1 = 0.9f, .beta2 = 0.999f,
	    .epsilon = 1e-8f, .decay = m->decay };
	size_t base = (size_t)(w->zone - w->in);

	m->steps++;
	o.correct1 = (float)(1 / (1 - pow(0.9, (double)m->steps)));
	o.correct2 = (float)(1 / (1 - pow(0.999, (double)m->steps)));
	/* what fits the integers: sparse.h */
	size_t hidden = (size_t)(w->out - w->in);
	steps->adam(w->in, m->first.in, m->second.in, g->in, hidden, &o,
	    (float)rate, 1.98f);
	steps->adam(w->out, m->first.out, m->second.out, g->out, base - hidden,
	    &o, (float)rate, 0.99f);
	o.decay = 0.01f;
	steps->adam(w->zone, m->first.zone, m->second.zone, g->zone,
	    (size_t)(w->left - w->zone), &o, (float)rate, SPARSE_ZONE_MOST);
	for (size_t k = 0; k < (size_t)w->nrules; k++) {
		struct rule_part part[5];
		list_rule_parts(w, k, part);
		for (int i = 0; m->active[k] && i < 5; i++) {
			size_t at = part[i].at;
			steps->adam(w->in + at, m->first.in + at,
			    m->second.in + at, g->in + at, part[i].n, &o,
			    (float)rate * m->rule_rate, 1.98f);
		}
	}
}

double
sparse_model_step(struct sparse_model *m, struct positions *p,
    struct rng *rng, double rate, struct threadpool *pool)
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
sparse_model_test(struct sparse_model *m, const struct rules *r,
    const struct position *p, size_t n)
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
		float x = sparse_steps_best()->forward(&m->weights[p[i].side],
		    &p[i], NULL);
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
		best = copies[kernels_best_copy()];
	return best;
}
