#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "gumbel.h"

const struct search_options search_defaults = {
	.sims = 800,
	.base = 19652,
	.init = 1.25,
	.fpu_reduction = 0.2,
	.temperature = 1,
	.noise = 0,
	.noise_share = 0.25,
	.async = 1,
	.gumbel = false,
	.candidates = 16,
	.visit_scale = 50,
	.value_scale = 1,
	.spread = 0.1,
	.stretch = 5,
};

void
search_trust_values(struct search_options *o)
{
	if (o->gumbel)
		return;
	o->init = 0.92;
	o->fpu_reduction = 0.02;
	o->temperature = 1.28;
}

void
search_init(struct search *s, const struct search_options *o)
{
	memset(s, 0, sizeof(*s));
	s->options = *o;
	s->leaves = xcalloc((size_t)o->async, sizeof(*s->leaves));
	for (int i = 0; i < o->async; i++) {
		s->leaves[i].moves = xcalloc(MOVES_MAX, sizeof(move));
		s->leaves[i].priors = xcalloc(MOVES_MAX, sizeof(float));
	}
	s->gumbel = xcalloc(MOVES_MAX, sizeof(*s->gumbel));
	s->candidates = xcalloc(MOVES_MAX, sizeof(*s->candidates));
	s->spent = xcalloc(MOVES_MAX, sizeof(*s->spent));
	tree_reset(&s->tree);
}

void
search_release(struct search *s)
{
	for (int i = 0; i < s->options.async; i++) {
		free(s->leaves[i].moves);
		free(s->leaves[i].priors);
	}
	free(s->leaves);
	free(s->gumbel);
	free(s->candidates);
	free(s->spent);
	free(s->keys);
	tree_release(&s->tree);
}

void
search_forget(struct search *s)
{
	tree_reset(&s->tree);
}

const struct node *
search_moves(const struct search *s, int *n)
{
	const struct node *root = &s->tree.nodes[0];

	*n = root->nchildren;
	return &s->tree.nodes[root->children];
}

/* ---- values ---- */

double
search_value(const struct search *s)
{
	return node_mover_value(&s->tree.nodes[0]);
}

double
search_draw(const struct search *s)
{
	const struct node *root = &s->tree.nodes[0];

	return root->visits > 0 ? (double)root->draws / root->visits : 0;
}

/* ---- PUCT ---- */

/* One pass over the children: of the unvisited ones, that with the largest prior
 * is the best. */
static uint32_t
puct_child(const struct search *s, const struct node *n)
{
	const struct search_options *o = &s->options;
	const struct node *child = &s->tree.nodes[n->children];
	double all = n->visits + n->pending;
	double c = (log((1 + all + o->base) / o->base) + o->init) * sqrt(all);
	double most = -INFINITY, known = 0;
	float prior = -1;
	int best = -1, unvisited = -1;

	for (int i = 0; i < n->nchildren; i++, child++) {
		uint32_t tried = child->visits + child->pending;
		if (tried == 0 && child->proof == 0) {
			if (child->prior > prior) {
				prior = child->prior;
				unvisited = i;
			}
			continue;
		}
		known += child->prior;
		double score = node_value(child) + c * child->prior / (1 + (double)tried);
		if (child->proof != 0)
			score = child->proof > 0 ? 1e9 : score - 1e6;
		if (score > most) {
			most = score;
			best = i;
		}
	}
	double untried = node_mover_value(n) - o->fpu_reduction * sqrt(known) + c * prior;
	if (unvisited >= 0 && (untried > most || (untried == most && unvisited < best)))
		best = unvisited;
	return n->children + (uint32_t)(best < 0 ? 0 : best);
}

static void
add_noise(struct search *s)
{
	struct node *root = &s->tree.nodes[0];
	struct node *child = &s->tree.nodes[root->children];
	double noise[MOVES_MAX], sum = 0, share = s->options.noise_share;

	for (int i = 0; i < root->nchildren; i++)
		sum += noise[i] = rng_gamma(s->rng, s->options.noise);
	for (int i = 0; i < root->nchildren && sum > 0; i++)
		child[i].prior =
		    (float)((1 - share) * child[i].prior + share * noise[i] / sum);
}

