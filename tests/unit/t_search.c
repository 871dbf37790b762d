/*
 * The search beside a plain one: recursive, with its own nodes, written from
 * what search.h says. Both must visit every move of the root equally often.
 * Then what a search has to find: mates, wins by stalemate, draws.
 */
#include <math.h>

#include "base/rng.h"
#include "chess/outcome.h"
#include "common.h"
#include "positions.h"
#include "search/cache.h"
#include "search/search.h"
#include "tap.h"

/* ---- evaluators ---- */

/* What answers a query; root_move tells which move of the root led there. */
typedef void evaluator(struct net_query *q, int root_move);

static struct net *uniform_net, *material_net;

static void
ask_net(struct net *n, struct net_query *q)
{
	char reason[NET_REASON_MAX];

	if (net_evaluate(n, q, 1, reason) == -1)
		bail_out("net", n->hash, reason);
}

static void
uniform(struct net_query *q, int root_move)
{
	(void)root_move;
	ask_net(uniform_net, q);
}

static void
material(struct net_query *q, int root_move)
{
	(void)root_move;
	ask_net(material_net, q);
}

/* Priors and values by a hash: no two moves are alike. */
static void
synthetic(struct net_query *q, int root_move)
{
	struct rng rng;
	float sum = 0;

	(void)root_move;
	rng_init(&rng, q->board->key, (uint64_t)q->repetitions);
	for (int i = 0; i < q->nmoves; i++) {
		double u = rng_double(&rng);
		sum += q->priors[i] = (float)(0.001 + u * u * u);
	}
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] /= sum;
	q->wdl[0] = (float)rng_double(&rng);
	q->wdl[2] = (1 - q->wdl[0]) * (float)rng_double(&rng);
	q->wdl[1] = 1 - q->wdl[0] - q->wdl[2];
}

/* All hopes on one move, so that the tree is a thread. */
static void
tunnel(struct net_query *q, int root_move)
{
	int best = (int)(rng_stir(q->board->key + 7) % (uint64_t)q->nmoves);

	(void)root_move;
	/* no captures: the game is to go on */
	for (int i = 0; i < q->nmoves && q->board->square[move_to(q->moves[best])] != 0;
	     i++)
		best = (best + 1) % q->nmoves;
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = i == best;
	q->wdl[0] = q->wdl[2] = 0;
	q->wdl[1] = 1;
}

/* Each move of the root has its value, and all that follows has too. */
static double bandit_value[MOVES_MAX], bandit_root;
static float bandit_prior[MOVES_MAX];
static int bandit_side;

static void
bandit(struct net_query *q, int root_move)
{
	double v = root_move < 0 ? bandit_root : bandit_value[root_move];

	if (q->board->side != bandit_side)
		v = -v;
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = root_move < 0 ? bandit_prior[i] : 1 / (float)q->nmoves;
	q->wdl[0] = (float)(v > 0 ? v : 0);
	q->wdl[2] = (float)(v < 0 ? -v : 0);
	q->wdl[1] = 1 - q->wdl[0] - q->wdl[2];
}

static const struct {
	const char *name;
	evaluator *evaluate;
} evaluators[] = {
	{ "uniform", uniform },
	{ "material", material },
	{ "synthetic", synthetic },
};
enum { EVALUATORS = 3 };

/* ---- games to search in ---- */

enum { GAME_MAX = 700 };

struct play {
	struct rules rules;
	struct board board;
	uint64_t keys[GAME_MAX + 1];
	int plies;
};

static void
play_start(struct play *p, const struct rules *r, const char *fen)
{
	p->rules = *r;
	board_of(&p->board, &p->rules, fen);
	p->keys[0] = p->board.key;
	p->plies = 0;
}

static void
play_add(struct play *p, move m)
{
	struct undo u;

	board_make(&p->board, m, &u);
	p->keys[++p->plies] = p->board.key;
}

static void
play_line(struct play *p, const char *moves)
{
	char uci[6];
	int n;

	for (; sscanf(moves, "%5s%n", uci, &n) == 1; moves += n) {
		move m = move_of(&p->board, uci);
		if (m == 0)
			bail_out("move", uci, "not legal");
		play_add(p, m);
	}
}

static bool
play_is_over(const struct play *p)
{
	return outcome_find(&p->board, p->keys, p->plies) != END_NONE;
}

/* A rule set for test number i: all sums, some with narrow limits, so that
 * draws by count and by length come up inside the tree. */
static void
rules_of_index(struct rules *r, int i)
{
	char sum[SUM_MAX];

	sum_of_index(i % SUMS, sum);
	rules_of(r, sum);
	if (i % 3 == 1)
		r->count_limit = (int16_t)(3 + i % 5);
	if (i % 3 == 2)
		r->ply_limit = (int16_t)(8 + i % 6);
	rules_finish(r);
}

/* A game that goes on, under rule set i. */
static void
random_play(struct play *p, struct rng *rng, int i)
{
	struct rules r;
	struct board b;
	char fen[128], reason[FEN_REASON_MAX];

	rules_of_index(&r, i);
	do {
		switch (rng_below(rng, 3)) {
		case 0:
			snprintf(fen, sizeof(fen), "%s",
			    positions[rng_below(rng, POSITIONS)]);
			break;
		case 1:
			random_fen(rng, fen);
			break;
		default:
			endgame_fen(rng, fen);
		}
		if (fen_read(&b, &r, fen, strlen(fen), reason) == -1)
			continue;
		play_start(p, &r, fen);
		if (p->board.count >= r.count_limit)
			continue;
		/* a little to and fro, so that positions repeat */
		for (uint32_t n = rng_below(rng, 6); n > 0 && !play_is_over(p); n--) {
			move list[MOVES_MAX];
			int count = movegen_list(&p->board, list);
			play_add(p, list[rng_below(rng, (uint32_t)count)]);
		}
		if (!play_is_over(p))
			return;
	} while (true);
}

