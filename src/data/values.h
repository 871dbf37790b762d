/*
 * What the searches of a game thought of its positions: the values of the
 * search data, games(5), a number for each ply.
 */
#ifndef DATA_VALUES_H
#define DATA_VALUES_H

#include "game.h"

/*
 * Fills values[] with the expected score of the side to move, -1 to 1, in the
 * position before each ply; NaN where nothing was searched, as in an opening or
 * in a game without search data. There is room for all plies. The game was
 * read with its search data. Returns -1 with a reason when that is malformed.
 */
int values_read(const struct game *g, float *values,
    char reason[GAME_REASON_MAX]);

#endif