/* ---- selection and backup ---- */

/* Adds the value of the move into the last node, and the probability of a draw, to
 * all nodes of a path. */
static void
backpropagate(struct search *s, const struct search_leaf *leaf, double value, float draw)
{
	for (int i = leaf->depth; i >= 0; i--, value = -value) {
		struct node *n = &s->tree.nodes[leaf->path[i]];
		n->visits++;
		n->value += value;
		n->draws += draw;
	}
}

/* Passes a proven result up the tree: a move loses if one reply to it wins, and
 * wins if all replies lose. */
static void
prove(struct search *s, const struct search_leaf *leaf)
{
	for (int i = leaf->depth; i > 0; i--) {
		const struct node *n = &s->tree.nodes[leaf->path[i]];
		struct node *parent = &s->tree.nodes[leaf->path[i - 1]];
		if (n->proof < 0) {
			const struct node *child = &s->tree.nodes[parent->children];
			for (int j = 0; j < parent->nchildren; j++)
				if (child[j].proof >= 0)
					return;
		}
		if (n->proof == 0 || parent->proof != 0)
			return;
		parent->proof = (int8_t)-n->proof;
	}
}

static void
mark_pending(struct search *s, const struct search_leaf *leaf, int by)
{
	for (int i = 0; i <= leaf->depth; i++)
		s->tree.nodes[leaf->path[i]].pending =
		    (uint16_t)(s->tree.nodes[leaf->path[i]].pending + by);
}

static uint32_t
next_child(struct search *s, uint32_t node)
{
	const struct node *n = &s->tree.nodes[node];

	if (!s->options.gumbel)
		return puct_child(s, n);
	return node == 0 ? gumbel_root_child(s) : gumbel_child(s, n);
}

/* Is the game over at the leaf, and what is that worth to the side that moved
 * there, in hundredths of a win? Also lists the leaf's moves. */
static enum end
leaf_end(const struct search *s, struct search_leaf *leaf, int *value)
{
	int plies = s->plies + leaf->depth;

	leaf->nmoves = movegen_list(&leaf->board, leaf->moves);
	enum end e = outcome_judge(&leaf->board, leaf->nmoves, s->keys, plies);
	*value = outcome_value(&leaf->board, e);
	if (leaf->board.side == WHITE)
		*value = -*value;
	return e;
}

/* Backs up a known result: the end of the game, or a proof. */
static void
backpropagate_end(struct search *s, const struct search_leaf *leaf)
{
	const struct node *n = &s->tree.nodes[leaf->path[leaf->depth]];
	double value = n->end != END_NONE ? n->worth / 100. : n->proof;

	backpropagate(s, leaf, value, (float)(1 - fabs(value)));
	prove(s, leaf);
}

/* Stores an end of the game at the path's last node. Only whole wins are proofs. */
static void
store_end(struct search *s, const struct search_leaf *leaf, enum end e, int value)
{
	struct node *n = &s->tree.nodes[leaf->path[leaf->depth]];

	n->end = (uint8_t)e;
	n->worth = (int8_t)value;
	n->proof = value == 100 ? 1 : value == -100 ? -1 : 0;
	backpropagate_end(s, leaf);
}

/* Is this node already a pending leaf? */
static bool
is_pending(const struct search *s, uint32_t node)
{
	for (int i = 0; i < s->waiting; i++)
		if (s->leaves[i].path[s->leaves[i].depth] == node)
			return true;
	return false;
}

/* After so many descents in a row to ends of games the whole tree is known. */
enum { IDLE_MAX = 10000 };

/* Descents of one search_ask(). */
enum { DESCENTS_MAX = 10000 };

enum descent { DESCENT_DONE, DESCENT_LEAF, DESCENT_CLASH };

