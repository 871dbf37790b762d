/*
 * A node of alpha-beta, from top to bottom: ends of the game and the transposition
 * table; the static score; pruning of the whole node (razoring, reverse futility, null
 * move, probcut); its moves, with move pruning, extensions and late move reductions;
 * and the updates of histories and table.
 */
#include "absearch.h"

#include <math.h>
#include <stdlib.h>

#include "chess/zobrist.h"
#include "see.h"

/* The state of a node while it is searched. */
struct ab_node {
	int alpha, beta, old_alpha, depth, ply;
	bool pv_node, cut_node; /* of the latter a beta cutoff is expected */
	bool improving;         /* the static score, since the mover's last turn */
	uint64_t key;
	bool hit;                   /* the table has the position: */
	struct abtable_entry table; /* else move 0 */
	bool table_noisy;           /* its move captures or promotes */
	int raw_eval;               /* the static score without correction */
	int correction;             /* its size */
	int best_score, searched;   /* moves searched so far */
	move best_move, quiets[64], captures[32];
	int nquiets, ncaptures;
};

/* ---- before its moves ---- */

/* Must the side to move capture? Its static score says little then. */
static bool
is_forced(const struct board *b)
{
	move list[MOVES_MAX];

	return b->rules->must_capture[b->side] && movegen_noisy(b, list) > 0 &&
	    board_is_capture(b, list[0]);
}

/* Ends of the game, mate distance pruning, and cutoffs by the table: true if *score
 * is the node's score. */
static bool
return_early(struct ab_worker *w, struct ab_ply *s, struct ab_node *n, int *score)
{
	bool plain = w->ab->options.plain;

	if (ab_is_end(w, n->ply, score) ||
	    (ab_has_goal(w) && !n->pv_node && ab_goal_decides(w, n->ply, score)))
		return true;
	s->in_check = board_checkers(&w->board) != 0;
	if (n->ply >= AB_DEPTH_MAX) {
		*score = s->in_check ? 0 : ab_eval(w, s, n->ply);
		return true;
	}
	if (!plain) {
		/* mate distance pruning */
		if (n->alpha < n->ply - AB_MATE)
			n->alpha = n->ply - AB_MATE;
		if (n->beta > AB_MATE - n->ply - 1)
			n->beta = AB_MATE - n->ply - 1;
		*score = n->alpha;
		if (n->alpha >= n->beta)
			return true;
	}
	s->forced = !plain && is_forced(&w->board);
	n->old_alpha = n->alpha;
	n->key = ab_key(w, n->ply);
	n->hit =
	    !plain && s->excluded == 0 && abtable_get(&w->ab->table, n->key, &n->table);
	if (!n->hit || n->pv_node || n->table.depth < n->depth)
		return false;
	*score = score_from_table(n->table.score, n->ply);
	return (n->table.bound & BOUND_LOWER && *score >= n->beta) ||
	    (n->table.bound & BOUND_UPPER && *score <= n->alpha);
}

/* Sets the static score, and whether it has improved since the mover's last
 * turn. */
static void
set_static_eval(struct ab_worker *w, struct ab_ply *s, struct ab_node *n)
{
	const struct abtable_entry *t = &n->table;

	n->raw_eval = NO_EVAL;
	n->correction = 0;
	if (s->in_check) {
		s->eval = NO_EVAL;
	} else if (s->excluded != 0) {
		n->raw_eval = s->eval;
	} else {
		n->raw_eval =
		    n->hit && t->eval != NO_EVAL ? t->eval : ab_eval(w, s, n->ply);
		s->eval = corrected(w, s, n->raw_eval);
		n->correction = abs(s->eval - n->raw_eval);
		if (s[-1].move != 0 && s[-1].quiet && s[-1].eval != NO_EVAL)
			history_update_by_eval(w, s);
		int found = score_from_table(t->score, n->ply);
		if (n->hit && t->bound & (found > s->eval ? BOUND_LOWER : BOUND_UPPER) &&
		    found < AB_MATE_BOUND && found > -AB_MATE_BOUND)
			s->eval = found;
	}
	int before = s[-2].eval != NO_EVAL ? s[-2].eval : s[-4].eval;
	n->improving = !s->in_check && (before == NO_EVAL || s->eval > before);
}

