/*
 * Reads variants of Fairy-Stockfish's variants.ini as rule sets, as far as our
 * rule fields can express them.
 */
#ifndef DATA_FAIRYINI_H
#define DATA_FAIRYINI_H

#include "base/text.h"
#include "chess/rules.h"

/*
 * Reads the variant `name` from n bytes of such a file, after the variant that
 * it is based on, from the same file or built in. Returns 0 and the rules, or -1
 * with reasons in `lost`: a line for each key that cannot be expressed, or one
 * line if there is no such variant.
 */
int fairyini_read(struct rules *r, const char *s, size_t n, const char *name,
    struct text *lost);

#endif
