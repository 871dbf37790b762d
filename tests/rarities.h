/*
 * What random rule sets and starts come to so seldom that tests choose some for it:
 * which rules can have it, and a start where it is near.
 */
#ifndef TESTS_RARITIES_H
#define TESTS_RARITIES_H

#include "chess/rules.h"
#include "positions.h"
#include "randomspec.h"

/* Can this side lose its last piece, and is that an end? */
static inline bool
can_lose_all(const struct rules *r, int side)
{
	return r->lost_all_value[side] != 0 && r->royal[side] == 0;
}

static inline bool
may_lose_all(const struct rules *r)
{
	return can_lose_all(r, WHITE) || can_lose_all(r, BLACK);
}

/* A side with one piece against a king and three others. */
static inline void
last_piece_fen(struct rng *rng, const struct rules *r, char fen[128])
{
	int side = can_lose_all(r, WHITE) ? WHITE : BLACK;
	char at[64], *s;

	memset(at, '.', sizeof(at));
	random_put(rng, at, "Nn"[side], 1, 6);
	random_put(rng, at, "kK"[side], 0, 7);
	for (int i = 0; i < 3; i++)
		random_put(rng, at, "qQrR"[2 * rng_below(rng, 2) + (uint32_t)side], 0, 7);
	s = write_squares(at, fen);
	sprintf(s, "%c - - 0 40", "wb"[rng_below(rng, 2)]);
}

static inline bool
may_explode_passing(const struct rules *r)
{
	return r->explode && r->en_passant[WHITE] && r->double_step[WHITE] >= 2 &&
	    r->double_step[BLACK] >= 2;
}

/* Pawns that can be captured in passing after their first move. */
static inline void
passing_fen(struct rng *rng, const struct rules *r, char fen[128])
{
	bool black = one_in(rng, 2);
	char at[64], *s;

	(void)r;
	memset(at, '.', sizeof(at));
	random_put(rng, at, 'K', 0, 0);
	random_put(rng, at, 'k', 7, 7);
	for (int i = 0; i < 4; i++) {
		random_put(rng, at, black ? 'p' : 'P', black ? 6 : 1, black ? 6 : 1);
		random_put(rng, at, black ? 'P' : 'p', black ? 4 : 3, black ? 4 : 3);
	}
	s = write_squares(at, fen);
	sprintf(s, "%c - - 0 40", "wb"[black]);
}

static inline bool
may_promote_to_king(const struct rules *r)
{
	const int king = 1 << (KING - KNIGHT);

	return ((r->promote_to[WHITE] | r->promote_to[BLACK]) & king) != 0;
}

static inline void
promotion_fen(struct rng *rng, const struct rules *r, char fen[128])
{
	char at[64], *s;

	(void)r;
	memset(at, '.', sizeof(at));
	random_put(rng, at, 'K', 2, 5);
	random_put(rng, at, 'k', 2, 5);
	for (int i = 0; i < 3; i++) {
		random_put(rng, at, 'P', 6, 6);
		random_put(rng, at, 'p', 1, 1);
	}
	s = write_squares(at, fen);
	sprintf(s, "%c - - 0 40", "wb"[rng_below(rng, 2)]);
}

static inline bool
has_last_word(const struct rules *r)
{
	return r->last_word && r->goal[WHITE] != 0;
}

/* White's king has reached its goal. */
static inline void
goal_fen(struct rng *rng, const struct rules *r, char fen[128])
{
	char at[64], *s;

	memset(at, '.', sizeof(at));
	at[__builtin_ctzll(r->goal[WHITE])] = 'K';
	random_put(rng, at, 'k', 0, 7);
	random_put(rng, at, 'n', 0, 7);
	s = write_squares(at, fen);
	sprintf(s, "b - - 0 40");
}

static const struct rarity {
	bool (*is_possible)(const struct rules *r);
	void (*start)(struct rng *rng, const struct rules *r, char fen[128]);
} rarities[] = {
	{ may_lose_all, last_piece_fen },
	{ may_explode_passing, passing_fen },
	{ may_promote_to_king, promotion_fen },
	{ has_last_word, goal_fen },
};
enum { RARITIES = sizeof(rarities) / sizeof(rarities[0]) };

#endif
