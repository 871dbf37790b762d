/*
 * A position of a window as a board again.
 */
#ifndef TESTS_UNPACK_H
#define TESTS_UNPACK_H

#include "train/positions.h"

static void
position_unpack(const struct position *p, const struct rules *r, struct board *b)
{
	board_clear(b, r);
	for (bitboard o = position_occupied(p); o != 0; o &= o - 1) {
		int sq = __builtin_ctzll(o);
		board_put(b, p->black >> sq & 1, position_kind(p, sq), sq);
	}
	for (int type = PAWN; type < r->ntypes; type++)
		for (int side = WHITE; side <= BLACK; side++)
			b->hand[side] += hand_one(type) *
			    (uint64_t)(p->hands[type - 1] >> 4 * side & 15);
	b->side = p->side;
	b->castling = p->castling;
	b->checks = p->checks;
	board_rekey(b);
}

#endif
