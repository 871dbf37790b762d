#include "policymodel.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/zio.h"
#include "net/kernels.h"

/* The largest weights that the integers of policy.h can hold, and biases that
 * nothing holds back. */
static const float mix_most = 1.98f, row_most = 3.96f, bias_most = 30;

/* ---- memory ---- */

static int
whole_init(struct policy_whole *w, const struct policy *p, bool owns_mix)
{
	size_t h = (size_t)p->value.hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;
	size_t mix = 2 * h * POLICY_WIDTH;

	w->value.hidden = p->value.hidden;
	w->value.floats = SPARSE_INPUTS * h + h + outs * 2 * h + outs;
	w->floats = mix + POLICY_WIDTH + POLICY_ROWS * POLICY_WIDTH + POLICY_ROWS;
	size_t all = w->value.floats + w->floats;
	w->value.in = aligned_alloc(64, (all * sizeof(float) + 63) / 64 * 64);
	if (w->value.in == NULL)
		return -1;
	w->value.bias = w->value.in + SPARSE_INPUTS * h;
	w->value.out = w->value.bias + h;
	w->value.out_bias = w->value.out + outs * 2 * h;
	w->mix = w->value.in + w->value.floats;
	w->mix_bias = w->mix + mix;
	w->rows = w->mix_bias + POLICY_WIDTH;
	w->row_bias = w->rows + POLICY_ROWS * POLICY_WIDTH;
	if (!owns_mix)
		w->mix = p->mix;	/* rules do not change it */
	return 0;
}

static void
fill_random(float *w, size_t n, double spread, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (float)((2 * rng_double(rng) - 1) * spread);
}

/* The value's part is as in sparsemodel.c. */
static void
fill_value(struct sparse *s, struct rng *rng)
{
	size_t h = (size_t)s->hidden, k = (size_t)s->nrules;

	for (int i = 0; i < s->nrules; i++)
		strcpy(s->rules[i], sparse_features_name(i));
	fill_random(s->in, SPARSE_INPUTS * h, 0.1, rng);
	fill_random(s->out, SPARSE_BUCKETS * 2 * h, 0.1, rng);
	fill_random(s->right, k * SPARSE_RANK * h, 0.1, rng);
	for (size_t i = 0; i < h; i++)
		s->bias[i] = 0.1f;
	for (size_t i = 1; i < SPARSE_BUCKETS; i++)
		memcpy(s->out + i * 2 * h, s->out, 2 * h * sizeof(float));
}

static void
fill_policy(struct policy *p, struct rng *rng)
{
	size_t k = (size_t)p->value.nrules, inputs = 2 * (size_t)p->value.hidden;

	fill_random(p->mix, inputs * POLICY_WIDTH, 2 / sqrt((double)inputs), rng);
	for (size_t i = 0; i < POLICY_WIDTH; i++)
		p->mix_bias[i] = 0.3f;
	fill_random(p->rows, POLICY_ROWS * POLICY_WIDTH, 0.02, rng);
	fill_random(p->right, k * POLICY_RANK * POLICY_WIDTH, 0.1, rng);
}

static void
copy_weights(struct policy *to, const struct policy *from)
{
	memcpy(to->value.rules, from->value.rules, sizeof(to->value.rules));
	memcpy(to->value.in, from->value.in, from->value.floats * sizeof(float));
	memcpy(to->mix, from->mix, from->floats * sizeof(float));
}

int
policy_model_init(struct policy_model *m, int hidden,
    const struct sparse *value, uint64_t seed, int batch)
{
	int k = value != NULL ? value->nrules : sparse_features_count();
	int h = value != NULL ? value->hidden : hidden;
	struct rng rng;

	memset(m, 0, sizeof(*m));
	if (policy_init(&m->net, h, k) == -1 ||
	    policy_init(&m->gradient, h, k) == -1 ||
	    policy_init(&m->first, h, k) == -1 ||
	    policy_init(&m->second, h, k) == -1 ||
	    policy_init(&m->average, h, k) == -1)
		return -1;
	m->part_size = batch / POLICY_PARTS;
	m->rule_rate = 0.3f;
	m->policy_weight = 0.3f;
	m->keep = 0.995f;
	for (int i = 0; i < POLICY_PARTS; i++) {
		m->chosen[i] = calloc((size_t)m->part_size, sizeof(*m->chosen[i]));
		if (whole_init(&m->weights[i], &m->net, false) == -1 ||
		    whole_init(&m->sums[i], &m->net, true) == -1 ||
		    m->chosen[i] == NULL)
			return -1;
	}
	rng_init(&rng, seed, 0);
	fill_value(&m->net.value, &rng);
	if (value != NULL) {
		memcpy(m->net.value.rules, value->rules, sizeof(value->rules));
		memcpy(m->net.value.in, value->in, value->floats * sizeof(float));
	}
	fill_policy(&m->net, &rng);
	copy_weights(&m->average, &m->net);
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
		free(m->weights[i].value.in);
		free(m->sums[i].value.in);
		free(m->chosen[i]);
	}
}

