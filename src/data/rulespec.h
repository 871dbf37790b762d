/*
 * Rule sets as users write them: a preset, a sum of presets, JSON, or a file
 * of JSON. The JSON is an object with any of the fields of chess/rules.def,
 * "name" (what tables call the rule set) and "base" (a sum of presets that
 * the other fields change). Unknown keys are refused.
 */
#ifndef DATA_RULESPEC_H
#define DATA_RULESPEC_H

#include "base/cli.h"
#include "chess/rules.h"

/* Reads --rules SPEC; files are opened. -1 with a reason. */
int rulespec_read(struct rules *r, const char *spec,
    char reason[RULES_REASON_MAX]);

/* The rules of --rules, or classical; ends the program if they are wrong. */
void rulespec_option(struct rules *r, const struct cli *cli);

/* Reads a sum of presets or JSON, len bytes; no file is opened. */
int rulespec_parse(struct rules *r, const char *text, size_t len,
    char reason[RULES_REASON_MAX]);

#endif
