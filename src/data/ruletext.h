/*
 * Rule sets in plain sentences, for people: what a rule set changes, and what
 * its games are like. The sentences of presets stand in chess/presets.def;
 * other values have theirs here.
 */
#ifndef DATA_RULETEXT_H
#define DATA_RULETEXT_H

#include "base/text.h"
#include "chess/rules.h"

/* What the rules are called: by the user, or by the labels of presets. */
void ruletext_title(const struct rules *r, struct text *t);

/* How a rule set differs from chess, a sentence a line. */
void ruletext_differences(const struct rules *r, struct text *t);

/* The same, and what is found by trying: how many moves the start has, and how
 * random games end. */
void ruletext_describe(const struct rules *r, struct text *t);

#endif
