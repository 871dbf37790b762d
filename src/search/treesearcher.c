/* Tree search as a searcher: searcher.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ab.h"
#include "base/memory.h"
#include "batcher.h"
#include "chess/outcome.h"
#include "net/policy.h"
#include "report.h"
#include "searcher.h"

/*
 * A sparse net with a policy evaluates a position faster than it could be passed to
 * a batcher: such searchers have an evaluator of their own and do not wait. The
 * value of a leaf is that of alpha-beta's quiescence search, not the static score,
 * which is unreliable in the middle of an exchange.
 */
struct treesearcher {
	struct searcher base;
	struct search search;
	struct ab leaves; /* quiescence search, if it does not wait */
	struct searcher_task task;
	uint32_t visits_before;
	bool partial; /* the root lacks some of its moves */
	bool memory_full;
};

static struct treesearcher *
of(struct searcher *s)
{
	return (struct treesearcher *)s;
}

static const struct treesearcher *
of_const(const struct searcher *s)
{
	return (const struct treesearcher *)s;
}

/* ---- the thinker ---- */

static int
batched_open(struct thinker *t, char *reason)
{
	const struct thinker_options *o = &t->options;

	t->batcher = xcalloc(1, sizeof(*t->batcher));
	if (batcher_init(t->batcher, t->net, o->batch, (size_t)o->memory) == 0)
		return 0;
	free(t->batcher);
	t->batcher = NULL;
	return refuse(reason, "not enough memory for a cache of %d MiB", o->memory);
}

static void
batched_close(struct thinker *t)
{
	batcher_release(t->batcher);
	free(t->batcher);
	t->batcher = NULL;
}

static int
direct_open(struct thinker *t, char *reason)
{
	t->shared = xcalloc(1, sizeof(struct sparse_ints));
	if (sparse_quantise(t->shared, t->net->sparse, &t->rules) == 0)
		return 0;
	free(t->shared);
	t->shared = NULL;
	return refuse(reason, "out of memory");
}

static void
direct_close(struct thinker *t)
{
	if (t->shared != NULL)
		sparse_ints_release(t->shared);
	free(t->shared);
	t->shared = NULL;
}

/* ---- a search ---- */

enum { LEAVES_TABLE = 1 << 16 };

static struct searcher *
direct_new(struct thinker *t)
{
	struct treesearcher *s = xcalloc(1, sizeof(*s));
	const struct sparse_ints *ints = t->shared;

	struct ab_options o = { .table = LEAVES_TABLE, .threads = 1 };
	struct ab_evaluator j = { .kind = AB_NET, .net = ints };
	struct search_options tree = t->options.tree;

	search_trust_values(&tree);
	search_init(&s->search, &tree);
	if (ab_init(&s->leaves, &o, &j, &t->rules) == -1 ||
	    ab_quiet_begin(&s->leaves) == -1)
		memory_out();
	return &s->base;
}

static struct searcher *
batched_new(struct thinker *t)
{
	struct treesearcher *s = xcalloc(1, sizeof(*s));

	search_init(&s->search, &t->options.tree);
	return &s->base;
}

static void
treesearcher_release(struct searcher *base)
{
	search_release(&of(base)->search);
	free(base);
}

static void
direct_release_searcher(struct searcher *base)
{
	ab_release(&of(base)->leaves);
	treesearcher_release(base);
}

static void
treesearcher_forget(struct searcher *base)
{
	search_forget(&of(base)->search);
	of(base)->partial = false;
}

static void
direct_forget(struct searcher *base)
{
	ab_forget(&of(base)->leaves);
	ab_quiet_begin(&of(base)->leaves);
	treesearcher_forget(base);
}

static const struct node *
root_of(const struct treesearcher *s)
{
	return &s->search.tree.nodes[0];
}

static void
treesearcher_begin(struct searcher *base, const struct searcher_task *task)
{
	struct treesearcher *s = of(base);
	const struct search_options *o = &s->search.options;
	bool explore = o->gumbel ? task->sampled : o->noise > 0;
	uint64_t nodes = task->limits.nodes;

	/* Where the search took the game for over, as by a draw that nobody
	 * claimed, visits say nothing about the moves. */
	if (s->partial || task->nonly > 0 || root_of(s)->end != END_NONE)
		treesearcher_forget(base);
	s->task = *task;
	s->memory_full = false;
	s->visits_before = root_of(s)->visits;
	s->search.options.sims = nodes > INT32_MAX ? INT32_MAX : (int)nodes;
	s->search.cpu_seconds = 0;
	search_begin(&s->search, task->board, task->keys, task->plies, task->rng,
	    explore);
}

