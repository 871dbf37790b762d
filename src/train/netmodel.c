#include "netmodel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "floats.h"
#include "net/copies.h"

/* ---- which copy ---- */

COPIES(net_steps);

static const struct net_steps *
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

/* ---- gradients of blocks of weights, and their update ---- */

/* How many weights of an array all rule sets use: not those of hands, spare kinds and
 * changed pieces. */
static size_t
count_shared(const struct sparse *net, int id)
{
	switch (id) {
	case SPARSE_ID_in:
		return (size_t)SPARSE_ANY * (size_t)net->hidden;
	case SPARSE_ID_bias:
	case SPARSE_ID_out:
	case SPARSE_ID_out_bias:
	case SPARSE_ID_zone:
		return sparse_array(net, id).n;
	default:
		return 0;
	}
}

static bool
is_kept(const struct net_model *m, int id, const float *at)
{
	struct sparse_array a = sparse_array(&m->net, id);
	size_t i = (size_t)(at - sparse_array_at(&m->net, id, 0));

	return a.group == SPARSE_RULE ? m->keep_rule[i / sparse_stride(a.n)]
				      : m->keep_shared && i < count_shared(&m->net, id);
}

/* Has a net learnt its rule feature k? Without learning only `left` is not zero. */
static bool
is_learnt(const struct sparse *s, int k)
{
	static const int ids[] = { SPARSE_ID_right, SPARSE_ID_rule_bias,
		SPARSE_ID_rule_out, SPARSE_ID_rule_out_bias };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		const float *weights = sparse_array_at(s, ids[i], k);
		for (size_t j = 0; j < sparse_array(s, ids[i]).n; j++)
			if (weights[j] != 0)
				return true;
	}
	return false;
}

/* The number of a rule feature that a net has learnt; -1 if it has not. */
static int
find_learnt(const struct sparse *s, const char *name)
{
	for (int k = 0; k < s->nrules; k++)
		if (strcmp(s->rules[k], name) == 0)
			return is_learnt(s, k) ? k : -1;
	return -1;
}

void
net_model_keep(struct net_model *m, const struct sparse *kept)
{
	m->keep_shared = true;
	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		size_t n = count_shared(&m->net, id);
		if (n > 0) /* a net may lack the others */
			memcpy(sparse_array_at(&m->net, id, 0),
			    sparse_array_at(kept, id, 0), n * sizeof(float));
	}
	for (int k = 0; k < m->net.nrules; k++) {
		int from = find_learnt(kept, m->net.rules[k]);
		m->keep_rule[k] = from >= 0;
		for (int id = 0; from >= 0 && id < SPARSE_NARRAYS; id++)
			if (sparse_array(&m->net, id).group == SPARSE_RULE)
				memcpy(sparse_array_at(&m->net, id, k),
				    sparse_array_at(kept, id, from),
				    sparse_array(&m->net, id).n * sizeof(float));
	}
	memcpy(m->average.block, m->net.block, m->net.floats * sizeof(float));
}

/* Takes the gradient of n weights of an array. */
static void
update(struct net_model *m, int id, float *at, const float *g, size_t n)
{
	size_t i = (size_t)(at - m->net.block);

	if (m->sink != NULL) {
		m->sink(m->sink_context, at, g, n);
		return;
	}
	if (is_kept(m, id, at))
		return;
	struct sparse_array a = sparse_array(&m->net, id);
	struct net_adam o = m->adam;
	bool value = a.group == SPARSE_VALUE || a.group == SPARSE_RULE;
	o.rate = (float)m->rate * a.rate * (value ? m->value_rate : 1);
	o.decay = a.decay;
	o.most = a.most;
	net_steps_best()->adam(at, m->first.block + i, m->second.block + i,
	    m->average.block + i, g, n, &o);
}

/* The share of a part's sums in the gradient. */
static float
share_of(const struct net_model *m)
{
	return 1 / (float)(NET_PARTS * m->part_size);
}

/* Sums of n numbers at an offset of each part's and side's array. */
static void
sum_rows(const struct net_model *m, size_t row, size_t rows, bool folded, float *g)
{
	size_t h = (size_t)m->net.hidden;

	for (int i = 0; i < NET_PARTS; i++) {
		const struct net_part *p = &m->part[i];
		for (int other = 0; other < 1 + p->rules.sided; other++)
			net_steps_best()->add(g, share_of(m),
			    (folded ? p->fold[other] : p->sums.in[other]) + row * h,
			    rows * h);
	}
}

/* Rows of zoned inputs that a job updates. */
enum { INPUTS_EACH = 50, INPUT_JOBS = SPARSE_ZONED / INPUTS_EACH };

