/*
 * Move histories, and correction histories of the static score.
 */
#ifndef SEARCH_ABHISTORY_H
#define SEARCH_ABHISTORY_H

#include "abworker.h"

#ifdef ISA
#define history_reward ISA_PASTE(history_reward, ISA)
#define history_reward_last ISA_PASTE(history_reward_last, ISA)
#define history_update_by_eval ISA_PASTE(history_update_by_eval, ISA)
#define history_update_after_research ISA_PASTE(history_update_after_research, ISA)
#define pawns_hash ISA_PASTE(pawns_hash, ISA)
#define correction_of ISA_PASTE(correction_of, ISA)
#define correction_update ISA_PASTE(correction_update, ISA)
#endif

/* The history score of a quiet move: butterfly, pawn and continuation history. */
static inline int
history_of(const struct ab_worker *w, const struct ab_ply *s, move m)
{
	const struct board *b = &w->board;
	int from = move_from(m), to = move_to(m);
	int piece = piece_index(moved_code(b, m));

	return w->quiet[b->side][from][to] +
	    w->pawn[s->pawns % PAWNS][piece][to] * 75 / 100 +
	    (*s[-1].continuation)[piece][to] + (*s[-2].continuation)[piece][to] +
	    (*s[-4].continuation)[piece][to] / 2;
}

/* The history of a capture. */
static inline int16_t *
capture_history(struct ab_worker *w, move m)
{
	const struct board *b = &w->board;

	return &w->capture[piece_index(b->square[move_from(m)])][move_to(m)]
			  [captured_type(b, m)];
}

/* After a beta cutoff: rewards the best move, and punishes the moves that were
 * searched before it. Also sets killer and counter move. */
void history_reward(struct ab_worker *w, struct ab_ply *s, move best, int depth,
    const move *quiets, int nquiets, const move *captures, int ncaptures);

/* After a fail low: rewards the last move, a quiet one. */
void history_reward_last(struct ab_worker *w, struct ab_ply *s, int depth);

/* Rewards or punishes the last move, a quiet one, by how much it changed the
 * static score. */
void history_update_by_eval(struct ab_worker *w, struct ab_ply *s);

/* After a reduced quiet move, still on the board, has been searched again at full
 * depth: sign 1 if it fails high, -1 if it fails low, 0 otherwise. */
void history_update_after_research(struct ab_worker *w, struct ab_ply *s, int sign);

/* A hash of the pawn structure, below CORRECTIONS. */
unsigned pawns_hash(const struct board *b);

/* The correction of the static score, which also sets s->pawns; and its update:
 * `off` is how much better the search's score is than the uncorrected one. */
int correction_of(const struct ab_worker *w, struct ab_ply *s);
void correction_update(struct ab_worker *w, const struct ab_ply *s, int depth, int off);

#endif
