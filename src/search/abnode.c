/*
 * A node of alpha-beta: move pruning, extensions, late move reductions, and the
 * updates of table and histories.
 */
#include "abtree.h"

#include <math.h>
#include <stdlib.h>

#include "see.h"

static int16_t reductions[64][64]; /* [depth][move], in hundredths of a ply */

__attribute__((constructor)) static void
fill_reductions(void)
{
	for (int d = 1; d < 64; d++)
		for (int n = 1; n < 64; n++)
			reductions[d][n] = (int16_t)(65 + 45 * log(d) * log(n));
}

int
tree_reduction(int depth, int n)
{
	return reductions[depth > 63 ? 63 : depth][n > 63 ? 63 : n];
}

/* The state of a node while it is searched. */
struct visit {
	int alpha, beta, first_alpha, depth, ply;
	bool pv, cut, known, improving;
	bool forcing; /* the table's move captures or promotes */
	uint64_t key;
	struct abtable_entry table; /* if known, or move 0 */
	int raw;                    /* the static score without correction */
	int off;                    /* size of the correction */
	int best, tried;
	move best_move, quiets[64], captures[32];
	int nquiets, ncaptures;
};

/* Under checks_to_win, does the move give check? Such moves are never pruned. */
static bool
is_winning_check(struct ab_worker *w, move m)
{
	struct board *b = &w->board;
	struct undo u;

	if (b->rules->checks_to_win == 0)
		return false;
	board_make(b, m, &u);
	bool check = board_checkers(b) != 0;
	board_unmake(b, m, &u);
	return check;
}

/* May this quiet move and all later ones be skipped? By late move pruning,
 * futility pruning, or history pruning. */
static bool
quiets_are_done(const struct ab_worker *w, const struct ab_ply *s, const struct visit *v,
    int order, int left)
{
	int depth = v->depth;

	if (depth <= 8 &&
	    v->tried >= (443 + 171 * depth * depth) / (v->improving ? 100 : 165))
		return true;
	if (!s->in_check && left <= 8 && s->eval + pawns(w, 66 + 54 * left) <= v->alpha)
		return true;
	return depth <= 4 && order < ORDER_KILLER && order < -3330 * depth;
}

/* May this move, the picker's last, be skipped? */
static bool
prune_move(struct ab_worker *w, struct ab_ply *s, const struct visit *v,
    struct ab_picker *p, move m, int order)
{
	const struct board *b = &w->board;

	/* Against a nearly bare king pruning would overlook mates. */
	if (is_winning_check(w, m) ||
	    __builtin_popcountll(b->pieces[b->side ^ 1][ALL]) <= 2)
		return false;
	if (board_is_noisy(b, m))
		return v->depth <= 6 && order < 0 &&
		    !see_at_least(b, m, -pawns(w, 82 * v->depth), w->worth);
	int left = v->depth - tree_reduction(v->depth, v->tried) / 100;
	if (left < 0)
		left = 0;
	if (quiets_are_done(w, s, v, order, left)) {
		if (b->rules->checks_to_win == 0)
			picker_drop_quiet(p, b);
		return true;
	}
	return left <= 8 && !see_at_least(b, m, -pawns(w, 20 * left * left), w->worth);
}

/* Singular extension: is the table's move the only good one? Returns the extension
 * in plies, negative if other moves are good too; or sets *score if another move
 * reaches beta (multi-cut). */
static int
singular(struct ab_worker *w, struct ab_ply *s, const struct abtable_entry *t, int beta,
    int depth, int ply, bool cut, bool pv, int *score)
{
	int known = from_table(t->score, ply), target = known - pawns(w, 2 * depth);

	s->excluded = t->move;
	int v = tree_node(w, s, target - 1, target, (depth - 1) / 2, ply, cut);
	s->excluded = 0;
	if (w->stopped)
		return 0;
	if (v < target)
		return !pv && v < target - pawns(w, 19) && s->extensions < 6 ? 2 : 1;
	if (target >= beta) {
		*score = target;
		return 0;
	}
	return known >= beta ? -2 : cut ? -1 : 0;
}

/* Ends of the game, mate distance pruning, and cutoffs by the table: true if *score
 * is the node's score. */
static bool
is_settled(struct ab_worker *w, struct ab_ply *s, struct visit *v, int *score)
{
	bool plain = w->ab->options.plain;

	if (tree_is_end(w, v->ply, score))
		return true;
	s->in_check = board_checkers(&w->board) != 0;
	if (v->ply >= AB_DEPTH_MAX) {
		*score = s->in_check ? 0 : tree_eval(w, s, v->ply);
		return true;
	}
	if (!plain) {
		/* mate distance pruning */
		if (v->alpha < v->ply - AB_MATE)
			v->alpha = v->ply - AB_MATE;
		if (v->beta > AB_MATE - v->ply - 1)
			v->beta = AB_MATE - v->ply - 1;
		*score = v->alpha;
		if (v->alpha >= v->beta)
			return true;
	}
	v->first_alpha = v->alpha;
	v->key = tree_key(w, v->ply);
	v->known =
	    !plain && s->excluded == 0 && abtable_get(&w->ab->table, v->key, &v->table);
	if (!v->known || v->pv || v->table.depth < v->depth)
		return false;
	*score = from_table(v->table.score, v->ply);
	return (v->table.bound & BOUND_LOWER && *score >= v->beta) ||
	    (v->table.bound & BOUND_UPPER && *score <= v->alpha);
}

