/*
 * PGN's Variant tag, and UCI's option UCI_Variant: what other programs call the
 * rule sets.
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

/* What UCI_Variant calls a preset elsewhere, if that is another name; else
 * NULL. */
const char *variant_uci_name(const char *preset);

/* Are moves looked for in the same way under both? The start and the limits on
 * plies do not matter for that. */
bool variant_plays_alike(const struct rules *a, const struct rules *b);

/*
 * The name by which an engine knows these rules, exactly or such that are played
 * alike. told is what it tells of UCI_Variant: " type combo … var NAME var
 * NAME", up to a line feed or the end; or NULL. False when it does not.
 */
bool variant_find(const struct rules *r, const char *told, bool exactly,
    char name[RULES_TEXT_MAX]);

#endif
