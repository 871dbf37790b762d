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
	int to = move_to(m);

	if (move_is_ep(m))
		return 1;
	/* A bishop is worth no more than a knight here. */
	int value = b->rules->worth[type_at(b, to)] / 100;
	return b->square[to] >> 4 == b->side ? -value : value;
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
