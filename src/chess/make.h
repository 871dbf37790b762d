/*
 * Making and unmaking moves, inline for the hot loops. Other code calls
 * board_make() and board_unmake().
 */
#ifndef CHESS_MAKE_H
#define CHESS_MAKE_H

#include "attack.h"
#include "board.h"
#include "ep.h"
#include "zobrist.h"

/* Code that few moves need, kept out of line. */
#define RARE __attribute__((noinline, cold, unused))

/* Castling rights that remain after a move from or to a square. */
/* clang-format off */
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
/* clang-format on */

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

/* Where castling takes the king and the rook, and where the rook comes from. */
static inline int
castling_king_to(move m)
{
	int from = move_from(m), to = move_to(m);

	return !move_takes_rook(m) ? to : (from & 56) + (to > from ? 6 : 2);
}

static inline int
castling_rook_to(move m)
{
	return (move_from(m) & 56) + (move_to(m) > move_from(m) ? 5 : 3);
}

static inline int
castling_rook_from(move m)
{
	return move_takes_rook(m)
	    ? move_to(m)
	    : (move_from(m) & 56) + (move_to(m) > move_from(m) ? 7 : 0);
}

/*
 * What a move changes on the board, found before it is made: a piece (coded as
 * in struct board) leaves a square (to is NO_SQUARE), appears on one (from is
 * NO_SQUARE) or goes from one to another. At most three changes: a captured
 * piece, a pawn, and the piece that it promotes to.
 */
struct change {
	uint8_t code, from, to;
};
enum { CHANGES_MAX = 3 };

static inline int
move_changes(const struct board *b, move m, struct change list[CHANGES_MAX])
{
	int from = move_from(m), to = move_to(m), us = b->side, n = 0;
	uint8_t code = b->square[from];

	if (move_kind(m) == MOVE_CASTLING) {
		list[0] =
		    (struct change){ code, (uint8_t)from, (uint8_t)castling_king_to(m) };
		list[1] = (struct change){ (uint8_t)(us << 3 | ROOK),
			(uint8_t)castling_rook_from(m), (uint8_t)castling_rook_to(m) };
		return 2;
	}
	int victim = move_kind(m) == MOVE_EN_PASSANT ? ep_victim(us, to) : to;
	if (b->square[victim] != 0)
		list[n++] =
		    (struct change){ b->square[victim], (uint8_t)victim, NO_SQUARE };
	if (move_kind(m) != MOVE_PROMOTION) {
		list[n++] = (struct change){ code, (uint8_t)from, (uint8_t)to };
		return n;
	}
	list[n++] = (struct change){ code, (uint8_t)from, NO_SQUARE };
	list[n++] = (struct change){ (uint8_t)(us << 3 | move_promotion(m)), NO_SQUARE,
		(uint8_t)to };
	return n;
}

/* Does a pawn move that does not capture reset the 50-move count? */
static inline bool
pawn_resets_count(const struct rules *r, int from, int to)
{
	return (r->pawn_back == 0) &
	    ((r->pawn_sideways == 0) | (rank_of(from) != rank_of(to)));
}

/* The rest of a promotion or en passant capture, whose pawn is on its new square
 * already. Returns the change of the key. */
static inline uint64_t
make_special(struct board *b, move m, int code)
{
	int to = move_to(m), us = code >> 3, other, sq;

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
		return 0;
	}
}

static RARE void
unmake_castling(struct board *b, move m, int us)
{
	int king = us << 3 | KING, rook = us << 3 | ROOK;

	lift(b, king, castling_king_to(m));
	lift(b, rook, castling_rook_to(m));
	drop(b, king, move_from(m));
	drop(b, rook, castling_rook_from(m));
}

/* Sets the en passant square if the other side can capture there. Returns the
 * change of the key. */
static inline uint64_t
make_double_step(struct board *b, int us, int ep)
{
	if ((attack_pawn[us][ep] & b->pieces[us ^ 1][PAWN]) == 0 ||
	    !b->rules->en_passant || !board_ep_playable(b, ep))
		return 0;
	b->ep = (uint8_t)ep;
	return zobrist_ep[ep];
}

/* The remaining rights where castling starts from other squares; removes the
 * rooks of lost ones from the key. */
