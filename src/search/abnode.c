/*
 * The tree of alpha-beta: a node, and quiescence.
 */
#include "abtree.h"

#include <math.h>

#include "chess/zobrist.h"
#include "see.h"

/* ---- budgets ---- */

static inline bool
is_over(struct ab_worker *w)
{
	if (w->stopped)
		return true;
	uint64_t limit = w->ab->limits.nodes;
	if (limit != 0 && nodes_of(w) >= limit)
		return w->stopped = true;
	if ((nodes_of(w) & 1023) == 0)
		ab_poll(w);
	return w->stopped;
}

/* ---- quiescence ---- */

/* Without check nobody has to move: the static score is a bound, or what the table
 * knows (NULL: nothing). True when *best is the result; else the captures are in
 * the picker. */
static bool
stand_pat(struct ab_worker *w, struct ab_ply *s, const struct abtable_entry *t,
    int beta, int ply, struct ab_picker *p, int *raw, int *best)
{
	const struct board *b = &w->board;
	bool plain = w->ab->options.plain;

	if ((plain || few_men(b)) && movegen_count(b) == 0) {
		*best = tree_score_without_moves(w, ply);
		return true;
	}
	*raw = *best = t != NULL && t->eval != NO_EVAL ? t->eval :
	    tree_eval(w, s, ply);
	if (plain)
		return true;
	*best = s->eval = corrected(w, *raw);
	if (t != NULL) {
		int v = from_table(t->score, ply);
		if (t->bound & (v > *best ? BOUND_LOWER : BOUND_UPPER))
			*best = v;
	}
	if (*best >= beta)
		return true;
	picker_init_noisy(p, w, t != NULL ? t->move : 0);
	if (p->n > 0 || movegen_count(b) > 0)
		return false;
	*best = tree_score_without_moves(w, ply);
	return true;
}

/* In check all moves are searched. True when *best is the result. */
static bool
list_evasions(struct ab_worker *w, struct ab_ply *s, move first, int ply,
    struct ab_picker *p, int *best)
{
	s->eval = NO_EVAL;
	picker_init(p, w, s, first);
	if (p->n == 0)
		*best = tree_score_without_moves(w, ply);
	else if (w->ab->options.plain)
		*best = tree_eval(w, s, ply);
	else
		return false;
	return true;
}

/* Is a capture too little, or does it gain nothing? *best is at least what it
 * could have brought. */
static bool
is_hopeless(struct ab_worker *w, move m, int floor, int alpha, int *best)
{
	const struct board *b = &w->board;

	if (move_kind(m) != MOVE_PROMOTION &&
	    floor + w->worth[captured_type(b, m)] <= alpha) {
		int v = floor + w->worth[captured_type(b, m)];
		*best = v > *best ? v : *best;
		return true;
	}
	return !see_at_least(b, m, pawns(w, 19), w->worth);
}

/* Searches the picker's moves, where *best is there without any of them. Returns
 * the best one, 0 if none is better than alpha. */
static move
quiesce_moves(struct ab_worker *w, struct ab_ply *s, struct ab_picker *p,
    int alpha, int beta, int ply, int *best)
{
	int order, tried = 0;
	int floor = s->in_check ? -AB_INFINITE : s->eval + pawns(w, 243);
	move m, best_move = 0;
	struct undo u;

	if (*best > alpha)
		alpha = *best;
	while ((m = picker_next(p, &order)) != 0) {
		if (*best > -AB_SURE && s->in_check && tried > 2 &&
		    order < ORDER_KILLER)
			break;
		if (*best > -AB_SURE && !s->in_check &&
		    is_hopeless(w, m, floor, alpha, best))
			continue;
		tried++;
		tree_make(w, s, ply, m, &u);
		int v = -tree_quiesce(w, s + 1, -beta, -alpha, ply + 1);
		tree_unmake(w, m, &u);
		if (w->stopped)
			return 0;
		if (v <= *best)
			continue;
		*best = v;
		if (v > alpha) {
			alpha = v;
			best_move = m;
			if (v >= beta)
				break;
		}
	}
	return best_move;
}

