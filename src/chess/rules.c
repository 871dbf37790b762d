#include "rules.h"

#include <stdio.h>
#include <string.h>

#define IS_BOOL true
#define IS_INT false
const struct rules_field rules_fields[] = {
#define RULE(name, kind, lo, hi, def, doc) \
	{ #name, IS_##kind, lo, hi, def, doc, offsetof(struct rules, name) },
#include "rules.def"
#undef RULE
};
const size_t rules_nfields = sizeof(rules_fields) / sizeof(rules_fields[0]);

static const struct preset {
	const char *name;
	size_t offset;
	int value;
} presets[RULES_PRESETS] = {
#define PRESET(name, field, value) { name, offsetof(struct rules, field), value },
#include "presets.def"
#undef PRESET
};

static int16_t *
member(struct rules *r, size_t offset)
{
	return (int16_t *)(void *)((char *)r + offset);
}

static int
value_at(const struct rules *r, size_t offset)
{
	return *(const int16_t *)(const void *)((const char *)r + offset);
}

const char *
rules_preset_name(int i)
{
	return presets[i].name;
}

void
rules_init(struct rules *r)
{
	memset(r, 0, sizeof(*r));
	for (size_t i = 0; i < rules_nfields; i++)
		*member(r, rules_fields[i].offset) =
		    (int16_t)rules_fields[i].classical;
	rules_finish(r);
}

void
rules_finish(struct rules *r)
{
	r->double_from[0] = r->double_from[1] = 0;
	for (int rank = 2; rank <= r->double_step; rank++) {
		r->double_from[0] |= 0xffULL << (8 * (rank - 1));
		r->double_from[1] |= 0xffULL << (8 * (8 - rank));
	}
}

const struct rules_field *
rules_find_field(const char *name)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (strcmp(rules_fields[i].name, name) == 0)
			return &rules_fields[i];
	return NULL;
}

int
rules_get(const struct rules *r, const struct rules_field *f)
{
	return value_at(r, f->offset);
}

int
rules_set(struct rules *r, const struct rules_field *f, int value,
    char *reason)
{
	if (value < f->lowest || value > f->highest) {
		snprintf(reason, RULES_REASON_MAX,
		    "%s is %d, not within %d..%d", f->name, value, f->lowest,
		    f->highest);
		return -1;
	}
	if (f->offset == offsetof(struct rules, double_step) && value == 1) {
		snprintf(reason, RULES_REASON_MAX,
		    "double_step is 1, but no pawn stands on its 1st rank "
		    "(0: never, 2: as in chess)");
		return -1;
	}
	*member(r, f->offset) = (int16_t)value;
	return 0;
}

int
rules_set_name(struct rules *r, const char *name, char *reason)
{
	size_t len = strlen(name);

	if (len == 0 || len > RULES_NAME_MAX ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != len) {
		snprintf(reason, RULES_REASON_MAX, "a rule set's name is 1 to "
		    "%d letters, digits, '-', '_' or '.'", RULES_NAME_MAX);
		return -1;
	}
	for (int i = 0; i < RULES_PRESETS; i++) {
		if (strcmp(name, presets[i].name) == 0) {
			snprintf(reason, RULES_REASON_MAX,
			    "the name %s is taken by a preset", name);
			return -1;
		}
	}
	memset(r->name, 0, sizeof(r->name));
	memcpy(r->name, name, len);
	return 0;
}

static const struct preset *
find_preset(const char *name, size_t len)
{
	for (int i = 0; i < RULES_PRESETS; i++)
		if (strlen(presets[i].name) == len &&
		    memcmp(presets[i].name, name, len) == 0)
			return &presets[i];
	return NULL;
}

/*
 * Adds one preset. Two presets that move the same field the same way from
 * its classical value agree, and the farther one contains the nearer
 * (torpedo contains semi-torpedo); two that move it opposite ways contradict
 * each other.
 */
static int
add_preset(struct rules *r, const struct preset *p, char *reason)
{
	const struct rules_field *f = rules_fields;

	while (f->offset != p->offset)
		f++;
	int have = value_at(r, p->offset) - f->classical;
	int want = p->value - f->classical;
	if ((have < 0 && want > 0) || (have > 0 && want < 0)) {
		snprintf(reason, RULES_REASON_MAX,
		    "%s contradicts another rule of the sum (%s)", p->name,
		    f->name);
		return -1;
	}
	if ((want < 0 && want < have) || (want > 0 && want > have))
		*member(r, p->offset) = (int16_t)p->value;
	return 0;
}

int
rules_parse_sum(struct rules *r, const char *text, size_t len, char *reason)
{
	const char *end = text + len;

	rules_init(r);
	for (;;) {
		const char *plus = memchr(text, '+', (size_t)(end - text));
		size_t n = (size_t)((plus != NULL ? plus : end) - text);
		const struct preset *p = find_preset(text, n);
		if (p == NULL) {
			snprintf(reason, RULES_REASON_MAX,
			    "unknown rule set '%.*s'", n < 40 ? (int)n : 40,
			    text);
			return -1;
		}
		if (add_preset(r, p, reason) == -1)
			return -1;
		if (plus == NULL)
			break;
		text = plus + 1;
	}
	rules_finish(r);
	return 0;
}

bool
rules_equal(const struct rules *a, const struct rules *b)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (rules_get(a, &rules_fields[i]) !=
		    rules_get(b, &rules_fields[i]))
			return false;
	return strcmp(a->name, b->name) == 0;
}

/* Appends s to text, which never overflows: RULES_TEXT_MAX holds all fields
 * at their longest. */
static void
append(char *text, const char *s)
{
	size_t have = strlen(text);

	snprintf(text + have, RULES_TEXT_MAX - have, "%s", s);
}

/* Prints the sum of presets that gives r; false when none does. */
static bool
print_sum(const struct rules *r, char *text)
{
	struct rules sum;
	char reason[RULES_REASON_MAX];

	rules_init(&sum);
	text[0] = '\0';
	for (int i = 1; i < RULES_PRESETS; i++) {
		if (value_at(r, presets[i].offset) != presets[i].value)
			continue;
		if (add_preset(&sum, &presets[i], reason) == -1)
			return false;
		if (text[0] != '\0')
			append(text, "+");
		append(text, presets[i].name);
	}
	if (text[0] == '\0')
		append(text, presets[0].name);
	return rules_equal(r, &sum);
}

static void
print_json(const struct rules *r, char *text)
{
	char item[RULES_NAME_MAX + 64];
	const char *comma = "";

	snprintf(text, RULES_TEXT_MAX, "{");
	if (r->name[0] != '\0') {
		snprintf(item, sizeof(item), "\"name\":\"%s\"", r->name);
		append(text, item);
		comma = ",";
	}
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		int v = rules_get(r, f);
		if (v == f->classical)
			continue;
		if (f->is_bool)
			snprintf(item, sizeof(item), "%s\"%s\":%s", comma,
			    f->name, v ? "true" : "false");
		else
			snprintf(item, sizeof(item), "%s\"%s\":%d", comma,
			    f->name, v);
		append(text, item);
		comma = ",";
	}
	append(text, "}");
}

bool
rules_is_custom(const struct rules *r)
{
	char text[RULES_TEXT_MAX];

	return !print_sum(r, text);
}

void
rules_print(const struct rules *r, char text[RULES_TEXT_MAX])
{
	if (!print_sum(r, text))
		print_json(r, text);
}

void
rules_label(const struct rules *r, char text[RULES_TEXT_MAX])
{
	if (r->name[0] != '\0')
		snprintf(text, RULES_TEXT_MAX, "%s", r->name);
	else
		rules_print(r, text);
}
