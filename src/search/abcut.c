/*
 * Pruning of whole nodes before their moves are searched: razoring, reverse
 * futility pruning, null move pruning and probcut.
 */
#include "abtree.h"

#include "chess/zobrist.h"
#include "see.h"

/*
 * Is zugzwang unlikely? Not with only pawns and king; and where stalemate is worth
 * something, the side needs enough pieces not to be near it.
 */
static bool
null_is_safe(const struct board *b)
{
	const bitboard *p = b->pieces[b->side];
	bitboard pieces = p[ALL] & ~(p[PAWN] | p[KING]);

	if (pieces == 0)
		return false;
	return b->rules->stalemate_value == 0 ||
	    (__builtin_popcountll(pieces) >= 2 && __builtin_popcountll(p[ALL]) >= 5);
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

bool
tree_cuts(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int depth, int ply,
    bool improving, move first, int *score)
{
	int eval = s->eval;

	/* razoring */
	if (depth <= 3 && eval + pawns(w, 249 * depth + 65) < alpha && alpha < AB_SURE) {
		int v = tree_quiesce(w, s, alpha, alpha + 1, ply);
		if (v <= alpha) {
			*score = v;
			return true;
		}
	}
	/* reverse futility pruning */
	if (depth <= 8 && eval - pawns(w, 51 * depth - 19 * improving) >= beta &&
	    eval < AB_SURE && beta > -AB_SURE) {
		*score = (2 * beta + eval) / 3;
		return true;
	}
	if (depth >= 2 && eval >= beta + pawns(w, 25) && s[-1].move != 0 &&
	    ply >= w->null_from && beta > -AB_SURE && null_is_safe(&w->board) &&
	    null_move_cuts(w, s, beta, depth, ply, score))
		return true;
	return depth >= 5 && beta < AB_SURE && beta > -AB_SURE && !w->stopped &&
	    probcut(w, s, beta, depth, ply, first, score);
}