/* ---- running the search ---- */

static struct net_query queries[SEARCH_ASYNC_MAX];

static void
answer(struct search *s, int n, evaluator *evaluate)
{
	const struct node *root = &s->tree.nodes[0];

	for (int i = 0; i < n; i++) {
		const struct search_leaf *leaf = &s->leaves[s->waiting - n + i];
		evaluate(&queries[i],
		    leaf->depth == 0 ? -1 : (int)(leaf->path[1] - root->children));
	}
	search_tell(s, queries, n);
}

static void
think(struct search *s, const struct play *p, struct rng *rng, bool explore,
    evaluator *evaluate)
{
	int n;

	search_begin(s, &p->board, p->keys, p->plies, rng, explore);
	while ((n = search_ask(s, queries)) > 0)
		answer(s, n, evaluate);
}

static bool
nothing_pends(const struct search *s)
{
	for (uint32_t i = 0; i < s->tree.used; i++)
		if (s->tree.nodes[i].pending != 0)
			return false;
	return s->waiting == 0;
}

static uint32_t
visits_of_moves(const struct search *s)
{
	int n;
	const struct node *child = search_moves(s, &n);
	uint32_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += child[i].visits;
	return sum;
}

/* ---- the plain search ---- */

struct plain {
	move move;
	double prior, value, said; /* said: by the net, for the mover here */
	int visits, nkids, proof;
	bool expanded, over;
	struct plain *kids;
};

static const struct search_options *plain_options;
static evaluator *plain_evaluate;

static void
plain_free(struct plain *n)
{
	for (int i = 0; i < n->nkids; i++)
		plain_free(&n->kids[i]);
	free(n->kids);
}

static void
plain_expand(struct plain *n, const struct play *p)
{
	move list[MOVES_MAX];
	float priors[MOVES_MAX];
	struct net_query q = { &p->board,
		outcome_repetitions(&p->board, p->keys, p->plies + 1), list,
		movegen_list(&p->board, list), priors, { 0 } };

	plain_evaluate(&q, -1);
	n->said = net_value(&q);
	n->nkids = q.nmoves;
	n->kids = calloc((size_t)q.nmoves, sizeof(*n->kids));
	for (int i = 0; i < q.nmoves; i++) {
		n->kids[i].move = list[i];
		n->kids[i].prior = (double)priors[i];
	}
	n->expanded = true;
}

static int
plain_puct(const struct plain *n)
{
	const struct search_options *o = plain_options;
	double c = (log((1 + n->visits + o->base) / o->base) + o->init) * sqrt(n->visits);
	double mine = -n->value / n->visits, most = -INFINITY, seen = 0;
	int best = -1;

	for (int i = 0; i < n->nkids; i++)
		seen += n->kids[i].visits > 0 ? n->kids[i].prior : 0;
	for (int i = 0; i < n->nkids; i++) {
		const struct plain *k = &n->kids[i];
		double q = k->visits > 0 ? k->value / k->visits
					 : mine - o->fpu_reduction * sqrt(seen);
		double score = q + c * k->prior / (1 + k->visits);
		if (k->proof > 0)
			return i;
		if (k->proof < 0)
			score -= 1e6;
		if (score > most) {
			most = score;
			best = i;
		}
	}
	return best;
}

/* Completed Q, scaled, plus the logarithm of the prior. */
static void
plain_logits(const struct plain *n, double *logits)
{
	double visits = 0, weighted = 0, tried = 0, most = 0;

	for (int i = 0; i < n->nkids; i++) {
		const struct plain *k = &n->kids[i];
		if (k->visits == 0)
			continue;
		visits += k->visits;
		tried += k->prior;
		weighted += k->prior * (k->value / k->visits);
		most = fmax(most, k->visits);
	}
	double mixed =
	    tried > 0 ? (n->said + visits * weighted / tried) / (1 + visits) : n->said;
	double least = INFINITY, largest = -INFINITY, by = 1;
	for (int i = 0; i < n->nkids; i++) {
		const struct plain *k = &n->kids[i];
		double q = k->proof != 0 ? k->proof
		    : k->visits > 0      ? k->value / k->visits
					 : mixed;
		logits[i] = (q + 1) / 2;
		least = fmin(least, logits[i]);
		largest = fmax(largest, logits[i]);
	}
	if (largest - least < plain_options->spread)
		by = fmin(plain_options->stretch,
		    plain_options->spread / (largest - least));
	for (int i = 0; i < n->nkids; i++)
		logits[i] = log(n->kids[i].prior + 1e-12) +
		    by * (plain_options->visit_scale + most) *
			plain_options->value_scale * logits[i];
}

static void
plain_policy(const struct plain *n, double *p)
{
	double sum = 0, most = -INFINITY;

	plain_logits(n, p);
	for (int i = 0; i < n->nkids; i++)
		most = fmax(most, p[i]);
	for (int i = 0; i < n->nkids; i++)
		sum += p[i] = exp(p[i] - most);
	for (int i = 0; i < n->nkids; i++)
		p[i] /= sum;
}