static RARE int
odd_castling_kept(const struct board *b, int from, int to, int code, uint64_t *key)
{
	int kept = b->castling;

	if ((code & 7) == KING)
		kept &= ~(3 << 2 * (code >> 3));
	for (int i = 0; i < 4; i++) {
		if (b->rook[i] == from || b->rook[i] == to)
			kept &= ~(1 << i);
		if (((b->castling ^ kept) & b->odd_castling & 1 << i) != 0)
			*key ^= zobrist_rook[i][file_of(b->rook[i])];
	}
	return kept;
}

/* Counts the check that the move of side us gives, if any. Returns the change
 * of the key. */
static RARE uint64_t
make_check(struct board *b, int us)
{
	int left = board_checks_left(b, us);

	if (left == 0 || board_checkers(b) == 0)
		return 0;
	b->checks = (uint8_t)(b->checks - (1 << 4 * us));
	return zobrist_checks[us][left] ^ zobrist_checks[us][left - 1];
}

/* King and rook may stand where the other goes, so both are lifted first. */
static RARE void
make_castling(struct board *b, move m, struct undo *u)
{
	int us = b->side, king = us << 3 | KING, rook = us << 3 | ROOK;
	int from = move_from(m), to = castling_king_to(m), kept;
	int rook_from = castling_rook_from(m), rook_to = castling_rook_to(m);

	u->key = b->key;
	u->state = b->state;
	u->captured = 0;
	lift(b, king, from);
	lift(b, rook, rook_from);
	drop(b, king, to);
	drop(b, rook, rook_to);
	b->key ^= zobrist_black ^ zobrist_ep[b->ep] ^ zobrist_piece[king][from] ^
	    zobrist_piece[king][to] ^ zobrist_piece[rook][rook_from] ^
	    zobrist_piece[rook][rook_to];
	kept = b->odd_castling ? odd_castling_kept(b, from, from, king, &b->key)
			       : b->castling & castling_kept[from];
	b->key ^= zobrist_castling[b->castling] ^ zobrist_castling[kept];
	b->castling = (uint8_t)kept;
	b->ep = NO_SQUARE;
	b->side = (uint8_t)(us ^ 1);
	b->fullmove = (uint16_t)(b->fullmove + (us & (b->fullmove != UINT16_MAX)));
	b->count = (uint16_t)(b->count + (b->count != UINT16_MAX));
	if (b->checks != 0)
		b->key ^= make_check(b, us);
}

static inline __attribute__((always_inline)) void
make_move(struct board *b, move m, struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side;
	int code = b->square[from], captured = b->square[to];

	if (__builtin_expect(move_kind(m) == MOVE_CASTLING, 0)) {
		make_castling(b, m, u);
		return;
	}
	uint64_t key = b->key ^ zobrist_black ^ zobrist_ep[b->ep];
	u->key = b->key;
	u->state = b->state;
	u->captured = (uint8_t)captured;

	b->ep = NO_SQUARE;
	b->side = (uint8_t)(us ^ 1);
	b->fullmove = (uint16_t)(b->fullmove + (us & (b->fullmove != UINT16_MAX)));
	/* No branch on whether this is a capture: it would be mispredicted. */
	bitboard victim = (bitboard)(captured != 0) << to;
	b->pieces[captured >> 3][captured & 7] ^= victim;
	b->pieces[captured >> 3][ALL] ^= (captured & 7) != 0 ? victim : 0;
	key ^= zobrist_piece[captured][to];
	b->count = captured != 0 ? 0 : (uint16_t)(b->count + (b->count != UINT16_MAX));
	bitboard both = bit(from) | bit(to);
	b->pieces[us][code & 7] ^= both;
	b->pieces[us][ALL] ^= both;
	b->square[from] = 0;
	b->square[to] = (uint8_t)code;
	key ^= zobrist_piece[code][from] ^ zobrist_piece[code][to];
	if (b->castling != 0) {
		int kept = __builtin_expect(b->odd_castling, 0)
		    ? odd_castling_kept(b, from, to, code, &key)
		    : b->castling & castling_kept[from] & castling_kept[to];
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
	if (__builtin_expect(b->checks != 0, 0))
		key ^= make_check(b, us);
	b->key = key;
}

static inline void
unmake_move(struct board *b, move m, const struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side ^ 1;

	b->key = u->key;
	b->state = u->state;

	if (__builtin_expect(move_kind(m) == MOVE_CASTLING, 0)) {
		unmake_castling(b, m, us);
		return;
	}
	int code = b->square[to];
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
	if (u->captured != 0)
		drop(b, u->captured, to);
	else if (move_kind(m) == MOVE_EN_PASSANT)
		drop(b, (us ^ 1) << 3 | PAWN, ep_victim(us, to));
}

#endif
