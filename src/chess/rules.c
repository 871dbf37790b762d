#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "board.h"
#include "fen.h"
#include "outcome.h"

const struct rules_field rules_fields[] = {
#define RULE(name, type, lo, hi, def, unit, group, doc, sentence) \
	{ #name, RULE_##type, RULE_##group, lo, hi, def, unit, doc, sentence, \
		offsetof(struct rules, name) },
#define RULE_ALIAS(name, field, value)
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
};
const size_t rules_nfields = sizeof(rules_fields) / sizeof(rules_fields[0]);

static const struct {
	const char *name;
	size_t offset;
	int value;
} aliases[] = {
#define RULE(name, type, lo, hi, def, unit, group, doc, sentence)
#define RULE_ALIAS(name, field, value) { #name, offsetof(struct rules, field), value },
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
};

/* The member of a field. */
static const void *
at(const struct rules *r, const struct rules_field *f)
{
	return (const char *)r + f->offset;
}

static int
number(const struct rules *r, size_t offset)
{
	return *(const int16_t *)(const void *)((const char *)r + offset);
}

static void
set_number(struct rules *r, size_t offset, int value)
{
	*(int16_t *)(void *)((char *)r + offset) = (int16_t)value;
}

static char *
fen_at(struct rules *r, const struct rules_field *f)
{
	return (char *)r + f->offset;
}

static struct piece *
piece_at(struct rules *r, const struct rules_field *f)
{
	return (struct piece *)(void *)((char *)r + f->offset);
}

/* ---- values ---- */

/* Classical chess, filled before main(), as every game needs it. */
static struct rules classical;

__attribute__((constructor)) static void
init_classical(void)
{
	char letter[2] = "", reason[REASON_MAX];

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		letter[0] = (char)f->classical;
		if (f->type == RULE_PIECE)
			(void)piece_parse(piece_at(&classical, f), letter, reason);
		else if (f->type != RULE_FEN)
			set_number(&classical, f->offset, f->classical);
	}
	rules_finish(&classical);
}

void
rules_init(struct rules *r)
{
	*r = classical;
}

static uint8_t
find_strange(const struct rules *r)
{
	unsigned set = 0, one = 1;

	for (size_t i = 0; i < rules_nfields; i++) {
		if (rules_fields[i].type != RULE_PIECE)
			continue;
		if (!rules_is_classical(r, &rules_fields[i]))
			set |= one;
		one <<= 1;
	}
	return (uint8_t)set;
}

void
rules_finish(struct rules *r)
{
	r->double_from[0] = r->double_from[1] = 0;
	for (int rank = 2; rank <= r->double_step; rank++) {
		r->double_from[0] |= 0xffULL << (8 * (rank - 1));
		r->double_from[1] |= 0xffULL << (8 * (8 - rank));
	}
	r->strange = find_strange(r);
	r->fairy = r->strange != 0;
	r->ends = r->checks_to_win != 0 || r->hill_wins || r->bare_king_value != 0;
	r->odd = r->fairy || r->ends;
	r->king_takes_rook = piece_goes_sideways(&r->king, PIECE_QUIET, 2);
	r->promotions = (uint8_t)__builtin_popcount((unsigned)r->promote_to);
}

const struct rules_field *
rules_find_field(const char *name)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (strcmp(rules_fields[i].name, name) == 0)
			return &rules_fields[i];
	return NULL;
}

const struct rules_field *
rules_field_at(size_t offset)
{
	const struct rules_field *f = rules_fields;

	while (f->offset != offset)
		f++;
	return f;
}

const struct rules_field *
rules_find_alias(const char *name, int *value)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(aliases[i].name, name) != 0)
			continue;
		*value = aliases[i].value;
		return rules_field_at(aliases[i].offset);
	}
	return NULL;
}

const char *
rules_nearest_field(const char *name)
{
	const char *nearest = NULL;
	size_t len = strlen(name);
	int best = (int)len / 4 + 1;

	for (size_t i = 0; i < rules_nfields; i++)
		text_try_nearest(rules_fields[i].name, name, len, &best, &nearest);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		text_try_nearest(aliases[i].name, name, len, &best, &nearest);
	return nearest;
}

int
rules_get(const struct rules *r, const struct rules_field *f)
{
	return number(r, f->offset);
}

int
rules_set(struct rules *r, const struct rules_field *f, int value, char *reason)
{
	if (value < f->lowest || value > f->highest)
		return refuse(reason, "%s is %d, not within %d..%d", f->name, value,
		    f->lowest, f->highest);
	if (f->offset == offsetof(struct rules, double_step) && value == 1)
		return refuse(reason,
		    "double_step is 1, but no pawn stands on its 1st rank "
		    "(0: never, 2: as in chess)");
	set_number(r, f->offset, value);
	return 0;
}

static const char set_letters[] = "nbrq";

static int
set_letters_of(struct rules *r, const struct rules_field *f, const char *text,
    char *reason)
{
	int set = 0;

	for (const char *s = text; *s != '\0'; s++) {
		const char *p = strchr(set_letters, *s);
		int one = p != NULL ? 1 << (p - set_letters) : 0;
		if (one == 0 || (set & one) != 0)
			return refuse(reason,
			    one == 0 ? "%s has a letter other than n b r q"
				     : "%s has the letter %c twice",
			    f->name, *s);
		set |= one;
	}
	if (set == 0)
		return refuse(reason, "%s is empty: pawns must become something",
		    f->name);
	set_number(r, f->offset, set);
	return 0;
}

