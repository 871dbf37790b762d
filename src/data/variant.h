/*
 * The names of rule sets in other programs: PGN's Variant tag, and the option
 * UCI_Variant.
 */
#ifndef DATA_VARIANT_H
#define DATA_VARIANT_H

#include "chess/rules.h"

/* Reads a tag's value: a preset, a sum, JSON, or a name that Lichess,
 * Fairy-Stockfish, chess.com and others use. 0, or -1 with a reason. */
int variant_read(struct rules *r, const char *s, size_t n, char reason[RULES_REASON_MAX]);

/* The tag's value for these rules: "Standard" for classical chess, otherwise the
 * rules' text. */
void variant_name(const struct rules *r, char text[RULES_TEXT_MAX]);

/* The name of a preset in other programs' UCI_Variant; NULL if it is the same. */
const char *variant_uci_name(const char *preset);

/* Are the rules equal but for the start and the limits on plies, so that an
 * engine plays both alike? */
bool variant_plays_alike(const struct rules *a, const struct rules *b);

/*
 * The name by which an engine knows these rules: exactly these, or any that play
 * alike. offered is the engine's description of UCI_Variant, " type combo … var
 * NAME var NAME", up to a line feed or the end; or NULL. False if there is none.
 */
bool variant_find(const struct rules *r, const char *offered, bool exactly,
    char name[RULES_TEXT_MAX]);

#endif
