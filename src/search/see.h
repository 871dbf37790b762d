/*
 * Static exchange: what is left when all captures on one square have been
 * played out, the cheapest piece first. Values of pieces are the caller's.
 */
#ifndef SEARCH_SEE_H
#define SEARCH_SEE_H

#include "chess/board.h"

/* One of the hot files: chess/isa.h. */
#ifdef ISA
#define see_at_least		ISA_PASTE(see_at_least, ISA)
#endif

/* Does a move gain at least so much? Pins and promotions behind the first move
 * are not seen. */
bool see_at_least(const struct board *b, move m, int least, const int worth[8]);

#endif
