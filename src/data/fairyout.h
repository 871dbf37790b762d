/*
 * Writes rule sets as variants of Fairy-Stockfish's variants.ini: the way back from
 * fairyini.h, for the fields that it has keys for.
 */
#ifndef DATA_FAIRYOUT_H
#define DATA_FAIRYOUT_H

#include "base/text.h"
#include "chess/rules.h"

enum { FAIRYOUT_NAME_MAX = RULES_TEXT_MAX + 16 };

/* The name of the variant: "rulelab-" and the rule set's name, or a number for rules
 * without one. No such variant is built in. */
void fairyout_name(const struct rules *r, char name[FAIRYOUT_NAME_MAX]);

/*
 * Appends a section, from which fairyini_read() makes equal rules. Returns -1 if
 * Fairy-Stockfish has no keys for a field, whose name begins the reason; then the text
 * is as before.
 */
int fairyout_write(const struct rules *r, struct text *t, char reason[RULES_REASON_MAX]);

#endif
