#include "prior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "encode.h"

/* A slot of the hash table: part of the key, and the offset of the prior in
 * units of its alignment; 0: empty. */
struct priors_slot {
	uint32_t tag, at;
};

/* A position that waits for the net. */
struct priors_wait {
	struct board board;
	int repetitions;
	size_t at;
};

enum { UNIT = 8, FIRST_SLOTS = 1 << 12 };

/* Empties the cache. Its first unit is never used, so that 0 can mean empty. */
static void
forget(struct priors *p)
{
	memset(p->slots, 0, p->nslots * sizeof(*p->slots));
	p->nused = 0;
	p->used = UNIT;
}

void
priors_init(struct priors *p, struct net *net, int batch, size_t megabytes)
{
	memset(p, 0, sizeof(*p));
	p->net = net;
	p->temperature = 1;
	p->batch = batch < net->largest_batch ? batch : net->largest_batch;
	p->most = megabytes << 20;
	p->nslots = FIRST_SLOTS;
	p->slots = xreallocarray(NULL, p->nslots, sizeof(*p->slots));
	p->waiting = xreallocarray(NULL, (size_t)p->batch, sizeof(*p->waiting));
	forget(p);
}

void
priors_release(struct priors *p)
{
	free(p->block);
	free(p->slots);
	free(p->waiting);
	memset(p, 0, sizeof(*p));
}

void
priors_tidy(struct priors *p)
{
	if (p->used + p->nslots * sizeof(*p->slots) > p->most)
		forget(p);
}

/* ---- the hash table ---- */

static struct prior *
prior_at(struct priors *p, size_t at)
{
	return (struct prior *)(p->block + at);
}

/* The slot of a key, or the empty one where it would go. */
static struct priors_slot *
find_slot(struct priors *p, uint64_t key)
{
	size_t mask = p->nslots - 1, i = (size_t)key & mask;

	for (;; i = (i + 1) & mask) {
		struct priors_slot *s = &p->slots[i];
		if (s->at == 0 ||
		    (s->tag == (uint32_t)(key >> 32) &&
			prior_at(p, (size_t)s->at * UNIT)->key == key))
			return s;
	}
}

static void
grow_slots(struct priors *p)
{
	struct priors_slot *old = p->slots;
	size_t n = p->nslots;

	p->nslots *= 2;
	p->slots = xcalloc(p->nslots, sizeof(*p->slots));
	for (size_t i = 0; i < n; i++) {
		if (old[i].at == 0)
			continue;
		const struct prior *e = prior_at(p, (size_t)old[i].at * UNIT);
		*find_slot(p, e->key) = old[i];
	}
	free(old);
}

static size_t
prior_size(size_t nmoves)
{
	size_t n = sizeof(struct prior) + nmoves * (sizeof(float) + sizeof(move));

	return (n + UNIT - 1) / UNIT * UNIT;
}

/* A new prior in a slot, its moves filled in. */
static void
add_prior(struct priors *p, struct priors_slot *slot, uint64_t key, const move *moves,
    uint32_t nmoves)
{
	size_t need = prior_size(nmoves);

	if (p->size - p->used < need || p->block == NULL) {
		p->size = p->size == 0 ? 1 << 20 : 2 * p->size;
		p->block = xreallocarray(p->block, p->size, 1);
	}
	if (p->used / UNIT > UINT32_MAX)
		memory_out();
	struct prior *e = prior_at(p, p->used);
	*slot = (struct priors_slot){ (uint32_t)(key >> 32), (uint32_t)(p->used / UNIT) };
	p->used += need;
	p->nused++;
	*e = (struct prior){ .key = key, .nmoves = nmoves };
	memcpy(e->weights + nmoves, moves, nmoves * sizeof(*moves));
}

/* ---- asking ---- */

/* Applies the temperature. Probabilities are divided by the largest first, so that
 * others may underflow, but not all. */
static void
temper(struct prior *e, double temperature)
{
	float most = 0;

	for (uint32_t i = 0; i < e->nmoves; i++)
		most = e->weights[i] > most ? e->weights[i] : most;
	for (uint32_t i = 0; i < e->nmoves && most > 0; i++)
		e->weights[i] =
		    (float)pow((double)(e->weights[i] / most), 1 / temperature);
}

/* Computes entropy and scale from the net's weights. */
static void
finish_prior(struct prior *e)
{
	double sum = 0, sum_log = 0, log_w = 0;
	float w = -1;

	for (uint32_t i = 0; i < e->nmoves; i++) {
		if (e->weights[i] < PRIOR_LEAST)
			e->weights[i] = PRIOR_LEAST;
		if (e->weights[i] != w) { /* often they are all equal */
			w = e->weights[i];
			log_w = log((double)w);
		}
		sum += (double)w;
		sum_log += (double)w * log_w;
	}
	if (sum <= 0)
		return; /* no moves */
	e->scale = 1 / sum;
	e->h = fmax(0, log(sum) - sum_log / sum); /* despite rounding */
}

