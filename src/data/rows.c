#include "rows.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json.h"

/* ---- a line ---- */

void
row_init(struct row *r, const char *const *names, int count)
{
	memset(r, 0, sizeof(*r));
	r->names = names;
	r->count = count;
}

void
row_release(struct row *r)
{
	text_release(&r->header);
	for (int i = 0; i < r->count; i++)
		text_release(&r->text[i]);
}

/* Sets the value of column i; NULL for an empty one. */
static void
set_value(struct row *r, int i, const char *s, size_t n)
{
	text_clear(&r->text[i]);
	text_add(&r->text[i], s, n);
	r->value[i] = n > 0 ? r->text[i].s : NULL;
}

/* The next cell of a line of TSV, from *s; false if there is none. */
static bool
next_cell(const char **s, const char *end, const char **cell, size_t *n)
{
	if (*s == NULL)
		return false;
	const char *tab = memchr(*s, '\t', (size_t)(end - *s));
	*cell = *s;
	*n = (size_t)((tab == NULL ? end : tab) - *s);
	*s = tab == NULL ? NULL : tab + 1;
	return true;
}

static int
read_names(struct row *r, const char *s, size_t n, char *reason)
{
	const char *at = s, *cell;
	size_t len;

	for (int i = 0; i < r->count; i++)
		r->place[i] = -1;
	for (int k = 0; next_cell(&at, s + n, &cell, &len); k++)
		for (int i = 0; i < r->count; i++)
			if (len == strlen(r->names[i]) &&
			    memcmp(cell, r->names[i], len) == 0)
				r->place[i] = k;
	for (int i = 0; i < r->count; i++)
		if (r->place[i] == -1)
			return refuse(reason, "no column %s", r->names[i]);
	text_add(&r->header, s, n);
	return 0;
}

static int
read_tsv(struct row *r, const char *s, size_t n, char *reason)
{
	const char *at = s, *cell;
	size_t len;
	int k;

	if (r->header.len == 0)
		return read_names(r, s, n, reason);
	if (n == r->header.len && memcmp(s, r->header.s, n) == 0)
		return 0;
	for (k = 0; next_cell(&at, s + n, &cell, &len); k++)
		for (int i = 0; i < r->count; i++)
			if (r->place[i] == k)
				set_value(r, i, cell, len);
	for (int i = 0; i < r->count; i++)
		if (r->place[i] >= k)
			return refuse(reason, "no cell for %s", r->names[i]);
	return 1;
}

static int
read_members(struct row *r, const cJSON *json, char *reason)
{
	struct text *t;

	for (int i = 0; i < r->count; i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, r->names[i]);
		if (item == NULL)
			return refuse(reason, "no column %s", r->names[i]);
		if (cJSON_IsNull(item))
			continue;
		if (cJSON_IsString(item)) {
			set_value(r, i, item->valuestring, strlen(item->valuestring));
			continue;
		}
		if (!cJSON_IsNumber(item))
			return refuse(reason, "%s is neither text nor number",
			    r->names[i]);
		t = &r->text[i];
		text_clear(t);
		text_add_double(t, item->valuedouble);
		r->value[i] = t->s;
	}
	return 1;
}

static int
read_json(struct row *r, const char *s, size_t n, char *reason)
{
	cJSON *json = json_tree(s, n, reason);
	int result = json == NULL ? -1 : read_members(r, json, reason);

	cJSON_Delete(json);
	return result;
}

int
row_read(struct row *r, const char *s, size_t n, char reason[ROWS_REASON_MAX])
{
	size_t blank = 0;

	for (int i = 0; i < r->count; i++)
		r->value[i] = NULL;
	if (n > 0 && s[n - 1] == '\r')
		n--;
	while (blank < n && s[blank] == ' ')
		blank++;
	if (blank == n)
		return 0;
	if (memchr(s, '\0', n) != NULL)
		return refuse(reason, "a NUL in the record");
	/* A rule set without a name is JSON in a cell. */
	if (s[blank] != '{' || (r->header.len > 0 && memchr(s, '\t', n) != NULL))
		return read_tsv(r, s, n, reason);
	while (s[n - 1] == ' ' || s[n - 1] == '\t')
		n--;
	return read_json(r, s + blank, n - blank, reason);
}