static void
update_inputs(struct net_model *m, int job, float *g)
{
	size_t h = (size_t)m->net.hidden, n = INPUTS_EACH;
	size_t first = (size_t)job * n;

	for (size_t z = 0; z < SPARSE_ZONES; z++) {
		size_t row = z * SPARSE_ZONED + first;
		memset(g, 0, n * h * sizeof(float));
		sum_rows(m, row, n, false, g);
		update(m, SPARSE_ID_zone, m->net.zone + row * h, g, n * h);
	}
	memset(g, 0, n * h * sizeof(float));
	sum_rows(m, first, n, true, g);
	update(m, SPARSE_ID_in, m->net.in + first * h, g, n * h);
}

/* Spare kinds' own weights, and hands: the sums of what is composed of them. */
static void
update_more(struct net_model *m, float *g)
{
	const struct net_steps *steps = net_steps_best();
	size_t h = (size_t)m->net.hidden, steps_each = SPARSE_STEPS * h;
	float *hands = g + (SPARSE_HANDS - SPARSE_ANY) * h;

	memset(g, 0, (SPARSE_INPUTS - SPARSE_ANY) * h * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++) {
		const struct net_part *p = &m->part[i];
		for (int j = 0; j < 2 * (1 + p->rules.sided); j++) {
			const float *sums = p->sums.in[j / 2];
			bool other = j % 2;
			for (int k = SPARSE_CHESS + 1;
			     p->rules.fairy && k <= SPARSE_KINDS; k++)
				steps->add(g + (size_t)other * 64 * h, share_of(m),
				    sums + (size_t)sparse_piece_row(other, k, 0) * h,
				    64 * h);
			for (int k = PAWN; p->rules.hands && k <= SPARSE_KINDS; k++) {
				int as = k <= SPARSE_CHESS ? k - 1 : SPARSE_CHESS;
				size_t to = (size_t)(other * (SPARSE_CHESS + 1) + as);
				steps->add(hands + to * steps_each, share_of(m),
				    sums + (size_t)sparse_hand_row(other, k) * h,
				    steps_each);
			}
		}
	}
	update(m, SPARSE_ID_in, m->net.in + SPARSE_ANY * h, g,
	    (SPARSE_INPUTS - SPARSE_ANY) * h);
}

static void
update_atom(struct net_model *m, int atom, float *g)
{
	size_t h = (size_t)m->net.hidden, n = 64 * h;

	memset(g, 0, 2 * n * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++) {
		const struct net_part *p = &m->part[i];
		for (int j = 0; p->rules.fairy && j < 2 * (1 + p->rules.sided); j++) {
			int seer = j / 2, other = j % 2; /* whose view, whose piece */
			int side = p->side ^ seer ^ other;
			for (int k = KNIGHT; k <= SPARSE_KINDS; k++) {
				float f = p->rules.atoms[side][k][atom];
				const float *from =
				    k <= SPARSE_CHESS ? p->fold[seer] : p->sums.in[seer];
				if (f != 0)
					net_steps_best()->add(g + (size_t)other * n,
					    f * share_of(m),
					    from +
						(size_t)sparse_piece_row(other, k, 0) * h,
					    n);
			}
		}
	}
	update(m, SPARSE_ID_atoms, m->net.atoms + (size_t)atom * 2 * n, g, 2 * n);
}

/* What one part adds to the gradient of a feature's change of the hidden layer, as
 * one side sees it: to left, right, bias. */
static void
back_hidden(const struct net_model *m, const struct net_part *p, int k, int seer,
    float *left, float *right, float *bias)
{
	const struct net_steps *steps = net_steps_best();
	float f = share_of(m) * p->rules.view[p->side ^ seer][k];
	size_t h = (size_t)m->net.hidden;
	const float *l = sparse_array_at(&m->net, SPARSE_ID_left, k);
	const float *r = sparse_array_at(&m->net, SPARSE_ID_right, k);

	for (size_t i = 0; i < SPARSE_ZONED; i++) {
		const float *d = p->fold[seer] + i * h;
		for (size_t j = 0; j < SPARSE_RANK; j++) {
			left[i * SPARSE_RANK + j] += f * steps->dot(d, r + j * h, h);
			steps->add(right + j * h, f * l[i * SPARSE_RANK + j], d, h);
		}
	}
	steps->add(bias, f, p->sums.bias[seer], h);
}

/* The same for the outputs. */
static void
back_out(const struct net_model *m, const struct net_part *p, int k, float *out,
    float *bias)
{
	float f = share_of(m) * p->rules.view[p->side][k];
	size_t both = 2 * (size_t)m->net.hidden;

	for (size_t i = 0; i < SPARSE_BUCKETS; i++)
		net_steps_best()->add(out, f, p->sums.out + i * both, both);
	net_steps_best()->add(bias, f, p->sums.out_bias, SPARSE_BUCKETS);
}

