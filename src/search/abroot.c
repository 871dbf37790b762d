/*
 * The root of alpha-beta's tree, and the entry points of the hot files.
 */
#include "absearch.h"

static void
record_move(struct ab_worker *w, struct ab_ply *s, struct ab_move *m, int score,
    int depth, bool exact)
{
	m->score = score;
	m->depth = depth;
	m->exact = exact;
	m->seldepth = w->seldepth;
	if (!exact)
		return;
	update_pv(s, m->move);
	memcpy(m->pv, s->pv, (size_t)s->pv_length * sizeof(move));
	m->pv_length = s->pv_length;
}

/* The score of root move i: the first with the whole window, the others with a
 * null window first, and reduced where they look bad. */
static int
search_root_move(struct ab_worker *w, struct ab_ply *s, int i, int alpha, int beta,
    int depth)
{
	struct ab_move *m = &w->moves[i];
	uint64_t before = nodes_of(w);
	struct undo u;
	bool plain = w->ab->options.plain;
	bool noisy = board_is_noisy(&w->board, m->move);
	int history = history_of(w, s, m->move), v = -AB_INFINITE;

	s[1].extensions = 0;
	ab_make(w, s, 0, m->move, &u);
	if (plain) {
		v = -ab_search(w, s + 1, -beta, -alpha, depth - 1, 1, false);
	} else if (i > w->pv_index) {
		int r = 0;
		if (depth >= 3 && i > w->pv_index + 2 && !noisy) {
			r = (ab_reduction(depth, i - w->pv_index + 1) - 77 -
				history / 72) /
			    100;
			r = r < 0 ? 0 : r > depth - 2 ? depth - 2 : r;
		}
		v = -ab_search(w, s + 1, -alpha - 1, -alpha, depth - 1 - r, 1, true);
		if (v > alpha && r > 0)
			v = -ab_search(w, s + 1, -alpha - 1, -alpha, depth - 1, 1, true);
	}
	if (!plain && (i == w->pv_index || v > alpha))
		v = -ab_search(w, s + 1, -beta, -alpha, depth - 1, 1, false);
	ab_unmake(w, m->move, &u);
	m->nodes += nodes_of(w) - before;
	return v;
}

/* Moves the best move so far to the front; the others keep their order. */
static void
move_to_front(struct ab_worker *w, int i)
{
	struct ab_move kept = w->moves[i];

	memmove(w->moves + w->pv_index + 1, w->moves + w->pv_index,
	    (size_t)(i - w->pv_index) * sizeof(kept));
	w->moves[w->pv_index] = kept;
}

static int
search_root(struct ab_worker *w, int alpha, int beta, int depth)
{
	struct ab_ply *s = w->stack + STACK_BEFORE;
	int best = -AB_INFINITE;

	s->in_check = board_checkers(&w->board) != 0;
	s->eval = NO_EVAL;
	s->pv_length = 0;
	s->excluded = 0;
	s->extensions = 0;
	if (!s->in_check) {
		int raw = ab_eval(w, s, 0);
		s->eval = corrected(w, s, raw);
	}
	s[1].killers[0] = s[1].killers[1] = 0;
	for (int i = w->pv_index; i < w->nmoves; i++) {
		int v = search_root_move(w, s, i, alpha, beta, depth);
		if (w->stopped)
			return best;
		if (v > best)
			best = v;
		bool better = i == w->pv_index || v > alpha;
		record_move(w, s, &w->moves[i], v, depth, better);
		if (better)
			move_to_front(w, i);
		if (v > alpha)
			alpha = v;
		if (v >= beta)
			break;
	}
	return best;
}

static int
order_moves(struct ab_worker *w, struct ab_ply *s, move first, move *list)
{
	struct ab_picker p;
	int n = 0, order;
	move m;

	s->pawns = pawns_hash(&w->board);
	picker_init(&p, w, s, first);
	while ((m = picker_next(&p, &order)) != 0)
		list[n++] = m;
	return n;
}

/* Stores the static score in the table, so that ab_quiesce() finds it there. */
static int
quiet_score(struct ab_worker *w, int score)
{
	struct ab_ply *s = w->stack + STACK_BEFORE;

	s->filled = true;
	abtable_put(&w->ab->table, ab_key(w, 0),
	    (struct abtable_entry){ .eval = (int16_t)score, .bound = BOUND_NONE });
	return ab_quiesce(w, s, -AB_INFINITE, AB_INFINITE, 0);
}

const struct ab_hot ISA_PASTE(ab_hot, ISA) = {
	search_root,
	quiet_score,
	ab_eval,
	order_moves,
};
