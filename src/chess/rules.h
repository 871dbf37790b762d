/*
 * A rule set is a struct of small fields (rules.def). The ten presets
 * (presets.def) are classical chess with one field changed; a sum of presets
 * changes several. A user's own set is any other choice of fields, written
 * as JSON; reading that needs a JSON library and lives in data/rulespec.h.
 *
 * rules_print() and the parsers are inverse: equal rule sets print equal
 * texts, and what is printed parses to the same rule set.
 */
#ifndef CHESS_RULES_H
#define CHESS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RULES_NAME_MAX = 32,	/* longest name of a user's rule set */
	RULES_TEXT_MAX = 512,	/* room for rules_print(), NUL included */
	RULES_REASON_MAX = 200,	/* room for a reason, NUL included */
	RULES_PRESETS = 10
};

struct rules {
#define RULE(name, kind, lo, hi, def, doc) int16_t name;
#include "rules.def"
#undef RULE
	char name[RULES_NAME_MAX + 1];	/* "" unless the user gave one */
	/* Derived by rules_finish(): squares a double step may start from,
	 * for White and for Black. */
	uint64_t double_from[2];
};

/* One line of rules.def, for those who walk over all of them. */
struct rules_field {
	const char *name;
	bool is_bool;
	int lowest, highest, classical;
	const char *meaning;
	size_t offset;
};

extern const struct rules_field rules_fields[];
extern const size_t rules_nfields;

/* The name of preset i, 0 <= i < RULES_PRESETS; 0 is classical. */
const char *rules_preset_name(int i);

/* Classical chess. */
void rules_init(struct rules *r);

/*
 * Reads a sum of presets, len bytes of text. Returns 0, or -1 with a reason
 * (an unknown name, two that contradict each other) in
 * reason[RULES_REASON_MAX].
 */
int rules_parse_sum(struct rules *r, const char *text, size_t len,
    char *reason);

/* Finds a field by name; NULL when there is none. */
const struct rules_field *rules_find_field(const char *name);

/* Reads or sets one field; setting returns -1 with a reason when the value
 * is out of range. After the last one call rules_finish(). */
int rules_get(const struct rules *r, const struct rules_field *f);
int rules_set(struct rules *r, const struct rules_field *f, int value,
    char *reason);
int rules_set_name(struct rules *r, const char *name, char *reason);

/* Fills in what is derived from the fields. */
void rules_finish(struct rules *r);

bool rules_equal(const struct rules *a, const struct rules *b);

/* True when rules_print() gives JSON and not a sum of presets. */
bool rules_is_custom(const struct rules *r);

/* The canonical text: a sum of presets where there is one, else one line of
 * JSON with the fields that differ from classical chess. */
void rules_print(const struct rules *r, char text[RULES_TEXT_MAX]);

/* What a table shows: the user's name for the rule set, or its text. */
void rules_label(const struct rules *r, char text[RULES_TEXT_MAX]);

#endif
