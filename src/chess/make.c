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

/* board_attackers() for fairy pieces: a piece attacks sq if the same piece of
 * the other side could capture from sq where it stands. */
static bitboard
fairy_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];
	bitboard set = attack_pawn[by ^ 1][sq] & p[PAWN];
	bitboard open = attack_bishop(sq, occupied) | attack_rook(sq, occupied);

	for (int type = KNIGHT; type <= KING; type++) {
		const struct piece *kind = rules_piece(b->rules, type);
		if (p[type] != 0)
			set |= p[type] &
			    (attack_leaps(kind, PIECE_CAPTURE, by ^ 1, sq) |
				(open &
				    attack_slide_lines(kind, PIECE_CAPTURE, by ^ 1, sq)));
	}
	return set;
}

bitboard
board_attackers(const struct board *b, int sq, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];

	if (b->rules->fairy)
		return fairy_attackers(b, sq, by, occupied);
	return (attack_pawn[by ^ 1][sq] & p[PAWN]) | (attack_knight[sq] & p[KNIGHT]) |
	    (attack_king[sq] & p[KING]) |
	    (attack_bishop(sq, occupied) & (p[BISHOP] | p[QUEEN])) |
	    (attack_rook(sq, occupied) & (p[ROOK] | p[QUEEN]));
}

bitboard
board_checkers(const struct board *b)
{
	return board_attackers(b, board_king(b, b->side), b->side ^ 1, board_occupied(b));
}
