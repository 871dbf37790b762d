/*
 * PGN's Variant tag: what other programs call the rule sets.
 */
#ifndef DATA_VARIANT_H
#define DATA_VARIANT_H

#include "chess/rules.h"

/* The rules that a tag's value names: a preset, a sum, JSON, or a name that
 * lichess, Fairy-Stockfish, chess.com and others use. -1 with a reason. */
int variant_read(struct rules *r, const char *s, size_t n,
    char reason[RULES_REASON_MAX]);

/* What to write: "Standard" for classical chess, else the rules' text. */
void variant_name(const struct rules *r, char text[RULES_TEXT_MAX]);

#endif
