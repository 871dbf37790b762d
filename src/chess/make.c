/* Compiled once for each instruction set; see isa.h. */
#include "make.h"

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

void
board_make(struct board *b, move m, struct undo *u)
{
	make_move(b, m, u);
}

void
board_unmake(struct board *b, move m, const struct undo *u)
{
	unmake_move(b, m, u);
}

/* Kings that explosions forbid to capture. */
static inline bitboard
harmless_kings(const struct board *b, int side)
{
	return b->rules->explode ? board_royals(b, side) : 0;
}

/* board_attackers() for fairy pieces: a piece attacks sq if the same piece of
 * the other side could capture from sq where it stands. */
static bitboard
fairy_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];
	bitboard set = attack_pawn[by ^ 1][sq] & p[PAWN];
	bitboard open = attack_bishop(sq, occupied) | attack_rook(sq, occupied);

	for (int type = KNIGHT; type < b->rules->ntypes; type++) {
		const struct piece *kind = rules_piece(b->rules, by, type);
		if (p[type] != 0)
			set |= p[type] &
			    (attack_leaps(kind, PIECE_CAPTURE, by ^ 1, sq) |
				(open &
				    attack_slide_lines(kind, PIECE_CAPTURE, by ^ 1, sq)));
	}
	return set;
}

static inline bitboard
usual_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];

	return (attack_pawn[by ^ 1][sq] & p[PAWN]) | (attack_knight[sq] & p[KNIGHT]) |
	    (attack_king[sq] & p[KING]) |
	    (attack_bishop(sq, occupied) & (p[BISHOP] | p[QUEEN])) |
	    (attack_rook(sq, occupied) & (p[ROOK] | p[QUEEN]));
}

static RARE bitboard
odd_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	bitboard set = b->rules->fairy ? fairy_attackers(b, sq, by, occupied)
				       : usual_attackers(b, sq, by, occupied);

	return set & ~harmless_kings(b, by);
}

bitboard
board_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	if (b->rules->odd)
		return odd_attackers(b, sq, by, occupied);
	return usual_attackers(b, sq, by, occupied);
}

static RARE bitboard
odd_checkers(const struct board *b, int side)
{
	bitboard royals = board_royals(b, side), set = 0;

	while (royals != 0) {
		int sq = pop_square(&royals);
		if (b->rules->explode &&
		    (attack_king[sq] & board_royals(b, side ^ 1)) != 0)
			return 0;
		set |= odd_attackers(b, sq, side ^ 1, board_occupied(b));
	}
	return set;
}

bitboard
board_checkers_of(const struct board *b, int side)
{
	if (b->rules->listed)
		return odd_checkers(b, side);
	return board_attackers(b, board_king(b, side), side ^ 1, board_occupied(b));
}

bitboard
board_checkers(const struct board *b)
{
	return board_checkers_of(b, b->side);
}

bool
board_ep_is_safe(const struct board *b, int side, int from, int ep)
{
	struct board after = *b;
	struct undo u;

	after.side = (uint8_t)side;
	make_move(&after, move_make(from, ep, TAG_EN_PASSANT), &u);
	return made_legally(&after, side);
}
