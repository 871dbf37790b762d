/*
 * The transposition table: of fixed size, with a preference for deeper and newer
 * entries. Threads may share one without locks.
 */
#ifndef SEARCH_ABTABLE_H
#define SEARCH_ABTABLE_H

#include <stdatomic.h>

#include "chess/board.h"

enum abtable_bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct abtable_entry {
	move move;
	int16_t score; /* mates counted from this position */
	int16_t eval;  /* the static score, uncorrected */
	uint8_t depth;
	uint8_t bound;
};

struct abtable_slot {
	_Atomic uint64_t key; /* xor data, so that a torn slot matches no key */
	_Atomic uint64_t data;
};

struct abtable {
	struct abtable_slot *slots;
	uint64_t clusters; /* a power of two */
	uint8_t age;
};

/* Allocates about this many bytes: 0, or -1 if there is not enough memory. */
int abtable_init(struct abtable *t, size_t bytes);
void abtable_release(struct abtable *t);
void abtable_clear(struct abtable *t);

/* Call when a search begins: all entries become one search older. */
void abtable_new_search(struct abtable *t);

/* Load an entry's cache line early; look an entry up, false if there is none;
 * store one, unless a deeper one of this search is there. */
void abtable_prefetch(const struct abtable *t, uint64_t key);
bool abtable_get(const struct abtable *t, uint64_t key, struct abtable_entry *e);
void abtable_put(struct abtable *t, uint64_t key, struct abtable_entry e);

/* How much of the table this search has filled, in thousandths (UCI's hashfull). */
int abtable_hashfull(const struct abtable *t);

#endif