/* Sets the static score, and whether it has improved since the mover's last
 * turn. */
static void
judge(struct ab_worker *w, struct ab_ply *s, struct visit *v)
{
	const struct abtable_entry *t = &v->table;

	v->raw = NO_EVAL;
	v->off = 0;
	if (s->in_check) {
		s->eval = NO_EVAL;
	} else if (s->excluded != 0) {
		v->raw = s->eval;
	} else {
		v->raw =
		    v->known && t->eval != NO_EVAL ? t->eval : tree_eval(w, s, v->ply);
		s->eval = corrected(w, s, v->raw);
		v->off = abs(s->eval - v->raw);
		if (s[-1].move != 0 && s[-1].quiet && s[-1].eval != NO_EVAL)
			history_judge_last(w, s);
		int found = from_table(t->score, v->ply);
		if (v->known &&
		    t->bound & (found > s->eval ? BOUND_LOWER : BOUND_UPPER) &&
		    found < AB_SURE && found > -AB_SURE)
			s->eval = found;
	}
	int before = s[-2].eval != NO_EVAL ? s[-2].eval : s[-4].eval;
	v->improving = !s->in_check && (before == NO_EVAL || s->eval > before);
}

/* Is this the table's move, and worth a singular search? */
static bool
may_be_singular(const struct ab_worker *w, const struct ab_ply *s, const struct visit *v,
    move m)
{
	const struct abtable_entry *t = &v->table;

	return v->depth >= 6 && m == t->move && s->excluded == 0 &&
	    t->depth + 3 >= v->depth && t->bound & BOUND_LOWER && t->score < AB_SURE &&
	    t->score > -AB_SURE && v->ply < 2 * w->root_depth && !w->ab->options.plain;
}

/* The late move reduction of a move, which has been made, in plies. */
static int
reduce(const struct ab_worker *w, const struct ab_ply *s, const struct visit *v,
    int order, int history)
{
	int r = tree_reduction(v->depth, v->tried);

	r += 110 * v->forcing + 119 * (s[1].cuts > 3);
	r += 100 * (v->cut + !v->improving - v->pv) - 85 * s->in_check;
	r -= order >= ORDER_GOOD ? 150 : order >= ORDER_KILLER ? 122 : 0;
	r -= history / 74 + v->off * 60 / w->unit;
	r -= 80 * (board_checkers(&w->board) != 0);
	return r < 0 ? 0 : r / 100;
}

/* Searches a move, which has been made: reduced and with a null window first. */
static int
try_move(struct ab_worker *w, struct ab_ply *s, const struct visit *v, int deeper,
    bool late, int order, int history)
{
	int alpha = v->alpha, next = v->ply + 1, found = -AB_INFINITE;
	bool whole = v->pv && v->tried == 1;

	if (w->ab->options.plain)
		return -tree_node(w, s + 1, -v->beta, -alpha, v->depth - 1, next, false);
	if (late) {
		int d = deeper - reduce(w, s, v, order, history);
		if (d < 1)
			d = deeper < 1 ? deeper : 1;
		found = -tree_node(w, s + 1, -alpha - 1, -alpha, d, next, true);
		if (found > alpha && d + 1 < deeper && v->best > -AB_SURE &&
		    found > v->best + pawns(w, 161))
			deeper++;
		if (found > alpha && d < deeper) {
			found = -tree_node(w, s + 1, -alpha - 1, -alpha, deeper, next,
			    !v->cut);
			if (s->quiet && !w->stopped)
				history_confirm(w, s,
				    found <= alpha ? -1 : found >= v->beta);
		}
	} else if (!whole) {
		found = -tree_node(w, s + 1, -alpha - 1, -alpha, deeper, next, !v->cut);
	}
	if (whole || (v->pv && found > alpha))
		found = -tree_node(w, s + 1, -v->beta, -alpha, deeper, next, false);
	return found;
}

/* Records the score of a move; true if it is a beta cutoff. */
static bool
take_value(struct ab_ply *s, struct visit *v, move m, bool noisy, int found)
{
	if (found > v->best) {
		v->best = found;
		if (found > v->alpha) {
			v->best_move = m;
			v->alpha = found;
			if (v->pv)
				extend_line(s, m);
			if (found >= v->beta)
				return true;
		}
	}
	if (noisy && v->ncaptures < 32)
		v->captures[v->ncaptures++] = m;
	else if (!noisy && v->nquiets < 64)
		v->quiets[v->nquiets++] = m;
	return false;
}

