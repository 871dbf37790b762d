/*
 * The values in a game's search data, games(5): one for each ply.
 */
#ifndef DATA_VALUES_H
#define DATA_VALUES_H

#include "game.h"

/*
 * Fills values[], which has room for all plies, with the expected score of the
 * side to move, -1 to 1, in the position before each ply; NaN where there was no
 * search, as in an opening or in a game without search data. The game must have
 * been read with game_options.search. 0, or -1 with a reason if the search data is
 * malformed.
 */
int values_read(const struct game *g, float *values, char reason[GAME_REASON_MAX]);

#endif
