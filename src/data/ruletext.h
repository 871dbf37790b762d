/*
 * Describes rule sets in plain sentences. Those about presets and fields come from
 * chess/presets.def and chess/rules.def.
 */
#ifndef DATA_RULETEXT_H
#define DATA_RULETEXT_H

#include "base/text.h"
#include "chess/rules.h"

/* Appends the rule set's title: the user's name, or the labels of its presets. */
void ruletext_title(const struct rules *r, struct text *t);

/* Appends how the rule set differs from chess, one sentence a line. */
void ruletext_differences(const struct rules *r, struct text *t);

/* Appends how a piece moves: "slides straight; leaps like a knight"; nothing if it
 * cannot move. */
void ruletext_piece(const struct piece *p, struct text *t);

/* The same as ruletext_differences(), with the number of moves at the start and how
 * random games end. */
void ruletext_describe(const struct rules *r, struct text *t);

#endif
