#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void
table_start(struct table *t, struct zout *out, bool tsv)
{
	memset(t, 0, sizeof(*t));
	t->out = out;
	t->tsv = tsv;
	t->first = true;
}

/* Begins the next cell, and its column in the header. */
static void
begin_value(struct table *t, const char *name)
{
	if (t->tsv) {
		if (!t->first)
			text_add_char(&t->row, '\t');
		if (!t->headed) {
			if (!t->first)
				text_add_char(&t->names, '\t');
			text_add_string(&t->names, name);
		}
	} else {
		text_add_char(&t->row, t->first ? '{' : ',');
		text_add_json_string(&t->row, name, strlen(name));
		text_add_char(&t->row, ':');
	}
	t->first = false;
}

void
table_string(struct table *t, const char *name, const char *value)
{
	begin_value(t, name);
	if (!t->tsv) {
		text_add_json_string(&t->row, value, strlen(value));
		return;
	}
	for (; *value != '\0'; value++)
		text_add_char(&t->row, (unsigned char)*value < ' ' ? ' ' : *value);
}

void
table_count(struct table *t, const char *name, uint64_t value)
{
	begin_value(t, name);
	text_add_format(&t->row, "%" PRIu64, value);
}

void
table_number(struct table *t, const char *name, double value)
{
	begin_value(t, name);
	if (isnan(value))
		text_add_string(&t->row, t->tsv ? "" : "null");
	else if (!isinf(value))
		text_add_double(&t->row, value);
	else if (t->tsv)
		text_add_string(&t->row, value > 0 ? "inf" : "-inf");
	else
		text_add_string(&t->row, value > 0 ? "\"inf\"" : "\"-inf\"");
}

void
table_rounded(struct table *t, const char *name, double value, int digits)
{
	char s[64];

	if (isfinite(value)) {
		snprintf(s, sizeof(s), "%.*g", digits, value);
		value = strtod(s, NULL);
	}
	table_number(t, name, value);
}

void
table_range(struct table *t, const char *name, struct range r)
{
	char end[64];

	table_number(t, name, r.at);
	snprintf(end, sizeof(end), "%s_lo", name);
	table_number(t, end, r.lo);
	snprintf(end, sizeof(end), "%s_hi", name);
	table_number(t, end, r.hi);
}

void
table_json(struct table *t, const char *name, const char *json)
{
	begin_value(t, name);
	text_add_string(&t->row, json);
}

static void
write_names(struct table *t)
{
	if (!t->tsv || t->headed)
		return;
	text_add_char(&t->names, '\n');
	zout_write(t->out, t->names.s, t->names.len);
	t->headed = true;
}

static void
next_row(struct table *t)
{
	text_clear(&t->row);
	t->first = true;
}

int
table_end_row(struct table *t)
{
	write_names(t);
	text_add_string(&t->row, t->tsv ? "\n" : "}\n");
	int result = zout_write(t->out, t->row.s, t->row.len);
	next_row(t);
	return result;
}

void
table_end_names(struct table *t)
{
	write_names(t);
	next_row(t);
}

void
table_release(struct table *t)
{
	text_release(&t->names);
	text_release(&t->row);
}
