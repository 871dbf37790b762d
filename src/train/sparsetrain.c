#include "sparsetrain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"
#include "data/packed.h"
#include "net/net.h"
#include "sparseexport.h"

/* SURE_SCORE: beyond it an end is proven. */
enum { HELD_MAX = 40000, SURE_SCORE = 2000 };

const struct training_options sparsetrain_defaults = {
	.hidden = 256,
	.batch = 8192,
	.threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = 100,
	.passes = 3,
	.rate = 0.0006,
	.final_rate = 0.00004,
	.lambda = 0.7,
	.window = 3000000,
};

/* ---- the net to start from ---- */

struct net *
sparsetrain_open(const char *from, char reason[REASON_MAX])
{
	struct net *net = net_open(from, NULL, reason);

	if (net == NULL || net->sparse != NULL)
		return net;
	net_close(net);
	refuse(reason, "not a sparse net");
	return NULL;
}

int
sparsetrain_init(struct sparsetrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX])
{
	struct net *net = NULL;
	int hidden = o->hidden;

	memset(t, 0, sizeof(*t));
	t->options = *o;
	if (from != NULL && (net = sparsetrain_open(from, reason)) == NULL)
		return -1;
	if (net != NULL)
		hidden = net->sparse->hidden;
	if (sparse_model_init(&t->model, hidden, o->seed, o->batch) == -1 ||
	    threadpool_init(&t->pool, o->threads) == -1)
		memory_out();
	if (net != NULL) {
		sparse_take(&t->model.net, net->sparse);
		t->steps = net->steps;
		text_add_string(&t->rules, net->rules);
		net_close(net);
	}
	positions_init(&t->learnt, o->window);
	positions_init(&t->held, HELD_MAX);
	return 0;
}

void
sparsetrain_release(struct sparsetrain *t)
{
	sparse_model_release(&t->model);
	threadpool_release(&t->pool);
	positions_release(&t->learnt);
	positions_release(&t->held);
	text_release(&t->rules);
	text_release(&t->waiting);
}

/* ---- games ---- */

