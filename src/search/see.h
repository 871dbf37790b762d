/*
 * Static exchange evaluation: the material won or lost when all captures on one
 * square are played out, the cheapest piece first, by the caller's piece values.
 */
#ifndef SEARCH_SEE_H
#define SEARCH_SEE_H

#include "chess/board.h"

/* One of the hot files: chess/isa.h. */
#ifdef ISA
#define see_at_least ISA_PASTE(see_at_least, ISA)
#define see_explosion ISA_PASTE(see_explosion, ISA)
#endif

/* Does a move gain at least `least`? Pins, and promotions after the first move,
 * are ignored. */
bool see_at_least(const struct board *b, move m, int least, const int worth[TYPES]);

/* What an explosion removes, for the mover; a king's ends the game. */
int see_explosion(const struct board *b, move m, const int worth[TYPES]);

#endif
