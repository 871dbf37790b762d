/*
 * Lines drawn from a net's prior, many at once: they advance together, ply by
 * ply, so that the net evaluates many positions at a time. The random numbers of
 * line k depend only on the seed and k, so it does not matter which other lines
 * are drawn with it.
 */
#ifndef NET_WALK_H
#define NET_WALK_H

#include "base/rng.h"
#include "chess/outcome.h"
#include "prior.h"

/* A line under way. Its moves and numbers are in the walk. */
struct walker {
	struct board board;
	struct rng rng;
	int64_t prior; /* of the board */
	double weight; /* probability of the line so far */
	int plies;
	enum end end; /* END_NONE: the game is not over */
};

/* Line i has walkers[i], moves, logp, h and ahead from [i * plies] on, and keys from
 * [i * (plies + 1)] on. */
struct walk {
	struct priors *priors;
	const struct board *start;
	int plies;      /* of the longest line */
	size_t n, room; /* number of lines, and room for them */
	struct walker *walkers;
	uint64_t *keys;
	move *moves;
	double *logp, *h; /* log probability of the move, entropy */
	double *ahead;    /* see ahead.h; of walk_forward() only */
};

/* Allocates room for this many lines of `plies` plies. Priors and start must
 * outlive it. Out of memory ends the program. */
void walk_init(struct walk *w, struct priors *priors, const struct board *start,
    int plies, size_t room);
void walk_release(struct walk *w);

/* Puts lines first to first + n - 1 of a seed, n <= room, at the start position,
 * in which the game must not be over. */
void walk_begin(struct walk *w, size_t n, uint64_t seed, uint64_t first);

/* Draws a move in every line that is not over and advances by it. Call it at most
 * w->plies times. 0, or -1 with w->priors->reason. */
int walk_forward(struct walk *w);

/* Advances by every legal move: each line becomes one line for each of its moves,
 * in their order. Returns 0; 1, without doing anything, if there would be more
 * than `most` lines; or -1 as above. */
int walk_branch(struct walk *w, size_t most);

/* How the game has ended after the last ply of a line; END_NONE if it has
 * not. */
enum end walk_end(const struct walk *w, size_t i);

#endif
