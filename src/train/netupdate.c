#include "netupdate.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

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

/* ---- all of them ---- */

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
net_update(struct net_model *m, double rate, struct threadpool *pool)
{
	make_scratch(m, pool->threads);
	begin_update(m, rate);
	threadpool_run(pool, run_update, m, JOB_FEATURES + m->net.nrules);
}
