#include "linetable.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/memory.h"

static const char synopsis[] = "[-pqStVyz] [-o file] [-U plies] [-Z width] [file ...]";

static const struct linetable *program;
static struct cli cli;
static struct lines lines;
static struct linegroups groups;
static int most = OPENING_PLIES_MAX; /* plies to count */
static bool histogram;
static double width = 0.5;

/* ---- counting ---- */

/* The data of a ply, from 1. */
static void *
ply_data(const struct linegroup *g, int ply)
{
	return (char *)g->data + program->head_size +
	    (size_t)(ply - 1) * program->ply_size;
}

static const char *
misfit(const struct opening *o)
{
	const char *why = program->misfit == NULL ? NULL : program->misfit(o);

	if (why == NULL && histogram && o->weight > 0)
		why = "the line was listed, not sampled: --histogram needs samples";
	return why;
}

/* The score of the whole line, or of its first `most` plies. */
static double
score(const struct opening *o)
{
	double sum = 0;

	for (int i = 0; i < o->game.line.plies && i < most; i++)
		sum += program->score(o, i);
	return sum;
}

static void
count_line(const struct opening *o)
{
	const char *why = misfit(o);
	struct linegroup *g =
	    why != NULL ? NULL : linegroups_count(&groups, o, program->by_q);

	if (g == NULL)
		lines_refuse(&lines,
		    why != NULL ? why : "too many rule sets, nets and starts");
	else if (histogram)
		linegroup_bin(g, score(o), width);
	else
		program->add(g->data, ply_data(g, 1), most, o);
}

/* Are the lists of all lines complete? */
static void
check_lists(void)
{
	for (int i = 0; i < groups.n; i++) {
		const struct linegroup *g = &groups.groups[i];
		double sum = g->listed ? program->weight(ply_data(g, 1)) : 1;
		if (fabs(sum - 1) > 1e-6)
			cli_warn(&cli, g->p, 0,
			    "the probabilities of the "
			    "lines listed sum to %.9g, not 1: lines are missing",
			    sum);
	}
}

/* ---- the table ---- */

static int
write_plies(const struct linegroup *g, struct table *t)
{
	for (int ply = 1; ply <= g->plies && ply <= most; ply++) {
		program->fill(t, g, ply, ply_data(g, ply));
		if (table_end_row(t) == -1)
			return -1;
	}
	return 0;
}

/* Writes the header of a table without rows. */
static void
write_names(struct table *t)
{
	struct linegroup none = { .p = "",
		.q = "",
		.net = "",
		.q_net = "",
		.from = "",
		.data = xcalloc(1, program->head_size + program->ply_size) };

	program->fill(t, &none, 1, ply_data(&none, 1));
	table_end_names(t);
	free(none.data);
}

static void
write_rows(struct table *t)
{
	for (int i = 0; i < groups.n; i++) {
		const struct linegroup *g = &groups.groups[i];
		if ((histogram ? linegroup_write_bins(g, width, t) : write_plies(g, t)) ==
		    -1)
			return;
	}
	if (histogram)
		linegroups_write_bin_names(program->by_q, t);
	else
		write_names(t);
}

int
linetable_main(const struct linetable *p, int argc, char *argv[])
{
	static struct opening line;
	struct table table;
	const struct cli_option options[] = {
		CLI_HELP,
		CLI_OUTPUT_ZST,
		CLI_PROGRESS,
		CLI_QUIET(" and no count of bad lines"),
		CLI_STRICT("line"),
		CLI_TSV(""),
		CLI_INTEGER('U', "plies", "T", &most, 1, OPENING_PLIES_MAX,
		    "look at the first T plies only"),
		CLI_VERSION,
		CLI_FLAG('y', "histogram", &histogram, p->histogram),
		CLI_REAL('Z', "width", "W", &width, 1e-3, 1e3,
		    "width of its bins (default 0.5)"),
		CLI_COMPRESS,
		CLI_END,
	};

	program = p;
	cli_start(&cli, synopsis, p->help, options);
	char **files = cli_read(&cli, argc, argv);
	linegroups_init(&groups, p->head_size + (size_t)most * p->ply_size);
	opening_init(&line);
	struct zout *out = cli_open_output(&cli);
	lines_start(&lines, &cli, files);
	while (lines_next(&lines, &line))
		count_line(&line);
	lines_finish(&lines);
	linegroups_sort(&groups);
	check_lists();
	table_start(&table, out, cli.tsv);
	write_rows(&table);
	table_release(&table);
	for (int i = 0; p->release != NULL && i < groups.n; i++)
		p->release(groups.groups[i].data);
	linegroups_release(&groups);
	opening_release(&line);
	return cli_finish(&cli, out);
}
