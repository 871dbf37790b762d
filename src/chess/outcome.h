/*
 * When a game is over, and who has won it.
 */
#ifndef CHESS_OUTCOME_H
#define CHESS_OUTCOME_H

#include "board.h"
#include "end.h"

/* True when no sequence of legal moves from this balance of material can end
 * in a win, under the position's rules. */
bool outcome_dead_material(const struct board *b);

/* How often the position with keys[n - 1] has stood on the board, going back
 * as far as the position's count allows. keys[] has the position after each
 * ply, the start first. */
int outcome_repetitions(const struct board *b, const uint64_t *keys, int n);

/*
 * How the game has ended in position b, which has nmoves legal moves, whatever
 * came before: by mate, n-th check, hill, bare king or stalemate, looked for
 * in this order. END_NONE when it goes on. Costs nothing when there are moves.
 */
enum end outcome_now(const struct board *b, int nmoves);

/*
 * How the game has ended in position b after `plies` plies, keys[0..plies]
 * being the keys of all its positions; END_NONE when it goes on. After
 * outcome_now() it looks for repetition, count, dead material and length, in
 * this order.
 */
enum end outcome_find(const struct board *b, const uint64_t *keys, int plies);

/* The same when the number of legal moves is known already. */
enum end outcome_judge(const struct board *b, int nmoves, const uint64_t *keys,
    int plies);

/*
 * What the game is worth to White in hundredths of a win, 100 won to -100
 * lost, for an end that was found in position b; 0 for END_NONE, END_RESIGN
 * and END_UNKNOWN, of which the board tells nothing.
 */
int outcome_value(const struct board *b, enum end e);

/* +1 White has won, -1 Black has, 0 neither has or it is not over: where only
 * whole wins count. */
int outcome_winner(const struct board *b, enum end e);

#endif
