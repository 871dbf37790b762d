/*
 * Making and unmaking moves, inline for the loops that do little else. All
 * others call board_make() and board_unmake().
 */
#ifndef CHESS_MAKE_H
#define CHESS_MAKE_H

#include "attack.h"
#include "board.h"
#include "ep.h"
#include "zobrist.h"

/* Rights that are left after something leaves from, or lands on, a square. */
static const uint8_t castling_kept[64] = {
	13, 15, 15, 15, 12, 15, 15, 14,
	15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 15, 15, 15, 15,
	7, 15, 15, 15, 3, 15, 15, 11,
};

static inline void
lift(struct board *b, int code, int sq)
{
	b->pieces[code >> 3][code & 7] ^= bit(sq);
	b->pieces[code >> 3][ALL] ^= bit(sq);
	b->square[sq] = 0;
}

static inline void
drop(struct board *b, int code, int sq)
{
	b->pieces[code >> 3][code & 7] ^= bit(sq);
	b->pieces[code >> 3][ALL] ^= bit(sq);
	b->square[sq] = (uint8_t)code;
}

/* The rook's squares when a king castles to `to`. */
static inline int castling_rook_from(int to) { return file_of(to) == 6 ? to + 1 : to - 2; }
static inline int castling_rook_to(int to) { return file_of(to) == 6 ? to - 1 : to + 1; }

/* Does this pawn move, no capture, reset the 50-move count? */
static inline bool
pawn_resets_count(const struct rules *r, int from, int to)
{
	return (r->pawn_back == 0) &
	    ((r->pawn_sideways == 0) | (rank_of(from) != rank_of(to)));
}

/* What promotion, en passant and castling do beyond moving a piece, which is
 * on its new square already. Returns the key's change. */
static inline uint64_t
make_special(struct board *b, move m, int code)
{
	int to = move_to(m), us = code >> 3, other, sq, rook_to;

	switch (move_kind(m)) {
	case MOVE_PROMOTION:
		other = us << 3 | move_promotion(m);
		lift(b, code, to);
		drop(b, other, to);
		return zobrist_piece[code][to] ^ zobrist_piece[other][to];
	case MOVE_EN_PASSANT:
		other = (us ^ 1) << 3 | PAWN;
		sq = ep_victim(us, to);
		lift(b, other, sq);
		b->count = 0;
		return zobrist_piece[other][sq];
	default:
		other = us << 3 | ROOK;
		sq = castling_rook_from(to);
		rook_to = castling_rook_to(to);
		lift(b, other, sq);
		drop(b, other, rook_to);
		return zobrist_piece[other][sq] ^ zobrist_piece[other][rook_to];
	}
}

/* Keeps the square passed over if the other side can capture there. */
static inline uint64_t
make_double_step(struct board *b, int us, int ep)
{
	if ((attack_pawn[us][ep] & b->pieces[us ^ 1][PAWN]) == 0 ||
	    !board_ep_playable(b, ep))
		return 0;
	b->ep = (uint8_t)ep;
	return zobrist_ep[ep];
}

static inline __attribute__((always_inline)) void
make_move(struct board *b, move m, struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side;
	int code = b->square[from], captured = b->square[to];
	uint64_t key = b->key ^ zobrist_black ^ zobrist_ep[b->ep];

	u->key = b->key;
	u->count = b->count;
	u->fullmove = b->fullmove;
	u->castling = b->castling;
	u->ep = b->ep;
	u->captured = (uint8_t)captured;

	b->ep = NO_SQUARE;
	b->side = (uint8_t)(us ^ 1);
	b->fullmove = (uint16_t)(b->fullmove + (us & (b->fullmove != UINT16_MAX)));
	/* Whether something is captured is hard to foresee: no branch on it. */
	bitboard victim = (bitboard)(captured != 0) << to;
	b->pieces[captured >> 3][captured & 7] ^= victim;
	b->pieces[captured >> 3][ALL] ^= (captured & 7) != 0 ? victim : 0;
	key ^= zobrist_piece[captured][to];
	b->count = captured != 0 ? 0 :
	    (uint16_t)(b->count + (b->count != UINT16_MAX));
	bitboard both = bit(from) | bit(to);
	b->pieces[us][code & 7] ^= both;
	b->pieces[us][ALL] ^= both;
	b->square[from] = 0;
	b->square[to] = (uint8_t)code;
	key ^= zobrist_piece[code][from] ^ zobrist_piece[code][to];
	if (b->castling != 0) {
		int kept = b->castling & castling_kept[from] & castling_kept[to];
		key ^= zobrist_castling[b->castling] ^ zobrist_castling[kept];
		b->castling = (uint8_t)kept;
	}

	bool pawn = (code & 7) == PAWN;
	if (pawn & pawn_resets_count(b->rules, from, to))
		b->count = 0;
	if (move_kind(m) != MOVE_PLAIN)
		key ^= make_special(b, m, code);
	else if (pawn & (((from ^ to) & ~32) == 16))
		key ^= make_double_step(b, us, (from + to) / 2);
	b->key = key;
}

static inline void
unmake_move(struct board *b, move m, const struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side ^ 1;
	int code = b->square[to];

	b->side = (uint8_t)us;
	b->fullmove = u->fullmove;
	b->key = u->key;
	b->count = u->count;
	b->castling = u->castling;
	b->ep = u->ep;

	if (move_kind(m) == MOVE_PROMOTION) {
		lift(b, code, to);
		code = us << 3 | PAWN;
		drop(b, code, to);
	}
	bitboard both = bit(from) | bit(to);
	b->pieces[us][code & 7] ^= both;
	b->pieces[us][ALL] ^= both;
	b->square[from] = (uint8_t)code;
	b->square[to] = 0;
	if (u->captured != 0) {
		drop(b, u->captured, to);
	} else if (move_kind(m) == MOVE_EN_PASSANT) {
		drop(b, (us ^ 1) << 3 | PAWN, ep_victim(us, to));
	} else if (move_kind(m) == MOVE_CASTLING) {
		int rook = us << 3 | ROOK;
		lift(b, rook, castling_rook_to(to));
		drop(b, rook, castling_rook_from(to));
	}
}

#endif
