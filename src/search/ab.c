#include "ab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abworker.h"
#include "base/memory.h"
#include "base/rng.h"

/* The copy of the hot files that this processor can run. */
static const struct ab_hot *
find_hot(void)
{
#if defined(__x86_64__)
	if (strcmp(isa_name(), "v3") == 0)
		return &ab_hot_v3;
#endif
	return &ab_hot_base;
}

/* ---- workers ---- */

/* Piece values without a net. */
static const int equal_worth[8] = { 0, 100, 100, 100, 100, 100, 0, 0 };
static const int material_worth[8] = { 0, 128, 384, 416, 640, 1152, 0, 0 };

/* Where pieces matter less than other things, as in races and where captures are
 * forced, margins follow how much scores change in a ply; in chess that is less. */
static int
find_unit(const struct ab *a, const int *worth)
{
	int unit = (worth[KNIGHT] + worth[BISHOP]) / 6, swing = 0;

	if (a->evaluator.kind == AB_NET)
		swing = a->evaluator.net->swing * 137 / 100;
	if (swing > unit)
		unit = swing;
	return unit < 10 ? 10 : unit > 200 ? 200 : unit;
}

static struct ab_worker *
worker_new(struct ab *a)
{
	struct ab_worker *w = memory_table(sizeof(*w));

	if (w == NULL)
		return NULL;
	w->ab = a;
	const int *worth = a->evaluator.kind == AB_NET ? a->evaluator.net->worth
	    : a->evaluator.kind == AB_MATERIAL         ? material_worth
						       : equal_worth;
	memcpy(w->worth, worth, KING * sizeof(*worth));
	for (int type = KING; type < a->rules->ntypes; type++)
		w->worth[type] = a->evaluator.kind == AB_NET
		    ? worth[type]
		    : a->rules->worth[type] * worth[KNIGHT] / 300;
	w->unit = find_unit(a, worth);
	for (int type = KNIGHT; type < a->rules->ntypes; type++)
		if ((a->rules->promote_to[WHITE] | a->rules->promote_to[BLACK]) >>
			    (type - KNIGHT) &
			1 &&
		    (w->promotion == 0 || w->worth[type] >= w->worth[w->promotion]))
			w->promotion = type;
	/* not where a draw is a win for somebody */
	w->early_draws = !a->options.plain && a->rules->repetition_value[WHITE] == 0 &&
	    a->rules->repetition_value[BLACK] == 0 && abs(a->rules->draw_value) < 100;
	w->special_ends = a->rules->ends;
	if (a->evaluator.kind == AB_NET &&
	    sparse_stack_init(&w->sums, a->evaluator.net, AB_DEPTH_MAX + 2) == -1) {
		free(w);
		return NULL;
	}
	return w;
}

static void
worker_free(struct ab_worker *w)
{
	if (w == NULL)
		return;
	if (w->ab->evaluator.kind == AB_NET)
		sparse_stack_release(&w->sums);
	free(w->keys);
	free(w);
}

static void
worker_forget(struct ab_worker *w)
{
	memset(w->counter, 0, sizeof(w->counter));
	memset(w->quiet, 0, sizeof(w->quiet));
	memset(w->pawn, 0, sizeof(w->pawn));
	memset(w->capture, 0, sizeof(w->capture));
	memset(w->corrections, 0, sizeof(w->corrections));
	memset(w->continuations, 0, sizeof(w->continuations));
	memset(w->no_continuation, 0, sizeof(w->no_continuation));
}

static int
worker_begin(struct ab_worker *w, const struct board *b, const uint64_t *keys, int plies)
{
	if (w->room < plies + AB_DEPTH_MAX + 16) {
		int room = plies + AB_DEPTH_MAX + 512;
		uint64_t *p = realloc(w->keys, (size_t)room * sizeof(*p));
		if (p == NULL)
			return -1;
		w->keys = p;
		w->room = room;
	}
	memcpy(w->keys, keys, (size_t)(plies + 1) * sizeof(*keys));
	w->board = *b;
	w->plies = plies;
	w->nodes = 0;
	w->stopped = false;
	w->null_min_ply = 0;
	w->pv_index = 0;
	for (size_t i = 0; i < sizeof(w->stack) / sizeof(w->stack[0]); i++) {
		struct ab_ply *s = &w->stack[i];
		memset(s, 0, offsetof(struct ab_ply, pv));
		s->pv_length = 0;
		s->continuation = &w->no_continuation;
		s->piece_to = ab_piece_to(0, 0);
		s->eval = NO_EVAL;
	}

	move list[MOVES_MAX];
	struct abtable_entry t = { 0 };
	abtable_get(&w->ab->table, b->key ^ w->ab->rules_key, &t);
	int n = w->ab->hot->order(w, w->stack + STACK_BEFORE, t.move, list);
	w->nmoves = 0;
	for (int i = 0; i < n; i++) {
		const struct ab_limits *l = &w->ab->limits;
		if (l->nonly > 0 && !move_is_among(l->only, l->nonly, list[i]))
			continue;
		struct ab_move *r = &w->moves[w->nmoves++];
		r->move = list[i];
		r->score = -AB_INFINITE;
		r->depth = r->pv_length = r->seldepth = 0;
		r->exact = false;
		r->nodes = 0;
	}
	return 0;
}

