#include "positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"

void
positions_init(struct positions *p, size_t limit, bool policy)
{
	memset(p, 0, sizeof(*p));
	p->limit = limit;
	p->policy = policy;
}

static void
free_moves(const struct position_visits *v)
{
	free((void *)(uintptr_t)v->moves);
}

void
positions_release(struct positions *p)
{
	for (int i = 0; i < p->nsets; i++) {
		struct position_set *s = p->sets[i];
		for (size_t j = 0; s->visits != NULL && j < s->n; j++)
			free_moves(&s->visits[j]);
		free(s->visits);
		free(s->at);
		free(s);
	}
	free(p->sets);
}

struct position_set *
positions_of(struct positions *p, const struct rules *r)
{
	struct rules own = *r, classical;

	rules_init(&classical);
	own.ply_limit = classical.ply_limit;
	rules_finish(&own);
	for (int i = 0; i < p->nsets; i++)
		if (rules_equal(&p->sets[i]->rules, &own))
			return p->sets[i];
	p->sets = xreallocarray(p->sets, (size_t)p->nsets + 1, sizeof(*p->sets));
	struct position_set *s = xcalloc(1, sizeof(*s));
	s->rules = own;
	return p->sets[p->nsets++] = s;
}

size_t
positions_count(const struct positions *p)
{
	size_t n = 0;

	for (int i = 0; i < p->nsets; i++)
		n += p->sets[i]->n;
	return n;
}

/* ---- a position ---- */

void
position_pack(struct position *p, const struct board *b)
{
	memset(p, 0, sizeof(*p));
	for (int kind = PAWN; kind < TYPES; kind++) {
		bitboard all = b->pieces[WHITE][kind] | b->pieces[BLACK][kind];
		for (int i = 0; i < 4; i++)
			if (kind >> i & 1)
				p->kind[i] |= all;
		int white = board_in_hand(b, WHITE, kind),
		    black = board_in_hand(b, BLACK, kind);
		p->hands[kind - 1] =
		    (uint8_t)((white < 15 ? white : 15) | (black < 15 ? black : 15) << 4);
	}
	p->black = b->pieces[BLACK][ALL];
	p->side = (uint8_t)(b->side & 1);
	p->castling = (uint8_t)(b->castling & 15);
	p->checks = b->checks;
}

int
position_king(const struct position *p, int side)
{
	bitboard kings = ~p->kind[0] & p->kind[1] & p->kind[2] & ~p->kind[3];

	return sparse_king(kings & (side == WHITE ? ~p->black : p->black), side);
}

static int
list_hands(const struct position *p, int us, uint16_t *rows)
{
	int n = 0;

	for (int side = WHITE; side <= BLACK; side++)
		for (int kind = PAWN; kind <= SPARSE_KINDS; kind++) {
			int steps =
			    sparse_hand_steps(p->hands[kind - 1] >> 4 * side & 15);
			for (int i = 0; i < steps; i++)
				rows[n++] =
				    (uint16_t)(sparse_hand_row(side != us, kind) + i);
		}
	return n;
}

int
position_inputs(const struct position *p, uint16_t *own, uint16_t *other)
{
	static const uint8_t none[SPARSE_KINDS];
	bool hands = memcmp(p->hands, none, sizeof(none)) != 0;
	int n = 0;

	for (int them = 0; them < 2; them++) {
		int us = p->side ^ them, view = sparse_view(position_king(p, us), us);
		int sight = sparse_sight(us, view);
		uint64_t others = us == WHITE ? p->black : ~p->black;
		uint16_t *to = them ? other : own;
		n = 0;
		for (uint64_t o = position_occupied(p); o != 0; o &= o - 1) {
			int sq = __builtin_ctzll(o);
			to[n++] = (uint16_t)(sparse_piece_row(others >> sq & 1,
						 position_kind(p, sq), view) +
			    (sq ^ sight));
		}
		for (uint64_t c = sparse_state(p->castling, p->checks, us); c != 0;
		     c &= c - 1)
			to[n++] = (uint16_t)((view >> 1) * SPARSE_ZONED + SPARSE_PIECES +
			    __builtin_ctzll(c));
		if (hands)
			n += list_hands(p, us, to + n);
	}
	return n;
}

/* ---- sets ---- */

static void
grow(struct positions *all, struct position_set *s)
{
	s->room = s->room * 2 < all->limit ? 2 * s->room + 1024 : all->limit;
	if (s->room > all->limit)
		s->room = all->limit;
	s->at = xreallocarray(s->at, s->room, sizeof(*s->at));
	if (all->policy)
		s->visits = xreallocarray(s->visits, s->room, sizeof(*s->visits));
}

void
position_add(struct positions *all, struct position_set *s, const struct position *p,
    const struct position_visits *v)
{
	s->seen++;
	if (s->n == s->room && s->n < all->limit)
		grow(all, s);
	size_t to = s->n;
	if (s->n < s->room) {
		s->n++;
	} else if (all->newest_first) {
		if (all->policy)
			free_moves(v);
		return;
	} else {
		to = s->next;
		s->next = (s->next + 1) % s->n;
		if (all->policy)
			free_moves(&s->visits[to]);
	}
	s->at[to] = *p;
	if (all->policy)
		s->visits[to] = *v;
}

struct position_visits
position_share(const struct board *b, const move *moves, const float *visits, int n)
{
	struct position_visits v = { NULL, 0 };
	move legal[MOVES_MAX];
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (double)visits[i];
	int nlegal = movegen_list(b, legal);
	if (!(sum > 0) || nlegal == 0)
		return v;
	struct position_move *to = xcalloc((size_t)nlegal, sizeof(*to));
	for (int i = 0, k = 0; i < nlegal; i++) {
		to[i].move = legal[i];
		/* they are mostly in the order of movegen_list() */
		for (int j = 0; j < n; j++, k++)
			if (moves[k % n] == legal[i]) {
				to[i].share = (uint16_t)lround(POSITION_SHARES *
				    (double)visits[k % n] / sum);
				break;
			}
	}
	return (struct position_visits){ to, nlegal };
}

size_t
position_draw(const struct position_set *s, int side, struct rng *rng)
{
	size_t i = 0;

	for (int try = 0; try < 32; try++) {
		i = (size_t)(rng_double(rng) * (double)s->n);
		if (side < 0 || s->at[i].side == side)
			break;
	}
	return i;
}

void
positions_returns(double *points, int plies, double result_white, int first_side,
    double g, double result_share)
{
	int last = first_side ^ (plies & 1); /* to move when it is over */
	double result = last == WHITE ? result_white : 1 - result_white, r = result;

	for (int i = plies - 1; i >= 0; i--) {
		r = 1 - r;
		result = 1 - result;
		if (!isnan(points[i]))
			r = (1 - g) * points[i] + g * r;
		points[i] = (1 - result_share) * r + result_share * result;
	}
}