/* Descends from the root to a leaf; handles ends of games. */
static enum descent
descend(struct search *s, struct search_leaf *leaf)
{
	struct undo u;
	uint32_t node = 0;
	int value;

	leaf->board = s->root;
	leaf->depth = 0;
	leaf->path[0] = 0;
	while (s->tree.nodes[node].children != 0 && leaf->depth < SEARCH_DEPTH_MAX - 1) {
		node = next_child(s, node);
		const struct node *n = &s->tree.nodes[node];
		leaf->path[++leaf->depth] = node;
		if (n->end != END_NONE || n->proof != 0) {
			backpropagate_end(s, leaf);
			return DESCENT_DONE;
		}
		board_make(&leaf->board, n->move, &u);
		s->keys[s->plies + leaf->depth] = leaf->board.key;
	}
	const struct node *last = &s->tree.nodes[node];
	if (last->children != 0) { /* SEARCH_DEPTH_MAX */
		backpropagate(s, leaf, -(double)last->net_value,
		    last->draws / (float)last->visits);
		return DESCENT_DONE;
	}
	if (is_pending(s, node))
		return DESCENT_CLASH;
	enum end e = leaf_end(s, leaf, &value);
	/* The caller knows that the game goes on at the root. */
	if (e == END_NONE || leaf->depth == 0) {
		leaf->repetitions = outcome_repetitions(&leaf->board, s->keys,
		    s->plies + leaf->depth + 1);
		return DESCENT_LEAF;
	}
	store_end(s, leaf, e, value);
	return DESCENT_DONE;
}

/* ---- requests and evaluations ---- */

void
search_begin(struct search *s, const struct board *root, const uint64_t *keys, int plies,
    struct rng *rng, bool explore)
{
	if (plies + 1 + SEARCH_DEPTH_MAX > s->room) {
		s->room = 2 * (plies + 1 + SEARCH_DEPTH_MAX);
		s->keys = xreallocarray(s->keys, (size_t)s->room, sizeof(*s->keys));
	}
	memcpy(s->keys, keys, (size_t)(plies + 1) * sizeof(*keys));
	s->root = *root;
	s->plies = plies;
	s->rng = rng;
	s->explore = explore;
	s->waiting = s->started = s->idle = 0;
	s->ready = false;
}

/* Visits the first root move that wins at once, if there is one: its prior may be
 * so small that it would never be visited. */
static void
find_win(struct search *s)
{
	const struct node *root = &s->tree.nodes[0];
	struct search_leaf *leaf = &s->leaves[0];
	struct undo u;
	int value;

	leaf->depth = 1;
	leaf->path[0] = 0;
	for (int i = 0; i < root->nchildren && root->proof == 0; i++) {
		leaf->path[1] = root->children + (uint32_t)i;
		const struct node *child = &s->tree.nodes[leaf->path[1]];
		if (child->visits > 0)
			continue;
		leaf->board = s->root;
		board_make(&leaf->board, child->move, &u);
		s->keys[s->plies + 1] = leaf->board.key;
		enum end e = leaf_end(s, leaf, &value);
		if (value == 100)
			store_end(s, leaf, e, value);
	}
}

/* Once the root has children, adds noise or chooses Gumbel's candidates. */
static void
prepare_root(struct search *s)
{
	if (s->ready || s->tree.nodes[0].children == 0)
		return;
	s->ready = true;
	find_win(s);
	if (s->options.gumbel)
		gumbel_begin(s);
	else if (s->explore && s->options.noise > 0)
		add_noise(s);
}

static bool
is_enough(const struct search *s)
{
	const struct node *root = &s->tree.nodes[0];

	if (root->children == 0)
		return s->waiting > 0;
	if (root->proof != 0 || root->nchildren == 0)
		return true;
	if (s->options.sims == 0)
		return s->idle >= IDLE_MAX;
	if (s->options.gumbel)
		return s->started >= s->options.sims;
	/* the first visit of the root visits no move */
	return root->visits - 1 + (unsigned)s->waiting >= (unsigned)s->options.sims;
}

/* Expands a leaf with its evaluation. */
static void
expand_leaf(struct search *s, struct search_leaf *leaf)
{
	uint32_t node = leaf->path[leaf->depth];
	uint32_t first = tree_expand(&s->tree, node, leaf->nmoves);
	float value = leaf->wdl[0] - leaf->wdl[2];

	for (int i = 0; i < leaf->nmoves; i++) {
		s->tree.nodes[first + (uint32_t)i].move = leaf->moves[i];
		s->tree.nodes[first + (uint32_t)i].prior = leaf->priors[i];
	}
	s->tree.nodes[node].net_value = value;
	mark_pending(s, leaf, -1);
	backpropagate(s, leaf, -(double)value, leaf->wdl[1]);
	s->evaluated++;
}

