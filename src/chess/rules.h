/*
 * A rule set is a struct of small fields (rules.def). The presets
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

#include "base/message.h"
#include "pieces.h"

enum {
	RULES_NAME_MAX = 32,	/* longest name of a user's rule set */
	RULES_FEN_MAX = 128,	/* room for a start, NUL included */
	RULES_TEXT_MAX = 1536,	/* room for rules_print(), NUL included */
	RULES_REASON_MAX = REASON_MAX,	/* room for a reason, NUL included */
	RULES_PRESETS = 0	/* counted */
#define PRESET(name, label, sentence, study, field, value, text) + 1
#include "presets.def"
#undef PRESET
};

enum rule_type { RULE_BOOL, RULE_INT, RULE_WHITE, RULE_SET, RULE_FEN,
    RULE_PIECE };
enum rule_group { RULE_SETUP, RULE_MOVE, RULE_END, RULE_LIMIT };

struct rules {
#define MEMBER_BOOL(name) int16_t name
#define MEMBER_INT(name) int16_t name
#define MEMBER_WHITE(name) int16_t name
#define MEMBER_SET(name) int16_t name
#define MEMBER_FEN(name) char name[RULES_FEN_MAX]
#define MEMBER_PIECE(name) struct piece name
#define RULE(name, type, lo, hi, def, unit, group, doc, sentence) \
	MEMBER_##type(name);
#define RULE_ALIAS(name, field, value)
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
	char name[RULES_NAME_MAX + 1];	/* "" unless the user gave one */
	/* Derived by rules_finish(). Squares a double step may start from, for
	 * White and for Black. */
	uint64_t double_from[2];
	uint8_t strange;	/* pieces that move otherwise than in chess, a bit for
				 * each: the knight's is the first, the king's the
				 * fifth */
	bool fairy;		/* there is such a piece */
	bool ends;		/* a position with moves can be over
				 * (movegen_early_end()) */
	bool odd;		/* either of these */
	bool king_takes_rook;	/* castling is written so: the king can go to
				 * its usual square by itself */
	uint8_t promotions;	/* how many pieces a pawn may become */
};

/* One line of rules.def, for those who walk over all of them. */
struct rules_field {
	const char *name;
	enum rule_type type;
	enum rule_group group;
	int lowest, highest, classical, unit;
	const char *meaning;
	const char *sentence;	/* as in rules.def */
	size_t offset;
};

extern const struct rules_field rules_fields[];
extern const size_t rules_nfields;

/* One line of presets.def, 0 <= i < RULES_PRESETS; 0 is classical. */
struct rules_preset {
	const char *name, *label, *sentence;
	int study;		/* place in the published study; 0: none */
	size_t offset;		/* of the field it changes */
	int value;
	const char *text;	/* the value of a FEN's field */
};
extern const struct rules_preset rules_presets[RULES_PRESETS];
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

/* Is every name of a sum that of a preset, be the sum a contradiction? */
bool rules_knows_names(const char *text, size_t len);

/* Finds a field by name; NULL when there is none. rules_find_alias() finds the
 * field that another name stands for, and the value that `true` means. */
const struct rules_field *rules_find_field(const char *name);
const struct rules_field *rules_field_at(size_t offset);
const struct rules_field *rules_find_alias(const char *name, int *value);

/* The field or preset whose name is nearest to one that there is not; NULL when
 * none is near. */
const char *rules_nearest_field(const char *name);
const char *rules_nearest_preset(const char *name, size_t len);

/* Reads or sets a field that is a number (BOOL, INT, WHITE, SET); setting returns -1
 * with a reason when the value is out of range. */
int rules_get(const struct rules *r, const struct rules_field *f);
int rules_set(struct rules *r, const struct rules_field *f, int value,
    char *reason);

/* Sets a field from text: SET, FEN, PIECE. */
int rules_set_text(struct rules *r, const struct rules_field *f,
    const char *text, char *reason);
int rules_set_name(struct rules *r, const char *name, char *reason);

/* Does the field have its classical value? Is it the same in both? */
bool rules_is_classical(const struct rules *r, const struct rules_field *f);
bool rules_same(const struct rules *a, const struct rules *b,
    const struct rules_field *f);

/* The field of a PIECE, and that of classical chess. */
const struct piece *rules_get_piece(const struct rules *r,
    const struct rules_field *f);
const struct piece *rules_classical_piece(const struct rules_field *f);

/* A field's value as JSON has it. */
void rules_print_value(const struct rules *r, const struct rules_field *f,
    char text[PIECE_TEXT_MAX + 2]);

/* Fills in what is derived from the fields. */
void rules_finish(struct rules *r);

/*
 * The same for fields that a user has chosen: puts the start into the form in
 * which it is printed, and returns -1 with a reason when fields contradict
 * each other.
 */
int rules_settle(struct rules *r, char *reason);

bool rules_equal(const struct rules *a, const struct rules *b);

/* A number that is the same for equal fields, the name apart. */
uint64_t rules_hash(const struct rules *r);

/* True when rules_print() gives JSON and not a sum of presets. */
bool rules_is_custom(const struct rules *r);

/* The canonical text: a sum of presets where there is one, else one line of
 * JSON with the fields that differ from classical chess. */
void rules_print(const struct rules *r, char text[RULES_TEXT_MAX]);

/* What a table shows: the user's name for the rule set, or its text. */
void rules_label(const struct rules *r, char text[RULES_TEXT_MAX]);

#endif
