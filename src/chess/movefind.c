/*
 * Single moves: which pieces can make one, and the move that is written in some way,
 * without listing all. A hot file: see isa.h.
 */
#include "attack.h"
#include "ep.h"
#include "make.h"
#include "movegen.h"

/* Squares from which a pawn of side us reaches `to` without capturing. */
static bitboard
pawn_step_sources(const struct board *b, int to, int us, bitboard occupied)
{
	const struct rules *r = b->rules;
	bitboard target = bit(to);
	bitboard one = forward(target, us ^ 1), from = one;

	if ((occupied & target) != 0)
		return 0;
	if ((one & occupied) == 0)
		from |= forward(one, us ^ 1) & r->double_from[us];
	if (r->pawn_sideways[us])
		from |= (target & ~FILE_H) << 1 | (target & ~FILE_A) >> 1;
	if (r->pawn_back[us] && own_rank(us, to) >= 1)
		from |= forward(target, us);
	return from & b->pieces[us][PAWN];
}

/* Those of the pieces on `from` whose move to `to` leaves the king safe. */
static bitboard
keep_legal(const struct board *b, bitboard from, int to, int us)
{
	bitboard kept = 0;
	int king = board_king(b, us);
	bitboard occupied = board_occupied(b);
	const bitboard *enemy = b->pieces[us ^ 1];

	while (from != 0) {
		int sq = pop_square(&from);
		bitboard after = (occupied & ~bit(sq)) | bit(to);
		bitboard captured = bit(to);
		bitboard attackers = b->rules->fairy
		    ? board_attackers(b, king, us ^ 1, after)
		    : (attack_knight[king] & enemy[KNIGHT]) |
			(attack_pawn[us][king] & enemy[PAWN]) |
			(attack_bishop(king, after) & (enemy[BISHOP] | enemy[QUEEN])) |
			(attack_rook(king, after) & (enemy[ROOK] | enemy[QUEEN]));
		if ((attackers & ~captured) == 0)
			kept |= bit(sq);
	}
	return kept;
}

static bitboard
pawn_sources(const struct board *b, int to, bitboard allowed, bool capture, int us)
{
	bitboard occupied = board_occupied(b);

	if (!capture)
		return keep_legal(b, allowed & pawn_step_sources(b, to, us, occupied), to,
		    us);
	bitboard from = attack_pawn[us ^ 1][to] & b->pieces[us][PAWN] & allowed;
	if (to == b->ep) {
		bitboard legal = 0;
		while (from != 0) {
			int sq = pop_square(&from);
			if (ep_is_legal(b, us, sq, to))
				legal |= bit(sq);
		}
		return legal;
	}
	return (occupied & bit(to)) == 0 ? 0 : keep_legal(b, from, to, us);
}

/* movegen_sources() by the list of moves. */
static RARE bitboard
listed_sources(const struct board *b, int type, int to, bitboard allowed, bool capture)
{
	move list[MOVES_MAX];
	bitboard from = 0;

	for (int n = movegen_listed(b, list); n > 0; n--) {
		move m = list[n - 1];
		if (move_to(m) == to && !move_is_drop(m) && !move_is_castling(m) &&
		    type_at(b, move_from(m)) == type &&
		    (type != PAWN || (b->square[to] != 0 || move_is_ep(m)) == capture))
			from |= bit(move_from(m));
	}
	return from & allowed;
}

bitboard
movegen_sources(const struct board *b, int type, int to, bitboard allowed, bool capture)
{
	int us = b->side;
	const bitboard *own = b->pieces[us];
	bitboard occupied = board_occupied(b);

	if (__builtin_expect(b->rules->listed, 0))
		return listed_sources(b, type, to, allowed, capture);

	if ((board_landing(b, us) & bit(to)) == 0)
		return 0;
	if (type == PAWN)
		return pawn_sources(b, to, allowed, capture, us);
	bitboard from = own[type] & allowed &
	    (b->rules->fairy
		    ? attack_piece(rules_piece(b->rules, us, type),
			  (occupied & bit(to)) != 0 ? PIECE_CAPTURE : PIECE_QUIET, us ^ 1,
			  to, occupied)
		    : attack_usual(type, to, occupied));
	if (from == 0)
		return 0;
	if (type != KING)
		return keep_legal(b, from, to, us);
	return board_attackers(b, to, us ^ 1, occupied ^ own[KING]) == 0 ? from : 0;
}

move
movegen_drop(const struct board *b, int type, int to)
{
	move list[MOVES_MAX], m = move_make(type, to, TAG_DROP);

	if (board_in_hand(b, b->side, type) == 0)
		return 0;
	return move_is_among(list, movegen_list(b, list), m) ? m : 0;
}

move
movegen_castling(const struct board *b, bool is_short)
{
	for (uint32_t moves = movegen_both_castlings(b); moves != 0; moves >>= 16) {
		move m = (move)moves;
		if ((move_to(m) > move_from(m)) == is_short)
			return m;
	}
	return 0;
}

/* The legal castling move that is written from, to. */
static move
find_castling(const struct board *b, int from, int to)
{
	for (uint32_t moves = movegen_both_castlings(b); moves != 0; moves >>= 16) {
		move m = (move)moves;
		if (move_from(m) == from && move_to(m) == to)
			return m;
	}
	return 0;
}

static RARE move
listed_find(const struct board *b, int from, int to, int promotion)
{
	move list[MOVES_MAX];

	for (int n = movegen_list(b, list); n > 0; n--) {
		move m = list[n - 1];
		if (move_from(m) == from && move_to(m) == to && !move_is_drop(m) &&
		    (move_is_promotion(m) ? move_promotion(m) : 0) == promotion)
			return m;
	}
	return 0;
}

move
movegen_find(const struct board *b, int from, int to, int promotion)
{
	int us = b->side, type = type_at(b, from);
	move m;

	if (__builtin_expect(b->rules->listed, 0))
		return listed_find(b, from, to, promotion);
	if ((b->pieces[us][ALL] & bit(from)) == 0 || from == to)
		return 0;
	if (b->castling != 0 && type == KING && promotion == 0 &&
	    rank_of(from) == rank_of(to) && (m = find_castling(b, from, to)) != 0)
		return m;
	bool ep = type == PAWN && to == b->ep && file_of(from) != file_of(to) &&
	    rank_of(from) != rank_of(to);
	bool capture = ep || b->square[to] != 0;
	if (movegen_sources(b, type, to, bit(from), capture) == 0)
		return 0;
	bool promotes = type == PAWN && own_rank(us, to) == 7 && own_rank(us, from) != 7;
	if (promotes != (promotion != 0) || movegen_early_end(b) != END_NONE)
		return 0;
	if (promotes)
		return (b->rules->promote_to[us] & 1 << (promotion - KNIGHT)) == 0
		    ? 0
		    : move_make(from, to, TAG_PROMOTION + promotion);
	return move_make(from, to, ep ? TAG_EN_PASSANT : TAG_PLAIN);
}