static int
plain_follow(const struct plain *n)
{
	double p[MOVES_MAX], visits = 0, most = -INFINITY;
	int best = -1;

	plain_policy(n, p);
	for (int i = 0; i < n->nkids; i++)
		visits += n->kids[i].visits;
	for (int i = 0; i < n->nkids; i++) {
		if (n->kids[i].proof > 0)
			return i;
		double lag = p[i] - n->kids[i].visits / (1 + visits);
		if (lag > most) {
			most = lag;
			best = i;
		}
	}
	return best;
}

static void
plain_prove(struct plain *n)
{
	int lost = 0;

	for (int i = 0; i < n->nkids; i++) {
		if (n->kids[i].proof > 0)
			n->proof = -1;
		lost += n->kids[i].proof < 0;
	}
	if (n->nkids > 0 && lost == n->nkids)
		n->proof = 1;
}

/* One simulation from a node; `forced` is the child to go to, or -1. Returns
 * the value for whoever moved into the node. */
static double
plain_simulate(struct plain *n, struct play p, bool root, int forced)
{
	double value;

	if (!root && !n->expanded && !n->over && n->proof == 0) {
		enum end e = outcome_find(&p.board, p.keys, p.plies);
		n->over = e != END_NONE;
		n->proof = outcome_winner(&p.board, e) * (p.board.side == WHITE ? -1 : 1);
	}
	if (!root && (n->over || n->proof != 0)) {
		value = n->proof;
	} else if (!n->expanded) {
		plain_expand(n, &p);
		value = -n->said;
	} else {
		int i = forced >= 0         ? forced
		    : plain_options->gumbel ? plain_follow(n)
					    : plain_puct(n);
		play_add(&p, n->kids[i].move);
		value = -plain_simulate(&n->kids[i], p, false, -1);
		plain_prove(n);
	}
	n->visits++;
	n->value += value;
	return value;
}

/* A move that wins at once is tried before all others. */
static void
plain_win(struct plain *root, const struct play *p)
{
	for (int i = 0; i < root->nkids && root->proof == 0; i++) {
		struct play after = *p;
		play_add(&after, root->kids[i].move);
		enum end e = outcome_find(&after.board, after.keys, after.plies);
		if (outcome_winner(&after.board, e) == (p->board.side == WHITE ? 1 : -1))
			plain_simulate(root, *p, true, i);
	}
}

static void
plain_think_puct(struct plain *root, const struct play *p)
{
	if (!root->expanded)
		plain_simulate(root, *p, true, -1);
	plain_win(root, p);
	while (root->proof == 0 && root->visits - 1 < plain_options->sims)
		plain_simulate(root, *p, true, -1);
}

/* Puts candidates in the order of their scores, equal ones as they are. */
static void
plain_sort(int *candidates, int n, const double *score)
{
	for (int i = 0; i < n; i++)
		for (int j = n - 1; j > i; j--)
			if (score[candidates[j]] > score[candidates[j - 1]]) {
				int swap = candidates[j];
				candidates[j] = candidates[j - 1];
				candidates[j - 1] = swap;
			}
}

/* Sequential halving. Returns the choice. */
static int
plain_think_gumbel(struct plain *root, const struct play *p, struct rng *rng,
    bool explore)
{
	const struct search_options *o = plain_options;
	double g[MOVES_MAX], score[MOVES_MAX];
	int candidates[MOVES_MAX], left = o->sims, rounds = 1;

	if (!root->expanded)
		plain_simulate(root, *p, true, -1);
	plain_win(root, p);
	for (int i = 0; i < root->nkids; i++) {
		double u = explore ? (1 - rng_double(rng)) * (1 - 1e-16) : 0;
		g[i] = explore ? -log(-log(u)) : 0;
		score[i] = log(root->kids[i].prior + 1e-12) + g[i];
		candidates[i] = i;
	}
	plain_sort(candidates, root->nkids, score);
	int n = root->nkids < o->candidates ? root->nkids : o->candidates;
	n = n < o->sims ? n : o->sims;
	for (int k = n; k > 2; k = (k + 1) / 2)
		rounds++;
	while (left > 0 && root->proof == 0) {
		int each = o->sims / (rounds * n) > 1 ? o->sims / (rounds * n) : 1;
		int spent = 0;
		for (int i = 0; i < n; i++)
			for (int k = 0; k < each && left > 0 && root->proof == 0;
			     k++, left--, spent++)
				plain_simulate(root, *p, true, candidates[i]);
		if (left == 0 || root->proof != 0)
			break;
		plain_logits(root, score);
		for (int i = 0; i < root->nkids; i++)
			score[i] += g[i];
		plain_sort(candidates, n, score);
		n = n > 1 ? (n + 1) / 2 : 1;
	}
	for (int i = 0; i < root->nkids; i++)
		if (root->kids[i].proof > 0)
			return i;
	plain_logits(root, score);
	for (int i = 0; i < root->nkids; i++)
		score[i] += g[i];
	plain_sort(candidates, n, score);
	return candidates[0];
}

static int
plain_best(const struct plain *root)
{
	int best = -1;

	for (int i = 0; i < root->nkids; i++)
		if (root->kids[i].proof > 0)
			return i;
	for (int i = 0; i < root->nkids; i++) {
		const struct plain *a = &root->kids[i], *b = &root->kids[best];
		if (best == -1 || (b->proof < 0 && a->proof >= 0) ||
		    ((a->proof < 0) == (b->proof < 0) &&
			(a->visits > b->visits ||
			    (a->visits == b->visits && a->prior > b->prior))))
			best = i;
	}
	return best;
}

/* Goes on to a kid and forgets the others. */
static void
plain_advance(struct plain *root, int kid)
{
	struct plain next = root->kids[kid];

	for (int i = 0; i < root->nkids; i++)
		if (i != kid)
			plain_free(&root->kids[i]);
	free(root->kids);
	*root = next;
}

