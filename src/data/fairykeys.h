/*
 * What the keys of a variant of Fairy-Stockfish mean, in the fields of rules.def.
 * fairyini.c reads the file, fairykeys.c the keys of each of its sections, the base's
 * first; fairyrules.c makes rules of them.
 */
#ifndef DATA_FAIRYKEYS_H
#define DATA_FAIRYKEYS_H

#include "fairyini.h"

enum {
	FAIRY_KEY_MAX = 48,
	FAIRY_VALUE_MAX = 400, /* as long as a line */
	FAIRY_PAIRS_MAX = 128, /* keys of a section */
	FAIRY_KEYS_MAX = 256,  /* different keys of a variant and its bases */
	/* those with names, 25 custom ones, and the king */
	FAIRY_PAWN = 0,
	FAIRY_ROOK = 3,
	FAIRY_COMMONER = 33,
	FAIRY_KINDS = 62,
	FAIRY_KING = FAIRY_KINDS - 1
};

struct fairy_pair {
	char key[FAIRY_KEY_MAX], value[FAIRY_VALUE_MAX];
};

/* A section's keys; a key that is given twice has its last value. */
struct fairy_section {
	struct fairy_pair pairs[FAIRY_PAIRS_MAX];
	int n;
};

/* A kind of pieces by its name there. */
struct fairy_kind {
	char letter; /* small; 0: the variant has no such pieces */
	char moves[FAIRY_VALUE_MAX];
	bool foreign;    /* our notation cannot say how it moves */
	bool becomes[2]; /* [side]: pawns may become it */
};

struct fairy_variant {
	struct rules *rules; /* some fields are set at once, these at the end: */
	struct text *lost;   /* a line for each key that is lost */
	struct fairyini_keys counts;
	char seen[FAIRY_KEYS_MAX][FAIRY_KEY_MAX]; /* keys read or lost */
	bool seen_lost[FAIRY_KEYS_MAX];
	int nseen;
	struct fairy_kind kinds[FAIRY_KINDS];
	char castling_king[FAIRY_KEY_MAX]; /* letters; "": the king, the rook */
	char castling_rooks[FAIRY_KEY_MAX];
	bool drops, to_hand;         /* pieceDrops, capturesToHand */
	int double_steps;            /* 1: there are some, 0: none */
	int highest_rank[2];         /* [side]: of double steps */
	bool low_pawns[2];           /* [side]: also from the first rank */
	int checks;                  /* -1: as many as the start says */
	char flag_piece[2];          /* [side]: small letter, '*' for all */
	char start[FAIRY_VALUE_MAX]; /* "": the base's */
	bool castles;                /* the start has castling rights */
	/* What happens to a side that has lost pieces: */
	int extinct_value; /* hundredths, for that side; 0: nothing */
	char extinct[FAIRY_KEY_MAX];
	bool pseudo_royal;
	bool other_extinction; /* counts of pieces, claims */
};

/* Begins with a variant that has no pieces and is otherwise like chess. */
void fairykeys_init(struct fairy_variant *v, struct rules *r, struct text *lost);

/* Makes it the one whose rules these now are: a built-in variant. */
void fairykeys_add_built_in(struct fairy_variant *v);

/* Adds a section's keys. Returns -1 and a line of `lost` if no rules can come of them. */
int fairykeys_add(struct fairy_variant *v, const struct fairy_section *s);

/* What both files use. A key is counted once, however often it is lost; all keys that
 * begin with a stem are lost, if there are any; side -1 sets a field for both sides. The
 * kind that has a letter, or -1; the name of a kind, which may be put into `name`; the
 * usual moves of one, NULL or "" if there are none. */
void fairy_lose(struct fairy_variant *v, const char *key, const char *value,
    const char *why);
void fairy_lose_all(struct fairy_variant *v, const char *stem, int side, const char *why);
void fairy_set_number(struct fairy_variant *v, const char *field, int side, int number,
    const char *key, const char *value);
void fairy_set_text(struct fairy_variant *v, const char *field, int side,
    const char *text, const char *key, const char *value);
int fairy_kind_of(const struct fairy_variant *v, char letter);
const char *fairy_kind_name(int kind, char name[FAIRY_KEY_MAX]);
const char *fairy_kind_moves(int kind);
void fairy_remove_kind(struct fairy_kind *k);

/* Sets the rules (fairyrules.c). Returns -1 as above. */
int fairyrules_settle(struct fairy_variant *v);

#endif
