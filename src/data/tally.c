#include "tally.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "rulespec.h"

/* So that a line stays well below what a reader takes (INPUT_LINE_MAX). */
enum { CELLS_A_LINE = 20000 };

void
tally_init(struct tally *t, const char *program, const char *by)
{
	memset(t, 0, sizeof(*t));
	t->program = program;
	t->by = by;
}

void
tally_release(struct tally *t)
{
	for (int i = 0; i < t->ngroups; i++) {
		free(t->groups[i].by);
		free(t->groups[i].label);
		histogram_release(&t->groups[i].cells);
	}
	free(t->groups);
	memset(t, 0, sizeof(*t));
}

static char *
copy_string(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		err(1, NULL);
	return copy;
}

static char *
make_label(const struct rules *r, const char *by)
{
	char rules[RULES_TEXT_MAX];
	struct text t = { 0 };

	rules_label(r, rules);
	text_add_string(&t, rules);
	if (by != NULL) {
		text_add_char(&t, ':');
		text_add_string(&t, by);
	}
	return t.s;
}

static bool
is_group(const struct tally_group *g, const struct rules *r, const char *by)
{
	return (by == NULL ? g->by == NULL :
	    g->by != NULL && strcmp(g->by, by) == 0) &&
	    rules_equal(&g->rules, r);
}

static struct tally_group *
find_group(struct tally *t, const struct rules *r, const char *by)
{
	if (t->ngroups > 0 && is_group(&t->groups[t->last], r, by))
		return &t->groups[t->last];
	for (t->last = 0; t->last < t->ngroups; t->last++)
		if (is_group(&t->groups[t->last], r, by))
			return &t->groups[t->last];
	t->last = 0;
	if (t->ngroups == TALLY_GROUPS_MAX)
		return NULL;
	if (t->ngroups == t->room) {
		t->room = t->room == 0 ? 16 : 2 * t->room;
		t->groups = realloc(t->groups,
		    (size_t)t->room * sizeof(*t->groups));
		if (t->groups == NULL)
			err(1, NULL);
	}
	t->last = t->ngroups++;
	struct tally_group *g = &t->groups[t->last];
	memset(g, 0, sizeof(*g));
	g->rules = *r;
	g->by = by != NULL ? copy_string(by) : NULL;
	g->label = make_label(r, by);
	return g;
}

/* The value of the tag; some fields of the game can be asked for too. */
static const char *
tag_value(const struct game *g, const char *name)
{
	static const char *const names[] = { "white", "black", "net", "seed" };
	const struct span fields[] = { g->white, g->black, g->net, g->seed };
	const struct game_tag *tag = game_find_tag(g, name);

	if (tag != NULL)
		return game_text(g, tag->value);
	for (int i = 0; i < 4; i++)
		if (strcasecmp(name, names[i]) == 0 && fields[i].len > 0)
			return game_text(g, fields[i]);
	return "";
}

struct tally_group *
tally_count(struct tally *t, const struct game *g)
{
	char sims[16];
	const char *by = NULL;

	if (t->by != NULL && strcmp(t->by, "sims") == 0) {
		snprintf(sims, sizeof(sims), "%d", g->sims);
		by = g->sims >= 0 ? sims : "";
	} else if (t->by != NULL) {
		by = tag_value(g, t->by);
	}
	struct tally_group *group = find_group(t, &g->rules, by);
	if (group == NULL)
		errx(1, "more than %d rule sets or values of --by",
		    TALLY_GROUPS_MAX);
	group->games++;
	return group;
}

void
tally_write_name(const struct tally_group *g, struct table *table)
{
	char rules[RULES_TEXT_MAX];

	rules_label(&g->rules, rules);
	table_string(table, "rules", rules);
	if (g->by != NULL)
		table_string(table, "by", g->by);
}

void
tally_add(struct tally_group *g, uint64_t key, uint64_t count)
{
	if (histogram_add(&g->cells, key, count) == -1)
		err(1, NULL);
}

void
tally_add_cells(struct tally_group *g, const struct histogram_cell *cells,
    size_t n)
{
	if (histogram_add_cells(&g->cells, cells, n) == -1)
		err(1, NULL);
}

static int
compare_groups(const void *a, const void *b)
{
	const struct tally_group *x = a, *y = b;
	char xr[RULES_TEXT_MAX], yr[RULES_TEXT_MAX];

	rules_print(&x->rules, xr);
	rules_print(&y->rules, yr);
	int c = strcmp(xr, yr);
	return c != 0 || x->by == NULL ? c : strcmp(x->by, y->by);
}

void
tally_sort(struct tally *t)
{
	if (t->ngroups > 0)
		qsort(t->groups, (size_t)t->ngroups, sizeof(*t->groups),
		    compare_groups);
	t->last = 0;
}