static void
update_feature(struct net_model *m, int k, float *g)
{
	size_t h = (size_t)m->net.hidden;
	float *left = g, *right = left + SPARSE_ZONED * SPARSE_RANK;
	float *bias = right + SPARSE_RANK * h, *out = bias + h, *out_bias = out + 2 * h;

	memset(g, 0, (size_t)(out_bias + SPARSE_BUCKETS - g) * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++) {
		const struct net_part *p = &m->part[i];
		for (int seer = 0; seer < 1 + p->rules.sided; seer++)
			if (p->rules.view[p->side ^ seer][k] != 0)
				back_hidden(m, p, k, seer, left, right, bias);
		if (p->rules.view[p->side][k] != 0)
			back_out(m, p, k, out, out_bias);
	}
	const struct {
		int id;
		const float *g;
	} list[] = { { SPARSE_ID_left, left }, { SPARSE_ID_right, right },
		{ SPARSE_ID_rule_bias, bias }, { SPARSE_ID_rule_out, out },
		{ SPARSE_ID_rule_out_bias, out_bias } };
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		update(m, list[i].id, sparse_array_at(&m->net, list[i].id, k), list[i].g,
		    sparse_array(&m->net, list[i].id).n);
}

static void
back_policy(const struct net_model *m, const struct net_part *p, int k, float *mix_bias,
    float *left, float *right, float *row_bias)
{
	const struct net_steps *steps = net_steps_best();
	float f = share_of(m) * p->rules.view[p->side][k];
	const float *l = sparse_array_at(&m->net, SPARSE_ID_row_left, k);
	const float *r = sparse_array_at(&m->net, SPARSE_ID_row_right, k);

	for (size_t j = 0; j < POLICY_RANK; j++)
		for (size_t i = 0; i < POLICY_ROWS; i++) {
			const float *d = p->sums.rows + i * POLICY_WIDTH;
			size_t at = j * POLICY_ROWS + i;
			left[at] += f * steps->dot(d, r + j * POLICY_WIDTH, POLICY_WIDTH);
			steps->add(right + j * POLICY_WIDTH, f * l[at], d, POLICY_WIDTH);
		}
	steps->add(mix_bias, f, p->sums.mix_bias, POLICY_WIDTH);
	steps->add(row_bias, f, p->sums.row_bias, POLICY_ROWS);
}

static void
update_policy_feature(struct net_model *m, int k, float *g)
{
	float *left = g, *right = left + POLICY_RANK * POLICY_ROWS;
	float *mix_bias = right + POLICY_RANK * POLICY_WIDTH;
	float *row_bias = mix_bias + POLICY_WIDTH;

	memset(g, 0, (size_t)(row_bias + POLICY_ROWS - g) * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++)
		if (m->part[i].rules.view[m->part[i].side][k] != 0)
			back_policy(m, &m->part[i], k, mix_bias, left, right, row_bias);
	const struct {
		int id;
		const float *g;
	} list[] = { { SPARSE_ID_rule_mix_bias, mix_bias }, { SPARSE_ID_row_left, left },
		{ SPARSE_ID_row_right, right }, { SPARSE_ID_rule_row_bias, row_bias } };
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		update(m, list[i].id, sparse_array_at(&m->net, list[i].id, k), list[i].g,
		    sparse_array(&m->net, list[i].id).n);
}

/* Arrays that rules only add to: their gradient is the sum of the parts'. */
static void
update_plain(struct net_model *m, int id, const float *(*of)(const struct net_part *),
    float *g)
{
	size_t n = sparse_array(&m->net, id).n;

	memset(g, 0, n * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++)
		net_steps_best()->add(g, share_of(m), of(&m->part[i]), n);
	update(m, id, sparse_array_at(&m->net, id, 0), g, n);
}

/* clang-format off */
static const float *out_of(const struct net_part *p) { return p->sums.out; }
static const float *out_bias_of(const struct net_part *p) { return p->sums.out_bias; }
static const float *mix_of(const struct net_part *p) { return p->sums.mix; }
static const float *mix_bias_of(const struct net_part *p) { return p->sums.mix_bias; }
static const float *rows_of(const struct net_part *p) { return p->sums.rows; }
static const float *row_bias_of(const struct net_part *p) { return p->sums.row_bias; }
/* clang-format on */

