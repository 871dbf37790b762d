/*
 * trend: how a number changes with each doubling of another, such as draw rates
 * with nodes; and an estimate of it elsewhere, if that is possible.
 */
#include <math.h>
#include <string.h>

#include "base/cli.h"
#include "base/table.h"
#include "data/rows.h"
#include "stats/special.h"
#include "stats/trend.h"

static const char synopsis[] =
    "[-StVz] [-b column] [-l level] [-o file] [--at x] [--hold-out x]\n"
    "             [--share] [--x column] [--y column] [file ...]";
static const char help[] =
    "Reads rows (TSV or JSONL) with numbers and their intervals, and fits a line\n"
    "against the logarithm of another column, for each rule set.\n";

static struct cli cli;
static const char *by = "rules", *x_column = "sims", *y_column = "draw_rate";
static double level = 0.95, at = NAN, hold_out = NAN, deviations;
static bool share;

static const struct cli_option options[] = {
	CLI_REAL(0, "at", "X", &at, 1e-300, 1e300, "write the value of the line at X"),
	CLI_TEXT('b', "by", "COLUMN", &by,
	    "fit a line for each value of COLUMN (default rules)"),
	CLI_HELP,
	CLI_REAL(0, "hold-out", "X", &hold_out, 1e-300, 1e300,
	    "do not fit the points at X, but judge the line by them"),
	CLI_LEVEL(&level, "intervals, read and written"),
	CLI_OUTPUT_ZST,
	CLI_STRICT("row"),
	CLI_FLAG(0, "share", &share, "the numbers are shares, from 0 to 1"),
	CLI_TSV(""),
	CLI_VERSION,
	CLI_TEXT(0, "x", "COLUMN", &x_column,
	    "the column that the numbers depend on (default sims)"),
	CLI_TEXT(0, "y", "COLUMN", &y_column,
	    "the numbers; COLUMN_lo and COLUMN_hi are their intervals\n"
	    "(default draw_rate)"),
	CLI_COMPRESS,
	CLI_END,
};

/* The points of one line. */
static struct rowgroups groups = { .item_size = sizeof(struct trend_point) };

/* ---- reading ---- */

/* The logit of a share, which is closer to a line and stays within its bounds.
 * Shares stay a quarter of the interval's width away from 0 and 1. */
static double
to_line(double y, double width)
{
	y = fmin(fmax(y, width / 4), 1 - width / 4);
	return log(y / (1 - y));
}

static double
from_line(double y)
{
	return share ? 1 / (1 + exp(-y)) : y;
}

/* The change of the share with the line, at this point of it. */
static double
slope_at(double y)
{
	double m = from_line(y);

	return share ? m * (1 - m) : 1;
}

/* False if the row has no point: a number is missing or infinite, or the interval
 * has no width. */
static bool
make_point(const double v[4], struct trend_point *p)
{
	double width = v[3] - v[2];

	for (int i = 0; i < 4; i++)
		if (!isfinite(v[i]))
			return false;
	*p = (struct trend_point){ v[0], v[1], width / (2 * deviations) };
	if (share) {
		p->y = to_line(v[1], width);
		p->se /= slope_at(p->y);
	}
	return p->se > 0 && isfinite(p->se);
}

/* The reason why a row is refused; NULL for none. */
static const char *
find_fault(const double v[4])
{
	if (v[0] <= 0)
		return "x is not positive";
	if (v[2] > v[1] || v[1] > v[3])
		return "the number lies outside of its interval";
	if (share && (v[2] < 0 || v[3] > 1))
		return "not a share";
	return NULL;
}