/* ---- the two beside each other ---- */

static bool
same_tree(const struct search *s, const struct node *n, const struct plain *k)
{
	if ((int)n->visits != k->visits || n->proof != k->proof ||
	    fabs(n->value - k->value) > 1e-6 * (1 + k->visits))
		return false;
	if (n->children == 0 || k->nkids == 0)
		return n->children == 0 && k->nkids == 0;
	if (n->nchildren != k->nkids)
		return false;
	for (int i = 0; i < k->nkids; i++) {
		const struct node *child = &s->tree.nodes[n->children + (uint32_t)i];
		if (child->move != k->kids[i].move || !same_tree(s, child, &k->kids[i]))
			return false;
	}
	return true;
}

static void
show_difference(const struct search *s, const struct plain *root, const struct play *p)
{
	int n;
	const struct node *child = search_moves(s, &n);
	char fen[FEN_MAX], text[RULES_TEXT_MAX], m[6];

	fen_write(&p->board, fen);
	rules_print(&p->rules, text);
	diag("%s, %s, ply %d, %u visits and %d", fen, text, p->plies,
	    s->tree.nodes[0].visits, root->visits);
	for (int i = 0; i < n && i < root->nkids; i++)
		if ((int)child[i].visits != root->kids[i].visits ||
		    child[i].proof != root->kids[i].proof) {
			move_print(&p->rules, child[i].move, m);
			diag("  %s: %u visits, proof %d; plain %d, %d", m,
			    child[i].visits, child[i].proof, root->kids[i].visits,
			    root->kids[i].proof);
		}
}

/* Some moves of a game, thought out by both; reuse tells whether the tree is
 * kept. */
static bool
compare_game(struct play *p, const struct search_options *o, evaluator *evaluate,
    uint64_t seed, bool reuse, int moves)
{
	struct search s;
	struct plain root = { 0 };
	struct rng rng, plain_rng;
	bool same = true;

	search_init(&s, o);
	rng_init(&rng, seed, 0);
	plain_rng = rng;
	plain_options = o;
	plain_evaluate = evaluate;
	for (int i = 0; i < moves && same && !play_is_over(p); i++) {
		int want, choice;
		bool explore = o->gumbel && i % 2 == 0;
		think(&s, p, &rng, explore, evaluate);
		if (o->gumbel) {
			want = plain_think_gumbel(&root, p, &plain_rng, explore);
		} else {
			plain_think_puct(&root, p);
			want = plain_best(&root);
		}
		choice = search_choose(&s, false);
		same = same_tree(&s, &s.tree.nodes[0], &root) && choice == want &&
		    nothing_pends(&s);
		if (!same) {
			show_difference(&s, &root, p);
			diag("  choice %d, plain %d", choice, want);
			break;
		}
		play_add(p, root.kids[want].move);
		if (reuse) {
			search_advance(&s, choice);
			plain_advance(&root, want);
		} else {
			search_forget(&s);
			plain_free(&root);
			memset(&root, 0, sizeof(root));
		}
	}
	plain_free(&root);
	search_release(&s);
	return same;
}

static void
test_beside_plain(bool gumbel, bool reuse)
{
	static const int sims[] = { 1, 2, 7, 16, 50, 150, 400 };
	struct rng rng;
	int games = SANITIZED ? 60 : 400;

	for (int e = 0; e < EVALUATORS; e++) {
		int good = 0;
		rng_init(&rng, 11, (uint64_t)(10 * e + 2 * gumbel + reuse));
		for (int i = 0; i < games; i++) {
			struct play p;
			struct search_options o = search_defaults;
			o.gumbel = gumbel;
			o.sims = sims[i % 7];
			o.candidates = 1 + i % 17;
			o.base = i % 2 == 0 ? 19652 : 50;
			o.fpu_reduction = i % 4 == 0 ? 0 : 0.2;
			random_play(&p, &rng, i * 7);
			good += compare_game(&p, &o, evaluators[e].evaluate, (uint64_t)i,
			    reuse, 4);
		}
		ok(good == games, "%s, %s%s: %d of %d games search the same tree",
		    gumbel ? "Gumbel" : "PUCT", evaluators[e].name,
		    reuse ? ", tree reused" : "", good, games);
	}
}

/* ---- mates ---- */

/* Can the mover win by force within n moves? first: by which (-1: none). */
static bool
can_win(const struct board *b, int n, int *first)
{
	move list[MOVES_MAX], replies[MOVES_MAX];
	int count = movegen_list(b, list);
	struct undo u, v;

	for (int i = 0; i < count; i++) {
		struct board after = *b;
		board_make(&after, list[i], &u);
		int m = movegen_list(&after, replies), lost = 0;
		bool won = m == 0 &&
		    (board_checkers(&after) != 0 ||
			after.rules->stalemate_value[WHITE] == 100);
		for (int j = 0; n > 1 && j < m; j++, lost++) {
			struct board next = after;
			board_make(&next, replies[j], &v);
			if (outcome_dead_material(&next) || !can_win(&next, n - 1, NULL))
				break;
		}
		if (won || (m > 0 && lost == m)) {
			if (first != NULL)
				*first = i;
			return true;
		}
	}
	return false;
}

/* A position of few men, or in the middle of a random game, in which the
 * mover wins in n moves and not faster. */
