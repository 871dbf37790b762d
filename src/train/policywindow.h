/*
 * Positions to learn a policy from, each with the inputs of a sparse net, its
 * value target, and the visits of its moves; grouped by rule set as in
 * positions.h.
 */
#ifndef TRAIN_POLICYWINDOW_H
#define TRAIN_POLICYWINDOW_H

#include "data/game.h"
#include "positions.h"

enum { POLICY_SHARES = 65535 };

/* A legal move and its share of the visits, in units of 1 / POLICY_SHARES. */
struct policy_target {
	move move;
	uint16_t share;
};

struct policy_sample {
	struct position position;
	const struct policy_target *targets;
	int n; /* at least one */
};

/* The positions of one rule set, a ring buffer: at the limit, a new one replaces
 * the oldest. */
struct policy_set {
	struct rules rules;
	struct policy_sample *at;
	size_t n, room, next;
};

struct policy_window {
	struct policy_set **sets;
	int nsets;
	size_t limit;      /* positions of each rule set */
	bool newest_first; /* positions added when it is full are older */
	double g;          /* lambda of positions_returns() */
	uint64_t seen;
};

void policy_window_init(struct policy_window *w, size_t limit, double g);
void policy_window_release(struct policy_window *w);

/* The number of all positions. */
size_t policy_window_count(const struct policy_window *w);

/* The result of the search at a ply. */
struct policy_found {
	float points; /* the mover's; NAN: there was no search */
	int n;        /* moves with visits */
	const move *moves;
	const float *visits;
};

/* Adds the positions of a game that have visits; found[] has an entry for each
 * ply. Returns the number added. */
int policy_window_add(struct policy_window *w, const struct game *g,
    const struct policy_found *found);

/* The same from the game's search data; where that has a value but no visits, the
 * move played counts as the only one visited. -1 with a reason if it is malformed.
 * A game without a result or search data adds none. */
int policy_window_add_data(struct policy_window *w, const struct game *g,
    char reason[GAME_REASON_MAX]);

#endif
