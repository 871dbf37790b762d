/*
 * Alpha-beta search with a sparse net, for one game: iterative deepening,
 * principal variation search, a transposition table, quiescence, and the
 * pruning and reductions that make it fast. For a budget of nodes, and one
 * thread, it is deterministic.
 *
 *	ab_init()
 *	for each move
 *		ab_begin()
 *		while (ab_deepen())	one iteration
 *			read ab_moves(), report
 *	ab_release()
 *
 * Ends of the game are exact: mate, stalemate by its value, dead material,
 * repetition, and the limits on plies count as they do on the board. In lines
 * that it thinks of a position that comes up a second time is taken for drawn
 * already, which is where play on both sides would end.
 *
 * Scores are in SPARSE_UNITs of logit; sure wins are AB_MATE less the plies.
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
	AB_SURE = 31000,	/* a score beyond is a proven win or loss */
	AB_INFINITE = 32500,
	AB_DEPTH_MAX = 120,
	AB_LINE_MAX = 60
};

/* Who judges positions. */
struct ab_judge {
	enum { AB_NET, AB_MATERIAL, AB_NOTHING, AB_NOISE } kind;
	const struct sparse_tuned *net;
	uint64_t seed;		/* of noise */
};

struct ab_options {
	size_t table;		/* bytes */
	int threads;
	bool plain;		/* no pruning, no reductions: minimax, for tests */
};

struct ab_limits {
	uint64_t nodes;		/* 0: none */
	int depth;		/* 0: none */
	bool (*late)(const void *context);	/* asked now and then once there is
				 * a move to play; NULL: none */
	const void *context;
	int lines;		/* best moves that get their own line and score */
	double spread;		/* > 0: all moves not worse than the best by more, in
				 * expected score (-1 to 1), get a score of their own */
	const move *only;	/* moves to consider; nonly 0: all */
	int nonly;
};

/* A move of the root. */
struct ab_move {
	move move;
	int score;		/* of the last iteration that saw it; */
	int depth;		/* which; 0: none */
	bool exact;		/* else an upper bound */
	uint64_t nodes;
	int seldepth;
	move line[AB_LINE_MAX];
	int nline;
};

struct ab_worker;
struct ab_tree;

struct ab {
	struct ab_options options;
	struct ab_judge judge;
	const struct ab_tree *tree;
	const struct rules *rules;
	uint64_t rules_key;
	struct abtable table;
	struct ab_limits limits;
	struct ab_worker **workers;	/* the first is the caller's thread */
	pthread_t *helpers;
	int nhelpers;		/* that are at work */
	_Atomic bool stop;
	int depth;		/* of the last whole iteration */
	bool over;
};

/* -1 when there is no memory. */
int ab_init(struct ab *a, const struct ab_options *o, const struct ab_judge *j,
    const struct rules *r);
void ab_release(struct ab *a);

/* Another game begins: nothing of the last one is remembered. */
void ab_forget(struct ab *a);

/* Begins to think about a position after `plies` plies of a game, with keys[0..
 * plies]. */
void ab_begin(struct ab *a, const struct board *b, const uint64_t *keys,
    int plies, const struct ab_limits *l);

/* One iteration. False when there is nothing more to do, or it was stopped. */
bool ab_deepen(struct ab *a);

/* The root's moves, the best first; how many. */
const struct ab_move *ab_moves(const struct ab *a, int *n);

uint64_t ab_nodes(const struct ab *a);

/*
 * For others who want to know what a position is worth when captures are done:
 * ab_quiet_begin() in place of ab_begin(), then for each position the net's sums
 * at place 0 of ab_sums() and its static score. -1 when there is no memory.
 */
int ab_quiet_begin(struct ab *a);
struct sparse_stack *ab_sums(struct ab *a);
int ab_quiet_score(struct ab *a, const struct board *b, int score);

/* The static score of the root, and the draw's logit, if a net judges. */
int ab_static(struct ab *a, int *draw);

#endif
