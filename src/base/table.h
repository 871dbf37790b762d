/*
 * Writes the rows of a table, as JSONL or as TSV with a header line.
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
	bool headed; /* the header line has been written */
	bool first;  /* the next value is the first of its row */
	struct text names, row;
};

/* Writes to out, which the caller still owns. */
void table_start(struct table *t, struct zout *out, bool tsv);

/* Add a value to the current row; every row needs the same columns in the same
 * order. Infinity is written as "inf" or "-inf", NaN as null (in TSV an empty
 * cell). */
void table_string(struct table *t, const char *name, const char *value);
void table_count(struct table *t, const char *name, uint64_t value);
void table_number(struct table *t, const char *name, double value);
/* Rounded to this many significant digits. */
void table_rounded(struct table *t, const char *name, double value, int digits);
/* An estimate and its interval, as the columns NAME, NAME_lo and NAME_hi. */
void table_range(struct table *t, const char *name, struct range r);
/* JSON, unchanged in TSV too. */
void table_json(struct table *t, const char *name, const char *json);

/* Writes the row: 0, or -1 once writing has failed. */
int table_end_row(struct table *t);

/* Drops the row, after writing the header line if it is not written yet: gives
 * a table without rows its header. */
void table_end_names(struct table *t);

void table_release(struct table *t);

#endif