/* ---- a step ---- */

static void
choose(struct policy_model *m, int part, const struct policy_window *w,
    struct rng *rng)
{
	const struct policy_set *s;

	do
		s = w->sets[rng_below(rng, (uint32_t)w->nsets)];
	while (s->n == 0);
	sparse_rule_features(&m->net.value, &s->rules, m->features[part]);
	for (int i = 0; i < m->part_size; i++)
		m->chosen[part][i] = &s->at[(size_t)(rng_double(rng) *
		    (double)s->n)];
}

static void
compose(struct policy_whole *w, const struct policy *p, const float *features)
{
	sparse_compose(&p->value, features, w->value.in, w->value.bias,
	    w->value.out, w->value.out_bias);
	policy_compose(p, features, w->mix_bias, w->rows, w->row_bias);
}

static void
run_part(void *context, int job, int thread)
{
	struct policy_model *m = context;
	struct policy_whole *w = &m->weights[job], *g = &m->sums[job];

	(void)thread;
	compose(w, &m->net, m->features[job]);
	memset(g->value.in, 0, (g->value.floats + g->floats) * sizeof(float));
	m->losses[job] = (struct policy_loss){ 0 };
	policy_steps_best()->part(w, g, m->chosen[job], m->part_size,
	    m->policy_weight, &m->losses[job]);
}

/* The gradient of a rule's changes, from that of the weights they are part of. */
static void
back_value_rule(struct policy_model *m, const struct sparse_whole *g, size_t k,
    float f)
{
	const struct sparse_steps *steps = sparse_steps_best();
	struct sparse *to = &m->gradient.value, *net = &m->net.value;
	size_t h = (size_t)net->hidden;
	float *left = to->left + k * SPARSE_INPUTS * SPARSE_RANK;
	float *right = to->right + k * SPARSE_RANK * h;
	const float *l = net->left + k * SPARSE_INPUTS * SPARSE_RANK;
	const float *r = net->right + k * SPARSE_RANK * h;

	for (size_t i = 0; i < SPARSE_INPUTS; i++) {
		const float *d = g->in + i * h;
		for (size_t j = 0; j < SPARSE_RANK; j++) {
			left[i * SPARSE_RANK + j] += f * steps->dot(d, r + j * h, h);
			steps->add(right + j * h, f * l[i * SPARSE_RANK + j], d, h);
		}
	}
	steps->add(to->rule_bias + k * h, f, g->bias, h);
	for (size_t i = 0; i < SPARSE_BUCKETS; i++)
		steps->add(to->rule_out + k * 2 * h, f, g->out + i * 2 * h, 2 * h);
	steps->add(to->rule_out_bias + k * SPARSE_BUCKETS, f, g->out_bias,
	    SPARSE_BUCKETS);
}

static void
back_policy_rule(struct policy_model *m, const struct policy_whole *g, size_t k,
    float f)
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
	steps->add(to->rule_mix_bias + k * POLICY_WIDTH, f, g->mix_bias,
	    POLICY_WIDTH);
	steps->add(to->rule_row_bias + k * POLICY_ROWS, f, g->row_bias,
	    POLICY_ROWS);
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
		/* what rules are added to lies alike in both */
		steps->add(to->value.in, share, g->value.in, g->value.floats);
		steps->add(to->mix, share, g->mix, g->floats);
		for (size_t k = 0; k < (size_t)to->value.nrules; k++) {
			float f = share * m->features[i][k];
			if (f == 0)
				continue;
			back_value_rule(m, &g->value, k, f);
			back_policy_rule(m, g, k, f);
		}
	}
}

