#include "policymodel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "floats.h"
#include "net/copies.h"
#include "sparsemodel.h"

/* The largest weights that the integers of policy.h can hold, and no limit for
 * biases. */
static const float in_most = 1.98f, out_most = 0.99f, mix_most = 1.98f, row_most = 3.96f,
		   bias_most = 30;

/* The policy's own layers learn at this many times the rate. */
enum { POLICY_HASTE = 4 };

/* ---- memory ---- */

static int
whole_init(struct policy_whole *w, const struct policy *p, bool owns_mix)
{
	size_t mix = 2 * (size_t)p->value.hidden * POLICY_WIDTH;

	w->value.hidden = p->value.hidden;
	w->floats = mix + POLICY_WIDTH + POLICY_ROWS * POLICY_WIDTH + POLICY_ROWS;
	float *block = floats_allocate(sparse_whole_floats(p->value.hidden) + w->floats);
	if (block == NULL)
		return -1;
	sparse_whole_layout(&w->value, block);
	w->mix = block + w->value.floats;
	w->mix_bias = w->mix + mix;
	w->rows = w->mix_bias + POLICY_WIDTH;
	w->row_bias = w->rows + POLICY_ROWS * POLICY_WIDTH;
	if (!owns_mix)
		w->mix = p->mix; /* rules do not change it */
	return 0;
}

static void
fill_policy(struct policy *p, struct rng *rng)
{
	size_t k = (size_t)p->value.nrules, inputs = 2 * (size_t)p->value.hidden;

	sparse_fill_random(p->mix, inputs * POLICY_WIDTH, 2 / sqrt((double)inputs), rng);
	for (size_t i = 0; i < POLICY_WIDTH; i++)
		p->mix_bias[i] = 0.3f;
	sparse_fill_random(p->rows, POLICY_ROWS * POLICY_WIDTH, 0.02, rng);
	sparse_fill_random(p->right, k * POLICY_RANK * POLICY_WIDTH, 0.1, rng);
}

static void
add_name(struct sparse *s, const char *name)
{
	for (int i = 0; i < s->nrules; i++)
		if (strcmp(s->rules[i], name) == 0)
			return;
	if (s->nrules < SPARSE_RULES_MAX)
		memcpy(s->rules[s->nrules++], name, SPARSE_RULE_NAME_MAX);
}

/* Lists the rule features of the net, at least one. Those that only the value net
 * has would cost more in rows than all its weights. */
static void
list_features(struct sparse *to, const struct policy *from, const struct policy_window *w)
{
	int n = encode_nfeatures();
	float white[SPARSE_RULES_MAX], black[SPARSE_RULES_MAX];
	char name[SPARSE_RULE_NAME_MAX];

	to->nrules = 0;
	for (int i = 0; from != NULL && i < from->value.nrules; i++)
		add_name(to, from->value.rules[i]);
	for (int i = 0; i < w->nsets; i++) {
		encode_rule_features(&w->sets[i]->rules, WHITE, white);
		encode_rule_features(&w->sets[i]->rules, BLACK, black);
		for (int j = 0; j < n; j++) {
			encode_feature_name(j, name);
			if (white[j] != 0 || black[j] != 0)
				add_name(to, name);
		}
	}
	encode_feature_name(0, name);
	if (to->nrules == 0)
		add_name(to, name);
}

static int
init_nets(struct policy_model *m, int hidden, const struct policy *from,
    const struct policy_window *w)
{
	struct policy *nets[] = { &m->net, &m->gradient, &m->first, &m->second,
		&m->average };
	static struct sparse names; /* large */

	list_features(&names, from, w);
	for (size_t i = 0; i < sizeof(nets) / sizeof(nets[0]); i++) {
		if (policy_init(nets[i], hidden, names.nrules) == -1)
			return -1;
		memcpy(nets[i]->value.rules, names.rules, sizeof(names.rules));
	}
	return 0;
}

static int
init_parts(struct policy_model *m)
{
	for (int i = 0; i < POLICY_PARTS; i++) {
		m->chosen[i] = calloc((size_t)m->part_size, sizeof(*m->chosen[i]));
		if (whole_init(&m->weights[i], &m->net, false) == -1 ||
		    whole_init(&m->sums[i], &m->net, true) == -1 || m->chosen[i] == NULL)
			return -1;
	}
	return 0;
}

