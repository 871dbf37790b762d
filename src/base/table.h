/*
 * The rows of a table, as JSONL or as TSV under a line of names.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "range.h"
#include "text.h"
#include "zio.h"

struct table {
	struct zout *out;
	bool tsv;
	bool headed;		/* the line of names has been written */
	bool first;		/* the next value is the first of its row */
	struct text names, row;
};

void table_start(struct table *t, struct zout *out, bool tsv);

/* Values of the row under way, in the same order for every row. A number that
 * is not finite is "inf" or "-inf", and null (an empty cell) when it is NaN. */
void table_string(struct table *t, const char *name, const char *value);
void table_count(struct table *t, const char *name, uint64_t value);
void table_number(struct table *t, const char *name, double value);
/* The same with no more digits than these. */
void table_rounded(struct table *t, const char *name, double value, int digits);
/* A number and its interval, in the columns NAME, NAME_lo and NAME_hi. */
void table_range(struct table *t, const char *name, struct range r);
/* JSON as it is, in TSV too. */
void table_json(struct table *t, const char *name, const char *json);

/* Ends the row: 0, or -1 once writing has failed. */
int table_end_row(struct table *t);

/* Drops the row after writing its names, if they are not there yet: so a table
 * without rows has names all the same. */
void table_end_names(struct table *t);

void table_release(struct table *t);

#endif
