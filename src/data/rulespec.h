/*
 * Rule sets as users write them: a preset, a sum of presets, JSON, or a file
 * with JSON. The JSON is an object with any of the fields of chess/rules.def,
 * "name" (the rule set's name in tables) and "base" (a sum of presets that
 * the other fields change). Unknown keys are refused.
 */
#ifndef DATA_RULESPEC_H
#define DATA_RULESPEC_H

#include "base/cli.h"
#include "chess/rules.h"

/* Reads the argument of --rules, which may name a file. 0, or -1 with a reason. */
int rulespec_read(struct rules *r, const char *spec, char reason[RULES_REASON_MAX]);

/* The rules of the option --rules, by default classical. A usage error ends the
 * program. */
void rulespec_option(struct rules *r, const struct cli *cli);

/* Reads a rule set given as an argument. False if there is none: this is reported, and
 * the exit status will tell. */
bool rulespec_argument(struct rules *r, struct cli *cli, const char *spec);

/* Reads a sum of presets or JSON of len bytes; opens no file. 0, or -1 with a
 * reason. */
int rulespec_parse(struct rules *r, const char *text, size_t len,
    char reason[RULES_REASON_MAX]);

struct cJSON;

/* The same from an item of a tree of JSON. */
int rulespec_from_tree(struct rules *r, const struct cJSON *item,
    char reason[RULES_REASON_MAX]);

#endif