/* ---- files ---- */

void
rows_refuse(struct rows *s, const char *format, ...)
{
	struct input *in = &s->records.in;
	char reason[ROWS_REASON_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	records_warn(&s->records, input_line_number(in, in->at - 1), reason);
}

/* Reads a line of the open file; true if it is a row. */
static bool
read_line(struct rows *s)
{
	struct records *r = &s->records;
	char reason[ROWS_REASON_MAX];
	const char *line;
	size_t n;
	int got = records_line(r, &line, &n);

	if (got == 0)
		records_close(r);
	if (got != 1)
		return false;
	got = row_read(&s->row, line, n, reason);
	if (got == -1) {
		records_warn(r, input_line_number(&r->in, line), reason);
		/* With a wrong header all rows would be wrong. */
		if (s->row.header.len == 0 && memchr(line, '{', n) == NULL)
			records_close(r);
	}
	return got == 1;
}

static bool
next(struct rows *s)
{
	while (!s->records.stopped) {
		if (!s->records.open) {
			text_clear(&s->row.header); /* of another file */
			if (!records_open(&s->records))
				return false;
		}
		if (read_line(s))
			return true;
	}
	return false;
}

int
rows_number(const struct rows *s, int i, double *v)
{
	const char *text = s->row.value[i];

	*v = NAN;
	if (text == NULL || strcasecmp(text, "nan") == 0)
		return 0;
	if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
		*v = *text == '-' ? -INFINITY : INFINITY;
		return 1;
	}
	return number_read_double(text, -HUGE_VAL, HUGE_VAL, v) ? 1 : -1;
}

int
rows_run(struct cli *cli, char **files, const char *const *names, int count,
    void (*take)(struct rows *s), void (*write)(struct table *t))
{
	struct rows rows;
	struct table table;

	cli->quiet = true; /* too few rows for a progress line */
	records_start(&rows.records, cli, "rows", files);
	row_init(&rows.row, names, count);
	struct zout *out = cli_open_output(cli);
	while (next(&rows))
		take(&rows);
	records_finish(&rows.records);
	row_release(&rows.row);
	table_start(&table, out, cli->tsv);
	write(&table);
	table_release(&table);
	return cli_finish(cli, out);
}

/* ---- groups ---- */

enum { ROWS_MAX = 100000, GROUPS_MAX = 10000, NAMES_MAX = 1 << 24 };

struct rowgroup *
rowgroups_find(struct rowgroups *s, const char *name)
{
	if (++s->rows > ROWS_MAX || s->n > GROUPS_MAX || s->bytes > NAMES_MAX)
		errx(EXIT_LOST, "more than %d rows or %d groups", ROWS_MAX, GROUPS_MAX);
	/* The rows of a group usually follow each other. */
	for (int i = s->n - 1; i >= 0; i--)
		if (strcmp(s->groups[i].name, name) == 0)
			return &s->groups[i];
	s->groups = xreallocarray(s->groups, (size_t)s->n + 1, sizeof(*s->groups));
	s->groups[s->n] = (struct rowgroup){ .name = xstrdup(name) };
	s->bytes += strlen(name);
	return &s->groups[s->n++];
}

void
rowgroups_add(const struct rowgroups *s, struct rowgroup *g, const void *item)
{
	if (g->n == g->room) {
		g->room = 2 * g->room + 16;
		g->items = xreallocarray(g->items, (size_t)g->room, s->item_size);
	}
	memcpy((char *)g->items + (size_t)g->n++ * s->item_size, item, s->item_size);
}

void
rowgroups_release(struct rowgroups *s)
{
	for (int i = 0; i < s->n; i++) {
		free(s->groups[i].name);
		free(s->groups[i].items);
	}
	free(s->groups);
}
