/*
 * Alpha-beta search with a sparse net, for one game: iterative deepening,
 * principal variation search, a transposition table, quiescence search, pruning
 * and reductions. With a budget of nodes and one thread it is deterministic.
 *
 *	ab_init()
 *	for each move
 *		ab_begin()
 *		while (ab_deepen())	one iteration
 *			read ab_moves(), report
 *	ab_release()
 *
 * Ends of the game are exact: mate, stalemate by its value, dead material,
 * repetition and the limits on plies count as the rules say. Within the tree, the
 * second occurrence of a position already counts as a repetition.
 *
 * Scores are logits in SPARSE_UNITs; a proven win in n plies is AB_MATE - n.
 */
#ifndef SEARCH_AB_H
#define SEARCH_AB_H

#include <pthread.h>
#include <stdatomic.h>

#include "abtable.h"
#include "chess/movegen.h"
#include "net/sparse.h"

enum {
	AB_MATE = 32000,
	AB_MATE_BOUND = 31000, /* scores beyond are proven wins and losses */
	AB_INFINITE = 32500,
	AB_DEPTH_MAX = 120,
	AB_PV_MAX = 60
};

/* The static evaluation. */
struct ab_evaluator {
	enum { AB_NET, AB_MATERIAL, AB_NOTHING, AB_NOISE } kind;
	const struct sparse_ints *net;
	uint64_t seed; /* of noise */
};

struct ab_options {
	size_t table; /* bytes */
	int threads;
	bool plain; /* minimax without pruning and reductions, for tests */
};

struct ab_limits {
	uint64_t nodes;                    /* 0: none */
	int depth;                         /* 0: none */
	bool (*late)(const void *context); /* is time over? polled once there is
	                                    * a move to play; NULL: no limit */
	const void *context;
	int lines;        /* moves with exact score and line (MultiPV) */
	double spread;    /* > 0: all moves within this of the best, in expected
	                   * score (-1 to 1), get an exact score */
	const move *only; /* moves to consider; nonly 0: all */
	int nonly;
};

/* A move of the root. */
struct ab_move {
	move move;
	int score;  /* of the last iteration that searched it */
	int depth;  /* of that iteration; 0: none */
	bool exact; /* otherwise an upper bound */
	uint64_t nodes;
	int seldepth;
	move pv[AB_PV_MAX];
	int pv_length;
};

struct ab_worker;
struct ab_hot;

struct ab {
	struct ab_options options;
	struct ab_evaluator evaluator;
	const struct ab_hot *hot;
	const struct rules *rules;
	uint64_t rules_key;
	struct abtable table;
	struct ab_limits limits;
	struct ab_worker **workers; /* the first is the caller's thread */
	pthread_t *helpers;
	int nhelpers; /* running */
	_Atomic bool stop;
	int depth; /* of the last complete iteration */
	bool over;
};

/* 0, or -1 if there is not enough memory. The net and the rules must outlive a. */
int ab_init(struct ab *a, const struct ab_options *o, const struct ab_evaluator *j,
    const struct rules *r);
void ab_release(struct ab *a);

/* For a new game: clears the transposition table and all histories. */
void ab_forget(struct ab *a);

/* Starts the search of a position after `plies` plies of a game; keys[0..plies]
 * are the keys of all its positions. */
void ab_begin(struct ab *a, const struct board *b, const uint64_t *keys, int plies,
    const struct ab_limits *l);

/* One iteration. False if there is nothing more to do, or it was stopped. */
bool ab_deepen(struct ab *a);

/* The root's moves, best first, and their number. */
const struct ab_move *ab_moves(const struct ab *a, int *n);

/* Nodes of all threads. */
uint64_t ab_nodes(const struct ab *a);

/*
 * Quiescence search alone, for tree search: ab_quiet_begin() instead of
 * ab_begin() (-1 if there is not enough memory); then, for each position, put the
 * net's accumulator at place 0 of ab_sums() and pass the static score to
 * ab_quiet_score().
 */
int ab_quiet_begin(struct ab *a);
struct sparse_stack *ab_sums(struct ab *a);
int ab_quiet_score(struct ab *a, const struct board *b, int score);

/* The static score of the root and, with a net, the draw's logit. */
int ab_static(struct ab *a, int *draw);

#endif