void
ab_poll(struct ab_worker *w)
{
	struct ab *a = w->ab;

	if (atomic_load_explicit(&a->stop, memory_order_relaxed))
		w->stopped = true;
	else if (w == a->workers[0] && a->depth > 0 && a->limits.late != NULL &&
	    a->limits.late(a->limits.context))
		w->stopped = true;
}

/* ---- one iteration ---- */

/* Aspiration windows: around the last score, widened on the side that fails. */
static int
search_window(struct ab_worker *w, int depth, int lowest)
{
	int guess = w->moves[w->pv_index].score, width = w->unit * 22 / 100 + 2;
	int alpha = lowest, beta = AB_INFINITE;

	if (w->ab->options.plain)
		return w->ab->hot->root(w, -AB_INFINITE, AB_INFINITE, depth);
	if (depth >= 4 && guess > -AB_MATE_BOUND && guess < AB_MATE_BOUND) {
		alpha = guess - width > lowest ? guess - width : lowest;
		beta = guess + width;
	}
	for (;;) {
		int v = w->ab->hot->root(w, alpha, beta, depth);
		if (w->stopped || (v > alpha && v < beta) ||
		    (v <= alpha && alpha <= lowest) || (v >= beta && beta >= AB_INFINITE))
			return v;
		width += width;
		if (v <= alpha) {
			beta = (alpha + beta) / 2;
			alpha = v - width;
		} else {
			beta = v + width;
		}
		if (alpha < lowest || width > 8 * w->unit)
			alpha = lowest;
		if (beta > AB_INFINITE || width > 8 * w->unit)
			beta = AB_INFINITE;
	}
}

/* The score that is worse by spread, in expected score, with some margin. */
static int
lowest_within(int score, double spread)
{
	double v = tanh(score / (2.0 * SPARSE_UNIT)) - spread;

	return v <= -0.999 ? -AB_INFINITE : (int)floor(2 * SPARSE_UNIT * atanh(v)) - 1;
}

static void
iterate(struct ab_worker *w, int depth)
{
	const struct ab_limits *l = &w->ab->limits;
	int lowest = -AB_INFINITE;

	w->root_depth = depth;
	w->seldepth = 0;
	for (w->pv_index = 0; w->pv_index < w->nmoves && !w->stopped; w->pv_index++) {
		int v = search_window(w, depth, lowest);
		if (w->stopped)
			break;
		if (l->spread > 0) {
			if (v <= lowest)
				break;
			if (w->pv_index == 0)
				lowest = lowest_within(v, l->spread);
		} else if (w->pv_index + 1 >= l->lines) {
			break;
		}
	}
	w->pv_index = 0;
}

/* ---- helpers: other threads that search the same position ---- */

static void *
run_helper(void *arg)
{
	struct ab_worker *w = arg;

	for (int depth = 1; depth < AB_DEPTH_MAX && !w->stopped; depth++)
		iterate(w, depth);
	return NULL;
}

/* ---- the whole ---- */

static uint64_t
rules_digest(const struct rules *r)
{
	char text[RULES_TEXT_MAX];
	uint64_t h = 0;

	rules_print(r, text);
	for (const char *p = text; *p != '\0'; p++)
		h = rng_stir(h + (unsigned char)*p + 1);
	return h;
}

/* Stops and joins the helpers. */
static void
end_search(struct ab *a)
{
	atomic_store(&a->stop, true);
	for (; a->nhelpers > 0; a->nhelpers--)
		pthread_join(a->helpers[a->nhelpers - 1], NULL);
	a->over = true;
}