int
priors_answer(struct priors *p)
{
	struct net_query queries[256];
	int n = p->nwaiting;

	if (n == 0)
		return 0;
	p->nwaiting = 0;
	for (int i = 0; i < n; i++) {
		struct prior *e = prior_at(p, p->waiting[i].at);
		queries[i] = (struct net_query){
			.board = &p->waiting[i].board,
			.repetitions = p->waiting[i].repetitions,
			.moves = prior_moves(e),
			.nmoves = (int)e->nmoves,
			.priors = e->weights,
		};
	}
	if (net_evaluate(p->net, queries, n, p->reason) == -1)
		return -1;
	for (int i = 0; i < n; i++) {
		struct prior *e = prior_at(p, p->waiting[i].at);
		if (p->temperature != 1)
			temper(e, p->temperature);
		finish_prior(e);
	}
	p->evaluated += (uint64_t)n;
	return 0;
}

/* Rules are part of the key, and hardly ever change. */
static uint64_t
rules_key(struct priors *p, const struct rules *r)
{
	if (memcmp(&p->rules, r, sizeof(*r)) != 0) {
		p->rules = *r;
		p->rules_key = rules_hash(r);
	}
	return p->rules_key;
}

int64_t
priors_ask(struct priors *p, const struct board *b, int repetitions)
{
	uint64_t key = encode_key(b, repetitions) ^ rules_key(p, b->rules);
	struct priors_slot *slot = find_slot(p, key);
	move moves[MOVES_MAX];

	p->asked++;
	if (slot->at != 0)
		return (int64_t)slot->at * UNIT;
	if (4 * p->nused >= 3 * p->nslots) {
		grow_slots(p);
		slot = find_slot(p, key);
	}
	int n = movegen_list(b, moves);
	size_t at = p->used;
	add_prior(p, slot, key, moves, (uint32_t)n);
	if (n == 0)
		return (int64_t)at;
	p->waiting[p->nwaiting++] = (struct priors_wait){ *b, repetitions, at };
	if (p->nwaiting == p->batch && priors_answer(p) == -1)
		return -1;
	return (int64_t)at;
}

/* ---- distributions ---- */

uint32_t
prior_draw(const struct prior *p, double u)
{
	double left = u / p->scale;
	uint32_t i;

	for (i = 0; i + 1 < p->nmoves; i++) {
		left -= (double)p->weights[i];
		if (left < 0)
			break;
	}
	return i;
}

int
prior_find(const struct prior *p, move m)
{
	const move *moves = prior_moves(p);

	for (uint32_t i = 0; i < p->nmoves; i++)
		if (moves[i] == m)
			return (int)i;
	return -1;
}

/* One term of the combination: its weight, and its weight times its log. */
static void
add_larger(double weight, double *sum, double *sum_log)
{
	*sum += weight;
	*sum_log += weight * log(weight);
}

void
prior_compare(const struct prior *p, const struct prior *q, double *kl, double *hr)
{
	double sum = 0, sum_log = 0;
	bool equal = p->nmoves == q->nmoves;

	*kl = 0;
	for (uint32_t i = 0; i < p->nmoves; i++) {
		double pi = prior_of(p, i), qi = 0;
		int j = prior_find(q, prior_moves(p)[i]);
		if (j >= 0)
			qi = prior_of(q, (uint32_t)j);
		equal = equal && pi == qi;
		*kl += pi == qi ? 0 : pi * log(pi / qi);
		add_larger(pi > qi ? pi : qi, &sum, &sum_log);
	}
	for (uint32_t j = 0; j < q->nmoves; j++)
		if (prior_find(p, prior_moves(q)[j]) == -1)
			add_larger(prior_of(q, j), &sum, &sum_log);
	*kl = fmax(0, *kl); /* despite rounding */
	*hr = equal ? p->h : fmax(0, log(sum) - sum_log / sum);
}

/* What p's moves add, q being the other prior. */
static double
shannon_half(const struct prior *p, const struct prior *q)
{
	double sum = 0;

	for (uint32_t i = 0; i < p->nmoves; i++) {
		double pi = prior_of(p, i), qi = 0;
		int j = prior_find(q, prior_moves(p)[i]);
		if (j >= 0)
			qi = prior_of(q, (uint32_t)j);
		sum += pi == qi ? 0 : pi * log(2 * pi / (pi + qi));
	}
	return sum / 2;
}

double
prior_shannon(const struct prior *p, const struct prior *q)
{
	double sum = shannon_half(p, q) + shannon_half(q, p);

	return fmin(fmax(sum, 0), M_LN2); /* despite rounding */
}
