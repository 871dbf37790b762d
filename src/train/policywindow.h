/*
 * Positions to learn a policy from: how a sparse net sees them, what they
 * turned out to be worth, and how often a search visited their moves; by rule
 * set, as positions.h has them.
 */
#ifndef TRAIN_POLICYWINDOW_H
#define TRAIN_POLICYWINDOW_H

#include "data/game.h"
#include "positions.h"

enum { POLICY_SHARES = 65535 };

/* A legal move and its share of the visits, of POLICY_SHARES. */
struct policy_target {
	move move;
	uint16_t share;
};

struct policy_sample {
	struct position position;
	const struct policy_target *targets;
	int n;			/* at least one */
};

/* The positions of one rule set; when there are as many as wanted, a new one
 * takes the place of the oldest. */
struct policy_set {
	struct rules rules;
	struct policy_sample *at;
	size_t n, room, next;
};

struct policy_window {
	struct policy_set **sets;
	int nsets;
	size_t limit;		/* positions of each rule set */
	bool newest_first;	/* those that come when it is full are older */
	double g;		/* of positions_returns() */
	uint64_t seen;
};

void policy_window_init(struct policy_window *w, size_t limit, double g);
void policy_window_release(struct policy_window *w);

/* All positions. */
size_t policy_window_count(const struct policy_window *w);

/* What a search has found at a ply. */
struct policy_found {
	float points;		/* the mover's; NAN: there was no search */
	int n;			/* moves with visits */
	const move *moves;
	const float *visits;
};

/* Adds the positions of a game that have visits, found[] having one for each
 * ply. Returns how many. */
int policy_window_add(struct policy_window *w, const struct game *g,
    const struct policy_found *found);

/* The same from the search data that the game carries; where that has a value
 * and no visits, the move that was played counts as visited. -1 with a reason
 * when it is malformed; without a result or search data there are none. */
int policy_window_add_data(struct policy_window *w, const struct game *g,
    char reason[GAME_REASON_MAX]);

#endif
