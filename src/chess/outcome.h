/*
 * Detects the end of a game, and what it is worth.
 */
#ifndef CHESS_OUTCOME_H
#define CHESS_OUTCOME_H

#include "board.h"
#include "end.h"

/* True if the material is insufficient: under the position's rules no sequence
 * of legal moves can end in a win. */
bool outcome_dead_material(const struct board *b);

/* How often position b, whose key is keys[n - 1], has occurred since the 50-move
 * count was last reset. keys[] holds the key after each ply, that of the start
 * first. */
int outcome_repetitions(const struct board *b, const uint64_t *keys, int n);

/*
 * How the game has ended, by position b alone, which has nmoves legal moves:
 * mate, the ends of movegen_early_end() or stalemate, tested in this order. END_NONE
 * if it goes on. Costs nothing if there are moves.
 */
enum end outcome_now(const struct board *b, int nmoves);

/*
 * How the game has ended in position b after `plies` plies, with the keys of all
 * its positions in keys[0..plies]. END_NONE if it goes on. After outcome_now()
 * it tests for repetition, count, dead material and length, in this order.
 */
enum end outcome_find(const struct board *b, const uint64_t *keys, int plies);

/* The same if the number of legal moves is already known. */
enum end outcome_judge(const struct board *b, int nmoves, const uint64_t *keys,
    int plies);

/*
 * What a game that has ended so in position b is worth to White in hundredths of
 * a win, 100 (won) to -100 (lost). 0 for END_NONE, END_RESIGN and END_UNKNOWN,
 * which the board does not decide.
 */
int outcome_value(const struct board *b, enum end e);

/* 1 if outcome_value() is 100, -1 if it is -100, otherwise 0. */
int outcome_winner(const struct board *b, enum end e);

#endif
