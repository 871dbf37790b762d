#include "encode.h"

#include <string.h>

#include "base/rng.h"

enum {
	PLANE_CASTLING = 12,
	PLANE_EP = 16,
	PLANE_COUNT,
	PLANE_REPETITION,
	PLANE_CASTLES,
	PLANE_CASTLING_LATER,
	PLANE_DOUBLE,
	PLANE_BACK = 24,
	PLANE_SIDEWAYS,
	PLANE_SELF_CAPTURE,
	PLANE_STALEMATE,
	PLANE_ONES
};

enum { KNIGHT_PLANES = 56, PROMOTION_PLANES = 64, DOUBLE_PROMOTION_PLANES = 73 };

/* The planes with the same number on all squares: a number for each plane, 0 for
 * those that differ by square. */
static void
encode_constants(const struct board *b, int repetitions, float *one)
{
	const struct rules *r = b->rules;
	int rights =
	    b->side == WHITE ? b->castling : (b->castling >> 2 | b->castling << 2) & 15;
	int later = r->castling_from[b->side] - b->fullmove;

	memset(one, 0, NET_PLANES * sizeof(*one));
	for (int i = 0; i < 4; i++)
		one[PLANE_CASTLING + i] = (rights & 1 << i) != 0;
	one[PLANE_COUNT] =
	    b->count < r->count_limit ? (float)b->count / (float)r->count_limit : 1;
	one[PLANE_REPETITION] = (float)(repetitions - 1) / 2;
	one[PLANE_CASTLES] = r->castling_from[b->side] != 0;
	one[PLANE_CASTLING_LATER] = later > 0 ? (float)(later > 50 ? 50 : later) / 10 : 0;
	one[PLANE_DOUBLE] = r->double_step[b->side] >= 2;
	one[PLANE_DOUBLE + 1] = r->double_step[b->side] >= 3;
	one[PLANE_DOUBLE + 2] =
	    r->double_step[b->side] > 3 ? (float)(r->double_step[b->side] - 3) / 3 : 0;
	one[PLANE_BACK] = r->pawn_back[b->side];
	one[PLANE_SIDEWAYS] = r->pawn_sideways[b->side];
	one[PLANE_SELF_CAPTURE] = r->self_capture[b->side];
	one[PLANE_STALEMATE] = r->stalemate_value[b->side] == 100;
	one[PLANE_ONES] = 1;
}

/* Marks a set of squares, flipped for Black. */
static void
mark(float *plane, bitboard set, int side)
{
	while (set != 0) {
		int sq = __builtin_ctzll(set);
		set &= set - 1;
		plane[side == WHITE ? sq : sq ^ 56] = 1;
	}
}

void
encode_position(const struct board *b, int repetitions, float *input)
{
	float one[NET_PLANES];
	int us = b->side;

	encode_constants(b, repetitions, one);
	for (int plane = 0; plane < NET_PLANES; plane++)
		for (int sq = 0; sq < 64; sq++)
			input[plane * 64 + sq] = one[plane];
	for (int type = PAWN; type <= KING; type++) {
		mark(input + 64 * (type - PAWN), b->pieces[us][type], us);
		mark(input + 64 * (6 + type - PAWN), b->pieces[us ^ 1][type], us);
	}
	if (b->ep != NO_SQUARE)
		mark(input + 64 * PLANE_EP, bit(b->ep), us);
}

/* The key of the position, the 50-move count, repetitions, and the moves until
 * castling is legal. */
uint64_t
encode_key(const struct board *b, int repetitions)
{
	int later = b->rules->castling_from[b->side] - b->fullmove;
	uint64_t seen = (uint64_t)b->count << 32 | (uint64_t)(repetitions & 255) << 24 |
	    (uint64_t)(later > 0 ? later : 0);

	return b->key ^ rng_stir(seen + 1);
}

/* 0 to 7 for N NE E SE S SW W NW. */
static int
direction(int df, int dr)
{
	static const int8_t of[3][3] = { { 5, 6, 7 }, { 4, -1, 0 }, { 3, 2, 1 } };

	return of[(df > 0) - (df < 0) + 1][(dr > 0) - (dr < 0) + 1];
}

static int
knight_plane(int df, int dr)
{
	/* the two signs, and which distance is longer */
	return KNIGHT_PLANES + (df > 0) * 4 + (dr > 0) * 2 + (df == 2 || df == -2);
}

int
encode_move(int side, move m)
{
	int turn = side == WHITE ? 0 : 56;
	int from = move_from(m) ^ turn, to = move_to(m) ^ turn, plane;
	int df = file_of(to) - file_of(from), dr = rank_of(to) - rank_of(from);
	int far = df < 0 ? -df : df;

	if ((dr < 0 ? -dr : dr) > far)
		far = dr < 0 ? -dr : dr;
	/* Drops, and promotions to kings and spare kinds, share the planes of moves
	 * along the file and of queens until nets have planes for them. */
	if (move_is_drop(m))
		return to;
	if (move_is_promotion(m) && move_promotion(m) < QUEEN) {
		int piece = move_promotion(m) - KNIGHT;
		plane = dr == 2 ? DOUBLE_PROMOTION_PLANES + piece
				: PROMOTION_PLANES + 3 * piece +
			(df == 0         ? 0
				: df < 0 ? 1
					 : 2);
	} else if (df != 0 && dr != 0 && df != dr && df != -dr) {
		plane = knight_plane(df, dr);
	} else {
		plane = 7 * direction(df, dr) + far - 1;
	}
	return plane * 64 + from;
}
