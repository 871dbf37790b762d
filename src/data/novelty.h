/*
 * Moves that chess does not have: what a changed rule brings into a game.
 */
#ifndef DATA_NOVELTY_H
#define DATA_NOVELTY_H

#include "chess/board.h"

/* Would chess allow a move in this position of other rules? */
bool novelty_is_chess(const struct board *b, move m);

#endif
