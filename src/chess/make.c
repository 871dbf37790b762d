/* Compiled once for each instruction set; see isa.h. */
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
	if (r->pawn_back)
		return false;
	return !r->pawn_sideways || rank_of(from) != rank_of(to);
}

bool
board_ep_playable(const struct board *b, int ep)
{
	int us = b->side;
	bitboard from = attack_pawn[us ^ 1][ep] & b->pieces[us][PAWN];

	while (from != 0)
		if (ep_is_legal(b, us, pop_square(&from), ep))
			return true;
	return false;
}

/* The special effects of a pawn's move, the pawn itself being on its new
 * square already. Returns the key's change. */
static inline uint64_t
make_pawn(struct board *b, move m, int code)
{
	int to = move_to(m), us = code >> 3;

	if (move_kind(m) == MOVE_PROMOTION) {
		int promoted = us << 3 | move_promotion(m);
		lift(b, code, to);
		drop(b, promoted, to);
		return zobrist_piece[code][to] ^ zobrist_piece[promoted][to];
	}
	if (move_kind(m) == MOVE_EN_PASSANT) {
		int victim = (us ^ 1) << 3 | PAWN, sq = ep_victim(us, to);
		lift(b, victim, sq);
		return zobrist_piece[victim][sq];
	}
	return 0;
}

void
board_make(struct board *b, move m, struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side;
	int code = b->square[from], captured = b->square[to];
	uint64_t key = b->key ^ zobrist_black ^ zobrist_ep[b->ep];

	u->key = b->key;
	u->count = b->count;
	u->castling = b->castling;
	u->ep = b->ep;
	u->captured = (uint8_t)captured;

	b->count++;
	b->ep = NO_SQUARE;
	b->side = (uint8_t)(us ^ 1);
	b->fullmove = (uint16_t)(b->fullmove + us);
	if (captured != 0) {
		lift(b, captured, to);
		key ^= zobrist_piece[captured][to];
		b->count = 0;
	}
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

	if ((code & 7) == PAWN) {
		if (move_kind(m) == MOVE_EN_PASSANT ||
		    pawn_resets_count(b->rules, from, to))
			b->count = 0;
		if (move_kind(m) != MOVE_PLAIN) {
			key ^= make_pawn(b, m, code);
		} else if ((from ^ to) == 16 || (from ^ to) == 48) {
			int ep = (from + to) / 2;
			if ((attack_pawn[us][ep] & b->pieces[us ^ 1][PAWN]) != 0 &&
			    board_ep_playable(b, ep)) {
				b->ep = (uint8_t)ep;
				key ^= zobrist_ep[ep];
			}
		}
	} else if (move_kind(m) == MOVE_CASTLING) {
		int rook = us << 3 | ROOK;
		int rf = castling_rook_from(to), rt = castling_rook_to(to);
		lift(b, rook, rf);
		drop(b, rook, rt);
		key ^= zobrist_piece[rook][rf] ^ zobrist_piece[rook][rt];
	}
	b->key = key;
}

void
board_unmake(struct board *b, move m, const struct undo *u)
{
	int from = move_from(m), to = move_to(m), us = b->side ^ 1;
	int code = b->square[to];

	b->side = (uint8_t)us;
	b->fullmove = (uint16_t)(b->fullmove - us);
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

bitboard
board_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];

	return (attack_pawn[by ^ 1][sq] & p[PAWN]) |
	    (attack_knight[sq] & p[KNIGHT]) |
	    (attack_king[sq] & p[KING]) |
	    (attack_bishop(sq, occupied) & (p[BISHOP] | p[QUEEN])) |
	    (attack_rook(sq, occupied) & (p[ROOK] | p[QUEEN]));
}

bitboard
board_checkers(const struct board *b)
{
	return board_attackers(b, board_king(b, b->side), b->side ^ 1,
	    board_occupied(b));
}
