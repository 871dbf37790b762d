/*
 * Reads rows of tables as programs write them: JSONL, or TSV with a header line;
 * the first byte of a line that is not a blank decides, or below a header
 * a tab. A repeated header, as in tables joined with cat, is skipped.
 *
 * A caller names the columns that it wants and gets their values as text.
 */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <stdbool.h>

#include "base/message.h"
#include "base/records.h"
#include "base/table.h"
#include "base/text.h"

enum { ROWS_COLUMNS_MAX = 8, ROWS_REASON_MAX = REASON_MAX };

/* The reader of single lines, without files. */
struct row {
	const char *const *names;    /* of the columns wanted */
	int count;                   /* at most ROWS_COLUMNS_MAX */
	struct text header;          /* the last header line */
	int place[ROWS_COLUMNS_MAX]; /* index of the cell in TSV; -1: none */
	/* The values; NULL if the cell is empty or null. */
	const char *value[ROWS_COLUMNS_MAX];
	struct text text[ROWS_COLUMNS_MAX]; /* which the values point into */
};

/* The names must outlive the row. */
void row_init(struct row *r, const char *const *names, int count);
void row_release(struct row *r);

/* Reads a line: 1 for a row; 0 for a header or a blank line; -1 with a reason. A
 * header of TSV, and a row of JSON, must have every column wanted. */
int row_read(struct row *r, const char *s, size_t n, char reason[ROWS_REASON_MAX]);

/* The reader of files. */
struct rows {
	struct records records;
	struct row row;
};

/*
 * The rest of main() after the options: calls take() for every row, with the row
 * in s->row, then write() for the program's table. Reads standard input if no
 * files are named. Bad rows are reported and skipped; --strict stops at the
 * first. Returns the exit status.
 */
int rows_run(struct cli *cli, char **files, const char *const *names, int count,
    void (*take)(struct rows *s), void (*write)(struct table *t));

/* Reports the current row as bad, with a reason. */
void rows_refuse(struct rows *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Cell i of the current row as a number, which may be "inf" or "-inf". Returns 1;
 * 0, with *v NaN, if it is empty; -1 if it is not a number. */
int rows_number(const struct rows *s, int i, double *v);

/* Items in groups by name, in the order of their first appearance. */
struct rowgroup {
	char *name;
	void *items;
	int n, room;
};
struct rowgroups {
	size_t item_size; /* set by the caller; the rest starts as zeros */
	struct rowgroup *groups;
	int n, rows;
	size_t bytes; /* of names */
};

/* Counts a row and returns its group, created if necessary. Ends the program if
 * there are too many rows, groups or bytes of names. The pointer is valid until
 * the next call. */
struct rowgroup *rowgroups_find(struct rowgroups *s, const char *name);
/* Appends a copy of an item to a group. */
void rowgroups_add(const struct rowgroups *s, struct rowgroup *g, const void *item);
void rowgroups_release(struct rowgroups *s);

#endif