/* Removes moves that are not in the task from the root, just expanded. */
static void
keep_wanted_moves(struct treesearcher *s)
{
	struct node *root = &s->search.tree.nodes[0];
	struct node *child = &s->search.tree.nodes[root->children];
	uint16_t kept = 0;
	float sum = 0;

	for (int i = 0; i < root->nchildren; i++) {
		if (!move_is_among(s->task.only, s->task.nonly, child[i].move))
			continue;
		sum += child[i].prior;
		child[kept++] = child[i];
	}
	root->nchildren = kept;
	for (int i = 0; i < kept; i++)
		child[i].prior = sum > 0 ? child[i].prior / sum : 1 / (float)kept;
	s->partial = true;
}

/* The length of the expected line. */
static int
expected_length(const struct treesearcher *s)
{
	move pv[REPORT_LINE_MAX];

	return root_of(s)->nchildren == 0
	    ? 0
	    : report_line(&s->search, report_best(&s->search, root_of(s)).node, pv);
}

static uint64_t
nodes_limit(const struct treesearcher *s)
{
	uint64_t mebibytes = (uint64_t)s->base.thinker->options.tree_memory;

	/* There are two blocks of memory, each up to half larger than used. */
	return mebibytes == 0 ? UINT32_MAX
			      : (mebibytes << 20) / (3 * sizeof(struct node));
}

/* Has it reached one of the limits that struct search does not know? */
static bool
is_over(struct treesearcher *s)
{
	int depth = s->base.limits.depth;

	if (root_of(s)->visits <= 1)
		return false; /* no move has been visited */
	s->memory_full = s->search.tree.used >= nodes_limit(s);
	return s->memory_full || searcher_is_late(&s->base) ||
	    (depth > 0 &&
		expected_length(s) >=
		    (depth < REPORT_LINE_MAX ? depth : REPORT_LINE_MAX));
}

/* Is it over before the step? Then drops the pending leaves. */
static bool
begin_step(struct treesearcher *s)
{
	if (s->task.nonly > 0 && !s->partial && root_of(s)->children != 0)
		keep_wanted_moves(s);
	if (!is_over(s))
		return true;
	search_stop(&s->search);
	return false;
}

/* Leaves evaluated between two checks of the clock. */
enum { DIRECT_STEP = 64 };

/* Evaluates a leaf: the net's priors, and the value by quiescence search. */
static void
answer_leaf(struct treesearcher *s, struct net_query *q)
{
	struct sparse_stack *sums = ab_sums(&s->leaves);
	int score = policy_priors(s->base.thinker->shared, sums, q,
	    (float)s->search.options.temperature);

	score = ab_quiet_score(&s->leaves, q->board, score);
	sparse_wdl(score, sparse_draw(sums, q->board, 0), q->wdl);
}

static enum searcher_state
direct_step(struct searcher *base)
{
	struct treesearcher *s = of(base);
	struct net_query queries[SEARCH_ASYNC_MAX];
	/* with moves to leave out, expand the root alone first */
	int most = s->task.nonly > 0 && root_of(s)->children == 0 ? 1 : DIRECT_STEP;

	if (!begin_step(s))
		return SEARCHER_DONE;
	for (int i = 0; i < most;) {
		int n = search_ask(&s->search, queries);
		if (n == 0)
			break;
		for (int j = 0; j < n; j++)
			answer_leaf(s, &queries[j]);
		search_tell(&s->search, queries, n);
		i += n;
	}
	return search_is_done(&s->search) ? SEARCHER_DONE : SEARCHER_WORKING;
}

static enum searcher_state
batched_step(struct searcher *base)
{
	struct treesearcher *s = of(base);

	if (!begin_step(s))
		return SEARCHER_DONE;
	if (batcher_ask(base->thinker->batcher, &s->search) > 0)
		return SEARCHER_WAITS;
	return search_is_done(&s->search) ? SEARCHER_DONE : SEARCHER_WORKING;
}

static double
batched_net_seconds(const struct searcher *base)
{
	return of_const(base)->search.cpu_seconds;
}

static void
treesearcher_advance(struct searcher *base, move m)
{
	struct treesearcher *s = of(base);
	int n;
	const struct node *child = search_moves(&s->search, &n);

	for (int i = 0; i < n && !s->partial; i++) {
		if (child[i].move != m)
			continue;
		search_advance(&s->search, i);
		return;
	}
	treesearcher_forget(base);
}

