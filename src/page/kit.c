#include "kit.h"

#include <stdio.h>

static const char magic[] = "rulelab-page-1\n";

static bool
is_text(const struct rules_field *f)
{
	return f->type > RULE_SET;
}

/* The value of both sides, or a line for each. */
static void
write_field(struct text *t, const struct rules *r, const struct rules_field *f)
{
	static const char *const sides[] = { " white", " black" };
	bool sided = rules_is_sided(r, f);
	char value[RULES_VALUE_MAX];

	for (int side = WHITE; side <= (sided ? BLACK : WHITE); side++) {
		if (is_text(f))
			rules_print_text(r, f, side, value);
		else
			snprintf(value, sizeof(value), "%d", rules_get(r, f, side));
		text_add_format(t, "%s%s %s\n", f->name, sided ? sides[side] : "", value);
	}
}

void
kit_write(struct text *t, const struct rules *r, const struct sparse_ints *net)
{
	text_add_string(t, magic);
	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_is_classical(r, &rules_fields[i]))
			write_field(t, r, &rules_fields[i]);
	if (r->name[0] != '\0')
		text_add_format(t, "name %s\n", r->name);
	if (net == NULL) {
		text_add_string(t, "material\n\n");
		return;
	}
	text_add_string(t, "sparse\n\n");
	sparse_ints_write(net, t);
}

/* ---- reading ---- */

static int
refuse_kit(char *reason, const char *why)
{
	snprintf(reason, KIT_REASON_MAX, "not a kit of this version: %s", why);
	return -1;
}

static int
read_side(struct rules *r, const struct rules_field *f, int side, const char *value,
    char *reason)
{
	int64_t v;

	if (is_text(f))
		return rules_set_text_side(r, f, side, value, reason);
	if (!number_read(value, INT16_MIN, INT16_MAX, &v))
		return refuse_kit(reason, "a value is no number");
	return rules_set_side(r, f, side, (int)v, reason);
}

static int
read_field(struct rules *r, const char *name, const char *value, char *reason)
{
	const struct rules_field *f = rules_find_field(name);
	bool white = strncmp(value, "white ", 6) == 0;
	bool black = strncmp(value, "black ", 6) == 0;

	if (strcmp(name, "name") == 0)
		return rules_set_name(r, value, reason);
	if (f == NULL)
		return refuse_kit(reason, "an unknown field");
	if (white || black)
		return read_side(r, f, black, value + 6, reason);
	if (read_side(r, f, WHITE, value, reason) == -1)
		return -1;
	return f->sided ? read_side(r, f, BLACK, value, reason) : 0;
}

int
kit_read(const char *data, size_t n, struct rules *r, struct sparse_ints *net,
    bool *has_net, char reason[KIT_REASON_MAX])
{
	const char *end = data + n, *p = data + sizeof(magic) - 1, *lf, *why;

	*has_net = false;
	rules_init(r);
	if (n < sizeof(magic) - 1 || memcmp(data, magic, sizeof(magic) - 1) != 0)
		return refuse_kit(reason, "its first line");
	for (;; p = lf + 1) {
		char line[RULES_VALUE_MAX];
		if (p == end || (lf = memchr(p, '\n', (size_t)(end - p))) == NULL ||
		    (size_t)(lf - p) >= sizeof(line))
			return refuse_kit(reason, "a line");
		memcpy(line, p, (size_t)(lf - p));
		line[lf - p] = '\0';
		if (line[0] == '\0')
			break;
		char *value = strchr(line, ' ');
		if (strcmp(line, "sparse") == 0 || strcmp(line, "material") == 0) {
			*has_net = line[0] == 's';
			continue;
		}
		if (value == NULL)
			return refuse_kit(reason, "a line without a value");
		*value++ = '\0';
		if (read_field(r, line, value, reason) == -1)
			return -1;
	}
	if (rules_settle(r, reason) == -1)
		return -1;
	p = lf + 1;
	why = *has_net ? sparse_ints_read(net, p, (size_t)(end - p))
	    : p < end  ? "bytes behind its end"
		       : NULL;
	return why == NULL ? 0 : refuse_kit(reason, why);
}
