/*
 * Pairs of games: games of different rule sets with the same id and seed.
 * selfplay gives them the same random numbers, so that they begin alike as far
 * as the rules allow. A list holds the games of one rule set.
 */
#ifndef DATA_PAIRING_H
#define DATA_PAIRING_H

#include "game.h"

enum { PAIRING_PLIES = 40 }; /* how far beginnings are compared */

struct pairing_game {
	uint64_t id;    /* a hash of id and seed */
	uint64_t start; /* 0: the usual one; else its key */
	double points;  /* White's */
	bool drawn;     /* and worth half a point */
	uint8_t plies;  /* number of moves stored */
	move moves[PAIRING_PLIES];
};

/* A list is one allocation, freed with free(3). NULL is an empty list. */
struct pairing {
	size_t n, room;
	struct pairing_game games[];
};

/* Adds a game; games without an id have no partner and are left out. */
void pairing_add(struct pairing **list, const struct game *g, double points);

/* Call before pairing_next(). False if two games have the same id and seed, so
 * that pairs would be ambiguous. */
bool pairing_sort(struct pairing *list);

/* The state of a search for pairs; starts as zeros. */
struct pairing_cursor {
	size_t i, j;
};

/* The next pair from two lists; false if none is left. */
bool pairing_next(const struct pairing *a, const struct pairing *b,
    struct pairing_cursor *at, const struct pairing_game **of_a,
    const struct pairing_game **of_b);

/* The number of plies at the beginning that two games share, at most
 * PAIRING_PLIES. */
int pairing_shared(const struct pairing_game *a, const struct pairing_game *b);

#endif