/* Searches the moves in order until a beta cutoff. True if *score is the node's
 * score, and not to be stored. */
static bool
search_moves(struct ab_worker *w, struct ab_ply *s, struct visit *v, int *score)
{
	bool plain = w->ab->options.plain;
	struct ab_picker p;
	struct undo u;
	int order;
	move m;

	v->forcing = v->table.move != 0 && board_is_noisy(&w->board, v->table.move);
	s[2].cuts = 0;
	picker_init(&p, w, s, v->table.move);
	if (p.n == 0) {
		*score = tree_score_without_moves(w, v->ply);
		return true;
	}
	while ((m = picker_next(&p, &order)) != 0) {
		if (m == s->excluded)
			continue;
		bool noisy = board_is_noisy(&w->board, m);
		/* With a mate known, any move may lead to a nearer one. */
		if (!plain && v->best > -AB_SURE && v->alpha < AB_SURE && v->tried > 0 &&
		    prune_move(w, s, v, &p, m, order))
			continue;
		int extend = 0;
		if (may_be_singular(w, s, v, m)) {
			*score = -AB_INFINITE;
			extend = singular(w, s, &v->table, v->beta, v->depth, v->ply,
			    v->cut, v->pv, score);
			if (w->stopped || *score != -AB_INFINITE)
				return true;
		}
		int history = noisy ? *capture_history(w, m) : history_of(w, s, m);
		s[1].extensions = s->extensions + (extend > 1);
		tree_make(w, s, v->ply, m, &u);
		v->tried++;
		bool late = v->depth >= 2 && v->tried > 1 + v->pv;
		int found =
		    try_move(w, s, v, v->depth - 1 + extend, late, order, history);
		tree_unmake(w, m, &u);
		if (w->stopped)
			return true;
		if (take_value(s, v, m, noisy, found))
			break;
	}
	*score = v->alpha;
	return v->tried == 0; /* the excluded move was the only one */
}

/* Updates histories, corrections and the table. */
static void
remember(struct ab_worker *w, struct ab_ply *s, const struct visit *v)
{
	int best = v->best,
	    bound = best >= v->beta ? BOUND_LOWER
	    : best > v->first_alpha ? BOUND_EXACT
				    : BOUND_UPPER;

	s->cuts += best >= v->beta;
	if (best >= v->beta)
		history_reward(w, s, v->best_move, v->depth, v->quiets, v->nquiets,
		    v->captures, v->ncaptures);
	else if (best <= v->first_alpha && s[-1].move != 0 && s[-1].quiet)
		history_reward_last(w, s, v->depth);
	if (s->excluded != 0)
		return;
	if (!s->in_check &&
	    (v->best_move == 0 || !board_is_noisy(&w->board, v->best_move)) &&
	    !(bound == BOUND_LOWER && best <= s->eval) &&
	    !(bound == BOUND_UPPER && best >= s->eval) && best < AB_SURE &&
	    best > -AB_SURE)
		correction_learn(w, s, v->depth, best - v->raw);
	abtable_put(&w->ab->table, v->key,
	    (struct abtable_entry){ v->best_move, (int16_t)to_table(best, v->ply),
		(int16_t)v->raw, (uint8_t)v->depth, (uint8_t)bound });
}

int
tree_node(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int depth, int ply,
    bool cut)
{
	struct visit v;
	bool plain = w->ab->options.plain;
	int score = 0;

	if (depth <= 0)
		return tree_quiesce(w, s, alpha, beta, ply);
	s->nline = 0;
	if (tree_is_over(w))
		return 0;
	if (ply > w->seldepth)
		w->seldepth = ply;
	v.alpha = alpha;
	v.beta = beta;
	v.depth = depth;
	v.ply = ply;
	v.pv = beta - alpha > 1;
	v.cut = cut;
	v.table = (struct abtable_entry){ 0 };
	if (is_settled(w, s, &v, &score))
		return score;
	judge(w, s, &v);
	s[1].killers[0] = s[1].killers[1] = 0;
	s[1].extensions = s->extensions;
	if (!plain && !v.pv && !s->in_check && s->excluded == 0 &&
	    tree_cuts(w, s, v.alpha, v.beta, depth, ply, v.improving, v.table.move,
		&score))
		return score;
	if (w->stopped)
		return 0;
	if (!plain && depth >= 4 && v.table.move == 0 && s->excluded == 0 &&
	    (v.pv || cut))
		v.depth--;
	v.best = -AB_INFINITE;
	v.best_move = 0;
	v.tried = v.nquiets = v.ncaptures = 0;
	if (search_moves(w, s, &v, &score))
		return w->stopped ? 0 : score;
	if (plain)
		return v.best;
	/* A score far above beta is unreliable: move it towards beta. */
	if (v.best >= v.beta && v.best < AB_SURE && v.beta > -AB_SURE)
		v.best =
		    v.beta + (v.best - v.beta) * v.depth * 100 / (v.depth * 100 + 70);
	remember(w, s, &v);
	return v.best;
}