static bool
find_win(struct play *p, struct rng *rng, const struct rules *r, int n)
{
	struct board b;
	char fen[128], reason[FEN_REASON_MAX];
	int first;

	if (rng_below(rng, n == 1 ? 2 : 4) == 0)
		random_fen(rng, fen);
	else
		endgame_fen(rng, fen);
	if (fen_read(&b, r, fen, strlen(fen), reason) == -1)
		return false;
	play_start(p, r, fen);
	p->board.count = 0;
	return !play_is_over(p) && (n == 1 || movegen_count(&p->board) <= 30) &&
	    (n == 1 || !can_win(&p->board, n - 1, &first)) &&
	    can_win(&p->board, n, &first);
}

/* Has a search that goes on until it has proven something; what it plays must
 * keep the win. */
static bool
finds_win(const struct play *p, bool gumbel, int sims, int n)
{
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;
	struct undo u;
	bool good = false;

	o.sims = sims;
	o.gumbel = gumbel;
	o.candidates = MOVES_MAX;
	rng_init(&rng, 1, 1);
	search_init(&s, &o);
	think(&s, p, &rng, false, uniform);
	int nmoves, choice = search_choose(&s, false);
	const struct node *child = search_moves(&s, &nmoves);
	if (s.tree.nodes[0].proof == -1 && child[choice].proof == 1) {
		struct board after = p->board;
		move replies[MOVES_MAX];
		board_make(&after, child[choice].move, &u);
		int m = movegen_list(&after, replies);
		good = true;
		/* the mate found may be one move longer than the shortest */
		for (int i = 0; i < m && good; i++) {
			struct board next = after;
			board_make(&next, replies[i], &u);
			good = can_win(&next, n, NULL);
		}
	}
	search_release(&s);
	return good;
}

static void
test_wins(int n, int positions_wanted, int sims)
{
	for (int i = 0; i < RULES_PRESETS; i++) {
		struct rules r;
		struct rng rng;
		struct play p;
		int found = 0, good = 0, races = 0;

		rules_of(&r, rules_preset_name(i));
		if (r.ends || r.draw_value != 0)
			continue; /* wins are many, or far from a mate */
		rng_init(&rng, 5, (uint64_t)(100 * n + i));
		while (found < positions_wanted) {
			if (!find_win(&p, &rng, &r, n))
				continue;
			found++;
			good += finds_win(&p, false, sims, n);
			/* Below the root Gumbel's policy keeps to a move that is
			 * known to be good, as half a win is, and may never try
			 * the mate beside it. */
			races += r.stalemate_value[WHITE] % 100 != 0 ||
			    finds_win(&p, true, sims, n);
		}
		ok(good == found && races == found,
		    "%s: a win in %d is proven "
		    "and played in %d and (Gumbel) %d of %d positions",
		    rules_preset_name(i), n, good, races, found);
	}
}