int
policy_model_init(struct policy_model *m, int hidden, const struct policy *policy,
    const struct sparse *value, const struct policy_window *w, uint64_t seed, int batch)
{
	const struct sparse *from = policy != NULL ? &policy->value : value;
	struct rng rng;

	memset(m, 0, sizeof(*m));
	m->part_size = batch / POLICY_PARTS;
	m->rule_rate = 0.3f;
	m->value_rate = 1;
	m->policy_weight = 0.3f;
	m->keep = 0.99f;
	if (init_nets(m, from != NULL ? from->hidden : hidden, policy, w) == -1 ||
	    init_parts(m) == -1)
		return -1;
	rng_init(&rng, seed, 0);
	sparse_fill(&m->net.value, &rng);
	fill_policy(&m->net, &rng);
	if (policy != NULL)
		policy_take(&m->net, policy);
	else if (value != NULL)
		sparse_take(&m->net.value, value);
	policy_take(&m->average, &m->net);
	return 0;
}

void
policy_model_release(struct policy_model *m)
{
	policy_release(&m->net);
	policy_release(&m->gradient);
	policy_release(&m->first);
	policy_release(&m->second);
	policy_release(&m->average);
	for (int i = 0; i < POLICY_PARTS; i++) {
		free(m->weights[i].value.base);
		free(m->sums[i].value.base);
		free(m->chosen[i]);
	}
}

/* ---- which copy ---- */

COPIES(policy_steps);

static const struct policy_steps *
steps_best(void)
{
	return copies[floats_best_copy()];
}

/* ---- a step ---- */

static void
choose(struct policy_model *m, int part, const struct policy_window *w, struct rng *rng)
{
	const struct policy_set *s = NULL;
	double at = rng_double(rng) * (double)policy_window_count(w);

	for (int i = 0; i < w->nsets; i++) {
		s = w->sets[i];
		if (at < (double)s->n)
			break;
		at -= (double)s->n;
	}
	sparse_read_rules(&m->net.value, &s->rules, &m->rules[part]);
	m->sides[part] = (int)rng_below(rng, 2);
	for (int i = 0; i < m->part_size; i++)
		m->chosen[part][i] = position_draw(s->at, sizeof(*s->at), s->n,
		    m->rules[part].sided ? m->sides[part] : -1, rng);
}

static void
compose(struct policy_whole *w, const struct policy *p, const struct sparse_rules *r,
    int side)
{
	sparse_compose(&p->value, r, side, w->value.in, w->value.bias, w->value.out,
	    w->value.out_bias);
	policy_compose(p, r, w->mix_bias, w->rows, w->row_bias);
}

static void
run_part(void *context, int job, int thread)
{
	struct policy_model *m = context;
	struct policy_whole *w = &m->weights[job], *g = &m->sums[job];

	(void)thread;
	compose(w, &m->net, &m->rules[job], m->sides[job]);
	memset(g->value.base, 0, (g->value.floats + g->floats) * sizeof(float));
	m->losses[job] = (struct policy_loss){ 0 };
	steps_best()->part(w, g, m->chosen[job], m->part_size, m->policy_weight,
	    &m->losses[job]);
	sparse_fold(&g->value);
}

static void
back_rows(struct policy_model *m, const struct policy_whole *g, size_t k, float f)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct policy *to = &m->gradient, *net = &m->net;

	for (size_t j = k * POLICY_RANK; j < (k + 1) * POLICY_RANK; j++) {
		float *left = to->left + j * POLICY_ROWS;
		float *right = to->right + j * POLICY_WIDTH;
		const float *l = net->left + j * POLICY_ROWS;
		const float *r = net->right + j * POLICY_WIDTH;
		for (size_t i = 0; i < POLICY_ROWS; i++) {
			const float *d = g->rows + i * POLICY_WIDTH;
			left[i] += f * steps->dot(d, r, POLICY_WIDTH);
			steps->add(right, f * l[i], d, POLICY_WIDTH);
		}
	}
	steps->add(to->rule_mix_bias + k * POLICY_WIDTH, f, g->mix_bias, POLICY_WIDTH);
	steps->add(to->rule_row_bias + k * POLICY_ROWS, f, g->row_bias, POLICY_ROWS);
}