/* Takes the evaluation of leaf i and removes it from the pending ones. */
static void
return_leaf(struct search *s, int i)
{
	expand_leaf(s, &s->leaves[i]);
	if (i == --s->waiting)
		return;
	struct search_leaf done = s->leaves[i];
	s->leaves[i] = s->leaves[s->waiting];
	s->leaves[s->waiting] = done;
}

/* With async, evaluations return in a random order and not all at once; how many
 * and which comes from the game's own random numbers. */
static void
return_leaves(struct search *s)
{
	int n = s->waiting;

	if (s->options.async > 1 && !is_enough(s))
		n = 1 + (int)rng_below(s->rng, (uint32_t)n);
	for (; n > 0; n--)
		return_leaf(s,
		    s->options.async > 1 ? (int)rng_below(s->rng, (uint32_t)s->waiting)
					 : 0);
}

bool
search_is_done(const struct search *s)
{
	return s->waiting == 0 && is_enough(s);
}

int
search_ask(struct search *s, struct net_query *queries)
{
	int asked = 0, descents = 0;

	for (;;) {
		prepare_root(s);
		if (s->waiting == s->options.async || is_enough(s)) {
			if (asked > 0 || s->waiting == 0)
				return asked;
			return_leaves(s); /* all have been evaluated */
			continue;
		}
		if (descents++ >= DESCENTS_MAX && asked == 0)
			return 0;
		struct search_leaf *leaf = &s->leaves[s->waiting];
		enum descent w = descend(s, leaf);
		if (w == DESCENT_CLASH) {
			if (asked > 0)
				return asked;
			return_leaves(s);
			continue;
		}
		s->started += leaf->depth > 0;
		s->idle = w == DESCENT_DONE ? s->idle + 1 : 0;
		if (w == DESCENT_LEAF) {
			mark_pending(s, leaf, 1);
			queries[asked++] =
			    (struct net_query){ &leaf->board, leaf->repetitions,
				    leaf->moves, leaf->nmoves, leaf->priors, { 0 } };
			s->waiting++;
		}
	}
}

void
search_tell(struct search *s, const struct net_query *queries, int n)
{
	/* The queries belong to the last n pending leaves. */
	for (int i = 0; i < n; i++)
		memcpy(s->leaves[s->waiting - n + i].wdl, queries[i].wdl,
		    sizeof(queries[i].wdl));
	return_leaves(s);
}

void
search_stop(struct search *s)
{
	for (int i = 0; i < s->waiting; i++)
		mark_pending(s, &s->leaves[i], -1);
	s->waiting = 0;
}

/* ---- choosing ---- */

static int
most_visited(const struct search *s)
{
	int n, best = 0;
	const struct node *child = search_moves(s, &n);

	for (int i = 1; i < n; i++) {
		const struct node *a = &child[i], *b = &child[best];
		if ((a->proof < 0) != (b->proof < 0)) {
			best = b->proof < 0 ? i : best;
			continue;
		}
		if (a->visits > b->visits ||
		    (a->visits == b->visits && a->prior > b->prior))
			best = i;
	}
	return best;
}

static int
draw_by_visits(const struct search *s)
{
	int n;
	const struct node *child = search_moves(s, &n);
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += child[i].visits;
	if (sum == 0)
		return most_visited(s);
	uint64_t at = (uint64_t)(rng_double(s->rng) * (double)sum);
	for (int i = 0; i < n; i++) {
		if (at < child[i].visits)
			return i;
		at -= child[i].visits;
	}
	return n - 1;
}

int
search_choose(struct search *s, bool sample)
{
	int n;
	const struct node *child = search_moves(s, &n);

	if (n == 0)
		return -1;
	for (int i = 0; i < n; i++)
		if (child[i].proof > 0)
			return i;
	if (s->options.gumbel)
		return gumbel_choose(s);
	return sample ? draw_by_visits(s) : most_visited(s);
}

void
search_advance(struct search *s, int child)
{
	tree_advance(&s->tree, s->tree.nodes[0].children + (uint32_t)child);
}
