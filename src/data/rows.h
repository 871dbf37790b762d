/*
 * The rows of tables as programs write them: JSONL, or TSV under a line of
 * names; the first byte of a line that is no blank decides. A repeated
 * line of names, as in tables joined by cat, is skipped.
 *
 * A caller names the columns it wants and gets their values as text.
 */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <stdbool.h>

#include "base/message.h"
#include "base/records.h"
#include "base/table.h"
#include "base/text.h"

enum { ROWS_COLUMNS_MAX = 8, ROWS_REASON_MAX = REASON_MAX };

/* One line at a time, without files: what a fuzzer tests. */
struct row {
	const char *const *names;	/* of the columns wanted */
	int count;			/* at most ROWS_COLUMNS_MAX */
	struct text header;		/* the last line of names */
	int place[ROWS_COLUMNS_MAX];	/* in TSV: which cell; -1: none */
	/* The values; NULL where the cell is empty, null or missing. */
	const char *value[ROWS_COLUMNS_MAX];
	struct text text[ROWS_COLUMNS_MAX];	/* behind them */
};

/* The names must outlive the row. */
void row_init(struct row *r, const char *const *names, int count);
void row_release(struct row *r);

/* Reads a line: 1 for a row, 0 for a line of names or a blank line, -1 with a
 * reason. In TSV every column wanted must be named. */
int row_read(struct row *r, const char *s, size_t n,
    char reason[ROWS_REASON_MAX]);

/* The rows of files, or of standard input when none is named. */
struct rows {
	struct records records;
	struct row row;
};

/*
 * All that a program does with rows once its options are read: takes them one by
 * one, in s->row, then writes its table. Bad ones are reported, remembered for the
 * exit status and skipped; the first one is the last under --strict. Returns the
 * exit status.
 */
int rows_run(struct cli *cli, char **files, const char *const *names, int count,
    void (*take)(struct rows *s), void (*write)(struct table *t));

/* Reports the row read last as bad, with a reason. */
__attribute__((format(printf, 2, 3)))
void rows_refuse(struct rows *s, const char *format, ...);

/* Cell i of the row read last as a number, "inf" and "-inf" among them: 1; 0 and
 * NaN where there is none; -1 if it is something else. */
int rows_number(const struct rows *s, int i, double *v);

/* What rows have, in groups by name, in the order in which these came. */
struct rowgroup {
	char *name;
	void *items;
	int n, room;
};
struct rowgroups {
	size_t item_size;	/* the caller's; all else begins as zeros */
	struct rowgroup *groups;
	int n, rows;
	size_t bytes;		/* of names */
};

/* The group of a row, made if need be. Ends the program when there are too many
 * rows, groups or bytes of names. The pointer is good until the next call. */
struct rowgroup *rowgroups_find(struct rowgroups *s, const char *name);
void rowgroups_add(const struct rowgroups *s, struct rowgroup *g,
    const void *item);
void rowgroups_release(struct rowgroups *s);

#endif