int
tree_quiesce(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int ply)
{
	struct abtable_entry t = { 0 };
	struct ab_picker p;
	int best = -AB_INFINITE, raw = NO_EVAL, end;

	s->nline = 0;
	if (is_over(w))
		return 0;
	if (ply > w->seldepth)
		w->seldepth = ply;
	if (tree_is_end(w, ply, &end))
		return end;
	s->in_check = board_checkers(&w->board) != 0;
	if (ply >= AB_DEPTH_MAX)
		return s->in_check ? 0 : tree_eval(w, s, ply);
	uint64_t key = tree_key(w, ply);
	bool known = !w->ab->options.plain && abtable_get(&w->ab->table, key, &t);
	if (known && beta - alpha == 1) {
		int v = from_table(t.score, ply);
		if ((t.bound & BOUND_LOWER && v >= beta) ||
		    (t.bound & BOUND_UPPER && v <= alpha))
			return v;
	}
	if (s->in_check ? list_evasions(w, s, t.move, ply, &p, &best) :
	    stand_pat(w, s, known ? &t : NULL, beta, ply, &p, &raw, &best))
		return best;
	move best_move = quiesce_moves(w, s, &p, alpha, beta, ply, &best);
	if (w->stopped)
		return 0;
	struct abtable_entry e = { best_move, (int16_t)to_table(best, ply),
	    (int16_t)raw, 0, best >= beta ? BOUND_LOWER :
	    best > alpha && best_move != 0 && beta - alpha > 1 ?
	    BOUND_EXACT : BOUND_UPPER };
	abtable_put(&w->ab->table, key, e);
	return best;
}

/* ---- a node ---- */

static int16_t reductions[64][64];	/* [depth][move] */

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

/*
 * May the mover's best move be to pass? Never where it has pawns and king only,
 * and where stalemate is worth something it wants pieces enough not to be near
 * one.
 */
static bool
null_is_safe(const struct board *b)
{
	const bitboard *p = b->pieces[b->side];
	bitboard pieces = p[ALL] & ~(p[PAWN] | p[KING]);

	if (pieces == 0)
		return false;
	return b->rules->stalemate_value == 0 ||
	    (__builtin_popcountll(pieces) >= 2 &&
	    __builtin_popcountll(p[ALL]) >= 5);
}

static void
make_null(struct ab_worker *w, struct ab_ply *s, int ply, struct board *kept)
{
	struct board *b = &w->board;

	*kept = *b;
	s->move = 0;
	s->quiet = true;
	s->continuation = &w->nothing;
	b->key ^= zobrist_black ^ zobrist_ep[b->ep];
	b->ep = NO_SQUARE;
	b->side ^= 1;
	b->count = 0;		/* nothing before this can be repeated */
	w->keys[w->plies + ply + 1] = b->key;
	s[1].filled = false;
	count_node(w);
}

/* Would passing hold the line? */
static bool
null_move_cuts(struct ab_worker *w, struct ab_ply *s, int beta, int depth,
    int ply, int *score)
{
	struct board kept;
	int above = 100 * (s->eval - beta) / (pawns(w, 192) + 1);
	int r = (321 + 25 * depth + (above > 300 ? 300 : above)) / 100;

	make_null(w, s, ply, &kept);
	int v = -tree_node(w, s + 1, -beta, 1 - beta, depth - r, ply + 1, false);
	w->board = kept;
	if (w->stopped || v < beta)
		return false;
	*score = v > AB_SURE ? beta : v;
	if (depth < 12 || w->null_from > 0)
		return true;
	w->null_from = ply + 3 * (depth - r) / 4;
	v = tree_node(w, s, beta - 1, beta, depth - r, ply, false);
	w->null_from = 0;
	return v >= beta;
}

/* Is one capture so good that the line cannot be worth it? */
static bool
probcut(struct ab_worker *w, struct ab_ply *s, int beta, int depth, int ply,
    move first, int *score)
{
	int high = beta + pawns(w, 177), order;
	struct ab_picker p;
	struct undo u;
	move m;

	picker_init_noisy(&p, w, first);
	while ((m = picker_next(&p, &order)) != 0) {
		if (m == s->excluded || !see_at_least(&w->board, m,
		    high - s->eval, w->worth))
			continue;
		tree_make(w, s, ply, m, &u);
		int v = -tree_quiesce(w, s + 1, -high, 1 - high, ply + 1);
		if (v >= high && depth > 4)
			v = -tree_node(w, s + 1, -high, 1 - high, depth - 4, ply + 1,
			    true);
		tree_unmake(w, m, &u);
		if (w->stopped)
			return false;
		if (v >= high) {
			*score = v;
			return true;
		}
	}
	return false;
}