/*
 * Is zugzwang unlikely? Not with only pawns and king, unless they are a horde; and
 * where stalemate is worth something, the side needs enough pieces not to be near it.
 */
static bool
null_is_safe(const struct board *b)
{
	const bitboard *p = b->pieces[b->side];
	bitboard pieces = p[ALL] & ~(p[PAWN] | p[KING]);

	if (__builtin_popcountll(p[PAWN]) > 8)
		return true;
	/* Who must capture would rather pass. */
	if (pieces == 0 || b->rules->must_capture[WHITE] || b->rules->must_capture[BLACK])
		return false;
	return (b->rules->stalemate_value[WHITE] | b->rules->stalemate_value[BLACK]) ==
	    0 ||
	    (__builtin_popcountll(pieces) >= 2 && __builtin_popcountll(p[ALL]) >= 5);
}

static void
make_null(struct ab_worker *w, struct ab_ply *s, int ply, struct board *kept)
{
	struct board *b = &w->board;

	*kept = *b;
	s->move = 0;
	s->quiet = true;
	s->continuation = &w->no_continuation;
	s->piece_to = ab_piece_to(0, 0);
	b->key ^= zobrist_black ^ zobrist_ep[b->ep];
	b->ep = NO_SQUARE;
	b->side ^= 1;
	b->count = 0; /* no repetition across a null move */
	w->keys[w->plies + ply + 1] = b->key;
	s[1].filled = false;
	count_node(w);
}

/* Null move pruning, verified by a search without it at large depths. */
static bool
null_move_cuts(struct ab_worker *w, struct ab_ply *s, int beta, int depth, int ply,
    int *score)
{
	struct board kept;
	int above = 100 * (s->eval - beta) / (pawns(w, 192) + 1);
	int r = (321 + 25 * depth + (above > 300 ? 300 : above)) / 100;

	make_null(w, s, ply, &kept);
	int v = -ab_search(w, s + 1, -beta, 1 - beta, depth - r, ply + 1, false);
	w->board = kept;
	if (w->stopped || v < beta)
		return false;
	*score = v > AB_MATE_BOUND ? beta : v;
	if (depth < 12 || w->null_min_ply > 0)
		return true;
	w->null_min_ply = ply + 3 * (depth - r) / 4;
	v = ab_search(w, s, beta - 1, beta, depth - r, ply, false);
	w->null_min_ply = 0;
	return v >= beta;
}

/* Does a capture, searched less deep, exceed beta by a wide margin? */
static bool
probcut(struct ab_worker *w, struct ab_ply *s, int beta, int depth, int ply, move first,
    int *score)
{
	int high = beta + pawns(w, 177), order;
	struct ab_picker p;
	struct undo u;
	move m;

	picker_init_noisy(&p, w, first);
	while ((m = picker_next(&p, &order)) != 0) {
		if (m == s->excluded ||
		    !see_at_least(&w->board, m, high - s->eval, w->worth))
			continue;
		ab_make(w, s, ply, m, &u);
		int v = -ab_quiesce(w, s + 1, -high, 1 - high, ply + 1);
		if (v >= high && depth > 4)
			v = -ab_search(w, s + 1, -high, 1 - high, depth - 4, ply + 1,
			    true);
		ab_unmake(w, m, &u);
		if (w->stopped)
			return false;
		if (v >= high) {
			*score = v;
			return true;
		}
	}
	return false;
}

/* Prunes the whole node by its static score or by small searches: true with its
 * score. */
static bool
prune_node(struct ab_worker *w, struct ab_ply *s, const struct ab_node *n, int *score)
{
	int eval = s->eval, alpha = n->alpha, beta = n->beta, depth = n->depth;

	/* razoring */
	if (depth <= 3 && eval + pawns(w, 249 * depth + 65) < alpha &&
	    alpha < AB_MATE_BOUND) {
		int found = ab_quiesce(w, s, alpha, alpha + 1, n->ply);
		if (found <= alpha) {
			*score = found;
			return true;
		}
	}
	/* reverse futility pruning */
	if (depth <= 8 && eval - pawns(w, 51 * depth - 19 * n->improving) >= beta &&
	    eval < AB_MATE_BOUND && beta > -AB_MATE_BOUND) {
		*score = (2 * beta + eval) / 3;
		return true;
	}
	if (depth >= 2 && eval >= beta + pawns(w, 25) && s[-1].move != 0 &&
	    n->ply >= w->null_min_ply && beta > -AB_MATE_BOUND &&
	    null_is_safe(&w->board) && null_move_cuts(w, s, beta, depth, n->ply, score))
		return true;
	return depth >= 5 && beta < AB_MATE_BOUND && beta > -AB_MATE_BOUND &&
	    !w->stopped && probcut(w, s, beta, depth, n->ply, n->table.move, score);
}

