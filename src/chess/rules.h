/*
 * A rule set is a struct of fields (rules.def), many of which have a value for each
 * side. A preset (presets.def) is classical chess with a few fields changed; a sum
 * of presets adds their changes up. Any other choice of fields is a custom rule
 * set, written as JSON, which data/rulespec.h reads.
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
	RULES_FEN_MAX = 192,           /* room for a start, NUL included */
	RULES_TEXT_MAX = 4096,         /* room for rules_print(), NUL included */
	RULES_VALUE_MAX = 640,         /* room for rules_print_value(), NUL included */
	RULES_REASON_MAX = REASON_MAX, /* room for a reason, NUL included */
	RULES_PRESETS = 0              /* counted */
#define PRESET(...) +1
#include "presets.def"
#undef PRESET
};

enum { WHITE, BLACK };
/* ALL: a side's pieces. SPARE: the first of the kinds that a rule set adds, in the
 * order of their letters. */
enum { ALL, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, SPARE, SPARES = 4, TYPES = 11 };

typedef char rules_start[RULES_FEN_MAX];

enum rule_type {
	RULE_BOOL,
	RULE_INT,
	RULE_WHITE,
	RULE_SET,
	RULE_FEN,
	RULE_PIECE,
	RULE_PIECES,
	RULE_SQUARES
};
enum rule_group { RULE_SETUP, RULE_MOVE, RULE_END, RULE_LIMIT };

/* The field of type PIECES: spare kinds, by letter, without gaps. */
struct spare_pieces {
	char letter[SPARES]; /* small letters; 0: no more */
	struct piece piece[SPARES];
};

struct rules {
#define SIDES_ONE
#define SIDES_EACH [2]
#define MEMBER_BOOL int16_t
#define MEMBER_INT int16_t
#define MEMBER_WHITE int16_t
#define MEMBER_SET int16_t
#define MEMBER_FEN rules_start
#define MEMBER_PIECE struct piece
#define MEMBER_PIECES struct spare_pieces
#define MEMBER_SQUARES uint64_t
#define RULE(name, type, sides, lo, hi, def, unit, group, doc, sentence) \
	MEMBER_##type name SIDES_##sides;
#define RULE_ALIAS(name, field, value, text)
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
	char name[RULES_NAME_MAX + 1]; /* "" unless the user gave one */
	/* Derived by rules_finish(): */
	struct piece kind[2][TYPES]; /* [side][KNIGHT …] how each moves */
	uint64_t double_from[2];     /* [side]: squares from which a double step
	                              * may start */
	uint16_t strange[2];         /* [side]: pieces that move differently from
	                              * chess or that chess lacks, bit type - KNIGHT */
	bool fairy;                  /* there is such a piece */
	bool ends;                   /* movegen_early_end() can end a game */
	bool listed;                 /* whether a move is legal shows only in the
	                              * list of all moves; see movegen.c */
	bool tested;                 /* moves must be made to see whether they are
	                              * legal: explode, may_check, odd royal pieces */
	bool odd;                    /* fairy || ends || listed */
	bool kingless;               /* a side may be without a king */
	bool hands;                  /* a side has drops */
	bool extra;                  /* board_make() does more than in chess: checks
	                              * are counted, pieces drop or explode */
	bool king_takes_rook[2];     /* [side]: castling is always written so, as the
	                              * king can itself go to the usual square */
	bool castles[2];             /* [side]: castling_from is not 0, the king royal */
	uint8_t promotions[2];       /* [side]: number of pieces that a pawn may become */
	uint8_t ntypes;              /* the types are 1 to ntypes - 1 */
	uint8_t most_men[2], most_pawns[2]; /* [side]: on the board */
	bool first_rank_pawns[2];           /* the start has pawns on their first rank */
	int16_t worth[TYPES];   /* rough, in hundredths of a pawn; 0 for the king,
	                              * unless it is not royal */
	char letter[TYPES + 1]; /* of each type, capitals, from " PNBRQK" */
};

/* One line of rules.def, for code that handles all fields alike. */
struct rules_field {
	const char *name;
	enum rule_type type;
	enum rule_group group;
	bool sided; /* each side has a value */
	int lowest, highest, classical, unit;
	const char *meaning;
	const char *sentence; /* as in rules.def */
	size_t offset, size;  /* of one side's value */
};

extern const struct rules_field rules_fields[];
extern const size_t rules_nfields;

/* One line of presets.def; the first is classical. */
enum { PRESET_CHANGES = 6 };
struct rules_change {
	bool used;     /* false: there are no more */
	uint8_t sides; /* 1: White's value, 2: Black's, 3: both */
	size_t offset; /* of the field */
	int value;
	const char *text; /* the value of a field that is not a number */
};
struct rules_preset {
	const char *name, *label, *sentence;
	int study; /* row in the published study; 0: none */
	struct rules_change changes[PRESET_CHANGES];
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

/* Does the rule set contain the preset: are all its changes made? */
bool rules_has_preset(const struct rules *r, const struct rules_preset *p);

/* A field by its name, NULL if there is none; by its offset, which must be that of
 * one; by a RULE_ALIAS, with the value or text that `true` sets. */
const struct rules_field *rules_find_field(const char *name);
const struct rules_field *rules_field_at(size_t offset);
const struct rules_field *rules_find_alias(const char *name, int *value,
    const char **text);

/* The field or preset whose name is nearest to a misspelt one; NULL if none is
 * near. */
const char *rules_nearest_field(const char *name);
const char *rules_nearest_preset(const char *name, size_t len);

/* Gets or sets a numeric field (BOOL, INT, WHITE, SET) of a side, or sets it for
 * both. Setting fails if the value is out of range. */
int rules_get(const struct rules *r, const struct rules_field *f, int side);
int rules_set(struct rules *r, const struct rules_field *f, int value, char *reason);
int rules_set_side(struct rules *r, const struct rules_field *f, int side, int value,
    char *reason);

/* Sets a field of type SET, FEN, PIECE, PIECES or SQUARES from text, or the rule
 * set's name. The text of PIECES is "a:BN,c:RN"; letters of a SET must be declared
 * by PIECES before. */
int rules_set_text(struct rules *r, const struct rules_field *f, const char *text,
    char *reason);
int rules_set_text_side(struct rules *r, const struct rules_field *f, int side,
    const char *text, char *reason);
int rules_set_name(struct rules *r, const char *name, char *reason);

/* Does the field have its classical value? Is it equal in both rule sets? Do the
 * sides' values differ? */
bool rules_is_classical(const struct rules *r, const struct rules_field *f);

/* How many fields are not as in chess. */
int rules_count_changes(const struct rules *r);
bool rules_same(const struct rules *a, const struct rules *b,
    const struct rules_field *f);
bool rules_is_sided(const struct rules *r, const struct rules_field *f);

/* The value of a PIECE field for a side, and its value in classical chess. */
const struct piece *rules_get_piece(const struct rules *r, const struct rules_field *f,
    int side);
const struct piece *rules_classical_piece(const struct rules_field *f);

/* The type of a piece by its letter, in either case; 0 if there is none. */
int rules_type(const struct rules *r, char letter);

/* Writes a field's value to text[RULES_VALUE_MAX] as JSON, or that of one side
 * as the text that rules_set_text() reads. */
void rules_print_value(const struct rules *r, const struct rules_field *f, char *text);
void rules_print_text(const struct rules *r, const struct rules_field *f, int side,
    char *text);

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