/* Cuts that need no move to be looked at in full. */
static bool
prune_node(struct ab_worker *w, struct ab_ply *s, int alpha, int beta,
    int depth, int ply, bool improving, move first, int *score)
{
	int eval = s->eval;

	if (depth <= 3 && eval + pawns(w, 249 * depth + 65) < alpha &&
	    alpha < AB_SURE) {
		int v = tree_quiesce(w, s, alpha, alpha + 1, ply);
		if (v <= alpha) {
			*score = v;
			return true;
		}
	}
	if (depth <= 8 && eval - pawns(w, 51 * depth - 19 * improving) >= beta &&
	    eval < AB_SURE && beta > -AB_SURE) {
		*score = (2 * beta + eval) / 3;
		return true;
	}
	if (depth >= 2 && eval >= beta + pawns(w, 15) && s[-1].move != 0 &&
	    ply >= w->null_from && beta > -AB_SURE && null_is_safe(&w->board) &&
	    null_move_cuts(w, s, beta, depth, ply, score))
		return true;
	return depth >= 5 && beta < AB_SURE && beta > -AB_SURE && !w->stopped &&
	    probcut(w, s, beta, depth, ply, first, score);
}

/* A node on its way. */
struct visit {
	int alpha, beta, first_alpha, depth, ply;
	bool pv, cut, known, improving;
	bool forcing;		/* the table's move captures or promotes */
	uint64_t key;
	struct abtable_entry table;	/* move 0 if nothing is known */
	int raw;		/* the static score as the net gave it */
	int best, tried;
	move best_move, quiets[64], captures[32];
	int nquiets, ncaptures;
};

/* Where checks win games, a check is never a quiet move. */
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

/* Is a quiet move, and so each that comes after it, worth less than a reply that
 * is known already, at this depth? */
static bool
quiets_are_done(const struct ab_worker *w, const struct ab_ply *s,
    const struct visit *v, int order, int left)
{
	int depth = v->depth;

	if (depth <= 8 && v->tried >= (419 + 171 * depth * depth) /
	    (v->improving ? 100 : 157))
		return true;
	if (!s->in_check && left <= 8 &&
	    s->eval + pawns(w, 89 + 58 * left) <= v->alpha)
		return true;
	return depth <= 4 && order < ORDER_KILLER && order < -3330 * depth;
}

/* The same for one move, which the picker has just given. */
static bool
prune_move(struct ab_worker *w, struct ab_ply *s, const struct visit *v,
    struct ab_picker *p, move m, int order)
{
	const struct board *b = &w->board;

	if (is_winning_check(w, m))
		return false;
	if (board_is_noisy(b, m))
		return v->depth <= 6 && order < 0 && !see_at_least(b, m,
		    -pawns(w, 82 * v->depth), w->worth);
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

/* Is the table's move the only good one? Returns how much deeper to look at it;
 * or sets *score when another good one cuts anyway. */
static int
singular(struct ab_worker *w, struct ab_ply *s, const struct abtable_entry *t,
    int beta, int depth, int ply, bool cut, bool pv, int *score)
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

/* What is known before any move is looked at: true when that is enough. */
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
		/* no line is better than a mate that is nearer */
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
	v->known = !plain && s->excluded == 0 &&
	    abtable_get(&w->ab->table, v->key, &v->table);
	if (!v->known || v->pv || v->table.depth < v->depth)
		return false;
	*score = from_table(v->table.score, v->ply);
	return (v->table.bound & BOUND_LOWER && *score >= v->beta) ||
	    (v->table.bound & BOUND_UPPER && *score <= v->alpha);
}

/* The static score, and whether it has risen since the mover's last turn. */
static void
judge(struct ab_worker *w, struct ab_ply *s, struct visit *v)
{
	const struct abtable_entry *t = &v->table;

	v->raw = NO_EVAL;
	if (s->in_check) {
		s->eval = NO_EVAL;
	} else if (s->excluded != 0) {
		v->raw = s->eval;
	} else {
		v->raw = v->known && t->eval != NO_EVAL ? t->eval :
		    tree_eval(w, s, v->ply);
		s->eval = corrected(w, v->raw);
		int found = from_table(t->score, v->ply);
		if (v->known && t->bound & (found > s->eval ? BOUND_LOWER :
		    BOUND_UPPER) && found < AB_SURE && found > -AB_SURE)
			s->eval = found;
	}
	int before = s[-2].eval != NO_EVAL ? s[-2].eval : s[-4].eval;
	v->improving = !s->in_check && (before == NO_EVAL || s->eval > before);
}

/* Is it worth looking whether the table's move is the only good one? */
static bool
may_be_singular(const struct ab_worker *w, const struct ab_ply *s,
    const struct visit *v, move m)
{
	const struct abtable_entry *t = &v->table;

	return v->depth >= 6 && m == t->move && s->excluded == 0 &&
	    t->depth + 3 >= v->depth && t->bound & BOUND_LOWER &&
	    t->score < AB_SURE && t->score > -AB_SURE &&
	    v->ply < 2 * w->root_depth && !w->ab->options.plain;
}

