/*
 * The state of one thread of alpha-beta, for the files ab*.c alone.
 */
#ifndef SEARCH_ABWORKER_H
#define SEARCH_ABWORKER_H

#include "ab.h"

/* The files named in absearch.h, aborder.c and abhistory.c are hot files:
 * chess/isa.h. ab.c calls them through struct ab_hot. */
#ifdef ISA
#define picker_init ISA_PASTE(picker_init, ISA)
#define picker_init_noisy ISA_PASTE(picker_init_noisy, ISA)
#define goal_moves ISA_PASTE(goal_moves, ISA)
#define picker_next ISA_PASTE(picker_next, ISA)
#define picker_drop_quiet ISA_PASTE(picker_drop_quiet, ISA)
#endif

enum {
	STACK_BEFORE = 4, /* plies before the root, so that s[-4] exists */
	HISTORY_MAX = 16384,
	CORRECTIONS = 16384,
	CORRECTION_KINDS = 4,
	PAWNS = 256,              /* entries of pawn history */
	PIECES = 2 * (TYPES - 1), /* side * 10 + type - 1 */
	NO_EVAL = 32700
};

typedef int16_t ab_continuation[PIECES][64];

/* The search stack: a ply of the current line. */
struct ab_ply {
	move move;                     /* made here; 0: a null move */
	uint16_t piece_to;             /* of that move: ab_piece_to() */
	ab_continuation *continuation; /* history of replies to that move */
	int eval;                      /* static score, or NO_EVAL in check */
	unsigned pawns;                /* hash of the pawns, below CORRECTIONS: set with
	                                * eval, and in check by picker_init() */
	bool in_check;
	bool forced;   /* the side to move must capture, and can */
	bool quiet;    /* the move made here is */
	move excluded; /* by the singular search */
	move killers[2];
	int extensions; /* double ones in this line */
	int cuts;       /* beta cutoffs at this ply, reset two plies above */
	int filled;     /* the accumulator of this ply is computed */
	move pv[AB_PV_MAX];
	int pv_length;
};

struct ab_worker {
	struct ab *ab;
	struct board board;
	uint64_t *keys;         /* of the game and of the line */
	int plies;              /* of the game */
	int room;               /* of keys */
	_Atomic uint64_t nodes; /* read by other threads: nodes_of() */
	int seldepth;
	bool stopped;
	int worth[TYPES];         /* of pieces, by type */
	int unit;                 /* of margins, about a pawn: find_unit() */
	int promotion;            /* the best piece that pawns may become */
	struct sparse_stack sums; /* the net's accumulators */
	struct ab_ply stack[STACK_BEFORE + AB_DEPTH_MAX + 8];
	struct ab_move moves[MOVES_MAX];
	int nmoves;
	int pv_index;     /* of the MultiPV line being searched */
	int null_min_ply; /* no null moves before this ply */
	int root_depth;
	bool early_draws;  /* a second occurrence in the line is a draw */
	bool special_ends; /* movegen_early_end() can end the game */

	move counter[PIECES][64];           /* counter moves */
	int16_t quiet[2][64][64];           /* butterfly history */
	int16_t pawn[PAWNS][PIECES][64];    /* pawn history */
	int16_t capture[PIECES][64][TYPES]; /* capture history */
	int16_t corrections[CORRECTION_KINDS][2][CORRECTIONS];
	ab_continuation continuations[PIECES][64];
	ab_continuation no_continuation; /* after a null move or no move */
};

static inline uint64_t
nodes_of(const struct ab_worker *w)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)&w->nodes,
	    memory_order_relaxed);
}

/* For the worker's own thread only. */
static inline void
count_node(struct ab_worker *w)
{
	atomic_store_explicit(&w->nodes, nodes_of(w) + 1, memory_order_relaxed);
}

static inline int
piece_index(int code)
{
	return (code >> 4) * 10 + (code & 15) - 1;
}

/* Piece and target square of a move as a number; code 0: no move. The pieces of chess
 * come first, then no move, then spare kinds: so those who play without spare kinds have
 * the collisions in tables, and thus the scores, that they would have if there were
 * none. */
static inline uint16_t
ab_piece_to(int code, int to)
{
	enum { CHESS = KING, NONE = 2 * CHESS };
	int side = code >> 4, type = (code & 15) - 1;
	int piece = code == 0 ? NONE
	    : type < CHESS    ? side * CHESS + type
			      : NONE + 1 + side * SPARES + type - CHESS;

	return (uint16_t)(piece * 64 + to);
}

/* The piece that a move moves or drops. */
static inline int
moved_code(const struct board *b, move m)
{
	return move_is_drop(m) ? b->side << 4 | move_dropped(m) : b->square[move_from(m)];
}

static inline bool
is_self_capture(const struct board *b, move m)
{
	int captured = b->square[move_to(m)];

	return captured != 0 && captured >> 4 == b->side && !move_is_castling(m);
}

static inline int
captured_type(const struct board *b, move m)
{
	return move_is_ep(m) ? PAWN : type_at(b, move_to(m));
}

/* ---- ordering: aborder.c ---- */

struct ab_picker {
	move list[MOVES_MAX];
	int score[MOVES_MAX];
	int n, next;
};

/* Lists and scores the legal moves; `first`, the table's move, comes first. */
void picker_init(struct ab_picker *p, struct ab_worker *w, struct ab_ply *s, move first);
/* The same for captures and best promotions. */
void picker_init_noisy(struct ab_picker *p, struct ab_worker *w, move first);

/* Lists the legal moves, castling apart, by which a king reaches its goal. */
int goal_moves(const struct board *b, move *list);

/* The next move in order, with its score; 0 if none is left. */
move picker_next(struct ab_picker *p, int *score);

/* Removes the remaining quiet moves. */
void picker_drop_quiet(struct ab_picker *p, const struct board *b);

enum {
	ORDER_FIRST = 1 << 30,
	ORDER_GOOD = 1 << 26,
	ORDER_KILLER = 1 << 25,
	ORDER_BAD = -(1 << 26)
};

/* ---- the tree: abroot.c; absearch.h has the rest ---- */

struct ab_hot {
	/* The score of the root for the window alpha, beta; results are in
	 * w->moves[]. */
	int (*root)(struct ab_worker *w, int alpha, int beta, int depth);
	/* Quiescence search of the board, given its static score; place 0 of
	 * w->sums has its accumulator. */
	int (*quiet)(struct ab_worker *w, int score);
	/* Static score of the position at a ply, without corrections. */
	int (*eval)(struct ab_worker *w, struct ab_ply *s, int ply);
	/* Lists the root's moves in order; returns their number. */
	int (*order)(struct ab_worker *w, struct ab_ply *s, move first, move *list);
};

extern const struct ab_hot ab_hot_base, ab_hot_v3;

/* Checks from time to time whether to stop; defined in ab.c. */
void ab_poll(struct ab_worker *w);

#endif
