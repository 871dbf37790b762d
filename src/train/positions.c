#include "positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "net/sparse.h"

void
positions_init(struct positions *p, size_t limit)
{
	memset(p, 0, sizeof(*p));
	p->limit = limit;
}

void
positions_release(struct positions *p)
{
	for (int i = 0; i < p->nsets; i++)
		free(p->sets[i].at);
	free(p->sets);
}

struct position_set *
positions_of(struct positions *p, const struct rules *r)
{
	for (int i = 0; i < p->nsets; i++)
		if (rules_equal(&p->sets[i].rules, r))
			return &p->sets[i];
	if (p->nsets == p->room) {
		p->room = 2 * p->room + 16;
		p->sets = xreallocarray(p->sets, (size_t)p->room, sizeof(*p->sets));
	}
	struct position_set *s = &p->sets[p->nsets++];
	memset(s, 0, sizeof(*s));
	s->rules = *r;
	return s;
}

size_t
positions_count(const struct positions *p)
{
	size_t n = 0;

	for (int i = 0; i < p->nsets; i++)
		n += p->sets[i].n;
	return n;
}

void
position_pack(struct position *p, const struct board *b, double points, bool drawn)
{
	int i = 0;

	memset(p, 0, sizeof(*p));
	p->occupied = board_occupied(b);
	for (bitboard o = p->occupied; o != 0 && i < 32; o &= o - 1, i++)
		p->men[i / 2] |= (uint8_t)(b->square[__builtin_ctzll(o)] << (i % 2 * 4));
	p->target = (uint16_t)lround(points * 65535);
	p->side = b->side;
	p->castling = b->castling;
	p->checks = b->checks;
	p->drawn = drawn;
}

void
position_add(struct positions *all, struct position_set *s, const struct position *p)
{
	if (s->n == s->room && s->n < all->limit) {
		s->room = s->room * 2 < all->limit ? 2 * s->room + 4096 : all->limit;
		s->at = xreallocarray(s->at, s->room, sizeof(*p));
	}
	if (s->n < s->room) {
		s->at[s->n++] = *p;
	} else if (!all->newest_first) {
		s->at[s->next] = *p;
		s->next = (s->next + 1) % s->n;
	}
	s->seen++;
}

int
position_inputs(const struct position *p, uint16_t *own, uint16_t *other)
{
	uint8_t squares[32], men[32];
	int kings[2] = { 0, 0 }, n = 0;

	for (bitboard o = p->occupied; o != 0; o &= o - 1, n++) {
		squares[n] = (uint8_t)__builtin_ctzll(o);
		men[n] = (uint8_t)position_man(p, n);
		if ((men[n] & 7) == KING)
			kings[men[n] >> 3] = squares[n];
	}
	for (int them = 0; them < 2; them++) {
		int us = p->side ^ them;
		int turn = (us == BLACK ? 56 : 0) ^ (file_of(kings[us]) < 4 ? 7 : 0);
		int first = sparse_zone(kings[us] ^ turn) * SPARSE_INPUTS;
		uint16_t *to = them ? other : own;
		for (int i = 0; i < n; i++)
			to[i] = (uint16_t)(first +
			    ((men[i] >> 3 != us) * 6 + (men[i] & 7) - 1) * 64 +
			    (squares[i] ^ turn));
		int k = n;
		for (uint64_t c = sparse_state(p->castling, p->checks, us); c != 0;
		     c &= c - 1)
			to[k++] = (uint16_t)(first + SPARSE_PIECES + __builtin_ctzll(c));
		if (them)
			n = k;
	}
	return n;
}

void
positions_returns(double *points, int plies, double result_white, int first_side,
    double g)
{
	int last = first_side ^ (plies & 1); /* to move when it is over */
	double r = last == WHITE ? result_white : 1 - result_white;

	for (int i = plies - 1; i >= 0; i--) {
		r = 1 - r;
		if (!isnan(points[i]))
			r = (1 - g) * points[i] + g * r;
		points[i] = r;
	}
}

const void *
position_draw(const void *at, size_t size, size_t n, int side, struct rng *rng)
{
	const void *p = NULL;

	for (int i = 0; i < 32; i++) {
		p = (const char *)at + (size_t)(rng_double(rng) * (double)n) * size;
		if (side < 0 || ((const struct position *)p)->side == side)
			break;
	}
	return p;
}