int
ab_init(struct ab *a, const struct ab_options *o, const struct ab_evaluator *j,
    const struct rules *r)
{
	memset(a, 0, sizeof(*a));
	a->options = *o;
	a->hot = find_hot();
	a->evaluator = *j;
	a->rules = r;
	a->rules_key = rules_digest(r);
	if (a->options.threads < 1)
		a->options.threads = 1;
	if (abtable_init(&a->table, o->table) == -1)
		return -1;
	a->workers = calloc((size_t)a->options.threads, sizeof(*a->workers));
	a->helpers = calloc((size_t)a->options.threads, sizeof(*a->helpers));
	if (a->workers == NULL || a->helpers == NULL)
		return -1;
	for (int i = 0; i < a->options.threads; i++)
		if ((a->workers[i] = worker_new(a)) == NULL)
			return -1;
	return 0;
}

void
ab_release(struct ab *a)
{
	end_search(a);
	for (int i = 0; a->workers != NULL && i < a->options.threads; i++)
		worker_free(a->workers[i]);
	free(a->workers);
	free(a->helpers);
	abtable_release(&a->table);
}

void
ab_forget(struct ab *a)
{
	end_search(a);
	abtable_clear(&a->table);
	for (int i = 0; i < a->options.threads; i++)
		worker_forget(a->workers[i]);
}

void
ab_begin(struct ab *a, const struct board *b, const uint64_t *keys, int plies,
    const struct ab_limits *l)
{
	end_search(a);
	a->limits = *l;
	if (a->limits.lines < 1)
		a->limits.lines = 1;
	if (a->options.threads > 1 && a->limits.nodes > 0)
		a->limits.nodes = a->limits.nodes / (uint64_t)a->options.threads + 1;
	atomic_store(&a->stop, false);
	a->depth = 0;
	a->over = false;
	abtable_new_search(&a->table);
	for (int i = 0; i < a->options.threads; i++)
		worker_begin(a->workers[i], b, keys, plies);
	a->over = a->workers[0]->nmoves == 0;
	while (!a->over && a->nhelpers + 1 < a->options.threads &&
	    pthread_create(&a->helpers[a->nhelpers], NULL, run_helper,
		a->workers[a->nhelpers + 1]) == 0)
		a->nhelpers++;
}

bool
ab_deepen(struct ab *a)
{
	struct ab_worker *w = a->workers[0];

	if (a->over)
		return false;
	iterate(w, a->depth + 1);
	if (!w->stopped) {
		a->depth++;
		int v = w->moves[0].score;
		bool mate = v > AB_MATE_BOUND || v < -AB_MATE_BOUND;
		int left = AB_MATE - (v < 0 ? -v : v);
		if (!(a->depth >= AB_DEPTH_MAX - 1 ||
			(a->limits.depth > 0 && a->depth >= a->limits.depth) ||
			(mate && a->depth > 2 * left + 2) ||
			(w->nmoves == 1 && a->depth >= 8)))
			return true;
	}
	end_search(a);
	return false;
}

const struct ab_move *
ab_moves(const struct ab *a, int *n)
{
	*n = a->workers[0]->nmoves;
	return a->workers[0]->moves;
}

uint64_t
ab_nodes(const struct ab *a)
{
	uint64_t n = 0;

	for (int i = 0; i < a->options.threads; i++)
		n += nodes_of(a->workers[i]);
	return n;
}

int
ab_quiet_begin(struct ab *a)
{
	static const uint64_t no_game[1];
	struct board b;

	end_search(a);
	a->limits = (struct ab_limits){ .lines = 1 };
	atomic_store(&a->stop, false);
	board_start(&b, a->rules);
	return worker_begin(a->workers[0], &b, no_game, 0);
}

struct sparse_stack *
ab_sums(struct ab *a)
{
	return &a->workers[0]->sums;
}

int
ab_quiet_score(struct ab *a, const struct board *b, int score)
{
	struct ab_worker *w = a->workers[0];

	w->board = *b;
	w->keys[0] = b->key;
	return a->hot->quiet(w, score);
}

int
ab_static(struct ab *a, int *draw)
{
	struct ab_worker *w = a->workers[0];
	int v = a->hot->eval(w, w->stack + STACK_BEFORE, 0);

	*draw = a->evaluator.kind == AB_NET ? sparse_draw(&w->sums, &w->board, 0) : 0;
	return v;
}
