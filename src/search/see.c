#include "see.h"

#include "chess/attack.h"

/* The type of the cheapest attacker, and its square in *sq. */
static int
take_cheapest(const struct board *b, int side, bitboard attackers, const int worth[TYPES],
    int *sq)
{
	int best = 0;

	for (int type = PAWN; type < b->rules->ntypes; type++)
		if (type != KING && (attackers & b->pieces[side][type]) != 0 &&
		    (best == 0 || worth[type] < worth[best]))
			best = type;
	if (best == 0)
		best = KING;
	*sq = __builtin_ctzll(attackers & b->pieces[side][best]);
	return best;
}

int
see_explosion(const struct board *b, move m, const int worth[TYPES])
{
	int from = move_from(m), to = move_to(m), us = b->side, gain = 0;
	bitboard around = attack_king[to] & ~bit(from);

	for (int side = WHITE; side <= BLACK; side++) {
		int sign = side == us ? -1 : 1;
		for (int type = KNIGHT; type < b->rules->ntypes; type++)
			gain += sign * worth[type] *
			    __builtin_popcountll(b->pieces[side][type] & around);
	}
	if ((b->pieces[us ^ 1][KING] & (around | bit(to))) != 0)
		gain += 1 << 20;
	gain += move_is_ep(m) ? worth[PAWN] : worth[type_at(b, to)];
	return gain - worth[type_at(b, from)];
}

bool
see_at_least(const struct board *b, move m, int least, const int worth[TYPES])
{
	int from = move_from(m), to = move_to(m);
	int side = b->side, captured = b->square[to];

	if (move_is_castling(m))
		return least <= 0;
	if (__builtin_expect(b->rules->listed, 0)) {
		/* Who must capture has no choice of exchanges. */
		if (b->rules->must_capture[WHITE] || b->rules->must_capture[BLACK])
			return true;
		if (b->rules->explode)
			return (board_is_capture(b, m) ? see_explosion(b, m, worth)
						       : 0) >= least;
	}
	int gain = 0, risk = worth[type_at(b, from)];
	if (move_is_drop(m))
		risk = worth[move_dropped(m)];
	if (captured != 0)
		gain =
		    captured >> 4 == side ? -worth[captured & 15] : worth[captured & 15];
	else if (move_is_ep(m))
		gain = worth[PAWN];
	if (move_is_promotion(m)) {
		risk = worth[move_promotion(m)];
		gain += risk - worth[PAWN];
	}
	int balance = gain - least; /* for the side that moved last */
	if (balance < 0)
		return false;
	if (balance - risk >= 0)
		return true;
	balance -= risk;
	bitboard leaves = move_is_drop(m) ? 0 : bit(from);
	bitboard occupied = (board_occupied(b) & ~leaves) | bit(to);
	if (move_is_ep(m))
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
