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
	bool *each; /* whether the field has a value for each side; or NULL */
	int wanted; /* the feature whose name is wanted, or -1 */
	char *name;
	bool sided; /* the field at hand has a value for each side */
};

static void
put(struct sink *s, const char *field, const char *detail, float value)
{
	if (s->n == s->wanted)
		snprintf(s->name, ENCODE_FEATURE_NAME_MAX, "%s%s%s", field,
		    *detail != '\0' ? ":" : "", detail);
	if (s->out != NULL)
		s->out[s->n] = value;
	if (s->each != NULL)
		s->each[s->n] = s->sided;
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
	int v = rules_get(s->rules, f, s->side);
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
	put(s, f->name, "", (float)(rules_get(s->rules, f, s->side) - f->classical));
}

static void
put_set(struct sink *s, const struct rules_field *f)
{
	int changed = rules_get(s->rules, f, s->side) ^ f->classical;
	char letter[2] = "";

	for (int i = 0; i < TYPES - KNIGHT; i++) {
		letter[0] = "nbrqk1234"[i]; /* digits: spare kinds */
		put(s, f->name, letter, (float)(changed >> i & 1));
	}
}

/* The share of each rank, as the side sees them, and of each file; the hill has a
 * feature of its own, with the name of the field that it once was. */
static void
put_squares(struct sink *s, const struct rules_field *f)
{
	uint64_t set = s->rules->goal[s->side];
	char name[2] = "";

	put(s, "hill_wins", "", set == HILL);
	if (s->side == BLACK)
		set = __builtin_bswap64(set);
	for (int i = 0; i < 8; i++) {
		name[0] = (char)('1' + i);
		put(s, f->name, name,
		    (float)__builtin_popcountll(set & 0xffULL << 8 * i) / 8);
	}
	for (int i = 0; i < 8; i++) {
		name[0] = (char)('a' + i);
		put(s, f->name, name,
		    (float)__builtin_popcountll(set & 0x0101010101010101ULL << i) / 8);
	}
}

static void
walk(struct sink *s)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (f->unit == 0)
			continue;
		s->sided = f->sided;
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
		case RULE_PIECES:
			break; /* atoms.h */
		case RULE_SQUARES:
			put_squares(s, f);
			break;
		case RULE_FEN:
			break; /* the position shows it */
		}
	}
}

/* ---- both sides ---- */

/* Features as one side has them; those of fields with a value for each side are in
 * `each`. Returns their number. */
static int
own_features(const struct rules *r, int side, float own[ENCODE_FEATURES_MAX],
    bool each[ENCODE_FEATURES_MAX])
{
	struct sink s = { r, side, 0, own, each, -1, NULL, false };

	walk(&s);
	return s.n;
}

int
encode_nfeatures(void)
{
	float own[ENCODE_FEATURES_MAX];
	bool each[ENCODE_FEATURES_MAX];
	struct rules r;

	rules_init(&r);
	rules_finish(&r);
	int n = own_features(&r, WHITE, own, each), all = n;
	for (int i = 0; i < n; i++)
		all += each[i];
	return all;
}

/* Behind all features come the differences of those that each side has. */
void
encode_feature_name(int i, char name[ENCODE_FEATURE_NAME_MAX])
{
	float own[ENCODE_FEATURES_MAX];
	bool each[ENCODE_FEATURES_MAX];
	struct rules r;
	int k = i;

	rules_init(&r);
	rules_finish(&r);
	int n = own_features(&r, WHITE, own, each);
	if (i >= n) {
		int left = i - n;
		for (k = 0; k < n && (!each[k] || left-- > 0); k++)
			continue;
	}
	struct sink s = { &r, WHITE, 0, NULL, NULL, k, name, false };
	name[0] = '\0';
	walk(&s);
	if (i >= n && strlen(name) + 5 < ENCODE_FEATURE_NAME_MAX)
		strcat(name, ENCODE_OWN);
}

void
encode_rule_features(const struct rules *r, int side, float *out)
{
	float own[ENCODE_FEATURES_MAX], other[ENCODE_FEATURES_MAX];
	bool each[ENCODE_FEATURES_MAX];
	int n = own_features(r, side, own, each), k = n;

	own_features(r, side ^ 1, other, each);
	for (int i = 0; i < n; i++) {
		out[i] = each[i] ? (own[i] + other[i]) / 2 : own[i];
		if (each[i])
			out[k++] = (own[i] - other[i]) / 2;
	}
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

/* Are all atoms in the list by which a piece differs from chess's, or from none? */
static bool
knows_piece(const struct piece *p, const struct piece *usual, const char *list)
{
	float have[ATOMS], less[ATOMS];
	char name[ATOMS_NAME_MAX];

	memset(less, 0, sizeof(less));
	atoms_of(p, have);
	if (usual != NULL)
		atoms_of(usual, less);
	for (int i = 0; i < ATOMS; i++) {
		atoms_name(i, name);
		if (have[i] != less[i] && !has_word(list, name))
			return false;
	}
	return true;
}

/* The same for a field's piece of both sides, or all spare kinds. */
static bool
knows_pieces(const struct rules *r, const struct rules_field *f, const char *list)
{
	bool known = true;

	for (int side = WHITE; f->type == RULE_PIECE && side <= BLACK; side++)
		known = known &&
		    knows_piece(rules_get_piece(r, f, side), rules_classical_piece(f),
			list);
	for (int kind = SPARE; f->type == RULE_PIECES && kind < r->ntypes; kind++)
		known = known && knows_piece(&r->kind[WHITE][kind], NULL, list);
	return known;
}

/* Has the field this value, or text, for both sides? */
static bool
rules_has(const struct rules *r, const struct rules_field *f, int value, const char *text)
{
	char now[RULES_VALUE_MAX];

	if (rules_is_sided(r, f))
		return false;
	if (text == NULL)
		return rules_get(r, f, WHITE) == value;
	rules_print_text(r, f, WHITE, now);
	return strcmp(now, text) == 0;
}

/* Is a word the field's name, or the name of one of its features; if the sides differ
 * in it, of one that tells so? */
static bool
names_field(const char *word, const struct rules *r, const struct rules_field *f)
{
	size_t n = strlen(f->name);

	return strncmp(word, f->name, n) == 0 &&
	    (word[n] == '\0' || word[n] == ':' || word[n] == '/') &&
	    (!rules_is_sided(r, f) || strstr(word, ENCODE_OWN) != NULL);
}

/* Is the field in the list: by a feature, by its pieces' atoms, or by a former name
 * that meant the value it has? */
static bool
is_listed(const struct rules *r, const struct rules_field *f, const char *list)
{
	char word[ENCODE_FEATURE_NAME_MAX];
	const char *text;
	int value;

	if ((f->type == RULE_PIECE || f->type == RULE_PIECES) && knows_pieces(r, f, list))
		return true;
	for (; *(list += strspn(list, " ")) != '\0'; list += strcspn(list, " ")) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(list, " "), list);
		if (names_field(word, r, f) ||
		    (rules_find_alias(word, &value, &text) == f &&
			rules_has(r, f, value, text)))
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
