/*
 * rankcorr: do two columns rank the rows in the same order? Writes, for each
 * measure, Spearman's rank correlation with an interval and a test, and the
 * agreement to be expected with the errors of the columns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/table.h"
#include "data/rows.h"
#include "stats/rank.h"
#include "stats/special.h"

enum {
	ORDER_MAX = 3000, /* rows of which all pairs are compared */
	DRAWN_MAX = 60,   /* the same, with errors drawn this often: */
	DRAWN_SAMPLES = 4000
};

static const char synopsis[] =
    "[-StVz] [-b column] [-l level] [-M samples] [-o file] [-s seed]\n"
    "                [--beside column] [--errors] [--x column] [--y column] [file ...]";
static const char help[] =
    "Reads rows (TSV or JSONL) and writes the rank correlation of two columns, for\n"
    "each value of a third.\n";

static struct cli cli;
static const char *by, *x_column, *y_column, *other_column;
static char both[128]; /* the measure, if there is no such column */
static double level = 0.95;
static int samples = 10000;
static uint64_t seed;
static bool with_errors; /* --errors */

static const struct cli_option options[] = {
	CLI_TEXT('b', "by", "COLUMN", &by,
	    "correlate for each value of COLUMN (default measure, or with\n"
	    "--x or --y over all rows)"),
	CLI_TEXT(0, "beside", "COLUMN", &other_column,
	    "also compare the agreement of COLUMN with the second one, over\n"
	    "the rows that have it; implies --errors"),
	CLI_FLAG(0, "errors", &with_errors, "also read the standard errors, COLUMN_se"),
	CLI_HELP,
	CLI_LEVEL(&level, "intervals"),
	CLI_INTEGER('M', "monte-carlo", "N", &samples, 1, 10000000,
	    "number of random orders and errors (default 10000)"),
	CLI_OUTPUT_ZST,
	CLI_STRICT("row"),
	CLI_SEED(&seed, "seed of --monte-carlo (default 0)"),
	CLI_TSV(""),
	CLI_VERSION,
	CLI_TEXT(0, "x", "COLUMN", &x_column, "the first column (default ours)"),
	CLI_TEXT(0, "y", "COLUMN", &y_column, "the second column (default theirs)"),
	CLI_COMPRESS,
	CLI_END,
};

enum { OURS, THEIRS, OTHERS, COLUMNS };

/* The values of a row, and their standard errors; those of --beside are x of the
 * others. */
struct item {
	struct pair p, e, other, other_error;
	bool unsure[COLUMNS]; /* an error is missing */
};

/* The same for all rows of a measure. */
struct group {
	const char *name;
	struct pair *pairs, *errors, *others, *other_errors;
	bool unsure[COLUMNS];
	int n;
};

static struct rowgroups groups = { .item_size = sizeof(struct item) };

/* ---- reading ---- */

/* A column by what it is called, and where it and its error are. */
static const struct column {
	const char **name;
	int value, error;
} columns[COLUMNS] = { { &x_column, 1, 3 }, { &y_column, 2, 4 },
	{ &other_column, 5, 6 } };

/* Reads a number and its standard error; a negative or infinite one is refused. A
 * missing one is taken as 0, and noted. Returns as rows_number(), which is -1 for bad
 * ones. */
static int
read_value(struct rows *rows, const struct column *c, double *x, double *se, bool *unsure)
{
	int has = rows_number(rows, c->value, x), got;

	if (has == -1) {
		rows_refuse(rows, "%s is not a number", *c->name);
		return -1;
	}
	if (!with_errors)
		return has;
	got = rows_number(rows, c->error, se);
	if (got == 0)
		*se = 0;
	*unsure = got == 0;
	if (got == -1 || !(*se >= 0) || isinf(*se)) {
		rows_refuse(rows, "%s_se is not a standard error", *c->name);
		return -1;
	}
	return has;
}

/* Groups are made first, so that a measure without pairs gets its row, too. */
static void
take_row(struct rows *rows)
{
	struct item item = { 0 };
	double *x[] = { &item.p.x, &item.p.y, &item.other.x };
	double *se[] = { &item.e.x, &item.e.y, &item.other_error.x };
	bool all = true;

	const char *name = by != NULL ? rows->row.value[0] : both;
	if (name == NULL) {
		rows_refuse(rows, "no %s", by);
		return;
	}
	for (int i = 0; i < (other_column != NULL ? COLUMNS : OTHERS); i++) {
		int has = read_value(rows, &columns[i], x[i], se[i], &item.unsure[i]);
		if (has == -1)
			return;
		all &= has == 1;
	}
	struct rowgroup *g = rowgroups_find(&groups, name);
	if (all)
		rowgroups_add(&groups, g, &item);
}

/* ---- the table ---- */

