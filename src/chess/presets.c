/* Sums of presets, and rule sets as text. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "rules.h"

const struct rules_preset rules_presets[RULES_PRESETS] = {
#define NUMBER(field, value) \
	{ \
		true, 3, offsetof(struct rules, field), value, NULL \
	}
#define TEXT(field, text) \
	{ \
		true, 3, offsetof(struct rules, field), 0, text \
	}
#define WHITES(field, value) \
	{ \
		true, 1, offsetof(struct rules, field), value, NULL \
	}
#define BLACKS(field, value) \
	{ \
		true, 2, offsetof(struct rules, field), value, NULL \
	}
#define PRESET(name, label, sentence, study, ...) \
	{ name, label, sentence, study, { __VA_ARGS__ } },
#include "presets.def"
#undef PRESET
};

const char *
rules_preset_name(int i)
{
	return rules_presets[i].name;
}

const char *
rules_nearest_preset(const char *name, size_t len)
{
	const char *nearest = NULL;
	int best = (int)len / 3 + 1;

	for (int i = 0; i < RULES_PRESETS; i++)
		text_try_nearest(rules_presets[i].name, name, len, &best, &nearest);
	return nearest;
}

/* ---- sums of presets ---- */

static const struct rules_preset *
find_preset(const char *name, size_t len)
{
	for (int i = 0; i < RULES_PRESETS; i++)
		if (strlen(rules_presets[i].name) == len &&
		    memcmp(rules_presets[i].name, name, len) == 0)
			return &rules_presets[i];
	return NULL;
}

/* Has a side the value of a change? */
static bool
has_value(const struct rules *r, const struct rules_change *c, int side)
{
	const struct rules_field *f = rules_field_at(c->offset);
	char text[RULES_VALUE_MAX];

	if (c->text == NULL)
		return rules_get(r, f, side) == c->value;
	rules_print_text(r, f, side, text);
	return strcmp(text, c->text) == 0;
}

static bool
has_change(const struct rules *r, const struct rules_change *c)
{
	return ((c->sides & 1) == 0 || has_value(r, c, WHITE)) &&
	    ((c->sides & 2) == 0 || has_value(r, c, BLACK));
}

bool
rules_has_preset(const struct rules *r, const struct rules_preset *p)
{
	for (int i = 0; i < PRESET_CHANGES && p->changes[i].used; i++)
		if (!has_change(r, &p->changes[i]))
			return false;
	return true;
}

static int
set_value(struct rules *r, const struct rules_change *c, int side, char *reason)
{
	const struct rules_field *f = rules_field_at(c->offset);

	if (c->text != NULL)
		return rules_set_text_side(r, f, side, c->text, reason);
	return rules_set_side(r, f, side, c->value, reason);
}

/*
 * Makes one change of a preset. Two that set a field to different values contradict
 * each other, except torpedo, which contains semi-torpedo.
 */
static int
add_change(struct rules *r, const struct rules_preset *p, const struct rules_change *c,
    char *reason)
{
	const struct rules_field *f = rules_field_at(c->offset);

	if (has_change(r, c))
		return 0;
	if (!rules_is_classical(r, f)) {
		int have = c->text == NULL ? rules_get(r, f, WHITE) : 0;
		if (c->offset != offsetof(struct rules, double_step) ||
		    have < f->classical || c->value < f->classical)
			return refuse(reason,
			    "%s contradicts another rule of the sum (%s)", p->name,
			    f->name);
		if (have > c->value)
			return 0;
	}
	for (int side = WHITE; side <= BLACK; side++)
		if ((c->sides >> side & 1) != 0 && set_value(r, c, side, reason) == -1)
			return -1;
	return 0;
}

static int
add_preset(struct rules *r, const struct rules_preset *p, char *reason)
{
	if (p == rules_presets)
		return 0;
	for (int i = 0; i < PRESET_CHANGES && p->changes[i].used; i++)
		if (add_change(r, p, &p->changes[i], reason) == -1)
			return -1;
	return 0;
}

/* Does another preset of r make all changes of p and more? */
static bool
is_contained(const struct rules *r, const struct rules_preset *p)
{
	for (int i = 1; i < RULES_PRESETS; i++) {
		const struct rules_preset *q = &rules_presets[i];
		struct rules sum;
		char reason[RULES_REASON_MAX];
		if (q == p || !q->changes[1].used || !rules_has_preset(r, q))
			continue;
		rules_init(&sum);
		if (add_preset(&sum, q, reason) == 0 && rules_has_preset(&sum, p))
			return true;
	}
	return false;
}

static int
refuse_preset(const char *name, size_t len, char *reason)
{
	const char *near = rules_nearest_preset(name, len);

	return refuse(reason,
	    near != NULL ? "unknown rule set '%.*s'; did you mean %s?"
			 : "unknown rule set '%.*s'",
	    len < 40 ? (int)len : 40, name, near);
}

int
rules_parse_sum(struct rules *r, const char *text, size_t len, char *reason)
{
	const char *end = text + len;

	rules_init(r);
	for (;;) {
		const char *plus = memchr(text, '+', (size_t)(end - text));
		size_t n = (size_t)((plus != NULL ? plus : end) - text);
		const struct rules_preset *p = find_preset(text, n);
		if (p == NULL)
			return refuse_preset(text, n, reason);
		if (add_preset(r, p, reason) == -1)
			return -1;
		if (plus == NULL)
			break;
		text = plus + 1;
	}
	return rules_settle(r, reason);
}

bool
rules_knows_names(const char *text, size_t len)
{
	const char *end = text + len, *plus;

	for (; (plus = memchr(text, '+', (size_t)(end - text))) != NULL; text = plus + 1)
		if (find_preset(text, (size_t)(plus - text)) == NULL)
			return false;
	return find_preset(text, (size_t)(end - text)) != NULL;
}

/* ---- printing ---- */

/* Appends s to text, which never overflows: RULES_TEXT_MAX holds all fields
 * at their longest. */
static void
append(char *text, const char *s)
{
	size_t have = strlen(text);

	snprintf(text + have, RULES_TEXT_MAX - have, "%s", s);
}

/* Prints the sum of presets that equals r; false if there is none. */
static bool
print_sum(const struct rules *r, char *text)
{
	struct rules sum;
	char reason[RULES_REASON_MAX];

	text[0] = '\0';
	if (r->name[0] != '\0' || r->fairy)
		return false;
	rules_init(&sum);
	for (int i = 1; i < RULES_PRESETS; i++) {
		const struct rules_preset *p = &rules_presets[i];
		if (!rules_has_preset(r, p) || is_contained(r, p))
			continue;
		if (add_preset(&sum, p, reason) == -1)
			return false;
		if (text[0] != '\0')
			append(text, "+");
		append(text, p->name);
	}
	if (text[0] == '\0')
		append(text, rules_presets[0].name);
	return rules_equal(r, &sum);
}

static void
print_json(const struct rules *r, char *text)
{
	char item[RULES_VALUE_MAX + 64], value[RULES_VALUE_MAX];
	const char *comma = "";

	snprintf(text, RULES_TEXT_MAX, "{");
	if (r->name[0] != '\0') {
		snprintf(item, sizeof(item), "\"name\":\"%s\"", r->name);
		append(text, item);
		comma = ",";
	}
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (rules_is_classical(r, f))
			continue;
		rules_print_value(r, f, value);
		snprintf(item, sizeof(item), "%s\"%s\":%s", comma, f->name, value);
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
