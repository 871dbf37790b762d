#include "mover.h"

#include "chess/movegen.h"

move
mover_random(const struct board *b, struct rng *rng)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	return list[rng_below(rng, (uint32_t)n)];
}

/* The worth of what a move captures, negative for an own piece. Castling captures
 * nothing. */
static int
capture_value(const struct board *b, move m)
{
	static const int values[] = {
		[PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9
	};
	int to = move_to(m);

	if (move_kind(m) == MOVE_EN_PASSANT)
		return values[PAWN];
	if (b->square[to] == 0)
		return 0;
	return b->square[to] >> 3 == b->side ? -values[type_at(b, to)]
					     : values[type_at(b, to)];
}

move
mover_greedy(const struct board *b, struct rng *rng)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list), nbest = 0, most = -100;

	/* collects the best moves at the front */
	for (int i = 0; i < n; i++) {
		int value = capture_value(b, list[i]);
		if (value > most) {
			most = value;
			nbest = 0;
		}
		if (value == most)
			list[nbest++] = list[i];
	}
	return list[rng_below(rng, (uint32_t)nbest)];
}
