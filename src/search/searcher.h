/*
 * A searcher finds moves in one game. There are two kinds, tree search and
 * alpha-beta, behind the same calls:
 *
 *	searcher_new()
 *	for each game
 *		searcher_forget()
 *		for each move
 *			searcher_begin()
 *			while ((state = searcher_step()) != SEARCHER_DONE)
 *				if (state == SEARCHER_WAITS)
 *					thinker_answer()
 *			searcher_result(), searcher_choose()
 *			searcher_advance(), for moves of the opponent too
 *	searcher_release()
 *
 * A thinker is what all searchers of one player have in common: options, a net
 * and its evaluation cache. Without a limit on time, what a searcher finds
 * depends on the thinker's options, the net, the game and its random numbers
 * alone; neither on other searchers nor on threads.
 *
 * A searcher is used by one thread at a time, except for searcher_stop() and
 * searcher_set_deadline(). If searchers wait for the net (thinker_waits()), all
 * of a thinker's searchers belong to the same thread; if not, each may have its
 * own.
 */
#ifndef SEARCH_SEARCHER_H
#define SEARCH_SEARCHER_H

#include <math.h>
#include <stdatomic.h>

#include "base/rng.h"
#include "chess/movegen.h"
#include "limits.h"
#include "net/net.h"
#include "search.h"

enum { SEARCHER_REASON_MAX = NET_REASON_MAX, FOUND_LINE_MAX = 64 };

/* ---- what is common to a player's searchers ---- */

/* Clearing a large table at every start would take longer than such games. */
enum { FEW_NODES = 200 };

struct thinker_options {
	const char *spec; /* of the net, as net_open() takes it */
	enum search_kind {
		SEARCH_AS_NET, /* a sparse net without a policy: alpha-beta; others:
		                * a tree */
		SEARCH_TREE,
		SEARCH_AB
	} kind;
	struct net_options net;
	struct search_options tree; /* except sims, which limits replace */
	int batch;                  /* positions that the net evaluates at once */
	int memory;                 /* MiB of the evaluation cache, which all share, or of
	                             * each alpha-beta's table; -1: the default */
	bool few_nodes;             /* at most FEW_NODES a move: the default is small */
	int tree_memory;            /* MiB of each tree; 0: no limit */
	int threads;                /* that search one position; alpha-beta alone */
	double temperature;         /* of the weights of alpha-beta's moves, in expected
	                             * score from -1 to 1 */
};

void thinker_options_init(struct thinker_options *o);

struct searcher_ops;
struct batcher;

struct thinker {
	struct thinker_options options;
	const struct searcher_ops *ops;
	struct net *net;
	struct rules rules;
	struct batcher *batcher;   /* of tree search that waits for its net */
	void *shared;              /* of the others: the weights under these rules */
	bool opened;               /* these two are set up */
	_Atomic uint64_t searched; /* nodes of searchers that do not wait */
};

/* Opens the net, and chooses the kind of search. 0, or -1 with a reason: there is
 * no such net, or this kind of search cannot use it. */
int thinker_open(struct thinker *t, const struct thinker_options *o,
    const struct rules *r, char reason[SEARCHER_REASON_MAX]);
void thinker_close(struct thinker *t);

/* Switches to other rules. There must be no searchers. -1 with a reason; then
 * only thinker_close() may be called. */
int thinker_set_rules(struct thinker *t, const struct rules *r,
    char reason[SEARCHER_REASON_MAX]);

/* Do searchers wait for the net? If so, they are best run many at once in one
 * thread; if not, one in each of many threads. */
bool thinker_waits(const struct thinker *t);

/* Evaluates the positions that all waiting searchers have requested. -1 with a
 * reason if the net fails. */
int thinker_answer(struct thinker *t, char reason[SEARCHER_REASON_MAX]);

/* Positions that the net has evaluated so far, for searchers that still exist; nodes
 * searched where it evaluates them one by one. */
uint64_t thinker_evaluated(const struct thinker *t);

/* How many more came from the evaluation cache. Call it while nothing is being
 * evaluated. */
uint64_t thinker_cached(const struct thinker *t);

/* ---- a position and what is found in it ---- */

struct searcher_task {
	const struct board *board; /* the position to search */
	const uint64_t *keys;      /* [0..plies], of all positions of the game */
	int plies;
	struct rng *rng;  /* the game's */
	bool sampled;     /* the move will be sampled: weights must be good */
	const move *only; /* moves to consider; n 0: all that are legal */
	int nonly;
	int lines; /* that must be exact (MultiPV); 0: one */
	struct limits limits;
};

/* A move of the root. */
struct found_move {
	move move;
	double weight;  /* a move is sampled with a probability proportional
	                 * to this: visits, or a softmax of values */
	float value;    /* expected score from -1 to 1, for the mover; NAN:
	                 * not known, or only a bound */
	float prior;    /* -1: there is none */
	float improved; /* the policy to learn (Gumbel); -1: none */
};

