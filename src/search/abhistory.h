/*
 * What a search has learnt on its way: which moves were good, and what the static
 * score was off by in positions of a kind.
 */
#ifndef SEARCH_ABHISTORY_H
#define SEARCH_ABHISTORY_H

#include "abworker.h"

#ifdef ISA
#define history_reward		ISA_PASTE(history_reward, ISA)
#define history_reward_last	ISA_PASTE(history_reward_last, ISA)
#define history_judge_last	ISA_PASTE(history_judge_last, ISA)
#define history_confirm		ISA_PASTE(history_confirm, ISA)
#define pawns_hash		ISA_PASTE(pawns_hash, ISA)
#define correction_of		ISA_PASTE(correction_of, ISA)
#define correction_learn	ISA_PASTE(correction_learn, ISA)
#endif

/* What history says of a quiet move. */
static inline int
history_of(const struct ab_worker *w, const struct ab_ply *s, move m)
{
	const struct board *b = &w->board;
	int from = move_from(m), to = move_to(m);
	int piece = piece_index(b->square[from]);

	return w->quiet[b->side][from][to] +
	    w->pawn[s->pawns % PAWNS][piece][to] * 75 / 100 +
	    (*s[-1].continuation)[piece][to] + (*s[-2].continuation)[piece][to] +
	    (*s[-4].continuation)[piece][to] / 2;
}

/* The same of a capture. */
static inline int16_t *
capture_history(struct ab_worker *w, move m)
{
	const struct board *b = &w->board;

	return &w->capture[piece_index(b->square[move_from(m)])][move_to(m)]
	    [captured_type(b, m)];
}

/* A move has refuted the line: it, and those tried before it in vain. */
void history_reward(struct ab_worker *w, struct ab_ply *s, move best,
    int depth, const move *quiets, int nquiets, const move *captures,
    int ncaptures);

/* No reply to the last move, a quiet one, was good enough: it is rewarded. */
void history_reward_last(struct ab_worker *w, struct ab_ply *s, int depth);

/* The static score is known before and after the last move, a quiet one: both,
 * each for its mover, sum up to what it has lost. */
void history_judge_last(struct ab_worker *w, struct ab_ply *s);

/* A quiet move that was looked at less deep, and seemed good, has been looked at
 * in full and is on the board: +1 it cuts, -1 it is nothing, 0 between. */
void history_confirm(struct ab_worker *w, struct ab_ply *s, int sign);

/* A hash of the pawns, below CORRECTIONS. */
unsigned pawns_hash(const struct board *b);

/* What evals of such positions were off by; sets s->pawns. */
int correction_of(const struct ab_worker *w, struct ab_ply *s);
void correction_learn(struct ab_worker *w, const struct ab_ply *s, int depth,
    int off);

#endif