/* Adds the name of a rule set that is not in the list yet. */
static void
name_rules(struct text *list, const struct rules *r)
{
	char name[RULES_TEXT_MAX];
	const char *at = list->s;
	size_t n;

	rules_label(r, name);
	n = strlen(name);
	while (list->len > 0 && (at = strstr(at, name)) != NULL) {
		if ((at == list->s || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
			return;
		at += n;
	}
	if (list->len + n > 400) /* a few names are enough */
		return;
	text_add_format(list, "%s%s", list->len == 0 ? "" : ",", name);
}

/* A quiet position without check can be evaluated statically. */
static bool
is_quiet(const struct board *b, move m)
{
	return b->square[move_to(m)] == 0 && move_kind(m) != MOVE_PROMOTION &&
	    move_kind(m) != MOVE_EN_PASSANT && board_checkers(b) == 0;
}

/* Room for all logits that a score may have. */
static int
bin_of(int score)
{
	int i =
	    score * (SPARSETRAIN_BINS / 2) / (10 * PACKED_UNIT) + SPARSETRAIN_BINS / 2;

	return i < 0 ? 0 : i >= SPARSETRAIN_BINS ? SPARSETRAIN_BINS - 1 : i;
}

static double
logit_of(int bin)
{
	return (bin - SPARSETRAIN_BINS / 2) * 10.0 / (SPARSETRAIN_BINS / 2);
}

void
sparsetrain_add(struct sparsetrain *t, const struct game *g, const float *values)
{
	int plies = g->line.plies;
	int16_t *scores = xmalloc((size_t)(plies + 1) * sizeof(*scores));

	for (int i = 0; i < plies; i++) {
		scores[i] = packed_score((double)values[i]);
		if (isnan(values[i]))
			continue;
		int side = g->start.side ^ (i & 1), bin = bin_of(scores[i]);
		t->counts[bin]++;
		t->points[bin] += 0.5 + (side == WHITE ? g->value : -g->value) / 200.0;
	}
	packed_write(&t->waiting, g, scores);
	free(scores);
}

/* The factor of logits with the highest likelihood, by Newton's method. */
static double
fit_factor(const double *counts, const double *points)
{
	double k = 1;

	for (int round = 0; round < 50; round++) {
		double slope = 0, curve = 1e-9;
		for (int i = 0; i < SPARSETRAIN_BINS; i++) {
			double x = logit_of(i), p = 1 / (1 + exp(-k * x));
			slope += x * (points[i] - counts[i] * p);
			curve += x * x * counts[i] * p * (1 - p);
		}
		k += fmin(fmax(slope / curve, -0.3), 0.3);
		k = fmin(fmax(k, 0.3), 5);
	}
	return k;
}

/* The positions of a game, its scores corrected. */
static void
take_positions(struct sparsetrain *t, const struct game *g, const int16_t *scores,
    double factor, bool held)
{
	struct positions *to = held ? &t->held : &t->learnt;
	int plies = g->line.plies;
	double *returns = xmalloc((size_t)(plies + 1) * sizeof(*returns));
	struct board b = g->start;
	struct undo u;

	for (int i = 0; i < plies; i++)
		returns[i] = scores[i] == PACKED_NO_SCORE
		    ? NAN
		    : (double)(float)(1 / (1 + exp(-factor * scores[i] / PACKED_UNIT)));
	positions_returns(returns, plies, 0.5 + g->value / 200.0, b.side,
	    t->options.lambda);
	struct position_set *s = positions_of(to, &g->rules);
	if (!held && s->seen == 0)
		name_rules(&t->rules, &g->rules);
	for (int i = 0; i < plies; i++) {
		move m = g->line.moves[i];
		/* a proven end is found by search and needs no net */
		if (scores[i] != PACKED_NO_SCORE && abs(scores[i]) < SURE_SCORE &&
		    is_quiet(&b, m)) {
			struct position p;
			position_pack(&p, &b, returns[i], g->result == RESULT_DRAW);
			position_add(to, s, &p);
		}
		board_make(&b, m, &u);
	}
	free(returns);
}

double
sparsetrain_end_games(struct sparsetrain *t)
{
	double factor = fit_factor(t->counts, t->points);
	int16_t *scores = xmalloc(GAME_PLIES_MAX * sizeof(*scores));
	char reason[GAME_REASON_MAX];
	struct game g;
	bool scored;
	long n;

	game_init(&g);
	for (size_t at = 0; at < t->waiting.len; at += (size_t)n) {
		n = packed_size(t->waiting.s + at, t->waiting.len - at);
		if (packed_read(&g, true, t->waiting.s + at, (size_t)n, scores, &scored,
			reason) == 0)
			take_positions(t, &g, scores, factor,
			    training_holds(&t->options, &g));
	}
	game_release(&g);
	free(scores);
	text_clear(&t->waiting);
	memset(t->counts, 0, sizeof(t->counts));
	memset(t->points, 0, sizeof(t->points));
	return factor;
}

/* ---- steps ---- */

uint64_t
sparsetrain_steps(const struct training_options *o, size_t positions)
{
	return o->counted ? o->steps
			  : (uint64_t)(o->passes * (double)positions / o->batch) + 1;
}

static int
take_step(void *training, double rate)
{
	struct sparsetrain *t = training;
	struct rng r;

	rng_init(&r, t->options.seed, t->steps++);
	t->loss += sparse_model_step(&t->model, &t->learnt, &r, rate, &t->pool);
	return 0;
}

static int
tell(struct sparsetrain *t, const char *kind, double loss, double rate, double speed)
{
	struct table *table = t->table;

	table_string(table, "kind", kind);
	table_count(table, "step", t->steps);
	table_count(table, "positions", positions_count(&t->learnt));
	table_number(table, "value_loss", loss);
	table_number(table, "rate", rate);
	table_number(table, "positions_per_second", speed);
	return training_end_row(table);
}

static int
tell_learnt(void *training, double n, double rate, double speed)
{
	struct sparsetrain *t = training;
	double loss = t->loss / n;

	t->loss = 0;
	return tell(t, "learnt", loss, rate, speed);
}

/* The error on held-out games, with the same weight for every rule
 * set. */
static double
measure_held(struct sparsetrain *t)
{
	double sum = 0;
	int n = 0;

	for (int i = 0; i < t->held.nsets; i++) {
		const struct position_set *s = &t->held.sets[i];
		if (s->n == 0)
			continue;
		sum += sparse_model_test(&t->model, &s->rules, s->at, s->n);
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

int
sparsetrain_learn(struct sparsetrain *t, struct table *table, const struct cli *cli)
{
	const struct training_loop loop = { t, take_step, tell_learnt };
	uint64_t steps = sparsetrain_steps(&t->options, positions_count(&t->learnt));

	t->table = table;
	if (training_run(&loop, &t->options, steps, cli) == -1)
		return -1;
	double loss = measure_held(t);
	return isnan(loss) ? 0 : tell(t, "held-out", loss, NAN, NAN);
}

int
sparsetrain_export(struct sparsetrain *t, struct text *file)
{
	return sparse_export(&t->model.net, t->rules.len > 0 ? t->rules.s : "", t->steps,
	    file);
}