/* What a search has found, seen by the side to move. */
struct found {
	move best;     /* 0: there is no legal move, or nothing is known */
	bool settled;  /* best is to be played even where moves are sampled:
	                * it wins, or the search has sampled it itself */
	double value;  /* expected score from -1 to 1 */
	double wdl[3]; /* probabilities of win, draw, loss */
	int depth, seldepth;
	uint64_t nodes;   /* as limits.nodes counts them */
	uint64_t fresh;   /* of these, not kept from an earlier search */
	int hashfull;     /* memory used, in thousandths of its limit */
	bool memory_full; /* the search ended because of that */
	bool scored;      /* moves have values to learn from, not visits */
	int n;
	struct found_move moves[MOVES_MAX]; /* in movegen_list()'s order */
};

/* One of the best moves, with what is expected to follow. */
struct found_line {
	move moves[FOUND_LINE_MAX];
	int length, depth, seldepth;
	double value, wdl[3];
	int centipawns;
	int mate; /* moves to a proven end, as UCI counts them: positive
	           * when winning; 0: nothing is proven */
};

enum searcher_state {
	SEARCHER_DONE,
	SEARCHER_WORKING, /* there is more to do */
	SEARCHER_WAITS    /* for thinker_answer() */
};

/* ---- searchers ---- */

/* The beginning of each kind's own struct. */
struct searcher {
	const struct searcher_ops *ops;
	struct thinker *thinker;
	/* Of the search under way: */
	struct limits limits;
	double started;
	double cpu_spent;        /* in steps that are over */
	double step_started;     /* by the thread's clock, */
	bool stepping;           /* if one is under way */
	_Atomic double deadline; /* as clock_seconds() counts; or INFINITY */
	atomic_bool stop;
};

/*
 * The functions of one kind of searcher, which searcher_*() call. open() and
 * close() make and free what its searchers share, from t->net and t->rules. new()
 * returns a struct that begins with a struct searcher, which searcher_new() fills,
 * or NULL. begin() is called after limits, clocks and stop have been set. step() does
 * some work, such as one iteration of deepening; it calls searcher_is_late() now and
 * then and returns soon after that is true, provided that there is a move to play.
 * release() frees.
 */
struct searcher_ops {
	const char *name;
	bool waits;
	int memory, few_memory; /* MiB, by default; of searches with few nodes */
	int (*open)(struct thinker *t, char *reason);
	void (*close)(struct thinker *t);
	struct searcher *(*new)(struct thinker *t);
	void (*begin)(struct searcher *s, const struct searcher_task *task);
	enum searcher_state (*step)(struct searcher *s);
	void (*result)(struct searcher *s, struct found *f);
	int (*lines)(const struct searcher *s, struct found_line *lines, int n);
	void (*advance)(struct searcher *s, move m); /* NULL: nothing to do */
	void (*forget)(struct searcher *s);
	double (*net_seconds)(const struct searcher *s); /* of this search;
	                                                  * NULL: steps include it */
	void (*release)(struct searcher *s);
};

/* Tree search that waits for its net, and with a net that answers at once. */
extern const struct searcher_ops treesearcher_ops, direct_searcher_ops, ab_searcher_ops;

/* NULL if there is not enough memory. */
struct searcher *searcher_new(struct thinker *t);
void searcher_release(struct searcher *s);

/* Begins a search. What the task points to must outlive it. What earlier searches
 * found in this game is used. With a limit on cpu_seconds the same thread must
 * make all its steps. */
void searcher_begin(struct searcher *s, const struct searcher_task *task);

/* Continues the search for a while. */
enum searcher_state searcher_step(struct searcher *s);

/* From any thread. The first ends the search soon, as if a limit had been
 * reached; the second sets when it has to end, by clock_seconds(). */
void searcher_stop(struct searcher *s);
void searcher_set_deadline(struct searcher *s, double deadline);

/* What the search has found so far. Call it between steps, or at the end. */
void searcher_result(struct searcher *s, struct found *f);

/* Up to n lines, best first; returns their number. */
int searcher_lines(const struct searcher *s, struct found_line *lines, int n);

/* The move to play: the best, or with `sample` one sampled by the weights. 0 when
 * there is none. */
move searcher_choose(const struct found *f, bool sample, struct rng *rng);

/* A move was played, by either side; 0: any position may follow. */
void searcher_advance(struct searcher *s, move m);

/* Forgets everything found so far, for a new game. */
void searcher_forget(struct searcher *s);

/* For implementations: has the search been stopped, or is its time over? */
bool searcher_is_late(const struct searcher *s);

/* CPU seconds of the search so far, in the thread that calls searcher_step(). */
double searcher_cpu_seconds(const struct searcher *s);

#endif