/* Adam for weights that begin at `first` in net's own memory. */
static void
update_block(struct policy_model *m, float *net, float *first, float *second,
    const float *gradient, size_t n, double rate, float decay, float most)
{
	struct sparse_adam o = { .beta1 = 0.9f, .beta2 = 0.999f,
	    .epsilon = 1e-8f, .decay = decay,
	    .correct1 = (float)(1 / (1 - pow(0.9, (double)m->steps))),
	    .correct2 = (float)(1 / (1 - pow(0.999, (double)m->steps))) };

	sparse_steps_best()->adam(net, first, second, gradient, n, &o,
	    (float)rate, most);
}

static void
update(struct policy_model *m, double rate)
{
	struct sparse *v = &m->net.value;
	struct policy *p = &m->net;
	const float rule_decay = 0.01f;
	double slow = rate * (double)m->rule_rate;
	size_t base = (size_t)(v->left - v->in);

	m->steps++;
	m->total++;
	update_block(m, v->in, m->first.value.in, m->second.value.in,
	    m->gradient.value.in, base, rate, 0, mix_most);
	update_block(m, v->left, m->first.value.left, m->second.value.left,
	    m->gradient.value.left, v->floats - base, slow, rule_decay, mix_most);
#define BLOCK(array, end, r, decay, most) \
	update_block(m, p->array, m->first.array, m->second.array, \
	    m->gradient.array, (size_t)((end) - p->array), r, decay, most)
	BLOCK(mix, p->mix_bias, rate, 0, mix_most);
	BLOCK(mix_bias, p->rows, rate, 0, bias_most);
	BLOCK(rows, p->row_bias, rate, 0, row_most);
	BLOCK(row_bias, p->rule_mix_bias, rate, 0, bias_most);
	BLOCK(rule_mix_bias, p->mix + p->floats, slow, rule_decay, row_most);
#undef BLOCK
}

/* The mean over few steps is that of all of them. */
static void
update_average(struct policy_model *m)
{
	float keep = m->keep, young = 1 - 1 / (float)m->total;

	if (keep > young)
		keep = young;
	struct policy *a = &m->average;
	for (size_t i = 0; i < a->value.floats; i++)
		a->value.in[i] += (1 - keep) * (m->net.value.in[i] -
		    a->value.in[i]);
	for (size_t i = 0; i < a->floats; i++)
		a->mix[i] += (1 - keep) * (m->net.mix[i] - a->mix[i]);
}

static void
add_loss(struct policy_loss *sum, const struct policy_loss *l, double share)
{
	sum->value += l->value * share;
	sum->policy += l->policy * share;
	sum->entropy += l->entropy * share;
	sum->first += l->first * share;
	sum->third += l->third * share;
}

struct policy_loss
policy_model_step(struct policy_model *m, const struct policy_window *w,
    struct rng *rng, double rate, struct crew *crew)
{
	struct policy_loss loss = { 0 };
	int n = POLICY_PARTS * m->part_size;

	for (int i = 0; i < POLICY_PARTS; i++)
		choose(m, i, w, rng);
	crew_run(crew, run_part, m, POLICY_PARTS);
	sum_gradients(m);
	update(m, rate);
	update_average(m);
	m->positions += (uint64_t)n;
	for (int i = 0; i < POLICY_PARTS; i++)
		add_loss(&loss, &m->losses[i], 1.0 / n);
	return loss;
}

struct policy_loss
policy_model_test(struct policy_model *m, const struct policy_set *s)
{
	struct policy_whole *w = &m->weights[0];
	struct policy_loss loss = { 0 };
	float *mix = w->mix;

	sparse_rule_features(&m->net.value, &s->rules, m->features[0]);
	compose(w, &m->average, m->features[0]);
	w->mix = m->average.mix;
	for (size_t i = 0; i < s->n; i++) {
		const struct policy_sample *sample = &s->at[i];
		policy_steps_best()->part(w, NULL, &sample, 1, 0, &loss);
	}
	w->mix = mix;
	return loss;
}

/* ---- as a file ---- */

/* "rulelab policy 1 HIDDEN NRULES STEPS TOTAL POSITIONS\n", the names, then
 * the numbers of the nets in this order. */
static const char head_format[] = "rulelab policy 1 %d %d %" PRIu64 " %" PRIu64
    " %" PRIu64 "\n";
enum { NETS = 4, HEAD_MAX = 200 };