/* ---- what it has found ---- */

/* Win, draw and loss from the expected score and the probability of a draw. */
static void
split_score(double value, double draw, double wdl[3])
{
	wdl[0] = fmin(fmax((1 - draw + value) / 2, 0), 1);
	wdl[2] = fmin(fmax((1 - draw - value) / 2, 0), 1);
	wdl[1] = draw;
}

static void
add_moves(struct treesearcher *s, struct found *f)
{
	const struct node *child = search_moves(&s->search, &f->n);
	float improved[MOVES_MAX];

	if (s->search.options.gumbel)
		search_improved_policy(&s->search, improved);
	for (int i = 0; i < f->n; i++, child++)
		f->moves[i] = (struct found_move){ .move = child->move,
			.weight = child->visits,
			.value = child->visits == 0
			    ? NAN
			    : (float)(child->value / child->visits),
			.prior = child->prior,
			.improved = s->search.options.gumbel ? improved[i] : -1 };
}

static void
treesearcher_result(struct searcher *base, struct found *f)
{
	struct treesearcher *s = of(base);
	uint32_t visits = root_of(s)->visits;
	int n, choice = search_choose(&s->search, false);
	const struct node *child = search_moves(&s->search, &n);

	f->best = choice == -1 ? 0 : child[choice].move;
	f->settled =
	    choice != -1 && (s->search.options.gumbel || child[choice].proof > 0);
	f->value = search_value(&s->search);
	split_score(f->value, search_draw(&s->search), f->wdl);
	f->depth = f->seldepth = expected_length(s);
	/* the first visit of the root visits no move */
	f->nodes = visits - (visits > 0);
	f->fresh = visits - s->visits_before;
	f->hashfull =
	    (int)fmin(1000.0 * s->search.tree.used / (double)nodes_limit(s), 1000);
	f->memory_full = s->memory_full;
	f->scored = false;
	add_moves(s, f);
}

static void
fill_line(const struct treesearcher *s, const struct report *r, struct found_line *l)
{
	const struct node *n = r->node, *root = root_of(s);
	/* an unvisited move has the values of the root */
	const struct node *known = n->visits > 0 ? n : root;
	double q = known->value / fmax(known->visits, 1);
	double draw = (double)known->draws / fmax(known->visits, 1);

	l->value = known == root ? -q : q;
	l->centipawns = (int)lround(250 * atanh(0.998 * l->value));
	split_score(l->value, draw, l->wdl);
	if (n->proof != 0) {
		l->wdl[0] = n->proof > 0;
		l->wdl[1] = 0;
		l->wdl[2] = n->proof < 0;
	}
	l->mate = n->proof > 0 ? (r->plies + 1) / 2
	    : n->proof < 0     ? -(r->plies > 1 ? r->plies / 2 : 1)
			       : 0;
	l->length = l->depth = l->seldepth = report_line(&s->search, n, l->moves);
}

/* Of unvisited moves only the first has a line. */
static int
treesearcher_lines(const struct searcher *base, struct found_line *lines, int n)
{
	const struct treesearcher *s = of_const(base);
	struct report sorted[MOVES_MAX];
	int count = 0, all = report_moves(&s->search, sorted);

	for (int i = 0; i < all && i < n; i++)
		if (i == 0 || sorted[i].node->visits > 0)
			fill_line(s, &sorted[i], &lines[count++]);
	return count;
}

const struct searcher_ops treesearcher_ops = {
	.name = "tree",
	.waits = true,
	.memory = 64,
	.few_memory = 64,
	.open = batched_open,
	.close = batched_close,
	.new = batched_new,
	.begin = treesearcher_begin,
	.step = batched_step,
	.result = treesearcher_result,
	.lines = treesearcher_lines,
	.advance = treesearcher_advance,
	.forget = treesearcher_forget,
	.net_seconds = batched_net_seconds,
	.release = treesearcher_release,
};

const struct searcher_ops direct_searcher_ops = {
	.name = "tree",
	.memory = 0,
	.open = direct_open,
	.close = direct_close,
	.new = direct_new,
	.begin = treesearcher_begin,
	.step = direct_step,
	.result = treesearcher_result,
	.lines = treesearcher_lines,
	.advance = treesearcher_advance,
	.forget = direct_forget,
	.release = direct_release_searcher,
};
