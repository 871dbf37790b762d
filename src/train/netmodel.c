#include "netmodel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "floats.h"
#include "net/copies.h"
#include "netupdate.h"

/* ---- which copy ---- */

COPIES(net_steps);

const struct net_steps *
net_steps_best(void)
{
	static const struct net_steps *best;

	if (best == NULL)
		best = copies[floats_best_copy()];
	return best;
}

/* ---- memory ---- */

/* Memory that is divided among arrays; without a block it is only measured. */
struct room {
	float *block;
	size_t used;
};

static float *
take(struct room *r, size_t n)
{
	float *at = r->block != NULL ? r->block + r->used : NULL;

	r->used += sparse_stride(n);
	return at;
}

/* The arrays of weights for a rule set; those of the other side are the same. */
static void
lay_out(struct net_weights *w, bool policy, struct room *at)
{
	size_t h = (size_t)w->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;

	w->in[0] = w->in[1] = take(at, SPARSE_ROWS * h);
	w->bias[0] = w->bias[1] = take(at, h);
	w->out = take(at, outs * 2 * h);
	w->out_bias = take(at, outs);
	w->mix = w->mix_bias = w->rows = w->row_bias = NULL;
	if (!policy)
		return;
	w->mix = take(at, 2 * h * POLICY_WIDTH);
	w->mix_bias = take(at, POLICY_WIDTH);
	w->rows = take(at, POLICY_ROWS * POLICY_WIDTH);
	w->row_bias = take(at, POLICY_ROWS);
}

/* The sums come first, so that they can be cleared at once. Returns the size. */
static size_t
lay_out_part(struct net_part *p, int hidden, bool policy)
{
	struct room room = { p->memory, 0 };

	p->weights.hidden = p->sums.hidden = hidden;
	lay_out(&p->sums, policy, &room);
	lay_out(&p->weights, policy, &room);
	for (int i = 0; i < 2; i++)
		p->fold[i] = take(&room, SPARSE_ZONED * (size_t)hidden);
	return room.used;
}

static int
part_init(struct net_part *p, int hidden, bool policy, int size)
{
	size_t n = lay_out_part(p, hidden, policy);

	p->samples = calloc((size_t)size, sizeof(*p->samples));
	p->memory = memory_table(n * sizeof(float));
	if (p->samples == NULL || p->memory == NULL)
		return -1;
	lay_out_part(p, hidden, policy);
	return 0;
}

/* Arrays of the other side's own, if the sides play by different rules. */
static void
part_divide(struct net_part *p)
{
	size_t h = (size_t)p->weights.hidden, in = SPARSE_ROWS * h;
	bool sided = p->rules.sided;

	if (sided && p->sided == NULL) {
		p->sided = memory_table(2 * (in + h) * sizeof(float));
		if (p->sided == NULL)
			memory_out();
	}
	p->weights.in[1] = sided ? p->sided : p->weights.in[0];
	p->weights.bias[1] = sided ? p->sided + in : p->weights.bias[0];
	p->sums.in[1] = sided ? p->sided + in + h : p->sums.in[0];
	p->sums.bias[1] = sided ? p->sided + 2 * in + h : p->sums.bias[0];
}

/* ---- a new net ---- */

static void
fill(float *w, size_t n, double spread, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (float)((2 * rng_double(rng) - 1) * spread);
}

static void
fill_policy(struct sparse *s, struct rng *rng)
{
	size_t k = (size_t)s->nrules, inputs = 2 * (size_t)s->hidden;

	fill(s->mix, inputs * POLICY_WIDTH, 2 / sqrt((double)inputs), rng);
	for (size_t i = 0; i < POLICY_WIDTH; i++)
		s->mix_bias[i] = 0.3f;
	fill(s->rows, POLICY_ROWS * POLICY_WIDTH, 0.02, rng);
	fill(s->row_right, k * POLICY_RANK * POLICY_WIDTH, 0.1, rng);
}