/* ---- its moves ---- */

static int16_t reductions[64][64]; /* [depth][move], in hundredths of a ply */

__attribute__((constructor)) static void
fill_reductions(void)
{
	for (int d = 1; d < 64; d++)
		for (int n = 1; n < 64; n++)
			reductions[d][n] = (int16_t)(65 + 45 * log(d) * log(n));
}

int
ab_reduction(int depth, int n)
{
	return reductions[depth > 63 ? 63 : depth][n > 63 ? 63 : n];
}

/* Under checks_to_win, does the move give check? Such moves are never pruned. */
static bool
is_winning_check(struct ab_worker *w, move m)
{
	struct board *b = &w->board;
	struct undo u;

	if (b->rules->checks_to_win[b->side] == 0)
		return false;
	board_make(b, m, &u);
	bool check = board_checkers(b) != 0;
	board_unmake(b, m, &u);
	return check;
}

/* May this quiet move and all later ones be skipped? By late move pruning,
 * futility pruning, or history pruning. */
static bool
skip_quiets(const struct ab_worker *w, const struct ab_ply *s, const struct ab_node *n,
    int order, int left)
{
	int depth = n->depth;

	if (depth <= 8 &&
	    n->searched >= (443 + 171 * depth * depth) / (n->improving ? 100 : 165))
		return true;
	if (!s->in_check && left <= 8 && s->eval + pawns(w, 66 + 54 * left) <= n->alpha)
		return true;
	return depth <= 4 && order < ORDER_KILLER && order < -3330 * depth;
}

/* May this move, the picker's last, be skipped? */
static bool
prune_move(struct ab_worker *w, struct ab_ply *s, const struct ab_node *n,
    struct ab_picker *p, move m, int order)
{
	const struct board *b = &w->board;

	/* Against a nearly bare king pruning would overlook mates. */
	if (is_winning_check(w, m) ||
	    __builtin_popcountll(b->pieces[b->side ^ 1][ALL]) <= 2)
		return false;
	if (board_is_noisy(b, m))
		return n->depth <= 6 && order < 0 &&
		    !see_at_least(b, m, -pawns(w, 82 * n->depth), w->worth);
	int left = n->depth - ab_reduction(n->depth, n->searched) / 100;
	if (left < 0)
		left = 0;
	if (skip_quiets(w, s, n, order, left)) {
		if (b->rules->checks_to_win[b->side] == 0)
			picker_drop_quiet(p, b);
		return true;
	}
	return left <= 8 && !see_at_least(b, m, -pawns(w, 20 * left * left), w->worth);
}

/* Singular extension: is the table's move the only good one? Returns the extension
 * in plies, negative if other moves are good too; or sets *score if another move
 * reaches beta (multi-cut). */
