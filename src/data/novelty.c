#include "novelty.h"

#include "chess/movegen.h"

/* Castling may be written in two ways. */
static bool
is_same_move(move a, move b)
{
	return a == b ||
	    (move_is_castling(a) && move_is_castling(b) &&
		(move_to(a) > move_from(a)) == (move_to(b) > move_from(b)));
}

/* Does chess have such a position: a king of each side, no spare kinds? */
static bool
has_chess_pieces(const struct board *b)
{
	for (int side = WHITE; side <= BLACK; side++) {
		bitboard kings = b->pieces[side][KING], known = 0;
		for (int type = PAWN; type <= KING; type++)
			known |= b->pieces[side][type];
		if (kings == 0 || (kings & (kings - 1)) != 0 ||
		    known != b->pieces[side][ALL])
			return false;
	}
	return true;
}

bool
novelty_is_chess(const struct board *b, move m)
{
	struct board same = *b;
	struct rules chess;
	move list[MOVES_MAX];

	if (!has_chess_pieces(b) || move_is_drop(m))
		return false;
	rules_init(&chess);
	same.rules = &chess;
	same.checks = 0;
	int n = movegen_list(&same, list);
	for (int i = 0; i < n; i++)
		if (is_same_move(list[i], m))
			return true;
	return false;
}
