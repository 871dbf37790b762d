/*
 * A position of a window as a board again.
 */
#ifndef TESTS_UNPACK_H
#define TESTS_UNPACK_H

#include "train/positions.h"

static void
position_unpack(const struct position *p, const struct rules *r, struct board *b)
{
	int i = 0;

	board_clear(b, r);
	for (bitboard o = p->occupied; o != 0; o &= o - 1, i++)
		board_put(b, position_man(p, i) >> 3, position_man(p, i) & 7,
		    __builtin_ctzll(o));
	b->side = p->side;
	b->castling = p->castling;
	b->checks = p->checks;
	board_rekey(b);
}

#endif
