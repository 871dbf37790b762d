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

/* Forgets the line of names: another file begins. */
static void
forget_names(struct row *r)
{
	text_clear(&r->header);
}

/* The value of column i; an empty one is none. */
static void
set_value(struct row *r, int i, const char *s, size_t n)
{
	text_clear(&r->text[i]);
	text_add(&r->text[i], s, n);
	r->value[i] = n > 0 ? r->text[i].s : NULL;
}

/* The next cell of a line of TSV, *s on; false when there is none. */
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
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(json,
		    r->names[i]);
		if (item == NULL || cJSON_IsNull(item))
			continue;
		if (cJSON_IsString(item)) {
			set_value(r, i, item->valuestring,
			    strlen(item->valuestring));
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
	if (s[blank] != '{')
		return read_tsv(r, s, n, reason);
	while (s[n - 1] == ' ' || s[n - 1] == '\t')
		n--;
	return read_json(r, s + blank, n - blank, reason);
}

/* ---- files ---- */

static void
start(struct rows *s, struct cli *cli, char **files,
    const char *const *names, int count)
{
	static char *standard_input[] = { "-", NULL };

	memset(s, 0, sizeof(*s));
	s->cli = cli;
	s->files = *files != NULL ? files : standard_input;
	row_init(&s->row, names, count);
}

static void
warn_bad(struct rows *s, uint64_t line, const char *why)
{
	cli_warn(s->cli, s->in.name, line, "%s", why);
	s->stopped |= s->cli->strict;
}

void
rows_refuse(struct rows *s, const char *format, ...)
{
	char reason[ROWS_REASON_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	warn_bad(s, input_line_number(&s->in, s->in.at - 1), reason);
}

/* True when a file is open. */
static bool
open_next(struct rows *s)
{
	forget_names(&s->row);
	s->open = input_open(&s->in, *s->files++) == 0;
	if (!s->open) {
		cli_missing(s->cli, s->in.name);
		s->stopped |= s->cli->strict;
	}
	return s->open;
}

static void
close_file(struct rows *s)
{
	if (input_error(&s->in) != NULL)
		warn_bad(s, 0, input_error(&s->in));
	input_close(&s->in);
	s->open = false;
}

/* The next row of the file that is open: true, or false at its end. */
static bool
next_row(struct rows *s)
{
	char reason[ROWS_REASON_MAX];
	const char *line;
	size_t n;
	int got;

	while (!s->stopped && (got = input_line(&s->in, &line, &n)) != 0) {
		if (got == -1) {
			warn_bad(s, input_line_number(&s->in, s->in.at - 1),
			    "the line is longer than 16 MiB");
			continue;
		}
		got = row_read(&s->row, line, n, reason);
		if (got == 1)
			return true;
		if (got == -1) {
			warn_bad(s, input_line_number(&s->in, line), reason);
			/* Under a wrong line of names no row is better. */
			if (s->row.header.len == 0 &&
			    memchr(line, '{', n) == NULL)
				return false;
		}
	}
	return false;
}

static bool
next(struct rows *s)
{
	for (;;) {
		if (s->open && !s->stopped && next_row(s))
			return true;
		if (s->open)
			close_file(s);
		if (s->stopped || *s->files == NULL)
			return false;
		open_next(s);
	}
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

static void
finish(struct rows *s)
{
	if (s->open)
		close_file(s);
	row_release(&s->row);
}

int
rows_run(struct cli *cli, char **files, const char *const *names, int count,
    void (*take)(struct rows *s), void (*write)(struct table *t))
{
	struct rows rows;
	struct table table;

	start(&rows, cli, files, names, count);
	struct zout *out = cli_open_output(cli);
	while (next(&rows))
		take(&rows);
	finish(&rows);
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
		errx(EXIT_LOST, "more than %d rows or %d groups", ROWS_MAX,
		    GROUPS_MAX);
	/* Rows of a group mostly come together. */
	for (int i = s->n - 1; i >= 0; i--)
		if (strcmp(s->groups[i].name, name) == 0)
			return &s->groups[i];
	s->groups = xreallocarray(s->groups, (size_t)s->n + 1,
	    sizeof(*s->groups));
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
	memcpy((char *)g->items + (size_t)g->n++ * s->item_size, item,
	    s->item_size);
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
