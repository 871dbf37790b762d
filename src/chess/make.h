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
	b->pieces[code >> 4][code & 15] ^= bit(sq);
	b->pieces[code >> 4][ALL] ^= bit(sq);
	b->square[sq] = 0;
}

static inline void
drop(struct board *b, int code, int sq)
{
	b->pieces[code >> 4][code & 15] ^= bit(sq);
	b->pieces[code >> 4][ALL] ^= bit(sq);
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

/* Does a pawn move that does not capture reset the 50-move count? */
static inline bool
pawn_resets_count(const struct rules *r, int us, int from, int to)
{
	return (r->pawn_back[us] == 0) &
	    ((r->pawn_sideways[us] == 0) | (rank_of(from) != rank_of(to)));
}

/* The rest of a promotion or en passant capture, whose pawn is on its new square
 * already. Returns the change of the key. */
static inline uint64_t
make_special(struct board *b, move m, int code)
{
	int to = move_to(m), us = code >> 4, other, sq;

	if (move_is_promotion(m)) {
		other = us << 4 | move_promotion(m);
		lift(b, code, to);
		drop(b, other, to);
		return zobrist_piece[code][to] ^ zobrist_piece[other][to];
	}
	other = (us ^ 1) << 4 | PAWN;
	sq = ep_victim(us, to);
	lift(b, other, sq);
	b->count = 0;
	return zobrist_piece[other][sq];
}

/* Sets the en passant square if the other side can capture there. Returns the
 * change of the key. */
static inline uint64_t
make_double_step(struct board *b, int us, int ep)
{
	if ((attack_pawn[us][ep] & b->pieces[us ^ 1][PAWN]) == 0 ||
	    !b->rules->en_passant[us ^ 1] || own_rank(us, ep) < 2 ||
	    !board_ep_playable(b, ep))
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

	if ((code & 15) == KING)
		kept &= ~(3 << 2 * (code >> 4));
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

/* ---- rules with drops, explosions or a count of checks ---- */

static inline void
save_extra(const struct board *b, struct undo *u)
{
	u->blast = 0;
	u->promoted = b->promoted;
	u->hand[WHITE] = b->hand[WHITE];
	u->hand[BLACK] = b->hand[BLACK];
}

/* Adds a piece to a hand (by 1) or takes it out (by -1). Returns the change of the
 * key. */
static inline uint64_t
change_hand(struct board *b, int side, int type, int by)
{
	int n = board_in_hand(b, side, type);

	b->hand[side] += hand_one(type) * (uint64_t)(int64_t)by;
	return zobrist_hand[side][type][n] ^ zobrist_hand[side][type][n + by];
}

/* Marks or clears promoted pieces. Returns the change of the key. */
static inline uint64_t
set_promoted(struct board *b, bitboard promoted)
{
	bitboard changed = b->promoted ^ promoted;
	uint64_t key = 0;

	b->promoted = promoted;
	while (changed != 0)
		key ^= zobrist_promoted[pop_square(&changed)];
	return key;
}

/* A captured piece goes into the hand, a promoted one as a pawn. */
static inline uint64_t
make_hands(struct board *b, move m, int us, int captured)
{
	int from = move_from(m), to = move_to(m);
	bitboard p = b->promoted & ~(bit(from) | bit(to));
	uint64_t key = 0;

	if (b->rules->drops[us] && captured != 0 && captured >> 4 != us)
		key = change_hand(b, us,
		    (b->promoted & bit(to)) != 0 ? PAWN : captured & 15, 1);
	if ((b->promoted & bit(from)) != 0 || move_is_promotion(m))
		p |= bit(to);
	return key ^ set_promoted(b, p);
}

/* Removes what stands on `to` and around it, except pawns around it. */
static inline uint64_t
make_explosion(struct board *b, int to, struct undo *u)
{
	bitboard pawns = b->pieces[WHITE][PAWN] | b->pieces[BLACK][PAWN];
	bitboard blast = (attack_king[to] & board_occupied(b) & ~pawns) | bit(to);
	uint64_t key = zobrist_castling[b->castling];
	int n = 0;

	u->blast = blast;
	for (bitboard left = blast; left != 0;) {
		int sq = pop_square(&left), code = b->square[sq];
		u->blown[n++] = (uint8_t)code;
		key ^= zobrist_piece[code][sq];
		lift(b, code, sq);
		if (b->castling != 0)
			b->castling = (uint8_t)(b->odd_castling
				? odd_castling_kept(b, sq, sq, code, &key)
				: b->castling & castling_kept[sq]);
	}
	key ^= zobrist_castling[b->castling];
	return key ^ set_promoted(b, b->promoted & ~blast);
}

static RARE uint64_t
make_extra(struct board *b, move m, struct undo *u, int us)
{
	int captured = move_is_ep(m) ? (us ^ 1) << 4 | PAWN : u->captured;
	uint64_t key = 0;

	save_extra(b, u);
	if (b->rules->hands)
		key = make_hands(b, m, us, captured);
	if (b->rules->explode && captured != 0)
		key ^= make_explosion(b, move_to(m), u);
	if (b->checks != 0)
		key ^= make_check(b, us);
	return key;
}

static RARE void
unmake_extra(struct board *b, const struct undo *u)
{
	int n = 0;

	for (bitboard left = u->blast; left != 0;)
		drop(b, u->blown[n++], pop_square(&left));
	b->promoted = u->promoted;
	b->hand[WHITE] = u->hand[WHITE];
	b->hand[BLACK] = u->hand[BLACK];
}

/* ---- castling and drops ---- */

/* What changes with every move. */
static inline void
pass_turn(struct board *b, int us)
{
	b->ep = NO_SQUARE;
	b->side = (uint8_t)(us ^ 1);
	b->fullmove = (uint16_t)(b->fullmove + (us & (b->fullmove != UINT16_MAX)));
	b->count = (uint16_t)(b->count + (b->count != UINT16_MAX));
}

/* King and rook may stand where the other goes, so both are lifted first. */
static inline void
make_castling(struct board *b, move m)
{
	int us = b->side, king = us << 4 | KING, rook = us << 4 | ROOK;
	int from = move_from(m), to = castling_king_to(m), kept;
	int rook_from = castling_rook_from(m), rook_to = castling_rook_to(m);

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
}

static inline void
make_drop(struct board *b, move m)
{
	int us = b->side, type = move_dropped(m), to = move_to(m);

	drop(b, us << 4 | type, to);
	b->key ^= zobrist_black ^ zobrist_ep[b->ep] ^ zobrist_piece[us << 4 | type][to] ^
	    change_hand(b, us, type, -1);
}

static RARE void
make_rare(struct board *b, move m, struct undo *u)
{
	int us = b->side;

	u->key = b->key;
	u->state = b->state;
	u->captured = 0;
	if (b->rules->extra)
		save_extra(b, u);
	if (move_is_drop(m))
		make_drop(b, m);
	else
		make_castling(b, m);
	pass_turn(b, us);
	if (move_is_drop(m) && move_dropped(m) == PAWN)
		b->count = 0;
	if (b->checks != 0)
		b->key ^= make_check(b, us);
}

static RARE void
unmake_rare(struct board *b, move m, const struct undo *u, int us)
{
	int king = us << 4 | KING, rook = us << 4 | ROOK;

	if (b->rules->extra)
		unmake_extra(b, u);
	if (move_is_drop(m)) {
		lift(b, us << 4 | move_dropped(m), move_to(m));
		return;
	}
	lift(b, king, castling_king_to(m));
	lift(b, rook, castling_rook_to(m));
	drop(b, king, move_from(m));
	drop(b, rook, castling_rook_from(m));
}

/* After a move of side us: does it leave no royal piece in check, and no check that
 * may_check forbids? An explosion of the other king is always legal, one of the own
 * never. */
static inline bool
made_legally(const struct board *b, int us)
{
	const struct rules *r = b->rules;

	if (r->explode && r->royal[us] != 0 && b->pieces[us][KING] == 0)
		return false;
	if (r->explode && r->royal[us ^ 1] != 0 && b->pieces[us ^ 1][KING] == 0)
		return true;
	return board_checkers_of(b, us) == 0 &&
	    (r->may_check[us] || board_checkers_of(b, us ^ 1) == 0);
}

/* Castling, or a drop? */
static inline bool
move_is_rare(move m)
{
	return (unsigned)move_tag(m) - TAG_CASTLING <= TAG_DROP - TAG_CASTLING;
}

/* ---- all moves ---- */

static inline __attribute__((always_inline)) void
make_move(struct board *b, move m, struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side;
	int code = b->square[from], captured = b->square[to];

	if (__builtin_expect(move_is_rare(m), 0)) {
		make_rare(b, m, u);
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
	b->pieces[captured >> 4][captured & 15] ^= victim;
	b->pieces[captured >> 4][ALL] ^= (captured & 15) != 0 ? victim : 0;
	key ^= zobrist_piece[captured][to];
	b->count = captured != 0 ? 0 : (uint16_t)(b->count + (b->count != UINT16_MAX));
	bitboard both = bit(from) | bit(to);
	b->pieces[us][code & 15] ^= both;
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

	bool pawn = (code & 15) == PAWN;
	if (pawn & pawn_resets_count(b->rules, us, from, to))
		b->count = 0;
	if (!move_is_plain(m))
		key ^= make_special(b, m, code);
	else if (pawn & (((from ^ to) & ~32) == 16))
		key ^= make_double_step(b, us, (from + to) / 2);
	if (__builtin_expect(b->rules->extra, 0))
		key ^= make_extra(b, m, u, us);
	b->key = key;
}

static inline void
unmake_move(struct board *b, move m, const struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side ^ 1;

	b->key = u->key;
	b->state = u->state;

	if (__builtin_expect(move_is_rare(m), 0)) {
		unmake_rare(b, m, u, us);
		return;
	}
	if (__builtin_expect(b->rules->extra, 0))
		unmake_extra(b, u);
	int code = b->square[to];
	if (move_is_promotion(m)) {
		lift(b, code, to);
		code = us << 4 | PAWN;
		drop(b, code, to);
	}
	bitboard both = bit(from) | bit(to);
	b->pieces[us][code & 15] ^= both;
	b->pieces[us][ALL] ^= both;
	b->square[from] = (uint8_t)code;
	b->square[to] = 0;
	if (u->captured != 0)
		drop(b, u->captured, to);
	else if (move_is_ep(m))
		drop(b, (us ^ 1) << 4 | PAWN, ep_victim(us, to));
}

#endif
