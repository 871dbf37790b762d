/*
 * Monte Carlo tree search guided by a net, for one game. It does not evaluate
 * positions itself but requests evaluations, so that a caller with many searches
 * can evaluate their positions in one batch. What a search does depends only on
 * its own options, position and random numbers, never on other searches.
 *
 *	search_begin()
 *	while ((n = search_ask(…)) > 0)
 *		evaluate the n queries
 *		search_tell(…)
 *	read the root, search_choose(), search_advance()
 *
 * PUCT (AlphaZero) selects by value + c(N) * prior * sqrt(N) / (1 + n), with
 * c(N) = log((1 + N + base) / base) + init. The value of an unvisited move is its
 * parent's minus a reduction that grows with the share of the prior that has been
 * visited (first play urgency). gumbel.h has the other kind of selection.
 *
 * Ends of the game are exact: mate and stalemate, dead material, repetition
 * and the limits on plies are scored as the rules say. Proven wins and losses are
 * passed up the tree, and a proven win is played.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/rng.h"
#include "net/net.h"
#include "tree.h"

struct search_options {
	/* Visits of the root's moves, 0: no limit. PUCT counts those kept from the
	 * last search, Gumbel does not. */
	int sims;
	double base, init;    /* of c(N) */
	double fpu_reduction; /* reduction of an unvisited move's value when nearly
	                     * all of the prior has been visited */
	double temperature;   /* of the priors; the evaluator applies it */
	double noise;         /* alpha of the root's Dirichlet noise; 0: none */
	double noise_share;
	int async; /* evaluations requested at once; while they are
	            * pending they count as losses */
	bool gumbel;
	int candidates;                  /* of Gumbel's root */
	double visit_scale, value_scale; /* of Gumbel's Q, 0 to 1 */
	double spread, stretch;          /* if the Qs differ by less than spread, they are
	                                  * scaled up to it, at most stretch times */
};

/* The options of the published study's engine. */
extern const struct search_options search_defaults;

/*
 * Changes them for a net whose values come from quiescence search: PUCT then plays
 * best if it trusts values more, and priors less, than by default. Tuned
 * with the prior net that we ship, at 400 visits. Gumbel's options stay.
 */
void search_trust_values(struct search_options *o);

enum { SEARCH_ASYNC_MAX = 64, SEARCH_DEPTH_MAX = 512 };

/* A leaf whose evaluation is pending. */
struct search_leaf {
	struct board board;
	uint32_t path[SEARCH_DEPTH_MAX];
	int depth; /* of path; the last is the leaf */
	move *moves;
	float *priors;
	int nmoves;
	int repetitions;
	float wdl[3]; /* its evaluation */
};

struct search {
	struct search_options options;
	struct tree tree;
	struct rng *rng;
	struct board root;
	uint64_t *keys;  /* of the game, and then of the path */
	int plies, room; /* of the game */
	struct search_leaf *leaves;
	int waiting;        /* pending leaves: leaves[0..waiting-1] */
	int started;        /* visits of moves begun in this search */
	int idle;           /* descents in a row that requested nothing */
	uint64_t evaluated; /* evaluations used */
	double cpu_seconds; /* of the net for it, added up by its batcher */
	bool ready;         /* the root has children, with noise or candidates */
	/* Gumbel's state at the root: */
	double *gumbel;  /* of each child */
	int *candidates; /* children not yet eliminated, best first */
	int ncandidates, first_candidates;
	int *spent;      /* visits of each child in this search */
	int visits_each; /* that all candidates get in this round */
	bool explore;    /* sample at the root */
};

void search_init(struct search *s, const struct search_options *o);
void search_release(struct search *s);

/*
 * Starts the search of a position after `plies` plies of a game; keys[0..plies]
 * are the keys of all its positions. Reuses the tree of the last search if
 * search_advance() led here. explore: with noise, or Gumbel's sampling.
 */
void search_begin(struct search *s, const struct board *root, const uint64_t *keys,
    int plies, struct rng *rng, bool explore);

/*
 * Writes up to options.async positions to evaluate, and returns their number. 0 if
 * the search is done: sims are spent, the result is proven, or (without a limit)
 * the whole tree is known. Also 0, with search_is_done() false, after very many
 * descents in a row that ended in finished games, so that the caller can check
 * its clock.
 */
int search_ask(struct search *s, struct net_query *queries);
bool search_is_done(const struct search *s);

/* Takes the evaluations that the last search_ask() requested. */
void search_tell(struct search *s, const struct net_query *queries, int n);

/* Drops the pending leaves, when time is over. */
void search_stop(struct search *s);

/* The root's children, and their number. */
const struct node *search_moves(const struct search *s, int *n);

/* The index of the child to play: the best (by visits, or Gumbel's choice), or one
 * sampled with probabilities proportional to visits. A proven win comes first. -1
 * if there are none: no legal move, or stopped before the root was evaluated. */
int search_choose(struct search *s, bool sample);

/* The expected score of the side to move at the root. */
double search_value(const struct search *s);

/* The probability of a draw there. */
double search_draw(const struct search *s);

/* Gumbel's improved policy over the root's children, for training. */
void search_improved_policy(const struct search *s, float *policy);

/* Makes a child the root and drops the rest of the tree. */
void search_advance(struct search *s, int child);

/* Drops the whole tree, for a new game. */
void search_forget(struct search *s);

#endif