static void
sum_gradients(struct policy_model *m)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct policy *to = &m->gradient;
	float share = 1 / (float)(POLICY_PARTS * m->part_size);

	memset(to->value.in, 0, to->value.floats * sizeof(float));
	memset(to->mix, 0, to->floats * sizeof(float));
	for (int i = 0; i < POLICY_PARTS; i++) {
		const struct policy_whole *g = &m->sums[i];
		/* weights that rules change have the same layout in both */
		steps->add(to->value.in, share, g->value.base, g->value.floats);
		steps->add(to->mix, share, g->mix, g->floats);
		for (int k = 0; k < to->value.nrules; k++) {
			struct sparse_rule_array list[SPARSE_RULE_ARRAYS];
			float in = share * m->rules[i].in[k];
			float view = share * m->rules[i].view[m->sides[i]][k];
			sparse_rule_arrays(&to->value, k, list);
			sparse_back_rule(&m->net.value, &g->value, k, in, view, list);
			if (in != 0)
				back_rows(m, g, (size_t)k, in);
		}
	}
}

static void
update_block(struct policy_model *m, float *net, float *first, float *second,
    const float *gradient, size_t n, double rate, float decay, float most)
{
	struct sparse_adam o = sparse_adam_at(m->steps, decay);

	sparse_steps_best()->adam(net, first, second, gradient, n, &o, (float)rate, most);
}

static void
update(struct policy_model *m, double rate)
{
	struct sparse *v = &m->net.value;
	struct policy *p = &m->net;
	const float rule_decay = 0.01f;
	double value = rate * (double)m->value_rate, slow = (double)m->rule_rate;
	double policy = POLICY_HASTE * rate;

	m->steps++;
#define BLOCK(array, end, r, decay, most) \
	update_block(m, p->array, m->first.array, m->second.array, m->gradient.array, \
	    (size_t)((end)-p->array), r, decay, most)
	BLOCK(value.in, v->out, value, 0, in_most);
	BLOCK(value.out, v->zone, value, 0, out_most);
	BLOCK(value.zone, v->left, value, rule_decay, SPARSE_ZONE_MOST);
	BLOCK(value.left, v->in + v->floats, slow * value, rule_decay, in_most);
	BLOCK(mix, p->mix_bias, policy, 0, mix_most);
	BLOCK(mix_bias, p->rows, policy, 0, bias_most);
	BLOCK(rows, p->row_bias, policy, 0, row_most);
	BLOCK(row_bias, p->rule_mix_bias, policy, 0, bias_most);
	BLOCK(rule_mix_bias, p->mix + p->floats, slow * policy, rule_decay, row_most);
#undef BLOCK
}

/* With few steps, the running mean is the mean of all of them. */
static void
update_average(struct policy_model *m)
{
	float keep = m->keep, young = 1 - 1 / (float)m->steps;

	if (keep > young)
		keep = young;
	struct policy *a = &m->average;
	for (size_t i = 0; i < a->value.floats; i++)
		a->value.in[i] += (1 - keep) * (m->net.value.in[i] - a->value.in[i]);
	for (size_t i = 0; i < a->floats; i++)
		a->mix[i] += (1 - keep) * (m->net.mix[i] - a->mix[i]);
}

void
policy_loss_add(struct policy_loss *sum, const struct policy_loss *l, double share)
{
	sum->value += l->value * share;
	sum->policy += l->policy * share;
	sum->entropy += l->entropy * share;
	sum->first += l->first * share;
	sum->third += l->third * share;
}

struct policy_loss
policy_model_step(struct policy_model *m, const struct policy_window *w, struct rng *rng,
    double rate, struct threadpool *pool)
{
	struct policy_loss loss = { 0 };
	int n = POLICY_PARTS * m->part_size;

	for (int i = 0; i < POLICY_PARTS; i++)
		choose(m, i, w, rng);
	threadpool_run(pool, run_part, m, POLICY_PARTS);
	sum_gradients(m);
	update(m, rate);
	update_average(m);
	for (int i = 0; i < POLICY_PARTS; i++)
		policy_loss_add(&loss, &m->losses[i], 1.0 / n);
	return loss;
}

void
policy_model_test(struct policy_model *m, const struct policy_set *s,
    struct policy_loss *sum)
{
	struct sparse_rules rules;

	sparse_read_rules(&m->average.value, &s->rules, &rules);
	for (int side = WHITE; side <= BLACK; side++) {
		struct policy_whole w = m->weights[side];
		w.mix = m->average.mix;
		compose(&w, &m->average, &rules, side);
		for (size_t i = 0; i < s->n; i++) {
			const struct policy_sample *sample = &s->at[i];
			if (sample->position.side == side)
				steps_best()->part(&w, NULL, &sample, 1, 0, sum);
		}
	}
}