/* The agreement to be expected with the errors of a measure. */
static void
add_order(struct table *t, const struct group *g, struct rank_work *w, struct rng *r)
{
	double deviations = normal_quantile((1 - level) / 2);
	bool ours = with_errors && !g->unsure[OURS], known = ours && !g->unsure[THEIRS];
	struct rank_order o = { 0 };
	static double shares[DRAWN_SAMPLES];

	if (g->n <= ORDER_MAX)
		rank_order(g->pairs, g->errors, g->n, deviations, &o);
	table_number(t, "pairs", o.rows);
	table_number(t, "pairs_share", o.same / o.rows);
	table_number(t, "pairs_expected", known ? o.expected / o.rows : NAN);
	table_number(t, "pairs_least",
	    known && g->n <= DRAWN_MAX ? rank_order_least(w, g->pairs, g->errors, g->n,
					     deviations, level, DRAWN_SAMPLES, shares, r)
				       : NAN);
	table_number(t, "rho_expected",
	    known ? rank_expected(w, g->pairs, g->errors, g->n, samples, r) : NAN);
	double r_log = rank_log_correlation(g->pairs, g->n);
	table_number(t, "r_log", r_log);
	table_number(t, "r_log_expected",
	    known && !isnan(r_log)
		? rank_log_expected(w, g->pairs, g->errors, g->n, samples, r)
		: NAN);
	table_number(t, "pairs_se",
	    ours && g->n <= DRAWN_MAX ? rank_order_error(w, g->pairs, g->errors, g->n,
					    deviations, DRAWN_SAMPLES, shares, r)
				      : NAN);
	double lo = NAN, hi = NAN;
	if (ours && g->n <= DRAWN_MAX)
		rank_order_interval(w, g->pairs, g->errors, g->n, deviations, level,
		    DRAWN_SAMPLES, shares, r, &lo, &hi);
	table_number(t, "pairs_lo", lo);
	table_number(t, "pairs_hi", hi);
}

/* The agreement of the other measure, and by how much ours exceeds it. */
static void
add_beside(struct table *t, const struct group *g, struct rank_work *w, struct rng *r)
{
	double deviations = normal_quantile((1 - level) / 2);
	struct range more = { NAN, NAN, NAN };
	struct rank_order o = { 0 };
	static double differences[DRAWN_SAMPLES];
	bool known = !g->unsure[OURS] && !g->unsure[OTHERS];

	if (g->n <= DRAWN_MAX) {
		rank_order(g->pairs, g->errors, g->n, deviations, &o);
		rank_order_difference(w, g->pairs, g->errors, g->others, g->other_errors,
		    g->n, deviations, level, DRAWN_SAMPLES, differences, r, &more);
	}
	table_number(t, "beside_share", o.same / o.rows - more.at);
	table_number(t, "difference", more.at);
	table_number(t, "difference_lo", known ? more.lo : NAN);
	table_number(t, "difference_hi", known ? more.hi : NAN);
}

static void
add_group(struct table *t, const struct group *g, struct rank_work *w, struct rng *r)
{
	struct range rho = { NAN, NAN, NAN };
	double p = NAN;

	/* Two rows always agree, or always disagree. */
	if (g->n > 2)
		rho.at = rank_spearman(w, g->pairs, g->n);
	if (!isnan(rho.at)) {
		rank_interval(w, g->pairs, g->n, level, &rho.lo, &rho.hi);
		p = rank_p(w, g->pairs, g->n, samples, r);
	}
	table_string(t, by != NULL ? by : "measure", g->name);
	table_count(t, "n", (uint64_t)g->n);
	table_range(t, "rho", rho);
	table_number(t, "p", p);
	add_order(t, g, w, r);
	if (other_column != NULL)
		add_beside(t, g, w, r);
}

/* Copies the items into the arrays of g, which is reused. */
static void
take_apart(struct group *g, const struct rowgroup *from)
{
	const struct item *items = from->items;
	size_t n = (size_t)from->n;

	g->name = from->name;
	g->n = from->n;
	memset(g->unsure, 0, sizeof(g->unsure));
	g->pairs = xreallocarray(g->pairs, n + 1, sizeof(*g->pairs));
	g->errors = xreallocarray(g->errors, n + 1, sizeof(*g->errors));
	g->others = xreallocarray(g->others, n + 1, sizeof(*g->others));
	g->other_errors = xreallocarray(g->other_errors, n + 1, sizeof(*g->other_errors));
	for (size_t i = 0; i < n; i++) {
		g->pairs[i] = items[i].p;
		g->errors[i] = items[i].e;
		g->others[i] = items[i].other;
		g->other_errors[i] = items[i].other_error;
		for (int k = 0; k < COLUMNS; k++)
			g->unsure[k] |= items[i].unsure[k];
	}
}

static void
write_groups(struct table *t)
{
	struct group g = { 0 }, none = { .name = "" };
	struct rank_work work = { 0 };
	struct rng r;

	for (int i = 0; i < groups.n; i++) {
		rng_init(&r, seed, (uint64_t)i);
		take_apart(&g, &groups.groups[i]);
		if (!rank_reserve(&work, g.n))
			memory_out();
		add_group(t, &g, &work, &r);
		if (table_end_row(t) == -1)
			break;
	}
	add_group(t, &none, &work, &r);
	table_end_names(t);
	rank_release(&work);
	free(g.pairs);
	free(g.errors);
	free(g.others);
	free(g.other_errors);
}

/* Sets the columns that were not named. */
static void
set_columns(char errors[COLUMNS][128])
{
	with_errors |= other_column != NULL;
	if (by == NULL && x_column == NULL && y_column == NULL)
		by = "measure";
	if (x_column == NULL)
		x_column = "ours";
	if (y_column == NULL)
		y_column = "theirs";
	snprintf(both, sizeof(both), "%s, %s", x_column, y_column);
	for (int i = 0; i < COLUMNS; i++)
		if (*columns[i].name != NULL)
			snprintf(errors[i], sizeof(errors[i]), "%s_se", *columns[i].name);
}

int
main(int argc, char *argv[])
{
	char errors[COLUMNS][128];

	cli_start(&cli, synopsis, help, options);
	char **files = cli_read(&cli, argc, argv);
	set_columns(errors);
	const char *names[] = { by != NULL ? by : x_column, x_column, y_column,
		errors[OURS], errors[THEIRS], other_column, errors[OTHERS] };
	int count = other_column != NULL ? 7 : with_errors ? 5 : 3;
	int status = rows_run(&cli, files, names, count, take_row, write_groups);
	rowgroups_release(&groups);
	return status;
}