/* A search of a game that is over has nothing to choose, and ends. */
static void
test_over(bool gumbel)
{
	struct search s;
	struct search_options o = search_defaults;
	struct rules r;
	struct rng rng;
	struct play p;
	int n;

	o.gumbel = gumbel;
	rules_init(&r);
	rng_init(&rng, 1, 1);
	play_start(&p, &r, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
	search_init(&s, &o);
	think(&s, &p, &rng, true, uniform);
	search_moves(&s, &n);
	ok(n == 0 && search_is_done(&s) && search_choose(&s, true) == -1,
	    "%s: nothing to choose after mate", gumbel ? "Gumbel" : "PUCT");
	search_release(&s);
}

/* Positions where only stalemate wins at once. */
static void
test_stalemates(void)
{
	struct rules r, classical;
	struct rng rng;
	struct play p;
	int found = 0, good = 0, plain = 0, first;

	rules_of(&r, "stalemate-win");
	rules_of(&classical, "classical");
	rng_init(&rng, 6, 0);
	while (found < 50) {
		if (!find_win(&p, &rng, &r, 1))
			continue;
		p.board.rules = &classical;
		bool mate = can_win(&p.board, 2, &first);
		p.board.rules = &p.rules;
		if (mate)
			continue;
		found++;
		good += finds_win(&p, false, 200, 1);
		p.rules = classical;
		plain += finds_win(&p, false, 200, 1);
	}
	ok(good == found, "stalemate-win: %d of %d wins by stalemate are found", good,
	    found);
	ok(plain == 0, "classical: none of them is taken for a win");
}

/* ---- draws, and proofs beside all there is ---- */

static const struct node *
child_of(const struct search *s, const char *uci)
{
	int n;
	const struct node *child = search_moves(s, &n);
	char text[6];

	for (int i = 0; i < n; i++) {
		move_print(s->root.rules, child[i].move, text);
		if (strcmp(text, uci) == 0)
			return &child[i];
	}
	bail_out("move", uci, "not there");
}

static void
test_draws(void)
{
	struct rules r;
	struct play p;
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;

	o.sims = 300;
	rng_init(&rng, 1, 1);
	rules_of(&r, "classical");
	search_init(&s, &o);
	play_start(&p, &r, START_FEN);
	play_line(&p, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
	think(&s, &p, &rng, false, uniform);
	const struct node *n = child_of(&s, "f6g8");
	ok(n->end == END_REPETITION && n->proof == 0 && n->value == 0 &&
		n->children == 0 && n->visits > 0,
	    "a third repetition is a draw");
	n = child_of(&s, "f6e4");
	ok(n->end == END_NONE && n->visits > 0, "another move is none");

	search_forget(&s);
	play_start(&p, &r, "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
	think(&s, &p, &rng, false, uniform);
	ok(child_of(&s, "a1b1")->end == END_FIFTY && child_of(&s, "a1b1")->value == 0,
	    "the 50-move count draws");
	ok(child_of(&s, "e2e4")->end == END_NONE, "a pawn's move resets it");

	search_forget(&s);
	play_start(&p, &r, "7k/8/6QK/8/8/8/8/8 w - - 99 80");
	think(&s, &p, &rng, false, uniform);
	ok(child_of(&s, "g6g7")->proof == 1 && s.tree.nodes[0].proof == -1,
	    "mate counts more than the 50-move count");

	search_forget(&s);
	r.ply_limit = 3;
	rules_finish(&r);
	play_start(&p, &r, START_FEN);
	play_line(&p, "e2e4 e7e5");
	think(&s, &p, &rng, false, uniform);
	int count, ends = 0;
	n = search_moves(&s, &count);
	for (int i = 0; i < count; i++)
		ends += n[i].end == END_LENGTH && n[i].value == 0;
	ok(ends == count && visits_of_moves(&s) == 300,
	    "at the limit of plies every move draws");

	search_release(&s);
	o.sims = 0; /* without a limit: it must see that all is known */
	search_init(&s, &o);
	think(&s, &p, &rng, false, uniform);
	ok(nothing_pends(&s) && search_value(&s) > -0.1 && search_value(&s) < 0.1,
	    "without a limit it ends when all is known");

	search_forget(&s);
	rules_of(&r, "classical");
	play_start(&p, &r, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
	think(&s, &p, &rng, false, uniform);
	ok(search_choose(&s, false) == -1, "a mated side has no move");
	search_release(&s);
}

static int exhausted; /* positions looked at */

/* The value for the mover, by looking at everything; every proof in the tree
 * must agree. node 0 with depth > 0 means that the tree does not go there. */
static int
exhaust(const struct search *s, uint32_t node, const struct play *p, bool root,
    int *wrong)
{
	enum end e = outcome_find(&p->board, p->keys, p->plies);
	int best = -1;

	exhausted++;
	if (e != END_NONE) {
		best = outcome_winner(&p->board, e) * (p->board.side == WHITE ? 1 : -1);
	} else {
		move list[MOVES_MAX];
		int count = movegen_list(&p->board, list);
		uint32_t first = node != 0 || root ? s->tree.nodes[node].children : 0;
		for (int i = 0; i < count; i++) {
			struct play next = *p;
			play_add(&next, list[i]);
			int v = -exhaust(s, first == 0 ? 0 : first + (uint32_t)i, &next,
			    false, wrong);
			best = v > best ? v : best;
		}
	}
	if (node != 0 || root) {
		const struct node *n = &s->tree.nodes[node];
		*wrong += n->proof != 0 && n->proof != -best;
		*wrong += n->end != END_NONE && (enum end)n->end != e;
	}
	return best;
}

static void
test_proofs(void)
{
	struct rng rng;
	int wanted = SANITIZED ? 40 : 60;
	int wrong = 0, decided = 0, proven = 0, done = 0;

	rng_init(&rng, 8, 0);
	while (done < wanted) {
		struct play p;
		struct rules r;
		struct board b;
		struct search s;
		struct search_options o = search_defaults;
		char fen[128], reason[FEN_REASON_MAX];
		endgame_fen(&rng, fen);
		rules_of_index(&r, 3 * done);
		r.ply_limit = (int16_t)(2 + done % 3);
		rules_finish(&r);
		if (fen_read(&b, &r, fen, strlen(fen), reason) == -1)
			continue;
		play_start(&p, &r, fen);
		if (play_is_over(&p))
			continue;
		done++;
		o.sims = 4000;
		o.gumbel = done % 4 == 0;
		search_init(&s, &o);
		think(&s, &p, &rng, false, done % 2 ? uniform : synthetic);
		int value = exhaust(&s, 0, &p, true, &wrong);
		decided += value != 0;
		proven += value != 0 && s.tree.nodes[0].proof == -value;
		wrong += value == 0 && s.tree.nodes[0].proof != 0;
		search_release(&s);
	}
	ok(wrong == 0, "no proof is wrong in %d endgames, %d positions", done, exhausted);
	ok(decided > 0 && proven >= decided * 3 / 4,
	    "%d of %d decided ones are proven by 4000 simulations", proven, decided);
}

/* ---- chance ---- */

static void
test_sampling(void)
{
	struct rules r;
	struct play p;
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;
	enum { DRAWS = 100000 };
	int n, cells = 0;
	double drawn[MOVES_MAX] = { 0 }, sum = 0;

	rules_of(&r, "classical");
	play_start(&p, &r, START_FEN);
	o.sims = 200;
	search_init(&s, &o);
	rng_init(&rng, 21, 0);
	think(&s, &p, &rng, false, synthetic);
	const struct node *child = search_moves(&s, &n);
	for (int i = 0; i < DRAWS; i++)
		drawn[search_choose(&s, true)]++;
	for (int i = 0; i < n; i++) {
		double want = DRAWS * (double)child[i].visits / 200;
		if (want == 0)
			sum += drawn[i] > 0 ? INFINITY : 0;
		else
			sum += (drawn[i] - want) * (drawn[i] - want) / want;
		cells += want > 0;
	}
	/* chi-square has mean k and variance 2k: four deviations */
	double k = cells - 1;
	ok(cells > 5 && sum < k + 4 * sqrt(2 * k),
	    "sampled moves follow the "
	    "visits: chi-square %.1f with %.0f degrees of freedom",
	    sum, k);
	search_release(&s);
}

static void
test_noise(double alpha, double share)
{
	struct rules r;
	struct play p;
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;
	enum { TRIALS = SANITIZED ? 4000 : 40000, MOVES = 20 };
	static double x[MOVES], xx[MOVES];
	double var = (1. / MOVES) * (1 - 1. / MOVES) / (MOVES * alpha + 1);
	bool means = true, vars = true, sums = true;

	memset(x, 0, sizeof(x));
	memset(xx, 0, sizeof(xx));
	rules_of(&r, "classical");
	play_start(&p, &r, START_FEN);
	o.sims = 1;
	o.noise = alpha;
	o.noise_share = share;
	search_init(&s, &o);
	rng_init(&rng, 22, 0);
	for (int t = 0; t < TRIALS; t++) {
		int n;
		double sum = 0;
		think(&s, &p, &rng, true, uniform);
		const struct node *child = search_moves(&s, &n);
		for (int i = 0; i < MOVES; i++) {
			double v = (double)child[i].prior - 1. / MOVES;
			sum += (double)child[i].prior;
			x[i] += v;
			xx[i] += v * v;
		}
		sums = sums && n == MOVES && fabs(sum - 1) < 1e-5;
		search_forget(&s);
	}
	for (int i = 0; i < MOVES; i++) {
		double v = xx[i] / TRIALS;
		means = means && fabs(x[i] / TRIALS) < 5 * share * sqrt(var / TRIALS);
		vars = vars &&
		    fabs(v / (share * share * var) - 1) < (SANITIZED ? 0.35 : 0.12);
	}
	ok(sums && means && vars,
	    "noise of alpha %g and share %g has Dirichlet's mean and variance", alpha,
	    share);
	search_release(&s);
}

/* ---- Gumbel on bandits ---- */

static void
make_bandit(struct rng *rng, const struct play *p, bool exact)
{
	int n = movegen_count(&p->board);
	double sum = 0, mean = 0;

	bandit_side = p->board.side;
	for (int i = 0; i < n; i++) {
		double u = rng_double(rng);
		sum += bandit_prior[i] = (float)(u * u * u + 1e-3);
		/* as floats have it, so that means are exact */
		bandit_value[i] = (double)(float)(1.8 * rng_double(rng) - 0.9);
	}
	for (int i = 0; i < n; i++) {
		bandit_prior[i] = (float)(bandit_prior[i] / sum);
		mean += (double)bandit_prior[i] * bandit_value[i];
	}
	bandit_root = exact ? mean : 1.8 * rng_double(rng) - 0.9;
}

static void
test_bandits(bool exact)
{
	static const int sims[] = { 2, 4, 8, 16, 32, 64 };
	struct rules r;
	struct play p;
	struct rng rng;
	enum { BANDITS = SANITIZED ? 30 : 120, DRAWS = 200 };
	int worse = 0, policy_worse = 0, full_worse = 0;
	double gain = 0, policy_gain = 0;

	rules_of(&r, "classical");
	play_start(&p, &r, START_FEN);
	rng_init(&rng, 31, exact);
	for (int b = 0; b < BANDITS; b++) {
		struct search s;
		struct search_options o = search_defaults;
		double sum = 0, squares = 0, policy_sum = 0, base = 0;
		o.gumbel = true;
		o.sims = sims[b % 6];
		o.candidates = b % 3 == 0 ? MOVES_MAX : 2 + b % 15;
		make_bandit(&rng, &p, exact);
		search_init(&s, &o);
		for (int t = 0; t < DRAWS; t++) {
			float policy[MOVES_MAX];
			double expected = 0;
			int n, choice;
			think(&s, &p, &rng, true, bandit);
			choice = search_choose(&s, false);
			search_improved_policy(&s, policy);
			search_moves(&s, &n);
			base = 0;
			for (int i = 0; i < n; i++) {
				expected += (double)policy[i] * bandit_value[i];
				base += (double)bandit_prior[i] * bandit_value[i];
			}
			sum += bandit_value[choice] - base;
			squares += pow(bandit_value[choice] - base, 2);
			policy_sum += expected - base;
			if (o.sims >= n && o.candidates >= n)
				full_worse += expected < base - 1e-6;
			search_forget(&s);
		}
		double mean = sum / DRAWS;
		double error = sqrt((squares / DRAWS - mean * mean) / DRAWS);
		worse += mean < -3 * error;
		policy_worse += policy_sum / DRAWS < -1e-3;
		gain += mean / BANDITS;
		policy_gain += policy_sum / DRAWS / BANDITS;
		search_release(&s);
	}
	ok(worse == 0 && gain > 0.1,
	    "%s: Gumbel's choice is worse than the "
	    "prior in %d of %d bandits, better by %.3f on average",
	    exact ? "a net that knows its value" : "a net that errs", worse, (int)BANDITS,
	    gain);
	ok((!exact || policy_worse == 0) && policy_gain > 0.05,
	    "... its improved policy in %d, better by %.3f", policy_worse, policy_gain);
	ok(full_worse == 0, "... and in none when every move was tried");
}

/* ---- searches in flight, depth, time, cache ---- */

static uint64_t
signature(const struct search *s)
{
	uint64_t h = s->tree.used;

	for (uint32_t i = 0; i < s->tree.used; i++)
		h = rng_stir(h ^ s->tree.nodes[i].visits) + h + s->tree.nodes[i].move;
	return h;
}

static void
test_async(int async)
{
	struct rng rng, own;
	int games = SANITIZED ? 10 : 60, good = 0, same = 0, others = 0;

	rng_init(&rng, 41, (uint64_t)async);
	for (int i = 0; i < games; i++) {
		struct search s;
		struct search_options o = search_defaults;
		struct play p;
		uint64_t hash[3];
		o.async = async;
		o.sims = 100 + i;
		random_play(&p, &rng, 5 * i);
		bool adds_up = true;
		for (int k = 0; k < 3; k++) {
			search_init(&s, &o);
			rng_init(&own, k < 2 ? 7 : 8, (uint64_t)i);
			think(&s, &p, &own, false, evaluators[i % EVALUATORS].evaluate);
			const struct node *root = &s.tree.nodes[0];
			hash[k] = signature(&s);
			adds_up = adds_up && nothing_pends(&s) &&
			    visits_of_moves(&s) == root->visits - 1 &&
			    (root->proof != 0 || (int)root->visits - 1 == o.sims);
			search_release(&s);
		}
		good += adds_up;
		same += hash[0] == hash[1];
		others += hash[0] != hash[2];
	}
	ok(good == games, "%d in flight: visits add up, none is left under way", async);
	ok(same == games && others > games / 2,
	    "... the same seed gives the same tree, another one another in %d of %d",
	    others, games);
}

static void
test_stop(void)
{
	struct rules r;
	struct play p;
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;

	rules_of(&r, "torpedo");
	play_start(&p, &r, START_FEN);
	o.sims = 0;
	o.async = 8;
	rng_init(&rng, 1, 1);
	search_init(&s, &o);
	search_begin(&s, &p.board, p.keys, p.plies, &rng, false);
	ok(search_ask(&s, queries) == 1, "the root is asked about first");
	search_stop(&s);
	ok(nothing_pends(&s) && search_choose(&s, false) == -1,
	    "stopped at once there is no move");
	search_begin(&s, &p.board, p.keys, p.plies, &rng, false);
	for (int i = 0; i < 100; i++)
		answer(&s, search_ask(&s, queries), synthetic);
	search_ask(&s, queries);
	search_stop(&s);
	ok(nothing_pends(&s) && search_choose(&s, false) >= 0 &&
		visits_of_moves(&s) == s.tree.nodes[0].visits - 1,
	    "stopped later nothing is left under way");
	search_release(&s);
}

static void
test_depth(void)
{
	struct rules r;
	struct play p;
	struct search s;
	struct search_options o = search_defaults;
	struct rng rng;

	rules_of(&r, "classical");
	r.ply_limit = r.count_limit = 10000;
	rules_finish(&r);
	play_start(&p, &r, START_FEN);
	o.sims = 3000;
	rng_init(&rng, 1, 1);
	search_init(&s, &o);
	think(&s, &p, &rng, false, tunnel);
	int depth = 0;
	for (uint32_t at = 0; s.tree.nodes[at].children != 0; depth++) {
		const struct node *n = &s.tree.nodes[at];
		uint32_t best = n->children;
		for (uint32_t i = 1; i < n->nchildren; i++)
			if (s.tree.nodes[n->children + i].visits >
			    s.tree.nodes[best].visits)
				best = n->children + i;
		at = best;
	}
	ok(visits_of_moves(&s) == 3000 && depth == SEARCH_DEPTH_MAX,
	    "a tree that is a thread ends at depth %d", depth);
	ok(s.tree.used < 512 * 60, "... and does not grow any more");
	search_release(&s);
}

static void
test_cache(void)
{
	struct cache c;
	struct rng rng;
	int same = 0, hits = 0, tries = 500;

	cache_init(&c, 1);
	rng_init(&rng, 51, 0);
	for (int i = 0; i < tries; i++) {
		struct play p;
		move list[MOVES_MAX];
		float priors[MOVES_MAX], again[MOVES_MAX];
		random_play(&p, &rng, 0);
		struct net_query q = { &p.board, 1, list, movegen_list(&p.board, list),
			priors, { 0 } },
				 k = q;
		synthetic(&q, -1);
		cache_put(&c, &q);
		k.priors = again;
		if (!cache_get(&c, &k))
			continue;
		hits++;
		same += memcmp(again, priors, (size_t)q.nmoves * sizeof(*priors)) == 0 &&
		    memcmp(q.wdl, k.wdl, sizeof(q.wdl)) == 0;
		struct net_query other = k;
		other.repetitions = 2;
		same -= cache_get(&c, &other);
		p.board.count++;
		same -= cache_get(&c, &k);
	}
	ok(hits > tries * 8 / 10 && same == hits,
	    "the cache gives back what it "
	    "was given, and knows repetitions and counts apart");
	cache_release(&c);
	cache_init(&c, 0);
	struct net_query q = { 0 };
	ok(!cache_get(&c, &q), "no cache has nothing");
	cache_release(&c);
}

int
main(void)
{
	char reason[NET_REASON_MAX];

	uniform_net = net_open("uniform", NULL, reason);
	material_net = net_open("material", NULL, reason);
	test_beside_plain(false, false);
	test_beside_plain(false, true);
	test_beside_plain(true, false);
	test_beside_plain(true, true);
	test_wins(1, SANITIZED ? 5 : 20, 1000);
	test_wins(2, SANITIZED ? 1 : 5, 60000);
	test_over(false);
	test_over(true);
	test_stalemates();
	test_draws();
	test_proofs();
	test_sampling();
	test_noise(0.3, 1);
	test_noise(0.3, 0.25);
	test_noise(2, 1);
	test_bandits(true);
	test_bandits(false);
	test_async(2);
	test_async(8);
	test_async(SEARCH_ASYNC_MAX);
	test_stop();
	test_depth();
	test_cache();
	net_close(uniform_net);
	net_close(material_net);
	return tap_end();
}
