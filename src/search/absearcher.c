#include "absearcher.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "searcher.h"

/*
 * A move that is to be sampled gets a larger budget, as every good move needs an
 * exact score. Moves worse than the best by SPREAD temperatures, which would be
 * sampled at most once in four hundred times, need none.
 */
enum { SAMPLED_BUDGET = 4, SPREAD = 6, MEMORY = 16, FEW_MEMORY = 1 };

/* What the searchers of a thinker share. */
struct shared {
	struct ab_evaluator evaluator;
	struct sparse_ints ints;
};

struct ab_searcher {
	struct searcher base; /* first, so that pointers can be cast */
	struct ab ab;
	struct board root;
};

int
ab_evaluator_kind(const char *name)
{
	return strcmp(name, "material") == 0 ? AB_MATERIAL
	    : strcmp(name, "uniform") == 0   ? AB_NOTHING
	    : strncmp(name, "hash:", 5) == 0 ? AB_NOISE
					     : AB_NET;
}

static int
open_shared(struct thinker *t, char *reason)
{
	struct shared *s = calloc(1, sizeof(*s));

	t->shared = s;
	if (s == NULL)
		return refuse(reason, "out of memory");
	s->evaluator.kind = AB_NET;
	if (t->net->sparse == NULL)
		s->evaluator.kind = (unsigned)ab_evaluator_kind(t->net->hash);
	s->evaluator.seed = t->net->seed;
	s->evaluator.net = &s->ints;
	if (s->evaluator.kind == AB_NET &&
	    sparse_quantise(&s->ints, t->net->sparse, &t->rules) == -1) {
		free(s);
		t->shared = NULL;
		return refuse(reason, "out of memory");
	}
	return 0;
}

static void
close_shared(struct thinker *t)
{
	struct shared *s = t->shared;

	if (s != NULL)
		sparse_ints_release(&s->ints);
	free(s);
	t->shared = NULL;
}

static struct searcher *new (struct thinker *t)
{
	struct ab_searcher *s = calloc(1, sizeof(*s));
	const struct shared *shared = t->shared;
	struct ab_options o = {
		.table = (size_t)t->options.memory << 20,
		.threads = t->options.threads,
	};

	if (s == NULL || ab_init(&s->ab, &o, &shared->evaluator, &t->rules) == 0)
		return &s->base;
	ab_release(&s->ab);
	free(s);
	return NULL;
}

static bool
is_late(const void *s)
{
	return searcher_is_late(s);
}

static void
begin(struct searcher *base, const struct searcher_task *task)
{
	struct ab_searcher *s = (struct ab_searcher *)base;
	struct ab_limits l = {
		.nodes = task->limits.nodes * (task->sampled ? SAMPLED_BUDGET : 1),
		.depth = task->limits.depth,
		.late = is_late,
		.context = base,
		.lines = task->lines,
		.spread = task->sampled ? SPREAD * base->thinker->options.temperature : 0,
		.only = task->only,
		.nonly = task->nonly,
	};

	s->root = *task->board;
	ab_begin(&s->ab, task->board, task->keys, task->plies, &l);
}

static enum searcher_state
step(struct searcher *base)
{
	struct ab_searcher *s = (struct ab_searcher *)base;

	return ab_deepen(&s->ab) && !searcher_is_late(base) ? SEARCHER_WORKING
							    : SEARCHER_DONE;
}

/* The expected score, -1 to 1. */
static double
value_of(int score)
{
	return tanh(score / (2.0 * SPARSE_UNIT));
}

static void
fill_wdl(struct ab_searcher *s, int score, double wdl[3])
{
	float p[3];
	int draw;

	if (score > AB_MATE_BOUND || score < -AB_MATE_BOUND) {
		wdl[0] = score > 0;
		wdl[1] = 0;
		wdl[2] = score < 0;
		return;
	}
	ab_static(&s->ab, &draw);
	sparse_wdl(score, draw, p);
	for (int i = 0; i < 3; i++)
		wdl[i] = (double)p[i];
}

static const struct ab_move *
find_move(const struct ab_move *moves, int n, move m)
{
	for (int i = 0; i < n; i++)
		if (moves[i].move == m)
			return &moves[i];
	return NULL;
}

static void
result(struct searcher *base, struct found *f)
{
	struct ab_searcher *s = (struct ab_searcher *)base;
	double temperature = base->thinker->options.temperature;
	int n;
	const struct ab_move *moves = ab_moves(&s->ab, &n), *m;
	move list[MOVES_MAX];

	memset(f, 0, offsetof(struct found, moves));
	f->nodes = f->fresh = ab_nodes(&s->ab);
	f->hashfull = abtable_hashfull(&s->ab.table);
	f->scored = true;
	if (n == 0)
		return;
	f->best = moves[0].move;
	f->settled = moves[0].score > AB_MATE_BOUND;
	f->depth = s->ab.depth;
	f->seldepth = moves[0].seldepth;
	f->value = value_of(moves[0].depth > 0 ? moves[0].score : 0);
	fill_wdl(s, moves[0].depth > 0 ? moves[0].score : 0, f->wdl);
	int legal = movegen_list(&s->root, list);
	for (int i = 0; i < legal; i++) {
		if ((m = find_move(moves, n, list[i])) == NULL)
			continue;
		struct found_move *to = &f->moves[f->n++];
		bool known = m->depth > 0;
		to->move = m->move;
		to->value =
		    known && (m == moves || m->exact) ? (float)value_of(m->score) : NAN;
		to->prior = to->improved = -1;
		to->weight = m == moves ? 1
		    : known && m->exact
		    ? exp((value_of(m->score) - f->value) / temperature)
		    : 0;
	}
}

static int
lines(const struct searcher *base, struct found_line *to, int most)
{
	struct ab_searcher *s = (struct ab_searcher *)(uintptr_t)base;
	int n, count = 0;
	const struct ab_move *m = ab_moves(&s->ab, &n);

	for (int i = 0; i < n && i < most && i < s->ab.limits.lines; i++) {
		struct found_line *l = &to[count];
		int v = m[i].score, plies = AB_MATE - abs(v);
		if (m[i].depth == 0)
			break;
		memset(l, 0, sizeof(*l));
		l->value = value_of(v);
		l->centipawns = v * 125 / SPARSE_UNIT;
		l->mate = v > AB_MATE_BOUND ? (plies + 1) / 2
		    : v < -AB_MATE_BOUND    ? -(plies > 1 ? plies / 2 : 1)
					    : 0;
		fill_wdl(s, v, l->wdl);
		l->depth = m[i].depth;
		l->seldepth = m[i].seldepth > m[i].depth ? m[i].seldepth : m[i].depth;
		l->length =
		    m[i].pv_length < FOUND_LINE_MAX ? m[i].pv_length : FOUND_LINE_MAX;
		memcpy(l->moves, m[i].pv, (size_t)l->length * sizeof(move));
		count++;
	}
	return count;
}

static void
forget(struct searcher *s)
{
	ab_forget(&((struct ab_searcher *)s)->ab);
}

static void
release(struct searcher *base)
{
	struct ab_searcher *s = (struct ab_searcher *)base;

	ab_release(&s->ab);
	free(s);
}

const struct searcher_ops ab_searcher_ops = {
	.name = "alpha-beta",
	.memory = MEMORY,
	.few_memory = FEW_MEMORY,
	.open = open_shared,
	.close = close_shared,
	.new = new,
	.begin = begin,
	.step = step,
	.result = result,
	.lines = lines,
	.forget = forget,
	.release = release,
};