static void
fill_net(struct sparse *s, struct rng *rng)
{
	size_t h = (size_t)s->hidden, k = (size_t)s->nrules;

	fill(s->in, SPARSE_INPUTS * h, 0.1, rng);
	fill(s->out, SPARSE_BUCKETS * 2 * h, 0.1, rng);
	fill(s->right, k * SPARSE_RANK * h, 0.1, rng);
	for (size_t i = 0; i < h; i++)
		s->bias[i] = 0.1f;
	/* all buckets start with the same weights */
	for (size_t i = 1; i < SPARSE_BUCKETS; i++)
		memcpy(s->out + i * 2 * h, s->out, 2 * h * sizeof(float));
	if (sparse_has_policy(s))
		fill_policy(s, rng);
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

/* Adds the features that a rule set has. */
static void
add_features(struct sparse *to, const struct rules *r)
{
	float white[SPARSE_RULES_MAX], black[SPARSE_RULES_MAX];
	char name[SPARSE_RULE_NAME_MAX];
	int n = encode_nfeatures();

	encode_rule_features(r, WHITE, white);
	encode_rule_features(r, BLACK, black);
	for (int i = 0; i < n; i++) {
		encode_feature_name(i, name);
		if (white[i] != 0 || black[i] != 0)
			add_name(to, name);
	}
}

/* Lists the rule features of the net, at least one. */
static void
list_features(struct sparse *to, const struct sparse *from,
    const struct positions *window)
{
	char name[SPARSE_RULE_NAME_MAX];
	bool all = !window->policy;

	to->nrules = 0;
	for (int i = 0; all && i < encode_nfeatures(); i++) {
		encode_feature_name(i, name);
		add_name(to, name);
	}
	for (int i = 0;
	     from != NULL && (all || sparse_has_policy(from)) && i < from->nrules; i++)
		add_name(to, from->rules[i]);
	for (int i = 0; !all && i < window->nsets; i++)
		add_features(to, &window->sets[i]->rules);
	encode_feature_name(0, name);
	if (to->nrules == 0)
		add_name(to, name);
}

static int
init_nets(struct net_model *m, int hidden, const struct sparse *from,
    const struct positions *window)
{
	struct sparse *nets[] = { &m->net, &m->first, &m->second, &m->average };
	struct sparse *names = malloc(sizeof(*names)); /* large */
	int result = names == NULL ? -1 : 0;

	if (names != NULL)
		list_features(names, from, window);
	for (size_t i = 0; result == 0 && i < sizeof(nets) / sizeof(nets[0]); i++) {
		result = sparse_init(nets[i], hidden, names->nrules, window->policy);
		memcpy(nets[i]->rules, names->rules, sizeof(names->rules));
	}
	free(names);
	return result;
}

int
net_model_init(struct net_model *m, int hidden, const struct sparse *from,
    const struct positions *window, uint64_t seed, int batch)
{
	struct rng rng;

	memset(m, 0, sizeof(*m));
	if (from != NULL)
		hidden = from->hidden;
	m->part_size = batch / NET_PARTS;
	m->value_rate = 1;
	m->policy_weight = 0.3f;
	m->average_decay = 0.99f;
	if (init_nets(m, hidden, from, window) == -1)
		return -1;
	for (int i = 0; i < NET_PARTS; i++)
		if (part_init(&m->part[i], hidden, window->policy, m->part_size) == -1)
			return -1;
	rng_init(&rng, seed, 0);
	fill_net(&m->net, &rng);
	if (from != NULL)
		sparse_copy_weights(&m->net, from);
	memcpy(m->average.block, m->net.block, m->net.floats * sizeof(float));
	return 0;
}

int
net_model_blend(struct net_model *m, const struct sparse *other, float share)
{
	struct sparse mixed;
	struct sparse *mean = &m->average;

	if (sparse_init(&mixed, mean->hidden, mean->nrules, sparse_has_policy(mean)) ==
	    -1)
		return -1;
	memcpy(mixed.rules, mean->rules, sizeof(mixed.rules));
	memcpy(mixed.block, mean->block, mean->floats * sizeof(float));
	sparse_copy_weights(&mixed, other);
	for (size_t i = 0; i < mean->floats; i++)
		mean->block[i] += share * (mixed.block[i] - mean->block[i]);
	sparse_release(&mixed);
	return 0;
}

void
net_model_round(struct net_model *m)
{
	size_t n = sparse_array(&m->average, SPARSE_ID_left).n;

	for (int k = 0; k < m->average.nrules; k++) {
		float *left = sparse_array_at(&m->average, SPARSE_ID_left, k);
		for (size_t i = 0; i < n; i++)
			left[i] = (float)lrintf(fminf(fmaxf(left[i], -SPARSE_BYTE_MOST),
						    SPARSE_BYTE_MOST) *
				      SPARSE_ONE) /
			    SPARSE_ONE;
	}
}

void
net_model_release(struct net_model *m)
{
	sparse_release(&m->net);
	sparse_release(&m->first);
	sparse_release(&m->second);
	sparse_release(&m->average);
	for (int i = 0; i < m->nscratch; i++)
		free(m->scratch[i]);
	free(m->scratch);
	for (int i = 0; i < NET_PARTS; i++) {
		free(m->part[i].memory);
		free(m->part[i].sided);
		free(m->part[i].samples);
	}
}

/* ---- the parts of a batch ---- */

static void
choose(struct net_model *m, struct net_part *p, const struct positions *window,
    struct rng *rng)
{
	const struct position_set *s = NULL;
	double at = rng_double(rng) * (double)positions_count(window);

	for (int i = 0; i < window->nsets; i++) {
		s = window->sets[i];
		if (at < (double)s->n)
			break;
		at -= (double)s->n;
	}
	sparse_read_rules(&m->net, &s->rules, &p->rules);
	p->side = (int)rng_below(rng, 2);
	part_divide(p);
	for (int i = 0; i < m->part_size; i++) {
		size_t k = position_draw(s, p->rules.sided ? p->side : -1, rng);
		p->samples[i].position = &s->at[k];
		p->samples[i].visits = s->visits != NULL ? &s->visits[k] : NULL;
	}
}

/* The weights for a part's rules with `side` to move. Rules do not change mix. */
static void
compose(struct net_part *p, const struct sparse *s, int side)
{
	struct net_weights *w = &p->weights;

	for (int other = 0; other < 1 + p->rules.sided; other++)
		sparse_compose(s, &p->rules, side ^ other, w->in[other], w->bias[other]);
	sparse_compose_out(s, &p->rules, side, w->out, w->out_bias);
	if (w->mix == NULL)
		return;
	w->mix = s->mix;
	sparse_compose_policy(s, &p->rules, side, w->mix_bias, w->rows, w->row_bias);
}

/* Sums the gradient of the weights that all zones share. */
static void
fold_zones(const struct net_steps *steps, struct net_part *p)
{
	size_t n = SPARSE_ZONED * (size_t)p->sums.hidden;

	for (int i = 0; i < 1 + p->rules.sided; i++) {
		memcpy(p->fold[i], p->sums.in[i], n * sizeof(float));
		for (size_t z = 1; z < SPARSE_ZONES; z++)
			steps->add(p->fold[i], 1, p->sums.in[i] + z * n, n);
	}
}

static void
run_part(void *context, int job, int thread)
{
	struct net_model *m = context;
	struct net_part *p = &m->part[job];
	const struct net_steps *steps = net_steps_best();
	size_t h = (size_t)p->sums.hidden;

	(void)thread;
	compose(p, &m->net, p->side);
	memset(p->memory, 0, (size_t)(p->weights.in[0] - p->memory) * sizeof(float));
	if (p->rules.sided)
		memset(p->sums.in[1], 0, (SPARSE_ROWS + 1) * h * sizeof(float));
	p->loss = (struct net_loss){ 0 };
	steps->part(&p->weights, &p->sums, p->samples, m->part_size, m->policy_weight,
	    &p->loss);
	fold_zones(steps, p);
}

/* ---- a step ---- */

void
net_loss_add(struct net_loss *sum, const struct net_loss *l, double share)
{
	sum->value += l->value * share;
	sum->policy += l->policy * share;
	sum->entropy += l->entropy * share;
	sum->first += l->first * share;
	sum->third += l->third * share;
}

struct net_loss
net_model_step(struct net_model *m, const struct positions *window, struct rng *rng,
    double rate, struct threadpool *pool)
{
	struct net_loss loss = { 0 };

	for (int i = 0; i < NET_PARTS; i++)
		choose(m, &m->part[i], window, rng);
	threadpool_run(pool, run_part, m, NET_PARTS);
	net_update(m, rate, pool);
	for (int i = 0; i < NET_PARTS; i++)
		net_loss_add(&loss, &m->part[i].loss, 1.0 / (NET_PARTS * m->part_size));
	return loss;
}

void
net_model_test(struct net_model *m, const struct position_set *s, struct net_loss *sum)
{
	struct net_part *p = &m->part[0];

	sparse_read_rules(&m->average, &s->rules, &p->rules);
	part_divide(p);
	for (int side = WHITE; side <= BLACK; side++) {
		compose(p, &m->average, side);
		for (size_t i = 0; i < s->n; i++) {
			struct net_sample one = { &s->at[i],
				s->visits != NULL ? &s->visits[i] : NULL };
			if (s->at[i].side == side)
				net_steps_best()->part(&p->weights, NULL, &one, 1, 0,
				    sum);
		}
	}
}