int
rules_set_text(struct rules *r, const struct rules_field *f, const char *text,
    char *reason)
{
	char why[RULES_REASON_MAX];

	switch (f->type) {
	case RULE_SET:
		return set_letters_of(r, f, text, reason);
	case RULE_PIECE:
		if (piece_parse(piece_at(r, f), text, why) == 0)
			return 0;
		return refuse(reason, "%s \"%.40s\": %s", f->name, text, why);
	case RULE_FEN:
		if (strlen(text) >= RULES_FEN_MAX)
			return refuse(reason, "%s is too long for a FEN", f->name);
		memset(fen_at(r, f), 0, RULES_FEN_MAX);
		strcpy(fen_at(r, f), text);
		return 0;
	default:
		return refuse(reason, "%s is not a text", f->name);
	}
}

int
rules_set_name(struct rules *r, const char *name, char *reason)
{
	size_t len = strlen(name);

	if (len == 0 || len > RULES_NAME_MAX ||
	    strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
		len)
		return refuse(reason,
		    "a rule set's name is 1 to %d letters, digits, '-', '_' or '.'",
		    RULES_NAME_MAX);
	for (int i = 0; i < RULES_PRESETS; i++) {
		if (strcmp(name, rules_presets[i].name) == 0)
			return refuse(reason, "the name %s is taken by a preset", name);
	}
	memset(r->name, 0, sizeof(r->name));
	memcpy(r->name, name, len);
	return 0;
}

bool
rules_is_classical(const struct rules *r, const struct rules_field *f)
{
	return rules_same(r, &classical, f);
}

bool
rules_same(const struct rules *a, const struct rules *b, const struct rules_field *f)
{
	switch (f->type) {
	case RULE_FEN:
		return strcmp(at(a, f), at(b, f)) == 0;
	case RULE_PIECE:
		return piece_equal(at(a, f), at(b, f));
	default:
		return number(a, f->offset) == number(b, f->offset);
	}
}

bool
rules_equal(const struct rules *a, const struct rules *b)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_same(a, b, &rules_fields[i]))
			return false;
	return strcmp(a->name, b->name) == 0;
}

const struct piece *
rules_get_piece(const struct rules *r, const struct rules_field *f)
{
	return at(r, f);
}

const struct piece *
rules_classical_piece(const struct rules_field *f)
{
	return at(&classical, f);
}

static uint64_t
hash_bytes(uint64_t hash, const void *p, size_t n)
{
	const uint8_t *s = p;

	for (size_t i = 0; i < n; i++)
		hash = rng_stir(hash + s[i]);
	return hash;
}

uint64_t
rules_hash(const struct rules *r)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		const struct piece *p = at(r, f);
		if (f->type == RULE_FEN)
			hash = hash_bytes(hash, p, strlen((const char *)p));
		else if (f->type != RULE_PIECE)
			hash = rng_stir(hash + (uint64_t)number(r, f->offset));
		else if (r->fairy)
			hash = hash_bytes(hash, p, sizeof(p->slide) + sizeof(p->leap));
	}
	return hash;
}

/* ---- contradictions ---- */

/* Brings the start into the form that fen_write() gives; "" for the usual one. */
static int
settle_start(struct rules *r, char *reason)
{
	char why[FEN_REASON_MAX];
	struct board b, usual;

	if (r->start[0] == '\0' || strcmp(r->start, "960") == 0)
		return 0;
	if (fen_read(&b, r, r->start, strlen(r->start), why) == -1)
		return refuse(reason, "start: %s", why);
	memset(r->start, 0, sizeof(r->start));
	board_start(&usual, r);
	if (memcmp(&b, &usual, sizeof(b)) != 0)
		fen_write(&b, r->start);
	return 0;
}

/* Players take for granted that a game has not ended where it begins. */
static int
refuse_finished_start(const struct rules *r, char *reason)
{
	struct board b;

	board_start(&b, r);
	enum end e = outcome_find(&b, &b.key, 0);
	return e == END_NONE
	    ? 0
	    : refuse(reason, "start: the game is over there (%s)", end_name(e));
}

int
rules_settle(struct rules *r, char *reason)
{
	rules_finish(r);
	if (r->self_capture && r->castling_from != 0) {
		if (strcmp(r->start, "960") == 0)
			return refuse(reason,
			    "self_capture contradicts "
			    "start 960: king takes own rook would be two moves "
			    "(castling_from 0 takes castling away)");
		if (piece_goes_sideways(&r->king, PIECE_QUIET, 2) ||
		    piece_goes_sideways(&r->king, PIECE_CAPTURE, 2))
			return refuse(reason,
			    "self_capture contradicts a "
			    "king that goes two squares along its rank: it "
			    "could be castling");
	}
	if (settle_start(r, reason) == -1)
		return -1;
	return refuse_finished_start(r, reason);
}

/* ---- printing ---- */

void
rules_print_value(const struct rules *r, const struct rules_field *f,
    char text[PIECE_TEXT_MAX + 2])
{
	char *s = text;
	int v;

	switch (f->type) {
	case RULE_BOOL:
		strcpy(text, number(r, f->offset) ? "true" : "false");
		return;
	case RULE_INT:
	case RULE_WHITE:
		snprintf(text, PIECE_TEXT_MAX, "%d", number(r, f->offset));
		return;
	case RULE_SET:
		v = number(r, f->offset);
		*s++ = '"';
		for (int i = 0; i < 4; i++)
			if ((v & 1 << i) != 0)
				*s++ = set_letters[i];
		break;
	case RULE_FEN:
		*s++ = '"';
		strcpy(s, at(r, f));
		s += strlen(s);
		break;
	case RULE_PIECE:
		*s++ = '"';
		s += piece_print(at(r, f), s);
		break;
	}
	strcpy(s, "\"");
}
