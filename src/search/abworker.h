/*
 * What one thread of alpha-beta has, shared by the files of ab*.c alone.
 */
#ifndef SEARCH_ABWORKER_H
#define SEARCH_ABWORKER_H

#include "ab.h"

/* The files that abtree.h names, aborder.c and abhistory.c are hot files:
 * chess/isa.h. ab.c calls them by struct ab_tree. */
#ifdef ISA
#define picker_init		ISA_PASTE(picker_init, ISA)
#define picker_init_noisy	ISA_PASTE(picker_init_noisy, ISA)
#define picker_next		ISA_PASTE(picker_next, ISA)
#define picker_drop_quiet	ISA_PASTE(picker_drop_quiet, ISA)
#endif

enum {
	STACK_BEFORE = 4,	/* places before the root, so that none is asked for */
	HISTORY_MAX = 16384,
	CORRECTIONS = 16384,
	CORRECTION_KINDS = 4,
	PAWNS = 256,		/* pawn structures that history tells apart */
	PIECES = 12,		/* side * 6 + type - 1 */
	NO_EVAL = 32700
};

typedef int16_t ab_continuation[PIECES][64];

/* A ply of the line that is being looked at. */
struct ab_ply {
	move move;		/* made here */
	ab_continuation *continuation;	/* of that move */
	int eval;
	unsigned pawns;		/* hash of the pawns, below CORRECTIONS: set with
				 * eval, and in check by picker_init() */
	bool in_check;
	bool quiet;		/* the move made here was */
	move excluded;
	move killers[2];
	int extensions;
	int cuts;		/* of nodes here, since the one two plies above began */
	int filled;		/* the net's sums are at this place */
	move line[AB_LINE_MAX];
	int nline;
};

struct ab_worker {
	struct ab *ab;
	struct board board;
	uint64_t *keys;		/* of the game and of the line */
	int plies, room;	/* of the game */
	_Atomic uint64_t nodes;	/* others may ask: nodes_of(), count_node() */
	int seldepth;
	bool stopped;
	int worth[8];
	int unit;		/* about what a pawn is worth: a third of a minor piece */
	int promotion;		/* the best piece that pawns may become */
	struct sparse_stack sums;
	struct ab_ply stack[STACK_BEFORE + AB_DEPTH_MAX + 8];
	struct ab_move moves[MOVES_MAX];
	int nmoves;
	int line;		/* the first of the root's moves that count now */
	int null_from;		/* ply before which null moves are off */
	int root_depth;
	bool early_draws;	/* a second time in the line is drawn already */
	bool special_ends;	/* the game may be over though nobody is mated */

	move counter[PIECES][64];
	int16_t quiet[2][64][64];
	int16_t pawn[PAWNS][PIECES][64];
	int16_t capture[PIECES][64][8];
	int16_t corrections[CORRECTION_KINDS][2][CORRECTIONS];
	ab_continuation continuations[PIECES][64];
	ab_continuation nothing;	/* after no move */
};

static inline uint64_t
nodes_of(const struct ab_worker *w)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)&w->nodes,
	    memory_order_relaxed);
}

/* Only the worker's own thread counts. */
static inline void
count_node(struct ab_worker *w)
{
	atomic_store_explicit(&w->nodes, nodes_of(w) + 1, memory_order_relaxed);
}

static inline int
piece_index(int code)
{
	return (code >> 3) * 6 + (code & 7) - 1;
}

static inline bool
is_self_capture(const struct board *b, move m)
{
	int captured = b->square[move_to(m)];

	return captured != 0 && captured >> 3 == b->side &&
	    move_kind(m) != MOVE_CASTLING;
}

static inline int
captured_type(const struct board *b, move m)
{
	return move_kind(m) == MOVE_EN_PASSANT ? PAWN : type_at(b, move_to(m));
}

/* ---- ordering: aborder.c ---- */

struct ab_picker {
	move list[MOVES_MAX];
	int score[MOVES_MAX];
	int n, next;
};

/* Lists the legal moves and gives each a place in the order. */
void picker_init(struct ab_picker *p, struct ab_worker *w, struct ab_ply *s,
    move first);
/* The same for those that quiescence looks at. */
void picker_init_noisy(struct ab_picker *p, struct ab_worker *w, move first);

/* The best of those left, with its score; 0: there are none. */
move picker_next(struct ab_picker *p, int *score);

/* Of those left only captures and promotions are wanted. */
void picker_drop_quiet(struct ab_picker *p, const struct board *b);

enum { ORDER_FIRST = 1 << 30, ORDER_GOOD = 1 << 26, ORDER_KILLER = 1 << 25,
    ORDER_BAD = -(1 << 26) };

/* ---- the tree: abroot.c; abtree.h has the rest ---- */

struct ab_tree {
	/* The value of the root for the window alpha, beta; moves[] has the
	 * results. */
	int (*root)(struct ab_worker *w, int alpha, int beta, int depth);
	/* The score of the board when captures are done; it is known what it
	 * is as it stands, and place 0 has its sums. */
	int (*quiet)(struct ab_worker *w, int score);
	/* Static score of the position at a ply, without corrections. */
	int (*eval)(struct ab_worker *w, struct ab_ply *s, int ply);
	/* The moves of the root in their order; how many. */
	int (*order)(struct ab_worker *w, struct ab_ply *s, move first,
	    move *list);
};

extern const struct ab_tree ab_tree_base, ab_tree_v3;

/* Asked now and then by whoever searches: is time over? ab.c */
void ab_poll(struct ab_worker *w);

#endif
