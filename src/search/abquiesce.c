/*
 * Quiescence search: captures and promotions or, in check, all evasions.
 */
#include "absearch.h"

#include "see.h"

/* So far beyond the depth of the iteration, who must capture may not stand pat. */
enum { FORCED_PLIES = 6 };

/* Stand pat: when not in check, the static score, or the table's score (t may be
 * NULL), is a lower bound. True if *best is the result; otherwise the captures are
 * in the picker. */
static bool
stand_pat(struct ab_worker *w, struct ab_ply *s, const struct abtable_entry *t, int beta,
    int ply, struct ab_picker *p, int *raw, int *best)
{
	const struct board *b = &w->board;
	bool plain = w->ab->options.plain;

	if ((plain || few_pieces(b)) && movegen_count(b) == 0) {
		*best = ab_score_without_moves(w, ply);
		return true;
	}
	*raw = *best = t != NULL && t->eval != NO_EVAL ? t->eval : ab_eval(w, s, ply);
	if (plain)
		return true;
	*best = s->eval = corrected(w, s, *raw);
	if (t != NULL) {
		int v = score_from_table(t->score, ply);
		if (t->bound & (v > *best ? BOUND_LOWER : BOUND_UPPER))
			*best = v;
	}
	/* Lines of forced captures may be as long as there are pieces. */
	bool forced =
	    b->rules->must_capture[b->side] && ply < w->root_depth + FORCED_PLIES;
	if (*best >= beta && !forced)
		return true;
	picker_init_noisy(p, w, t != NULL ? t->move : 0);
	if (forced && p->n > 0 && board_is_capture(b, p->list[0]))
		*best = -AB_INFINITE; /* no standing pat: it must capture */
	if (*best >= beta)
		return true;
	if (p->n > 0 || movegen_count(b) > 0)
		return false;
	*best = ab_score_without_moves(w, ply);
	return true;
}

/* In check all moves are searched. True if *best is the result. */
static bool
list_evasions(struct ab_worker *w, struct ab_ply *s, move first, int ply,
    struct ab_picker *p, int *best)
{
	s->eval = NO_EVAL;
	picker_init(p, w, s, first);
	if (p->n == 0)
		*best = ab_score_without_moves(w, ply);
	else if (w->ab->options.plain)
		*best = ab_eval(w, s, ply);
	else
		return false;
	return true;
}

/* Can a capture not reach alpha (delta pruning; raises *best to what it could
 * reach), or does it gain too little by static exchange? */
static bool
is_futile(struct ab_worker *w, move m, int futility_base, int alpha, int *best)
{
	const struct board *b = &w->board;

	if (b->rules->must_capture[b->side] || !board_is_noisy(b, m))
		return false;
	if (!b->rules->explode && !move_is_promotion(m) &&
	    futility_base + w->worth[captured_type(b, m)] <= alpha) {
		int v = futility_base + w->worth[captured_type(b, m)];
		*best = v > *best ? v : *best;
		return true;
	}
	return !see_at_least(b, m, pawns(w, 19), w->worth);
}

/* Searches the picker's moves; *best starts as the score without any. Returns the
 * best move, 0 if none exceeds alpha. */
static move
quiesce_moves(struct ab_worker *w, struct ab_ply *s, struct ab_picker *p, int alpha,
    int beta, int ply, int *best)
{
	int order, searched = 0;
	int futility_base = s->in_check ? -AB_INFINITE : s->eval + pawns(w, 267);
	move m, best_move = 0;
	struct undo u;

	if (*best > alpha)
		alpha = *best;
	while ((m = picker_next(p, &order)) != 0) {
		if (*best > -AB_MATE_BOUND && s->in_check && searched > 2 &&
		    order < ORDER_KILLER)
			break;
		if (*best > -AB_MATE_BOUND && !s->in_check &&
		    is_futile(w, m, futility_base, alpha, best))
			continue;
		searched++;
		ab_make(w, s, ply, m, &u);
		int v = -ab_quiesce(w, s + 1, -beta, -alpha, ply + 1);
		ab_unmake(w, m, &u);
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
ab_quiesce(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int ply)
{
	struct abtable_entry t = { 0 };
	struct ab_picker p;
	int best = -AB_INFINITE, raw = NO_EVAL, end;

	s->pv_length = 0;
	if (ab_must_stop(w))
		return 0;
	if (ply > w->seldepth)
		w->seldepth = ply;
	if (ab_is_end(w, ply, &end) || (ab_has_goal(w) && ab_goal_decides(w, ply, &end)))
		return end;
	s->in_check = board_checkers(&w->board) != 0;
	if (ply >= AB_DEPTH_MAX)
		return s->in_check ? 0 : ab_eval(w, s, ply);
	uint64_t key = ab_key(w, ply);
	bool known = !w->ab->options.plain && abtable_get(&w->ab->table, key, &t);
	if (known && beta - alpha == 1) {
		int v = score_from_table(t.score, ply);
		if ((t.bound & BOUND_LOWER && v >= beta) ||
		    (t.bound & BOUND_UPPER && v <= alpha))
			return v;
	}
	if (s->in_check ? list_evasions(w, s, t.move, ply, &p, &best)
			: stand_pat(w, s, known ? &t : NULL, beta, ply, &p, &raw, &best))
		return best;
	move best_move = quiesce_moves(w, s, &p, alpha, beta, ply, &best);
	if (w->stopped)
		return 0;
	struct abtable_entry e = { best_move, (int16_t)score_to_table(best, ply),
		(int16_t)raw, 0,
		best >= beta                                             ? BOUND_LOWER
		    : best > alpha && best_move != 0 && beta - alpha > 1 ? BOUND_EXACT
									 : BOUND_UPPER };
	abtable_put(&w->ab->table, key, e);
	return best;
}
