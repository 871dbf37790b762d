/*
 * Positions to train a sparse net on, 32 bytes each, so that a hundred million
 * of them fit into memory; grouped by rule set, as each part of a training batch
 * has positions of one rule set.
 */
#ifndef TRAIN_POSITIONS_H
#define TRAIN_POSITIONS_H

#include "base/rng.h"
#include "chess/board.h"

struct position {
	uint64_t occupied;
	uint8_t men[16]; /* on the occupied squares, 4 bits each: side, type */
	uint16_t target; /* the mover's expected points, in 1/65535 */
	uint8_t side, castling;
	uint8_t drawn;  /* 1 if the game was drawn, otherwise 0 */
	uint8_t checks; /* left: White's, Black's */
	uint16_t zero;
};

/* The positions of one rule set, the oldest first; a ring buffer once it is full. */
struct position_set {
	struct rules rules;
	struct position *at;
	size_t n, room, next;
	uint64_t seen;
};

struct positions {
	struct position_set *sets;
	int nsets, room;
	size_t limit;      /* for each rule set */
	bool newest_first; /* positions added to a full set are older: drop them */
};

void positions_init(struct positions *p, size_t limit);
void positions_release(struct positions *p);

/* The set of a rule set, created if necessary. */
struct position_set *positions_of(struct positions *p, const struct rules *r);

/* The number of all positions. */
size_t positions_count(const struct positions *p);

/* The piece on the i-th occupied square, coded as in board.h. */
static inline int
position_man(const struct position *p, int i)
{
	return p->men[i / 2] >> (i % 2 * 4) & 15;
}

/* Packs a position. */
void position_pack(struct position *p, const struct board *b, double points, bool drawn);

void position_add(struct positions *all, struct position_set *s,
    const struct position *p);

/* Draws one of n structs of `size` bytes that begin with a struct position: one with
 * this side to move (-1: any), or with the other if such are hard to find. */
const void *position_draw(const void *at, size_t size, size_t n, int side,
    struct rng *rng);

/* Inputs of a sparse net, as by sparse_inputs(), as the mover and as the other side
 * sees them; returns the number of each. */
int position_inputs(const struct position *p, uint16_t *own, uint16_t *other);

/*
 * From the expected points p(t) of each ply's mover, in place, to the return:
 * r(t) = (1 - g) * p(t) + g * (1 - r(t + 1)), which ends in the result. p NAN:
 * there is none, and r(t) = 1 - r(t + 1).
 */
void positions_returns(double *points, int plies, double result_white, int first_side,
    double g);

#endif
