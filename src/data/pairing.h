/*
 * Games that belong together: of different rule sets, with the same id and seed.
 * selfplay gives them the same random numbers, so that they begin alike as far
 * as the rules allow. A list has the games of one rule set.
 */
#ifndef DATA_PAIRING_H
#define DATA_PAIRING_H

#include "game.h"

enum { PAIRING_PLIES = 40 };	/* how far beginnings are compared */

struct pairing_game {
	uint64_t id;		/* a hash of id and seed */
	uint64_t start;		/* 0: the usual one; else its key */
	double points;		/* White's */
	bool drawn;
	uint8_t plies;		/* of these: */
	move moves[PAIRING_PLIES];
};

/* A list is one piece of memory: free() frees it. NULL is an empty one. */
struct pairing {
	size_t n, room;
	struct pairing_game games[];
};

/* Adds a game; one without an id belongs to no other, and is left out. */
void pairing_add(struct pairing **list, const struct game *g, double points);

/* Due before pairs are looked for. False when two games have the same id and
 * seed: nobody could tell which of them belongs to another. */
bool pairing_sort(struct pairing *list);

/* Where the next pair is looked for; zero to begin with. */
struct pairing_cursor {
	size_t i, j;
};

/* The next pair of two lists; false when there is none left. */
bool pairing_next(const struct pairing *a, const struct pairing *b,
    struct pairing_cursor *at, const struct pairing_game **of_a,
    const struct pairing_game **of_b);

/* How many plies two games begin alike, PAIRING_PLIES at most. */
int pairing_shared(const struct pairing_game *a, const struct pairing_game *b);

#endif
