/*
 * What alpha-beta has found of positions: a table of fixed size, in which
 * deeper and newer findings stay longer. Several threads may use one.
 */
#ifndef SEARCH_ABTABLE_H
#define SEARCH_ABTABLE_H

#include <stdatomic.h>

#include "chess/board.h"

enum abtable_bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct abtable_entry {
	move move;
	int16_t score;		/* sure ends counted from this position */
	int16_t eval;		/* what the net said */
	uint8_t depth;
	uint8_t bound;
};

struct abtable_slot {
	_Atomic uint64_t key;	/* xor data: a torn slot fits no position */
	_Atomic uint64_t data;
};

struct abtable {
	struct abtable_slot *slots;
	uint64_t clusters;	/* a power of two */
	uint8_t age;
};

/* About so many bytes. Dies of no memory never: -1. */
int abtable_init(struct abtable *t, size_t bytes);
void abtable_release(struct abtable *t);
void abtable_clear(struct abtable *t);

/* Another search begins: what is there gets older. */
void abtable_grow_older(struct abtable *t);

void abtable_prefetch(const struct abtable *t, uint64_t key);
bool abtable_get(const struct abtable *t, uint64_t key, struct abtable_entry *e);
void abtable_put(struct abtable *t, uint64_t key, struct abtable_entry e);

/* Thousandths of it that this search has filled. */
int abtable_full(const struct abtable *t);

#endif
