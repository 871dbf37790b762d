/*
 * Reads variants of Fairy-Stockfish's variants.ini as rule sets, as far as our
 * rule fields can express them.
 */
#ifndef DATA_FAIRYINI_H
#define DATA_FAIRYINI_H

#include "base/text.h"
#include "chess/rules.h"

/* Keys of a variant and of those that it is based on. */
struct fairyini_keys {
	int read, lost; /* lost: without a counterpart here */
};

/*
 * Reads the variant `name` from n bytes of such a file, after the variant that
 * it is based on, from the same file or built in. Returns 0 and the rules, with
 * `lost` a line for each key that could not be expressed; or -1 with the reason as
 * the last line of `lost`, if there is no such variant or what is left of it cannot
 * be played.
 */
int fairyini_read(struct rules *r, const char *s, size_t n, const char *name,
    struct text *lost, struct fairyini_keys *keys);

#endif