static void
list_nets(const struct policy_model *m, const struct policy *nets[NETS])
{
	nets[0] = &m->net;
	nets[1] = &m->first;
	nets[2] = &m->second;
	nets[3] = &m->average;
}

int
policy_model_write(const struct policy_model *m, const char *path,
    char reason[POLICY_REASON_MAX])
{
	const struct policy *nets[NETS];
	const struct sparse *v = &m->net.value;
	char head[HEAD_MAX];
	struct zout *z = zout_open(path, false);
	int n = snprintf(head, sizeof(head), head_format, v->hidden, v->nrules,
	    m->steps, m->total, m->positions);

	if (z == NULL) {
		snprintf(reason, POLICY_REASON_MAX, "%s", strerror(errno));
		return -1;
	}
	int bad = zout_write(z, head, (size_t)n) == -1 ||
	    zout_write(z, (const char *)v->rules, (size_t)v->nrules *
	    SPARSE_RULE_NAME_MAX) == -1;
	list_nets(m, nets);
	for (int i = 0; i < NETS && !bad; i++)
		bad = zout_write(z, (const char *)nets[i]->value.in,
		    nets[i]->value.floats * sizeof(float)) == -1 ||
		    zout_write(z, (const char *)nets[i]->mix,
		    nets[i]->floats * sizeof(float)) == -1;
	if (zout_close(z) == -1 || bad) {
		snprintf(reason, POLICY_REASON_MAX, "%s", strerror(errno));
		return -1;
	}
	return 0;
}

static bool
are_numbers(const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

static bool
read_nets(struct policy_model *m, FILE *f)
{
	const struct policy *nets[NETS];

	list_nets(m, nets);
	for (int i = 0; i < NETS; i++) {
		const struct policy *p = nets[i];
		if (fread(p->value.in, sizeof(float), p->value.floats, f) !=
		    p->value.floats ||
		    fread(p->mix, sizeof(float), p->floats, f) != p->floats ||
		    !are_numbers(p->value.in, p->value.floats) ||
		    !are_numbers(p->mix, p->floats))
			return false;
	}
	return fgetc(f) == EOF && !ferror(f);
}

int
policy_model_read(struct policy_model *m, const char *path,
    char reason[POLICY_REASON_MAX])
{
	FILE *f = fopen(path, "rb");
	struct sparse *v = &m->net.value;
	char head[HEAD_MAX];
	int hidden, nrules, end = 0;

	if (f == NULL && errno == ENOENT)
		return 0;
	if (f == NULL) {
		snprintf(reason, POLICY_REASON_MAX, "%s", strerror(errno));
		return -1;
	}
	bool good = fgets(head, sizeof(head), f) != NULL &&
	    sscanf(head, "rulelab policy 1 %d %d %" SCNu64 " %" SCNu64 " %"
	    SCNu64 "%n", &hidden, &nrules, &m->steps, &m->total, &m->positions,
	    &end) == 5 && strcmp(head + end, "\n") == 0;
	if (good && (hidden != v->hidden || nrules != v->nrules)) {
		snprintf(reason, POLICY_REASON_MAX, "a checkpoint of a net of "
		    "another size");
		fclose(f);
		return -1;
	}
	good = good && fread(v->rules, SPARSE_RULE_NAME_MAX, (size_t)nrules, f) ==
	    (size_t)nrules && read_nets(m, f);
	for (int i = 0; i < v->nrules && good; i++)
		good = memchr(v->rules[i], '\0', SPARSE_RULE_NAME_MAX) != NULL;
	memcpy(m->average.value.rules, v->rules, sizeof(v->rules));
	fclose(f);
	if (!good) {
		snprintf(reason, POLICY_REASON_MAX, "not a checkpoint of a net "
		    "with a policy, or cut short");
		return -1;
	}
	return 1;
}

/* ---- which copy ---- */

extern const struct policy_steps policy_steps_base;
#if defined(__x86_64__)
extern const struct policy_steps policy_steps_v3, policy_steps_v4;
#endif

const struct policy_steps *
policy_steps_best(void)
{
	const char *name = kernels_best()->name;

	(void)name;
#if defined(__x86_64__)
	if (strcmp(name, "v3") == 0)
		return &policy_steps_v3;
	if (strcmp(name, "v4") == 0)
		return &policy_steps_v4;
#endif
	return &policy_steps_base;
}
