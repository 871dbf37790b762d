/*
 * A line that holds a position: a FEN, the word "startpos", or a JSON object
 * with "fen" and optionally "rules" and "moves" (to play from there, in long
 * algebraic form).
 */
#ifndef DATA_FENLINE_H
#define DATA_FENLINE_H

#include "chess/fen.h"

enum { FENLINE_REASON_MAX = REASON_MAX };

/*
 * Reads n bytes at s. The line's own rules override *given; those that hold are
 * written to *used, which must outlive the board. Returns 0, or -1 with a
 * reason.
 */
int fenline_read(struct board *b, struct rules *used, const struct rules *given,
    const char *s, size_t n, char reason[FENLINE_REASON_MAX]);

#endif
