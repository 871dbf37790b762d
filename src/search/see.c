#include "see.h"

/* The type of the cheapest attacker, and its square in *sq. */
static int
take_cheapest(const struct board *b, int side, bitboard attackers, const int worth[8],
    int *sq)
{
	int best = 0;

	for (int type = PAWN; type <= QUEEN; type++)
		if ((attackers & b->pieces[side][type]) != 0 &&
		    (best == 0 || worth[type] < worth[best]))
			best = type;
	if (best == 0)
		best = KING;
	*sq = __builtin_ctzll(attackers & b->pieces[side][best]);
	return best;
}

bool
see_at_least(const struct board *b, move m, int least, const int worth[8])
{
	int from = move_from(m), to = move_to(m), kind = move_kind(m);
	int side = b->side, captured = b->square[to];

	if (kind == MOVE_CASTLING)
		return least <= 0;
	int gain = 0, risk = worth[type_at(b, from)];
	if (captured != 0)
		gain = captured >> 3 == side ? -worth[captured & 7] : worth[captured & 7];
	else if (kind == MOVE_EN_PASSANT)
		gain = worth[PAWN];
	if (kind == MOVE_PROMOTION) {
		risk = worth[move_promotion(m)];
		gain += risk - worth[PAWN];
	}
	int balance = gain - least; /* for the side that moved last */
	if (balance < 0)
		return false;
	if (balance - risk >= 0)
		return true;
	balance -= risk;
	bitboard occupied = (board_occupied(b) ^ bit(from)) | bit(to);
	if (kind == MOVE_EN_PASSANT)
		occupied ^= bit(side == WHITE ? to - 8 : to + 8);
	/* balance: what the mover has over `least` if the piece is lost */
	for (int us = side ^ 1;; us ^= 1) {
		bitboard attackers = board_attackers(b, to, us, occupied) & occupied;
		int sq;
		if (attackers == 0)
			return us != side;
		int type = take_cheapest(b, us, attackers, worth, &sq);
		if (type == KING &&
		    (board_attackers(b, to, us ^ 1, occupied ^ bit(sq)) & occupied &
			~bit(sq)) != 0)
			return us != side;
		occupied ^= bit(sq);
		/* us has captured; can it lose this piece and still be ahead? */
		balance = us == side ? balance - worth[type] : balance + worth[type];
		if (us == side ? balance >= 0 : balance < 0)
			return us == side;
	}
}
