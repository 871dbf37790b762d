/*
 * A rule set is a struct of fields (rules.def). A preset (presets.def) is
 * classical chess with one field changed; a sum of presets changes several.
 * Any other choice of fields is a custom rule set, written as JSON, which
 * data/rulespec.h reads.
 *
 * Equal rule sets print as equal texts, and what rules_print() writes parses
 * to the same rule set.
 */
#ifndef CHESS_RULES_H
#define CHESS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/message.h"
#include "pieces.h"

enum {
	RULES_NAME_MAX = 32,           /* longest name of a user's rule set */
	RULES_FEN_MAX = 128,           /* room for a start, NUL included */
	RULES_TEXT_MAX = 1536,         /* room for rules_print(), NUL included */
	RULES_REASON_MAX = REASON_MAX, /* room for a reason, NUL included */
	RULES_PRESETS = 0              /* counted */
#define PRESET(name, label, sentence, study, field, value, text) +1
#include "presets.def"
#undef PRESET
};

enum rule_type { RULE_BOOL, RULE_INT, RULE_WHITE, RULE_SET, RULE_FEN, RULE_PIECE };
enum rule_group { RULE_SETUP, RULE_MOVE, RULE_END, RULE_LIMIT };

struct rules {
#define MEMBER_BOOL(name) int16_t name
#define MEMBER_INT(name) int16_t name
#define MEMBER_WHITE(name) int16_t name
#define MEMBER_SET(name) int16_t name
#define MEMBER_FEN(name) char name[RULES_FEN_MAX]
#define MEMBER_PIECE(name) struct piece name
#define RULE(name, type, lo, hi, def, unit, group, doc, sentence) MEMBER_##type(name);
#define RULE_ALIAS(name, field, value)
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
	char name[RULES_NAME_MAX + 1]; /* "" unless the user gave one */
	/* Derived by rules_finish(): */
	uint64_t double_from[2]; /* [side]: squares from which a double step
	                          * may start */
	uint8_t strange;         /* pieces that move differently from chess, one bit
	                          * each, from the knight (1) to the king (16) */
	bool fairy;              /* there is such a piece */
	bool ends;               /* movegen_early_end() can end a game */
	bool odd;                /* fairy || ends */
	bool king_takes_rook;    /* castling is always written so, as the king
	                          * can itself go to the usual square */
	uint8_t promotions;      /* number of pieces that a pawn may become */
};

/* One line of rules.def, for code that handles all fields alike. */
struct rules_field {
	const char *name;
	enum rule_type type;
	enum rule_group group;
	int lowest, highest, classical, unit;
	const char *meaning;
	const char *sentence; /* as in rules.def */
	size_t offset;
};

extern const struct rules_field rules_fields[];
extern const size_t rules_nfields;

/* One line of presets.def; the first is classical. */
struct rules_preset {
	const char *name, *label, *sentence;
	int study;     /* row in the published study; 0: none */
	size_t offset; /* of the field that it changes */
	int value;
	const char *text; /* the value of a FEN field */
};
extern const struct rules_preset rules_presets[RULES_PRESETS];
const char *rules_preset_name(int i);

/* Sets r to classical chess. */
void rules_init(struct rules *r);

/*
 * In all that follows, functions that can fail return 0, or -1 with a reason in
 * reason[RULES_REASON_MAX].
 */

/* Reads a sum of presets, len bytes of text. Fails for an unknown name and for
 * presets that contradict each other. */
int rules_parse_sum(struct rules *r, const char *text, size_t len, char *reason);

/* Is every name in a sum a preset, even if they contradict each other? */
bool rules_knows_names(const char *text, size_t len);

/* A field by its name, NULL if there is none; by its offset, which must be that of
 * one; by a RULE_ALIAS, with the value that `true` sets. */
const struct rules_field *rules_find_field(const char *name);
const struct rules_field *rules_field_at(size_t offset);
const struct rules_field *rules_find_alias(const char *name, int *value);

/* The field or preset whose name is nearest to a misspelt one; NULL if none is
 * near. */
const char *rules_nearest_field(const char *name);
const char *rules_nearest_preset(const char *name, size_t len);

/* Gets or sets a numeric field (BOOL, INT, WHITE, SET). Setting fails if the
 * value is out of range. */
int rules_get(const struct rules *r, const struct rules_field *f);
int rules_set(struct rules *r, const struct rules_field *f, int value, char *reason);

/* Sets a field of type SET, FEN or PIECE from text, or the rule set's name. */
int rules_set_text(struct rules *r, const struct rules_field *f, const char *text,
    char *reason);
int rules_set_name(struct rules *r, const char *name, char *reason);

/* Does the field have its classical value? Is it equal in both rule sets? */
bool rules_is_classical(const struct rules *r, const struct rules_field *f);
bool rules_same(const struct rules *a, const struct rules *b,
    const struct rules_field *f);

/* The value of a PIECE field, and its value in classical chess. */
const struct piece *rules_get_piece(const struct rules *r, const struct rules_field *f);
const struct piece *rules_classical_piece(const struct rules_field *f);

/* Writes a field's value as JSON. */
void rules_print_value(const struct rules *r, const struct rules_field *f,
    char text[PIECE_TEXT_MAX + 2]);

/* Sets the derived members. */
void rules_finish(struct rules *r);

/* The same for fields chosen by a user: also brings the start into canonical
 * form, and fails if fields contradict each other or the game is over where it
 * begins. */
int rules_settle(struct rules *r, char *reason);

bool rules_equal(const struct rules *a, const struct rules *b);

/* A hash of all fields, not of the name. */
uint64_t rules_hash(const struct rules *r);

/* Does rules_print() write JSON, and not a sum of presets? */
bool rules_is_custom(const struct rules *r);

/* Writes the canonical text: a sum of presets if there is one, otherwise one
 * line of JSON with the fields that differ from classical chess. */
void rules_print(const struct rules *r, char text[RULES_TEXT_MAX]);

/* Writes what tables show: the user's name for the rule set, or its text. */
void rules_label(const struct rules *r, char text[RULES_TEXT_MAX]);

#endif