static void
update_outputs(struct net_model *m, float *g)
{
	size_t h = (size_t)m->net.hidden;

	memset(g, 0, h * sizeof(float));
	for (int i = 0; i < NET_PARTS; i++)
		for (int seer = 0; seer < 1 + m->part[i].rules.sided; seer++)
			net_steps_best()->add(g, share_of(m), m->part[i].sums.bias[seer],
			    h);
	update(m, SPARSE_ID_bias, m->net.bias, g, h);
	update_plain(m, SPARSE_ID_out, out_of, g);
	update_plain(m, SPARSE_ID_out_bias, out_bias_of, g);
}

static void
update_policy(struct net_model *m, float *g)
{
	update_plain(m, SPARSE_ID_mix, mix_of, g);
	update_plain(m, SPARSE_ID_mix_bias, mix_bias_of, g);
	update_plain(m, SPARSE_ID_rows, rows_of, g);
	update_plain(m, SPARSE_ID_row_bias, row_bias_of, g);
}

/* ---- a step ---- */

/* The jobs of an update: zoned inputs, others, outputs, policy, atoms, features. */
enum {
	JOB_MORE = INPUT_JOBS,
	JOB_OUTPUTS,
	JOB_POLICY,
	JOB_ATOMS,
	JOB_FEATURES = JOB_ATOMS + ATOMS
};

/* Room for the largest gradient of a job. */
static size_t
scratch_floats(const struct net_model *m)
{
	size_t h = (size_t)m->net.hidden;
	size_t most = (SPARSE_INPUTS - SPARSE_ANY) * h;
	size_t feature = SPARSE_ZONED * SPARSE_RANK + (SPARSE_RANK + 3) * h + 64;
	size_t policy = POLICY_ROWS * POLICY_WIDTH;

	most = most > feature ? most : feature;
	return (most > policy ? most : policy) + 2 * 64 * h;
}

static void
run_update(void *context, int job, int thread)
{
	struct net_model *m = context;
	float *scratch = m->scratch[thread];
	bool policy = sparse_has_policy(&m->net);

	if (job < INPUT_JOBS)
		update_inputs(m, job, scratch);
	else if (job == JOB_MORE)
		update_more(m, scratch);
	else if (job == JOB_OUTPUTS)
		update_outputs(m, scratch);
	else if (job == JOB_POLICY && policy)
		update_policy(m, scratch);
	else if (job >= JOB_FEATURES && m->active[job - JOB_FEATURES]) {
		update_feature(m, job - JOB_FEATURES, scratch);
		if (policy)
			update_policy_feature(m, job - JOB_FEATURES, scratch);
	} else if (job >= JOB_ATOMS && job < JOB_FEATURES &&
	    m->atom_active[job - JOB_ATOMS])
		update_atom(m, job - JOB_ATOMS, scratch);
}

static void
make_scratch(struct net_model *m, int threads)
{
	if (threads <= m->nscratch)
		return;
	m->scratch = xreallocarray(m->scratch, (size_t)threads, sizeof(*m->scratch));
	for (; m->nscratch < threads; m->nscratch++) {
		float *room = memory_table(scratch_floats(m) * sizeof(float));
		if (room == NULL)
			memory_out();
		m->scratch[m->nscratch] = room;
	}
}

static void
find_active(struct net_model *m)
{
	for (int i = 0; i < NET_PARTS; i++) {
		const struct sparse_rules *r = &m->part[i].rules;
		for (int k = 0; k < m->net.nrules; k++)
			m->active[k] |= r->view[WHITE][k] != 0 || r->view[BLACK][k] != 0;
		for (int a = 0; r->fairy && a < ATOMS; a++)
			for (int k = KNIGHT; k <= SPARSE_KINDS; k++)
				m->atom_active[a] |= r->atoms[WHITE][k][a] != 0 ||
				    r->atoms[BLACK][k][a] != 0;
	}
}

static void
begin_update(struct net_model *m, double rate)
{
	m->steps++;
	double step = (double)m->steps;
	float all = (float)(1 - 1 / step); /* at first, the mean of all steps */
	m->rate = rate;
	m->adam = (struct net_adam){ .beta1 = 0.9f,
		.beta2 = 0.999f,
		.epsilon = 1e-8f,
		.correct1 = (float)(1 / (1 - pow(0.9, step))),
		.correct2 = (float)(1 / (1 - pow(0.999, step))),
		.average_decay = m->average_decay < all ? m->average_decay : all };
	find_active(m);
}

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

	make_scratch(m, pool->threads);
	for (int i = 0; i < NET_PARTS; i++)
		choose(m, &m->part[i], window, rng);
	threadpool_run(pool, run_part, m, NET_PARTS);
	begin_update(m, rate);
	threadpool_run(pool, run_update, m, JOB_FEATURES + m->net.nrules);
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
