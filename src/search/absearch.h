/*
 * What the files of alpha-beta share: abvalue.c (evaluation and ends of the game),
 * abquiesce.c, abnode.c and abroot.c. Scores are for the side to move.
 */
#ifndef SEARCH_ABSEARCH_H
#define SEARCH_ABSEARCH_H

#include <string.h>

#include "abhistory.h"

#ifdef ISA
#define ab_eval ISA_PASTE(ab_eval, ISA)
#define ab_is_end ISA_PASTE(ab_is_end, ISA)
#define ab_goal_decides ISA_PASTE(ab_goal_decides, ISA)
#define ab_score_without_moves ISA_PASTE(ab_score_without_moves, ISA)
#define ab_key ISA_PASTE(ab_key, ISA)
#define ab_reduction ISA_PASTE(ab_reduction, ISA)
#define ab_search ISA_PASTE(ab_search, ISA)
#define ab_quiesce ISA_PASTE(ab_quiesce, ISA)
#endif

/* ---- abvalue.c ---- */

/* The static score of the worker's position, without corrections. */
int ab_eval(struct ab_worker *w, struct ab_ply *s, int ply);

/* Is the game over, and with which score? Mate and stalemate are mostly left to the
 * caller, which finds them when it lists the moves. */
bool ab_is_end(struct ab_worker *w, int ply, int *score);

/*
 * Does a king's next move to its goal decide the game, and with which score? It wins at
 * once, except for White where Black has the last word; Black, who has it, draws by
 * reaching its own goal, and else loses. Finds no end that ab_is_end() finds.
 */
bool ab_goal_decides(struct ab_worker *w, int ply, int *score);

/* Is there a goal at all? To be asked before, inline, as most rules have none. */
static inline bool
ab_has_goal(const struct ab_worker *w)
{
	const struct rules *r = w->board.rules;

	return w->special_ends && (r->goal[WHITE] | r->goal[BLACK]) != 0;
}

/* The score of a position without legal moves. */
int ab_score_without_moves(const struct ab_worker *w, int ply);

/*
 * The key for the transposition table: the position's, mixed with what else its
 * future depends on, the rules, the move number while castling waits for it, and
 * counts near their limits.
 */
uint64_t ab_key(const struct ab_worker *w, int ply);

/* ---- abnode.c ---- */

/* The score of a position, fail-soft, for the window alpha, beta. cut_node: a
 * beta cutoff is expected. */
int ab_search(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int depth,
    int ply, bool cut_node);

/* The late move reduction of the n-th move, in hundredths of a ply. */
int ab_reduction(int depth, int n);

/* ---- abquiesce.c ---- */

/* The same by quiescence search. */
int ab_quiesce(struct ab_worker *w, struct ab_ply *s, int alpha, int beta, int ply);

/* ---- for all of them ---- */

/* Is the budget of nodes used up, or the search stopped? */
static inline bool
ab_must_stop(struct ab_worker *w)
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

/* Hundredths of a pawn as a score, for margins: nets differ in what a pawn is
 * worth. */
static inline int
pawns(const struct ab_worker *w, int hundredths)
{
	return w->unit * hundredths / 100;
}

/* Has the side to move so few pieces that stalemate is likely? */
static inline bool
few_pieces(const struct board *b)
{
	return __builtin_popcountll(b->pieces[b->side][ALL]) <= 6;
}

/* Mate scores count plies from the position in the table, but from the root in
 * the tree. */
static inline int
score_from_table(int score, int ply)
{
	return score > AB_MATE_BOUND ? score - ply
	    : score < -AB_MATE_BOUND ? score + ply
				     : score;
}

static inline int
score_to_table(int score, int ply)
{
	return score > AB_MATE_BOUND ? score + ply
	    : score < -AB_MATE_BOUND ? score - ply
				     : score;
}

static inline void
ab_make(struct ab_worker *w, struct ab_ply *s, int ply, move m, struct undo *u)
{
	struct board *b = &w->board;
	int code = moved_code(b, m);

	s->move = m;
	s->quiet = !board_is_noisy(b, m);
	s->continuation = &w->continuations[piece_index(code)][move_to(m)];
	s->piece_to = ab_piece_to(code, move_to(m));
	board_make(b, m, u);
	w->keys[w->plies + ply + 1] = b->key;
	s[1].filled = false;
	count_node(w);
	abtable_prefetch(&w->ab->table, b->key ^ w->ab->rules_key);
}

static inline void
ab_unmake(struct ab_worker *w, move m, const struct undo *u)
{
	board_unmake(&w->board, m, u);
}

static inline void
update_pv(struct ab_ply *s, move m)
{
	int n = s[1].pv_length;

	if (n > AB_PV_MAX - 1)
		n = AB_PV_MAX - 1;
	s->pv[0] = m;
	memcpy(s->pv + 1, s[1].pv, (size_t)n * sizeof(move));
	s->pv_length = n + 1;
}

static inline int
corrected(const struct ab_worker *w, struct ab_ply *s, int eval)
{
	int v = eval + correction_of(w, s);

	return v > SPARSE_SCORE_MAX ? SPARSE_SCORE_MAX
	    : v < -SPARSE_SCORE_MAX ? -SPARSE_SCORE_MAX
				    : v;
}

#endif