/* How much less deep a late move is looked at. It has been made. */
static int
reduce(const struct ab_worker *w, const struct ab_ply *s,
    const struct visit *v, int order, int history)
{
	int r = tree_reduction(v->depth, v->tried);

	r += 110 * v->forcing + 119 * (s[1].cuts > 3);
	r += 100 * (v->cut + !v->improving - v->pv - s->in_check);
	r -= 122 * (order >= ORDER_KILLER);
	r -= history / 74;
	r -= 80 * (board_checkers(&w->board) != 0);
	return r < 0 ? 0 : r / 100;
}

/* The value of a move that has been made, by a narrow window first. */
static int
try_move(struct ab_worker *w, struct ab_ply *s, const struct visit *v,
    int deeper, bool late, int order, int history)
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
		if (found > alpha && d < deeper)
			found = -tree_node(w, s + 1, -alpha - 1, -alpha, deeper, next,
			    !v->cut);
	} else if (!whole) {
		found = -tree_node(w, s + 1, -alpha - 1, -alpha, deeper, next, !v->cut);
	}
	if (whole || (v->pv && found > alpha))
		found = -tree_node(w, s + 1, -v->beta, -alpha, deeper, next, false);
	return found;
}

/* A move has been looked at; true when it cuts. */
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

/* All moves, in their order, until one cuts. True: *score is the node's, and
 * there is nothing to remember of it. */
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
		/* a nearer mate than the one that is known may take any move */
		if (!plain && v->best > -AB_SURE && v->alpha < AB_SURE &&
		    v->tried > 0 && prune_move(w, s, v, &p, m, order))
			continue;
		int extend = 0;
		if (may_be_singular(w, s, v, m)) {
			*score = -AB_INFINITE;
			extend = singular(w, s, &v->table, v->beta, v->depth,
			    v->ply, v->cut, v->pv, score);
			if (w->stopped || *score != -AB_INFINITE)
				return true;
		}
		int history = noisy ? 0 : history_of(w, s, m);
		s[1].extensions = s->extensions + (extend > 1);
		tree_make(w, s, v->ply, m, &u);
		v->tried++;
		bool late = v->depth >= 2 && v->tried > 1 + v->pv &&
		    (!noisy || order < 0);
		int found = try_move(w, s, v, v->depth - 1 + extend, late, order,
		    history);
		tree_unmake(w, m, &u);
		if (w->stopped)
			return true;
		if (take_value(s, v, m, noisy, found))
			break;
	}
	*score = v->alpha;
	return v->tried == 0;	/* there was only the excluded one */
}

/* What history, corrections and table learn of a node. */
static void
remember(struct ab_worker *w, struct ab_ply *s, const struct visit *v)
{
	int best = v->best, bound = best >= v->beta ? BOUND_LOWER :
	    best > v->first_alpha ? BOUND_EXACT : BOUND_UPPER;

	s->cuts += best >= v->beta;
	if (best >= v->beta)
		history_reward(w, s, v->best_move, v->depth, v->quiets,
		    v->nquiets, v->captures, v->ncaptures);
	else if (best <= v->first_alpha && s[-1].move != 0 && s[-1].quiet)
		history_reward_last(w, s, v->depth);
	if (s->excluded != 0)
		return;
	if (!s->in_check &&
	    (v->best_move == 0 || !board_is_noisy(&w->board, v->best_move)) &&
	    !(bound == BOUND_LOWER && best <= s->eval) &&
	    !(bound == BOUND_UPPER && best >= s->eval) &&
	    best < AB_SURE && best > -AB_SURE)
		correction_learn(w, v->depth, best - v->raw);
	abtable_put(&w->ab->table, v->key, (struct abtable_entry){
	    v->best_move, (int16_t)to_table(best, v->ply), (int16_t)v->raw,
	    (uint8_t)v->depth, (uint8_t)bound });
}

int
tree_node(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int depth,
    int ply, bool cut)
{
	struct visit v;
	bool plain = w->ab->options.plain;
	int score = 0;

	if (depth <= 0)
		return tree_quiesce(w, s, alpha, beta, ply);
	s->nline = 0;
	if (is_over(w))
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
	    prune_node(w, s, v.alpha, v.beta, depth, ply, v.improving,
	    v.table.move, &score))
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
	if (!plain)
		remember(w, s, &v);
	return v.best;
}
