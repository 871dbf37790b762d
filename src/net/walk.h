/*
 * Lines drawn from a net's prior, many at once: they go forward together, ply
 * by ply, so that the net is asked about many positions at a time. Line k of a
 * seed draws its random numbers from these two alone, so that it does not
 * matter which others go with it.
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
	int64_t prior;		/* of the board */
	double weight;		/* probability of the line so far */
	int plies;
	enum end end;		/* END_NONE: it goes on */
};

/* Line i has walkers[i], moves, logp, h and ahead from [i * plies] on, and keys from
 * [i * (plies + 1)] on. */
struct walk {
	struct priors *priors;
	const struct board *start;
	int plies;		/* of the longest line */
	size_t n, room;		/* lines there are, and can be */
	struct walker *walkers;
	uint64_t *keys;
	move *moves;
	double *logp, *h;	/* log probability of the move, entropy */
	double *ahead;		/* see ahead.h; of walk_forward() only */
};

/* Room for so many lines of so many plies. Priors and start must outlive it.
 * Out of memory ends the program. */
void walk_init(struct walk *w, struct priors *priors,
    const struct board *start, int plies, size_t room);
void walk_release(struct walk *w);

/* Puts lines first to first + n - 1 of a seed, n <= room, at the start, in
 * which the game is not over. */
void walk_begin(struct walk *w, size_t n, uint64_t seed, uint64_t first);

/* Goes forward by a ply, the move being drawn; lines that are over stay. At
 * most w->plies times. -1 with w->priors->reason. */
int walk_forward(struct walk *w);

/* Goes forward by every move that there is: each line becomes as many, in the
 * order of the moves. Returns 1 and does nothing when that are more than
 * `most`; 0; or -1 as above. */
int walk_branch(struct walk *w, size_t most);

/* How the game has ended after the last ply of a line; END_NONE if it has
 * not. */
enum end walk_end(const struct walk *w, size_t i);

#endif
