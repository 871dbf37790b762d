/*
 * When a game is over, and who has won it.
 */
#ifndef CHESS_OUTCOME_H
#define CHESS_OUTCOME_H

#include "board.h"

/* How games end. END(name, word in streams). The order of the first six is
 * the order in which they are looked for. */
#define ENDS \
	END(CHECKMATE, "checkmate") \
	END(STALEMATE, "stalemate") \
	END(MATERIAL, "material") \
	END(REPETITION, "repetition") \
	END(FIFTY, "fifty") \
	END(LENGTH, "length") \
	END(RESIGN, "resign") \
	END(UNKNOWN, "unknown")

enum end {
	END_NONE,	/* the game goes on */
#define END(name, word) END_##name,
	ENDS
#undef END
	END_COUNT
};

/* The word for an end, "" for END_NONE. */
const char *end_name(enum end e);

/* True when no sequence of legal moves from this balance of material can end
 * in a win, under the position's rules. */
bool outcome_dead_material(const struct board *b);

/* How often the position with keys[n - 1] has stood on the board, going back
 * as far as the position's count allows. keys[] has the position after each
 * ply, the start first. */
int outcome_repetitions(const struct board *b, const uint64_t *keys, int n);

/*
 * How the game has ended in position b after `plies` plies, keys[0..plies]
 * being the keys of all its positions; END_NONE when it goes on.
 */
enum end outcome_find(const struct board *b, const uint64_t *keys, int plies);

/* The same when the number of legal moves is known already. */
enum end outcome_judge(const struct board *b, int nmoves, const uint64_t *keys,
    int plies);

/* +1 White has won, -1 Black has, 0 drawn or not over, for an end that
 * outcome_find() gave. */
int outcome_winner(const struct board *b, enum end e);

#endif
