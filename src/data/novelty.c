#include "novelty.h"

#include "chess/movegen.h"

/* Castling may be written in two ways. */
static bool
is_same_move(move a, move b)
{
	return a == b ||
	    (move_kind(a) == MOVE_CASTLING && move_kind(b) == MOVE_CASTLING &&
		(move_to(a) > move_from(a)) == (move_to(b) > move_from(b)));
}

bool
novelty_is_chess(const struct board *b, move m)
{
	struct board same = *b;
	struct rules chess;
	move list[MOVES_MAX];

	rules_init(&chess);
	same.rules = &chess;
	same.checks = 0;
	int n = movegen_list(&same, list);
	for (int i = 0; i < n; i++)
		if (is_same_move(list[i], m))
			return true;
	return false;
}