static int
singular_extension(struct ab_worker *w, struct ab_ply *s, const struct abtable_entry *t,
    int beta, int depth, int ply, bool cut, bool pv, int *score)
{
	int known = score_from_table(t->score, ply), target = known - pawns(w, 2 * depth);

	s->excluded = t->move;
	int v = ab_search(w, s, target - 1, target, (depth - 1) / 2, ply, cut);
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

/* Is this the table's move, and worth a singular search? */
static bool
may_be_singular(const struct ab_worker *w, const struct ab_ply *s,
    const struct ab_node *n, move m)
{
	const struct abtable_entry *t = &n->table;

	return n->depth >= 6 && m == t->move && s->excluded == 0 &&
	    t->depth + 3 >= n->depth && t->bound & BOUND_LOWER &&
	    t->score < AB_MATE_BOUND && t->score > -AB_MATE_BOUND &&
	    n->ply < 2 * w->root_depth && !w->ab->options.plain;
}

/* The late move reduction of a move, which has been made, in plies. */
static int
late_move_reduction(const struct ab_worker *w, const struct ab_ply *s,
    const struct ab_node *n, int order, int history)
{
	int r = ab_reduction(n->depth, n->searched);

	r += 110 * n->table_noisy + 119 * (s[1].cuts > 3);
	r += 100 * (n->cut_node + !n->improving - n->pv_node) - 85 * s->in_check;
	r -= order >= ORDER_GOOD ? 150 : order >= ORDER_KILLER ? 122 : 0;
	r -= history / 74 + n->correction * 60 / w->unit;
	r -= 80 * (board_checkers(&w->board) != 0);
	return r < 0 ? 0 : r / 100;
}

/* Searches a move, which has been made: reduced and with a null window first. */
static int
search_move(struct ab_worker *w, struct ab_ply *s, const struct ab_node *n, int deeper,
    bool late, int order, int history)
{
	int alpha = n->alpha, next = n->ply + 1, found = -AB_INFINITE;
	bool whole = n->pv_node && n->searched == 1;

	if (w->ab->options.plain)
		return -ab_search(w, s + 1, -n->beta, -alpha, n->depth - 1, next, false);
	if (late) {
		int d = deeper - late_move_reduction(w, s, n, order, history);
		if (d < 1)
			d = deeper < 1 ? deeper : 1;
		found = -ab_search(w, s + 1, -alpha - 1, -alpha, d, next, true);
		if (found > alpha && d + 1 < deeper && n->best_score > -AB_MATE_BOUND &&
		    found > n->best_score + pawns(w, 161))
			deeper++;
		if (found > alpha && d < deeper) {
			found = -ab_search(w, s + 1, -alpha - 1, -alpha, deeper, next,
			    !n->cut_node);
			if (s->quiet && !w->stopped)
				history_update_after_research(w, s,
				    found <= alpha ? -1 : found >= n->beta);
		}
	} else if (!whole) {
		found =
		    -ab_search(w, s + 1, -alpha - 1, -alpha, deeper, next, !n->cut_node);
	}
	if (whole || (n->pv_node && found > alpha))
		found = -ab_search(w, s + 1, -n->beta, -alpha, deeper, next, false);
	return found;
}

/* Records the score of a move; true if it is a beta cutoff. */
static bool
update_best(struct ab_ply *s, struct ab_node *n, move m, bool noisy, int found)
{
	if (found > n->best_score) {
		n->best_score = found;
		if (found > n->alpha) {
			n->best_move = m;
			n->alpha = found;
			if (n->pv_node)
				update_pv(s, m);
			if (found >= n->beta)
				return true;
		}
	}
	if (noisy && n->ncaptures < 32)
		n->captures[n->ncaptures++] = m;
	else if (!noisy && n->nquiets < 64)
		n->quiets[n->nquiets++] = m;
	return false;
}

/* Searches the moves in order until a beta cutoff. True if *score is the node's
 * score, and not to be stored. */
static bool
search_moves(struct ab_worker *w, struct ab_ply *s, struct ab_node *n, int *score)
{
	bool plain = w->ab->options.plain;
	struct ab_picker p;
	struct undo u;
	int order;
	move m;

	n->table_noisy = n->table.move != 0 && board_is_noisy(&w->board, n->table.move);
	s[2].cuts = 0;
	picker_init(&p, w, s, n->table.move);
	if (p.n == 0) {
		*score = ab_score_without_moves(w, n->ply);
		return true;
	}
	while ((m = picker_next(&p, &order)) != 0) {
		if (m == s->excluded)
			continue;
		bool noisy = board_is_noisy(&w->board, m);
		/* With a mate known, any move may lead to a nearer one. */
		if (!plain && n->best_score > -AB_MATE_BOUND &&
		    n->alpha < AB_MATE_BOUND && n->searched > 0 &&
		    prune_move(w, s, n, &p, m, order))
			continue;
		int extend = 0;
		if (may_be_singular(w, s, n, m)) {
			*score = -AB_INFINITE;
			extend = singular_extension(w, s, &n->table, n->beta, n->depth,
			    n->ply, n->cut_node, n->pv_node, score);
			if (w->stopped || *score != -AB_INFINITE)
				return true;
		}
		/* a forced recapture, the only move */
		if (extend == 0 && s->forced && p.n == 1 && n->ply < 2 * w->root_depth)
			extend = 1;
		int history = noisy ? *capture_history(w, m) : history_of(w, s, m);
		s[1].extensions = s->extensions + (extend > 1);
		ab_make(w, s, n->ply, m, &u);
		n->searched++;
		bool late = n->depth >= 2 && n->searched > 1 + n->pv_node && !s->forced;
		int found =
		    search_move(w, s, n, n->depth - 1 + extend, late, order, history);
		ab_unmake(w, m, &u);
		if (w->stopped)
			return true;
		if (update_best(s, n, m, noisy, found))
			break;
	}
	*score = n->alpha;
	return n->searched == 0; /* the excluded move was the only one */
}

/* ---- after its moves, and the whole ---- */

/* Updates histories, corrections and the table. */
static void
store_result(struct ab_worker *w, struct ab_ply *s, const struct ab_node *n)
{
	int best = n->best_score,
	    bound = best >= n->beta ? BOUND_LOWER
	    : best > n->old_alpha   ? BOUND_EXACT
				    : BOUND_UPPER;

	s->cuts += best >= n->beta;
	if (best >= n->beta)
		history_reward(w, s, n->best_move, n->depth, n->quiets, n->nquiets,
		    n->captures, n->ncaptures);
	else if (best <= n->old_alpha && s[-1].move != 0 && s[-1].quiet)
		history_reward_last(w, s, n->depth);
	if (s->excluded != 0)
		return;
	if (!s->in_check &&
	    (n->best_move == 0 || !board_is_noisy(&w->board, n->best_move)) &&
	    !(bound == BOUND_LOWER && best <= s->eval) &&
	    !(bound == BOUND_UPPER && best >= s->eval) && best < AB_MATE_BOUND &&
	    best > -AB_MATE_BOUND)
		correction_update(w, s, n->depth, best - n->raw_eval);
	abtable_put(&w->ab->table, n->key,
	    (struct abtable_entry){ n->best_move, (int16_t)score_to_table(best, n->ply),
		(int16_t)n->raw_eval, (uint8_t)n->depth, (uint8_t)bound });
}

int
ab_search(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int depth, int ply,
    bool cut)
{
	struct ab_node n;
	bool plain = w->ab->options.plain;
	int score = 0;

	if (depth <= 0)
		return ab_quiesce(w, s, alpha, beta, ply);
	s->pv_length = 0;
	if (ab_must_stop(w))
		return 0;
	if (ply > w->seldepth)
		w->seldepth = ply;
	n.alpha = alpha;
	n.beta = beta;
	n.depth = depth;
	n.ply = ply;
	n.pv_node = beta - alpha > 1;
	n.cut_node = cut;
	n.table = (struct abtable_entry){ 0 };
	if (return_early(w, s, &n, &score))
		return score;
	set_static_eval(w, s, &n);
	s[1].killers[0] = s[1].killers[1] = 0;
	s[1].extensions = s->extensions;
	if (!plain && !n.pv_node && !s->in_check && !s->forced && s->excluded == 0 &&
	    prune_node(w, s, &n, &score))
		return score;
	if (w->stopped)
		return 0;
	/* internal iterative reduction */
	if (!plain && depth >= 4 && n.table.move == 0 && s->excluded == 0 &&
	    (n.pv_node || cut))
		n.depth--;
	n.best_score = -AB_INFINITE;
	n.best_move = 0;
	n.searched = n.nquiets = n.ncaptures = 0;
	if (search_moves(w, s, &n, &score))
		return w->stopped ? 0 : score;
	if (plain)
		return n.best_score;
	/* A score far above beta is unreliable: move it towards beta. */
	if (n.best_score >= n.beta && n.best_score < AB_MATE_BOUND &&
	    n.beta > -AB_MATE_BOUND)
		n.best_score = n.beta +
		    (n.best_score - n.beta) * n.depth * 100 / (n.depth * 100 + 70);
	store_result(w, s, &n);
	return n.best_score;
}
