/*
 * Positions to learn a sparse net from, 32 bytes each, so that a hundred
 * million of them fit into memory; by rule set, as a step of training looks at
 * one rule set in each part of its batch.
 */
#ifndef TRAIN_POSITIONS_H
#define TRAIN_POSITIONS_H

#include "base/rng.h"
#include "chess/board.h"

struct position {
	uint64_t occupied;
	uint8_t men[16];	/* of the occupied squares, 4 bits each: side, type */
	uint16_t target;	/* the mover's expected points, of 65535 */
	uint8_t side, castling;
	uint8_t drawn;		/* 1: the game was, 0: it was not */
	uint8_t checks;		/* left: White's, Black's */
	uint16_t zero;
};

/* The positions of one rule set, the oldest first; a ring when it is full. */
struct position_set {
	struct rules rules;
	struct position *at;
	size_t n, room, next;
	uint64_t seen;
};

struct positions {
	struct position_set *sets;
	int nsets, room;
	size_t limit;		/* for each rule set */
	bool newest_first;	/* what comes when it is full is older, and dropped */
};

void positions_init(struct positions *p, size_t limit);
void positions_release(struct positions *p);

/* The set of a rule set, made when it is new. */
struct position_set *positions_of(struct positions *p, const struct rules *r);

/* All of them. */
size_t positions_count(const struct positions *p);

/* The man on the i-th occupied square, as board.h has them. */
static inline int
position_man(const struct position *p, int i)
{
	return p->men[i / 2] >> (i % 2 * 4) & 15;
}

/* How a position is kept. */
void position_pack(struct position *p, const struct board *b, double points,
    bool drawn);

void position_add(struct positions *all, struct position_set *s,
    const struct position *p);

/* Draws one of n structs of `size` bytes that begin with a struct position: one
 * with a side to move (-1: any), or the other side's if it is hard to find. */
const void *position_draw(const void *at, size_t size, size_t n, int side,
    struct rng *rng);

/* Inputs of a sparse net, as sparse_inputs() gives them, from the mover's side
 * and from the other's; how many each. */
int position_inputs(const struct position *p, uint16_t *own, uint16_t *other);

/*
 * The return of each ply: r(t) = (1 - g) * p(score(t)) + g * (1 - r(t + 1)),
 * which ends in the result, as the mover's expected points. score NAN: there is
 * none, and r(t) = 1 - r(t + 1).
 */
void positions_returns(const float *points, int plies, double result_white,
    int first_side, double g, double *returns);

#endif
