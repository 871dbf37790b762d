/*
 * The rules as inputs of nets, derived from rules.def: nothing here names a field.
 */
#include <stdio.h>
#include <string.h>

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
put_slides(struct sink *s, const struct rules_field *f, int mode)
{
	static const char *const names[SLIDES] = { "fR", "bR", "fB", "bB", "sR" };
	const uint8_t *have = rules_get_piece(s->rules, f)->slide[mode];
	const uint8_t *usual = rules_classical_piece(f)->slide[mode];
	char name[8];

	for (int i = 0; i < SLIDES; i++) {
		snprintf(name, sizeof(name), "%c%s", "mc"[mode], names[i]);
		put(s, f->name, name, (float)(have[i] - usual[i]) / 7);
	}
}

static void
put_leaps(struct sink *s, const struct rules_field *f, int mode)
{
	const uint8_t *have = rules_get_piece(s->rules, f)->leap[mode];
	const uint8_t *usual = rules_classical_piece(f)->leap[mode];
	char name[8];

	for (int i = 0; i < LEAPS; i++) {
		int ways = i == LEAP_D || i == LEAP_H ? 3 : 2;
		for (int w = 0; w < ways; w++) {
			snprintf(name, sizeof(name), "%c%c%c", "mc"[mode], "fbs"[w],
			    "DNAHG"[i]);
			put(s, f->name, name,
			    (float)(have[i] >> w & 1) - (float)(usual[i] >> w & 1));
		}
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
			for (int m = PIECE_QUIET; m <= PIECE_CAPTURE; m++) {
				put_slides(s, f, m);
				put_leaps(s, f, m);
			}
			break;
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

/* Is the field in the list: by its name, as the field of a feature, or by a former
 * name that meant the value it has? */
static bool
is_listed(const struct rules *r, const struct rules_field *f, const char *list)
{
	char word[ENCODE_FEATURE_NAME_MAX];
	size_t n = strlen(f->name);
	int value;

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
