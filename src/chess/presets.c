/* Sums of presets, and rule sets as text. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "rules.h"

const struct rules_preset rules_presets[RULES_PRESETS] = {
#define PRESET(name, label, sentence, study, field, value, text) \
	{ name, label, sentence, study, offsetof(struct rules, field), value, text },
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

/* The value of the numeric field that the preset changes. */
static int
value_in(const struct rules *r, const struct rules_preset *p)
{
	return *(const int16_t *)(const void *)((const char *)r + p->offset);
}

/* Does the rule set contain the preset? */
static bool
has_preset(const struct rules *r, const struct rules_preset *p)
{
	if (p->text != NULL)
		return strcmp((const char *)r + p->offset, p->text) == 0;
	return value_in(r, p) == p->value;
}

/*
 * Adds one preset. Two that set a field to different values contradict each
 * other, except torpedo, which contains semi-torpedo.
 */
static int
add_preset(struct rules *r, const struct rules_preset *p, char *reason)
{
	const struct rules_field *f = rules_field_at(p->offset);

	if (p == rules_presets || has_preset(r, p))
		return 0;
	if (!rules_is_classical(r, f)) {
		int have = value_in(r, p);
		if (p->offset != offsetof(struct rules, double_step) ||
		    have < f->classical || p->value < f->classical)
			return refuse(reason,
			    "%s contradicts another rule of the sum (%s)", p->name,
			    f->name);
		if (have > p->value)
			return 0;
	}
	if (p->text != NULL)
		return rules_set_text(r, f, p->text, reason);
	return rules_set(r, f, p->value, reason);
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
		if (!has_preset(r, p))
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
	char item[PIECE_TEXT_MAX + 64], value[PIECE_TEXT_MAX + 2];
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
