#include "linetable.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/memory.h"

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_TABLE,
	{ "histogram", no_argument, NULL, 'y' },
	{ "plies", required_argument, NULL, 'U' },
	{ "progress", no_argument, NULL, 'p' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "strict", no_argument, NULL, 'S' },
	{ "width", required_argument, NULL, 'Z' },
	{ NULL, 0, NULL, 0 }
};

/* A run of the program. */
struct run {
	const struct linetable *program;
	struct cli cli;
	struct lines lines;
	struct linegroups groups;
	int most;		/* plies that are looked at */
	bool histogram;
	double width;
};

static void
read_options(struct run *r, int argc, char *argv[])
{
	int c;

	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_TABLE
	    "pqSU:yZ:", options, NULL)) != -1) {
		if (c == 'U')
			r->most = (int)cli_number(&r->cli, "--plies", optarg, 1,
			    OPENING_PLIES_MAX);
		else if (c == 'y')
			r->histogram = true;
		else if (c == 'Z')
			r->width = cli_real(&r->cli, "--width", optarg, 1e-3,
			    1e3);
		else
			cli_option(&r->cli, c);
	}
}

/* ---- counting ---- */

/* What was counted for a ply, 1 and up. */
static void *
ply_data(const struct run *r, const struct linegroup *g, int ply)
{
	return (char *)g->data + r->program->head_size +
	    (size_t)(ply - 1) * r->program->ply_size;
}

static const char *
misfit(const struct run *r, const struct opening *o)
{
	const char *why = r->program->misfit == NULL ? NULL :
	    r->program->misfit(o);

	if (why == NULL && r->histogram && o->weight > 0)
		why = "the line was listed, not drawn: no histogram can be made "
		    "of it";
	return why;
}

/* The whole line, or up to the last ply that is looked at. */
static double
score(const struct run *r, const struct opening *o)
{
	double sum = 0;

	for (int i = 0; i < o->game.line.plies && i < r->most; i++)
		sum += r->program->score(o, i);
	return sum;
}

static void
count_line(struct run *r, const struct opening *o)
{
	const char *why = misfit(r, o);
	struct linegroup *g = why != NULL ? NULL :
	    linegroups_count(&r->groups, o, r->program->by_q);

	if (g == NULL)
		lines_refuse(&r->lines, why != NULL ? why :
		    "too many rule sets, nets and starts");
	else if (r->histogram)
		linegroup_bin(g, score(r, o), r->width);
	else
		r->program->add(g->data, ply_data(r, g, 1), r->most, o);
}

/* A list from which lines are missing is no list of all. */
static void
check_lists(struct run *r)
{
	for (int i = 0; i < r->groups.n; i++) {
		const struct linegroup *g = &r->groups.groups[i];
		double sum = g->listed ? r->program->weight(ply_data(r, g, 1)) :
		    1;
		if (fabs(sum - 1) > 1e-6)
			cli_warn(&r->cli, g->p, 0, "the probabilities of the "
			    "lines listed sum to %.9g: they are not all there "
			    "are", sum);
	}
}

/* ---- the table ---- */

static int
write_plies(const struct run *r, const struct linegroup *g, struct table *t)
{
	for (int ply = 1; ply <= g->plies && ply <= r->most; ply++) {
		r->program->fill(t, g, ply, ply_data(r, g, ply));
		if (table_end_row(t) == -1)
			return -1;
	}
	return 0;
}

/* A row of nothing, for the names of its columns. */
static void
write_names(struct run *r, struct table *t)
{
	struct linegroup none = { .p = "", .q = "", .net = "", .q_net = "",
	    .from = "", .data = xcalloc(1, r->program->head_size +
	    r->program->ply_size) };

	r->program->fill(t, &none, 1, ply_data(r, &none, 1));
	table_end_names(t);
	free(none.data);
}

static void
write_rows(struct run *r, struct table *t)
{
	for (int i = 0; i < r->groups.n; i++) {
		const struct linegroup *g = &r->groups.groups[i];
		if ((r->histogram ? linegroup_write_bins(g, r->width, t) :
		    write_plies(r, g, t)) == -1)
			return;
	}
	if (r->histogram)
		linegroups_write_bin_names(r->program->by_q, t);
	else
		write_names(r, t);
}

int
linetable_main(const struct linetable *p, int argc, char *argv[])
{
	static struct opening line;
	static struct run r = { .most = OPENING_PLIES_MAX, .width = 0.5 };
	struct table table;

	r.program = p;
	cli_start(&r.cli, p->synopsis, p->help);
	read_options(&r, argc, argv);
	linegroups_init(&r.groups, p->head_size + (size_t)r.most * p->ply_size);
	opening_init(&line);
	struct zout *out = cli_open_output(&r.cli);
	lines_start(&r.lines, &r.cli, argv + optind);
	while (lines_next(&r.lines, &line))
		count_line(&r, &line);
	lines_finish(&r.lines);
	linegroups_sort(&r.groups);
	check_lists(&r);
	table_start(&table, out, r.cli.tsv);
	write_rows(&r, &table);
	table_release(&table);
	for (int i = 0; p->release != NULL && i < r.groups.n; i++)
		p->release(r.groups.groups[i].data);
	linegroups_release(&r.groups);
	opening_release(&line);
	return cli_finish(&r.cli, out);
}