static void
take_row(struct rows *rows)
{
	struct trend_point p;
	double v[4];

	if (rows->row.value[0] == NULL) {
		rows_refuse(rows, "no %s", by);
		return;
	}
	for (int i = 0; i < 4; i++) {
		if (rows_number(rows, i + 1, &v[i]) == -1) {
			rows_refuse(rows, "%s is not a number", rows->row.names[i + 1]);
			return;
		}
	}
	const char *fault = find_fault(v);
	if (fault != NULL) {
		rows_refuse(rows, "%s", fault);
		return;
	}
	struct rowgroup *g = rowgroups_find(&groups, rows->row.value[0]);
	if (make_point(v, &p))
		rowgroups_add(&groups, g, &p);
}

/* ---- the table ---- */

/* A number of the line, and its interval. */
static struct range
range_on_line(double y, double se)
{
	return (struct range){ from_line(y), from_line(y - deviations * se),
		from_line(y + deviations * se) };
}

/* Moves the points that are held out to the end, and returns how many are not. */
static int
set_apart(struct trend_point *p, int n)
{
	int kept = 0;

	for (int i = 0; i < n; i++) {
		if (p[i].x == hold_out)
			continue;
		struct trend_point other = p[kept];
		p[kept++] = p[i];
		p[i] = other;
	}
	return kept;
}

/* What was held out, what the line says there, and whether that is right. Returns
 * false if it is wrong. */
static bool
add_judgement(struct table *t, const struct trend *line, const struct trend *held)
{
	struct trend_point p = { hold_out, held->mean, held->mean_se };
	double se = NAN, y = held->n > 0 ? trend_at(line, hold_out, &se) : NAN;
	double miss = fabs(trend_miss(line, &p));

	table_number(t, "held", hold_out);
	table_range(t, "held_y", range_on_line(p.y, p.se));
	table_range(t, "held_line", range_on_line(y, se));
	table_string(t, "judged",
	    isnan(miss)             ? "open"
		: miss > deviations ? "wrong"
				    : "right");
	return !(miss > deviations);
}

static void
add_prediction(struct table *t, const struct trend *line, bool right)
{
	double y = NAN, se = NAN;

	if (!isnan(at) && right && trend_may_tell(line, at, deviations))
		y = trend_at(line, at, &se);
	table_number(t, "at", at);
	table_range(t, "y", range_on_line(y, se));
}

static void
add_group(struct table *t, const struct rowgroup *g)
{
	struct trend_point *points = g->items;
	struct trend line, held;
	bool right = true;

	int n = set_apart(points, g->n);
	trend_fit(points, n, &line);
	double by_slope = slope_at(line.mean);
	double error = deviations * line.slope_se * by_slope;
	double slope = line.slope * by_slope;
	table_string(t, by, g->name);
	table_count(t, "n", (uint64_t)n);
	table_range(t, "mean", range_on_line(line.mean, line.mean_se));
	table_range(t, "slope", (struct range){ slope, slope - error, slope + error });
	table_number(t, "p_fit", line.p_fit);
	table_string(t, "trend",
	    slope > error        ? "rises"
		: slope < -error ? "falls"
				 : "open");
	if (!isnan(hold_out)) {
		trend_fit(points + n, g->n - n, &held);
		right = add_judgement(t, &line, &held);
	}
	add_prediction(t, &line, right);
}

static void
write_groups(struct table *t)
{
	static char no_name[] = "";
	struct rowgroup none = { .name = no_name };

	for (int i = 0; i < groups.n; i++) {
		add_group(t, &groups.groups[i]);
		if (table_end_row(t) == -1)
			break;
	}
	add_group(t, &none);
	table_end_names(t);
}

int
main(int argc, char *argv[])
{
	struct text lo = { 0 }, hi = { 0 };

	cli_start(&cli, synopsis, help, options);
	char **files = cli_read(&cli, argc, argv);
	deviations = normal_quantile((1 - level) / 2);
	text_add_format(&lo, "%s_lo", y_column);
	text_add_format(&hi, "%s_hi", y_column);
	const char *names[] = { by, x_column, y_column, lo.s, hi.s };
	int status = rows_run(&cli, files, names, 5, take_row, write_groups);
	rowgroups_release(&groups);
	text_release(&lo);
	text_release(&hi);
	return status;
}
