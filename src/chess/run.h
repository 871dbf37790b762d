/*
 * Playing many moves at once, fast. Files of games consist nearly wholly of
 * moves in a few common forms, one after the other; these functions play
 * them as long as nothing else comes.
 *
 * Both go on from moves[*n] and keys[*n + 1] while *n < most, and return where
 * something else begins: perhaps a move that only san_read() or
 * movegen_find() know, perhaps an illegal one. They look at no byte from end
 * on, and leave the last RUN_MARGIN bytes alone.
 */
#ifndef CHESS_RUN_H
#define CHESS_RUN_H

#include "board.h"

enum { RUN_MARGIN = 16 };

/* SAN, move numbers, blanks and line feeds. */
const char *run_play_san(struct board *b, const char *s, const char *end,
    move *moves, uint64_t *keys, int *n, int most);

/* Moves in long algebraic form, each with a blank behind it. */
const char *run_play_long(struct board *b, const char *s, const char *end,
    move *moves, uint64_t *keys, int *n, int most);

#endif
