/*
 * Variants of Fairy-Stockfish's variants.ini as rule sets, as far as they have
 * a counterpart here.
 */
#ifndef DATA_FAIRYINI_H
#define DATA_FAIRYINI_H

#include "base/text.h"
#include "chess/rules.h"

/*
 * Reads the variant `name` from n bytes of such a file; what it is based on
 * comes first, from the same file or by name. Returns 0 and the rules, or -1:
 * then `lost` has what cannot be had here, a line for each key, or a reason of
 * one line why there is no such variant.
 */
int fairyini_read(struct rules *r, const char *s, size_t n, const char *name,
    struct text *lost);

#endif