/* One line: cells first to last - 1 of a group. */
static void
add_line(const struct tally *t, const struct tally_group *g,
    const struct histogram_cell *cells, size_t first, size_t last,
    struct text *line)
{
	text_add_format(line, "{\"partial\":\"%s\",\"v\":1,\"rules\":",
	    t->program);
	rules_write_json(&g->rules, line);
	if (g->by != NULL) {
		text_add_string(line, ",\"by\":");
		text_add_json_string(line, g->by, strlen(g->by));
	}
	text_add_format(line, ",\"games\":%" PRIu64 ",\"cells\":\"",
	    first == 0 ? g->games : 0);
	for (size_t i = first; i < last; i++)
		text_add_format(line, "%s%" PRIx64 ":%" PRIu64,
		    i == first ? "" : " ", cells[i].key, cells[i].count);
	text_add_string(line, "\"}\n");
}

int
tally_write(const struct tally *t, struct zout *out)
{
	struct text line = { 0 };
	int result = 0;

	for (int i = 0; result == 0 && i < t->ngroups; i++) {
		const struct tally_group *g = &t->groups[i];
		size_t n, first = 0;
		struct histogram_cell *cells = histogram_sorted(&g->cells, &n);
		if (cells == NULL)
			err(1, NULL);
		do {
			size_t last = n - first > CELLS_A_LINE ?
			    first + CELLS_A_LINE : n;
			text_clear(&line);
			add_line(t, g, cells, first, last, &line);
			result = zout_write(out, line.s, line.len);
			first = last;
		} while (result == 0 && first < n);
		free(cells);
	}
	text_release(&line);
	return result;
}

/* ---- reading ---- */

static int
refuse(char *reason, const char *why)
{
	snprintf(reason, GAME_REASON_MAX, "%s", why);
	return -1;
}

static bool
read_number(const char **s, int base, uint64_t *v)
{
	char *end;

	if (!(**s >= '0' && **s <= '9') && !(base == 16 && **s >= 'a' && **s <= 'f'))
		return false;
	errno = 0;
	*v = strtoull(*s, &end, base);
	*s = end;
	return errno == 0;
}

/* Checks the cells before any is added, so that a bad line adds nothing. */
static bool
read_cells(const char *s, struct tally_group *g)
{
	uint64_t key, count;

	while (*s != '\0') {
		if (!read_number(&s, 16, &key) || *s++ != ':' || key == 0 ||
		    !read_number(&s, 10, &count) || (*s != ' ' && *s != '\0'))
			return false;
		if (*s == ' ' && *++s == '\0')
			return false;
		if (g != NULL)
			tally_add(g, key, count);
	}
	return true;
}

static int
read_rules(const cJSON *item, struct rules *r, char *reason)
{
	char *text = cJSON_IsString(item) ? strdup(item->valuestring) :
	    cJSON_PrintUnformatted(item);
	int result;

	if (text == NULL)
		return refuse(reason, "the partial result has no rules");
	result = rulespec_parse(r, text, strlen(text), reason);
	free(text);
	return result;
}

static int
read_object(struct tally *t, const cJSON *json, char *reason)
{
	const cJSON *program = cJSON_GetObjectItemCaseSensitive(json, "partial");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(json, "v");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(json, "rules");
	const cJSON *by = cJSON_GetObjectItemCaseSensitive(json, "by");
	const cJSON *games = cJSON_GetObjectItemCaseSensitive(json, "games");
	const cJSON *cells = cJSON_GetObjectItemCaseSensitive(json, "cells");
	struct rules r;

	if (!cJSON_IsString(program))
		return refuse(reason, "not a partial result");
	if (strcmp(program->valuestring, t->program) != 0) {
		snprintf(reason, GAME_REASON_MAX, "a partial result of "
		    "'%.80s', not of '%.80s'", program->valuestring, t->program);
		return -1;
	}
	if (!cJSON_IsNumber(version) || version->valuedouble != 1 ||
	    !cJSON_IsNumber(games) || games->valuedouble < 0 ||
	    games->valuedouble > 9e15 || !cJSON_IsString(cells) ||
	    (by != NULL && !cJSON_IsString(by)) ||
	    !read_cells(cells->valuestring, NULL))
		return refuse(reason, "not a partial result");
	if ((by != NULL) != (t->by != NULL))
		return refuse(reason, "a partial result made with another --by");
	if (read_rules(rules, &r, reason) == -1)
		return -1;
	struct tally_group *g = find_group(t, &r,
	    by != NULL ? by->valuestring : NULL);
	if (g == NULL)
		return refuse(reason, "too many groups");
	g->games += (uint64_t)games->valuedouble;
	read_cells(cells->valuestring, g);
	return 0;
}

int
tally_read(void *tally, const char *s, size_t n, char reason[GAME_REASON_MAX])
{
	const char *end = NULL;
	cJSON *json = cJSON_ParseWithLengthOpts(s, n, &end, false);
	int result = json == NULL || end != s + n ?
	    refuse(reason, "not valid JSON") : read_object(tally, json, reason);

	cJSON_Delete(json);
	return result;
}
