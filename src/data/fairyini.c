#include "fairyini.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fairykeys.h"
#include "variant.h"

enum { DEPTH_MAX = 20, LINE_MAX_LEN = FAIRY_VALUE_MAX };

struct reader {
	const char *s, *end;
	struct fairy_variant variant;
};

/* ---- the file ---- */

/* The next line without blanks around it; false at the end. */
static bool
next_line(const char **s, const char *end, char line[LINE_MAX_LEN])
{
	if (*s >= end)
		return false;
	const char *nl = memchr(*s, '\n', (size_t)(end - *s));
	const char *stop = nl != NULL ? nl : end, *first = *s;
	*s = nl != NULL ? nl + 1 : end;
	while (first < stop && isspace((unsigned char)*first))
		first++;
	while (stop > first && isspace((unsigned char)stop[-1]))
		stop--;
	size_t n = (size_t)(stop - first);
	if (n >= LINE_MAX_LEN)
		n = LINE_MAX_LEN - 1;
	memcpy(line, first, n);
	line[n] = '\0';
	return true;
}

/* "[name:base]" */
static bool
is_section(const char *line, const char *name, char base[LINE_MAX_LEN])
{
	size_t n = strlen(name);

	if (line[0] != '[' || strncmp(line + 1, name, n) != 0 ||
	    (line[1 + n] != ']' && line[1 + n] != ':'))
		return false;
	base[0] = '\0';
	if (line[1 + n] == ':') {
		strcpy(base, line + 2 + n);
		base[strcspn(base, "]")] = '\0';
	}
	return true;
}

static void
set_pair(struct fairy_section *section, const char *key, const char *value)
{
	int i = 0;

	while (i < section->n &&
	    strncmp(section->pairs[i].key, key, FAIRY_KEY_MAX - 1) != 0)
		i++;
	if (i == FAIRY_PAIRS_MAX)
		return;
	snprintf(section->pairs[i].key, FAIRY_KEY_MAX, "%s", key);
	snprintf(section->pairs[i].value, FAIRY_VALUE_MAX, "%s", value);
	section->n += i == section->n;
}

static void
read_pair(struct fairy_section *section, char *line)
{
	char *equals = strchr(line, '='), *key_end = equals;

	if (line[0] == '#' || line[0] == ';' || line[0] == '\0')
		return;
	if (equals == NULL) {
		set_pair(section, line, "");
		return;
	}
	while (key_end > line && isspace((unsigned char)key_end[-1]))
		key_end--;
	*key_end = '\0';
	char *value = equals + 1;
	while (isspace((unsigned char)*value))
		value++;
	set_pair(section, line, value);
}

/* Variants that the program has built in, and files may be based on: `user`, NULL if
 * it is the one that is asked for. */
static int
read_built_in(struct reader *r, const char *name, const char *user)
{
	struct fairy_variant *v = &r->variant;
	char reason[RULES_REASON_MAX];

	bool giveaway = strcmp(name, "giveaway") == 0; /* antichess with castling */
	const char *known = giveaway ? "antichess" : name;
	if (name[0] == '\0' || name[0] == '{' ||
	    variant_read(v->rules, known, strlen(known), reason) == -1) {
		if (user == NULL)
			text_add_format(v->lost, "no variant '%.60s' in the file\n",
			    name);
		else
			text_add_format(v->lost,
			    "'%.60s' is based on '%.60s', which is not in the file, "
			    "and no variant that games(5) lists\n",
			    user, name);
		return -1;
	}
	fairykeys_add_built_in(v);
	if (giveaway) {
		v->rules->castling_from[WHITE] = v->rules->castling_from[BLACK] = 1;
		strcpy(v->castling_king, "k");
	}
	return 0;
}

static int
read_variant(struct reader *r, const char *name, const char *user, int depth)
{
	struct fairy_section section;
	const char *s = r->s;
	char line[LINE_MAX_LEN] = "", base[LINE_MAX_LEN];

	while (next_line(&s, r->end, line))
		if (is_section(line, name, base))
			break;
	if (line[0] != '[' || !is_section(line, name, base))
		return read_built_in(r, name, user);
	if (depth == DEPTH_MAX) {
		text_add_format(r->variant.lost, "'%.60s' is based on itself\n", name);
		return -1;
	}
	if (base[0] != '\0' && read_variant(r, base, name, depth + 1) == -1)
		return -1;
	section.n = 0;
	while (next_line(&s, r->end, line) && line[0] != '[')
		read_pair(&section, line);
	return fairykeys_add(&r->variant, &section);
}

int
fairyini_read(struct rules *r, const char *s, size_t n, const char *name,
    struct text *lost, struct fairyini_keys *keys)
{
	static struct reader reader;

	reader.s = s;
	reader.end = s + n;
	fairykeys_init(&reader.variant, r, lost);
	int result = read_variant(&reader, name, NULL, 0);
	if (result == 0)
		result = fairyrules_settle(&reader.variant);
	*keys = reader.variant.counts;
	return result;
}
