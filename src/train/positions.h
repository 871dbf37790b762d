/*
 * Positions to train a net on, 56 bytes each, so that a hundred million of them fit
 * into memory; grouped by rule set, as each part of a training batch has positions of
 * one rule set. For a policy, each also has the visits of its moves.
 */
#ifndef TRAIN_POSITIONS_H
#define TRAIN_POSITIONS_H

#include "base/rng.h"
#include "net/sparse.h"

struct position {
	uint64_t kind[4];            /* bit i of the kind of piece on each square */
	uint64_t black;              /* squares of Black's pieces */
	uint8_t hands[SPARSE_KINDS]; /* of each kind: White's count, at most 15, and
	                              * Black's in the upper 4 bits */
	uint16_t target;             /* the mover's expected points, in 1/65535 */
	uint8_t side : 1, drawn : 1, castling : 4;
	uint8_t checks; /* left: White's, Black's */
};

enum { POSITION_SHARES = 65535 };

/* A legal move and its share of the visits, in units of 1 / POSITION_SHARES. */
struct position_move {
	move move;
	uint16_t share;
};

struct position_visits {
	const struct position_move *moves;
	int n; /* at least one */
};

/* The positions of one rule set, the oldest first; a ring buffer once it is full. */
struct position_set {
	struct rules rules;
	struct position *at;
	struct position_visits *visits; /* of each, in a window for policies */
	size_t n, room, next;
	uint64_t seen;
};

struct positions {
	struct position_set **sets;
	int nsets;
	size_t limit;      /* for each rule set */
	bool policy;       /* positions have visits */
	bool newest_first; /* positions added to a full set are older: drop them */
};

void positions_init(struct positions *p, size_t limit, bool policy);
void positions_release(struct positions *p);

/* The set of a rule set, created if necessary. The limit on plies is for training
 * alone: sets do not differ in it. */
struct position_set *positions_of(struct positions *p, const struct rules *r);

/* The number of all positions. */
size_t positions_count(const struct positions *p);

/* The kind of piece on a square, 0: none. */
static inline int
position_kind(const struct position *p, int sq)
{
	return (int)((p->kind[0] >> sq & 1) | (p->kind[1] >> sq & 1) << 1 |
	    (p->kind[2] >> sq & 1) << 2 | (p->kind[3] >> sq & 1) << 3);
}

static inline uint64_t
position_occupied(const struct position *p)
{
	return p->kind[0] | p->kind[1] | p->kind[2] | p->kind[3];
}

/* The square of a side's king, by sparse_king(). */
int position_king(const struct position *p, int side);

/* Packs a position, without a target. */
void position_pack(struct position *p, const struct board *b);

/* Adds one, which takes over the visits. */
void position_add(struct positions *all, struct position_set *s, const struct position *p,
    const struct position_visits *v);

/* The legal moves of a position with their shares of n visits; n 0 if no legal move
 * has any. The caller owns the result. */
struct position_visits position_share(const struct board *b, const move *moves,
    const float *visits, int n);

/* Draws one of a set: one with this side to move (-1: any), or with the other if such
 * are hard to find. */
size_t position_draw(const struct position_set *s, int side, struct rng *rng);

/* Inputs of a net, as by sparse_inputs(), as the mover and as the other side sees
 * them; returns the number of each. */
int position_inputs(const struct position *p, uint16_t *own, uint16_t *other);

/*
 * From the expected points p(t) of each ply's mover, in place, to the return:
 * r(t) = (1 - g) * p(t) + g * (1 - r(t + 1)), which ends in the result. p NAN:
 * there is none, and r(t) = 1 - r(t + 1). Then the result, as the mover sees it, takes
 * this share of each of them.
 */
void positions_returns(double *points, int plies, double result_white, int first_side,
    double g, double result_share);

#endif
