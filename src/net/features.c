/*
 * The rules as inputs of nets, derived from rules.def: nothing here names a field.
 */
#include <stdio.h>
#include <string.h>

#include "atoms.h"
#include "encode.h"

/* Collects features: a name, numbers, or only their count. */
struct sink {
	const struct rules *rules; /* NULL: names only */
	int side;
	int n;
	float *out; /* or NULL */
	int wanted; /* the feature whose name is wanted, or -1 */
	char *name;
};

static void
put(struct sink *s, const char *field, const char *detail, float value)
{
	if (s->n == s->wanted)
		snprintf(s->name, ENCODE_FEATURE_NAME_MAX, "%s%s%s", field,
		    *detail != '\0' ? ":" : "", detail);
	if (s->out != NULL)
		s->out[s->n] = value;
	s->n++;
}

/* Unchanged up to 1; beyond that it grows ever more slowly, up to 2. */
static float
bend(float v)
{
	return v > 1 ? 2 - 1 / v : v < -1 ? -2 - 1 / v : v;
}

/* The distance from chess. Turning a field on or off is a feature of its own, as
 * 0 means off and not a little less than 1. */
static void
put_number(struct sink *s, const struct rules_field *f)
{
	int v = rules_get(s->rules, f);
	float far = (float)(v - f->classical) / (float)f->unit;

	if (f->type == RULE_WHITE && s->side == BLACK)
		far = -far;
	bool turned = (v == 0) != (f->classical == 0);
	put(s, f->name, "", bend(turned && v == 0 ? 0 : far));
	if (f->type == RULE_INT && f->lowest == 0)
		put(s, f->name, "0", turned);
}

/* 0 as in chess; a switch that is on in chess gives -1 when it is off. */
static void
put_switch(struct sink *s, const struct rules_field *f)
{
	put(s, f->name, "", (float)(rules_get(s->rules, f) - f->classical));
}

static void
put_set(struct sink *s, const struct rules_field *f)
{
	int changed = rules_get(s->rules, f) ^ f->classical;
	char letter[2] = "";

	for (int i = 0; i < 4; i++) {
		letter[0] = "nbrq"[i];
		put(s, f->name, letter, (float)(changed >> i & 1));
	}
}

static void
walk(struct sink *s)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (f->unit == 0)
			continue;
		switch (f->type) {
		case RULE_BOOL:
			put_switch(s, f);
			break;
		case RULE_INT:
		case RULE_WHITE:
			put_number(s, f);
			break;
		case RULE_SET:
			put_set(s, f);
			break;
		case RULE_PIECE:
			break; /* atoms.h */
		case RULE_FEN:
			break; /* the position shows it */
		}
	}
}

int
encode_nfeatures(void)
{
	struct rules r;
	struct sink s = { &r, WHITE, 0, NULL, -1, NULL };

	rules_init(&r);
	walk(&s);
	return s.n;
}

void
encode_feature_name(int i, char name[ENCODE_FEATURE_NAME_MAX])
{
	struct rules r;
	struct sink s = { &r, WHITE, 0, NULL, i, name };

	rules_init(&r);
	name[0] = '\0';
	walk(&s);
}

void
encode_rule_features(const struct rules *r, int side, float *out)
{
	struct sink s = { r, side, 0, out, -1, NULL };

	walk(&s);
}

/* ---- pieces ---- */

const struct piece *
encode_piece(const struct rules *r, int side, int kind)
{
	const struct piece *const kinds[] = { &r->knight, &r->bishop, &r->rook, &r->queen,
		&r->king };

	(void)side;
	return kind >= KNIGHT && kind <= KING ? kinds[kind - KNIGHT] : NULL;
}

bool
encode_has_hands(const struct rules *r)
{
	(void)r;
	return false;
}

/* ---- what a net does not know ---- */

/* Is a word in the list? */
static bool
has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *(list += strspn(list, " ")) != '\0'; list += strcspn(list, " "))
		if (strncmp(list, word, n) == 0 && (list[n] == ' ' || list[n] == '\0'))
			return true;
	return false;
}

/* Are all atoms in the list by which a piece differs from chess's? */
static bool
knows_piece(const struct piece *p, const struct piece *usual, const char *list)
{
	float have[ATOMS], less[ATOMS];
	char name[ATOMS_NAME_MAX];

	atoms_of(p, have);
	atoms_of(usual, less);
	for (int i = 0; i < ATOMS; i++) {
		atoms_name(i, name);
		if (have[i] != less[i] && !has_word(list, name))
			return false;
	}
	return true;
}

/* Is the field in the list: by its name, as the field of a feature, or by a former
 * name that meant the value it has? */
static bool
is_listed(const struct rules *r, const struct rules_field *f, const char *list)
{
	char word[ENCODE_FEATURE_NAME_MAX];
	size_t n = strlen(f->name);
	int value;

	if (f->type == RULE_PIECE &&
	    knows_piece(rules_get_piece(r, f), rules_classical_piece(f), list))
		return true;
	for (; *(list += strspn(list, " ")) != '\0'; list += strcspn(list, " ")) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(list, " "), list);
		if ((strncmp(word, f->name, n) == 0 &&
			(word[n] == '\0' || word[n] == ':')) ||
		    (rules_find_alias(word, &value) == f && rules_get(r, f) == value))
			return true;
	}
	return false;
}

int
encode_unknown_fields(const struct rules *r, const char *known, char *text, size_t room)
{
	size_t len = 0;
	int n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (f->unit == 0 || rules_is_classical(r, f) || is_listed(r, f, known))
			continue;
		if (len < room)
			len += (size_t)snprintf(text + len, room - len, "%s%s",
			    n > 0 ? ", " : "", f->name);
		n++;
	}
	return n;
}
