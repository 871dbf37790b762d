/*
 * A line that holds a position: the FEN itself, the word "startpos", or a
 * JSON object with "fen" and, perhaps, "rules" and "moves": those to be played
 * first, in long algebraic form.
 */
#ifndef DATA_FENLINE_H
#define DATA_FENLINE_H

#include "chess/fen.h"

enum { FENLINE_REASON_MAX = REASON_MAX };

/*
 * Reads n bytes at s. The line's own rules win over *given. On success the
 * board points to *used, where the rules have been written. Returns -1 with a
 * reason.
 */
int fenline_read(struct board *b, struct rules *used,
    const struct rules *given, const char *s, size_t n,
    char reason[FENLINE_REASON_MAX]);

#endif
